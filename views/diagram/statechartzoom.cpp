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
constexpr double margin = 26;

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
    m_isFitted = true;
    const QRectF chart = m_style.layout.bounds.adjusted(-margin, -margin, margin, margin);
    const double scale = std::min(
        { viewport()->width() / chart.width(), viewport()->height() / chart.height(), largestFit });
    setTransform(QTransform::fromScale(std::max(scale, 0.02), std::max(scale, 0.02)));
    centerOn(chart.center());
}

void StatechartView::scaleBy(double factor, const QPoint &around)
{
    const double now = transform().m11();
    const double scale = std::clamp(now * factor, smallest, largest);
    const QPointF fixed = mapToScene(around);
    m_isFitted = false;
    setTransform(QTransform::fromScale(scale, scale));
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
    if (event->modifiers() & Qt::ControlModifier) {
        scaleBy(std::pow(1.0015, event->angleDelta().y()), event->position().toPoint());
        event->accept();
        return;
    }
    const QPoint by = event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta();
    if (m_isFitted) {
        event->ignore(); // all of it is in sight
        return;
    }
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
}

void StatechartView::resizeEvent(QResizeEvent *event)
{
    QGraphicsView::resizeEvent(event);
    if (m_isFitted)
        fit();
}

} // namespace instar
