// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>

namespace instar {

/// The candidate that `name`, or else its beginning, is most likely a slip of; empty where none is
/// near.
QString nearest(const QString &name, const QStringList &candidates);

/// The names of a set as they are told: its own order is another one in every process.
QStringList inOrder(const QSet<QString> &names);

/// "; did you mean "x"?" of the nearest, or nothing.
QString suggestion(const QString &name, const QStringList &candidates);

/// "there is no WHAT "x"; did you mean "y"? (y, z ...)": of the candidates the first 20.
QString noSuch(const QString &what, const QString &name, const QStringList &candidates);

} // namespace instar
