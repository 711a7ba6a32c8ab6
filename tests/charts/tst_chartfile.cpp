// SPDX-License-Identifier: Apache-2.0
#include "model/charts/chartfile.h"
#include "model/machine/edits.h"
#include "model/machine/names.h"
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
    void whatCannotBeHeldIsSaid();
    void regionsAndHistoriesArePacks();
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

Pack packOfText(const QByteArray &text, const QString &file)
{
    const Result<Pack> pack = packFromText(text, file);
    if (!pack)
        qFatal("%s", qPrintable(pack.error()));
    return *pack;
}

} // namespace

void TestChartFile::edited_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("PlantUML") << u"door.puml"_s << plantUml;
    QTest::newRow("PlantUML from elsewhere")
        << u"door.puml"_s << QByteArray(plantUml).replace("\n", "\r\n");
    QTest::newRow("Mermaid") << u"door.mmd"_s << mermaid;
}

void TestChartFile::untouched()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    QVERIFY(isChartFile(file));
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
    QVERIFY2(name.losses.isEmpty(), name.text.constData());
    QCOMPARE(packOfText(name.text, file).machines, other.machines);
    QVERIFY2(name.text.contains("The front door"), name.text.constData());
    QVERIFY2(name.text.contains("[*]  --> "), name.text.constData());

    Machine more = was.machines.first();
    more.states += State { .id = u"Locked"_s };
    more = withTransition(
        more, Transition { .from = { u"Closed"_s }, .on = { u"lock"_s }, .to = { u"Locked"_s } });
    const FileText added = fileText(text, was, withMachine(was, more), file);
    QCOMPARE(added.losses.join(u"; "_s), QString());
    // Each line of before is there still, comments and blanks, too.
    QByteArrayList lines = added.text.split('\n');
    for (const QByteArray &line : text.split('\n'))
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
    // What changes elsewhere leaves it alone.
    const FileText elsewhere = changed(renamed(was, Name::Operation, u"open"_s, u"unlock"_s));
    QCOMPARE(elsewhere.losses, QStringList());
    QCOMPARE(elsewhere.text, QByteArray(text).replace("-->   Open : open", "--> Open : unlock"));
    QCOMPARE(packOfText(other.text, file).machines,
        renamed(was, Name::Operation, u"close"_s, u"shut"_s).machines);
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
}

void TestChartFile::regionsAndHistoriesArePacks()
{
    const auto why = [](const QByteArray &text) {
        return whyAsPack(*readMachines(text, u"x.puml"_s, u"plantuml"_s));
    };
    QCOMPARE(why(plantUml), QString());
    QVERIFY(why("@startuml\n[*] --> A\nstate A {\n[*] --> B\n--\n[*] --> C\n}\n@enduml\n")
                .contains(u"regions"));
    QVERIFY(why("@startuml\n[*] --> A\nstate A {\n[*] --> B\nB --> D : x\n}\nA --> E : y\nE --> "
                "A[H] : z\n@enduml\n")
                .contains(u"histories"));
}

const instar::TestClass<TestChartFile> registered;
#include "tst_chartfile.moc"
