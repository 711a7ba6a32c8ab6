// SPDX-License-Identifier: Apache-2.0
#include "model/json/fields.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/edits.h"
#include "model/pack/identity.h"
#include "model/pack/knownnames.h"
#include "model/pack/names.h"
#include "model/pack/rows.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestFields : public QObject
{
    Q_OBJECT

private slots:
    void ownValuesChangeNothing_data() { addRowsOf("id", builtInPacks()); }
    void ownValuesChangeNothing();
    void listsOfRows();
    void values_data();
    void values();
    void refusedValues_data();
    void refusedValues();
    void otherRowsKeepTheirNumbers();
    void names();
    void kindsOfSteps();
    void newRowsCanBeRead_data() { addRowsOf("id", builtInPacks()); }
    void newRowsCanBeRead();
    void rowsAreCopiedMovedAndRemoved();
    void candidates();
    void whereNamesLead();
};

namespace {

const QByteArray small = R"({
 "id": "lab", "title": "Lab",
 "sources": {"book": {"document": "The book"}},
 "switches": {"strict": {"default": false}},
 "types": {"racks": {"machine": "rack"}, "racks/servers": {"machine": "server"}},
 "operations": {"start": {"duration": 5000}},
 "conditions": {"calm": {"children": "none"}},
 "machines": {
  "rack": {"rest": "up", "states": {"none": {"kind": "initial"}, "up": {}},
   "transitions": [{"from": "none", "on": "start", "to": "up"}, {"from": "up", "on": "stop", "to": "none", "if": "calm"}]},
  "server": {"rest": "on", "states": {"off": {"kind": "initial"}, "on": {"timer": {"op": "stop", "after": 10}},
    "going": {"kind": "transitional", "work": ["attempt", {"send": "gone", "to": "parent"}]}},
   "transitions": [{"from": "off", "on": "start", "to": "on"}, {"from": "on", "on": "stop", "to": ["going", "off"]},
    {"from": "going", "on": "succeeded", "to": "off", "set": {"count": {"add": 1}, "note": "5", "n": 5}}],
   "constraints": [{"in": "on", "holds": {"parent": ["up"]}}]}
 },
 "conflicts": [{"on": "start", "running": "stop", "at": "self", "then": "reject"}],
 "sample": {"resources": [{"path": "/racks/r1", "properties": {"deep": {"a": [1, true]}}}, {"path": "/racks/r1/servers/s1"}]}
})";

Pack lab()
{
    const JsonText text = valueOf(JsonText::parse(small, u"lab"_s));
    Pack pack = valueOf(readPack(text));
    quint32 last = 0;
    identify(&pack, &last);
    return pack;
}

QStringList pointersIn(const OutlineNode &node, OutlineNode::Kind kind)
{
    QStringList found;
    if (node.kind == kind)
        found += node.pointer;
    for (const OutlineNode &child : node.children)
        found += pointersIn(child, kind);
    return found;
}

Field fieldOf(const Pack &pack, const QString &row, const QString &key)
{
    for (const Field &field : fieldsAt(pack, row).fields) {
        if (field.key == key)
            return field;
    }
    qFatal("no field %s", qPrintable(key));
}

/// A member as a pack's file has it; empty: it is left out.
QByteArray memberOf(const Pack &pack, const QString &row, const QString &key)
{
    const Result<JsonText> text = JsonText::parse(writePack(pack), {});
    const Value member = text->at(row + pointerTo({ key }));
    return member ? Output::copy(member).oneLine() : QByteArray();
}

} // namespace

void TestFields::ownValuesChangeNothing()
{
    QFETCH(QString, id);
    const Pack pack = valueOf(loadPack(id));
    int seen = 0;
    for (const QString &row : pointersIn(outline(pack), OutlineNode::Kind::Row)) {
        const RowFields fields = fieldsAt(pack, row);
        QVERIFY2(!fields.kind.isEmpty(), qPrintable(row));
        for (const Field &field : fields.fields) {
            const QByteArray json =
                field.kind == Field::Kind::Rows ? memberOf(pack, row, field.key) : field.json;
            const Result<Pack> same = withField(pack, row, field.key, json);
            const QString where = row + u' ' + field.key + u' ' + field.text;
            QVERIFY2(same, qPrintable(where + (same ? QString() : same.error())));
            QVERIFY2(*same == pack, qPrintable(where));
            if (field.kind == Field::Kind::Rows)
                continue;
            const Result<QByteArray> typed = typedJson(field, field.text);
            QVERIFY2(typed, qPrintable(where));
            const Result<Pack> again = withField(pack, row, field.key, *typed);
            QVERIFY2(again, qPrintable(where + u": "_s + (again ? QString() : again.error())));
            QVERIFY2(*again == pack, qPrintable(where));
            ++seen;
        }
    }
    QVERIFY(seen > 500);
}

void TestFields::listsOfRows()
{
    const Pack pack = lab();
    QCOMPARE(memberOf(pack, u"/machines/server/states/going"_s, u"work"_s),
        R"(["attempt", {"send": "gone", "to": "parent"}])");
    const Result<Pack> now =
        withField(pack, u"/machines/server/states/going"_s, u"work"_s, R"(["attempt"])");
    QCOMPARE(now->machines[1].states[2].work.size(), 1);
    QCOMPARE(fieldOf(pack, u"/machines/server"_s, u"states"_s).text, u"3"_s);
}

void TestFields::values_data()
{
    // json: as it is written then; empty: left out
    const Rows<QString, QString, QString, QByteArray> row("row", "key", "text", "json");
    const char *state = "/machines/server/states/going", *way = "/machines/server/transitions/2";
    row("text", state, "label", "Going, going", "\"Going, going\"");
    row("no text", "", "title", "", "");
    row("one of texts", way, "from", "on", "\"on\"");
    row("texts", way, "from", " on ,off,", R"(["on", "off"])");
    row("texts with commas", "/types/racks", "names", R"(["a, b"])", R"(["a, b"])");
    row("a list of one", "/types/racks", "names", "a", R"(["a"])");
    row("flag", way, "force", "true", "true");
    row("no flag", way, "force", "false", "");
    row("number", "/operations/start", "duration", "7", "7");
    row("usual number", "/operations/start", "duration", "", "1000");
    row("maybe a number", way, "limit", "3", "3");
    row("real", way, "bend", "-4.5", "-4.5");
    row("word", "/conflicts/0", "then", "wait", "\"wait\"");
    row("usual word", state, "kind", "stable", "");
    row("label", way, "if", "calm", "\"calm\"");
    row("not", way, "if", "!calm", "\"!calm\"");
    row("labels", way, "if", "calm and not early", R"(["calm", "!early"])");
    row("facts", way, "if", R"({"id": "s1"})", R"({"id": ["s1"]})");
    row("related", way, "if", "not parent is up or down and some children is on",
        R"({"not": {"parent": ["up", "down"]}, "some children": ["on"]})");
    row("existence", way, "if", "some referrers exist and no children",
        R"({"some referrers": "any", "children": "none"})");
    row("own", way, "if", "last was on and id is s1 or s2",
        R"({"last": ["on"], "id": ["s1", "s2"]})");
    row("required", way, "if", "required by parent and not required",
        R"([{"required": "parent"}, {"required": false}])");
    row("elapsed", way, "if", "50 ms after birth", R"({"elapsed": {"since": "birth", "ms": 50}})");
    row("property", way, "if", R"(property mood is calm or "5" or 5 or null)",
        R"({"property": {"name": "mood", "is": ["calm", "5", 5, null]}})");
    row("no nested value", way, "if", "property size is [1]",
        R"({"property": {"name": "size", "is": ["[1]"]}})");
    row("above", way, "if", "property level above -3",
        R"({"property": {"name": "level", "above": -3}})");
    row("no condition", "/machines/rack/transitions/1", "if", "", "");
    row("map", way, "set", "a: b: c\nn: 5\ns: \"5\"\ngone: null",
        R"({"a": "b: c", "n": 5, "s": "5", "gone": null})");
    row("when", way, "when", "strict: true", R"({"strict": true})");
    row("holds", "/machines/server/constraints/0", "holds", "some parent: any",
        R"({"some parent": "any"})");
    row("position", state, "at", "[1, 2.5]", "[1, 2.5]");
    row("a row", state, "timer", R"({"outcome": "failed", "after": 5})",
        R"({"outcome": "failed", "after": 5})");
    row("inside a row", "/machines/server/states/on/timer", "after", "20", "20");
    row("instead", "/machines/server/states/on/timer", "outcome", "failed", "\"failed\"");
    row("figures", "/machines/server/states/on/timer", "at", "birth", "\"birth\"");
    row("instead of a target", way, "refuse", "missing", "\"missing\"");
    row("truth", "/switches/strict", "default", "true", "true");
    row("body", "/sample/resources/0", "properties", "deep: {\"a\": [1]}", R"({"deep":{"a":[1]}})");
    row("event", "/machines/server/states/going/work/1", "send", "left", "\"left\"");
    row("events", "/machines/server/states/going/work/1", "send", R"({"failed": "left"})",
        R"({"failed": "left"})");
}

void TestFields::values()
{
    QFETCH(QString, row);
    QFETCH(QString, key);
    QFETCH(QString, text);
    const Pack pack = lab();
    const Field field = fieldOf(pack, row, key);
    const QByteArray typed = valueOf(typedJson(field, text));
    const Result<Pack> now = withField(pack, row, key, typed);
    QVERIFY2(now, qPrintable(now ? QString() : now.error()));
    QTEST(fieldOf(*now, row, key).json, "json");
    const Result<JsonText> written = JsonText::parse(writePack(*now), u"lab"_s);
    const Result<Pack> read = readPack(*written);
    QVERIFY2(read, qPrintable(read ? QString() : read.error()));
    QVERIFY(*read == *now);
}

void TestFields::refusedValues_data()
{
    // error: contains
    addColumns<QString, QString, QString, QString>("row", "key", "text", "error");
    const auto row = [](const char *pointer, const char *key, const char *text, const char *error) {
        QTest::addRow("%s %s %s", pointer, key, text)
            << QString::fromUtf8(pointer) << QString::fromUtf8(key) << QString::fromUtf8(text)
            << QString::fromUtf8(error);
    };
    row("/operations/start", "duration", "soon", "expected a whole number");
    row("/operations/start", "duration", "-5", "expected a whole number");
    row("/operations/start", "duration", "1.5", "expected a whole number");
    row("/machines/server/transitions/2", "bend", "left", "expected a number");
    row("/machines/rack", "rest", "", "is required");
    row("/machines/server/transitions/2", "if", "{\"id\": 5}", "expected");
    row("/machines/server/transitions/2", "if", "{\"id\": ", "expected");
    row("/machines/server/transitions/2", "set", "count", "expected \"name: value\"");
    row("/machines/server/states/on/timer", "op", "", "expected the key \"op\"");
    row("/conflicts/0", "at", "beside", "expected");
    row("/machines/server/states/going", "(name)", "on", "\"on\" exists already");
    row("/machines/server/states/going", "(name)", "", "expected a name");
    row("/types/racks", "(name)", "a/b", "no \"/\"");
}

void TestFields::refusedValues()
{
    QFETCH(QString, row);
    QFETCH(QString, key);
    QFETCH(QString, text);
    QFETCH(QString, error);
    const Pack pack = lab();
    const Result<QByteArray> typed = typedJson(fieldOf(pack, row, key), text);
    if (!typed) {
        QVERIFY2(typed.error().contains(error), qPrintable(typed.error()));
        return;
    }
    const QString now = errorIn(withField(pack, row, key, *typed));
    QVERIFY2(now.contains(error), qPrintable(now));
}

void TestFields::otherRowsKeepTheirNumbers()
{
    const Pack pack = lab();
    const Pack now = valueOf(withField(pack, u"/machines/server"_s, u"title"_s, "\"Server\""));
    for (const QString &row : pointersIn(outline(pack), OutlineNode::Kind::Row))
        QCOMPARE(numberAt(now, row), numberAt(pack, row));
    const Result<Pack> called =
        withField(pack, u"/machines/server/states/on"_s, RowName.toString(), "\"running\"");
    QCOMPARE(numberAt(*called, u"/machines/server/states/running"_s),
        numberAt(pack, u"/machines/server/states/on"_s));
}

void TestFields::names()
{
    const Pack pack = lab();
    const Pack now =
        valueOf(withField(pack, u"/machines/rack/states/up"_s, RowName.toString(), "\"standing\""));
    QCOMPARE(now.machine(u"rack"_s)->rest, u"standing"_s);
    QCOMPARE(now.machine(u"server"_s)->constraints[0].holds[0].states, { u"standing"_s });
    const QString server = u"/types/racks~1servers"_s;
    QCOMPARE(fieldOf(pack, server, RowName.toString()).text, u"servers"_s);
    const Result<Pack> hosts = withField(pack, server, RowName.toString(), "\"hosts\"");
    QVERIFY(hosts->type(u"racks/hosts"_s));
    QCOMPARE(hosts->sample[1].path, u"/racks/r1/hosts/s1"_s);
    const QString parent = RowParent.toString();
    QCOMPARE(fieldOf(pack, server, parent).words, (QStringList { u"(none)"_s, u"racks"_s }));
    const Pack moved = valueOf(withField(pack, server, parent, "\"(none)\""));
    QVERIFY(!moved.type(u"racks/servers"_s));
    QCOMPARE(moved.sample[1].path, u"/servers/s1"_s);
    QVERIFY(*withField(moved, u"/types/servers"_s, parent, "\"racks\"") == pack);
    Pack twin = pack; // both would be /servers/s1
    twin.sample += { .path = u"/racks/r2/servers/s1"_s };
    QVERIFY(!withField(twin, server, parent, "\"(none)\""));
    Pack spoken = pack; // its path would need another placeholder
    spoken.wire.requests.emplaceBack().of = u"/racks/{rack}/servers/{server}"_s;
    QVERIFY(!withField(spoken, server, parent, "\"(none)\""));
    QVERIFY(withField(spoken, server, RowName.toString(), "\"hosts\""));
    QCOMPARE(fieldsAt(pack, {}).fields.first().key, u"id"_s); // a pack is not named by others
    QCOMPARE(fieldsAt(pack, u"/machines/server/transitions/0"_s).fields.first().key, u"from"_s);
}

void TestFields::kindsOfSteps()
{
    const Pack pack = lab();
    const QString step = u"/machines/server/states/going/work/0"_s;
    QCOMPARE(fieldOf(pack, step, RowKind.toString()).text, u"attempt"_s);
    const Pack now = valueOf(withField(pack, step, RowKind.toString(), "\"until\""));
    QCOMPARE(now.machines[1].states[2].work[0].kind, Step::Kind::Until);
    QCOMPARE(numberAt(now, step), numberAt(pack, step));
    QVERIFY(!withField(pack, step, RowKind.toString(), "\"jump\""));
}

void TestFields::newRowsCanBeRead()
{
    QFETCH(QString, id);
    const Result<Pack> pack = loadPack(id);
    const QStringList lists = pointersIn(outline(*pack), OutlineNode::Kind::List);
    QVERIFY(lists.contains(u"/machines"_s));
    QVERIFY(lists.contains(u"/sample/resources"_s));
    for (const QString &list : lists) {
        if (list.startsWith(u"/machines/"_s) && !list.startsWith(lists.last().section(u'/', 0, 2))
            && list.count(u'/') > 3)
            continue; // one of each kind is enough
        const std::optional<PackAndRow> now = withNewRow(*pack, list);
        QVERIFY2(now, qPrintable(list));
        QVERIFY2(now->pack != *pack, qPrintable(list));
        QVERIFY2(!fieldsAt(now->pack, now->pointer).kind.isEmpty(), qPrintable(now->pointer));
        const Result<JsonText> written = JsonText::parse(writePack(now->pack), id);
        const Result<Pack> read = readPack(*written);
        QVERIFY2(read, qPrintable(list + (read ? QString() : read.error())));
        QVERIFY2(*read == now->pack, qPrintable(list));
    }
}

void TestFields::rowsAreCopiedMovedAndRemoved()
{
    const Pack pack = lab();
    const auto copy = withRowCopied(pack, u"/machines/server/states/on"_s);
    QCOMPARE(copy->pointer, u"/machines/server/states/on-2"_s);
    QCOMPARE(copy->pack.machines[1].states[2].id, u"on-2"_s);
    const auto second = withRowCopied(pack, u"/machines/server/transitions/0"_s);
    QCOMPARE(second->pointer, u"/machines/server/transitions/1"_s);
    QCOMPARE(second->pack.machines[1].transitions.size(), 4);
    Pack withTree = pack;
    withTree.sample = { { .path = u"/racks/r1"_s }, { .path = u"/racks/r1-2"_s } };
    const auto third = withRowCopied(withTree, u"/sample/resources/0"_s);
    QCOMPARE(third->pointer, u"/sample/resources/1"_s);
    QCOMPARE(third->pack.sample[1].path, u"/racks/r1-3"_s);
    const auto inTree = withNewRow(withTree, u"/sample/resources"_s);
    QCOMPARE(inTree->pack.sample.last().path, u"/racks/r1/servers/new"_s);

    const auto moved = withRowMoved(pack, u"/machines/server/transitions/0"_s, 1);
    QCOMPARE(moved->pointer, u"/machines/server/transitions/1"_s);
    QCOMPARE(moved->pack.machines[1].transitions[1], pack.machines[1].transitions[0]);
    QVERIFY(!withRowMoved(pack, u"/machines/server/transitions/0"_s, -1));
    QVERIFY(!withRowMoved(pack, u"/machines/server/transitions/2"_s, 1));
    QCOMPARE(withRowMoved(pack, u"/types/racks"_s, 1)->pointer, u"/types/racks"_s);

    QCOMPARE(withoutRow(pack, u"/types/racks"_s)->types.size(), 1);
    const auto without = withoutRow(pack, u"/machines/server/states/going"_s);
    QCOMPARE(without->machines[1].transitions.size(), 2); // what left it went along
    QVERIFY(!withoutRow(pack, u"/types/none"_s));
    QVERIFY(!withoutRow(pack, u"/machines/server"_s)->machine(u"server"_s));

    const auto step = withNewRow(pack, u"/machines/rack/states/up/work"_s);
    QVERIFY(step->pack.machines[0].states[1].ownWork);
}

void TestFields::candidates()
{
    const Pack pack = lab();
    QCOMPARE(namesFor(pack, Name::From, u"rack"_s), (QStringList { u"none"_s, u"up"_s, u"*"_s }));
    QCOMPARE(namesFor(pack, Name::To, u"rack"_s),
        (QStringList { u"none"_s, u"up"_s, u"(same)"_s, u"(last)"_s }));
    QCOMPARE(namesFor(pack, Name::Operation), (QStringList { u"start"_s, u"stop"_s }));
    QVERIFY(namesFor(pack, Name::Trigger).contains(u"gone"_s));
    QCOMPARE(namesFor(pack, Name::Condition), { u"calm"_s });
    QVERIFY(namesFor(pack, Name::Relation).contains(u"servers"_s));
    QVERIFY(namesFor(pack, Name::None).isEmpty());
}

void TestFields::whereNamesLead()
{
    const Pack pack = lab();
    QCOMPARE(rowNamed(pack, Name::To, u"on"_s, u"server"_s), u"/machines/server/states/on"_s);
    QCOMPARE(rowNamed(pack, Name::Trigger, u"start"_s), u"/operations/start"_s);
    QCOMPARE(rowNamed(pack, Name::Type, u"racks/servers"_s), u"/types/racks~1servers"_s);
    QCOMPARE(rowNamed(pack, Name::Path, u"/racks/r1"_s), u"/sample/resources/0"_s);
    QVERIFY(!rowNamed(pack, Name::To, u"(same)"_s, u"server"_s));
    QVERIFY(!rowNamed(pack, Name::Operation, u"stop"_s));
    const QStringList uses = mentionsOf(pack, ownNameAt(pack, u"/machines/rack/states/up"_s));
    QCOMPARE(uses,
        (QStringList { u"/machines/rack/rest"_s, u"/machines/rack/transitions/0/to"_s,
            u"/machines/rack/transitions/1/from"_s, u"/machines/server/constraints/0/holds"_s }));
}

const TestClass<TestFields> registered;

#include "tst_fields.moc"
