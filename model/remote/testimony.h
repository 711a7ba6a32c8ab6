// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/remote/messages.h"

namespace instar {

/// What one exchange with a server tells: what a client asked for, and what was seen. It was so at
/// some moment between `from` and `to` (ms on the reader's clock).
struct Testimony
{
    double from = 0, to = 0;
    QString question;                     ///< "GET /v1/a/b"
    std::optional<RecordedRequest> asked; ///< without an answer as long as there is none
    QStringList standsFor;  ///< what the server calls the operation that was asked for
    bool isNew = false;     ///< the answer to `asked` says that its target was not there before
    QList<Sighting> sights; ///< of resources, each for itself; parents first
    QString collection; ///< of top-level resources, lower case where case is ignored: `sights` are
                        ///< all that it holds; empty: none
    QString below;      ///< the same of a collection below a resource
    QString unnamed;    ///< top-level collection below which something was made, nobody knows what
    QString vague;      ///< tree in which nobody said how everything that was asked for is called
    QString operation;  ///< of which the server says how it stands, as it calls it
    std::optional<Status> status;
};

/// Understands exchanges through a pack's wire rows. Rules must outlive it.
class TestimonyReader
{
public:
    explicit TestimonyReader(const Rules &rules);

    /// Nothing: it tells nothing, or has no time.
    std::optional<Testimony> testimony(const Exchange &exchange);
    Observation observation(const Sighting &sighting) const;
    /// Whether its resources were all so at one moment.
    bool isSnapshot(const Testimony &told) const;
    /// A resource as it was seen. Its state is empty where that is none in which it rests.
    ResourceSpec specOf(const ResourceMessage &message) const;
    /// Whether an operation may be at work on it, by what it shows.
    bool mayBeAtWork(const ResourceMessage &message) const;
    /// The collections below a resource that its document does not hold; see
    /// Messages::collectionsApart(). As in Testimony::below.
    QStringList collectionsApart(const ResourceMessage &message) const;
    /// The path, in lower case if the pack ignores case.
    QString folded(const QString &path) const;
    /// The top-level resource above, lower case where case is ignored.
    QString treeOf(const QString &path) const;
    /// ms on its clock, which begins with the first exchange.
    double timeOf(const QDateTime &moment) const;

private:
    std::pair<double, double> between(const AnswerInterval &when) const;
    bool mayEndAsAnother(const Request &request) const;
    bool canMake(const Request &request) const;
    void tellRequest(const Exchange &exchange, const Asked &asked, Testimony &out) const;
    QString madeIn(const Exchange &exchange, const QString &collection) const;
    std::optional<Request> requestOf(const Exchange &exchange, Asked asked, Testimony &out) const;
    void tellAnswer(const Exchange &exchange, const Asked &asked, Testimony &out) const;
    void tellCollection(const Exchange &exchange, const Asked &asked, Testimony &out) const;
    void add(const ResourceMessage &message, const Exchange &exchange, Testimony &out) const;
    QStringList operationsIn(const Exchange &exchange) const;

    const Rules &m_rules;
    Messages m_messages;
    QSet<QString> m_codes; ///< that mean that the pack's rules have refused
    QDateTime m_zero;
};

} // namespace instar
