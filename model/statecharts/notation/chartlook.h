// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

namespace instar {

/// CSS declarations of a look: "fill:pink,stroke:red,stroke-dasharray:5 5".
QString cssOf(const Look &look);
/// Look of CSS declarations, separated by "," or ";", on top of another look. The last of a kind
/// counts.
Look lookOfCss(const QString &css, Look under = {});

/// A colour's name or number, with or without its "#", as Look has it.
QString colourOf(QStringView written);

QString wordOf(Towards towards);        ///< "left"; empty: Anywhere
Towards towardsOf(const QString &word); ///< by its first letter; Anywhere: none of these

} // namespace instar
