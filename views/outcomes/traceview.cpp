// SPDX-License-Identifier: Apache-2.0
#include "views/outcomes/traceview.h"

#include "model/engine/simulator.h"
#include "views/drawing/sheet.h"
#include "views/drawing/text.h"
#include "views/look.h"

#include <QPainter>

#include <algorithm>

namespace instar {

TraceView::TraceView(QWidget *parent) : QWidget(parent) { }

TraceView::~TraceView() = default;

void TraceView::show(
    const Rules &rules, const World &world, const QList<Trace> &traces, qsizetype sharedEvents)
{
    constexpr qint64 pause = 1000; // virtual ms between two events
    m_drawn.clear();
    for (const Trace &trace : traces) {
        Simulator run(rules, world);
        run.playOnNewBranch(trace.events, pause, trace.title);
        run.jump(run.lastMoment());
        run.advanceTo(run.world().now + pause, 0); // the last step's operations get a width
        auto sheet = std::make_unique<TimelineSheet>(run, width());
        const Timeline &timeline = *sheet->picture.timeline;
        sheet->picture.lines =
            std::make_shared<TimelineLines>(timeline, QSet<Timeline::Row>(), timeline.touched());
        sheet->picture.showsCursor = false;
        m_drawn.push_back({ trace.title, std::move(sheet),
            run.timeOf(std::min(sharedEvents + 1, run.lastMoment())) });
    }
    scale();
}

void TraceView::clear()
{
    m_drawn.clear();
    scale();
}

/// Sets one scale for all traces, so that simultaneous events are aligned.
void TraceView::scale()
{
    double height = 0, tree = 0;
    qint64 longest = 1;
    for (const Drawn &drawn : m_drawn) {
        const TimelinePicture &picture = drawn.sheet->picture;
        longest = std::max(longest, picture.end() - picture.timeline->begin());
        tree = std::max(tree, picture.usualTreeWidth());
    }
    for (Drawn &drawn : m_drawn) {
        TimelinePicture &picture = drawn.sheet->picture;
        drawn.sheet->treeWidth = std::min(tree, width() * 0.42);
        picture.scale.pixelsPerMs =
            std::max(1.0, width() - drawn.sheet->treeWidth - 3 * timelineGap) / double(longest);
        height += fontMetrics().height() + gap::normal
            + timelineSize(picture, drawn.sheet->treeWidth).height();
    }
    setMinimumHeight(int(height));
    update();
}

void TraceView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    scale();
}

void TraceView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().base);
    if (m_drawn.empty()) {
        painter.setPen(theme().dimText);
        drawText(painter, rect(), Qt::AlignCenter, tr("Timeline of the selected ending"));
    }
    double top = 0;
    for (const Drawn &drawn : m_drawn) {
        const TimelineSheet &sheet = *drawn.sheet;
        const double title = fontMetrics().height() + gap::normal;
        painter.setPen(theme().text);
        drawText(painter, QRectF(gap::small, top, width() - gap::normal, title),
            Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(drawn.title, Qt::ElideRight, width() - gap::normal));
        painter.save();
        painter.translate(0, top + title);
        paintTimeline(painter, sheet.picture, sheet.treeWidth, theme());
        const QSizeF size = timelineSize(sheet.picture, sheet.treeWidth);
        if (m_drawn.size() > 1) {
            const double x =
                sheet.treeWidth + timelineGap + sheet.picture.scale.x(drawn.divergesAt);
            painter.setPen(QPen(theme().accent, 1.5, Qt::DashLine));
            painter.drawLine(QPointF(x, 0), QPointF(x, size.height()));
        }
        painter.restore();
        top += title + size.height();
    }
}

} // namespace instar
