// SPDX-License-Identifier: Apache-2.0
#include "app/docks.h"
#include "model/json/fields.h"
#include "model/pack/edits.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "views/document/document.h"
#include "views/editing/jsonedit.h"
#include "views/editing/matrixpanel.h"
#include "views/editing/problemspanel.h"
#include "views/editing/rowform.h"
#include "views/editing/systempanel.h"
#include "views/editing/textpanel.h"
#include "views/editing/wordedits.h"
#include "views/htmlview.h"
#include "views/panels/commandpalette.h"

#include <QLineEdit>
#include <QListWidget>
#include <QTextBlock>
#include <QToolButton>

using namespace instar;

class TestEditingDocks : public QObject, protected WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }
    void areThereWhileEditing();
    void whatWasClosedStaysClosed();
    void everythingBack();
    void problemsLeadToTheField();
    void rowsFollowTheSelection();
    void aCopyIsSelected();
    void findLeadsToTheRow();
    void undoOfAWord();
    void conflictsInASmallWindow();
    void conflictsLeadToTheRow();
    void whatIsNamedInPlaceIsInTheForm();
    void textIsAKeyAway();
    void undoBringsBackWhatWasSeen();

private:
    QString shown()
    {
        QStringList names;
        for (const QString &name : { u"system"_s, u"row"_s, u"problems"_s, u"conflicts"_s }) {
            if (!dock(name)->isHidden())
                names += name;
        }
        return names.join(u' ');
    }
    void setEditing(bool on) { editing().setOn(on); }
    /// Which row of the pack is shown, in every panel.
    QString row()
    {
        return docks().form().pointer() == docks().system().pointer() ? docks().form().pointer()
                                                                      : u"another"_s;
    }
    Editing &docks() { return editing(); }
};

void TestEditingDocks::areThereWhileEditing()
{
    QCOMPARE(shown(), u""_s);
    setEditing(true);
    QCOMPARE(shown(), u"system row problems conflicts"_s);
    QVERIFY(docks().system().isVisible());
    QVERIFY(docks().form().isVisible());
    setEditing(false);
    QCOMPARE(shown(), u""_s);
}

void TestEditingDocks::whatWasClosedStaysClosed()
{
    setEditing(true);
    dock(u"row"_s)->hide();
    setEditing(false);
    setEditing(true);
    QCOMPARE(shown(), u"system problems conflicts"_s);
    docks().showRow(u"/machines"_s); // who asks for a row sees it
    QCOMPARE(shown(), u"system row problems conflicts"_s);
}

void TestEditingDocks::everythingBack()
{
    setEditing(true);
    dock(u"row"_s)->hide();
    m_window->docks().reset();
    QCOMPARE(shown(), u"system row problems conflicts"_s);
}

void TestEditingDocks::problemsLeadToTheField()
{
    setEditing(true);
    const QString machine = u"/machines/"_s + document().pack().machines.first().id;
    document().edit({}, *withField(document().pack(), machine, u"rest"_s, "\"nowhere\""));
    QTRY_VERIFY(!docks().problems().diagnostics().isEmpty());
    QCOMPARE(dock(u"problems"_s)->windowTitle(), docks().problems().title());
    emit docks().problems().rowAsked(machine + u"/rest"_s);
    QCOMPARE(row(), machine);
    QCOMPARE(m_window->focusWidget(), docks().form().findChild<QWidget *>(u"rest"_s));
}

void TestEditingDocks::rowsFollowTheSelection()
{
    setEditing(true);
    const Machine &machine = editing().document().pack().machines.first();
    editing().selection().set({ .machine = machine.id, .states = { machine.states[1].id } });
    QCOMPARE(docks().form().pointer(),
        u"/machines/%1/states/%2"_s.arg(machine.id, machine.states[1].id));
}

/// Also when the form, which changes its fields, has the focus: the chart does not get it.
void TestEditingDocks::aCopyIsSelected()
{
    setEditing(true);
    QApplication::setActiveWindow(m_window);
    const QString machine =
        u"/machines/"_s + editing().document().pack().machines.first().id + u"/transitions/"_s;
    for (const char *kind : { "states/Failed", "transitions/3" }) {
        docks().showRow(machine.section(u'/', 0, -3) + u'/' + QString::fromLatin1(kind));
        docks().form().focusField();
        docks().showRow(machine + u'3');
        QTest::qWait(20);
        panels::named<QToolButton>(docks().system(), u"Duplicate"_s)->click();
        QTest::qWait(20);
        QCOMPARE(row(), machine + u'4');
        QCOMPARE(editing().selection().rows().transitions, QSet<int> { 4 });
    }
}

/// Ctrl+F finds a row by its name, or by a text in its form.
void TestEditingDocks::findLeadsToTheRow()
{
    setEditing(true);
    QTest::keyClick(m_window, Qt::Key_F, Qt::ControlModifier);
    auto *palette = m_window->findChild<CommandPalette *>();
    auto *line = palette->findChild<QLineEdit *>();
    QTest::keyClicks(line, u"state fail"_s);
    const auto *list = palette->findChild<QListWidget *>();
    const auto found = list->findItems(u"state · resource · Failed"_s, Qt::MatchExactly);
    QCOMPARE(found.size(), 1);
    QVERIFY(list->findItems(u"State Failed"_s, Qt::MatchStartsWith).isEmpty()); // a second line
    emit palette->findChild<QListWidget *>()->itemClicked(found.first());
    QCOMPARE(row(), u"/machines/resource/states/Failed"_s);
    QCOMPARE(editing().selection().rows().states, { u"Failed"_s });
    QTest::keyClick(m_window, Qt::Key_F, Qt::ControlModifier);
    line->setText(u"perhaps at the retry limit"_s); // in the text about the state
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), u"state · resource · Failed"_s);
}

void TestEditingDocks::whatIsNamedInPlaceIsInTheForm()
{
    setEditing(true);
    const QString machine = editing().selection().rows().machine;
    editing().hands().addState();
    settle();
    ChartLineEdit *typing = editing().hands().lineEdit();
    QVERIFY(typing);
    QCOMPARE(docks().form().pointer(), u"/machines/%1/states/state"_s.arg(machine));
    typing->selectAll();
    QTest::keyClicks(typing, u"Waiting"_s);
    QTest::keyClick(typing, Qt::Key_Return);
    settle();
    QTRY_COMPARE(row(), u"/machines/%1/states/Waiting"_s.arg(machine));
}

void TestEditingDocks::undoOfAWord()
{
    setEditing(true);
    Document &document = this->document();
    const Pack before = document.pack();
    docks().showRow(u"/machines/"_s + before.machines.first().id);
    auto *title = qobject_cast<QLineEdit *>(docks().form().findChild<QWidget *>(u"title"_s));
    title->setFocus();
    QTest::keyClicks(title, u"abc"_s);
    QVERIFY(!(document.pack() == before));
    QTest::keyClick(title, Qt::Key_Z, Qt::ControlModifier); // the document's, not the line's
    QVERIFY(document.pack() == before);
    QCOMPARE(title->text(), before.machines.first().title);
}

void TestEditingDocks::conflictsInASmallWindow()
{
    setEditing(true);
    dock(u"conflicts"_s)->raise();
    document().edit(QString(300, u'x'), withNewRow(document().pack(), u"/operations"_s)->pack);
    m_window->resize(1024, 640);
    QCoreApplication::processEvents();
    QCOMPARE(m_window->width(), 1024);
    setEditing(false);
    QCoreApplication::processEvents();
    QCOMPARE(m_window->width(), 1024);
}

void TestEditingDocks::conflictsLeadToTheRow()
{
    setEditing(true);
    QDockWidget *dock = this->dock(u"conflicts"_s);
    dock->raise();
    const MatrixModel &cells = docks().matrix().model();
    QTRY_VERIFY(cells.rowCount() > 0);
    Document &document = this->document();
    const Pack before = document.pack();
    docks().matrix().table().setCurrentIndex(cells.indexOf({ u"DELETE"_s, u"PUT"_s, u"self"_s }));
    emit docks().matrix().details().anchorClicked(QUrl(u"/conflicts/6"_s));
    QCOMPARE(row(), u"/conflicts/6"_s);

    docks().showRow(u"/machines"_s);
    docks().matrix().wish(Conflict::Then::Wait); // and what runs goes by it
    QVERIFY(row().startsWith(u"/conflicts/"_s));
    QVERIFY(m_window->simulator().rules().hasWaits());
    document.history().undo();
    QVERIFY(document.pack() == before);
    QVERIFY(!m_window->simulator().rules().hasWaits());
}

/// What is selected is what the text stands at, and what is typed there is not lost at the end.
void TestEditingDocks::textIsAKeyAway()
{
    setEditing(true);
    TextPanel &text = docks().text();
    docks().showRow(u"/machines/resource/states/Failed"_s);
    QTest::keyClick(m_window, Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(text.isVisible());
    QTRY_COMPARE(m_window->focusWidget(), &text.edit());
    QVERIFY(text.edit().textCursor().block().text().contains(u"\"Failed\""_s));
    const qsizetype at = text.edit().text().indexOf(u"\"Updating\": {"_s);
    QVERIFY(at > 0);
    text.edit().goTo(int(at) + 3);
    QCOMPARE(row(), u"/machines/resource/states/Updating"_s);

    text.edit().goTo(0);
    QTest::keyClicks(&text.edit(), u" "_s);
    QVERIFY(!editing().document().isModified()); // not read yet
    QVERIFY(messageOf([&] { editing().mayClose(); }).contains(u"unsaved changes"_s));
    QVERIFY(editing().document().isModified());
    QTest::keyClicks(&text.edit(), u"}"_s);
    QVERIFY(messageOf([&] { editing().mayClose(); }).contains(u"not valid yet"_s));
    QTest::keyClick(&text.edit(), Qt::Key_Backspace);
    QTest::keyClick(&text.edit(), Qt::Key_Backspace);
    text.finish();
    QCOMPARE(text.unread(), QString());
}

void TestEditingDocks::undoBringsBackWhatWasSeen()
{
    setEditing(true);
    settle();
    Selection &selection = editing().selection();
    Document &document = this->document();
    const QString machine = selection.rows().machine;
    const QStringList states = stateIds(*document.pack().machine(machine));
    const SelectedRows before { .machine = machine, .states = { states[1] } };
    selection.set(before);
    for (int i = 0; i < 3; ++i)
        chart().zoomIn();
    const StatechartView::ViewPosition look = chart().viewPosition();
    editing().hands().remove();
    settle();
    QVERIFY(!document.pack().machine(machine)->state(states[1]));

    const SelectedRows after { .machine = machine, .states = { states[2] } };
    selection.set(after);
    for (int i = 0; i < 3; ++i)
        chart().zoomOut();
    const StatechartView::ViewPosition later = chart().viewPosition();
    QVERIFY(later.scale < look.scale);

    const auto isSeen = [this](const StatechartView::ViewPosition &wanted) {
        const StatechartView::ViewPosition now = chart().viewPosition();
        return qFuzzyCompare(now.scale, wanted.scale)
            && (now.centre - wanted.centre).manhattanLength() < 4;
    };
    document.history().undo();
    settle();
    QCOMPARE(selection.rows(), before);
    QTRY_VERIFY(isSeen(look));
    document.history().redo();
    settle();
    QCOMPARE(selection.rows(), after);
    QTRY_VERIFY(isSeen(later));
}

const TestClass<TestEditingDocks, QApplication> registered;

#include "tst_editingdocks.moc"
