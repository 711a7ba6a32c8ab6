// SPDX-License-Identifier: Apache-2.0
// `instar-cli render` as a process: files in, pictures out.
#include "tests/support/testclass.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;

namespace {

struct Run
{
    int exit = -1;
    QByteArray output, errors;
};

/// Without the platform that the tests run on: it must find its own.
Run rendered(const QStringList &arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : { "QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR" })
        environment.remove(QString::fromLatin1(name));
    process.setProcessEnvironment(environment);
    process.start(qEnvironmentVariable("INSTAR_CLI"), QStringList { u"render"_s } + arguments);
    Run run;
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return run;
    run.exit = process.exitCode();
    run.output = process.readAllStandardOutput();
    run.errors = process.readAllStandardError();
    return run;
}

QByteArray contents(const QString &file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

QString sample()
{
    return QStringLiteral(INSTAR_SOURCE_DIR) + u"/tests/data/drawing/lifecycle.puml"_s;
}

} // namespace

class TestRender : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void pictures_data() const;
    void pictures();
    void sameAgain();
    void standardOutput();
    void packs();
    void oneMachine();
    void themes();
    void scoreOfARun();
    void tooLarge();
    void everySample();
    void mistakes_data() const;
    void mistakes();
    void keepsWhatWasThere();

private:
    QTemporaryDir m_folder;
    QString out(const QString &name) const { return m_folder.filePath(name); }
};

void TestRender::initTestCase()
{
    QVERIFY2(!qEnvironmentVariableIsEmpty("INSTAR_CLI"), "run by ctest");
    QVERIFY(m_folder.isValid());
}

void TestRender::pictures_data() const
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("svg") << u"a.svg"_s << QByteArray("<?xml");
    QTest::newRow("png") << u"a.png"_s << QByteArray("\x89PNG");
    QTest::newRow("pdf") << u"a.PDF"_s << QByteArray("%PDF-");
}

void TestRender::pictures()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, begin);
    const Run run = rendered({ sample(), out(name) });
    QCOMPARE(run.errors, QByteArray());
    QCOMPARE(run.output, QByteArray());
    QCOMPARE(run.exit, 0);
    QVERIFY(contents(out(name)).startsWith(begin));
    QVERIFY(contents(out(name)).size() > 4000);
}

void TestRender::sameAgain()
{
    for (const QString &name : { u"b.svg"_s, u"c.svg"_s })
        QCOMPARE(rendered({ sample(), out(name) }).exit, 0);
    QCOMPARE(contents(out(u"b.svg"_s)), contents(out(u"c.svg"_s)));
    const QByteArray svg = contents(out(u"b.svg"_s));
    for (const QByteArray text : { "Handle", "must be swapped", "Return what hangs on it" })
        QVERIFY2(svg.contains(text), text.constData());
}

void TestRender::standardOutput()
{
    const Run run = rendered({ sample(), u"-"_s, u"--to"_s, u"svg"_s });
    QCOMPARE(run.exit, 0);
    QVERIFY(run.output.startsWith("<?xml"));
}

void TestRender::packs()
{
    const Run run = rendered({ u"network-controller"_s, out(u"p.svg"_s) });
    QCOMPARE(run.errors, QByteArray());
    QCOMPARE(run.exit, 0);
    QVERIFY(contents(out(u"p.svg"_s)).contains("Updating"));
}

void TestRender::oneMachine()
{
    const QString pack = u"blazar"_s;
    QCOMPARE(rendered({ pack, out(u"all.svg"_s) }).exit, 0);
    QCOMPARE(rendered({ pack, out(u"one.svg"_s), u"--machine"_s, u"lease"_s }).exit, 0);
    QVERIFY(contents(out(u"one.svg"_s)).contains("TERMINATING"));
    QVERIFY(contents(out(u"one.svg"_s)).size() < contents(out(u"all.svg"_s)).size());
    const Run run = rendered({ pack, out(u"none.svg"_s), u"--machine"_s, u"leese"_s });
    QCOMPARE(run.exit, 2);
    QVERIFY2(run.errors.contains("leese") && run.errors.contains("lease"), run.errors.constData());
    QVERIFY(!QFile::exists(out(u"none.svg"_s)));
}

void TestRender::themes()
{
    const QString pack = u"network-controller"_s;
    const auto drawn = [&](const QString &name, const QStringList &more) {
        return rendered(QStringList { pack, out(name) } + more).exit == 0 ? contents(out(name))
                                                                          : QByteArray();
    };
    for (const QString &name : { u"t.svg"_s, u"t.png"_s, u"t.pdf"_s }) {
        const QByteArray light = drawn(name, { u"--theme"_s, u"light"_s });
        const QByteArray dark = drawn(name, { u"--theme"_s, u"dark"_s });
        QVERIFY(!light.isEmpty() && !dark.isEmpty() && light != dark);
    }
    QCOMPARE(drawn(u"t.svg"_s, {}), drawn(u"t.svg"_s, { u"--theme"_s, u"light"_s }));
    const Run run = rendered({ pack, out(u"t.svg"_s), u"--theme"_s, u"drak"_s });
    QCOMPARE(run.exit, 2);
    QVERIFY2(run.errors.contains("did you mean \"dark\"?"), run.errors.constData());
}

/// Only where there are several machines, one of them is a smaller picture.
/// A scenario is drawn as the score of its run; who reads the SVG finds operations and resources.
void TestRender::scoreOfARun()
{
    const QString file = out(u"run.scenario.json"_s);
    QFile scenario(file);
    QVERIFY(scenario.open(QIODevice::WriteOnly));
    scenario.write(R"({"pack": "network-controller",
        "resources": [{"path": "/logicalNetworks/a & \"b\"/subnets/s"}],
        "steps": [{"at": 0, "op": "PUT", "path": "/logicalNetworks/a & \"b\"", "id": "first"},
                  {"at": 100, "op": "GET", "path": "/gateways/g", "id": "<look>"},
                  {"at": 200, "op": "PUT", "path": "/logicalNetworks/a & \"b\"/subnets/new",
                   "id": "second", "client": "B"}]})");
    scenario.close();
    QCOMPARE(rendered({ file, out(u"run.svg"_s) }).exit, 0);
    const QByteArray svg = contents(out(u"run.svg"_s));
    QMap<QString, QStringList> marked; // attribute -> values
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        reader.readNext();
        for (const QXmlStreamAttribute &attribute : reader.attributes()) {
            if (attribute.name().startsWith(u"data-")) {
                QVERIFY(reader.name() != u"text" && reader.name() != u"g");
                marked[attribute.name().toString()] += attribute.value().toString();
            }
        }
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(marked[u"data-operation"_s].contains(u"first"_s));
    QVERIFY(marked[u"data-operation"_s].contains(u"second"_s));
    for (const QString &path :
        { u"/logicalNetworks/a & \"b\""_s, u"/logicalNetworks/a & \"b\"/subnets/s"_s,
            u"/logicalNetworks/a & \"b\"/subnets/new"_s })
        QCOMPARE(marked[u"data-path"_s].count(path), 1);
    QVERIFY(!svg.contains(QString(QChar(0xe000)).toUtf8()));

    // As it stood at a time; and the machine is still there for who asks for it.
    QCOMPARE(rendered({ file, out(u"then.svg"_s), u"--until"_s, u"50"_s }).exit, 0);
    QVERIFY(!contents(out(u"then.svg"_s)).contains("second"));
    QCOMPARE(rendered({ file, out(u"chart.svg"_s), u"--machine"_s, u"resource"_s }).exit, 0);
    QVERIFY(!contents(out(u"chart.svg"_s)).contains("data-"));
    for (const QString &name : { u"run.png"_s, u"run.pdf"_s })
        QCOMPARE(rendered({ file, out(name) }).exit, 0);
    QVERIFY(contents(out(u"run.pdf"_s)).startsWith("%PDF"));
}

void TestRender::tooLarge()
{
    QByteArray text = "@startuml\n";
    for (int i = 0; i < 900; ++i)
        text += "a" + QByteArray::number(i) + " --> a" + QByteArray::number(i + 1) + "\n";
    text += "@enduml\n";
    for (const bool isOne : { true, false }) {
        QFile file(out(u"large.puml"_s));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(isOne ? text : text + "@startuml\nb --> c\n@enduml\n");
        file.close();
        const Run run = rendered({ file.fileName(), out(u"large.png"_s) });
        QCOMPARE(run.exit, 2);
        QVERIFY2(run.errors.contains("write it as SVG or PDF"), run.errors.constData());
        QVERIFY2(run.errors.contains("--machine") == !isOne, run.errors.constData());
    }
}

/// Every statechart that the tests have, in every notation that is read.
void TestRender::everySample()
{
    int count = 0;
    for (const QString &folder : { u"plantuml"_s, u"scxml"_s }) {
        const QDir files(QStringLiteral(INSTAR_SOURCE_DIR) + u"/tests/data/"_s + folder);
        for (const QString &file : files.entryList({ u"*.puml"_s, u"*.scxml"_s }, QDir::Files)) {
            const Run run = rendered({ files.filePath(file), out(u"s.svg"_s) });
            QVERIFY2(run.exit == 0, qPrintable(file + u": "_s + QString::fromUtf8(run.errors)));
            ++count;
        }
    }
    QVERIFY(count > 0);
}

void TestRender::mistakes_data() const
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    QTest::newRow("no picture") << QStringList { sample(), out(u"a.bmp"_s) } << u"--to"_s;
    QTest::newRow("no format") << QStringList { sample(), out(u"a.svg"_s), u"--to"_s, u"gif"_s }
                               << u"gif"_s;
    QTest::newRow("no file") << QStringList { out(u"nothing.puml"_s), out(u"a.svg"_s) }
                             << u"nothing.puml"_s;
    QTest::newRow("no folder") << QStringList { sample(), out(u"no/such/a.svg"_s) }
                               << u"cannot be written"_s;
    QTest::newRow("no out") << QStringList { sample() } << u"OUT"_s;
}

void TestRender::mistakes()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const Run run = rendered(arguments);
    QCOMPARE(run.exit, 2);
    QCOMPARE(run.output, QByteArray());
    QCOMPARE(run.errors.count('\n'), 1);
    QVERIFY2(run.errors.contains(said.toUtf8()), run.errors.constData());
}

void TestRender::keepsWhatWasThere()
{
    QFile file(out(u"kept.svg"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("old") == 3);
    file.close();
    QCOMPARE(rendered({ out(u"nothing.puml"_s), out(u"kept.svg"_s) }).exit, 2);
    QCOMPARE(contents(out(u"kept.svg"_s)), QByteArray("old"));
    QCOMPARE(rendered({ sample(), out(u"kept.svg"_s) }).exit, 0);
    QVERIFY(contents(out(u"kept.svg"_s)).startsWith("<?xml"));
}

const instar::TestClass<TestRender> registered;
#include "tst_render.moc"
