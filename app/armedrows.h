// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"
#include "model/engine/rules.h"

namespace instar {

/// What was armed, as a text that outlives the program: of each request all that can be typed.
QByteArray armedText(const QList<Request> &requests, const Rules &rules);

/// What such a text says. A row that these rules do not understand (any more) takes none of the
/// others with it.
struct ArmedRows
{
    QList<Request> requests;
    QStringList problems; ///< one sentence for each row that was left out
};
ArmedRows armedRows(const QByteArray &text, const Rules &rules);

} // namespace instar
