// SPDX-License-Identifier: Apache-2.0
#include "model/engine/scenariowarnings.h"
#include "model/engine/simulator.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/packnames.h"
#include "model/json/scenariofile.h"
#include "model/statecharts/machinefile.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"
#include "tests/support/worldcompare.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestScenarioFormat : public QObject
{
    Q_OBJECT

private slots:
    void shippedScenarios_data();
    void shippedScenarios();
    void everyKey();
    void defaults();
    void etagsSeenAtSteps();
    void paths_data();
    void paths();
    void errors_data();
    void errors();
    void largestNumbers();
    void answers_data();
    void answers();
    void answersElsewhere();
    void namesInOrder();
    void packs_data();
    void packs();
    void manyResources();
    void sample();
    void layout();
    void worlds();
    void motion();
    void byHand_data();
    void byHand();
};

namespace {

Pack boxes()
{
    Result<Pack> pack =
        loadPack(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/corpus/pack/every-key.json"));
    if (!pack)
        qFatal("%s", qPrintable(pack.error()));
    Pack own = *std::move(pack);
    own.types.removeLast(); // "*": so that a type can be unknown
    own.machines[0].states[2].timer.reset();
    own.machines[0].transitions.last().condition = { .kind = Condition::Kind::Label,
        .text = u"chance"_s }; // one that requests answer
    return own;
}

/// As text that says everything; where it stood in the file does not count.
QString withoutLines(Scenario scenario)
{
    scenario.file.clear();
    return QString::fromUtf8(writeScenario(scenario));
}

QString readAgain(const Scenario &scenario, const Pack &pack)
{
    const JsonText document = parsed(writeScenario(scenario));
    const Result<Scenario> again = readScenario(document, pack);
    if (!again)
        return again.error();
    bool same = again->steps.size() == scenario.steps.size()
        && again->resources == scenario.resources && again->switches == scenario.switches;
    for (qsizetype i = 0; same && i < scenario.steps.size(); ++i) {
        ScenarioStep step = again->steps[i];
        step.line = scenario.steps[i].line;
        same = step == scenario.steps[i];
    }
    return same ? withoutLines(*again) : u"another scenario"_s;
}

QByteArray withSteps(const QByteArray &steps)
{
    return "{\"pack\": \"boxes\", \"steps\": [\n" + steps + "]}";
}

} // namespace

void TestScenarioFormat::shippedScenarios_data()
{
    QTest::addColumn<QString>("file");
    const QDir scenarios(QStringLiteral(INSTAR_SOURCE_DIR "/resources/scenarios"));
    for (const QString &folder : scenarios.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QDir files(scenarios.filePath(folder));
        for (const QString &name : files.entryList({ u"*.scenario.json"_s }))
            QTest::newRow(qPrintable(folder + u'/' + name)) << files.filePath(name);
    }
}

void TestScenarioFormat::shippedScenarios()
{
    QFETCH(QString, file);
    const JsonText document = valueOf(loadDocument(file));
    const ScenarioPack pack = valueOf(scenarioPack(document));
    const Scenario scenario = valueOf(readScenario(document, pack.pack));
    QVERIFY(!scenario.steps.isEmpty());
    QCOMPARE(scenarioWarnings(scenario, pack.pack).size(), 0);
    QCOMPARE(readAgain(scenario, pack.pack), withoutLines(scenario));
    valueOf(stageOf(scenario, pack.pack));
}

void TestScenarioFormat::everyKey()
{
    const Result<JsonText> document = loadDocument(
        QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/corpus/scenario/every-key.json"));
    QVERIFY2(document, document ? "" : qPrintable(document.error()));
    const Scenario scenario = valueOf(readScenario(*document, boxes()));
    QCOMPARE(readAgain(scenario, boxes()), withoutLines(scenario));
    QCOMPARE(scenario.pack, u"boxes"_s);
    QCOMPARE(scenario.resources->size(), 2);
    QCOMPARE(scenario.resources->at(0),
        (ResourceSpec {
            .path = u"/boxes/b1"_s, .state = u"shut"_s, .extras = { { u"x-note"_s, "1" } } }));
    QCOMPARE(scenario.resources->at(1),
        (ResourceSpec { u"/boxes/b2"_s, {}, { u"/boxes/b1"_s }, { { u"size"_s, 3 } } }));
    QCOMPARE(scenario.resourceLines, (QList<int> { 5, 6 }));
    QCOMPARE(
        scenario.switches, (Switches { { u"strict"_s, u"false"_s }, { u"mode"_s, u"two"_s } }));
    QCOMPARE(scenario.extras,
        (QList<Extra> {
            { u"$schema"_s, "\"scenario.schema.json\"" }, { u"x-about"_s, "\"every key\"" } }));
    QCOMPARE(scenario.steps[0].extras, (QList<Extra> { { u"x-why"_s, "\"first\"" } }));
    QCOMPARE(scenario.steps.size(), 5);

    const ScenarioStep &first = scenario.steps[0];
    QCOMPARE(first.request.id, u"op1"_s);
    QCOMPARE(first.line, 10);
    QCOMPARE(first.ops, QStringList { u"open"_s });

    const ScenarioStep &second = scenario.steps[1];
    const Request &request = second.request;
    QCOMPARE(second.at, 100);
    QCOMPARE(second.ops, (QStringList { u"open"_s, u"close"_s }));
    QCOMPARE(second.paths, (QStringList { u"/boxes/b2"_s, u"/boxes/b3"_s }));
    QCOMPARE(request.op, u"open"_s);
    QCOMPARE(request.path, u"/boxes/b2"_s);
    QCOMPARE(request.id, u"b"_s);
    QCOMPARE(request.client, u"B"_s);
    QCOMPARE(request.duration, 500);
    QCOMPARE(request.outcome, u"failed"_s);
    QCOMPARE(request.transientFailures, 2);
    QVERIFY(request.hang);
    QCOMPARE(request.work.value(u"opening"_s), (WorkPlan { { u"again"_s, u"stuck"_s }, 5, false }));
    QCOMPARE(request.work.value(u"open /boxes/b1"_s).outcomes, QStringList { u"failed"_s });
    QCOMPARE(request.requests.value(u"/boxes/b1"_s),
        (NestedRequest { { { u"time"_s, 20000 } }, { u"/boxes/b2"_s }, "{\"a\": 1}" }));
    QCOMPARE(request.properties.value(u"size"_s).toInt(), 4);
    QCOMPARE(request.conditions, (QMap<QString, bool> { { u"chance"_s, true } }));
    QCOMPARE(request.ifMatch, u"*"_s);
    QCOMPARE(request.ifNoneMatch, u"W/\"1\""_s);
    QCOMPARE(request.requestId, u"r1"_s);
    QCOMPARE(request.body, "[1, 2]"_ba);
    QCOMPARE(request.references, QStringList { u"/boxes/b1"_s });

    QVERIFY(scenario.steps[2].anyOutcome);
    QCOMPARE(scenario.steps[2].request.id, u"op3"_s); // the third operation of the file
    QCOMPARE(int(scenario.steps[3].kind), int(ScenarioStep::Kind::End));
    QCOMPARE(scenario.steps[3].operation, u"b"_s);
    QCOMPARE(scenario.steps[3].outcome, u"stuck"_s);
    Expectation expected;
    expected.resources = { { u"/boxes/b1"_s, u"open"_s }, { u"/boxes/b9"_s, {} } };
    expected.properties = { { u"/boxes/b1"_s,
        { { u"lid"_s, QJsonValue::Null }, { u"size"_s, 4 }, { u"worn"_s, true } } } };
    expected.operations = { { u"op1"_s, u"Succeeded"_s }, { u"b.1"_s, u"InProgress"_s } };
    expected.errors = { { u"b"_s, u"Stuck"_s } };
    expected.etagsChanged = { u"/boxes/b1"_s };
    expected.etagsUnchanged = { u"/boxes/b2"_s };
    expected.violations = 1;
    QVERIFY(scenario.steps[4].expectation == expected);
}

/// What an operation demands may be the etag that was seen at a step before it.
void TestScenarioFormat::etagsSeenAtSteps()
{
    const auto scenario = [](const char *at, const char *seenAt) {
        return readScenario(parsed(QByteArray(R"({"pack": "boxes", "steps": [
                {"at": 50, "expect": {"resources": {"/boxes/b1": "open"}}},
                {"at": )") + at + R"(, "op": "open", "path": "/boxes/b1", "ifMatch": )"
                                + seenAt + "}]}"),
            boxes());
    };
    const Result<Scenario> good = scenario("50", R"({"seenAt": 0})");
    QVERIFY2(good, qPrintable(good ? QString() : good.error()));
    QCOMPARE(good->steps[1].seenAt, std::optional(0));
    QCOMPARE(good->steps[1].request.ifMatch, QString());
    const QByteArray written = writeScenario(*good);
    QVERIFY2(written.contains(R"("ifMatch": {"seenAt": 0})"), written.constData());
    for (const auto &[at, seenAt] : { std::pair("49", R"({"seenAt": 0})"),
             std::pair("50", R"({"seenAt": 1})"), std::pair("50", R"({"seenAt": 2})"),
             std::pair("50", R"({"seenAt": -1})"), std::pair("50", "{}"),
             std::pair("50", R"({"seenAt": 0, "x": 1})"), std::pair("50", "17") })
        QVERIFY2(!scenario(at, seenAt), seenAt);
}

void TestScenarioFormat::defaults()
{
    const Scenario scenario = valueOf(readScenario(parsed(R"({"pack": "boxes"})"), boxes()));
    QVERIFY(!scenario.resources); // the pack's sample
    const Scenario empty =
        valueOf(readScenario(parsed(R"({"pack": "boxes", "resources": []})"), boxes()));
    QVERIFY(empty.resources);
    QVERIFY(empty.resources->isEmpty());
    const Result<Scenario> known = readScenario(
        parsed(withSteps(R"({"op": "open", "path": "/BOXES/b", "outcome": "Succeeded"})")),
        boxes());
    QVERIFY2(known, known ? "" : qPrintable(known.error())); // the pack ignores case
    QCOMPARE(known->steps[0].request.outcome, u"succeeded"_s);
    QVERIFY(!known->steps[0].request.duration);
}

void TestScenarioFormat::paths_data()
{
    const Rows<QString, QString> row("path", "problem");
    const QString pairs = u"expected a path of /type/id pairs, found "_s;
    row("one pair", u"/a/b"_s, {});
    row("two pairs", u"/a/b/c/d#old"_s, {});
    row("empty", {}, u"expected a path that begins with '/'"_s);
    row("no slash", u"a/b"_s, u"expected a path that begins with '/'"_s);
    row("slash", u"/"_s, u"expected a path that does not end in '/'"_s);
    row("slash at the end", u"/a/b/"_s, u"expected a path that does not end in '/'"_s);
    row("type alone", u"/a"_s, pairs + u"a type without an id at its end"_s);
    row("three parts", u"/a/b/c"_s, pairs + u"a type without an id at its end"_s);
    row("empty id", u"/a//c/d"_s, pairs + u"an empty part"_s);
    row("empty type", u"//b"_s, pairs + u"an empty part"_s);
    row("longest id", u"/a/"_s + QString(256, u'x'), {});
    row("longer id", u"/a/"_s + QString(257, u'x'),
        u"expected ids of at most 256 characters, found 257"_s);
}

void TestScenarioFormat::paths()
{
    QFETCH(QString, path);
    QTEST(pathProblem(path), "problem");
}

void TestScenarioFormat::errors_data()
{
    // first: "line pointer code +others"
    const Rows<QByteArray, QString> row("json", "first");
    const auto step = [&](const char *name, const QByteArray &json, const char *first) {
        row(name, withSteps(json), first);
    };
    const QByteArray open = R"("op": "open", "path": "/boxes/b")";
    row("key", R"({"pack": "boxes", "resorces": []})", "1 /resorces unknown-key");
    row("switch", R"({"pack": "boxes", "switches": {"strickt": true}})",
        "1 /switches/strickt unknown-name");
    row("switch's value", R"({"pack": "boxes", "switches": {"mode": "three"}})",
        "1 /switches/mode value");
    row("resources", R"({"pack": "boxes", "resources": {}})", "1 /resources value");
    row("resource", R"({"pack": "boxes", "resources": ["/boxes/b"]})", "1 /resources/0 value");
    row("resource without path", R"({"pack": "boxes", "resources": [{"state": "shut"}]})",
        "1 /resources/0 missing-key");
    row("resource's key",
        R"({"pack": "boxes", "resources": [{"path": "/boxes/b", "sate": "shut"}]})",
        "1 /resources/0/sate unknown-key");
    row("resource's path",
        "{\"pack\": \"boxes\", \"resources\": [{\"path\": \"/boxes/b\"},\n{\"path\": \"/boxes\"}]}",
        "2 /resources/1/path path");
    step("no step", "7", "2 /steps/0 value");
    step("empty step", "{}", "2 /steps/0 missing-key +1");
    step("step's key", "{" + open + R"(, "clinet": "A"})", "2 /steps/0/clinet unknown-key");
    step("operation", R"({"op": "opne", "path": "/boxes/b"})", "2 /steps/0/op unknown-name");
    step("type", R"({"op": "open", "path": "/boxes/b/lids/l"})", "2 /steps/0/path unknown-name");
    step("path", R"({"op": "open", "path": "/boxes/b/"})", "2 /steps/0/path path");
    step("no choice", R"({"op": [], "path": "/boxes/b"})", "2 /steps/0/op value");
    step("negative time", "{" + open + R"(, "at": -1})", "2 /steps/0/at value");
    step("outcome", "{" + open + R"(, "outcome": "Faild"})", "2 /steps/0/outcome unknown-name");
    step("id twice",
        "{" + open
            + R"(, "id": "a"},)"
              "\n{"
            + open + R"(, "id": "a"})",
        "3 /steps/1/id duplicate-id");
    step("id given and made", "{" + open + R"(, "id": "op2"}, {)" + open + "}",
        "2 /steps/1 duplicate-id");
    step("empty id", "{" + open + R"(, "id": ""})", "2 /steps/0/id value");
    step("work's state", "{" + open + R"(, "work": {"openning": {}}})",
        "2 /steps/0/work/openning unknown-name");
    step("work's operation", "{" + open + R"(, "work": {"opne /boxes/b": {}}})",
        "2 /steps/0/work/opne ~1boxes~1b unknown-name");
    step("end of what", R"({"end": "zz"})", "2 /steps/0/end unknown-name");
    step("expected state", R"({"expect": {"resources": {"/boxes/b": "opened"}}})",
        "2 /steps/0/expect/resources/~1boxes~1b unknown-name");
    step("expected status",
        "{" + open + R"(, "id": "a"}, {"expect": {"operations": {"a": "Success"}}})",
        "2 /steps/1/expect/operations/a value");
    step("expected of what", R"({"expect": {"operations": {"b.1": "Failed"}}})",
        "2 /steps/0/expect/operations/b.1 unknown-name");
    step("expected of one that is required, misspelt",
        "{" + open + R"(, "id": "deploy"}, {"expect": {"errors": {"deplyo.1": "Stuck"}}})",
        "2 /steps/1/expect/errors/deplyo.1 unknown-name");
    step("expected of what is no number of one that is required",
        "{" + open + R"(, "id": "a"}, {"expect": {"operations": {"a.b": "Failed"}}})",
        "2 /steps/1/expect/operations/a.b unknown-name");
    step("work where resources rest", "{" + open + R"(, "work": {"shut": {}}})",
        "2 /steps/0/work/shut wrong-kind");
    step("expected etags", R"({"expect": {"etagsChanged": ["boxes"]}})",
        "2 /steps/0/expect/etagsChanged/0 path");
    step("two kinds of step", "{" + open + R"(, "expect": {}})", "2 /steps/0/op unknown-key +1");
}

/// 2^53; one more is an error, see above.
void TestScenarioFormat::largestNumbers()
{
    const QByteArray json = R"({"pack": "boxes", "steps": [
        {"op": "open", "path": "/boxes/b", "at": 9007199254740992, "duration": 9007199254740992,
         "transientFailures": 2147483647, "work": {"opening": {"duration": 9007199254740992}}}]})";
    const Scenario scenario = valueOf(readScenario(parsed(json), boxes()));
    const ScenarioStep &step = scenario.steps.first();
    constexpr qint64 most = qint64(1) << 53;
    QCOMPARE(step.at, most);
    QCOMPARE(step.request.duration, std::optional<qint64>(most));
    QCOMPARE(step.request.work.first().duration, std::optional<qint64>(most));
    QCOMPARE(step.request.transientFailures, 2147483647);
    for (const QByteArray &wrong : { QByteArray(json).replace("992,", "993,"),
             QByteArray(json).replace("992}", "993}"), QByteArray(json).replace("647", "648") })
        QVERIFY2(!readScenario(parsed(wrong), boxes()), wrong.constData());
}

void TestScenarioFormat::errors()
{
    QFETCH(QByteArray, json);
    QTEST(firstOf(scenarioDraft(parsed(json), boxes()).diagnostics), "first");
}

void TestScenarioFormat::answers_data()
{
    const Rows<QString, QByteArray, QString> row("pack", "step", "error");
    const QByteArray manage = R"("op": "manage", "path": "/resources/r", "conditions": )";
    const QByteArray update = R"("op": "update_lease", "path": "/leases/l", "conditions": )";
    row("one that is open", u"pulumi"_s, manage + R"({"must be replaced": true})", "");
    row("none", u"pulumi"_s, manage + "{}", "");
    row("another one", u"pulumi"_s,
        R"("op": "import", "path": "/resources/r", "conditions": {"inputs differ": true})", "");
    row("misspelt", u"pulumi"_s,
        manage + R"({"must be replaced": true, "delete after create": true})",
        R"(my.json:2: /steps/0/conditions/delete after create: unknown condition "delete after create"; did you mean "delete after craete"?)");
    row("bound", u"blazar"_s, update + R"({"late": true})",
        R"(my.json:2: /steps/0/conditions/late: the pack defines when the condition "late" holds, so a request cannot set it; remove the condition)");
    row("what only stands for time", u"blazar"_s, update + R"({"elapsed time 10000": true})",
        R"(my.json:2: /steps/0/conditions/elapsed time 10000: unknown condition "elapsed time 10000")");
}

/// What nobody asks for, or the pack answers itself, is not ignored.
void TestScenarioFormat::answers()
{
    QFETCH(QString, pack);
    QFETCH(QByteArray, step);
    QFETCH(QString, error);
    const Pack known = valueOf(loadPack(pack));
    const Result<Scenario> scenario = readScenario(
        parsed("{\"pack\": \"" + pack.toUtf8() + "\", \"steps\": [\n{" + step + "}]}"), known);
    const QString found = scenario ? QString() : scenario.error();
    QCOMPARE(found.left(error.size()), error);
    QCOMPARE(found.isEmpty(), error.isEmpty());
}

/// What rows ask for that switches leave out now, however many have to be set another way, is
/// known.
void TestScenarioFormat::answersElsewhere()
{
    Pack pack = boxes();
    Transition &row = pack.machines[0].transitions.last();
    row.when = { { u"strict"_s, { u"false"_s } }, { u"mode"_s, { u"one"_s } } };
    const QByteArray text =
        withSteps(R"({"op": "close", "path": "/boxes/b", "conditions": {"chance": true}})");
    valueOf(readScenario(parsed(text), pack));
    const QByteArray wrong = QByteArray(text).replace("chance", "luck and more");
    const Result<Scenario> unknown = readScenario(parsed(wrong), pack);
    QVERIFY(!unknown && unknown.error().contains(u"unknown condition \"luck and more\""));
}

/// One mistake has one sentence, in every run of the program.
void TestScenarioFormat::namesInOrder()
{
    Pack pack = boxes();
    const State opening = *std::ranges::find(pack.machines[0].states, u"opening"_s, &State::id);
    for (const QString &id : { u"rising"_s, u"ebbing"_s, u"hauling"_s, u"dimming"_s }) {
        pack.machines[0].states.append(opening);
        pack.machines[0].states.last().id = id;
    }
    const auto errorOf = [&](const QByteArray &steps) {
        const Result<Scenario> scenario = readScenario(parsed(withSteps(steps)), pack);
        return scenario ? QString() : scenario.error();
    };
    QCOMPARE(errorOf(R"({"op": "open", "path": "/boxes/b", "work": {"x": {}}})"),
        u"my.json:2: /steps/0/work/x: unknown state \"x\"; expected one of: dimming, ebbing, hauling, opening, rising"_s);
    QByteArray steps;
    for (const char id : QByteArray("gcfahbide"))
        steps += R"({"op": "open", "path": "/boxes/b", "id": "box )" + QByteArray(1, id) + "\"}, ";
    QCOMPARE(errorOf(steps + R"({"end": "box z"})"),
        u"my.json:2: /steps/9/end: expected the id of an operation of this scenario, found \"box z\"; did you mean \"box a\"?"_s);
}

void TestScenarioFormat::packs_data()
{
    const Rows<QByteArray, QString> row("json", "error");
    row("list", "[]", u"my.json:1: expected a scenario: an object, found a list"_s);
    row("no pack", "{}",
        u"my.json:1: expected the key \"pack\" with a pack's id or file, found nothing"_s);
    row("a number", "{\n\"pack\": 3}",
        u"my.json:2: expected the key \"pack\" with a pack's id or file, found a number"_s);
    const QString known = builtInPacks().join(u", "_s);
    row("unknown", "{\n\"pack\": \"nowhere\"}",
        u"my.json:2: \"nowhere\" is neither a built-in pack (%1) nor a file"_s.arg(known));
}

void TestScenarioFormat::packs()
{
    QFETCH(QByteArray, json);
    const QString pack = errorIn(scenarioPack(parsed(json)));
    QTEST(pack, "error");
}

/// The text of a large tree is read in less time than QJsonDocument takes to parse it alone, twice
/// over.
void TestScenarioFormat::manyResources()
{
    constexpr int count = 200'000;
    QByteArray json = "{\"pack\": \"boxes\", \"resources\": [\n";
    for (int i = 0; i < count; ++i)
        json += "{\"path\": \"/boxes/box-number-" + QByteArray::number(i)
            + "\", \"state\": \"shut\"},\n";
    json.chop(2);
    json += "]}";
    const Pack pack = boxes();
    qint64 ours = std::numeric_limits<qint64>::max();
    qint64 qt = ours;
    for (int round = 0; round < 3; ++round) {
        QElapsedTimer clock;
        clock.start();
        const JsonText document = valueOf(JsonText::parse(json, u"my.json"_s));
        const Result<Scenario> scenario = readScenario(document, pack);
        ours = qMin(ours, clock.nsecsElapsed());
        QVERIFY(scenario);
        QCOMPARE(scenario->resources->size(), count);
        QCOMPARE(scenario->resources->last().path, u"/boxes/box-number-199999"_s);
        QCOMPARE(scenario->resourceLines.last(), count + 1);
        clock.start();
        QVERIFY(!QJsonDocument::fromJson(json).isNull());
        qt = qMin(qt, clock.nsecsElapsed());
    }
    qInfo("%.2f of QJsonDocument's time", double(ours) / double(qt));
#if !defined(__SANITIZE_ADDRESS__) && defined(__OPTIMIZE__)
    QVERIFY(ours < 2 * qt);
#endif
}

namespace {

Scenario readAgain(const QByteArray &json, const Pack &pack)
{
    const Result<JsonText> document = JsonText::parse(json, u"written"_s);
    if (!document)
        qFatal("%s\n%s", qPrintable(document.error()), json.constData());
    Result<Scenario> scenario = readScenario(*document, pack);
    if (!scenario)
        qFatal("%s\n%s", qPrintable(scenario.error()), json.constData());
    return *std::move(scenario);
}

} // namespace

/// Without resources it stays the pack's sample; with none it stays none.
void TestScenarioFormat::sample()
{
    const Pack &pack = packNamed(u"network-controller"_s);
    Scenario scenario;
    scenario.pack = pack.id;
    QVERIFY(!readAgain(writeScenario(scenario), pack).resources);
    scenario.resources.emplace();
    QVERIFY(readAgain(writeScenario(scenario), pack).resources);
    QVERIFY(readAgain(writeScenario(scenario), pack).resources->isEmpty());
}

void TestScenarioFormat::layout()
{
    Scenario scenario;
    scenario.pack = u"network-controller"_s;
    scenario.resources = QList<ResourceSpec> { { .path = u"/logicalNetworks/a"_s },
        { .path = u"/logicalNetworks/b"_s, .state = u"Failed"_s } };
    scenario.switches = { { u"siblingsRunConcurrently"_s, u"true"_s },
        { u"orphanPolicy"_s, u"fail"_s } };
    QCOMPARE(writeScenario(scenario), QByteArray(R"({
 "pack": "network-controller",
 "resources": [
  {"path": "/logicalNetworks/a"},
  {"path": "/logicalNetworks/b", "state": "Failed"}
 ],
 "switches": {"orphanPolicy": "fail", "siblingsRunConcurrently": true},
 "steps": []
}
)"));
}

void TestScenarioFormat::worlds()
{
    for (const QString &id : builtInPacks()) {
        const Pack &pack = packNamed(id);
        const Rules rules = rulesOf(pack);
        const World world = worldOf(rules, pack.sample);
        const Scenario scenario = scenarioOf(rules, world);
        QVERIFY(scenario.switches.isEmpty());
        const Stage stage = valueOf(stageOf(readAgain(writeScenario(scenario), pack), pack));
        QVERIFY(sameWorld(rules, world, stage.world));
        QCOMPARE(shownTree(rules, stage.world), shownTree(rules, world));
    }
}

/// What is in motion goes back to where it rested last; switches that are not at their default are
/// kept.
void TestScenarioFormat::motion()
{
    Staging staging(u"network-controller"_s,
        u"/logicalNetworks/a Failed, /logicalNetworks/a/subnets/s, /GatewayPools/p, /gateways/g -> /GatewayPools/p"_s,
        { { u"ancestorOutcome"_s, u"restore"_s } });
    staging.ask(u"PUT"_s, u"/logicalNetworks/a"_s);
    staging.ask(u"PUT"_s, u"/logicalNetworks/new"_s);
    const Scenario scenario = scenarioOf(staging.simulator.rules(), staging.simulator.world());
    QCOMPARE(scenario.switches, (Switches { { u"ancestorOutcome"_s, u"restore"_s } }));
    const Pack &pack = packNamed(u"network-controller"_s);
    const Stage stage = valueOf(stageOf(readAgain(writeScenario(scenario), pack), pack));
    QCOMPARE(shownTree(stage.rules, stage.world),
        u"/logicalNetworks/a Failed\n/logicalNetworks/a/subnets/s Succeeded\n/GatewayPools/p Succeeded\n/gateways/g Succeeded\n/logicalNetworks/new Succeeded\n"_s);
    QCOMPARE(stage.world.references.size(), 1);
}

void TestScenarioFormat::byHand_data()
{
    const Rows<QString, QString> row("outcome", "status");
    row("succeeded", u"succeeded"_s, u"Succeeded"_s);
    row("failed", u"failed"_s, u"Failed"_s);
    row("canceled", u"canceled"_s, u"Canceled"_s);
}

/// What a person ended or withdrew is ended or withdrawn again, in every system alike.
void TestScenarioFormat::byHand()
{
    QFETCH(QString, outcome);
    Staging staging(u"network-controller"_s, u"/logicalNetworks/a"_s);
    const Operation &asked = staging.ask(u"PUT"_s, u"/logicalNetworks/a"_s, { .hang = true });
    const quint32 serial = asked.serial;
    staging.simulator.advance(700);
    if (outcome == u"canceled")
        staging.simulator.cancel(serial);
    else
        staging.end(u"op1"_s, outcome);
    const Pack &pack = packNamed(u"network-controller"_s);
    const Scenario again =
        readAgain(writeScenario(scenarioOf(staging.simulator, staging.simulator.records())), pack);
    const Stage stage = valueOf(stageOf(again, pack));
    Simulator simulator(stage.rules, stage.world);
    play(again, simulator);
    const Operation *operation = simulator.operations().find(u"op1"_s);
    QVERIFY(operation);
    QTEST(statusName(operation->status), "status");
    QCOMPARE(operation->ended, std::optional<qint64>(700));
    QVERIFY(sameWorld(simulator.rules(), simulator.world(), staging.simulator.world()));
}

const instar::TestClass<TestScenarioFormat> registered;
#include "tst_scenarioformat.moc"
