// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"
#include "model/json/output.h"
#include "model/json/packfile.h"
#include "tests/support/packtext.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestPackFormat : public QObject
{
    Q_OBJECT

private slots:
    void shippedPacksSurvive_data();
    void shippedPacksSurvive();
    void randomPacksSurvive();
    void conditions_data();
    void conditions();
    void propertyValues_data();
    void propertyValues();
    void steps_data();
    void steps();
    void schemaBehindOtherKeys();
    void everyKey();
    void rowsStandWhereTheyStood();
    void unreadMembersSurvive();
    void oneLineARow();
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
    const Result<Pack> pack = loadPack(file);
    QVERIFY2(pack, pack ? "" : qPrintable(pack.error()));
    QVERIFY(!pack->machines.isEmpty());
    const QByteArray written = writePack(*pack);
    const Result<Pack> again = readPack(parsed(written));
    QVERIFY2(again, again ? "" : qPrintable(again.error()));
    QVERIFY(*again == *pack);
    QCOMPARE(writePack(*again), written);
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

void TestPackFormat::conditions_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("meaning");
    const auto row = [](const char *json, const char *meaning) {
        QTest::newRow(json) << QByteArray(json) << QString::fromUtf8(meaning);
    };
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
    QTest::addColumn<QByteArray>("is");
    QTest::addColumn<int>("texts");
    QTest::addColumn<int>("others");
    const auto row = [](const char *is, int texts, int others) {
        QTest::newRow(is) << QByteArray(is) << texts << others;
    };
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
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<int>("count");
    const auto row = [](const char *json, int count) {
        QTest::newRow(json) << QByteArray(json) << count;
    };
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

/// What the writer puts first is first however the file has it.
void TestPackFormat::schemaBehindOtherKeys()
{
    const Pack pack =
        packOf(R"({"id": "p", "types": {}, "machines": {}, "x-a": null, "$schema": "s"})");
    QCOMPARE(pack.extras.size(), 2);
    QCOMPARE(packOf(writePack(pack)), pack);
}

/// A file with every key there is comes back member for member.
void TestPackFormat::everyKey()
{
    const Result<JsonText> document =
        loadDocument(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/corpus/pack/every-key.json"));
    QVERIFY2(document, document ? "" : qPrintable(document.error()));
    const Result<Pack> pack = readPack(*document);
    QVERIFY2(pack, pack ? "" : qPrintable(pack.error()));
    QCOMPARE(QString::fromUtf8(writePack(*pack)), QString::fromUtf8(document->bytes()));

    const Machine &machine = pack->machines.first();
    QCOMPARE(machine.notes.size(), 2);
    QCOMPARE(machine.notes[0].of, u"shut"_s);
    QCOMPARE(machine.notes[0].position, QPointF(5, 6));
    QCOMPARE(machine.state(u"moving"_s)->size, QPointF(300, 120.5));
    QCOMPARE(pack->retry, u"again"_s);
    QVERIFY(pack->ignoreCase);
    QCOMPARE(pack->switches[1].values, (QStringList { u"one"_s, u"two"_s }));
    QVERIFY(pack->switches[0].isBoolean());
    QCOMPARE(pack->switches[0].defaultValue, u"true"_s);
    QCOMPARE(pack->types[0].references[0].types, QStringList { u"pools"_s });
    QVERIFY(pack->types[0].references[0].required);
    QCOMPARE(pack->types[0].codes.value(u"busy"_s), u"BoxIsBusy"_s);
    QCOMPARE(pack->operations[0].duration, 250);
    QCOMPARE(pack->outcomes[0].http, 422);
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
    QVERIFY(pack->operations[0].merge && !pack->operations[1].merge);
    QCOMPARE(pack->conditions[2].condition.states, QStringList { u"young"_s });
    QCOMPARE(pack->conditions[2].condition.values, (QList<QJsonValue> { 0, true, QJsonValue() }));
    QCOMPARE(pack->conditions[2].condition.words().join(u' '), u"young 0 true null"_s);
    QCOMPARE(pack->conflicts[1].then, Conflict::Then::Wait);
    QCOMPARE(*machine.states[1].position, QPointF(10.5, -20));
    QCOMPARE(*machine.transitions[1].limit, 3);
    QCOMPARE(machine.transitions[1].bend, -12.25);
    QVERIFY(machine.transitions[1].force);
    QCOMPARE(machine.transitions[0].when.value(u"strict"_s), QStringList { u"true"_s });
    QCOMPARE(machine.constraints[0].holds.size(), 2);
    QCOMPARE(pack->conflicts[0].then, Conflict::Then::Reject);
    QCOMPARE(pack->stamps[1].at, Stamp::At::End);
    QCOMPARE(pack->sample[1].properties.value(u"size"_s).toInt(), 3);
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
    QCOMPARE(described(document, diagnostic),
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
    QVERIFY(written.startsWith("{\n \"$schema\": \"s.json\",\n \"id\": \"p\","));
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

const instar::TestClass<TestPackFormat> registered;
#include "tst_packformat.moc"
