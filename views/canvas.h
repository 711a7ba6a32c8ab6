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
        Line,  ///< of the label of a chart's arrow
        Row,   ///< a resource of a timeline
        Bar,   ///< an operation of a timeline
    };
    Kind kind = Kind::State;
    int index = -1; ///< of the box or the arrow; row of the resource, serial of the operation
    int line = 0;
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
    virtual std::optional<CanvasPart> focused() const = 0;
    virtual bool isSelected(const CanvasPart &part) const = 0;
    /// Returns whether a part is expanded; nothing: it cannot be expanded or collapsed.
    virtual std::optional<bool> isExpanded(const CanvasPart &) const { return {}; }
    virtual void focusPart(const CanvasPart &part) = 0;
    /// Does what a click on a part does.
    virtual void activate(const CanvasPart &part) = 0;

    virtual void zoomBy(double factor, const QPointF &around) = 0; ///< a point of the viewport
    void zoomIn();
    void zoomOut();
    virtual void fit() = 0;

protected:
    /// Tells a screen reader that there are other parts, or that another one has the focus.
    void notifyPartsChanged();
    void notifyFocusChanged();
    /// HTML of the tooltip at a point; empty: none.
    virtual QString tipAt(const QPoint &point) const = 0;
    virtual void hoverNothing() = 0;

    bool viewportEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

    QGraphicsScene m_scene;

private:
    QAccessible::Role m_role;
};

} // namespace instar
