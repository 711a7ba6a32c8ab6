// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QList>
#include <QPointF>
#include <QWidget>

namespace instar {

/// A ring of light where the mouse is, with a short tail, over a whole window. Clicks go through
/// it.
class Laser : public QWidget
{
    Q_OBJECT
public:
    explicit Laser(QWidget *window);

    void pointAt(const QPointF &point);
    bool isSeen() const { return !m_tail.isEmpty(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    struct Spot
    {
        QPointF at;
        qint64 time = 0; ///< ms
    };
    QList<Spot> m_tail; ///< the newest one last
    QElapsedTimer m_clock;
    QBasicTimer m_timer; ///< runs while the tail fades
};

} // namespace instar
