// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/timelinelines.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

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
    constexpr qsizetype most = 500; // of the last ones
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

std::vector<TimelineFold> idleFolds(
    const Timeline &timeline, const QList<qint64> &dues, qint64 until)
{
    constexpr size_t mostBars = 2000;
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
    std::vector<TimelineFold> folds;
    double leftOut = 0;
    for (size_t i = 1; i < moments.size(); ++i) {
        const qint64 length = moments[i] - moments[i - 1];
        if (moments[i - 1] < timeline.begin() || length < std::max(leastLength, times * usual))
            continue;
        const auto drawn = double(drawnTimes * usual);
        folds.push_back({ moments[i - 1], moments[i], drawn, leftOut });
        leftOut += double(length) - drawn;
    }
    return folds;
}

double TimelineScale::drawn(qint64 time) const
{
    const auto later = std::ranges::upper_bound(folds, time, {}, &TimelineFold::from);
    if (later == folds.begin())
        return double(time - begin);
    const TimelineFold &fold = *std::prev(later);
    const auto length = double(fold.to - fold.from);
    const double share = std::min(1.0, double(time - fold.from) / length);
    return double(time - begin) - fold.leftOut - share * (length - fold.drawn);
}

const TimelineFold *TimelineScale::foldAt(qint64 time) const
{
    const auto later = std::ranges::lower_bound(folds, time, {}, &TimelineFold::from);
    return later == folds.begin() || std::prev(later)->to <= time ? nullptr : &*std::prev(later);
}

qint64 TimelineScale::timeAt(double x) const
{
    double time = std::clamp((x - lead) / pixelsPerMs, -9e15, 9e15);
    const auto later = std::ranges::upper_bound(
        folds, time, {}, [this](const TimelineFold &fold) { return drawn(fold.from); });
    if (later != folds.begin()) {
        const TimelineFold &fold = *std::prev(later);
        const double inside = time - drawn(fold.from), length = double(fold.to - fold.from);
        time = double(fold.from - begin)
            + (inside < fold.drawn ? inside * length / fold.drawn : inside + length - fold.drawn);
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
        if (const TimelineFold *fold = scale.foldAt(at))
            at = fold->to / step * step;
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

} // namespace instar
