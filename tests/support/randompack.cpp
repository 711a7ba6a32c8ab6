// SPDX-License-Identifier: Apache-2.0
#include "tests/support/randompack.h"

#include "tests/support/randomcondition.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Random choices that several parts of a pack share.
struct PackPlan
{
    int machines = 1;
    bool sends = false;
    bool touched = false;   ///< ancestors are moved into a hidden state
    bool composite = false; ///< Updating and Deleting lie in Busy
    bool boolSwitch = false, wordSwitch = false;
    bool references = false;
};

/// True often in large packs, rarely in small ones.
bool sometimes()
{
    return *rc::gen::withSize([](int size) {
        return rc::gen::map(rc::gen::inRange(0, 12 + size), [](int n) { return n > 10; });
    });
}

template<typename R>
R sourced(R row)
{
    if (sometimes())
        row.sources = QStringList { u"rule 1"_s, u"rule 2"_s }.mid(pick(2));
    if (sometimes())
        row.about = u"why it is there"_s;
    return row;
}

template<typename R>
R switched(R row, const PackPlan &plan)
{
    if (plan.boolSwitch && sometimes())
        row.when.insert(u"strict"_s, { pick(2) ? u"true"_s : u"false"_s });
    if (plan.wordSwitch && sometimes())
        row.when.insert(
            u"mode"_s, QStringList { u"first"_s, u"second"_s, u"third"_s }.mid(pick(3)));
    return row;
}

Transition transition(const QStringList &from, const QStringList &on, const QStringList &to)
{
    Transition row;
    row.from = from;
    row.on = on;
    row.to = to;
    const bool refuses = to.isEmpty() && !on.contains(u"GET"_s) && !on.contains(u"mark"_s);
    if (!refuses && sometimes()) // few values keep the state space small
        row.set = { { u"mood"_s, pick(2) ? QJsonValue(u"calm"_s) : QJsonValue(pick(2) == 1), {} },
            { u"level"_s, pick(3) ? QJsonValue(pick(3) - 1) : QJsonValue(), {} } };
    return sourced(row);
}

Step send(const QString &event, const QString &to)
{
    Step step;
    step.kind = Step::Kind::Send;
    step.name = event;
    step.to = { to };
    return step;
}

QList<Step> updatingWork(const PackPlan &plan)
{
    QList<Step> work;
    if (plan.sends) {
        work.append(send(u"updated below"_s, u"ancestors"_s));
        work.append(send(u"updated above"_s, u"descendants"_s));
    }
    work.append(Step());
    if (sometimes()) {
        Step require; // only downwards, so that no operation waits for itself
        require.kind = Step::Kind::Require;
        require.name = u"poke"_s;
        require.to = { u"children"_s };
        require.where = related(u"self"_s, Condition::Match::In, { u"Ready"_s });
        require.together = pick(2) == 1;
        if (sometimes())
            require.hear = { { u"failed"_s, u"partial"_s }, { u"rejected"_s, u"partial"_s } };
        work.append(sourced(require));
    }
    if (sometimes()) {
        Step decide;
        decide.kind = Step::Kind::Decide;
        decide.name = pick(2) ? u"failed"_s : u"partial"_s;
        decide.condition = randomCondition();
        work.append(switched(decide, plan));
    }
    if (plan.sends && sometimes()) {
        Step tell = send({}, u"children"_s);
        tell.byOutcome = { { u"succeeded"_s, u"calm"_s }, { u"partial"_s, u"calm"_s } };
        tell.condition = randomCondition(1);
        work.append(tell);
    }
    return work;
}

QList<Step> deletingWork(const PackPlan &plan)
{
    QList<Step> work;
    if (plan.sends) {
        work.append(send(u"deleted above"_s, u"descendants"_s));
        work.append(Step());
        return work;
    }
    Step require;
    require.kind = Step::Kind::Require;
    require.name = u"DELETE"_s;
    require.to = { u"children"_s };
    require.together = pick(2) == 1;
    Step until;
    until.kind = Step::Kind::Until;
    until.until = related(u"children"_s, Condition::Match::None);
    work = { require, until, Step() };
    return work;
}

State state(const QString &id, State::Kind kind, double x, double y)
{
    State row;
    row.id = id;
    row.kind = kind;
    if (sometimes())
        row.position = QPointF(x, y);
    if (sometimes())
        row.label = id.toUpper();
    return sourced(row);
}

QList<Figure> anyFigures()
{
    QList<Figure> figures;
    if (pick(2))
        figures += Figure { .property = u"time"_s };
    if (pick(4) == 0)
        figures += Figure {
            .property = u"time"_s, .of = u"parent"_s, .times = 1 + pick(2), .add = -1000 * pick(3)
        };
    if (!figures.isEmpty() && pick(4) == 0)
        figures.last().condition.kind = Condition::Kind::Required;
    return figures;
}

void addStates(Machine *machine, const PackPlan &plan, int extra, bool timed)
{
    QList<State> &states = machine->states;
    states = { state(u"absent"_s, State::Kind::Initial, 40, 200),
        state(u"Ready"_s, State::Kind::Stable, 300, 80),
        state(u"Failed"_s, State::Kind::Stable, 300, 320.5) };
    for (int i = 0; i < extra; ++i)
        states.append(state(u"Extra %1"_s.arg(i), State::Kind::Stable, 500, 100.25 * i));
    if (plan.composite)
        states.append(state(u"Busy"_s, State::Kind::Composite, 200, 200));
    State updating = state(u"Updating"_s, State::Kind::Transitional, 160, 80);
    if (pick(3) == 0)
        updating.timer = Timer { .outcome = pick(2) ? u"failed"_s : u"partial"_s,
            .at = anyFigures(),
            .after = 300 * (1 + pick(6)) };
    updating.work = updatingWork(plan);
    updating.ownWork = true;
    State deleting = state(u"Deleting"_s, State::Kind::Transitional, 160, 320);
    deleting.ownWork = plan.sends || sometimes();
    if (deleting.ownWork)
        deleting.work = deletingWork(plan);
    updating.parent = deleting.parent = plan.composite ? u"Busy"_s : QString();
    states += { updating, deleting };
    if (plan.touched) {
        State touched = state(u"Touched"_s, State::Kind::Transitional, 160, 200);
        touched.as = pick(2) ? u"Updating"_s : u"(last)"_s;
        states.append(touched);
    }
    if (timed) {
        State waiting = state(u"Waiting"_s, State::Kind::Stable, 500, 320);
        waiting.timer = Timer { .operation = u"expire"_s,
            .at = anyFigures(),
            .after = 1000 * pick(4),
            .afterIn = anyFigures(),
            .every = 500 * pick(3) };
        if (sometimes())
            waiting.timer->order = { randomCondition(1), randomCondition(1) };
        states += { waiting, state(u"Expired"_s, State::Kind::Stable, 620, 320) };
    }
}

void addOperations(Machine *machine, const PackPlan &plan, int extra, bool timed)
{
    QList<Transition> &rows = machine->transitions;
    if (sometimes()) {
        Transition refusing = transition({ u"*"_s }, { u"DELETE"_s }, {});
        refusing.condition = plan.references
            ? related(u"referrers"_s, Condition::Match::Any, {}, true)
            : randomCondition();
        refusing.refuse = u"InUse"_s;
        rows.append(switched(refusing, plan));
    }
    if (sometimes()) {
        Transition refusing = transition({ u"absent"_s, u"*"_s }, { u"PUT"_s }, {});
        refusing.condition = related(u"references"_s, Condition::Match::In, { u"absent"_s }, true);
        refusing.refuse = u"Dangling"_s;
        rows.append(refusing);
    }
    rows += { transition({ u"absent"_s, u"*"_s }, { u"PUT"_s }, { u"Updating"_s }),
        transition({ u"absent"_s }, { u"DELETE"_s }, { u"absent"_s }),
        transition({ u"*"_s }, { u"DELETE"_s }, { u"Deleting"_s }),
        transition({ u"*"_s }, { u"GET"_s }, {}), transition({ u"*"_s }, { u"mark"_s }, {}),
        transition({ u"Ready"_s, u"Failed"_s }, { u"poke"_s },
            { extra > 0 ? u"Extra 0"_s : u"Ready"_s }) };
    for (int i = 1; i < extra; ++i) {
        Transition onward =
            transition({ u"Extra %1"_s.arg(i - 1) }, { u"poke"_s }, { u"Extra %1"_s.arg(i) });
        if (sometimes())
            onward.condition = randomCondition();
        rows.append(onward);
    }
    if (timed) {
        rows += { transition({ u"Ready"_s }, { u"wait"_s }, { u"Waiting"_s }),
            transition({ u"Waiting"_s }, { u"expire"_s }, { u"Expired"_s }) };
    }
}

void addOutcomes(Machine *machine, const PackPlan &plan, int extra)
{
    QList<Transition> &rows = machine->transitions;
    if (extra > 0 && sometimes()) { // the first whose constraint holds
        machine->constraints.append(switched(
            sourced(Constraint { {}, { u"Extra 0"_s },
                { related(u"children"_s, Condition::Match::In, { u"Ready"_s, u"Failed"_s }) } }),
            plan));
        rows.append(
            transition({ u"Updating"_s }, { u"succeeded"_s }, { u"Extra 0"_s, u"Ready"_s }));
    }
    rows += { transition({ u"Updating"_s }, { u"succeeded"_s, u"partial"_s }, { u"Ready"_s }),
        transition({ u"Deleting"_s }, { u"succeeded"_s, u"partial"_s }, { u"absent"_s }) };
    if (plan.composite)
        rows.append(transition({ u"Busy"_s }, { u"failed"_s }, { u"Failed"_s }));
    else
        rows.append(transition({ u"Updating"_s, u"Deleting"_s }, { u"failed"_s }, { u"Failed"_s }));
    if (sometimes()) {
        Transition again =
            transition({ u"Updating"_s, u"Deleting"_s }, { u"retried"_s }, { u"(same)"_s });
        again.limit = 1 + pick(4);
        again.after = 500 * (1 + pick(3));
        if (!sometimes())
            again.afterIn = { Figure { .property = u"pause"_s, .times = 1000 } };
        rows.append(again);
    }
    if (plan.touched)
        rows.append(transition(
            { u"Touched"_s }, { u"succeeded"_s, u"partial"_s, u"failed"_s }, { u"(last)"_s }));
    if (plan.sends) {
        rows += { transition({ u"*"_s }, { u"updated above"_s }, { u"Updating"_s }),
            transition({ u"*"_s }, { u"updated below"_s },
                { plan.touched ? u"Touched"_s : u"Updating"_s }),
            transition({ u"*"_s }, { u"deleted above"_s }, { u"Deleting"_s }),
            transition({ u"Failed"_s }, { u"calm"_s }, { u"Ready"_s }) };
    }
    if (sometimes())
        rows.append(switched(
            transition({ u"*"_s }, { u"canceled"_s }, { pick(2) ? u"(last)"_s : u"Failed"_s }),
            plan));
}

Machine machineOf(int number, const PackPlan &plan)
{
    Machine machine;
    machine.id = u"machine %1"_s.arg(number);
    machine.title = u"Machine %1"_s.arg(number);
    machine.rest = u"Ready"_s;
    if (sometimes())
        machine.history = u"Failed"_s;
    const int extra =
        *rc::gen::withSize([](int size) { return rc::gen::inRange(0, 2 + size / 25); });
    const bool timed = sometimes();
    addStates(&machine, plan, extra, timed);
    addOperations(&machine, plan, extra, timed);
    addOutcomes(&machine, plan, extra);
    return sourced(machine);
}

void addTypes(Pack *pack, const PackPlan &plan)
{
    static const QStringList paths { u"t"_s, u"t/u"_s, u"t/u/w"_s };
    for (int i = 0; i < plan.machines; ++i) {
        Type type;
        type.path = paths.at(i);
        type.machine = pack->machines.at(i).id;
        if (sometimes())
            type.goal = u"absent"_s;
        if (sometimes())
            type.codes = { { u"InUse"_s, u"ThisIsInUse"_s } };
        if (plan.references)
            type.references.append(
                sourced(ReferenceRule { {}, u"pool"_s, { u"p"_s }, pick(2) == 1 }));
        pack->types.append(sourced(type));
        pack->sample.append(
            ResourceSpec { QString(u"/t/a/u/b/w/c"_s).left(4 * (i + 1)), {}, {}, {} });
    }
    Type pool;
    pool.path = u"p"_s;
    pool.machine = pack->machines.at(pick(plan.machines)).id;
    pack->types.append(pool);
    pack->sample.append(
        ResourceSpec { u"/p/one"_s, sometimes() ? u"Failed"_s : QString(), {}, {} });
    if (plan.references)
        pack->sample.append(
            ResourceSpec { u"/t/b"_s, {}, { u"/p/one"_s }, { { u"pool"_s, u"/p/one"_s } } });
}

void addPolicy(Pack *pack, const PackPlan &plan)
{
    pack->sourceList = { { u"rule 1"_s, u"A document"_s, u"1.1"_s, u"what it says"_s, {} },
        { u"rule 2"_s, u"A document"_s, u"1.2"_s, {}, {} } };
    if (plan.boolSwitch)
        pack->switches.append(Switch {
            {}, u"strict"_s, { u"false"_s, u"true"_s }, pick(2) ? u"true"_s : u"false"_s });
    if (plan.wordSwitch)
        pack->switches.append(
            Switch { {}, u"mode"_s, { u"first"_s, u"second"_s, u"third"_s }, u"second"_s });
    for (const QString &operation : { u"PUT"_s, u"DELETE"_s, u"poke"_s })
        pack->operations.append(OperationKind { {}, operation, 100 * pick(11) });
    pack->outcomes = { Outcome { {}, u"failed"_s, {}, u"Trouble"_s, 500, {} },
        Outcome { {}, u"partial"_s, u"Succeeded"_s, {}, 0, u"in part"_s } };
    static const QStringList near { u"parent"_s, u"children"_s, u"siblings"_s, u"self"_s };
    pack->conditions = {
        NamedCondition { {}, u"has children"_s, related(u"children"_s, Condition::Match::Any) },
        NamedCondition { {}, u"ready around"_s,
            related(near[pick(4)], Condition::Match::In, { u"Ready"_s }, pick(2) == 1) },
    };
    static const QStringList places { u"self"_s, u"descendant"_s, u"ancestor"_s, u"sibling"_s,
        u"tree"_s };
    for (const QString &place : places) {
        if (!sometimes())
            continue;
        Conflict row;
        row.at = { place };
        row.then = Conflict::Then(pick(4));
        if (row.then == Conflict::Then::Reject)
            row.code = u"Occupied"_s;
        if (sometimes())
            row.on = { u"DELETE"_s };
        if (sometimes())
            row.running = { u"PUT"_s, u"poke"_s };
        if (sometimes())
            row.condition = pick(2) ? related(u"parent"_s, Condition::Match::None)
                                    : related(u"parent"_s, Condition::Match::In, { u"Ready"_s });
        pack->conflicts.append(switched(sourced(row), plan));
    }
    Conflict last;
    last.at = { u"self"_s };
    last.then = Conflict::Then::Reject;
    last.code = u"Occupied"_s;
    pack->conflicts.append(last);
    pack->refusals = { Refusal { {}, u"Occupied"_s, {}, 409, u"{0} is in the way"_s },
        Refusal { {}, u"InUse"_s, {}, 409, {} }, Refusal { {}, u"Dangling"_s, {}, 400, {} },
        Refusal { {}, u"missing"_s, u"NotFound"_s, 404, {} },
        Refusal { {}, u"parentMissing"_s, u"NotFound"_s, 404, {} } };
    pack->stamps = { Stamp { {}, Stamp::At::Start } };
    if (sometimes())
        pack->stamps.append(switched(Stamp { {}, Stamp::At::End }, plan));
}

/// Adds wire rows for HTTP in one of a few styles.
void addWire(Pack *pack, const PackPlan &plan)
{
    Wire &wire = pack->wire;
    wire.base = sometimes() ? u"/api/{version}"_s : QString();
    if (!wire.base.isEmpty())
        wire.versions = { u"1.0"_s, u"2"_s };
    wire.suffix = sometimes() ? u".json"_s : QString();
    wire.requestIdHeader = sometimes() ? u"X-Request"_s : QString();
    if (sometimes())
        wire.headers = { { u"Date"_s, u"{date}"_s }, { u"X-Operation"_s, u"{id}"_s } };
    wire.requests = { { {}, u"operation"_s, u"GET"_s, u"{base}/jobs/{operation}"_s, {}, {} },
        { {}, u"collection"_s, u"GET"_s, u"{base}{collection}"_s, {}, {} },
        { {}, u"resource"_s, u"GET"_s, u"{base}{path}"_s, {}, {} },
        { {}, u"PUT"_s, u"PUT"_s, u"{base}{path}"_s, {}, u"resource"_s },
        { {}, u"DELETE"_s, u"DELETE"_s, u"{base}{path}"_s, {}, {} } };
    wire.requests[3].path += u"?kind=whole"_s;
    wire.requests[3].with = { { u"X-Kind"_s, u"whole"_s } };
    wire.answers.append(switched(WireAnswer { {}, { u"PUT"_s, u"DELETE"_s }, {}, { u"started"_s },
                                     WireAnswer::Target::Created, 201,
                                     { { u"Location"_s, u"{operation url}"_s } }, u"resource"_s },
        plan));
    wire.answers.append(WireAnswer { {}, { u"operation"_s }, { u"PUT"_s },
        { u"running"_s, u"failed"_s }, WireAnswer::Target::Any, 200, {}, {} });
    wire.answers.append(WireAnswer { {}, {}, {}, {}, WireAnswer::Target::Existing, 0, {}, {} });
    wire.documents = { { {}, u"resource"_s,
        "{\"id\": \"{name}\", \"{body}\": \"properties\", \"state\": \"{state}\"}" } };
    if (sometimes()) {
        wire.documents.append(
            { {}, u"other"_s, "{\"name\": \"{name}\", \"{body}\": \"properties\"}" });
        pack->types.first().documents = { { u"resource"_s, u"other"_s } };
        wire.values = { { u"account"_s, u"a-1"_s } };
        wire.requests[1].path += u'/';
    }
    wire.follow.order = { u"operation"_s, u"resource"_s };
    wire.follow.operationHeaders = { u"Location"_s };
    wire.follow.succeeded = { u"done"_s };
    wire.follow.usualDelay = *rc::gen::inRange(0, 100);
}

} // namespace

rc::Gen<Pack> randomPack()
{
    return rc::gen::exec([] {
        PackPlan plan;
        plan.machines =
            *rc::gen::withSize([](int size) { return rc::gen::inRange(1, size < 10 ? 2 : 4); });
        plan.sends = sometimes();
        plan.touched = plan.sends && sometimes();
        plan.composite = sometimes();
        plan.boolSwitch = sometimes();
        plan.wordSwitch = sometimes();
        plan.references = sometimes();
        Pack pack;
        pack.id = u"random"_s;
        pack.title = u"A random pack"_s;
        pack.ignoreCase = sometimes();
        for (int i = 0; i < plan.machines; ++i)
            pack.machines.append(machineOf(i, plan));
        addTypes(&pack, plan);
        addPolicy(&pack, plan);
        if (sometimes())
            addWire(&pack, plan);
        return pack;
    });
}

} // namespace instar
