// SPDX-License-Identifier: Apache-2.0
// Machines from statecharts and back: well made, playable, and doing what the chart does; what they
// lack is told.

#include "model/engine/scenario.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/check.h"
#include "model/pack/run.h"
#include "model/statecharts/conversion.h"
#include "model/statecharts/interpreter.h"
#include "model/statecharts/machinechart.h"
#include "model/statecharts/machinefile.h"
#include "model/statecharts/notation/notations.h"
#include "tests/support/property.h"
#include "tests/support/randomstatechart.h"
#include "tests/support/testclass.h"

#include <QSet>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestConversion : public QObject
{
    Q_OBJECT

private slots:
    void machines_data();
    void machines();
    void anyChartIsWellMade();
    void playsAsTheChart();
    void tooMany();
    void losesOneEventOnly();
    void wordsStay();
    void beginningWithWork();
    void builtInMachines();
    void lossesAreTold_data();
    void lossesAreTold();
    void historyOfNothing();
    void namesOutcomesAfterTargets_data();
    void namesOutcomesAfterTargets();
    void compositesKeepTargets_data();
    void compositesKeepTargets();
    void forksNeedRegions();
    void saysLabelsOnce();
    void drawsSoManyArrows();
};

namespace {

Statechart chartFrom(const QString &text)
{
    const bool isXml = text.startsWith(u'<');
    const QByteArray bytes = isXml
        ? "<scxml xmlns='http://www.w3.org/2005/07/scxml' " + text.sliced(1).toUtf8()
        : "@startuml\n" + text.toUtf8() + "\n@enduml\n";
    return valueOf(isXml ? readScxml(bytes, u"test"_s) : readPlantUml(bytes, u"test"_s))
        .charts.first();
}

Statechart chartOf(const QString &inside, bool waitsForFinals = false)
{
    Statechart chart = chartFrom(u"< name='door'>"_s + inside + u"</scxml>"_s);
    chart.waitsForFinals = waitsForFinals;
    return chart;
}

/// The pack of a chart, which must have one.
PackMade packed(const Statechart &chart)
{
    return valueOf(packOf(chart));
}

/// States and transitions in lines.
QStringList told(const Machine &machine)
{
    static const QStringList kinds { u"initial"_s, u"stable"_s, u"transitional"_s, u"composite"_s };
    QStringList lines;
    for (const State &state : machine.states) {
        lines += kinds[int(state.kind)] + u' ' + state.id
            + (state.parent.isEmpty() ? QString() : u" in "_s + state.parent)
            + (state.ownWork ? state.work.isEmpty() ? u" at once"_s : u" waits"_s : QString());
    }
    for (const Transition &row : machine.transitions) {
        lines += row.from.join(u'+') + u" -> "_s + row.to.join(u'+') + u" on "_s + row.on.join(u'|')
            + (row.condition.kind == Condition::Kind::Always ? QString() : u" if"_s);
    }
    lines += u"rests "_s + machine.rest;
    return lines;
}

/// No error of check(), and the engine takes it.
QString problemOf(const Pack &pack)
{
    for (const Diagnostic &diagnostic : check(pack)) {
        if (diagnostic.severity == Diagnostic::Severity::Error)
            return diagnostic.pointer + u": "_s + diagnostic.text;
    }
    const Result<Rules> rules = Rules::make(pack);
    if (!rules)
        return rules.error();
    return makeWorld(*rules, pack.sample).problem;
}

bool holds(const Condition &condition, const QString &state)
{
    switch (condition.kind) {
    case Condition::Kind::Always:
        return true;
    case Condition::Kind::All:
        return std::ranges::all_of(
            condition.parts, [&](const Condition &part) { return holds(part, state); });
    case Condition::Kind::Not:
        return !holds(condition.parts.first(), state);
    case Condition::Kind::Related:
        return condition.states.contains(state);
    default:
        return false;
    }
}

/// Where a trigger leads, if anywhere.
QString after(const Machine &machine, const QString &state, const QString &trigger)
{
    const MachineIndex ways(machine);
    for (const int row : ways.from(state)) {
        const Transition &transition = machine.transitions[row];
        if (transition.on.contains(trigger) && holds(transition.condition, state))
            return transition.to.isEmpty() ? state : ways.entered(transition.to.first());
    }
    return state;
}

/// Work ends at once, as long as it can end.
QString settled(const Machine &machine, QString state)
{
    for (int i = 0; i < 1000; ++i) {
        const State *at = machine.state(state);
        if (!at || at->kind != State::Kind::Transitional)
            return state;
        const QString next = after(machine, state, u"succeeded"_s);
        if (next == state)
            return state;
        state = next;
    }
    return u"never"_s;
}

} // namespace

void TestConversion::machines_data()
{
    const Rows<QString, bool, QStringList> add("inside", "waits", "lines");
    const auto row = [&](const char *name, const QString &inside, const QStringList &lines,
                         bool waits = false) { add(name, inside, waits, lines); };
    row("two states",
        u"<state id='a'><transition event='e' target='b'/></state><state id='b'><transition event='f' target='a'/></state>"_s,
        { u"initial absent"_s, u"stable a"_s, u"stable b"_s, u"absent -> a on create"_s,
            u"a -> b on e"_s, u"b -> a on f"_s, u"rests a"_s });
    row("work",
        u"<state id='a'><transition event='e' target='b'/></state><state id='b'><transition target='a'/><transition event='x' target='b'/></state>"_s,
        { u"initial absent"_s, u"stable a"_s, u"transitional b"_s, u"absent -> a on create"_s,
            u"a -> b on e"_s, u"b -> a on succeeded"_s, u"b -> b on x"_s, u"rests a"_s });
    row("begins in a state with work",
        u"<state id='a'><transition target='b'/></state><state id='b'/>"_s,
        { u"initial absent"_s, u"stable waiting"_s, u"transitional a"_s, u"stable b"_s,
            u"absent -> waiting on create"_s, u"waiting -> a on start"_s, u"a -> b on succeeded"_s,
            u"rests waiting"_s });
    row("composite",
        u"<state id='p' initial='b'><transition event='x' target='c'/><state id='a'/><state id='b'><transition event='e' target='a'/><transition event='x' target='p'/></state></state><state id='c'/>"_s,
        { u"initial absent"_s, u"composite p"_s, u"stable b in p"_s, u"stable a in p"_s,
            u"stable c"_s, u"absent -> p on create"_s, u"b -> a on e"_s, u"b -> p on x"_s,
            u"p -> c on x"_s, u"rests b"_s });
    row("final states",
        u"<state id='p'><transition event='done.state.p' target='c'/><state id='a'><transition event='e' target='f'/></state><final id='f'/></state><state id='c'><transition event='e' target='end'/></state><final id='end'/>"_s,
        { u"initial absent"_s, u"composite p"_s, u"stable a in p"_s,
            u"transitional f in p at once"_s, u"stable c"_s, u"stable end"_s,
            u"absent -> p on create"_s, u"a -> f on e"_s, u"f -> c on succeeded"_s,
            u"c -> end on e"_s, u"rests a"_s });
    row("the end",
        u"<state id='a' xmlns:i='urn:instar:statechart'><transition event='e' target='end'/></state><final id='end' i:named='false' xmlns:i='urn:instar:statechart'/>"_s,
        { u"initial absent"_s, u"stable a"_s, u"absent -> a on create"_s, u"a -> absent on e"_s,
            u"rests a"_s });
    row("completion",
        u"<state id='p'><transition target='c'/><state id='a'><transition event='e' target='f'/></state><final id='f'/></state><state id='c'/>"_s,
        { u"initial absent"_s, u"composite p"_s, u"stable a in p"_s,
            u"transitional f in p at once"_s, u"stable c"_s, u"absent -> p on create"_s,
            u"a -> f on e"_s, u"f -> c on succeeded"_s, u"rests a"_s },
        true);
    row("choice",
        u"<state id='a'><transition event='e' target='c'/></state><state id='c' i:kind='choice' xmlns:i='urn:instar:statechart'><transition cond='x' target='a'/><transition target='b'/></state><state id='b'/>"_s,
        { u"initial absent"_s, u"stable a"_s, u"transitional c at once"_s, u"stable b"_s,
            u"absent -> a on create"_s, u"a -> c on e"_s, u"c -> a on succeeded if"_s,
            u"c -> b on succeeded"_s, u"rests a"_s });
    row("waits for a condition",
        u"<state id='a'><transition event='e' target='c'/></state><state id='c'><transition cond='x' target='a'/></state>"_s,
        { u"initial absent"_s, u"stable a"_s, u"transitional c waits"_s, u"absent -> a on create"_s,
            u"a -> c on e"_s, u"c -> a on succeeded if"_s, u"rests a"_s });
    row("descriptors",
        u"<state id='a'><transition event='e.*' target='b'/><transition event='*' target='a'/></state><state id='b'><transition event='e.x f' target='a'/></state>"_s,
        { u"initial absent"_s, u"stable a"_s, u"stable b"_s, u"absent -> a on create"_s,
            u"a -> b on e|e.x"_s, u"a -> a on f"_s, u"b -> a on e.x|f"_s, u"rests a"_s });
    row("what is never reached",
        u"<state id='a'><transition event='e' target='a'/><transition event='e' target='b'/></state><state id='b'/>"_s,
        { u"initial absent"_s, u"stable a"_s, u"absent -> a on create"_s, u"a -> a on e"_s,
            u"rests a"_s });
    row("words that outcomes have",
        u"<state id='a'><transition event='failed' target='b'/></state><state id='b'><transition event='succeeded' target='a'/><transition event='failed' target='b'/></state>"_s,
        { u"initial absent"_s, u"stable a"_s, u"transitional b"_s, u"absent -> a on create"_s,
            u"a -> b on failed (event)"_s, u"b -> a on succeeded"_s, u"b -> b on failed"_s,
            u"rests a"_s });
    row("two arrows to one target",
        u"<state id='a'><transition event='e' target='b'/></state><state id='b'><transition target='a'/><transition target='a'/></state>"_s,
        { u"initial absent"_s, u"stable a"_s, u"transitional b"_s, u"absent -> a on create"_s,
            u"a -> b on e"_s, u"b -> a on succeeded"_s, u"rests a"_s });
    row("nothing", {},
        { u"initial absent"_s, u"stable waiting"_s, u"absent -> waiting on create"_s,
            u"rests waiting"_s });
}

void TestConversion::machines()
{
    QFETCH(QString, inside);
    QFETCH(bool, waits);
    QFETCH(QStringList, lines);
    const PackMade made = packed(chartOf(inside, waits));
    QCOMPARE(told(made.pack.machines.first()).join(u'\n'), lines.join(u'\n'));
    QCOMPARE(problemOf(made.pack), QString());
    QCOMPARE(made.pack.sample.size(), 1);
    QCOMPARE(made.pack.operationNames().last(), u"create"_s);

    const JsonText document = valueOf(JsonText::parse(writePack(made.pack), u"made.pack.json"_s));
    const Pack again = valueOf(readPack(document));
    QVERIFY(again == made.pack);
}

void TestConversion::anyChartIsWellMade()
{
    int plain = 0, others = 0, refused = 0;
    QVERIFY(holdsFor(500, 100, [&] {
        const Statechart chart = *randomStatechart();
        RC_LOG() << writeScxml({ chart }).bytes.toStdString();
        const Result<PackMade> made = packOf(chart);
        if (!made) {
            RC_LOG() << made.error().toStdString();
            RC_ASSERT(needsInterpreter(chart) || made.error().contains(u"endless loop"));
            RC_ASSERT(!needsInterpreter(chart) || made.error().contains(u"a pack cannot express"));
            ++(needsInterpreter(chart) ? others : refused);
            return;
        }
        RC_ASSERT(!needsInterpreter(chart));
        ++plain;
        const QString problem = problemOf(made->pack);
        RC_LOG() << problem.toStdString() << '\n'
                 << told(made->pack.machines.first()).join(u'\n').toStdString();
        RC_ASSERT(problem.isEmpty());
    }));
    qInfo("%d packs, %d need the interpreter, %d never end", plain, others, refused);
    QVERIFY(plain > 50 && others > 50);
}

/// Work takes time, so that what a chart tells itself comes before the work's end: under conditions
/// on where it is that may lead elsewhere.
bool dependsOnTime(const ChartPlan &plan)
{
    bool works = false, completes = false, asks = false;
    for (const ChartPlan::Edge &edge : plan.edges) {
        const bool isDone = edge.events.value(0).startsWith(u"done.state.");
        works = works || edge.isWork;
        completes = completes || isDone;
        asks = asks || ((edge.isWork || isDone) && edge.guard.kind != Guard::Kind::Always);
    }
    return works && completes && asks;
}

/// What is rested in after each event is what the chart rests in.
void TestConversion::playsAsTheChart()
{
    int moves = 0;
    QVERIFY(holdsFor(2400, 120, [&] {
        const Statechart chart = *runnableStatechart();
        RC_LOG() << writeScxml({ chart }).bytes.toStdString();
        const Result<PackMade> made = packOf(chart);
        const Result<ChartPlan> plan = planOf(chart);
        if (!made || !plan || dependsOnTime(*plan))
            return;
        const Machine &machine = made->pack.machines.first();
        RC_LOG() << told(machine).join(u'\n').toStdString() << '\n';
        const Interpreter interpreter(*plan);
        const Answers no = [](const QString &) { return false; };
        Move move = interpreter.begun(no);
        QString state = machine.rest;
        if (state == u"waiting")
            state = after(machine, state, u"start"_s);
        state = settled(machine, state);
        const auto compare = [&] {
            const State *at = machine.state(state);
            const QString shown = !at              ? u"?"_s
                : at->kind == State::Kind::Initial ? u"final"_s
                : at->as.isEmpty()                 ? at->id
                                                   : at->as;
            const QString expected = interpreter.configuration(move.to).join(u" + "_s);
            RC_LOG() << shown.toStdString() << " | " << expected.toStdString() << '\n';
            RC_ASSERT(shown == expected);
        };
        compare();
        for (int i = *rc::gen::inRange(0, 20); i > 0 && !move.to.isOver; --i) {
            static const QStringList events { u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s };
            const QString event = events[*rc::gen::inRange(0, 5)];
            move = interpreter.after(move.to, event, no);
            state = settled(machine, after(machine, state, event));
            moves += move.isTaken;
            compare();
        }
    }));
    QVERIFY2(moves > 500, qPrintable(QString::number(moves)));
}

void TestConversion::tooMany()
{
    const QString wide = errorIn(packOf(chartOf(u"<state/>"_s.repeated(2001))));
    QVERIFY2(
        wide.contains(u"there are 2001 states, more than the 2000 that can run"), qPrintable(wide));
}

/// An arrow of two events of which an earlier one has the second keeps the first.
void TestConversion::losesOneEventOnly()
{
    const PackMade made = packed(chartOf(
        u"<state id='s1'><transition event='e' cond=\"In('s1')\" target='s1'/><transition event='b e' cond=\"In('s1')\" target='s2'/></state><state id='s2'/>"_s));
    QVERIFY2(told(made.pack.machines.first()).contains(u"s1 -> s2 on b if"_s),
        qPrintable(told(made.pack.machines.first()).join(u'\n')));
    QVERIFY(made.remarks.isEmpty()); // the chart never takes it on the second one either
}

/// Labels, descriptions and notes of states, of a composite and of arrows are in the pack.
void TestConversion::wordsStay()
{
    const PackMade made = packed(chartFrom(uR"([*] --> Idle
note on link
  how it begins
end note
state "A long label" as Idle
Idle : waits for work
state "All of it" as S {
  [*] --> S1
  S1 --> S2 : n
  state "The first" as S1
}
S : works
Idle --> S : enter
note on link
  about the way in
end note
S --> Idle : leave
note right of Idle : important
note left of S2 : nearly done
note "by the way" as N
)"_s));
    const Machine &machine = made.pack.machines.first();
    for (const Diagnostic &remark : made.remarks)
        QVERIFY2(!remark.isLoss(), qPrintable(remark.text));
    const auto words = [&](const QString &id) {
        const State *state = machine.state(id);
        return state
            ? state->label + u'|' + state->about.split(u'\n').join(u'/') + u'|' + state->parent
            : u"none"_s;
    };
    QCOMPARE(words(u"Idle"_s), u"A long label|waits for work/important|"_s);
    QCOMPARE(words(u"S"_s), u"All of it|works|"_s);
    QCOMPARE(words(u"S1"_s), u"The first||S"_s);
    QCOMPARE(words(u"S2"_s), u"|nearly done|S"_s);
    QCOMPARE(machine.about, u"by the way"_s);
    const auto row = [&](const QString &on) {
        const auto found = std::ranges::find_if(
            machine.transitions, [&](const Transition &each) { return each.on.contains(on); });
        return found == machine.transitions.end() ? u"none"_s : found->label + u'|' + found->about;
    };
    QCOMPARE(row(u"create"_s), u"|how it begins"_s);
    QCOMPARE(row(u"enter"_s), u"|about the way in"_s);
    QCOMPARE(row(u"leave"_s), u"|"_s);
}

/// What the pack had to add is said, and is gone in the chart that is made of it again.
void TestConversion::beginningWithWork()
{
    const Result<PackMade> made =
        packOf(chartOf(u"<state id='a'><transition target='b'/></state><state id='b'><transition "
                       "event='e' target='a'/></state>"_s));
    QVERIFY(made);
    QStringList said;
    for (const Diagnostic &remark : made->remarks)
        said += (remark.isLoss() ? u"!"_s : QString()) + remark.text;
    QCOMPARE(said,
        QStringList({
            u"the chart begins in a state with work; in the pack, resources begin in \"waiting\", and the operation \"start\" starts that work"_s,
            u"the arrow from \"a\" to \"b\" has no event; in the pack, the trigger of such arrows is \"succeeded\", the end of the work"_s,
        }));
    const Machine &machine = made->pack.machines.first();
    const auto arrows = [](const Machine &of) {
        QStringList result;
        const Result<StatechartMade> drawn = statechartOf(of);
        for (const Arc &arc : drawn->chart.arcs)
            result += arc.from + u" > "_s + arc.to.join(u'+') + u": "_s + arc.text();
        return result;
    };
    const QStringList drawn { u"initial > a: "_s, u"a > b: succeeded"_s, u"b > a: e"_s };
    QCOMPARE(arrows(machine), drawn);
    QCOMPARE(packOf(statechartOf(machine)->chart)->pack.machines.first(), machine);

    Machine other = machine;
    other.states[1].label = u"Waits"_s;
    QVERIFY(arrows(other).contains(u"waiting > a: start"_s));
    other = machine;
    other.transitions.last().to = { u"waiting"_s };
    QVERIFY(arrows(other).contains(u"waiting > a: start"_s));
    other = machine;
    other.states[2].kind = State::Kind::Stable;
    QVERIFY(arrows(other).contains(u"waiting > a: start"_s));
}

/// Every machine of every built-in pack is a chart that runs, can be written, and made a pack
/// again.
void TestConversion::builtInMachines()
{
    int machines = 0;
    for (const QString &id : builtInPacks()) {
        const MachineFile file = valueOf(loadMachines(id));
        for (const QString &machine : file.ids()) {
            const StatechartMade made = valueOf(chartIn(file, machine));
            const StatechartsWritten written = writeScxml({ made.chart });
            QCOMPARE(written.remarks.size(), 0);
            const StatechartsRead read = valueOf(readScxml(written.bytes, u"x.scxml"_s));
            QCOMPARE(read.remarks.size(), 0);
            const PackMade again = valueOf(packOf(read.charts.first()));
            QCOMPARE(problemOf(again.pack), QString());
            ++machines;
        }
    }
    QVERIFY(machines > 8);
}

namespace {

/// "LINE: text" of each loss.
QStringList losses(const PackMade &made)
{
    QStringList result;
    for (const Diagnostic &remark : made.remarks) {
        if (remark.isLoss())
            result += u"%1: %2"_s.arg(remark.line).arg(remark.text);
    }
    return result;
}

} // namespace

void TestConversion::lossesAreTold_data()
{
    const Rows<QString, QStringList> row("chart", "lines");
    row("a state without regions", u"[*] --> A\nA --> B : go\nstate Z\nZ --> A : never"_s,
        { u"4: no arrow leads to \"Z\", so the pack omits the state and its arrows"_s });
    row("a condition that never holds", u"[*] --> A\nA --> B : go [false]\nA --> B : by"_s,
        { u"3: the arrow from \"A\" to \"B\" on \"go\" is never taken, so the pack omits the arrow"_s });
    row("an arrow behind another", u"[*] --> A\nA --> B : go [x]\nA --> C : go [x]\nB --> C : on"_s,
        { u"4: the arrow from \"A\" on \"go\" is never taken, so the pack omits the arrow"_s });
    row("what is to be executed",
        u"< datamodel='ecmascript'>\n<datamodel><data id='n'/></datamodel>\n<state id='a'><onentry><log/></onentry>\n<onexit><log/></onexit>\n<transition event='go' target='b'><assign location='n' expr='1'/></transition>\n<transition event='to' target='b'/></state>\n<state id='b'><invoke src='y'/><transition event='x' target='a'/></state></scxml>"_s,
        { u"1: <datamodel> of the chart is not executed, except for events sent to the chart itself"_s,
            u"3: <onentry> and <onexit> of \"a\" is not executed, except for events sent to the chart itself"_s,
            u"5: <content> of the arrow from \"a\" to \"b\" on \"go\" is not executed, except for events sent to the chart itself"_s,
            u"7: <invoke> of \"b\" is not executed, except for events sent to the chart itself"_s });
}

void TestConversion::lossesAreTold()
{
    QFETCH(QString, chart);
    QFETCH(QStringList, lines);
    const PackMade made = packed(chartFrom(chart));
    QCOMPARE(losses(made).join(u'\n'), lines.join(u'\n'));
}

/// The W3C has a history in a compound state only.
void TestConversion::historyOfNothing()
{
    const PackMade made =
        packed(chartFrom(u"[*] --> A\nA --> B : go\nA --> B[H] : again\nB --> A : x"_s));
    QCOMPARE(losses(made),
        QStringList(
            u"4: \"B\" contains no states, so its history remembers nothing; arrows to the history lead to \"B\" itself"_s));
    QStringList states;
    for (const State &state : made.pack.machines.first().states)
        states += state.id;
    QCOMPARE(states, QStringList({ u"absent"_s, u"A"_s, u"B"_s }));
    const auto again = std::ranges::find_if(made.pack.machines.first().transitions,
        [](const Transition &row) { return row.on.contains(u"again"_s); });
    QVERIFY(again != made.pack.machines.first().transitions.end());
    QCOMPARE(again->to, QStringList(u"B"_s));
}

void TestConversion::namesOutcomesAfterTargets_data()
{
    QTest::addColumn<QString>("chart");
    QTest::newRow("states") << u"[*] --> A\nA --> B : go\nB --> C\nB --> D\nB --> E\nB --> D\n"
                               "C --> A : C"_s;
    QTest::newRow("one of them last") << u"[*] --> A\nA --> B : go\nB --> C\nB --> D\nB --> E\n"
                                         "C --> A : C\nB --> C"_s;
}

/// No target of arrows without a label is lost; the first one is also where work leads that says
/// nothing else.
void TestConversion::namesOutcomesAfterTargets()
{
    QFETCH(const QString, chart);
    const PackMade made = packed(chartFrom(chart));
    const Machine &machine = made.pack.machines.first();
    QStringList rows;
    for (const Transition &row : machine.transitions)
        if (row.from == QStringList { u"B"_s })
            for (const QString &on : row.on)
                rows += on + u" > "_s + row.to.join(u',');
    rows.sort();
    QCOMPARE(rows, QStringList({ u"D > D"_s, u"E > E"_s, u"succeeded > C"_s, u"to C > C"_s }));
    const State *const state = machine.state(u"B"_s);
    QVERIFY(state && state->kind == State::Kind::Transitional);
    QCOMPARE(state->work.value(0).name, u"to C"_s);
    QStringList outcomes;
    for (const Outcome &outcome : made.pack.outcomes)
        outcomes += outcome.id + u' ' + outcome.status;
    QCOMPARE(outcomes, QStringList({ u"to C Succeeded"_s, u"D Succeeded"_s, u"E Succeeded"_s }));
    const QString said =
        u"3 arrows without a label leave \"B\"; each becomes an outcome of the state's work: to C, D, E"_s;
    QCOMPARE(std::ranges::count(made.remarks, said, &Diagnostic::text), 1);
}

void TestConversion::compositesKeepTargets_data()
{
    const Rows<QString, QString, QStringList> row("chart", "from", "rows");
    row("without an end", u"[*] --> S\nstate S {\n[*] --> s1\ns1 --> s2 : e\n}\nS --> X\nS --> Y"_s,
        u"S"_s, QStringList({ u"X > X"_s, u"Y > Y"_s, u"succeeded > X"_s }));
    row("the dot", u"[*] --> X\n[*] --> Y"_s, u"initial"_s,
        QStringList({ u"X > X"_s, u"Y > Y"_s, u"succeeded > X"_s }));
}

/// The same where the arrows leave a composite without an end, or a dot.
void TestConversion::compositesKeepTargets()
{
    QFETCH(const QString, chart);
    QFETCH(const QString, from);
    const PackMade made = packed(chartFrom(chart));
    const Machine &machine = made.pack.machines.first();
    QStringList found;
    QSet<QString> reached;
    for (const Transition &row : machine.transitions) {
        reached.unite(QSet<QString>(row.to.begin(), row.to.end()));
        if (row.from == QStringList { from })
            for (const QString &on : row.on)
                found += on + u" > "_s + row.to.join(u',');
    }
    found.sort();
    QTEST(found, "rows");
    QVERIFY(reached.contains(u"X"_s) && reached.contains(u"Y"_s));
    for (const State &state : machine.states) {
        if (state.id == from && state.kind != State::Kind::Composite)
            QCOMPARE(state.work.value(0).name, u"X"_s);
    }
    for (const Diagnostic &remark : made.remarks)
        if (remark.text.contains(u"arrows without a label"))
            QVERIFY2(remark.text.contains(u'"' + from.section(u'.', 0, 0).section(u'_', 0, 0)),
                qPrintable(remark.text));
}

/// States beside each other are never active at once without regions.
void TestConversion::forksNeedRegions()
{
    const Statechart chart =
        chartFrom(u"state F <<fork>>\nstate J <<join>>\n[*] --> A\nA --> F : go\nF --> B\n"
                  "F --> C\nB --> C : x\nC --> B : y\nB --> J\nC --> J\nJ --> A"_s);
    const ChartPlan plan = valueOf(planOf(chart));
    const Interpreter interpreter(plan);
    const Answers none = [](const QString &) { return false; };
    Move move = interpreter.begun(none);
    move = interpreter.after(move.to, u"go"_s, none);
    QCOMPARE(interpreter.configuration(move.to), QStringList { u"B"_s });
    const StatechartsWritten written = writeScxml({ chart });
    QVERIFY2(!written.bytes.contains("target=\"B C\""), written.bytes.constData());
    QVERIFY(std::ranges::any_of(written.remarks, [](const Diagnostic &remark) {
        return remark.isLoss()
            && remark.text.contains(u"\"F\" leads to \"B\" and \"C\", which are not");
    }));
    const auto arrows = [](const Statechart &of) {
        QStringList result;
        for (const Arc &arc : of.arcs)
            result += arc.from + u" > "_s + arc.to.join(u',');
        result.sort();
        return result;
    };
    const StatechartsRead again = valueOf(readScxml(written.bytes, u"x"_s));
    QCOMPARE(arrows(again.charts.first()), arrows(chart));
}

/// From a diagram to a pack and back, arrows say what they said.
void TestConversion::saysLabelsOnce()
{
    const PackMade made = packed(chartFrom(
        u"[*] --> A\nA --> B : go / run\nB --> C : do [it is so] / walk\nC --> A : just"_s));
    const StatechartMade drawn = valueOf(statechartOf(made.pack.machines.first()));
    QStringList texts;
    for (const Arc &arc : drawn.chart.arcs)
        texts += arc.text();
    QCOMPARE(
        texts, QStringList({ QString(), u"go / run"_s, u"do [it is so] / walk"_s, u"just"_s }));
    // No notation holds the keys of other programs, not even of the arrow without text.
    Machine noted = made.pack.machines.first();
    noted.transitions[0].extras += { u"x-note"_s, "1" };
    const PackMade told { {}, valueOf(statechartOf(noted)).remarks };
    QVERIFY(losses(told).join(u' ').contains(u"the key \"x-note\" is left out"_s));
}

/// `count` states, and as many rows that lead from any state to each of them.
Machine anyToEach(int count)
{
    Machine machine;
    machine.id = u"dense"_s;
    for (int i = 0; i < count; ++i) {
        machine.states += State { .id = u"S%1"_s.arg(i) };
        machine.transitions += Transition {
            .from = { u"*"_s }, .on = { u"go%1"_s.arg(i) }, .to = { u"S%1"_s.arg(i) }
        };
    }
    return machine;
}

/// A row from any state is an arrow from each: too many are an error, and take no time.
void TestConversion::drawsSoManyArrows()
{
    const StatechartMade drawn = valueOf(statechartOf(anyToEach(316)));
    QCOMPARE(drawn.chart.arcs.size(), 316 * 316);
    const QString refused = errorIn(statechartOf(anyToEach(9000)));
    QVERIFY(refused.contains(u"\"dense\" would have more than 100000 arrows"_s));
    QVERIFY(refused.contains(u".pack.json"_s));
}

const instar::TestClass<TestConversion> registered;
#include "tst_conversion.moc"
