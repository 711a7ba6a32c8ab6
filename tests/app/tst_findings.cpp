// SPDX-License-Identifier: Apache-2.0
// What somebody who is new to the program stumbled over.

#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "views/editing/matrixpanel.h"
#include "views/panels/connectdialog.h"

#include <QLineEdit>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestFindings : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void addressesNeedNoScheme_data();
    void addressesNeedNoScheme();
    void matrixExplainsInExplore();
    void whySpeaksOfNow();
};

void TestFindings::addressesNeedNoScheme_data()
{
    const Rows<QString, QString> row("typed", "meant");
    row("localhost:8080", "http://localhost:8080");
    row("127.0.0.1:1", "http://127.0.0.1:1");
    row("[::1]:80", "http://[::1]:80");
    row("127.0.0.1:8080/base", "http://127.0.0.1:8080/base");
    row("server.example:8443", "https://server.example:8443");
    row("server.example", "https://server.example");
    row("127.0.0.1.example", "https://127.0.0.1.example");
    row("http://server.example", "http://server.example");
    row("HTTPS://h", "HTTPS://h");
    row("ftp://h", "ftp://h");
    row("", "");
}

void TestFindings::addressesNeedNoScheme()
{
    QFETCH(QString, typed);
    QFETCH(QString, meant);
    QCOMPARE(completedUrl(typed), meant);
    const bool isRight = meant.startsWith(u"http", Qt::CaseInsensitive);
    QCOMPARE(serverUrlProblem(meant).isEmpty(), isRight);
}

void TestFindings::matrixExplainsInExplore()
{
    QDockWidget *dock = this->dock(u"conflicts"_s);
    m_window->docks().raiseAndFocus(dock);
    MatrixPanel &matrix = m_window->editing()->matrix();
    QTRY_VERIFY(matrix.isVisible() && matrix.model().rowCount() > 0);
    const Meeting meeting { u"PUT"_s, u"PUT"_s, u"self"_s };
    const Pack before = m_window->editing()->document().pack();
    const auto click = [&] {
        matrix.table().setCurrentIndex(matrix.model().indexOf(meeting));
        const QRect cell = matrix.table().visualRect(matrix.model().indexOf(meeting));
        QTest::mouseClick(matrix.table().viewport(), Qt::LeftButton, {}, cell.center());
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        const bool offers = menu != nullptr;
        if (menu)
            menu->close();
        return offers;
    };
    QVERIFY(!click());
    // Which row, and which source.
    const QString told = matrix.details().toPlainText();
    QVERIFY2(told.contains(u"Row ") && told.contains(u"R6"), qPrintable(told));
    QVERIFY(!matrix.details().toHtml().contains(u"href"));
    for (const int key : { int(Qt::Key_Return), int(Qt::Key_Space), int(Qt::Key_W) })
        QTest::keyClick(&matrix.table(), Qt::Key(key));
    QVERIFY(!QApplication::activePopupWidget());
    QVERIFY(m_window->editing()->document().pack() == before);

    QTest::keyClick(m_window, Qt::Key_E, Qt::ControlModifier);
    m_window->docks().raiseAndFocus(dock);
    QTRY_VERIFY(matrix.isVisible());
    QVERIFY(click());
    QVERIFY(matrix.details().toHtml().contains(u"href"));
    QTest::keyClick(&matrix.table(), Qt::Key_W);
    QVERIFY(m_window->editing()->document().pack() != before);
    QTest::keyClick(m_window, Qt::Key_E, Qt::ControlModifier);
    QVERIFY(!click());
}

void TestFindings::whySpeaksOfNow()
{
    auto *inspector = m_window->findChild<Inspector *>();
    const auto card = [&] {
        settle();
        const QString text = inspector->toPlainText();
        const qsizetype at = text.indexOf(u"Why ");
        return text.mid(at, text.indexOf(u'?', at) - at + 1);
    };
    const quint32 put = simulator().submit({ .op = u"PUT"_s, .path = subnet });
    m_window->showOperation(put);
    QCOMPARE(card(), u"Why is the resource Updating?"_s);
    simulator().runUntilQuiet();
    QCOMPARE(card(), u"Why is the resource Succeeded?"_s);
    const quint32 removal = simulator().submit({ .op = u"DELETE"_s, .path = subnet });
    QCOMPARE(card(), u"Why did the resource become Succeeded?"_s); // another one goes on since
    m_window->showOperation(removal);
    QCOMPARE(card(), u"Why is the resource Deleting?"_s);
    simulator().runUntilQuiet();
    QCOMPARE(card(), u"Why is the resource gone?"_s);
    simulator().submit({ .op = u"PUT"_s, .path = subnet });
    QCOMPARE(card(), u"Why was the resource removed?"_s);
}

const TestClass<TestFindings, QApplication> registered;

} // namespace

#include "tst_findings.moc"
