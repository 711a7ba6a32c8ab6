// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/describe.h"

#include <QByteArray>
#include <QJsonValue>
#include <QList>
#include <QMap>
#include <QPointF>
#include <QString>
#include <QStringList>

#include <optional>

namespace instar {

/// JSON member whose key is "$schema" or begins with "x-"; written back unchanged.
struct Extra
{
    QString key;
    QByteArray json;
    bool operator==(const Extra &) const = default;
};

/// Number that identifies a row of a document even after the row is renamed or moved, see
/// identify(). Files do not contain the number, and comparisons of rows ignore it.
struct Identity
{
    quint32 number = 0; ///< 0: none yet
    bool operator==(const Identity &) const { return true; }
};

/// Base of all rows of a pack: explanation, sources, and the switches under which the row exists.
struct Row
{
    QString about;                   ///< reason for the row, in our own words
    QStringList sources;             ///< keys of Pack::sources that state the rule
    QMap<QString, QStringList> when; ///< switch -> values under which the row exists; empty: always
    QList<Extra> extras;             ///< members that no rule reads, such as "x-ours"
    Identity identity;
    bool operator==(const Row &) const = default;
};

/// Boolean expression about a resource, related resources and the operation that evaluates it.
struct Condition
{
    enum class Kind {
        Always,   ///< true
        Label,    ///< the condition that Pack::conditions defines as `text`; if there is none, a
                  ///< label that the request sets, or a property of the resource
        All,      ///< conjunction of `parts`
        Not,      ///< negation of the first of `parts`
        Related,  ///< all (with `some`: at least one) of the resources at relation `text` match
        Last,     ///< the resource's last rest state is one of `states`
        Id,       ///< the resource's name is one of `states`
        Required, ///< another operation required this one, directly or through other operations;
                  ///< with `text`: an operation on a resource at that relation
        Elapsed,  ///< `ms` have passed since the virtual time in property `text`
        Property, ///< property `text` is one of `states` (as text) or `values`, or exceeds `bound`
    };
    /// Related: the state is one of `states`; any resource exists; no resource exists.
    enum class Match { In, Any, None };

    Kind kind = Kind::Always;
    QString text;
    Match match = Match::In;
    bool some = false;
    QStringList states;
    qint64 ms = 0; ///< virtual milliseconds
    std::optional<qint64> bound;
    QList<QJsonValue> values; ///< numbers and booleans; null stands for an absent property
    QList<Condition> parts;
    bool operator==(const Condition &) const = default;

    /// Returns `states` and `values` as texts; "null" stands for an absent property.
    QStringList words() const;
};

/// Number computed from a resource's property: property * `times` + `add`.
struct Figure
{
    QString property {}; ///< a dotted path leads into nested objects
    QString of {};       ///< relation to the owner of the property, in the same tree; empty: self
    qint64 times = 1, add = 0;
    Condition condition {}; ///< the figure is used only if this holds
    bool operator==(const Figure &) const = default;
};

/// One step of the work to be done in a transitional state.
struct Step : Row
{
    enum class Kind {
        Attempt, ///< takes time; the outcome is what the request or the server decides; by default
                 ///< `name` if `where` holds, else succeeded
        Require, ///< starts operation `name` on each resource at `to` for which `where` holds
        Send,    ///< sends event `name`, or that of `byOutcome`, to each resource at `to`
        Decide,  ///< ends the work with outcome `name`
        Until,   ///< waits until `until` holds
    };
    static constexpr int shapes = int(Kind::Until) + 1; ///< number of kinds: see Described
    Kind kind = Kind::Attempt;
    Condition condition; ///< if this does not hold, the step is skipped
    QString name;
    QMap<QString, QString> byOutcome; ///< Send: outcome so far -> event, instead of `name`
    QStringList to;                   ///< Require, Send: relations to the resources
    Condition where;
    Condition until;
    bool together = false;       ///< Require: in parallel, not one after another
    QMap<QString, QString> hear; ///< Require: outcome of the operation -> outcome of this work
    bool operator==(const Step &) const = default;

    QStringList events() const ///< that the step may send
    {
        return kind != Kind::Send ? QStringList()
            : byOutcome.isEmpty() ? QStringList { name }
                                  : byOutcome.values();
    }
};

void describe(auto &visit, MaybeConst<Step> auto &row)
{
    switch (row.kind) {
    case Step::Kind::Attempt:
        visit.row("attempt", "an attempt",
            "An attempt takes time; the request or the server decides its outcome.");
        visit.mark("attempt", "Always true.");
        visit("usually", row.name, { .names = Name::Outcome, .leftOut = "succeeded" },
            "The outcome, unless the request names another.");
        visit("where", row.where, {},
            "Condition for that outcome; if it does not hold, the attempt succeeds.");
        visit.needs("where", "usually");
        break;
    case Step::Kind::Require:
        visit.row("require", "a required operation",
            "Starts an operation on related resources and waits for its end.");
        visit("op", row.name, { .names = Name::Operation, .required = true }, "The operation.");
        visit(
            "to", row.to, { .names = Name::Relation, .required = true }, "The related resources.");
        visit("where", row.where, { .at = &row.to },
            "Selects among the related resources, evaluated when the step runs.");
        visit("together", row.together, {},
            "Runs the operations in parallel, not one after another.");
        visit("hear", row.hear, { .names = Name::Outcome, .keys = Name::Outcome },
            "Maps the required operation's outcome to an outcome of this work.");
        break;
    case Step::Kind::Send:
        visit.row("send", "a send", "Sends an event to related resources.");
        visit("send", SharedKey { row.name, row.byOutcome },
            { .names = Name::Event, .keys = Name::Outcome, .required = true },
            "The event, or a map from the work's outcome so far to the event.");
        visit(
            "to", row.to, { .names = Name::Relation, .required = true }, "The related resources.");
        break;
    case Step::Kind::Decide:
        visit.row("decide", "a decision", "The pack decides how the work ends.");
        visit("outcome", row.name, { .names = Name::Outcome, .required = true }, "The outcome.");
        break;
    case Step::Kind::Until:
        visit.row("until", "a wait", "Waits until a condition holds.");
        visit("until", row.until, { .required = true }, "The condition to wait for.");
        break;
    }
    visit("if", row.condition, {}, "Condition; if it does not hold, the step is skipped.");
    describeCommon(visit, row);
}

struct Timer
{
    QString operation {};      ///< in a stable state: the operation to start
    QString outcome {};        ///< in a transitional state: outcome of work that times out
    QList<Figure> at {};       ///< base time, virtual ms: the first figure that exists, else 0
    qint64 after = 0;          ///< offset to the base time, ms; may be negative
    QList<Figure> afterIn {};  ///< the first figure that exists replaces `after`
    qint64 every = 0;          ///< fires only at multiples of this many ms; 0: at any time
    QList<Condition> order {}; ///< priority among timers that fire at the same time
    bool operator==(const Timer &) const = default;
};

void describe(auto &visit, MaybeConst<Timer> auto &row)
{
    visit.row("timer", "a timer",
        "In a stable state, the timer starts an operation; in a transitional state, it ends the "
        "work.");
    visit(
        "op", row.operation, { .names = Name::Operation }, "The operation that the timer starts.");
    visit("outcome", row.outcome, { .names = Name::Outcome },
        "In a transitional state: the outcome of work that times out.");
    visit("at", row.at, { .leftOut = "the time of entering the state" },
        "The property that contains the base time, in virtual time.");
    visit("after", SharedKey { row.afterIn, row.after },
        { .least = row.at.isEmpty() ? 0 : -MostWhole, .unit = "ms" },
        "Offset to the base time, in virtual milliseconds; a negative offset is before it.");
    visit("every", row.every, { .unit = "ms" },
        "The timer fires only at multiples of this many virtual milliseconds.");
    visit("order", row.order, {},
        "Priority of resources whose timers fire at the same time: first those for which the first "
        "condition holds, then the second, and so on.");
    visit.oneOf("op", "outcome");
    visit.excludes("outcome", "every");
    visit.excludes("outcome", "order");
}

struct State : Row
{
    enum class Kind {
        Initial,      ///< the resource does not exist
        Stable,       ///< the resource rests
        Transitional, ///< work is in progress
        Composite     ///< contains other states
    };
    QString id;
    Kind kind = Kind::Stable;
    QString parent;        ///< composite that contains this state; empty: none
    QString label;         ///< shown instead of the id
    QString as;            ///< alias shown to clients, or "(last)"; empty: the id is shown
    bool byServer = false; ///< only the server, no transition, enters this state
    bool isEnd = false;    ///< final: no transition leaves it
    QList<Step> work;
    bool ownWork = false; ///< the file has `work`; false: a transitional state makes one attempt
    std::optional<Timer> timer;      ///< of a stable or transitional state
    std::optional<QPointF> position; ///< centre in the chart, in points at zoom 1
    std::optional<QPointF> size;     ///< of a composite: width and height around `position`
    bool operator==(const State &) const = default;
};

inline constexpr const char *StateKindWords[] = { "initial", "stable", "transitional",
    "composite" };

void describe(auto &visit, MaybeConst<State> auto &row)
{
    visit.row("state", "a state", "A state of the machine.");
    visit("kind", row.kind,
        { .words = StateKindWords, .absent = int(State::Kind::Stable), .leftOut = "stable" },
        "initial: the resource does not exist; stable: it rests; transitional: work is in "
        "progress; composite: contains other states.");
    visit(
        "parent", row.parent, { .names = Name::State }, "The composite that contains this state.");
    visit("label", row.label, {}, "The text that the chart shows instead of the id.");
    visit("as", row.as, { .names = Name::Alias },
        "The state that clients see instead; \"(last)\" is the last resting state.");
    visit("byServer", row.byServer, {},
        "Only the server moves resources to this state; suppresses the warning that no transition "
        "does.");
    visit(
        "end", row.isEnd, {}, "Final state; suppresses the warning that no transition leads out.");
    visit("at", row.position, { .unit = "pt", .drawing = true },
        "The state's centre in the chart, in points.");
    visit("size", row.size, { .unit = "pt", .drawing = true },
        "Width and height of a composite, centred at \"at\", in points. A composite is never "
        "smaller than its content.");
    visit("work", SharedKey { row.work, row.ownWork }, { .leftOut = "one attempt" },
        "The steps of the work in this state, in order.");
    visit("timer", row.timer, {},
        "In a stable state, the timer starts an operation; in a transitional state, it ends the "
        "work.");
    describeCommon(visit, row);
}

/// Change of one property of the resource that takes a transition.
struct Assignment
{
    QString property;
    QJsonValue value;          ///< a text, number or boolean; null removes the property
    std::optional<qint64> add; ///< instead of `value`: added to a property that is a number
    bool operator==(const Assignment &) const = default;
};

auto &idOf(MaybeConst<Assignment> auto &row)
{
    return row.property;
}

/// Rule that moves a resource between states; the first one that matches is taken.
struct Transition : Row
{
    QStringList from; ///< states, composites, or "*" for every state in which the resource exists
    QStringList on;   ///< operations, outcomes of work, events sent by other resources
    Condition condition;
    QStringList to;           ///< empty: a refusal, or the operation ends at once
    QString refuse;           ///< the refusal, instead of a target
    QList<Assignment> set;    ///< applied in the new state before its work; without `to`, at once
    std::optional<int> limit; ///< maximum number per operation; after that, the operation fails
    qint64 after = 0;         ///< delay of the work in the entered state, ms
    QList<Figure> afterIn;    ///< the first figure that exists replaces `after`
    bool force = false;       ///< enters even if a constraint does not hold
    QString label;
    double bend = 0; ///< how far the drawn arrow bows to its left, in points
    bool operator==(const Transition &) const = default;
};

void describe(auto &visit, MaybeConst<Transition> auto &row)
{
    visit.row("transition", "a transition", "A transition between states.");
    visit("from", row.from, { .names = Name::From, .required = true },
        "States, composites, or \"*\" for every state in which the resource exists.");
    visit("on", row.on, { .names = Name::Trigger, .required = true },
        "Operations, outcomes of work, or events that other resources send.");
    visit("if", row.condition, {}, "Guard: the transition is taken only if this condition holds.");
    visit("to", row.to,
        { .names = Name::To,
            .leftOut = "the operation ends at once; it moves and cancels nothing, unless "
                       "\"refuse\" is given" },
        "The state to enter; of several states, the first whose constraints hold. \"(same)\" is "
        "the current state, \"(last)\" the last resting state.");
    visit("refuse", row.refuse, { .names = Name::Refusal }, "The refusal, instead of a target.");
    visit("set", row.set, { .keys = Name::Property },
        "Changes of the resource's properties when the transition is taken.");
    visit("limit", row.limit, { .most = std::numeric_limits<int>::max() },
        "Number of times that the transition may be taken in one operation; after that, the "
        "operation fails.");
    visit("after", SharedKey { row.afterIn, row.after }, { .unit = "ms" },
        "Delay before the work in the entered state begins, in virtual milliseconds.");
    visit("force", row.force, {}, "Enters the state even if a constraint does not hold.");
    visit("label", row.label, {}, "The text on the arrow.");
    visit("bend", row.bend, { .unit = "pt", .drawing = true },
        "How far the arrow bows to its left, in points.");
    visit.excludes("refuse", "to");
    visit.excludes("refuse", "set");
    describeCommon(visit, row);
}

/// Invariant of states: checked on entry, used to choose among several targets, and monitored.
struct Constraint : Row
{
    QStringList in;
    QList<Condition> holds; ///< all must hold; each is of kind Related
    bool operator==(const Constraint &) const = default;
};

void describe(auto &visit, MaybeConst<Constraint> auto &row)
{
    visit.row("constraint", "a constraint", "A constraint on related resources in a state.");
    visit("in", row.in, { .names = Name::State, .required = true },
        "The states in which the constraint must hold.");
    visit("holds", row.holds, { .keys = Name::Relation, .required = true },
        "Relations, and the allowed states of the related resources.");
    describeCommon(visit, row);
}

struct ChartNote : Row
{
    QString text;                    ///< lines
    QString of;                      ///< state that the note is about; empty: none
    std::optional<QPointF> position; ///< centre in the chart; absent: beside the state
    bool operator==(const ChartNote &) const = default;
};

void describe(auto &visit, MaybeConst<ChartNote> auto &row)
{
    visit.row("note", "a note", "A note on the chart; it does not affect the machine.");
    visit("text", row.text, { .required = true }, "The text, in lines.");
    visit("of", row.of, { .names = Name::State }, "The state that the note is about.");
    visit("at", row.position, { .unit = "pt", .leftOut = "beside that state", .drawing = true },
        "The note's centre in the chart, in points.");
    describeCommon(visit, row);
}

struct Machine : Row
{
    QString id;
    QString title;
    QString rest;    ///< initial state of resources for which none is given
    QString history; ///< what "(last)" means if a resource never rested; empty: the initial state
    QList<State> states;
    QList<Transition> transitions;
    QList<Constraint> constraints;
    QList<ChartNote> notes;
    bool operator==(const Machine &) const = default;

    const State *state(const QString &id) const; ///< null: there is none
    /// Returns the id of the first initial state; empty if there is none.
    QString initial() const;
    /// Key of the extra that marks a machine as a statechart with history or regions. The states
    /// and transitions of such a machine are the chart's vertices and arrows, which the statechart
    /// interpreter runs.
    static constexpr QStringView StatechartMark = u"x-statechart";
    bool isStatechart() const;
};

void describe(auto &visit, MaybeConst<Machine> auto &row)
{
    visit.row("machine", "a machine", "The state machine of one kind of resource.");
    visit("title", row.title, {}, "The name to display.");
    visit("rest", row.rest, { .names = Name::State, .required = true },
        "The initial state of resources for which no state is given.");
    visit("history", row.history, { .names = Name::State, .leftOut = "the initial state" },
        "The state that \"(last)\" stands for if a resource never rested.");
    visit("states", row.states, { .keys = Name::State, .required = true }, "The states, by id.");
    visit("transitions", row.transitions, {},
        "The transitions; the first one that matches is taken.");
    visit("constraints", row.constraints, { .anyOrder = true },
        "Conditions for entering a state and staying in it.");
    visit("notes", row.notes, { .anyOrder = true }, "Notes on the chart.");
    describeCommon(visit, row);
}

} // namespace instar
