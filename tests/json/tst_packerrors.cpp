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
    QTest::addColumn<QString>("first"); // "line pointer code +others"
    const auto row = [](const char *name, const QByteArray &json, const QByteArray &first) {
        QTest::newRow(name) << json << QString::fromUtf8(first);
    };
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
    row("switch without values", R"({"id": "p", "switches": {"s": {"default": "a"}})" + rest,
        "1 /switches/s missing-key");
    row("sample",
        R"({"id": "p", "sample": {"resources": [{"path": "/a/b", "properties": []}]})" + rest,
        "1 /sample/resources/0/properties value");
    row("long value", R"({"id": "p", "stamp": [{"at": ")" + QByteArray(500, 'x') + "\"}]" + rest,
        "1 /stamp/0/at value");
}

void TestPackErrors::errors()
{
    QFETCH(QByteArray, json);
    QTEST(firstOf(packDraft(parsed(json)).diagnostics), "first");
}

void TestPackErrors::allErrorsAreTold()
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
