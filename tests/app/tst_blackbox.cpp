// SPDX-License-Identifier: Apache-2.0
// The installed program on a display of its own, driven by a mouse and a keyboard from outside: a
// whole visit, from the first file to Quit, judged by what it leaves in files and on the screen.

#include "tests/app/builtprogram.h"
#include "tests/support/bytesof.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QElapsedTimer>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

constexpr int Patience = 60'000; ///< ms: for a machine that does a lot else
constexpr QSize Screen(1280, 800);

class TestBlackBox : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void aVisit();
    void cleanupTestCase();

private:
    QProcessEnvironment environment() const;
    QByteArray tell(const QStringList &words);
    void keys(const QStringList &keys);
    void type(const QString &text);
    QByteArray window(const QString &title);
    bool enter(const QString &title);
    void answer(const QString &dialog, const QString &path);
    void select(const QString &name);
    QImage screen();
    QPoint cursorHead();
    QJsonArray steps(const QString &name);

    QTemporaryDir m_home;
    QProcess m_server, m_program;
    QString m_display;
};

QProcessEnvironment TestBlackBox::environment() const
{
    QProcessEnvironment all = environmentIn(m_home.path(), u"xcb"_s);
    all.insert(u"DISPLAY"_s, m_display);
    all.remove(u"INSTAR_SOURCE_DIR"_s); // what is installed is enough
    return all;
}

/// What xdotool says.
QByteArray TestBlackBox::tell(const QStringList &words)
{
    QProcess tool;
    tool.setProcessEnvironment(environment());
    tool.start(u"xdotool"_s, words);
    tool.waitForFinished(Patience);
    return tool.readAllStandardOutput().trimmed();
}

void TestBlackBox::keys(const QStringList &keys)
{
    tell(QStringList { u"key"_s, u"--delay"_s, u"60"_s } + keys);
}

void TestBlackBox::type(const QString &text)
{
    tell({ u"type"_s, u"--delay"_s, u"15"_s, text });
}

/// The visible window with a title; empty: there is none.
QByteArray TestBlackBox::window(const QString &title)
{
    return tell({ u"search"_s, u"--onlyvisible"_s, u"--name"_s, title }).split('\n').last();
}

/// Waits for a window and gives it the keyboard, which nobody else does here.
bool TestBlackBox::enter(const QString &title)
{
    QElapsedTimer clock;
    clock.start();
    QByteArray found;
    while ((found = window(title)).isEmpty() && clock.elapsed() < Patience
        && m_program.state() != QProcess::NotRunning)
        QTest::qWait(20);
    if (found.isEmpty())
        return false;
    const QString id = QString::fromLatin1(found);
    while (tell({ u"getwindowfocus"_s }) != found && clock.elapsed() < Patience) {
        tell({ u"windowfocus"_s, id });
        QTest::qWait(50);
    }
    QTest::qWait(200);
    return true;
}

/// A dialog that asks for a file.
void TestBlackBox::answer(const QString &dialog, const QString &path)
{
    QVERIFY2(enter(dialog), qPrintable(dialog));
    keys({ u"ctrl+a"_s });
    type(path);
    keys({ u"Return"_s });
    QTRY_VERIFY_WITH_TIMEOUT(window(dialog).isEmpty(), Patience);
    QVERIFY(enter(u"Network Controller"_s));
}

void TestBlackBox::select(const QString &name)
{
    keys({ u"ctrl+f"_s, u"ctrl+a"_s });
    type(name);
    keys({ u"Return"_s });
    QTest::qWait(200);
}

QImage TestBlackBox::screen()
{
    const QByteArray bytes = bytesOf(m_home.filePath(u"Xvfb_screen0"_s));
    const qsizetype size = qsizetype(4) * Screen.width() * Screen.height();
    if (bytes.size() < size)
        return {};
    return QImage(reinterpret_cast<const uchar *>(bytes.constData()) + bytes.size() - size,
        Screen.width(), Screen.height(), QImage::Format_RGB32)
        .copy();
}

/// The label of the timeline's cursor: in the lower half the widest patch of one strong colour that
/// is as high as a line of text.
QPoint TestBlackBox::cursorHead()
{
    constexpr int height = 10;
    const QImage image = screen();
    QPoint best;
    int longest = 20;
    for (int y = Screen.height() / 2; y + height < image.height(); ++y) {
        for (int begin = 0, x = 1; x <= image.width(); ++x) {
            if (x < image.width() && image.pixel(x, y) == image.pixel(begin, y))
                continue;
            const int length = x - begin;
            if (length > longest && length < 100
                && image.pixelColor(begin, y).hsvSaturationF() > 0.55F
                && image.pixel(begin + 2, y + height) == image.pixel(begin + 2, y)) {
                longest = length;
                best = { begin + length / 2, y + height / 2 };
            }
            begin = x;
        }
    }
    return best;
}

/// Saves the run as a scenario, as anybody would, and reads it.
QJsonArray TestBlackBox::steps(const QString &name)
{
    keys({ u"ctrl+alt+r"_s });
    answer(u"Save as Scenario"_s, m_home.filePath(name));
    const auto read = [&] { return QJsonDocument::fromJson(bytesOf(m_home.filePath(name))); };
    if (!QTest::qWaitFor([&] { return !read().isNull(); }, Patience))
        return {};
    return read().object()[u"steps"_s].toArray();
}

void TestBlackBox::initTestCase()
{
    const QString xvfb = QStandardPaths::findExecutable(u"Xvfb"_s);
    if (xvfb.isEmpty() || QStandardPaths::findExecutable(u"xdotool"_s).isEmpty())
        QSKIP("Xvfb or xdotool is missing: apt-get install xvfb xdotool");
    const QString built = qEnvironmentVariable("INSTAR_APP");
    if (built.isEmpty())
        QSKIP("INSTAR_APP does not say which program is meant");
    QProcess install;
    install.start(u"cmake"_s,
        { u"--install"_s, QFileInfo(built).dir().filePath(u".."_s), u"--prefix"_s,
            m_home.filePath(u"usr"_s) });
    QVERIFY(install.waitForFinished(Patience));
    QVERIFY2(install.exitCode() == 0, install.readAllStandardError().constData());

    m_server.setProcessEnvironment(environment());
    m_server.start(xvfb,
        { u"-displayfd"_s, u"1"_s, u"-screen"_s, u"0"_s, u"1280x800x24"_s, u"-fbdir"_s,
            m_home.path(), u"-nolisten"_s, u"tcp"_s, u"-noreset"_s });
    QVERIFY2(m_server.waitForStarted(Patience), qPrintable(m_server.errorString()));
    QVERIFY(m_server.waitForReadyRead(Patience));
    m_display = u':' + QString::fromLatin1(m_server.readAllStandardOutput()).trimmed();
}

void TestBlackBox::aVisit()
{
    const QString world = written(
        m_home.filePath(u"world.scenario.json"_s), R"({"pack": "network-controller", "resources": [
        {"path": "/logicalNetworks/Transit"}, {"path": "/logicalNetworks/Transit/subnets/Rack-1"},
        {"path": "/logicalNetworks/Transit/subnets/Rack-2"}], "steps": []})");
    m_program.setProcessEnvironment(environment());
    m_program.start(m_home.filePath(u"usr/bin/instar"_s), {});

    // Open.
    QVERIFY2(enter(u"Network Controller"_s), m_program.readAllStandardError().constData());
    // Not in the middle: there stands the pointer, which is black where no theme of pointers is.
    QTRY_VERIFY_WITH_TIMEOUT(screen().pixel(1100, 12) != 0xff000000U, Patience);
    keys({ u"ctrl+o"_s });
    QVERIFY(enter(u"Open"_s));
    type(world);
    keys({ u"Return"_s });
    QVERIFY(enter(u"^world"_s));

    // Fire, and collide: what runs on a subnet, and then on all of its network.
    select(u"Rack-1"_s);
    keys({ u"ctrl+shift+1"_s });
    QTest::qWait(700);
    select(u"Transit"_s);
    keys({ u"ctrl+shift+2"_s });
    QTest::qWait(300);
    QJsonArray told = steps(u"first.scenario.json"_s);
    QVERIFY2(told.size() == 2, QJsonDocument(told).toJson().constData());
    QCOMPARE(told[0][u"op"_s].toString(), u"PUT"_s);
    QCOMPARE(told[0][u"path"_s].toString(), u"/logicalNetworks/Transit/subnets/Rack-1"_s);
    QCOMPARE(told[1][u"op"_s].toString(), u"DELETE"_s);
    const double collided = told[1][u"at"_s].toDouble();
    QVERIFY(collided > 0);

    // Scrub: the cursor is drawn back to before the collision.
    keys({ u"ctrl+End"_s }); // at rest
    QTest::qWait(500);
    const QPoint head = cursorHead();
    QVERIFY(!head.isNull());
    const auto moveTo = [&](int x) {
        tell({ u"mousemove"_s, QString::number(x), QString::number(head.y()) });
    };
    moveTo(head.x());
    tell({ u"mousedown"_s, u"1"_s });
    for (int x = head.x(); x > Screen.width() / 4; x -= 40)
        moveTo(x);
    tell({ u"mouseup"_s, u"1"_s });
    QTest::qWait(300);

    // Branch: something else happens then.
    select(u"Rack-2"_s);
    keys({ u"ctrl+shift+2"_s });
    QTest::qWait(300);
    told = steps(u"second.scenario.json"_s);
    QVERIFY(!told.isEmpty());
    QCOMPARE(told.last()[u"path"_s].toString(), u"/logicalNetworks/Transit/subnets/Rack-2"_s);
    QVERIFY(told.last()[u"at"_s].toDouble() < collided);

    // Outcomes: the first one is played.
    keys({ u"ctrl+shift+h"_s });
    QTest::qWait(2000);
    keys({ u"Return"_s });
    QTest::qWait(4000);
    const QJsonArray played = steps(u"third.scenario.json"_s);
    QVERIFY2(played.size() > told.size(), QJsonDocument(played).toJson().constData());

    // Export.
    keys({ u"ctrl+alt+e"_s });
    answer(u"Export the Run"_s, m_home.filePath(u"run.html"_s));
    const auto page = [&] { return bytesOf(m_home.filePath(u"run.html"_s)).trimmed(); };
    QTRY_VERIFY_WITH_TIMEOUT(page().endsWith("</html>"), Patience);
    QVERIFY(page().contains("Rack-2"));

    // Quit; and once more, as it was left.
    keys({ u"ctrl+q"_s });
    QVERIFY(m_program.waitForFinished(Patience));
    QCOMPARE(m_program.exitStatus(), QProcess::NormalExit);
    QVERIFY2(m_program.exitCode() == 0, m_program.readAllStandardError().constData());
    m_program.start(m_home.filePath(u"usr/bin/instar"_s), { world });
    QVERIFY(enter(u"^world"_s));
    keys({ u"ctrl+q"_s });
    QVERIFY(m_program.waitForFinished(Patience));
    QCOMPARE(m_program.exitCode(), 0);
    QCOMPARE(m_program.readAllStandardError(), QByteArray());
}

void TestBlackBox::cleanupTestCase()
{
    screen().save(QDir::current().filePath(u"black-box.png"_s));
    for (QProcess *one : { &m_program, &m_server }) {
        if (one->state() == QProcess::NotRunning)
            continue;
        one->terminate();
        if (!one->waitForFinished(Patience))
            one->kill();
    }
}

} // namespace

const instar::TestClass<TestBlackBox> registered;
#include "tst_blackbox.moc"
