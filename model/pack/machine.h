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

/// A JSON member whose key begins with "x-": kept for its owner, never read.
struct Extra
{
    QString key;
    QByteArray json;
    bool operator==(const Extra &) const = default;
};

/// Which row of a document it is, whatever it is called and wherever it stands: see identify().
/// Neither written nor compared: two rows that say the same are equal.
struct Identity
{
    quint32 number = 0; ///< 0: none yet
    bool operator==(const Identity &) const { return true; }
};

/// What every row of a pack may carry beside its meaning.
struct Row
{
    QString about;                   ///< our words on why the row is there
    QStringList sources;             ///< keys of Pack::sources: where the rule is written
    QMap<QString, QStringList> when; ///< switch -> values under which the row exists; empty: always
    QList<Extra> extras;
    Identity identity;
    bool operator==(const Row &) const = default;
};

/// A question about a resource, its relatives and the operation that asks.
struct Condition
{
    enum class Kind {
        Always,   ///< no question: holds
        Label,    ///< `text`: bound in Pack::conditions, else answered by the operation or the
                  ///< resource's properties
        All,      ///< every one of `parts`
        Not,      ///< not the first of `parts`
        Related,  ///< the resources at relation `text`: all (or `some`) match
        Last,     ///< the state it last rested in is one of `states`
        Id,       ///< its name is one of `states`
        Required, ///< the asking operation was required by another one; with `text`, directly or by
                  ///< way of others by one on a resource at relation `text`
        Elapsed,  ///< `ms` have passed since the virtual time in property `text`
        Property, ///< its property `text` is one of `states` (as text) or `values`, or a number
                  ///< above `bound`
    };
    enum class Match { In, Any, None }; ///< in one of `states`; there is one at all; there is none

    Kind kind = Kind::Always;
    QString text;
    Match match = Match::In;
    bool some = false;
    QStringList states;
    qint64 ms = 0; ///< virtual milliseconds
    std::optional<qint64> bound;
    QList<QJsonValue> values; ///< beside texts: a number, true, false; null: it has none such
    QList<Condition> parts;
    bool operator==(const Condition &) const = default;

    /// `states` and `values` as words; "null" is none.
    QStringList words() const;
};

/// A number that a resource's property holds: times `times`, and `add` more.
struct Figure
{
    QString property {}; ///< a dotted path leads into nested objects
    QString of {}; ///< relation of the resource that has it, in the same tree; empty: this one
    qint64 times = 1, add = 0;
    Condition condition {}; ///< only where it holds
    bool operator==(const Figure &) const = default;
};

/// One step of the work to be done in a transitional state.
struct Step : Row
{
    enum class Kind {
        Attempt, ///< takes time; its outcome comes from outside; usually it is `name` where `where`
                 ///< holds, else succeeded
        Require, ///< operation `name` on each resource at `to` for which `where` holds
        Send,    ///< event `name` (or by the outcome so far) to each resource at `to`
        Decide,  ///< the pack decides: outcome `name`
        Until,   ///< waits until `until` holds
    };
    static constexpr int shapes = int(Kind::Until) + 1;
    Kind kind = Kind::Attempt;
    Condition condition; ///< the step is skipped where it does not hold
    QString name;
    QMap<QString, QString> byOutcome; ///< Send: my outcome so far -> event, instead of `name`
    QStringList to;                   ///< relations
    Condition where;
    Condition until;
    bool together = false;       ///< Require: all at once rather than one after another
    QMap<QString, QString> hear; ///< Require: the required operation's outcome -> mine
    bool operator==(const Step &) const = default;
};

void describe(auto &visit, Of<Step> auto &row)
{
    switch (row.kind) {
    case Step::Kind::Attempt:
        visit.row("attempt", "an attempt", "Takes time; how it ends comes from outside.");
        visit.mark("attempt", "Always true.");
        visit("usually", row.name, { .names = Name::Outcome, .leftOut = "succeeded" },
            "How it ends unless a request says otherwise.");
        visit("where", row.where, {}, "Where that holds; elsewhere it succeeds.");
        visit.needs("where", "usually");
        break;
    case Step::Kind::Require:
        visit.row("require", "a required operation",
            "Asks an operation of related resources and waits for it.");
        visit("op", row.name, { .names = Name::Operation, .required = true }, "The operation.");
        visit(
            "to", row.to, { .names = Name::Relation, .required = true }, "The related resources.");
        visit("where", row.where, { .at = &row.to },
            "Asked of each related resource, as late as possible.");
        visit("together", row.together, {}, "All at once, not one after another.");
        visit("hear", row.hear, { .names = Name::Outcome, .keys = Name::Outcome },
            "The required operation's outcome, and what it is to this one.");
        break;
    case Step::Kind::Send:
        visit.row("send", "a send", "Sends an event to related resources.");
        visit("send", Both { row.name, row.byOutcome },
            { .names = Name::Event, .keys = Name::Outcome, .required = true },
            "The event, or the event by the outcome so far.");
        visit(
            "to", row.to, { .names = Name::Relation, .required = true }, "The related resources.");
        break;
    case Step::Kind::Decide:
        visit.row("decide", "a decision", "The pack decides how the work ends.");
        visit("outcome", row.name, { .names = Name::Outcome, .required = true }, "The outcome.");
        break;
    case Step::Kind::Until:
        visit.row("until", "a wait", "Waits for something.");
        visit("until", row.until, { .required = true }, "What is waited for.");
        break;
    }
    visit("if", row.condition, {}, "Left out where this does not hold.");
    describeCommon(visit, row);
}

/// What the clock does to a resource in a state: it asks for an operation where the resource rests,
/// and ends its work where it works.
struct Timer
{
    QString operation {}; ///< stable state
    QString outcome {};   ///< transitional state: how the work ends that is not over in time
    QList<Figure> at {};  ///< the first that there is holds the virtual time (ms), and no one 0;
                          ///< empty: counted from entry
    qint64 after = 0;     ///< so many ms after that; less than 0: before
    QList<Figure> afterIn {};  ///< the first that there is says so instead of `after`
    qint64 every = 0;          ///< the clock looks only at multiples of this many ms; 0: always
    QList<Condition> order {}; ///< of those due at once: first where the first of these holds, then
                               ///< the second; the others last
    bool operator==(const Timer &) const = default;
};

void describe(auto &visit, Of<Timer> auto &row)
{
    visit.row("timer", "a timer",
        "What the clock does to a resource here: where it rests, the clock asks for an operation; "
        "where it works, the clock ends the work.");
    visit("op", row.operation, { .names = Name::Operation }, "The operation that it fires.");
    visit("outcome", row.outcome, { .names = Name::Outcome },
        "In a transitional state: how the work ends that is not over in time.");
    visit("at", row.at, { .leftOut = "the time counts from entering" },
        "The property that holds the virtual time.");
    visit("after", Both { row.afterIn, row.after },
        { .least = row.at.isEmpty() ? 0 : -MostWhole, .unit = "ms" },
        "So many virtual milliseconds after entering, or after the time in \"at\"; a negative "
        "number is before it.");
    visit("every", row.every, { .unit = "ms" },
        "The clock looks only at multiples of this many virtual milliseconds.");
    visit("order", row.order, {},
        "Of the resources that are due at once, those for which the first condition holds go "
        "first, then those for which the second does, and so on.");
    visit.oneOf("op", "outcome");
    visit.excludes("outcome", "every");
    visit.excludes("outcome", "order");
}

struct State : Row
{
    enum class Kind { Initial, Stable, Transitional, Composite };
    QString id;
    Kind kind = Kind::Stable;
    QString parent;        ///< the composite it lies in; empty: none
    QString label;         ///< shown instead of the id
    QString as;            ///< the word it passes for: a word, "(last)", or empty for its own id
    bool byServer = false; ///< only a server brings resources there; no row does
    bool isEnd = false;    ///< what rests there stays there; no row leads out
    QList<Step> work;
    bool ownWork = false; ///< `work` was written; otherwise a transitional state attempts once
    std::optional<Timer> timer;      ///< of a stable or transitional state
    std::optional<QPointF> position; ///< centre in the chart, in points at zoom 1
    std::optional<QPointF> size;     ///< of a composite: width and height around `position`
    bool operator==(const State &) const = default;
};

inline constexpr const char *StateKindWords[] = { "initial", "stable", "transitional",
    "composite" };

void describe(auto &visit, Of<State> auto &row)
{
    visit.row("state", "a state", "What a resource can be in.");
    visit("kind", row.kind,
        { .words = StateKindWords, .absent = int(State::Kind::Stable), .leftOut = "stable" },
        "initial: the resource is not there; stable: it rests; transitional: work is in progress; "
        "composite: holds other states.");
    visit("parent", row.parent, { .names = Name::State }, "The composite it lies in.");
    visit("label", row.label, {}, "Shown instead of the id.");
    visit("as", row.as, { .names = Name::Word },
        "The word it passes for; \"(last)\": the state in which it last rested.");
    visit("byServer", row.byServer, {},
        "Only a server brings resources here, no row does: no doubt that nothing leads here.");
    visit("end", row.isEnd, {},
        "Where it ends: a resource that rests here stays. No doubt that nothing leads out.");
    visit("at", row.position, { .unit = "pt", .drawing = true },
        "The state's centre in the chart, in points.");
    visit("size", row.size, { .unit = "pt", .drawing = true },
        "How wide and tall a composite is around that, in points, where there is room. It is never "
        "smaller than what is in it.");
    visit("work", Both { row.work, row.ownWork }, { .leftOut = "one attempt" },
        "What must happen here, in order.");
    visit("timer", row.timer, {},
        "What the clock does to a resource here: where it rests, the clock asks for an operation; "
        "where it works, the clock ends the work.");
    describeCommon(visit, row);
}

/// What a transition does to one property of the resource that takes it.
struct Assignment
{
    QString property;
    QJsonValue value;          ///< a text, number, true or false; null: the property goes
    std::optional<qint64> add; ///< instead of `value`: so much more, where the property is a number
    bool operator==(const Assignment &) const = default;
};

auto &idOf(Of<Assignment> auto &row)
{
    return row.property;
}

/// The first transition that fits a state, a trigger and its condition is taken.
struct Transition : Row
{
    QStringList from; ///< states, composites, or "*" for every state in which the resource exists
    QStringList on;   ///< operations, outcomes of work, events sent by other resources
    Condition condition;
    QStringList to;        ///< the first whose constraint holds; also "(same)" and "(last)"; empty:
                           ///< goes nowhere, or refuses
    QString refuse;        ///< the refusal that speaks instead of a target
    QList<Assignment> set; ///< done when the resource is in the new state, before the work there
                           ///< begins; without `to`, at once
    std::optional<int>
        limit;             ///< may be taken so often in one operation; then the outcome is `failed`
    qint64 after = 0;      ///< the work of the state entered begins so many ms later
    QList<Figure> afterIn; ///< the first that there is says so instead of `after`
    bool force = false;    ///< enters even where a constraint does not hold
    QString label;
    double bend = 0; ///< how far the drawn arrow bows to its left, in points
    bool operator==(const Transition &) const = default;
};

void describe(auto &visit, Of<Transition> auto &row)
{
    visit.row("transition", "a transition", "How a resource gets from state to state.");
    visit("from", row.from, { .names = Name::From, .required = true },
        "States, composites, or \"*\" for every state in which the resource exists.");
    visit("on", row.on, { .names = Name::Trigger, .required = true },
        "Operations, outcomes of work, or events that other resources send.");
    visit("if", row.condition, {}, "Taken only where this holds.");
    visit("to", row.to,
        { .names = Name::To,
            .leftOut = "nothing moves and nothing is canceled, unless it is refused" },
        "The state, or several of which the first is entered whose constraints hold; \"(same)\" "
        "and \"(last)\" are words, too.");
    visit("refuse", row.refuse, { .names = Name::Refusal }, "The refusal that answers instead.");
    visit("set", row.set, { .keys = Name::Property },
        "What becomes of the resource's properties when the row is taken.");
    visit("limit", row.limit, { .most = std::numeric_limits<int>::max() },
        "How often it may be taken in one operation; then the outcome is failed.");
    visit("after", Both { row.afterIn, row.after }, { .unit = "ms" },
        "The work of the state that is entered begins so many virtual milliseconds later.");
    visit("force", row.force, {}, "Enters even where a constraint does not hold.");
    visit("label", row.label, {}, "Shown on the arrow.");
    visit("bend", row.bend, { .unit = "pt", .drawing = true },
        "How far the arrow bows to its left, in points.");
    visit.excludes("refuse", "to");
    visit.excludes("refuse", "set");
    describeCommon(visit, row);
}

/// `holds` guards entry to the states, chooses among several targets, and is watched.
struct Constraint : Row
{
    QStringList in;
    QList<Condition> holds; ///< each of kind Related
    bool operator==(const Constraint &) const = default;
};

void describe(auto &visit, Of<Constraint> auto &row)
{
    visit.row("constraint", "a constraint", "What must hold in a state.");
    visit("in", row.in, { .names = Name::State, .required = true }, "The states.");
    visit("holds", row.holds, { .keys = Name::Relation, .required = true },
        "Relations, and the states in which the related resources must be.");
    describeCommon(visit, row);
}

/// Words on the chart.
struct ChartNote : Row
{
    QString text;                    ///< lines of it
    QString of;                      ///< the state that it stands beside; empty: none
    std::optional<QPointF> position; ///< centre in the chart; nothing: beside that state
    bool operator==(const ChartNote &) const = default;
};

void describe(auto &visit, Of<ChartNote> auto &row)
{
    visit.row("note", "a note", "Words on the chart; they mean nothing to the machine.");
    visit("text", row.text, { .required = true }, "The words, in lines.");
    visit("of", row.of, { .names = Name::State }, "The state that it is about.");
    visit("at", row.position, { .unit = "pt", .leftOut = "beside its state", .drawing = true },
        "The note's centre in the chart, in points.");
    describeCommon(visit, row);
}

/// What one kind of resource goes through.
struct Machine : Row
{
    QString id;
    QString title;
    QString rest;    ///< the state of a resource that just exists
    QString history; ///< what "(last)" means for one that never rested; empty: the initial state
    QList<State> states;
    QList<Transition> transitions;
    QList<Constraint> constraints;
    QList<ChartNote> notes;
    bool operator==(const Machine &) const = default;

    const State *state(const QString &id) const;
    /// Its one initial state's id; empty where there is none.
    QString initial() const;
    /// Key of the extra that marks a statechart with history or regions. Its rows are vertices and
    /// arrows: drawn, edited and saved as what they were, and run by an interpreter.
    static constexpr QStringView StatechartMark = u"x-statechart";
    bool isStatechart() const;
};

void describe(auto &visit, Of<Machine> auto &row)
{
    visit.row("machine", "a machine", "What one kind of resource goes through.");
    visit("title", row.title, {}, "Its name for people.");
    visit("rest", row.rest, { .names = Name::State, .required = true },
        "The state of a resource that just exists.");
    visit("history", row.history, { .names = Name::State, .leftOut = "the initial state" },
        "What \"(last)\" means for a resource that never rested.");
    visit("states", row.states, { .keys = Name::State, .required = true }, "The states, by id.");
    visit("transitions", row.transitions, {}, "The transitions; the first that fits is taken.");
    visit("constraints", row.constraints, { .anyOrder = true },
        "What must hold for a state to be entered, and is watched.");
    visit("notes", row.notes, { .anyOrder = true }, "Notes on the chart.");
    describeCommon(visit, row);
}

} // namespace instar
