// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/edits.h"
#include "model/statecharts/chartfile.h"
#include "views/diagram/statechartview.h"
#include "views/editing/snapping.h"
#include "views/editing/wordedits.h"
#include "views/selection.h"

class QAction;

namespace instar {

class Document;

/// Editing tool of a chart: mouse and keys change the document, which the chart shows. While it is
/// off, the chart is explored and the tool does nothing.
class ChartEditor : public QObject
{
    Q_OBJECT
public:
    ChartEditor(StatechartView &chart, Document &document, Selection &selection, QWidget *parent);
    ~ChartEditor() override;

    bool isOn() const { return m_isOn; }
    void setOn(bool on);
    /// Accepts the text being typed, as Return does.
    void keepTyped();
    /// Editing commands, for menus; each is enabled while the selection allows it.
    const QList<QAction *> &actions() const { return m_actions; }
    /// Open line edit on the chart; null: none.
    InPlace *typing() const { return m_typing; }
    /// Instructions shown on an empty chart; empty: the machine has states.
    QString invitation() const;

    // the commands
    void addState(); ///< beside the selection
    void addStateAt(const QPointF &centre);
    void addTransition(); ///< from the selected state to one whose name the user types
    void addRefusal();
    void addFrame(); ///< around the selection
    void rename();   ///< the selected state, or the text of the selected arrow
    void remove();
    void addNote(); ///< about the selected state
    void nest();    ///< in a frame whose name the user types
    void nextKind();
    void copy();
    void cut();
    void paste();
    void duplicate();
    void selectAll();
    void layOut(); ///< the selection, or everything
    void move(const QPointF &by, const QString &mergeKey);

signals:
    /// Message for the user, such as what else was deleted.
    void said(const QString &sentence);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// Mouse gesture, from press to release.
    struct Gesture
    {
        enum class Kind { None, Press, Move, Connect, Reconnect, Band, MoveNote };
        Kind kind = Kind::None;
        QPoint pressed;    ///< in the viewport
        QPointF from, now; ///< in the chart
        int box = -1;      ///< under the press; -1: none
        int note = -1;     ///< likewise, a row of the machine
        bool isBorder = false;
        std::optional<ChartElement> element;
        ArrowEnd end = ArrowEnd::To;
        Snap snap;
        SelectedRows before; ///< Band: the selection at its start
    };

    /// Machine of the document that the chart shows; null: none, or it is being laid out.
    const Machine *machine() const;
    void followRows(const Pack &before, const Pack &after);
    /// Returns a function that restores the present selection and view position.
    std::function<void()> look();
    const ChartLayout &layout() const { return m_chart.layout(); }
    /// The machine with the drawn position of every state, so that nothing else moves.
    Machine held() const;
    /// The machine with the selected states and their descendants moved.
    Machine moved(const QPointF &by) const;
    void edit(const QString &text, const Machine &machine, const QString &mergeKey = {},
        Positions places = Positions::AsDrawn);
    /// Adds a state in a frame (empty: in none), at the nearest free place to `centre`; returns the
    /// machine and the state's name.
    std::pair<Machine, QString> withNewState(
        const QString &name, const QPointF &centre, const QString &frame) const;
    /// Adds the positions that the layout chooses for states without one.
    Machine wherePut(const Machine &changed) const;
    /// Rectangles of states that are not in the chart yet, each with its descendants.
    QList<QRectF> extents(const QList<State> &states) const;
    void selectStates(const QStringList &states);
    void selectNote(int note);
    /// Size of a pixel in the chart.
    double pixel() const { return 1 / std::max(m_chart.transform().m11(), 0.05); }
    QString idOf(int box) const { return box < 0 ? QString() : layout().boxes[box].id; }
    /// Whether a box has a position of its own, not one that follows from its children.
    bool standsByItself(int box) const;
    int boxOf(const QString &state) const;
    QMap<QString, QRectF> selectedBoxes() const;
    /// Innermost frame at a point, except these states and their descendants.
    QString frameAt(const QPointF &point, const QStringList &states) const;
    int boxAt(const QPointF &point) const;
    const ChartArrow *selectedArrow() const;
    const NoteBox *paperOf(int note) const;
    const NoteBox *paperAt(const QPointF &point) const;

    void build();
    void enableActions();
    void paint(QPainter &painter) const;
    void paintSelected(QPainter &painter) const;
    void paintGesture(QPainter &painter) const;

    bool press(const QPoint &place);
    bool moveTo(const QPoint &place);
    bool release(Qt::KeyboardModifiers keys);
    bool doubleClick(const QPoint &place);
    bool key(int key, Qt::KeyboardModifiers keys);
    void click(Qt::KeyboardModifiers keys);
    void dropMoved();
    void moveNote(const QPointF &centre, const QString &mergeKey = {});
    void editNote();
    void dropConnection();
    void takeBand(Qt::KeyboardModifiers keys);

    /// Settings of a line edit on the chart.
    struct Typing
    {
        QString text;
        QRectF place;
        QString name, hint;
        QStringList candidates;
    };
    /// Opens a line edit; `take` gets the text while there is a machine, and calls finish() or
    /// showError().
    void type(
        const Typing &typing, const std::function<void(InPlace &line, const QString &text)> &take);
    void renameState(const QString &state);
    void editArrow(const SelectedRows &arrow);
    void connectStates(const QString &from, const QString &to);
    QStringList triggerNames() const;
    void settle(); ///< drops stale names when the chart shows the document again
    void drop(const Fragment &fragment, const QPointF &by, const QString &text);

    StatechartView &m_chart;
    Document &m_document;
    Selection &m_selection;
    QList<QAction *> m_actions;
    QList<bool (*)(const SelectedRows &)> m_allows; ///< by action: whether the selection fits
    Gesture m_gesture;
    QPointer<InPlace> m_typing;
    std::function<void()> m_next;  ///< called when the chart shows the last edit
    std::function<void()> m_again; ///< likewise, after undo or redo
    bool m_isOn = false;
    int m_pastes = 0; ///< times that the clipboard was pasted: each paste is shifted further
};

} // namespace instar
