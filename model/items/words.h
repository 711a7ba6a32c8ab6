// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <optional>

class QAbstractItemModel;

namespace instar {

struct Switch;

/// Virtual milliseconds as a person reads them: "1.250 s".
QString timeText(qint64 ms);

/// How closely requests were released: "8 fired within 107 µs"; without a spread they were at one
/// virtual moment.
QString spreadText(int requests, std::optional<double> microseconds);

/// A name of a pack's that is written in one, as a person reads it: "Before end event" of
/// "beforeEndEvent".
QString spelledOut(const QString &id);
/// One of a switch's values: "on" and "off" of what is true or false.
QString switchValueText(const Switch &row, const QString &value);

/// A row as spreadsheets take it from the clipboard: tab-separated, tabs and ends of lines within a
/// cell become blanks.
QString rowText(const QStringList &cells);
/// The names of a model's columns.
QStringList columnNames(const QAbstractItemModel &model);

} // namespace instar
