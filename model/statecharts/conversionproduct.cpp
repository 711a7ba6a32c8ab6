// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/conversionparts.h"
#include "model/statecharts/interpreter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Answers that were given, in the order in which they were asked, and what came of them.
struct Branch
{
    QList<std::pair<QString, bool>> answers;
    Move move;
};

constexpr qsizetype MostBranches = 64; ///< of one event, by the conditions that are asked

/// Every way in which conditions can be answered; the first yes comes first. An error where there
/// are too many, or where arrows without events follow each other for ever.
Result<QList<Branch>> branchesOf(
    const Interpreter &interpreter, const std::function<Move(const Answers &)> &run)
{
    QList<Branch> result;
    QList<QList<std::pair<QString, bool>>> open { {} };
    while (!open.isEmpty()) {
        const auto given = open.takeLast();
        QString unknown;
        const Answers answers = [&](const QString &name) {
            for (const auto &[known, answer] : given) {
                if (known == name)
                    return answer;
            }
            if (unknown.isEmpty())
                unknown = name;
            return false;
        };
        const Move move = run(answers);
        if (unknown.isEmpty()) {
            if (move.isEndless)
                return Error { u"arrows without events follow each other for ever%1"_s.arg(
                    move.to.active.isEmpty()
                        ? QString()
                        : u" at \"%1\""_s.arg(interpreter.configuration(move.to).join(u" + "_s))) };
            result.append({ given, move });
            continue;
        }
        if (result.size() + open.size() >= MostBranches)
            return Error {
                u"more than %1 answers to the conditions of one event lead somewhere else; that is too many to be played"_s
                    .arg(MostBranches)
            };
        for (const bool answer : { false, true }) {
            auto next = given;
            next.append({ unknown, answer });
            open.append(next);
        }
    }
    return result;
}

/// What the engine can tell apart: pairs of a working state and one in which it rested before.
constexpr qsizetype MostProductPairs = 60'000;

/// The ways that one event, or work that ends, sets off under such answers.
using Selection = std::function<QList<int>(const Answers &)>;

class ProductMachine : MachineDraft
{
public:
    ProductMachine(const OutcomesNamed &named, const ChartPlan &plan)
        : MachineDraft(named, plan), m_interpreter(plan, Interpreter::Pace::Work)
    { }

    Result<ConvertedDraft> made()
    {
        addAbsent();
        begin();
        for (qsizetype i = 0; i < m_open.size() && m_problem.isEmpty(); ++i)
            explore(m_open[i]);
        if (m_problem.isEmpty() && m_working * (m_open.size() - m_working) > MostProductPairs)
            m_problem =
                u"the regions have %1 configurations, of which %2 are at work; that is too many to be played"_s
                    .arg(m_open.size())
                    .arg(m_working);
        if (!m_problem.isEmpty())
            return Error { m_problem };
        m_remarks.append({ 0,
            u"regions, history, forks and joins are played as %1 configurations of one state each"_s
                .arg(m_open.size()),
            Diagnostic::Severity::Note });
        m_remarks += unreached(m_chart, m_interpreter.plan(), m_followed, m_passed);
        return finished();
    }

private:
    /// What all of them follow is noted.
    QList<Branch> branches(const std::function<Move(const Answers &)> &run)
    {
        const Result<QList<Branch>> all = branchesOf(m_interpreter, run);
        if (!all) {
            m_problem = all.error();
            return {};
        }
        for (const Branch &branch : *all) {
            m_followed.unite(QSet<int>(branch.move.ways.begin(), branch.move.ways.end()));
            m_passed.unite(QSet<int>(branch.move.passed.begin(), branch.move.passed.end()));
        }
        return *all;
    }

    /// The state of a situation, which is new or known.
    QString stateOf(Situation situation)
    {
        if (situation.isOver && isEnd(situation))
            return m_absent;
        situation.memory.removeIf(
            [&](const auto &memory) { return forgets(memory.key(), situation); });
        const auto known = m_states.constFind(situation);
        if (known != m_states.constEnd())
            return *known;
        const QString leaves = m_interpreter.configuration(situation).join(u" + "_s);
        State state;
        state.id = m_names.unused(leaves);
        if (state.id != leaves) { // differs in what it remembers only
            state.label = leaves;
            state.as = leaves;
        }
        describe(state, situation);
        m_states.insert(situation, state.id);
        m_open.append(situation);
        m_machine.states.append(state);
        if (m_open.size() > MostConfigurations)
            m_problem =
                u"the regions have more than %1 configurations; that is too many to be played"_s
                    .arg(MostConfigurations);
        return state.id;
    }

    /// The active nodes in which no other one is, by the names that configurations show.
    QMap<QString, int> leavesOf(const Situation &situation) const
    {
        const ChartPlan &plan = m_interpreter.plan();
        QMap<QString, int> result;
        for (qsizetype i = 0; i < situation.active.size(); ++i) {
            const int node = situation.active[i];
            if (i + 1 == situation.active.size() || situation.active[i + 1] >= plan.nodes[node].end)
                result.insert(plan.nodes[node].name, node);
        }
        return result;
    }

    /// What the chart says of the vertices in which a situation is; the place of one that is alone.
    void describe(State &state, const Situation &situation)
    {
        const QMap<QString, int> leaves = leavesOf(situation);
        QStringList labels, abouts;
        bool isLabelled = false;
        for (auto it = leaves.cbegin(); it != leaves.cend(); ++it) {
            const Vertex *vertex = m_vertices.value(m_interpreter.plan().nodes[*it].id);
            if (!vertex)
                continue;
            isLabelled = isLabelled || !vertex->label.isEmpty();
            labels += vertex->label.isEmpty() ? it.key() : vertex->label;
            const QString about = m_texts.about(vertex->id);
            if (!about.isEmpty())
                abouts += leaves.size() == 1 ? about : u"%1: %2"_s.arg(labels.last(), about);
            if (leaves.size() == 1 && vertex->place && !m_placed.contains(*it))
                state.position = vertex->place->center();
            m_placed.insert(*it);
        }
        if (isLabelled)
            state.label = labels.join(u" + "_s);
        state.about = abouts.join(u'\n');
        state.parent = frameAround(leaves.values());
    }

    /// The innermost composite in which all of some nodes are.
    QString frameAround(const QList<int> &nodes)
    {
        const ChartPlan &plan = m_interpreter.plan();
        int around = nodes.isEmpty() ? 0 : plan.nodes[nodes.first()].parent;
        while (around > 0
            && !std::ranges::all_of(nodes, [&](int node) { return plan.isInside(node, around); }))
            around = plan.nodes[around].parent;
        return frame(around);
    }

    QString frame(int node)
    {
        const ChartPlan::Node &at = m_interpreter.plan().nodes[std::max(node, 0)];
        if (node <= 0 || m_frames.contains(node))
            return m_frames.value(node);
        State state;
        state.kind = State::Kind::Composite;
        state.parent = frame(at.parent);
        state.id = m_names.unused(at.id);
        state.about = m_texts.about(at.id);
        if (const Vertex *vertex = m_vertices.value(at.id))
            state.label = vertex->label;
        m_frames.insert(node, state.id);
        m_machine.states.append(state);
        return state.id;
    }

    /// What a history vertex knows does not matter while its composite is active: it is told anew
    /// when that is left. But for arrows to it from inside, which do not leave it.
    bool forgets(int history, const Situation &situation) const
    {
        const ChartPlan &plan = m_interpreter.plan();
        const int around = plan.nodes[history].parent;
        return situation.active.contains(around)
            && std::ranges::none_of(plan.ways, [&](const ChartPlan::Way &way) {
                   return way.to.contains(history)
                       && (way.from == around || plan.isInside(way.from, around));
               });
    }

    bool isEnd(const Situation &situation) const
    {
        return std::ranges::any_of(situation.active, [this](int node) {
            const ChartPlan::Node &at = m_interpreter.plan().nodes[node];
            const Vertex *vertex =
                at.kind == Vertex::Kind::Final && at.parent == 0 ? m_chart.vertex(at.id) : nullptr;
            return vertex && !vertex->isNamed;
        });
    }

    static Condition asked(const Branch &branch, bool withNo)
    {
        QList<Condition> all;
        for (const auto &[name, answer] : branch.answers) {
            if (answer)
                all += labelled(name);
            else if (withNo)
                all += negated(labelled(name));
        }
        return allOf(all);
    }

    /// Where every branch leads on, an earlier row's no needs no words.
    QList<Condition> addRows(
        const QString &from, const QString &on, const QList<Branch> &all, const Selection &selected)
    {
        const bool isComplete =
            std::ranges::all_of(all, [](const Branch &branch) { return branch.move.isTaken; });
        QList<Condition> conditions;
        for (const Branch &branch : all) {
            if (!branch.move.isTaken || !m_problem.isEmpty())
                continue;
            Transition row;
            row.from = { from };
            row.on = { on };
            row.to = { stateOf(branch.move.to) };
            row.condition = asked(branch, !isComplete);
            const Answers given = [&branch](const QString &name) {
                return branch.answers.contains({ name, true });
            };
            int line = 0;
            for (const int way : selected(given)) {
                const int arc = m_interpreter.plan().ways[way].arc;
                if (arc < 0)
                    continue;
                m_texts.describe(row, arc);
                line = line > 0 ? line : m_chart.arcs.value(arc).line;
            }
            conditions += row.condition;
            addRow(row, line);
        }
        return conditions;
    }

    Selection selection(const Situation &situation, const QString *event) const
    {
        return [this, &situation, event](const Answers &answers) {
            return m_interpreter.selected(situation, event, answers);
        };
    }

    /// The arrow from the chart's own dot.
    QList<int> beginning() const
    {
        const ChartPlan &plan = m_interpreter.plan();
        QList<int> result;
        for (int way = 0; way < plan.ways.size(); ++way) {
            const ChartPlan::Node &from = plan.nodes[plan.ways[way].from];
            if (from.kind == Vertex::Kind::Initial && from.parent == 0)
                result += way;
        }
        return result;
    }

    void begin()
    {
        const QList<Branch> all =
            branches([this](const Answers &answers) { return m_interpreter.begun(answers); });
        const bool isSimple = all.size() == 1 && all.first().move.isTaken
            && !all.first().move.to.isOver && !works(all.first().move.to)
            && !hearsOutcome(eventsIn(all.first().move.to));
        const Selection arrows = [this](const Answers &) { return beginning(); };
        if (isSimple) {
            addRows(m_absent, createOperation(), all, arrows);
            m_machine.rest = m_machine.states.last().id;
            return;
        }
        addWaiting();
        addRows(m_machine.rest, startOperation(), all, arrows);
        m_remarks.append(waitsFirst(m_machine.rest, startOperation()));
    }

    QList<Branch> worked(const Situation &situation)
    {
        return branches(
            [&](const Answers &answers) { return m_interpreter.worked(situation, answers); });
    }

    bool works(const Situation &situation)
    {
        if (!m_interpreter.works(situation))
            return false;
        const QList<Branch> all = worked(situation);
        return std::ranges::any_of(all, [](const Branch &branch) { return branch.move.isTaken; });
    }

    QStringList eventsIn(const Situation &situation) const
    {
        QStringList events;
        for (const QString &descriptor : m_interpreter.awaited(situation))
            events += meant(descriptor, m_alphabet);
        events.removeDuplicates();
        return events;
    }

    void explore(const Situation situation) // a copy: the list of open ones grows
    {
        if (situation.isOver)
            return;
        const QString id = m_states[situation];
        const QStringList events = eventsIn(situation);
        const bool isWorking = addWork(situation, id, hearsOutcome(events));
        for (const QString &event : events) {
            if (isCompletion(m_interpreter.plan(), event) || !m_problem.isEmpty())
                continue;
            addRows(id, isOutcome(event) && !isWorking ? event + u" (event)"_s : event,
                branches([&](const Answers &answers) {
                    return m_interpreter.after(situation, event, answers);
                }),
                selection(situation, &event));
        }
    }

    /// Whether the state turned out to be transitional.
    bool addWork(const Situation &situation, const QString &id, bool canEndOtherwise)
    {
        if (!m_interpreter.works(situation) && !canEndOtherwise)
            return false;
        const QList<Branch> all = worked(situation);
        const QList<Condition> conditions =
            addRows(id, u"succeeded"_s, all, selection(situation, nullptr));
        if (conditions.isEmpty() && !canEndOtherwise)
            return false;
        ++m_working;
        const auto state = std::ranges::find(m_machine.states, id, &State::id);
        state->kind = State::Kind::Transitional;
        const bool isComplete =
            std::ranges::all_of(all, [](const Branch &branch) { return branch.move.isTaken; });
        if (const QString usual = usualOutcome(situation); !usual.isEmpty()) {
            state->ownWork = true;
            state->work = workThatUsuallyEnds(usual);
            return true;
        }
        if (isComplete || canEndOtherwise)
            return true;
        state->ownWork = true;
        state->work = workUntil(conditions);
        return true;
    }

    /// Of a leaf, or of what is around it where nothing further inside ends its work.
    QString usualOutcome(const Situation &situation) const
    {
        const ChartPlan &plan = m_interpreter.plan();
        for (qsizetype i = 0; i < situation.active.size(); ++i) {
            const int leaf = situation.active[i];
            const int next = situation.active.value(i + 1, plan.nodes[leaf].end);
            bool isCertain = next < plan.nodes[leaf].end; // it is no leaf
            for (int at = leaf; at > 0 && !isCertain; at = plan.nodes[at].parent) {
                const QString usual = m_named.usual.value(plan.nodes[at].id);
                if (!usual.isEmpty())
                    return usual;
                isCertain = std::ranges::any_of(plan.nodes[at].ways, [&](int way) {
                    return plan.ways[way].isWork
                        && simplified(plan.ways[way].guard).kind == Guard::Kind::Always;
                });
            }
        }
        return {};
    }

    Interpreter m_interpreter;
    QSet<int> m_placed;             ///< nodes that had a state with a place
    QHash<int, QString> m_frames;   ///< node -> composite
    QSet<int> m_followed, m_passed; ///< ways and nodes
    QHash<Situation, QString> m_states;
    QList<Situation> m_open;
    qsizetype m_working = 0;
    QString m_problem;
};

} // namespace

Result<ConvertedDraft> productPack(const OutcomesNamed &named, const ChartPlan &plan)
{
    return ProductMachine(named, plan).made();
}

} // namespace instar
