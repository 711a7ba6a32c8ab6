// SPDX-License-Identifier: Apache-2.0
#include "model/pack/edits.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/packlab.h"
#include "tests/views/panelsupport.h"
#include "views/document/document.h"
#include "views/editing/rowform.h"
#include "views/editing/wordedits.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

using namespace instar;
using namespace Qt::StringLiterals;

class TestRowForm : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup()
    {
        m_form.reset();
        m_document.reset();
    }
    void showsMembersInOrder();
    void renamesEverywhere();
    void wrongNumber();
    void undoBringsItBack();
    void typingIsOneEdit();
    void wordsAndFlags();
    void refusesInsteadOfATarget();
    void typesHaveAParent();
    void maps();
    void completion();
    void namesAreLinks();
    void usedBy();
    void followsItsRow();
    void anotherShapeOfTheSameRow();
    void rowsInside();
    void helpIsAtTheField();
    void controlsHaveNames();
    void fitsIntoANarrowDock();

private:
    void show(const QString &pointer) { m_form->showRow(pointer); }
    QWidget *control(const QString &key) { return m_form->findChild<QWidget *>(key); }
    WordEdit &edit(const QString &key) { return *qobject_cast<WordEdit *>(control(key)); }
    QString problem(const QString &key)
    {
        return m_form->findChild<QLabel *>(key + u"-error"_s)->text();
    }
    void retype(const QString &key, const QString &text)
    {
        edit(key).setFocus();
        edit(key).selectAll();
        if (text.isEmpty())
            QTest::keyClick(&edit(key), Qt::Key_Delete);
        QTest::keyClicks(&edit(key), text);
    }
    const Pack &pack() { return m_document->pack(); }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<RowForm> m_form;
};

void TestRowForm::init()
{
    m_document = std::make_unique<Document>(labPack());
    m_form = std::make_unique<RowForm>(*m_document);
    m_form->resize(320, 700);
    m_form->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_form.get()));
    m_form->activateWindow();
}

void TestRowForm::showsMembersInOrder()
{
    QCOMPARE(m_form->pointer(), u""_s); // the pack itself
    QCOMPARE(edit(u"title"_s).text(), u"Lab"_s);
    show(u"/machines/server/transitions/1"_s);
    QStringList keys;
    for (const Field &field : fieldsAt(pack(), m_form->pointer()).fields) {
        QVERIFY2(control(field.key), qPrintable(field.key));
        keys += field.key;
    }
    QCOMPARE(keys.mid(0, 5), (QStringList { u"from"_s, u"on"_s, u"if"_s, u"to"_s, u"refuse"_s }));
    for (qsizetype i = 1; i < keys.size(); ++i)
        QVERIFY(control(keys[i])->y() > control(keys[i - 1])->y());
    QCOMPARE(edit(u"to"_s).text(), u"going"_s);
    QVERIFY(!control(u"nothing"_s));
}

void TestRowForm::renamesEverywhere()
{
    show(u"/machines/rack/states/up"_s);
    retype(u"(name)"_s, u"standing"_s);
    QVERIFY(pack().machine(u"rack"_s)->state(u"up"_s)); // not while it is typed
    QTest::keyClick(&edit(u"(name)"_s), Qt::Key_Return);
    const Machine rack = *pack().machine(u"rack"_s);
    QVERIFY(rack.state(u"standing"_s));
    QCOMPARE(rack.rest, u"standing"_s);
    QCOMPARE(rack.transitions[0].to, { u"standing"_s });
    QCOMPARE(pack().machine(u"server"_s)->constraints[0].holds[0].states, { u"standing"_s });
    QCOMPARE(m_form->pointer(), u"/machines/rack/states/standing"_s);
    QCOMPARE(m_document->history().count(), 1);
    m_document->history().undo();
    QVERIFY(pack() == labPack());
    QCOMPARE(edit(u"(name)"_s).text(), u"up"_s);
}

void TestRowForm::wrongNumber()
{
    show(u"/operations/start"_s);
    retype(u"duration"_s, u"soon"_s);
    QVERIFY(begins(problem(u"duration"_s), u"expected a whole number"_s));
    QVERIFY(pack() == labPack());
    QCOMPARE(edit(u"duration"_s).text(), u"soon"_s);
    retype(u"duration"_s, u"70"_s);
    QCOMPARE(problem(u"duration"_s), u""_s);
    QCOMPARE(pack().operations[0].duration, 70);
}

void TestRowForm::undoBringsItBack()
{
    show(u"/operations/start"_s);
    retype(u"duration"_s, u"7"_s);
    QCOMPARE(pack().operations[0].duration, 7);
    QTest::keyClicks(&edit(u"duration"_s), u"x"_s);
    QVERIFY(!problem(u"duration"_s).isEmpty());
    m_document->history().undo();
    QCOMPARE(edit(u"duration"_s).text(), u"5000"_s);
    QCOMPARE(problem(u"duration"_s), u""_s);
    QVERIFY(pack() == labPack());
    m_document->history().redo();
    QCOMPARE(edit(u"duration"_s).text(), u"7"_s);
}

void TestRowForm::typingIsOneEdit()
{
    show(u"/machines/server"_s);
    retype(u"title"_s, u"Machine"_s);
    QCOMPARE(pack().machine(u"server"_s)->title, u"Machine"_s);
    QCOMPARE(m_document->history().count(), 1);
    edit(u"about"_s).setFocus();
    edit(u"title"_s).setFocus();
    QTest::keyClicks(&edit(u"title"_s), u"s"_s);
    QCOMPARE(m_document->history().count(), 2); // it was left in between
    retype(u"title"_s, {});
    QCOMPARE(pack().machine(u"server"_s)->title, u""_s);
}

void TestRowForm::wordsAndFlags()
{
    show(u"/machines/server/states/going"_s);
    auto *kind = qobject_cast<QComboBox *>(control(u"kind"_s));
    QCOMPARE(kind->currentText(), u"transitional"_s);
    kind->setFocus();
    QTest::keyClick(kind, Qt::Key_Home);
    QCOMPARE(pack().machine(u"server"_s)->state(u"going"_s)->kind, State::Kind::Initial);
    auto *flag = qobject_cast<QCheckBox *>(control(u"byServer"_s));
    QVERIFY(!flag->isChecked());
    QTest::keyClick(flag, Qt::Key_Space);
    QVERIFY(pack().machine(u"server"_s)->state(u"going"_s)->byServer);
    m_document->history().undo();
    QVERIFY(!flag->isChecked());
    show(u"/machines/server/states/on"_s);
    QCOMPARE(qobject_cast<QComboBox *>(control(u"kind"_s))->currentText(), u"stable"_s);
}

/// A transition has a target or a refusal; what is typed last holds, and the other field is empty.
void TestRowForm::refusesInsteadOfATarget()
{
    show(u"/machines/server/transitions/1"_s);
    retype(u"refuse"_s, u"missing"_s);
    const auto row = [this] { return pack().machine(u"server"_s)->transitions[1]; };
    QCOMPARE(row().refuse, u"missing"_s);
    QCOMPARE(edit(u"to"_s).text(), u""_s);
    QCOMPARE(problem(u"refuse"_s), u""_s);
    retype(u"to"_s, u"on"_s);
    QCOMPARE(row().to, { u"on"_s });
    QCOMPARE(edit(u"refuse"_s).text(), u""_s);
    m_document->history().undo();
    m_document->history().undo();
    QVERIFY(pack() == labPack());
    QCOMPARE(edit(u"to"_s).text(), u"going"_s);
}

void TestRowForm::typesHaveAParent()
{
    show(u"/types/racks~1servers"_s);
    auto *parent = qobject_cast<QComboBox *>(control(RowParent.toString()));
    QCOMPARE(parent->currentText(), u"racks"_s);
    parent->setFocus();
    QTest::keyClick(parent, Qt::Key_Home);
    QCOMPARE(m_form->pointer(), u"/types/servers"_s);
    QCOMPARE(pack().sample[1].path, u"/servers/s1"_s);
    QCOMPARE(parent->currentText(), parent->itemText(0));
}

void TestRowForm::maps()
{
    show(u"/machines/server/transitions/0"_s);
    auto *set = qobject_cast<QPlainTextEdit *>(control(u"set"_s));
    set->setFocus();
    QTest::keyClicks(set, u"count"_s);
    QVERIFY(problem(u"set"_s).contains(u"name: value"));
    QVERIFY(pack() == labPack());
    QTest::keyClicks(set, u": 5"_s);
    QCOMPARE(problem(u"set"_s), u""_s);
    QCOMPARE(pack().machine(u"server"_s)->transitions[0].set.value(0).value, QJsonValue(5));
    QCOMPARE(set->toPlainText(), u"count: 5"_s);
    QKeyEvent redo(QEvent::ShortcutOverride, Qt::Key_Y, Qt::ControlModifier);
    redo.ignore();
    QApplication::sendEvent(set, &redo);
    QVERIFY(!redo.isAccepted()); // the document's
}

void TestRowForm::completion()
{
    show(u"/machines/server/transitions/0"_s);
    retype(u"from"_s, u"off, go"_s);
    auto *completer = edit(u"from"_s).findChild<QCompleter *>();
    QCOMPARE(completer->currentCompletion(), u"going"_s);
    completer->popup()->setCurrentIndex(completer->completionModel()->index(0, 0));
    QTest::keyClick(completer->popup(), Qt::Key_Tab);
    QCOMPARE(edit(u"from"_s).text(), u"off, going"_s);
    QCOMPARE(
        pack().machine(u"server"_s)->transitions[0].from, (QStringList { u"off"_s, u"going"_s }));
}

void TestRowForm::namesAreLinks()
{
    show(u"/machines/server/transitions/1"_s);
    QSignalSpy asked(m_form.get(), &RowForm::rowAsked);
    QTest::mouseClick(panels::named<QToolButton>(*m_form, u"Go to To"_s), Qt::LeftButton);
    QCOMPARE(asked.value(0).value(0).toString(), u"/machines/server/states/going"_s);
    edit(u"on"_s).setFocus();
    QTest::mouseClick(panels::named<QToolButton>(*m_form, u"Go to On"_s), Qt::LeftButton);
    QCOMPARE(asked.value(1).value(0).toString(), u"/operations/stop"_s);
}

void TestRowForm::usedBy()
{
    show(u"/machines/rack/states/up"_s);
    QString text;
    for (const QLabel *label : m_form->findChildren<QLabel *>())
        text += label->text() + u'\n';
    QVERIFY2(text.contains(u"4 row"), qPrintable(text));
    QVERIFY(text.contains(u"/machines/server/constraints/0"));
}

void TestRowForm::followsItsRow()
{
    show(u"/machines/server/transitions/0"_s);
    m_document->edit({}, withRowMoved(pack(), u"/machines/server/transitions/0"_s, 2)->pack);
    QCOMPARE(m_form->pointer(), u"/machines/server/transitions/2"_s);
    QCOMPARE(edit(u"from"_s).text(), u"off"_s);
    retype(u"label"_s, u"on!"_s);
    QCOMPARE(pack().machine(u"server"_s)->transitions[2].label, u"on!"_s);
    m_document->edit({}, *withoutRow(pack(), m_form->pointer()));
    QCOMPARE(m_form->pointer(), u""_s);
    show(u"/machines/none/rest"_s);
    QCOMPARE(m_form->pointer(), u""_s);
}

/// Who works in it goes on where they were.
void TestRowForm::anotherShapeOfTheSameRow()
{
    m_form->resize(320, 160);
    show(u"/machines/server/states/going/work/0"_s);
    QWidget *condition = control(u"if"_s);
    QVERIFY(condition);
    condition->setFocus();
    auto *scroll = m_form->findChild<QScrollArea *>();
    QTRY_VERIFY(scroll->verticalScrollBar()->maximum() > 40);
    scroll->verticalScrollBar()->setValue(40);
    Pack changed = pack();
    Step &step = changed.machines[1].states[2].work[0];
    step.kind = Step::Kind::Decide;
    step.name = u"succeeded"_s;
    m_document->edit({}, changed);
    QVERIFY(control(u"if"_s) != condition); // made anew
    QCOMPARE(m_form->focusWidget(), control(u"if"_s));
    QCOMPARE(scroll->verticalScrollBar()->value(), 40);
    show(u"/machines/server/states/on"_s); // another row begins at its top
    QCOMPARE(scroll->verticalScrollBar()->value(), 0);
}

void TestRowForm::rowsInside()
{
    show(u"/machines/server/states/going"_s);
    QSignalSpy asked(m_form.get(), &RowForm::rowAsked);
    QTest::mouseClick(panels::named<QToolButton>(*m_form, u"Add to Work"_s), Qt::LeftButton);
    QCOMPARE(pack().machine(u"server"_s)->state(u"going"_s)->work.size(), 2);
    QCOMPARE(asked.value(0).value(0).toString(), u"/machines/server/states/going/work/1"_s);
    show(u"/machines/server/states/on"_s);
    retype(u"timer"_s, u"{\"op\": \"stop\", \"after\": 5}"_s);
    QCOMPARE(pack().machine(u"server"_s)->state(u"on"_s)->timer->after, 5);
    show(u"/machines/server/states/on/timer"_s);
    retype(u"after"_s, u"-1"_s);
    QVERIFY(!problem(u"after"_s).isEmpty());
    retype(u"after"_s, u"60"_s);
    QCOMPARE(pack().machine(u"server"_s)->state(u"on"_s)->timer->after, 60);
    QCOMPARE(m_form->pointer(), u"/machines/server/states/on/timer"_s);
}

void TestRowForm::helpIsAtTheField()
{
    show(u"/operations/start"_s);
    const auto isShown = [&](const QString &part) {
        for (const QLabel *label : m_form->findChildren<QLabel *>()) {
            if (label->isVisible() && label->text().contains(part))
                return true;
        }
        return false;
    };
    edit(u"about"_s).setFocus();
    QTest::qWait(20); // laid out
    QVERIFY(!isShown(u"How long one attempt takes"_s));
    QVERIFY(isShown(u"The reason for the row"_s));
    const QPoint place = edit(u"about"_s).mapTo(m_form.get(), QPoint());
    edit(u"duration"_s).setFocus();
    QTest::qWait(20);
    QCOMPARE(edit(u"about"_s).mapTo(m_form.get(), QPoint()), place); // no field moves
    QVERIFY(isShown(u"How long one attempt takes"_s));
    QVERIFY(edit(u"duration"_s).toolTip().contains(u"How long one attempt takes"_s));
    // The help is whole, in a narrow form, too, and takes no room without a text.
    m_form->resize(200, m_form->height());
    QTest::qWait(20);
    const auto *help = m_form->findChild<QLabel *>(u"help"_s);
    const QWidget *area = help->parentWidget()->parentWidget();
    QVERIFY(area->height() > 0);
    QCOMPARE(area->height(),
        std::min(help->heightForWidth(area->width()), 6 * help->fontMetrics().lineSpacing()));
    edit(u"duration"_s).clearFocus();
    QTest::qWait(20);
    QCOMPARE(area->height(), 0);
    QVERIFY(isShown(u"ms"_s));
}

void TestRowForm::controlsHaveNames()
{
    for (const QString &row : { u""_s, u"/machines/server/states/going"_s, u"/types/racks"_s }) {
        show(row);
        QCOMPARE(panels::namelessControls(*m_form), u""_s);
    }
}

void TestRowForm::fitsIntoANarrowDock()
{
    m_form->resize(230, 500);
    for (const QString &row :
        { u""_s, u"/machines/server/states/going"_s, u"/types/racks~1servers"_s,
            u"/machines/server/transitions/2"_s, u"/operations/start"_s }) {
        show(row);
        QCoreApplication::processEvents();
        const auto *area = m_form->findChild<QScrollArea *>();
        QVERIFY2(area->widget()->width() <= area->viewport()->width(), qPrintable(row));
        for (const QLabel *label : m_form->findChildren<QLabel *>(Qt::FindDirectChildrenOnly)) {
            if (label->font().bold()) // the name of the row, whole
                QVERIFY(label->height() >= label->heightForWidth(label->width()));
        }
    }
}

const TestClass<TestRowForm, QApplication> registered;

#include "tst_rowform.moc"
