// SPDX-License-Identifier: Apache-2.0
#include "model/explore/outcomes.h"

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Shown = QMap<QString, QString>; ///< path -> word

/// Makes attempts that wait to be ended by hand due now.
World released(World world)
{
    for (qsizetype i = 0; i < qsizetype(world.running.size()); ++i) {
        const Running &running = *world.running[size_t(i)].constData();
        if (running.phase == Running::Phase::Attempting && running.due < 0)
            world.change(running.serial)->due = world.now;
    }
    return world;
}

/// Collector of the resources that outcomes concern, in the tree's order.
class OutcomesRows
{
public:
    OutcomesRows(const Rules &rules, const World &world)
        : m_rules(rules), m_world(world), m_before(shownWords(rules, world))
    { }

    void take(const QString &asPath, bool isOther)
    {
        const Resource resource = m_world.tree.find(asPath);
        const QString path = resource == NoResource ? asPath : m_world.tree.path(resource);
        add(path);
        m_isOther[path] |= isOther;
    }
    /// Adds the resources that an end changes.
    void takeDifferences(const Shown &end)
    {
        std::vector<std::pair<QString, QString>> differences;
        std::set_symmetric_difference(m_before.keyValueBegin(), m_before.keyValueEnd(),
            end.keyValueBegin(), end.keyValueEnd(), std::back_inserter(differences));
        for (const auto &[path, word] : differences)
            take(path, true);
    }
    /// Returns existing resources in the tree's order, each followed by those created below it.
    QList<Outcomes::Row> rows() const
    {
        QList<Outcomes::Row> rows;
        for (const Resource resource : m_world.tree.resources()) {
            if (const QString path = m_world.tree.path(resource); m_isOther.contains(path))
                rows += rowOf(path);
        }
        for (const QString &path : m_made) {
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
        if (path.isEmpty() || m_isOther.contains(path))
            return;
        add(parentOf(path));
        m_isOther.insert(path, false);
        if (m_world.tree.find(path) == NoResource)
            m_made += path;
    }
    Outcomes::Row rowOf(const QString &path) const
    {
        return { .path = path,
            .depth = int(path.count(u'/')) / 2 - 1,
            .machine = m_rules.machineForType(typePathOf(path)),
            .before = m_before.value(path),
            .isOther = m_isOther.value(path) };
    }

    const Rules &m_rules;
    const World &m_world;
    const Shown m_before;
    QHash<QString, bool> m_isOther; ///< by path of a row
    QStringList m_made;             ///< paths of rows that do not exist yet, parents first
};

/// Search for outcomes under way.
class OutcomesFinder
{
public:
    OutcomesFinder(const OutcomesQuestion &question, OutcomesCounts &counts)
        : m_question(question),
          m_counts(counts),
          m_stage { question.stage.rules, released(question.stage.world) },
          m_scope(m_stage.rules, m_stage.world, requestsIn(question.steps)),
          m_rows(m_stage.rules, m_stage.world)
    {
        m_found.timers = question.timers;
        for (const auto &running : m_stage.world.running) {
            if (m_scope.has(running->path))
                ask(running->id, running->request);
        }
        for (const auto &queued : m_stage.world.queue) {
            if (m_scope.has(queued->request->path))
                ask(queued->request->id, queued->request);
        }
        for (const ScenarioStep &step : question.steps) {
            ask(step.request.id, QSharedPointer<const Request>::create(step.request));
            m_rows.take(step.request.path, false);
            m_scenario.steps += step;
            if (std::exchange(m_scenario.steps.last().request.hang, false))
                m_scenario.steps.last().anyOutcome = true; // a person may end it in any way
        }
    }

    Result<Outcomes> found()
    {
        if (const QString problem = findEndings(); !problem.isEmpty())
            return Error { problem };
        m_found.isStopped = m_counts.isStopped;
        m_found.rows = m_rows.rows();
        const auto wordsIn = [this](const Shown &shown) {
            QStringList words;
            for (const Outcomes::Row &row : std::as_const(m_found.rows))
                words += shown.value(row.path);
            return words;
        };
        for (Outcomes::Trace &trace : m_found.traces)
            trace.words = wordsIn(std::exchange(trace.resources, {}));
        for (const Outcomes::Trace &trace : std::as_const(m_found.traces)) {
            const Outcomes::Trace &first = m_found.traces.constFirst();
            for (qsizetype row = 0; row < m_found.rows.size(); ++row)
                m_found.rows[row].differs |= trace.words[row] != first.words[row];
            for (const auto &[id, status] : trace.operations.asKeyValueRange()) {
                if (first.operations.value(id) != status)
                    m_found.differing += id;
            }
        }
        return std::move(m_found);
    }

private:
    void ask(const QString &id, const QSharedPointer<const Request> &request)
    {
        if (request)
            m_found.asked.insert(id, request);
    }
    Budget budget() const
    {
        return { .states = m_question.worlds,
            .bytes = m_question.bytes,
            .goesOn = [this](qint64 worlds) {
                m_counts.worlds = std::max<qint64>(m_counts.worlds, worlds);
                return !m_counts.isStopped;
            } };
    }

    /// Returns an error; empty: none.
    QString findEndings()
    {
        ExploreOptions options { .by = ExploreOptions::By::Operations,
            .budget = budget(),
            .limit = mostTraces,
            .begun = m_question.begun,
            .timers = m_question.timers,
            .scope = m_scope };
        options.goesOn = [this](qint64, qint64 endings) {
            m_counts.endings = endings;
            return true;
        };
        const Result<Exploration> all = explore(m_scenario, m_stage, options);
        if (!all)
            return all.error();
        m_found.worlds = all->worlds;
        m_found.complete = all->complete;
        m_found.deadEnds = all->deadEndCount;
        m_found.brokenConstraints = all->brokenConstraintCount;
        m_found.endings = all->endingCount;
        m_found.traces = all->deadEnds + all->brokenConstraints + all->endings;
        for (const Ending &ending : std::as_const(m_found.traces))
            m_rows.takeDifferences(ending.resources);
        return {};
    }

    const OutcomesQuestion &m_question;
    OutcomesCounts &m_counts;
    const Stage m_stage;
    const Scope m_scope;
    Scenario m_scenario;
    OutcomesRows m_rows;
    Outcomes m_found;
};

} // namespace

void OutcomesQuestion::openAll()
{
    begun = Begun::Anyhow;
    for (ScenarioStep &step : steps)
        step.anyOutcome = true;
}

Result<Outcomes> outcomes(const OutcomesQuestion &question, OutcomesCounts &counts)
{
    return OutcomesFinder(question, counts).found();
}

} // namespace instar
