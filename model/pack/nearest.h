// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>

namespace instar {

/// Returns the candidate nearest to a misspelled name (by Damerau-Levenshtein distance), else one
/// that begins similarly; empty: none is near.
QString nearest(const QString &name, const QStringList &candidates);

/// Returns the wish, or the first of "wish-2", "wish-3" ... that is not among `taken`, a list or
/// set; `between` separates the number.
QString freshName(const QString &wish, const auto &taken, const char *between = "-")
{
    QString name = wish;
    for (int number = 2; taken.contains(name); ++number)
        name = wish + QLatin1StringView(between) + QString::number(number);
    return name;
}

/// Returns the names of a set, sorted: iteration order of QSet differs from process to process.
QStringList inOrder(const QSet<QString> &names);

/// Returns "; did you mean "x"?" for the nearest candidate, or an empty text.
QString suggestion(const QString &name, const QStringList &candidates);

/// Returns "there is no WHAT "x"; did you mean "y"? (y, z ...)" with the first 20 candidates.
QString noSuch(const QString &what, const QString &name, const QStringList &candidates);

} // namespace instar
