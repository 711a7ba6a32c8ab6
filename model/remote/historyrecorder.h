// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/treegroups.h"
#include "model/remote/testimony.h"

#include <limits>

namespace instar {

/// What exchanges with a server mean, as a history: what was asked, and what was seen of resources
/// and operations, understood through the pack's wire rows. Exchanges may come in any order.
///
/// Only trees are kept of which something was known before anybody changed them, or that a 201 says
/// were new, or one that they are connected with, and of the others neither. An answer that is
/// no refusal of the pack's own leaves open whether the request has happened.
class HistoryRecorder
{
public:
    /// The rules must outlive it. `file` is what messages call the exchanges.
    HistoryRecorder(const Rules &rules, QString file);

    /// `line`: where it stands in the file.
    void add(const Exchange &exchange, int line);
    History history() const;
    const Rules &rules() const { return m_rules; }
    /// Trees that are left out, since nobody knows what they or those were before.
    QStringList leftOut() const;

private:
    void addRequest(const Testimony &told, int line);
    struct Placed;
    /// What tells how a resource was before anybody changed it.
    enum class Evidence {
        Before,      ///< answers that were there before
        Overlapping, ///< questions that were sent before, too: they may have come first
    };
    QHash<int, double> begun() const;
    QList<const Placed *> seenBefore(
        const QList<Placed> &all, double changed, Evidence evidence) const;
    QSet<QString> unknown(Evidence evidence) const;
    QSet<QString> withConnected(const QSet<QString> &trees) const;
    bool isFirst(const RecordedRequest &maker) const;

    struct Placed
    {
        Sighting sighting;
        double from = 0, to = 0;  ///< ms on the history's clock
        qsizetype place = 0;      ///< among all
        bool isOfRequest = false; ///< in the answer to a request
    };

    const Rules &m_rules;
    TestimonyReader m_reader;
    mutable TreeGroups m_treeGroups; ///< of all that was asked and seen
    QString m_file;
    QList<RecordedRequest> m_requests;
    QList<Observation> m_observations;
    QList<qsizetype> m_makers;              ///< requests whose answer says that the target was new
    QHash<QString, int> m_names;            ///< request -> how many have that name
    QHash<QString, QString> m_operations;   ///< an operation at the server -> the request's id
    QHash<QString, QList<Placed>> m_sights; ///< path -> what was seen of it
    qint64 m_snapshots = 0;
    qsizetype m_places = 0;
    QSet<QString>
        m_unnamed;         ///< top-level collections in which something was made, nobody knows what
    QSet<QString> m_vague; ///< trees in which nobody said how everything is called
    static constexpr double Never = std::numeric_limits<double>::infinity();
    struct Read
    {
        double from = Never, to = Never; ///< ms: the first that was sent, and the first answer
    };
    QHash<QString, Read> m_collections;                ///< collection -> when it was read whole
    QList<std::pair<QString, Observation>> m_statuses; ///< operation at the server -> how it stood
};

} // namespace instar
