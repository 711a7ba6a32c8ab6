// SPDX-License-Identifier: Apache-2.0
// Runs as sequence diagrams, as text and as PlantUML and Mermaid themselves read them.

#include "model/json/sequence.h"
#include "model/statecharts/scenariopack.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestSequence : public QObject
{
    Q_OBJECT

private slots:
    void siblings_data();
    void siblings();
    void canceled();
    void required();
    void balanced_data();
    void balanced();
    void asPlantUmlReadsIt();

private:
    static Timeline timelineOfLesson(const QString &name)
    {
        const Result<StagedLesson> staged = stagedLesson(u":/instar/lessons/"_s + name);
        if (!staged)
            qFatal("%s", qPrintable(staged.error()));
        Simulator simulator(staged->stage.rules, staged->stage.world);
        play(scenarioOf(staged->lesson), simulator);
        return instar::timelineOf(simulator);
    }
    static QStringList lessons()
    {
        QStringList names;
        const QDir root(u":/instar/lessons"_s);
        for (const QString &pack : root.entryList(QDir::Dirs)) {
            for (const QString &name : QDir(root.filePath(pack)).entryList({ u"*.md"_s }))
                names += pack + u'/' + name;
        }
        return names;
    }
};

void TestSequence::siblings_data()
{
    QTest::addColumn<int>("notation");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("plantuml") << int(SequenceNotation::PlantUml) << QByteArray(R"(@startuml
title Siblings ‹1›
hide footbox
actor "A" as c1
actor "B" as c2
participant "/logicalNetworks/net" as t1
== 0 ms ==
c1 -> t1 : PUT net/blue (a)
activate t1
== 1000 ms ==
c2 -> t1 : PUT net/green (b)
t1 --> c2 : b Rejected 409 AnotherOperationInProgress
== 5000 ms ==
t1 --> c1 : a Succeeded
deactivate t1
== 6000 ms ==
c2 -> t1 : PUT net/green (c)
activate t1
== 7000 ms ==
t1 --> c2 : c Succeeded
deactivate t1
@enduml
)");
    QTest::newRow("mermaid") << int(SequenceNotation::Mermaid) << QByteArray(R"(sequenceDiagram
    title Siblings ‹1›
    actor c1 as A
    actor c2 as B
    participant t1 as /logicalNetworks/net
    Note over c1,t1: 0 ms
    c1->>t1: PUT net/blue (a)
    activate t1
    Note over c1,t1: 1000 ms
    c2->>t1: PUT net/green (b)
    t1-->>c2: b Rejected 409 AnotherOperationInProgress
    Note over c1,t1: 5000 ms
    t1-->>c1: a Succeeded
    deactivate t1
    Note over c1,t1: 6000 ms
    c2->>t1: PUT net/green (c)
    activate t1
    Note over c1,t1: 7000 ms
    t1-->>c2: c Succeeded
    deactivate t1
)");
}

void TestSequence::siblings()
{
    QFETCH(int, notation);
    QFETCH(QByteArray, expected);
    const QByteArray text =
        sequenceDiagram(timelineOfLesson(u"network-controller/10-siblings.md"_s), u"Siblings <1>"_s,
            SequenceNotation(notation));
    QCOMPARE(QString::fromUtf8(text), QString::fromUtf8(expected));
}

/// An operation that ends because of another one says of which, at the moment at which that begins.
void TestSequence::canceled()
{
    const QByteArray text =
        sequenceDiagram(timelineOfLesson(u"network-controller/06-the-newer-put-wins.md"_s), {},
            SequenceNotation::PlantUml);
    const qsizetype asked = text.indexOf("c2 -> t1 : PUT net (b)");
    const qsizetype ended = text.indexOf("t1 -->x c1 : a Canceled by b");
    QVERIFY(asked > 0 && ended > asked);
    QCOMPARE(text.lastIndexOf("== ", asked), text.lastIndexOf("== ", ended));
}

/// What an operation requires of another tree is asked for by its own, not by the client.
void TestSequence::required()
{
    const Result<StagedLesson> staged =
        stagedLesson(u":/instar/lessons/network-controller/10-siblings.md"_s);
    QVERIFY(staged);
    Timeline timeline(staged->stage.world);
    Record record;
    const auto start = [&](quint32 serial, const QString &id, const QString &path, quint32 by) {
        auto request = QSharedPointer<Request>::create();
        request->op = u"PUT"_s;
        request->path = path;
        request->id = id;
        request->client = u"A"_s;
        Change change;
        change.kind = Change::Kind::Started;
        change.operation = serial;
        change.request = request;
        change.path = path;
        change.requirer = by;
        record.changes.push_back(change);
    };
    start(1, u"a"_s, u"/logicalNetworks/net"_s, 0);
    start(2, u"b"_s, u"/gateways/g"_s, 1);
    timeline.add(staged->stage.rules, record);
    const QByteArray text = sequenceDiagram(timeline, {}, SequenceNotation::PlantUml);
    QVERIFY2(text.contains("\nc1 -> t1 : PUT net (a)\n"), text.constData());
    QVERIFY2(text.contains("\nt1 -> t2 : PUT g (b)\n"), text.constData());
}

void TestSequence::balanced_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : lessons())
        QTest::newRow(qPrintable(name)) << name;
}

/// Nobody is deactivated who is not active, and times never go back.
void TestSequence::balanced()
{
    QFETCH(QString, name);
    const QString text = QString::fromUtf8(
        sequenceDiagram(timelineOfLesson(name), name, SequenceNotation::PlantUml));
    QMap<QString, int> active;
    qint64 time = 0;
    for (const QString &line : text.split(u'\n')) {
        if (line.startsWith(u"activate "))
            ++active[line.section(u' ', 1)];
        if (line.startsWith(u"deactivate "))
            QVERIFY2(--active[line.section(u' ', 1)] >= 0, qPrintable(line));
        if (line.startsWith(u"== ")) {
            const qint64 now = line.section(u' ', 1, 1).toLongLong();
            QVERIFY2(now >= time, qPrintable(line));
            time = now;
        }
    }
}

void TestSequence::asPlantUmlReadsIt()
{
    const QString program = QStandardPaths::findExecutable(u"plantuml"_s);
    if (program.isEmpty())
        QSKIP("plantuml is not installed");
    for (const QString &name : { u"network-controller/06-the-newer-put-wins.md"_s,
             u"blazar/01-the-life-of-a-lease.md"_s, u"pulumi/12-a-step-fails.md"_s }) {
        QProcess process;
        process.start(program, { u"-headless"_s, u"-pipe"_s, u"-syntax"_s });
        process.write(sequenceDiagram(timelineOfLesson(name), name, SequenceNotation::PlantUml));
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(120'000));
        const QByteArray said = process.readAllStandardOutput();
        QVERIFY2(said.startsWith("SEQUENCE"), said.constData());
    }
}

const TestClass<TestSequence> registered;

#include "tst_sequence.moc"
