// SPDX-License-Identifier: Apache-2.0
#include "model/remote/chronicle.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

Chronicle::Chronicle(const Rules &rules, QString file)
    : m_rules(rules), m_reader(rules), m_file(std::move(file))
{ }

void Chronicle::add(const Exchange &exchange, int line)
{
    const std::optional<Testimony> told = m_reader.testimony(exchange);
    if (!told)
        return;
    for (const Testimony::Sight &sight : told->sights) {
        Observation seen = TestimonyReader::observation(*told, sight);
        seen.line = line;
        m_observations += seen;
        m_sights[sight.path] += Sight { told->from, told->to, sight.message };
    }
    if (told->asked)
        addRequest(*told, line);
    if (!told->unnamed.isEmpty())
        m_unnamed.insert(told->unnamed);
    if (!told->vague.isEmpty())
        m_vague.insert(told->vague);
    for (const QString &collection : { told->collection, told->below }) {
        if (!collection.isEmpty())
            m_collections.insert(
                collection, std::min(told->to, m_collections.value(collection, told->to)));
    }
    if (told->status)
        m_statuses.append({ told->operation,
            { .line = line,
                .from = told->from,
                .to = told->to,
                .word = statusName(*told->status) } });
}

void Chronicle::addRequest(const Testimony &told, int line)
{
    AskedThen asked = *told.asked;
    asked.line = line;
    QString &id = asked.request.id;
    if (const int before = m_names[id]++)
        id += u"#%1"_s.arg(before + 1);
    for (const QString &operation : told.standsFor)
        m_operations.insert(operation, id);
    m_requests += asked;
}

/// When each tree was first changed (ms).
QHash<QString, double> Chronicle::begun() const
{
    QHash<QString, double> begun;
    for (const AskedThen &asked : m_requests) {
        const QString tree = m_reader.treeOf(asked.request.path);
        begun.insert(tree, std::min(asked.sent, begun.value(tree, asked.sent)));
    }
    return begun;
}

History Chronicle::history() const
{
    History history { .file = m_file,
        .pack = m_rules.pack().id,
        .switches = m_rules.switches(),
        .resources = {},
        .headerLine = 0,
        .requests = {},
        .observations = {} };
    const QStringList left = leftOut();
    const QSet<QString> leftOut(left.begin(), left.end());
    const QHash<QString, double> begun = this->begun();
    for (auto it = m_sights.cbegin(); it != m_sights.cend(); ++it) {
        const QString tree = m_reader.treeOf(it.key());
        std::optional<Sight> first; // before anybody changed it; later the clock may have
        for (const Sight &sight : *it) {
            if (sight.to <= begun.value(tree, 1e300) && (!first || sight.to < first->to))
                first = sight;
        }
        if (first && first->message && !leftOut.contains(tree))
            history.resources += m_reader.specOf(*first->message);
    }
    std::ranges::sort(history.resources, {}, &ResourceSpec::path);
    for (const AskedThen &asked : m_requests) {
        if (!leftOut.contains(m_reader.treeOf(asked.request.path)))
            history.requests += asked;
    }
    for (const Observation &seen : m_observations) {
        if (!leftOut.contains(m_reader.treeOf(seen.path)))
            history.observations += seen;
    }
    QSet<QString> asked;
    for (const AskedThen &request : std::as_const(history.requests))
        asked.insert(request.request.id);
    for (auto [operation, stood] : m_statuses) {
        stood.operation = m_operations.value(operation);
        if (asked.contains(stood.operation))
            history.observations += stood;
    }
    return history;
}

QStringList Chronicle::leftOut() const
{
    const QHash<QString, double> begun = this->begun();
    QSet<QString> known, restless, unread; // trees, before anybody changed them
    for (auto it = m_sights.cbegin(); it != m_sights.cend(); ++it) {
        const QString tree = m_reader.treeOf(it.key());
        const double changed = begun.value(tree, 1e300);
        for (const Sight &sight : *it) {
            if (sight.to > changed)
                continue;
            known.insert(tree);
            if (!sight.message)
                continue;
            if (m_reader.specOf(*sight.message).state.isEmpty())
                restless.insert(tree);
            const QStringList apart = m_reader.collectionsApart(*sight.message);
            const auto isRead = [&](const QString &collection) {
                const auto read = m_collections.constFind(collection);
                return read != m_collections.cend() && *read <= changed;
            };
            if (!std::ranges::all_of(apart, isRead))
                unread.insert(tree);
        }
    }
    QStringList result;
    for (auto it = begun.cbegin(); it != begun.cend(); ++it) {
        const auto read = m_collections.constFind(it.key().section(u'/', 0, 1));
        const bool isKnown =
            known.contains(it.key()) || (read != m_collections.cend() && *read <= *it);
        if (m_vague.contains(it.key()) || !isKnown || restless.contains(it.key())
            || unread.contains(it.key()))
            result += it.key();
    }
    for (auto it = m_sights.cbegin(); it != m_sights.cend(); ++it) {
        const QString tree = m_reader.treeOf(it.key());
        const bool mayBeNew = m_unnamed.contains(tree.section(u'/', 0, 1));
        if (mayBeNew || (!begun.contains(tree) && restless.contains(tree)))
            result += tree;
    }
    result.removeDuplicates();
    result.sort();
    return result;
}

} // namespace instar
