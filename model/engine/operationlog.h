// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/engine/world.h"
#include "model/pack/persistentlist.h"

#include <QHash>

#include <array>

namespace instar {

/// Returns the status of an operation after a change; nothing if it stays the same.
std::optional<Status> statusAfter(const Rules &rules, const Change &change);

/// Log of every submitted operation with its current state, updated with each event. Copies
/// are cheap, even when one of them is changed.
class OperationLog
{
public:
    void apply(const Rules &rules, const Record &record, const World &after);

    const PersistentList<Operation> &all() const { return m_all; } ///< in order of submission
    /// Returns null if there is none.
    const Operation *find(quint32 serial) const;
    const Operation *find(const QString &id) const { return find(m_byId[bucketOf(id)].value(id)); }
    QString idOf(quint32 serial) const; ///< empty for 0
    /// Sets an operation's name and the path of its target.
    void rename(quint32 serial, const QString &op, const QString &path);
    /// Returns an id for the next operation ("op1", "op2" ...) that no forgotten operation had.
    QString nextId() const;
    /// Forgets ended operations, the earliest end first, until at most `most` operations are left.
    void keep(qsizetype most);
    qsizetype forgotten() const { return m_forgotten; } ///< number of operations dropped
    bool operator==(const OperationLog &) const = default;

private:
    static constexpr size_t Buckets = 64; ///< of ids; a changed copy detaches only a few buckets

    qsizetype indexOf(quint32 serial) const; ///< -1: there is none
    Operation *change(quint32 serial);
    void updateReplays(quint32 serial); ///< copies an operation's state to its idempotent retries

    PersistentList<Operation> m_all;
    std::array<QHash<QString, quint32>, Buckets> m_byId;
    /// Returns the bucket for an id.
    QHash<QString, quint32> &named(const QString &id) { return m_byId[bucketOf(id)]; }
    static size_t bucketOf(const QString &id) { return qHash(id) % Buckets; }
    QHash<quint32, QList<quint32>> m_replays; ///< serial -> serials of its replays
    qsizetype m_forgotten = 0;
};

} // namespace instar
