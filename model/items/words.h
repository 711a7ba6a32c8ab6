// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <optional>

namespace instar {

struct Switch;

/// Virtual milliseconds for display: "1.250 s".
QString timeText(qint64 ms);

/// Spread of a burst: "8 fired within 107 µs"; without one, says that it was one virtual moment.
QString spreadText(int requests, std::optional<double> microseconds);

/// A camel-case name of a pack for display: "Before end event" for "beforeEndEvent".
QString displayName(const QString &id);
/// A switch's value for display: "On" or "Off" if it is boolean.
QString switchValueText(const Switch &row, const QString &value);

/// A row for spreadsheets, as on the clipboard: tab-separated; tabs and line ends within a cell
/// become blanks.
QString rowText(const QStringList &cells);

} // namespace instar
