// SPDX-License-Identifier: Apache-2.0
#include "model/json/exchanges.h"
#include "model/json/library.h"
#include "model/json/saving.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <thread>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestSaving : public QObject
{
    Q_OBJECT

private slots:
    void aFileIsReplaced();
    void aLinkIsFollowed();
    void permissionsStay();
    void historiesArePrivate();
    void aPipeIsWrittenTo();
    void theReasonIsTheSystems_data();
    void theReasonIsTheSystems();

private:
    static int modeOf(const QString &file)
    {
        struct stat found = {};
        return ::stat(QFile::encodeName(file).constData(), &found) == 0 ? found.st_mode & 0777 : -1;
    }
};

void TestSaving::aFileIsReplaced()
{
    const QTemporaryDir around;
    QVERIFY(QDir(around.path()).mkdir(u"a%2Fb"_s)); // as a place marker of a text
    const QDir folder(around.filePath(u"a%2Fb"_s));
    for (const QString &name : { u"a"_s, u"ä b"_s, QString(255, u'n') }) {
        const QString file = folder.filePath(name);
        for (const QByteArray &bytes :
            { QByteArray("first"), QByteArray(3'000'000, 'x'), QByteArray() }) {
            valueOf(writeFile(file, bytes));
            QCOMPARE(*fileBytes(file), bytes);
        }
    }
    QCOMPARE(folder.entryList(QDir::Files | QDir::Hidden).size(), 3);
}

void TestSaving::aLinkIsFollowed()
{
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir(u"far"_s));
    const QString file = folder.filePath(u"far/file"_s), link = folder.filePath(u"link"_s),
                  chain = folder.filePath(u"chain"_s);
    QVERIFY(QFile::link(u"far/file"_s, link));
    QVERIFY(QFile::link(link, chain));
    for (const QByteArray &bytes : { QByteArray("made"), QByteArray("replaced") }) {
        QVERIFY(bool(writeFile(chain, bytes)));
        QCOMPARE(*fileBytes(file), bytes);
        QVERIFY(QFileInfo(link).isSymbolicLink() && QFileInfo(chain).isSymbolicLink());
    }
}

void TestSaving::permissionsStay()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"file"_s);
    const mode_t before = ::umask(022);
    QVERIFY(bool(writeFile(file, "new")));
    QCOMPARE(modeOf(file), 0644);
    QCOMPARE(::chmod(QFile::encodeName(file).constData(), 0666), 0);
    QVERIFY(bool(writeFile(file, "old")));
    QCOMPARE(modeOf(file), 0666);
    ::umask(before);
}

/// They hold what was sent, which may be secret.
void TestSaving::historiesArePrivate()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"history.ndjson"_s);
    QVERIFY(bool(writeFile(file, "what everybody could read")));
    ExchangeLog history(file);
    QCOMPARE(modeOf(file), 0600);
    history.add({});
    history.finish();
    QCOMPARE(history.problem(), QString());
    QCOMPARE(modeOf(file), 0600);
    QCOMPARE(fileBytes(file)->count('\n'), 1);
}

void TestSaving::aPipeIsWrittenTo()
{
    const QTemporaryDir folder;
    const QString pipe = folder.filePath(u"pipe"_s);
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QByteArray read;
    const auto reading = [&] {
        QFile file(pipe);
        if (file.open(QIODevice::ReadOnly | QIODevice::Unbuffered)) {
            for (QByteArray part = file.read(100); !part.isEmpty(); part = file.read(100))
                read += part;
        }
    };
    std::thread first(reading);
    QVERIFY(bool(writeFile(pipe, "as a whole")));
    first.join();
    QCOMPARE(read, QByteArray("as a whole"));
    read.clear();
    std::thread second(reading);
    AppendingFile growing;
    QVERIFY(bool(growing.begin(pipe, "one ")));
    QVERIFY(bool(growing.append("two")));
    QVERIFY(bool(growing.close()));
    second.join();
    QCOMPARE(read, QByteArray("one two"));
    QVERIFY(!QFileInfo(pipe).isFile());
}

void TestSaving::theReasonIsTheSystems_data()
{
    const Rows<QString, QString> row("file", "reason");
    row("no folder", u"no/such/folder/a"_s, u"No such file or directory"_s);
    row("a folder", u"."_s, u"Is a directory"_s);
    row("below a file", u"file/a"_s, u"Not a directory"_s);
    row("too long", QString(256, u'n'), u"File name too long"_s);
}

void TestSaving::theReasonIsTheSystems()
{
    QFETCH(QString, file);
    QFETCH(QString, reason);
    const QTemporaryDir folder;
    QVERIFY(bool(writeFile(folder.filePath(u"file"_s), "there")));
    const QString path = folder.filePath(file);
    const Result<bool> written = writeFile(path, "bytes");
    QVERIFY(!written);
    QCOMPARE(written.error(),
        u"%1: cannot be written: %2; choose another file or folder"_s.arg(path, reason));
    AppendingFile growing;
    const QString begun = errorIn(growing.begin(path, "bytes"));
    QCOMPARE(begun, u"%1: cannot be written: %2"_s.arg(path, reason));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList(u"file"_s));
}

} // namespace

const TestClass<TestSaving> registered;
#include "tst_saving.moc"
