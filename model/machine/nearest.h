// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace instar {

/// The candidate that `name` is most likely a slip of; empty where none is near.
QString nearest(const QString &name, const QStringList &candidates);

/// "; did you mean "x"?" or nothing.
QString suggestion(const QString &name, const QStringList &candidates);

} // namespace instar
