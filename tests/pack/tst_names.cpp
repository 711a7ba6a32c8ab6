// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/check.h"
#include "model/pack/names.h"
#include "model/pack/nearest.h"
#include "tests/support/ownnames.h"
#include "tests/support/packtext.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// Names of packs, and calling things otherwise.
class TestNames : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsNearToNoName();
    void everyNameOfEveryPack_data() { addRowsOf("id", builtInPacks()); }
    void everyNameOfEveryPack();
    void randomPacks();
    void statesAreThoseOfTheirMachine();
    void statesOfRelatives();
    void statesThatConditionsMayMean_data();
    void statesThatConditionsMayMean();
    void severalMachinesAtOnce();
    void triggers();
    void conditionsInConditions();
    void typesTakeTheirPathsAlong();
};

namespace {

/// The rules that a pack breaks; texts and pointers have names in them.
QStringList codesOf(const Pack &pack)
{
    QStringList rules;
    for (const Diagnostic &diagnostic : check(pack))
        rules += diagnostic.code;
    rules.sort();
    return rules;
}

/// Two machines that have a state of one name, and look at each other.
const QByteArray twoMachines = R"({
  "id": "two",
  "types": {"racks": {"machine": "rack"}, "racks/servers": {"machine": "server", "goal": "on"}},
  "operations": {"start": {}},
  "outcomes": {"late": {}},
  "conditions": {"calm": {"children": ["on"]}, "very calm": ["calm", {"not": "calm"}]},
  "machines": {
    "rack": {"rest": "on", "states": {"none": {"kind": "initial"}, "on": {}},
      "transitions": [{"from": "none", "on": "start", "to": "on", "if": ["calm", "!very calm", {"servers": ["on"]}]}]},
    "server": {"rest": "on", "history": "on",
      "states": {"none": {"kind": "initial"}, "on": {"parent": "both"}, "both": {"kind": "composite"},
        "busy": {"kind": "transitional", "work": [{"op": "start", "to": "parent", "hear": {"late": "late"}}]}},
      "transitions": [{"from": ["none", "on"], "on": ["start"], "to": ["busy"], "if": {"last": ["on"], "parent": ["on"]}},
        {"from": "busy", "on": ["late", "succeeded"], "to": "on"}],
      "constraints": [{"in": ["on"], "holds": {"parent": ["on"]}}]}},
  "conflicts": [{"on": "start", "running": "start", "then": "reject", "code": "full"}],
  "refusals": {"full": {"http": 409}},
  "sample": {"resources": [{"path": "/racks/r1/servers/s1", "state": "on", "references": ["/racks/r2"]}]}
})";

} // namespace

/// The new name takes the old one's place in the whole text; and back again nothing has changed.
void TestNames::everyNameOfEveryPack()
{
    QFETCH(QString, id);
    const Pack pack = valueOf(loadPack(id));
    const QStringList codes = codesOf(pack);
    const QList<Mention> all = ownNames(pack);
    QVERIFY(all.size() > 10);
    for (const Mention &own : all) {
        const QString other = freshFor(own);
        const Pack changed = renamed(pack, own.what, own.text, other, own.machine);
        QVERIFY2(changed != pack, qPrintable(own.text));
        if (codesOf(changed) != codes)
            QCOMPARE(own.machine + u' ' + own.text + u'\n' + codesOf(changed).join(u'\n'),
                codes.join(u'\n'));
        if (renamed(changed, own.what, other, own.text, own.machine) != pack)
            QCOMPARE(writePack(renamed(changed, own.what, other, own.text, own.machine)),
                writePack(pack));
    }
}

void TestNames::randomPacks()
{
    QVERIFY(rc::check("what was renamed has the same diagnostics, and comes back", [] {
        const Pack pack = *randomPack();
        const QList<Mention> all = ownNames(pack);
        RC_PRE(!all.isEmpty());
        const Mention own = all[*rc::gen::inRange<qsizetype>(0, all.size())];
        const Pack changed = renamed(pack, own.what, own.text, freshFor(own), own.machine);
        RC_ASSERT(
            codesOf(changed).join(u' ').toStdString() == codesOf(pack).join(u' ').toStdString());
        RC_ASSERT(renamed(changed, own.what, freshFor(own), own.text, own.machine) == pack);
    }));
}

void TestNames::statesAreThoseOfTheirMachine()
{
    const Pack pack = packOf(twoMachines);
    const Pack changed = renamed(pack, Name::State, u"on"_s, u"up"_s, u"server"_s);
    const Machine &server = *changed.machine(u"server"_s);
    QCOMPARE(server.rest, u"up"_s);
    QCOMPARE(server.history, u"up"_s);
    QVERIFY(server.state(u"up"_s) && !server.state(u"on"_s));
    QCOMPARE(server.transitions[0].from, QStringList({ u"none"_s, u"up"_s }));
    QCOMPARE(server.transitions[1].to, QStringList(u"up"_s));
    QCOMPARE(server.constraints[0].in, QStringList(u"up"_s));
    QCOMPARE(changed.types[1].goal, u"up"_s);
    QCOMPARE(changed.sample[0].state, u"up"_s);
    QCOMPARE(changed.machine(u"rack"_s)->rest, u"on"_s);
    QCOMPARE(*changed.machine(u"rack"_s)->state(u"on"_s), *pack.machine(u"rack"_s)->state(u"on"_s));
    const Pack framed = renamed(pack, Name::State, u"both"_s, u"frame"_s, u"server"_s);
    QCOMPARE(framed.machine(u"server"_s)->state(u"on"_s)->parent, u"frame"_s);
}

void TestNames::statesOfRelatives()
{
    const Pack pack = packOf(twoMachines);
    const Pack servers = renamed(pack, Name::State, u"on"_s, u"up"_s, u"server"_s);
    const Condition &asked = servers.machine(u"rack"_s)->transitions[0].condition;
    QCOMPARE(asked.parts[2].states, QStringList(u"up"_s)); // {"servers": ["on"]}
    const Condition &own = servers.machine(u"server"_s)->transitions[0].condition;
    QCOMPARE(own.parts[0].states, QStringList(u"up"_s)); // {"last": ["on"]}
    QCOMPARE(own.parts[1].states, QStringList(u"on"_s)); // the parent is a rack
    QCOMPARE(servers.machine(u"server"_s)->constraints[0].holds[0].states, QStringList(u"on"_s));
    const Pack racks = renamed(pack, Name::State, u"on"_s, u"up"_s, u"rack"_s);
    QCOMPARE(
        racks.machine(u"server"_s)->transitions[0].condition.parts[1].states, QStringList(u"up"_s));
    QCOMPARE(racks.machine(u"server"_s)->constraints[0].holds[0].states, QStringList(u"up"_s));
    QCOMPARE(racks.sample[0].state, u"on"_s);
}

/// Which of a condition's states follow "on" of the rack to "up": those of the rack alone, all, or
/// both names, where either may be meant.
void TestNames::statesThatConditionsMayMean_data()
{
    // askedBy: machine
    const Rows<QByteArray, QString, QStringList> add("condition", "askedBy", "states");
    const QStringList followed { u"up"_s }, stayed { u"on"_s }, both { u"up"_s, u"on"_s };
    const auto row = [&](const char *name, const QByteArray &condition, const QString &askedBy,
                         const QStringList &states) { add(name, condition, askedBy, states); };
    row("the last of a rack", R"({"last": ["on"]})", u"rack"_s, followed);
    row("the last of a server", R"({"last": ["on"]})", u"server"_s, stayed);
    row("what a rack stands in", R"({"self": ["on"]})", u"rack"_s, followed);
    row("the parent of a server", R"({"parent": ["on"]})", u"server"_s, followed);
    row("children of a rack", R"({"children": ["on"]})", u"rack"_s, stayed);
    row("siblings of a server", R"({"siblings": ["on"]})", u"server"_s, stayed);
    row("anybody's references", R"({"references": ["on"]})", u"rack"_s, both);
}

void TestNames::statesThatConditionsMayMean()
{
    QFETCH(QByteArray, condition);
    QFETCH(QString, askedBy);
    Pack pack = packOf(twoMachines);
    pack.conditions = packOf(
        R"({"id": "c", "types": {}, "machines": {}, "conditions": {"asked": )" + condition + "}}")
                          .conditions;
    const auto asking = std::ranges::find(pack.machines, askedBy, &Machine::id);
    asking->transitions[0].condition = pack.conflicts[0].condition = pack.conditions[0].condition;
    const Pack changed = renamed(pack, Name::State, u"on"_s, u"up"_s, u"rack"_s);
    QTEST(changed.machine(askedBy)->transitions[0].condition.states, "states");
    // Any machine's rows may ask a label, and any operation meets any other.
    for (const Condition &shared :
        { changed.conditions[0].condition, changed.conflicts[0].condition })
        QCOMPARE(shared.states, (QStringList { u"up"_s, u"on"_s }));
    QCOMPARE(
        writePack(renamed(changed, Name::State, u"up"_s, u"on"_s, u"rack"_s)), writePack(pack));
}

void TestNames::severalMachinesAtOnce()
{
    Pack pack = packOf(twoMachines);
    Condition last;
    last.kind = Condition::Kind::Last;
    last.states = { u"on"_s };
    pack.conflicts[0].condition = last;
    const auto after = [&](const QString &rack, const QString &server) {
        return renamed(pack,
            { { Name::State, u"rack"_s, u"on"_s, rack },
                { Name::State, u"server"_s, u"on"_s, server } })
            .conflicts[0]
            .condition.states;
    };
    QCOMPARE(after(u"up"_s, u"up"_s), QStringList(u"up"_s));
    QCOMPARE(after(u"up"_s, u"high"_s), QStringList({ u"up"_s, u"high"_s }));
    // What a state passes for keeps its name.
    pack.machines[1].states[1].id = u"running"_s;
    pack.machines[1].states[1].as = u"on"_s;
    QCOMPARE(renamed(pack, Name::State, u"on"_s, u"up"_s, u"rack"_s).conflicts[0].condition.states,
        QStringList({ u"up"_s, u"on"_s }));
}

void TestNames::triggers()
{
    const Pack pack = packOf(twoMachines);
    const Pack begun = renamed(pack, Name::Operation, u"start"_s, u"begin"_s);
    QVERIFY(!writePack(begun).contains("\"start\""));
    QCOMPARE(begun.operationNames(), QStringList(u"begin"_s));
    const Pack slow = renamed(pack, Name::Outcome, u"late"_s, u"slow"_s);
    QVERIFY(!writePack(slow).contains("\"late\""));
    QCOMPARE(slow.machine(u"server"_s)->state(u"busy"_s)->work[0].hear.value(u"slow"_s), u"slow"_s);
    QCOMPARE(renamed(pack, Name::Refusal, u"full"_s, u"no room"_s).conflicts[0].code, u"no room"_s);
}

void TestNames::conditionsInConditions()
{
    const Pack quiet = renamed(packOf(twoMachines), Name::Condition, u"calm"_s, u"quiet"_s);
    QCOMPARE(quiet.conditions[0].id, u"quiet"_s);
    QCOMPARE(quiet.conditions[1].id, u"very calm"_s);
    QCOMPARE(quiet.conditions[1].condition.parts[0].text, u"quiet"_s);
    QCOMPARE(quiet.conditions[1].condition.parts[1].parts[0].text, u"quiet"_s);
    QCOMPARE(quiet.machine(u"rack"_s)->transitions[0].condition.parts[0].text, u"quiet"_s);
}

void TestNames::typesTakeTheirPathsAlong()
{
    const Pack pack = packOf(twoMachines);
    const Pack rows = renamed(pack, Name::Type, u"racks"_s, u"rows"_s);
    QCOMPARE(rows.types[1].path, u"rows/servers"_s);
    QCOMPARE(rows.sample[0].path, u"/rows/r1/servers/s1"_s);
    QCOMPARE(rows.sample[0].references, QStringList(u"/rows/r2"_s));
    Pack spoken = pack;
    for (const QString &of : { u"/racks"_s, u"/racks/{rack}"_s, u"/racks/{rack}/servers"_s,
             u"/racks/{rack}/servers/{server}"_s, u"/other/{id}"_s }) {
        WireRequest request;
        request.ask = u"resource"_s;
        request.of = of;
        spoken.wire.requests += request;
    }
    const auto about = [](const Pack &changed) {
        QStringList paths;
        for (const WireRequest &request : changed.wire.requests)
            paths += request.of;
        return paths;
    };
    QCOMPARE(about(renamed(spoken, Name::Type, u"racks"_s, u"rows"_s)),
        (QStringList { u"/rows"_s, u"/rows/{rack}"_s, u"/rows/{rack}/servers"_s,
            u"/rows/{rack}/servers/{server}"_s, u"/other/{id}"_s }));
    QCOMPARE(about(renamed(spoken, Name::Type, u"racks/servers"_s, u"racks/hosts"_s))[2],
        u"/racks/{rack}/hosts"_s);
    QStringList unknown;
    for (const Diagnostic &diagnostic : check(spoken)) {
        if (diagnostic.pointer.endsWith(u"/of"_s) && diagnostic.code == u"unknown-type")
            unknown += diagnostic.pointer + u' ' + diagnostic.code + u' ' + diagnostic.unknown;
    }
    QCOMPARE(unknown, QStringList(u"/wire/requests/4/of unknown-type other"_s));
    const Pack hosts = renamed(pack, Name::Type, u"racks/servers"_s, u"racks/hosts"_s);
    QCOMPARE(hosts.types[1].path, u"racks/hosts"_s);
    QCOMPARE(hosts.sample[0].path, u"/racks/r1/hosts/s1"_s);
    QCOMPARE(hosts.machine(u"rack"_s)->transitions[0].condition.parts[2].text, u"hosts"_s);
    QCOMPARE(codesOf(hosts), codesOf(pack));
    // A type that moves takes its resources along, below one of its new parent.
    const Pack top = renamed(pack, Name::Type, u"racks/servers"_s, u"servers"_s);
    QCOMPARE(top.type(u"servers"_s)->goal, u"on"_s);
    QCOMPARE(top.sample[0].path, u"/servers/s1"_s);
    Pack both = top;
    both.sample += { .path = u"/racks/r7"_s };
    QCOMPARE(renamed(both, Name::Type, u"servers"_s, u"racks/servers"_s).sample[0].path,
        u"/racks/r7/servers/s1"_s);
    both.sample.last().path = u"/Racks/r7"_s;
    both.ignoreCase = true;
    QCOMPARE(renamed(both, Name::Type, u"servers"_s, u"racks/servers"_s).sample[0].path,
        u"/Racks/r7/servers/s1"_s);
    QCOMPARE(renamed(top, Name::Type, u"servers"_s, u"racks/servers"_s).sample[0].path,
        u"/racks/one/servers/s1"_s);
}

void TestNames::nothingIsNearToNoName()
{
    QCOMPARE(nearest({}, { u"a"_s, u"b"_s }), QString());
    QCOMPARE(suggestion({}, { u"a"_s, u"b"_s, u"abcd"_s }), QString());
}

const instar::TestClass<TestNames> registered;
#include "tst_names.moc"
