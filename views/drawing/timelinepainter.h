// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/tracks.h"
#include "views/drawing/theme.h"
#include "views/drawing/timelinelines.h"

#include <QFont>

#include <functional>
#include <memory>

class QPainter;

namespace instar {

/// An operation has begun, or was canceled: a wave runs from its target over all that it covers.
struct TimelineWave
{
    quint32 serial = 0;
    int farthest = 1;    ///< steps along the tree to what it covers
    double done = 0;     ///< 0 to 1
    bool isBack = false; ///< it was canceled: the wave runs back
};

/// Everything that a timeline is painted from.
struct TimelinePicture
{
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const TimelineLines> lines;
    std::shared_ptr<const TimelineLanes> lanes; ///< null: lines are resources
    std::shared_ptr<const std::vector<TimelineRest>> rests;
    const Rules *rules = nullptr;
    const World *world = nullptr; ///< at the moment that is shown, as the timeline shows it
    std::vector<StatusCategory> statusCategories; ///< state ->
    qint64 now = 0;                               ///< the cursor; virtual ms
    QHash<quint32, qint64> due;                   ///< serial -> when its work ends by itself
    std::optional<qint64> until;                  ///< whatever is later is left out
    bool isRemote = false;                        ///< the edges are when something was seen
    const Tracks *tracks =
        nullptr; ///< what was seen beside what the rules allow; null: nobody knows
    bool showsCursor = true;
    bool isMap = false; ///< a small picture of everything: shapes and colours only
    TimelineScale scale;

    Timeline::Row selected = Timeline::NoRow, hovered = Timeline::NoRow;
    quint32 selectedBar = 0, hoveredBar = 0; ///< serials; 0: none
    QSet<Timeline::Row> lookedAt;            ///< rows that are spoken of elsewhere: they stand out
    QString sought; ///< rows with it in their name stand out; empty: all do
    QList<TimelineWave> waves;

    /// Said of what is painted next, for files that keep it: a key and its value.
    std::function<void(QPainter &, const QString &, const QString &)> mark;

    void setRules(const Rules &of);
    /// None: what a server works at is not known; something is in motion.
    StatusCategory statusCategoryOf(Rules::StateId state) const;
    /// NoResource: it is not there, or no more, though the timeline has not been told yet.
    Resource resourceAt(Timeline::Row row) const;
    /// When it ends, as far as is known at the moment that is shown.
    qint64 endOf(const Timeline::Bar &bar) const;
    /// The latest time that there is anything at.
    qint64 end() const;
    qsizetype lineCount() const; ///< of resources, or of lanes
    /// Where an operation is at its target, or in its lane.
    QRectF targetRect(const Timeline::Bar &bar) const;
    /// One resource, or one operation.
    Timeline::Row rowAt(double y) const;
    const Timeline::Bar *barAt(const QPointF &point) const; ///< null: none
    /// How far right the column of a level begins, of an area so wide.
    double column(int level, double width) const;
};

/// A ruler's height, in points.
inline constexpr double timelineRuler = 26;
/// Between the present and the time.
inline constexpr double timelineGap = 24;

/// The present: a block a resource, as high as what is below it, a column a level. `area` is on the
/// painter; `top` the y of the whole picture at its upper edge.
void paintTimelineBlocks(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double top, const Theme &theme);
/// What happened: rectangles of what operations answered for. `corner` is the point of the whole
/// picture at the upper left.
void paintTimelineTime(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    const QPointF &corner, const Theme &theme);
/// The times above, and the cursor through everything below it.
void paintTimelineRuler(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double left, double cursorBottom, const Theme &theme);
/// All of it, as files have it: `blocks` is how wide the present is; 0: it is left out.
QSizeF timelineSize(const TimelinePicture &picture, double blocks);
void paintTimeline(
    QPainter &painter, const TimelinePicture &picture, double blocks, const Theme &theme);

/// "PUT Transit": an operation and its target's name.
QString barText(const Timeline::Bar &bar);

} // namespace instar
