// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/overview.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

constexpr QSizeF most { 112, 72 }; ///< of the chart's picture, in pixels
constexpr double border = 6;

} // namespace

Overview::Overview(const ChartStyle &style, QWidget *parent) : QWidget(parent), m_style(style)
{
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Overview of the chart"));
    setToolTip(tr("The part of the chart that is seen. Click to go elsewhere."));
    hide();
}

void Overview::sync(const QRectF &seen, int box)
{
    if (m_seen == seen && m_box == box)
        return;
    m_seen = seen;
    m_box = box;
    update();
}

double Overview::scale() const
{
    const QRectF &chart = m_style.layout.bounds;
    return std::min(
        most.width() / std::max(chart.width(), 1.0), most.height() / std::max(chart.height(), 1.0));
}

QSize Overview::sizeHint() const
{
    return (m_style.layout.bounds.size() * scale() + QSizeF(2 * border, 2 * border)).toSize();
}

QRectF Overview::picture() const
{
    return QRectF(rect()).adjusted(border, border, -border, -border);
}

void Overview::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_style.theme;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.quietLine, 1));
    painter.setBrush(theme.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);

    const QRectF place = picture();
    const auto shrunk = [&](const QRectF &part) {
        return QRectF(
            place.topLeft() + (part.topLeft() - m_style.layout.bounds.topLeft()) * scale(),
            part.size() * scale());
    };
    for (int i = 0; i < m_style.layout.boxes.size(); ++i) {
        const ChartBox &box = m_style.layout.boxes[i];
        painter.setPen(
            QPen(i == m_box ? theme.accent : theme.statusCategoryLine(box.statusCategory), 1));
        painter.setBrush(i == m_box ? QBrush(theme.accent)
                : box.isFrame()     ? QBrush(Qt::NoBrush)
                                    : QBrush(theme.statusCategoryFill(box.statusCategory)));
        painter.drawRect(shrunk(box.outline.rect));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.drawRect(shrunk(m_seen & m_style.layout.bounds).adjusted(0.5, 0.5, -0.5, -0.5));
}

void Overview::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        ask(event->position());
}

void Overview::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton)
        ask(event->position());
}

void Overview::ask(const QPointF &point)
{
    emit asked(m_style.layout.bounds.topLeft() + (point - picture().topLeft()) / scale());
}

} // namespace instar
