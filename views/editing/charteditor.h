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

/// Editing tool of a chart: turns mouse and keys into edits of the document that the chart shows.
/// While switched off, the tool does nothing, and a click on the chart fires operations.
class ChartEditor : public QObject
{
    Q_OBJECT
public:
    ChartEditor(StatechartView &chart, Document &document, Selection &selection, QWidget *parent);
    ~ChartEditor() override;

    bool isOn() const { return m_isOn; }
    void setOn(bool on);
    /// Accepts the text in the open line edit, as Return does.
    void acceptTyped();
    /// Commands for menus; each is enabled while the selection allows it.
    const QList<QAction *> &actions() const { return m_actions; }
    /// Open line edit on the chart; null: none.
    ChartLineEdit *lineEdit() const { return m_lineEdit; }
    /// Instructions shown on the chart of a machine without states; else empty.
    QString invitation() const;

    void addState(); ///< where the open menu was asked for; without a menu, beside the selection
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
    void layOut(); ///< the selected states, or all
    void moveSelection(const QPointF &by, const QString &mergeKey);

signals:
    /// Message for the user, for example which transitions were deleted with a state.
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
        int box = -1;      ///< index of the box under the press; -1: none
        int note = -1;     ///< index of the note under the press; -1: none
        bool isBorder = false;
        std::optional<ChartElement> element;
        ArrowEnd end = ArrowEnd::To;
        Snap snap;
    };

    /// Machine of the document that the chart shows; null: none, or its layout is not ready.
    const Machine *machine() const;
    /// Keeps the same rows selected after they were renamed or moved.
    void followRows(const Pack &before, const Pack &after);
    /// Returns a function that restores the present selection and scroll position.
    std::function<void()> captureView();
    const ChartLayout &layout() const { return m_chart.layout(); }
    /// Copy of the machine with all states at their drawn positions, so that an edit moves no other
    /// state.
    Machine withDrawnPositions() const;
    /// Copy of the machine with the selected states and their descendants moved.
    Machine withSelectionMoved(const QPointF &by) const;
    void edit(const QString &text, const Machine &machine, const QString &mergeKey = {},
        Positions positions = Positions::AsDrawn);
    /// Adds a state to a frame (empty: to none), as near to `centre` as there is room; returns the
    /// machine and the state's name.
    std::pair<Machine, QString> withNewState(
        const QString &name, const QPointF &centre, const QString &frame) const;
    /// Rectangles of states that the chart does not show yet: one of each outermost state, around
    /// its descendants.
    QList<QRectF> extents(const QList<State> &states) const;
    void select(SelectedRows rows); ///< rows of the selected machine
    void toggle(SelectedRows rows); ///< adds a state to the selection, or removes it
    /// Size of a screen pixel in chart units.
    double pixel() const { return 1 / std::max(m_chart.transform().m11(), 0.05); }
    const QRectF &rectOf(int box) const { return layout().boxes[box].outline.rect; }
    QString idOf(int box) const { return box < 0 ? QString() : layout().boxes[box].id; }
    /// False for a frame whose position follows from its children.
    bool hasOwnPosition(int box) const;
    int boxOf(const QString &state) const; ///< index; -1: not drawn
    QMap<QString, QRectF> selectedBoxes() const;
    /// Id of the innermost frame at a point, except `states` and their descendants; empty: none.
    QString frameAt(const QPointF &point, const QStringList &states) const;
    int boxAt(const QPointF &point) const; ///< index; -1: none
    const ChartArrow *selectedArrow() const;
    const NoteBox *noteBoxOf(int note) const;
    const NoteBox *noteBoxAt(const QPointF &point) const;

    void build();
    void enableActions();
    void paint(QPainter &painter) const;
    void paintSelected(QPainter &painter) const;
    void paintGesture(QPainter &painter) const;

    bool press(const QPoint &position);
    void showMenu(const QContextMenuEvent &event);
    bool moveTo(const QPoint &position);
    bool release(Qt::KeyboardModifiers keys);
    bool doubleClick(const QPoint &position);
    bool key(int key, Qt::KeyboardModifiers keys);
    void click(Qt::KeyboardModifiers keys);
    void dropMoved();
    void moveNote(const QPointF &centre, const QString &mergeKey = {});
    void editNote();
    void dropConnection();
    void takeBand(Qt::KeyboardModifiers keys);

    struct LineSetup
    {
        QString text;
        QRectF area; ///< in the chart; the line edit is centred on it
        QString name, hint;
        QStringList candidates; ///< words to complete
    };
    /// Opens a line edit. `take` gets the text that the user accepts, and calls finish() or
    /// showError() of the line. If the chart shows no machine by then, the line is closed.
    void openLine(const LineSetup &setup,
        const std::function<void(ChartLineEdit &line, const QString &text)> &take);
    void renameState(const QString &state);
    void editArrow(const SelectedRows &arrow);
    /// Opens a line edit for the text of a new arrow. If the arrow gets no text, undoes the edit
    /// that added the state `to`; `added`: the history's index after that edit.
    void connectStates(const QString &from, const QString &to, std::optional<int> added = {});
    /// Undoes the last edit if the user cancels the open line edit; `step`: the history's index
    /// after that edit.
    void undoIfCanceled(int step);
    QStringList triggerNames() const;
    void adaptToLayout(); ///< removes deleted rows from the selection, and runs m_afterLayout
    void insert(const Fragment &fragment, const QPointF &by, const QString &command);

    StatechartView &m_chart;
    Document &m_document;
    Selection &m_selection;
    QList<QAction *> m_actions;
    QList<bool (*)(const SelectedRows &)> m_allows; ///< by action: enabled for this selection
    Gesture m_gesture;
    QPointer<ChartLineEdit> m_lineEdit;
    std::optional<QPointF> m_menuPosition; ///< of the open menu, in the chart; absent: none is open
    std::function<void()> m_afterLayout;   ///< called once, when the chart shows the last edit
    std::function<void()> m_restoreView;   ///< called once, when the chart shows an undo or redo
    SelectedRows m_leftRows; ///< selection when setOn(false) was called; empty after an edit
    QString m_leftType;      ///< type path of the selected resource at that time
    bool m_isOn = false;
};

} // namespace instar
