// SPDX-License-Identifier: Apache-2.0
// The network panel, driven as a user would.

#include "model/json/exchanges.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/panelsupport.h"
#include "views/look.h"
#include "views/panels/networkpanel.h"
#include "views/panels/notice.h"

#include <QApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTabWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using namespace instar;
using namespace instar::panels;

namespace {

Exchange exchange(quint64 number, int status = 200)
{
    Exchange made;
    made.number = number;
    made.sent = QDateTime(QDate(2026, 11, 21), QTime(8, 30), Qt::UTC).addMSecs(qint64(number));
    made.client = number % 2 ? u"A"_s : u"B"_s;
    made.operation = u"op%1"_s.arg(number % 3);
    made.method = number % 2 ? u"PUT"_s : u"GET"_s;
    made.url = u"http://127.0.0.1:8080/v1/racks/r%1"_s.arg(number);
    made.purpose = number % 2 ? Exchange::Purpose::Fire : Exchange::Purpose::Poll;
    made.requestHeaders = { { u"X-It's"_s, u"a \"b\""_s } };
    if (number % 2)
        made.requestBody = "{\"a\":1.50}";
    made.status = status;
    made.reason = status == 409 ? u"Conflict"_s : u"OK"_s;
    made.responseHeaders = { { u"Content-Type"_s, u"application/json"_s } };
    made.responseBody = "{\"weight\":1.50,\"list\":[1]}";
    made.duration = 12.5;
    return made;
}

NetworkState connected()
{
    return { .kind = NetworkState::Kind::Connected,
        .url = u"http://127.0.0.1:8080"_s,
        .detail = u"33 resources"_s };
}

/// A panel with six exchanges, shown.
struct Shown
{
    NetworkPanel panel;
    QTableView *table = named<QTableView>(panel, u"Exchanges"_s);
    ExchangeView *whole = panel.findChild<ExchangeView *>();
    Shown()
    {
        panel.resize(1200, 300);
        panel.setState(connected());
        for (quint64 number = 1; number <= 6; ++number)
            panel.put(exchange(number, number == 3 ? 409 : 200));
        polls()->click();
        panel.show();
        if (!QTest::qWaitForWindowActive(&panel))
            qFatal("the panel is not shown");
    }
    QToolButton *polls() { return panel.findChild<QToolButton *>(u"polls"_s); }
    QString answer() const { return named<QTextBrowser>(panel, u"Response"_s)->toPlainText(); }
};

class TestNetworkPanel : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qApp->setStyleSheet(styleSheet(Theme::light())); }
    void emptyState();
    void states();
    void failures_data();
    void failures();
    void silence();
    void verdict();
    void servesOthers();
    void followsUnseen();
    void switches();
    void filter();
    void reads();
    void readingStays();
    void copies();
    void menu();
    void servedClients();
    void longBodies();
    void tabReachesEverything();
};

void TestNetworkPanel::emptyState()
{
    NetworkPanel panel;
    panel.resize(1000, 240);
    panel.show();
    QCOMPARE(text(panel, "networkState"), u"Not connected"_s);
    auto *toConnect = button<QPushButton>(panel, u"Connect to a server…"_s);
    QVERIFY(toConnect->isVisible());
    QSignalSpy connects(&panel, &NetworkPanel::connectAsked),
        serves(&panel, &NetworkPanel::serveAsked);
    QTest::mouseClick(toConnect, Qt::LeftButton);
    QTest::mouseClick(button<QPushButton>(panel, u"Serve this simulation"_s), Qt::LeftButton);
    QCOMPARE(connects.size(), 1);
    QCOMPARE(serves.size(), 1);

    panel.put(exchange(1));
    QVERIFY(!toConnect->isVisible());
    QVERIFY(named<QTableView>(panel, u"Exchanges"_s)->isVisible());
    QTest::mouseClick(button(panel, u"Connect…"_s), Qt::LeftButton); // still in reach
    QCOMPARE(connects.size(), 2);
}

void TestNetworkPanel::states()
{
    NetworkPanel panel;
    panel.resize(1200, 240);
    panel.show();
    auto *reconnect = button(panel, u"Reconnect"_s), *cancel = button(panel, u"Cancel"_s);
    auto *progress = panel.findChild<QProgressBar *>();
    QVERIFY(!reconnect->isVisible());

    NetworkState state = connected();
    panel.setState(state);
    QCOMPARE(text(panel, "networkState"), u"Connected"_s);
    QCOMPARE(text(panel, "networkWhere"), u"http://127.0.0.1:8080 · 33 resources"_s);
    QVERIFY(reconnect->isEnabled() && !progress->isVisible() && !cancel->isVisible());

    state.kind = NetworkState::Kind::Loading;
    state.done = 30;
    state.total = 120;
    panel.setState(state);
    QVERIFY(!reconnect->isEnabled() && progress->isVisible());
    QCOMPARE(progress->value(), 30);
    QCOMPARE(progress->maximum(), 120);
    QSignalSpy canceled(&panel, &NetworkPanel::cancelAsked);
    QTest::mouseClick(cancel, Qt::LeftButton);
    QCOMPARE(canceled.size(), 1);

    state = connected();
    state.kind = NetworkState::Kind::Lost;
    state.detail = u"Connection refused"_s;
    state.retry = QDateTime::currentDateTimeUtc().addSecs(100);
    panel.setState(state);
    QCOMPARE(text(panel, "networkState"), u"Connection lost"_s);
    QCOMPARE(text(panel, "networkWhere"), u"http://127.0.0.1:8080 · Connection refused"_s);
    QCOMPARE(failureText(state, state.retry.addMSecs(-3500)),
        u"Connection lost: Connection refused · retrying in 4 s"_s);
    QCOMPARE(failureText(state, state.retry.addSecs(1)),
        u"Connection lost: Connection refused · retrying now"_s);
    QSignalSpy again(&panel, &NetworkPanel::reconnectAsked);
    QTest::mouseClick(reconnect, Qt::LeftButton);
    QCOMPARE(again.size(), 1);

    state.kind = NetworkState::Kind::Closed;
    panel.setState(state);
    QCOMPARE(text(panel, "networkState"), u"Disconnected"_s);
    QVERIFY(reconnect->isEnabled());

    panel.setState({ .kind = NetworkState::Kind::Serving, .url = u"http://127.0.0.1:1"_s });
    QCOMPARE(text(panel, "networkState"), u"Serving"_s);
    QVERIFY(!reconnect->isVisible());
}

void TestNetworkPanel::failures_data()
{
    using Kind = NetworkState::Kind;
    const Rows<NetworkState, QString, bool, QString, QString> row(
        "state", "strip", "retries", "blocked", "empty");
    const auto remote = [](Kind kind, bool hasTree, bool readOnly = false,
                            const char *detail = "") {
        return NetworkState { .kind = kind,
            .url = u"http://h"_s,
            .detail = QString::fromUtf8(detail),
            .readOnly = readOnly,
            .hasTree = hasTree };
    };
    row("our own", {}, "", false, "", "");
    row("connected", remote(Kind::Connected, true), "Writing is on: requests change the server",
        false, "", "");
    row("read only", remote(Kind::Connected, true, true), "", false,
        "read-only connection: switch off Read Only in the Network menu to send changes", "");
    row("at first", remote(Kind::Loading, false), "Reading the resource tree: http://h", false,
        "cannot be sent yet: the resource tree is being read",
        "Reading the resource tree from the server.");
    row("once more", remote(Kind::Loading, true, true), "", false,
        "read-only connection: switch off Read Only in the Network menu to send changes", "");
    row("never there",
        remote(Kind::Unreachable, false, true, "h does not answer: Connection refused."),
        "No connection: h does not answer: Connection refused", true,
        "cannot be sent: there is no connection to the server",
        "No resources to show, because there is no connection to the server.");
    row("gone", remote(Kind::Lost, true, false, "why"), "Connection lost: why", true,
        "cannot be sent: the connection is lost",
        "The connection broke before any resource was read.");
    row("another", remote(Kind::Unrecognized, true, false, "h answers, but not as X."),
        "h answers, but not as X", true, "",
        "None of the server's answers fit the chosen system. Check the URL and the system.");
    row("closed", remote(Kind::Closed, true), "Disconnected: http://h", true,
        "cannot be sent: the server is not connected", "Not connected to the server.");
    row("serving", { .kind = Kind::Serving, .url = u"http://h"_s }, "", false, "", "");
}

/// What is wrong is said wherever one looks, and nothing is where all is well.
void TestNetworkPanel::failures()
{
    QFETCH(const NetworkState, state);
    QFETCH(const QString, strip);
    QFETCH(const QString, blocked);
    QCOMPARE(blockedText(state), blocked);
    // Who only looks is kept back by what is wrong, not by reading only.
    const bool isKeptBack = blocked.startsWith(u"cannot"_s);
    QCOMPARE(blockedText(state, Intent::Reads), isKeptBack ? blocked : QString());
    QTEST(emptyTreeText(state), "empty");
    ConnectionStrip shown;
    shown.show();
    shown.setState(state);
    QCOMPARE(shown.isVisible(), !strip.isEmpty());
    if (strip.isEmpty())
        return;
    QCOMPARE(shown.text(), strip);
    auto *retry = button<QPushButton>(shown, u"Retry"_s);
    QTEST(retry->isVisible(), "retries");
    if (state.kind == NetworkState::Kind::Connected)
        return;
    QSignalSpy asked(&shown, &ConnectionStrip::retryAsked);
    retry->click();
    QCOMPARE(asked.size(), 1);
    NetworkState later = state;
    later.retry = QDateTime::currentDateTimeUtc().addSecs(13);
    shown.setState(later);
    QVERIFY2(shown.text().contains(u" · retrying in 1"_s), qPrintable(shown.text()));
    shown.setState({});
    QVERIFY(!shown.isVisible());
}

/// A server that hangs is told of within two seconds in every room, until it answers.
void TestNetworkPanel::silence()
{
    ConnectionStrip strip;
    strip.setState(connected());
    Exchange hanging = exchange(7);
    hanging.status = 0;
    hanging.duration = -1;
    QVERIFY(!hanging.isOver());
    strip.put(hanging);
    QVERIFY(!strip.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(strip.isVisible(), 2000);
    NetworkState first = connected();
    first.kind = NetworkState::Kind::Loading;
    first.hasTree = false;
    strip.setState(first); // also while the tree is read for the first time
    QVERIFY2(strip.text().startsWith(u"No answer for "_s), qPrintable(strip.text()));
    strip.setState(connected());
    strip.put(exchange(8)); // another answer changes nothing
    QVERIFY(strip.isVisible());
    strip.put(exchange(7));
    QVERIFY(!strip.isVisible());
}

void TestNetworkPanel::verdict()
{
    Shown shown;
    auto *verdict = shown.panel.findChild<QToolButton *>(u"networkVerdict"_s);
    QSignalSpy asked(&shown.panel, &NetworkPanel::verdictAsked);
    QVERIFY(!verdict->isVisible()); // the tree was never read
    NetworkState state = connected();
    state.hasTree = true;
    shown.panel.setState(state);
    QVERIFY(verdict->isVisible());
    verdict->click();
    state.violations = 2;
    shown.panel.setState(state);
    QVERIFY(verdict->text().contains(u'2'));
    verdict->click();
    QCOMPARE(asked.size(), 2);
    // The request that showed a violation is listed although polls are hidden.
    shown.polls()->setChecked(false);
    const int listed = shown.table->model()->rowCount();
    const auto all = shown.panel.exchanges();
    const auto poll = std::ranges::find(all, Exchange::Purpose::Poll, &Exchange::purpose);
    QVERIFY(poll != all.end());
    shown.panel.choose(poll->sent.toMSecsSinceEpoch() * 1000 + poll->microseconds);
    QCOMPARE(shown.table->model()->rowCount(), listed + 1);
    QCOMPARE(shown.whole->exchange()->number, poll->number);
}

void TestNetworkPanel::servesOthers()
{
    ServingStrip strip;
    QVERIFY(strip.isHidden());
    strip.setUrl(u"http://127.0.0.1:1234"_s);
    QVERIFY(!strip.isHidden());
    QCOMPARE(text(strip, "servingText"), u"Serving on http://127.0.0.1:1234"_s);
    QSignalSpy stops(&strip, &ServingStrip::stopAsked);
    QTest::mouseClick(named<QToolButton>(strip, u"Copy the address"_s), Qt::LeftButton);
    QCOMPARE(copied(), u"http://127.0.0.1:1234"_s);
    QTest::mouseClick(named<QToolButton>(strip, u"Stop serving"_s), Qt::LeftButton);
    QCOMPARE(stops.size(), 1);
    QSignalSpy faults(&strip, &ServingStrip::faultAsked);
    const QList<QAction *> rules = named<QToolButton>(strip,
        u"Make this server break a rule in its next operation, to test a client or the judge"_s)
                                       ->menu()
                                       ->actions();
    QCOMPARE(rules.size(), instar::faults().size());
    QVERIFY(begins(rules[1]->text(), u"stuckTransitional: The operation has ended"_s));
    rules[1]->trigger();
    QCOMPARE(faults.size(), 1);
    QCOMPARE(faults[0][0].toString(), u"stuckTransitional"_s);
    strip.setUrl({});
    QVERIFY(strip.isHidden());

    NetworkPanel panel;
    panel.resize(1000, 240);
    panel.show();
    panel.setState({ .kind = NetworkState::Kind::Serving, .url = u"http://127.0.0.1:1234"_s });
    QVERIFY(!button<QPushButton>(panel, u"Serve this simulation"_s)->isVisible());
    QVERIFY(text(panel, "networkEmpty").contains(u"appear as operations"_s));
}

/// What came while another tab was in front.
void TestNetworkPanel::followsUnseen()
{
    QTabWidget tabs;
    tabs.addTab(new QWidget, u"other"_s);
    auto *panel = new NetworkPanel;
    tabs.addTab(panel, u"network"_s);
    tabs.resize(1200, 220);
    tabs.show();
    QVERIFY(QTest::qWaitForWindowActive(&tabs));
    panel->setState(connected());
    for (quint64 number = 1; number <= 40; ++number)
        panel->put(exchange(number));
    tabs.setCurrentIndex(1);
    auto *table = named<QTableView>(*panel, u"Exchanges"_s);
    const auto shows = [&](int row) {
        return table->viewport()->rect().contains(
            table->visualRect(table->model()->index(row, 0)).center());
    };
    QTRY_VERIFY(shows(39));
    panel->put(exchange(41));
    QTRY_VERIFY(shows(40));
}

void TestNetworkPanel::switches()
{
    Shown shown;
    NetworkPanel &panel = shown.panel;
    NetworkState state = panel.state();
    state.polls = false;
    panel.setState(state);
    QVERIFY(has(text(panel, "networkWhere"), { u"polling is paused"_s }));

    QSignalSpy readOnly(&panel, &NetworkPanel::readOnlyToggled);
    auto *lock = button(panel, u"Read only"_s);
    QVERIFY(lock->isChecked());
    QTest::mouseClick(lock, Qt::LeftButton);
    QCOMPARE(readOnly.takeFirst()[0].toBool(), false);
    QVERIFY(lock->isChecked()); // nobody has done it
    NetworkState writing = connected();
    writing.readOnly = false;
    panel.setState(writing);
    QCOMPARE(lock->text(), u"Writing"_s);
    QVERIFY(!lock->isChecked());

    QCOMPARE(panel.exchanges().size(), 6);

    panel.resize(560, 240);
    QCoreApplication::processEvents();
    QCOMPARE(panel.width(), 560);
}

void TestNetworkPanel::filter()
{
    Shown shown;
    const auto *rows = shown.table->model();
    named<QLineEdit>(shown.panel, u"Filter of exchanges"_s)->setFocus();
    QTest::keyClicks(QApplication::focusWidget(), u"conflict"_s);
    QTRY_COMPARE(rows->rowCount(), 1);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QVERIFY(shown.table->hasFocus());
    named<QLineEdit>(shown.panel, u"Filter of exchanges"_s)->clear();
    QTRY_COMPARE(rows->rowCount(), 6);

    QCOMPARE(shown.polls()->text(), u"Polls (3)"_s);
    shown.polls()->click();
    QCOMPARE(rows->rowCount(), 3);
    QCOMPARE(shown.panel.listed().size(), 3);
    QCOMPARE(shown.panel.exchanges().size(), 6);
    shown.panel.put(exchange(8));
    QCOMPARE(rows->rowCount(), 3);
    QCOMPARE(shown.polls()->text(), u"Polls hidden (4)"_s);
}

void TestNetworkPanel::reads()
{
    Shown shown;
    QVERIFY(!shown.whole->exchange() && !shown.whole->isVisible());
    shown.table->setFocus();
    QTest::keyClick(shown.table, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(shown.whole->exchange()->number, 1u);
    QVERIFY(shown.whole->isVisible());
    QTest::keyClick(shown.table, Qt::Key_Down);
    QTest::keyClick(shown.table, Qt::Key_Down);
    QCOMPARE(shown.whole->exchange()->number, 3u);
    QVERIFY(begins(shown.answer(), u"409 Conflict\ncomplete after 12.5 ms"_s));
    QVERIFY(has(shown.answer(), { u"{\"weight\": 1.50, \"list\": [1]}"_s }));
    const QString asked = named<QTextBrowser>(shown.panel, u"Request"_s)->toPlainText();
    QVERIFY(begins(asked, u"PUT http://127.0.0.1:8080/v1/racks/r3\nclient A · operation op0"_s));
    QVERIFY2(asked.contains(u"X-It's") && asked.contains(u"\"a\": 1.50"), qPrintable(asked));

    // What arrives later is shown where it is read.
    Exchange late = exchange(7);
    late.status = 0;
    late.duration = -1;
    late.responseBody.clear();
    shown.panel.put(late);
    QTest::keyClick(shown.table, Qt::Key_End, Qt::ControlModifier);
    QVERIFY2(shown.answer().contains(u"waiting\n"), qPrintable(shown.answer()));
    late.duration = 3;
    late.problem = u"<b>Timed out"_s;
    shown.panel.put(late);
    QVERIFY(has(shown.answer(), { u"no answer\ngave up after 3.00 ms\n<b>Timed out"_s }));
}

void TestNetworkPanel::readingStays()
{
    Shown shown;
    shown.table->setFocus();
    shown.table->selectRow(2);
    QCOMPARE(shown.whole->exchange()->number, 3u);
    auto *filter = named<QLineEdit>(shown.panel, u"Filter of exchanges"_s);
    filter->setText(u"GET"_s);
    QTRY_COMPARE(shown.table->model()->rowCount(), 3);
    QCOMPARE(shown.whole->exchange()->number, 3u); // no neighbour instead
    QVERIFY(!shown.table->currentIndex().isValid());
    filter->clear();
    QTRY_COMPARE(shown.table->model()->rowCount(), 6);
    QCOMPARE(shown.table->currentIndex().row(), 2);
    for (quint64 number = 7; number <= 20; ++number)
        shown.panel.put(exchange(number));
    QCOMPARE(shown.whole->exchange()->number, 3u);
    QCOMPARE(shown.table->currentIndex().data(ExchangeModel::Whole).value<Exchange>().number, 3u);
}

void TestNetworkPanel::copies()
{
    Shown shown;
    auto *copy = named<QToolButton>(shown.panel, u"Copy request and response"_s);
    QVERIFY(!copy->isEnabled());
    shown.table->selectRow(2);
    QTest::mouseClick(copy, Qt::LeftButton);
    QCOMPARE(copied(),
        u"PUT /v1/racks/r3 HTTP/1.1\nX-It's: a \"b\"\n\n{\"a\":1.50}\n\n"
        "HTTP/1.1 409 Conflict\nContent-Type: application/json\n\n{\"weight\":1.50,\"list\":[1]}\n"_s);

    shown.table->setFocus();
    shown.table->selectAll();
    QTest::keySequence(shown.table, QKeySequence::Copy);
    QCOMPARE(copied().split(u'\n').size(), 7);
    QVERIFY2(copied().startsWith(u"Client\tMethod\tPath\tAnswer\tTime\t"_s), qPrintable(copied()));
    QVERIFY2(copied().contains(u"A\tPUT\t/v1/racks/r3\t409 Conflict\t"), qPrintable(copied()));
}

void TestNetworkPanel::menu()
{
    Shown shown;
    QMenu none;
    shown.panel.fillMenu(none);
    QVERIFY(!entry(none, u"Select an exchange first"_s)->isEnabled());

    shown.table->selectRow(0);
    QMenu menu;
    shown.panel.fillMenu(menu);
    entry(menu, u"Copy as curl"_s)->trigger();
    QCOMPARE(copied(), curlCommand(exchange(1)));
    entry(menu, u"Copy URL"_s)->trigger();
    QCOMPARE(copied(), exchange(1).url);
    QSignalSpy asked(&shown.panel, &NetworkPanel::operationAsked);
    entry(menu, u"Go to operation op1"_s)->trigger();
    QCOMPARE(asked.takeFirst()[0].toString(), u"op1"_s);
    QSignalSpy why(&shown.panel, &NetworkPanel::whyAsked);
    entry(menu, u"Why?"_s)->trigger();
    QCOMPARE(why.takeFirst()[0].toString(), u"op1"_s);
}

/// Clients that are served go by their addresses, and those can be read.
void TestNetworkPanel::servedClients()
{
    Shown shown;
    const auto width = [&] {
        return shown.table->horizontalHeader()->sectionSize(ExchangeModel::Client);
    };
    const int before = width();
    Exchange served = exchange(7);
    served.client = u"127.0.0.1:50000"_s;
    shown.panel.setState({ .kind = NetworkState::Kind::Serving, .url = u"http://127.0.0.1:1"_s });
    shown.panel.put(served);
    QVERIFY(width() > before);
    QVERIFY(width() > shown.table->fontMetrics().horizontalAdvance(served.client));
    QVERIFY(shown.table->isVisible());
}

void TestNetworkPanel::longBodies()
{
    Shown shown;
    Exchange large = exchange(7);
    large.responseBody = '"' + QByteArray(300'000, 'x') + '"';
    shown.panel.put(large);
    shown.table->selectRow(6);
    QVERIFY(shown.answer().size() < 5'000);
    QVERIFY(shown.answer().contains(u"Only the beginning of the body is shown; Copy copies all of "
                                    u"it."));
    shown.whole->copyAll();
    QVERIFY(copied().endsWith(QString::fromUtf8(large.responseBody) + u'\n'));

    large.responseBody = QByteArray("a line\n").repeated(100'000);
    shown.panel.put(large);
    QVERIFY(shown.answer().size() > 90'000 && shown.answer().size() < 110'000);
    QVERIFY(shown.answer().contains(u"Only the beginning of the body is shown; Copy copies all of "
                                    u"it."));
}

void TestNetworkPanel::tabReachesEverything()
{
    Shown shown;
    shown.table->selectRow(0);
    QCOMPARE(unreachableControls(shown.panel), QString());

    // Also among others, and not only its list.
    QWidget window;
    auto *layout = new QVBoxLayout(&window);
    layout->addWidget(new QLineEdit);
    layout->addWidget(new NetworkPanel);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.findChild<NetworkPanel *>()->setState(connected());
    QTest::keyClick(&window, Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), button(window, u"Read only"_s));
}

} // namespace

const instar::TestClass<TestNetworkPanel, QApplication> registered;
#include "tst_networkpanel.moc"
