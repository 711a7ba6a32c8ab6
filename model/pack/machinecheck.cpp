// SPDX-License-Identifier: Apache-2.0
#include "model/pack/checking.h"
#include "model/pack/flow.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <vector>

namespace instar {

namespace {

/// Check of a machine's rows one by one, without analysis of the flow.
class StructureCheck
{
public:
    StructureCheck(Checking &checking, const Machine &machine)
        : c(checking), m_machine(machine), m_index(machine)
    {
        for (const State &state : machine.states)
            m_parents.insert(state.parent);
    }

    void check()
    {
        checkMachineStates();
        for (const State &state : m_machine.states)
            checkState(state);
        for (qsizetype i = 0; i < m_machine.transitions.size(); ++i)
            checkTransition(m_machine.transitions[i], at({ u"transitions"_s, QString::number(i) }));
        for (qsizetype i = 0; i < m_machine.constraints.size(); ++i) {
            const Constraint &row = m_machine.constraints[i];
            for (const QString &id : row.in) {
                if (const State *state = m_index.state(id);
                    state && state->kind == State::Kind::Composite)
                    c.error(at({ u"constraints"_s, QString::number(i), u"in"_s }),
                        u"never-speaks"_s,
                        u"\"%1\" is a composite, so no resource is ever in it directly; name the states inside"_s
                            .arg(id));
            }
        }
    }

private:
    QString at(const QStringList &keys) const
    {
        return pointerTo(QStringList { u"machines"_s, m_machine.id } + keys);
    }
    QString atState(const QString &id, const QString &key = {}) const
    {
        return at({ u"states"_s, id }) + (key.isEmpty() ? key : u'/' + key);
    }

    void checkMachineStates()
    {
        QSet<QString> seen;
        QStringList initials;
        for (const State &state : m_machine.states) {
            if (seen.contains(state.id))
                c.error(atState(state.id), u"duplicate-id"_s,
                    u"there are two states \"%1\""_s.arg(state.id));
            seen.insert(state.id);
            if (state.kind == State::Kind::Initial)
                initials += state.id;
        }
        if (initials.isEmpty())
            c.error(at({ u"states"_s }), u"no-initial"_s,
                u"the machine needs an initial state for resources that do not exist"_s);
        for (const QString &id : initials.mid(1))
            c.error(atState(id), u"several-initial"_s,
                u"the machine already has an initial state: \"%1\""_s.arg(initials.first()));
        if (const State *rest = m_index.state(m_machine.rest);
            rest && rest->kind != State::Kind::Stable)
            c.error(at({ u"rest"_s }), u"wrong-kind"_s,
                u"\"rest\" must be a stable state, and \"%1\" is not stable"_s.arg(m_machine.rest));
        if (const State *history = m_index.state(m_machine.history)) {
            const State::Kind kind = history->kind;
            if (kind == State::Kind::Transitional || kind == State::Kind::Composite)
                c.error(at({ u"history"_s }), u"wrong-kind"_s,
                    u"\"history\" must be a state in which a resource can rest, and \"%1\" is not"_s
                        .arg(m_machine.history));
        }
    }

    void checkState(const State &state)
    {
        if (const State *parent = m_index.state(state.parent)) {
            if (parent->kind != State::Kind::Composite)
                c.error(atState(state.id, u"parent"_s), u"wrong-kind"_s,
                    u"\"%1\" is not a composite, so it cannot contain states"_s.arg(state.parent));
            if (isInParentCycle(m_index, state))
                c.error(atState(state.id, u"parent"_s), u"parent-cycle"_s,
                    u"the state contains itself, through \"%1\""_s.arg(state.parent));
        }
        if (state.kind == State::Kind::Composite && !m_parents.contains(state.id))
            c.error(atState(state.id), u"empty-composite"_s, u"the composite contains no states"_s);
        if (state.ownWork && state.kind != State::Kind::Transitional && !state.work.isEmpty())
            c.error(atState(state.id, u"work"_s), u"never-speaks"_s,
                u"only a transitional state can have work"_s);
        if (state.timer)
            checkTimer(state);
        bool hasEnded = false; // an earlier step ends the work in any case
        for (qsizetype i = 0; i < state.work.size(); ++i) {
            const QString pointer = atState(state.id, u"work/"_s + QString::number(i));
            checkStep(state.work[i], pointer);
            if (hasEnded && state.work[i].when.isEmpty())
                c.error(pointer, u"never-speaks"_s,
                    u"the step is never reached: the work ends earlier"_s);
            const Step &step = state.work[i];
            hasEnded = hasEnded
                || (step.kind == Step::Kind::Decide && step.when.isEmpty() && !c.isGood(step.name)
                    && step.condition.kind == Condition::Kind::Always);
        }
    }

    void checkTimer(const State &state)
    {
        const QString pointer = atState(state.id, u"timer"_s);
        const QString &op = state.timer->operation;
        const auto leavesOn = [&](const QString &trigger) {
            return std::ranges::any_of(m_index.from(state.id),
                [&](int row) { return m_machine.transitions[row].on.contains(trigger); });
        };
        if (!state.timer->outcome.isEmpty()) {
            if (state.kind != State::Kind::Transitional)
                c.error(pointer, u"wrong-kind"_s,
                    u"a timer with an outcome must be in a transitional state, and \"%1\" is not transitional"_s
                        .arg(state.id));
            else if (!leavesOn(state.timer->outcome))
                c.warning(pointer, u"nobody-hears"_s,
                    u"no transition leaves \"%1\" on \"%2\", so work that times out fails"_s.arg(
                        state.id, state.timer->outcome));
        } else if (state.kind != State::Kind::Stable)
            c.error(pointer, u"wrong-kind"_s,
                u"a timer with an operation must be in a stable state, and \"%1\" is not stable"_s
                    .arg(state.id));
        else if (c.handled.contains(op) && !leavesOn(op))
            c.error(pointer, u"nobody-hears"_s,
                u"no transition leaves \"%1\" on \"%2\", so the timer has no effect"_s.arg(
                    state.id, op));
    }

    void checkStep(const Step &step, const QString &pointer)
    {
        if ((step.kind == Step::Kind::Send || step.kind == Step::Kind::Require)
            && step.to.isEmpty())
            c.error(pointer, u"nobody-hears"_s, u"the step names no related resources"_s);
        if (step.kind == Step::Kind::Require && c.handled.contains(step.name))
            checkReceivers(pointer + u"/op"_s, step.name, step.to, u"accepts the operation"_s);
        if (step.kind == Step::Kind::Send) {
            for (const QString &event : step.events())
                checkReceivers(pointer + u"/send"_s, event, step.to, u"handles the event"_s);
        }
    }

    /// Reports a trigger if, at one of the relations, no resource can have a transition on it.
    void checkReceivers(
        const QString &pointer, const QString &trigger, const QStringList &to, const QString &verb)
    {
        if (!c.handled.contains(trigger)) {
            c.unknownWith(Diagnostic::Severity::Error, pointer, u"nobody-hears"_s,
                u"no transition %1 \"%2\""_s.arg(verb, trigger), trigger, sortedNames(c.handled));
            return;
        }
        for (const QString &relation : to) {
            const QStringList machines = machinesAt(c.pack, m_machine.id, relation);
            const auto hasTransition = [&](const QString &id) {
                const Machine *machine = c.pack.machine(id);
                return !machine
                    || std::ranges::any_of(machine->transitions,
                        [&](const Transition &row) { return row.on.contains(trigger); });
            };
            if (!machines.isEmpty() && std::ranges::none_of(machines, hasTransition)) {
                c.error(pointer, u"nobody-hears"_s,
                    u"no resource at \"%1\" %2 \"%3\": machine %4 has no transition on it"_s.arg(
                        relation, verb, trigger, machines.join(u" or "_s)));
            }
        }
    }

    void checkTransition(const Transition &row, const QString &pointer)
    {
        if (row.from.isEmpty())
            c.error(
                pointer, u"never-speaks"_s, u"the transition has no state to leave (\"from\")"_s);
        if (row.on.isEmpty())
            c.error(pointer, u"never-speaks"_s, u"the transition has no trigger (\"on\")"_s);
        if (!row.refuse.isEmpty() && !row.to.isEmpty())
            c.error(pointer, u"never-speaks"_s, u"a transition that refuses has no target"_s);
    }

    Checking &c;
    const Machine &m_machine;
    MachineIndex m_index;
    QSet<QString> m_parents;
};

/// Base of checks that follow the transitions out of each state.
class FlowCheck
{
protected:
    FlowCheck(Checking &checking, const Flow &flow)
        : c(checking), m_flow(flow), m_machine(flow.machine())
    { }

    QString at(const QString &list, const QString &key) const
    {
        return pointerTo({ u"machines"_s, m_machine.id, list, key });
    }
    QString at(qsizetype row) const { return at(u"transitions"_s, QString::number(row)); }

    Checking &c;
    const Flow &m_flow;
    const Machine &m_machine;
};

/// Check that states can be reached and left.
class StateCheck : FlowCheck
{
public:
    StateCheck(Checking &checking, const Flow &flow) : FlowCheck(checking, flow) { }

    void check()
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting)
            m_reached.unite(reachableStates(setting));
        findEventTargets();
        for (const State &state : m_machine.states) {
            if (state.kind == State::Kind::Composite)
                continue;
            if (!m_reached.contains(state.id)) {
                c.error(pointer(state), u"unreachable-state"_s,
                    u"no transition leads to \"%1\", and no resource of the sample is in this state; if only the server enters it, add \"byServer\": true"_s
                        .arg(state.id));
            } else if (state.kind == State::Kind::Stable) {
                checkStable(state);
            } else if (state.kind == State::Kind::Transitional) {
                checkTransitional(state);
            }
        }
    }

private:
    QString pointer(const State &state) const { return at(u"states"_s, state.id); }

    /// Returns the states of resources before any transition, and those that the server enters.
    QStringList startStates() const
    {
        QStringList states { m_machine.initial(), m_machine.rest };
        for (const ResourceSpec &resource : c.pack.sample) {
            const State *state = m_machine.state(resource.state);
            if (state && state->kind == State::Kind::Stable)
                states += state->id;
        }
        for (const State &state : m_machine.states) {
            if (state.byServer)
                states += state.id;
        }
        return states;
    }

    QSet<QString> reachableStates(int setting) const
    {
        QSet<QString> result;
        QSet<std::pair<int, int>> followed; // (group, kind) of states whose edges were followed
        QStringList open = startStates();
        while (!open.isEmpty()) {
            const QString id = open.takeLast();
            const State *state = m_flow.index().state(id);
            if (!state || result.contains(id) || !exists(*state, m_flow.settings()[setting]))
                continue;
            result.insert(id);
            const std::pair stateGroup { m_flow.group(id), int(state->kind) };
            if (followed.contains(stateGroup))
                continue;
            followed.insert(stateGroup);
            for (const Flow::Edge &edge : m_flow.edges(setting, id)) {
                if (!edge.isReachable)
                    continue;
                for (const QString &to : m_machine.transitions[edge.row].to) {
                    if (to == LastState && state->kind == State::Kind::Transitional)
                        open +=
                            m_machine.history.isEmpty() ? m_machine.initial() : m_machine.history;
                    else if (to != SameState && to != LastState)
                        open += m_flow.index().entered(to);
                }
            }
        }
        return result;
    }

    void checkStable(const State &state)
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
            for (const Flow::Edge &edge : m_flow.edges(setting, state.id)) {
                const QStringList &to = m_machine.transitions[edge.row].to;
                if (edge.isReachable && std::ranges::any_of(to, [&](const QString &t) {
                        return t != SameState && t != LastState && t != state.id;
                    }))
                    return;
            }
        }
        if (!state.isEnd)
            c.warning(
                pointer(state), u"dead-end"_s, u"no transition leaves \"%1\""_s.arg(state.id));
    }

    /// Outcomes of a state's work that no transition handles, under a setting.
    struct Unhandled
    {
        QStringList ends;
        bool isAll = false; ///< no outcome is handled
    };

    void findEventTargets()
    {
        for (qsizetype i = 0; i < m_machine.transitions.size(); ++i) {
            const Transition &row = m_machine.transitions[i];
            const bool isSent = std::ranges::any_of(
                row.on, [&](const QString &on) { return c.events.contains(on); });
            for (const QString &to : isSent ? row.to : QStringList())
                m_eventRows[to] += int(i);
        }
    }

    Unhandled unhandled(const State &state, int setting) const
    {
        const Setting &values = m_flow.settings()[setting];
        QSet<QString> handled;
        for (const Flow::Edge &edge : m_flow.edges(setting, state.id)) {
            if (edge.isReachable && m_machine.transitions[edge.row].refuse.isEmpty())
                handled.insert(edge.trigger);
        }
        Ends ends = endsOf(c, state, values);
        // A resource that an event moved here receives the outcome of the operation that sent it.
        for (const int row : m_eventRows.value(state.id)) {
            if (exists(m_machine.transitions[row], values))
                ends.all.unite({ u"succeeded"_s, u"failed"_s });
        }
        Unhandled result;
        const bool handlesAny = handled.contains(u"invalid"_s) || handled.contains(u"failed"_s);
        for (const QString &end : std::as_const(ends.all)) {
            if (!handlesAny && !handled.contains(end))
                result.ends += end;
        }
        result.ends.sort();
        result.isAll = result.ends.size() == ends.all.size();
        return result;
    }

    void checkTransitional(const State &state)
    {
        QList<int> settings;
        for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
            if (exists(state, m_flow.settings()[setting]))
                settings += setting;
        }
        const auto fails = [&](int setting) { return !unhandled(state, setting).ends.isEmpty(); };
        const auto first = std::ranges::find_if(settings, fails);
        if (first == settings.end())
            return;
        const Unhandled found = unhandled(state, *first);
        const QString where = std::ranges::all_of(settings, fails)
            ? QString()
            : settingText(m_flow.settings()[*first]);
        if (found.isAll || found.ends.contains(u"succeeded"_s)) {
            c.report(Diagnostic::Severity::Error, pointer(state), u"no-outcome"_s,
                 u"the state's work can end with %1, but no transition then leaves \"%2\"%3"_s.arg(
                     found.ends.join(u" or "_s), state.id, where))
                .unhandled = found.ends;
            return;
        }
        c.report(Diagnostic::Severity::Warning, pointer(state), u"unheard-outcome"_s,
             u"the state's work can end with %1, but no transition has that trigger, so the resource returns to its last resting state%2"_s
                 .arg(found.ends.join(u" or "_s), where))
            .unhandled = found.ends;
    }

    QSet<QString> m_reached;
    QHash<QString, QList<int>> m_eventRows; ///< state -> rows on events that lead there
};

/// Check that transitions can be taken.
class TransitionCheck : FlowCheck
{
public:
    TransitionCheck(Checking &checking, const Flow &flow) : FlowCheck(checking, flow) { }

    void check()
    {
        findShadowings();
        for (qsizetype i = 0; i < m_machine.transitions.size(); ++i) {
            const Transition &row = m_machine.transitions[i];
            const QString pointer = at(i);
            checkStatesExist(row, row.from + row.to, pointer);
            if (row.from.isEmpty() || row.on.isEmpty())
                continue;
            checkReachable(int(i), row, pointer);
            checkLaterTargets(row, pointer);
        }
        for (qsizetype i = 0; i < m_machine.constraints.size(); ++i) {
            const Constraint &row = m_machine.constraints[i];
            checkStatesExist(row, row.in, at(u"constraints"_s, QString::number(i)));
        }
        checkStatesExist(Row(), { m_machine.rest, m_machine.history, m_machine.initial() },
            pointerTo({ u"machines"_s, m_machine.id }));
    }

private:
    /// Reachability of a row on one trigger from the states of a group, over all settings.
    struct Shadowing
    {
        bool isEverReachable = false;
        int by = -1; ///< the last row that alone shadows this row; -1: none does
    };

    void findShadowings()
    {
        QHash<int, QString> states;     // group -> its first state, which stands for the group
        QSet<std::pair<int, int>> done; // (setting, group)
        for (const State &state : m_machine.states) {
            for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
                const int group = m_flow.group(state.id);
                if (group < 0 || !exists(state, m_flow.settings()[setting])
                    || done.contains({ setting, group }))
                    continue;
                done.insert({ setting, group });
                if (!states.contains(group))
                    states.insert(group, state.id);
                for (const Flow::Edge &edge : m_flow.edges(setting, state.id)) {
                    Shadowing &shadowing = m_shadowings[edge.row][{ states[group], edge.trigger }];
                    shadowing.isEverReachable = shadowing.isEverReachable || edge.isReachable;
                    shadowing.by = std::max(shadowing.by, edge.shadowedBy);
                }
            }
        }
    }

    void checkReachable(int index, const Transition &row, const QString &pointer)
    {
        const auto &shadowings = m_shadowings.value(index);
        if (std::ranges::none_of(shadowings, &Shadowing::isEverReachable)) {
            const bool refusesOutcome = !row.refuse.isEmpty()
                && std::ranges::none_of(row.on,
                    [&](const QString &on) { return !c.isOutcome(on) && !c.events.contains(on); });
            QString why = u"its source states exist under no switch value"_s;
            if (refusesOutcome)
                why = u"only operations can be refused"_s;
            else if (!shadowings.isEmpty())
                why = shadowText(shadowings.first().by, row);
            c.error(pointer, u"never-speaks"_s, u"the transition is never taken: "_s + why);
            return;
        }
        for (auto it = shadowings.cbegin(); it != shadowings.cend(); ++it) {
            const auto &[state, trigger] = it.key();
            if (it->isEverReachable || it->by < 0 || !row.from.contains(state))
                continue;
            const Transition &other = m_machine.transitions[it->by];
            if (other.from.contains(state) && (other.to != row.to || other.refuse != row.refuse)) {
                c.error(pointer, u"nondeterminism"_s,
                    u"two transitions leave \"%1\" on \"%2\" under the same condition; \"%3\" comes first and is always taken"_s
                        .arg(state, trigger, titleOf(it->by)));
                return;
            }
        }
    }

    QString shadowText(int by, const Transition &row) const
    {
        if (by < 0)
            return u"earlier transitions cover all its cases"_s;
        const bool refuses = !m_machine.transitions[by].refuse.isEmpty() && row.refuse.isEmpty();
        return (refuses ? u"refusals are checked first, and \"%1\" covers all its cases"_s
                        : u"\"%1\" covers all its cases"_s)
            .arg(titleOf(by));
    }

    /// Returns a transition's title, as the outline of the pack shows it: "on · stop · off".
    QString titleOf(int row) const { return outlineOf(c.pack, at(row)).title; }

    /// True if, while a transition exists, a constraint may keep a resource from entering a state.
    bool isConstrained(const QString &state, const Transition &row) const
    {
        return std::ranges::any_of(m_machine.constraints, [&](const Constraint &constraint) {
            return constraint.in.contains(state)
                && std::ranges::any_of(m_flow.settings(), [&](const Setting &setting) {
                       return exists(constraint, setting) && exists(row, setting);
                   });
        });
    }

    void checkLaterTargets(const Transition &row, const QString &pointer)
    {
        for (qsizetype i = 0; i + 1 < row.to.size(); ++i) {
            const bool isLast = row.to[i] == LastState;
            if (!isLast && (row.force || !isConstrained(m_flow.index().entered(row.to[i]), row))) {
                c.error(pointer + u"/to"_s, u"never-speaks"_s,
                    u"the target \"%1\" is never chosen: \"%2\" comes first, and no constraint prevents entering it"_s
                        .arg(row.to[i + 1], row.to[i]));
                return;
            }
        }
    }

    /// Reports a row if, under a setting under which it exists, a state that it names does not.
    void checkStatesExist(const Row &row, const QStringList &ids, const QString &pointer)
    {
        for (const Setting &setting : m_flow.settings()) {
            if (!exists(row, setting))
                continue;
            for (const QString &id : ids) {
                const State *state = m_flow.index().state(id);
                if (state && !exists(*state, setting)) {
                    c.error(pointer, u"switched-off"_s,
                        u"the row needs the state \"%1\", which does not exist%2"_s.arg(
                            id, settingText(setting).mid(1)));
                    return;
                }
            }
        }
    }

    QHash<int, QMap<std::pair<QString, QString>, Shadowing>>
        m_shadowings; ///< by row, then by (state, trigger)
};

/// Check for loops of transitional states in which nothing takes time.
class LoopCheck : FlowCheck
{
public:
    LoopCheck(Checking &checking, const Flow &flow) : FlowCheck(checking, flow) { }

    void check()
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
            for (const State &state : m_machine.states) {
                if (state.kind == State::Kind::Transitional
                    && exists(state, m_flow.settings()[setting]))
                    addSuccessors(setting, state);
            }
            report();
            m_successors.clear();
        }
    }

private:
    struct Successor
    {
        QString to;
        int row = 0;
    };

    void addSuccessors(int setting, const State &state)
    {
        const QList<Flow::Edge> edges = m_flow.edges(setting, state.id);
        const Ends ends = endsOf(c, state, m_flow.settings()[setting]);
        const auto rowsOn = [&](const QString &trigger) {
            QList<int> rows;
            for (const Flow::Edge &edge : edges) {
                if (edge.trigger == trigger && m_machine.transitions[edge.row].refuse.isEmpty())
                    rows += edge.row;
            }
            return rows;
        };
        for (const QString &end : ends.atOnce) {
            for (const QString &trigger : { end, u"invalid"_s, u"failed"_s }) {
                const QList<int> rows = rowsOn(trigger);
                if (rows.isEmpty())
                    continue;
                addSuccessor(state, rows.first());
                break;
            }
        }
        for (const QString &outcome : c.outcomes) {
            if (!ends.atOnce.contains(outcome) && outcome != u"canceled")
                reportRepeats(state, rowsOn(outcome));
        }
    }

    /// True if a transition is delayed, limited or conditional, so that a loop over it may end.
    static bool isPaused(const Transition &row)
    {
        return row.after > 0 || !row.afterIn.isEmpty() || row.limit
            || row.condition.kind != Condition::Kind::Always;
    }

    void addSuccessor(const State &state, int index)
    {
        const Transition &row = m_machine.transitions[index];
        if (isPaused(row) || row.to.size() != 1)
            return;
        const QString to =
            row.to.first() == SameState ? state.id : m_flow.index().entered(row.to.first());
        const State *next = m_flow.index().state(to);
        if (next && next->kind == State::Kind::Transitional)
            m_successors[state.id] += { to, index };
    }

    /// Reports attempts that are repeated without a limit or a delay.
    void reportRepeats(const State &state, const QList<int> &rows)
    {
        for (const int index : rows) {
            const Transition &row = m_machine.transitions[index];
            const bool isRepeat = row.to == QStringList { SameState.toString() }
                || row.to == QStringList { state.id };
            if (!isRepeat || isPaused(row) || m_reported.contains(index))
                continue;
            m_reported.insert(index);
            c.warning(at(index), u"livelock"_s,
                u"the transition repeats the work without a pause and without limit; add \"after\" or \"limit\""_s);
        }
    }

    /// Returns the strongly connected components: state -> number of its component.
    QHash<QString, int> components() const
    {
        QHash<QString, size_t> vertices;
        const auto vertexOf = [&](const QString &state) {
            const auto next = size_t(vertices.size());
            return vertices.contains(state) ? vertices[state] : *vertices.insert(state, next);
        };
        boost::adjacency_list<> graph;
        for (auto it = m_successors.cbegin(); it != m_successors.cend(); ++it) {
            for (const Successor &next : *it)
                boost::add_edge(vertexOf(it.key()), vertexOf(next.to), graph);
        }
        std::vector<int> numbers(boost::num_vertices(graph));
        boost::strong_components(graph, numbers.data());
        QHash<QString, int> result;
        for (auto it = vertices.cbegin(); it != vertices.cend(); ++it)
            result.insert(it.key(), numbers[*it]);
        return result;
    }

    void report()
    {
        const QHash<QString, int> number = components();
        QSet<int> reported; // numbers of components
        for (const State &state : m_machine.states) {
            for (const Successor &next : m_successors.value(state.id)) {
                if (number[next.to] != number[state.id] || reported.contains(number[state.id]))
                    continue;
                reported.insert(number[state.id]);
                if (m_reported.contains(next.row)) // under another setting
                    continue;
                m_reported.insert(next.row);
                c.error(at(next.row), u"livelock"_s,
                    next.to == state.id
                        ? u"the transition repeats \"%1\" forever without a pause, because the state's work takes no time"_s
                              .arg(state.id)
                        : u"\"%1\" and \"%2\" alternate forever without a pause, because their work takes no time"_s
                              .arg(state.id, next.to));
            }
        }
    }

    QMap<QString, QList<Successor>> m_successors; ///< by state: entered without a pause
    QSet<int> m_reported;                         ///< transitions
};

/// Limit on states times rows from "*", far above what people draw. Larger flows are not checked.
constexpr qsizetype MostPairs = 2'000'000;

bool isTooLarge(const Machine &machine)
{
    const auto fromAnywhere = std::ranges::count_if(
        machine.transitions, [](const Transition &row) { return row.from.contains(AnyState); });
    QSet<QString> named; // states with rows of their own; all others have the same rows
    for (const Transition &row : machine.transitions) {
        for (const QString &from : row.from)
            named.insert(from);
    }
    const auto inside = std::ranges::count_if(
        machine.states, [](const State &state) { return !state.parent.isEmpty(); });
    return (named.size() + inside) * fromAnywhere > MostPairs;
}

} // namespace

void checkMachine(Checking &checking, const Machine &machine)
{
    StructureCheck(checking, machine).check();
    if (isTooLarge(machine)) {
        checking.warning(pointerTo({ u"machines"_s, machine.id }), u"too-large"_s,
            u"the machine is too large to check for rows that never apply"_s);
        return;
    }
    const Flow flow(checking, machine);
    StateCheck(checking, flow).check();
    TransitionCheck(checking, flow).check();
    LoopCheck(checking, flow).check();
}

} // namespace instar
