// SPDX-License-Identifier: Apache-2.0
#include "model/explore/explore.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"
#include "tests/support/worldcompare.h"

#include <QJsonDocument>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Rows that change properties, conditions that look at them, and attempts that usually end in some
// way.

class TestAssignments : public QObject
{
    Q_OBJECT

private slots:
    void values_data();
    void values();
    void everyWayARowIsTaken();
    void inPlace();
    void inPlaceGuarded();
    void inPlaceByEvents();
    void refusedChangesNothing();
    void questions_data();
    void questions();
    void questionAboutAncestors();
    void storedDocumentsGiveWay();
    void worldsThatDiffer();
    void usualOutcome_data();
    void usualOutcome();
    void usualOutcomeByHand();
    void everyOutcomeIsTried();
    void countersAreExplored();
};

namespace {

const QString lamp = u"/lamps/a"_s, bulb = u"/lamps/a/bulbs/b"_s, other = u"/lamps/a/bulbs/c"_s;

/// Lamps with bulbs; `rows` come first, `work` is that of "busy".
Pack lamps(const QByteArray &rows, const QByteArray &work = "[\"attempt\"]",
    const QByteArray &conditions = "{}")
{
    const QByteArray json =
        R"({"id": "lamps", "types": {"lamps": {"machine": "m"}, "lamps/bulbs": {"machine": "m"}}, "retry": "again",
        "outcomes": {"again": {}, "dim": {"status": "Succeeded"}}, "conditions": )"
        + conditions + R"j(, "machines": {"m": {"rest": "off",
        "states": {"none": {"kind": "initial"}, "off": {}, "on": {}, "busy": {"kind": "transitional", "work": )j"
        + work + R"j(},
        "moved": {"kind": "transitional"}}, "transitions": [)j"
        + rows + R"j({"from": ["none", "off", "on"], "on": "go", "to": "busy"},
        {"from": "busy", "on": "again", "to": "(same)", "after": 10}, {"from": "*", "on": ["succeeded", "dim"], "to": "on"},
        {"from": "*", "on": ["failed", "canceled"], "to": "off"}, {"from": "*", "on": "drop", "to": "off"}]}},
        "conflicts": [{"on": "drop", "at": "self", "then": "cancel"}, {"at": "self", "then": "reject", "code": "Busy"}],
        "refusals": {"Busy": {"http": 409}}})j";
    return packOf(json);
}

QString propertiesAt(const World &world, const QString &path)
{
    return QString::fromUtf8(QJsonDocument(world.properties.value(world.tree.find(path)))
                                 .toJson(QJsonDocument::Compact));
}

QJsonObject objectOf(const char *json)
{
    return QJsonDocument::fromJson(json).object();
}

struct Lamps : Staging
{
    explicit Lamps(const Pack &pack, const QJsonObject &properties = {})
        : Staging(rulesOf(pack),
            { { .path = lamp, .properties = properties }, { .path = bulb }, { .path = other } })
    { }
    QString properties(const QString &path = lamp) const
    {
        return propertiesAt(simulator.world(), path);
    }
};

} // namespace

void TestAssignments::values_data()
{
    const Rows<QByteArray, QByteArray, QString> row("set", "before", "after");
    row("text", R"({"s": "x"})", R"({"s": "y", "t": 1})", uR"({"s":"x","t":1})"_s);
    row("number", R"({"n": 2.5})", "{}", uR"({"n":2.5})"_s);
    row("yes", R"({"b": true})", R"({"b": false})", uR"({"b":true})"_s);
    row("goes", R"({"s": null})", R"({"s": 1, "t": 2})", uR"({"t":2})"_s);
    row("goes, was not there", R"({"s": null})", R"({"t": 2})", uR"({"t":2})"_s);
    row("the last one goes", R"({"s": null})", R"({"s": 1})", u"{}"_s);
    row("down", R"({"n": {"add": -1}})", R"({"n": 5})", uR"({"n":4})"_s);
    row("below zero", R"({"n": {"add": -7}})", R"({"n": 5})", uR"({"n":-2})"_s);
    row("up", R"({"n": {"add": 3}})", R"({"n": 0})", uR"({"n":3})"_s);
    row("no number", R"({"n": {"add": 3}})", R"({"n": "0"})", uR"({"n":"0"})"_s);
    row("nothing to count", R"({"n": {"add": 3}})", "{}", u"{}"_s);
    row("several", R"({"a": 1, "b": {"add": 1}, "c": null})", R"({"b": 1, "c": 1})",
        uR"({"a":1,"b":2})"_s);
}

void TestAssignments::values()
{
    QFETCH(QByteArray, set);
    QFETCH(QByteArray, before);
    Lamps staging(lamps(R"({"from": "off", "on": "light", "to": "on", "set": )" + set + "},"),
        objectOf(before.constData()));
    QCOMPARE(staging.properties(),
        QString::fromUtf8(
            QJsonDocument(objectOf(before.constData())).toJson(QJsonDocument::Compact)));
    staging.ask(u"light"_s, lamp);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    QTEST(staging.properties(), "after");
    QVERIFY(staging.simulator.stepBack());
    QCOMPARE(objectOf(before.constData()), objectOf(staging.properties().toUtf8().constData()));
}

/// By an operation, by an outcome, by what others send, by what those hear in the end, and by a
/// cancellation.
void TestAssignments::everyWayARowIsTaken()
{
    const Pack pack = lamps(
        R"({"from": "off", "on": "go", "to": "busy", "set": {"began": {"add": 1}, "by": "operation"}},
        {"from": "busy", "on": "succeeded", "to": "on", "set": {"by": "outcome"}},
        {"from": "*", "on": "above", "to": "moved", "set": {"by": "event"}},
        {"from": "moved", "on": "succeeded", "to": "on", "set": {"by": "hearing"}},
        {"from": "moved", "on": "canceled", "to": "off", "set": {"by": "cancellation"}},)",
        R"([{"send": "above", "to": "descendants"}, "attempt"])");
    Lamps staging(pack, objectOf(R"({"began": 0})"));
    staging.ask(u"go"_s, lamp);
    QCOMPARE(staging.properties(), uR"({"began":1,"by":"operation"})"_s);
    QCOMPARE(staging.properties(bulb), uR"({"by":"event"})"_s);
    QCOMPARE(staging.properties(other), uR"({"by":"event"})"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.properties(), uR"({"began":1,"by":"outcome"})"_s);
    QCOMPARE(staging.properties(bulb), uR"({"by":"hearing"})"_s);
    QCOMPARE(staging.states({ lamp, bulb, other }), u"on on on"_s);

    Lamps canceled(pack);
    canceled.ask(u"go"_s, lamp);
    canceled.ask(u"drop"_s, lamp);
    QCOMPARE(canceled.status(u"op1"_s), u"Canceled"_s);
    QCOMPARE(canceled.properties(bulb), uR"({"by":"cancellation"})"_s);
    QCOMPARE(canceled.states({ lamp, bulb }), u"off off"_s);
}

/// Without `to` a row sets properties where the resource is: what runs there goes on, and what
/// waits for the property goes on now.
void TestAssignments::inPlace()
{
    const Pack pack =
        lamps(R"({"from": "*", "on": "free", "set": {"held": null}},)", R"([{"until": "!held"}])");
    Lamps staging(pack, objectOf(R"({"held": true})"));
    staging.ask(u"go"_s, lamp);
    staging.simulator.advance(100'000);
    QCOMPARE(staging.at(lamp), u"busy"_s);
    staging.ask(u"free"_s, lamp);
    QCOMPARE(staging.status(u"op2"_s), u"Succeeded"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s); // not canceled
    QCOMPARE(staging.at(lamp), u"on"_s);
    QCOMPARE(staging.properties(), u"{}"_s);
    staging.ask(u"free"_s, u"/lamps/none"_s);
    QCOMPARE(staging.status(u"op3"_s), u"Rejected"_s);
    QVERIFY(staging.simulator.stepBack() && staging.simulator.stepBack());
    QCOMPARE(staging.properties(), uR"({"held":true})"_s);
    QCOMPARE(staging.at(lamp), u"busy"_s);
}

/// It is a change: its etag is another one, and If-Match and refusing rows are asked.
void TestAssignments::inPlaceGuarded()
{
    Pack pack =
        lamps(R"({"from": "*", "on": "mark", "if": {"property": {"name": "locked", "is": true}},
        "refuse": "Locked"}, {"from": "*", "on": "mark", "set": {"marks": {"add": 1}}},)");
    pack.refusals += Refusal { {}, u"Locked"_s, {}, 409, {} };
    pack.stamps = { Stamp {} };
    Lamps staging(pack, objectOf(R"({"marks": 0})"));
    const auto tag = [&] {
        return etag(staging.simulator.world(), staging.simulator.world().tree.find(lamp));
    };
    const QString first = tag();
    staging.ask(u"mark"_s, lamp);
    QVERIFY(tag() != first);
    staging.ask({ .op = u"mark"_s, .path = lamp, .ifMatch = first });
    QCOMPARE(staging.status(u"op2"_s), u"Rejected"_s);
    staging.ask({ .op = u"mark"_s, .path = lamp, .ifMatch = tag() });
    QCOMPARE(staging.properties(), uR"({"marks":2})"_s);
    Lamps locked(pack, objectOf(R"({"locked": true, "marks": 0})"));
    locked.ask(u"mark"_s, lamp);
    QCOMPARE(locked.operation(u"op1"_s).errorCode, u"Locked"_s);
    QCOMPARE(locked.properties(), uR"({"locked":true,"marks":0})"_s);
}

void TestAssignments::inPlaceByEvents()
{
    Lamps staging(lamps(R"({"from": "*", "on": "above", "set": {"told": true}},)",
        R"([{"send": "above", "to": "descendants"}, "attempt"])"));
    staging.ask(u"go"_s, lamp);
    QCOMPARE(staging.states({ lamp, bulb, other }), u"busy off off"_s);
    QCOMPARE(staging.properties(bulb), uR"({"told":true})"_s);
}

void TestAssignments::refusedChangesNothing()
{
    Lamps staging(lamps(R"({"from": "off", "on": "go", "to": "busy", "set": {"n": {"add": 1}}},
        {"from": "on", "on": "go", "refuse": "Busy"},)"),
        objectOf(R"({"n": 0})"));
    staging.ask(u"go"_s, lamp);
    staging.ask(u"go"_s, lamp);
    QCOMPARE(staging.status(u"op2"_s), u"Rejected"_s);
    QCOMPARE(staging.properties(), uR"({"n":1})"_s);
    staging.simulator.runUntilQuiet();
    staging.ask(u"go"_s, lamp);
    QCOMPARE(staging.status(u"op3"_s), u"Rejected"_s);
    QCOMPARE(staging.properties(), uR"({"n":1})"_s);
}

void TestAssignments::questions_data()
{
    const Rows<QByteArray, QByteArray, bool> add("question", "properties", "holds");
    const auto row = [&](const char *question, const char *properties, bool holds) {
        add(qPrintable(QLatin1StringView(question) + u" of "_s + QLatin1StringView(properties)),
            QByteArray(question), QByteArray(properties), holds);
    };
    row(R"({"name": "n", "above": 1})", R"({"n": 2})", true);
    row(R"({"name": "n", "above": 1})", R"({"n": 1})", false);
    row(R"({"name": "n", "above": 1})", R"({"n": 1.5})", true);
    row(R"({"name": "n", "above": -3})", R"({"n": -2})", true);
    row(R"({"name": "n", "above": -3})", R"({"n": "5"})", false);
    row(R"({"name": "n", "above": -3})", "{}", false);
    row(R"({"name": "s", "is": ["a", "b"]})", R"({"s": "b"})", true);
    row(R"({"name": "s", "is": ["a", "b"]})", R"({"s": "c"})", false);
    row(R"({"name": "s", "is": ["a"]})", "{}", false);
    row(R"({"name": "s", "is": [""]})", "{}", false);
    row(R"({"name": "s", "is": [""]})", R"({"s": ""})", true);
    row(R"({"name": "s", "is": ["true"]})", R"({"s": true})", true);
    row(R"({"name": "s", "is": ["5"]})", R"({"s": 5})", true);
    row(R"({"name": "a.b", "is": ["x"]})", R"({"a": {"b": "x"}})", true);
    row(R"({"name": "a.b", "is": ["x"]})", R"({"a.b": "x", "a": {"b": "y"}})", true);
    row(R"({"name": "a", "is": ["x"]})", R"({"a": {"b": "x"}})", false);
}

void TestAssignments::questions()
{
    QFETCH(QByteArray, question);
    QFETCH(QByteArray, properties);
    Lamps staging(lamps(R"({"from": "off", "on": "light", "if": "asked", "to": "on"},)",
                      "[\"attempt\"]", R"({"asked": {"property": )" + question + "}}"),
        objectOf(properties.constData()));
    staging.ask(u"light"_s, lamp);
    QTEST(staging.status(u"op1"_s) == u"Succeeded", "holds");
    // The same of a resource that is only spoken of.
    staging.ask({ .op = u"go"_s,
        .path = u"/lamps/new"_s,
        .id = u"new"_s,
        .properties = objectOf(properties.constData()) });
    staging.simulator.runUntilQuiet();
    QCOMPARE(propertiesAt(staging.simulator.world(), u"/lamps/new"_s), staging.properties());
}

void TestAssignments::questionAboutAncestors()
{
    Lamps staging(
        lamps(R"({"from": "off", "on": "light", "if": {"some ancestors": ["on"]}, "to": "on"},)"));
    staging.ask(u"light"_s, bulb);
    QCOMPARE(staging.status(u"op1"_s), u"Rejected"_s);
    staging.ask(u"go"_s, lamp);
    staging.end(u"op2"_s, u"succeeded"_s);
    staging.ask(u"light"_s, bulb);
    QCOMPARE(staging.status(u"op3"_s), u"Succeeded"_s);
}

/// A client's document is what the resource says of itself until a row has changed something.
void TestAssignments::storedDocumentsGiveWay()
{
    Lamps staging(lamps(R"({"from": "off", "on": "light", "to": "on", "set": {"n": 1}},)"));
    Request request {
        .op = u"go"_s, .path = lamp, .body = "{\"n\": 0}", .properties = objectOf(R"({"n": 0})")
    };
    request.stores = true;
    staging.ask(request);
    staging.end(u"op1"_s, u"failed"_s);
    const World &world = staging.simulator.world();
    QCOMPARE(world.bodies.value(world.tree.find(lamp)), "{\"n\": 0}"_ba);
    staging.ask(u"light"_s, lamp);
    QVERIFY(!staging.simulator.world().bodies.contains(world.tree.find(lamp)));
    QCOMPARE(staging.properties(), uR"({"n":1})"_s);
}

/// What a row can ask for tells worlds apart, and nothing else does.
void TestAssignments::worldsThatDiffer()
{
    const Rules rules =
        rulesOf(lamps({}, "[\"attempt\"]", R"({"full": {"property": {"name": "n", "above": 1}}})"));
    const Rules asking = rulesOf(lamps(
        R"({"from": "off", "on": "light", "if": {"property": {"name": "n", "above": 1}}, "to": "on"},)"));
    const auto worldWith = [](const Rules &of, const char *properties) {
        return worldOf(of, { { .path = lamp, .properties = objectOf(properties) } });
    };
    const auto same = [&](const Rules &of, const char *one, const char *two) {
        return sameWorld(of, worldWith(of, one), worldWith(of, two));
    };
    QVERIFY(!same(asking, R"({"n": 1})", R"({"n": 2})"));
    QVERIFY(!same(asking, R"({"n": 1})", R"({"n": "1"})"));
    QVERIFY(!same(asking, "{}", R"({"n": 0})"));
    QVERIFY(same(asking, R"({"n": 1, "x": 1})", R"({"n": 1, "x": 2})"));
    QVERIFY(same(asking, "{}", R"({"x": 2})"));
    QVERIFY(same(rules, R"({"n": 1})", R"({"n": 2})")); // the label stands in no row
}

void TestAssignments::usualOutcome_data()
{
    const Rows<Request, QString, int> row("request", "status", "attempts");
    const Request plain { .op = u"go"_s, .path = lamp };
    Request request = plain;
    row("twice again, then well", request, u"Succeeded"_s, 3);
    request.transientFailures = 1;
    row("planned, too", request, u"Succeeded"_s, 3);
    request.transientFailures = 4;
    row("planned more often", request, u"Succeeded"_s, 5);
    request = plain;
    request.outcome = u"failed"_s;
    row("fails at once", request, u"Failed"_s, 1);
    request.transientFailures = 1;
    row("fails later", request, u"Failed"_s, 2);
    request = plain;
    request.work = { { u"busy"_s, { .outcomes = { u"dim"_s } } } };
    row("planned otherwise", request, u"Succeeded"_s, 1);
}

/// Without a word from anybody the attempt ends as usual, here as long as the counter is above 1.
void TestAssignments::usualOutcome()
{
    QFETCH(Request, request);
    const Pack pack = lamps(
        R"j({"from": "busy", "on": "again", "to": "(same)", "after": 10, "set": {"n": {"add": -1}}},)j",
        R"([{"attempt": true, "usually": "again", "where": {"property": {"name": "n", "above": 1}}}])");
    Lamps staging(pack, objectOf(R"({"n": 3})"));
    staging.ask(request);
    staging.simulator.runUntilQuiet(1000);
    QTEST(staging.status(u"op1"_s), "status");
    QTEST(staging.operation(u"op1"_s).attempts, "attempts");
}

void TestAssignments::usualOutcomeByHand()
{
    Lamps staging(lamps({}, R"([{"attempt": true, "usually": "failed"}])"));
    staging.ask(u"go"_s, lamp);
    staging.end(u"op1"_s, u"succeeded"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    QCOMPARE(staging.at(lamp), u"on"_s);
    staging.ask(u"go"_s, lamp);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.status(u"op2"_s), u"Failed"_s);
}

/// "any" is every outcome, the usual one among them, also where that is the repeating one.
void TestAssignments::everyOutcomeIsTried()
{
    const Pack pack = lamps(
        R"j({"from": "busy", "on": "again", "to": "(same)", "after": 10, "set": {"n": {"add": -1}}},)j",
        R"([{"attempt": true, "usually": "again", "where": {"property": {"name": "n", "above": 0}}}])");
    Scenario scenario;
    scenario.pack = pack.id;
    scenario.resources =
        QList<ResourceSpec> { { .path = lamp, .properties = objectOf(R"({"n": 2})") } };
    ScenarioStep step;
    step.request = { .op = u"go"_s, .path = lamp, .id = u"a"_s };
    step.ops = { u"go"_s };
    step.paths = { lamp };
    step.anyOutcome = true;
    scenario.steps = { step };
    const Stage stage = valueOf(stageOf(scenario, pack));
    const Result<Exploration> all =
        explore(scenario, stage, { .by = ExploreOptions::By::Operations });
    QVERIFY(all && all->complete);
    // At n = 2, 1, 0: attempting; at 1 and 0 also waiting to begin; nobody has asked; on and off
    // with each n they ended at.
    QCOMPARE(all->worlds, 1 + 3 + 2 + 6);
    QStringList traces;
    for (const Ending &ending : all->endings)
        traces += ending.resources.value(lamp) + u' ' + ending.operations.value(u"a"_s);
    traces.sort();
    QCOMPARE(traces, QStringList({ u"off Failed"_s, u"on Succeeded"_s }));
}

void TestAssignments::countersAreExplored()
{
    // Anybody may light it as often as they like, but the counter has an end.
    const Pack pack = lamps(
        R"({"from": "off", "on": "light", "if": {"property": {"name": "n", "above": 0}}, "to": "on",
            "set": {"n": {"add": -1}}}, {"from": "on", "on": "light", "to": "off"},)");
    Scenario scenario;
    scenario.pack = pack.id;
    scenario.resources =
        QList<ResourceSpec> { { .path = lamp, .properties = objectOf(R"({"n": 2})") } };
    for (int i = 0; i < 7; ++i) {
        ScenarioStep step;
        step.request = { .op = u"light"_s, .path = lamp, .id = u"op%1"_s.arg(i), .client = u"A"_s };
        step.ops = { u"light"_s };
        step.paths = { lamp };
        scenario.steps += step;
    }
    const Stage stage = valueOf(stageOf(scenario, pack));
    const Result<Exploration> all = explore(scenario, stage);
    QVERIFY(all && all->complete);
    QCOMPARE(all->worlds, 8);
    QCOMPARE(all->finalTrees, 1);
    QCOMPARE(all->endings.first().resources.value(lamp), u"off"_s); // on off on off, and no more
}

const instar::TestClass<TestAssignments> registered;
#include "tst_assignments.moc"
