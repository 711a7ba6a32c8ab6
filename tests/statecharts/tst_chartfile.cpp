// SPDX-License-Identifier: Apache-2.0
#include "model/json/comparison.h"
#include "model/pack/edits.h"
#include "model/pack/identity.h"
#include "model/pack/names.h"
#include "model/statecharts/chartfile.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// Packs that were made from statecharts are written back as those.
class TestChartFile : public QObject
{
    Q_OBJECT

private slots:
    void untouched_data() { edited_data(); }
    void untouched();
    void edited_data();
    void edited();
    void linesInOtherWords();
    void aBeginningThatOthersShareIsNamed_data() { edited_data(); }
    void aBeginningThatOthersShareIsNamed();
    void namesGoWithWhatHasThem_data();
    void namesGoWithWhatHasThem();
    void placesStayOutWhereThereWereNone_data() { edited_data(); }
    void placesStayOutWhereThereWereNone();
    void movedStatesStay_data();
    void movedStatesStay();
    void aByteOrderMarkStays_data() { edited_data(); }
    void aByteOrderMarkStays();
    void writtenAnewIsSaid();
    void unreadableIsNeverWritten();
    void whatCannotBeHeldIsSaid();
    void regionsAndHistoriesStay();
    void oneMachineAFile();
    void withoutAReaderNothingIsSaved();
};

namespace {

const QByteArray plantUml = R"(@startuml
' The front door, and who wrote it
[*]  -->  Open

Open  --> Closed : close
Closed -->   Open : open

' here it ends
@enduml
)";
const QByteArray mermaid = R"(stateDiagram-v2
    %% The front door
    [*]  --> Open
    Open -->  Closed : close

    Closed --> Open : open
)";

const QByteArray scxml = R"(<?xml version="1.0" encoding="UTF-8"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="Open">
  <!-- The front door -->
  <state id='Open'>
     <transition event="close"   target="Closed"/>
  </state>

  <state id="Closed">
    <transition event="open" target="Open"/>
  </state>
</scxml>
)";
/// Returns a pack whose rows have numbers, as in a document.
Pack packOfText(const QByteArray &text, const QString &file)
{
    Pack pack = valueOf(packFromText(text, file));
    quint32 last = 0;
    identify(&pack, &last);
    return pack;
}

} // namespace

void TestChartFile::movedStatesStay_data()
{
    const Rows<QString, QByteArray> row("file", "text");
    row("PlantUML", u"door.puml"_s, plantUml);
    row("PlantUML from elsewhere", u"door.puml"_s, QByteArray(plantUml).replace("\n", "\r\n"));
    row("Mermaid", u"door.mmd"_s, mermaid);
}

void TestChartFile::edited_data()
{
    movedStatesStay_data();
    QTest::newRow("SCXML") << u"door.scxml"_s << scxml;
}

void TestChartFile::untouched()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    QVERIFY(hasChartSuffix(file));
    const Pack pack = packOfText(text, file);
    const FileText same = fileText(text, pack, pack, file);
    QCOMPARE(same.text, text);
    QCOMPARE(same.losses, QStringList());
}

void TestChartFile::edited()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    const Pack was = packOfText(text, file);
    const QString machine = was.machines.first().id;

    const Pack other = renamed(was, Name::State, u"Closed"_s, u"Shut"_s, machine);
    const FileText name = fileText(text, was, other, file);
    QCOMPARE(name.losses.join(u"; "_s), QString());
    QCOMPARE(packOfText(name.text, file).machines, other.machines);
    QCOMPARE(name.text, QByteArray(text).replace("Closed", "Shut"));

    Machine more = was.machines.first();
    more.states += State { .id = u"Locked"_s };
    more = withTransition(
        more, Transition { .from = { u"Closed"_s }, .on = { u"lock"_s }, .to = { u"Locked"_s } });
    const FileText added = fileText(text, was, withMachine(was, more), file);
    QCOMPARE(added.losses.join(u"; "_s), QString());
    const auto linesOf = [](const QByteArray &all) { // commas are between what is listed
        return QByteArray(all).replace(",\n", "\n").split('\n');
    };
    QByteArrayList lines = linesOf(added.text);
    for (const QByteArray &line : linesOf(text))
        QVERIFY2(lines.removeOne(line), QByteArray(line + "\nin\n" + added.text).constData());
    QVERIFY2(lines.size() <= 2, added.text.constData()); // the arrow, and the state before it
    QVERIFY2(lines.join().contains("lock"), added.text.constData());

    const Machine less = withoutStates(was.machines.first(), { u"Closed"_s }).machine;
    const FileText removed = fileText(text, was, withMachine(was, less), file);
    QVERIFY2(!removed.text.contains("Closed"), removed.text.constData());
    QVERIFY2(removed.text.contains("The front door"), removed.text.constData());
}

/// A line that says in its own way what changes must not stay beside what it says now.
void TestChartFile::linesInOtherWords()
{
    const QString file = u"door.puml"_s;
    const QByteArray text = QByteArray(plantUml).replace("Open  --> Closed", "Open -down-> Closed");
    const Pack was = packOfText(text, file);
    const auto changed = [&](const Pack &now) { return fileText(text, was, now, file); };
    const FileText other = changed(renamed(was, Name::Operation, u"close"_s, u"shut"_s));
    QCOMPARE(other.losses.join(u"; "_s), QString());
    QVERIFY2(!other.text.contains("close"), other.text.constData());
    QVERIFY2(other.text.contains(": shut"), other.text.constData());
    const FileText elsewhere = changed(renamed(was, Name::Operation, u"open"_s, u"unlock"_s));
    QCOMPARE(elsewhere.losses, QStringList());
    QCOMPARE(elsewhere.text, QByteArray(text).replace(": open", ": unlock"));
    QCOMPARE(packOfText(other.text, file).machines,
        renamed(was, Name::Operation, u"close"_s, u"shut"_s).machines);
}

void TestChartFile::aBeginningThatOthersShareIsNamed()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    const Pack was = packOfText(text, file);
    Machine shared = was.machines.first();
    const QString initial = shared.initial();
    const auto row = std::ranges::find_if(
        shared.transitions, [&](const Transition &each) { return each.from.contains(initial); });
    QVERIFY(row != shared.transitions.end());
    row->from += u"Closed"_s; // what is closed can be made anew, too
    const QString on = row->on.first(), to = row->to.first();
    const FileText written = fileText(text, was, withMachine(was, shared), file);
    const Machine read = packOfText(written.text, file).machines.first();
    const bool isHeld =
        std::ranges::all_of(QStringList { read.initial(), u"Closed"_s }, [&](const QString &from) {
            return std::ranges::any_of(read.transitions, [&](const Transition &each) {
                return each.from.contains(from) && each.on.contains(on) && each.to.contains(to);
            });
        });
    QVERIFY2(isHeld || !written.losses.isEmpty(), written.text.constData());
    if (text.contains("[*]"))
        QVERIFY2(written.text.contains("[*] --> Open : create"), written.text.constData());
}

void TestChartFile::namesGoWithWhatHasThem_data()
{
    const Rows<QString, QByteArray> row("file", "text");
    row("a note of PlantUML", u"x.puml"_s,
        "@startuml\n[*] --> Draft\nnote right of Review : look twice\n"
        "Draft -down-> Review : submit\n@enduml\n");
    row("a block of Mermaid", u"x.mmd"_s,
        "stateDiagram-v2\n  [*] --> Draft\n  Draft --> Review : submit\n"
        "  note right of Review\n    look twice\n  end note\n");
    row("names within others", u"x.puml"_s,
        "@startuml\n[*] --> Review2\nReview2 --> Review : submit\n"
        "Review --> PreReview : back\n@enduml\n");
    row("one line of SCXML", u"x.scxml"_s,
        "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>"
        "<state id='Draft'><transition event='submit' target='Review'/></state>"
        "<state id='Review'/></scxml>");
}

void TestChartFile::namesGoWithWhatHasThem()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    const Pack was = packOfText(text, file);
    const Pack now = renamed(was, Name::State, u"Review"_s, u"Reading"_s, was.machines.first().id);
    const FileText written = fileText(text, was, now, file);
    QCOMPARE(written.losses.join(u"; "_s), QString());
    QByteArray wanted = text;
    wanted.replace("Review2", "2").replace("PreReview", "Pre");
    wanted.replace("Review", "Reading").replace("Pre ", "PreReview ");
    wanted.replace(" 2", " Review2").replace("\n2", "\nReview2");
    QCOMPARE(written.text, wanted);
}

void TestChartFile::placesStayOutWhereThereWereNone()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    const Pack was = packOfText(text, file);
    Machine more = was.machines.first();
    more.states += State { .id = u"Ajar"_s };
    QMap<QString, QPointF> places;
    for (const State &state : std::as_const(more.states))
        places.insert(state.id, QPointF(100, 40 + 60 * double(places.size())));
    const FileText plain = fileText(text, was, withMachine(was, more), file);
    QVERIFY(plain.text.contains("Ajar"));
    QCOMPARE(fileText(text, was, withMachine(was, placed(more, places)), file).text, plain.text);
}

/// A state was moved: it lies there when the file is opened again, in a text that other tools read
/// as they did, and the rest of the text stays.
void TestChartFile::movedStatesStay()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    Pack was = packOfText(text, file);
    QByteArray saved = text;
    for (const QPointF &by : { QPointF(), QPointF(7, -3) }) {
        QMap<QString, QPointF> places;
        for (const State &state : std::as_const(was.machines.first().states))
            places.insert(state.id, QPointF(100, 40 + 60 * double(places.size())) + by);
        const Pack now = withMachine(was, placed(was.machines.first(), places));
        const FileText made = fileText(saved, was, now, file, Positions::Chosen);
        QCOMPARE(made.losses.join(u"; "_s), QString());
        const Pack read = packOfText(made.text, file);
        for (const State &state : read.machines.first().states)
            QCOMPARE(state.position, std::optional(places.value(state.id)));
        for (const QByteArray &line : text.split('\n'))
            QVERIFY2(made.text.contains(line), made.text.constData());
        QCOMPARE(made.text.count('\n'), text.count('\n') + places.size());
        // Another edit keeps them.
        const Pack other =
            renamed(now, Name::State, u"Closed"_s, u"Shut"_s, now.machines.first().id);
        const FileText again = fileText(made.text, now, other, file);
        QCOMPARE(again.losses.join(u"; "_s), QString());
        QCOMPARE(packOfText(again.text, file).machines.first().state(u"Shut"_s)->position,
            std::optional(places.value(u"Closed"_s)));
        was = now;
        saved = made.text;
    }
}

void TestChartFile::aByteOrderMarkStays()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    const QByteArray marked = "\xef\xbb\xbf" + text;
    const Pack was = packOfText(marked, file);
    const Pack now = renamed(was, Name::State, u"Closed"_s, u"Shut"_s, was.machines.first().id);
    const FileText made = fileText(marked, was, now, file);
    QCOMPARE(made.losses, QStringList());
    QCOMPARE(made.text, QByteArray(marked).replace("Closed", "Shut"));
}

void TestChartFile::writtenAnewIsSaid()
{
    const QString file = u"x.scxml"_s;
    const QByteArray text = "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>"
                            "<!-- mine --><state id='Draft'/></scxml>";
    const Pack was = packOfText(text, file);
    Machine more = was.machines.first();
    more.states += State { .id = u"Done"_s };
    more = withTransition(
        more, Transition { .from = { u"Draft"_s }, .on = { u"end"_s }, .to = { u"Done"_s } });
    const FileText written = fileText(text, was, withMachine(was, more), file);
    QCOMPARE(packOfText(written.text, file).machines.first().states.size(), more.states.size());
    const bool isThere = written.text.contains("<!-- mine -->");
    QVERIFY2(isThere || written.losses.join(u' ').contains(u"comments and layout"),
        written.text.constData());
}

/// Random edits of every notation: what is written is read as it was meant, but for what is said.
void TestChartFile::unreadableIsNeverWritten()
{
    const QList<std::pair<QString, QByteArray>> texts { { u"d.puml"_s, plantUml },
        { u"d.mmd"_s, mermaid }, { u"d.scxml"_s, scxml } };
    QVERIFY(holdsFor(100, 100, [&] {
        const auto [file, text] = texts[*rc::gen::inRange<qsizetype>(0, texts.size())];
        const Pack was = packOfText(text, file);
        Pack now = was;
        for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
            Machine machine = now.machines.first();
            const auto anyState = [&] {
                return machine.states[*rc::gen::inRange<qsizetype>(0, machine.states.size())];
            };
            const State state = anyState();
            const QString fresh = u"s%1"_s.arg(*rc::gen::inRange(0, 1000));
            const QString text2 = *rc::gen::element(u"two \"words\""_s, u"<b> & 'c'"_s, u"x"_s);
            switch (*rc::gen::inRange(0, 6)) {
            case 0:
                if (state.kind != State::Kind::Initial && !machine.state(fresh))
                    now = renamed(now, Name::State, state.id, fresh, machine.id);
                continue;
            case 1:
                if (!machine.state(fresh))
                    machine.states += State { .id = fresh };
                break;
            case 2:
                machine = withTransition(machine,
                    Transition {
                        .from = { state.id }, .on = { u"go"_s }, .to = { anyState().id } });
                break;
            case 3:
                if (machine.states.size() > 3 && state.kind != State::Kind::Initial)
                    machine = withoutStates(machine, { state.id }).machine;
                break;
            case 4:
                for (State &each : machine.states) {
                    if (each.id == state.id)
                        each.about = text2;
                }
                break;
            default:
                machine = placed(machine, { { state.id, QPointF(*rc::gen::inRange(0, 900), 40) } });
            }
            now = withMachine(now, machine);
        }
        const FileText written = fileText(text, was, now, file);
        if (!written.isWritten)
            return;
        const Result<Pack> read = packFromText(written.text, file);
        if (!read)
            RC_FAIL((read.error() + u'\n' + QString::fromUtf8(written.text)).toStdString());
        if (written.losses.isEmpty()) {
            for (const Difference &each : difference(now, *read))
                RC_ASSERT(each.kind == Difference::Kind::Added);
        }
    }));
}

void TestChartFile::whatCannotBeHeldIsSaid()
{
    const QString file = u"door.puml"_s;
    const Pack was = packOfText(plantUml, file);
    Pack now = was;
    now.conflicts += Conflict { .on = { u"close"_s }, .running = { u"open"_s } };
    const FileText text = fileText(plantUml, was, now, file);
    QVERIFY2(!text.losses.isEmpty(), text.text.constData());
    QVERIFY2(text.losses.join(u' ').contains(u"conflict"), qPrintable(text.losses.join(u'\n')));
    QCOMPARE(text.text, plantUml);

    // The key of the lost style becomes a word; a state with the name of this key keeps its name.
    const QByteArray red = QByteArray(plantUml).replace("Open  -->", "Open -[#red]->");
    now = renamed(
        packOfText(red, file), Name::State, u"Closed"_s, u"x-look"_s, was.machines.first().id);
    const QString losses = fileText({}, now, now, u"door.mmd"_s).losses.join(u'\n');
    QVERIFY2(
        losses.contains(u"colours"_s) && losses.contains(u"states/x-look"_s), qPrintable(losses));
}

void TestChartFile::regionsAndHistoriesStay()
{
    const QByteArray before = "@startuml\n' how it was drawn\n[*] --> A\nstate A {\n  [*] --> B\n"
                              "  B --> C : x [dry] / drip\n  --\n  [*] --> D\n  D --> E : y\n}\n"
                              "A --> F : out\nF --> A[H*] : back\n@enduml\n";
    const QString file = u"both.puml"_s;
    const Pack was = packOfText(before, file);
    Pack now = was;
    Machine &machine = now.machines.first();
    QVERIFY(machine.isStatechart());
    QVERIFY(!machine.state(u"C"_s)->parent.isEmpty());
    now = renamed(now, Name::State, u"C"_s, u"Wet"_s, machine.id);
    FileText text = fileText(before, was, now, file);
    QCOMPARE(text.losses, QStringList());
    QCOMPARE(text.text, QByteArray(before).replace("C : x", "Wet : x"));

    now.machines.first().transitions.removeLast(); // and with it the history
    now.machines.first().states.removeIf(
        [](const State &state) { return vertexKind(state) == Vertex::Kind::DeepHistory; });
    text = fileText(before, was, now, file);
    QCOMPARE(text.losses, QStringList());
    QVERIFY2(!text.text.contains("[H*]") && text.text.contains("--\n"), text.text.constData());

    const FileText asPack = fileText({}, was, was, u"both.pack.json"_s);
    QVERIFY(!asPack.isWritten);
    QVERIFY2(asPack.losses.value(0).contains(u"the history of \"A\""_s),
        qPrintable(asPack.losses.value(0)));
}

void TestChartFile::oneMachineAFile()
{
    Pack pack = packOfText(plantUml, u"door.puml"_s);
    pack.machines += pack.machines.first();
    pack.machines.last().id = u"gate"_s;
    for (const QString &file : { u"x.mmd"_s, u"x.mermaid"_s, u"x.scxml"_s }) {
        const FileText text = fileText({}, pack, pack, file);
        QVERIFY2(!text.isWritten, text.text.constData());
        QVERIFY2(text.losses.value(0).contains(u"contains only one machine, but this pack has 2"),
            qPrintable(text.losses.value(0)));
    }
    for (const QString &file : { u"x.md"_s, u"x.puml"_s })
        QVERIFY2(fileText({}, pack, pack, file).isWritten, qPrintable(file));
}

void TestChartFile::withoutAReaderNothingIsSaved()
{
    const QString file = u"door.dot"_s;
    const QString why =
        u"DOT can be written, but not read; use PlantUML, SCXML or Mermaid (.puml, .scxml, .mmd)"_s;
    const Pack pack = packOfText(plantUml, u"door.puml"_s);
    const FileText text = fileText({}, pack, pack, file);
    QVERIFY(!text.isWritten);
    QCOMPARE(text.losses, QStringList { why });
    QCOMPARE(errorIn(loadMachines(file)), file + u": "_s + why);
}

const instar::TestClass<TestChartFile> registered;
#include "tst_chartfile.moc"
