// SPDX-License-Identifier: Apache-2.0
// Work of a panel that is done in sight, and once.
#include "tests/support/testclass.h"
#include "views/whenseen.h"

#include <QApplication>
#include <QTest>
#include <QWidget>

using namespace instar;

namespace {

class TestWhenSeen : public QObject
{
    Q_OBJECT

private slots:
    void inSightAndOnce();
    void settled();
};

void TestWhenSeen::inSightAndOnce()
{
    int done = 0;
    QWidget panel;
    WhenSeen work(panel, [&] { ++done; });
    panel.show();
    QCOMPARE(done, 0); // nobody has asked
    work.ask();
    QCOMPARE(done, 1);
    panel.hide();
    work.ask();
    work.ask();
    QCOMPARE(done, 1);
    panel.show();
    QCOMPARE(done, 2);
    panel.hide();
    panel.show();
    QCOMPARE(done, 2);
    // Behind a tab it is "visible" and disabled.
    panel.setEnabled(false);
    QVERIFY(panel.isVisible() && !work.isSeen());
    work.ask();
    QCOMPARE(done, 2);
    panel.setEnabled(true);
    QCOMPARE(done, 3);
}

void TestWhenSeen::settled()
{
    int done = 0;
    QWidget panel;
    WhenSeen work(panel, [&] { ++done; });
    work.settle();
    QCOMPARE(done, 0);
    work.ask();
    work.settle();
    QCOMPARE(done, 1);
    panel.show();
    QCOMPARE(done, 1);
}

const instar::TestClass<TestWhenSeen, QApplication> registered;
} // namespace

#include "tst_whenseen.moc"
