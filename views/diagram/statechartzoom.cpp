// SPDX-License-Identifier: Apache-2.0
// How much of a statechart is seen, and how large.
#include "views/diagram/statechart.h"

#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

constexpr double smallest = 0.15, largest = 5, largestFit = 1.4;
constexpr double margin = 26;       ///< around a picture of the whole, in points
constexpr double brink = 12;        ///< and in the window
constexpr double legiblePixels = 8; ///< height of a label's font
constexpr double nearly = 0.9;      ///< of the legible scale: good enough to show the whole

/// The nearest to `wanted` at which an interval of this length lies within the bounds; their middle
/// where it is longer.
double within(double wanted, double length, double low, double high)
{
    if (high - low <= length)
        return (low + high) / 2;
    return std::clamp(wanted, low + length / 2, high - length / 2);
}

} // namespace

void StatechartView::zoomIn()
{
    scaleBy(1.2, viewport()->rect().center());
}

void StatechartView::zoomOut()
{
    scaleBy(1 / 1.2, viewport()->rect().center());
}

void StatechartView::fit()
{
    m_sight = Sight::Whole;
    arrange();
}

double StatechartView::legibleScale() const
{
    return legiblePixels / m_style.fonts.label.pixelSize();
}

double StatechartView::wholeScale() const
{
    const QRectF chart = m_style.layout.bounds.adjusted(-brink, -brink, brink, brink);
    return std::max(std::min({ viewport()->width() / chart.width(),
                        viewport()->height() / chart.height(), largestFit }),
        0.02);
}

void StatechartView::setScale(double scale)
{
    setTransform(QTransform::fromScale(scale, scale));
}

void StatechartView::arrange()
{
    if (m_sight == Sight::Own)
        return reveal(Arrival::Jumps);
    const double whole = wholeScale();
    const bool isWhole = m_sight == Sight::Whole || whole >= nearly * legibleScale();
    setScale(isWhole ? whole : legibleScale());
    const int box = m_style.layout.boxOf(m_state);
    const QPointF middle = m_style.layout.bounds.center();
    lookAt(box < 0 ? middle : m_style.layout.boxes[box].outline.rect.center(), Arrival::Jumps);
}

QRectF StatechartView::seen() const
{
    QRectF seen = mapToScene(viewport()->rect()).boundingRect();
    if (m_glide.state() == QAbstractAnimation::Running)
        seen.moveCenter(m_glide.endValue().toPointF());
    return seen;
}

void StatechartView::reveal(Arrival arrival)
{
    const int box = m_style.layout.boxOf(m_state);
    if (box < 0)
        return;
    const QRectF state = m_style.layout.boxes[box].outline.rect;
    if (!seen().contains(state.adjusted(-brink, -brink, brink, brink)))
        lookAt(state.center(), arrival);
}

QPointF StatechartView::centreAround(const QPointF &point) const
{
    const QRectF chart = m_style.layout.bounds.adjusted(-brink, -brink, brink, brink);
    const QSizeF size = mapToScene(viewport()->rect()).boundingRect().size();
    return { within(point.x(), size.width(), chart.left(), chart.right()),
        within(point.y(), size.height(), chart.top(), chart.bottom()) };
}

void StatechartView::lookAt(const QPointF &point, Arrival arrival)
{
    m_glide.stop();
    const QPointF centre = centreAround(point);
    if (arrival == Arrival::Jumps || m_motion == Motion::Reduced || !isVisible()) {
        centerOn(centre);
        return;
    }
    m_glide.setStartValue(mapToScene(viewport()->rect()).boundingRect().center());
    m_glide.setEndValue(centre);
    m_glide.start();
}

void StatechartView::pan(const QPoint &by)
{
    m_glide.stop();
    m_sight = Sight::Own;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
}

void StatechartView::scaleBy(double factor, const QPoint &around)
{
    const double now = transform().m11();
    const double scale = std::clamp(now * factor, std::min(smallest, wholeScale()), largest);
    const QPointF fixed = mapToScene(around);
    m_glide.stop();
    m_sight = Sight::Own;
    setScale(scale);
    const QPointF moved = mapToScene(around);
    centerOn(mapToScene(viewport()->rect().center()) + fixed - moved);
}

QImage StatechartView::image(qreal scale) const
{
    const QRectF chart = m_style.layout.bounds.adjusted(-margin, -margin, margin, margin);
    QImage picture((chart.size() * scale).toSize().expandedTo(QSize(1, 1)),
        QImage::Format_ARGB32_Premultiplied);
    picture.fill(m_style.theme.window);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const_cast<QGraphicsScene &>(m_scene).render(
        &painter, QRectF(QPointF(), picture.size()), chart);
    return picture;
}

double StatechartView::tolerance() const
{
    return 7 / std::max(transform().m11(), 0.05);
}

void StatechartView::wheelEvent(QWheelEvent *event)
{
    // A wheel zooms; two fingers on a touchpad move the chart.
    const bool isTouch = event->phase() != Qt::NoScrollPhase || !event->pixelDelta().isNull();
    const bool zooms = event->modifiers() & Qt::ControlModifier
        || (!isTouch && !(event->modifiers() & Qt::ShiftModifier));
    if (zooms)
        scaleBy(std::pow(1.0015, event->angleDelta().y()), event->position().toPoint());
    else
        pan(event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta());
    event->accept();
}

void StatechartView::resizeEvent(QResizeEvent *event)
{
    QGraphicsView::resizeEvent(event);
    arrange();
}

} // namespace instar
