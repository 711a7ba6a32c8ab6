// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/machine/persistentlist.h"

#include <QHash>

#include <array>

namespace instar {

/// How an operation stands after a change of it; nothing: as before.
std::optional<Status> statusAfter(const Rules &rules, const Change &change);

/// Every operation that was asked for, as it stands: what the records tell, added up. Copies cost
/// little, and little more when one of them goes on.
class OperationLog
{
public:
    void apply(const Rules &rules, const Record &record, const World &after);

    const PersistentList<Operation> &all() const { return m_all; } ///< in order of submission
    /// Null where there is none.
    const Operation *find(quint32 serial) const;
    const Operation *find(const QString &id) const;
    QString idOf(quint32 serial) const; ///< empty for 0
    /// An operation that goes on is called otherwise, or its target is.
    void rename(quint32 serial, const QString &op, const QString &path);
    /// For the next operation: "op1", "op2", ..., counting also those that are forgotten, so that
    /// nobody is called what another one was.
    QString nextId() const;
    /// Where there are more operations than so many, forgets those that are over for longest.
    void keep(qsizetype most);
    qsizetype forgotten() const { return m_forgotten; } ///< how many are kept no more
    /// About how much memory the operations take.
    qsizetype bytes() const { return m_bytes; }
    bool operator==(const OperationLog &) const = default;

private:
    static constexpr size_t Buckets = 64; ///< of names: a copy that goes on copies few of them

    qsizetype indexOf(quint32 serial) const; ///< -1: there is none
    Operation *change(quint32 serial);
    void follow(quint32 serial); ///< repeats an operation's state in those that replay it

    PersistentList<Operation> m_all;
    std::array<QHash<QString, quint32>, Buckets> m_byId;
    QHash<QString, quint32> &named(const QString &id) { return m_byId[bucketOf(id)]; }
    static size_t bucketOf(const QString &id) { return qHash(id) % Buckets; }
    QHash<quint32, QList<quint32>> m_replays;
    qsizetype m_bytes = 0;
    qsizetype m_forgotten = 0;
};

} // namespace instar
