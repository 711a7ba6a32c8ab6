// SPDX-License-Identifier: Apache-2.0
// `instar-cli render` as a process: files in, pictures out.
#include "tests/cli/served.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <QXmlStreamReader>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// Without the platform that the tests run on: it must find its own.
Done rendered(const QStringList &arguments)
{
    QStringList command;
    for (const char *name : { "QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR" })
        command += { u"-u"_s, QString::fromLatin1(name) };
    return ran(u"env"_s, command + QStringList { cli(), u"render"_s } + arguments);
}

QString siblings()
{
    return QStringLiteral(INSTAR_SOURCE_DIR)
        + u"/resources/lessons/network-controller/10-siblings.md"_s;
}

QString sample()
{
    return QStringLiteral(INSTAR_SOURCE_DIR) + u"/tests/data/drawing/lifecycle.puml"_s;
}

} // namespace

class TestRender : public QObject, private FolderUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase();
    void pictures_data() const;
    void pictures();
    void oneMachine();
    void themes();
    void timelineOfARun();
    void otherFormsOfARun_data() const;
    void otherFormsOfARun();
    void pageNeedsNothing();
    void pageInABrowser();
    void tooLarge();
    void everySample();
    void keepsWhatWasThere();
};

void TestRender::initTestCase()
{
    QVERIFY2(!qEnvironmentVariableIsEmpty("INSTAR_CLI"), "run by ctest");
    QVERIFY(m_folder.isValid());
}

void TestRender::pictures_data() const
{
    const Rows<QString, QByteArray> row("name", "begin");
    row("svg", u"a.svg"_s, "<?xml");
    row("png", u"a.png"_s, "\x89PNG");
    row("pdf", u"a.PDF"_s, "%PDF-");
}

/// The same every time, into a file and to stdout; other colours are another picture.
void TestRender::pictures()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, begin);
    const QString format = name.section(u'.', 1).toLower();
    const auto drawn = [&](const QStringList &more) {
        return rendered(QStringList { sample(), u"-"_s, u"--to"_s, format } + more).out;
    };
    const Done run = rendered({ sample(), path(name) });
    QCOMPARE(run.error, QByteArray());
    QCOMPARE(run.out, QByteArray());
    QCOMPARE(run.exit, 0);
    const QByteArray picture = bytesOf(path(name));
    QVERIFY(picture.startsWith(begin));
    QVERIFY(picture.size() > 4000);
    if (format != u"pdf") // which says when it was made
        QCOMPARE(drawn({}), picture);
    QVERIFY(drawn({ u"--theme"_s, u"dark"_s }).startsWith(begin));
    QVERIFY(drawn({ u"--theme"_s, u"dark"_s }) != picture);
    if (format != u"svg")
        return;
    for (const QByteArray text : { "Handle", "must be swapped", "Return what hangs on it" })
        QVERIFY2(picture.contains(text), text.constData());
}

void TestRender::oneMachine()
{
    const QString pack = u"blazar"_s;
    QCOMPARE(rendered({ pack, path(u"all.svg"_s) }).exit, 0);
    QCOMPARE(rendered({ pack, path(u"one.svg"_s), u"--machine"_s, u"lease"_s }).exit, 0);
    QVERIFY(bytesOf(path(u"one.svg"_s)).contains("TERMINATING"));
    QVERIFY(bytesOf(path(u"one.svg"_s)).size() < bytesOf(path(u"all.svg"_s)).size());
}

void TestRender::themes()
{
    QMap<QString, QByteArray> pictures;
    for (const QString &theme :
        { u"light"_s, u"dark"_s, u"contrast"_s, u"colour-blind"_s, QString() }) {
        QStringList arguments { u"blazar"_s, path(u"c.svg"_s), u"--machine"_s, u"reservation"_s };
        if (!theme.isEmpty())
            arguments += { u"--theme"_s, theme };
        QCOMPARE(rendered(arguments).exit, 0);
        pictures.insert(theme, bytesOf(path(u"c.svg"_s)));
    }
    QCOMPARE(pictures[QString()], pictures[u"light"_s]);
    QCOMPARE(QSet<QByteArray>(pictures.cbegin(), pictures.cend()).size(), 4);
}

/// A scenario is drawn as the timeline of its run; who reads the SVG finds operations and
/// resources.
void TestRender::timelineOfARun()
{
    const QString file = written(u"run.scenario.json"_s, R"({"pack": "network-controller",
        "resources": [{"path": "/logicalNetworks/a & \"b\"/subnets/s"}],
        "steps": [{"at": 0, "op": "PUT", "path": "/logicalNetworks/a & \"b\"", "id": "first"},
                  {"at": 100, "op": "GET", "path": "/gateways/g", "id": "<look>"},
                  {"at": 200, "op": "PUT", "path": "/logicalNetworks/a & \"b\"/subnets/new",
                   "id": "zwö 見 <2> = 50%", "client": "B"}]})");
    QCOMPARE(rendered({ file, path(u"run.svg"_s) }).exit, 0);
    const QByteArray svg = bytesOf(path(u"run.svg"_s));
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
    QVERIFY(marked[u"data-operation"_s].contains(u"zwö 見 <2> = 50%"_s));
    for (const QString &path :
        { u"/logicalNetworks/a & \"b\""_s, u"/logicalNetworks/a & \"b\"/subnets/s"_s,
            u"/logicalNetworks/a & \"b\"/subnets/new"_s })
        QCOMPARE(marked[u"data-path"_s].count(path), 1);
    QVERIFY(!svg.contains("instar-attribute"));

    // As it stood at a time; and the machine is still there for who asks for it.
    QCOMPARE(rendered({ file, path(u"then.svg"_s), u"--until"_s, u"50"_s }).exit, 0);
    QVERIFY(!bytesOf(path(u"then.svg"_s)).contains("subnets/new"));
    QCOMPARE(rendered({ file, path(u"chart.svg"_s), u"--machine"_s, u"resource"_s }).exit, 0);
    QVERIFY(!bytesOf(path(u"chart.svg"_s)).contains("data-"));
    for (const QString &name : { u"run.png"_s, u"run.pdf"_s })
        QCOMPARE(rendered({ file, path(name) }).exit, 0);
    QVERIFY(bytesOf(path(u"run.pdf"_s)).startsWith("%PDF"));
}

void TestRender::otherFormsOfARun_data() const
{
    const Rows<QString, QByteArray, QByteArray> row("name", "begin", "holds");
    row("html", u"r.html"_s, "<!DOCTYPE html>", "\"rows\"");
    row("svg", u"r.svg"_s, "<?xml", "data-operation=\"b\"");
}

/// Of a lesson as well as of a scenario.
void TestRender::otherFormsOfARun()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, holds);
    const Done run = rendered({ siblings(), path(name) });
    QCOMPARE(run.error, QByteArray());
    QCOMPARE(run.exit, 0);
    QVERIFY(bytesOf(path(name)).startsWith(begin));
    QVERIFY(bytesOf(path(name)).contains(holds));
    QCOMPARE(rendered({ siblings(), path(u"again"_s), u"--to"_s, name.section(u'.', -1) }).exit, 0);
    QCOMPARE(bytesOf(path(u"again"_s)), bytesOf(path(name)));
}

/// Nothing is fetched: no address but the name of SVG's namespace, and a policy that forbids it.
void TestRender::pageNeedsNothing()
{
    QCOMPARE(rendered({ siblings(), path(u"p.html"_s) }).exit, 0);
    QByteArray page = bytesOf(path(u"p.html"_s));
    QVERIFY(page.contains("default-src 'none'"));
    for (const char *word : { "<link", "@import", "url(http", "fetch(", "XMLHttpRequest", " src=" })
        QVERIFY2(!page.contains(word), word);
    page.replace("http://www.w3.org/", "");
    QVERIFY(!page.contains("http:") && !page.contains("https:"));
    // What a path holds cannot end the script.
    const QString scenario = written(u"bad.scenario.json"_s,
        R"({"pack": "network-controller", "resources": [{"path": "/gateways/<script>"}],
        "steps": [{"at": 0, "op": "PUT", "path": "/gateways/<script>", "id": "</script>"}]})");
    QCOMPARE(rendered({ scenario, path(u"bad.html"_s) }).exit, 0);
    QCOMPARE(bytesOf(path(u"bad.html"_s)).count("</script>"), 2);
}

/// The page's own script, as a browser runs it: what stands there at the end, at a moment, and at a
/// time between two.
void TestRender::pageInABrowser()
{
    QString browser;
    for (const QString &name : { u"chromium"_s, u"chromium-browser"_s, u"google-chrome"_s }) {
        if (browser.isEmpty())
            browser = QStandardPaths::findExecutable(name);
    }
    if (browser.isEmpty())
        QSKIP("no Chromium is installed");
    QCOMPARE(rendered({ siblings(), path(u"b.html"_s) }).exit, 0);
    const auto dom = [&](const QByteArray &script) {
        QByteArray page = bytesOf(path(u"b.html"_s));
        page.replace("</body>", "<script>" + script + "</script></body>");
        const QString file = written(u"scripted.html"_s, page);
        QProcess process;
        process.start(browser,
            { u"--headless"_s, u"--no-sandbox"_s, u"--disable-gpu"_s,
                u"--user-data-dir="_s + path(u"browser"_s), u"--dump-dom"_s, u"file://"_s + file });
        process.waitForFinished(120'000);
        return QString::fromUtf8(process.readAllStandardOutput());
    };
    const auto chips = [](const QString &html) {
        QStringList words;
        static const QRegularExpression chip(u"<span class=\"chip\"[^>]*>([^<]*)</span>"_s);
        for (auto it = chip.globalMatch(html); it.hasNext();)
            words += it.next().captured(1);
        return words.join(u' ');
    };
    QCOMPARE(chips(dom({})), u"Succeeded Succeeded Succeeded Succeeded Succeeded"_s);
    const QString first = dom("goTo(1)");
    QCOMPARE(chips(first), u"Updating Updating Updating Succeeded Succeeded"_s);
    QVERIFY(first.contains(u"data-moment=\"1\""));
    QVERIFY(first.contains(u"0.000 s"));
    const QString between = dom("goToTime(6500)");
    QCOMPARE(chips(between), u"Updating Succeeded Succeeded Updating Updating"_s);
    QVERIFY(between.contains(u"6.500 s"));
    const QString stepped =
        dom("byId('before').click(); byId('before').click(); slider.value = 2; slider.oninput();");
    QVERIFY(stepped.contains(u"data-moment=\"2\""));
}

void TestRender::tooLarge()
{
    QByteArray text = "@startuml\n";
    for (int i = 0; i < 900; ++i)
        text += "a" + QByteArray::number(i) + " --> a" + QByteArray::number(i + 1) + "\n";
    text += "@enduml\n";
    for (const bool isOne : { true, false }) {
        const QString file =
            written(u"large.puml"_s, isOne ? text : text + "@startuml\nb --> c\n@enduml\n");
        const Done run = rendered({ file, path(u"large.png"_s) });
        QCOMPARE(run.exit, 2);
        QVERIFY2(run.error.contains("write an SVG or PDF instead"), run.error.constData());
        QVERIFY2(run.error.contains("--machine") == !isOne, run.error.constData());
    }
}

/// Every statechart that the tests have, in every notation that is read.
void TestRender::everySample()
{
    int count = 0;
    for (const QString &folder : { u"plantuml"_s, u"scxml"_s }) {
        const QDir files(QStringLiteral(INSTAR_SOURCE_DIR) + u"/tests/data/"_s + folder);
        for (const QString &file : files.entryList({ u"*.puml"_s, u"*.scxml"_s }, QDir::Files)) {
            const Done run = rendered({ files.filePath(file), path(u"s.svg"_s) });
            QVERIFY2(run.exit == 0, qPrintable(file + u": "_s + QString::fromUtf8(run.error)));
            ++count;
        }
    }
    QVERIFY(count > 0);
}

void TestRender::keepsWhatWasThere()
{
    written(u"kept.svg"_s, "old");
    QCOMPARE(rendered({ path(u"nothing.puml"_s), path(u"kept.svg"_s) }).exit, 2);
    QCOMPARE(bytesOf(path(u"kept.svg"_s)), QByteArray("old"));
    QCOMPARE(rendered({ sample(), path(u"kept.svg"_s) }).exit, 0);
    QVERIFY(bytesOf(path(u"kept.svg"_s)).startsWith("<?xml"));
}

const instar::TestClass<TestRender> registered;
#include "tst_render.moc"
