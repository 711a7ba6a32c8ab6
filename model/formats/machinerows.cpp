// SPDX-License-Identifier: Apache-2.0
#include "model/formats/machinerows.h"

#include "model/formats/condition.h"

#include <limits>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QStringList &stateKinds()
{
    static const QStringList words { u"initial"_s, u"stable"_s, u"transitional"_s, u"composite"_s };
    return words; // in the order of State::Kind
}

constexpr qint64 leastWhole = -(qint64(1) << 53); // what JSON numbers hold exactly

/// A number of ms, a property's name, or an object that says what to make of a property and what
/// counts where there is none. `fixed` is the number; null: there must be none.
QList<Figure> readFigures(Reading &reading, Value value, qint64 least, qint64 *fixed)
{
    QList<Figure> figures;
    while (value) {
        if (value.is(Value::Kind::String)) {
            figures += Figure { .property = reading.text(value) };
            break;
        }
        if (!value.is(Value::Kind::Object)) {
            if (fixed && value.is(Value::Kind::Number))
                *fixed = reading.whole(value, least);
            else
                reading.expected(fixed
                        ? u"a number of ms, a property's name, or an object with property"_s
                        : u"a property's name, or an object with property"_s,
                    value);
            break;
        }
        const Fields fields(reading, value, { "property", "of", "times", "add", "if", "else" });
        Figure figure { .property = fields.text("property", Need::Required),
            .of = fields.text("of"),
            .times = fields.whole("times", 1) };
        if (const Value add = fields.value("add"))
            figure.add = reading.whole(add, leastWhole);
        figure.condition = readCondition(reading, fields.value("if"));
        figures += figure;
        value = fields.value("else");
    }
    return figures;
}

Output figureOutput(const QList<Figure> &figures, qsizetype at, qint64 fixed)
{
    if (at == figures.size())
        return Output::integer(fixed);
    const Figure &figure = figures[at];
    const bool isLast = at + 1 == figures.size() && fixed == 0;
    if (isLast && figure == Figure { .property = figure.property })
        return Output::string(figure.property);
    Output object = Output::object();
    object.add(u"property", Output::string(figure.property));
    addText(&object, "of", figure.of);
    addWhole(&object, "times", figure.times, 1);
    addWhole(&object, "add", figure.add);
    if (figure.condition.kind != Condition::Kind::Always)
        object.add(u"if", conditionOutput(figure.condition));
    if (!isLast)
        object.add(u"else", figureOutput(figures, at + 1, fixed));
    return object;
}

void addFigures(Output *object, const char *key, const QList<Figure> &figures, qint64 fixed = 0)
{
    if (!figures.isEmpty() || fixed != 0)
        object->add(QString::fromLatin1(key), figureOutput(figures, 0, fixed));
}

Timer readTimer(Reading &reading, Value value)
{
    const Fields fields(reading, value, { "op", "outcome", "at", "after", "every", "order" });
    Timer timer;
    const bool isOutcome = fields.has("outcome");
    timer.operation = fields.text("op", isOutcome ? Need::Optional : Need::Required);
    timer.outcome = fields.text("outcome");
    if (isOutcome) {
        for (const char *key : { "op", "every", "order" }) {
            if (fields.has(key))
                reading.error(fields.value(key),
                    u"expected no \"%1\" beside \"outcome\""_s.arg(QLatin1StringView(key)),
                    u"value"_s);
        }
    }
    timer.at = readFigures(reading, fields.value("at"), 0, nullptr);
    timer.afterIn = readFigures(
        reading, fields.value("after"), timer.at.isEmpty() ? 0 : leastWhole, &timer.after);
    timer.every = fields.whole("every");
    timer.order = readList<Condition>(
        reading, fields.value("order"), [&](Value turn) { return readCondition(reading, turn); });
    return timer;
}

Output timerOutput(const Timer &timer)
{
    Output object = Output::object();
    addText(&object, "op", timer.operation);
    addText(&object, "outcome", timer.outcome);
    addFigures(&object, "at", timer.at);
    addFigures(&object, "after", timer.afterIn, timer.after);
    addWhole(&object, "every", timer.every);
    if (!timer.order.isEmpty()) {
        Output order = Output::array();
        for (const Condition &turn : timer.order)
            order.add(conditionOutput(turn));
        object.add(u"order", std::move(order));
    }
    return object;
}

std::optional<QPointF> readPosition(Reading &reading, Value value)
{
    if (!value)
        return {};
    if (value.size() != 2 || !value.is(Value::Kind::Array)) {
        reading.expected(u"a position: [x, y]"_s, value);
        return {};
    }
    const double x = reading.real(*value.items().begin());
    const double y = reading.real(*++value.items().begin());
    return QPointF(x, y);
}

State readState(Reading &reading, const QString &id, Value value)
{
    State state;
    state.id = id;
    const RowFields fields(reading, value,
        { "kind", "parent", "label", "work", "as", "byServer", "timer", "at" }, &state);
    if (fields.has("kind"))
        state.kind = State::Kind(reading.choice(fields.value("kind"), stateKinds()));
    state.parent = fields.text("parent");
    state.label = fields.text("label");
    state.as = fields.text("as");
    state.byServer = fields.flag("byServer");
    state.ownWork = fields.has("work");
    state.work = readList<Step>(
        reading, fields.value("work"), [&](Value step) { return readStep(reading, step); });
    if (fields.has("timer"))
        state.timer = readTimer(reading, fields.value("timer"));
    state.position = readPosition(reading, fields.value("at"));
    return state;
}

Output stateOutput(const State &state)
{
    Output object = Output::object();
    if (state.kind != State::Kind::Stable)
        object.add(u"kind", Output::string(stateKinds().at(int(state.kind))));
    addText(&object, "parent", state.parent);
    addText(&object, "label", state.label);
    addText(&object, "as", state.as);
    if (state.byServer)
        object.add(u"byServer", Output::boolean(true));
    if (state.position) {
        Output position = Output::array();
        position.add(Output::real(state.position->x()));
        position.add(Output::real(state.position->y()));
        object.add(u"at", std::move(position));
    }
    if (state.ownWork) {
        Output work = Output::array();
        for (const Step &step : state.work)
            work.add(stepOutput(step));
        object.add(u"work", std::move(work));
    }
    if (state.timer)
        object.add(u"timer", timerOutput(*state.timer));
    addRow(&object, state);
    return object;
}

Assignment readAssignment(Reading &reading, const QString &property, Value value)
{
    Assignment assignment { .property = property };
    switch (value.kind()) {
    case Value::Kind::Object: {
        const Fields fields(reading, value, { "add" });
        assignment.add = reading.whole(fields.value("add", Need::Required), -(qint64(1) << 53));
        break;
    }
    case Value::Kind::Array:
        reading.expected(u"a text, a number, true, false, null, or {\"add\": number}"_s, value);
        break;
    default:
        assignment.value = value.json();
    }
    return assignment;
}

Output assignmentOutput(const Assignment &assignment)
{
    if (assignment.add) {
        Output object = Output::object();
        object.add(u"add", Output::integer(*assignment.add));
        return object;
    }
    return valueOutput(assignment.value);
}

Transition readTransition(Reading &reading, Value value)
{
    Transition transition;
    const RowFields fields(reading, value,
        { "from", "on", "if", "to", "refuse", "set", "limit", "after", "force", "label", "bend" },
        &transition);
    transition.from = fields.textOrTexts("from", Need::Required);
    transition.on = fields.textOrTexts("on", Need::Required);
    transition.condition = readCondition(reading, fields.value("if"));
    transition.to = fields.textOrTexts("to");
    transition.refuse = fields.text("refuse");
    if (!transition.to.isEmpty() && !transition.refuse.isEmpty())
        reading.error(fields.value("refuse"), u"expected either \"to\" or \"refuse\", found both"_s,
            u"value"_s);
    transition.set = readById<Assignment>(reading, fields.value("set"),
        [&](const QString &property, Value to) { return readAssignment(reading, property, to); });
    if (!transition.set.isEmpty() && transition.to.isEmpty())
        reading.error(fields.value("set"),
            u"expected \"to\" beside \"set\": a row that leads nowhere changes nothing"_s,
            u"value"_s);
    if (const Value limit = fields.value("limit")) {
        const qint64 times = reading.whole(limit);
        if (times > std::numeric_limits<int>::max())
            reading.expected(u"a number of times below 2^31"_s, limit);
        else
            transition.limit = int(times);
    }
    transition.afterIn = readFigures(reading, fields.value("after"), 0, &transition.after);
    transition.force = fields.flag("force");
    transition.label = fields.text("label");
    transition.bend = reading.real(fields.value("bend"));
    return transition;
}

Output transitionOutput(const Transition &transition)
{
    Output object = Output::object();
    addTexts(&object, "from", transition.from, Need::Required);
    addTexts(&object, "on", transition.on, Need::Required);
    addCondition(&object, "if", transition.condition);
    addTexts(&object, "to", transition.to);
    addText(&object, "refuse", transition.refuse);
    Output set = Output::object();
    for (const Assignment &assignment : transition.set)
        set.add(assignment.property, assignmentOutput(assignment));
    if (!set.isEmpty())
        object.add(u"set", std::move(set));
    if (transition.limit)
        object.add(u"limit", Output::integer(*transition.limit));
    addFigures(&object, "after", transition.afterIn, transition.after);
    addFlag(&object, "force", transition.force);
    addText(&object, "label", transition.label);
    if (transition.bend != 0)
        object.add(u"bend", Output::real(transition.bend));
    addRow(&object, transition);
    return object;
}

Constraint readConstraint(Reading &reading, Value value)
{
    Constraint constraint;
    const RowFields fields(reading, value, { "in", "holds" }, &constraint);
    constraint.in = fields.textOrTexts("in", Need::Required);
    const Value holds = fields.value("holds", Need::Required);
    constraint.holds =
        readById<Condition>(reading, holds, [](const QString &, Value) { return Condition(); });
    qsizetype i = 0;
    for (const Member fact : holds.members())
        constraint.holds[i++] = readRelated(reading, fact);
    return constraint;
}

Output constraintOutput(const Constraint &constraint)
{
    Output object = Output::object();
    addTexts(&object, "in", constraint.in, Need::Required);
    Output holds = Output::object();
    for (const Condition &related : constraint.holds)
        addRelated(&holds, related);
    object.add(u"holds", std::move(holds));
    addRow(&object, constraint);
    return object;
}

} // namespace

Machine readMachine(Reading &reading, const QString &id, Value value)
{
    Machine machine;
    machine.id = id;
    const RowFields fields(reading, value,
        { "title", "rest", "history", "states", "transitions", "constraints" }, &machine);
    machine.title = fields.text("title");
    machine.rest = fields.text("rest", Need::Required);
    machine.history = fields.text("history");
    machine.states = readById<State>(reading, fields.value("states", Need::Required),
        [&](const QString &state, Value row) { return readState(reading, state, row); });
    machine.transitions = readList<Transition>(reading, fields.value("transitions"),
        [&](Value row) { return readTransition(reading, row); });
    machine.constraints = readList<Constraint>(reading, fields.value("constraints"),
        [&](Value row) { return readConstraint(reading, row); });
    return machine;
}

Output machineOutput(const Machine &machine)
{
    Output object = Output::object();
    addText(&object, "title", machine.title);
    object.add(u"rest", Output::string(machine.rest));
    addText(&object, "history", machine.history);
    Output states = Output::object().broken();
    for (const State &state : machine.states)
        states.add(state.id, stateOutput(state));
    object.add(u"states", std::move(states));
    Output transitions = Output::array().broken();
    for (const Transition &transition : machine.transitions)
        transitions.add(transitionOutput(transition));
    if (!transitions.isEmpty())
        object.add(u"transitions", std::move(transitions));
    Output constraints = Output::array().broken();
    for (const Constraint &constraint : machine.constraints)
        constraints.add(constraintOutput(constraint));
    if (!constraints.isEmpty())
        object.add(u"constraints", std::move(constraints));
    addRow(&object, machine);
    return std::move(object).broken();
}

} // namespace instar
