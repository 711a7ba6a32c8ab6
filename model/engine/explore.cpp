// SPDX-License-Identifier: Apache-2.0
#include "model/engine/explore.h"

#include "model/engine/goalsearch.h"
#include "model/engine/madenames.h"
#include "model/engine/unrested.h"

#include <QJsonArray>
#include <QSet>

#include <limits>

using namespace Qt::StringLiterals;

namespace instar {

Event scheduled(const World &before, Event event)
{
    const Running *running = before.find(event.operation);
    if (event.kind == Event::Kind::End && event.outcome == Rules::None && running)
        event.outcome = running->planned;
    return event;
}

namespace {

using Shown = QMap<QString, QString>; ///< path -> word

QByteArray flat(const Shown &map)
{
    QByteArray bytes;
    for (auto it = map.cbegin(); it != map.cend(); ++it)
        bytes += it.key().toUtf8() + '\n' + it.value().toUtf8() + '\n';
    return bytes;
}

/// One exploration on its way.
class Explorer
{
public:
    Explorer(const Scenario &scenario, const Stage &stage, const ExploreOptions &options)
        : m_rules(stage.rules),
          m_options(options),
          m_script(m_rules, scenario,
              bySteps() ? Script::Memory::Statuses : Script::Memory::Positions, stage.world,
              premises()),
          m_telling(m_rules, scenario, Script::Memory::Statuses, stage.world, premises()),
          m_writer(m_rules, WorldKeyWriter::Names::Numbered),
          m_search(m_rules, m_script, m_writer),
          m_start { stage.world, m_script.memoryBefore(stage.world) },
          m_budget(budgetOf(options)),
          m_goalSearch(m_rules, stage.world, requestsIn(scenario.steps), m_budget, options.scope)
    {
        m_script.mark(m_writer);
    }

    Exploration explored()
    {
        m_search.run(m_start, m_budget,
            [this](quint32 node, const SearchState &situation, const std::vector<Way> &ways) {
                visit(node, situation, ways);
                return true;
            });
        countOrders();
        judge();
        m_result.stoppedBy =
            m_search.stoppedBy() != Limit::None ? m_search.stoppedBy() : m_goalSearch.stoppedBy();
        m_result.complete = m_result.stoppedBy == Limit::None;
        m_result.worlds = m_search.size();
        m_result.finalTrees = m_trees.size();
        return std::move(m_result);
    }

private:
    Budget budgetOf(const ExploreOptions &options) const
    {
        Budget budget = options.budget;
        if (!options.goesOn)
            return budget;
        budget.goesOn = [this, own = budget.goesOn](qint64 worlds) {
            m_mostWorlds = std::max(m_mostWorlds, worlds);
            return (!own || own(worlds)) && m_options.goesOn(m_mostWorlds, m_result.endingCount);
        };
        return budget;
    }

    Premises premises() const { return { m_options.begun, m_options.timers, m_options.scope }; }

    bool bySteps() const { return m_options.by == ExploreOptions::By::Operations; }

    bool hasRoom(qint64 count) const { return m_options.limit < 0 || count < m_options.limit; }

    void visit(quint32 node, const SearchState &situation, const std::vector<Way> &ways)
    {
        for (const Way &way : ways) {
            for (const Change &change : way.record.changes) {
                if (change.kind == Change::Kind::Violated)
                    broken(node, situation.world, way, change);
            }
            m_isEnd.push_back(
                way.event.kind != Event::Kind::Submit && way.event.kind != Event::Kind::Fire);
        }
        m_unrested.add(m_goalSearch.unmet(situation.world));
        if (!ways.empty())
            return;
        const Shown tree = shownWords(m_rules, situation.world);
        QByteArray key = flat(tree);
        m_trees.insert(key);
        if (bySteps())
            key += flat(m_script.statuses(situation));
        const auto known = m_endings.constFind(key);
        const qint64 number = known == m_endings.cend() ? m_result.endingCount : *known;
        m_ends.emplace_back(node, number);
        if (known != m_endings.cend())
            return;
        m_endings.insert(key, number);
        if (!hasRoom(m_result.endingCount++))
            return;
        m_result.endings.append(told(node, tree));
        m_result.endings.last().waits = waitingFor(situation);
    }

    /// Where the clock would do something, if it did not stand.
    QStringList waitingFor(const SearchState &situation) const
    {
        const World &world = situation.world;
        QStringList paths;
        for (const Event &event : m_script.heldBack(situation)) {
            if (waysOn(m_rules, m_script, situation, event).empty())
                continue; // whenever it came, it would be refused
            const Running *running = world.find(event.operation);
            paths += running ? running->path : world.tree.path(event.resource);
        }
        paths.removeDuplicates();
        return paths;
    }

    /// In how many worlds, and after how many orders of events, it ends so. An order that can go
    /// round, through the same world again, is one of endlessly many.
    void countOrders()
    {
        const auto &links = m_search.links();
        std::vector<quint32> before(m_search.size(), 0), first(m_search.size() + 1, 0);
        for (const auto &[from, to] : links) {
            ++before[to];
            ++first[from + 1];
        }
        for (size_t node = 1; node < first.size(); ++node)
            first[node] += first[node - 1]; // a node's links follow one another, as nodes do
        std::vector<double> orders(m_search.size(), 0);
        std::vector<quint32> open;
        if (before[0] == 0)
            open.push_back(0);
        orders[0] = 1;
        std::vector<bool> isDone(m_search.size());
        while (!open.empty()) {
            const quint32 node = open.back();
            open.pop_back();
            isDone[node] = true;
            for (quint32 i = first[node]; i < first[node + 1]; ++i) {
                const quint32 to = links[i].second;
                orders[to] += orders[node];
                if (--before[to] == 0)
                    open.push_back(to);
            }
        }
        for (const auto &[node, number] : m_ends) {
            if (number >= m_result.endings.size())
                continue;
            Ending &ending = m_result.endings[number];
            ++ending.worlds;
            ending.orders += isDone[node] ? orders[node] : std::numeric_limits<double>::infinity();
        }
    }

    /// Whatever cannot be brought to rest or to its goal by what the scenario does, is it stuck
    /// whatever anybody does?
    void judge()
    {
        m_unrested.follow(m_search.links());
        QMap<quint32, Dead> dead;
        QHash<QByteArray, int> trees;
        for (quint32 node = m_unrested.size(); node-- > 0;) { // those reached last first
            if (m_unrested.left(node).isEmpty())
                continue;
            if (m_budget.interruption() != Limit::None)
                break; // the search has said so
            const std::vector<Way> ways = m_search.trace(node);
            const World &world = ways.empty() ? m_start.world : ways.back().next.world;
            const QStringList stuck = m_goalSearch.stuck(world);
            m_unrested.keep(node, stuck);
            if (stuck.isEmpty())
                continue;
            const QByteArray tree = flat(shownWords(m_rules, world));
            if (!trees.contains(tree))
                trees.insert(tree, int(trees.size()));
            dead.insert(node, { stuck, trees.value(tree) });
        }
        const QSet<quint32> onTheWay = nodesOnTheWay(dead);
        QSet<int> toldTrees;
        for (auto it = dead.cbegin(); it != dead.cend(); ++it) { // the nearest first
            if (onTheWay.contains(it.key()) || toldTrees.contains(it->tree))
                continue;
            toldTrees.insert(it->tree);
            if (!hasRoom(m_result.deadEndCount++))
                continue;
            const std::vector<Way> ways = m_search.trace(it.key());
            Ending ending = told(it.key(),
                shownWords(m_rules, ways.empty() ? m_start.world : ways.back().next.world));
            ending.stuck = it->stuck;
            m_result.deadEnds.append(std::move(ending));
        }
    }

    struct Dead
    {
        QStringList stuck;
        int tree = 0; ///< equal trees, equal numbers
    };
    /// Dead worlds in which something is at work that ends in another dead world, in which nothing
    /// is: that one is the dead end.
    QSet<quint32> nodesOnTheWay(const QMap<quint32, Dead> &dead) const
    {
        QHash<quint32, QList<quint32>> before;
        QSet<quint32> working;
        const auto &links = m_search.links();
        for (size_t i = 0; i < m_isEnd.size(); ++i) {
            if (m_isEnd[i] && dead.contains(links[i].first)) {
                working.insert(links[i].first);
                before[links[i].second] += links[i].first;
            }
        }
        QList<quint32> open;
        for (const quint32 node : dead.keys()) {
            if (!working.contains(node))
                open += node;
        }
        QSet<quint32> found;
        while (!open.isEmpty()) {
            for (const quint32 node : before.value(open.takeLast())) {
                if (!found.contains(node)) {
                    found.insert(node);
                    open += node;
                }
            }
        }
        return found;
    }

    void broken(quint32 node, const World &world, const Way &way, const Change &change)
    {
        const QString key =
            change.path + u'\n' + m_rules.state(change.from).id + u'\n' + change.rule;
        if (m_broken.contains(key))
            return;
        m_broken.insert(key);
        if (!hasRoom(m_result.breachCount++))
            return;
        // Where a way leads is left out of what is told of it.
        const QByteArray memory = m_telling.memoryBefore(m_start.world);
        const std::vector<Way> ways = m_search.trace(node, &m_telling, memory);
        const SearchState then =
            ways.empty() ? SearchState { m_start.world, memory } : ways.back().next;
        const Stepped stepped = step(m_rules, world, way.event);
        const auto after = m_telling.memoryAfter(then, way.event, stepped.record, stepped.world);
        const Ending before = told(node, {});
        Breach breach { .path = change.path,
            .state = m_rules.state(change.from).id,
            .rule = change.rule,
            .trace = before.trace + QStringList(m_telling.words(world, way)),
            .resources = shownWords(m_rules, stepped.world),
            .operations = m_telling.statuses({ stepped.world, after.value_or(then.memory) }),
            .schedule = before.schedule,
            .derived = before.derived };
        addDerived(world, stepped.record, breach.derived);
        if (m_options.keepsSchedules)
            breach.schedule.append(scheduled(world, way.event));
        m_result.breaches.append(std::move(breach));
    }

    Ending told(quint32 node, const Shown &tree) const
    {
        const QByteArray memory = m_telling.memoryBefore(m_start.world);
        const std::vector<Way> ways = m_search.trace(node, &m_telling, memory);
        Ending ending { .resources = tree, .derived = derivedIn(m_start.world, ways) };
        const World *before = &m_start.world;
        for (const Way &way : ways) {
            ending.trace += m_telling.words(*before, way);
            if (m_options.keepsSchedules)
                ending.schedule += scheduled(*before, way.event);
            before = &way.next.world;
        }
        ending.operations = m_telling.statuses(
            ways.empty() ? SearchState { m_start.world, memory } : ways.back().next);
        return ending;
    }

    const Rules &m_rules;
    const ExploreOptions &m_options;
    Script m_script;
    Script m_telling; ///< the same script with a memory for statuses: tells traces
    WorldKeyWriter m_writer;
    Search m_search;
    SearchState m_start;
    Budget m_budget;
    GoalSearch m_goalSearch;
    Unrested m_unrested;
    std::vector<bool> m_isEnd; ///< of each link of the search: work ends, or goes on
    QSet<QByteArray> m_trees;
    QHash<QByteArray, qint64> m_endings;            ///< key -> its number
    std::vector<std::pair<quint32, qint64>> m_ends; ///< node in which nothing can happen -> ending
    mutable qint64 m_mostWorlds = 0;
    QSet<QString> m_broken;
    Exploration m_result;
};

QJsonObject object(const QMap<QString, QString> &map)
{
    QJsonObject result;
    for (auto it = map.cbegin(); it != map.cend(); ++it)
        result.insert(it.key(), it.value());
    return result;
}

QString list(const QMap<QString, QString> &map)
{
    QStringList entries;
    for (auto it = map.cbegin(); it != map.cend(); ++it)
        entries += it.key() + u' ' + it.value();
    return entries.isEmpty() ? u"nothing"_s : entries.join(u", "_s);
}

QString traced(const QStringList &trace)
{
    return u"    after: %1\n"_s.arg(trace.isEmpty() ? u"nothing"_s : trace.join(u"; "_s));
}

} // namespace

Result<Exploration> explore(
    const Scenario &scenario, const Stage &stage, const ExploreOptions &options)
{
    const QString problem = Script::problem(scenario);
    if (!problem.isEmpty())
        return Error { problem };
    const MadeNames names = madeNames(scenario, stage.world.tree);
    return Explorer(named(scenario, names), stage, options).explored();
}

QJsonObject explorationJson(const Exploration &exploration)
{
    QJsonArray outcomes, deadEnds, violations;
    for (const Ending &ending : exploration.endings)
        outcomes.append(QJsonObject { { u"resources"_s, object(ending.resources) },
            { u"operations"_s, object(ending.operations) },
            { u"trace"_s, QJsonArray::fromStringList(ending.trace) } });
    for (const Ending &ending : exploration.deadEnds)
        deadEnds.append(QJsonObject { { u"resources"_s, object(ending.resources) },
            { u"stuck"_s, QJsonArray::fromStringList(ending.stuck) },
            { u"trace"_s, QJsonArray::fromStringList(ending.trace) } });
    for (const Breach &breach : exploration.breaches)
        violations.append(QJsonObject { { u"path"_s, breach.path }, { u"state"_s, breach.state },
            { u"rule"_s, breach.rule }, { u"trace"_s, QJsonArray::fromStringList(breach.trace) } });
    QJsonObject json { { u"worlds"_s, exploration.worlds }, { u"complete"_s, exploration.complete },
        { u"finalTrees"_s, exploration.finalTrees }, { u"outcomeCount"_s, exploration.endingCount },
        { u"outcomes"_s, outcomes }, { u"deadEnds"_s, deadEnds }, { u"violations"_s, violations } };
    if (!exploration.complete)
        json.insert(u"stoppedBy"_s, limitName(exploration.stoppedBy));
    return json;
}

QString explorationText(const Exploration &exploration)
{
    // What was not looked at may hold more of everything.
    const QString soFar = exploration.complete ? QString() : u" so far"_s;
    const auto counted = [&](qint64 count, const QString &what) {
        return count == 0 && !exploration.complete ? u"no %1 found so far"_s.arg(what)
                                                   : u"%1 %2%3"_s.arg(count).arg(what, soFar);
    };
    QString text = u"%1 worlds%2, %3, %4\n"_s.arg(exploration.worlds)
                       .arg(exploration.complete ? u""_s : u" before the search was stopped"_s,
                           counted(exploration.finalTrees, u"final trees"_s),
                           counted(exploration.endingCount, u"outcomes"_s));
    for (const Ending &ending : exploration.endings)
        text += u"\n%1\n    operations: %2\n"_s.arg(list(ending.resources), list(ending.operations))
            + traced(ending.trace);
    text += u'\n' + counted(exploration.deadEndCount, u"dead ends"_s) + u'\n';
    for (const Ending &ending : exploration.deadEnds)
        text += u"%1\n    stuck: %2\n"_s.arg(list(ending.resources), ending.stuck.join(u", "_s))
            + traced(ending.trace);
    text += counted(exploration.breachCount, u"broken constraints"_s) + u'\n';
    for (const Breach &breach : exploration.breaches)
        text +=
            u"%1 in %2: %3\n"_s.arg(breach.path, breach.state, breach.rule) + traced(breach.trace);
    if (!exploration.complete)
        text += stoppedText(exploration.stoppedBy) + u'\n';
    return text;
}

} // namespace instar
