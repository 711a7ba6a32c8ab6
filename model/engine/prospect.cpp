// SPDX-License-Identifier: Apache-2.0
#include "model/engine/prospect.h"

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Shown = QMap<QString, QString>; ///< path -> word

/// Operations that wait to be ended by hand can be ended now.
World released(World world)
{
    for (qsizetype i = 0; i < qsizetype(world.running.size()); ++i) {
        const Running &running = *world.running[size_t(i)].constData();
        if (running.phase == Running::Phase::Attempting && running.due < 0)
            world.change(running.serial)->due = world.now;
    }
    return world;
}

/// The resources that a prospect is about, put together in the tree's order.
class ProspectRows
{
public:
    ProspectRows(const Rules &rules, const World &world)
        : m_rules(rules), m_world(world), m_before(shownWords(rules, world))
    {
        m_nodes.push_back({ .row = { .depth = -1 } }); // what all of them lie in
    }

    void take(const QString &asPath, bool isOther)
    {
        const Resource resource = m_world.tree.find(asPath);
        const QString path = resource == NoResource ? asPath : m_world.tree.path(resource);
        Node &node = m_nodes[nodeOf(path)];
        node.row.isOther = node.row.isOther || isOther;
    }
    /// Those that some end leaves otherwise. Both lists are in order of their paths.
    void takeDifferences(const Shown &end)
    {
        auto was = m_before.cbegin(), is = end.cbegin();
        while (was != m_before.cend() || is != end.cend()) {
            const bool isGone =
                is == end.cend() || (was != m_before.cend() && was.key() < is.key());
            const bool isNew = !isGone && (was == m_before.cend() || is.key() < was.key());
            if (isGone || isNew || was.value() != is.value())
                take(isGone ? was.key() : is.key(), true);
            if (!isNew)
                ++was;
            if (!isGone)
                ++is;
        }
    }
    QList<Prospect::Row> rows()
    {
        QList<Prospect::Row> rows;
        // Those that are there stand as in the tree; those that are to be made come after them.
        for (const Resource resource : m_world.tree.resources()) {
            if (const auto known = m_numbers.constFind(m_world.tree.path(resource));
                known != m_numbers.cend())
                m_nodes[*known].place = ++m_places;
        }
        list(0, rows);
        return rows;
    }

private:
    struct Node
    {
        Prospect::Row row;
        std::vector<size_t> children {};
        qint64 place = std::numeric_limits<qint64>::max();
    };

    size_t nodeOf(const QString &path)
    {
        if (path.isEmpty())
            return 0;
        if (const auto known = m_numbers.constFind(path); known != m_numbers.cend())
            return *known;
        const qsizetype id = path.lastIndexOf(u'/'), type = path.lastIndexOf(u'/', id - 1);
        const size_t parent = nodeOf(path.left(std::max<qsizetype>(type, 0)));
        const size_t number = m_nodes.size();
        m_nodes.push_back({ { .path = path,
            .depth = m_nodes[parent].row.depth + 1,
            .machine = m_rules.machineForType(typePathOf(path)),
            .before = m_before.value(path) } });
        m_nodes[parent].children.push_back(number);
        m_numbers.insert(path, number);
        return number;
    }

    void list(size_t number, QList<Prospect::Row> &rows)
    {
        if (number)
            rows += m_nodes[number].row;
        std::ranges::stable_sort(
            m_nodes[number].children, {}, [this](size_t child) { return m_nodes[child].place; });
        for (const size_t child : m_nodes[number].children)
            list(child, rows);
    }

    const Rules &m_rules;
    const World &m_world;
    const Shown m_before;
    std::vector<Node> m_nodes;
    QHash<QString, size_t> m_numbers;
    qint64 m_places = 0;
};

/// A search on its way to a prospect.
class Prospector
{
public:
    Prospector(const ProspectQuestion &question, ProspectCounts &counts)
        : m_question(question),
          m_counts(counts),
          m_stage { question.stage.rules, released(question.stage.world) },
          m_scope(m_stage.rules, m_stage.world, requestsIn(question.steps)),
          m_rows(m_stage.rules, m_stage.world)
    {
        m_found.what = question.what;
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
                m_scenario.steps.last().anyOutcome = true; // somebody will end it, in some way
        }
    }

    Result<Prospect> found()
    {
        const QString problem =
            m_question.what == ProspectQuestion::What::Endings ? lookForEndings() : lookAtOrders();
        if (!problem.isEmpty())
            return Error { problem };
        m_found.isStopped = m_counts.isStopped;
        m_found.rows = m_rows.rows();
        const auto wordsIn = [this](const Shown &shown) {
            QStringList words;
            for (const Prospect::Row &row : std::as_const(m_found.rows))
                words += shown.value(row.path);
            return words;
        };
        for (Prospect::Story &story : m_found.stories) {
            story.words = wordsIn(std::exchange(story.resources, {}));
            if (!story.lastly.isEmpty())
                story.lastWords = wordsIn(std::exchange(story.lastResources, {}));
        }
        for (const Prospect::Story &story : std::as_const(m_found.stories)) {
            const Prospect::Story &first = m_found.stories.constFirst();
            for (qsizetype row = 0; row < m_found.rows.size(); ++row)
                m_found.rows[row].differs |= story.words[row] != first.words[row];
            for (const auto &[id, status] : story.operations.asKeyValueRange()) {
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

    /// Both return what is wrong; empty: nothing.
    QString lookForEndings()
    {
        ExploreOptions options { .by = ExploreOptions::By::Operations,
            .budget = budget(),
            .limit = mostStories,
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
        m_found.breaches = all->breachCount;
        m_found.endings = all->endingCount;
        for (const Ending &end : all->deadEnds)
            tell(Prospect::Story::Kind::DeadEnd, end).stuck = end.stuck;
        for (const Breach &breach : all->breaches) {
            Prospect::Story &story = tell(Prospect::Story::Kind::Breach, breach);
            story.path = breach.path;
            story.state = breach.state;
            story.rule = breach.rule;
        }
        for (const Ending &end : all->endings) {
            Prospect::Story &story = tell(Prospect::Story::Kind::Ending, end);
            story.orders = end.orders;
            story.waits = end.waits;
        }
        return {};
    }

    QString lookAtOrders()
    {
        Result<Commutation> all = commutation(
            m_scenario, m_stage, budget(), { m_question.begun, m_question.timers, m_scope });
        if (!all)
            return all.error();
        m_found.worlds = all->worlds;
        m_found.complete = all->complete;
        for (OrderClash &clash : all->clashes) {
            for (const EventOrder &order : { clash.one, clash.other }) {
                tell(Prospect::Story::Kind::Order, order).clash = int(m_found.clashes.size());
                if (!order.lastly.isEmpty())
                    m_rows.takeDifferences(order.lastResources);
            }
            clash.one = clash.other = {};
            all->pairs.removeOne({ clash.first, clash.second });
            m_found.clashes += clash;
        }
        m_found.commuting = all->pairs;
        return {};
    }

    Prospect::Story &tell(Prospect::Story::Kind kind, const Trace &end)
    {
        return tell(kind, EventOrder { end });
    }
    Prospect::Story &tell(Prospect::Story::Kind kind, const EventOrder &order)
    {
        m_rows.takeDifferences(order.resources);
        m_found.stories += Prospect::Story { order, kind };
        return m_found.stories.last();
    }

    const ProspectQuestion &m_question;
    ProspectCounts &m_counts;
    const Stage m_stage;
    const Scope m_scope;
    Scenario m_scenario;
    ProspectRows m_rows;
    Prospect m_found;
};

} // namespace

void ProspectQuestion::openAll()
{
    begun = Begun::Anyhow;
    for (ScenarioStep &step : steps)
        step.anyOutcome = true;
}

Result<Prospect> prospect(const ProspectQuestion &question, ProspectCounts &counts)
{
    return Prospector(question, counts).found();
}

} // namespace instar
