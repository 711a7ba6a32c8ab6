// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/tracks.h"
#include "views/drawing/theme.h"
#include "views/drawing/timelinelines.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFont>
#include <QIcon>

#include <functional>
#include <memory>

class QPainter;

namespace instar {

/// Wave that runs over an operation's affected resources, from its target, when it begins.
struct TimelineWave
{
    quint32 serial = 0;
    int farthest = 1;    ///< greatest distance in the tree of an affected resource
    bool isBack = false; ///< it was canceled: the wave runs back
    QElapsedTimer since;
    double done() const { return std::min(1.0, double(since.elapsed()) / 360); } ///< 0 to 1
};

/// Note beside a row's state: its expected state.
struct TimelineNote
{
    QString text;
    bool isWrong = false; ///< the server violates the rules
};

/// Picture of a timeline: everything that it is painted from.
struct TimelinePicture
{
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const TimelineLines> lines;
    const Rules *rules = nullptr;
    const World *world = nullptr;                 ///< at the moment shown
    std::vector<StatusCategory> statusCategories; ///< state ->
    double widestChip = 0;                        ///< of all states
    qint64 now = 0;                               ///< the cursor; virtual ms
    QHash<quint32, qint64> due;                   ///< serial -> when its work ends by itself
    QHash<quint32, QString> waits;                ///< serial -> "waits until ..."
    bool isRemote = false;                        ///< the edges are times of observations
    const Tracks *tracks = nullptr;               ///< observed and expected states; null: unknown
    bool showsCursor = true;
    TimelineScale scale;

    Timeline::Row selected = Timeline::NoRow, hovered = Timeline::NoRow;
    quint32 selectedBar = 0, hoveredBar = 0; ///< serials; 0: none
    QSet<Timeline::Row> highlighted;         ///< rows that stand out
    QList<TimelineWave> waves;

    std::function<QIcon(Timeline::Row)> icon;        ///< of its type; may be empty
    std::function<TimelineNote(Timeline::Row)> note; ///< may be empty
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
    /// End of an operation, as far as it is known at the moment shown.
    qint64 endOf(const Timeline::Bar &bar) const;
    /// Latest time at which anything is drawn.
    qint64 end() const;
    /// Rectangle of an operation at its target.
    QRectF targetRect(const Timeline::Bar &bar) const;
    /// X of a refused operation's badge, beside others of its target at the same time.
    double refusalX(const Timeline::Bar &bar) const;
    /// Lines that are seen between two y.
    QList<qsizetype> linesBetween(double top, double bottom) const;
    // hit tests
    Timeline::Row rowAt(double y) const;
    const Timeline::Bar *barAt(const QPointF &point) const; ///< null: none
    /// X of the tree's columns, in an area of a given width.
    struct Columns
    {
        double step;                                              ///< indent of a level
        double states;                                            ///< end of the names
        double notes;                                             ///< end of the states
        double left(int depth) const { return 4 + depth * step; } ///< of a row's fold arrow
    };
    Columns columns(double width) const;
    /// Width at which names and states of the first rows are not elided.
    double usualTreeWidth() const;
};

/// Operation and its target's name: "PUT Transit".
QString barText(const Timeline::Bar &bar);
struct TimelineTexts
{
    Q_DECLARE_TR_FUNCTIONS(instar::Timeline)
};
QFont timelineFont(int pixels, QFont::Weight weight = QFont::Normal);
/// Colour of the line below a row; stronger below the last row of a tree.
QColor timelineRowColour(const TimelinePicture &picture, qsizetype line, const Theme &theme);
/// Sizes in points: a fold arrow's width, a badge's diameter, the greatest height of a text.
inline constexpr double timelineFoldArrow = 13, timelineBadge = 16, timelineTextHeight = 24;

} // namespace instar
