// SPDX-License-Identifier: Apache-2.0
#include "views/editing/charteditor.h"

#include "model/json/condition.h"
#include "model/pack/identity.h"
#include "model/pack/knownnames.h"
#include "model/pack/names.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"
#include "model/pack/run.h"
#include "model/pack/tree.h"
#include "views/document/document.h"
#include "views/drawing/text.h"
#include "views/editing/charttext.h"
#include "views/look.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace instar {

namespace {

constexpr double handleRadius = 4.5, handleReach = 9; ///< pixels
constexpr double borderReach = 6;                     ///< pixels on either side of a border
constexpr double mostReach = 9;      ///< of a border, in points; small boxes stay movable
constexpr double snapReach = 6;      ///< pixels
constexpr int dragBegins = 5;        ///< pixels between a press and a drag
constexpr int restoreWithinMs = 500; ///< a later layout restores no view
constexpr QPointF stride { 150, 0 }; ///< from a state to the line edit beside it
constexpr double besideGap = 60;     ///< from a state to a new one beside it
constexpr double arrowGap = 100;     ///< besideGap with room for a labelled arrow

/// First four names, separated by commas.
QString shortList(const QStringList &names)
{
    constexpr qsizetype most = 4;
    return names.size() <= most ? names.join(u", "_s) : names.mid(0, most).join(u", "_s) + u", …"_s;
}

} // namespace

ChartEditor::ChartEditor(
    StatechartView &chart, Document &document, Selection &selection, QWidget *parent)
    : QObject(parent), m_chart(chart), m_document(document), m_selection(selection)
{
    build();
    connect(&m_selection, &Selection::rowsChosen, this, [this](const SelectedRows &now) {
        if (m_isOn && !now.machine.isEmpty() && now.machine != m_chart.machine())
            m_chart.setMachine(now.machine);
        enableActions();
        m_chart.viewport()->update();
    });
    connect(&m_document, &Document::changed, this, [this](const Pack &before, const Pack &after) {
        m_restoreView = nullptr; // belongs to the previous pack
        if (!m_isOn)
            m_leftRows = {};
        followRows(before, after);
        enableActions();
    });
    m_document.setViewCapture([this] { return captureView(); });
    connect(&m_chart, &StatechartView::laidOut, this, &ChartEditor::adaptToLayout);
    connect(&m_chart, &StatechartView::focusMoved, this, [this] {
        if (m_isOn && !m_lineEdit && m_gesture.kind == Gesture::Kind::None && m_chart.focused())
            m_selection.set(m_chart.rowsOf(*m_chart.focused()));
    });
    m_chart.installEventFilter(this);
    m_chart.viewport()->installEventFilter(this);
    enableActions();
}

ChartEditor::~ChartEditor()
{
    delete m_lineEdit;
    m_document.setViewCapture({});
    m_chart.disconnect(this); // the calls below lay the chart out again
    m_chart.setEdited(nullptr);
    m_chart.setOverlay({});
}

std::function<void()> ChartEditor::captureView()
{
    if (!m_isOn)
        return {};
    return [this, selected = m_selection.rows(), position = m_chart.viewPosition()] {
        if (!m_isOn)
            return;
        const auto restore = [this, selected, position] {
            m_selection.set(selected);
            if (m_chart.machine() == selected.machine)
                m_chart.restoreViewPosition(position);
        };
        restore();
        m_restoreView = restore; // again after the layout, if another chart has to be laid out
        QTimer::singleShot(restoreWithinMs, this, [this] { m_restoreView = nullptr; });
    };
}

void ChartEditor::acceptTyped()
{
    if (m_lineEdit)
        m_lineEdit->acceptAndClose();
}

void ChartEditor::setOn(bool on)
{
    if (on == m_isOn)
        return;
    acceptTyped();
    m_isOn = on;
    m_gesture = {};
    const QString type = typePathOf(m_selection.resource());
    SelectedRows rows = m_selection.rows();
    if (!on) {
        m_leftRows = rows;
        m_leftType = type;
    } else if ((rows.isEmpty() || rows == m_leftRows) && type == m_leftType
        && !m_leftRows.machine.isEmpty()) {
        rows = m_leftRows; // the user chose neither other rows nor a resource of another type
    } else if (rows.machine != m_chart.machine()) {
        rows = { .machine = m_chart.machine() };
    }
    m_chart.setMachine(on ? rows.machine : QString()); // stays when the resource vanishes
    m_chart.setEdited(on ? &m_document.pack() : nullptr);
    m_chart.setOverlay(
        on ? [this](QPainter &painter) { paint(painter); } : StatechartView::Overlay());
    if (on)
        m_selection.set(rows);
    enableActions();
}

void ChartEditor::build()
{
    using Rows = SelectedRows;
    const auto add = [this](const QString &text, const QList<QKeySequence> &keys, auto act,
                         bool (*allows)(const Rows &)) {
        auto *action = new QAction(text, this);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, [this, act] {
            if (machine())
                std::invoke(act, *this);
        });
        m_chart.addAction(action);
        m_actions += action;
        m_allows += allows;
        return action;
    };
    const auto always = [](const Rows &) { return true; };
    const auto anything = [](const Rows &now) { return !now.isEmpty(); };
    const auto aState = [](const Rows &now) { return now.states.size() == 1; };
    const auto states = [](const Rows &now) { return !now.states.isEmpty(); };
    const auto aText = [](const Rows &now) {
        return now.states.size() == 1 || !now.transitions.isEmpty() || now.note >= 0;
    };
    using Editor = ChartEditor;
    add(tr("Add &State"), { Qt::Key_S, Qt::Key_Insert }, &Editor::addState, always);
    add(tr("Add &Transition…"), { Qt::Key_T }, &Editor::addTransition, aState);
    add(tr("Refuse &If…"), { Qt::Key_R }, &Editor::addRefusal,
        [](const Rows &now) { return !now.transitions.isEmpty(); });
    add(tr("&Frame Around the States"), { Qt::Key_F }, &Editor::addFrame, states);
    add(tr("&Rename"), { Qt::Key_F2, Qt::Key_Return, Qt::Key_Enter }, &Editor::rename, aText);
    add(tr("Change to Next &Kind"), { Qt::Key_K }, &Editor::nextKind, aState);
    add(tr("&Move into Frame…"), { Qt::Key_P }, &Editor::nest, states);
    add(tr("Add &Note…"), { Qt::Key_N }, &Editor::addNote, always);
    add(tr("&Delete"), { Qt::Key_Delete, Qt::Key_Backspace }, &Editor::remove, anything);
    add(tr("Cu&t"), { QKeySequence::Cut }, &Editor::cut, states);
    add(tr("&Copy"), { QKeySequence::Copy }, &Editor::copy, states);
    add(tr("&Paste"), { QKeySequence::Paste }, &Editor::paste, always)->setObjectName(u"paste"_s);
    add(tr("D&uplicate"), { Qt::CTRL | Qt::Key_D }, &Editor::duplicate,
        [](const Rows &now) { return !now.states.isEmpty() || !now.transitions.isEmpty(); });
    add(tr("Select &All"), { QKeySequence::SelectAll }, &Editor::selectAll, always);
    add(tr("&Lay Out"), { Qt::Key_L }, &Editor::layOut, always);
    const auto arrange = [&](const QString &text, const QString &step, bool (*allows)(const Rows &),
                             auto centres) {
        const auto act = [step, centres](Editor &editor) {
            editor.edit(step, placed(editor.withDrawnPositions(), centres(editor.selectedBoxes())),
                {}, Positions::Chosen);
        };
        add(text, {}, act, allows)->setObjectName(u"arrange"_s);
    };
    const auto several = [](const Rows &now) { return now.states.size() > 1; };
    const auto many = [](const Rows &now) { return now.states.size() > 2; };
    const std::tuple<QString, Qt::Orientation, double> sides[] {
        { tr("Align Left"), Qt::Horizontal, 0 }, { tr("Align Centres"), Qt::Horizontal, 0.5 },
        { tr("Align Right"), Qt::Horizontal, 1 }, { tr("Align Top"), Qt::Vertical, 0 },
        { tr("Align Middles"), Qt::Vertical, 0.5 }, { tr("Align Bottom"), Qt::Vertical, 1 }
    };
    for (const auto &[text, along, part] : sides) {
        arrange(text, tr("Align"), several, [along = along, part = part](const auto &boxes) {
            return aligned(boxes, along, part);
        });
    }
    for (const auto &[text, along] : { std::pair(tr("Distribute Across"), Qt::Horizontal),
             std::pair(tr("Distribute Down"), Qt::Vertical) }) {
        arrange(text, tr("Distribute"), many,
            [along = along](const auto &boxes) { return distributed(boxes, along); });
    }
}

void ChartEditor::enableActions()
{
    m_chart.setAccessibleDescription(invitation());
    for (qsizetype i = 0; i < m_actions.size(); ++i)
        m_actions[i]->setEnabled(m_isOn && machine() && m_allows[i](m_selection.rows()));
}

const Machine *ChartEditor::machine() const
{
    const QString &id = m_selection.rows().machine;
    return id == m_chart.machine() ? m_document.pack().machine(id) : nullptr;
}

void ChartEditor::followRows(const Pack &before, const Pack &after)
{
    SelectedRows now = m_selection.rows();
    const auto keysNow = [&](const QStringList &keys) {
        return keysOf(pointerOf(after, numberAt(before, pointerTo(keys))).value_or(QString()));
    };
    const QStringList path { u"machines"_s, now.machine };
    const QString machine = keysNow(path).value(1);
    if (machine.isEmpty())
        return;
    if (machine != now.machine)
        m_chart.setMachine(machine);
    now.machine = machine;
    const auto rowNow = [&](const QString &list, int row) {
        return keysNow(path + QStringList { list, QString::number(row) }).value(3, u"-1"_s).toInt();
    };
    if (now.note >= 0)
        now.note = rowNow(u"notes"_s, now.note);
    for (const int row : std::exchange(now.transitions, {}))
        now.transitions += rowNow(u"transitions"_s, row);
    now.transitions.remove(-1);
    m_selection.set(now);
}

int ChartEditor::boxOf(const QString &state) const
{
    const auto found = std::ranges::find(layout().boxes, state, &ChartBox::id);
    return found == layout().boxes.end() ? -1 : int(found - layout().boxes.begin());
}

bool ChartEditor::hasOwnPosition(int box) const
{
    if (!layout().boxes[box].isFrame())
        return true;
    const State *frame = machine()->state(idOf(box));
    return (frame && frame->size)
        || std::ranges::find(layout().boxes, box, &ChartBox::parent) == layout().boxes.end();
}

Machine ChartEditor::withDrawnPositions() const
{
    Machine result = *machine();
    QMap<QString, QPointF> centres;
    for (int i = 0; i < layout().boxes.size(); ++i) {
        const ChartBox &box = layout().boxes[i];
        const QRectF &rect = box.outline.rect;
        const State *state = result.state(idOf(i));
        if (!state || state->position || !hasOwnPosition(i))
            continue; // keeps existing positions exactly
        centres.insert(state->id, rect.center());
        if (state->size)
            stateIn(result, state->id)->size =
                QPointF(std::round(rect.width()), std::round(rect.height()));
    }
    return placed(result, centres);
}

Machine ChartEditor::withSelectionMoved(const QPointF &by) const
{
    const Machine before = withDrawnPositions();
    QMap<QString, QPointF> centres;
    for (const QString &id : withContents(*machine(), m_selection.rows().states)) {
        const int box = boxOf(id);
        if (box < 0 || !hasOwnPosition(box))
            continue;
        // A frame may be drawn larger than its position says, around another centre.
        const QPointF drawn = rectOf(box).center();
        centres.insert(id,
            by
                + (layout().boxes[box].isFrame() ? before.state(id)->position.value_or(drawn)
                                                 : drawn));
    }
    Machine changed = placed(before, centres);
    for (ChartNote &note : changed.notes) {
        if (note.position && centres.contains(note.of))
            *note.position += by.toPoint();
    }
    return changed;
}

void ChartEditor::edit(
    const QString &text, const Machine &changed, const QString &mergeKey, Positions positions)
{
    const Pack pack = withMachine(m_document.pack(), changed);
    if (pack == m_document.pack())
        m_afterLayout = nullptr; // nothing will be laid out
    m_document.edit(text, pack, mergeKey, positions);
}

void ChartEditor::select(SelectedRows rows)
{
    rows.machine = m_selection.rows().machine;
    m_selection.set(rows);
}

QMap<QString, QRectF> ChartEditor::selectedBoxes() const
{
    QMap<QString, QRectF> boxes;
    const QStringList all =
        machine() ? withContents(*machine(), m_selection.rows().states) : QStringList();
    for (const ChartBox &box : layout().boxes) {
        if (!box.isFrame() && all.contains(box.id))
            boxes.insert(box.id, box.outline.rect);
    }
    return boxes;
}

QString ChartEditor::frameAt(const QPointF &point, const QStringList &states) const
{
    const QStringList moving = withContents(*machine(), states);
    QString found;
    for (const ChartBox &box : layout().boxes) { // parents before their children
        if (box.isFrame() && box.area.contains(point) && !moving.contains(box.id))
            found = box.id;
    }
    return found;
}

int ChartEditor::boxAt(const QPointF &point) const
{
    const double reach = std::min(borderReach * pixel(), mostReach);
    int found = -1;
    for (int i = 0; i < layout().boxes.size(); ++i) {
        const ChartBox &box = layout().boxes[i];
        if (!box.isFrame() && (box.outline.contains(point) || box.outline.distance(point) <= reach))
            return i;
        if (box.isFrame() && (box.title().contains(point) || box.outline.distance(point) <= reach))
            found = i;
    }
    return found;
}

const ChartArrow *ChartEditor::selectedArrow() const
{
    const SelectedRows &now = m_selection.rows();
    const auto isSelected = [&](const LinkLine &line) {
        return std::ranges::any_of(
            line.rows, [&](int row) { return now.transitions.contains(row); });
    };
    for (const ChartArrow &arrow : layout().arrows) {
        if (m_chart.stateId(arrow.link.from) == now.from && m_chart.stateId(arrow.link.to) == now.to
            && std::ranges::any_of(arrow.link.lines, isSelected))
            return &arrow;
    }
    return nullptr;
}

const NoteBox *ChartEditor::noteBoxOf(int note) const
{
    const auto found = std::ranges::find(layout().notes, note, &NoteBox::row);
    return found == layout().notes.end() ? nullptr : &*found;
}

const NoteBox *ChartEditor::noteBoxAt(const QPointF &point) const
{
    const auto found = std::ranges::find_if(layout().notes.crbegin(), layout().notes.crend(),
        [&](const NoteBox &noteBox) { return noteBox.rect.contains(point); });
    return found == layout().notes.crend() ? nullptr : &*found;
}

QStringList ChartEditor::triggerNames() const
{
    const Pack &pack = m_document.pack();
    return namesFor(pack, Name::Trigger) + namesFor(pack, Name::Condition);
}

void ChartEditor::addState()
{
    if (m_menuPosition)
        return addStateAt(*m_menuPosition);
    const QMap<QString, QRectF> boxes = selectedBoxes();
    const QRectF all = boundsOf(boxes), seen = m_chart.seen();
    const QSizeF size = boxSize({ .id = tr("state") }, m_chart.fonts());
    const double step = size.width() + besideGap;
    QPointF beside = boxes.isEmpty()
        ? seen.center()
        : QPointF(all.right() + step - size.width() / 2, all.center().y());
    // Begins a new row after five states, or at the edge of the visible part.
    const QRectF &bounds = layout().bounds;
    const double longest = std::min(seen.right() - size.width() / 2, bounds.left() + 5 * step);
    if (!boxes.isEmpty() && beside.x() > std::max(longest, bounds.left() + 2 * step))
        beside = { bounds.left() + size.width() / 2, all.bottom() + 40 + size.height() / 2 };
    addStateAt(layout().boxes.isEmpty() ? QPointF() : beside);
}

QList<QRectF> ChartEditor::extents(const QList<State> &states) const
{
    const Machine all { .states = states };
    QMap<QString, QRectF> outermost; // by outermost state
    for (const State &state : states) {
        const QStringList around = lineage(all, state.id);
        const bool isEmpty = std::ranges::none_of(
            states, [&](const State &other) { return other.parent == state.id; });
        if (!state.position || (!isEmpty && !state.size))
            continue;
        QRectF box(QPointF(),
            isEmpty ? boxSize(state, m_chart.fonts()) : QSizeF(state.size->x(), state.size->y()));
        box.moveCenter(*state.position);
        const double depth = double(around.size() - 1) * framePadding;
        outermost[around.last()] |=
            box.adjusted(-depth, -depth - double(around.size() - 1) * frameTitle, depth, depth);
    }
    return outermost.values();
}

std::pair<Machine, QString> ChartEditor::withNewState(
    const QString &name, const QPointF &centre, const QString &frame) const
{
    Machine changed = withDrawnPositions();
    State state { .id = freshName(name, stateIds(changed)), .parent = frame, .position = centre };
    state.position = (centre + offsetToRoom(layout(), extents({ state }), boxOf(frame))).toPoint();
    changed.states += state;
    return { changed, state.id };
}

void ChartEditor::addStateAt(const QPointF &centre)
{
    const auto [changed, id] = withNewState(tr("state"), centre, frameAt(centre, {}));
    m_afterLayout = [this, id = id] {
        select({ .states = { id } });
        renameState(id);
    };
    edit(tr("Add %1").arg(id), changed);
}

void ChartEditor::addTransition()
{
    const QString from = m_selection.rows().states.value(0);
    const int box = boxOf(from);
    if (box < 0)
        return;
    const LineSetup setup { {}, rectOf(box).translated(stride),
        tr("Target state of a transition from %1").arg(from), tr("target state"),
        stateIds(*machine()) };
    openLine(setup, [this, from](ChartLineEdit &line, const QString &text) {
        line.finish();
        const QString to = text.trimmed();
        if (to.isEmpty() || !machine()->state(from))
            return;
        if (machine()->state(to))
            return connectStates(from, to);
        // An unknown name adds a state.
        const QRectF beside = rectOf(std::max(boxOf(from), 0));
        const double half = boxSize({ .id = to }, m_chart.fonts()).width() / 2;
        const auto [changed, id] =
            withNewState(to, QPointF(beside.right() + arrowGap + half, beside.center().y()),
                machine()->state(from)->parent);
        m_afterLayout = [this, from, to, added = m_document.history().index() + 1] {
            connectStates(from, to, added);
        };
        edit(tr("Add %1").arg(to), changed);
    });
}

void ChartEditor::connectStates(const QString &from, const QString &to, std::optional<int> added)
{
    const int a = boxOf(from), b = boxOf(to);
    if (a < 0 || b < 0)
        return;
    select({ .states = { from } });
    const QPointF first = rectOf(a).center(), second = rectOf(b).center();
    const QPointF middle = a == b ? first - QPointF(0, rectOf(a).height()) : (first + second) / 2;
    const LineSetup setup { {}, QRectF(middle, QSizeF(1, 1)),
        tr("Operations or events that lead from %1 to %2").arg(from, to),
        tr("operation, or an outcome such as succeeded"), triggerNames() };
    openLine(setup, [this, from, to](ChartLineEdit &line, const QString &text) {
        const Result<ArrowText> arrow = readArrowText(text);
        if (!arrow)
            return line.showError(arrow.error());
        if (arrow->on.isEmpty() || !machine()->state(from) || !machine()->state(to))
            return line.cancel();
        line.finish();
        const Transition row {
            .from = { from }, .on = arrow->on, .condition = arrow->condition, .to = { to }
        };
        Machine before = withDrawnPositions();
        const QStringList outcomes = m_document.pack().outcomeNames();
        const bool endsWork = std::ranges::any_of(
            row.on, [&](const QString &trigger) { return outcomes.contains(trigger); });
        // Only a transitional state has outcomes.
        if (endsWork && before.state(from)->kind == State::Kind::Stable && from != before.rest)
            before = withKind(before, from, State::Kind::Transitional);
        m_afterLayout = [this, index = int(insertionIndex(before, row)), from, to] {
            select({ .transitions = { index }, .from = from, .to = to });
        };
        edit(tr("Connect %1 with %2").arg(from, to), withTransition(before, row));
    });
    if (added)
        undoIfCanceled(*added);
}

void ChartEditor::undoIfCanceled(int step)
{
    if (!m_lineEdit)
        return;
    const auto takeBack = [this, step] {
        if (m_document.history().index() == step)
            m_document.history().undo();
    };
    connect(m_lineEdit, &ChartLineEdit::canceled, this, takeBack);
    connect(m_lineEdit, &ChartLineEdit::refused, this, takeBack);
}

/// Opens a line edit for a condition under which the selected arrow's operations are refused.
void ChartEditor::addRefusal()
{
    const ChartArrow *drawn = selectedArrow();
    if (!drawn || !machine())
        return;
    const SelectedRows arrow = m_selection.rows();
    const int row = *std::ranges::min_element(arrow.transitions);
    const Transition before = machine()->transitions.value(row);
    const QString on = before.on.join(u", "_s);
    const QStringList operations = m_document.pack().operationNames();
    if (std::ranges::none_of(
            before.on, [&](const QString &trigger) { return operations.contains(trigger); }))
        return emit said(tr("Only operations can be refused, and %1 is none.").arg(on));
    const LineSetup setup { {}, drawn->label, tr("Condition under which %1 is refused").arg(on),
        tr("parent is Deleting and some children are Failed"), conditionNames(m_document.pack()) };
    openLine(setup, [this, row, on, arrow, before](ChartLineEdit &line, const QString &text) {
        const Result<Condition> condition = conditionFromWords(text.trimmed());
        if (!condition)
            return line.showError(condition.error());
        line.finish();
        if (machine()->transitions.value(row) != before
            || condition->kind == Condition::Kind::Always)
            return;
        m_afterLayout = [this, row, from = arrow.from] {
            select({ .transitions = { row }, .from = from });
        };
        const Pack pack = withMachine(m_document.pack(), withDrawnPositions());
        m_document.edit(tr("Refuse %1").arg(on),
            withRefusal(pack, arrow.machine, row, arrow.from, *condition,
                u"{path} cannot do this while %1."_s.arg(conditionWords(*condition))));
    });
}

void ChartEditor::addFrame()
{
    const QStringList states = m_selection.rows().states;
    Machine changed = withDrawnPositions();
    const State *first = machine()->state(states.first());
    const State frame { .id = freshName(tr("frame"), stateIds(changed)),
        .kind = State::Kind::Composite,
        .parent = first ? first->parent : QString() };
    changed.states.prepend(frame);
    QStringList inside = states; // without the states inside another selected state
    inside.removeIf([&](const QString &id) {
        const QStringList around = lineage(*machine(), id).mid(1);
        return std::ranges::any_of(
            around, [&](const QString &outer) { return states.contains(outer); });
    });
    m_afterLayout = [this, id = frame.id] {
        select({ .states = { id } });
        renameState(id);
    };
    edit(tr("Add %1").arg(frame.id), nested(changed, inside, frame.id));
}

void ChartEditor::addNote()
{
    const QString of = m_selection.rows().states.value(0);
    const int box = boxOf(of);
    const QPointF centre = box < 0 ? m_chart.seen().center() : QPointF();
    const LineSetup setup { {},
        box < 0 ? QRectF(centre, QSizeF(1, 1)) : rectOf(box).translated(stride),
        box < 0 ? tr("A note on the chart") : tr("A note on %1").arg(of), tr("text of the note"),
        {} };
    openLine(setup, [this, of, centre](ChartLineEdit &line, const QString &text) {
        line.finish();
        if (text.trimmed().isEmpty())
            return;
        Machine changed = withDrawnPositions();
        ChartNote note { .text = text.trimmed().replace(u"\\n"_s, u"\n"_s) };
        if (machine()->state(of))
            note.of = of;
        else
            note.position = centre.toPoint(); // a note on a state follows it until it is moved
        m_afterLayout = [this, index = int(changed.notes.size())] { select({ .note = index }); };
        changed.notes += note;
        edit(tr("Add a note"), changed);
    });
}

void ChartEditor::editNote()
{
    const NoteBox *noteBox = noteBoxOf(m_selection.rows().note);
    if (!noteBox || !machine() || noteBox->row >= machine()->notes.size())
        return;
    const ChartNote before = machine()->notes[noteBox->row];
    const LineSetup setup { QString(before.text).replace(u"\n"_s, u"\\n"_s), noteBox->rect,
        tr("Text of the note; \\n begins a new line"), {}, {} };
    openLine(setup, [this, before, row = noteBox->row](ChartLineEdit &line, const QString &now) {
        const QString text = now.trimmed().replace(u"\\n"_s, u"\n"_s);
        if (text.isEmpty())
            return line.showError(tr("A note needs a text. To remove the note, press Delete."));
        line.finish();
        if (machine()->notes.value(row) != before || text == before.text)
            return;
        Machine changed = withDrawnPositions();
        changed.notes[row].text = text;
        edit(tr("Change the note"), changed);
    });
}

void ChartEditor::moveNote(const QPointF &centre, const QString &mergeKey)
{
    const int row = m_selection.rows().note;
    if (!machine() || row < 0 || row >= machine()->notes.size())
        return;
    Machine changed = withDrawnPositions();
    changed.notes[row].position = centre.toPoint();
    edit(tr("Move the note"), changed, mergeKey);
}

void ChartEditor::rename()
{
    const SelectedRows now = m_selection.rows();
    if (now.note >= 0)
        return editNote();
    if (now.states.size() == 1)
        renameState(now.states.first());
    else if (!now.transitions.isEmpty())
        editArrow(now);
}

void ChartEditor::renameState(const QString &state)
{
    const int box = boxOf(state);
    if (box < 0)
        return;
    const ChartBox &drawn = layout().boxes[box];
    const LineSetup setup { state, drawn.isFrame() ? drawn.title() : drawn.outline.rect,
        tr("Name of %1").arg(state), {}, {} };
    openLine(setup, [this, state](ChartLineEdit &line, const QString &text) {
        const QString name = text.simplified();
        if (name.isEmpty() || name == state || !machine()->state(state))
            return line.finish();
        if (machine()->state(name))
            return line.showError(
                tr("There is already a state %1. Choose another name.").arg(name));
        if (name == AnyState || name == SameState || name == LastState)
            return line.showError(tr("%1 is a reserved word. Choose another name.").arg(name));
        line.finish();
        const QString id = m_selection.rows().machine;
        m_afterLayout = [this, name] { select({ .states = { name } }); };
        const Pack pack = withMachine(m_document.pack(), withDrawnPositions());
        m_document.edit(tr("Rename %1").arg(state), renamed(pack, Name::State, state, name, id));
    });
}

void ChartEditor::editArrow(const SelectedRows &arrow)
{
    const ChartArrow *drawn = selectedArrow();
    if (!drawn || !machine())
        return;
    const int row = *std::ranges::min_element(arrow.transitions);
    const Transition before = machine()->transitions.value(row);
    const LineSetup setup { arrowText({ before.on, before.condition }), drawn->label,
        tr("Operations or events of the arrow"), {}, triggerNames() };
    openLine(setup, [this, row, before](ChartLineEdit &line, const QString &text) {
        const Result<ArrowText> now = readArrowText(text);
        if (!now)
            return line.showError(now.error());
        if (now->on.isEmpty())
            return line.showError(
                tr("An arrow needs an operation or an event. To remove the arrow, press Delete."));
        if (machine()->transitions.value(row) != before
            || ArrowText { before.on, before.condition } == *now)
            return line.cancel();
        line.finish();
        Machine changed = withDrawnPositions();
        changed.transitions[row].on = now->on;
        changed.transitions[row].condition = now->condition;
        edit(tr("Change the arrow"), changed);
    });
}

void ChartEditor::remove()
{
    const SelectedRows now = m_selection.rows();
    if (now.note >= 0) {
        Machine changed = withDrawnPositions();
        changed.notes.removeAt(now.note);
        select({});
        return edit(tr("Delete the note"), changed);
    }
    const Edited edited = now.states.isEmpty()
        ? withoutArrow(withDrawnPositions(), now.transitions, now.from, now.to)
        : withoutStates(withDrawnPositions(), now.states);
    const QString what = now.states.isEmpty() ? tr("arrow") : shortList(now.states);
    edit(tr("Delete %1").arg(what), edited.machine);
    select({});
    if (edited.removed.isEmpty())
        return;
    const QString others = shortList(edited.removed);
    emit said(now.states.isEmpty()
            ? tr("The row stays, because it has other states: %1").arg(others)
            : tr("Deleted with %1: %2").arg(what, others));
}

void ChartEditor::nest()
{
    const QStringList states = m_selection.rows().states;
    QStringList frames;
    const QStringList moving = withContents(*machine(), states);
    for (const State &state : machine()->states) {
        if (state.kind == State::Kind::Composite && !moving.contains(state.id))
            frames += state.id;
    }
    const int box = boxOf(states.value(0));
    if (box < 0)
        return;
    const LineSetup setup { {}, rectOf(box), tr("Frame to put it into; an empty name takes it out"),
        tr("frame"), frames };
    openLine(setup, [this, states, frames](ChartLineEdit &line, const QString &text) {
        const QString frame = text.trimmed();
        if (!frame.isEmpty() && !frames.contains(frame))
            return line.showError(tr("There is no frame %1").arg(frame));
        line.finish();
        edit(tr("Move into %1").arg(frame), nested(withDrawnPositions(), states, frame));
    });
}

void ChartEditor::nextKind()
{
    const State *state = machine()->state(m_selection.rows().states.value(0));
    if (!state)
        return;
    using Kind = State::Kind;
    const Kind next = state->kind == Kind::Stable ? Kind::Transitional
        : state->kind == Kind::Transitional       ? Kind::Initial
                                                  : Kind::Stable;
    edit(tr("Change the kind of %1").arg(state->id),
        withKind(withDrawnPositions(), state->id, next));
}

void ChartEditor::copy()
{
    QApplication::clipboard()->setText(
        fragmentText(fragmentOf(withDrawnPositions(), m_selection.rows().states)));
}

void ChartEditor::cut()
{
    copy();
    remove();
}

void ChartEditor::insert(const Fragment &fragment, const QPointF &by, const QString &command)
{
    const Machine before = withDrawnPositions();
    Pasted pasted = withFragment(before, fragment, by);
    QList<State> added = pasted.machine.states; // with the names and kinds after pasting
    added.removeIf([&](const State &state) { return !pasted.states.contains(state.id); });
    if (const QPointF toRoom = offsetToRoom(layout(), extents(added)); !toRoom.isNull())
        pasted = withFragment(before, fragment, by + toRoom);
    m_afterLayout = [this, states = pasted.states] { select({ .states = states }); };
    edit(command, pasted.machine);
}

void ChartEditor::paste()
{
    const Result<Fragment> fragment = fragmentIn(QApplication::clipboard()->text());
    if (!fragment)
        return emit said(tr("This cannot be pasted into a chart: %1").arg(fragment.error()));
    insert(*fragment, { 32, 32 }, tr("Paste"));
}

void ChartEditor::duplicate()
{
    const SelectedRows now = m_selection.rows();
    if (now.transitions.isEmpty())
        return insert(fragmentOf(withDrawnPositions(), now.states), { 32, 32 }, tr("Duplicate"));
    const int row = *std::ranges::min_element(now.transitions);
    m_afterLayout = [this, now, row, added = m_document.history().index() + 1] {
        select({ .transitions = { row + 1 }, .from = now.from, .to = now.to });
        rename();
        undoIfCanceled(added);
    };
    edit(tr("Duplicate the arrow"), withArrowCopied(withDrawnPositions(), row, now.from, now.to));
}

void ChartEditor::selectAll()
{
    select({ .states = stateIds(*machine()) });
}

void ChartEditor::layOut()
{
    const QStringList selected = m_selection.rows().states;
    const QStringList chosen =
        selected.isEmpty() ? stateIds(*machine()) : withContents(*machine(), selected);
    Machine changed = withDrawnPositions();
    for (State &state : changed.states) {
        if (!chosen.contains(state.id))
            continue;
        state.position.reset();
        state.size.reset();
    }
    for (ChartNote &note : changed.notes) {
        if (chosen.contains(note.of))
            note.position.reset();
    }
    for (Transition &row : changed.transitions)
        row.bend = 0;
    if (selected.isEmpty())
        m_afterLayout = [this] { m_chart.fit(); };
    edit(tr("Lay out"), changed);
}

void ChartEditor::moveSelection(const QPointF &by, const QString &mergeKey)
{
    edit(tr("Move %1").arg(shortList(m_selection.rows().states)), withSelectionMoved(by), mergeKey,
        Positions::Chosen);
}

void ChartEditor::openLine(const LineSetup &setup,
    const std::function<void(ChartLineEdit &line, const QString &text)> &take)
{
    if (m_lineEdit)
        m_lineEdit->finish();
    m_chart.reveal(setup.area);
    m_lineEdit = new ChartLineEdit(setup.text, setup.candidates, m_chart.viewport());
    m_lineEdit->setAccessibleName(setup.name);
    m_lineEdit->setPlaceholderText(setup.hint);
    m_lineEdit->showAround(m_chart.mapFromScene(setup.area).boundingRect());
    connect(m_lineEdit, &ChartLineEdit::typed, this,
        [this, take, line = m_lineEdit.data()](
            const QString &text) { machine() ? take(*line, text) : line->finish(); });
    connect(m_lineEdit, &ChartLineEdit::closedFocused, &m_chart, qOverload<>(&QWidget::setFocus));
    connect(m_lineEdit, &ChartLineEdit::refused, this,
        [this](const QString &typed, const QString &why) {
            emit said(tr("\"%1\" was not applied: %2").arg(typed, why));
        });
}

void ChartEditor::adaptToLayout()
{
    m_gesture = {}; // the elements under the mouse may be gone
    // Drops removed states and rows from the selection, and selects the shown machine.
    SelectedRows now = m_selection.rows();
    if (now.machine != m_chart.machine())
        now = { .machine = m_chart.machine() };
    if (const Machine *edited = m_document.pack().machine(now.machine)) {
        now.states.removeIf([&](const QString &id) { return !edited->state(id); });
        now.transitions.removeIf([&](int row) { return row >= edited->transitions.size(); });
        if (now.note >= edited->notes.size())
            now.note = -1;
    }
    if (m_isOn)
        m_selection.set(now);
    enableActions(); // machine() is available again
    if (const auto restore = std::exchange(m_restoreView, nullptr))
        restore();
    if (const auto next = std::exchange(m_afterLayout, nullptr))
        next();
    m_chart.viewport()->update();
}

bool ChartEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (!m_isOn || !machine())
        return QObject::eventFilter(watched, event);
    const auto mouse = [&] { return static_cast<QMouseEvent *>(event); };
    if (watched == m_chart.viewport()) {
        switch (event->type()) {
        case QEvent::MouseButtonPress:
            return mouse()->button() == Qt::LeftButton && press(mouse()->pos());
        case QEvent::MouseMove:
            return m_gesture.kind != Gesture::Kind::None && moveTo(mouse()->pos());
        case QEvent::MouseButtonRelease:
            return mouse()->button() == Qt::LeftButton && release(mouse()->modifiers());
        case QEvent::MouseButtonDblClick:
            return mouse()->button() == Qt::LeftButton && doubleClick(mouse()->pos());
        case QEvent::ContextMenu:
            showMenu(*static_cast<QContextMenuEvent *>(event));
            return true;
        default:
            break;
        }
    } else if (watched == &m_chart && event->type() == QEvent::KeyPress) {
        const auto *typed = static_cast<QKeyEvent *>(event);
        return key(typed->key(), typed->modifiers());
    }
    return QObject::eventFilter(watched, event);
}

/// Selects the element under the mouse, and shows a menu of its commands.
void ChartEditor::showMenu(const QContextMenuEvent &event)
{
    acceptTyped();
    const std::optional<ChartElement> element = m_chart.partAt(event.pos());
    const SelectedRows there = element ? m_chart.rowsOf(*element) : SelectedRows();
    if (!element)
        select({});
    else if (there.states.isEmpty() || !m_selection.rows().states.contains(there.states.first()))
        m_selection.set(there);
    QMenu menu(&m_chart);
    for (QAction *action : std::as_const(m_actions)) {
        if (action->isEnabled())
            menu.addAction(action);
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Whole Chart")), &QAction::triggered, &m_chart, &StatechartView::fit);
    if (!element)
        m_menuPosition = m_chart.mapToScene(event.pos());
    menu.exec(event.globalPos());
    m_menuPosition.reset();
}

bool ChartEditor::press(const QPoint &position)
{
    acceptTyped();
    m_chart.setFocus(Qt::MouseFocusReason);
    const QPointF point = m_chart.mapToScene(position);
    const double pixel = this->pixel();
    m_gesture = { .kind = Gesture::Kind::Press, .pressed = position, .from = point, .now = point };
    if (const ChartArrow *arrow = selectedArrow()) {
        const auto isAt = [&](const QPointF &handle) {
            return QLineF(handle, point).length() <= handleReach * pixel;
        };
        const bool isEnd = arrow->link.to != Link::Nowhere && isAt(arrow->curve.end()),
                   isBegin = isAt(arrow->curve.begin());
        if (isEnd || isBegin) {
            m_gesture.kind = Gesture::Kind::Reconnect;
            m_gesture.end = isEnd ? ArrowEnd::To : ArrowEnd::From;
            emit said(isEnd ? tr("Release over a state to lead the transition there.")
                            : tr("Release over a state to let the transition begin there."));
            return true;
        }
    }
    if (const NoteBox *noteBox = noteBoxAt(point)) {
        m_gesture.note = noteBox->row;
        return true;
    }
    m_gesture.element = m_chart.partAt(position);
    const bool isLabel = m_gesture.element && m_gesture.element->kind == ChartElement::Kind::Line
        && elementRect(layout(), *m_gesture.element).contains(point);
    m_gesture.box = isLabel ? -1 : boxAt(point);
    if (m_gesture.box >= 0) {
        const ChartBox &box = layout().boxes[m_gesture.box];
        m_gesture.element = ChartElement { ChartElement::Kind::State, m_gesture.box, 0 };
        m_gesture.isBorder =
            box.outline.distance(point) <= std::min(borderReach * pixel, mostReach);
    }
    return true;
}

bool ChartEditor::moveTo(const QPoint &position)
{
    m_gesture.now = m_chart.mapToScene(position);
    if (m_gesture.kind == Gesture::Kind::Press) {
        if ((position - m_gesture.pressed).manhattanLength() < dragBegins)
            return true;
        const QString state = idOf(m_gesture.box);
        m_gesture.kind = m_gesture.note >= 0 ? Gesture::Kind::MoveNote
            : m_gesture.box < 0              ? Gesture::Kind::Band
            : m_gesture.isBorder             ? Gesture::Kind::Connect
                                             : Gesture::Kind::Move;
        if (m_gesture.kind == Gesture::Kind::MoveNote)
            select({ .note = m_gesture.note });
        else if (m_gesture.kind == Gesture::Kind::Move
            && !m_selection.rows().states.contains(state))
            select({ .states = { state } });
    }
    if (m_gesture.kind == Gesture::Kind::Move) {
        const QMap<QString, QRectF> boxes = selectedBoxes();
        QList<QRectF> others;
        const QRectF seen = m_chart.seen();
        for (const ChartBox &box : layout().boxes) {
            if (!box.isFrame() && !boxes.contains(box.id) && box.area.intersects(seen))
                others += box.outline.rect;
        }
        m_gesture.snap = snapped(boundsOf(boxes).translated(m_gesture.now - m_gesture.from), others,
            snapReach * pixel());
    }
    m_chart.viewport()->update();
    return true;
}

bool ChartEditor::release(Qt::KeyboardModifiers keys)
{
    using Kind = Gesture::Kind;
    const Kind kind = m_gesture.kind;
    if (kind == Kind::None)
        return false;
    if (kind == Kind::Press)
        click(keys);
    else if (kind == Kind::Move)
        dropMoved();
    else if (kind == Kind::Band)
        takeBand(keys);
    else if (kind != Kind::MoveNote)
        dropConnection();
    else if (const NoteBox *noteBox = noteBoxOf(m_gesture.note))
        moveNote(noteBox->rect.center() + m_gesture.now - m_gesture.from);
    m_gesture = {};
    m_chart.viewport()->update();
    return true;
}

void ChartEditor::click(Qt::KeyboardModifiers keys)
{
    const bool adds = keys & (Qt::ControlModifier | Qt::ShiftModifier);
    if (m_gesture.note >= 0)
        return m_selection.choose({ .machine = m_chart.machine(), .note = m_gesture.note });
    if (!m_gesture.element)
        return adds ? void() : select({});
    const SelectedRows clicked = m_chart.rowsOf(*m_gesture.element);
    adds ? toggle(clicked) : m_selection.choose(clicked);
}

void ChartEditor::toggle(SelectedRows rows)
{
    QStringList states = m_selection.rows().states;
    if (!rows.states.isEmpty()) {
        if (!states.removeOne(rows.states.first()))
            states += rows.states;
        rows.states = states;
    }
    m_selection.set(rows);
}

void ChartEditor::dropMoved()
{
    const QPointF by = m_gesture.now - m_gesture.from + m_gesture.snap.by;
    const QStringList states = m_selection.rows().states;
    Machine changed = withSelectionMoved(by);
    const State *dragged = machine()->state(idOf(m_gesture.box));
    const QString frame = frameAt(m_gesture.now, states);
    if (dragged && dragged->parent != frame) {
        QStringList moving = states; // without states of another parent
        moving.removeIf([&](const QString &id) {
            const State *state = machine()->state(id);
            return !state || state->parent != dragged->parent;
        });
        changed = nested(changed, moving, frame);
    }
    edit(tr("Move %1").arg(shortList(states)), changed, {}, Positions::Chosen);
}

void ChartEditor::dropConnection()
{
    const int box = boxAt(m_gesture.now);
    if (m_gesture.kind == Gesture::Kind::Reconnect) {
        if (box < 0)
            return;
        SelectedRows after = m_selection.rows();
        QString &end = m_gesture.end == ArrowEnd::From ? after.from : after.to;
        const QString before = std::exchange(end, idOf(box));
        m_afterLayout = [this, after] { m_selection.set(after); };
        return edit(tr("Reconnect the arrow"),
            reconnected(withDrawnPositions(), after.transitions, m_gesture.end, before, end));
    }
    const QString from = idOf(m_gesture.box);
    if (box >= 0)
        return connectStates(from, idOf(box));
    // An arrow that ends in empty space adds a state there.
    const auto [changed, to] = withNewState(tr("state"), m_gesture.now, frameAt(m_gesture.now, {}));
    m_afterLayout = [this, from, to = to, added = m_document.history().index() + 1] {
        connectStates(from, to, added);
    };
    edit(tr("Add %1").arg(to), changed);
}

void ChartEditor::takeBand(Qt::KeyboardModifiers keys)
{
    const QRectF band = QRectF(m_gesture.from, m_gesture.now).normalized();
    QStringList states;
    if (keys & (Qt::ControlModifier | Qt::ShiftModifier))
        states = m_selection.rows().states;
    for (const ChartBox &box : layout().boxes) {
        if (band.contains(box.outline.rect) && !states.contains(box.id))
            states += box.id;
    }
    select({ .states = states });
}

bool ChartEditor::doubleClick(const QPoint &position)
{
    const QPointF point = m_chart.mapToScene(position);
    m_gesture = {};
    if (const NoteBox *noteBox = noteBoxAt(point)) {
        select({ .note = noteBox->row });
        editNote();
    } else if (const std::optional<ChartElement> element = m_chart.partAt(position)) {
        m_selection.set(m_chart.rowsOf(*element));
        rename();
    } else {
        addStateAt(point);
    }
    return true;
}

bool ChartEditor::key(int key, Qt::KeyboardModifiers keys)
{
    if (key == Qt::Key_Return || key == Qt::Key_Enter)
        return true; // else the chart would fire an operation
    if (key == Qt::Key_Escape
        && (m_gesture.kind != Gesture::Kind::None || !m_selection.rows().isEmpty())) {
        m_gesture = {};
        select({});
        m_chart.viewport()->update();
        return true;
    }
    if (key == Qt::Key_Space && m_chart.focused()) {
        toggle(m_chart.rowsOf(*m_chart.focused()));
        return true;
    }
    const NoteBox *note = noteBoxOf(m_selection.rows().note);
    if (!(keys & Qt::AltModifier) || (m_selection.rows().states.isEmpty() && !note))
        return false;
    const double by = keys & Qt::ShiftModifier ? 1 : 10;
    const QMap<int, QPointF> offsets { { Qt::Key_Left, { -by, 0 } }, { Qt::Key_Right, { by, 0 } },
        { Qt::Key_Up, { 0, -by } }, { Qt::Key_Down, { 0, by } } };
    if (!offsets.contains(key))
        return false;
    if (note)
        moveNote(note->rect.center() + offsets[key], u"note "_s + QString::number(note->row));
    else
        moveSelection(offsets[key], u"keys "_s + m_selection.rows().states.join(u' '));
    return true;
}

void ChartEditor::paint(QPainter &painter) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (const QString text = invitation(); !text.isEmpty()) {
        // Outline of a possible first state, with the instructions.
        const QFont &font = m_chart.fonts().label;
        QRectF box(QPointF(), QFontMetricsF(font).size(0, text) + QSizeF(56, 36));
        box.moveCenter(m_chart.seen().center());
        setInk(painter, QPen(theme().line, 1.5, Qt::DashLine));
        painter.drawRoundedRect(box, 11, 11);
        painter.setFont(font);
        painter.setPen(theme().dimText);
        drawText(painter, box, Qt::AlignCenter, text);
    }
    paintSelected(painter);
    paintGesture(painter);
    painter.restore();
}

QString ChartEditor::invitation() const
{
    const Machine *edited = m_isOn ? machine() : nullptr;
    return edited && edited->states.isEmpty() && !m_lineEdit
        ? tr("Double-click, or press S, to add a state")
        : QString();
}

void ChartEditor::paintSelected(QPainter &painter) const
{
    const double pixel = this->pixel();
    const QPen edge(theme().accent, 1.5 * pixel, Qt::DashLine);
    const auto handle = [&](const QPointF &at) {
        setInk(painter, QPen(theme().window, pixel), theme().accent);
        painter.drawEllipse(at, handleRadius * pixel, handleRadius * pixel);
    };
    for (const QString &id : m_selection.rows().states) {
        const int box = boxOf(id);
        if (box < 0)
            continue;
        const QRectF rect = rectOf(box).adjusted(-4 * pixel, -4 * pixel, 4 * pixel, 4 * pixel);
        setInk(painter, edge);
        painter.drawRoundedRect(rect, 12, 12);
        for (const QPointF &at :
            { QPointF(rect.center().x(), rect.top()), QPointF(rect.center().x(), rect.bottom()),
                QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()) })
            handle(at);
    }
    if (const NoteBox *noteBox = noteBoxOf(m_selection.rows().note)) {
        setInk(painter, edge);
        painter.drawRect(noteBox->rect.adjusted(-3 * pixel, -3 * pixel, 3 * pixel, 3 * pixel));
    }
    if (const ChartArrow *arrow = selectedArrow()) {
        QPainterPath besideLabel; // everything except the label, by odd-even fill
        besideLabel.addRect(m_chart.sceneRect());
        besideLabel.addRect(arrow->label);
        painter.save();
        painter.setClipPath(besideLabel, Qt::IntersectClip);
        setInk(painter, QPen(theme().accent, 2.5 * pixel));
        painter.drawPath(pathOf(arrow->curve));
        painter.restore();
        painter.setPen(edge);
        painter.drawRoundedRect(arrow->label.adjusted(-2, -2, 2, 2), 6, 6);
        handle(arrow->curve.begin());
        if (arrow->link.to != Link::Nowhere)
            handle(arrow->curve.end());
    }
}

void ChartEditor::paintGesture(QPainter &painter) const
{
    const double pixel = this->pixel();
    const QPen line(theme().accent, 1.5 * pixel);
    QColor fill = theme().accentFill;
    fill.setAlphaF(0.55F);
    setInk(painter, line, fill);
    int target = -1; // box at which a release now would end the arrow or the move
    using Kind = Gesture::Kind;
    if (m_gesture.kind == Kind::Band) {
        painter.drawRect(QRectF(m_gesture.from, m_gesture.now).normalized());
    } else if (m_gesture.kind == Kind::Connect || m_gesture.kind == Kind::Reconnect) {
        const bool isBegin = m_gesture.end == ArrowEnd::From; // false for a new arrow
        const ChartArrow *arrow = m_gesture.kind == Kind::Reconnect ? selectedArrow() : nullptr;
        const QPointF fixed = !arrow ? m_gesture.from
            : isBegin                ? arrow->curve.end()
                                     : arrow->curve.begin();
        const Curve curve { { isBegin ? straight(m_gesture.now, fixed)
                                      : straight(fixed, m_gesture.now) } };
        paintLine(painter, curve, theme().accent, 2, Qt::DashLine);
        target = boxAt(m_gesture.now);
    } else if (m_gesture.kind == Kind::Move) {
        const QPointF by = m_gesture.now - m_gesture.from + m_gesture.snap.by;
        target = boxOf(frameAt(m_gesture.now, m_selection.rows().states));
        for (const QRectF &box : selectedBoxes())
            painter.drawRoundedRect(box.translated(by), 11, 11);
        painter.setPen(QPen(theme().accent, pixel, Qt::DashLine));
        for (const QLineF &guide : m_gesture.snap.guides)
            painter.drawLine(guide);
    } else if (const NoteBox *noteBox = noteBoxOf(m_gesture.note);
               noteBox && m_gesture.kind == Kind::MoveNote) {
        painter.drawRect(noteBox->rect.translated(m_gesture.now - m_gesture.from));
    }
    if (target >= 0) {
        setInk(painter, QPen(theme().accent, 2.5 * pixel));
        painter.drawRoundedRect(rectOf(target).adjusted(-3, -3, 3, 3), 12, 12);
    }
}

} // namespace instar
