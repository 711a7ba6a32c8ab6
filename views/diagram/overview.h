// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/diagram/chartitems.h"

#include <QWidget>

namespace instar {

/// The whole of a chart of which the window shows a part: which part, and where the resource is. A
/// click asks for the place under it.
class Overview : public QWidget
{
    Q_OBJECT
public:
    Overview(const ChartStyle &style, QWidget *parent);

    /// What of the chart is seen, and the box in which the resource is; -1: none.
    void sync(const QRectF &seen, int box);
    QSize sizeHint() const override;

signals:
    void asked(const QPointF &place); ///< in the chart

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    QRectF picture() const; ///< where the chart is drawn
    double scale() const;   ///< pixels a point
    void ask(const QPointF &point);

    const ChartStyle &m_style;
    QRectF m_seen;
    int m_box = -1;
};

} // namespace instar
