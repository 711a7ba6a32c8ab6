// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/chip.h"
#include "views/drawing/text.h"
#include "views/drawing/timelinepicture.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

namespace instar {

namespace {

/// Most urgent status category of a folded line: of its row and all descendants.
StatusCategory mostUrgent(const TimelinePicture &picture, qsizetype line)
{
    constexpr std::array<int, 7> urgency { 0, 4, 4, 6, 0, 2, 1 }; // by StatusCategory
    const Timeline &timeline = *picture.timeline;
    const qsizetype first = timeline.placeOf(picture.lines->rowAt(line));
    StatusCategory most = StatusCategory::Rest;
    for (qsizetype place = first; place < timeline.endOf(timeline.rowAt(first)); ++place) {
        const StatusCategory one = picture.statusCategoryAt(timeline.rowAt(place));
        most = urgency[size_t(one)] > urgency[size_t(most)] ? one : most;
    }
    return most;
}

/// Strength (0 to 1) of the strongest animated wave of an operation that passes a row now.
double waveAt(const TimelinePicture &picture, Timeline::Row row)
{
    double strongest = 0;
    const Timeline &timeline = *picture.timeline;
    for (const TimelineWave &wave : picture.waves) {
        const Timeline::Bar *bar = timeline.bar(wave.serial);
        if (!bar || bar->row == Timeline::NoRow)
            continue;
        const int distance = timeline.distance(bar->row, row);
        const double reached =
            (wave.isBack ? 1 - wave.done() : wave.done()) * (timeline.levels() + 1);
        const double strength = 1 - std::abs(reached - distance - 1);
        if (strength <= strongest)
            continue;
        const qsizetype place = timeline.placeOf(row);
        const auto index = quint32(bar - timeline.bars().data());
        const auto affectsRow = [&](const Timeline::Span &span) {
            return span.bar == index && timeline.placeOf(span.first) <= place
                && place <= timeline.placeOf(span.last);
        };
        const auto newest = timeline.spans() | std::views::reverse | std::views::take(2000);
        if (std::ranges::any_of(newest, affectsRow))
            strongest = strength;
    }
    return strongest;
}

/// Painter of the tree: indent, fold arrow, icon, name and state chip of each row.
class TreePainter
{
public:
    TreePainter(QPainter &painter, const TimelinePicture &picture, const QRectF &area, double top,
        const Theme &of)
        : m_painter(painter),
          p(picture),
          theme(of),
          m_area(area),
          m_top(top),
          m_columns(picture.columns(area.width()))
    { }
    void paint()
    {
        m_painter.save();
        m_painter.setClipRect(m_area, Qt::IntersectClip);
        const auto lines = p.linesBetween(m_top, m_top + m_area.height());
        for (const qsizetype line : lines)
            paintRow(line);
        m_painter.restore();
        m_painter.save();
        m_painter.setClipRect(m_area.adjusted(0, 0, 20, 0), Qt::IntersectClip);
        for (const qsizetype line : lines)
            paintReferences(line);
        m_painter.restore();
    }

private:
    double y(qsizetype line) const { return m_area.top() + p.scale.y(line) - m_top; }
    void paintRow(qsizetype line)
    {
        const Timeline::Row row = p.lines->rowAt(line);
        const QRectF rect(m_area.left(), y(line), m_area.width(), p.scale.rowHeight);
        QColor fill = row == p.selected ? theme.accentFill
            : row == p.hovered          ? theme.alternate
                                        : QColor();
        if (p.lines->isFolded(line))
            fill = mixed(fill.isValid() ? fill : theme.base,
                theme.statusCategoryFill(mostUrgent(p, line)), 0.5);
        if (const double wave = waveAt(p, row); wave > 0)
            fill = mixed(fill.isValid() ? fill : theme.base,
                theme.statusCategoryLine(p.statusCategoryAt(row)), 0.35 * wave);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        if (fill.isValid())
            m_painter.fillRect(rect, fill);
        m_painter.setPen(QPen(timelineGridColour(theme), 1));
        const double bottom = std::round(rect.bottom()) - 0.5;
        m_painter.drawLine(QPointF(rect.left(), bottom), QPointF(m_area.right(), bottom));
        paintState(rect, line);
        paintName(line, rect);
        paintSign(row, rect);
        if (p.highlighted.contains(row)) {
            m_painter.setRenderHint(QPainter::Antialiasing);
            setInk(m_painter, QPen(theme.accent, 1.5, Qt::DotLine));
            m_painter.drawRoundedRect(rect.adjusted(1.5, 1, -1.5, -1), 3, 3);
        }
        if (row == p.selected)
            m_painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme.accent);
    }

    void paintState(const QRectF &rect, qsizetype line)
    {
        const Timeline::Row row = p.lines->rowAt(line);
        const StatusCategory category = p.statusCategoryAt(row);
        const QRectF cell(m_area.left() + m_columns.states, rect.top(),
            m_area.width() - m_columns.states, std::min(rect.height(), timelineTextHeight));
        if (p.mark)
            p.mark(m_painter, u"data-path"_s, p.timeline->path(row));
        const QString word = p.wordAt(row);
        m_painter.setFont(timelineFont(11));
        if (cell.width() >= 40)
            return paintChip(m_painter, cell.adjusted(0, 0, -4, 0), category, word, theme);
        const double mark = 8;
        paintMark(m_painter, { cell.left() + 4, cell.center().y() - mark / 2, mark, mark },
            category, theme.statusCategoryLine(category));
    }

    void paintName(qsizetype line, const QRectF &rect)
    {
        const Timeline::Row row = p.lines->rowAt(line);
        const bool isThere = p.resourceAt(row) != NoResource;
        const double height = std::min(rect.height(), timelineTextHeight);
        double left = m_area.left() + m_columns.left(p.timeline->depth(row));
        const double right = m_area.left() + m_columns.states - 6;
        if (p.lines->endOf(*p.timeline, line) > line + 1 || p.lines->isFolded(line)) {
            const QPointF centre(left + 6, rect.top() + height / 2);
            static const QPolygonF toTheRight { { -2, -4 }, { 3, 0 }, { -2, 4 } },
                downwards { { -4, -2 }, { 4, -2 }, { 0, 3 } };
            m_painter.setRenderHint(QPainter::Antialiasing);
            setInk(m_painter, Qt::NoPen, theme.dimText);
            m_painter.drawPolygon(
                (p.lines->isFolded(line) ? toTheRight : downwards).translated(centre));
        }
        left += timelineFoldArrow;
        if (p.icon && right - left > 80) {
            const double side = 14;
            p.icon(row).paint(&m_painter,
                QRectF(left + 1, rect.top() + (height - side) / 2, side, side).toRect(),
                Qt::AlignCenter, isThere ? QIcon::Normal : QIcon::Disabled);
            left += side + 6;
        }
        const bool isTop = p.timeline->depth(row) == 0;
        const QFont font = timelineFont(13, isTop ? QFont::DemiBold : QFont::Normal);
        const QFontMetricsF metrics(font);
        const QString text = p.timeline->name(row);
        const double room = right - left;
        if (room < 14)
            return;
        constexpr int format = Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine;
        m_painter.setFont(font);
        m_painter.setPen(isThere ? theme.text : theme.dimText);
        drawText(m_painter, QRectF(left, rect.top(), room, height), format,
            metrics.elidedText(text, Qt::ElideMiddle, room));
        if (p.lines->isFolded(line)) {
            const qsizetype all = p.timeline->endOf(row) - p.timeline->placeOf(row);
            const QString count = TimelineTexts::tr("%1 resources").arg(QLocale().toString(all));
            const double used = metrics.horizontalAdvance(text) + 8;
            m_painter.setFont(timelineFont(11));
            m_painter.setPen(theme.dimText);
            if (room - used > QFontMetricsF(m_painter.font()).horizontalAdvance(count))
                drawText(
                    m_painter, QRectF(left + used, rect.top(), room - used, height), format, count);
        }
    }

    /// Draws a sign right of the chip if the server violates the rules at this resource.
    void paintSign(Timeline::Row row, const QRectF &rect)
    {
        if (!p.conformance || !p.conformance->judgedViolationAt(p.timeline->path(row)))
            return;
        const double left = m_area.left() + m_columns.states
            + chipSize(p.wordAt(row), timelineFont(11)).width() + 2;
        const double height = std::min(rect.height(), timelineTextHeight);
        const double side = violationSign - 1;
        paintViolation(m_painter,
            { std::min(left, m_area.right() - side), rect.top() + (height - side) / 2, side, side },
            theme);
    }

    void paintReferences(qsizetype line)
    {
        const Timeline::Row row = p.lines->rowAt(line);
        const Resource resource = p.resourceAt(row);
        const QStringList paths =
            resource == NoResource ? QStringList() : p.world->references.value(resource);
        for (const QString &path : paths) {
            const Timeline::Row other = p.timeline->find(path);
            if (other == Timeline::NoRow)
                continue;
            const qsizetype place = p.timeline->placeOf(other), end = p.lines->lineOf(place);
            if (end >= p.lines->count() || p.timeline->placeOf(p.lines->rowAt(end)) > place)
                continue; // the other row is left out of the picture
            const double half = std::min(p.scale.rowHeight, 20.0) / 2;
            const double from = y(line) + half;
            const double to = y(end) + half;
            const double bow = std::min(18.0, 6 + std::abs(to - from) / 8), x = m_area.right() + 2;
            QPainterPath bowed(QPointF(x, from));
            bowed.cubicTo(x + bow, from, x + bow, to, x, to);
            m_painter.setRenderHint(QPainter::Antialiasing);
            setInk(m_painter, QPen(theme.line, 1.1, Qt::DotLine));
            m_painter.drawPath(bowed);
            setInk(m_painter, Qt::NoPen, theme.line);
            m_painter.drawPolygon(
                QPolygonF { { x, to }, { x + 6, to - 3.5 }, { x + 6, to + 3.5 } });
        }
    }

    QPainter &m_painter;
    const TimelinePicture &p;
    const Theme &theme;
    QRectF m_area;
    double m_top;
    TimelinePicture::Columns m_columns;
};

} // namespace

void paintTimelineTree(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double top, const Theme &theme)
{
    TreePainter(painter, picture, area, top, theme).paint();
}

} // namespace instar
