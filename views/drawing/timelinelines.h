// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/timeline.h"

#include <QRectF>
#include <QSet>

namespace instar {

/// The rows of a timeline as lines of a picture: a folded subtree is one line, and some rows may be
/// left out.
class TimelineLines
{
public:
    TimelineLines() = default;
    /// `wanted` is by place; empty: every row. The ancestors of a wanted row have lines, too.
    explicit TimelineLines(const Timeline &timeline, const QSet<Timeline::Row> &folded = {},
        std::vector<bool> wanted = {});

    qsizetype count() const { return qsizetype(m_rows.size()); }
    /// Number of rows that are left out; those in a folded subtree are not.
    qsizetype leftOut() const { return m_leftOut; }
    Timeline::Row rowAt(qsizetype line) const { return m_rows[size_t(line)]; }
    /// The line that shows a place of the timeline: its own, that of what it is folded into, or the
    /// next one where it is left out.
    qsizetype lineOf(qsizetype place) const { return m_lines[size_t(place)]; }
    /// Whether a line stands for more than its own row.
    bool isFolded(qsizetype line) const { return m_isFolded[size_t(line)]; }
    /// The line after a line and all below it.
    qsizetype endOf(const Timeline &timeline, qsizetype line) const;
    /// Whether a row has a line of its own: it is neither left out nor folded away.
    bool shows(const Timeline &timeline, Timeline::Row row) const;

private:
    std::vector<Timeline::Row> m_rows;
    std::vector<quint32> m_lines; ///< place -> line; one more at the end
    std::vector<bool> m_isFolded; ///< line ->
    qsizetype m_leftOut = 0;
};

/// Rows that rest as failed work has left them, until something else takes them on.
struct TimelineRest
{
    Timeline::Row first = Timeline::NoRow, last = Timeline::NoRow;
    qint64 from = 0, to = Timeline::GoesOn;
};
std::vector<TimelineRest> failedRests(const Timeline &timeline);

/// A stretch of time in which nothing happens, drawn shorter than it is.
struct TimelineFold
{
    qint64 from = 0, to = 0;
    double drawn = 0;   ///< ms that it takes on the picture
    double leftOut = 0; ///< ms that the folds before it leave out
    bool operator==(const TimelineFold &) const = default;
};
/// The folds of a run: stretches without an event that last many times as long as its operations
/// usually do. `until` is the latest time shown; `dues` are when running work ends.
std::vector<TimelineFold> idleFolds(
    const Timeline &timeline, const QList<qint64> &dues, qint64 until);
/// Median length of the spans that have ended, in ms; 0: there is none.
qint64 usualDuration(const Timeline &timeline);

/// Height that a row needs for its name and its state, in points.
inline constexpr double leastRowHeight = 18;

/// Where times and lines are, in pixels of the whole picture.
struct TimelineScale
{
    double rowHeight = 22;
    double pixelsPerMs = 0.1;
    qint64 begin = 0;
    double lead = 22;                ///< before the beginning: who asked is marked around it
    std::vector<TimelineFold> folds; ///< by time
    bool operator==(const TimelineScale &) const = default;

    double x(qint64 time) const { return lead + drawn(time) * pixelsPerMs; }
    /// Milliseconds from the beginning to a time, without what folds leave out.
    double drawn(qint64 time) const;
    /// The fold that a time is inside of; null: none.
    const TimelineFold *foldAt(qint64 time) const;
    double y(qsizetype line) const { return double(line) * rowHeight; }
    qint64 timeAt(double x) const;
    /// Where neighbours are: from the line of the first to that of the last one, from begin to end.
    QRectF rect(const Timeline &timeline, const TimelineLines &lines, Timeline::Row first,
        Timeline::Row last, qint64 from, qint64 to) const;
};

/// How far apart, in ms, the marks of a ruler are that are at least so many pixels apart: 1, 2 or 5
/// of a power of ten.
qint64 rulerStep(double pixelsPerMs, double pixels);
/// The least such length that is at least so long.
qint64 roundedUp(qint64 ms);

} // namespace instar
