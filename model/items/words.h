// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <functional>
#include <optional>

namespace instar {

struct Switch;

/// Virtual milliseconds for display: "1.250 s".
QString timeText(qint64 ms);

/// Spread of a burst: "8 fired within 107 µs"; without one, that it was one virtual moment.
QString spreadText(int requests, std::optional<double> microseconds);

/// A camel-case name of a pack for display: "Before end event" for "beforeEndEvent".
QString spelledOut(const QString &id);
/// A switch's value for display: "On" or "Off" if it is boolean.
QString switchValueText(const Switch &row, const QString &value);

/// A row for spreadsheets, as on the clipboard: tab-separated; tabs and line ends within a cell
/// become blanks.
QString rowText(const QStringList &cells);

/// Returns the beginning of a text that fits at a place, elided.
using Elide = std::function<QString(qsizetype place, const QString &text)>;
/// Elides texts distinctly: where the elided texts at some places are equal, a text begins, behind
/// "… ", with the part that differs.
void elideDistinctly(const QStringList &texts, const QList<qsizetype> &places, const Elide &elide,
    QStringList *elided);

} // namespace instar
