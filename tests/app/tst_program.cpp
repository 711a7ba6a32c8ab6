// SPDX-License-Identifier: Apache-2.0
// The program as it is built, on a display of its own.

#include "tests/support/testclass.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

constexpr int Patience = 60'000; ///< ms: for a machine that does a lot else

class TestProgram : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void version();
    void help();
    void badTheme();
    void badFile();
    void shot();
    void onADisplay();

private:
    struct Outcome
    {
        int code = -1;
        QString out, err;
    };
    Outcome run(const QStringList &arguments);
    QProcessEnvironment environment() const;

    QString m_program;
    QTemporaryDir m_home;
};

void TestProgram::initTestCase()
{
    m_program = qEnvironmentVariable("INSTAR_APP");
    if (m_program.isEmpty())
        m_program = QCoreApplication::applicationDirPath() + u"/instar"_s;
    QVERIFY2(QFile::exists(m_program), qPrintable(m_program));
}

QProcessEnvironment TestProgram::environment() const
{
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    for (const QString &name :
        { u"XDG_CONFIG_HOME"_s, u"XDG_DATA_HOME"_s, u"XDG_CACHE_HOME"_s, u"HOME"_s })
        all.insert(name, m_home.path());
    return all;
}

TestProgram::Outcome TestProgram::run(const QStringList &arguments)
{
    QProcess process;
    QProcessEnvironment offscreen = environment();
    offscreen.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    process.setProcessEnvironment(offscreen);
    process.start(m_program, arguments);
    if (!process.waitForFinished(Patience))
        return { -1, {}, process.errorString() };
    return { process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError()) };
}

void TestProgram::version()
{
    const Outcome outcome = run({ u"--version"_s });
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.contains(QRegularExpression(u"^\\S+ \\d+\\.\\d+\\.\\d+\\s*$"_s)),
        qPrintable(outcome.out));
}

void TestProgram::help()
{
    const Outcome outcome = run({ u"--help"_s });
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.contains(u"--theme") && !outcome.out.contains(u"--shot"),
        qPrintable(outcome.out));
}

void TestProgram::badTheme()
{
    const Outcome outcome = run({ u"--theme"_s, u"pink"_s });
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(u"pink"), qPrintable(outcome.err));
}

void TestProgram::badFile()
{
    const Outcome outcome =
        run({ u"--shot"_s, m_home.filePath(u"x.png"_s), u"--play"_s, u"dance /a/b"_s });
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(u"dance"), qPrintable(outcome.err));
}

void TestProgram::shot()
{
    const QString file = m_home.filePath(u"shot.png"_s);
    const Outcome outcome =
        run({ u"--theme"_s, u"dark"_s, u"--size"_s, u"1000x650"_s, u"--shot"_s, file });
    QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
    const QImage picture(file);
    QCOMPARE(picture.size(), QSize(1000, 650));
    QVERIFY(picture.pixelColor(4, 400).lightness() < 80);
}

void TestProgram::onADisplay()
{
    const QString xvfb = QStandardPaths::findExecutable(u"Xvfb"_s);
    const QString xdotool = QStandardPaths::findExecutable(u"xdotool"_s);
    if (xvfb.isEmpty() || xdotool.isEmpty())
        QSKIP("Xvfb or xdotool is missing: apt-get install xvfb xdotool");

    // Xvfb picks a free number and keeps its picture in a file.
    QProcess server;
    server.setProcessEnvironment(environment());
    server.start(xvfb,
        { u"-displayfd"_s, u"1"_s, u"-screen"_s, u"0"_s, u"1280x800x24"_s, u"-fbdir"_s,
            m_home.path(), u"-nolisten"_s, u"tcp"_s, u"-noreset"_s });
    QVERIFY2(server.waitForStarted(Patience), qPrintable(server.errorString()));
    QVERIFY(server.waitForReadyRead(Patience));
    const QString display = u':' + QString::fromLatin1(server.readAllStandardOutput()).trimmed();

    QProcessEnvironment x11 = environment();
    x11.insert(u"QT_QPA_PLATFORM"_s, u"xcb"_s);
    x11.insert(u"DISPLAY"_s, display);
    QProcess program;
    program.setProcessEnvironment(x11);
    QElapsedTimer clock;
    clock.start();
    program.start(m_program, {});
    const auto windows = [&] {
        QProcess search;
        search.setProcessEnvironment(x11);
        search.start(xdotool, { u"search"_s, u"--onlyvisible"_s, u"--class"_s, u"instar"_s });
        search.waitForFinished(Patience);
        return search.readAllStandardOutput().trimmed();
    };
    QByteArray found; // asked once: a search may find nothing while the window is being mapped
    while ((found = windows()).isEmpty() && clock.elapsed() < Patience
        && program.state() != QProcess::NotRunning)
        QTest::qWait(10);
    const qint64 shown = clock.elapsed();
    QVERIFY2(!found.isEmpty(), program.readAllStandardError().constData());
    qInfo("start to window: %lld ms", shown);
    QVERIFY2(shown < 20'000, "a window should appear at once, even on a busy machine");

    // The picture of the screen, as a real user would see it, with a size and colours that are not
    // one ground.
    const QString file = QDir::current().filePath(u"program-on-a-display.png"_s);
    const auto colours = [&] {
        QFile screen(m_home.filePath(u"Xvfb_screen0"_s));
        if (!screen.open(QIODevice::ReadOnly))
            return qsizetype(0);
        const QByteArray bytes = screen.readAll();
        constexpr qsizetype size = 4 * 1280 * 800;
        if (bytes.size() < size)
            return qsizetype(0);
        const QByteArray pixels = bytes.right(size);
        const QImage picture(
            reinterpret_cast<const uchar *>(pixels.constData()), 1280, 800, QImage::Format_RGB32);
        picture.save(file);
        QSet<QRgb> different;
        for (int y = 0; y < 800; y += 3) {
            for (int x = 0; x < 1280; x += 3)
                different.insert(picture.pixel(x, y));
        }
        return different.size();
    };
    QTRY_VERIFY_WITH_TIMEOUT(colours() > 40, Patience);
    qInfo("the screen: %s", qPrintable(file));
    QCOMPARE(program.state(), QProcess::Running);

    program.terminate();
    QVERIFY(program.waitForFinished(Patience));
    server.terminate();
    QVERIFY(server.waitForFinished(Patience));
}

} // namespace

const instar::TestClass<TestProgram> registered;
#include "tst_program.moc"
