// SPDX-License-Identifier: Apache-2.0
// `instar-cli diff` as a process: two packs in, what they mean differently out, and a scenario that
// shows it.

#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/names.h"
#include "tests/cli/served.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestDiff : public QObject, private FolderUnderTest
{
    Q_OBJECT

private slots:
    void same();
    void shown_data();
    void shown();
    void statecharts();
    void renamedAlone();
    void rowsThatOthersName();
    void packsThatCannotRun();
};

/// Also as a file, and under the usual or the same value of a switch.
void TestDiff::same()
{
    const QString copy = written(u"a.json"_s, loadPackDocument(u"blazar"_s)->bytes());
    for (const QString &options :
        { u""_s, u"--format json"_s, u"--switch-a relationships=document"_s,
            u"--switch-a relationships=code --switch-b relationships=code"_s }) {
        const Ended ended = ranAlone(
            QStringList { u"diff"_s, u"blazar"_s, copy } + options.split(u' ', Qt::SkipEmptyParts));
        QCOMPARE(ended.exit, 0);
        QCOMPARE(ended.err, QString());
        if (options.contains(u"json"_s))
            QCOMPARE(QJsonDocument::fromJson(ended.out.toUtf8()).object(),
                (QJsonObject { { u"same"_s, true }, { u"changes"_s, QJsonArray() },
                    { u"scenario"_s, QJsonValue() } }));
        else
            QCOMPARE(ended.out, QString());
    }
}

void TestDiff::shown_data()
{
    QTest::addColumn<QStringList>("packs");
    QTest::addColumn<QString>("value"); // of B's switch "relationships"
    QTest::newRow("network controllers")
        << QStringList { u"network-controller"_s, u"network-controller-sync"_s } << QString();
    QTest::newRow("document and code") << QStringList { u"blazar"_s, u"blazar"_s } << u"code"_s;
    QTest::newRow("code and document") << QStringList { u"blazar"_s, u"blazar"_s } << u"document"_s;
}

/// The scenario comes true on A, and not on B.
void TestDiff::shown()
{
    QFETCH(QStringList, packs);
    QFETCH(QString, value);
    QStringList arguments = QStringList { u"diff"_s } + packs;
    if (!value.isEmpty())
        arguments += { u"--switch-b"_s, u"relationships="_s + value, u"--switch-a"_s,
            u"relationships="_s + (value == u"code" ? u"document"_s : u"code"_s) };
    const Ended text = ranAlone(arguments);
    QCOMPARE(text.exit, 1);
    QCOMPARE(text.err, QString());
    QVERIFY2(
        text.out.contains(u"a shortest scenario that shows a difference:"_s), qPrintable(text.out));

    const Ended ended = ranAlone(arguments + QStringList { u"--format"_s, u"json"_s });
    QCOMPARE(ended.exit, 1);
    const QJsonObject answer = QJsonDocument::fromJson(ended.out.toUtf8()).object();
    QCOMPARE(answer[u"same"], QJsonValue(false));
    QVERIFY(!answer[u"changes"].toArray().isEmpty());
    for (const QJsonValue change : answer[u"changes"].toArray()) {
        for (const char *key : { "kind", "row", "where", "from", "to" })
            QVERIFY2(change.toObject().contains(QLatin1StringView(key)), key);
    }
    QJsonObject scenario = answer[u"scenario"].toObject();
    const auto run = [&](const QString &name) {
        const QString file = written(name, QJsonDocument(scenario).toJson());
        return ranAlone({ u"run"_s, file }).exit;
    };
    QCOMPARE(run(u"a.scenario.json"_s), 0);
    scenario.insert(u"pack"_s, packs[1]);
    if (!value.isEmpty())
        scenario.insert(u"switches"_s, QJsonObject { { u"relationships"_s, value } });
    QCOMPARE(run(u"b.scenario.json"_s), 1);
}

void TestDiff::statecharts()
{
    const QString a = written(
        u"a.puml"_s, "@startuml\n[*] --> Off\nOff --> On : push\nOn --> Off : push\n@enduml\n");
    const QString b = written(
        u"b.puml"_s, "@startuml\n[*] --> Off\nOff --> Lit : push\nLit --> Off : push\n@enduml\n");
    const Ended ended = ranAlone({ u"diff"_s, a, b });
    QCOMPARE(ended.exit, 1);
    QVERIFY2(ended.out.contains(u"/On -> Lit"_s), qPrintable(ended.out));
    // Colours and directions change no behaviour.
    const QString coloured = written(u"c.puml"_s,
        "@startuml\nleft to right direction\nstate On #red\n[*] --> Off\nOff -down-> On : push\n"
        "On --> Off : push\n@enduml\n");
    const QString changes = ranAlone({ u"diff"_s, a, coloured }).out;
    QVERIFY2(changes.contains(u"a -> c"_s), qPrintable(changes));
    QVERIFY2(!changes.contains(u"x-"_s) && !changes.contains(u"red"_s), qPrintable(changes));
}

void TestDiff::renamedAlone()
{
    const Pack pack = *loadPack(u"network-controller"_s);
    const QString b = written(u"b.json"_s,
        writePack(
            renamed(pack, Name::State, u"Updating"_s, u"Changing"_s, pack.machines.first().id)));
    const Ended ended =
        ranAlone({ u"diff"_s, u"network-controller"_s, b, u"--format"_s, u"json"_s });
    QCOMPARE(ended.exit, 1);
    const QJsonObject answer = QJsonDocument::fromJson(ended.out.toUtf8()).object();
    QCOMPARE(answer[u"changes"].toArray().size(), 1);
    QCOMPARE(answer[u"changes"][0][u"kind"], QJsonValue(u"renamed"_s));
    QCOMPARE(
        answer[u"changes"][0][u"from"], QJsonValue(QJsonObject { { u"id"_s, u"Updating"_s } }));
    QVERIFY(answer.contains(u"scenario"_s) && answer[u"scenario"].isNull());
    QCOMPARE(answer[u"searched"],
        QJsonValue(QJsonObject { { u"worlds"_s, 0 }, { u"depth"_s, 0 }, { u"complete"_s, true } }));
    const Ended text = ranAlone({ u"diff"_s, u"network-controller"_s, b });
    QCOMPARE(text.exit, 1);
    QCOMPARE(text.out,
        u"renamed state machines/%1/states/Updating -> Changing\n\n"
        "the behaviour is the same: the rules differ only in names, texts, drawing, HTTP and samples\n"_s
            .arg(pack.machines.first().id));
}

/// Rows that do not exist under a switch may be named by others that do.
void TestDiff::rowsThatOthersName()
{
    const Ended ended = ranAlone({ u"diff"_s, u"pulumi"_s, u"pulumi"_s, u"--switch-a"_s,
        u"scope=resource"_s, u"--switch-b"_s, u"scope=deployment"_s, u"--max-worlds"_s, u"500"_s });
    QCOMPARE(ended.exit, 1);
    QVERIFY2(!ended.out.contains(u"was not compared"_s), qPrintable(ended.out));
}

/// What cannot be played can be compared.
void TestDiff::packsThatCannotRun()
{
    const QByteArray lamp = R"({"id": "lamp", "types": {"lamps": {"machine": "lamp"}},
 "machines": {"lamp": {"rest": "on", "states": {"none": {"kind": "initial"}, "on": {}},
 "transitions": [{"from": "none", "on": "push", "to": "on"}]}}})";
    const QString a = written(u"a.json"_s, lamp);
    const QString b =
        written(u"b.json"_s, QByteArray(lamp).replace("\"to\": \"on\"", "\"to\": \"off\""));
    const Ended ended = ranAlone({ u"diff"_s, a, b });
    QCOMPARE(ended.exit, 1);
    QVERIFY2(ended.out.contains(u"the behaviour was not compared:"_s), qPrintable(ended.out));
}

const instar::TestClass<TestDiff> registered;
#include "tst_diff.moc"
