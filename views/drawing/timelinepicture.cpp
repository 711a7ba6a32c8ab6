// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/timelinepicture.h"

#include "model/items/sentences.h"
#include "model/layout/geometry.h"
#include "views/drawing/chip.h"

#include <QFontMetricsF>

#include <cmath>

namespace instar {

constexpr double mostChipWidth = 170; ///< points; longer titles are elided

TimelineLines::TimelineLines(
    const Timeline &timeline, const QSet<Timeline::Row> &folded, std::vector<bool> wanted)
{
    const qsizetype count = timeline.rowCount();
    for (qsizetype place = qsizetype(wanted.size()) - 1; place >= 0; --place) {
        const Timeline::Row parent = timeline.parent(timeline.rowAt(place));
        if (wanted[size_t(place)] && parent != Timeline::NoRow)
            wanted[size_t(timeline.placeOf(parent))] = true;
    }
    m_leftOut = std::ranges::count(wanted, false);
    m_lines.resize(size_t(count) + 1);
    m_rows.reserve(size_t(count));
    for (qsizetype place = 0; place < count;) {
        const Timeline::Row row = timeline.rowAt(place);
        const quint32 line = quint32(m_rows.size());
        if (!wanted.empty() && !wanted[size_t(place)]) {
            m_lines[size_t(place++)] = line;
            continue;
        }
        const bool folds = !folded.isEmpty() && folded.contains(row);
        const qsizetype end = folds ? timeline.endOf(row) : place + 1;
        m_rows.push_back(row);
        m_isFolded.push_back(end > place + 1);
        for (; place < end; ++place)
            m_lines[size_t(place)] = line;
    }
    m_lines[size_t(count)] = quint32(m_rows.size());
}

bool TimelineLines::shows(const Timeline &timeline, Timeline::Row row) const
{
    const qsizetype line = lineOf(timeline.placeOf(row));
    return line < count() && rowAt(line) == row;
}

qsizetype TimelineLines::endOf(const Timeline &timeline, qsizetype line) const
{
    return std::max(line + 1, lineOf(timeline.endOf(rowAt(line))));
}

qint64 usualDuration(const Timeline &timeline)
{
    constexpr qsizetype most = 500; // latest spans that are measured
    std::vector<qint64> lengths;
    const auto &spans = timeline.spans();
    for (auto span = spans.rbegin(); span != spans.rend() && span - spans.rbegin() < most; ++span) {
        if (span->to > span->from)
            lengths.push_back(span->to - span->from);
    }
    if (lengths.empty())
        return 0;
    const auto middle = lengths.begin() + qsizetype(lengths.size() / 2);
    std::ranges::nth_element(lengths, middle);
    return *middle;
}

std::vector<IdlePeriod> idlePeriods(
    const Timeline &timeline, const QList<qint64> &dues, qint64 until)
{
    constexpr size_t mostBars = 2000;
    // A period of at least 1 s and 8 usual durations is drawn like 2 usual durations.
    constexpr qint64 leastLength = 1000, times = 8, drawnTimes = 2;
    const qint64 usual = usualDuration(timeline);
    if (usual == 0 || timeline.bars().size() > mostBars)
        return {};
    std::vector<qint64> moments(dues.begin(), dues.end());
    moments.insert(moments.end(), { timeline.begin(), until });
    for (const Timeline::Bar &bar : timeline.bars())
        moments.insert(moments.end(), { bar.submitted, bar.started, bar.ended });
    for (const Timeline::Tick &tick : timeline.ticks())
        moments.push_back(tick.at);
    std::ranges::sort(moments);
    std::vector<IdlePeriod> idle;
    double leftOut = 0;
    for (size_t i = 1; i < moments.size(); ++i) {
        const qint64 length = moments[i] - moments[i - 1];
        if (moments[i - 1] < timeline.begin() || length < std::max(leastLength, times * usual))
            continue;
        const auto drawn = double(drawnTimes * usual);
        idle.push_back({ moments[i - 1], moments[i], drawn, leftOut });
        leftOut += double(length) - drawn;
    }
    return idle;
}

double TimelineScale::drawn(qint64 time) const
{
    const auto later = std::ranges::upper_bound(idle, time, {}, &IdlePeriod::from);
    if (later == idle.begin())
        return double(time - begin);
    const IdlePeriod &period = *std::prev(later);
    const auto length = double(period.to - period.from);
    const double share = std::min(1.0, double(time - period.from) / length);
    return double(time - begin) - period.leftOut - share * (length - period.drawn);
}

const IdlePeriod *TimelineScale::idleAt(qint64 time) const
{
    const auto later = std::ranges::lower_bound(idle, time, {}, &IdlePeriod::from);
    return later == idle.begin() || std::prev(later)->to <= time ? nullptr : &*std::prev(later);
}

double TimelineScale::cursorX(qint64 time) const
{
    const IdlePeriod *period = idleAt(time);
    return period ? (x(period->from) + x(period->to)) / 2 : x(time);
}

qint64 TimelineScale::timeAt(double x) const
{
    double time = std::clamp((x - lead) / pixelsPerMs, -9e15, 9e15);
    const auto later = std::ranges::upper_bound(
        idle, time, {}, [this](const IdlePeriod &period) { return drawn(period.from); });
    if (later != idle.begin()) {
        const IdlePeriod &period = *std::prev(later);
        const double inside = time - drawn(period.from), length = double(period.to - period.from);
        time = double(period.from - begin)
            + (inside < period.drawn ? inside * length / period.drawn
                                     : inside + length - period.drawn);
    }
    return begin + qint64(std::llround(time));
}

QRectF TimelineScale::rect(const Timeline &timeline, const TimelineLines &lines,
    Timeline::Row first, Timeline::Row last, qint64 from, qint64 to) const
{
    const double top = y(lines.lineOf(timeline.placeOf(first)));
    const double bottom = y(lines.lineOf(timeline.placeOf(last) + 1));
    // The last row may be folded into a line that also stands for later rows.
    const double least = y(lines.lineOf(timeline.placeOf(last)) + 1);
    return { QPointF(x(from), top), QPointF(x(to), std::max(bottom, least)) };
}

qint64 rulerStep(double pixelsPerMs)
{
    constexpr double least = 70; // pixels
    return roundedUp(qint64(std::ceil(std::min(least / pixelsPerMs, 4e18))));
}

QList<qint64> rulerMarks(const TimelineScale &scale, double left, double right)
{
    const qint64 step = rulerStep(scale.pixelsPerMs), last = scale.timeAt(right);
    QList<qint64> marks;
    for (qint64 at = scale.timeAt(left) / step * step; at <= last; at += step) {
        if (const IdlePeriod *period = scale.idleAt(at))
            at = period->to / step * step;
        else
            marks += at;
    }
    return marks;
}

qint64 roundedUp(qint64 ms)
{
    qint64 power = 1;
    while (power < ms / 10)
        power *= 10;
    for (;; power *= 10) {
        for (const int digit : { 1, 2, 5 }) {
            if (digit * power >= ms)
                return digit * power;
        }
    }
}

void TimelinePicture::setRules(const Rules &of)
{
    rules = &of;
    statusCategories = statusCategoriesOf(of);
    widestChip = 0;
    for (size_t code = 0; code < size_t(of.codeCount()); ++code) {
        const State::Kind kind = of.state(of.stateOf(Code(code))).kind;
        if (kind == State::Kind::Stable || kind == State::Kind::Transitional) {
            const QString title =
                wordTitle(of, of.stateIn(Code(code)).machine, of.shown(Code(code)));
            widestChip =
                std::clamp(chipSize(title, timelineFont(11)).width(), widestChip, mostChipWidth);
        }
    }
}

void TimelinePicture::setWorld(const World &shown, qint64 time)
{
    world = &shown;
    now = time;
    due.clear();
    waits.clear();
    for (const auto &running : world->running) {
        if (running->due > time)
            due.insert(running->serial, running->due);
        if (const QString text = waitText(*rules, *running); !text.isEmpty())
            waits.insert(running->serial, text);
    }
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
    qint64 latest = std::max(now, timeline->end());
    for (const qint64 time : due)
        latest = std::max(latest, time);
    return latest;
}

QRectF TimelinePicture::targetRect(const Timeline::Bar &bar) const
{
    const qsizetype line =
        bar.row == Timeline::NoRow ? -1 : lines->lineOf(timeline->placeOf(bar.row));
    const qint64 from = bar.started == Timeline::NotYet ? bar.submitted : bar.started;
    const double least = bar.isInstant() ? leastSpanWidth : 0;
    return { QPointF(scale.x(from), scale.y(line)),
        QPointF(std::max(scale.x(endOf(bar)), scale.x(from) + least), scale.y(line + 1)) };
}

QRectF TimelinePicture::badgeRect(const Timeline::Bar &bar) const
{
    const double y = targetRect(bar).top() + std::min(scale.rowHeight, 22.0) / 2;
    return centred({ refusalX(bar), y }, { timelineBadge, timelineBadge });
}

double TimelinePicture::refusalX(const Timeline::Bar &bar) const
{
    // Shifts the badge right past those of the same row that it would overlap.
    constexpr size_t mostCompared = 50;
    const std::vector<Timeline::Bar> &bars = timeline->bars();
    const auto index = size_t(&bar - bars.data());
    const double x = scale.x(bar.submitted);
    int overlaps = 0;
    for (size_t i = index; i-- > 0 && index - i < mostCompared;) {
        const Timeline::Bar &other = bars[i];
        if (scale.x(other.submitted) + timelineBadge * (overlaps + 1) <= x)
            break;
        overlaps += other.row == bar.row;
    }
    return x + overlaps * (timelineBadge + 1);
}

QList<qsizetype> TimelinePicture::linesBetween(double top, double bottom) const
{
    QList<qsizetype> result;
    for (auto line = std::max(qsizetype(0), qsizetype(top / scale.rowHeight));
         line < lines->count() && double(line) * scale.rowHeight <= bottom; ++line)
        result += line;
    return result;
}

Timeline::Row TimelinePicture::rowAt(double y) const
{
    const auto line = qsizetype(std::floor(y / scale.rowHeight));
    return y < 0 || line >= lines->count() ? Timeline::NoRow : lines->rowAt(line);
}

const Timeline::Bar *TimelinePicture::barAt(const QPointF &point) const
{
    const std::vector<Timeline::Bar> &bars = timeline->bars();
    const auto isOnBadge = [&](const Timeline::Bar &bar) { return badgeRect(bar).contains(point); };
    if (isSplit) { // no spans are painted, and only the first of badges that overlap
        const auto bar = std::ranges::find_if(bars, isOnBadge);
        return bar == bars.end() ? nullptr : &*bar;
    }
    for (auto bar = bars.rbegin(); bar != bars.rend(); ++bar) { // marks and badges lie on top
        if ((bar->failedAtOnce() && isOnBadge(*bar))
            || (bar->isInstant() && targetRect(*bar).adjusted(-1, 0, 1, 0).contains(point)))
            return &*bar;
    }
    const auto &spans = timeline->spans();
    for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
        const Timeline::Bar &bar = bars[span->bar];
        const qint64 to = span->to == Timeline::NotYet ? endOf(bar) : span->to;
        QRectF rect = scale.rect(*timeline, *lines, span->first, span->last, span->from, to);
        rect.setWidth(std::max(rect.width(), leastSpanWidth));
        if (rect.adjusted(-1, 0, 1, 0).contains(point))
            return &bar;
    }
    for (const Timeline::Bar &bar : bars) { // waiting operations have no span
        QRectF rect = targetRect(bar);
        rect.setLeft(scale.x(bar.submitted) - timelineBadge / 2);
        if (bar.status == Status::Waiting && rect.contains(point))
            return &bar;
    }
    return nullptr;
}

TimelinePicture::Columns TimelinePicture::columns(double width) const
{
    const int levels = std::max(1, timeline->levels());
    const double chips = widestChip + 8 + (conformance ? violationSign : 0);
    const double states = width < 140 ? 18 : std::min(chips, width * 0.6);
    return { std::min(14.0, width * 0.25 / levels), width - states };
}

double TimelinePicture::usualTreeWidth() const
{
    constexpr qsizetype mostMeasured = 400; // rows
    const QFontMetricsF metrics(timelineFont(13, QFont::DemiBold));
    double names = 0;
    for (qsizetype place = 0; place < std::min(timeline->rowCount(), mostMeasured); ++place) {
        const Timeline::Row row = timeline->rowAt(place);
        names = std::max(
            names, 14 * timeline->depth(row) + metrics.horizontalAdvance(timeline->name(row)));
    }
    return std::clamp(4 + timelineFoldArrow + (icon ? 20 : 0) + names + 10 + widestChip + 8
            + (conformance ? violationSign : 0),
        160.0, 420.0);
}

StatusCategory TimelinePicture::statusCategoryAt(Timeline::Row row) const
{
    const Resource resource = resourceAt(row);
    return resource == NoResource ? StatusCategory::Absent
                                  : statusCategoryOf(rules->stateOf(world->tree.code(resource)));
}

QString TimelinePicture::wordAt(Timeline::Row row) const
{
    const Resource resource = resourceAt(row);
    return resource == NoResource ? TimelineTexts::tr("absent")
                                  : shownTitle(*rules, *world, resource);
}

QString barText(const Timeline::Bar &bar)
{
    return (bar.request ? bar.request->op : QString()) + u' ' + bar.path.section(u'/', -1);
}

QFont timelineFont(int pixels, QFont::Weight weight)
{
    QFont font;
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

QColor timelineGridColour(const Theme &theme)
{
    return mixed(theme.base, theme.line, 0.25);
}

} // namespace instar
