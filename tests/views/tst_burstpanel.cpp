// SPDX-License-Identifier: Apache-2.0
// Requests that are collected and fired together.

#include "model/engine/simulator.h"
#include "tests/support/testclass.h"
#include "tests/views/panelsupport.h"
#include "views/look.h"
#include "views/panels/burstpanel.h"
#include "views/panels/firebar.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

using namespace Qt::StringLiterals;
using namespace instar;
using namespace instar::panels;

namespace {

class TestBurstPanel : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qApp->setStyleSheet(styleSheet(Theme::light())); }
    void barArms();
    void detailsHaveHeaders();
    void armedByKeyboard();
    void armedMenu();
    void firesTogether();
    void tabReachesEverything();
};

void TestBurstPanel::barArms()
{
    const auto simulator = sample();
    Selection selection;
    FireBar bar(*simulator, selection);
    BurstPanel panel(*simulator);
    connect(&bar, &FireBar::addedToBurst, &panel, &BurstPanel::add);
    auto *add = button<QPushButton>(bar, u"+ Burst"_s);
    QVERIFY(!add->isEnabled());
    bar.addToBurst();
    QVERIFY(panel.requests().isEmpty());
    selection.choose(subnet);
    add->click();
    add->click();
    QCOMPARE(panel.requests().size(), 2);
    QCOMPARE(panel.requests()[0].path, subnet);
    QCOMPARE(panel.requests()[1].duration, bar.request().duration);
    QCOMPARE(simulator->records().size(), 0); // nothing has happened yet
}

void TestBurstPanel::detailsHaveHeaders()
{
    const auto simulator = sample();
    Selection selection;
    FireBar bar(*simulator, selection);
    selection.choose(subnet);
    bar.show();
    bar.findChild<QToolButton *>(u"more"_s)->click();
    auto *headers = named<QPlainTextEdit>(bar, u"Headers"_s);
    headers->setPlainText(u"X-Trace: a b\n\n x-empty:\n"_s);
    QCOMPARE(bar.request().headers,
        (QList<RequestHeader> { { u"X-Trace"_s, u"a b"_s }, { u"x-empty"_s, QString() } }));
    for (const QString &bad : { u"no name"_s, u": 1"_s, u"a b: 1"_s, u"ü: 1"_s, u"a: \u007f"_s }) {
        headers->setPlainText(bad);
        QVERIFY2(bar.verdictText().startsWith(u"Options: the header"), qPrintable(bad));
        bar.fire();
    }
    QCOMPARE(simulator->operations().all().size(), 0);
    headers->setPlainText(u"X-Trace: a b"_s);
    QCOMPARE(bar.findChild<QToolButton *>(u"more"_s)->text(), u"Options (1)"_s);
    named<QPlainTextEdit>(bar, u"Body"_s)->setPlainText(u"{\"properties\": {\"a\": 1}}"_s);
    QCOMPARE(bar.request().body, "{\"properties\": {\"a\": 1}}");
    QCOMPARE(bar.request().properties, (QJsonObject { { u"a"_s, 1 } }));
    QCOMPARE(bar.findChild<QToolButton *>(u"more"_s)->text(), u"Options (2)"_s);
    bar.fire();
    QCOMPARE(simulator->operations().all().size(), 1); // a local world takes no notice of headers
}

void TestBurstPanel::armedByKeyboard()
{
    const auto simulator = sample();
    BurstPanel panel(*simulator);
    panel.resize(1000, 240);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    auto *fire = panel.findChild<QPushButton *>(u"primary"_s);
    QVERIFY(!fire->isEnabled());
    panel.add({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s });
    panel.add({ .op = u"DELETE"_s, .path = net, .client = u"B"_s });
    QCOMPARE(fire->text(), u"Fire together (2)"_s);
    auto *table = named<QTableView>(panel, u"Requests of the burst"_s);
    table->setFocus();

    const auto paths = [&] {
        QStringList all;
        for (const Request &request : panel.requests())
            all += request.op + u' ' + request.path;
        return all.join(u", "_s);
    };
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(paths(), u"PUT %1"_s.arg(subnet));
    QCOMPARE(table->currentIndex().row(), 0);
}

void TestBurstPanel::armedMenu()
{
    const auto simulator = sample();
    BurstPanel panel(*simulator);
    panel.add({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s });
    QMenu menu;
    panel.fillMenu(menu);
    entry(menu, u"Copy row"_s)->trigger();
    QCOMPARE(copied(), u"A\tPUT Rack-1\t\tsucceeded\t\t%1"_s.arg(subnet));
    QSignalSpy changed(&panel, &BurstPanel::changed);
    entry(menu, u"Clear"_s)->trigger();
    QCOMPARE(changed.size(), 1);
    QVERIFY(panel.requests().isEmpty());
    QVERIFY(!entry(menu, u"Remove"_s)->isEnabled());
}

void TestBurstPanel::firesTogether()
{
    const auto simulator = sample();
    BurstPanel panel(*simulator);
    QVERIFY(simulator->runUntilQuiet());
    simulator->advance(1234);
    simulator->updates().flush();
    connect(&panel, &BurstPanel::fireAsked, this, [&](const QList<Request> &requests) {
        for (const Request &request : requests)
            simulator->submit(request);
    });
    panel.add({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s });
    panel.add({ .op = u"PUT"_s, .path = sibling, .client = u"B"_s });
    panel.add({ .op = u"DELETE"_s, .path = net, .client = u"C"_s });
    panel.findChild<QPushButton *>(u"primary"_s)->click();
    const auto &all = simulator->operations().all();
    QCOMPARE(all.size(), 3);
    for (const Operation &operation : all)
        QCOMPARE(operation.submitted, 1234);
    QCOMPARE(all[1].status, Status::Rejected); // the sibling is in the way
    QCOMPARE(panel.requests().size(), 3);      // to be fired again
}

void TestBurstPanel::tabReachesEverything()
{
    const auto simulator = sample();
    BurstPanel panel(*simulator);
    panel.add({ .op = u"PUT"_s, .path = subnet });
    panel.add({ .op = u"DELETE"_s, .path = subnet });
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    QCOMPARE(unreachableControls(panel), QString());
}

} // namespace

const instar::TestClass<TestBurstPanel, QApplication> registered;
#include "tst_burstpanel.moc"
