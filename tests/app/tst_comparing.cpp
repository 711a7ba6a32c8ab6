// SPDX-License-Identifier: Apache-2.0
// The real window, in which its pack is compared with another one.

#include "app/comparing.h"
#include "app/editing.h"
#include "app/editingdocks.h"
#include "model/machine/names.h"
#include "tests/app/windowundertest.h"
#include "tests/support/fileanswer.h"
#include "tests/support/testclass.h"
#include "views/editing/rowform.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStatusBar>
#include <QTreeView>

using namespace instar;

class TestComparing : public QObject, protected WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup();
    void theKeyOffersWhatThereIs();
    void marksLastAsLongAsThePanel();
    void liveWhileEditing();
    void whatCannotBeRead();
    void aClickShowsTheRow();
    void whatIsNotHereIsShown();
    void settings();
    void storiesRunOnBoth();
    void storiesAreSaved();

private:
    Comparing &comparing() { return *m_window->comparing(); }
    ComparePanel &panel() { return comparing().panel(); }
    QDockWidget &dock() { return *m_window->findChild<QDockWidget *>(u"compare"_s); }
    Document &document() { return m_window->editing()->document(); }
    void compare(const QString &what)
    {
        comparing().compareWith(what);
        QTRY_VERIFY_WITH_TIMEOUT(!comparing().isLooking(), 60'000);
    }
    /// The row of the list that says so.
    QModelIndex row(const QString &kind, const QString &where)
    {
        const QAbstractItemModel &model = *panel().list().model();
        for (int i = 0; i < model.rowCount(); ++i) {
            if (model.index(i, 0).data().toString() == kind
                && model.index(i, 1).data().toString() == where)
                return model.index(i, 0);
        }
        return {};
    }
    void click(const QModelIndex &index)
    {
        panel().list().scrollTo(index);
        QTest::mouseClick(panel().list().viewport(), Qt::LeftButton, {},
            panel().list().visualRect(index).center());
    }
    QPushButton *button(const QString &begin)
    {
        for (auto *each : panel().findChildren<QPushButton *>()) {
            if (each->text().startsWith(begin) && each->isVisible())
                return each;
        }
        return nullptr;
    }
};

void TestComparing::cleanup()
{
    if (m_window)
        document().history().setClean(); // else closing asks
    close();
}

void TestComparing::theKeyOffersWhatThereIs()
{
    QVERIFY(dock().isHidden());
    QStringList offered;
    QTimer::singleShot(0, this, [&] {
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        if (!menu)
            return;
        for (const QAction *action : menu->actions())
            offered += action->text();
        menu->close();
    });
    QTest::keyClick(m_window, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!dock().isHidden());
    QCOMPARE(offered,
        QStringList({ u"A &File…"_s, u"This Pack as It Was &Opened"_s, u"A &Built-in System"_s,
            u"Another Se&tting of This Pack"_s }));
}

void TestComparing::marksLastAsLongAsThePanel()
{
    QVERIFY(comparing().marks().marks().isEmpty());
    compare(u"network-controller-sync"_s);
    QVERIFY(!dock().isHidden());
    QVERIFY(panel().pack(Side::Second).switches.isEmpty()); // as is usual: all rows count
    QVERIFY(!comparing().marks().marks().isEmpty());
    dock().hide();
    QTRY_VERIFY(comparing().marks().marks().isEmpty());
    dock().show();
    QTRY_VERIFY(!comparing().marks().marks().isEmpty());
    panel().clear();
    QVERIFY(comparing().marks().marks().isEmpty());
}

void TestComparing::liveWhileEditing()
{
    compare(u"saved"_s);
    QVERIFY(comparing().marks().marks().isEmpty());
    m_window->editing()->setOn(true);
    const QString machine = m_window->editing()->selection().rows().machine;
    document().edit(
        {}, renamed(document().pack(), Name::State, u"Updating"_s, u"Changing"_s, machine));
    QTRY_VERIFY_WITH_TIMEOUT(!comparing().marks().marks().isEmpty(), 30'000);
    QCOMPARE(comparing().marks().marks().first().text, u"was Updating"_s);
    document().history().undo();
    QTRY_VERIFY_WITH_TIMEOUT(comparing().marks().marks().isEmpty(), 30'000);
}

/// A message names file and line; what was compared before stays.
void TestComparing::whatCannotBeRead()
{
    const QString file = write(u"broken.json"_s, "{\n \"id\": \"x\",\n \"machines\" 3\n}");
    QString text;
    const auto read = [&] {
        if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
            text = box->text();
            box->accept();
        }
    };
    QTimer watch;
    connect(&watch, &QTimer::timeout, this, read);
    watch.start(20);
    comparing().compareWith(file);
    QTRY_VERIFY(!text.isEmpty());
    QVERIFY2(text.contains(u"broken.json:3"_s), qPrintable(text));
    QVERIFY(!panel().isComparing());
}

void TestComparing::aClickShowsTheRow()
{
    const QString machine = m_window->editing()->document().pack().machines.first().id;
    compare(u"saved"_s);
    document().edit(
        {}, renamed(document().pack(), Name::State, u"Updating"_s, u"Changing"_s, machine));
    const QString where = machine + u" · Changing"_s;
    QTRY_VERIFY_WITH_TIMEOUT(row(u"→ Renamed state"_s, where).isValid(), 30'000);
    click(row(u"→ Renamed state"_s, where));
    QVERIFY(m_window->editing()->isOn());
    QCOMPARE(
        m_window->editingDocks()->form().pointer(), u"/machines/%1/states/Changing"_s.arg(machine));
    QCOMPARE(m_window->editing()->selection().rows().states, QStringList(u"Changing"_s));
    QVERIFY(!dock().isHidden());
}

/// Of what the other pack has more there is a ghost.
void TestComparing::whatIsNotHereIsShown()
{
    compare(u"network-controller-sync"_s);
    const QModelIndex gone = row(u"− Removed state"_s, u"resource · deleting"_s);
    QVERIFY(gone.isValid());
    click(gone);
    const auto &marks = comparing().marks().marks();
    const auto ghost = std::ranges::find(marks, u"deleting"_s, &DifferenceMark::name);
    QVERIFY(ghost != marks.end());
    QTRY_VERIFY(chart().seen().contains(ghost->ghost));
    // The pack itself is a row, too.
    click(row(u"≠ Changed pack"_s, u"network-controller"_s));
    QCOMPARE(m_window->editingDocks()->form().pointer(), QString());
    QVERIFY(m_window->editingDocks()->form().control(u"title"_s));
}

void TestComparing::settings()
{
    m_window = m_program->open(u"blazar"_s);
    compare(u"relationships=code"_s);
    QCOMPARE(panel().title(Side::First), u"Relationships: Code"_s);
    QVERIFY(!panel().comparison().comparison.differences.isEmpty());
    QVERIFY(button(u"Run on this pack"_s));
}

/// In a window each, at the beginning, with the same asked of both.
void TestComparing::storiesRunOnBoth()
{
    compare(u"network-controller-sync"_s);
    const auto open = [this] {
        QList<MainWindow *> windows;
        for (const QPointer<MainWindow> &window : m_program->windows()) {
            if (window)
                windows += window;
        }
        return windows;
    };
    QCOMPARE(open().size(), 1);
    QTest::mouseClick(button(u"Run on this pack"_s), Qt::LeftButton);
    QTest::mouseClick(button(u"Run on Network"_s), Qt::LeftButton);
    QCOMPARE(open().size(), 3);
    for (MainWindow *window : open().mid(1)) {
        QCOMPARE(window->simulator().moment(), 0);
        QVERIFY(window->simulator().lastMoment() > 0);
        QVERIFY(window->windowTitle().startsWith(u"A story"_s));
        const QString said = window->statusBar()->currentMessage();
        QVERIFY2(said.startsWith(u"Played"_s), qPrintable(said)); // no fault of the second one
    }
    QCOMPARE(open()[1]->controller().rules().pack().id, u"network-controller"_s);
    QCOMPARE(open()[2]->controller().rules().pack().id, u"network-controller-sync"_s);
    open()[1]->simulator().step();
    open()[2]->simulator().step();
    QCOMPARE(open()[1]->controller().operations().all().first().path,
        open()[2]->controller().operations().all().first().path);
}

void TestComparing::storiesAreSaved()
{
    compare(u"network-controller-sync"_s);
    const QString file = m_folder.filePath(u"told.scenario.json"_s);
    const FileAnswer answer(file);
    QTest::mouseClick(button(u"Save the Story…"_s), Qt::LeftButton);
    QVERIFY(QFile::exists(file));
    const MainWindow *window = m_program->open(file);
    QVERIFY(window); // which plays what it expects
    QCOMPARE(const_cast<MainWindow *>(window)->controller().rules().pack().id,
        u"network-controller-sync"_s);
}

const instar::TestClass<TestComparing, QApplication> registered;
#include "tst_comparing.moc"
