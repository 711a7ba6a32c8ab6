// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/machinefile.h"

namespace instar {

/// One line on stderr each: "file:line: warning: text"; of very many the first ones.
void showRemarks(const QString &file, const QList<Remark> &remarks);

} // namespace instar
