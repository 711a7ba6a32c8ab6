// SPDX-License-Identifier: Apache-2.0
#include "model/items/liveconformance.h"
#include "model/items/operationmodel.h"
#include "model/items/sentences.h"
#include "model/items/words.h"
#include "model/layout/geometry.h"
#include "views/drawing/chip.h"
#include "views/drawing/text.h"
#include "views/drawing/timelinepicture.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

constexpr double leastTextHeight = 13; ///< rows less high than this have no text
constexpr double idleHalf = 5;         ///< half the width of the mark of omitted time
constexpr double laterOpacity = 0.38;  ///< of what comes after the moment shown

using Allowed = ConformanceMonitor::Allowed;

QPainterPath arrowHead(const QPointF &tip, const QPointF &from, double size)
{
    const double angle = std::atan2(from.y() - tip.y(), from.x() - tip.x());
    QPainterPath head(tip);
    for (const double turn : { 0.42, -0.42 })
        head.lineTo(tip + size * QPointF(std::cos(angle + turn), std::sin(angle + turn)));
    head.closeSubpath();
    return head;
}

/// Path of the torn right edge that marks a canceled operation.
QPainterPath torn(const QRectF &rect)
{
    QPainterPath path(rect.topRight());
    const double step = 5;
    for (int tooth = 1; rect.top() + tooth * step < rect.bottom(); ++tooth)
        path.lineTo(rect.right() - (tooth % 2 ? 4 : 0), rect.top() + tooth * step);
    path.lineTo(rect.bottomRight());
    return path;
}

QString failureText(const Timeline::Bar &bar)
{
    return u"\u2715 "_s + (bar.code.isEmpty() ? TimelineTexts::tr("failed") : bar.code);
}

/// Painter of the operations, or of observed and expected states, over the time axis.
class TimePainter
{
public:
    TimePainter(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
        const QPointF &corner, const Theme &of)
        : m_painter(painter),
          p(picture),
          theme(of),
          m_area(area),
          m_offset(area.topLeft() - corner),
          m_visible(QRectF(corner, area.size()))
    { }
    void paint()
    {
        if (!m_visible.isValid() || p.lines->count() == 0)
            return;
        m_painter.save();
        m_painter.setClipRect(m_area, Qt::IntersectClip);
        paintGrid();
        if (p.isSplit)
            paintTracks();
        else
            paintOperations();
        paintIdlePeriods();
        m_painter.restore();
    }

private:
    void paintOperations()
    {
        const double opacity = m_painter.opacity();
        const std::vector<Timeline::Bar> &bars = p.timeline->bars();
        const qint64 first = p.scale.timeAt(m_visible.left()) - 1;
        const qint64 last = p.scale.timeAt(m_visible.right()) + 1;
        for (const Timeline::Span &one : p.timeline->spans()) {
            const qint64 to = one.to == Timeline::NotYet ? p.endOf(bars[one.bar]) : one.to;
            if (one.from > last)
                break;
            if (to < first)
                continue;
            const QRectF rect =
                p.scale.rect(*p.timeline, *p.lines, one.first, one.last, one.from, to);
            if (rect.bottom() >= m_visible.top() && rect.top() <= m_visible.bottom())
                paintSpan(one, rect);
        }
        for (const Timeline::Bar &bar : bars) {
            if (bar.isInstant() && bar.row != Timeline::NoRow && bar.ended >= first
                && bar.ended <= last)
                paintMoment(bar, p.targetRect(bar).translated(m_offset),
                    theme.statusCategoryLine(p.statusCategoryOf(bar.state)));
        }
        for (const IdlePeriod &period : p.scale.idle) // no text crosses omitted time
            m_claimed.push_back({ middleOf(period) - idleHalf - 2, m_area.top(), 2 * idleHalf + 4,
                m_area.height() });
        for (const Timeline::Bar &bar : bars) { // no text crosses a badge
            if (bar.failedAtOnce() && bar.submitted >= first && bar.submitted <= last)
                m_claimed.push_back(badgeAt(submissionAt(bar)));
        }
        // Texts are drawn above all shapes; the names of operations claim their places first.
        for (const auto &[one, rect] : m_textSpans) {
            paintDetails(*one, rect);
            m_painter.setOpacity(opacity);
        }
        for (const Timeline::Bar &bar : bars) {
            if (bar.submitted > last)
                break;
            if (bar.status == Status::Waiting || (bar.started > bar.submitted && !p.isRemote))
                paintWait(bar);
            if (bar.requirer)
                paintRequirement(bar);
            if (bar.canceledBy && bar.ended >= first && bar.ended <= last)
                paintCancellation(bar);
            if (bar.failedAtOnce() && bar.submitted >= first)
                paintRefusal(bar);
            m_painter.setOpacity(opacity);
        }
        for (const Timeline::Tick &one : p.timeline->ticks()) {
            paintTick(one);
            m_painter.setOpacity(opacity);
        }
    }

    void paintGrid()
    {
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.setPen(QPen(timelineGridColour(theme), 1));
        for (const qint64 at : rulerMarks(p.scale, m_visible.left(), m_visible.right())) {
            const double x = std::round(p.scale.x(at) + m_offset.x()) + 0.5;
            m_painter.drawLine(QPointF(x, m_area.top()), QPointF(x, m_area.bottom()));
        }
        for (const qsizetype line : p.linesBetween(m_visible.top(), m_visible.bottom())) {
            const double y = std::round(p.scale.y(line + 1) + m_offset.y()) - 0.5;
            m_painter.drawLine(QPointF(m_area.left(), y), QPointF(m_area.right(), y));
        }
    }

    /// Draws omitted time as a torn band across all rows, with its duration.
    void paintIdlePeriods()
    {
        for (const IdlePeriod &period : p.scale.idle) {
            const double middle = middleOf(period);
            constexpr double wave = 6;
            if (middle < m_area.left() - 40 || middle > m_area.right() + 40)
                continue;
            QPolygonF edge;
            for (double y = m_area.top() - wave; y < m_area.bottom() + wave; y += wave)
                edge << QPointF(middle + (edge.size() % 2 ? 2 : -2), y);
            QPolygonF band = edge.translated(-idleHalf, 0);
            for (auto point = edge.rbegin(); point != edge.rend(); ++point)
                band << *point + QPointF(idleHalf, 0);
            m_painter.setRenderHint(QPainter::Antialiasing);
            setInk(m_painter, Qt::NoPen, theme.base);
            m_painter.drawPolygon(band);
            m_painter.setPen(QPen(theme.line, 1));
            m_painter.drawPolyline(edge.translated(-idleHalf, 0));
            m_painter.drawPolyline(edge.translated(idleHalf, 0));
            const QString text =
                QLocale().toString(double(period.to - period.from) / 1000, 'g', 3) + u" s"_s;
            const double width = QFontMetricsF(timelineFont(11)).horizontalAdvance(text) + 10;
            textBox({ middle - width / 2, m_area.bottom() - 20, width, 16 },
                { theme.base, theme.quietLine, theme.dimText }, text);
        }
    }

    double middleOf(const IdlePeriod &period) const
    {
        return p.scale.cursorX(period.to - 1) + m_offset.x();
    }
    void paintSpan(const Timeline::Span &span, const QRectF &place)
    {
        const Timeline::Bar &bar = p.timeline->bars()[span.bar];
        const StatusCategory category = p.statusCategoryOf(span.state);
        const QColor &fill = theme.statusCategoryFill(category),
                     &edge = theme.statusCategoryLine(category),
                     &failed = theme.statusCategoryLine(StatusCategory::Failed);
        const QRectF whole = place.translated(m_offset);
        const double now = p.scale.cursorX(p.now) + m_offset.x();
        if (place.width() < leastSpanWidth)
            return paintMoment(bar, whole, edge);
        // Clips far edges: long pen strokes are slow, even out of sight.
        const QRectF rect =
            whole.adjusted(0, 1, -1, -2).intersected(m_area.adjusted(-30, -30, 30, 30));
        const bool isEnd = span.to != Timeline::NotYet && span.to == bar.ended;
        const bool goesOn = !bar.isOver() || bar.ended > p.now;
        const auto draw = [&](const QRectF &part, bool isLater) {
            m_painter.save();
            m_painter.setClipRect(part, Qt::IntersectClip);
            if (isLater)
                m_painter.setOpacity(m_painter.opacity() * laterOpacity);
            m_painter.setRenderHint(QPainter::Antialiasing);
            const double radius = std::min({ 4.0, rect.height() / 3, rect.width() / 3 });
            QPen pen(edge, isChosen(bar) ? 2.2 : 1.2);
            if (goesOn)
                pen.setDashPattern({ 4, 3 });
            setInk(m_painter, pen, fill);
            markOperation(bar);
            m_painter.drawRoundedRect(rect.adjusted(0.6, 0.6, -0.6, -0.6), radius, radius);
            if (category == StatusCategory::Removing && rect.height() > 8) {
                QColor hatch = edge;
                hatch.setAlphaF(0.28F);
                m_painter.setPen(QPen(hatch, 1));
                // Clips the hatching by hand: SVG output ignores the painter's clip.
                const QRectF inside = rect.adjusted(2, 2, -2, -2).intersected(part);
                const double height = rect.height();
                const double from = std::floor((rect.left() - height) / 9) * 9;
                for (int line = 0; from + 9 * line < inside.right(); ++line) {
                    const double x = from + 9 * line;
                    const double begin =
                        std::max(inside.left() - x, rect.bottom() - inside.bottom());
                    const double end = std::min(inside.right() - x, rect.bottom() - inside.top());
                    if (begin < end)
                        m_painter.drawLine(QPointF(x + begin, rect.bottom() - begin),
                            QPointF(x + end, rect.bottom() - end));
                }
            }
            m_painter.restore();
        };
        const QRectF around = rect.adjusted(-3, -3, 3, 3);
        if (rect.left() < now)
            draw({ around.topLeft(), QPointF(std::min(around.right(), now), around.bottom()) },
                false);
        if (rect.right() > now)
            draw({ QPointF(std::max(around.left(), now), around.top()), around.bottomRight() },
                true);
        if (isEnd && (bar.status == Status::Canceled || bar.status == Status::Failed)) {
            m_painter.save();
            m_painter.setRenderHint(QPainter::Antialiasing, bar.status == Status::Canceled);
            if (rect.right() > now + 1)
                m_painter.setOpacity(laterOpacity);
            const double width = std::min(5.0, rect.width() / 2);
            if (bar.status == Status::Canceled)
                m_painter.strokePath(torn(rect), QPen(failed, 1.6));
            else
                m_painter.fillRect(
                    QRectF(rect.right() - width, rect.top(), width, rect.height()), failed);
            m_painter.restore();
        }
        if (rect.height() >= leastTextHeight - 2)
            m_textSpans.push_back({ &span, rect });
    }

    /// Paints a mark of the least width in place of a narrower rectangle.
    void paintMoment(const Timeline::Bar &bar, const QRectF &rect, const QColor &edge)
    {
        const bool isLater = rect.left() > p.scale.cursorX(p.now) + m_offset.x();
        markOperation(bar);
        m_painter.fillRect(QRectF(rect.topLeft(), QSizeF(leastSpanWidth, rect.height())),
            isLater ? mixed(theme.base, edge, laterOpacity) : edge);
    }

    /// Writes the texts of a span: client, operation or state, and error; or "moved with" a target.
    void paintDetails(const Timeline::Span &span, const QRectF &rect)
    {
        const Timeline::Bar &bar = p.timeline->bars()[span.bar];
        const QColor colour = theme.statusCategoryText(p.statusCategoryOf(span.state));
        const double line = std::min({ p.scale.rowHeight, 22.0, rect.height() });
        const double visibleLeft = std::max(rect.left(), m_area.left());
        const bool isTarget = p.timeline->placeOf(span.first) <= p.timeline->placeOf(bar.row)
            && p.timeline->placeOf(bar.row) <= p.timeline->placeOf(span.last);
        const double room = std::min(rect.right(), m_area.right()) - visibleLeft - 12;
        if (!isTarget) {
            label(QRectF(visibleLeft + 8, rect.top(), room, line),
                TimelineTexts::tr("moved with %1").arg(bar.path.section(u'/', -1)), colour,
                timelineFont(11));
            return;
        }
        const bool isFirst = !m_named.contains(span.bar); // the operation's first visible span
        m_named.insert(span.bar);
        if (isFirst && p.timeline->placeOf(span.first) < p.timeline->placeOf(bar.row))
            label(QRectF(visibleLeft + 8, rect.top(), room, line),
                TimelineTexts::tr("moved with it"), colour, timelineFont(11));
        double left = visibleLeft + 6;
        const double top = std::max(rect.top(),
            p.scale.y(p.lines->lineOf(p.timeline->placeOf(bar.row))) + m_offset.y() + 1);
        if (isFirst && rect.left() >= m_area.left() - timelineBadge / 2 && line >= leastTextHeight
            && claim(badgeAt({ rect.left(), top + line / 2 }))) {
            drawBadge({ rect.left(), top + line / 2 }, bar,
                theme.statusCategoryLine(p.statusCategoryOf(span.state)), false);
            left = std::max(left, rect.left() + timelineBadge / 2 + 4);
        }
        const QString word = stateTitle(*p.rules, span.state);
        const QRectF inside(left, top, rect.right() - 3 - left, line);
        const QString text = isFirst ? barText(bar) : word;
        const QFont font = timelineFont(12, isFirst ? QFont::DemiBold : QFont::Normal);
        // A name too long for its span continues across the next spans, or stands right of the bar.
        const bool isCut =
            isFirst && QFontMetricsF(font).horizontalAdvance(text) > 1.2 * inside.width();
        if (!isCut || !labelAcross(span, inside, text, colour, font, false))
            label(QRectF(left, top, room, line), text, colour, font);
        if (bar.status == Status::Failed && span.to == bar.ended && bar.ended <= p.now)
            labelAcross(span, inside, failureText(bar),
                theme.statusCategoryText(StatusCategory::Failed), timelineFont(12, QFont::DemiBold),
                true);
        if (span.to == Timeline::NotYet && p.waits.contains(bar.serial))
            labelAcross(span, inside, p.waits[bar.serial],
                theme.statusCategoryText(StatusCategory::Waiting), timelineFont(11), true);
        QStringList more;
        if (const Timeline::Bar *by = p.timeline->bar(bar.requirer))
            more += TimelineTexts::tr("required by %1").arg(barText(*by));
        if (bar.attempts > 1)
            more += TimelineTexts::tr("%Ln attempts", nullptr, bar.attempts);
        if (isFirst && !more.isEmpty() && rect.bottom() - top >= 34)
            label(QRectF(left, top + line - 3, room, 15), more.join(u" · "_s), colour,
                timelineFont(11));
    }

    void paintTick(const Timeline::Tick &tick)
    {
        const Timeline::Bar &bar = p.timeline->bars()[tick.bar];
        const QRectF place = p.targetRect(bar);
        const double x = p.scale.x(tick.at) + m_offset.x();
        if (x < m_area.left() - 8 || x > m_area.right() + 8 || place.bottom() < m_visible.top()
            || place.top() > m_visible.bottom())
            return;
        const QColor colour = theme.statusCategoryLine(p.statusCategoryOf(bar.state));
        const double top = place.top() + m_offset.y(), height = std::min(place.height(), 22.0);
        m_painter.setOpacity(tick.at > p.now ? laterOpacity : 1);
        m_painter.setRenderHint(QPainter::Antialiasing);
        using Kind = Timeline::Tick::Kind; // a Work tick needs no line: a span begins there
        if (tick.kind == Kind::Retry && claim({ x - 1, top, 2, height })) { // crosses no text
            m_painter.setPen(QPen(colour, 1.4, Qt::DotLine));
            m_painter.drawLine(QPointF(x, top + 2), QPointF(x, top + height - 3));
            label(QRectF(x + 4, top, 60, height), TimelineTexts::tr("retry"),
                theme.statusCategoryText(p.statusCategoryOf(bar.state)), timelineFont(11));
        } else if (tick.kind == Kind::Begin || tick.kind == Kind::Retry) {
            m_painter.setPen(QPen(colour, 1.4));
            m_painter.drawLine(QPointF(x, top + height - 7), QPointF(x, top + height - 3));
        } else if (tick.kind == Kind::Fire) { // a timer fired
            QRectF face(x - 5, top - 3, 10, 10);
            if (!claim(face)) // beside the badge in that place
                face.translate(-timelineBadge - 4, 0);
            setInk(m_painter, QPen(colour, 1.3), theme.base);
            m_painter.drawEllipse(face);
            m_painter.drawLine(face.center(), face.center() + QPointF(0, -3.5));
            m_painter.drawLine(face.center(), face.center() + QPointF(2.5, 0));
        }
    }

    static QRectF badgeAt(const QPointF &centre)
    {
        return centred(centre, { timelineBadge, timelineBadge });
    }

    void drawBadge(
        const QPointF &centre, const Timeline::Bar &bar, const QColor &colour, bool isStruck)
    {
        const QString client = bar.request ? bar.request->client : QString();
        const QString text = client.isEmpty() ? u"•"_s : client.left(1).toUpper();
        const QRectF disc = badgeAt(centre);
        m_painter.setRenderHint(QPainter::Antialiasing);
        setInk(m_painter, QPen(colour, isChosen(bar) ? 2.6 : 1.5), theme.base);
        m_painter.drawEllipse(disc);
        const double opacity = m_painter.opacity();
        m_painter.setOpacity(1);
        m_painter.setFont(timelineFont(10, QFont::DemiBold));
        m_painter.setPen(mixed(colour, theme.text, 0.35));
        drawText(m_painter, disc, Qt::AlignCenter, text);
        m_painter.setOpacity(opacity);
        if (isStruck) {
            m_painter.setPen(QPen(colour, 1.6));
            const double reach = timelineBadge * 0.36;
            m_painter.drawLine(centre + QPointF(-reach, reach), centre + QPointF(reach, -reach));
        }
    }

    /// Draws the badge of a refused or failed operation, crossed out if it was refused, its error
    /// code, and an arrow to the operation in the way.
    void paintRefusal(const Timeline::Bar &bar)
    {
        const QRectF place = p.targetRect(bar);
        const double x = p.refusalX(bar);
        if (x < m_visible.left() - 200 || x > m_visible.right() + timelineBadge
            || place.top() > m_visible.bottom() + 40 || place.bottom() < m_visible.top() - 40)
            return;
        const QColor colour = theme.statusCategoryLine(StatusCategory::Failed);
        m_painter.setOpacity(bar.submitted > p.now ? laterOpacity : 1);
        const QPointF centre = onPainter({ x, targetY(bar) });
        markOperation(bar);
        const Timeline::Bar *other = p.timeline->bar(bar.conflictsWith);
        if (other) {
            const double y = targetY(*other) + m_offset.y();
            if (std::abs(y - centre.y()) > timelineBadge)
                arrow(centre + QPointF(0, y < centre.y() ? -timelineBadge / 2 : timelineBadge / 2),
                    { centre.x() - 8, y + (y < centre.y() ? 9 : -9) }, colour, Qt::DotLine);
        }
        const bool isRefused = bar.status == Status::Rejected;
        drawBadge(centre, bar, colour, isRefused);
        QStringList texts { !isRefused ? failureText(bar)
                : bar.http             ? u"%1 %2"_s.arg(bar.http).arg(bar.code)
                                       : bar.code };
        if (other)
            texts.prepend(
                texts[0] + u" · "_s + TimelineTexts::tr("conflicts with %1").arg(barText(*other)));
        for (const QString &text : texts) {
            const double width = QFontMetricsF(timelineFont(11)).horizontalAdvance(text) + 12;
            const double away = timelineBadge / 2 + 4, top = centre.y() - 8.5;
            if (warningBox({ { centre.x() + away, top, width, 17 },
                               { centre.x() - away - width, top, width, 17 } },
                    colour, text))
                return;
        }
    }

    void paintWait(const Timeline::Bar &bar)
    {
        const qint64 to = bar.started != Timeline::NotYet ? bar.started
            : bar.isOver()                                ? bar.ended
                                                          : std::max(p.now, bar.submitted);
        QRectF rect = p.targetRect(bar);
        rect.setLeft(p.scale.x(bar.submitted));
        rect.setRight(p.scale.x(to));
        if (rect.width() < 1 || !rect.intersects(m_visible))
            return;
        rect = rect.adjusted(0, 2, -1, -3).translated(m_offset);
        rect.setHeight(std::min(rect.height(), 18.0));
        const Theme::Tone &tone = theme.tones[size_t(StatusCategory::Waiting)];
        m_painter.setOpacity(bar.submitted > p.now ? laterOpacity : 1);
        m_painter.setRenderHint(QPainter::Antialiasing);
        markOperation(bar);
        setInk(m_painter, QPen(tone.line, 1.1, Qt::DotLine), tone.fill);
        m_painter.drawRoundedRect(rect, 3, 3);
        const QPointF badge(rect.left(), rect.center().y());
        if (claim(badgeAt(badge))) {
            drawBadge(badge, bar, tone.line, false);
            const Timeline::Bar *other = p.timeline->bar(bar.conflictsWith);
            label(rect.adjusted(timelineBadge / 2 + 4, 0, -4, 0),
                other ? TimelineTexts::tr("waits for %1").arg(barText(*other))
                      : TimelineTexts::tr("waits"),
                tone.text, timelineFont(11));
        }
    }

    /// Draws an arrow from the newer operation to the torn edge of the older one.
    void paintCancellation(const Timeline::Bar &bar)
    {
        const Timeline::Bar *by = p.timeline->bar(bar.canceledBy);
        const double x = p.scale.x(bar.ended);
        if (!by || x < m_visible.left() - 60 || x > m_visible.right() + 60)
            return;
        const double from = targetY(*by), to = targetY(bar);
        if (std::max(from, to) < m_visible.top() || std::min(from, to) > m_visible.bottom())
            return;
        m_painter.setOpacity(bar.ended > p.now ? laterOpacity : 1);
        const QColor colour = theme.statusCategoryLine(StatusCategory::Failed);
        const double width = p.scale.x(bar.ended) - p.scale.x(std::max(bar.started, bar.submitted));
        const double reach = std::clamp(width / 2, 4.0, 26.0);
        const bool isSame = std::abs(from - to) < timelineBadge;
        const QPointF begin =
            onPainter({ x - (isSame ? timelineBadge / 2 : 2), from + (isSame ? 3 : 0) });
        const QPointF tip = onPainter({ x - reach, to + (isSame ? 3 : from < to ? -2 : 2) });
        arrow(begin, tip, colour, Qt::SolidLine);
        const QString text = TimelineTexts::tr("canceled by %1").arg(by->request->op);
        const double length = QFontMetricsF(timelineFont(11)).horizontalAdvance(text) + 10;
        const double left = tip.x() - length - 4;
        warningBox(
            { { left, tip.y() - 8, length, 16 }, { left, tip.y() + 11, length, 16 },
                { left, tip.y() - 27, length, 16 }, { begin.x() + 10, tip.y() + 11, length, 16 } },
            colour, text);
    }

    /// Draws an arrow from the requiring operation to the required one, left of the badges between.
    void paintRequirement(const Timeline::Bar &bar)
    {
        const Timeline::Bar *by = p.timeline->bar(bar.requirer);
        const double x = p.scale.x(bar.submitted);
        if (!by || x < m_visible.left() || x > m_visible.right())
            return;
        const double from = targetY(*by), to = targetY(bar);
        if (std::abs(from - to) < 4 || std::max(from, to) < m_visible.top()
            || std::min(from, to) > m_visible.bottom())
            return;
        m_painter.setOpacity(bar.submitted > p.now ? laterOpacity : 1);
        m_painter.setRenderHint(QPainter::Antialiasing);
        setInk(m_painter, QPen(theme.line, 1.1));
        const double edge = x - timelineBadge / 2, beside = edge - 5;
        const QPolygonF path { onPainter({ beside, from }), onPainter({ beside, to }),
            onPainter({ edge - 1, to }) };
        m_painter.drawPolyline(path);
        m_painter.fillPath(arrowHead(path.last(), path[1], 6), theme.line);
    }

    /// Paints observed and expected states. The upper half of a line shows the observed ones, with
    /// a gap around each unobserved change; the lower half shows the expected ones, in stripes if
    /// there are several. Frames the times at which the server violates the rules.
    void paintTracks()
    {
        QList<const Timeline::Bar *> submitted; // bars whose badges are in sight
        for (const Timeline::Bar &bar : p.timeline->bars()) {
            if (bar.row != Timeline::NoRow && m_area.contains(submissionAt(bar))
                && claim(badgeAt(submissionAt(bar))))
                submitted += &bar;
        }
        for (const qsizetype line : p.linesBetween(m_visible.top(), m_visible.bottom())) {
            const Timeline::Row row = p.lines->rowAt(line);
            const QString path = p.timeline->path(row);
            const double bottom = p.scale.y(line + 1) + m_offset.y() - 3;
            if (const Tracks::Track *track = p.conformance->tracks().find(path)) {
                paintTracks(*track, bottom);
            } else if (const Resource resource = p.resourceAt(row); resource != NoResource) {
                const int machine =
                    p.rules->state(p.rules->stateOf(p.world->tree.code(resource))).machine;
                const qint64 begin = // the resource has not changed since then
                    std::max(p.timeline->begin(), p.conformance->tracks().begin());
                paintTracks({ path, machine, { { begin, shownWord(*p.rules, *p.world, resource) } },
                                { { begin, p.conformance->monitor().allowed(path) } } },
                    bottom);
            }
        }
        for (const Timeline::Bar *bar : submitted) {
            const StatusCategory category = instar::statusCategoryOf(bar->status);
            drawBadge(submissionAt(*bar), *bar, theme.statusCategoryLine(category),
                category == StatusCategory::Failed);
        }
    }

    QPointF submissionAt(const Timeline::Bar &bar) const
    {
        return onPainter({ p.refusalX(bar), targetY(bar) });
    }

    void paintTracks(const Tracks::Track &track, double bottom)
    {
        const double height = (p.scale.rowHeight - 8) / 2;
        const double expected = bottom - height, observed = expected - height - 1;
        const auto rectOf = [&](qint64 from, qint64 to, double top) {
            const double left = std::max(p.scale.x(from) + m_offset.x(), m_area.left());
            const double right = std::min(p.scale.x(to) + m_offset.x(), m_area.right());
            return QRectF(left, top, right - left, height);
        };
        m_painter.setRenderHint(QPainter::Antialiasing);
        if (p.mark)
            p.mark(m_painter, u"data-track"_s, track.path);
        const auto textEnd = [&](qint64 until) {
            return std::min(p.scale.x(until) + m_offset.x(), m_area.right());
        };
        for (size_t i = 0; i < track.observed.size(); ++i) {
            const Tracks::Observed &point = track.observed[i];
            const bool isLast = i + 1 == track.observed.size();
            const qint64 to = isLast ? p.now : track.observed[i + 1].notBefore;
            paintTrack(rectOf(point.at, to, observed), track.machine, { { point.word } },
                isLast ? m_area.right() : textEnd(track.observed[i + 1].at));
        }
        for (size_t i = 0; i < track.expected.size(); ++i) {
            const Tracks::Expected &point = track.expected[i];
            const auto from = track.expected.begin() + std::ptrdiff_t(i) + 1;
            const auto next = std::find_if(from, track.expected.end(),
                [](const Tracks::Expected &one) { return one.allowed || one.isBroken; });
            const qint64 to = i + 1 < track.expected.size() ? from->at : p.now;
            const QRectF rect = rectOf(point.at, to, expected);
            paintTrack(rect, track.machine, point.allowed.value_or(Allowed()),
                next == track.expected.end() ? m_area.right() : textEnd(next->at));
            if (point.isBroken)
                paintViolationFrame(rect.adjusted(0, -height - 1, 0, 0));
        }
    }

    /// Draws a period with its words in the colours of their states; a dotted line if there are no
    /// words, since they are unknown. `end`: where the next words begin; longer texts may reach it.
    void paintTrack(const QRectF &rect, int machine, const Allowed &allowed, double end)
    {
        if (rect.width() <= 0)
            return; // out of sight
        QList<StatusCategory> stripes;
        for (const QString &word : allowed.words) {
            const StatusCategory category = word.isEmpty() || machine < 0
                ? StatusCategory::Absent
                : statusCategoryOfWord(*p.rules, machine, word);
            if (!stripes.contains(category))
                stripes += category;
        }
        if (stripes.isEmpty()) {
            QLineF line(rect.left(), rect.center().y(), rect.right(), rect.center().y());
            for (const QRectF &text : m_claimed) { // of the period before
                if (text.contains(line.p1()))
                    line.setP1({ text.right() + 4, line.y1() });
            }
            m_painter.setPen(QPen(theme.line, 1, Qt::DotLine));
            if (line.x1() < line.x2())
                m_painter.drawLine(line);
            return;
        }
        const double width = stripes.size() == 1 ? rect.width() : 5;
        qsizetype next = 0;
        for (double x = rect.left(); x < rect.right(); x += width) {
            m_painter.fillRect(
                QRectF(x, rect.top(), std::min(width, rect.right() - x), rect.height()),
                theme.statusCategoryFill(stripes[next++ % stripes.size()]));
        }
        if (rect.width() < leastSpanWidth)
            return;
        const bool isSure = stripes.size() == 1;
        setInk(m_painter, QPen(isSure ? theme.statusCategoryLine(stripes.first()) : theme.line, 1));
        m_painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        QRectF text = rect.adjusted(4, 0, -2, 0);
        for (const QRectF &badge : m_claimed) {
            if (badge.intersects({ text.topLeft(), QSizeF(timelineBadge, text.height()) }))
                text.setLeft(badge.right() + 3);
        }
        if (isSure && text.width() > 8) {
            paintMark(m_painter, { text.left(), text.center().y() - 4, 8, 8 }, stripes.first(),
                theme.statusCategoryLine(stripes.first()));
            text.setLeft(text.left() + 12);
        }
        const QString words = allowedText(allowed);
        const bool fits = QFontMetricsF(timelineFont(11)).horizontalAdvance(words) < text.width();
        if (!fits)
            text.setRight(std::max(text.right(), end - 4));
        label(text, words, isSure && fits ? theme.statusCategoryText(stripes.first()) : theme.text,
            timelineFont(11));
    }

    void paintViolationFrame(const QRectF &rect)
    {
        if (rect.width() <= 0)
            return;
        setInk(m_painter, QPen(theme.warning, 2));
        m_painter.drawRoundedRect(rect.adjusted(0, -2, 0, 2), 4, 4);
        const QString text = TimelineTexts::tr("\u2260 not allowed");
        const double width = QFontMetricsF(timelineFont(11)).horizontalAdvance(text) + 10;
        const QRectF box(rect.right() - width - 2, rect.top() + 1, width, 14);
        if (!warningBox({ box, box.translated(0, rect.height() / 2), box.translated(width + 8, 0) },
                theme.warning, text))
            paintViolation(m_painter, { rect.right() - 15, rect.top() + 1, 14, 14 }, theme);
    }

    void arrow(const QPointF &from, const QPointF &tip, const QColor &colour, Qt::PenStyle style)
    {
        const double bow = std::clamp(std::abs(tip.y() - from.y()) / 3, 8.0, 40.0);
        const QPointF before =
            tip + QPointF(from.x() >= tip.x() ? 0 : -bow, from.y() > tip.y() ? bow : -bow);
        QPainterPath path(from);
        path.quadTo(QPointF(before.x(), (from.y() + tip.y()) / 2), tip);
        m_painter.setRenderHint(QPainter::Antialiasing);
        setInk(m_painter, QPen(colour, 1.5, style));
        m_painter.drawPath(path);
        m_painter.fillPath(arrowHead(tip, path.pointAtPercent(0.9), 8), colour);
    }

    /// Draws a text in the free part of its place, and claims that part; false: there is no room.
    bool label(QRectF rect, const QString &text, const QColor &colour, const QFont &font)
    {
        const QFontMetricsF metrics(font);
        const double end = rect.right(), length = metrics.horizontalAdvance(text) + 1;
        rect.setWidth(std::min(rect.width(), length));
        double least = 20;
        for (const QRectF &other : m_claimed) {
            if (!other.intersects(rect))
                continue;
            least = std::min(length, 44.0); // a shorter piece of text says nothing
            if (other.left() - rect.left() >= end - other.right())
                rect.setRight(other.left() - 2);
            else
                rect = { other.right() + 2, rect.top(), std::min(end - other.right() - 2, length),
                    rect.height() };
        }
        if (rect.width() < least || !claim(rect))
            return false;
        m_painter.setOpacity(1); // text after the moment shown stays legible
        m_painter.setFont(font);
        m_painter.setPen(colour);
        drawText(m_painter, rect, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
            metrics.elidedText(text, Qt::ElideRight, rect.width()));
        return true;
    }

    /// Writes a text across a bar's spans, or right of it if `isAfter` or too long; false: no room.
    bool labelAcross(const Timeline::Span &span, const QRectF &inside, const QString &text,
        const QColor &colour, const QFont &font, bool isAfter)
    {
        QRectF place = inside;
        place.setWidth(QFontMetricsF(font).horizontalAdvance(text) + 1);
        double end = inside.right();
        for (const auto &[other, rect] : m_textSpans) {
            if (other->bar == span.bar && rect.top() <= inside.center().y()
                && inside.center().y() <= rect.bottom())
                end = std::max(end, rect.right());
        }
        if (isAfter || place.right() > end - 4)
            place.moveLeft(end + 6);
        const bool isFree = place.right() <= m_area.right() - 2
            && std::ranges::none_of(m_textSpans, [&](const auto &written) {
                   return written.first->bar != span.bar && written.second.intersects(place);
               });
        return isFree && label(place, text, colour, font);
    }

    void textBox(const QRectF &box, const Theme::Tone &tone, const QString &text)
    {
        setInk(m_painter, QPen(tone.line, 1), tone.fill);
        m_painter.drawRoundedRect(box, 4, 4);
        m_painter.setOpacity(1);
        m_painter.setFont(timelineFont(11));
        m_painter.setPen(tone.text);
        drawText(m_painter, box, Qt::AlignCenter | Qt::TextSingleLine, text);
    }

    /// Reserves a place for a text or badge; returns false if an earlier one overlaps it.
    bool claim(const QRectF &rect)
    {
        const bool isFree = std::ranges::none_of(
            m_claimed, [&](const QRectF &other) { return other.intersects(rect); });
        if (isFree)
            m_claimed.push_back(rect);
        return isFree;
    }

    /// Draws a warning in the first free place in sight, and claims it; false: there is none.
    bool warningBox(const QList<QRectF> &places, const QColor &edge, const QString &text)
    {
        for (const QRectF &place : places) {
            if (place.left() >= m_area.left() && place.right() <= m_area.right() && claim(place)) {
                textBox(place, { theme.warningFill, edge, theme.warning }, text);
                return true;
            }
        }
        return false;
    }

    void markOperation(const Timeline::Bar &bar) const
    {
        if (p.mark)
            p.mark(m_painter, u"data-operation"_s, bar.request ? bar.request->id : QString());
    }
    bool isChosen(const Timeline::Bar &bar) const
    {
        return bar.serial == p.selectedBar || bar.serial == p.hoveredBar;
    }
    QPointF onPainter(const QPointF &point) const { return point + m_offset; }
    double targetY(const Timeline::Bar &bar) const
    {
        return p.targetRect(bar).top() + std::min(p.scale.rowHeight, 22.0) / 2;
    }

    QPainter &m_painter;
    const TimelinePicture &p; ///< the painted picture
    const Theme &theme;
    QRectF m_area;                 ///< of the painter
    QPointF m_offset;              ///< from the whole picture to the painter
    QRectF m_visible;              ///< visible part of the whole picture
    std::vector<QRectF> m_claimed; ///< places of texts and badges
    QSet<quint32> m_named;         ///< bars whose name is written
    /// Spans with room for text, and their rectangles.
    std::vector<std::pair<const Timeline::Span *, QRectF>> m_textSpans;
};

} // namespace

void paintTimelineTime(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    const QPointF &corner, const Theme &theme)
{
    TimePainter(painter, picture, area, corner, theme).paint();
}

void paintTimelineRuler(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double left, double cursorBottom, const Theme &theme)
{
    painter.save();
    const QFont font = timelineFont(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const qint64 step = rulerStep(picture.scale.pixelsPerMs);
    const double now = picture.showsCursor ? area.left() + picture.scale.cursorX(picture.now) - left
                                           : area.left() - 1000;
    const QString cursor = timeText(picture.now);
    const double width =
        QFontMetricsF(timelineFont(11, QFont::DemiBold)).horizontalAdvance(cursor) + 14;
    QRectF pill(now - width / 2, area.top() + 3, width, area.height() - 7);
    pill.moveLeft(
        std::clamp(pill.left(), area.left(), std::max(area.left(), area.right() - width)));
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    for (const qint64 at : rulerMarks(picture.scale, left, left + area.width())) {
        const double x = area.left() + picture.scale.x(at) - left;
        const QString text = step >= 1000 ? QLocale().toString(double(at) / 1000, 'f', 0) + u" s"_s
            : step >= 100                 ? QLocale().toString(double(at) / 1000, 'f', 1) + u" s"_s
                                          : timeText(at);
        const QRectF place(x - 40, area.top(), 80, area.height());
        const double half = metrics.horizontalAdvance(text) / 2 + 4;
        if (x + half > pill.left() && x - half < pill.right() && now >= area.left()
            && now <= area.right())
            continue;
        painter.setPen(theme.dimText);
        drawText(painter, x - half < area.left() ? place.translated(half, 0) : place,
            Qt::AlignCenter, text);
    }
    painter.restore();
    if (now >= area.left() - 1 && now <= area.right() + 1) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.accent, 2));
        painter.drawLine(QPointF(now, area.bottom() - 4), QPointF(now, cursorBottom));
        setInk(painter, Qt::NoPen, theme.accent);
        painter.drawRoundedRect(pill, 4, 4);
        painter.setFont(timelineFont(11, QFont::DemiBold));
        painter.setPen(theme.accentText);
        drawText(painter, pill, Qt::AlignCenter, cursor);
    }
    painter.restore();
}

QSizeF timelineSize(const TimelinePicture &picture, double treeWidth)
{
    return { treeWidth + timelineGap + picture.scale.x(picture.end()) + timelineGap,
        timelineRuler + picture.scale.y(picture.lines->count()) + 2 };
}

void paintTimeline(
    QPainter &painter, const TimelinePicture &picture, double treeWidth, const Theme &theme)
{
    const QSizeF size = timelineSize(picture, treeWidth);
    const double height = size.height() - timelineRuler;
    const QRectF time(
        treeWidth + timelineGap, timelineRuler, size.width() - treeWidth - timelineGap, height);
    paintTimelineTime(painter, picture, time, { 0, 0 }, theme);
    if (treeWidth > 0)
        paintTimelineTree(painter, picture, { 0, timelineRuler, treeWidth, height }, 0, theme);
    paintTimelineRuler(
        painter, picture, { time.left(), 0, time.width(), timelineRuler }, 0, size.height(), theme);
}

} // namespace instar
