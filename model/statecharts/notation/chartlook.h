// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

namespace instar {

/// Returns a look as CSS declarations: "fill:pink,stroke:red,stroke-dasharray:5 5".
QString cssOf(const Look &look);
/// Parses CSS declarations, separated by "," or ";", on top of another look. The last one of a
/// property counts.
Look lookOfCss(const QString &css, Look under = {});

/// Words for a look's stroke: "dashed" or "dotted", and "bold".
QStringList strokeWords(const Look &look);

/// Converts a colour's name or number, with or without "#", to the form of Look.
QString colourOf(QStringView written);

QString wordOf(Towards towards);        ///< "left" ...; empty for Anywhere
Towards towardsOf(const QString &word); ///< by its first letter; else Anywhere

} // namespace instar
