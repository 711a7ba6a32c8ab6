// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/liveconformance.h"
#include "views/diagram/chartitems.h"
#include "views/diagram/element.h"
#include "views/look.h"
#include "views/selection.h"

#include <QBasicTimer>
#include <QPointer>
#include <QVariantAnimation>

#include <set>

namespace instar {

class Coverage;
class Task;

/// The live statechart of one resource's machine: where the resource is, how many others are in
/// each state, and what may happen next, which a click makes happen. Nothing it does per frame
/// depends on the number of resources.
class StatechartView : public Canvas
{
    Q_OBJECT
public:
    /// Shows the machine of the selected resource, and selects rows of it.
    explicit StatechartView(Selection &selection, QWidget *parent = nullptr);
    ~StatechartView() override;

    /// Follows a controller until another one is set; null: shows nothing.
    void setController(Controller *controller);
    /// Highlights the states of these resources.
    void setLookedAt(const QStringList &paths);
    /// Shows a machine by its id, also one that no resource has; empty: that of the resource.
    void setMachine(const QString &id);
    /// Id of the machine that is shown; empty: none.
    QString machine() const;
    /// Shows the states that the rules allow the selected resource at a server.
    void setConformance(const LiveConformance *conformance);
    /// States that the rules allow it; empty without a server.
    QList<Rules::StateId> expected() const;
    /// Request that a click on an operation fires, with its operation and path.
    void setProbe(const Request &probe);
    void setMotion(Motion motion);
    Motion motion() const { return m_motion; }
    /// Arrows of which no row was exercised are drawn faint from now on, whatever their source
    /// shows; null: they are not.
    void setExercised(const Coverage *coverage);
    /// Whether an element is drawn faint.
    bool isFaint(const ChartElement &element) const;

    void zoomBy(double factor, const QPointF &around) override;
    /// The whole chart, and again whenever there is another one or another size, until the user
    /// zooms. Where labels would be too small to read, those of what cannot happen now come on
    /// hover; where names would be, at legibleScale() around the state that the resource is in.
    void fit() override;
    /// The scale at which a label can just be read.
    double legibleScale() const;
    /// Opens anew with everything so many times as large as usual.
    void setLarger(double factor);
    bool showsWhole() const;
    bool showsLabel(int arrow) const { return m_labels[arrow]->isVisible(); }
    /// The part of the chart that is seen.
    QRectF seen() const;
    /// Part of the chart that is seen.
    struct Look
    {
        double scale = 1;
        QPointF centre;
        bool isOwn = false; ///< the user has chosen it
    };
    Look look() const;
    void lookAgain(const Look &look);
    /// The chart as it stands, `scale` pixels a point.
    QImage image(qreal scale = 2) const;
    /// The same as strokes and letters, for files that keep them.
    void render(QPainter &painter, const QRectF &target) const;
    /// How large it is, with a margin, in points.
    QSizeF pictureSize() const;

    /// While a draft is edited an element that is activated is only chosen, nothing is fired; and
    /// only what the draft has is shown, not what it needs besides to run. Null: it is explored.
    void setEdited(const Pack *draft);
    /// Painted over the chart, in its points: what a tool that holds the chart shows of its work.
    using Overlay = std::function<void(QPainter &)>;
    void setOverlay(const Overlay &paint);
    const ChartFonts &fonts() const { return m_style.fonts; }
    /// By which the chart is drawn; null: there is none.
    const Rules *rules() const { return m_controller ? &m_controller->rules() : nullptr; }
    std::optional<ChartElement> partAt(const QPoint &point) const override;
    /// Rows of the pack that an element stands for.
    SelectedRows rowsOf(const ChartElement &element) const;
    /// The pack's name of a state of the chart; empty: it is none, but any or the last one.
    QString stateId(Rules::StateId state) const;
    /// Brings a rectangle of the chart into sight, if it is not.
    void reveal(const QRectF &rect);

    // what is shown, for the keyboard, screen readers and tests
    const ChartLayout &layout() const { return m_style.layout; }
    QList<ChartElement> parts() const override { return m_elements; }
    std::optional<ChartElement> focused() const override { return m_focused; }
    void focusPart(const ChartElement &element) override;
    /// Fires or ends what is open, says why not, or selects.
    void activate(const ChartElement &element) override;
    QString nameOf(const ChartElement &element) const override;
    QString descriptionOf(const ChartElement &element) const override;
    QRect areaOf(const ChartElement &element) const override;
    bool isSelected(const ChartElement &element) const override;
    ArrowMeaning meaningOf(const ChartElement &element) const;
    const BoxLook &lookOf(Rules::StateId state) const;
    Rules::StateId state() const
    {
        return m_state;
    } ///< of the selected resource; None: nothing is selected
    QPointF tokenPosition() const { return m_token->pos(); }
    bool isTravelling() const { return m_travel.state() == QAbstractAnimation::Running; }
    bool isAnimating() const { return m_ticker.isActive(); } ///< edges move

signals:
    void fireRequested(const QString &operation);
    void endRequested(quint32 serial, const QString &outcome);
    void whyAsked(const QString &path);
    void focusMoved();
    /// Another chart is shown, or the same one with something changed.
    void laidOut();
    /// A large chart is being laid out beside the window; nothing is shown until it is.
    void working(instar::Task *task);

protected:
    QString tipAt(const QPoint &point) const override;
    void hoverNothing() override { setHovered({}); }
    void timerEvent(QTimerEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    enum class Arrival { Travels, Jumps };

    void followSelection(); ///< another resource
    void follow(const Update &update);
    void paintExpected(QPainter &painter) const;
    void reload(); ///< another machine, other rules
    void layOut(int machine);
    ChartLayout shownLayout(int machine) const; ///< of what is to be seen of it
    /// The same where the whole can be read; else with composites as boxes, but for the one that
    /// the resource is in; else also with labels on hover.
    ChartLayout readableLayout(int machine);
    int shownMachine() const; ///< of the selected resource; None: it has none
    void forgetLayouts();
    void refresh(); ///< counts and meanings
    void moveToken(Arrival arrival, Rules::TriggerId trigger = Rules::None, bool again = false);
    QPainterPath journey(Rules::StateId from, Rules::StateId to, Rules::TriggerId trigger) const;
    void syncBoxes();
    void syncArrows();
    bool isUnexercised(const ChartArrow &arrow) const;
    void updateTicker();
    void setHovered(std::optional<ChartElement> element);
    void setFocused(std::optional<ChartElement> element);
    void walkTo(qsizetype element);      ///< a place in parts()
    ChartElement currentElement() const; ///< the state that the resource is in, or the first one
    bool waitsForLayout() const;
    void arrange(); ///< scale and place, as far as they are not the user's own
    double wholeScale(const QRectF &bounds) const; ///< of a chart
    /// Around the current state, and as much of where it leads to as there is room for.
    QRectF nearState() const;
    void setScale(double scale);
    void revealState(); ///< brings the current state into sight
    /// Centres a point, but shows no empty space for it.
    void lookAt(const QPointF &point);
    void pan(const QPoint &by);
    double tolerance() const;

    Selection &m_selection;
    ChartStyle m_style;
    QPointer<Controller> m_controller;
    Pack m_pack; ///< what the layouts were made of, shared with the controller's
    Switches m_switches;
    QHash<int, ChartLayout> m_layouts; ///< by machine
    QList<ChartLayout> m_folded;       ///< with some of their composites as boxes
    QPointer<Task> m_layingOut;
    int m_laysOut = Rules::None; ///< a machine
    QStringList m_lookedAt;
    QString m_shownPath;    ///< of the resource that was selected last
    QString m_machineAsked; ///< an id; empty: that of the resource
    QString m_machineShown; ///< when the chart was laid out last
    Overlay m_overlayPaint;
    QPointer<const LiveConformance> m_conformance;
    const Pack *m_draft = nullptr; ///< that is edited
    Request m_probe;
    Motion m_motion = Motion::Full;

    QList<BoxItem *> m_boxes;
    QList<ArrowItem *> m_lines, m_labels;
    TokenItem *m_token = nullptr;
    QList<ChartElement> m_elements;
    QList<QList<ArrowMeaning>> m_meanings;
    QList<bool> m_faintBoxes, m_faintArrows; ///< not in the machine's source
    std::optional<std::set<std::pair<int, int>>>
        m_exercised;        ///< (machine, row); nothing: does not matter
    QList<qint64> m_counts; ///< box -> resources in it
    Rules::StateId m_state = Rules::None;
    std::optional<ChartElement> m_hovered, m_focused;

    QVariantAnimation m_travel;
    QPainterPath m_journey;
    double m_dash = 0;
    QBasicTimer m_ticker, m_soon;
    double m_larger = 1;    ///< than usual, for a room
    QSize m_arrangedSize;   ///< of the viewport, when the chart was arranged; empty: not yet
    bool m_isOwn = false;   ///< the user has chosen the scale or the place
    bool m_isWhole = false; ///< the user wants the whole chart, legible or not
    bool m_areLabelsOnHover = false;
    std::optional<QPoint> m_pressed;
    bool m_isPanning = false;
};

} // namespace instar
