// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/engine/treegroups.h"
#include "model/remote/exchangeinterpreter.h"

#include <limits>

namespace instar {

/// History of recorded exchanges, interpreted under the rules of a pack.
struct RecordedHistory
{
    History history;
    /// Sorted trees that the history lacks: their or a connected tree's initial state is unknown.
    QStringList leftOut;
};

/// Builder of a history from exchanges with a server: interprets them through the pack's wire rows
/// as requests, and as observations of resources and operations. Exchanges may come in any order.
///
/// A tree gets into the history if its state before the first change is known or guessed, or if a
/// 201 reports it as new. If references connect trees, either all of them get in or none. A request
/// that was answered with an error other than the pack's refusals may or may not have taken effect.
class HistoryRecorder
{
public:
    /// The rules must outlive the recorder. `file` names the exchanges' source in messages.
    HistoryRecorder(const Rules &rules, QString file);

    void add(const Exchange &exchange, int line);
    RecordedHistory recorded() const; ///< the history of the exchanges so far
    const Rules &rules() const { return m_rules; }

private:
    void addRequest(const InterpretedExchange &exchange, int line);
    struct ReceivedObservation;
    /// Observations that count as evidence for a resource's state before its first change.
    enum class Evidence {
        Before,      ///< only answers received before the change
        Overlapping, ///< also reads that were sent before the change and answered after it
    };
    QHash<int, double> firstRequestTimes() const;
    QList<const ReceivedObservation *> observedBefore(
        const QList<ReceivedObservation> &all, double changed, Evidence evidence) const;
    QSet<QString> unknown(Evidence evidence) const;
    QSet<QString> withConnected(const QSet<QString> &trees) const;
    bool isFirstInTree(const RecordedRequest &creation) const;

    /// Observation of a resource, or of its absence, in the order of arrival.
    struct ReceivedObservation
    {
        InterpretedExchange::ObservedResource resource;
        qsizetype order = 0;
        bool isOfRequest = false; ///< from the answer to an operation's request
        double from() const { return resource.observation.from; } ///< ms on the history's clock
        double to() const { return resource.observation.to; }
    };

    const Rules &m_rules;
    ExchangeInterpreter m_interpreter;
    mutable TreeGroups m_treeGroups; ///< of all requested and observed trees
    QString m_file;
    QList<RecordedRequest> m_requests;
    QList<Observation> m_observations;
    QList<qsizetype> m_creations; ///< indices of requests whose answers report their targets as new
    QHash<QString, int> m_idUses; ///< request id -> times used
    QHash<QString, QString> m_operations; ///< the server's operation id -> the request's id
    QHash<QString, QList<ReceivedObservation>> m_received; ///< path -> its observations
    qint64 m_snapshots = 0;
    qsizetype m_arrivals = 0; ///< number of observations so far
    /// Top-level collections in which a request created a resource whose name is unknown.
    QSet<QString> m_unnamed;
    /// Trees with a request that left the names of new descendants to the server.
    QSet<QString> m_namedByServer;
    static constexpr double Never = std::numeric_limits<double>::infinity();
    /// Time (ms) of a tree's first change if there is none: after all events, but before Never.
    static constexpr double Unchanged = 1e300;
    struct Read
    {
        double from = Never, to = Never; ///< ms: when the earliest read was sent, and answered
    };
    QHash<QString, Read> m_collections; ///< collection -> when all of it was read
    QList<Observation> m_statuses;      ///< of operations, with the server's ids
};

struct RecordedExchange
{
    Exchange exchange;
    int line = 0;
};

/// Content of a recording file: HTTP exchanges with a server, or a history.
struct Recording
{
    QString name; ///< of the file, or a description in messages
    QList<RecordedExchange> exchanges;
    std::optional<History> plain; ///< set if the file is a history
};

/// Reads a history, or exchanges (a JSON object per line). Errors name file, line and remedy.
Result<Recording> readRecording(const QByteArray &bytes, const QString &name, const Pack &pack);

RecordedHistory historyOf(const Recording &recording, const Rules &rules);

} // namespace instar
