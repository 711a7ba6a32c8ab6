// SPDX-License-Identifier: Apache-2.0
// Every step of writing fails once, for every kind of file that the program makes: the old bytes or
// the new ones are there, and somebody is told why.

#include "app/filedialogs.h"
#include "app/settings.h"
#include "model/json/exchanges.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/saving.h"
#include "model/statecharts/machinefile.h"
#include "tests/app/builtprogram.h"
#include "tests/support/testclass.h"
#include "views/document/document.h"
#include "views/document/journal.h"

#include <QApplication>
#include <QDir>
#include <QMessageBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

#include <cerrno>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// A file of some kind with old content, and what writes the new content into it.
struct Writing
{
    QString file;
    std::function<QString()> write; ///< returns what the user is told; empty: all is well
};
using Prepare = std::function<Writing(const QString &folder)>;

/// Lets the n-th step of writing fail as on a full disk.
class Fault
{
public:
    explicit Fault(int step)
    {
        setFileFault([this, step] { return m_steps++ == step ? ENOSPC : 0; });
        m_step = step;
    }
    ~Fault() { setFileFault({}); }
    bool hasHappened() const { return m_steps > m_step; }

private:
    int m_steps = 0, m_step = 0;
};

class TestFileFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { moveTo(m_home.path()); }
    void everyStepFailsOnce_data();
    void everyStepFailsOnce();

private:
    QTemporaryDir m_home;
};

Pack titled(Pack pack, const QString &title)
{
    pack.title = title;
    pack.machines.first().states.last().label = title;
    return pack;
}

QString errorOf(const Result<bool> &written)
{
    return written ? QString() : written.error();
}

/// A document that was saved, with a change that is not.
Writing savingOf(const QString &file, const Pack &pack)
{
    auto document = std::make_shared<Document>(pack);
    if (!document->save(file))
        return {};
    document->edit(u"title"_s, titled(pack, u"New"_s));
    return { file, [document] { return errorOf(document->save()); } };
}

/// A journal with one step in it, and one that is to be written.
Writing journalOf()
{
    const QString folder =
        QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/recovery"_s;
    QDir(folder).removeRecursively();
    auto document = std::make_shared<Document>(*loadPack(u"blazar"_s));
    auto journal = std::make_shared<Journal>(*document);
    auto told = std::make_shared<QString>();
    QObject::connect(journal.get(), &Journal::problemChanged, journal.get(),
        [told](const QString &problem) { *told = problem; });
    document->edit(u"one"_s, titled(document->pack(), u"One"_s));
    journal->write();
    document->edit(u"two"_s, titled(document->pack(), u"Two"_s));
    const QString name = QDir(folder).entryList({ u"*.journal"_s }).value(0);
    return { QDir(folder).filePath(name), [document, journal, told] {
                journal->write();
                return *told;
            } };
}

Writing settingsWith(const std::function<void(Settings &, bool isNew)> &change)
{
    Settings old;
    change(old, false);
    return { Settings::file(), [change] {
                QString told;
                Settings settings;
                settings.reportProblems([&](const QString &problem) { told = problem; });
                change(settings, true);
                return told;
            } };
}

/// Saves as the window does, and reads what its message says.
QString savedInWindow(const QString &file, const QByteArray &bytes)
{
    QString told;
    QTimer::singleShot(0, qApp, [&] {
        if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
            told = box->text();
            box->accept();
        }
    });
    const bool isSaved = !savedTo(nullptr, u"Save Picture"_s, file, bytes).isEmpty();
    QApplication::processEvents(); // where no message waited for it
    return isSaved == told.isEmpty() ? told : u"the message and the result differ"_s;
}

void TestFileFaults::everyStepFailsOnce_data()
{
    addColumns<Prepare, int>("prepare", "leastSteps");

    const auto row = [](const char *kind, int leastSteps, const Prepare &prepare) {
        QTest::newRow(kind) << prepare << leastSteps;
    };
    const int whole = 8; // open, write, sync, close, rename; open, sync and close the folder
    row("pack", whole, [](const QString &folder) {
        return savingOf(folder + u"/a.pack.json"_s, *loadPack(u"blazar"_s));
    });
    row("chart", whole, [](const QString &folder) {
        const QString file = folder + u"/a.puml"_s;
        std::ignore = writeFile(file, "@startuml\n[*] --> A\nA --> B : go\n@enduml\n");
        const Result<QByteArray> text = fileBytes(file);
        const Result<Pack> pack = packFromText(*text, file);
        auto document = std::make_shared<Document>(*pack, file, *text);
        Pack changed = *pack;
        changed.machines.first().transitions.last().on = { u"new"_s };
        document->edit(u"trigger"_s, changed);
        return Writing { file, [document] { return errorOf(document->save()); } };
    });
    row("session", whole, [](const QString &) {
        return settingsWith([](Settings &settings, bool isNew) {
            settings.setSession({ { u"blazar"_s, isNew ? u"/new"_s : u"/old"_s } });
        });
    });
    row("settings", whole, [](const QString &) {
        return settingsWith([](Settings &settings, bool isNew) {
            settings.setTheme(isNew ? u"dark"_s : u"light"_s);
        });
    });
    row("journal", 1, [](const QString &) { return journalOf(); });
    row("history that begins", whole, [](const QString &folder) {
        const QString file = folder + u"/h.ndjson"_s;
        std::ignore = writeFile(file, "old\n");
        return Writing { file, [file] { return ExchangeLog(file).problem(); } };
    });
    row("history that goes on", 3, [](const QString &folder) {
        const QString file = folder + u"/h.ndjson"_s;
        auto history = std::make_shared<ExchangeLog>(file);
        history->add({});
        return Writing { file, [history] {
                            history->add({});
                            history->finish();
                            return history->problem();
                        } };
    });
    row("export", whole, [](const QString &folder) {
        const QString file = folder + u"/picture.svg"_s;
        std::ignore = writeFile(file, "<svg/>");
        return Writing { file, [file] { return savedInWindow(file, "<svg>new</svg>"); } };
    });
}

void TestFileFaults::everyStepFailsOnce()
{
    QFETCH(Prepare, prepare);
    QFETCH(int, leastSteps);
    QByteArray expected;
    {
        const QTemporaryDir folder;
        const Writing writing = prepare(folder.path());
        QCOMPARE(writing.write(), QString());
        expected = *fileBytes(writing.file);
    }
    int step = 0;
    for (;; ++step) {
        const QTemporaryDir folder;
        const Writing writing = prepare(folder.path());
        const QByteArray before = *fileBytes(writing.file);
        QVERIFY(before != expected);
        const Fault fault(step);
        const QString told = writing.write();
        if (!fault.hasHappened())
            break;
        const QByteArray after = *fileBytes(writing.file);
        QVERIFY2(after == before || after == expected, after.constData());
        QVERIFY2(told.contains(u"No space left on device"_s), qPrintable(told));
        QVERIFY2(told.contains(QFileInfo(writing.file).fileName()), qPrintable(told));
        const QStringList left = QDir(QFileInfo(writing.file).path())
                                     .entryList({ u".instar-*"_s }, QDir::Files | QDir::Hidden);
        QCOMPARE(left, QStringList());
    }
    QVERIFY2(step >= leastSteps, qPrintable(QString::number(step)));
}

} // namespace

const TestClass<TestFileFaults, QApplication> registered;
#include "tst_filefaults.moc"
