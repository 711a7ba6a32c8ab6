// SPDX-License-Identifier: Apache-2.0
// What is installed beside the programs, judged by those who will read it: shells, man, desktops.

#include "tests/cli/served.h"
#include "tests/support/bytesof.h"
#include "tests/support/testclass.h"

#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestDesktopFiles : public QObject
{
    Q_OBJECT

private slots:
    void manualHasEveryOption();
    void windowsManualHasEveryOption();
    void manualsAreWellMade();
    void completes_data();
    void completes();
    void scriptsAreRead_data();
    void scriptsAreRead();
    void filesAreValid();
    void typesAreRecognised();
};

namespace {

const QString desktop = QStringLiteral(INSTAR_SOURCE_DIR "/resources/desktop/");

QString printed(const QStringList &arguments)
{
    const Ended ended = ranAlone(arguments);
    return ended.exit == 0 ? ended.out : QString();
}

QStringList commands()
{
    QStringList names;
    const QString help = printed({ u"--help"_s });
    const QStringList lines = help.sliced(help.indexOf(u"Subcommands:"_s)).split(u'\n');
    for (const QString &line : lines.mid(1)) {
        if (line.startsWith(u"  "_s) && line.size() > 2 && line[2] != u' ')
            names += line.trimmed().section(u' ', 0, 0);
    }
    return names;
}

/// The words that begin with two strokes.
QSet<QString> optionsIn(const QString &text)
{
    static const QRegularExpression option(u"(?<![\\w-])--[a-z][a-z-]*"_s);
    QSet<QString> found;
    for (const QRegularExpressionMatch &match : option.globalMatch(text))
        found.insert(match.captured());
    return found;
}

/// A page as it is read, without bold and the rest.
QString plain(QString page)
{
    return page.replace(u"\\-"_s, u"-"_s).remove(u"\\fB"_s).remove(u"\\fI"_s).remove(u"\\fR"_s);
}

} // namespace

void TestDesktopFiles::manualHasEveryOption()
{
    const QString page = plain(printed({ u"manual"_s }));
    QVERIFY(commands().size() > 10);
    for (const QString &command : commands()) {
        const qsizetype begin = page.indexOf(u".SS "_s + command);
        QVERIFY2(begin >= 0, qPrintable(command));
        const QString section = page.sliced(begin).section(u"\n.S"_s, 0, 0);
        const QString help = printed({ command, u"--help"_s });
        QVERIFY(!help.isEmpty());
        QSet<QString> expected = optionsIn(help);
        expected.remove(u"--help"_s);
        const QSet<QString> told = optionsIn(section);
        QVERIFY2(told.contains(expected), qPrintable(command + u'\n' + section));
        for (const QString &option : expected)
            QVERIFY2(section.contains(u"\n"_s + option), qPrintable(command + u' ' + option));
    }
}

void TestDesktopFiles::windowsManualHasEveryOption()
{
    const Done help = ran(qEnvironmentVariable("INSTAR_APP"), { u"--help"_s });
    QCOMPARE(help.exit, 0);
    QCOMPARE(optionsIn(plain(QString::fromUtf8(bytesOf(desktop + u"instar.1"_s)))),
        optionsIn(QString::fromUtf8(help.out)));
}

void TestDesktopFiles::manualsAreWellMade()
{
    const QString groff = QStandardPaths::findExecutable(u"groff"_s);
    if (groff.isEmpty())
        QSKIP("groff is not there (Debian: groff-base)");
    for (const QString &page :
        { printed({ u"manual"_s }), QString::fromUtf8(bytesOf(desktop + u"instar.1"_s)) }) {
        const Done read = ran(
            groff, { u"-man"_s, u"-ww"_s, u"-Tutf8"_s, u"-P-cbou"_s }, {}, 60'000, page.toUtf8());
        QCOMPARE(read.error, QByteArray());
        QCOMPARE(read.exit, 0);
        QVERIFY(read.out.contains("SYNOPSIS") && read.out.contains("instar"));
        QVERIFY2(!read.out.contains('\\'), read.out.constData());
    }
}

void TestDesktopFiles::completes_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("expected");
    const auto row = [](const QString &typed, const QString &expected) {
        QTest::newRow(qPrintable(typed)) << typed << expected;
    };
    row(u"ex"_s, u"explore"_s);
    row(u"run --u"_s, u"--until"_s);
    row(u"run --format j"_s, u"json junit"_s);
    row(u"judge --format "_s, u"text json junit html"_s);
    row(u"judge --pack bla"_s, u"blazar"_s);
    row(u"serve pul"_s, u"pulumi"_s);
    row(u"run pul"_s, {});
    row(u"completion "_s, u"bash zsh fish"_s);
}

/// What bash itself makes of the script.
void TestDesktopFiles::completes()
{
    QFETCH(QString, typed);
    QFETCH(QString, expected);
    const QTemporaryDir folder; // without files
    QString script = printed({ u"completion"_s, u"bash"_s });
    QVERIFY(!script.isEmpty());
    const QStringList words = typed.split(u' ');
    const QString quoted = u"instar-cli '"_s + words.join(u"' '"_s) + u'\'';
    const QString bin = QFileInfo(qEnvironmentVariable("INSTAR_CLI")).path();
    script += u"\ncd '%1'; PATH='%2':$PATH; COMP_WORDS=(%3); COMP_CWORD=%4; _instar_cli; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"\n"_s.arg(
                  folder.path(), bin, quoted, QString::number(words.size()));
    const Done done =
        ran(u"bash"_s, { u"--norc"_s, u"-s"_s }, folder.path(), 60'000, script.toUtf8());
    QCOMPARE(done.error, QByteArray());
    QCOMPARE(QString::fromUtf8(done.out).simplified(), expected);
}

void TestDesktopFiles::scriptsAreRead_data()
{
    QTest::addColumn<QStringList>("reader");
    QTest::newRow("bash") << QStringList { u"bash"_s, u"-n"_s };
    QTest::newRow("zsh") << QStringList { u"zsh"_s, u"-n"_s };
    QTest::newRow("fish") << QStringList { u"fish"_s, u"--no-execute"_s };
}

void TestDesktopFiles::scriptsAreRead()
{
    QFETCH(QStringList, reader);
    const QString shell = QString::fromUtf8(QTest::currentDataTag());
    const QString script = printed({ u"completion"_s, shell });
    for (const QString &command : commands())
        QVERIFY2(script.contains(command), qPrintable(command));
    if (QStandardPaths::findExecutable(reader.first()).isEmpty())
        QSKIP("this shell is not there");
    const QTemporaryDir folder;
    const Done done = ran(
        reader.first(), reader.mid(1) << written(folder.filePath(u"script"_s), script.toUtf8()));
    QCOMPARE(done.error, QByteArray());
    QCOMPARE(done.exit, 0);
}

void TestDesktopFiles::filesAreValid()
{
    for (const QString &typed : { u"desktop-file-validate %1instar.desktop"_s,
             u"appstreamcli validate --no-net %1org.instar.instar.metainfo.xml"_s }) {
        const QStringList words = typed.arg(desktop).split(u' ');
        if (QStandardPaths::findExecutable(words.first()).isEmpty())
            QSKIP("who validates it is not there (Debian: desktop-file-utils, appstream)");
        const Done done = ran(words.first(), words.mid(1));
        QVERIFY2(done.exit == 0, (done.out + done.error).constData());
    }
}

/// The desktop's own database knows our files, and as more than JSON.
void TestDesktopFiles::typesAreRecognised()
{
    const QString update = QStandardPaths::findExecutable(u"update-mime-database"_s);
    if (update.isEmpty())
        QSKIP("update-mime-database is not there (Debian: shared-mime-info)");
    const QTemporaryDir data;
    QVERIFY(QDir(data.path()).mkpath(u"mime/packages"_s));
    QVERIFY(
        QFile::copy(desktop + u"instar-mime.xml"_s, data.filePath(u"mime/packages/instar.xml"_s)));
    const Done done = ran(update, { data.filePath(u"mime"_s) });
    QVERIFY2(done.exit == 0 && !done.error.contains("rror"), done.error.constData());
    const QByteArrayList globs = bytesOf(data.filePath(u"mime/globs2"_s)).split('\n');
    const QByteArray opened = bytesOf(desktop + u"instar.desktop"_s);
    for (const QString &suffix : { u"pack"_s, u"scenario"_s, u"machine"_s }) {
        const QString type = u"application/vnd.instar.%1+json"_s.arg(suffix);
        QVERIFY2(globs.contains(u"60:%1:*.%2.json"_s.arg(type, suffix).toUtf8()),
            globs.join('\n').constData());
        QVERIFY(opened.contains(type.toUtf8() + ';'));
    }
}

const instar::TestClass<TestDesktopFiles> registered;
#include "tst_desktopfiles.moc"
