// SPDX-License-Identifier: Apache-2.0
// What is installed beside the programs, judged by those who will read it: shells, man, desktops.

#include "tests/support/testclass.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

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
    void filesAreValid_data();
    void filesAreValid();
    void typesAreRecognised();
};

namespace {

const QString desktop = QStringLiteral(INSTAR_SOURCE_DIR "/resources/desktop/");

struct Ended
{
    int exit = -1;
    QString out, err;
};

Ended ran(const QString &program, const QStringList &arguments, const QByteArray &input = {})
{
    QProcess process;
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000)) {
        process.kill();
        process.waitForFinished();
        return { -1, {}, u"did not end"_s };
    }
    return { process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError()) };
}

QString cli(const QStringList &arguments)
{
    const Ended ended = ran(qEnvironmentVariable("INSTAR_CLI"), arguments);
    return ended.exit == 0 ? ended.out : QString();
}

QString contents(const QString &file)
{
    QFile opened(file);
    return opened.open(QFile::ReadOnly) ? QString::fromUtf8(opened.readAll()) : QString();
}

QStringList commands()
{
    QStringList names;
    const QString help = cli({ u"--help"_s });
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
    const QString page = plain(cli({ u"manual"_s }));
    QVERIFY(commands().size() > 10);
    for (const QString &command : commands()) {
        const qsizetype begin = page.indexOf(u".SS "_s + command);
        QVERIFY2(begin >= 0, qPrintable(command));
        const QString section = page.sliced(begin).section(u"\n.S"_s, 0, 0);
        const QString help = cli({ command, u"--help"_s });
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
    const Ended help = ran(qEnvironmentVariable("INSTAR_APP"), { u"--help"_s });
    QCOMPARE(help.exit, 0);
    QCOMPARE(optionsIn(plain(contents(desktop + u"instar.1"_s))), optionsIn(help.out));
}

void TestDesktopFiles::manualsAreWellMade()
{
    const QString groff = QStandardPaths::findExecutable(u"groff"_s);
    if (groff.isEmpty())
        QSKIP("groff is not there (Debian: groff-base)");
    for (const QString &page : { cli({ u"manual"_s }), contents(desktop + u"instar.1"_s) }) {
        const Ended read =
            ran(groff, { u"-man"_s, u"-ww"_s, u"-Tutf8"_s, u"-P-cbou"_s }, page.toUtf8());
        QCOMPARE(read.err, QString());
        QCOMPARE(read.exit, 0);
        QVERIFY(read.out.contains(u"SYNOPSIS"_s) && read.out.contains(u"instar"_s));
        QVERIFY2(!read.out.contains(u'\\'), qPrintable(read.out));
    }
}

void TestDesktopFiles::completes_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("a command") << QStringList { u"ex"_s } << QStringList { u"explore"_s };
    QTest::newRow("an option") << QStringList { u"run"_s, u"--u"_s }
                               << QStringList { u"--until"_s };
    QTest::newRow("a choice") << QStringList { u"run"_s, u"--format"_s, u"j"_s }
                              << QStringList { u"json"_s, u"junit"_s };
    QTest::newRow("all choices of another command") << QStringList { u"judge"_s, u"--format"_s,
        QString() } << QStringList { u"text"_s, u"json"_s, u"junit"_s, u"html"_s };
    QTest::newRow("a pack as an option")
        << QStringList { u"judge"_s, u"--pack"_s, u"bla"_s } << QStringList { u"blazar"_s };
    QTest::newRow("a pack as an argument")
        << QStringList { u"serve"_s, u"pul"_s } << QStringList { u"pulumi"_s };
    QTest::newRow("no pack") << QStringList { u"run"_s, u"pul"_s } << QStringList();
    QTest::newRow("a shell") << QStringList { u"completion"_s, QString() }
                             << QStringList { u"bash"_s, u"zsh"_s, u"fish"_s };
}

/// What bash itself makes of the script.
void TestDesktopFiles::completes()
{
    QFETCH(QStringList, words);
    QFETCH(QStringList, expected);
    const QTemporaryDir folder; // without files
    QString script = cli({ u"completion"_s, u"bash"_s });
    QVERIFY(!script.isEmpty());
    QStringList quoted { u"instar-cli"_s };
    for (const QString &word : words)
        quoted += u'\'' + word + u'\'';
    const QString bin = QFileInfo(qEnvironmentVariable("INSTAR_CLI")).path();
    script += u"\ncd '%1'; PATH='%2':$PATH; COMP_WORDS=(%3); COMP_CWORD=%4; _instar_cli; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"\n"_s.arg(
                  folder.path(), bin, quoted.join(u' '), QString::number(words.size()));
    const Ended ended = ran(u"bash"_s, { u"--norc"_s, u"-s"_s }, script.toUtf8());
    QCOMPARE(ended.err, QString());
    QCOMPARE(ended.out.split(u'\n', Qt::SkipEmptyParts), expected);
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
    const QString script = cli({ u"completion"_s, shell });
    for (const QString &command : commands())
        QVERIFY2(script.contains(command), qPrintable(command));
    if (QStandardPaths::findExecutable(reader.first()).isEmpty())
        QSKIP("this shell is not there");
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"script"_s));
    QVERIFY(file.open(QFile::WriteOnly) && file.write(script.toUtf8()) > 0);
    file.close();
    const Ended ended = ran(reader.first(), reader.mid(1) << file.fileName());
    QCOMPARE(ended.err, QString());
    QCOMPARE(ended.exit, 0);
}

void TestDesktopFiles::filesAreValid_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("desktop entry")
        << QStringList { u"desktop-file-validate"_s, desktop + u"instar.desktop"_s };
    QTest::newRow("AppStream") << QStringList { u"appstreamcli"_s, u"validate"_s, u"--no-net"_s,
        desktop + u"org.instar.instar.metainfo.xml"_s };
}

void TestDesktopFiles::filesAreValid()
{
    QFETCH(QStringList, words);
    if (QStandardPaths::findExecutable(words.first()).isEmpty())
        QSKIP("who validates it is not there (Debian: desktop-file-utils, appstream)");
    const Ended ended = ran(words.first(), words.mid(1));
    QVERIFY2(ended.exit == 0, qPrintable(ended.out + ended.err));
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
    const Ended ended = ran(update, { data.filePath(u"mime"_s) });
    QVERIFY2(ended.exit == 0 && !ended.err.contains(u"rror"_s), qPrintable(ended.err));
    const QStringList globs = contents(data.filePath(u"mime/globs2"_s)).split(u'\n');
    const QStringList opened =
        contents(desktop + u"instar.desktop"_s).split(u'\n').filter(u"MimeType="_s);
    QCOMPARE(opened.size(), 1);
    for (const QString &suffix : { u"pack"_s, u"scenario"_s, u"machine"_s }) {
        const QString type = u"application/vnd.instar.%1+json"_s.arg(suffix);
        QVERIFY2(
            globs.contains(u"60:%1:*.%2.json"_s.arg(type, suffix)), qPrintable(globs.join(u'\n')));
        QVERIFY(opened.first().contains(type + u';'));
    }
}

const instar::TestClass<TestDesktopFiles> registered;
#include "tst_desktopfiles.moc"
