// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/machinefile.h"

namespace instar {

/// One line on stderr each: "file:line: warning: text"; of very many the first ones.
/// The machine of a file of its own in a pack that knows what its rows say of others: switches, and
/// the states of other machines.
Pack packAroundLone(const Machine &machine);

void showRemarks(const QString &file, const QList<Remark> &remarks);

} // namespace instar
