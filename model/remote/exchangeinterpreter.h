// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/remote/wirerules.h"

namespace instar {

/// Interpreted exchange with a server: the request and the observations that it shows, which hold
/// at some moment between `from` and `to` (ms on the interpreter's clock).
struct InterpretedExchange
{
    double from = 0, to = 0;
    QString requestLine;                    ///< "GET /v1/a/b"
    std::optional<RecordedRequest> request; ///< its answer is Lost until the server answers
    QStringList serverOperations;           ///< the server's ids of the request's operation
    bool isNew = false;                     ///< the answer to `request` reports its target as new
    struct ObservedResource
    {
        Observation observation;
        std::optional<ResourceMessage> message; ///< without children; nothing: no such resource
    };
    QList<ObservedResource> resources; ///< parents first
    bool isSnapshot = false;           ///< all `resources` were observed at the same moment
    QString collection;    ///< top-level collection whose complete membership is `resources`,
                           ///< lower case if case is ignored; empty: none
    QString below;         ///< collection of children whose complete membership is `resources`,
                           ///< lower case if case is ignored; empty: none
    QString unnamed;       ///< top-level collection with a new resource of unknown name
    QString namedByServer; ///< tree in which the server chooses names of descendants
    std::optional<Observation> status; ///< of an operation, by the server's id
};

/// Interpreter of exchanges, through a pack's wire rows. The rules must outlive it.
class ExchangeInterpreter
{
public:
    explicit ExchangeInterpreter(const Rules &rules);

    /// Returns nothing if the exchange has no time, or no row of the pack matches it.
    std::optional<InterpretedExchange> interpreted(const Exchange &exchange);
    /// Converts an observed resource; the state stays empty if the resource is not at rest.
    ResourceSpec specOf(const ResourceMessage &message) const;
    /// Returns true if an operation may be running on a resource, judging by its status word.
    bool mayBeAtWork(const ResourceMessage &message) const;
    /// Returns the collections below a resource that its JSON document does not contain, in the
    /// form of InterpretedExchange::below.
    QStringList separateCollections(const ResourceMessage &message) const;
    /// Returns the path of the top-level resource, in lower case if case is ignored.
    QString treeOf(const QString &path) const;
    /// Returns a moment in ms since the first exchange was sent.
    double timeOf(const QDateTime &moment) const;
    const QDateTime &start() const { return m_start; } ///< time 0 of the interpreter's clock

private:
    bool canMake(const Request &request) const;
    void addRequest(
        const Exchange &exchange, const MatchedRequest &matched, InterpretedExchange &out) const;
    QString madeIn(const Exchange &exchange, const QString &collection) const;
    std::optional<Request> requestOf(
        const Exchange &exchange, MatchedRequest matched, InterpretedExchange &out) const;
    void addAnswer(
        const Exchange &exchange, const MatchedRequest &matched, InterpretedExchange &out) const;
    void addCollection(
        const Exchange &exchange, const MatchedRequest &matched, InterpretedExchange &out) const;
    void add(const ResourceMessage &message, InterpretedExchange &out) const;
    QStringList operationsIn(const Exchange &exchange) const;

    const Rules &m_rules;
    WireRules m_wire;
    QSet<QString> m_codes; ///< error codes of refusals by the pack's rules
    QDateTime m_start;
};

} // namespace instar
