// SPDX-License-Identifier: Apache-2.0
// A shipped machine made anew in the real window, from nothing, with the mouse and with keys alone.

#include "model/json/fields.h"
#include "model/json/packfile.h"
#include "model/pack/edits.h"
#include "model/pack/names.h"
#include "tests/app/handsundertest.h"
#include "tests/support/fileanswer.h"
#include "tests/support/testclass.h"
#include "views/editing/charttext.h"
#include "views/editing/rowform.h"
#include "views/editing/systempanel.h"
#include "views/editing/wordedits.h"

#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QToolButton>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

enum class Way { Mouse, Keys };

/// The machine without what only says where it is drawn.
Machine undrawn(Machine machine)
{
    for (State &state : machine.states)
        state.position.reset();
    for (Transition &row : machine.transitions)
        row.bend = 0;
    return machine;
}

/// What a file says of the machine, but for where it is drawn.
QJsonObject undrawn(const QString &file, const QString &machine)
{
    QJsonObject said = QJsonDocument::fromJson(bytesOf(file))[u"machines"_s][machine].toObject();
    QJsonObject states = said[u"states"_s].toObject();
    for (const QString &id : states.keys()) {
        QJsonObject state = states[id].toObject();
        state.remove(u"at"_s);
        states[id] = state;
    }
    said[u"states"_s] = states;
    QJsonArray rows;
    const QJsonArray transitions = said[u"transitions"_s].toArray();
    for (const QJsonValue value : transitions) {
        QJsonObject row = value.toObject();
        row.remove(u"bend"_s);
        rows += row;
    }
    said[u"transitions"_s] = rows;
    return said;
}

/// Every part of the machine is made by hand: states and arrows on the chart, everything else row
/// by row in the form. The pack is only read, to know where to go and what is still to be done.
class TestFromNothing : public QObject, private HandsUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init();
    void cleanup() { close(); }

    void withTheMouse() { make(Way::Mouse); }
    void byKeysAlone() { make(Way::Keys); }

private:
    Editing &docks() { return editing(); }
    RowForm &form() { return docks().form(); }
    QTreeView &rows() { return *docks().system().findChild<QTreeView *>(); }
    const Machine &machine() { return document().pack().machines.first(); }
    QString made() { return u"/machines/"_s + machine().id; } ///< a pointer
    void picture(const QString &name);

    // What hands do.
    QWidget *keyboard();
    void press(int key, Qt::KeyboardModifiers keys = {})
    {
        QTest::keyClick(keyboard(), Qt::Key(key), keys);
    }
    void type(const QString &text);
    void typeInPlace(const QString &text);
    void walkTo(QWidget &panel);

    // What is done with them.
    void make(Way way);
    void clear();
    void addState(const State &state);
    void addTransition(int row);
    void draw(const Transition &row);
    void addRows(const QString &list, qsizetype count);
    void addRow(const QString &list);
    void goToRow(const QString &pointer);
    void goToField(QWidget &control);
    void fill(const QString &pointer);
    void fillField(const QString &pointer, const Field &field);
    QString save();

    Pack m_shipped;
    Machine m_wanted;
    Way m_way = Way::Mouse;
};

void TestFromNothing::init()
{
    open();
    show(newPacks().first().id);
    m_window->resize(1600, 1000);
    chart().setMotion(Motion::Reduced);
    m_shipped = *loadPack(u"blazar"_s);
    m_wanted = undrawn(*m_shipped.machine(u"lease"_s));
}

void TestFromNothing::picture(const QString &name)
{
    const QString folder = qEnvironmentVariable("INSTAR_PICTURES");
    if (folder.isEmpty())
        return;
    settle();
    QCoreApplication::processEvents();
    const QString way = m_way == Way::Mouse ? u"mouse"_s : u"keys"_s;
    QVERIFY(m_window->grab().save(folder + u"/fromnothing-%1-%2.png"_s.arg(way, name)));
}

/// Where keys go. Without a screen, a list that completes stays the active window.
QWidget *TestFromNothing::keyboard()
{
    if (QWidget *popup = QApplication::activePopupWidget())
        return popup->focusWidget() ? popup->focusWidget() : popup;
    if (QApplication::activeWindow() != m_window)
        QApplication::setActiveWindow(m_window);
    return QApplication::focusWidget() ? QApplication::focusWidget() : m_window.data();
}

void TestFromNothing::type(const QString &text)
{
    for (const QChar letter : text) {
        if (letter == u'\n')
            press(Qt::Key_Return);
        else
            QTest::keyClick(keyboard(), letter.toLatin1());
    }
}

void TestFromNothing::typeInPlace(const QString &text)
{
    settle();
    QVERIFY2(editing().hands().lineEdit(), qPrintable(u"nowhere to type "_s + text));
    press(Qt::Key_A, Qt::ControlModifier);
    type(text);
    press(Qt::Key_Return);
    settle();
}

/// To a panel by keys.
void TestFromNothing::walkTo(QWidget &panel)
{
    const auto isThere = [&] {
        const QWidget *now = keyboard();
        return now == &panel || panel.isAncestorOf(now);
    };
    for (int i = 0; i < 12 && !isThere(); ++i)
        press(Qt::Key_F6);
    QVERIFY2(isThere(), qPrintable(u"F6 does not lead to "_s + panel.accessibleName()));
}

void TestFromNothing::clear()
{
    if (m_way == Way::Keys)
        walkTo(chart());
    else
        click(emptyPlace({}));
    press(Qt::Key_A, Qt::ControlModifier);
    press(Qt::Key_Delete);
    settle();
    QVERIFY(machine().states.isEmpty());
    QVERIFY(machine().transitions.isEmpty());
}

void TestFromNothing::addState(const State &state)
{
    if (m_way == Way::Mouse) {
        const QPointF place = m_shipped.machine(m_wanted.id)->state(state.id)->position.value();
        const QPoint there = emptyPlace(place);
        QVERIFY2(there.x() >= 0, "there is no room on the chart");
        doubleClick(there);
    } else {
        walkTo(chart());
        press(Qt::Key_S);
    }
    typeInPlace(state.id);
    QVERIFY2(machine().state(state.id), qPrintable(state.id));
    if (m_way == Way::Mouse)
        return; // its kind is chosen in the form
    walkTo(chart());
    for (int i = 0; i < 3 && machine().state(state.id)->kind != state.kind; ++i) {
        press(Qt::Key_K);
        settle();
    }
}

void TestFromNothing::draw(const Transition &row)
{
    const QString from = row.from.first(), to = row.to.first();
    if (m_way == Way::Mouse) {
        click(emptyPlace({}));
        drag(borderOf(from), middleOf(to));
    } else {
        goToRow(made() + u"/states/"_s + from);
        walkTo(chart());
        press(Qt::Key_T);
        typeInPlace(to);
    }
    if (!QTest::currentTestFailed())
        typeInPlace(arrowText({ row.on, row.condition }));
}

/// One that leads from a state to a state is drawn; others are rows that nobody can draw.
void TestFromNothing::addTransition(int row)
{
    const Transition &wanted = m_wanted.transitions[row];
    const bool isDrawn = !wanted.to.isEmpty() && m_wanted.state(wanted.from.first())
        && m_wanted.state(wanted.to.first());
    if (!isDrawn)
        return addRows(made() + u"/transitions"_s, row + 1);
    draw(wanted);
    QCOMPARE(machine().transitions.size(), row + 1);
    QCOMPARE(selected().transitions.size(), 1);
    const int place = *selected().transitions.begin();
    QCOMPARE(machine().transitions[place].on, wanted.on); // before the form could mend it
    QCOMPARE(machine().transitions[place].condition, wanted.condition);
    if (place == row)
        return;
    goToRow(made() + u"/transitions/%1"_s.arg(place));
    for (int i = place; i < row; ++i)
        press(Qt::Key_Down, Qt::AltModifier);
}

/// Until the list is so long.
void TestFromNothing::addRows(const QString &list, qsizetype count)
{
    const auto length = [&] {
        qsizetype rows = 0;
        while (!fieldsAt(document().pack(), list + u"/%1"_s.arg(rows)).kind.isEmpty())
            ++rows;
        return rows;
    };
    for (qsizetype before = length(); before < count; before = length()) {
        addRow(list);
        if (QTest::currentTestFailed())
            return;
        QVERIFY2(length() == before + 1, qPrintable(list));
    }
}

/// At the end of a list; an empty one is only in the form of the row around it.
void TestFromNothing::addRow(const QString &list)
{
    const auto *model = static_cast<const SystemModel *>(rows().model());
    if (model->at(list).data(SystemModel::PointerRole).toString() == list) {
        goToRow(list);
        if (m_way == Way::Keys)
            return press(Qt::Key_Insert);
        auto *button = panels::named<QToolButton>(docks().system(), u"Add a row"_s);
        return QTest::mouseClick(button, Qt::LeftButton);
    }
    const QString around = list.section(u'/', 0, -2), key = list.section(u'/', -1);
    goToRow(around);
    auto *add = form().findChild<QWidget *>(key)->findChild<QToolButton *>();
    QVERIFY(add);
    goToField(*add);
    if (m_way == Way::Keys)
        press(Qt::Key_Space);
}

/// In the System panel.
void TestFromNothing::goToRow(const QString &pointer)
{
    const auto *model = static_cast<const SystemModel *>(rows().model());
    const QModelIndex row = model->at(pointer);
    QVERIFY2(row.data(SystemModel::PointerRole).toString() == pointer, qPrintable(pointer));
    if (m_way == Way::Mouse) {
        rows().scrollTo(row);
        QTest::mouseClick(rows().viewport(), Qt::LeftButton, {}, rows().visualRect(row).center());
        QCOMPARE(docks().system().pointer(), pointer);
        return;
    }
    walkTo(rows());
    for (int i = 0; i < 400 && rows().currentIndex() != row; ++i) {
        QModelIndex seen = row;
        for (QModelIndex around = row.parent(); around.isValid(); around = around.parent()) {
            if (!rows().isExpanded(around))
                seen = around;
        }
        const int now = rows().visualRect(rows().currentIndex()).y();
        if (seen == rows().currentIndex())
            press(Qt::Key_Right);
        else
            press(rows().visualRect(seen).y() < now ? Qt::Key_Up : Qt::Key_Down);
    }
    QCOMPARE(docks().system().pointer(), pointer);
}

/// In the form; a button is pressed by the click.
void TestFromNothing::goToField(QWidget &control)
{
    if (m_way == Way::Mouse) {
        form().findChild<QScrollArea *>()->ensureWidgetVisible(&control);
        auto *text = qobject_cast<QPlainTextEdit *>(&control);
        QWidget *target = text ? text->viewport() : &control;
        QTest::mouseClick(target, Qt::LeftButton, {}, { 8, target->height() / 2 });
        return;
    }
    walkTo(form());
    for (int i = 0; i < 80 && keyboard() != &control; ++i)
        press(Qt::Key_Tab);
    QVERIFY2(
        keyboard() == &control, qPrintable(u"Tab does not lead to "_s + control.accessibleName()));
}

/// The members of a row that are not yet what they should be.
void TestFromNothing::fill(const QString &pointer)
{
    static const QStringList drawn { u"at"_s, u"bend"_s };
    const QString shipped = u"/machines/"_s + m_wanted.id + pointer;
    for (const Field &field : fieldsAt(m_shipped, shipped).fields) {
        const bool isRow = field.kind == Field::Kind::Row || field.kind == Field::Kind::Rows;
        if (!isRow && !drawn.contains(field.key))
            fillField(pointer, field);
        if (QTest::currentTestFailed())
            return;
    }
}

void TestFromNothing::fillField(const QString &pointer, const Field &field)
{
    const auto now = [&] {
        for (const Field &each : fieldsAt(document().pack(), made() + pointer).fields) {
            if (each.key == field.key)
                return each.text;
        }
        return QString();
    };
    if (now() == field.text)
        return;
    if (form().pointer() != made() + pointer)
        goToRow(made() + pointer);
    QWidget *control = form().findChild<QWidget *>(field.key);
    QVERIFY2(control, qPrintable(pointer + u' ' + field.key));
    goToField(*control);
    if (QTest::currentTestFailed())
        return;
    if (auto *choice = qobject_cast<QComboBox *>(control)) {
        const int way = int(field.words.indexOf(field.text)) - choice->currentIndex();
        for (int i = 0; i < std::abs(way); ++i)
            press(way < 0 ? Qt::Key_Up : Qt::Key_Down);
        if (m_way == Way::Mouse)
            press(Qt::Key_Return); // in the list that the click has opened
    } else if (field.kind == Field::Kind::Flag) {
        if (m_way == Way::Keys)
            press(Qt::Key_Space);
    } else {
        press(Qt::Key_A, Qt::ControlModifier);
        type(field.text);
        if (QApplication::activePopupWidget()) // names that could have been meant
            press(Qt::Key_Escape);
        if (field.kind == Field::Kind::Name)
            press(Qt::Key_Return);
    }
    QVERIFY2(now() == field.text,
        qPrintable(u"%1 %2: \"%3\", not \"%4\" (%5)"_s.arg(pointer, field.key, now(), field.text,
            form().findChild<QLabel *>(field.key + u"-error"_s)->text())));
}

/// With the window's own command; the file's name.
QString TestFromNothing::save()
{
    const QString file =
        m_folder.filePath(m_way == Way::Mouse ? u"by-mouse.json"_s : u"by-keys.json"_s);
    const FileAnswer answer(file);
    press(Qt::Key_S, Qt::ControlModifier);
    return file;
}

void TestFromNothing::make(Way way)
{
    m_way = way;
    picture(u"0-empty"_s);
    QVERIFY(editing().isOn());             // a new pack opens in Edit
    press(Qt::Key_0, Qt::ControlModifier); // the whole chart
    const auto each = [](qsizetype count, const auto &act) {
        for (int i = 0; i < count && !QTest::currentTestFailed(); ++i)
            act(i);
    };
    clear();
    fill({});
    picture(u"1-nothing"_s);
    each(m_wanted.states.size(), [&](int i) { addState(m_wanted.states[i]); });
    picture(u"2-states"_s);
    for (const State &state : m_wanted.states) {
        const QString row = u"/states/"_s + state.id;
        if (!QTest::currentTestFailed())
            fill(row);
        each(state.work.size(), [&](int i) {
            addRows(made() + row + u"/work"_s, i + 1);
            if (!QTest::currentTestFailed())
                fill(row + u"/work/%1"_s.arg(i));
        });
    }
    picture(u"3-work"_s);
    each(m_wanted.constraints.size(), [&](int i) {
        addRows(made() + u"/constraints"_s, i + 1);
        if (!QTest::currentTestFailed())
            fill(u"/constraints/%1"_s.arg(i));
    });
    each(m_wanted.transitions.size(), [&](int i) {
        addTransition(i);
        if (!QTest::currentTestFailed())
            fill(u"/transitions/%1"_s.arg(i));
        if (i == m_wanted.transitions.size() / 2)
            picture(u"4-arrows"_s);
    });
    if (QTest::currentTestFailed())
        return;
    picture(u"5-whole"_s);
    if (way == Way::Keys) { // which put one state beside the other
        walkTo(chart());
        press(Qt::Key_Escape);
        press(Qt::Key_L);
    }
    press(Qt::Key_0, Qt::ControlModifier);
    picture(u"6-arranged"_s);
    QVERIFY(undrawn(machine()) == m_wanted);
    const QString file = save();
    const Pack saved = valueOf(loadPack(file));
    QCOMPARE(undrawn(*saved.machine(m_wanted.id)), m_wanted);
    const QJsonObject written = undrawn(file, m_wanted.id);
    QVERIFY(!written.isEmpty());
    QCOMPARE(written, undrawn(u":/instar/packs/blazar.json"_s, m_wanted.id));
}

const TestClass<TestFromNothing, QApplication> registered;

} // namespace

#include "tst_fromnothing.moc"
