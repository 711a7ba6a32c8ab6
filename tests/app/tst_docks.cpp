// SPDX-License-Identifier: Apache-2.0
// How the real window is laid out, and how that is kept.

#include "app/settings.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "views/panels/elidedlabel.h"

#include <QApplication>
#include <QDockWidget>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestDocks : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void docksComeBack();
    void docksComeToTheFront();
    void savedDocksFit();
    void layoutsOfServersStayThere();
    void firstSightIsWhole();
    void longNames();
    void themes();
};

void TestDocks::docksComeBack()
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

void TestDocks::docksComeToTheFront()
{
    const auto isInFront = [this](const QString &name) {
        const auto *dock = m_window->findChild<QDockWidget *>(name);
        return dock->isVisible() && !dock->visibleRegion().isEmpty();
    };
    const QStringList names { u"operations"_s, u"records"_s, u"armed"_s, u"network"_s };
    QVERIFY(isInFront(u"operations"_s));
    for (const int i : { 1, 2, 3, 0, 3, 1 }) {
        QTest::keyClick(m_window, Qt::Key(Qt::Key_3 + i), Qt::AltModifier);
        QTRY_VERIFY2(isInFront(names[i]), qPrintable(names[i]));
        QVERIFY2(
            m_window->findChild<QDockWidget *>(names[i])->isAncestorOf(QApplication::focusWidget()),
            qPrintable(names[i]));
        for (const QString &name : names)
            QVERIFY(!m_window->findChild<QDockWidget *>(name)->isHidden()); // its tab is there
    }
    // In front already: it goes, and comes back.
    QTest::keyClick(m_window, Qt::Key_4, Qt::AltModifier);
    QVERIFY(m_window->findChild<QDockWidget *>(u"records"_s)->isHidden());
    QTest::keyClick(m_window, Qt::Key_4, Qt::AltModifier);
    QTRY_VERIFY(isInFront(u"records"_s));
    QTest::keyClick(m_window, Qt::Key_1, Qt::AltModifier);
    QVERIFY(!isInFront(u"resources"_s));
}

void TestDocks::savedDocksFit()
{
    m_window->resize(1280, 1200);
    QTest::qWait(20);
    auto *resources = m_window->findChild<QDockWidget *>(u"resources"_s);
    auto *operations = m_window->findChild<QDockWidget *>(u"operations"_s);
    m_window->resizeDocks({ resources }, { 100 }, Qt::Horizontal);
    m_window->resizeDocks({ operations }, { 600 }, Qt::Vertical);
    QTest::qWait(20);
    QVERIFY(operations->height() > 500);
    m_window->resize(1280, 720);
    QTest::qWait(20);
    m_window->close();
    m_window = m_program->open(builtInPacks().first());
    m_window->resize(1280, 720);
    QVERIFY(QTest::qWaitForWindowExposed(m_window));
    QTest::qWait(20);
    operations = m_window->findChild<QDockWidget *>(u"operations"_s);
    QVERIFY2(chart().height() >= 200, qPrintable(QString::number(chart().height())));
    QVERIFY(m_window->centralWidget()->height() > operations->height());
    // A chip can be read.
    QVERIFY(tree().columnWidth(ResourceModel::StateWord) > 90);
    QVERIFY(tree().viewport()->width()
        >= tree().columnWidth(ResourceModel::Name) + tree().columnWidth(ResourceModel::StateWord));
}

void TestDocks::layoutsOfServersStayThere()
{
    Settings settings;
    settings.setWindow(Settings::Window::Server, "g", "d");
    QCOMPARE(settings.docks(Settings::Window::Local), QByteArray());
    QCOMPARE(settings.docks(Settings::Window::Server), "d");
    settings.setWindow(Settings::Window::Local, "g", "l");
    QCOMPARE(settings.docks(Settings::Window::Server), "d");
}

void TestDocks::firstSightIsWhole()
{
    m_window->resetDocks();
    QTest::qWait(20);
    const QRectF bounds = chart().layout().bounds;
    QVERIFY2(chart().seen().contains(bounds),
        qPrintable(u"%1 x %2 of %3 x %4"_s.arg(chart().seen().width())
                       .arg(chart().seen().height())
                       .arg(bounds.width())
                       .arg(bounds.height())));
    QVERIFY(chart().transform().m11() >= 0.9 * chart().legibleScale());
}

void TestDocks::longNames()
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
    const QLabel *title = nullptr;
    for (const QLabel *label : m_window->centralWidget()->findChildren<QLabel *>()) {
        if (label->text() == name)
            title = label;
    }
    QVERIFY(title && title->toolTip() == path);
    QVERIFY(
        title->width() < title->fontMetrics().horizontalAdvance(name)); // and is elided, not cut
    QVERIFY(qobject_cast<const ElidedLabel *>(title));
}

void TestDocks::themes()
{
    const auto ground = [this] {
        return m_window->grab().toImage().pixelColor(4, m_window->height() / 2).lightness();
    };
    m_program->setTheme(ThemeChoice::Dark);
    QVERIFY(ground() < 80);
    m_program->setTheme(ThemeChoice::Light);
    QVERIFY(ground() > 200);
}

} // namespace

const instar::TestClass<TestDocks, QApplication> registered;
#include "tst_docks.moc"
