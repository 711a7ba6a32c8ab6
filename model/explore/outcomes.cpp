// SPDX-License-Identifier: Apache-2.0
#include "model/explore/outcomes.h"

namespace instar {

namespace {

/// Returns `world`, but operations' attempts that only a user can end are scheduled to end now.
World withEnds(World world)
{
    for (qsizetype i = 0; i < qsizetype(world.running.size()); ++i) {
        const Running &running = *world.running[size_t(i)].constData();
        if (running.phase == Running::Phase::Attempting && running.due < 0)
            world.change(running.serial)->due = world.now;
    }
    return world;
}

/// Collector of the rows of an outcome table: the resources that the outcomes concern.
class OutcomesRows
{
public:
    OutcomesRows(const Rules &rules, const World &world)
        : m_rules(rules), m_world(world), m_before(shownWords(rules, world))
    { }

    /// Adds a resource and its ancestors. `isChanged`: some trace changes it.
    void addRow(const QString &givenPath, bool isChanged)
    {
        const Resource resource = m_world.tree.find(givenPath);
        const QString path = resource == NoResource ? givenPath : m_world.tree.path(resource);
        add(path);
        m_isChanged[path] |= isChanged;
    }
    void addDifferences(const ShownWords &end)
    {
        for (const QString &path : differingPaths(m_before, end))
            addRow(path, true);
    }
    /// Returns existing resources in the tree's order, each followed by those created below it.
    QList<Outcomes::Row> rows() const
    {
        QList<Outcomes::Row> rows;
        for (const Resource resource : m_world.tree.resources()) {
            if (const QString path = m_world.tree.path(resource); m_isChanged.contains(path))
                rows += rowOf(path);
        }
        for (const QString &path : m_absent) {
            const auto parent = std::ranges::find(rows, parentOf(path), &Outcomes::Row::path);
            const auto end = std::find_if(parent == rows.end() ? parent : parent + 1, rows.end(),
                [&](const Outcomes::Row &row) { return row.depth <= parent->depth; });
            rows.insert(end, rowOf(path));
        }
        return rows;
    }

private:
    static QString parentOf(const QString &path) { return path.section(u'/', 0, -3); }

    void add(const QString &path)
    {
        if (path.isEmpty() || m_isChanged.contains(path))
            return;
        add(parentOf(path));
        m_isChanged.insert(path, false);
        if (m_world.tree.find(path) == NoResource)
            m_absent += path;
    }
    Outcomes::Row rowOf(const QString &path) const
    {
        return { .path = path,
            .depth = int(path.count(u'/')) / 2 - 1,
            .machine = m_rules.machineForType(typePathOf(path)),
            .before = m_before.value(path),
            .isChanged = m_isChanged.value(path) };
    }

    const Rules &m_rules;
    const World &m_world;
    const ShownWords m_before;
    QHash<QString, bool> m_isChanged; ///< path of a row -> Row::isChanged
    QStringList m_absent;             ///< paths of rows that do not exist yet, parents first
};

} // namespace

void OutcomesQuestion::openAll()
{
    runningEnds = RunningEnds::EveryOutcome;
    for (ScenarioStep &step : steps)
        step.anyOutcome = true;
}

Result<Outcomes> outcomes(const OutcomesQuestion &question, OutcomesCounts &counts)
{
    const Stage stage { question.stage.rules, withEnds(question.stage.world) };
    const Scope scope(stage.rules, stage.world, requestsIn(question.steps));
    OutcomesRows rows(stage.rules, stage.world);
    Outcomes found { .timers = question.timers };
    stage.world.eachPending([&](const PendingOperation &one) {
        if (scope.has(one.request->path))
            found.requests.insert(one.request->id, one.request);
    });
    Scenario scenario { .steps = question.steps };
    for (ScenarioStep &step : scenario.steps) {
        found.requests.insert(step.request.id, QSharedPointer<const Request>::create(step.request));
        rows.addRow(step.request.path, false);
        if (std::exchange(step.request.hang, false))
            step.anyOutcome = true; // the user may end the operation with any outcome
    }

    const auto goesOn = [&](qint64 worlds, qint64 endings) {
        counts.worlds = worlds;
        counts.endings = endings;
        return !counts.isStopped;
    };
    const Result<Exploration> all = explore(scenario, stage,
        { .by = ExploreOptions::By::Operations,
            .budget = { .states = question.worlds, .bytes = question.bytes },
            .limit = mostTraces,
            .premises = { question.runningEnds, question.timers, scope },
            .property = question.property,
            .goesOn = goesOn });
    if (!all)
        return Error { all.error() };
    found.worlds = all->worlds;
    found.complete = all->complete;
    found.isStopped = counts.isStopped;
    found.deadEnds = all->deadEndCount;
    found.brokenConstraints = all->brokenConstraintCount;
    found.endings = all->endingCount;
    found.property = question.property ? question.property->text : QString();
    if (all->hasProperty)
        found.traces += *all->hasProperty;
    found.traces += all->deadEnds + all->brokenConstraints + all->endings;
    for (const Ending &ending : std::as_const(found.traces))
        rows.addDifferences(ending.resources);
    found.rows = rows.rows();
    for (Ending &trace : found.traces) {
        const ShownWords shown = std::exchange(trace.resources, {});
        for (const Outcomes::Row &row : std::as_const(found.rows))
            trace.words += shown.value(row.path);
    }
    return found;
}

} // namespace instar
