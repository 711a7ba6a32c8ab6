// SPDX-License-Identifier: Apache-2.0
#include "model/json/condition.h"
#include "model/json/library.h"
#include "model/json/output.h"
#include "model/json/packfile.h"
#include "tests/support/packtext.h"
#include "tests/support/randomcondition.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <thread>

using namespace instar;
using namespace Qt::StringLiterals;

class TestPackFormat : public QObject
{
    Q_OBJECT

private slots:
    void shippedPacksSurvive_data();
    void shippedPacksSurvive();
    void randomPacksSurvive();
    void conditionsSurviveAsWords();
    void conditionsAsTyped_data();
    void conditionsAsTyped();
    void conditions_data();
    void conditions();
    void propertyValues_data();
    void propertyValues();
    void steps_data();
    void steps();
    void everyKey();
    void rowsStandWhereTheyStood();
    void unreadMembersSurvive();
    void oneLineARow();
    void errors_data();
    void errors();
    void allErrorsAreTold();
    void brokenFiles_data();
    void brokenFiles();
    void library();
    void pipes();
    void filesThatAreNone();
};

namespace {

QString text(const Condition &condition)
{
    using Kind = Condition::Kind;
    const QString match = condition.match == Condition::Match::Any ? u"any"_s
        : condition.match == Condition::Match::None                ? u"none"_s
                                                    : u'[' + condition.states.join(u',') + u']';
    QStringList parts;
    for (const Condition &part : condition.parts)
        parts.append(text(part));
    switch (condition.kind) {
    case Kind::Always:
        return u"always"_s;
    case Kind::Label:
        return u"label "_s + condition.text;
    case Kind::All:
        return u"all("_s + parts.join(u"; "_s) + u')';
    case Kind::Not:
        return u"not("_s + parts.join(u"; "_s) + u')';
    case Kind::Related:
        return (condition.some ? u"some "_s : QString()) + condition.text + u' ' + match;
    case Kind::Last:
        return u"last "_s + match;
    case Kind::Id:
        return u"id "_s + match;
    case Kind::Required:
        return u"required"_s;
    case Kind::Elapsed:
        return u"elapsed %1 %2"_s.arg(condition.text).arg(condition.ms);
    case Kind::Property:
        return condition.bound ? u"%1 > %2"_s.arg(condition.text).arg(*condition.bound)
                               : condition.text + u' ' + match;
    }
    return {};
}

/// The pack with what a meaning does not need, in spellings that writers get wrong.
Pack decorated(Pack pack)
{
    const auto oddText = [] {
        return *rc::gen::element(u""_s, u"\"quoted\" \\ back"_s, u"l\u00e4nge \u20ac \U0001F600"_s,
            u"two\nlines\t\u0001"_s, QString(u"zero\0byte"_s), u"/~1~0"_s);
    };
    const auto odd = [&](Row *row) {
        if (const QString about = oddText(); !about.isEmpty())
            row->about = about;
        if (*rc::gen::inRange(0, 4) == 0)
            row->extras = { { u"x-"_s + oddText(), R"({ "a" : [1.0,"\u0041"] })" },
                { u"x-b"_s, "\n null"_ba.trimmed() } };
    };
    odd(&pack);
    for (Machine &machine : pack.machines) {
        odd(&machine);
        machine.title = oddText();
        for (State &state : machine.states) {
            odd(&state);
            state.label = oddText();
            for (Step &step : state.work)
                odd(&step);
        }
        for (Transition &transition : machine.transitions) {
            odd(&transition);
            transition.bend = *rc::gen::inRange(-1000, 1000) / 7.0;
            transition.label = oddText();
        }
        for (Constraint &constraint : machine.constraints)
            odd(&constraint);
    }
    for (Switch &row : pack.switches)
        odd(&row);
    for (Type &type : pack.types)
        odd(&type);
    for (Conflict &conflict : pack.conflicts)
        odd(&conflict);
    for (NamedCondition &named : pack.conditions)
        odd(&named);
    for (Refusal &refusal : pack.refusals)
        refusal.message = oddText();
    return pack;
}

} // namespace

void TestPackFormat::shippedPacksSurvive_data()
{
    QTest::addColumn<QString>("file");
    const QDir source(QStringLiteral(INSTAR_SOURCE_DIR));
    for (const QString &folder : { u"resources/packs"_s, u"tests/data/packs"_s }) {
        const QDir packs(source.filePath(folder));
        for (const QString &name : packs.entryList({ u"*.json"_s })) {
            if (name != "index.json"_L1)
                QTest::newRow(qPrintable(name)) << packs.filePath(name);
        }
    }
}

void TestPackFormat::shippedPacksSurvive()
{
    QFETCH(QString, file);
    const Pack pack = valueOf(loadPack(file));
    QVERIFY(!pack.machines.isEmpty());
    const QByteArray written = writePack(pack);
    const Pack again = valueOf(readPack(parsed(written)));
    QVERIFY(again == pack);
    QCOMPARE(writePack(again), written);
}

void TestPackFormat::randomPacksSurvive()
{
    QVERIFY(rc::check("read(write(pack)) == pack", [] {
        const Pack pack = decorated(*randomPack());
        const Result<JsonText> document = JsonText::parse(writePack(pack), u"random.json"_s);
        RC_ASSERT(document);
        const Result<Pack> again = readPack(*document);
        if (!again)
            RC_FAIL(again.error().toStdString());
        RC_ASSERT(*again == pack);
    }));
}

void TestPackFormat::conditionsSurviveAsWords()
{
    QVERIFY(rc::check("from words(condition) == condition", [] {
        const Condition condition = randomCondition();
        const QString words = conditionWords(condition);
        const Result<Condition> again = conditionFromWords(words);
        if (!again)
            RC_FAIL((words + u": "_s + again.error()).toStdString());
        RC_ASSERT(*again == condition);
        const bool isNested =
            condition.kind == Condition::Kind::Not || condition.kind == Condition::Kind::All;
        RC_ASSERT(isNested || !words.startsWith(u'{'));
    }));
}

void TestPackFormat::conditionsAsTyped_data()
{
    // written: empty: an error
    const Rows<QString, QString> row("typed", "written");
    row("no children is busy", "no children are busy");
    row("no children are busy or idle", "no children are busy or idle");
    row("not some children is busy", "no children are busy");
    row("any children are busy", "some children are busy");
    row("children are busy", "all children are busy");
    row("paid and not sent", "paid and not sent");
    row("must be replaced", "must be replaced");
    row("no children busy", "");
    row("a child is busy", "some child is busy"); // check() suggests "children"
    row("paid and the child is too busy", "");
    row("not the children are busy", "");
}

/// Facts are understood as people type them; what only looks like one is no label.
void TestPackFormat::conditionsAsTyped()
{
    QFETCH(QString, typed);
    const Result<Condition> condition = conditionFromWords(typed);
    QTEST(condition ? conditionWords(*condition) : QString(), "written");
}

void TestPackFormat::conditions_data()
{
    const Rows<QByteArray, QString> row("json", "meaning");
    row(R"("late")", "label late");
    row(R"("!late")", "not(label late)");
    row(R"("!!late")", "not(label !late)");
    row(R"({"not": "late"})", "not(label late)");
    row(R"({"not": ["a", "b"]})", "not(all(label a; label b))");
    row(R"(["a", "!b"])", "all(label a; not(label b))");
    row(R"(["a"])", "all(label a)");
    row("[]", "all()");
    row("{}", "always");
    row(R"({"last": ["Ready", "Failed"]})", "last [Ready,Failed]");
    row(R"({"last": "Ready"})", "last [Ready]");
    row(R"({"id": ["a"]})", "id [a]");
    row(R"({"required": true})", "required");
    row(R"({"required": false})", "not(required)");
    row(R"({"elapsed": {"since": "time", "ms": 10000}})", "elapsed time 10000");
    row(R"({"parent": "none"})", "parent none");
    row(R"({"children": "any"})", "children any");
    row(R"({"children": ["any"]})", "children [any]");
    row(R"({"some referrers": ["none"]})", "some referrers [none]");
    row(R"({"events/start": ["DONE"], "#old": "none", "/programs/main": ["exited"]})",
        "all(events/start [DONE]; #old none; /programs/main [exited])");
    row(R"([{"last": ["a"]}, {"last": ["b"]}])", "all(last [a]; last [b])");
    row(R"([{"last": ["a"], "id": ["x"]}, "c"])", "all(all(last [a]; id [x]); label c)");
    row(R"({"not": {"not": {"required": false}}})", "not(not(not(required)))");
    row(R"({"required": true, "not": {"required": true}})", "all(required; not(required))");
}

void TestPackFormat::conditions()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, meaning);
    const Pack pack = packOf(withTransition(", \"if\": " + json));
    QCOMPARE(text(pack.machines[0].transitions[0].condition), meaning);
    QVERIFY(packOf(writePack(pack)) == pack);
    const Pack named =
        packOf("{\"id\": \"p\", \"types\": {}, \"machines\": {}, \"conditions\": {\"x\": {\"is\": "
            + json + ", \"about\": \"why\"}, \"y\": " + json + "}}");
    QCOMPARE(text(named.conditions[0].condition), meaning);
    QCOMPARE(text(named.conditions[1].condition), meaning);
    QVERIFY(packOf(writePack(named)) == named);
}

void TestPackFormat::propertyValues_data()
{
    const Rows<QByteArray, int, int> row("is", "texts", "others");
    row(R"("a")", 1, 0);
    row("5", 0, 1);
    row("null", 0, 1);
    row(R"(["a", "b"])", 2, 0);
    row("[5, false]", 0, 2);
    row(R"(["a", 5])", 1, 1);
    row(R"(["a", "b", 5, true])", 2, 2);
}

void TestPackFormat::propertyValues()
{
    QFETCH(QByteArray, is);
    const Pack pack =
        packOf(withTransition(R"(, "if": {"property": {"name": "n", "is": )" + is + "}}"));
    const Condition &condition = pack.machines[0].transitions[0].condition;
    QTEST(int(condition.states.size()), "texts");
    QTEST(int(condition.values.size()), "others");
    QVERIFY(packOf(writePack(pack)) == pack);
}

void TestPackFormat::steps_data()
{
    const Rows<QByteArray, int> row("json", "count");
    row("[]", 0);
    row(R"(["attempt"])", 1);
    row(R"([{"attempt": true, "if": "x"}, {"attempt": true, "x-note": 1}])", 2);
    row(R"([{"op": "o", "to": ["a", "b/c"], "where": {"self": ["s"]}, "together": true, "hear": {"failed": "fine"}, "if": "!x"}])",
        1);
    row(R"([{"send": "e", "to": "ancestors"}, {"send": {"failed": "f", "succeeded": "e"}, "to": "#old", "if": {"last": ["s"]}}])",
        2);
    row(R"([{"outcome": "failed"}, {"outcome": "failed", "if": ["a", "b"], "when": {"s": [true, "word"]}}])",
        2);
    row(R"([{"until": "!x"}, {"until": {"children": "none"}, "source": ["a", "b"]}])", 2);
}

void TestPackFormat::steps()
{
    QFETCH(QByteArray, json);
    QFETCH(int, count);
    const Pack pack = packOf(withState("\"kind\": \"transitional\", \"work\": " + json));
    const State &state = pack.machines[0].states[0];
    QVERIFY(state.ownWork);
    QCOMPARE(state.work.size(), count);
    const QByteArray written = writePack(pack);
    QVERIFY(packOf(written) == pack);
    QCOMPARE(
        QString::fromUtf8(Output::copy(parsed(written).at(u"/machines/m/states/a/work")).oneLine()),
        QString::fromUtf8(Output::copy(parsed(json).root()).oneLine()));
}

/// A file with every key there is comes back member for member.
void TestPackFormat::everyKey()
{
    const JsonText document = valueOf(
        loadDocument(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/corpus/pack/every-key.json")));
    const Pack pack = valueOf(readPack(document));
    QCOMPARE(QString::fromUtf8(writePack(pack)), QString::fromUtf8(document.bytes()));

    const Machine &machine = pack.machines.first();
    QCOMPARE(machine.notes.size(), 2);
    QCOMPARE(machine.notes[0].of, u"shut"_s);
    QCOMPARE(machine.notes[0].position, QPointF(5, 6));
    QCOMPARE(machine.state(u"moving"_s)->size, QPointF(300, 120.5));
    QCOMPARE(pack.retry, u"again"_s);
    QVERIFY(pack.ignoreCase);
    QCOMPARE(pack.switches[1].values, (QStringList { u"one"_s, u"two"_s }));
    QVERIFY(pack.switches[0].isBoolean());
    QCOMPARE(pack.switches[0].defaultValue, u"true"_s);
    QCOMPARE(pack.types[0].references[0].types, QStringList { u"pools"_s });
    QVERIFY(pack.types[0].references[0].required);
    QCOMPARE(pack.types[0].codes.value(u"busy"_s), u"BoxIsBusy"_s);
    QCOMPARE(pack.operations[0].duration, 250);
    QCOMPARE(pack.outcomes[0].http, 422);
    Timer timer = *machine.states[2].timer;
    QCOMPARE(timer.order.size(), 2);
    QCOMPARE(timer.order[1].text, u"parent/boxes"_s);
    timer.order.clear();
    QCOMPARE(timer,
        (Timer { .operation = u"open"_s,
            .at = { Figure { .property = u"time"_s } },
            .after = 7'776'000'000,
            .every = 100 }));
    const Timer &limit = *machine.states[4].timer;
    QCOMPARE(limit.outcome, u"stuck"_s);
    QCOMPARE(limit.at,
        (QList<Figure> { Figure { .property = u"end"_s },
            Figure { .property = u"end"_s, .of = u"parent"_s, .times = 1000, .add = -60000 } }));
    QCOMPARE(limit.afterIn, QList<Figure> { Figure { .property = u"patience"_s } });
    QCOMPARE(limit.after, 60000);
    QCOMPARE(machine.transitions[1].afterIn, QList<Figure> { Figure { .property = u"pause"_s } });
    QVERIFY(pack.operations[0].merge && !pack.operations[1].merge);
    QCOMPARE(pack.conditions[2].condition.states, QStringList { u"young"_s });
    QCOMPARE(pack.conditions[2].condition.values, (QList<QJsonValue> { 0, true, QJsonValue() }));
    QCOMPARE(pack.conditions[2].condition.words().join(u' '), u"young 0 true null"_s);
    QCOMPARE(pack.conflicts[1].then, Conflict::Then::Wait);
    QCOMPARE(*machine.states[1].position, QPointF(10.5, -20));
    QCOMPARE(*machine.transitions[1].limit, 3);
    QCOMPARE(machine.transitions[1].bend, -12.25);
    QVERIFY(machine.transitions[1].force);
    QCOMPARE(machine.transitions[0].when.value(u"strict"_s), QStringList { u"true"_s });
    QCOMPARE(machine.constraints[0].holds.size(), 2);
    QCOMPARE(pack.conflicts[0].then, Conflict::Then::Reject);
    QCOMPARE(pack.stamps[1].at, Stamp::At::End);
    QCOMPARE(pack.sample[1].properties.value(u"size"_s).toInt(), 3);
    QCOMPARE(machine.transitions[0].sources, QStringList { u"manual"_s });
}

void TestPackFormat::rowsStandWhereTheyStood()
{
    const JsonText document = parsed("{\"id\": \"p\", \"types\": {},\n\"machines\": {\n\"m/1\": "
                                     "{\"rest\": \"a\", \"states\": {\n\"b\": {},\n\"a\": "
                                     "{}},\n\"transitions\": [\n{\"from\": \"a\", \"on\": "
                                     "\"x\"},\n{\"from\": 7, \"on\": \"y\"},\n{\"from\": \"b\", "
                                     "\"on\": \"z\"}]}}}");
    const PackDraft draft = packDraft(document);
    const Machine &machine = draft.pack.machines[0];
    QCOMPARE(machine.id, u"m/1"_s);
    QCOMPARE(machine.states[1].id, u"a"_s);
    QCOMPARE(document.position(u"/machines/m~11/states/a").line, 5);
    QCOMPARE(machine.transitions.size(), 3); // the broken one keeps its place
    QCOMPARE(machine.transitions[2].on, QStringList { u"z"_s });
    QCOMPARE(document.position(u"/machines/m~11/transitions/2").line, 9);
    QCOMPARE(draft.diagnostics.size(), 1);
    const Diagnostic diagnostic { Diagnostic::Severity::Warning, u"/machines/m~11/transitions/2"_s,
        u"never speaks"_s, u"shadowed"_s };
    QCOMPARE(described(document.name(), located(document, { diagnostic }).first()),
        u"my.json:9: warning: /machines/m~11/transitions/2: never speaks [shadowed]"_s);
}

void TestPackFormat::unreadMembersSurvive()
{
    const QByteArray json =
        R"({"$schema": "s.json", "id": "p", "x-tool": {"a":  [ 1.0 ]}, "types": {"t": {"machine": "m", "x-t": 1}},
        "machines": {"m": {"rest": "a", "x-m": null, "states": {"a": {"x-s": "\u0041"}},
        "transitions": [{"from": "a", "on": "b", "x-y": {}, "x-x": []}]}}, "wire": {"x-any": "thing"}})";
    const Pack pack = packOf(json);
    QCOMPARE(pack.extras.size(), 2);
    QCOMPARE(pack.extras[0].key, u"$schema"_s);
    QCOMPARE(pack.extras[1], (Extra { u"x-tool"_s, R"({"a":  [ 1.0 ]})" }));
    QCOMPARE(pack.wire.extras[0].key, u"x-any"_s);
    QCOMPARE(pack.machines[0].states[0].extras[0].json, R"("\u0041")"_ba);
    QCOMPARE(pack.machines[0].transitions[0].extras[0].key, u"x-y"_s);
    const QByteArray written = writePack(pack);
    QVERIFY(written.contains("\n \"$schema\": \"s.json\",\n \"x-tool\":"));
    QVERIFY(packOf(written) == pack);
}

void TestPackFormat::oneLineARow()
{
    const QByteArray written =
        writePack(packOf(withTransition("}, {\"from\": \"b\", \"on\": \"c\"")));
    QCOMPARE(QString::fromUtf8(written), uR"({
 "id": "p",
 "types": {},
 "machines": {
  "m": {
   "rest": "a",
   "states": {},
   "transitions": [
    {"from": "a", "on": "b"},
    {"from": "b", "on": "c"}
   ]
  }
 }
}
)"_s);
}

void TestPackFormat::errors_data()
{
    // first: "line pointer code +others"
    const Rows<QByteArray, QString> row("json", "first");
    const auto state = [&](const char *name, const QByteArray &members, const QByteArray &first) {
        row(name, withState(members), "1 /machines/m/states/a/" + first);
    };
    const auto transition = [&](const char *name, const QByteArray &members,
                                const QByteArray &first) {
        row(name, withTransition(", " + members), "1 /machines/m/transitions/0/" + first);
    };
    row("no object", "[]", "1  value");
    row("nothing", "{}", "1  missing-key +2");
    row("id", R"({"id": 3, "types": {}, "machines": {}})", "1 /id value");
    row("unknown key", "{\"id\": \"p\", \"types\": {},\n\"machnies\": {}, \"machines\": {}}",
        "2 /machnies unknown-key");
    row("key twice", "{\"id\": \"p\", \"types\": {},\n\"machines\": {},\n\"id\": \"q\"}",
        "3 /id duplicate-key");
    row("id twice",
        "{\"id\": \"p\", \"types\": {}, \"machines\": {\n\"m\": {\"rest\": \"a\", \"states\": "
        "{\n\"a\": {},\n\"a\": {}}}}}",
        "4 /machines/m/states/a duplicate-key");
    row("empty id", withState("}, \"\": {"), "1 /machines/m/states/ value");
    state("kind", R"("kind": "stabel")", "kind value");
    state("kind is a number", R"("kind": 1)", "kind value");
    state("position", R"("at": [1])", "at value");
    state("position of words", R"("at": [1, "2"])", "at/1 value");
    state("position too far", R"("at": [1, 1e999])", "at/1 value");
    state("timer", R"("timer": {"after": -1, "op": "x"})", "timer/after value");
    state("timer's extra", R"("timer": {"op": "x", "x-y": 1})", "timer/x-y unknown-key");
    state("step", R"("work": ["atempt"])", "work/0 value");
    state("step of no kind", R"("work": [{"to": "x"}])", "work/0 missing-key +1");
    state(
        "step of two kinds", R"("work": [{"op": "o", "send": "e", "to": "x"}])", "work/0 value +1");
    state("attempt false", R"("work": [{"attempt": false}])", "work/0/attempt value");
    state("send nothing", R"("work": [{"send": {}, "to": "x"}])", "work/0/send value");
    state("send to nobody", R"("work": [{"send": "e"}])", "work/0 missing-key");
    state("work", R"("work": "attempt")", "work value");
    transition("to", R"("to": 5)", "to value");
    transition("to and refuse", R"("to": "a", "refuse": "r")", "to value");
    transition("set and refuse", R"("refuse": "r", "set": {"p": 1})", "set value");
    transition("set a list", R"("to": "a", "set": {"p": [1]})", "set/p value");
    transition("set adds nothing", R"("to": "a", "set": {"p": {}})", "set/p missing-key");
    transition("set adds a half", R"("to": "a", "set": {"p": {"add": 0.5}})", "set/p/add value");
    transition("property asked twice",
        R"("if": {"property": {"name": "p", "is": "x", "above": 1}})", "if/property value");
    transition("property not asked", R"("if": {"property": {"name": "p"}})", "if/property value");
    transition(
        "property without name", R"("if": {"property": {"above": 1}})", "if/property missing-key");
    state("usually nothing", R"("work": [{"attempt": true, "where": "x"}])", "work/0/where value");
    transition("limit", R"("limit": 1.5)", "limit value");
    transition("limit too large", R"("limit": 9007199254740992)", "limit value");
    transition("after too large", R"("after": 9007199254740993)", "after value");
    transition("force", R"("force": "yes")", "force value");
    transition("key of a row", R"("sorce": "R1")", "sorce unknown-key");
    transition("condition", R"("if": true)", "if value");
    transition("empty label", R"("if": "!")", "if value");
    transition("match", R"("if": {"parent": "Ready"})", "if/parent value");
    transition(
        "fact twice", R"("if": {"parent": "any", "parent": "none"})", "if/parent duplicate-key");
    transition("about in a condition", R"("if": {"parent": "any", "about": "any"})",
        "if/about unknown-key");
    transition("elapsed", R"("if": {"elapsed": {"ms": 1}})", "if/elapsed missing-key");
    transition("property's value", R"("if": {"property": {"name": "p", "is": [{}]}})",
        "if/property/is/0 value");
    transition("pause", R"("after": true)", "after value");
    transition("pause in a property", R"("after": {"times": 2})", "after missing-key");
    transition("pause otherwise", R"("after": {"property": "p", "else": -1})", "after/else value");
    state("time is a property's", R"("timer": {"op": "x", "at": 5})", "timer/at value");
    state("timer for both", R"("timer": {"op": "x", "outcome": "y"})", "timer/op value");
    transition("conditions too deep", "\"if\": " + QByteArray(100, '[') + QByteArray(100, ']'),
        "if" + QByteArray("/0").repeated(65) + " value");
    transition("when", R"("when": {"s": 3})", "when/s value");
    row("when of the pack", R"({"id": "p", "when": {"s": true}, "types": {}, "machines": {}})",
        "1 /when unknown-key");
    const QByteArray rest = R"(, "types": {}, "machines": {}})";
    row("then", R"({"id": "p", "conflicts": [{"then": "deny"}])" + rest,
        "1 /conflicts/0/then value");
    row("place",
        R"({"id": "p", "conflicts": [{"at": ["self", "ancestors"], "then": "allow"}])" + rest,
        "1 /conflicts/0/at/1 value");
    row("http", R"({"id": "p", "refusals": {"r": {"http": 4040}})" + rest,
        "1 /refusals/r/http value");
    row("stamp", R"({"id": "p", "stamp": [{"at": "begin"}])" + rest, "1 /stamp/0/at value");
    row("sample",
        R"({"id": "p", "sample": {"resources": [{"path": "/a/b", "properties": []}]})" + rest,
        "1 /sample/resources/0/properties value");
    row("long value", R"({"id": "p", "stamp": [{"at": ")" + QByteArray(500, 'x') + "\"}]" + rest,
        "1 /stamp/0/at value");
}

void TestPackFormat::errors()
{
    QFETCH(QByteArray, json);
    QTEST(firstOf(packDraft(parsed(json)).diagnostics), "first");
}

void TestPackFormat::allErrorsAreTold()
{
    const JsonText document = parsed(withState("\"first\": 1,\n\"two\": 2,\n\"kind\": 3"));
    QStringList lines;
    for (const Diagnostic &diagnostic : packDraft(document).diagnostics)
        lines.append(described(document.name(), diagnostic).section(u" expected"_s, 0, 0));
    QCOMPARE(
        lines.join(u'\n'), uR"(my.json:1: error: /machines/m/states/a/first: unknown key "first";
my.json:2: error: /machines/m/states/a/two: unknown key "two";
my.json:3: error: /machines/m/states/a/kind:)"_s);

    QByteArray many = "{\"id\": \"p\", \"types\": {}, \"machines\": {}";
    for (int i = 0; i < 5000; ++i)
        many += ", \"wrong" + QByteArray::number(i) + "\": 0";
    const PackDraft draft = packDraft(parsed(many + '}'));
    QCOMPARE(draft.diagnostics.size(), 100);
    const PackDraft odd = packDraft(parsed(R"({"ab\n\u001bcd\u2028ef": 1})"));
    QVERIFY(odd.error.contains(u" /ab \\u001bcd ef: unknown key \"ab \\u001bcd ef\""_s));
    QVERIFY(draft.error.endsWith(u"(and 4999 more)"_s));
}

void TestPackFormat::brokenFiles_data()
{
    const Rows<QString, QString> row("file", "error");
    const QDir folder(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/bad"));
    for (const QString &name : folder.entryList({ u"*.json"_s })) {
        const Result<QByteArray> expected =
            fileBytes(folder.filePath(name.chopped(5) + u".reader.txt"_s));
        row(qPrintable(name), folder.filePath(name),
            (expected ? QString::fromUtf8(*expected).trimmed() : expected.error()));
    }
}

void TestPackFormat::brokenFiles()
{
    QFETCH(QString, file);
    QTEST(errorIn(loadPack(file)).replace(file, u"FILE"_s), "error");
}

void TestPackFormat::library()
{
    QVERIFY(builtInPacks().size() >= 2);
    for (const QString &id : builtInPacks()) {
        const Pack pack = valueOf(loadPack(id));
        QCOMPARE(pack.id, id);
        QVERIFY(!pack.title.isEmpty());
        QVERIFY(!pack.origin.isEmpty());
        QVERIFY(!pack.origin.contains(u'\n'));
    }
    const QString almost = builtInPacks().first().chopped(1);
    const Result<Pack> pack = loadPack(almost);
    QVERIFY(!pack);
    QCOMPARE(pack.error(),
        u"\"%1\" is neither a built-in pack (%2) nor a file; did you mean \"%3\"?"_s.arg(
            almost, builtInPacks().join(u", "_s), builtInPacks().first()));

    QTemporaryDir folder;
    QFile file(folder.filePath(u"own.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(writePack(packOf(withState(""))));
    file.close();
    QVERIFY(loadPack(u"own.json"_s, folder.path()));
    QVERIFY(loadPack(file.fileName(), u"/elsewhere"_s));
    QVERIFY(!loadPack(u"own.json"_s));
}

/// Nobody writes into this pipe: opening it to read would wait for ever.
void TestPackFormat::pipes()
{
    QTemporaryDir folder;
    const QString pipe = folder.filePath(u"pipe"_s);
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    const QString refused = pipe + u": expected a file, found a pipe"_s;
    QCOMPARE(fileBytes(pipe).error(), refused);
    QCOMPARE(loadPack(pipe).error(), refused);
    const QString link = folder.filePath(u"link.pack.json"_s);
    QVERIFY(QFile::link(pipe, link));
    QCOMPARE(loadPack(link).error(), link + u": expected a file, found a pipe"_s);

    allowPipes({ pipe });
    std::thread writer([&] {
        QFile file(pipe);
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray(300'000, 'x'));
    });
    const Result<QByteArray> read = fileBytes(pipe);
    writer.join();
    allowPipes({});
    QVERIFY2(read, read ? "" : qUtf8Printable(read.error()));
    QCOMPARE(read->size(), 300'000);
}

void TestPackFormat::filesThatAreNone()
{
    QTemporaryDir folder;
    QCOMPARE(fileBytes(folder.filePath(u"none"_s)).error(),
        folder.filePath(u"none"_s) + u": there is no such file"_s);
    QCOMPARE(fileBytes(folder.path()).error(),
        folder.path() + u": expected a file, found a directory"_s);
    QCOMPARE(fileBytes({}).error(), u"expected a file name, found an empty text"_s);
    QFile file(folder.filePath(u"large"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.resize(packBytes + 1)); // sparse
    file.close();
    QCOMPARE(loadPack(file.fileName()).error(),
        file.fileName() + u": expected at most 16 MB, found a larger file"_s);
    QCOMPARE(fileBytes(u"/dev/zero"_s).error(), u"/dev/zero: expected a file, found a device"_s);
    allowPipes({ u"/dev/zero"_s });
    QCOMPARE(fileBytes(u"/dev/zero"_s, 1'000'000).error(),
        u"/dev/zero: expected at most 1 MB, found a larger file"_s);
    allowPipes({});
    QVERIFY(fileBytes(u":/instar/packs/index.json"_s));
    QCOMPARE(fileBytes(u":/none"_s).error(), u":/none: there is no such file"_s);
    QVERIFY(!fileBytes(folder.filePath(u"large"_s) + QChar::Null));
    QCOMPARE(fileBytes(u"/proc/self/cmdline"_s)->isEmpty(), false); // its size is said to be 0
    const QString secret = folder.filePath(u"secret"_s);
    QVERIFY(QFile::copy(QStringLiteral(INSTAR_SOURCE_DIR "/LICENSE"), secret));
    QVERIFY(QFile::setPermissions(secret, {}));
    if (!QFile(secret).open(QIODevice::ReadOnly)) // root may read anything
        QVERIFY(fileBytes(secret).error().startsWith(secret + u": cannot be read: "_s));
}

const instar::TestClass<TestPackFormat> registered;
#include "tst_packformat.moc"
