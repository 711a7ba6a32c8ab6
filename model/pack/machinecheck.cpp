// SPDX-License-Identifier: Apache-2.0
#include "model/pack/machinecheck.h"

#include "model/pack/flow.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <vector>

namespace instar {

namespace {

/// Checks of a machine's rows that need no analysis of the flow.
class Structure
{
public:
    Structure(Checking &checking, const Machine &machine)
        : c(checking), m_machine(machine), m_ways(machine)
    {
        for (const State &state : machine.states)
            m_parents.insert(state.parent);
    }

    void check()
    {
        structure();
        for (const State &state : m_machine.states)
            names(state);
        for (qsizetype i = 0; i < m_machine.transitions.size(); ++i)
            names(m_machine.transitions[i], at({ u"transitions"_s, QString::number(i) }));
        for (qsizetype i = 0; i < m_machine.constraints.size(); ++i) {
            const Constraint &row = m_machine.constraints[i];
            for (const QString &id : row.in) {
                if (const State *state = m_ways.state(id);
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

    void structure()
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
        if (const State *rest = m_ways.state(m_machine.rest);
            rest && rest->kind != State::Kind::Stable)
            c.error(at({ u"rest"_s }), u"wrong-kind"_s,
                u"\"rest\" must be a stable state, and \"%1\" is not stable"_s.arg(m_machine.rest));
        if (const State *history = m_ways.state(m_machine.history)) {
            const State::Kind kind = history->kind;
            if (kind == State::Kind::Transitional || kind == State::Kind::Composite)
                c.error(at({ u"history"_s }), u"wrong-kind"_s,
                    u"\"history\" must be a state in which a resource can rest, and \"%1\" is not"_s
                        .arg(m_machine.history));
        }
    }

    void names(const State &state)
    {
        if (const State *parent = m_ways.state(state.parent)) {
            if (parent->kind != State::Kind::Composite)
                c.error(atState(state.id, u"parent"_s), u"wrong-kind"_s,
                    u"\"%1\" is not a composite, so it cannot contain states"_s.arg(state.parent));
            if (liesInItself(m_ways, state))
                c.error(atState(state.id, u"parent"_s), u"parent-cycle"_s,
                    u"the state contains itself, through \"%1\""_s.arg(state.parent));
        }
        if (state.kind == State::Kind::Composite && !m_parents.contains(state.id))
            c.error(atState(state.id), u"empty-composite"_s, u"the composite contains no states"_s);
        if (state.ownWork && state.kind != State::Kind::Transitional && !state.work.isEmpty())
            c.error(atState(state.id, u"work"_s), u"never-speaks"_s,
                u"only a transitional state can have work"_s);
        if (state.timer)
            timer(state);
        bool decided = false;
        for (qsizetype i = 0; i < state.work.size(); ++i) {
            const QString pointer = atState(state.id, u"work/"_s + QString::number(i));
            names(state.work[i], pointer);
            if (decided && state.work[i].when.isEmpty())
                c.error(pointer, u"never-speaks"_s,
                    u"the step is never reached: the work ends earlier"_s);
            const Step &step = state.work[i];
            decided = decided
                || (step.kind == Step::Kind::Decide && step.when.isEmpty() && !c.isGood(step.name)
                    && step.condition.kind == Condition::Kind::Always);
        }
    }

    void timer(const State &state)
    {
        const QString pointer = atState(state.id, u"timer"_s);
        const QString &op = state.timer->operation;
        const auto leavesOn = [&](const QString &trigger) {
            return std::ranges::any_of(m_ways.from(state.id),
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

    void names(const Step &step, const QString &pointer)
    {
        if ((step.kind == Step::Kind::Send || step.kind == Step::Kind::Require)
            && step.to.isEmpty())
            c.error(pointer, u"nobody-hears"_s, u"the step names no related resources"_s);
        if (step.kind == Step::Kind::Require && c.handled.contains(step.name))
            checkReceivers(pointer + u"/op"_s, step.name, step.to, u"takes the operation"_s);
        if (step.kind == Step::Kind::Send) {
            for (const QString &event : step.events())
                checkReceivers(pointer + u"/send"_s, event, step.to, u"hears"_s);
        }
    }

    /// Reports a trigger that no resource at the relations has a transition on.
    void checkReceivers(
        const QString &pointer, const QString &trigger, const QStringList &to, const QString &verb)
    {
        if (!c.handled.contains(trigger)) {
            c.unknownWith(Diagnostic::Severity::Error, pointer, u"nobody-hears"_s,
                u"no transition %1 \"%2\""_s.arg(verb, trigger), trigger, inOrder(c.handled));
            return;
        }
        for (const QString &relation : to) {
            const QStringList machines = machinesAt(c.pack, m_machine.id, relation);
            const auto hears = [&](const QString &id) {
                const Machine *machine = c.pack.machine(id);
                return !machine
                    || std::ranges::any_of(machine->transitions,
                        [&](const Transition &row) { return row.on.contains(trigger); });
            };
            if (!machines.isEmpty() && std::ranges::none_of(machines, hears)) {
                c.error(pointer, u"nobody-hears"_s,
                    u"no resource at \"%1\" %2 \"%3\": machine %4 has no transition on it"_s.arg(
                        relation, verb, trigger, machines.join(u" or "_s)));
            }
        }
    }

    void names(const Transition &row, const QString &pointer)
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
    WaysOut m_ways;
    QSet<QString> m_parents;
};

/// Base of checks that use the transitions out of each state.
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

/// Checks that states can be reached and left.
class States : FlowCheck
{
public:
    States(Checking &checking, const Flow &flow) : FlowCheck(checking, flow) { }

    void check()
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting)
            m_reached.unite(reached(setting));
        gatherMoved();
        for (const State &state : m_machine.states) {
            if (state.kind == State::Kind::Composite)
                continue;
            if (!m_reached.contains(state.id)) {
                c.error(pointer(state), u"unreachable-state"_s,
                    u"no transition leads to \"%1\", and no resource of the sample is in this state; if only the server enters it, add \"byServer\": true"_s
                        .arg(state.id));
            } else if (state.kind == State::Kind::Stable) {
                stable(state);
            } else if (state.kind == State::Kind::Transitional) {
                transitional(state);
            }
        }
    }

private:
    QString pointer(const State &state) const { return at(u"states"_s, state.id); }

    /// States of resources that were not moved yet.
    QStringList beginnings() const
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

    QSet<QString> reached(int setting) const
    {
        QSet<QString> result;
        QSet<std::pair<int, int>> followed; // group of states, kind
        QStringList open = beginnings();
        while (!open.isEmpty()) {
            const QString at = open.takeLast();
            const State *state = m_flow.ways().state(at);
            if (!state || result.contains(at) || !exists(*state, m_flow.settings()[setting]))
                continue;
            result.insert(at);
            const std::pair alike { m_flow.group(at), int(state->kind) };
            if (followed.contains(alike))
                continue;
            followed.insert(alike);
            for (const Flow::Edge &edge : m_flow.edges(setting, at)) {
                if (!edge.isReachable)
                    continue;
                for (const QString &to : m_machine.transitions[edge.row].to) {
                    if (to == LastState && state->kind == State::Kind::Transitional)
                        open +=
                            m_machine.history.isEmpty() ? m_machine.initial() : m_machine.history;
                    else if (to != SameState && to != LastState)
                        open += m_flow.ways().entered(to);
                }
            }
        }
        return result;
    }

    void stable(const State &state)
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

    /// Outcomes of a state's work under a setting: those that no transition handles, and all.
    struct Unhandled
    {
        QStringList ends;
        bool isAll = false;
    };

    void gatherMoved()
    {
        for (qsizetype i = 0; i < m_machine.transitions.size(); ++i) {
            const Transition &row = m_machine.transitions[i];
            const bool sent = std::ranges::any_of(
                row.on, [&](const QString &on) { return c.events.contains(on); });
            for (const QString &to : sent ? row.to : QStringList())
                m_moved[to] += int(i);
        }
    }

    Unhandled unhandled(const State &state, int setting) const
    {
        const Setting &values = m_flow.settings()[setting];
        QSet<QString> takes;
        for (const Flow::Edge &edge : m_flow.edges(setting, state.id)) {
            if (edge.isReachable && m_machine.transitions[edge.row].refuse.isEmpty())
                takes.insert(edge.trigger);
        }
        Ends ends = endsOf(c, state, values);
        for (const int row : m_moved.value(state.id)) { // it gets the operation's outcome
            if (exists(m_machine.transitions[row], values))
                ends.all.unite({ u"succeeded"_s, u"failed"_s });
        }
        Unhandled result;
        for (const QString &end : std::as_const(ends.all)) {
            if (!takes.contains(end) && !takes.contains(u"invalid"_s)
                && !takes.contains(u"failed"_s))
                result.ends += end;
        }
        result.ends.sort();
        result.isAll = result.ends.size() == ends.all.size();
        return result;
    }

    void transitional(const State &state)
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
    QHash<QString, QList<int>> m_moved; ///< state -> rows on events that lead there
};

/// Checks which rows of a machine can be taken.
class Transitions : FlowCheck
{
public:
    Transitions(Checking &checking, const Flow &flow) : FlowCheck(checking, flow) { }

    void check()
    {
        gather();
        for (qsizetype i = 0; i < m_machine.transitions.size(); ++i) {
            const Transition &row = m_machine.transitions[i];
            const QString pointer = at(i);
            switchedOff(row, row.from + row.to, pointer);
            if (row.from.isEmpty() || row.on.isEmpty())
                continue;
            checkReachable(int(i), row, pointer);
            laterTargets(row, pointer);
        }
        for (qsizetype i = 0; i < m_machine.constraints.size(); ++i) {
            const Constraint &row = m_machine.constraints[i];
            switchedOff(row, row.in, at(u"constraints"_s, QString::number(i)));
        }
        switchedOff(Row(), { m_machine.rest, m_machine.history, m_machine.initial() },
            pointerTo({ u"machines"_s, m_machine.id }));
    }

private:
    /// Reachability of a row on one trigger, over the states of a group and all settings.
    struct Shadowing
    {
        bool isEverReachable = false;
        int by = -1; ///< the last row that shadows it; -1: none alone
    };

    void gather()
    {
        QHash<int, QString> alike;      // group -> the first state in it, which is reported
        QSet<std::pair<int, int>> seen; // (setting, group)
        for (const State &state : m_machine.states) {
            for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
                const int group = m_flow.group(state.id);
                if (group < 0 || !exists(state, m_flow.settings()[setting])
                    || seen.contains({ setting, group }))
                    continue;
                seen.insert({ setting, group });
                if (!alike.contains(group))
                    alike.insert(group, state.id);
                for (const Flow::Edge &edge : m_flow.edges(setting, state.id)) {
                    Shadowing &shadowing = m_shadowings[edge.row][{ alike[group], edge.trigger }];
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
                why = earlier(shadowings.first().by, row);
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

    QString earlier(int by, const Transition &row) const
    {
        if (by < 0)
            return u"earlier transitions cover all its cases"_s;
        const bool refuses = !m_machine.transitions[by].refuse.isEmpty() && row.refuse.isEmpty();
        return (refuses ? u"refusals are checked first, and \"%1\" covers all its cases"_s
                        : u"\"%1\" covers all its cases"_s)
            .arg(titleOf(by));
    }

    /// Title of a transition, as in the tree of the pack: "on · stop · off".
    QString titleOf(int row) const { return outlineOf(c.pack, at(row)).title; }

    /// True if a constraint may keep a resource from a state while the transition exists.
    bool isGuarded(const QString &state, const Transition &row) const
    {
        return std::ranges::any_of(m_machine.constraints, [&](const Constraint &guard) {
            return guard.in.contains(state)
                && std::ranges::any_of(m_flow.settings(), [&](const Setting &setting) {
                       return exists(guard, setting) && exists(row, setting);
                   });
        });
    }

    void laterTargets(const Transition &row, const QString &pointer)
    {
        for (qsizetype i = 0; i + 1 < row.to.size(); ++i) {
            const bool last = row.to[i] == LastState;
            if (!last && (row.force || !isGuarded(m_flow.ways().entered(row.to[i]), row))) {
                c.error(pointer + u"/to"_s, u"never-speaks"_s,
                    u"the target \"%1\" is never chosen: \"%2\" comes first, and no constraint prevents entering it"_s
                        .arg(row.to[i + 1], row.to[i]));
                return;
            }
        }
    }

    /// Reports names in a row that do not exist under all switches under which the row exists.
    void switchedOff(const Row &row, const QStringList &ids, const QString &pointer)
    {
        for (const Setting &setting : m_flow.settings()) {
            if (!exists(row, setting))
                continue;
            for (const QString &id : ids) {
                const State *state = m_flow.ways().state(id);
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
        m_shadowings; ///< row -> (state, trigger) ->
};

/// Checks for loops of transitional states in which nothing takes time.
class Loops : FlowCheck
{
public:
    Loops(Checking &checking, const Flow &flow) : FlowCheck(checking, flow) { }

    void check()
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
            for (const State &state : m_machine.states) {
                if (state.kind == State::Kind::Transitional
                    && exists(state, m_flow.settings()[setting]))
                    gather(setting, state);
            }
            report();
            m_next.clear();
        }
    }

private:
    struct Next
    {
        QString to;
        int row = 0;
    };

    void gather(int setting, const State &state)
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
                step(state, rows.first());
                break;
            }
        }
        if (!ends.atOnce.contains(u"succeeded"_s))
            repeats(state, rowsOn(u"succeeded"_s));
        for (const QString &outcome : c.outcomes) {
            if (!ends.atOnce.contains(outcome) && outcome != u"succeeded" && outcome != u"canceled")
                repeats(state, rowsOn(outcome));
        }
    }

    /// True if a transition is delayed, limited or conditional: a loop might change its condition.
    static bool isPaused(const Transition &row)
    {
        return row.after > 0 || !row.afterIn.isEmpty() || row.limit
            || row.condition.kind != Condition::Kind::Always;
    }

    void step(const State &state, int index)
    {
        const Transition &row = m_machine.transitions[index];
        if (isPaused(row) || row.to.size() != 1)
            return;
        const QString to =
            row.to.first() == SameState ? state.id : m_flow.ways().entered(row.to.first());
        const State *next = m_flow.ways().state(to);
        if (next && next->kind == State::Kind::Transitional)
            m_next[state.id] += { to, index };
    }

    /// Reports attempts that are repeated without a limit or a delay.
    void repeats(const State &state, const QList<int> &rows)
    {
        for (const int index : rows) {
            const Transition &row = m_machine.transitions[index];
            const bool again = row.to == QStringList { SameState.toString() }
                || row.to == QStringList { state.id };
            if (!again || isPaused(row) || m_reported.contains(index))
                continue;
            m_reported.insert(index);
            c.warning(at(index), u"livelock"_s,
                u"the transition repeats the work without a pause and without limit; add \"after\" or \"limit\""_s);
        }
    }

    /// Strongly connected components: state -> number of its component.
    QHash<QString, int> rounds() const
    {
        QHash<QString, size_t> vertices;
        const auto vertexOf = [&](const QString &state) {
            const auto next = size_t(vertices.size());
            return vertices.contains(state) ? vertices[state] : *vertices.insert(state, next);
        };
        boost::adjacency_list<> graph;
        for (auto it = m_next.cbegin(); it != m_next.cend(); ++it) {
            for (const Next &next : *it)
                boost::add_edge(vertexOf(it.key()), vertexOf(next.to), graph);
        }
        std::vector<int> components(boost::num_vertices(graph));
        boost::strong_components(graph, components.data());
        QHash<QString, int> numbers;
        for (auto it = vertices.cbegin(); it != vertices.cend(); ++it)
            numbers.insert(it.key(), components[*it]);
        return numbers;
    }

    void report()
    {
        const QHash<QString, int> number = rounds();
        QSet<int> reported; // components
        for (const State &state : m_machine.states) {
            for (const Next &next : m_next.value(state.id)) {
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

    QMap<QString, QList<Next>> m_next;
    QSet<int> m_reported;
};

/// Limit of states * rows from "*": larger machines are not checked for their flow;
/// people draw far smaller ones.
constexpr qsizetype MostPairs = 2'000'000;

bool isTooLarge(const Machine &machine)
{
    const auto fromAnywhere = std::ranges::count_if(
        machine.transitions, [](const Transition &row) { return row.from.contains(AnyState); });
    QSet<QString> named; // states with rows of their own; the others have equal rows
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
    Structure(checking, machine).check();
    if (isTooLarge(machine)) {
        checking.warning(pointerTo({ u"machines"_s, machine.id }), u"too-large"_s,
            u"the machine is too large to check for rows that never apply"_s);
        return;
    }
    const Flow flow(checking, machine);
    States(checking, flow).check();
    Transitions(checking, flow).check();
    Loops(checking, flow).check();
}

} // namespace instar
