// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/diagram/chartitems.h"

#include <QWidget>

namespace instar {

/// The whole of a chart of which the window shows a part: which part, where the resource is, and
/// how to see all of it; in a small window only that. A click asks for the place
/// under it, or for the whole.
class Overview : public QWidget
{
    Q_OBJECT
public:
    Overview(const ChartStyle &style, QWidget *parent);

    /// What of the chart is seen, and the box in which the resource is; -1: none.
    void sync(const QRectF &seen, int box);
    /// The picture would hide more than it shows where it stands: words only.
    void setBrief(bool brief) { m_isBrief = brief; }
    bool isBrief() const { return m_isBrief; }
    /// Whether a window of that size has room for words only.
    bool isWords(const QSize &window) const;
    /// In a window of that size.
    QSize sizeFor(const QSize &window) const;

signals:
    void asked(const QPointF &place); ///< in the chart
    void wholeAsked();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    QSizeF words() const;
    QSizeF whole() const;   ///< with the chart's picture
    QRectF picture() const; ///< where the chart is drawn; empty: there is no room for it
    double scale() const;   ///< pixels a point
    void ask(const QPointF &point);
    QString hint() const;

    const ChartStyle &m_style;
    QRectF m_seen;
    int m_box = -1;
    bool m_isBrief = false;
};

} // namespace instar
