// SPDX-License-Identifier: Apache-2.0
// Habits of a good desktop program: printing, pictures, files that are dropped, the session, the
// palette over everything, palettes of colours and rest.

#include "app/editing.h"
#include "app/network.h"
#include "tests/app/windowundertest.h"
#include "tests/support/fileanswer.h"
#include "tests/support/testclass.h"
#include "views/look.h"
#include "views/panels/burstpanel.h"
#include "views/panels/commandpalette.h"
#include "views/panels/notice.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QListWidget>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestHabits : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void copiesPaths();
    void nothingIsReplacedSpontaneous();
    void filesAreDropped();
    void sessionComesBack();
    void quitKeepsAllWindows();
    void whatRanComesBack();
    void whatWasSteppedBackOverComesBack();
    void whatWasPlayedComesBack();
    void ofALongRunOneBranchComesBack();
    void anotherPackHasNoRun();
    void nobodyHasToQuit();
    void goneFilesAreNoSession();
    void paletteFindsEverything_data();
    void paletteFindsEverything();
    void palettesOfColours();
    void atRest();

private:
    /// Ends the program as a kill does, and starts it again.
    void revive()
    {
        close();
        m_program = std::make_unique<Program>();
        QVERIFY(m_program->restoreSession());
        m_window = m_program->windows().first();
    }
    void startAgain()
    {
        m_program->quit();
        revive();
    }
    /// Two operations meet, the later one while the first goes on.
    void meet()
    {
        simulator().submit({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s, .duration = 4000 });
        simulator().advance(500);
        simulator().submit({ .op = u"DELETE"_s, .path = net, .client = u"B"_s, .duration = 700 });
    }
};

void TestHabits::copiesPaths()
{
    // Paths that were copied are those that one types.
    auto *inspector = m_window->findChild<Inspector *>();
    m_window->select(subnet);
    inspector->selectAll();
    QVERIFY(inspector->textCursor().selectedText().contains(u'\u200b'));
    inspector->copy();
    QVERIFY(QApplication::clipboard()->text().contains(u"10.10.1.0/24"_s));
    QVERIFY(!QApplication::clipboard()->text().contains(u'\u200b'));
    QVERIFY(!QApplication::clipboard()->mimeData()->html().contains(u'\u200b'));
}

/// The suffix that nobody types counts before it is asked whether a file may be replaced.
void TestHabits::nothingIsReplacedSpontaneous()
{
    m_window->fire(u"PUT"_s);
    simulator().pause();
    simulator().runUntilQuiet();
    const QString path = write(u"kept.html"_s, "mine\n");
    int questions = 0;
    bool mayReplace = false;
    QTimer watch;
    connect(&watch, &QTimer::timeout, this, [&] {
        auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
        if (!box)
            return;
        QWidget *dialog = box->parentWidget();
        ++questions;
        box->button(mayReplace ? QMessageBox::Yes : QMessageBox::No)->click();
        if (!mayReplace)
            qobject_cast<QDialog *>(dialog)->reject();
    });
    watch.start(20);
    const FileAnswer answer(m_folder.filePath(u"kept"_s));
    action(u"Export the Run…"_s).trigger();
    QVERIFY(questions > 0);
    QCOMPARE(bytesOf(path), "mine\n");
    mayReplace = true;
    action(u"Export the Run…"_s).trigger();
    QVERIFY(bytesOf(path).startsWith("<!DOCTYPE html>"));
    QVERIFY(!QFile::exists(m_folder.filePath(u"kept"_s)));
}

/// What is no file is not taken; several files are several windows.
void TestHabits::filesAreDropped()
{
    QMimeData text;
    text.setText(u"words"_s);
    QVERIFY(!drop(m_window, text));
    QMimeData files;
    files.setUrls({ QUrl::fromLocalFile(write(u"a.puml"_s, "@startuml\na --> b\n@enduml\n")),
        QUrl::fromLocalFile(write(u"l.md"_s,
            "# L\n```setup aps\n/resources/a\n```\nWords.\n```check 0\n/resources/a: "
            "aps:ready\n```\n")) });
    QVERIFY(drop(m_window, files));
    const auto titles = [this] {
        QStringList all;
        for (const QPointer<MainWindow> &window : m_program->windows()) {
            if (window && window->isVisible())
                all += window->windowTitle();
        }
        return all.join(u'\n');
    };
    QTRY_VERIFY2(
        titles().contains(u"a – a.puml[*]") && titles().contains(u"L — "), qPrintable(titles()));
}

void TestHabits::sessionComesBack()
{
    const QString file = write(u"mine.md"_s,
        "# Mine\n```setup aps\n/resources/a\n/resources/b\n```\nWords.\n```check 0\n"
        "/resources/a: aps:ready\n```\n");
    MainWindow *second = m_program->open(file);
    QVERIFY(second);
    second->select(u"/resources/b"_s);
    m_window->close(); // the other one stays
    second->close();
    revive();
    QCOMPARE(m_program->windows().size(), 1);
    QVERIFY(m_window->windowTitle().startsWith(u"Mine"));
    QCOMPARE(m_window->selection().resource(), u"/resources/b"_s);
}

void TestHabits::quitKeepsAllWindows()
{
    m_program->open(u"aps"_s);
    m_program->open(u"blazar"_s);
    // What was armed is armed again, but for headers and bodies.
    const QList<Request> armed { { .op = u"PUT"_s,
                                     .path = subnet,
                                     .client = u"A"_s,
                                     .duration = 250,
                                     .ifMatch = u"\"x\""_s },
        { .op = u"DELETE"_s, .path = subnet, .client = u"B"_s, .outcome = u"failed"_s } };
    for (const Request &request : armed)
        m_window->network().burst()->add(request);
    startAgain();
    QCOMPARE(m_program->windows().size(), 3);
    QCOMPARE(m_window->selection().resource(), subnet);
    QCOMPARE(m_window->network().burst()->requests(), armed);
    QVERIFY(m_program->windows().last()->network().burst()->requests().isEmpty());
}

/// What is known of a run, by what it led to.
QStringList traceOf(const Simulator &simulator)
{
    QStringList lines;
    for (const Record &record : simulator.recordsOf(simulator.branch())) {
        for (const Change &change : record.changes)
            lines += u"%1 %2 %3 %4"_s.arg(record.event.time)
                         .arg(int(change.kind))
                         .arg(change.path)
                         .arg(change.to);
    }
    return lines;
}

/// With its branches, however often the program is started.
void TestHabits::whatRanComesBack()
{
    meet();
    simulator().advance(300);
    simulator().jump(1);
    simulator().submit({ .op = u"PUT"_s, .path = net, .client = u"C"_s, .duration = 900 });
    simulator().advance(250);
    simulator().pause();
    const QStringList trace = traceOf(simulator());
    const qint64 now = simulator().world().now;
    const qsizetype moment = simulator().moment(), last = simulator().lastMoment();
    QVERIFY(moment > 1 && now > 0);
    simulator().renameBranch(1, u"earlier"_s);
    const qsizetype first = simulator().recordsOf(0).size();
    for (int start = 1; start <= 2; ++start) {
        startAgain();
        QCOMPARE(traceOf(simulator()), trace);
        QCOMPARE(simulator().world().now, now);
        QCOMPARE(simulator().moment(), moment);
        QCOMPARE(simulator().lastMoment(), last);
        QVERIFY(!simulator().isPlaying());
        const QList<Simulator::Branch> branches = simulator().branches();
        QCOMPARE(branches.size(), 2);
        QCOMPARE(branches.last().name, u"earlier"_s);
        QCOMPARE(branches.last().fork, 1);
        QCOMPARE(simulator().recordsOf(0).size(), first);
    }
    QVERIFY(simulator().runUntilQuiet()); // and goes on
    QVERIFY(simulator().moment() > moment);
}

void TestHabits::whatWasSteppedBackOverComesBack()
{
    meet();
    simulator().advance(100);
    simulator().cancel(
        simulator().operations().all().last().serial); // by hand, later than what is shown
    simulator().runUntilQuiet();
    simulator().jump(1);
    simulator().pause();
    const QStringList trace = traceOf(simulator());
    startAgain();
    startAgain();
    QCOMPARE(traceOf(simulator()), trace);
    QCOMPARE(simulator().moment(), 1);
    // At the beginning, too.
    simulator().jump(0);
    startAgain();
    QCOMPARE(traceOf(simulator()), trace);
    QCOMPARE(simulator().moment(), 0);
}

/// Beside an empty first branch.
void TestHabits::whatWasPlayedComesBack()
{
    auto request = QSharedPointer<Request>::create();
    request->op = u"PUT"_s;
    request->path = subnet;
    QVERIFY(simulator().playOnNewBranch(
        { { .kind = Event::Kind::Submit, .request = request } }, 1000, u"story"_s));
    simulator().jump(0);
    const QStringList trace = traceOf(simulator());
    for (const quint32 shown : { 1U, 0U }) {
        simulator().switchTo(shown);
        startAgain();
        QCOMPARE(simulator().branch(), shown);
        QVERIFY(simulator().recordsOf(0).isEmpty());
        simulator().switchTo(1);
        QCOMPARE(simulator().moment(), 0);
        QCOMPARE(traceOf(simulator()), trace);
    }
}

void TestHabits::ofALongRunOneBranchComesBack()
{
    const Request put { .op = u"PUT"_s, .path = subnet, .client = u"A"_s };
    for (int i = 0; i < 1100; ++i) {
        simulator().submit(put);
        simulator().advance(1);
    }
    simulator().jump(1050);
    simulator().submit(put);
    const QStringList trace = traceOf(simulator());
    startAgain();
    QCOMPARE(simulator().branches().size(), 1);
    QCOMPARE(traceOf(simulator()), trace);
}

void TestHabits::anotherPackHasNoRun()
{
    simulator().submit({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s, .duration = 4000 });
    m_program->quit();
    QList<Settings::Open> session = m_program->settings().session();
    QCOMPARE(session.size(), 1);
    QCOMPARE(session[0].branches.size(), 1);
    session[0].branches[0].run.replace("\"PUT\"", "\"NEVER\"");
    m_program->settings().setSession(session);
    revive();
    QCOMPARE(simulator().lastMoment(), 0);
    QCOMPARE(m_window->selection().resource(), subnet);
    QVERIFY2(statusText().contains(u"NEVER"_s), qPrintable(statusText()));
}

/// A program that is killed says no good-bye.
void TestHabits::nobodyHasToQuit()
{
    simulator().submit({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s, .duration = 4000 });
    simulator().pause();
    const QStringList trace = traceOf(simulator());
    QTRY_VERIFY(!m_program->settings().session().value(0).branches.isEmpty());
    const QList<Settings::Open> session = m_program->settings().session();
    revive();
    QCOMPARE(m_program->settings().session(), session);
    QCOMPARE(traceOf(simulator()), trace);
}

void TestHabits::goneFilesAreNoSession()
{
    m_program->settings().setSession({ { m_folder.filePath(u"gone.json"_s), {} } });
    const auto fresh = std::make_unique<Program>();
    QVERIFY(!fresh->restoreSession());
    fresh->settings().setSession({});
    QVERIFY(!fresh->restoreSession());
}

void TestHabits::paletteFindsEverything_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>(
        "shown"); ///< what the inspector then speaks of; empty: something else
    QTest::newRow("state") << u"state deleting"_s << u"State Deleting of Resource"_s
                           << u"Deleting"_s;
    QTest::newRow("rule") << u"rule R9"_s << u"Rule R9: "_s << u"R9"_s;
    QTest::newRow("operation") << u"operation op1"_s
                               << u"Operation op1: PUT "_s + subnet + u", InProgress"_s << u"op1"_s;
    QTest::newRow("resource") << u"go web-1"_s << u"Go to /"_s << u"Web-1"_s;
    QTest::newRow("lesson") << u"lesson siblings"_s << u"Lesson: Two siblings"_s << QString();
}

void TestHabits::paletteFindsEverything()
{
    QFETCH(QString, typed);
    QFETCH(QString, found);
    QFETCH(QString, shown);
    m_window->fire(u"PUT"_s);
    simulator().pause();
    QTest::keyClick(m_window.data(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto *palette = m_window->findChild<CommandPalette *>();
    auto *line = palette->findChild<QLineEdit *>();
    QTest::keyClicks(line, typed);
    auto *list = palette->findChild<QListWidget *>();
    int row = -1;
    for (int i = 0; i < list->count(); ++i) {
        if (list->item(i)->text().startsWith(found))
            row = i;
    }
    QVERIFY2(row >= 0, qPrintable(found));
    list->setCurrentRow(row);
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(!palette->isVisible());
    if (!shown.isEmpty())
        QVERIFY2(inspected().contains(shown), qPrintable(inspected()));
}

void TestHabits::palettesOfColours()
{
    QSet<QString> grounds;
    for (const QString &text : { u"Light"_s, u"Dark"_s, u"High Contrast"_s, u"Colour-Blind"_s }) {
        action(text).trigger();
        QVERIFY(action(text).isChecked());
        QCOMPARE(chart().scene()->backgroundBrush().color(), theme().window);
        const Theme::Tone &tone = theme().tones[0];
        grounds += tone.line.name();
        QCOMPARE(m_program->settings().theme(), m_program->themeName());
    }
    QCOMPARE(grounds.size(), 4);
    const Program again;
    QCOMPARE(again.themeName(), u"colour-blind"_s);
}

void TestHabits::atRest()
{
    QVERIFY(!m_program->isStill());
    action(u"No Animations"_s).trigger();
    QVERIFY(m_program->isStill());
    QVERIFY(chart().motion() == Motion::Reduced);
    const Program again;
    QVERIFY(again.isStill());
    show(u"aps"_s); // a window that opens later
    QVERIFY(chart().motion() == Motion::Reduced);
    m_window->fire();
    settle();
    QVERIFY(!tree().isWaving());
    action(u"No Animations"_s).trigger();
    QVERIFY(!m_program->isStill());
    QVERIFY(chart().motion() == Motion::Full);
}

const TestClass<TestHabits, QApplication> registered;

} // namespace

#include "tst_habits.moc"
