// SPDX-License-Identifier: Apache-2.0
// What the menus, the titles and the lists of the real window offer: each does what it says.

#include "app/network.h"
#include "tests/app/windowundertest.h"
#include "tests/support/fileanswer.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/panels/burstpanel.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/notice.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QMenuBar>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestCommands : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void operations();
    void listsLeadToTheirRows();
    void picturesAndScenarios();
    void view();
    void titlesSayWhatIsShown();
    void panelsAreDetached();
    void shortcutsAreInOneMenu();
    void help();

private:
    QString status(const QString &id) { return inQueue(id, OperationModel::StatusWord); }
    /// The visible labels above the chart.
    QString titles()
    {
        QStringList texts;
        for (const ElidedLabel *label : m_window->centralWidget()->findChildren<ElidedLabel *>()) {
            if (label->isVisible())
                texts += label->text();
        }
        return texts.join(u" | "_s);
    }
};

void TestCommands::operations()
{
    QAction &cancel = action(u"Cancel the Running Operation"_s),
            &good = action(u"End the Operation with succeeded"_s);
    QVERIFY(!cancel.isEnabled() && !good.isEnabled());
    m_window->fireBar().setOperation(u"PUT"_s);
    action(u"Add to the Burst"_s).trigger();
    QCOMPARE(statusText(), u"Added PUT on %1 to the burst"_s.arg(subnet));
    QCOMPARE(m_window->network().burst()->requests().size(), 1);
    QCOMPARE(simulator().operations().all().size(), 0);
    action(u"Fire Together"_s).trigger();
    QCOMPARE(status(u"op1"_s), u"InProgress"_s);
    simulator().pause();
    QVERIFY(cancel.isEnabled() && good.isEnabled());
    cancel.trigger();
    QCOMPARE(status(u"op1"_s), u"Canceled"_s);
    QVERIFY(!cancel.isEnabled() && !good.isEnabled());
    action(u"Fire DELETE"_s).trigger();
    QCOMPARE(inQueue(u"op2"_s, OperationModel::Kind), u"DELETE"_s);
    QCOMPARE(inQueue(u"op2"_s, OperationModel::Target), subnet);
    good.trigger();
    QCOMPARE(status(u"op2"_s), u"Succeeded"_s);
}

void TestCommands::listsLeadToTheirRows()
{
    m_window->fire(u"PUT"_s);
    runOut();
    auto *records = m_window->findChild<RecordPanel *>();
    auto *table = records->findChild<QTableView *>();
    simulator().play();
    emit table->doubleClicked(table->model()->index(0, 0));
    QCOMPARE(simulator().moment(), 1);
    QVERIFY(!simulator().isPlaying()); // or it would be left at once
    auto *queue = m_window->findChild<QueuePanel *>();
    emit records->targetAsked(net);
    QCOMPARE(m_window->selection().resource(), net);
    emit queue->targetAsked(subnet);
    QCOMPARE(m_window->selection().resource(), subnet);
    emit records->whyAsked(1, {});
    QCOMPARE(m_window->selection().operation(), 1u);
    emit records->whyAsked(0, net);
    QCOMPARE(m_window->selection().resource(), net);
    emit queue->endAsked(1, u"failed"_s);
    QCOMPARE(status(u"op1"_s), u"Failed"_s);
    emit queue->outcomesAsked();
    QCOMPARE(m_window->docks().room(), Room::Outcomes);
}

void TestCommands::picturesAndScenarios()
{
    action(u"Copy Picture of the Chart"_s).trigger();
    QCOMPARE(QApplication::clipboard()->image().size(), chart().image().size());
    m_window->fire(u"PUT"_s);
    simulator().pause();
    settle();
    const QString file = m_folder.filePath(u"mine.svg"_s);
    for (const auto &[text, canvas] :
        { std::pair<QString, const Canvas *>(u"Save Picture of the Chart…"_s, &chart()),
            { u"Save Picture of the Timeline…"_s, &tree() } }) {
        QFile::remove(file);
        const FileAnswer answer(file);
        const QSizeF size = canvas->pictureSize();
        action(text).trigger();
        QCOMPARE(statusText(), u"Saved "_s + file);
        const QString box = u"viewBox=\"0 0 %1 %2\""_s.arg(
            QString::number(size.width(), 'g', 6), QString::number(size.height(), 'g', 6));
        QVERIFY2(bytesOf(file).contains(box.toLatin1()), qPrintable(box));
    }
    const FileAnswer answer(m_folder.filePath(u"mine"_s));
    action(u"Save as Scenario…"_s).trigger();
    const QByteArray saved = bytesOf(m_folder.filePath(u"mine.scenario.json"_s));
    const QJsonValue step = QJsonDocument::fromJson(saved)[u"steps"_s].toArray().first();
    QCOMPARE(step[u"op"_s].toString(), u"PUT"_s);
    QCOMPARE(step[u"path"_s].toString(), subnet);
}

void TestCommands::view()
{
    QTest::qWait(20); // until the chart has its size
    const auto scale = [this] { return chart().transform().m11(); };
    const double whole = scale();
    action(u"Zoom In"_s).trigger();
    const double near = scale();
    QVERIFY(near > whole);
    action(u"Zoom In"_s).trigger();
    action(u"Zoom Out"_s).trigger();
    QCOMPARE(scale(), near);
    action(u"Whole Chart"_s).trigger();
    QCOMPARE(scale(), whole);
    m_window->activateWindow();
    action(u"Go to the Notice"_s).trigger();
    QCOMPARE(statusText(), u"No notice is waiting for an answer."_s);
    m_window->lost().ask(Notice::Tone::Hint, u"Is this so?"_s, { { u"Yes"_s, {}, [] {} } });
    action(u"Go to the Notice"_s).trigger();
    QTRY_VERIFY(m_window->lost().isAncestorOf(QApplication::focusWidget()));
}

void TestCommands::titlesSayWhatIsShown()
{
    QVERIFY(titles().startsWith(u"Rack-1 | · lifecycle of resource · "_s));
    m_window->select(net);
    QCOMPARE(titles().section(u" | "_s, 0, 0), u"Transit"_s);
    m_window->docks().enter(Room::Edit);
    QCOMPARE(titles().section(u" | "_s, 0, 0), u"Resource"_s);
    QVERIFY(has(titles(), { u"Double-click: state"_s }) && !titles().contains(u"lifecycle"_s));
    panels::button<QToolButton>(*m_window, u"Try in Explore"_s)->click();
    QCOMPARE(m_window->docks().room(), Room::Explore);
    QVERIFY(titles().startsWith(u"Transit | · lifecycle of resource · "_s));
}

void TestCommands::panelsAreDetached()
{
    QDockWidget *details = dock(u"inspector"_s);
    const auto press = [&](const QString &tip) {
        panels::named<QToolButton>(*details, tip)->click();
    };
    press(u"Show Details in a separate window"_s);
    QVERIFY(details->isFloating());
    press(u"Put Details back into the window"_s);
    QVERIFY(!details->isFloating());
}

void TestCommands::shortcutsAreInOneMenu()
{
    const auto menus = m_window->menuBar()->findChildren<QMenu *>();
    for (QAction *action : m_window->findChildren<QAction *>()) {
        if (action->shortcut().isEmpty() || action->shortcutContext() != Qt::WindowShortcut)
            continue;
        const auto holds = [=](const QMenu *menu) { return menu->actions().contains(action); };
        QVERIFY2(std::ranges::count_if(menus, holds) == 1, qPrintable(action->text()));
    }
    QCOMPARE(qobject_cast<QMenu *>(action(u"Find…"_s).parent())->title(), u"&Edit"_s);
}

void TestCommands::help()
{
    const Message about = messageOf([this] { action(u"About Instar"_s).trigger(); }, {});
    QVERIFY(begins(about.text, u"Instar "_s));
    QVERIFY(has(about.text, { simulator().rules().pack().title }));
}

} // namespace

const instar::TestClass<TestCommands, QApplication> registered;
#include "tst_commands.moc"
