// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>

namespace instar {

/// Returns the candidate nearest to a misspelled name (by Damerau-Levenshtein distance); if none is
/// near, the first one that begins similarly; else an empty text.
QString nearest(const QString &name, const QStringList &candidates);

/// Returns the first of `base`, "base-2", "base-3" ... (with "-" as `separator`) not in `taken`.
QString freshName(const QString &base, const auto &taken, const char *separator = "-")
{
    QString name = base;
    for (int number = 2; taken.contains(name); ++number)
        name = base + QLatin1StringView(separator) + QString::number(number);
    return name;
}

/// Returns the names of a set, sorted: the order of a QSet differs from process to process.
QStringList sortedNames(const QSet<QString> &names);

/// Returns "; did you mean "x"?" for the nearest candidate, or an empty text.
QString suggestion(const QString &name, const QStringList &candidates);

/// Returns "there is no KIND "x"; did you mean "y"? (y, z ...)" with the first 20 candidates.
QString noSuch(const QString &kind, const QString &name, const QStringList &candidates);

} // namespace instar
