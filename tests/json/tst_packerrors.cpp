// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "tests/support/packtext.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <thread>

using namespace instar;
using namespace Qt::StringLiterals;

class TestPackErrors : public QObject
{
    Q_OBJECT

private slots:
    void errors_data();
    void errors();
    void allErrorsAreTold();
    void brokenFiles_data();
    void brokenFiles();
    void library();
    void pipes();
    void filesThatAreNone();
};

void TestPackErrors::errors_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const QByteArray &json, const char *error) {
        QTest::newRow(name) << json << u"my.json:"_s + QString::fromUtf8(error);
    };
    row("no object", "[]", "1: expected an object, found a list");
    row("nothing", "{}", R"(1: expected the key "id", which is missing (and 2 more))");
    row("id", R"({"id": 3, "types": {}, "machines": {}})", "1: /id: expected a string, found 3");
    row("unknown key", "{\"id\": \"p\", \"types\": {},\n\"machnies\": {}, \"machines\": {}}",
        R"(2: /machnies: unknown key "machnies"; did you mean "machines"?)");
    row("line feed in a key",
        R"({"id": "p", "types": {}, "machines": {}, "ab\n\u001bcd\u2028ef": 1})",
        R"(1: /ab \u001bcd ef: unknown key "ab \u001bcd ef"; expected one of: id, title, origin, about, source, ignoreCase, operationUri, retry, sources, switches, types, operations, outcomes, conditions, machines, conflicts, refusals, stamp, wire, sample)");
    row("key twice", "{\"id\": \"p\", \"types\": {},\n\"machines\": {},\n\"id\": \"q\"}",
        R"(3: /id: expected each key once, found "id" again)");
    row("id twice",
        "{\"id\": \"p\", \"types\": {}, \"machines\": {\n\"m\": {\"rest\": \"a\", \"states\": "
        "{\n\"a\": {},\n\"a\": {}}}}}",
        R"(4: /machines/m/states/a: expected each name once, found "a" again)");
    row("empty id", withState("}, \"\": {"),
        "1: /machines/m/states/: expected a name, found an empty one");
    row("kind", withState(R"("kind": "stabel")"),
        R"(1: /machines/m/states/a/kind: expected "initial" or "stable" or "transitional" or "composite", found "stabel"; did you mean "stable"?)");
    row("kind is a number", withState(R"("kind": 1)"),
        R"(1: /machines/m/states/a/kind: expected "initial" or "stable" or "transitional" or "composite", found 1)");
    row("position", withState(R"("at": [1])"),
        "1: /machines/m/states/a/at: expected a position: [x, y], found a list");
    row("position of words", withState(R"("at": [1, "2"])"),
        R"(1: /machines/m/states/a/at/1: expected a number, found "2")");
    row("position too far", withState(R"("at": [1, 1e999])"),
        "1: /machines/m/states/a/at/1: expected a number, found 1e999");
    row("timer", withState(R"("timer": {"after": -1, "op": "x"})"),
        "1: /machines/m/states/a/timer/after: expected a whole number from 0 to 2^53, found -1");
    row("timer's extra", withState(R"("timer": {"op": "x", "x-y": 1})"),
        R"(1: /machines/m/states/a/timer/x-y: unknown key "x-y"; expected one of: op, outcome, at, after, every, order)");
    row("step", withState(R"("work": ["atempt"])"),
        R"(1: /machines/m/states/a/work/0: expected a step: "attempt", or an object with op, send, outcome or until, found "atempt")");
    row("step of no kind", withState(R"("work": [{"to": "x"}])"),
        R"(1: /machines/m/states/a/work/0: expected "attempt", "op", "send", "outcome" or "until" in the step, found none of them (and 1 more))");
    row("step of two kinds", withState(R"("work": [{"op": "o", "send": "e", "to": "x"}])"),
        R"(1: /machines/m/states/a/work/0: expected one kind of step, found both "op" and "send" (and 1 more))");
    row("attempt false", withState(R"("work": [{"attempt": false}])"),
        "1: /machines/m/states/a/work/0/attempt: expected true, found false");
    row("send nothing", withState(R"("work": [{"send": {}, "to": "x"}])"),
        "1: /machines/m/states/a/work/0/send: expected an event for some outcome, found none");
    row("send to nobody", withState(R"("work": [{"send": "e"}])"),
        R"(1: /machines/m/states/a/work/0: expected the key "to", which is missing)");
    row("work", withState(R"("work": "attempt")"),
        R"(1: /machines/m/states/a/work: expected a list, found "attempt")");
    row("to", withTransition(R"(, "to": 5)"),
        "1: /machines/m/transitions/0/to: expected a string or a list of strings, found 5");
    row("to and refuse", withTransition(R"(, "to": "a", "refuse": "r")"),
        R"(1: /machines/m/transitions/0/to: expected no "to" beside "refuse")");
    row("set and refuse", withTransition(R"(, "refuse": "r", "set": {"p": 1})"),
        R"(1: /machines/m/transitions/0/set: expected no "set" beside "refuse")");
    row("set a list", withTransition(R"(, "to": "a", "set": {"p": [1]})"),
        R"(1: /machines/m/transitions/0/set/p: expected a text, a number, true, false, null, or {"add": number}, found a list)");
    row("set adds nothing", withTransition(R"(, "to": "a", "set": {"p": {}})"),
        R"(1: /machines/m/transitions/0/set/p: expected the key "add", which is missing)");
    row("set adds a half", withTransition(R"(, "to": "a", "set": {"p": {"add": 0.5}})"),
        "1: /machines/m/transitions/0/set/p/add: expected a whole number from -9007199254740992 to "
        "2^53, found 0.5");
    row("property asked twice",
        withTransition(R"(, "if": {"property": {"name": "p", "is": "x", "above": 1}})"),
        R"(1: /machines/m/transitions/0/if/property: expected either "is" or "above", found both)");
    row("property not asked", withTransition(R"(, "if": {"property": {"name": "p"}})"),
        R"(1: /machines/m/transitions/0/if/property: expected either "is" or "above", found neither)");
    row("property without name", withTransition(R"(, "if": {"property": {"above": 1}})"),
        R"(1: /machines/m/transitions/0/if/property: expected the key "name", which is missing)");
    row("usually nothing", withState(R"("work": [{"attempt": true, "where": "x"}])"),
        R"(1: /machines/m/states/a/work/0/where: expected "usually" beside "where")");
    row("limit", withTransition(R"(, "limit": 1.5)"),
        "1: /machines/m/transitions/0/limit: expected a whole number from 0 to 2147483647, found "
        "1.5");
    row("limit too large", withTransition(R"(, "limit": 9007199254740992)"),
        "1: /machines/m/transitions/0/limit: expected a whole number from 0 to 2147483647, found "
        "9007199254740992");
    row("after too large", withTransition(R"(, "after": 9007199254740993)"),
        "1: /machines/m/transitions/0/after: expected a whole number from 0 to 2^53, found "
        "9007199254740993");
    row("force", withTransition(R"(, "force": "yes")"),
        R"(1: /machines/m/transitions/0/force: expected true or false, found "yes")");
    row("key of a row", withTransition(R"(, "sorce": "R1")"),
        R"(1: /machines/m/transitions/0/sorce: unknown key "sorce"; did you mean "source"?)");
    row("condition", withTransition(R"(, "if": true)"),
        "1: /machines/m/transitions/0/if: expected a condition: a label, a list of conditions, or "
        "an object of facts, found true");
    row("empty label", withTransition(R"(, "if": "!")"),
        "1: /machines/m/transitions/0/if: expected a condition's label, found an empty one");
    row("match", withTransition(R"(, "if": {"parent": "Ready"})"),
        R"(1: /machines/m/transitions/0/if/parent: expected a list of states, "any" or "none", found "Ready")");
    row("fact twice", withTransition(R"(, "if": {"parent": "any", "parent": "none"})"),
        R"(1: /machines/m/transitions/0/if/parent: expected each fact once, found "parent" again)");
    row("about in a condition", withTransition(R"(, "if": {"parent": "any", "about": "any"})"),
        R"(1: /machines/m/transitions/0/if/about: expected a fact (last, id, required, elapsed, property, not) or a relation, found "about")");
    row("elapsed", withTransition(R"(, "if": {"elapsed": {"ms": 1}})"),
        R"(1: /machines/m/transitions/0/if/elapsed: expected the key "since", which is missing)");
    row("property's value", withTransition(R"(, "if": {"property": {"name": "p", "is": [{}]}})"),
        "1: /machines/m/transitions/0/if/property/is/0: expected a text, a number, true, false or "
        "null, found an object");
    row("pause", withTransition(R"(, "after": true)"),
        "1: /machines/m/transitions/0/after: expected a number of ms, a property's name, or an "
        "object with property, found true");
    row("pause in a property", withTransition(R"(, "after": {"times": 2})"),
        R"(1: /machines/m/transitions/0/after: expected the key "property", which is missing)");
    row("pause otherwise", withTransition(R"(, "after": {"property": "p", "else": -1})"),
        "1: /machines/m/transitions/0/after/else: expected a whole number from 0 to 2^53, found "
        "-1");
    row("time is a property's", withState(R"("timer": {"op": "x", "at": 5})"),
        "1: /machines/m/states/a/timer/at: expected a property's name, or an object with property, "
        "found 5");
    row("timer for both", withState(R"("timer": {"op": "x", "outcome": "y"})"),
        R"(1: /machines/m/states/a/timer/op: expected no "op" beside "outcome")");
    row("conditions too deep",
        withTransition(", \"if\": " + QByteArray(100, '[') + QByteArray(100, ']')),
        qPrintable(
            u"1: /machines/m/transitions/0/if%1: expected at most 64 nested conditions, found more"_s
                .arg(u"/0"_s.repeated(65))));
    row("when", withTransition(R"(, "when": {"s": 3})"),
        "1: /machines/m/transitions/0/when/s: expected true, false or a string, found 3");
    row("when of the pack", R"({"id": "p", "when": {"s": true}, "types": {}, "machines": {}})",
        R"(1: /when: unknown key "when"; expected one of: id, title, origin, about, source, ignoreCase, operationUri, retry, sources, switches, types, operations, outcomes, conditions, machines, conflicts, refusals, stamp, wire, sample)");
    const QByteArray rest = R"(, "types": {}, "machines": {}})";
    row("then", R"({"id": "p", "conflicts": [{"then": "deny"}])" + rest,
        R"(1: /conflicts/0/then: expected "cancel" or "reject" or "allow" or "wait", found "deny")");
    row("place",
        R"({"id": "p", "conflicts": [{"at": ["self", "ancestors"], "then": "allow"}])" + rest,
        R"(1: /conflicts/0/at/1: expected "self" or "ancestor" or "descendant" or "sibling" or "tree" or "reference" or "referrer" or "unrelated", found "ancestors"; did you mean "ancestor"?)");
    row("http", R"({"id": "p", "refusals": {"r": {"http": 4040}})" + rest,
        "1: /refusals/r/http: expected an HTTP status from 100 to 599, found 4040");
    row("stamp", R"({"id": "p", "stamp": [{"at": "begin"}])" + rest,
        R"(1: /stamp/0/at: expected "start" or "end", found "begin")");
    row("switch without values", R"({"id": "p", "switches": {"s": {"default": "a"}})" + rest,
        R"(1: /switches/s: expected the key "values", which is missing)");
    row("sample",
        R"({"id": "p", "sample": {"resources": [{"path": "/a/b", "properties": []}]})" + rest,
        "1: /sample/resources/0/properties: expected an object of properties, found a list");
    row("long value", R"({"id": "p", "stamp": [{"at": ")" + QByteArray(500, 'x') + "\"}]" + rest,
        qPrintable(u"1: /stamp/0/at: expected \"start\" or \"end\", found \"%1...\""_s.arg(
            QString(57, u'x'))));
}

void TestPackErrors::errors()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, error);
    const Result<Pack> pack = readPack(parsed(json));
    QVERIFY(!pack);
    QCOMPARE(pack.error(), error);
}

void TestPackErrors::allErrorsAreTold()
{
    const JsonText document = parsed(withState("\"first\": 1,\n\"two\": 2,\n\"kind\": 3"));
    QStringList lines;
    for (const Diagnostic &finding : packDraft(document).diagnostics)
        lines.append(described(document.name(), finding).section(u" expected"_s, 0, 0));
    QCOMPARE(
        lines.join(u'\n'), uR"(my.json:1: error: /machines/m/states/a/first: unknown key "first";
my.json:2: error: /machines/m/states/a/two: unknown key "two";
my.json:3: error: /machines/m/states/a/kind:)"_s);

    QByteArray many = "{\"id\": \"p\", \"types\": {}, \"machines\": {}";
    for (int i = 0; i < 5000; ++i)
        many += ", \"wrong" + QByteArray::number(i) + "\": 0";
    const PackDraft draft = packDraft(parsed(many + '}'));
    QCOMPARE(draft.diagnostics.size(), 100);
    QVERIFY(draft.error.endsWith(u"(and 4999 more)"_s));
}

void TestPackErrors::brokenFiles_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("error");
    const QDir folder(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/bad"));
    for (const QString &name : folder.entryList({ u"*.json"_s })) {
        const Result<QByteArray> expected =
            fileBytes(folder.filePath(name.chopped(5) + u".reader.txt"_s));
        QTest::newRow(qPrintable(name)) << folder.filePath(
            name) << (expected ? QString::fromUtf8(*expected).trimmed() : expected.error());
    }
}

void TestPackErrors::brokenFiles()
{
    QFETCH(QString, file);
    QFETCH(QString, error);
    const Result<Pack> pack = loadPack(file);
    QVERIFY(!pack);
    QCOMPARE(QString(pack.error()).replace(file, u"FILE"_s), error);
}

void TestPackErrors::library()
{
    QVERIFY(builtInPacks().size() >= 2);
    for (const QString &id : builtInPacks()) {
        const Result<Pack> pack = loadPack(id);
        QVERIFY2(pack, pack ? "" : qPrintable(pack.error()));
        QCOMPARE(pack->id, id);
        QVERIFY(!pack->title.isEmpty());
        QVERIFY(!pack->origin.isEmpty());
        QVERIFY(!pack->origin.contains(u'\n'));
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
void TestPackErrors::pipes()
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

void TestPackErrors::filesThatAreNone()
{
    QTemporaryDir folder;
    QCOMPARE(fileBytes(folder.filePath(u"none"_s)).error(),
        folder.filePath(u"none"_s) + u": there is no such file"_s);
    QCOMPARE(fileBytes(folder.path()).error(),
        folder.path() + u": expected a file, found a directory"_s);
    QCOMPARE(fileBytes({}).error(), u"expected the name of a file, found an empty one"_s);
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

const instar::TestClass<TestPackErrors> registered;
#include "tst_packerrors.moc"
