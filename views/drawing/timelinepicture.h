// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/timeline.h"
#include "model/items/liveconformance.h"
#include "views/drawing/theme.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFont>
#include <QIcon>
#include <QRectF>
#include <QSet>

#include <functional>
#include <memory>

class QPainter;

namespace instar {

/// Map from the rows of a timeline to lines of a picture: a folded subtree is one line, and some
/// rows may be left out.
class TimelineLines
{
public:
    TimelineLines() = default;
    /// `wanted`: rows to show, by position in the tree's order; empty: every row. Their ancestors
    /// have lines, too.
    explicit TimelineLines(const Timeline &timeline, const QSet<Timeline::Row> &folded = {},
        std::vector<bool> wanted = {});

    qsizetype count() const { return qsizetype(m_rows.size()); }
    /// Number of rows left out, without those in a folded subtree.
    qsizetype leftOut() const { return m_leftOut; }
    Timeline::Row rowAt(qsizetype line) const { return m_rows[size_t(line)]; }
    /// Line for the timeline's row at index `place`: the row's own line, the line of the folded row
    /// around the row, or the next line if the row is left out.
    qsizetype lineOf(qsizetype place) const { return m_lines[size_t(place)]; }
    /// True if the line also stands for the descendants of its row.
    bool isFolded(qsizetype line) const { return m_isFolded[size_t(line)]; }
    /// First line after a line and its descendants.
    qsizetype endOf(const Timeline &timeline, qsizetype line) const;
    /// True if a row has a line of its own: it is neither left out nor folded away.
    bool shows(const Timeline &timeline, Timeline::Row row) const;

private:
    std::vector<Timeline::Row> m_rows;
    std::vector<quint32> m_lines; ///< index of a timeline's row -> line; at the end, count()
    std::vector<bool> m_isFolded; ///< by line
    qsizetype m_leftOut = 0;
};

/// Idle period that is drawn shorter than its duration.
struct IdlePeriod
{
    qint64 from = 0, to = 0;
    double drawn = 0;   ///< length that is drawn, in ms
    double leftOut = 0; ///< total length omitted from earlier periods, in ms
    bool operator==(const IdlePeriod &) const = default;
};
/// Idle periods of a run that are many times longer than its usual operations. `until`:
/// the latest time shown; `dues`: ends of running work.
std::vector<IdlePeriod> idlePeriods(
    const Timeline &timeline, const QList<qint64> &dues, qint64 until);
/// Median duration of the ended spans, in ms; 0: none has ended.
qint64 usualDuration(const Timeline &timeline);

/// Height that a row needs for its name and its state, in points.
inline constexpr double leastRowHeight = 18;
/// Width of the mark of an operation that would be drawn narrower, in points.
inline constexpr double leastSpanWidth = 3;

/// Mapping of times and lines to pixels.
struct TimelineScale
{
    double rowHeight = 22;
    double pixelsPerMs = 0.1;
    qint64 begin = 0;
    double lead = 22;             ///< pixels before the beginning, for the badges there
    std::vector<IdlePeriod> idle; ///< by time
    bool operator==(const TimelineScale &) const = default;

    double x(qint64 time) const { return lead + drawn(time) * pixelsPerMs; } ///< pixels
    /// X of the cursor at a time: within an idle period, its middle.
    double cursorX(qint64 time) const;
    /// Milliseconds from the beginning to a time, without omitted time.
    double drawn(qint64 time) const;
    /// Idle period that contains a time; null: none.
    const IdlePeriod *idleAt(qint64 time) const;
    double y(qsizetype line) const { return double(line) * rowHeight; }
    qint64 timeAt(double x) const; ///< inverse of x()
    /// Rectangle of adjacent rows from one time to another.
    QRectF rect(const Timeline &timeline, const TimelineLines &lines, Timeline::Row first,
        Timeline::Row last, qint64 from, qint64 to) const;
};

/// Distance of a ruler's marks in ms, by roundedUp().
qint64 rulerStep(double pixelsPerMs);
/// Times of a ruler's marks between two x; none in idle periods.
QList<qint64> rulerMarks(const TimelineScale &scale, double left, double right);
/// Rounds up to a possible distance of a ruler's marks: 1, 2 or 5 times a power of ten.
qint64 roundedUp(qint64 ms);

/// Animated wave over an operation's affected resources, which starts at the operation's target.
struct TimelineWave
{
    quint32 serial = 0;
    bool isBack = false; ///< runs back to the target: the operation was canceled
    QElapsedTimer since;
    double done() const { return std::min(1.0, double(since.elapsed()) / 360); } ///< 0 to 1
};

/// Data from which a timeline is painted, and the geometry of its parts.
struct TimelinePicture
{
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const TimelineLines> lines;
    const Rules *rules = nullptr;
    const World *world = nullptr;                 ///< at the moment shown
    std::vector<StatusCategory> statusCategories; ///< by state
    double widestChip = 0;                        ///< width of the widest state, in points
    qint64 now = 0;                               ///< the cursor; virtual ms
    QHash<quint32, qint64> due;                   ///< serial -> planned end of its work
    QHash<quint32, QString> waits;                ///< serial -> "waits until ..."
    bool isRemote = false;                        ///< bars begin and end at times of observations
    const LiveConformance *conformance = nullptr; ///< of a server; may be null
    bool isSplit = false; ///< lines show observed and expected states; operations are badges
    bool showsCursor = true;
    TimelineScale scale;

    Timeline::Row selected = Timeline::NoRow, hovered = Timeline::NoRow;
    quint32 selectedBar = 0, hoveredBar = 0; ///< serials; 0: none
    QSet<Timeline::Row> highlighted;         ///< rows that stand out
    QList<TimelineWave> waves;

    std::function<QIcon(Timeline::Row)> icon; ///< of the row's type; may be empty
    /// Called before an element is painted, with a key and value that SVG keeps; may be empty.
    std::function<void(QPainter &, const QString &, const QString &)> mark;

    void setRules(const Rules &of);
    /// Sets the moment shown, and the due times of the operations that run then.
    void setWorld(const World &shown, qint64 time);
    /// Status category of a state; Working for None, the unknown state of a busy resource.
    StatusCategory statusCategoryOf(Rules::StateId state) const;
    /// Status category of a row's resource, and the word that it shows.
    StatusCategory statusCategoryAt(Timeline::Row row) const;
    QString wordAt(Timeline::Row row) const;
    /// Resource of a row; NoResource: it does not exist at the moment shown.
    Resource resourceAt(Timeline::Row row) const;
    /// End of an operation; while it runs, its planned end or the moment shown.
    qint64 endOf(const Timeline::Bar &bar) const;
    /// Latest time at which anything is drawn.
    qint64 end() const;
    /// Rectangle of an operation at its target; of an instantaneous one, a mark in its row.
    QRectF targetRect(const Timeline::Bar &bar) const;
    /// X of a refused operation's badge, beside others of its target at the same time.
    double refusalX(const Timeline::Bar &bar) const;
    QRectF badgeRect(const Timeline::Bar &bar) const; ///< badge at an operation's begin
    QList<qsizetype> linesBetween(double top, double bottom) const;
    Timeline::Row rowAt(double y) const;
    const Timeline::Bar *barAt(const QPointF &point) const; ///< null: none
    /// X of the tree's columns, in an area of a given width.
    struct Columns
    {
        double step;                                              ///< indent of a level
        double states;                                            ///< end of the names
        double left(int depth) const { return 4 + depth * step; } ///< of a row's fold arrow
    };
    Columns columns(double width) const;
    /// Width at which names and states of the first rows are not elided.
    double usualTreeWidth() const;
};

/// "PUT Transit".
QString barText(const Timeline::Bar &bar);
/// Context of the translated texts of timelines.
struct TimelineTexts
{
    Q_DECLARE_TR_FUNCTIONS(instar::Timeline)
};
QFont timelineFont(int pixels, QFont::Weight weight = QFont::Normal);
/// Colour of a timeline's grid: weaker in every theme than the edge of a bar.
QColor timelineGridColour(const Theme &theme);
/// Points: fold arrow's width, badge's diameter, greatest height of a text, violation sign's side.
inline constexpr double timelineFoldArrow = 13, timelineBadge = 16, timelineTextHeight = 24,
                        violationSign = 16;

/// Height of the ruler, and space between the tree and the time axis, in points.
inline constexpr double timelineRuler = 32, timelineGap = 24;

/// Paints the resource tree at the moment shown into `area` of the painter, beginning at y = `top`
/// of the whole picture.
void paintTimelineTree(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double top, const Theme &theme);
/// Paints operations as rectangles of their affected resources into `area` of the painter,
/// beginning at the point `corner` of the whole picture.
void paintTimelineTime(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    const QPointF &corner, const Theme &theme);
/// Paints the ruler of times, beginning at x = `left` of the whole picture, and the cursor down to
/// `cursorBottom`.
void paintTimelineRuler(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double left, double cursorBottom, const Theme &theme);
/// Size of the whole picture, as in files; a tree of width 0 is omitted.
QSizeF timelineSize(const TimelinePicture &picture, double treeWidth);
void paintTimeline(
    QPainter &painter, const TimelinePicture &picture, double treeWidth, const Theme &theme);

} // namespace instar
