// SPDX-License-Identifier: Apache-2.0
#include "model/engine/goalsearch.h"

#include "model/engine/script.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qint64 MostWorlds = 200'000; ///< for one answer

/// Clients that may ask for anything at any time.
class Anybody : public Players
{
public:
    Anybody(const Rules &rules, const World &start, const QList<Request> &named, const Scope &scope)
        : m_rules(rules), m_scope(scope)
    {
        for (const QString &name : rules.pack().operationNames()) {
            if (rules.trigger(name) != Rules::None)
                m_ops += name;
        }
        for (const Request &request : named)
            name(start,
                { .path = request.path,
                    .properties = request.properties,
                    .references = request.references });
        for (const Resource resource : start.tree.resources()) {
            if (scope.has(start, resource))
                name(start,
                    { .path = start.tree.path(resource),
                        .properties = start.properties.value(resource),
                        .references = start.references.value(resource) });
        }
    }

    QList<Event> moves(const SearchState &situation) const override
    {
        QList<Event> events;
        const World &world = situation.world;
        for (const auto &running : world.running) {
            if (m_scope.has(running->path))
                events += endsOf(m_rules, world, *running, true);
        }
        events += firingsOf(m_rules, world, m_scope);
        for (const Resource resource : world.tree.resources()) {
            if (!m_scope.has(world, resource))
                continue;
            const Rules::StateId state = m_rules.stateOf(world.tree.code(resource));
            for (const QString &op : m_ops) {
                if (!m_rules.candidates(state, m_rules.trigger(op)).empty())
                    events += asking(op, world.tree.path(resource), {});
            }
        }
        for (const Request &absent : m_named) {
            if (world.tree.find(absent.path) != NoResource)
                continue;
            for (const QString &op : m_ops)
                events += asking(op, absent.path, absent);
        }
        return events;
    }

    std::optional<QByteArray> memoryAfter(
        const SearchState &, const Event &event, const Record &record, const World &) const override
    {
        const bool asks = event.kind == Event::Kind::Submit || event.kind == Event::Kind::Fire;
        if (asks
            && (record.changes.empty() || record.changes.front().kind == Change::Kind::Rejected
                || record.changes.front().kind == Change::Kind::Queued
                || (record.changes.front().kind == Change::Kind::Observed
                    && record.changes.front().transition == Rules::None)))
            return {};
        return QByteArray();
    }

private:
    void name(const World &world, Request request)
    {
        const QString key = pathKey(world, request.path);
        if (m_names.contains(key))
            return;
        m_names.insert(key);
        m_named.append(std::move(request));
    }

    Event asking(const QString &op, const QString &path, const Request &like) const
    {
        auto request = QSharedPointer<Request>::create(like);
        request->op = op;
        request->path = path;
        request->id = u"%1 %2"_s.arg(op, path);
        return { .kind = Event::Kind::Submit, .request = request };
    }

    const Rules &m_rules;
    const Scope &m_scope;
    QStringList m_ops;
    QList<Request> m_named;
    QSet<QString> m_names; ///< keys of their paths
};

} // namespace

GoalSearch::GoalSearch(const Rules &rules, const World &start, const QList<Request> &named,
    const Budget &budget, Scope scope)
    : m_rules(rules),
      m_start(start),
      m_named(named),
      m_scope(std::move(scope)),
      m_writer(rules, WorldKeyWriter::Names::Numbered),
      m_budget(budget),
      m_hasGoals(std::ranges::any_of(
          rules.pack().types, [](const Type &type) { return !type.goal.isEmpty(); }))
{ }

GoalSearch::~GoalSearch() = default;

const Players &GoalSearch::players()
{
    if (!m_players)
        m_players = std::make_unique<Anybody>(m_rules, m_start, m_named, m_scope);
    return *m_players;
}

bool GoalSearch::isMet(const World &world, const QString &path) const
{
    const Resource resource = world.tree.find(path);
    if (resource == NoResource) {
        QStringList types = path.split(u'/', Qt::SkipEmptyParts);
        for (qsizetype i = types.size() - 1; i > 0; i -= 2)
            types.removeAt(i);
        const Type *type = m_rules.typeRow(types.join(u'/'));
        const int machine = m_rules.machineForType(types.join(u'/'));
        return !type || type->goal.isEmpty() || machine == Rules::None
            || m_rules.state(m_rules.machines()[size_t(machine)].initial).id == type->goal;
    }
    return isMet(world, resource);
}

bool GoalSearch::isMet(const World &world, Resource resource) const
{
    const Rules::StateRule &state = m_rules.state(m_rules.stateOf(world.tree.code(resource)));
    const Type *type =
        m_hasGoals ? m_rules.typeRow(world.tree.typePath(world.tree.type(resource))) : nullptr;
    return type && !type->goal.isEmpty() ? state.id == type->goal : state.isStable();
}

QStringList GoalSearch::unmet(const World &world) const
{
    const QList<qint64> &counts = world.tree.counts();
    bool allRest = true;
    for (qsizetype code = 0; code < counts.size(); ++code)
        allRest =
            allRest && (!counts[code] || m_rules.state(m_rules.stateOf(Code(code))).isStable());
    QStringList paths;
    if (allRest && !m_hasGoals)
        return paths;
    for (const Resource resource : world.tree.resources()) {
        if (!isMet(world, resource) && m_scope.has(world, resource))
            paths += world.tree.path(resource);
    }
    return paths;
}

QStringList GoalSearch::stuck(const World &world)
{
    QStringList left = unmet(world);
    if (left.isEmpty())
        return left;
    QByteArray key;
    m_writer.write(world, key);
    const auto known = m_known.constFind(key);
    if (known != m_known.constEnd())
        return *known;

    Search search(m_rules, players(), m_writer);
    Budget budget = m_budget;
    budget.states = std::min(budget.states, MostWorlds);
    if (m_budget.goesOn)
        budget.goesOn = [this](qint64) { return m_budget.goesOn(0); }; // no worlds of the search
    const bool all = search.run({ world, {} }, budget,
        [&](quint32, const SearchState &situation, const std::vector<Way> &) {
            left.removeIf([&](const QString &path) { return isMet(situation.world, path); });
            return !left.isEmpty();
        });
    m_budget.states = std::max<qint64>(m_budget.states - search.size(), 0);
    if (!all && !left.isEmpty()) {
        m_stoppedBy = search.stoppedBy();
        left.clear();
    }
    m_known.insert(key, left);
    return left;
}

} // namespace instar
