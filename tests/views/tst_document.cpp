// SPDX-License-Identifier: Apache-2.0
#include "model/engine/simulator.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/edits.h"
#include "model/pack/names.h"
#include "tests/support/bytesof.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"
#include "views/document/document.h"
#include "views/document/liverules.h"
#include "views/editing/charttext.h"
#include "views/editing/snapping.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// A pack that is edited, and what is typed into it.
class TestDocument : public QObject
{
    Q_OBJECT

private slots:
    void onlyDifferencesAreDone();
    void oneKeyIsOneStep();
    void savedAsItWasRead();
    void typedAsText();
    void whatIsNotWrittenStaysModified();
    void movingKeepsThePast();
    void whatIsUndoneLeavesNoTrace();
    void largePacksAreCompiledBeside();
    void arrowTexts_data();
    void arrowTexts();
    void conditionsOfAllPacks();
    void brokenConditionsAreTold();
    void whatIsCopiedIsPasted();
    void snapping();
    void aligning();
};

namespace {

Pack small()
{
    return *loadPack(builtInPacks().first());
}

Pack parsedPack(const QByteArray &text)
{
    return *readPack(*JsonText::parse(text, {}));
}

Pack withAbout(Pack pack, const QString &about)
{
    pack.about = about;
    return pack;
}

} // namespace

void TestDocument::onlyDifferencesAreDone()
{
    Document document(small());
    QSignalSpy changes(&document, &Document::changed);
    document.edit(u"nothing"_s, small());
    QCOMPARE(changes.size(), 0);
    QVERIFY(!document.isModified());
    document.edit(u"something"_s, withAbout(small(), u"x"_s));
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes[0][0].value<Pack>().about, small().about);
    QCOMPARE(changes[0][1].value<Pack>().about, u"x"_s);
    QVERIFY(document.isModified());
    document.history().undo();
    QVERIFY(!document.isModified());
    QCOMPARE(document.pack(), small());
}

void TestDocument::oneKeyIsOneStep()
{
    Document document(small());
    for (const QString &text : { u"a"_s, u"ab"_s, u"abc"_s })
        document.edit(u"type"_s, withAbout(document.pack(), text), u"about"_s);
    QCOMPARE(document.history().count(), 1);
    document.edit(u"type"_s, withAbout(document.pack(), u"other"_s), u"another key"_s);
    QCOMPARE(document.history().count(), 2);
    document.endMerging();
    document.edit(u"type"_s, withAbout(document.pack(), u"later"_s), u"another key"_s);
    QCOMPARE(document.history().count(), 3);
    document.history().undo();
    document.history().undo();
    QCOMPARE(document.pack().about, u"abc"_s);
    // What was undone is not typed on to.
    document.edit(u"type"_s, withAbout(document.pack(), u"abcd"_s), u"about"_s);
    document.history().undo();
    QCOMPARE(document.pack().about, u"abc"_s);
    document.history().undo();
    QCOMPARE(document.pack().about, small().about);
}

void TestDocument::savedAsItWasRead()
{
    QTemporaryDir folder;
    const QByteArray read = "\n \n" + writePack(small()).replace("\"title\": ", "\"title\" :\n  ");
    Document document(small(), folder.filePath(u"p.json"_s), read);
    QVERIFY(document.save());
    QCOMPARE(bytesOf(document.file()), read);
    document.edit(u"x"_s, withAbout(small(), u"x"_s));
    QVERIFY(document.save());
    QVERIFY(!document.isModified());
    QCOMPARE(loadPack(document.file())->about, u"x"_s);
    QCOMPARE(bytesOf(document.file()), writePack(document.pack()));
    document.history().undo();
    QVERIFY(document.isModified());
    QVERIFY(document.save());
    QCOMPARE(bytesOf(document.file()), read);
}

/// A text that was typed is kept as it was typed, and undone with what it says.
void TestDocument::typedAsText()
{
    QTemporaryDir folder;
    const QByteArray read = writePack(small());
    Document document(small(), folder.filePath(u"p.json"_s), read);
    QSignalSpy changes(&document, &Document::changed), texts(&document, &Document::textChanged);
    const QByteArray spaced = "  " + read;
    document.editText(u"space"_s, spaced, small());
    QCOMPARE(changes.size(), 0); // it says the same
    QCOMPARE(texts.size(), 1);
    QVERIFY(document.isModified());
    QCOMPARE(document.text(), spaced);

    const quint32 number = document.pack().machines[0].identity.number;
    QVERIFY(number > 0);
    Pack said = small();
    QByteArray text = spaced;
    for (const QString &about : { u"a"_s, u"ab"_s, u"abc"_s }) {
        said.about = about;
        text = "   " + writePack(said);
        document.editText(u"type"_s, text, said, u"7"_s);
    }
    QCOMPARE(document.history().count(), 2);
    QCOMPARE(document.text(), text);
    QCOMPARE(document.pack().machines[0].identity.number, number);
    // What is changed elsewhere is written over it, and undone to what was typed.
    document.edit(u"elsewhere"_s, withAbout(document.pack(), u"x"_s), u"7"_s);
    QCOMPARE(document.history().count(), 3);
    QCOMPARE(parsedPack(document.text()).about, u"x"_s);
    document.history().undo();
    QCOMPARE(document.text(), text);
    document.history().undo();
    QCOMPARE(document.text(), spaced);
    QCOMPARE(document.pack(), small());
    document.history().undo();
    QCOMPARE(document.text(), read);
    QVERIFY(!document.isModified());
    document.history().redo();
    document.history().redo();
    QCOMPARE(document.text(), text);
    QVERIFY(document.save());
    QCOMPARE(bytesOf(document.file()), text);
    // Typed and taken back is nothing.
    document.endMerging();
    document.editText(u"type"_s, text + ' ', said, u"9"_s);
    document.editText(u"type"_s, text, said, u"9"_s);
    QCOMPARE(document.history().count(), 2);
    QVERIFY(!document.isModified());
}

void TestDocument::whatIsNotWrittenStaysModified()
{
    Document document(small());
    document.edit(u"x"_s, withAbout(small(), u"x"_s));
    QSignalSpy named(&document, &Document::fileChanged);
    QVERIFY(!document.save(u"/no/such/folder/p.json"_s));
    QVERIFY(document.isModified());
    QCOMPARE(document.file(), QString());
    QCOMPARE(named.size(), 0);
}

/// What is only drawn otherwise forgets nothing that has happened.
void TestDocument::movingKeepsThePast()
{
    const Pack pack = small();
    Document document(pack);
    Simulator simulator(rulesOf(pack), worldOf(rulesOf(pack), pack.sample));
    LiveRules live(document, simulator);
    simulator.submit({ .op = pack.operationNames().first(), .path = pack.sample.first().path });
    simulator.runUntilQuiet();
    const qsizetype moments = simulator.moment();
    QVERIFY(moments > 1);
    Machine machine = pack.machines.first();
    machine.states.last().position = QPointF(3, 4);
    machine.transitions.first().bend = 20;
    document.edit(u"move"_s, withMachine(pack, machine));
    QCOMPARE(simulator.lastMoment(), moments);
    QCOMPARE(simulator.rules().pack(), document.pack());
    simulator.jump(0);
    QCOMPARE(simulator.moment(), 0);
}

/// A state goes in which a resource is, and comes back: so does the resource.
void TestDocument::whatIsUndoneLeavesNoTrace()
{
    const Pack pack = small();
    Document document(pack);
    Simulator simulator(rulesOf(pack), worldOf(rulesOf(pack), pack.sample));
    LiveRules live(document, simulator);
    QSignalSpy replayed(&live, &LiveRules::replayed);
    const QString path = pack.sample.first().path;
    simulator.submit({ .op = pack.operationNames().first(), .path = path });
    simulator.runUntilQuiet();
    const auto shown = [&] { return shownTree(simulator.rules(), simulator.world()); };
    const QString tree = shown();
    const qsizetype moments = simulator.moment();
    const Machine &machine = pack.machines.first();
    const QString state =
        simulator.rules().shown(simulator.world().tree.code(simulator.world().tree.find(path)));
    document.edit(u"delete"_s, withMachine(pack, withoutStates(machine, { state }).machine));
    QVERIFY(shown() != tree);
    document.history().undo();
    QCOMPARE(simulator.rules().pack(), pack);
    QCOMPARE(shown(), tree);
    QCOMPARE(simulator.moment(), moments);
    // What is renamed keeps its resources, without a word.
    document.edit(u"rename"_s, renamed(pack, Name::State, state, u"Fine"_s, machine.id));
    QVERIFY(shown().startsWith(path + u" Fine\n"_s));
    QCOMPARE(simulator.moment(), moments);
    QVERIFY(replayed.isEmpty());
}

/// The newest edit counts, and what those before it called otherwise is known.
void TestDocument::largePacksAreCompiledBeside()
{
    const Pack pack = small();
    Document document(pack);
    Simulator simulator(rulesOf(pack), worldOf(rulesOf(pack), pack.sample));
    LiveRules live(document, simulator);
    live.setMostAtOnce(0);
    QSignalSpy replayed(&live, &LiveRules::replayed), changed(&simulator, &Simulator::rulesChanged);
    const Machine &machine = pack.machines.first();
    QString name = machine.rest;
    for (const QString &next : { u"Once"_s, u"Twice"_s, u"Thrice"_s }) {
        document.edit(u"rename"_s,
            renamed(document.pack(), Name::State, std::exchange(name, next), next, machine.id));
        QCOMPARE(simulator.rules().pack(), pack); // not at once
    }
    QVERIFY(live.isCompiling());
    QTRY_COMPARE(simulator.rules().pack(), document.pack());
    QVERIFY(!live.isCompiling());
    QCOMPARE(changed.size(), 1);
    QVERIFY(replayed.isEmpty());
    QVERIFY(shownTree(simulator.rules(), simulator.world()).contains(u"Thrice"_s));
    // What is undone before it was compiled was never there.
    document.edit(u"delete"_s,
        withMachine(
            document.pack(), withoutStates(document.pack().machines.first(), { name }).machine));
    document.history().undo();
    QTRY_VERIFY(!live.isCompiling());
    QCOMPARE(simulator.rules().pack(), document.pack());
    QVERIFY(replayed.isEmpty());
}

void TestDocument::arrowTexts_data()
{
    const Rows<QString, QString> add("text", "canonical");
    const auto row = [&](const char *name, const QString &text, const QString &canonical = {}) {
        add(name, text, canonical.isEmpty() ? text : canonical);
    };
    row("one", u"PUT"_s);
    row("several", u"PUT ,DELETE,, PUT"_s, u"PUT, DELETE"_s);
    row("a label", u"PUT [must be replaced]"_s);
    row("its contrary", u"PUT [not must be replaced]"_s);
    row("another spelling", u"PUT [!late]"_s, u"PUT [not late]"_s);
    row("two", u"go [a and not b]"_s);
    row("open brackets", u"go [a"_s, u"go [a]"_s);
    row("empty brackets", u"go []"_s, u"go"_s);
    row("facts", u"go [{\"parent\": [\"on\", \"off\"]}]"_s, u"go [parent is on or off]"_s);
    row("facts in words", u"go [parent is on or off and no children]"_s);
}

void TestDocument::arrowTexts()
{
    QFETCH(QString, text);
    QFETCH(QString, canonical);
    const ArrowText read = valueOf(readArrowText(text));
    QCOMPARE(arrowText(read).remove(u' '), canonical.remove(u' '));
    QCOMPARE(*readArrowText(arrowText(read)), read);
}

void TestDocument::conditionsOfAllPacks()
{
    int count = 0;
    for (const QString &id : knownPacks()) {
        for (const Machine &machine : packNamed(id).machines) {
            for (const Transition &row : machine.transitions) {
                const ArrowText arrow { row.on, row.condition };
                const Result<ArrowText> read = readArrowText(arrowText(arrow));
                QVERIFY2(read, qPrintable(arrowText(arrow)));
                QVERIFY2(*read == arrow, qPrintable(arrowText(arrow)));
                count += row.condition.kind != Condition::Kind::Always;
            }
        }
    }
    QVERIFY(count > 50);
}

void TestDocument::brokenConditionsAreTold()
{
    QVERIFY(!readArrowText(u"go [{\"parent\": 3}]"_s));
    QVERIFY(!readArrowText(u"go [{\"parent\"]"_s));
}

void TestDocument::whatIsCopiedIsPasted()
{
    for (const QString &id : builtInPacks()) {
        const Machine machine = packNamed(id).machines.first();
        const Fragment fragment = fragmentOf(machine, stateIds(machine));
        const Fragment again = valueOf(fragmentIn(fragmentText(fragment)));
        QCOMPARE(again, fragment);
    }
    for (const QString &text : { QString(), u"{}"_s, u"hello, world"_s, u"<html/>"_s,
             u"{\"a\": 1}"_s, u"digraph { a -> b }"_s })
        QVERIFY2(!fragmentIn(text), qPrintable(text));
}

void TestDocument::snapping()
{
    const QRectF other(100, 100, 50, 20);
    QCOMPARE(snapped({ 104, 200, 50, 20 }, { other }, 6).by, QPointF(-4, 0));
    QCOMPARE(snapped({ 107, 200, 50, 20 }, { other }, 6).by, QPointF());
    // The nearest speaks: here the middle to the right edge.
    QCOMPARE(snapped({ 137, 200, 30, 20 }, { other }, 6).by, QPointF(-2, 0));
    QCOMPARE(snapped({ 300, 103, 10, 10 }, { other }, 6).by, QPointF(0, 2));
    QVERIFY(
        snapped({ 104, 200, 50, 20 }, { other }, 6).guides.contains(QLineF(100, 100, 100, 220)));
    QCOMPARE(snapped({ 104, 200, 50, 20 }, {}, 6), Snap());
}

void TestDocument::aligning()
{
    const QMap<QString, QRectF> boxes { { u"a"_s, { 0, 0, 10, 10 } },
        { u"b"_s, { 30, 20, 20, 10 } }, { u"c"_s, { 100, 50, 10, 30 } } };
    QCOMPARE(aligned(boxes, Qt::Horizontal, 0)[u"b"_s], QPointF(10, 25));
    QCOMPARE(aligned(boxes, Qt::Vertical, 1)[u"a"_s], QPointF(5, 75));
    QCOMPARE(aligned(boxes, Qt::Vertical, 0.5)[u"a"_s], QPointF(5, 40));
    const QMap<QString, QPointF> across = distributed(boxes, Qt::Horizontal);
    QCOMPARE(across[u"a"_s], boxes[u"a"_s].center());
    QCOMPARE(across[u"c"_s], boxes[u"c"_s].center());
    QCOMPARE(across[u"b"_s].x(), 55.0); // 10 .. 45 .. 65 .. 100
}

const TestClass<TestDocument> registered;

#include "tst_document.moc"
