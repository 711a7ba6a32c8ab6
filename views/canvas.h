// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAccessible>
#include <QGraphicsView>

#include <optional>

namespace instar {

/// Part of a canvas that pointer, keyboard and screen reader can reach.
struct CanvasPart
{
    enum class Kind {
        State, ///< of a chart
        Line,  ///< of an arrow's label in a chart
        Row,   ///< a resource of a timeline
        Bar,   ///< an operation of a timeline
    };
    Kind kind = Kind::State;
    int index = -1; ///< of the box, arrow or row; for a bar, the serial of its operation
    int line = 0;   ///< of the arrow's label
    bool operator==(const CanvasPart &) const = default;
};

/// Graphics view that keys and touch gestures zoom. A screen reader reaches its parts, which have
/// names, states, bounds and an action.
class Canvas : public QGraphicsView
{
    Q_OBJECT
public:
    Canvas(QAccessible::Role role, QWidget *parent);

    QAccessible::Role role() const { return m_role; }
    /// Accessible parts, in reading order.
    virtual QList<CanvasPart> parts() const = 0;
    virtual QString nameOf(const CanvasPart &part) const = 0;
    virtual QString descriptionOf(const CanvasPart &part) const = 0;
    virtual QRect areaOf(const CanvasPart &part) const = 0; ///< in the viewport
    virtual std::optional<CanvasPart> partAt(const QPoint &point) const = 0;
    std::optional<CanvasPart> focused() const { return m_focused; }
    /// True if a key moved the focus here; then a frame shows the focus.
    bool isTabbedTo() const { return m_isTabbedTo && hasFocus(); }
    virtual bool isSelected(const CanvasPart &part) const = 0;
    /// True if a part is expanded, false if collapsed; absent: it can be neither.
    virtual std::optional<bool> isExpanded(const CanvasPart &) const { return {}; }
    void focusPart(const CanvasPart &part);
    /// Acts as if a part were clicked.
    virtual void activate(const CanvasPart &part) = 0;

    virtual void zoomBy(double factor, const QPointF &around) = 0; ///< `around`: in the viewport
    void zoomIn();
    void zoomOut();
    virtual void fit() = 0;

    /// Size of the whole picture, in points, including what lies outside of the window.
    virtual QSizeF pictureSize() const = 0;
    /// Paints the whole picture on its background.
    virtual void paintAll(QPainter &painter) const = 0;
    /// Image of the whole picture: `scale` pixels a point, fewer for very large ones.
    QImage image(double scale = 2) const;

protected:
    /// Notifies a screen reader that the parts have changed, or that another one has the focus.
    void notifyPartsChanged();
    void notifyFocusChanged();
    /// HTML of the tooltip at a point; empty: none.
    virtual QString tipAt(const QPoint &point) const = 0;
    virtual void clearHover() = 0;
    virtual void setFocused(std::optional<CanvasPart> part) = 0;
    /// Shows which part has the keyboard.
    virtual void showFocus() { viewport()->update(); }
    /// Moves the picture in the viewport, in pixels.
    virtual void pan(const QPoint &by);
    /// True if a mouse button is down during a move. A long move makes isClickEnd() return false.
    bool isDrag(const QMouseEvent &event);
    /// Pans with the mouse if the move is a drag. Returns isDrag().
    bool panIfDragged(const QMouseEvent &event);
    /// True if a release ends a click, not a drag.
    bool isClickEnd(const QMouseEvent &event);

    bool viewportEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

    QGraphicsScene m_scene;
    std::optional<CanvasPart> m_focused; ///< part that a key or click focused last
    bool m_isTabbedTo = false;

private:
    QAccessible::Role m_role;
    std::optional<QPoint> m_pressed; ///< where a button was pressed, or the last pan ended
    bool m_isDragged = false;
};

} // namespace instar
