// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/timelinepainter.h"

#include "model/items/words.h"
#include "views/drawing/chip.h"
#include "views/drawing/paint.h"
#include "views/drawing/text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr double leastNamed = 13; ///< a block of this height has a name
constexpr double leastBlock = 3;  ///< rows of this height are blocks; thinner ones a heat map
constexpr double leastSpan = 3;   ///< a smaller rectangle is a dot
constexpr double badge = 16;      ///< across
constexpr double laterOpacity = 0.38;
constexpr double leastTracked = 14; ///< a row of this height has tracks
constexpr double trackHeight = 2;

struct Scoring
{
    Q_DECLARE_TR_FUNCTIONS(instar::Timeline)
};

QFont sized(int pixels, QFont::Weight weight = QFont::Normal)
{
    QFont font;
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

StatusCategory statusCategoryOfRow(const TimelinePicture &picture, Timeline::Row row)
{
    const Resource resource = picture.resourceAt(row);
    return resource == NoResource
        ? StatusCategory::Absent
        : picture.statusCategoryOf(picture.rules->stateOf(picture.world->tree.code(resource)));
}

QString wordOfRow(const TimelinePicture &picture, Timeline::Row row)
{
    const Resource resource = picture.resourceAt(row);
    return resource == NoResource ? Scoring::tr("absent")
                                  : shownWord(*picture.rules, *picture.world, resource);
}

/// How many of each status category.
using StatusCategories = std::array<quint32, 7>;

/// One colour for many: what works or has failed is seen among a hundred that rest.
QColor blended(const StatusCategories &statusCategories, const Theme &theme)
{
    double red = 0, green = 0, blue = 0, all = 0;
    for (size_t i = 0; i < statusCategories.size(); ++i) {
        if (!statusCategories[i])
            continue;
        const StatusCategory statusCategory = StatusCategory(i);
        const bool isQuiet =
            statusCategory == StatusCategory::Rest || statusCategory == StatusCategory::Absent;
        const double weight = statusCategories[i]
            * (statusCategory == StatusCategory::Failed ? 24.0
                    : isQuiet                           ? 1.0
                                                        : 6.0);
        const QColor colour = mixed(theme.statusCategoryFill(statusCategory),
            theme.statusCategoryLine(statusCategory), isQuiet ? 0.25 : 0.55);
        red += weight * double(colour.redF());
        green += weight * double(colour.greenF());
        blue += weight * double(colour.blueF());
        all += weight;
    }
    return all == 0 ? theme.base
                    : QColor::fromRgbF(float(red / all), float(green / all), float(blue / all));
}

StatusCategories statusCategoriesOfLine(const TimelinePicture &picture, qsizetype line)
{
    StatusCategories statusCategories {};
    const Timeline &timeline = *picture.timeline;
    const Timeline::Row row = picture.lines->rowAt(line);
    const qsizetype end =
        picture.lines->isFolded(line) ? timeline.endOf(row) : timeline.placeOf(row) + 1;
    for (qsizetype place = timeline.placeOf(row); place < end; ++place)
        ++statusCategories[size_t(statusCategoryOfRow(picture, timeline.rowAt(place)))];
    return statusCategories;
}

/// 1 where a wave is right now, 0 where it is not.
double waveAt(const TimelinePicture &picture, Timeline::Row row)
{
    double most = 0;
    const Timeline &timeline = *picture.timeline;
    for (const TimelineWave &wave : picture.waves) {
        const Timeline::Bar *bar = timeline.bar(wave.serial);
        if (!bar || bar->row == Timeline::NoRow)
            continue;
        const int far = timeline.distance(bar->row, row);
        const double reached = (wave.isBack ? 1 - wave.done : wave.done) * (wave.farthest + 2);
        const double there = 1 - std::abs(reached - far - 1);
        if (there <= most)
            continue;
        const qsizetype place = timeline.placeOf(row);
        const auto index = quint32(bar - timeline.bars().data());
        // The newest spans are the last ones.
        const auto &spans = timeline.spans();
        for (size_t i = spans.size(), looked = 0; i-- > 0 && looked < 2000; ++looked) {
            if (spans[i].bar == index && timeline.placeOf(spans[i].first) <= place
                && place <= timeline.placeOf(spans[i].last)) {
                most = there;
                break;
            }
        }
    }
    return most;
}

// ---- Blocks

class Blocks
{
public:
    Blocks(QPainter &painter, const TimelinePicture &picture, const QRectF &area, double top)
        : m_painter(painter), p(picture), m_area(area), m_top(top)
    { }
    void paint(const Theme &theme);

private:
    QRectF rectOf(qsizetype line, qsizetype end) const;
    void block(qsizetype line, const Theme &theme);
    void name(
        const QRectF &rect, qsizetype line, StatusCategory statusCategory, const Theme &theme);
    void heat(qsizetype first, qsizetype last, const Theme &theme);
    void references(qsizetype first, qsizetype last, const Theme &theme);

    QPainter &m_painter;
    const TimelinePicture &p;
    QRectF m_area;
    double m_top;
};

QRectF Blocks::rectOf(qsizetype line, qsizetype end) const
{
    const Timeline::Row row = p.lines->rowAt(line);
    const double left = m_area.left() + p.column(p.timeline->depth(row), m_area.width());
    // What has nothing below it reaches to the edge.
    const double right = end > line + 1
        ? m_area.left() + p.column(p.timeline->depth(row) + 1, m_area.width())
        : m_area.right();
    const double gap = p.scale.rowHeight >= leastNamed ? 2 : 1;
    return { QPointF(left, m_area.top() + p.scale.y(line) - m_top),
        QPointF(std::max(right - gap - 1, left + 1), m_area.top() + p.scale.y(end) - m_top - gap) };
}

void Blocks::name(
    const QRectF &rect, qsizetype line, StatusCategory statusCategory, const Theme &theme)
{
    // Of a block that begins above, the name stays in sight.
    QRectF seen = rect.intersected(m_area);
    if (seen.height() < leastNamed - 2 || seen.width() < 22)
        return;
    const Timeline::Row row = p.lines->rowAt(line);
    const bool isTop = p.timeline->depth(row) == 0;
    const bool isThere = p.resourceAt(row) != NoResource;
    const double lineHeight = std::min(20.0, seen.height());
    const QFont font = sized(lineHeight >= 17 ? 13 : 11, isTop ? QFont::DemiBold : QFont::Normal);
    const QFontMetricsF metrics(font);
    double left = seen.left() + 6;
    if (isThere && seen.width() > 44) {
        const double mark = 8;
        paintMark(m_painter, { left, seen.top() + lineHeight / 2 - mark / 2, mark, mark },
            statusCategory, theme.statusCategoryLine(statusCategory));
        left += mark + 5;
    }
    const bool isSought =
        !p.sought.isEmpty() && p.timeline->name(row).contains(p.sought, Qt::CaseInsensitive);
    m_painter.setFont(font);
    m_painter.setPen(isSought ? theme.accent
            : isThere         ? theme.statusCategoryText(statusCategory)
                              : theme.dimText);
    const double room = seen.right() - 4 - left;
    const QString text = p.timeline->name(row);
    drawText(m_painter, QRectF(left, seen.top(), room, lineHeight),
        Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        metrics.elidedText(text, Qt::ElideMiddle, room));
    QString detail = wordOfRow(p, row);
    const qsizetype below = p.timeline->endOf(row) - p.timeline->placeOf(row);
    if (p.lines->isFolded(line))
        detail = Scoring::tr("%1 in all").arg(QLocale().toString(below));
    else if (below > 1)
        //: a state's word, and how many resources a block stands for
        detail = Scoring::tr("%1 · %2").arg(detail, QLocale().toString(below));
    const QFont small = sized(11);
    m_painter.setFont(small);
    const QFontMetricsF smallMetrics(small);
    const double used = metrics.horizontalAdvance(text) + 12;
    QColor quiet = isThere ? mixed(theme.statusCategoryText(statusCategory),
                       theme.statusCategoryFill(statusCategory), 0.15)
                           : theme.dimText;
    m_painter.setPen(quiet);
    if (seen.height() >= 34)
        drawText(m_painter, QRectF(left, seen.top() + lineHeight - 2, room, 15),
            Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
            smallMetrics.elidedText(detail, Qt::ElideRight, room));
    else if (lineHeight >= 15 && room - used > smallMetrics.horizontalAdvance(detail))
        drawText(m_painter, QRectF(left + used, seen.top(), room - used, lineHeight),
            Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, detail);
}

void Blocks::block(qsizetype line, const Theme &theme)
{
    const qsizetype end = p.lines->endOf(*p.timeline, line);
    const QRectF whole = rectOf(line, end);
    const Timeline::Row row = p.lines->rowAt(line);
    const StatusCategory statusCategory = statusCategoryOfRow(p, row);
    const bool isThere = p.resourceAt(row) != NoResource;
    if (p.mark)
        p.mark(m_painter, u"data-path"_s, p.timeline->path(row));
    // Far beyond the edges nothing is seen of it.
    QRectF rect = whole;
    rect.setTop(std::max(rect.top(), m_area.top() - 20));
    rect.setBottom(std::min(rect.bottom(), m_area.bottom() + 20));
    const bool isDetailed = whole.height() >= 8 && !p.isMap;
    QColor fill = theme.statusCategoryFill(statusCategory);
    if (p.lines->isFolded(line))
        fill = mixed(fill, blended(statusCategoriesOfLine(p, line), theme), 0.6);
    const double wave = p.waves.isEmpty() ? 0 : waveAt(p, row);
    if (wave > 0)
        fill = mixed(fill, theme.statusCategoryLine(statusCategory), 0.55 * wave);
    if (p.hovered == row)
        fill = mixed(fill, theme.statusCategoryLine(statusCategory), 0.12);
    QPen pen(wave > 0 ? mixed(theme.statusCategoryLine(statusCategory), theme.accent, wave)
                      : theme.statusCategoryLine(statusCategory),
        wave > 0 ? 1.1 + 1.2 * wave : 1.1);
    if (!isThere) {
        pen.setStyle(Qt::DashLine);
        pen.setColor(theme.quietLine);
        fill = Qt::transparent;
    }
    if (isDetailed) {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(pen);
        m_painter.setBrush(fill);
        m_painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    } else {
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.fillRect(
            rect, isThere ? mixed(fill, theme.statusCategoryLine(statusCategory), 0.35) : fill);
    }
    if (p.lookedAt.contains(row)) {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(QPen(theme.accent, 1.5, Qt::DotLine));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(rect.adjusted(1.5, 1.5, -1.5, -1.5), 3, 3);
    }
    if (row == p.selected) {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(QPen(theme.accent, 2));
        m_painter.setBrush(Qt::NoBrush);
        if (isDetailed)
            m_painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 3, 3);
        m_painter.fillRect(
            QRectF(rect.left(), rect.top(), 4, std::max(rect.height(), 2.0)), theme.accent);
    }
    if (whole.height() >= leastNamed - 2 && !p.isMap)
        name(whole, line, statusCategory, theme);
}

/// Thin rows: what each pixel stands for, mixed.
void Blocks::heat(qsizetype first, qsizetype last, const Theme &theme)
{
    const int levels = p.timeline->levels();
    const int height = int(std::ceil(m_area.height()));
    if (height <= 0)
        return;
    std::vector<StatusCategories> cells(size_t(height) * size_t(levels), StatusCategories {});
    std::vector<qsizetype> large;
    const auto pixel = [&](qsizetype line) { return p.scale.y(line) - m_top; };
    const auto take = [&](qsizetype line) {
        const Timeline::Row row = p.lines->rowAt(line);
        const qsizetype end = p.lines->endOf(*p.timeline, line);
        const double from = pixel(line), to = pixel(end);
        if (to - from >= leastNamed) {
            large.push_back(line);
            return;
        }
        const StatusCategories statusCategories =
            p.lines->isFolded(line) ? statusCategoriesOfLine(p, line) : [&] {
                StatusCategories one {};
                one[size_t(statusCategoryOfRow(p, row))] = 1;
                return one;
            }();
        const int begin = std::clamp(int(from), 0, height - 1);
        const int past = std::clamp(int(to), begin + 1, height);
        for (int y = begin; y < past; ++y) {
            StatusCategories &cell =
                cells[size_t(p.timeline->depth(row)) * size_t(height) + size_t(y)];
            for (size_t i = 0; i < cell.size(); ++i)
                cell[i] += statusCategories[i];
        }
    };
    for (Timeline::Row up = p.timeline->parent(p.lines->rowAt(first)); up != Timeline::NoRow;
         up = p.timeline->parent(up))
        take(p.lines->lineOf(p.timeline->placeOf(up)));
    for (qsizetype line = first; line < last; ++line)
        take(line);
    std::ranges::sort(large);
    for (const qsizetype line : large)
        block(line, theme);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    for (int level = 0; level < levels; ++level) {
        const double left = m_area.left() + p.column(level, m_area.width());
        const double right = m_area.left() + p.column(level + 1, m_area.width()) - 2;
        const StatusCategories *column = cells.data() + size_t(level) * size_t(height);
        for (int y = 0; y < height;) {
            int end = y + 1;
            while (end < height && column[end] == column[y])
                ++end;
            if (std::ranges::any_of(column[y], [](quint32 count) { return count > 0; }))
                m_painter.fillRect(QRectF(left, m_area.top() + y, right - left, end - y),
                    blended(column[y], theme));
            y = end;
        }
    }
}

void Blocks::references(qsizetype first, qsizetype last, const Theme &theme)
{
    const auto &all = p.world->references;
    if (all.isEmpty() || p.scale.rowHeight < 6 || p.isMap)
        return;
    m_painter.setRenderHint(QPainter::Antialiasing);
    for (qsizetype line = first; line < last; ++line) {
        const Timeline::Row row = p.lines->rowAt(line);
        const Resource resource = p.resourceAt(row);
        const auto found = resource == NoResource ? all.constEnd() : all.constFind(resource);
        if (found == all.constEnd())
            continue;
        for (const QString &path : *found) {
            const Timeline::Row other = p.timeline->find(path);
            if (other == Timeline::NoRow)
                continue;
            const auto centre = [&](qsizetype at) {
                return m_area.top() + p.scale.y(at) - m_top + std::min(p.scale.rowHeight, 20.0) / 2;
            };
            const double from = centre(line);
            const double to = centre(p.lines->lineOf(p.timeline->placeOf(other)));
            const double bow = std::min(18.0, 6 + std::abs(to - from) / 8);
            const double x = m_area.right() - 2;
            QColor colour = theme.line;
            if (row != p.selected && other != p.selected)
                colour.setAlphaF(0.6F);
            QPainterPath path2(QPointF(x, from));
            path2.cubicTo(x + bow, from, x + bow, to, x, to);
            m_painter.setPen(QPen(colour, 1.1, Qt::DotLine));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawPath(path2);
            QPainterPath head(QPointF(x, to));
            head.lineTo(x + 6, to - 3.5);
            head.lineTo(x + 6, to + 3.5);
            head.closeSubpath();
            m_painter.fillPath(head, colour);
        }
    }
}

void Blocks::paint(const Theme &theme)
{
    const qsizetype count = p.lines->count();
    if (count == 0)
        return;
    const double height = p.scale.rowHeight;
    const auto first = std::clamp(qsizetype(m_top / height), qsizetype(0), count - 1);
    const auto last =
        std::clamp(qsizetype((m_top + m_area.height()) / height) + 1, first + 1, count);
    m_painter.save();
    m_painter.setClipRect(m_area.adjusted(0, 0, 20, 0), Qt::IntersectClip);
    if (height < leastBlock) {
        heat(first, last, theme);
    } else {
        std::vector<qsizetype> above;
        for (Timeline::Row up = p.timeline->parent(p.lines->rowAt(first)); up != Timeline::NoRow;
             up = p.timeline->parent(up))
            above.push_back(p.lines->lineOf(p.timeline->placeOf(up)));
        for (auto line = above.rbegin(); line != above.rend(); ++line)
            block(*line, theme);
        for (qsizetype line = first; line < last; ++line)
            block(line, theme);
    }
    references(first, last, theme);
    m_painter.restore();
}

// ---- Time

QPainterPath arrowHead(const QPointF &tip, const QPointF &from, double size)
{
    const double angle = std::atan2(from.y() - tip.y(), from.x() - tip.x());
    QPainterPath head(tip);
    for (const double turn : { 0.42, -0.42 })
        head.lineTo(tip + size * QPointF(std::cos(angle + turn), std::sin(angle + turn)));
    head.closeSubpath();
    return head;
}

class Times
{
public:
    Times(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
        const QPointF &corner, const Theme &of)
        : m_painter(painter),
          p(picture),
          theme(of),
          m_area(area),
          m_offset(area.topLeft() - corner),
          m_seen(QRectF(corner, area.size()))
    { }
    void paint();

private:
    void grid();
    void rest(const TimelineRest &rest);
    void span(const Timeline::Span &span, const QRectF &place);
    void details(const Timeline::Span &span, const QRectF &rect);
    void tick(const Timeline::Tick &tick);
    void dot(const QRectF &rect, const QColor &colour);
    void letter(
        const QPointF &centre, const Timeline::Bar &bar, const QColor &colour, bool isStruck);
    void refusal(const Timeline::Bar &bar);
    void wait(const Timeline::Bar &bar);
    void cancellation(const Timeline::Bar &bar);
    void requirement(const Timeline::Bar &bar);
    void tracks();
    void tracks(const Tracks::Track &track, double bottom);
    void arrow(const QPointF &from, const QPointF &tip, const QColor &colour, Qt::PenStyle style);
    void label(QRectF rect, const QString &text, const QColor &colour, const QFont &font);
    void warningBox(const QRectF &box, const QColor &line, const QString &text);
    bool claim(const QRectF &rect);
    QPointF onPainter(const QPointF &point) const { return point + m_offset; }
    double targetY(const Timeline::Bar &bar) const;

    QPainter &m_painter;
    const TimelinePicture &p;
    const Theme &theme;
    QRectF m_area;
    QPointF m_offset;
    QRectF m_seen; ///< of the whole picture
    QImage m_dots;
    std::vector<QRectF> m_claimed;
    QSet<quint32> m_named; ///< bars whose name is written
    std::vector<std::pair<const Timeline::Span *, QRectF>> m_written; ///< large enough for words
};

bool Times::claim(const QRectF &rect)
{
    for (const QRectF &other : m_claimed) {
        if (other.intersects(rect))
            return false;
    }
    m_claimed.push_back(rect);
    return true;
}

/// On what it stands on, in a place that nothing else is written in.
void Times::label(QRectF rect, const QString &text, const QColor &colour, const QFont &font)
{
    const QFontMetricsF metrics(font);
    rect.setWidth(std::min(rect.width(), metrics.horizontalAdvance(text) + 1));
    if (rect.width() < 20 || !claim(rect))
        return;
    m_painter.setFont(font);
    m_painter.setPen(colour);
    drawText(m_painter, rect, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        metrics.elidedText(text, Qt::ElideRight, rect.width()));
}

void Times::dot(const QRectF &rect, const QColor &colour)
{
    if (p.mark) { // in a file every one is an element
        m_painter.fillRect(rect, colour);
        return;
    }
    if (m_dots.isNull()) {
        m_dots = QImage(m_area.size().toSize(), QImage::Format_ARGB32_Premultiplied);
        m_dots.fill(Qt::transparent);
    }
    const QRect pixels = QRectF(rect.topLeft() - m_area.topLeft(), rect.size())
                             .toRect()
                             .adjusted(0, 0, rect.width() < 1, rect.height() < 1)
        & m_dots.rect();
    const QRgb value = qPremultiply(colour.rgba());
    for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
        auto *line = reinterpret_cast<QRgb *>(m_dots.scanLine(y));
        std::fill(line + pixels.left(), line + pixels.right() + 1, value);
    }
}

void Times::grid()
{
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.setPen(QPen(theme.quietLine, 1));
    const qint64 step = rulerStep(p.scale.pixelsPerMs, 70);
    const qint64 first = p.scale.timeAt(m_seen.left()), last = p.scale.timeAt(m_seen.right());
    for (qint64 at = (first / step) * step; at <= last; at += step) {
        const double x = std::round(p.scale.x(at) + m_offset.x()) + 0.5;
        m_painter.drawLine(QPointF(x, m_area.top()), QPointF(x, m_area.bottom()));
    }
    // Between top-level resources, as far as they can be told apart.
    const qsizetype count = p.lineCount();
    if (count == 0 || p.scale.rowHeight < 6)
        return;
    QColor faint = theme.quietLine;
    faint.setAlphaF(0.7F);
    m_painter.setPen(QPen(faint, 1));
    const auto from = std::clamp(qsizetype(m_seen.top() / p.scale.rowHeight), qsizetype(0), count);
    const auto to = std::min(count, qsizetype(m_seen.bottom() / p.scale.rowHeight) + 1);
    for (qsizetype line = from; line < to; ++line) {
        if (!p.lanes && p.timeline->depth(p.lines->rowAt(line)) > 0)
            continue;
        const double y = std::round(p.scale.y(line) + m_offset.y()) - 0.5;
        m_painter.drawLine(QPointF(m_area.left(), y), QPointF(m_area.right(), y));
    }
}

void Times::rest(const TimelineRest &rest)
{
    const qint64 to = std::min(rest.to == Timeline::GoesOn ? p.end() : rest.to, p.end());
    QRectF rect = p.scale.rect(*p.timeline, *p.lines, rest.first, rest.last, rest.from, to);
    if (!rect.intersects(m_seen))
        return;
    // What is thinner than a pixel covers it as far as it fills it.
    const double share = std::min(1.0, rect.height());
    rect = rect.height() >= 6 ? rect.adjusted(1, 1, 0, -2) : rect;
    rect = rect.intersected(m_seen.adjusted(-4, -4, 4, 4));
    rect.setHeight(std::max(rect.height(), 1.0));
    QColor colour = theme.statusCategoryFill(StatusCategory::Failed);
    colour.setAlphaF(float(share * (rest.from >= p.now ? 0.3 : 0.75)));
    m_painter.fillRect(rect.translated(m_offset), colour);
}

/// The right edge of what was canceled is torn.
QPainterPath torn(const QRectF &rect)
{
    QPainterPath path(rect.topRight());
    const double step = 5;
    for (int tooth = 1; rect.top() + tooth * step < rect.bottom(); ++tooth)
        path.lineTo(rect.right() - (tooth % 2 ? 4 : 0), rect.top() + tooth * step);
    path.lineTo(rect.bottomRight());
    return path;
}

void Times::span(const Timeline::Span &span, const QRectF &place)
{
    const Timeline::Bar &bar = p.timeline->bars()[span.bar];
    const StatusCategory statusCategory = p.statusCategoryOf(span.state);
    const QRectF whole = place.translated(m_offset);
    const bool isNarrow = place.width() < leastSpan || place.height() < leastSpan + 1;
    const double now = p.scale.x(p.now) + m_offset.x();
    if (isNarrow) {
        QColor colour = mixed(theme.statusCategoryFill(statusCategory),
            theme.statusCategoryLine(statusCategory), 0.6);
        if (whole.left() > now)
            colour = mixed(theme.base, colour, laterOpacity);
        if (p.mark)
            p.mark(m_painter, u"data-operation"_s, bar.request ? bar.request->id : QString());
        dot(QRectF(whole.topLeft(),
                QSizeF(std::max(whole.width(), 1.0), std::max(whole.height(), 1.0))),
            colour);
        return;
    }
    // Pens cost by length: nothing is drawn far beyond the edges.
    QRectF rect = whole.adjusted(0, 1, -1, -2);
    rect.setLeft(std::max(rect.left(), m_area.left() - 30));
    rect.setRight(std::min(rect.right(), m_area.right() + 30));
    rect.setTop(std::max(rect.top(), m_area.top() - 30));
    rect.setBottom(std::min(rect.bottom(), m_area.bottom() + 30));
    const bool isChosen = bar.serial == p.selectedBar || bar.serial == p.hoveredBar;
    const bool isCanceled =
        bar.status == Status::Canceled && span.to != Timeline::GoesOn && span.to == bar.ended;
    const bool goesOn = !bar.isOver() || bar.ended > p.now;
    const auto draw = [&](const QRectF &part, bool isLater) {
        m_painter.save();
        m_painter.setClipRect(part, Qt::IntersectClip);
        if (isLater)
            m_painter.setOpacity(m_painter.opacity() * laterOpacity);
        m_painter.setRenderHint(QPainter::Antialiasing);
        const double radius = std::min({ 4.0, rect.height() / 3, rect.width() / 3 });
        QPen pen(theme.statusCategoryLine(statusCategory), isChosen ? 2.2 : 1.2);
        if (goesOn)
            pen.setDashPattern({ 4, 3 });
        m_painter.setPen(pen);
        m_painter.setBrush(theme.statusCategoryFill(statusCategory));
        if (p.mark)
            p.mark(m_painter, u"data-operation"_s, bar.request ? bar.request->id : QString());
        m_painter.drawRoundedRect(rect.adjusted(0.6, 0.6, -0.6, -0.6), radius, radius);
        if (statusCategory == StatusCategory::Removing && rect.height() > 8) {
            QColor hatch = theme.statusCategoryLine(statusCategory);
            hatch.setAlphaF(0.28F);
            m_painter.setPen(QPen(hatch, 1));
            // Cut by hand: files do not know how to clip.
            const QRectF inside = rect.adjusted(2, 2, -2, -2).intersected(part);
            const double height = rect.height();
            const double from = std::floor((rect.left() - height) / 9) * 9;
            for (int line = 0; from + 9 * line < inside.right(); ++line) {
                const double x = from + 9 * line;
                const double begin = std::max(inside.left() - x, rect.bottom() - inside.bottom());
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
        draw({ around.topLeft(), QPointF(std::min(around.right(), now), around.bottom()) }, false);
    if (rect.right() > now)
        draw({ QPointF(std::max(around.left(), now), around.top()), around.bottomRight() }, true);
    if (isCanceled && rect.height() >= 6) {
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing);
        if (rect.right() > now + 1)
            m_painter.setOpacity(laterOpacity);
        m_painter.setPen(QPen(theme.statusCategoryLine(StatusCategory::Failed), 1.6));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPath(torn(rect));
        m_painter.restore();
    }
    if (p.isRemote && rect.height() >= 6) { // nobody saw the moment itself
        const auto unsure = [&](qint64 from, qint64 to, bool isBegin) {
            constexpr double least = 4; // each side of an edge
            const double edge = p.scale.x(to) + m_offset.x();
            const double left = std::min(p.scale.x(from) + m_offset.x(), edge - least);
            QColor ground = theme.base;
            ground.setAlphaF(0);
            QLinearGradient soft(left, 0, edge + least, 0);
            if (isBegin) {
                soft.setColorAt(0, ground);
                soft.setColorAt(1, theme.statusCategoryFill(statusCategory));
            } else {
                soft.setColorAt(0, ground);
                ground.setAlphaF(0.85F);
                soft.setColorAt(1, ground);
            }
            m_painter.fillRect(QRectF(left, rect.top(), edge + least - left, rect.height()), soft);
        };
        const bool isBegun = span.from == bar.started;
        unsure(isBegun ? bar.submitted : span.from, span.from, true);
        if (span.to != Timeline::GoesOn) {
            const bool isEnd = span.to == bar.ended && bar.seenAtWork != Timeline::GoesOn;
            unsure(isEnd ? std::max(bar.seenAtWork, span.from) : span.to, span.to, false);
        }
    }
    if (rect.height() >= leastNamed - 2 && !p.isMap)
        m_written.push_back({ &span, rect });
}

void Times::letter(
    const QPointF &centre, const Timeline::Bar &bar, const QColor &colour, bool isStruck)
{
    const QString client = bar.request ? bar.request->client : QString();
    const QString text = client.isEmpty() ? u"•"_s : client.left(1).toUpper();
    const QRectF disc(centre - QPointF(badge, badge) / 2, QSizeF(badge, badge));
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(colour, 1.5));
    m_painter.setBrush(theme.base);
    m_painter.drawEllipse(disc);
    m_painter.setFont(sized(10, QFont::DemiBold));
    m_painter.setPen(mixed(colour, theme.text, 0.35));
    drawText(m_painter, disc, Qt::AlignCenter, text);
    if (isStruck) {
        m_painter.setPen(QPen(colour, 1.6));
        const double reach = badge * 0.36;
        m_painter.drawLine(centre + QPointF(-reach, reach), centre + QPointF(reach, -reach));
    }
}

double Times::targetY(const Timeline::Bar &bar) const
{
    return p.targetRect(bar).top() + std::min(p.scale.rowHeight, 22.0) / 2;
}

/// What is written on what an operation answers for, and who asked for it.
void Times::details(const Timeline::Span &span, const QRectF &rect)
{
    const Timeline::Bar &bar = p.timeline->bars()[span.bar];
    const QColor colour = theme.statusCategoryText(p.statusCategoryOf(span.state));
    const double line = std::min({ p.scale.rowHeight, 22.0, rect.height() });
    const double seenLeft = std::max(rect.left(), m_area.left());
    const bool isTarget = p.lanes
        || (p.timeline->placeOf(span.first) <= p.timeline->placeOf(bar.row)
            && p.timeline->placeOf(bar.row) <= p.timeline->placeOf(span.last));
    const double room = std::min(rect.right(), m_area.right()) - seenLeft - 12;
    m_painter.setOpacity(span.from > p.now ? 0.6 : 1);
    if (!isTarget) {
        label(QRectF(seenLeft + 8, rect.top(), room, line),
            Scoring::tr("moved with %1").arg(bar.path.section(u'/', -1)), colour, sized(11));
        return;
    }
    const bool isFirst = !m_named.contains(span.bar); // of those in sight
    m_named.insert(span.bar);
    if (isFirst && !p.lanes && p.timeline->placeOf(span.first) < p.timeline->placeOf(bar.row))
        label(QRectF(seenLeft + 8, rect.top(), room, line), Scoring::tr("moved with it"), colour,
            sized(11));
    double left = seenLeft + 6;
    const double top = p.lanes
        ? rect.top()
        : std::max(rect.top(),
            p.scale.y(p.lines->lineOf(p.timeline->placeOf(bar.row))) + m_offset.y() + 1);
    if (isFirst && rect.left() >= m_area.left() - badge / 2 && line >= leastNamed
        && claim({ rect.left() - badge / 2, top + line / 2 - badge / 2, badge, badge })) {
        letter({ rect.left(), top + line / 2 }, bar,
            theme.statusCategoryLine(p.statusCategoryOf(span.state)), false);
        left = std::max(left, rect.left() + badge / 2 + 4);
    }
    const QString word = span.state == Rules::None ? QString() : p.rules->state(span.state).id;
    label(QRectF(left, top, room, line), isFirst ? barText(bar) : word, colour,
        sized(12, isFirst ? QFont::DemiBold : QFont::Normal));
    QStringList more;
    if (const Timeline::Bar *by = p.timeline->bar(bar.requirer))
        more += Scoring::tr("for %1").arg(barText(*by));
    if (bar.attempts > 1)
        more += Scoring::tr("%Ln attempts", nullptr, bar.attempts);
    if (bar.status == Status::Failed && bar.ended <= p.now && bar.code != word)
        more += bar.code;
    if (isFirst && !more.isEmpty() && rect.bottom() - top >= 34)
        label(QRectF(left, top + line - 3, room, 15), more.join(u" · "_s), colour, sized(11));
}

void Times::tick(const Timeline::Tick &tick)
{
    const Timeline::Bar &bar = p.timeline->bars()[tick.bar];
    const QRectF place = p.targetRect(bar);
    const double x = p.scale.x(tick.at) + m_offset.x();
    if (x < m_area.left() - 8 || x > m_area.right() + 8 || place.bottom() < m_seen.top()
        || place.top() > m_seen.bottom() || place.height() < 5)
        return;
    const QColor colour = theme.statusCategoryLine(p.statusCategoryOf(bar.state));
    const double top = place.top() + m_offset.y(), height = std::min(place.height(), 22.0);
    m_painter.setOpacity(tick.at > p.now ? laterOpacity : 1);
    m_painter.setRenderHint(QPainter::Antialiasing);
    switch (tick.kind) {
    case Timeline::Tick::Kind::Retry:
        m_painter.setPen(QPen(colour, 1.4, Qt::DotLine));
        m_painter.drawLine(QPointF(x, top + 2), QPointF(x, top + height - 3));
        label(QRectF(x + 4, top, 60, height), Scoring::tr("retry"),
            theme.statusCategoryText(p.statusCategoryOf(bar.state)), sized(11));
        break;
    case Timeline::Tick::Kind::Begin:
        m_painter.setPen(QPen(colour, 1.4));
        m_painter.drawLine(QPointF(x, top + height - 7), QPointF(x, top + height - 3));
        break;
    case Timeline::Tick::Kind::Fire: { // the clock asked
        const QRectF face(x - 5, top - 3, 10, 10);
        m_painter.setPen(QPen(colour, 1.3));
        m_painter.setBrush(theme.base);
        m_painter.drawEllipse(face);
        m_painter.drawLine(face.center(), face.center() + QPointF(0, -3.5));
        m_painter.drawLine(face.center(), face.center() + QPointF(2.5, 0));
        break;
    }
    case Timeline::Tick::Kind::Work:
        break; // the next span begins there
    }
}

void Times::arrow(const QPointF &from, const QPointF &tip, const QColor &colour, Qt::PenStyle style)
{
    const double bow = std::clamp(std::abs(tip.y() - from.y()) / 3, 8.0, 40.0);
    const QPointF before =
        tip + QPointF(from.x() >= tip.x() ? 0 : -bow, from.y() > tip.y() ? bow : -bow);
    QPainterPath path(from);
    path.quadTo(QPointF(before.x(), (from.y() + tip.y()) / 2), tip);
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(colour, 1.5, style));
    m_painter.drawPath(path);
    m_painter.fillPath(arrowHead(tip, path.pointAtPercent(0.9), 8), colour);
}

/// A struck mark, and an arrow to what stood in the way.
void Times::refusal(const Timeline::Bar &bar)
{
    const QRectF place = p.targetRect(bar);
    const double x = p.scale.x(bar.submitted);
    if (x < m_seen.left() - 200 || x > m_seen.right() + badge || place.top() > m_seen.bottom() + 40
        || place.bottom() < m_seen.top() - 40)
        return;
    const QColor colour = theme.statusCategoryLine(StatusCategory::Failed);
    m_painter.setOpacity(bar.submitted > p.now ? laterOpacity : 1);
    const QPointF centre = onPainter({ x, targetY(bar) });
    if (p.mark)
        p.mark(m_painter, u"data-operation"_s, bar.request ? bar.request->id : QString());
    if (p.scale.rowHeight < 7) {
        m_painter.fillRect(QRectF(centre - QPointF(1.5, 1.5), QSizeF(3, 3)), colour);
        return;
    }
    if (const Timeline::Bar *other = p.timeline->bar(bar.inTheWay); other && !p.lanes) {
        const double y = targetY(*other) + m_offset.y();
        if (std::abs(y - centre.y()) > badge)
            arrow(centre + QPointF(0, y < centre.y() ? -badge / 2 : badge / 2),
                { centre.x() - 8, y + (y < centre.y() ? 9 : -9) }, colour, Qt::DotLine);
    }
    letter(centre, bar, colour, true);
    claim({ centre - QPointF(badge, badge) / 2, QSizeF(badge, badge) });
    if (p.scale.rowHeight < leastNamed)
        return;
    const QString code = bar.http ? u"%1 %2"_s.arg(bar.http).arg(bar.code) : bar.code;
    QStringList texts { code };
    if (const Timeline::Bar *other = p.timeline->bar(bar.inTheWay))
        texts.prepend(code + u" · "_s + Scoring::tr("%1 is in the way").arg(barText(*other)));
    const QFont font = sized(11);
    QString text;
    QRectF box;
    for (const QString &tried : texts) {
        const double width = QFontMetricsF(font).horizontalAdvance(tried) + 12;
        for (const double left :
            { centre.x() + badge / 2 + 4, centre.x() - badge / 2 - 4 - width }) {
            const QRectF beside(left, centre.y() - 8.5, width, 17);
            if (!box.isNull() || left < m_area.left() || beside.right() > m_area.right()
                || !claim(beside))
                continue;
            box = beside;
            text = tried;
        }
    }
    if (box.isNull())
        return;
    warningBox(box, colour, text);
}

void Times::wait(const Timeline::Bar &bar)
{
    const qint64 to = bar.started != Timeline::GoesOn ? bar.started
        : bar.isOver()                                ? bar.ended
                                                      : std::max(p.now, bar.submitted);
    QRectF rect = p.targetRect(bar);
    rect.setLeft(p.scale.x(bar.submitted));
    rect.setRight(p.scale.x(to));
    if (rect.width() < 1 || !rect.intersects(m_seen) || rect.height() < 4)
        return;
    rect = rect.adjusted(0, 2, -1, -3).translated(m_offset);
    rect.setHeight(std::min(rect.height(), 18.0));
    const StatusCategory statusCategory = StatusCategory::Waiting;
    m_painter.setOpacity(bar.submitted > p.now ? laterOpacity : 1);
    m_painter.setRenderHint(QPainter::Antialiasing);
    if (p.mark)
        p.mark(m_painter, u"data-operation"_s, bar.request ? bar.request->id : QString());
    m_painter.setPen(QPen(theme.statusCategoryLine(statusCategory), 1.1, Qt::DotLine));
    m_painter.setBrush(theme.statusCategoryFill(statusCategory));
    m_painter.drawRoundedRect(rect, 3, 3);
    if (rect.height() >= leastNamed - 2
        && claim({ rect.left() - badge / 2, rect.center().y() - badge / 2, badge, badge })) {
        letter({ rect.left(), rect.center().y() }, bar, theme.statusCategoryLine(statusCategory),
            false);
        QString text = Scoring::tr("waits");
        if (const Timeline::Bar *other = p.timeline->bar(bar.inTheWay))
            text = Scoring::tr("waits for %1").arg(barText(*other));
        label(rect.adjusted(badge / 2 + 4, 0, -4, 0), text,
            theme.statusCategoryText(statusCategory), sized(11));
    }
}

/// An arrow from the newer operation to the torn edge of the older one.
void Times::cancellation(const Timeline::Bar &bar)
{
    const Timeline::Bar *by = p.timeline->bar(bar.canceledBy);
    const double x = p.scale.x(bar.ended);
    if (!by || p.scale.rowHeight < 5 || x < m_seen.left() - 60 || x > m_seen.right() + 60)
        return;
    const double from = targetY(*by), to = targetY(bar);
    if (std::max(from, to) < m_seen.top() || std::min(from, to) > m_seen.bottom())
        return;
    m_painter.setOpacity(bar.ended > p.now ? laterOpacity : 1);
    const QColor colour = theme.statusCategoryLine(StatusCategory::Failed);
    const double width = p.scale.x(bar.ended) - p.scale.x(std::max(bar.started, bar.submitted));
    const double reach = std::clamp(width / 2, 4.0, 26.0);
    const bool isSame = std::abs(from - to) < badge;
    const QPointF begin = onPainter({ x - (isSame ? badge / 2 : 2), from + (isSame ? 3 : 0) });
    const QPointF tip = onPainter({ x - reach, to + (isSame ? 3 : from < to ? -2 : 2) });
    arrow(begin, tip, colour, Qt::SolidLine);
    if (p.scale.rowHeight < leastNamed)
        return;
    const QFont font = sized(11);
    const QString text = Scoring::tr("%1 cancels").arg(by->request->op);
    const double length = QFontMetricsF(font).horizontalAdvance(text) + 10;
    QRectF box;
    for (const QPointF &place :
        { QPointF(tip.x() - length - 4, tip.y() - 8), QPointF(tip.x() - length - 4, tip.y() + 11),
            QPointF(tip.x() - length - 4, tip.y() - 27), QPointF(begin.x() + 10, tip.y() + 11) }) {
        const QRectF tried(place, QSizeF(length, 16));
        if (box.isNull() && tried.left() >= m_area.left() && claim(tried))
            box = tried;
    }
    if (box.isNull())
        return;
    warningBox(box, colour, text);
}

void Times::warningBox(const QRectF &box, const QColor &line, const QString &text)
{
    m_painter.setPen(QPen(line, 1));
    m_painter.setBrush(theme.warningFill);
    m_painter.drawRoundedRect(box, 4, 4);
    m_painter.setFont(sized(11));
    m_painter.setPen(theme.warning);
    drawText(m_painter, box, Qt::AlignCenter | Qt::TextSingleLine, text);
}

/// From who requires to what is required.
void Times::requirement(const Timeline::Bar &bar)
{
    const Timeline::Bar *by = p.timeline->bar(bar.requirer);
    const double x = p.scale.x(bar.submitted);
    if (!by || p.lanes || p.scale.rowHeight < 6 || x < m_seen.left() || x > m_seen.right())
        return;
    const double from = targetY(*by), to = targetY(bar);
    if (std::abs(from - to) < 4 || std::max(from, to) < m_seen.top()
        || std::min(from, to) > m_seen.bottom())
        return;
    m_painter.setOpacity(bar.submitted > p.now ? laterOpacity : 1);
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(theme.line, 1.1, Qt::DashLine));
    const double end = to + (from < to ? -badge / 2 : badge / 2);
    m_painter.drawLine(onPainter({ x, from }), onPainter({ x, end }));
    m_painter.fillPath(arrowHead(onPainter({ x, end }), onPainter({ x, from }), 6), theme.line);
}

/// At the bottom of each line: above, what was seen; below, what the rules let it be, stripes where
/// that is more than one thing; and a sign where the server left the rules.
void Times::tracks()
{
    if (!p.tracks || p.tracks->isEmpty() || p.lanes || p.scale.rowHeight < leastTracked)
        return;
    const qsizetype count = p.lines->count();
    const auto from = std::clamp(qsizetype(m_seen.top() / p.scale.rowHeight), qsizetype(0), count);
    const auto to = std::min(count, qsizetype(m_seen.bottom() / p.scale.rowHeight) + 1);
    for (qsizetype line = from; line < to; ++line) {
        if (const Tracks::Track *track = p.tracks->find(p.timeline->path(p.lines->rowAt(line))))
            tracks(*track, p.scale.y(line + 1) + m_offset.y() - 1.5);
    }
}

void Times::tracks(const Tracks::Track &track, double bottom)
{
    const qint64 first = p.scale.timeAt(m_seen.left()), last = p.scale.timeAt(m_seen.right());
    // What rests, as most do most of the time, is faint.
    const auto colourOf = [&](const QString &word) {
        const StatusCategory statusCategory = word.isEmpty() || track.machine < 0
            ? StatusCategory::Absent
            : statusCategoryOfWord(*p.rules, track.machine, word);
        const QColor colour = theme.statusCategoryLine(statusCategory);
        return statusCategory == StatusCategory::Rest ? mixed(theme.base, colour, 0.45) : colour;
    };
    const auto each = [&](const auto &points, double top, auto colours, auto until) {
        // Of a long run only what is in sight is looked at.
        const auto later =
            std::ranges::upper_bound(points, first, {}, [](auto &one) { return one.at; });
        for (size_t i = size_t(later - points.begin()) - (later != points.begin());
             i < points.size() && points[i].at <= last; ++i) {
            const qint64 from = points[i].at,
                         to = i + 1 < points.size() ? until(points[i + 1]) : p.now;
            const QRectF rect(QPointF(std::max(p.scale.x(from) + m_offset.x(), m_area.left()), top),
                QPointF(std::min(p.scale.x(to) + m_offset.x(), m_area.right()), top + trackHeight));
            const QList<QColor> stripes = colours(points[i]);
            if (stripes.isEmpty()) { // nobody knows
                m_painter.setPen(QPen(theme.line, 1, Qt::DotLine));
                m_painter.drawLine(
                    QLineF(rect.left(), rect.center().y(), rect.right(), rect.center().y()));
                continue;
            }
            constexpr double stripe = 5;
            qsizetype next = 0;
            for (double x = rect.left(); x < rect.right();
                 x += stripes.size() == 1 ? rect.width() : stripe, ++next)
                m_painter.fillRect(
                    QRectF(QPointF(x, top),
                        QPointF(
                            stripes.size() == 1 ? rect.right() : std::min(x + stripe, rect.right()),
                            rect.bottom())),
                    stripes[next % stripes.size()]);
        }
    };
    const double expected = bottom - trackHeight, seen = expected - trackHeight - 1;
    m_painter.setRenderHint(QPainter::Antialiasing);
    if (p.mark)
        p.mark(m_painter, u"data-track"_s, track.path);
    each(
        track.seen, seen,
        [&](const Tracks::Seen &point) { return QList<QColor> { colourOf(point.word) }; },
        [](const Tracks::Seen &next) { return next.notBefore; });
    // Where nobody saw when it changed, one passes into the other.
    auto passed = std::ranges::upper_bound(track.seen, first, {}, &Tracks::Seen::at);
    for (; passed != track.seen.end() && passed->notBefore <= last; ++passed) {
        if (passed == track.seen.begin() || passed->notBefore == passed->at)
            continue;
        const double left = p.scale.x(passed->notBefore) + m_offset.x(),
                     right = p.scale.x(passed->at) + m_offset.x();
        QLinearGradient passing(left, 0, right, 0);
        passing.setColorAt(0, colourOf(std::prev(passed)->word));
        passing.setColorAt(1, colourOf(passed->word));
        m_painter.fillRect(QRectF(QPointF(std::max(left, m_area.left()), seen),
                               QPointF(std::min(right, m_area.right()), seen + trackHeight)),
            passing);
    }
    each(
        track.expected, expected,
        [&](const Tracks::Expected &point) {
            QList<QColor> colours;
            for (const QString &word : point.allowed ? point.allowed->words : QStringList()) {
                const QColor colour = colourOf(word);
                if (!colours.contains(colour))
                    colours += colour;
            }
            return colours;
        },
        [](const Tracks::Expected &next) { return next.at; });
    for (const qint64 at : track.violations) {
        const double x = p.scale.x(at) + m_offset.x();
        if (x < m_area.left() - 8 || x > m_area.right() + 8)
            continue;
        const QRectF sign(x - 7, bottom - 14, 14, 14);
        m_painter.setPen(QPen(theme.warning, 1.2));
        m_painter.setBrush(theme.warningFill);
        m_painter.drawRoundedRect(sign, 4, 4);
        m_painter.setFont(sized(11, QFont::DemiBold));
        drawText(m_painter, sign, Qt::AlignCenter, u"\u2260"_s);
    }
}

void Times::paint()
{
    if (!m_seen.isValid() || p.lineCount() == 0)
        return;
    m_painter.save();
    m_painter.setClipRect(m_area, Qt::IntersectClip);
    if (!p.isMap)
        grid();
    const double opacity = m_painter.opacity();
    if (!p.lanes && p.rests) {
        for (const TimelineRest &one : *p.rests)
            rest(one);
    }
    const std::vector<Timeline::Bar> &bars = p.timeline->bars();
    const qint64 first = p.scale.timeAt(m_seen.left()) - 1;
    const qint64 last = p.scale.timeAt(m_seen.right()) + 1;
    for (const Timeline::Span &one : p.timeline->spans()) {
        const qint64 to = one.to == Timeline::GoesOn ? p.endOf(bars[one.bar]) : one.to;
        if (one.from > last)
            break;
        if (to < first)
            continue;
        QRectF rect;
        if (!p.lanes) {
            rect = p.scale.rect(*p.timeline, *p.lines, one.first, one.last, one.from, to);
        } else { // the run in which the target is
            const Timeline::Bar &bar = bars[one.bar];
            if (p.timeline->placeOf(one.first) > p.timeline->placeOf(bar.row)
                || p.timeline->placeOf(bar.row) > p.timeline->placeOf(one.last))
                continue;
            rect = p.targetRect(bar);
            rect.setLeft(p.scale.x(one.from));
            rect.setRight(p.scale.x(to));
        }
        if (rect.bottom() >= m_seen.top() && rect.top() <= m_seen.bottom())
            span(one, rect);
    }
    if (!m_dots.isNull())
        m_painter.drawImage(m_area.topLeft(), m_dots);
    if (p.isMap) {
        m_painter.restore();
        return;
    }
    // What is written stands above all shapes, and the names of operations before all other words.
    for (const auto &[one, rect] : m_written) {
        details(*one, rect);
        m_painter.setOpacity(opacity);
    }
    for (const Timeline::Bar &bar : bars) {
        if (bar.submitted > last)
            break;
        if (bar.status == Status::Waiting || (bar.started > bar.submitted && !p.isRemote))
            wait(bar);
        if (bar.requirer)
            requirement(bar);
        if (bar.canceledBy && bar.ended >= first && bar.ended <= last)
            cancellation(bar);
        if (bar.status == Status::Rejected && bar.submitted >= first)
            refusal(bar);
        m_painter.setOpacity(opacity);
    }
    for (const Timeline::Tick &one : p.timeline->ticks()) {
        tick(one);
        m_painter.setOpacity(opacity);
    }
    tracks();
    m_painter.restore();
}

} // namespace

// ---- The picture

void TimelinePicture::setRules(const Rules &of)
{
    rules = &of;
    statusCategories = statusCategoriesOf(of);
}

StatusCategory TimelinePicture::statusCategoryOf(Rules::StateId state) const
{
    return state == Rules::None ? StatusCategory::Working : statusCategories[size_t(state)];
}

Resource TimelinePicture::resourceAt(Timeline::Row row) const
{
    const Resource resource = timeline->resourceOf(row);
    return world->tree.exists(resource) ? resource : NoResource;
}

qint64 TimelinePicture::endOf(const Timeline::Bar &bar) const
{
    return bar.isOver() ? bar.ended : std::max(now, due.value(bar.serial, now));
}

qint64 TimelinePicture::end() const
{
    if (until)
        return *until;
    qint64 latest = std::max(now, timeline->end());
    for (const qint64 one : due)
        latest = std::max(latest, one);
    return latest;
}

qsizetype TimelinePicture::lineCount() const
{
    return lanes ? lanes->count : lines->count();
}

QRectF TimelinePicture::targetRect(const Timeline::Bar &bar) const
{
    qsizetype line = -1;
    if (lanes)
        line = lanes->lanes[size_t(&bar - timeline->bars().data())];
    else if (bar.row != Timeline::NoRow)
        line = lines->lineOf(timeline->placeOf(bar.row));
    const qint64 from = bar.started == Timeline::GoesOn ? bar.submitted : bar.started;
    return { QPointF(scale.x(from), scale.y(line)),
        QPointF(std::max(scale.x(endOf(bar)), scale.x(from)), scale.y(line + 1)) };
}

Timeline::Row TimelinePicture::rowAt(double y) const
{
    const auto line = qsizetype(std::floor(y / scale.rowHeight));
    return y < 0 || line >= lines->count() ? Timeline::NoRow : lines->rowAt(line);
}

const Timeline::Bar *TimelinePicture::barAt(const QPointF &point) const
{
    const std::vector<Timeline::Bar> &bars = timeline->bars();
    const double reach = badge / 2;
    for (auto bar = bars.rbegin(); bar != bars.rend(); ++bar) { // what is marked lies on top
        const QRectF rect = targetRect(*bar);
        const QPointF centre(
            scale.x(bar->submitted), rect.top() + std::min(scale.rowHeight, 22.0) / 2);
        if (bar->status == Status::Rejected
            && QRectF(centre - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach)).contains(point))
            return &*bar;
    }
    if (lanes) {
        for (const Timeline::Bar &bar : bars) {
            if (targetRect(bar).adjusted(-1, 0, 1, 0).contains(point))
                return &bar;
        }
        return nullptr;
    }
    const auto &spans = timeline->spans();
    for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
        const Timeline::Bar &bar = bars[span->bar];
        const qint64 to = span->to == Timeline::GoesOn ? endOf(bar) : span->to;
        if (scale.rect(*timeline, *lines, span->first, span->last, span->from, to)
                .adjusted(-1, 0, 1, 0)
                .contains(point))
            return &bar;
    }
    for (const Timeline::Bar &bar : bars) { // of those that wait
        QRectF rect = targetRect(bar);
        rect.setLeft(scale.x(bar.submitted) - reach);
        if (bar.status == Status::Waiting && rect.contains(point))
            return &bar;
    }
    return nullptr;
}

double TimelinePicture::column(int level, double width) const
{
    return width * level / std::max(1, timeline->levels());
}

void paintTimelineBlocks(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double top, const Theme &theme)
{
    if (!picture.lanes) {
        Blocks(painter, picture, area, top).paint(theme);
        return;
    }
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    const double height = picture.scale.rowHeight;
    for (const TimelineLanes::Client &client : picture.lanes->clients) {
        const QRectF rect(area.left(), area.top() + picture.scale.y(client.first) - top + 1,
            area.width() - 2, client.count * height - 3);
        if (!rect.intersects(area))
            continue;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.line, 1));
        painter.setBrush(theme.base);
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        if (rect.height() < leastNamed - 2)
            continue;
        painter.setFont(sized(13, QFont::DemiBold));
        painter.setPen(theme.text);
        const QString name = client.name.isEmpty() ? Scoring::tr("no client named") : client.name;
        drawText(painter, rect.adjusted(8, 0, -4, 0).intersected(area.adjusted(8, 0, 0, 0)),
            Qt::AlignTop | Qt::AlignLeft | Qt::TextSingleLine,
            QFontMetricsF(painter.font()).elidedText(name, Qt::ElideRight, rect.width() - 12));
    }
    painter.restore();
}

void paintTimelineTime(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    const QPointF &corner, const Theme &theme)
{
    Times(painter, picture, area, corner, theme).paint();
}

void paintTimelineRuler(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double left, double cursorBottom, const Theme &theme)
{
    painter.save();
    const QFont font = sized(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const qint64 step = rulerStep(picture.scale.pixelsPerMs, 70);
    const double now = picture.showsCursor ? area.left() + picture.scale.x(picture.now) - left
                                           : area.left() - 1000;
    const QString cursor = timeText(picture.now);
    const double width = QFontMetricsF(sized(11, QFont::DemiBold)).horizontalAdvance(cursor) + 14;
    QRectF pill(now - width / 2, area.top() + 3, width, area.height() - 7);
    pill.moveLeft(
        std::clamp(pill.left(), area.left(), std::max(area.left(), area.right() - width)));
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    const qint64 first = picture.scale.timeAt(left);
    const qint64 last = picture.scale.timeAt(left + area.width());
    for (qint64 at = first / step * step; at <= last; at += step) {
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
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(pill, 4, 4);
        painter.setFont(sized(11, QFont::DemiBold));
        painter.setPen(theme.accentText);
        drawText(painter, pill, Qt::AlignCenter, cursor);
    }
    painter.restore();
}

QSizeF timelineSize(const TimelinePicture &picture, double blocks)
{
    return { blocks + timelineGap + picture.scale.x(picture.end()) + timelineGap,
        timelineRuler + picture.scale.y(picture.lineCount()) + 2 };
}

void paintTimeline(
    QPainter &painter, const TimelinePicture &picture, double blocks, const Theme &theme)
{
    const QSizeF size = timelineSize(picture, blocks);
    const double height = size.height() - timelineRuler;
    const QRectF time(
        blocks + timelineGap, timelineRuler, size.width() - blocks - timelineGap, height);
    paintTimelineTime(painter, picture, time, { 0, 0 }, theme);
    if (blocks > 0)
        paintTimelineBlocks(painter, picture, { 0, timelineRuler, blocks, height }, 0, theme);
    paintTimelineRuler(
        painter, picture, { time.left(), 0, time.width(), timelineRuler }, 0, size.height(), theme);
}

QString barText(const Timeline::Bar &bar)
{
    return (bar.request ? bar.request->op : QString()) + u' ' + bar.path.section(u'/', -1);
}

} // namespace instar
