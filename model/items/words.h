// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <optional>

namespace instar {

struct Switch;

/// Returns virtual milliseconds for display: "1.250 s".
QString timeText(qint64 ms);

/// Returns the spread of a burst: "8 fired within 107 µs", or "8 fired at the same virtual moment".
QString spreadText(int requests, std::optional<double> microseconds);

/// Returns a camel-case name for display: "Before end event" for "beforeEndEvent".
QString displayName(const QString &id);
/// Returns a switch's value for display: "On" or "Off" if it is boolean.
QString switchValueText(const Switch &row, const QString &value);

/// Returns cells as a tab-separated row; tabs and line ends inside cells become blanks.
QString rowText(const QStringList &cells);

} // namespace instar
