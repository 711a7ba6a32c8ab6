// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/treegroups.h"
#include "model/json/har.h"
#include "model/remote/exchangeinterpreter.h"

#include <limits>

namespace instar {

/// Builds a history from exchanges with a server: requests and observations of resources and
/// operations, interpreted through the pack's wire rows. Exchanges may come in any order.
///
/// Keeps only trees whose state before the first change is known or guessed, or that a 201 reports
/// as new, if that holds for all connected trees. After an error that is not one of the pack's
/// own refusals the request may or may not have taken effect.
class HistoryRecorder
{
public:
    /// The rules must outlive it. `file` names the source of the exchanges in messages.
    HistoryRecorder(const Rules &rules, QString file);

    /// `line`: the exchange's line in the file.
    void add(const Exchange &exchange, int line);
    History history() const;
    const Rules &rules() const { return m_rules; }
    /// Trees left out of the history: their initial state, or that of a connected tree, is unknown.
    QStringList leftOut() const;

private:
    void addRequest(const InterpretedExchange &told, int line);
    struct Placed;
    /// Evidence for a resource's state before its first change.
    enum class Evidence {
        Before,      ///< answers received before the change
        Overlapping, ///< also reads sent before the change and answered after it
    };
    QHash<int, double> begun() const;
    QList<const Placed *> seenBefore(
        const QList<Placed> &all, double changed, Evidence evidence) const;
    QSet<QString> unknown(Evidence evidence) const;
    QSet<QString> withConnected(const QSet<QString> &trees) const;
    bool isFirst(const RecordedRequest &maker) const;

    struct Placed
    {
        InterpretedExchange::Seen seen;
        qsizetype place = 0;      ///< in the order of arrival
        bool isOfRequest = false; ///< from the answer to an operation's request
        double from() const { return seen.observation.from; } ///< ms on the history's clock
        double to() const { return seen.observation.to; }
    };

    const Rules &m_rules;
    ExchangeInterpreter m_reader;
    mutable TreeGroups m_treeGroups; ///< of all requested and observed trees
    QString m_file;
    QList<RecordedRequest> m_requests;
    QList<Observation> m_observations;
    QList<qsizetype> m_makers;   ///< indexes of requests whose answer reports the target as new
    QHash<QString, int> m_names; ///< request id -> times used
    QHash<QString, QString> m_operations; ///< the server's operation id -> the request's id
    QHash<QString, QList<Placed>> m_seen; ///< path -> its observations
    qint64 m_snapshots = 0;
    qsizetype m_places = 0;  ///< observations so far: the next Placed::place
    QSet<QString> m_unnamed; ///< top-level collections in which something of unknown name was made
    QSet<QString> m_vague;   ///< trees with a request whose body left names to the server
    static constexpr double Never = std::numeric_limits<double>::infinity();
    struct Read
    {
        double from = Never, to = Never; ///< ms: earliest sending and earliest answer
    };
    QHash<QString, Read> m_collections; ///< collection -> its whole reads
    QList<Observation> m_statuses;      ///< of operations, by the server's ids
};

/// Recording of a server: exchanges over HTTP, or a history in plain form.
struct Recording
{
    QString name; ///< of the file, or a description in messages
    QList<HarEntry> exchanges;
    std::optional<History> plain;
};

/// Reads a history, lines of exchanges or an HTTP archive. Errors name file, line and remedy.
Result<Recording> readRecording(const QByteArray &bytes, const QString &name, const Pack &pack);

/// History of a recording under certain rules.
struct RecordedHistory
{
    History history;
    QStringList leftOut; ///< trees whose initial state is unknown
};
RecordedHistory historyOf(const Recording &recording, const Rules &rules);

} // namespace instar
