// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "views/canvas.h"
#include "views/drawing/sheet.h"
#include "views/drawing/timelinepicture.h"
#include "views/look.h"
#include "views/selection.h"

#include <QBasicTimer>

class QMenu;

namespace instar {

/// Timeline of a run: on the left the resource tree, one row per resource; on the right, over time,
/// rectangles of the resources that each operation affects. The cost of a frame depends on the
/// visible rows, not on the number of resources.
class TimelineView : public Canvas
{
    Q_OBJECT
public:
    /// OnlyTouched: rows that an operation has affected, and selected or highlighted rows. A small
    /// tree, or a tree without any operation yet, shows all rows.
    enum class Shows { Everything, OnlyTouched };

    TimelineView(Controller &controller, Selection &selection, QWidget *parent = nullptr);

    void setMotion(Motion motion) { m_motion = motion; }
    /// Shows observations beside the states that the rules allow; null: does not.
    void setConformance(const LiveConformance *conformance);
    /// Splits each row into observed and expected states, if there is a conformance.
    void setSplit(bool split);
    /// Highlights the rows of these resources, and does not follow the cursor meanwhile.
    void setHighlighted(const QStringList &paths);
    /// Limits the time (ms) seen at once until the user zooms; 0: a multiple of a usual operation.
    void setMostSeen(qint64 time);
    /// Shortens idle time on the axis; the default.
    void setShortensIdle(bool shortens);
    Shows shows() const { return m_shows; }
    void setShows(Shows shows);
    /// Shows only rows with all these words in their name, type or state, and their ancestors, all
    /// unfolded; no words: every row.
    void setFilter(const QStringList &words);
    /// Number of rows that are not shown because no operation has affected them.
    qsizetype untouchedRows() const;
    /// Number of existing resources that match the filter; all if it is empty.
    qsizetype matches() const { return m_matches; }
    /// Selects the first row that matches the filter, unless the selected row matches.
    void goToMatch();
    /// Sets the text shown without resources; empty: the usual one.
    void setPlaceholder(const QString &sentence);
    /// Places a widget above the tree, as wide as the tree.
    void setHead(QWidget *head);
    /// Adds the commands of the selected resource; without one, those that create a resource.
    void fillMenu(QMenu &menu);
    /// Adds the commands for folding and sizes.
    void fillViewMenu(QMenu &menu);

    /// Hides the records after the moment shown until they happen again.
    void hideLater();
    void setFolded(Timeline::Row row, bool folded);
    /// Folds the rows of a tree level, from 0; unfolds all others.
    void foldAtLevel(int level);
    bool isFolded(Timeline::Row row) const { return m_folded.contains(row); }

    void zoomBy(double factor, const QPointF &around) override; ///< zooms the time axis
    /// Restores the usual time scale, which follows the run.
    void fit() override;
    void reveal(Timeline::Row row);

    const TimelinePicture &picture() const { return m_picture; }
    QRectF treeArea() const; ///< in the viewport, as the next two
    QRectF timeArea() const;
    QRectF rulerArea() const;
    QPointF corner() const; ///< point of the whole picture at the upper left of timeArea()
    QRectF rectOf(Timeline::Row row) const; ///< its line, in the viewport
    bool isWaving() const { return m_ticker.isActive(); }
    /// Explains the state of a row or an operation, as HTML.
    QString whyRow(Timeline::Row row) const;
    QString whyBar(const Timeline::Bar &bar) const;
    /// Text of a row's observed and expected state at a time; empty: no observation.
    QString beside(Timeline::Row row, qint64 time) const;
    QSizeF pictureSize() const override { return timelineSize(wholePicture(), treeWidth()); }
    void paintAll(QPainter &painter) const override;

    /// Resources in sight, then operations, of which only the newest if there are very many.
    QList<CanvasPart> parts() const override;
    QString nameOf(const CanvasPart &part) const override;
    QString descriptionOf(const CanvasPart &part) const override;
    QRect areaOf(const CanvasPart &part) const override;
    /// Topmost part at a point: operations lie above their resources.
    std::optional<CanvasPart> partAt(const QPoint &point) const override;
    bool isSelected(const CanvasPart &part) const override;
    std::optional<bool> isExpanded(const CanvasPart &part) const override;
    void activate(const CanvasPart &part) override;

signals:
    void operationAsked(const QString &operation, const QString &path);
    void childAsked(const QString &parentPath);
    void fireAsked(const QString &path);
    void whyAsked(const QString &path);
    void whyOperationAsked(quint32 serial);
    /// The user drags the cursor to a virtual time.
    void timeAsked(qint64 time);
    void linesChanged(); ///< other rows are shown

public slots:
    /// Selects a resource and scrolls to a time (ms), which stays in sight until the user scrolls.
    void showMoment(const QString &path, qint64 time);

protected:
    void setFocused(std::optional<CanvasPart> part) override { activate(*part); }
    QString tipAt(const QPoint &point) const override;
    void clearHover() override { hover({ -1, -1 }); }
    void drawBackground(QPainter *painter, const QRectF &rect) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void timerEvent(QTimerEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    enum class UpdateKind { Live, Jumped }; ///< live updates are animated
    void rebuild();
    void sync(UpdateKind kind);
    QSet<Timeline::Row> rowsAt(const QStringList &paths) const;
    QStringList foldedPaths() const;
    void layOut();
    std::vector<bool> wanted();
    std::vector<bool> matchingRows();
    void arrange(); ///< sets scroll ranges, and scales unless the user chose them; paints
    QString statusOf(const Timeline::Bar &bar) const;
    bool isInSight(qint64 time) const;
    void revealTime(qint64 time); ///< scrolls there, unless the time is in sight
    void follow();                ///< keeps the cursor in sight while time passes
    bool scrollsTime() const { return m_isScaleChosen || isLong(); }
    /// True if the usual scale does not show the whole run at once.
    bool isLong() const { return mostSeen() > 0 && usualSpan() > mostSeen(); }
    TimelinePicture wholePicture() const;
    void wave(quint32 serial, bool isBack);
    void hover(const QPointF &point);
    void showResource();
    void select(Timeline::Row row);
    const Timeline::Bar *barOf(const CanvasPart &part) const; ///< null: it is no operation
    /// Returns the row at the height of a point. rowUnder() looks only in the tree, and barUnder()
    /// only in the time area.
    Timeline::Row rowAt(const QPointF &point) const;
    Timeline::Row rowUnder(const QPointF &point) const;
    const Timeline::Bar *barUnder(const QPointF &point) const; ///< null: none
    bool isOnArrow(const QPointF &point, Timeline::Row row) const;
    bool canFold(Timeline::Row row) const;
    QString typeTitle(Timeline::Row row) const;
    QList<const Timeline::Bar *> barsAffecting(Timeline::Row row) const;
    void walkAside(bool toTheRight);
    QString ruleOfStart(const Timeline::Bar &bar) const;
    void walk(int lines);
    void walkOperations(int by);
    void select(const Timeline::Bar &bar);
    void scrub(double x);
    bool isOnCursor(const QPointF &point) const;
    double treeWidth() const;
    qint64 usualSpan() const;
    qint64 mostSeen() const;

    Controller &m_controller;
    Selection &m_selection;
    Motion m_motion = Motion::Full;
    std::shared_ptr<Timeline> m_timeline;
    TimelinePicture m_picture;
    QSet<Timeline::Row> m_folded;
    QStringList m_foldedBefore; ///< paths of the rows folded before a filter was set
    Shows m_shows = Shows::OnlyTouched;
    QStringList m_filter; ///< words
    qsizetype m_matches = 0;
    QString m_placeholder;
    QWidget *m_head = nullptr;
    QStringList m_highlighted;
    qsizetype m_laidRows = -1, m_laidSpans = -1, m_laidBars = -1; ///< at the last layOut()
    quint64 m_history = 0;  ///< version of the records in m_timeline
    bool m_isStale = false; ///< the rules changed, and the timeline is not rebuilt yet
    bool m_hidesLater = false;
    qsizetype m_skipped = 0; ///< events before the timeline's beginning
    qint64 m_mostSeen = 0, m_usualDuration = 0;
    bool m_shortensIdle = true;
    bool m_isScaleChosen = false;        ///< by the user
    qint64 m_followed = 0;               ///< time of the cursor when it was followed last
    std::optional<qint64> m_shownMoment; ///< see showMoment()
    /// Scroll position where a highlight stopped following the cursor. Following resumes after the
    /// highlight, unless the user has scrolled.
    std::optional<int> m_heldAt;
    double m_chosenTreeWidth = 0, m_usualTreeWidth = 0; ///< 0: none is chosen
    QBasicTimer m_ticker;                               ///< of the picture's waves

    enum class Grip { None, Cursor, Pan, Divider } m_grip = Grip::None;
    qint64 m_lastTime = 0; ///< latest time that can be scrubbed to
};

} // namespace instar
