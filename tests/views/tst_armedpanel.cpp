// SPDX-License-Identifier: Apache-2.0
// Requests that are armed, edited and fired together.

#include "model/engine/simulator.h"
#include "tests/support/testclass.h"
#include "tests/views/panelsupport.h"
#include "views/look.h"
#include "views/panels/armedpanel.h"
#include "views/panels/firebar.h"
#include "views/panels/inputs.h"
#include "views/panels/notice.h"
#include "views/panels/requesteditor.h"

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

class TestArmedPanel : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qApp->setStyleSheet(styleSheet(Theme::light())); }
    void barArms();
    void detailsHaveHeaders();
    void headers();
    void body();
    void armedByKeyboard();
    void armedMenu();
    void firesTogether();
    void idsAreUsedOnce();
    void editorChecks();
    void everyControlHasAName();
    void tabReachesEverything();
};

void TestArmedPanel::barArms()
{
    const auto simulator = sample();
    Selection selection;
    FireBar bar(*simulator, selection);
    ArmedPanel panel(*simulator);
    connect(&bar, &FireBar::armed, &panel, &ArmedPanel::arm);
    auto *arm = button<QPushButton>(bar, u"+ Burst"_s);
    QVERIFY(!arm->isEnabled());
    bar.arm();
    QVERIFY(panel.requests().isEmpty());
    selection.choose(subnet);
    bar.findChild<QToolButton *>(u"more"_s)->click();
    named<QLineEdit>(bar, u"Operation id"_s)->setText(u"once"_s);
    arm->click();
    arm->click();
    QCOMPARE(panel.requests().size(), 2);
    QCOMPARE(panel.requests()[0].path, subnet);
    QCOMPARE(panel.requests()[0].id, u"once"_s);
    QCOMPARE(panel.requests()[1].id, QString());
    QCOMPARE(panel.requests()[1].duration, bar.request().duration);
    QCOMPARE(simulator->records().size(), 0); // nothing has happened yet

    // Against a real server nobody chooses how the work ends.
    bar.setPlansWork(false);
    QVERIFY(!named<QComboBox>(bar, u"Outcome"_s)->isVisibleTo(&bar));
    QVERIFY(!bar.request().duration && !bar.request().hang && bar.request().outcome.isEmpty());
}

void TestArmedPanel::detailsHaveHeaders()
{
    const auto simulator = sample();
    Selection selection;
    FireBar bar(*simulator, selection);
    selection.choose(subnet);
    bar.show();
    bar.findChild<QToolButton *>(u"more"_s)->click();
    QTest::mouseClick(button(bar, u"Add header"_s), Qt::LeftButton);
    QTest::keyClicks(named<QLineEdit>(bar, u"Header name"_s), u"X-Trace"_s);
    QTest::keyClicks(named<QLineEdit>(bar, u"Header value"_s), u"a b"_s);
    QCOMPARE(bar.request().headers, (QList<RequestHeader> { { u"X-Trace"_s, u"a b"_s } }));
    QCOMPARE(bar.findChild<QToolButton *>(u"more"_s)->text(), u"Options (1)"_s);
    named<QPlainTextEdit>(bar, u"Body"_s)->setPlainText(u"{\"properties\": {\"a\": 1}}"_s);
    QCOMPARE(bar.request().body, "{\"properties\": {\"a\": 1}}");
    QCOMPARE(bar.request().properties, (QJsonObject { { u"a"_s, 1 } }));
    QCOMPARE(bar.findChild<QToolButton *>(u"more"_s)->text(), u"Options (2)"_s);
    bar.fire();
    QCOMPARE(simulator->operations().all().size(), 1); // a local world takes no notice of headers
}

void TestArmedPanel::headers()
{
    HeadersEdit edit;
    edit.resize(400, 200);
    edit.show();
    QVERIFY(QTest::qWaitForWindowActive(&edit));
    QSignalSpy changed(&edit, &HeadersEdit::changed);
    edit.addHeader();
    QTest::keyClicks(QApplication::focusWidget(), u"X-A"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTest::keyClicks(QApplication::focusWidget(), u"1"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return); // begins the next
    QTest::keyClicks(QApplication::focusWidget(), u"bad name"_s);
    QVERIFY(changed.size() >= 4);
    QVERIFY2(edit.problem().startsWith(u"bad name cannot be"), qPrintable(edit.problem()));
    QApplication::focusWidget()->setProperty("text", QString());
    QCOMPARE(edit.problem(), QString());
    QCOMPARE(edit.headers(), (QList<RequestHeader> { { u"X-A"_s, u"1"_s } }));

    edit.setHeaders({ { u"a"_s, u"1"_s }, { u"b"_s, u"2"_s }, { u"a"_s, u"3"_s } });
    QCOMPARE(edit.headers().size(), 3);
    for (auto *remove : edit.findChildren<QToolButton *>()) {
        if (remove->isVisible() && remove->accessibleName() == u"Remove this header") {
            QTest::mouseClick(remove, Qt::LeftButton);
            break;
        }
    }
    QCOMPARE(edit.headers(), (QList<RequestHeader> { { u"b"_s, u"2"_s }, { u"a"_s, u"3"_s } }));
    named<QLineEdit>(edit, u"Header name"_s); // rows are still there
}

void TestArmedPanel::body()
{
    BodyEdit edit;
    auto *field = named<QPlainTextEdit>(edit, u"Body"_s);
    field->setPlainText(u" \n "_s);
    QCOMPARE(edit.body(), QByteArray());
    QCOMPARE(edit.problem(), QString());
    field->setPlainText(u"{\"a\":1.50,\n\"b\"}"_s);
    QVERIFY2(edit.problem().startsWith(u"Not JSON, line 2: expected"), qPrintable(edit.problem()));
    edit.format();
    QCOMPARE(edit.body(), "{\"a\":1.50,\n\"b\"}"); // what is wrong is left alone, and can be sent
    field->setPlainText(u"{\"a\":1.50,\"b\":[]}"_s);
    QTest::mouseClick(button(edit, u"Format"_s), Qt::LeftButton);
    QCOMPARE(edit.body(), "{\n  \"a\": 1.50,\n  \"b\": []\n}");
    field->undo();
    QCOMPARE(edit.body(), "{\"a\":1.50,\"b\":[]}");

    const QByteArray binary("\x89PNG\0", 5);
    edit.setBody(binary);
    QVERIFY(field->isReadOnly() && !edit.isEditable());
    QCOMPARE(edit.body(), binary);
}

void TestArmedPanel::armedByKeyboard()
{
    const auto simulator = sample();
    ArmedPanel panel(*simulator);
    panel.resize(1000, 240);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    auto *fire = panel.findChild<QPushButton *>(u"primary"_s);
    QVERIFY(!fire->isEnabled());
    panel.arm({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s });
    panel.arm({ .op = u"DELETE"_s, .path = net, .client = u"B"_s });
    QCOMPARE(fire->text(), u"Fire together (2)"_s);
    auto *table = named<QTableView>(panel, u"Requests of the burst"_s);
    table->setFocus();

    const auto paths = [&] {
        QStringList all;
        for (const Request &request : panel.requests())
            all += request.op + u' ' + request.path;
        return all.join(u", "_s);
    };
    QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(paths(), u"DELETE %1, PUT %2"_s.arg(net, subnet));
    QTest::keyClick(table, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(paths(), u"DELETE %1, DELETE %1, PUT %2"_s.arg(net, subnet));
    QCOMPARE(table->currentIndex().row(), 1);
    QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(paths(), u"DELETE %1, PUT %2, DELETE %1"_s.arg(net, subnet));
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(paths(), u"DELETE %1, PUT %2"_s.arg(net, subnet));
    QCOMPARE(table->currentIndex().row(), 1);

    // The editor, by keyboard alone.
    QTest::keyClick(table, Qt::Key_F2);
    RequestEditor *editor = panel.editor();
    QVERIFY(editor);
    QTRY_COMPARE(QApplication::activeWindow(), editor);
    type(named<QLineEdit>(*editor, u"Target"_s), u"0"_s);
    type(named<QPlainTextEdit>(*editor, u"Body"_s), u"{\"a\":1.50}"_s);
    editor->findChild<HeadersEdit *>()->addHeader();
    QTest::keyClicks(QApplication::focusWidget(), u"X-A"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTest::keyClicks(QApplication::focusWidget(), u"1"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QVERIFY(editor->isVisible()); // Return in a header does not end it
    type(named<QLineEdit>(*editor, u"If-Match"_s), u"*"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(!panel.editor());
    const Request edited = panel.requests()[1];
    QCOMPARE(edited.path, subnet + u'0');
    QCOMPARE(edited.body, "{\"a\":1.50}");
    QCOMPARE(edited.properties, (QJsonObject { { u"a"_s, 1.5 } }));
    QCOMPARE(edited.headers, (QList<RequestHeader> { { u"X-A"_s, u"1"_s } }));
    QCOMPARE(edited.ifMatch, u"*"_s);
    QCOMPARE(edited.client, u"A"_s);

    // Escape leaves it as it was.
    panel.activateWindow(); // a real desktop does so by itself
    QTRY_COMPARE(QApplication::activeWindow(), &panel);
    QTest::keyClick(table, Qt::Key_F2);
    QVERIFY(panel.editor());
    QTRY_COMPARE(QApplication::activeWindow(), panel.editor());
    type(named<QLineEdit>(*panel.editor(), u"Target"_s), u"9"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QTRY_VERIFY(!panel.editor());
    QCOMPARE(panel.requests()[1], edited);
}

void TestArmedPanel::armedMenu()
{
    const auto simulator = sample();
    ArmedPanel panel(*simulator);
    panel.arm({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s });
    QMenu menu;
    panel.fillMenu(menu);
    entry(menu, u"Duplicate"_s)->trigger();
    QCOMPARE(panel.requests().size(), 2);
    QVERIFY(entry(menu, u"Move up"_s)->isEnabled() && !entry(menu, u"Move down"_s)->isEnabled());
    entry(menu, u"Copy row"_s)->trigger();
    QCOMPARE(copied(), u"A\tPUT\t%1\tsucceeded\t\t"_s.arg(subnet));
    QSignalSpy changed(&panel, &ArmedPanel::changed);
    entry(menu, u"Clear"_s)->trigger();
    QCOMPARE(changed.size(), 1);
    QVERIFY(panel.requests().isEmpty());
    QVERIFY(!entry(menu, u"Remove"_s)->isEnabled());
}

void TestArmedPanel::firesTogether()
{
    const auto simulator = sample();
    ArmedPanel panel(*simulator);
    QVERIFY(simulator->runUntilQuiet());
    simulator->advance(1234);
    simulator->updates().tell();
    connect(&panel, &ArmedPanel::fireAsked, this, [&](const QList<Request> &requests) {
        for (const Request &request : requests)
            simulator->submit(request);
        panel.setSpread(int(requests.size()), {});
    });
    panel.arm({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s });
    panel.arm({ .op = u"PUT"_s, .path = sibling, .client = u"B"_s });
    panel.arm({ .op = u"DELETE"_s, .path = net, .client = u"C"_s });
    panel.findChild<QPushButton *>(u"primary"_s)->click();
    const auto &all = simulator->operations().all();
    QCOMPARE(all.size(), 3);
    for (const Operation &operation : all)
        QCOMPARE(operation.submitted, 1234);
    QCOMPARE(all[1].status, Status::Rejected); // the sibling is in the way
    QCOMPARE(text(panel, "said"), u"3 fired at the same virtual moment"_s);
    QCOMPARE(panel.requests().size(), 3); // to be fired again
    panel.setSpread(3, 250.0);
    QCOMPARE(text(panel, "said"), u"3 fired within 250 µs"_s);
}

void TestArmedPanel::idsAreUsedOnce()
{
    const auto simulator = sample();
    ArmedPanel panel(*simulator);
    panel.arm({ .op = u"PUT"_s, .path = subnet, .id = u"mine"_s });
    panel.duplicate();
    QSignalSpy fired(&panel, &ArmedPanel::fireAsked);
    panel.fire();
    panel.fire();
    const auto first = fired[0][0].value<QList<Request>>(),
               second = fired[1][0].value<QList<Request>>();
    QCOMPARE(first[0].id, u"mine"_s);
    QCOMPARE(first[1].id, QString());
    QCOMPARE(second[0].id, QString());
    panel.clear();
    panel.fire();
    QCOMPARE(fired.size(), 2);
}

void TestArmedPanel::editorChecks()
{
    const auto simulator = sample();
    Request given { .op = u"PUT"_s, .path = subnet, .client = u"A"_s };
    given.conditions.insert(u"kept"_s, true);
    given.duration = 2500;
    RequestEditor editor(*simulator, given, RequestEditor::Plans::Work);
    QCOMPARE(editor.request(), given);
    QCOMPARE(editor.problem(), QString());
    auto *target = named<QLineEdit>(editor, u"Target"_s);
    auto *keep = editor.findChild<QPushButton *>(u"primary"_s);
    auto *notice = editor.findChild<Notice *>();
    for (const QString &wrong : { u""_s, u"nowhere"_s, u"/logicalNetworks"_s }) {
        target->setText(wrong);
        QVERIFY(!editor.problem().isEmpty() && !keep->isEnabled());
        QCOMPARE(notice->tone(), Notice::Tone::Wrong);
        editor.accept();
        QCOMPARE(editor.result(), int(QDialog::Rejected));
    }
    target->setText(net);
    named<QPlainTextEdit>(editor, u"Body"_s)->setPlainText(u"{"_s);
    QVERIFY(keep->isEnabled());
    QCOMPARE(notice->tone(), Notice::Tone::Hint); // a broken body may be what is wanted
    editor.findChild<HeadersEdit *>()->setHeaders({ { u"a b"_s, u"c"_s } });
    QVERIFY(!keep->isEnabled());

    RequestEditor remote(*simulator, given, RequestEditor::Plans::Nothing);
    QVERIFY(!named<QComboBox>(remote, u"Outcome"_s)->isVisibleTo(&remote));
    QCOMPARE(remote.request(), given);
    QVERIFY(named<QLineEdit>(remote, u"Request id"_s)->isVisibleTo(&remote));

    // Where requests have no header for their id, a server would not hear of one.
    const auto nameless = sample(u"pulumi"_s);
    RequestEditor other(*nameless, given, RequestEditor::Plans::Nothing);
    QVERIFY(!named<QLineEdit>(other, u"Request id"_s)->isVisibleTo(&other));
    RequestEditor local(*nameless, given, RequestEditor::Plans::Work);
    QVERIFY(named<QLineEdit>(local, u"Request id"_s)->isVisibleTo(&local));
}

void TestArmedPanel::everyControlHasAName()
{
    const auto simulator = sample();
    Selection selection;
    QWidget all;
    new ArmedPanel(*simulator, &all);
    (new HeadersEdit(&all))->setHeaders({ { u"a"_s, u"b"_s } });
    new RequestEditor(*simulator, {}, RequestEditor::Plans::Work, &all);
    new FireBar(*simulator, selection, &all);
    QCOMPARE(namelessControls(all), QString());
}

void TestArmedPanel::tabReachesEverything()
{
    const auto simulator = sample();
    ArmedPanel panel(*simulator);
    panel.arm({ .op = u"PUT"_s, .path = subnet });
    panel.duplicate();
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    QCOMPARE(unreachableControls(panel), QString());

    Request request { .op = u"PUT"_s, .path = subnet };
    request.headers = { { u"a"_s, u"b"_s } };
    request.body = "{}";
    RequestEditor editor(*simulator, request, RequestEditor::Plans::Work);
    editor.show();
    QVERIFY(QTest::qWaitForWindowActive(&editor));
    QCOMPARE(unreachableControls(editor), QString());
}

} // namespace

const instar::TestClass<TestArmedPanel, QApplication> registered;
#include "tst_armedpanel.moc"
