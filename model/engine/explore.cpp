// SPDX-License-Identifier: Apache-2.0
#include "model/engine/explore.h"

#include "model/engine/rescue.h"
#include "model/engine/script.h"

#include <QJsonArray>
#include <QSet>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qint64 RescueWorlds = 200'000;

using Shown = QMap<QString, QString>; ///< path -> word

Shown shownTree(const Rules &rules, const World &world)
{
    Shown shown;
    for (const Resource resource : world.tree.resources()) {
        const Code code = world.tree.code(resource);
        if (rules.isShown(code))
            shown.insert(world.tree.path(resource), rules.shown(code));
    }
    return shown;
}

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
          m_script(
              m_rules, scenario, bySteps() ? Script::Memory::Statuses : Script::Memory::Positions),
          m_telling(m_rules, scenario, Script::Memory::Statuses),
          m_writer(m_rules, EssenceWriter::Names::Numbered),
          m_search(m_rules, m_script, m_writer),
          m_start { stage.world, m_script.memoryBefore(stage.world) },
          m_rescue(m_rules, stage.world, requestsOf(scenario), rescueBudget(options.budget))
    {
        m_script.mark(m_writer);
    }

    Exploration explored()
    {
        m_result.complete = m_search.run(m_start, m_options.budget,
            [this](quint32 node, const SearchState &situation, const std::vector<Way> &ways) {
                visit(node, situation, ways);
                return true;
            });
        if (m_result.complete)
            findEndless();
        m_result.complete = m_result.complete && !m_rescue.gaveUp();
        m_result.worlds = m_search.size();
        m_result.finalTrees = m_trees.size();
        return std::move(m_result);
    }

private:
    bool bySteps() const { return m_options.by == ExploreOptions::By::Operations; }

    static QList<Request> requestsOf(const Scenario &scenario)
    {
        QList<Request> requests;
        for (const ScenarioStep &step : scenario.steps) {
            if (step.kind != ScenarioStep::Kind::Submit)
                continue;
            requests += step.request;
            for (const QString &path : step.paths) {
                requests += step.request;
                requests.last().path = path;
            }
        }
        return requests;
    }

    static Budget rescueBudget(Budget budget)
    {
        budget.worlds = std::min(budget.worlds, RescueWorlds);
        budget.goesOn = {};
        return budget;
    }

    bool hasRoom(qint64 count) const { return m_options.limit < 0 || count < m_options.limit; }

    void visit(quint32 node, const SearchState &situation, const std::vector<Way> &ways)
    {
        bool isQuiet = true;
        for (const Way &way : ways) {
            isQuiet = isQuiet && way.event.kind == Event::Kind::Submit;
            for (const Change &change : way.record.changes) {
                if (change.kind == Change::Kind::Violated)
                    broken(node, situation.world, way, change);
            }
        }
        if (isQuiet)
            judge(node, situation.world);
        if (!ways.empty())
            return;
        m_finals.append(node);
        const Shown tree = shownTree(m_rules, situation.world);
        QByteArray key = flat(tree);
        m_trees.insert(key);
        if (bySteps()) {
            key += flat(m_script.statuses(situation.memory));
            const auto known = m_endings.size();
            m_endings.insert(key);
            if (m_endings.size() == known)
                return;
        } else if (m_trees.size() == m_result.endingCount) {
            return;
        }
        if (hasRoom(m_result.endingCount++))
            m_result.endings.append(told(node, tree));
    }

    /// Is anything stuck for ever in a world where nothing happens by itself?
    void judge(quint32 node, const World &world)
    {
        const QStringList stuck = m_rescue.stuck(world);
        if (stuck.isEmpty())
            return;
        const Shown tree = shownTree(m_rules, world);
        const QByteArray key = flat(tree);
        if (m_dead.contains(key))
            return;
        m_dead.insert(key);
        if (!hasRoom(m_result.deadEndCount++))
            return;
        Ending ending = told(node, tree);
        ending.stuck = stuck;
        m_result.deadEnds.append(std::move(ending));
    }

    /// Worlds from which no end is reached never become quiet: those have not been judged.
    void findEndless()
    {
        std::vector<std::vector<quint32>> from(m_search.size());
        for (const auto &[before, after] : m_search.links())
            from[after].push_back(before);
        std::vector<bool> ends(m_search.size());
        QList<quint32> open = m_finals;
        for (const quint32 node : m_finals)
            ends[node] = true;
        while (!open.isEmpty()) {
            for (const quint32 before : from[open.takeLast()]) {
                if (!ends[before]) {
                    ends[before] = true;
                    open.append(before);
                }
            }
        }
        for (quint32 node = 0; node < m_search.size(); ++node) {
            if (!ends[node]) {
                const std::vector<Way> trace = m_search.trace(node);
                judge(node, trace.empty() ? m_start.world : trace.back().next.world);
            }
        }
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
        Breach breach { change.path, m_rules.state(change.from).id, change.rule,
            told(node, {}).trace };
        breach.trace += m_telling.words(world, way);
        m_result.breaches.append(std::move(breach));
    }

    Ending told(quint32 node, const Shown &tree) const
    {
        const QByteArray memory = m_telling.memoryBefore(m_start.world);
        const std::vector<Way> ways = m_search.trace(node, &m_telling, memory);
        Ending ending { .resources = tree };
        const World *before = &m_start.world;
        for (const Way &way : ways) {
            ending.trace += m_telling.words(*before, way);
            before = &way.next.world;
        }
        ending.operations = m_telling.statuses(ways.empty() ? memory : ways.back().next.memory);
        return ending;
    }

    const Rules &m_rules;
    const ExploreOptions &m_options;
    Script m_script;
    Script m_telling; ///< the same script with a memory for statuses: tells traces
    EssenceWriter m_writer;
    Search m_search;
    SearchState m_start;
    Rescue m_rescue;
    QList<quint32> m_finals;
    QSet<QByteArray> m_trees, m_endings, m_dead;
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
    return Explorer(scenario, stage, options).explored();
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
    return { { u"worlds"_s, exploration.worlds }, { u"complete"_s, exploration.complete },
        { u"finalTrees"_s, exploration.finalTrees }, { u"outcomeCount"_s, exploration.endingCount },
        { u"outcomes"_s, outcomes }, { u"deadEnds"_s, deadEnds }, { u"violations"_s, violations } };
}

QString explorationText(const Exploration &exploration)
{
    QString text = u"%1 worlds%2, %3 final trees, %4 outcomes\n"_s.arg(exploration.worlds)
                       .arg(exploration.complete ? u""_s : u" before the budget was used up"_s)
                       .arg(exploration.finalTrees)
                       .arg(exploration.endingCount);
    for (const Ending &ending : exploration.endings)
        text += u"\n%1\n    operations: %2\n"_s.arg(list(ending.resources), list(ending.operations))
            + traced(ending.trace);
    text += u"\n%1 dead ends\n"_s.arg(exploration.deadEndCount);
    for (const Ending &ending : exploration.deadEnds)
        text += u"%1\n    stuck: %2\n"_s.arg(list(ending.resources), ending.stuck.join(u", "_s))
            + traced(ending.trace);
    text += u"%1 broken constraints\n"_s.arg(exploration.breachCount);
    for (const Breach &breach : exploration.breaches)
        text +=
            u"%1 in %2: %3\n"_s.arg(breach.path, breach.state, breach.rule) + traced(breach.trace);
    if (!exploration.complete)
        text +=
            u"The search was not complete: this is what was found so far. Raise the budget to see the rest.\n"_s;
    return text;
}

} // namespace instar
