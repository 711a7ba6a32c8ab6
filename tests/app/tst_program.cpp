// SPDX-License-Identifier: Apache-2.0
// The program as it is built.

#include "app/settings.h"
#include "tests/app/builtprogram.h"
#include "tests/support/testclass.h"

#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

constexpr int Patience = 60'000; ///< ms: for a machine that does a lot else

class TestProgram : public QObject
{
    Q_OBJECT

private slots:
    void says_data();
    void says();
    void opensWhatIsNamed();
    void shot();

private:
    struct Outcome
    {
        int code = -1;
        QString out, err;
    };
    Outcome run(const QStringList &arguments, const QString &program = builtProgram());

    QTemporaryDir m_home;
};

TestProgram::Outcome TestProgram::run(const QStringList &arguments, const QString &program)
{
    QProcess process;
    process.setProcessEnvironment(environmentIn(m_home.path(), u"offscreen"_s));
    process.start(program, arguments);
    if (!process.waitForFinished(Patience))
        return { -1, {}, process.errorString() };
    return { process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError()) };
}

void TestProgram::says_data()
{
    // said: a pattern
    const Rows<QStringList, int, QString> row("arguments", "code", "said");
    row("version", QStringList { u"--version"_s }, 0, u"^\\S+ \\d+\\.\\d+\\.\\d+\\s*$"_s);
    row("help", QStringList { u"--help"_s }, 0, u"--theme"_s);
    row("no theme", QStringList { u"--theme"_s, u"pink"_s }, 2, u"pink"_s);
}

void TestProgram::says()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const int, code);
    QFETCH(const QString, said);
    const Outcome outcome = run(arguments);
    QCOMPARE(outcome.code, code);
    const QString text = code == 0 ? outcome.out : outcome.err;
    QVERIFY2(text.contains(QRegularExpression(said)), qPrintable(text));
}

/// What is named on the command line is opened instead of the last session.
void TestProgram::opensWhatIsNamed()
{
    moveTo(m_home.path());
    Settings settings;
    const auto session = [&] {
        QStringList sources;
        for (const Settings::Open &open : settings.session()) // in a window, something is selected
            sources += open.path.isEmpty() ? u"not yet"_s : open.source;
        return sources.join(u' ');
    };
    for (const QString &named : { QString(), u"blazar"_s }) {
        settings.setSession({ { u"aps"_s, {} } });
        QProcess process;
        process.setProcessEnvironment(environmentIn(m_home.path(), u"offscreen"_s));
        process.start(builtProgram(), named.isEmpty() ? QStringList() : QStringList { named });
        QTRY_COMPARE_WITH_TIMEOUT(session(), named.isEmpty() ? u"aps"_s : named, Patience);
        process.kill();
        process.waitForFinished();
    }
}

void TestProgram::shot()
{
    const QString file = m_home.filePath(u"shot.png"_s);
    const Outcome outcome =
        run({ u"--theme"_s, u"dark"_s, u"--size"_s, u"1200x650"_s, file }, shotProgram());
    QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
    const QImage picture(file);
    QCOMPARE(picture.size(), QSize(1200, 650));
    QVERIFY(picture.pixelColor(4, 400).lightness() < 80);
    QCOMPARE(run({ file, u"dance /a/b"_s }, shotProgram()).code, 2); // no such step
}

} // namespace

const instar::TestClass<TestProgram> registered;
#include "tst_program.moc"
