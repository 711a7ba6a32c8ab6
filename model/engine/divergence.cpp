// SPDX-License-Identifier: Apache-2.0
#include "model/engine/divergence.h"

#include "model/engine/trial.h"
#include "model/machine/run.h"

#include <algorithm>
#include <deque>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct Node
{
    Tried a, b;
    qint64 now = 0;           ///< virtual ms
    int depth = 0, asked = 0; ///< moves; operations asked for
    quint32 number = 0;
};

/// How a node came to be.
struct Origin
{
    quint32 parent = 0;
    TrialMove move;
    qint64 at = 0;
};

/// A search with some resources.
class DivergenceSearch
{
public:
    DivergenceSearch(const Rules &a, const Rules &b, const QList<ResourceSpec> &resources,
        qint64 most, const Budget &budget)
        : m_a(a), m_b(b), m_resources(resources), m_most(most), m_budget(budget)
    {
        const QStringList others = b.pack().operationNames();
        for (const QString &operation : a.pack().operationNames()) {
            if (others.contains(operation))
                m_operations += operation;
        }
    }

    /// Not deeper than that. Requests answer the conditions that are known, and others become
    /// known.
    Divergence found(int depth, OpenConditions *known)
    {
        for (auto it = known->cbegin(); it != known->cend(); ++it) {
            QStringList labels(it->begin(), it->end());
            labels.sort();
            m_labels.insert(it.key(), labels);
        }
        Node start;
        start.a.world = makeWorld(m_a.rules, m_resources).world;
        start.b.world = makeWorld(m_b.rules, m_resources).world;
        const Rules *both[] { &m_a.rules, &m_b.rules };
        m_absent = absentRequests(both, start.a.world, m_resources);
        m_origins.push_back({});
        run(std::move(start), depth);
        for (const OpenConditions &asked : { m_a.asked, m_b.asked }) {
            for (auto it = asked.cbegin(); it != asked.cend(); ++it)
                (*known)[it.key()].unite(*it);
        }
        m_result.worlds = m_keys.size();
        if (m_result.scenario)
            m_result.depth = m_foundDepth;
        return std::move(m_result);
    }

private:
    void run(Node start, int depth)
    {
        if (compare(start))
            return;
        isNew(start);
        std::deque<Node> open;
        open.push_back(std::move(start));
        for (quint64 round = 0; !open.empty(); ++round) {
            const Node node = std::move(open.front());
            open.pop_front();
            m_result.depth = node.depth;
            if (node.depth >= depth)
                return;
            for (const TrialMove &move : movesFrom(node)) {
                Node next = after(node, move);
                if (compare(next))
                    return;
                if (!isNew(next))
                    continue;
                next.number = quint32(m_origins.size() - 1);
                open.push_back(std::move(next));
            }
            if (m_keys.size() >= m_most)
                m_result.stoppedBy = Limit::States;
            else if (round % 64 == 63)
                m_result.stoppedBy = m_budget.interruption(m_keys.size());
            if (m_result.stoppedBy != Limit::None)
                return;
        }
        m_result.complete = true;
    }

    Node after(const Node &node, const TrialMove &move)
    {
        Node next = node;
        ++next.depth;
        if (move.kind == TrialMove::Kind::Pass)
            next.now = nextTime(node).value_or(node.now);
        next.asked += move.kind == TrialMove::Kind::Submit;
        m_a.doMove(next.a, move, next.now);
        m_b.doMove(next.b, move, next.now);
        m_last = { node.number, move, node.now };
        return next;
    }

    bool isNew(const Node &node)
    {
        QByteArray key;
        m_a.writeKey(node.a, node.now, key);
        m_b.writeKey(node.b, node.now, key);
        if (!m_keys.insert(key).second)
            return false;
        if (node.depth > 0)
            m_origins.push_back(m_last);
        return true;
    }

    std::optional<qint64> nextTime(const Node &node) const
    {
        const std::optional<qint64> a = m_a.nextTime(node.a), b = m_b.nextTime(node.b);
        return a && b ? std::min(a, b) : a ? a : b;
    }

    QList<TrialMove> movesFrom(const Node &node) const
    {
        QList<TrialMove> moves;
        addEnds(node, &moves);
        if (nextTime(node))
            moves.append({ .kind = TrialMove::Kind::Pass });
        QStringList paths;
        for (const Resource resource : node.a.world.tree.resources())
            paths += node.a.world.tree.path(resource);
        for (const Resource resource : node.b.world.tree.resources()) {
            const QString path = node.b.world.tree.path(resource);
            if (node.a.world.tree.find(path) == NoResource)
                paths += path;
        }
        for (const QString &path : std::as_const(paths))
            addAsked(node, Request { .path = path }, &moves);
        for (const Request &absent : m_absent) {
            if (!paths.contains(absent.path))
                addAsked(node, absent, &moves);
        }
        return moves;
    }

    void addEnds(const Node &node, QList<TrialMove> *moves) const
    {
        QMap<QString, QStringList> outcomes; // by operation
        const auto add = [&](const Trial &trial, const Tried &tried) {
            for (const auto &running : tried.world.running) {
                const Operation *operation = tried.log.find(running->serial);
                if (operation)
                    outcomes[operation->id] += trial.endsOf(tried, *running);
            }
        };
        add(m_a, node.a);
        add(m_b, node.b);
        for (auto it = outcomes.begin(); it != outcomes.end(); ++it) {
            it->removeDuplicates();
            for (const QString &outcome : std::as_const(*it)) {
                if (m_a.rules.trigger(outcome) != Rules::None
                    && m_b.rules.trigger(outcome) != Rules::None)
                    moves->append({ .kind = TrialMove::Kind::End,
                        .operation = it.key(),
                        .outcome = outcome });
            }
        }
    }

    void addAsked(const Node &node, Request request, QList<TrialMove> *moves) const
    {
        request.id = u"op%1"_s.arg(node.asked + 1);
        request.hang = true;
        for (const QString &operation : m_operations)
            *moves += waysToAsk(request, operation, m_labels.value(operation));
    }

    /// Whether something is otherwise that can be said to both; then it is the result. The first
    /// that cannot be said is kept.
    bool compare(const Node &node)
    {
        Expectation expected;
        QList<Fact> facts;
        const auto tell = [&facts](const QString &what, const QString &a, const QString &b) {
            facts.append({ what, a, b });
        };
        for (const Operation &one : node.a.log.all()) {
            const Operation *other = node.b.log.find(one.id);
            const QString status = statusName(one.status);
            if (!other || other->status != one.status) {
                expected.operations.insert(one.id, status);
                tell(u"operation "_s + one.id, status,
                    other ? statusName(other->status) : QString());
            } else if (other->errorCode != one.errorCode) {
                expected.errors.insert(one.id, one.errorCode);
                tell(u"error of "_s + one.id, one.errorCode, other->errorCode);
            }
        }
        const QMap<QString, QString> a = m_a.shown(node.a), b = m_b.shown(node.b);
        QStringList paths = a.keys() + b.keys();
        paths.removeDuplicates();
        if (a == b)
            paths.clear();
        for (const QString &path : std::as_const(paths)) {
            if (a.value(path) == b.value(path))
                continue;
            tell(path, a.value(path), b.value(path));
            if (a.value(path).isEmpty() || m_b.rules.wordNamed(a.value(path)) != Rules::None)
                expected.resources.insert(path, a.value(path));
        }
        if (facts.isEmpty())
            return false;
        const bool isSaid = expected != Expectation();
        if (!m_result.scenario || isSaid) {
            m_result.scenario = scenarioTo(node, expected);
            m_result.facts = facts;
            m_foundDepth = node.depth;
        }
        return isSaid;
    }

    Scenario scenarioTo(const Node &node, const Expectation &expected) const
    {
        Scenario scenario;
        scenario.pack = m_a.rules.pack().id;
        scenario.resources = m_resources;
        QList<ScenarioStep> steps;
        if (node.depth > 0)
            steps += stepOf(m_last.move, m_last.at);
        for (quint32 number = node.depth > 0 ? m_last.parent : 0; number != 0;
             number = m_origins[number].parent)
            steps += stepOf(m_origins[number].move, m_origins[number].at);
        std::ranges::reverse(steps);
        steps.removeIf([](const ScenarioStep &step) {
            return step.kind == ScenarioStep::Kind::Expect; // time passes
        });
        ScenarioStep last { .kind = ScenarioStep::Kind::Expect, .at = node.now };
        last.expectation = expected;
        if (expected != Expectation())
            steps += last;
        scenario.steps = steps;
        return scenario;
    }
    Trial m_a, m_b;
    QList<ResourceSpec> m_resources;
    qint64 m_most;
    const Budget &m_budget;
    QStringList m_operations;
    QHash<QString, QStringList> m_labels; ///< by operation: open conditions
    QList<Request> m_absent;              ///< what may be made
    KeySet m_keys;
    std::vector<Origin> m_origins; ///< by a node's number
    Origin m_last;
    int m_foundDepth = 0;
    Divergence m_result;
};

/// Whether a scenario was found that ends with what is expected.
bool saysAll(const Divergence &divergence)
{
    return divergence.scenario && !divergence.scenario->steps.isEmpty()
        && divergence.scenario->steps.last().kind == ScenarioStep::Kind::Expect;
}

/// Those that both systems can have.
QList<ResourceSpec> sharedResources(
    const Rules &a, const Rules &b, QList<ResourceSpec> resources, QStringList *leftOut)
{
    for (const Rules *rules : { &a, &b, &a }) {
        while (true) {
            const Loaded loaded = makeWorld(*rules, resources);
            if (loaded.problem.isEmpty() || loaded.badResource < 0
                || loaded.badResource >= resources.size())
                break;
            *leftOut += resources.takeAt(loaded.badResource).path;
        }
    }
    return resources;
}

} // namespace

QString factText(const Fact &fact)
{
    const auto word = [](const QString &text) { return text.isEmpty() ? u"nothing"_s : text; };
    return u"%1: %2, %3"_s.arg(fact.what, word(fact.first), word(fact.second));
}

Divergence divergence(
    const Rules &a, const Rules &b, const QList<ResourceSpec> &resources, const Budget &budget)
{
    QStringList leftOut;
    const QList<ResourceSpec> all = sharedResources(a, b, resources, &leftOut);
    Divergence best;
    OpenConditions open;
    int depth = std::numeric_limits<int>::max();
    qint64 met = 0;
    bool goesOn = true;
    Budget watched = budget;
    watched.goesOn = [&](qint64 states) {
        goesOn = goesOn && (!budget.goesOn || budget.goesOn(met + states));
        return goesOn;
    };
    // A first look finds out what conditions there are to be answered.
    for (const auto &[most, part] :
        { std::pair(1, 10), { 1, 3 }, { 2, 3 }, { int(all.size()), 1 } }) {
        const QList<ResourceSpec> some = someOf(all, most);
        const bool isAll = some.size() == all.size() && part < 10;
        const qint64 left = budget.states - met;
        if (left <= 0 || !goesOn)
            break;
        if (const Limit limit = watched.interruption(); limit != Limit::None) {
            best.stoppedBy = limit;
            break;
        }
        const OpenConditions known = open;
        const qint64 share = isAll ? left : std::max<qint64>(left / part, 1);
        Divergence found = DivergenceSearch(a, b, some, share, watched).found(depth, &open);
        met += found.worlds;
        const bool isSaid = saysAll(found);
        if (isSaid || !best.scenario || (found.scenario && !saysAll(best)))
            best = std::move(found);
        best.complete = best.complete && open == known;
        if (isSaid)
            depth = best.depth - 1;
        if (isAll && (best.complete || isSaid))
            break;
    }
    best.worlds = met;
    best.leftOut = leftOut;
    return best;
}

Scenario inNamesOf(const Pack &pack, const QList<Renaming> &renamings, Scenario scenario)
{
    QList<Renaming> back = renamings;
    std::ranges::reverse(back);
    QHash<QString, QString> operations, outcomes, conditions, refusals;
    for (Renaming &each : back) {
        if (each.what == Name::State) {
            const auto machine = std::ranges::find_if(renamings, [&](const Renaming &other) {
                return other.what == Name::Machine && other.from == each.machine;
            });
            each.machine = machine == renamings.end() ? each.machine : machine->to;
        }
        std::swap(each.from, each.to);
        if (each.what == Name::Operation)
            operations.insert(each.from, each.to);
        if (each.what == Name::Outcome)
            outcomes.insert(each.from, each.to);
        if (each.what == Name::Condition)
            conditions.insert(each.from, each.to);
        if (each.what == Name::Refusal)
            refusals.insert(each.from, each.to);
    }
    // Paths and states are renamed as those of a sample are.
    Pack carrier = renamed(pack, renamings);
    carrier.sample = scenario.resources.value_or(QList<ResourceSpec>());
    const qsizetype resources = carrier.sample.size();
    for (const ScenarioStep &step : std::as_const(scenario.steps)) {
        if (step.kind == ScenarioStep::Kind::Submit)
            carrier.sample += ResourceSpec { step.request.path, {}, step.request.references, {} };
        for (auto it = step.expectation.resources.cbegin(); it != step.expectation.resources.cend();
             ++it)
            carrier.sample += ResourceSpec { it.key(), it.value(), {}, {} };
    }
    carrier = renamed(std::move(carrier), back);
    scenario.pack = pack.id;
    if (scenario.resources)
        scenario.resources = carrier.sample.first(resources);
    qsizetype next = resources;
    for (ScenarioStep &step : scenario.steps) {
        if (step.kind == ScenarioStep::Kind::Submit) {
            const ResourceSpec &spec = carrier.sample[next++];
            Request &request = step.request;
            request.op = operations.value(request.op, request.op);
            request.path = spec.path;
            request.references = spec.references;
            QMap<QString, bool> answers;
            for (auto it = request.conditions.cbegin(); it != request.conditions.cend(); ++it)
                answers.insert(conditions.value(it.key(), it.key()), it.value());
            request.conditions = answers;
            step.ops = { request.op };
            step.paths = { request.path };
        }
        step.outcome = outcomes.value(step.outcome, step.outcome);
        QMap<QString, QString> words;
        for (qsizetype i = step.expectation.resources.size(); i > 0; --i) {
            const ResourceSpec &spec = carrier.sample[next++];
            words.insert(spec.path, spec.state);
        }
        step.expectation.resources = words;
        for (QString &code : step.expectation.errors)
            code = refusals.value(code, code);
    }
    return scenario;
}

} // namespace instar
