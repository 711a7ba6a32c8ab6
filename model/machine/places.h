// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

#include <QHash>

namespace instar {

/// Which types' resources take which operations, and where they can stand to each other.
class Places
{
public:
    explicit Places(const Pack &pack);
    /// Whether an operation can come where another one runs at a place, seen from the new one's
    /// target.
    bool canMeet(const QString &on, const QString &running, const QString &at) const;

private:
    quint32 seen(int ours, int theirs) const;

    QList<QStringList> m_lists;                         ///< type paths, each list once
    QHash<QString, int> m_listOf;                       ///< operation -> the types that take it
    bool m_isOpen = false;                              ///< a type of any name is among them
    mutable QHash<std::pair<int, int>, quint32> m_seen; ///< of two lists: bits by place
};

} // namespace instar
