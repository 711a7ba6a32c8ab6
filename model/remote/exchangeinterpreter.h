// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/remote/wirerules.h"

namespace instar {

/// Interpreted exchange with a server: the request and the observations that it shows, which hold
/// at some moment between `from` and `to` (ms on the reader's clock).
struct InterpretedExchange
{
    double from = 0, to = 0;
    QString question;                     ///< "GET /v1/a/b"
    std::optional<RecordedRequest> asked; ///< without an answer while there is none
    QStringList standsFor;                ///< the server's ids of the requested operation
    bool isNew = false;                   ///< the answer to `asked` reports its target as new
    struct Seen
    {
        Observation observation;
        std::optional<ResourceMessage> message; ///< without children; nothing: it is absent
    };
    QList<Seen> seen;        ///< one per resource; parents first
    bool isSnapshot = false; ///< they were all observed at the same moment
    QString collection;      ///< top-level collection that they show completely, lower case if case
                             ///< is ignored; empty: none
    QString below;           ///< the same for a collection below a resource
    QString unnamed;         ///< top-level collection in which something of unknown name was made
    QString vague;           ///< tree in which the request left names to the server
    std::optional<Observation> status; ///< of an operation, by the server's id
};

/// Interprets exchanges through a pack's wire rows. Rules must outlive it.
class ExchangeInterpreter
{
public:
    explicit ExchangeInterpreter(const Rules &rules);

    /// Returns nothing if the exchange is none of the pack's, or has no time.
    std::optional<InterpretedExchange> interpreted(const Exchange &exchange);
    /// An observed resource. Its state is empty if that is no stable one.
    ResourceSpec specOf(const ResourceMessage &message) const;
    /// Returns true if an operation may be running on a resource, judging by its word.
    bool mayBeAtWork(const ResourceMessage &message) const;
    /// Collections below a resource that its document does not contain, written as
    /// InterpretedExchange::below; see WireRules::collectionsApart().
    QStringList collectionsApart(const ResourceMessage &message) const;
    /// The top-level resource above, lower case if case is ignored.
    QString treeOf(const QString &path) const;
    /// ms on its clock, which starts with the first exchange.
    double timeOf(const QDateTime &moment) const;
    const QDateTime &zero() const { return m_zero; } ///< time 0 of its clock

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
    QSet<QString> m_codes; ///< by which the pack's rules refuse
    QDateTime m_zero;
};

} // namespace instar
