// SPDX-License-Identifier: Apache-2.0
// The program ends in the middle of it, and what was done is had back.

#include "model/json/packfile.h"
#include "model/json/saving.h"
#include "model/pack/identity.h"
#include "model/pack/names.h"
#include "tests/app/builtprogram.h"
#include "tests/app/windowundertest.h"
#include "tests/support/property.h"
#include "tests/support/randomedit.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/document/journal.h"
#include "views/panels/notice.h"

#include <QDir>
#include <QProcess>

#include <signal.h>
#include <sys/resource.h>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

constexpr int Patience = 30'000; ///< ms: for a machine that does a lot else

/// The program in this process; its windows go with it.
struct HereProgram : Program
{
    ~HereProgram() override
    {
        for (const QPointer<MainWindow> &window : windows())
            delete window.data();
    }
};

void retitle(Document &document, const QString &title)
{
    Pack pack = document.pack();
    pack.title = title;
    document.edit(u"title"_s, pack);
}

class TestRecovery : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup();

    void killedAndHadBack();
    void discarded();
    void runningProgramsKeepTheirs();
    void closedDocumentsLeaveNothing();
    void noRoomIsSaidOnce();
    void whatIsNotWholeIsSaid_data();
    void whatIsNotWholeIsSaid();
    void everyStepComesBack();
    void writtenWhenItIsDone();
    void aChartThatBecameAPack();
    void whatWasUndoneIsReplaced();
    void whatWasSavedIsKnown();
    void theFileWasChangedMeanwhile();
    void fromAnotherFolder();
    void killedAtEveryWrite();

private:
    /// The program with a pack in which this is done, and which does not end by itself.
    std::unique_ptr<QProcess> started(
        const QString &file, const QString &script, const QString &folder = {});
    void end(QProcess &process);
    QStringList journals() const { return QDir(m_recovery).entryList({ u"*.journal"_s }); }
    QString path() const { return QDir(m_recovery).filePath(journals().value(0)); }
    QByteArray written() const { return bytesOf(path()); }
    /// Writes a journal, as a program leaves it that is killed, or nothing where there is none.
    void put(const QByteArray &journal) const
    {
        instar::written(QDir(m_recovery).filePath(u"left.journal"_s), journal);
    }
    QByteArray leftBy(Document &document) const;
    /// What such a journal tells of the one document that was lost; it is forgotten then.
    LostDocument lostIn(const QByteArray &journal) const;
    QString copyOf(const QString &pack);
    static void answer(NoticeBar &notice, const QString &text)
    {
        auto *pressed = panels::button<QPushButton>(notice, text);
        QTRY_VERIFY(!pressed->rect().isEmpty()); // notices get their place later
        QTest::mouseClick(pressed, Qt::LeftButton);
    }

    QTemporaryDir m_home;
    QString m_recovery;
};

void TestRecovery::initTestCase()
{
    moveTo(m_home.path());
    m_recovery = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/recovery"_s;
    QVERIFY2(m_recovery.startsWith(m_home.path()), qPrintable(m_recovery));
    for (const QString &program : { builtProgram(), shotProgram() })
        QVERIFY2(QFile::exists(program), qPrintable(program));
}

void TestRecovery::cleanup()
{
    for (const LostDocument &lost : lostDocuments())
        forget(lost);
    QCOMPARE(journals(), QStringList());
}

std::unique_ptr<QProcess> TestRecovery::started(
    const QString &file, const QString &script, const QString &folder)
{
    auto process = std::make_unique<QProcess>();
    process->setWorkingDirectory(folder);
    process->setProcessEnvironment(environmentIn(m_home.path(), u"offscreen"_s));
    process->start(
        shotProgram(), { m_home.filePath(u"never.png"_s), script + u"; rest 600000"_s, file });
    return process;
}

void TestRecovery::end(QProcess &process)
{
    ::kill(pid_t(process.processId()), SIGKILL);
    QVERIFY(process.waitForFinished(Patience));
}

QString TestRecovery::copyOf(const QString &pack)
{
    const QString file = m_home.filePath(pack + u".json"_s);
    QFile::remove(file);
    QFile::copy(u":/instar/packs/"_s + pack + u".json"_s, file);
    QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner);
    return file;
}

/// Two states are removed, the second one is brought back.
const QString script = u"room edit; pick PENDING; key Del; pick ERROR; key Del; key Ctrl+Z"_s;

void TestRecovery::killedAndHadBack()
{
    const QString file = copyOf(u"blazar"_s);
    const std::unique_ptr<QProcess> process = started(file, script);
    QTRY_COMPARE_WITH_TIMEOUT(journals().size(), 1, Patience);
    const auto kept = [&] {
        const QByteArray bytes = written();
        return bytes.contains("Delete ERROR") && bytes.endsWith("{\"now\":1,\"saved\":0}\n");
    };
    QTRY_VERIFY_WITH_TIMEOUT(kept(), Patience);
    QCOMPARE(lostDocuments().size(), 0); // it is running
    end(*process);

    HereProgram program;
    QPointer<MainWindow> first = program.open(builtInPacks().first());
    program.offerLost();
    QVERIFY(first->lost().isVisible());
    QVERIFY(has(first->lost().text(), { u"were saved in blazar.json"_s }));
    answer(first->lost(), u"Recover"_s);
    QVERIFY(first->lost().isHidden());
    QCOMPARE(program.windows().size(), 2);
    MainWindow *window = program.windows().last();
    Document &document = window->editing()->document();
    QCOMPARE(document.file(), file);
    QVERIFY(document.isModified());
    const auto has = [&](const QString &state) {
        return document.pack().machines.first().state(state) != nullptr;
    };
    QVERIFY(!has(u"PENDING"_s) && has(u"ERROR"_s));
    document.history().redo();
    QVERIFY(!has(u"ERROR"_s));
    document.history().undo();
    document.history().undo();
    QVERIFY(has(u"PENDING"_s) && has(u"ERROR"_s));
    QVERIFY(!document.isModified());
    QCOMPARE(journals().size(), 1); // its own by now
    document.history().redo();
    QVERIFY(window->editing()->save());
    QVERIFY(!loadPack(file)->machines.first().state(u"PENDING"_s));
    delete window;
    QCOMPARE(journals(), QStringList());
}

void TestRecovery::discarded()
{
    const QString file = copyOf(u"blazar"_s);
    const std::unique_ptr<QProcess> process = started(file, script);
    QTRY_COMPARE_WITH_TIMEOUT(journals().size(), 1, Patience);
    QTest::qWait(500);
    end(*process);
    HereProgram program;
    QPointer<MainWindow> first = program.open(builtInPacks().first());
    program.offerLost();
    answer(first->lost(), u"Later"_s);
    QVERIFY(first->lost().isHidden());
    QCOMPARE(journals().size(), 1);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    program.offerLost();
    // The notice goes on to what is opened in the window's place.
    QPointer<MainWindow> next = program.open(u"blazar"_s, first);
    QVERIFY(next->lost().isVisible());
    answer(next->lost(), u"Discard"_s);
    QVERIFY(next->lost().isHidden());
    QCOMPARE(journals(), QStringList());
}

void TestRecovery::runningProgramsKeepTheirs()
{
    Document document(*loadPack(u"blazar"_s));
    Journal journal(document);
    retitle(document, u"Other"_s);
    journal.write();
    QCOMPARE(journals().size(), 1);
    QCOMPARE(lostDocuments().size(), 0);
    // However long it has been running.
    QFile lock(path() + u".lock"_s);
    QVERIFY(lock.open(QIODevice::ReadWrite)
        && lock.setFileTime(
            QDateTime::currentDateTime().addDays(-2), QFileDevice::FileModificationTime));
    lock.close();
    QCOMPARE(lostDocuments().size(), 0);
    // Nor does another program offer it.
    QProcess other;
    other.setProcessEnvironment(environmentIn(m_home.path(), u"offscreen"_s));
    other.start(builtProgram(), { u"blazar"_s });
    QVERIFY(other.waitForStarted(Patience));
    QTest::qWait(1500);
    QCOMPARE(journals().size(), 1);
    journal.write();
    end(other);
    QCOMPARE(lostDocuments().size(), 0);
}

void TestRecovery::closedDocumentsLeaveNothing()
{
    {
        Document document(*loadPack(u"blazar"_s));
        Journal journal(document);
        journal.write();
        QCOMPARE(journals().size(), 0); // nothing was done
        retitle(document, u"Other"_s);
        QTRY_COMPARE(journals().size(), 1);
    }
    QCOMPARE(journals().size(), 0);
    QCOMPARE(QDir(m_recovery).entryList(QDir::Files), QStringList());
}

/// So many bytes are the most that a file of this process may have, as on a full disk.
class FullDisk
{
public:
    explicit FullDisk(rlim_t most)
    {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit now { most, m_before.rlim_max };
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    Q_DISABLE_COPY_MOVE(FullDisk)

private:
    rlimit m_before {};
};

/// What the file told before stays, and it goes on where there is room again.
void TestRecovery::noRoomIsSaidOnce()
{
    Document document(*loadPack(u"blazar"_s));
    Journal journal(document);
    QStringList told;
    connect(
        &journal, &Journal::problemChanged, this, [&](const QString &problem) { told += problem; });
    const auto call = [&](const QString &title) {
        retitle(document, title);
        journal.write();
    };
    const auto kept = [&] {
        QFile::copy(path(), QDir(m_recovery).filePath(u"copy.journal"_s));
        QStringList titles;
        for (const LostDocument &lost : lostDocuments()) {
            for (const Document::Step &step : lost.snapshot.steps)
                titles += step.pack.title + (lost.problem.isEmpty() ? u""_s : u"?"_s);
            forget(lost);
        }
        return titles.join(u' ');
    };
    {
        const FullDisk full(1000);
        call(u"A"_s);
        call(u"B"_s);
    }
    QCOMPARE(told.size(), 1);
    QVERIFY2(told[0].contains(m_recovery), qPrintable(told[0]));
    retitle(document, u"C"_s);
    QTest::qWait(300); // does not write all steps at each change
    QCOMPARE(journals(), QStringList());
    journal.write();
    QCOMPARE(told.size(), 2);
    QCOMPARE(told[1], QString());
    QCOMPARE(kept(), u"A B C"_s);
    {
        const FullDisk full(rlim_t(QFileInfo(path()).size()) + 30); // half a line has room
        call(u"D"_s);
        call(u"E"_s);
    }
    QCOMPARE(kept(), u"A B C"_s);
    QCOMPARE(told.size(), 3);
    QVERIFY(!told[2].isEmpty());
    call(u"F"_s);
    QCOMPARE(told.size(), 4);
    QCOMPARE(kept(), u"A B C D E F"_s);
}

QByteArray TestRecovery::leftBy(Document &document) const
{
    Journal journal(document);
    journal.write();
    return written();
}

LostDocument TestRecovery::lostIn(const QByteArray &journal) const
{
    put(journal);
    const QList<LostDocument> lost = lostDocuments();
    if (lost.size() != 1)
        return {};
    forget(lost.first());
    return lost.first();
}

void TestRecovery::whatIsNotWholeIsSaid_data()
{
    const Rows<QByteArray, int> row("damage", "steps");
    row("the end is missing", "end"_ba, 2);
    row("a bit in the middle", "middle"_ba, 1);
    row("a letter that reads as well", "letter"_ba, 0);
    row("no journal", "all"_ba, -1);
    row("too large", "large"_ba, -1);
    row("empty", "none"_ba, -1);
}

void TestRecovery::whatIsNotWholeIsSaid()
{
    QFETCH(QByteArray, damage);
    QFETCH(int, steps);
    Document document(*loadPack(u"blazar"_s));
    for (const QString &title : { u"A"_s, u"B"_s, u"C"_s })
        retitle(document, title);
    QByteArray bytes = leftBy(document);
    QList<QByteArray> lines = bytes.split('\n');
    QCOMPARE(lines.size(), 6);
    if (damage == "end")
        bytes = lines.mid(0, 3).join('\n') + '\n' + lines[3].left(20);
    else if (damage == "letter")
        bytes.replace(lines[1], QByteArray(lines[1]).replace("\"QQ==\"", "\"Qg==\""));
    else if (damage == "middle")
        bytes.replace(lines[2], QByteArray(lines[2]).replace("\"put\":\"", "\"put\":\"AAAA"));
    else
        bytes = damage == "all" ? QByteArray(5000, '\xff') : QByteArray();
    put(bytes);
    if (damage == "large")
        QVERIFY(QFile::resize(path(), (qint64(1) << 30) + 1)); // takes no room on the disk
    const QList<LostDocument> lost = lostDocuments();
    if (damage == "none") {
        QCOMPARE(lost.size(), 0);
        return;
    }
    QCOMPARE(lost.size(), 1);
    QVERIFY(!lost.first().problem.isEmpty());
    QCOMPARE(lost.first().isReadable, steps >= 0);
    QCOMPARE(lost.first().snapshot.steps.size(), std::max(steps, 0));

    HereProgram program;
    const QPointer<MainWindow> window = program.open(builtInPacks().first());
    program.offerLost();
    QVERIFY(window->lost().isHidden()); // offered here already
}

void TestRecovery::everyStepComesBack()
{
    QVERIFY(holdsFor(30, 20, [&] {
        Document document(
            *loadPack(u"blazar"_s), u"/no/such/file.json"_s, writePack(*loadPack(u"blazar"_s)));
        Journal journal(document);
        for (int i = *rc::gen::inRange(1, 12); i > 0; --i) {
            const QString key = *rc::gen::element(QString(), u"a"_s);
            switch (*rc::gen::inRange(0, 8)) {
            case 6:
            case 7: { // laid out by hand
                QByteArray text = document.text();
                const qsizetype sign =
                    text.indexOf(",", *rc::gen::inRange<qsizetype>(0, text.size()));
                text.insert(sign + 1, "   ");
                if (sign >= 0 && JsonText::parse(text, {})
                    && *packFromText(text, {}) == document.pack())
                    document.editText(u"space"_s, text, document.pack(), key);
                break;
            }
            case 0:
                document.history().undo();
                break;
            case 1:
                document.history().redo();
                break;
            case 2:
                document.history().setClean();
                break;
            default:
                document.edit(u"edit %1"_s.arg(i), randomlyEdited(document.pack()), key);
            }
            if (*rc::gen::inRange(0, 2) == 0)
                journal.write();
        }
        journal.write();
        const Document::Snapshot past = document.snapshot();
        if (journals().isEmpty()) {
            RC_ASSERT(past.steps.isEmpty());
            return;
        }
        put(written());
        const QList<LostDocument> all = lostDocuments();
        const bool isKept = past.now != past.saved || past.now < past.steps.size();
        RC_ASSERT(all.size() == (isKept ? 1 : 0));
        if (!isKept)
            return;
        const Document::Snapshot &lost = all.first().snapshot;
        forget(all.first());
        RC_ASSERT(all.first().problem.isEmpty());
        RC_ASSERT(lost.now == past.now);
        RC_ASSERT(lost.saved == past.saved);
        RC_ASSERT(lost.file == past.file);
        RC_ASSERT(lost.text == past.text);
        RC_ASSERT(lost.steps.size() == past.steps.size());
        for (qsizetype i = 0; i < past.steps.size(); ++i) {
            RC_ASSERT(lost.steps[i].text == past.steps[i].text);
            RC_ASSERT(lost.steps[i].pack == past.steps[i].pack);
            RC_ASSERT(identities(lost.steps[i].pack) == identities(past.steps[i].pack));
        }
        Document again(lost);
        RC_ASSERT(again.pack() == document.pack());
        RC_ASSERT(again.isModified() == document.isModified());
        RC_ASSERT(again.text() == document.text());
        while (again.history().canUndo()) {
            again.history().undo();
            document.history().undo();
            RC_ASSERT(again.text() == document.text());
        }
        RC_ASSERT(again.pack() == past.first);
    }));
}

/// Not some time later: what is quickly written is written at once.
void TestRecovery::writtenWhenItIsDone()
{
    Document document(*loadPack(u"blazar"_s));
    Journal journal(document);
    retitle(document, u"Other"_s);
    QCoreApplication::processEvents();
    QCOMPARE(journals().size(), 1);
}

/// The text of its file is no JSON, and what was typed was typed into none.
void TestRecovery::aChartThatBecameAPack()
{
    const QByteArray chart = "@startuml\n[*] --> Open\nOpen --> Closed : close\n@enduml\n";
    const QString name = u"door.puml"_s, packName = m_home.filePath(u"door.json"_s);
    Document document(*packFromText(chart, name), name, chart);
    QByteArray text = document.text();
    document.editText(u"space"_s, text.replace("{", "{  "), document.pack());
    QVERIFY(document.save(packName));
    Pack pack = document.pack();
    pack.about = u"mine"_s;
    document.edit(u"about"_s, pack);
    Document again(lostIn(leftBy(document)).snapshot);
    QCOMPARE(again.text(), document.text());
    again.history().undo();
    QCOMPARE(again.text(), text);
}

/// Other steps in the place of those that were undone; and what is left when only that is known.
void TestRecovery::whatWasUndoneIsReplaced()
{
    Document document(*loadPack(u"blazar"_s), u"/no/such/file.json"_s, "{}");
    Journal journal(document);
    const auto title = [&](const QString &text) {
        retitle(document, text);
        journal.write();
    };
    for (const QString &text : { u"One"_s, u"Two and more"_s, u"Three"_s })
        title(text);
    document.history().setClean();
    journal.write();
    document.history().setIndex(1);
    title(u"Another"_s);
    const QByteArray bytes = written();
    const auto titles = [](const LostDocument &lost) {
        QStringList all;
        for (const Document::Step &step : lost.snapshot.steps)
            all += step.pack.title;
        return all.join(u", "_s) + lost.problem;
    };
    const LostDocument lost = lostIn(bytes);
    QCOMPARE(titles(lost), u"One, Another"_s);
    QCOMPARE(lost.snapshot.saved, -1);

    const qsizetype keep = bytes.indexOf("{\"keep\"");
    QVERIFY(keep > 0);
    const LostDocument less = lostIn(bytes.first(bytes.indexOf('\n', keep) + 1));
    QCOMPARE(less.snapshot.steps.size(), 1);
    QCOMPARE(less.snapshot.saved, -1); // what was saved is not known any more
    QVERIFY(Document(less.snapshot).isModified());
}

/// Else its own file would be taken for somebody else's.
void TestRecovery::whatWasSavedIsKnown()
{
    const QString name = copyOf(u"blazar"_s);
    Document document(*loadPack(name), name, loadPackDocument(name)->bytes());
    Journal journal(document);
    const auto title = [&](const QString &text) {
        retitle(document, text);
        journal.write();
    };
    title(u"Saved"_s);
    QVERIFY(document.save());
    journal.write();
    title(u"Not saved"_s);
    const LostDocument lost = lostIn(written());
    QCOMPARE(lost.snapshot.text, loadPackDocument(name)->bytes());
    QCOMPARE(Document(lost.snapshot).saved().title, u"Saved"_s);
}

void TestRecovery::theFileWasChangedMeanwhile()
{
    const QString name = copyOf(u"blazar"_s);
    {
        const JsonText text = *loadDocument(name);
        Document document(*readPack(text), name, text.bytes());
        Pack pack = document.pack();
        pack.about = u"mine"_s;
        document.edit(u"about"_s, pack);
        put(leftBy(document));
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(text.bytes()).replace("\"id\": \"blazar\"", "\"id\": \"theirs\""));
    }
    HereProgram program;
    const QPointer<MainWindow> first = program.open(builtInPacks().first());
    program.offerLost();
    answer(first->lost(), u"Recover"_s);
    MainWindow *window = program.windows().last();
    NoticeBar &notice = *window->editing()->notice();
    QVERIFY2(begins(notice.text(), u"Another program changed blazar.json, and you have"_s),
        qPrintable(notice.text()));
    answer(notice, u"Reload"_s);
    Document &document = window->editing()->document();
    QCOMPARE(document.pack().id, u"theirs"_s);
    QVERIFY(document.pack().about != u"mine");
    document.history().undo();
    QCOMPARE(document.pack().about, u"mine"_s);
}

/// Killed in one folder, recovered in another that has a file of the same name.
void TestRecovery::fromAnotherFolder()
{
    const QTemporaryDir a, b;
    const QString name = u"my.pack.json"_s, there = a.filePath(name), here = b.filePath(name);
    for (const QString &file : { there, here })
        QVERIFY(QFile::copy(u":/instar/packs/blazar.json"_s, file)
            && QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner));
    const QByteArray bytes = *fileBytes(here);
    const std::unique_ptr<QProcess> process = started(name, script, a.path());
    QTRY_COMPARE_WITH_TIMEOUT(journals().size(), 1, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(written().endsWith("{\"now\":1,\"saved\":0}\n"), Patience);
    end(*process);

    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(b.path()));
    {
        HereProgram program;
        const QPointer<MainWindow> first = program.open(builtInPacks().first());
        program.offerLost();
        answer(first->lost(), u"Recover"_s);
        MainWindow *window = program.windows().last();
        QCOMPARE(window->editing()->document().file(), there);
        QVERIFY(window->editing()->save());
        // What is opened by a relative name is remembered by its path.
        const MainWindow *other = program.open(name);
        QCOMPARE(other->opened().source, here);
        QCOMPARE(program.settings().recentFiles().first(), here);
        for (const Settings::Open &open : program.settings().session())
            QVERIFY2(builtInPacks().contains(open.source) || QDir::isAbsolutePath(open.source),
                qPrintable(open.source));
    }
    QVERIFY(QDir::setCurrent(before));
    QCOMPARE(*fileBytes(here), bytes);
    QVERIFY(!loadPack(there)->machines.first().state(u"PENDING"_s));
    QVERIFY(loadPack(here)->machines.first().state(u"PENDING"_s));
}

/// The journal as a kill leaves it before each system call of its writer, and in the middle of each
/// write: what was complete before comes back, and the user's file is not touched.
void TestRecovery::killedAtEveryWrite()
{
    const QString name = copyOf(u"blazar"_s);
    const JsonText read = *loadDocument(name);
    struct Left
    {
        QByteArray journal;
        Pack before, after; ///< of the last write that was complete, and of the one that was not
    };
    QList<Left> all;
    {
        Document document(*readPack(read), name, read.bytes());
        Journal journal(document);
        Pack complete = document.pack();
        const auto look = [&] {
            const QByteArray bytes = written();
            if (!bytes.isEmpty())
                all += { bytes, complete, document.pack() };
        };
        int fault = 0;
        setFileFault([&] {
            look();
            return std::exchange(fault, 0);
        });
        const auto write = [&] {
            journal.write();
            complete = document.pack();
            look();
        };
        for (const QString &text : { u"A"_s, u"B"_s, u"C"_s }) {
            retitle(document, text);
            write();
        }
        retitle(document, u"D"_s); // two steps in one write
        document.editText(
            u"typed"_s, document.text().replace("\"id\": ", "\"id\":  "), document.pack());
        write();
        document.history().undo();
        document.history().undo();
        write();
        retitle(document, u"instead"_s);
        write();
        fault = ENOSPC; // so that the next one begins anew
        retitle(document, u"unwritten"_s);
        journal.write();
        retitle(document, u"anew"_s);
        write();
        setFileFault({});
    }
    QCOMPARE(*fileBytes(name), read.bytes());

    // In the middle of an append: half of it, all but a byte.
    const qsizetype whole = all.size();
    for (qsizetype i = 1; i < whole; ++i) {
        const QByteArray &before = all[i - 1].journal, now = all[i].journal;
        if (!now.startsWith(before) || now == before)
            continue;
        for (const qsizetype size : { (before.size() + now.size()) / 2, now.size() - 1 })
            all += { now.first(size), all[i - 1].before, all[i].after };
    }
    QVERIFY2(all.size() > 30, qPrintable(QString::number(all.size())));
    for (const Left &left : all) {
        const LostDocument lost = lostIn(left.journal);
        QVERIFY(lost.isReadable);
        QCOMPARE(lost.snapshot.file, name);
        const QString title = Document(lost.snapshot).pack().title;
        QVERIFY2(title == left.before.title || title == left.after.title,
            qPrintable(
                u"%1 instead of %2 or %3"_s.arg(title, left.before.title, left.after.title)));
    }
    QCOMPARE(*fileBytes(name), read.bytes());
}

} // namespace

const TestClass<TestRecovery, QApplication> registered;
#include "tst_recovery.moc"
