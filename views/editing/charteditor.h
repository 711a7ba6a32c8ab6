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

/// What hands and keys do to a chart that is edited: the document changes, the chart shows it.
/// While it is off, the chart is explored and this does nothing.
class ChartEditor : public QObject
{
    Q_OBJECT
public:
    ChartEditor(StatechartView &chart, Document &document, Selection &selection, QWidget *parent);
    ~ChartEditor() override;

    bool isOn() const { return m_isOn; }
    void setOn(bool on);
    /// What is being typed is in the document, as Return would have it.
    void keepTyped();
    /// Everything that can be done, for menus; they are enabled while there is something to do it
    /// to.
    const QList<QAction *> &actions() const { return m_actions; }
    /// What is typed in place at the moment; null: nothing.
    InPlace *typing() const { return m_typing; }
    /// How a machine without states is begun; empty: it has some.
    QString invitation() const;

    // what the actions do
    void addState(); ///< beside what is selected
    void addStateAt(const QPointF &centre);
    void addTransition(); ///< from the selected state, to one that is typed
    void addFrame();      ///< around what is selected
    void rename();        ///< the selected state, or what is written at the selected arrow
    void remove();
    void addNote(); ///< about the selected state
    void nest();    ///< in a frame that is typed
    void nextKind();
    void copy();
    void cut();
    void paste();
    void duplicate();
    void selectAll();
    void layOut();                                  ///< what is selected, or everything
    void align(Qt::Orientation along, double part); ///< see aligned()
    void distribute(Qt::Orientation along);
    void move(const QPointF &by, const QString &mergeKey);

signals:
    /// Something for people to know: what went with what was deleted, what cannot be pasted.
    void said(const QString &sentence);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// What a press has begun; it belongs to the hand until the button is let go.
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
        SelectedRows before; ///< Band: what was selected
    };

    /// Of the document, where the chart shows it; null: it shows none, or is being laid out.
    const Machine *machine() const;
    void followRows(const Pack &before, const Pack &after);
    /// What is selected and seen, to be shown again.
    std::function<void()> look();
    void showAgain(const SelectedRows &selected, const StatechartView::ViewPosition &look);
    const ChartLayout &layout() const { return m_chart.layout(); }
    /// The machine with every state where it is drawn, so that nothing else moves.
    Machine held() const;
    /// With what is selected, and what lies in it, elsewhere.
    Machine moved(const QPointF &by) const;
    void edit(const QString &text, const Machine &machine, const QString &mergeKey = {},
        Positions places = Positions::AsDrawn);
    /// The same machine with one more state, in a frame (empty: in none), where it is asked for or
    /// near by, where there is room; its name.
    std::pair<Machine, QString> withNewState(
        const QString &name, const QPointF &centre, const QString &frame) const;
    /// With the places that the layout gives to what has none.
    Machine wherePut(const Machine &changed) const;
    /// What states that are not in the chart yet would cover, each with all that lies in it.
    QList<QRectF> extents(const QList<State> &states) const;
    void select(const SelectedRows &selected);
    void selectStates(const QStringList &states);
    void selectNote(int note);
    double pixel() const; ///< in the chart
    QString idOf(int box) const;
    /// It has a place of its own, and not that of what lies in it.
    bool standsByItself(int box) const;
    int boxOf(const QString &state) const;
    QMap<QString, QRectF> selectedBoxes() const;
    /// The innermost frame at a point that is none of these states, or lies in one.
    QString frameAt(const QPointF &point, const QStringList &states) const;
    int boxAt(const QPointF &point) const;
    const ChartArrow *selectedArrow() const;
    const NoteBox *paperOf(int note) const;
    const NoteBox *paperAt(const QPointF &point) const;

    void build();
    QAction *add(const QString &text, const QList<QKeySequence> &keys, void (ChartEditor::*act)());
    void enableActions();
    void paint(QPainter &painter) const;
    void paintInvitation(QPainter &painter) const;
    void paintSelected(QPainter &painter) const;
    void paintGesture(QPainter &painter) const;

    bool press(const QPoint &place, Qt::KeyboardModifiers keys);
    bool moveTo(const QPoint &place);
    bool release(Qt::KeyboardModifiers keys);
    bool doubleClick(const QPoint &place);
    bool key(int key, Qt::KeyboardModifiers keys);
    void begin(Gesture::Kind kind);
    void click(Qt::KeyboardModifiers keys);
    void dropMoved();
    void moveNote(const QPointF &centre, const QString &mergeKey = {});
    void editNote();
    void dropConnection();
    void takeBand(Qt::KeyboardModifiers keys);

    /// A line to type into, where it stands on the chart and what it is called.
    struct Typing
    {
        QString text;
        QRectF place;
        QString name, hint;
        QStringList candidates;
    };
    /// Opens a line; `take` gets what was typed, and ends it or says what is wrong.
    void type(
        const Typing &typing, const std::function<void(InPlace &line, const QString &text)> &take);
    void renameState(const QString &state);
    void editArrow(const SelectedRows &arrow);
    void connectStates(const QString &from, const QString &to);
    QStringList triggerNames() const;
    void settle(); ///< the chart shows the document again
    void drop(const Fragment &fragment, const QPointF &by, const QString &text);

    StatechartView &m_chart;
    Document &m_document;
    Selection &m_selection;
    QList<QAction *> m_actions;
    Gesture m_gesture;
    QPointer<InPlace> m_typing;
    std::function<void()> m_next;  ///< once the chart shows what was just done
    std::function<void()> m_again; ///< likewise, for what was undone or done again
    bool m_isOn = false;
    int m_pastes = 0; ///< of what is on the clipboard: each stands a little further
};

} // namespace instar
