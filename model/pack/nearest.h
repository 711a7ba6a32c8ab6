// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>

namespace instar {

/// The candidate that `name`, or else its beginning, is most likely a slip of; empty where none is
/// near.
QString nearest(const QString &name, const QStringList &candidates);

/// The wish, or the first of "wish-2", "wish-3" ... that is not among `taken`, a list or set;
/// `between` stands before the number.
QString freshName(const QString &wish, const auto &taken, const char *between = "-")
{
    QString name = wish;
    for (int number = 2; taken.contains(name); ++number)
        name = wish + QLatin1StringView(between) + QString::number(number);
    return name;
}

/// The names of a set as they are told: its own order is another one in every process.
QStringList inOrder(const QSet<QString> &names);

/// "; did you mean "x"?" of the nearest, or nothing.
QString suggestion(const QString &name, const QStringList &candidates);

/// "there is no WHAT "x"; did you mean "y"? (y, z ...)": of the candidates the first 20.
QString noSuch(const QString &what, const QString &name, const QStringList &candidates);

} // namespace instar
