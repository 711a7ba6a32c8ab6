// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/tracks.h"
#include "views/drawing/theme.h"
#include "views/drawing/timelinelines.h"

#include <QIcon>

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

/// What is said of a row besides its state: what a server's rules allow.
struct TimelineNote
{
    QString text;
    bool isWrong = false; ///< the server left the rules
};

/// Everything that a timeline is painted from.
struct TimelinePicture
{
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const TimelineLines> lines;
    std::shared_ptr<const std::vector<TimelineRest>> rests;
    const Rules *rules = nullptr;
    const World *world = nullptr; ///< at the moment that is shown, as the timeline shows it
    std::vector<StatusCategory> statusCategories; ///< state ->
    double widestChip = 0;                        ///< of all states
    qint64 now = 0;                               ///< the cursor; virtual ms
    QHash<quint32, qint64> due;                   ///< serial -> when its work ends by itself
    QHash<quint32, QString> waits;                ///< serial -> "waits until ..."
    std::optional<qint64> until;                  ///< whatever is later is left out
    bool isRemote = false;                        ///< the edges are when something was seen
    const Tracks *tracks =
        nullptr; ///< what was seen beside what the rules allow; null: nobody knows
    bool showsCursor = true;
    TimelineScale scale;

    Timeline::Row selected = Timeline::NoRow, hovered = Timeline::NoRow;
    quint32 selectedBar = 0, hoveredBar = 0; ///< serials; 0: none
    QSet<Timeline::Row> highlighted;         ///< rows that are spoken of elsewhere: they stand out
    QList<TimelineWave> waves;

    std::function<QIcon(Timeline::Row)> icon;        ///< of its type; none: rows have no icons
    std::function<TimelineNote(Timeline::Row)> note; ///< none: nothing is said
    /// Said of what is painted next, for files that keep it: a key and its value.
    std::function<void(QPainter &, const QString &, const QString &)> mark;

    void setRules(const Rules &of);
    /// Sets the moment shown, with what is known of the operations that run then.
    void setWorld(const World &shown, qint64 time);
    /// None: what a server works at is not known; something is in motion.
    StatusCategory statusCategoryOf(Rules::StateId state) const;
    /// NoResource: it is not there, or no more, though the timeline has not been told yet.
    Resource resourceAt(Timeline::Row row) const;
    /// When it ends, as far as is known at the moment that is shown.
    qint64 endOf(const Timeline::Bar &bar) const;
    /// The latest time that there is anything at.
    qint64 end() const;
    /// Where an operation is at its target.
    QRectF targetRect(const Timeline::Bar &bar) const;
    /// Where the mark of a refused operation is, beside those of its target at the same moment.
    double refusalX(const Timeline::Bar &bar) const;
    /// One resource, or one operation.
    Timeline::Row rowAt(double y) const;
    const Timeline::Bar *barAt(const QPointF &point) const; ///< null: none
    /// Where the columns of the tree begin, in an area so wide.
    struct Columns
    {
        double step;                  ///< indent of a level
        double states;                ///< names end here
        double notes;                 ///< and states here
        double left(int depth) const; ///< where a row's fold arrow begins
    };
    Columns columns(double width) const;
    /// So wide that names and states of the first rows are whole.
    double usualTreeWidth() const;
};

/// A ruler's height, in points.
inline constexpr double timelineRuler = 32;
/// Between the tree and the time.
inline constexpr double timelineGap = 24;

/// The tree as it is at the moment shown, a row a resource. `area` is on the painter; `top` the y
/// of the whole picture at its upper edge.
void paintTimelineTree(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double top, const Theme &theme);
/// What happened: rectangles of the resources that operations affected. `corner` is the point of
/// the whole picture at the upper left.
void paintTimelineTime(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    const QPointF &corner, const Theme &theme);
/// The times above, and the cursor through everything below it.
void paintTimelineRuler(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double left, double cursorBottom, const Theme &theme);
/// All of it, as files have it; a tree of width 0 is left out.
QSizeF timelineSize(const TimelinePicture &picture, double treeWidth);
void paintTimeline(
    QPainter &painter, const TimelinePicture &picture, double treeWidth, const Theme &theme);

/// "PUT Transit": an operation and its target's name.
QString barText(const Timeline::Bar &bar);

} // namespace instar
