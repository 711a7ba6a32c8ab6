// SPDX-License-Identifier: Apache-2.0
// What is installed beside the programs, judged by those who will read it: man, desktops.

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
    void windowsManualHasEveryOption();
    void manualsAreWellMade();
    void filesAreValid();
    void typesAreRecognised();
};

namespace {

const QString desktop = QStringLiteral(INSTAR_SOURCE_DIR "/resources/desktop/");

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
    for (const QString &name : { u"instar.1"_s, u"instar-cli.1"_s }) {
        const QByteArray page = bytesOf(desktop + name);
        const Done read =
            ran(groff, { u"-man"_s, u"-ww"_s, u"-Tutf8"_s, u"-P-cbou"_s }, {}, 60'000, page);
        QCOMPARE(read.error, QByteArray());
        QCOMPARE(read.exit, 0);
        QVERIFY(read.out.contains("SYNOPSIS") && read.out.contains("instar"));
        QVERIFY2(!read.out.contains('\\'), read.out.constData());
    }
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
