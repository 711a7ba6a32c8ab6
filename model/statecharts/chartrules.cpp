// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/chartrules.h"

#include "model/pack/runnablepack.h"
#include "model/statecharts/interpreter.h"
#include "model/statecharts/machinechart.h"

#include <QJsonArray>

namespace instar {

namespace {

const QString ActiveKey = u"active"_s; ///< property of a chart's resource: ids of active nodes
const QString Endless = u"transitions without events form an endless loop"_s;

/// Interpreter of a machine's statechart, with maps from the nodes and edges of the interpreter's
/// plan to the states and transitions of the rules.
struct Chart
{
    std::optional<Interpreter> interpreter; ///< absent if the chart cannot be compiled
    QString problem;                        ///< why the chart cannot run; empty: it can
    std::vector<Rules::StateId> states;     ///< by node of the plan; None: no state of the machine
    QHash<QString, int> regions;            ///< name of a region's resource -> node of the plan
    std::vector<int> rows;                  ///< by plan edge: transition of the rules, or None

    const ChartPlan &plan() const { return interpreter->plan(); }
};

QString nameOfRegion(const ChartPlan::Node &node)
{
    return QString(node.id).replace(u'/', u'-');
}

Chart chartOf(const Rules &rules, int machine)
{
    const Machine &machineRow = rules.pack().machines[machine];
    Chart chart;
    const Result<StatechartMade> drawn = statechartOf(machineRow);
    Result<ChartPlan> plan =
        drawn ? planOf(drawn->chart) : Result<ChartPlan>(Error { drawn.error() });
    if (!plan) {
        chart.problem = plan.error();
        return chart;
    }
    chart.interpreter.emplace(*std::move(plan));
    for (int node = 0; node < chart.plan().nodes.size(); ++node) {
        const ChartPlan::Node &at = chart.plan().nodes[node];
        chart.states.push_back(rules.stateNamed(machine, at.id));
        if (at.parent >= 0 && chart.plan().isParallel(at.parent))
            chart.regions.insert(nameOfRegion(at), node);
    }
    int first = 0; // index of the machine's first transition in the rules
    while (first < rules.transitionCount() && rules.transition(first).machine != machine)
        ++first;
    const QList<Arc> &arcs = drawn->chart.arcs;
    // An arc's `line` is the number of its row in the machine, from 1.
    for (const ChartPlan::Edge &edge : chart.plan().edges)
        chart.rows.push_back(edge.arc < 0 ? Rules::None : first + arcs[edge.arc].line - 1);
    if (chart.interpreter->begun([](const QString &) { return false; }).isEndless)
        chart.problem = Endless;
    return chart;
}

/// Semantics of statecharts. Properties of a chart's top resource hold the situation: active nodes,
/// and the nodes that histories remember. Each active region is a child of the top resource.
class ChartSemantics : public Semantics
{
public:
    explicit ChartSemantics(const Rules &rules)
    {
        for (int machine = 0; machine < rules.pack().machines.size(); ++machine)
            m_charts.push_back(chartOf(rules, machine));
    }

    QString problem() const
    {
        const auto found = std::ranges::find_if(
            m_charts, [](const Chart &each) { return !each.problem.isEmpty(); });
        return found == m_charts.end() ? QString() : found->problem;
    }

    void begin(const Rules &rules, World &world) const override
    {
        for (const quint32 branch : world.tree.branches()) {
            const Resource top = world.tree.at(branch, 0);
            const Chart &chart = chartAt(rules, world, top);
            if (chart.problem.isEmpty())
                enterSituation(rules, world, top, chart,
                    chart.interpreter->begun([](const QString &) { return false; }).to);
        }
    }

    Admission admission(const Rules &rules, const World &world, const Request &request,
        const QMap<int, bool> &answers) const override
    {
        return judge(rules, world, request, answers).admission;
    }

    void step(const Rules &rules, World &world, Record &record) const override
    {
        const QSharedPointer<const Request> request = record.event.request;
        Decision decision = judge(rules, world, *request, record.event.answers);
        const Admission &admission = decision.admission;
        record.unanswered = admission.unanswered;
        Change answer { .kind = Change::Kind::Rejected,
            .operation = ++world.lastSerial,
            .request = request,
            .path = request->path };
        if (admission.target != NoResource)
            answer.from = answer.to = rules.stateOf(world.tree.code(admission.target));
        if (admission.verdict == Admission::Verdict::Refused) {
            answer.code = admission.code;
            answer.message = admission.message;
            answer.http = admission.http;
            record.changes.push_back(answer);
            return;
        }
        std::vector<Moved> moved =
            enterSituation(rules, world, decision.top, *decision.chart, decision.move.to, &record);
        // Each region that moves gets an operation, which the top resource's operation requires.
        std::ranges::stable_partition(
            moved, [&](const Moved &one) { return one.path == request->path; });
        if (moved.empty() || moved.front().path != request->path)
            moved.insert(moved.begin(), { request->path, 0, answer.from, answer.to });
        const quint32 first = answer.operation;
        for (const Moved &one : moved) {
            Change change = answer;
            change.kind = Change::Kind::Started;
            change.path = one.path;
            change.from = one.from;
            change.to = one.to;
            change.transition = rowIn(*decision.chart, decision.move, one.region);
            if (change.path != request->path) {
                auto regionRequest = QSharedPointer<Request>::create(*request);
                regionRequest->path = one.path;
                regionRequest->id = u"%1.%2"_s.arg(request->id, one.path.section(u'/', -1));
                change.request = regionRequest;
                change.operation = ++world.lastSerial;
                change.requirer = first;
            }
            record.changes.push_back(change);
            change.kind = Change::Kind::Closed;
            change.from = one.to;
            change.request.reset();
            change.outcome = rules.succeeded;
            change.moved = one.from != one.to;
            record.changes.push_back(change);
        }
    }

private:
    /// Resource whose state a step changes.
    struct Moved
    {
        QString path;
        int region = 0; ///< node of its region in the plan; 0: the chart itself
        Rules::StateId from = Rules::None, to = Rules::None;
    };
    /// Decision about a request, and the interpreter's move that the request would cause.
    struct Decision
    {
        Admission admission;
        Resource top = NoResource;
        const Chart *chart = nullptr;
        Move move;
    };

    const Chart &chartAt(const Rules &rules, const World &world, Resource resource) const
    {
        return m_charts[size_t(
            rules.machineForType(world.tree.typePath(world.tree.type(resource))))];
    }

    /// Decides on a request without changing the world.
    Decision judge(const Rules &rules, const World &world, const Request &request,
        const QMap<int, bool> &answers) const
    {
        Decision result;
        Admission &admission = result.admission;
        const auto refuse = [&](int http, const QString &code, const QString &message) {
            admission.verdict = Admission::Verdict::Refused;
            admission.http = http;
            admission.code = code;
            admission.message = message;
            return result;
        };
        admission.target = world.tree.find(request.path);
        if (admission.target == NoResource) // an event goes to the whole chart, not a region
            admission.target = world.tree.find(request.path.section(u'/', 0, 2));
        if (admission.target == NoResource)
            return refuse(404, u"NotFound"_s, u"There is no chart at %1."_s.arg(request.path));
        result.top = world.tree.at(world.tree.place(admission.target).branch, 0);
        result.chart = &chartAt(rules, world, result.top);
        admission.machine = rules.state(rules.stateOf(world.tree.code(admission.target))).machine;
        admission.entered = world.tree.code(admission.target);
        const Chart &chart = *result.chart;
        if (!chart.problem.isEmpty())
            return refuse(
                409, u"NotRunnable"_s, u"The chart does not run: %1."_s.arg(chart.problem));

        const Situation now = situationOf(world, result.top, chart.plan());
        const QString event = eventOf(request.op);
        result.move = chart.interpreter->after(now, event, [&](const QString &name) {
            const int label = int(rules.labels().indexOf(name));
            if (request.conditions.contains(name) || answers.contains(label))
                return request.conditions.value(name, answers.value(label));
            std::vector<int> &open = admission.unanswered;
            if (label >= 0 && std::ranges::find(open, label) == open.end())
                open.push_back(label);
            return false;
        });
        if (now.isOver)
            return refuse(409, u"Ended"_s,
                u"The chart has reached its final state and accepts no more events."_s);
        if (result.move.isEndless)
            return refuse(
                409, u"NotRunnable"_s, u"After the event “%1”, %2."_s.arg(event, Endless));
        if (!result.move.isTaken) {
            const QStringList awaited = chart.interpreter->awaited(now);
            const bool isAwaited = std::ranges::any_of(
                awaited, [&](const QString &descriptor) { return describes(descriptor, event); });
            const QString where = chart.interpreter->configuration(now).join(u", "_s);
            return refuse(409, u"NotAwaited"_s,
                (isAwaited ? u"The conditions of all arrows on “%1” out of %2 are false."_s
                           : u"No arrow on “%1” leads out of %2."_s)
                    .arg(event, where));
        }
        admission.verdict = Admission::Verdict::Accepted;
        const int region = result.top == admission.target
            ? 0
            : chart.regions.value(world.tree.name(admission.target));
        admission.transition = rowIn(chart, result.move, region);
        const Rules::StateId to = shownState(chart, result.move.to, region);
        if (to != Rules::None && (region == 0 || result.move.to.active.contains(region)))
            admission.entered = rules.resting(to);
        return result;
    }

    /// Returns the row of the first arrow that a move takes in a region, else of its first arrow.
    static int rowIn(const Chart &chart, const Move &move, int region)
    {
        const auto inRegion = std::ranges::find_if(move.edges,
            [&](int edge) { return chart.plan().isInside(chart.plan().edges[edge].from, region); });
        return chart.rows[size_t(inRegion == move.edges.end() ? move.edges.first() : *inRegion)];
    }

    /// Returns the state of the resource of a region, or of the whole chart (0): the innermost
    /// active node outside nested regions. If that node is no state of the machine, returns the
    /// nearest enclosing state, else any active state in the region.
    static Rules::StateId shownState(const Chart &chart, const Situation &situation, int region)
    {
        const ChartPlan &plan = chart.plan();
        int shown = region;
        for (const int node : situation.active) {
            if (plan.nodes[node].parent == shown && !plan.isParallel(shown))
                shown = node;
        }
        while (shown > 0 && chart.states[size_t(shown)] == Rules::None)
            shown = plan.nodes[shown].parent;
        if (shown > 0)
            return chart.states[size_t(shown)];
        for (const int node : situation.active) {
            if (chart.states[size_t(node)] != Rules::None && plan.isInside(node, region))
                return chart.states[size_t(node)];
        }
        return Rules::None;
    }

    static QJsonArray idsOf(const ChartPlan &plan, const QList<int> &nodes)
    {
        return mapped<QJsonArray>(nodes, [&](int node) { return plan.nodes[node].id; });
    }

    static QList<int> nodesOf(const ChartPlan &plan, const QJsonValue &ids)
    {
        return mapped<QList<int>>(ids.toArray(),
            [&](const QJsonValue &id) { return plan.index.value(id.toString(), 0); });
    }

    static Situation situationOf(const World &world, Resource top, const ChartPlan &plan)
    {
        const QJsonObject properties = world.properties.value(top);
        Situation situation;
        situation.active = nodesOf(plan, properties.value(ActiveKey));
        situation.isOver = std::ranges::any_of(situation.active, [&](int node) {
            return plan.nodes[node].kind == Vertex::Kind::Final && plan.nodes[node].parent == 0;
        });
        for (auto it = properties.begin(); it != properties.end(); ++it) {
            if (const int history = plan.index.value(it.key(), 0); plan.isHistory(history))
                situation.memory.insert(history, nodesOf(plan, *it));
        }
        return situation;
    }

    /// Enters a situation (active nodes and histories): creates, changes and removes the resources
    /// of a chart, and stores the situation. Returns the resources that were created or changed.
    static std::vector<Moved> enterSituation(const Rules &rules, World &world, Resource top,
        const Chart &chart, const Situation &situation, Record *record = nullptr)
    {
        const ChartPlan &plan = chart.plan();
        std::vector<Moved> moved;
        const auto setState = [&](Resource resource, int region) {
            const Rules::StateId to = shownState(chart, situation, region);
            const Rules::StateId from = rules.stateOf(world.tree.code(resource));
            if (from == to || to == Rules::None)
                return;
            world.tree.setCode(resource, rules.resting(to));
            moved.push_back({ world.tree.path(resource), region, from, to });
            if (record) {
                const Tree::Place place = world.tree.place(resource);
                record->dirty.add(Tree::Range { place.branch, place.position, place.position + 1 });
            }
        };
        setState(top, 0);
        QSet<int> existing; // regions that keep their resources
        for (const Resource resource : world.tree.children(top)) {
            const int region = chart.regions.value(world.tree.name(resource), -1);
            if (region >= 0 && situation.active.contains(region)) {
                existing.insert(region);
                setState(resource, region);
                continue;
            }
            world.tree.remove(resource);
            if (record) {
                record->treeChanges.push_back({ resource, {} });
                record->dirty.addBranch(world.tree.place(top).branch);
            }
        }
        const int type = world.tree.typeAt(regionType(world.tree.typePath(world.tree.type(top))));
        for (const int region : situation.active) {
            const bool isRegion = plan.isParallel(std::max(plan.nodes[region].parent, 0));
            if (!isRegion || existing.contains(region))
                continue;
            const Rules::MachineRule &machine =
                rules.machines()[size_t(rules.state(rules.stateOf(world.tree.code(top))).machine)];
            Rules::StateId to = shownState(chart, situation, region);
            if (to == Rules::None)
                to = machine.rest;
            const Resource created = world.tree.create(
                top, type, nameOfRegion(plan.nodes[region]), rules.resting(to), 0);
            moved.push_back({ world.tree.path(created), region, machine.initial, to });
            if (record) {
                record->treeChanges.push_back({ created, world.tree.path(created) });
                record->dirty.addBranch(world.tree.place(top).branch);
            }
        }
        QJsonObject properties { { ActiveKey, idsOf(plan, situation.active) } };
        for (auto it = situation.memory.cbegin(); it != situation.memory.cend(); ++it)
            properties.insert(plan.nodes[it.key()].id, idsOf(plan, *it));
        world.properties.insert(top, properties);
        return moved;
    }

    std::vector<Chart> m_charts; ///< by machine
};

} // namespace

Result<Rules> runnableRules(const Pack &pack, const Switches &switches)
{
    Result<Rules> rules = Rules::make(runnableDraft(pack, switches), switches);
    if (rules && hasStatecharts(pack))
        rules->setSemantics(std::make_shared<ChartSemantics>(*rules));
    return rules;
}

Result<Stage> runnableStage(const Scenario &scenario, const Pack &pack)
{
    Result<Stage> stage = stageOf(scenario, pack);
    if (stage && hasStatecharts(pack)) {
        stage->rules.setSemantics(std::make_shared<ChartSemantics>(stage->rules));
        stage->rules.semantics()->begin(stage->rules, stage->world);
    }
    return stage;
}

bool hasStatecharts(const Pack &pack)
{
    return std::ranges::any_of(pack.machines, &Machine::isStatechart);
}

QString whyNotRun(const Rules &rules)
{
    const auto *semantics = dynamic_cast<const ChartSemantics *>(rules.semantics());
    return semantics ? semantics->problem() : QString();
}

} // namespace instar
