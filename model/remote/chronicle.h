// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/engine/history.h"
#include "model/remote/messages.h"

namespace instar {

/// What exchanges with a server mean, as a history: what was asked, and what was seen of resources
/// and operations, understood through the pack's wire rows. Exchanges may come in any order.
///
/// Only trees are kept of which something was known before anybody changed them. An answer that is
/// no refusal of the pack's own leaves open whether the request has happened.
class Chronicle
{
public:
    /// The rules must outlive it. `file` is what messages call the exchanges.
    Chronicle(const Rules &rules, QString file);

    /// `line`: where it stands in the file.
    void add(const Exchange &exchange, int line);
    History history() const;
    const Rules &rules() const { return m_rules; }
    /// Trees that are left out, since nobody knows what they were before.
    QStringList leftOut() const;

private:
    struct Span
    {
        QDateTime sent;
        double from = 0, to = 0; ///< ms from the first exchange added
        int line = 0;
    };
    void addRequest(const Exchange &exchange, const Asked &asked, const Span &span);
    std::optional<Request> requestOf(const Exchange &exchange, Asked asked, const Span &span);
    void addAnswer(const Exchange &exchange, const Asked &asked, const Span &span);
    void addResource(const ResourceMessage &message, const Span &span);
    void addStatus(const Exchange &exchange, const Asked &asked, const Span &span);
    QString treeOf(const QString &path) const;
    QHash<QString, double> begun() const;
    ResourceSpec specOf(const ResourceMessage &message) const;

    struct Sight
    {
        double from = 0, to = 0;
        std::optional<ResourceMessage> message; ///< nothing: it was not there
    };

    const Rules &m_rules;
    Messages m_messages;
    QString m_file;
    QSet<QString> m_codes;   ///< that the pack's rules refuse with
    QSet<QString> m_vague; ///< trees in which nobody said how everything is called
    QDateTime m_zero;
    QList<AskedThen> m_requests;
    QList<Observation> m_observations;
    QHash<QString, int> m_names;           ///< request -> how many have that name
    QHash<QString, QString> m_operations;  ///< an operation at the server -> the request's id
    QHash<QString, QList<Sight>> m_sights; ///< path -> what was seen of it
    QSet<QString>
        m_unnamed; ///< top-level collections in which something was made, nobody knows what
    QHash<QString, double> m_collections; ///< top-level collection -> when it was read first, whole
    QList<std::pair<QString, Observation>> m_statuses; ///< operation at the server -> how it stood
};

} // namespace instar
