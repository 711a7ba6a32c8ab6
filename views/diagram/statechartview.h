// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/liveconformance.h"
#include "views/diagram/element.h"
#include "views/drawing/paint.h"
#include "views/look.h"
#include "views/selection.h"

#include <QPointer>
#include <QTimer>
#include <QVariantAnimation>

#include <set>

namespace instar {

class Coverage;
class Task;

/// Live statechart of one resource's machine: the resource's state, the number of others in each
/// state, and the transitions that can happen now, which a click fires. The cost of a frame does
/// not depend on the number of resources.
class StatechartView : public Canvas
{
    Q_OBJECT
public:
    /// Shows the machine of the selected resource, and selects the rows that the user clicks.
    StatechartView(Controller &controller, Selection &selection, QWidget *parent = nullptr);
    ~StatechartView() override;

    /// Highlights the states of these resources.
    void setHighlighted(const QStringList &paths);
    /// Shows a machine by its id, also one that no resource has; empty: that of the resource.
    void setMachine(const QString &id);
    /// Id of the machine that is shown; empty: none.
    QString machine() const;
    /// Explains the marks at the ends of arrows, "* any state · H the state before"; empty: none is
    /// drawn. Refusals, which only the editor draws, are not explained.
    QString legend() const;
    /// Shows the states that the rules allow the selected resource; null: does not.
    void setConformance(const LiveConformance *conformance);
    /// States that the rules allow the selected resource; empty without a server.
    QList<Rules::StateId> expected() const;
    /// Sets the request that a click fires, with the clicked operation and the selected resource.
    void setProbe(const Request &probe);
    void setMotion(Motion motion);
    Motion motion() const { return m_motion; }
    /// Draws arrows faint if none of their rows was exercised; null: draws all alike.
    void setExercised(const Coverage *coverage);

    void zoomBy(double factor, const QPointF &around) override;
    /// Shows the whole chart, also after a resize, until the user zooms. Where labels would be too
    /// small to read, those of transitions that cannot happen now are shown on hover, as are those
    /// that would lie over a box or another label.
    void fit() override;
    /// Least scale at which a label can be read.
    double legibleScale() const;
    /// Enlarges everything by a factor, for an audience, and arranges the chart anew.
    void setLarger(double factor);
    /// Visible rectangle of the chart, in its points.
    QRectF seen() const { return mapToScene(viewport()->rect()).boundingRect(); }
    /// Scale and centre at which the chart is seen.
    struct ViewPosition
    {
        double scale = 1;
        QPointF centre;
        bool isChosen = false; ///< the user has chosen it
    };
    ViewPosition viewPosition() const;
    void restoreViewPosition(const ViewPosition &position);
    QSizeF pictureSize() const override;
    void paintAll(QPainter &painter) const override;

    /// Sets the edited draft; null: none. With a draft, activating an element only selects it, and
    /// elements that were only added to make the draft run are hidden.
    void setEdited(const Pack *draft);
    /// Paints the feedback of a tool over the chart, in the chart's points.
    using Overlay = std::function<void(QPainter &)>;
    void setOverlay(const Overlay &paint);
    const ChartFonts &fonts() const { return m_fonts; } ///< of the layout
    std::optional<ChartElement> partAt(const QPoint &point) const override
    {
        return elementAt(m_layout, mapToScene(point), 7 / std::max(transform().m11(), 0.05));
    }
    /// Rows of the pack that an element stands for.
    SelectedRows rowsOf(const ChartElement &element) const;
    /// Id of a state in the pack; empty for the arrow ends "any state" and "the state before".
    QString stateId(Rules::StateId state) const;
    /// Brings a rectangle of the chart into sight, if it is not.
    void reveal(const QRectF &rect);

    const ChartLayout &layout() const { return m_layout; }
    /// Looks of the chart. Fonts are enlarged where the scale would make names too small.
    const ChartLooks &looks() const { return m_looks; }
    QList<ChartElement> parts() const override { return m_elements; }
    /// Fires an operation (also one that is refused), ends work, or only selects.
    void activate(const ChartElement &element) override;
    QString nameOf(const ChartElement &element) const override;
    QString descriptionOf(const ChartElement &element) const override;
    QRect areaOf(const ChartElement &element) const override
    {
        return mapFromScene(elementRect(m_layout, element)).boundingRect();
    }
    bool isSelected(const ChartElement &element) const override;
    ArrowMeaning meaningOf(const ChartElement &element) const;
    /// State of the selected resource; None: nothing is selected.
    Rules::StateId state() const { return m_state; }
    bool isTravelling() const { return m_travel.state() == QAbstractAnimation::Running; }
    bool isAnimating() const { return m_ticker.isActive(); } ///< dashed edges move

signals:
    void fireRequested(const QString &operation);
    void endRequested(quint32 serial, const QString &outcome);
    void whyAsked(const QString &path);
    void focusMoved();
    /// Another chart is shown, or the same one with something changed.
    void laidOut();
    /// A large chart is being laid out in the background; nothing is shown until that is done.
    void working(instar::Task *task);

protected:
    void setFocused(std::optional<ChartElement> element) override;
    QString tipAt(const QPoint &point) const override;
    void clearHover() override { setHovered({}); }
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;
    void wheelEvent(QWheelEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void showFocus() override { sync(); }

private:
    enum class Arrival { Travels, Jumps };

    void followSelection(); ///< shows the selected resource
    void follow(const Update &update);
    void paintExpected(QPainter &painter) const;
    void reload(); ///< shows the chart anew, after another machine, rules or controller
    void layOut(int machine);
    /// Returns the usual layout of a machine; if it is not legible as a whole, one with composites
    /// (except the largest) folded to boxes, and if necessary with labels on hover. For a draft,
    /// returns the usual layout without elements that were only added to make the draft run.
    ChartLayout readableLayout(int machine);
    int shownMachine() const; ///< the one set, else the selected resource's; None: neither
    bool hasOtherBoxes();     ///< true if the layout to show has other boxes than m_layout
    void refresh();           ///< updates counts, meanings and looks
    QPointF tokenAt(int box) const;
    void moveToken(Arrival arrival, Rules::TriggerId trigger = Rules::None, bool again = false);
    void placeToken(const std::optional<QPointF> &place);
    void updatePart(const QRectF &rect);
    void sync();
    BoxLook boxLook(int box, bool isHighlighted) const;
    ArrowLook arrowLook(int arrow) const;
    bool isLabelCrowded(const QRectF &label, const QList<QRectF> &labels) const;
    bool isWorking(int box) const;
    void updateTicker();
    void setHovered(std::optional<ChartElement> element);
    /// Element that a click acts on; on an arrow beside its label, the first line that can happen.
    std::optional<ChartElement> clickedAt(const QPoint &point) const;
    /// "Click to fire PUT at Rack-2"; empty if a click only selects.
    QString clickText(const ChartElement &element) const;
    void walkTo(qsizetype index); ///< in parts(), clamped
    /// The state that the resource is in, or the first one.
    ChartElement currentElement() const
    {
        return { ChartElement::Kind::State, std::max(m_layout.boxOf(m_state), 0), 0 };
    }
    bool waitsForLayout() const { return !m_layingOut.isNull() && m_layout.boxes.isEmpty(); }
    void arrange();                                ///< sets scale and place, unless the user has
    double wholeScale(const QRectF &bounds) const; ///< scale that shows `bounds` whole
    void setScale(double scale);
    void revealState(); ///< brings the current state into sight
    /// Centres a point, but shows no empty space for it.
    void lookAt(const QPointF &point);
    void pan(const QPoint &by) override;

    Controller &m_controller;
    Selection &m_selection;
    ChartLayout m_layout;
    ChartLayout m_drawn; ///< the last nonempty layout; its routes are kept while editing
    ChartFonts m_fonts;  ///< of the layout
    ChartLooks m_looks;
    Pack m_pack; ///< of m_layouts; shares its data with the controller's
    Switches m_switches;
    QHash<int, ChartLayout> m_layouts; ///< by machine
    /// Layouts with composites folded to boxes; by machine, and true if labels show on hover.
    QHash<std::pair<int, bool>, ChartLayout> m_folded;
    QPointer<Task> m_layingOut;
    int m_machineBeingLaidOut = Rules::None; ///< by m_layingOut
    QStringList m_highlighted;
    QString m_shownPath;    ///< of the resource shown last
    QString m_machineAsked; ///< an id; empty: that of the resource
    QString m_machineShown; ///< id, when the chart was laid out last
    Overlay m_overlayPaint;
    QPointer<const LiveConformance> m_conformance;
    const Pack *m_draft = nullptr; ///< see setEdited()
    Request m_probe;
    Motion m_motion = Motion::Full;

    QList<ChartElement> m_elements;
    QList<QList<ArrowMeaning>> m_meanings;
    std::optional<std::set<std::pair<int, int>>> m_exercised; ///< (machine, row); absent: not shown
    QList<qint64> m_counts;                                   ///< box -> resources in it
    Rules::StateId m_state = Rules::None;
    std::optional<ChartElement> m_hovered;

    QVariantAnimation m_travel;
    QPainterPath m_journey;
    double m_dash = 0;
    QTimer m_ticker, m_soon;     ///< moves edges; calls refresh() once after many changes
    double m_larger = 1;         ///< factor, see setLarger()
    QSize m_arrangedSize;        ///< of the viewport, when the chart was arranged; empty: not yet
    bool m_isViewChosen = false; ///< the user has chosen the scale or the place
    bool m_areLabelsOnHover = false;
};

} // namespace instar
