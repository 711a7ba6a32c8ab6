// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/timeline.h"

#include <QRectF>
#include <QSet>

namespace instar {

/// Map from the rows of a timeline to lines of a picture: a folded subtree is one line, and some
/// rows may be left out.
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
    /// Line that shows a place of the timeline: its own, that of the folded row around it, or the
    /// next one if the row is left out.
    qsizetype lineOf(qsizetype place) const { return m_lines[size_t(place)]; }
    /// Whether a line stands for more than its own row.
    bool isFolded(qsizetype line) const { return m_isFolded[size_t(line)]; }
    /// First line after a line and its descendants.
    qsizetype endOf(const Timeline &timeline, qsizetype line) const;
    /// Whether a row has a line of its own, neither left out nor folded away.
    bool shows(const Timeline &timeline, Timeline::Row row) const;

private:
    std::vector<Timeline::Row> m_rows;
    std::vector<quint32> m_lines; ///< place -> line; one more at the end
    std::vector<bool> m_isFolded; ///< line ->
    qsizetype m_leftOut = 0;
};

/// Idle time that is drawn shorter than it is.
struct TimelineFold
{
    qint64 from = 0, to = 0;
    double drawn = 0;   ///< ms that are drawn
    double leftOut = 0; ///< ms that the earlier folds omit
    bool operator==(const TimelineFold &) const = default;
};
/// Returns the folds of a run: times without an event that are many times longer than its usual
/// operations. `until`: the latest time shown; `dues`: ends of running work.
std::vector<TimelineFold> idleFolds(
    const Timeline &timeline, const QList<qint64> &dues, qint64 until);
/// Median duration of the ended spans, in ms; 0: there is none.
qint64 usualDuration(const Timeline &timeline);

/// Height that a row needs for its name and its state, in points.
inline constexpr double leastRowHeight = 18;

/// Scale of a timeline's picture: pixels of times and lines.
struct TimelineScale
{
    double rowHeight = 22;
    double pixelsPerMs = 0.1;
    qint64 begin = 0;
    double lead = 22;                ///< pixels before the beginning, for the badges there
    std::vector<TimelineFold> folds; ///< by time
    bool operator==(const TimelineScale &) const = default;

    double x(qint64 time) const { return lead + drawn(time) * pixelsPerMs; }
    /// Milliseconds from the beginning to a time, without those that folds omit.
    double drawn(qint64 time) const;
    /// Fold that contains a time; null: none.
    const TimelineFold *foldAt(qint64 time) const;
    double y(qsizetype line) const { return double(line) * rowHeight; }
    qint64 timeAt(double x) const;
    /// Rectangle of adjacent rows from one time to another.
    QRectF rect(const Timeline &timeline, const TimelineLines &lines, Timeline::Row first,
        Timeline::Row last, qint64 from, qint64 to) const;
};

/// Distance of a ruler's marks in ms: 1, 2 or 5 times a power of ten.
qint64 rulerStep(double pixelsPerMs);
/// Times of a ruler's marks between two x; none in folds.
QList<qint64> rulerMarks(const TimelineScale &scale, double left, double right);
/// Least such distance that is not shorter than `ms`.
qint64 roundedUp(qint64 ms);

} // namespace instar
