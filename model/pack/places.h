// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

#include <QHash>

namespace instar {

/// PlaceWords.
const QStringList &placeWords();
/// Of a word of PlaceWords: 1, 2, 4 ...; 0: it is none.
quint32 placeBit(QStringView place);

/// Which types' resources take which operations, and where they can stand to each other.
class Places
{
public:
    explicit Places(const Pack &pack);
    /// Whether an operation can come where another one runs at a place, seen from the new one's
    /// target.
    bool canMeet(const QString &on, const QString &running, const QString &at) const;
    /// Every place at which it can, as bits by PlaceWords.
    quint32 meeting(const QString &on, const QString &running) const;

private:
    quint32 seen(int ours, int theirs) const;

    QList<QStringList> m_lists;                         ///< type paths, each list once
    QHash<QString, int> m_listOf;                       ///< operation -> the types that take it
    bool m_isOpen = false;                              ///< a type of any name is among them
    mutable QHash<std::pair<int, int>, quint32> m_seen; ///< of two lists: bits by place
};

} // namespace instar
