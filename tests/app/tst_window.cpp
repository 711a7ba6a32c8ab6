// SPDX-License-Identifier: Apache-2.0
// The real window, driven with mouse and keyboard.

#include "app/mainwindow.h"
#include "app/program.h"
#include "app/shot.h"
#include "model/formats/library.h"
#include "model/items/operationmodel.h"
#include "model/items/resourcemodel.h"
#include "views/diagram/statechart.h"
#include "views/panels/firebar.h"
#include "views/panels/inspector.h"
#include "views/panels/queuepanel.h"
#include "views/panels/resourcepanel.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include <memory>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QString net = u"/logicalNetworks/Transit"_s;
const QString subnet = net + u"/subnets/Rack-1"_s;

class TestWindow : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void opensAlive();
    void firesFromTheChart();
    void collides();
    void stepsBack();
    void asksMe();
    void keyboardOnly();
    void commandPalette();
    void everyActionHasAText();
    void themes();
    void docksComeBack();
    void badFile();
    void goodFile();
    void scenarios();
    void switches();
    void longNames();
    void nothingAtAll();

private:
    Simulator &simulator() { return m_window->simulator(); }
    StatechartView &chart() { return *m_window->findChild<StatechartView *>(); }
    QTreeView &tree() { return *m_window->findChild<ResourcePanel *>()->findChild<QTreeView *>(); }
    QTableView &queue() { return *m_window->findChild<QueuePanel *>()->findChild<QTableView *>(); }
    QString inQueue(const QString &id, OperationModel::Column column);
    QString verdict() { return m_window->fireBar().verdictText(); }
    /// What can be clicked on the chart now and means a trigger.
    std::optional<ChartElement> lit(const QString &trigger);
    void clickOn(const ChartElement &element);
    void clickInTree(const QString &path);
    QString write(const QString &name, const QByteArray &content);
    /// What the message says that appears while `act` runs.
    QString messageOf(const std::function<void()> &act);

    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_program;
    QPointer<MainWindow> m_window;
};

void TestWindow::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setOrganizationName(u"instar-test"_s);
    QApplication::setApplicationName(u"instar-test"_s);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
}

void TestWindow::init()
{
    QSettings().clear();
    m_program = std::make_unique<Program>();
    m_window = m_program->open(builtInPacks().first());
    QVERIFY(m_window);
    m_window->resize(1280, 800);
    QVERIFY(QTest::qWaitForWindowExposed(m_window));
    chart().setMotion(StatechartView::Motion::Reduced);
    m_window->select(subnet);
}

void TestWindow::cleanup()
{
    for (const QPointer<MainWindow> &window : m_program->windows())
        delete window.data();
    m_program.reset();
}

QString TestWindow::inQueue(const QString &id, OperationModel::Column column)
{
    const QAbstractItemModel &model = *queue().model();
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.index(row, OperationModel::Id).data().toString() == id)
            return model.index(row, column).data().toString();
    }
    return u"no such operation"_s;
}

std::optional<ChartElement> TestWindow::lit(const QString &trigger)
{
    for (const ChartElement &element : chart().elements()) {
        const Prospect prospect = chart().prospectOf(element);
        if (prospect.isOpen() && prospect.trigger == trigger)
            return element;
    }
    return {};
}

void TestWindow::clickOn(const ChartElement &element)
{
    const ChartArrow &arrow = chart().layout().arrows[element.index];
    const QPoint point = chart().mapFromScene(arrow.lineRect(element.line).center());
    QTest::mouseClick(chart().viewport(), Qt::LeftButton, {}, point);
}

void TestWindow::clickInTree(const QString &path)
{
    const auto *model = static_cast<const ResourceModel *>(tree().model());
    const QModelIndex row = model->indexOf(path);
    QVERIFY(row.isValid());
    tree().scrollTo(row);
    QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, tree().visualRect(row).center());
}

QString TestWindow::write(const QString &name, const QByteArray &content)
{
    const QString path = m_folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
    return path;
}

QString TestWindow::messageOf(const std::function<void()> &act)
{
    QString text;
    QTimer::singleShot(0, this, [&] {
        if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
            text = box->text();
            box->accept();
        }
    });
    act();
    return text;
}

void TestWindow::opensAlive()
{
    const auto second = std::make_unique<Program>();
    MainWindow *fresh = second->open(builtInPacks().first());
    const QString selected = fresh->findChild<ResourcePanel *>()->selectedPath();
    const Tree &all = fresh->simulator().world().tree;
    const Resource resource = all.find(selected);
    QVERIFY(resource != NoResource);
    QVERIFY(all.parent(resource) != NoResource && all.subtree(resource).size() > 1);
    QVERIFY(all.children(all.parent(resource)).size() > 1);
    QVERIFY(fresh->fireBar().verdictText().startsWith(u"accepted"));
    delete fresh;
}

void TestWindow::firesFromTheChart()
{
    const std::optional<ChartElement> put = lit(u"PUT"_s);
    QVERIFY(put);
    clickOn(*put);
    QCOMPARE(simulator().operations().all().size(), 1);
    QCOMPARE(simulator().operations().all().first().path, subnet);
    QVERIFY(simulator().isPlaying()); // the wave runs by itself
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"InProgress"_s);
    simulator().setSpeed(50);
    QTRY_COMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"Succeeded"_s);
    QTRY_VERIFY(!simulator().isPlaying());
}

void TestWindow::collides()
{
    m_window->fire(u"PUT"_s);
    simulator().pause();

    // Another client deletes the sibling: the bar says beforehand that this is refused, and then it
    // is.
    clickInTree(net + u"/subnets/Rack-2"_s);
    auto *operation = m_window->fireBar().findChildren<QComboBox *>().first();
    operation->setCurrentText(u"DELETE"_s);
    QVERIFY2(
        verdict().startsWith(u"refused: 409 AnotherOperationInProgress"), qPrintable(verdict()));
    QTest::mouseClick(m_window->fireBar().findChild<QPushButton *>(u"primary"_s), Qt::LeftButton);
    QCOMPARE(inQueue(u"op2"_s, OperationModel::StatusWord), u"Rejected"_s);
    QVERIFY2(inQueue(u"op2"_s, OperationModel::Note).contains(u"409"),
        qPrintable(inQueue(u"op2"_s, OperationModel::Note)));
    QVERIFY(
        m_window->findChild<Inspector *>()->toPlainText().contains(u"AnotherOperationInProgress"));

    // A DELETE of the whole network cancels the PUT.
    clickInTree(net);
    QVERIFY2(verdict().contains(u"cancels op1"), qPrintable(verdict()));
    QTest::mouseClick(m_window->fireBar().findChild<QPushButton *>(u"primary"_s), Qt::LeftButton);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"Canceled"_s);
    QCOMPARE(inQueue(u"op3"_s, OperationModel::StatusWord), u"InProgress"_s);
    simulator().runUntilQuiet();
    QCOMPARE(simulator().world().tree.find(net), NoResource);
    QCOMPARE(inQueue(u"op3"_s, OperationModel::StatusWord), u"Succeeded"_s);
}

void TestWindow::stepsBack()
{
    m_window->fire(u"DELETE"_s);
    simulator().runUntilQuiet();
    QCOMPARE(simulator().world().tree.find(subnet), NoResource);
    QTest::keyClick(m_window, Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(simulator().world().tree.find(subnet) != NoResource);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"InProgress"_s);
    QCOMPARE(tree().currentIndex().data(ResourceModel::Path).toString(), subnet);
    QTest::keyClick(m_window, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(simulator().moment(), 0);
    QCOMPARE(queue().model()->rowCount(), 0);
    QTest::keyClick(m_window, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"InProgress"_s);
}

void TestWindow::asksMe()
{
    QTest::keyClick(m_window, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(m_window->fireBar().asks());
    m_window->fire(u"PUT"_s);
    simulator().advance(3'600'000);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"InProgress"_s);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::Progress), u"asks you"_s);
    QTRY_VERIFY(lit(u"succeeded"_s) && lit(u"failed"_s));
    clickOn(*lit(u"succeeded"_s));
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"Succeeded"_s);

    m_window->fire(u"PUT"_s);
    QTest::keyClick(
        m_window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier); // ends it as failed
    QCOMPARE(inQueue(u"op2"_s, OperationModel::StatusWord), u"Failed"_s);
}

void TestWindow::keyboardOnly()
{
    QTest::keyClick(m_window, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::Kind), u"PUT"_s);
    simulator().runUntilQuiet();
    QTest::keyClick(m_window, Qt::Key_N, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"typed"_s);
    QTest::keyClick(m_window, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(inQueue(u"op2"_s, OperationModel::Target), subnet + u"/ipPools/typed"_s);
    QTest::keyClick(m_window, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()));
}

void TestWindow::commandPalette()
{
    QTest::keyClick(m_window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto *palette = m_window->findChild<CommandPalette *>();
    QTRY_VERIFY(palette->isVisible());
    auto *list = palette->findChild<QListWidget *>();
    QVERIFY(list->count() > 30);
    QTest::keyClicks(palette->findChild<QLineEdit *>(), u"fire del"_s);
    QCOMPARE(list->count(), 1);
    QTest::keyClick(palette->findChild<QLineEdit *>(), Qt::Key_Return);
    QVERIFY(!palette->isVisible());
    QCOMPARE(inQueue(u"op1"_s, OperationModel::Kind), u"DELETE"_s);
}

void TestWindow::everyActionHasAText()
{
    QMap<QString, QString> keys; // shortcut -> action
    QList<QMenu *> menus;
    for (const QAction *top : m_window->menuBar()->actions())
        menus += top->menu();
    while (!menus.isEmpty()) {
        for (const QAction *action : menus.takeFirst()->actions()) {
            if (action->isSeparator())
                continue;
            QVERIFY(!action->text().isEmpty());
            if (action->menu())
                menus += action->menu();
            for (const QKeySequence &sequence : action->shortcuts()) {
                const QString key = sequence.toString();
                QVERIFY2(!keys.contains(key),
                    qPrintable(key + u": "_s + keys.value(key) + u" and "_s + action->text()));
                keys.insert(key, action->text());
            }
        }
    }
    QVERIFY(keys.size() > 20);
}

void TestWindow::themes()
{
    const auto ground = [this] {
        return m_window->grab().toImage().pixelColor(4, m_window->height() / 2).lightness();
    };
    m_program->setTheme(ThemeChoice::Dark);
    QVERIFY(ground() < 80);
    m_program->setTheme(ThemeChoice::Light);
    QVERIFY(ground() > 200);
}

void TestWindow::docksComeBack()
{
    auto *inspector = m_window->findChild<QDockWidget *>(u"inspector"_s);
    QTest::keyClick(m_window, Qt::Key_2, Qt::AltModifier);
    QVERIFY(!inspector->isVisible());
    m_window->close();
    MainWindow *next = m_program->open(builtInPacks().first());
    QVERIFY(!next->findChild<QDockWidget *>(u"inspector"_s)->isVisible());
    QVERIFY(next->findChild<QDockWidget *>(u"resources"_s)->isVisible());
    m_window = next;
}

void TestWindow::badFile()
{
    const QString broken = write(u"broken.pack.json"_s, "{\n  \"id\": \"x\",\n  oops\n}");
    MainWindow *opened = m_window;
    const QString message = messageOf([&] { opened = m_program->open(broken, m_window); });
    QVERIFY(!opened);
    QVERIFY2(message.contains(u"broken.pack.json:3"), qPrintable(message));
    QVERIFY(m_window && m_window->isVisible()); // nothing was lost
    const QString missing =
        messageOf([&] { m_program->open(m_folder.filePath(u"none.json"_s), m_window); });
    QVERIFY2(missing.contains(u"none.json"), qPrintable(missing));
    QVERIFY(m_program->settings().recentFiles().isEmpty());
}

void TestWindow::goodFile()
{
    const Result<Document> pack = loadPackDocument(builtInPacks().first());
    const QString file = write(u"copy.pack.json"_s, pack->bytes());
    m_window->fire(u"PUT"_s);
    MainWindow *second = m_program->open(file, m_window);
    QVERIFY(second);
    QVERIFY(m_window && m_window->isVisible()); // something has happened in it: it stays
    QVERIFY(second->isVisible());
    QCOMPARE(m_program->settings().recentFiles(), QStringList { file });
    QCOMPARE(second->simulator().world().tree.size(), simulator().world().tree.size());
}

void TestWindow::scenarios()
{
    const QStringList files = builtInScenarios(builtInPacks().first());
    QVERIFY(!files.isEmpty());
    MainWindow *window = m_program->open(files.first(), m_window);
    QVERIFY(window);
    QTRY_VERIFY(!m_window); // nothing had happened in the first one
    QCOMPARE(window->simulator().moment(), 0);
    QVERIFY(window->simulator().lastMoment() > 0);
    window->simulator().runUntilQuiet();
    QCOMPARE(window->simulator().moment(), window->simulator().lastMoment());
}

void TestWindow::switches()
{
    MainWindow *window =
        m_program->open(builtInPacks().first(), m_window, { { u"orphanPolicy"_s, u"fail"_s } });
    QVERIFY(window);
    QCOMPARE(window->simulator().rules().switches().value(u"orphanPolicy"_s), u"fail"_s);
}

void TestWindow::longNames()
{
    const QString name(256, u'n');
    const QString path = net + u"/subnets/"_s + name;
    Request request;
    request.op = u"PUT"_s;
    request.path = path;
    simulator().submit(request);
    simulator().runUntilQuiet();
    QVERIFY(simulator().world().tree.find(path) != NoResource);
    m_window->resize(1000, 650);
    m_window->select(path);
    QTest::qWait(20);
    QCOMPARE(m_window->size(), QSize(1000, 650)); // no name makes the window grow
    QVERIFY(m_window->minimumSizeHint().width() <= 1000);
    QVERIFY(m_window->minimumSizeHint().height() <= 650);
}

void TestWindow::nothingAtAll()
{
    const QString file = write(u"empty.pack.json"_s,
        R"({"id": "empty", "title": "Empty", "types": {"things": {"machine": "m"}}, "operations": {},
            "machines": {"m": {"rest": "there", "states": {"none": {"kind": "initial"}, "there": {}},
            "transitions": [{"from": "none", "on": "make", "to": "there"}]}}})");
    MainWindow *window = nullptr;
    const QString message = messageOf([&] { window = m_program->open(file); });
    QVERIFY2(window, qPrintable(message));
    QCOMPARE(window->simulator().world().tree.size(), 0);
    window->fire();
    QVERIFY(!window->grab().isNull());
    QCOMPARE(window->simulator().records().size(), 0);
}

} // namespace

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
