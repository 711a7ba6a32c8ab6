// SPDX-License-Identifier: Apache-2.0
#include "views/presenting/laser.h"

#include <QPainter>
#include <QRadialGradient>
#include <QTimerEvent>

namespace instar {

namespace {

constexpr qint64 tailMs = 350;
constexpr double radius = 9;
constexpr int frameMs = 30;
const QColor light(0xff, 0x2d, 0x2d); ///< the same on every ground: it is light, not ink

} // namespace

Laser::Laser(QWidget *window) : QWidget(window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    m_clock.start();
}

void Laser::pointAt(const QPointF &point)
{
    m_tail.append({ point, m_clock.elapsed() });
    if (m_tail.size() > 64)
        m_tail.removeFirst();
    if (!m_timer.isActive())
        m_timer.start(frameMs, this);
    update();
}

void Laser::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_timer.timerId())
        return QWidget::timerEvent(event);
    const qint64 now = m_clock.elapsed();
    while (m_tail.size() > 1 && now - m_tail.first().time > tailMs)
        m_tail.removeFirst();
    if (m_tail.size() <= 1)
        m_timer.stop();
    update();
}

void Laser::paintEvent(QPaintEvent *)
{
    if (m_tail.isEmpty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const qint64 now = m_clock.elapsed();
    for (qsizetype i = 1; i < m_tail.size(); ++i) {
        const double age = double(now - m_tail[i].time) / tailMs;
        QColor colour = light;
        colour.setAlphaF(float(std::clamp(0.6 * (1 - age), 0.0, 1.0)));
        painter.setPen(
            QPen(colour, radius * 0.9 * std::max(0.2, 1 - age), Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(m_tail[i - 1].at, m_tail[i].at);
    }
    const QPointF spot = m_tail.last().at;
    QRadialGradient glow(spot, radius * 2);
    QColor edge = light;
    edge.setAlpha(0);
    glow.setColorAt(0, edge); // what is pointed at is seen
    glow.setColorAt(0.4, edge);
    glow.setColorAt(0.65, light);
    glow.setColorAt(1, edge);
    painter.setPen(Qt::NoPen);
    painter.setBrush(glow);
    painter.drawEllipse(spot, radius * 2, radius * 2);
}

} // namespace instar
