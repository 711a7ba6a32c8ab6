// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "views/diagram/drawn.h"
#include "views/drawing/timelinepainter.h"
#include "views/look.h"
#include "views/selection.h"

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QGraphicsView>
#include <QPointer>

#include <optional>

namespace instar {

class Forecast;

/// Something in a timeline that has a name: a resource, or an operation.
struct TimelinePart
{
    Timeline::Row row = Timeline::NoRow; ///< of a resource
    quint32 serial = 0;                  ///< of an operation
    bool operator==(const TimelinePart &) const = default;
};

/// The tree and time as one picture: left who is there now, right what operations have answered
/// for. Nothing it does per frame depends on the number of resources but where all of them are
/// seen.
class TimelineView : public QGraphicsView
{
    Q_OBJECT
public:
    enum class Lines { Resources, Clients };

    TimelineView(Controller &controller, Selection &selection, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setMotion(Motion motion) { m_motion = motion; }
    /// Shows what was seen beside what the rules allow; null: not. It is the controller's.
    void setForecast(const Forecast *forecast);
    /// Rows of resources that are spoken of stand out; what comes is not followed meanwhile.
    void setLookedAt(const QStringList &paths);
    /// Marks times that are spoken of elsewhere, the first one most.
    void setMarks(const QList<qint64> &times);
    /// There is room at least up to a time, so that several timelines have the same scale.
    void setLeastEnd(qint64 time);
    /// Of what the controller has forgotten about so many records are remembered at most; of more
    /// the older half goes, or somewhat more. What it keeps is always there.
    void setMostForgotten(qsizetype records) { m_mostForgotten = records; }
    /// Until somebody zooms no more time than that is in sight at once, and what comes is followed;
    /// ms. 0: all that there is.
    void setMostSeen(qint64 time);
    void setLines(Lines lines);
    void setShows(TimelineLines::Shows shows);
    void setOrder(Timeline::Order order);
    /// Rows with this in their name stand out, and the first of them comes into sight.
    void setSought(const QString &text);
    /// The next row whose name has what is sought; selects it.
    void seekNext();

    void fold(Timeline::Row row, bool folded);
    /// Everything from a level on; a level that no row has: nothing is folded.
    void foldFrom(int level);
    bool isFolded(Timeline::Row row) const { return m_folded.contains(row); }

    void zoomRows(double factor, double around); ///< a y of the viewport
    void zoomTime(double factor, double around); ///< an x of the viewport
    void zoomIn();
    void zoomOut();
    /// The usual sizes again, which follow what there is.
    void fit();
    /// Zoomed and moved as another one is, which may hold another run.
    void showAs(const TimelineView &other);
    void reveal(Timeline::Row row);

    /// What is shown, up to date.
    const TimelinePicture &picture() const { return m_picture; }
    QRectF blocksArea() const; ///< of the viewport, as the next two
    QRectF timeArea() const;
    QRectF rulerArea() const;
    QPointF corner() const; ///< the point of the whole picture at the upper left of timeArea()
    QRectF rectOf(Timeline::Row row) const; ///< its line, of the viewport
    bool isWaving() const { return m_ticker.isActive(); }
    /// Why a row or an operation is as it is, for people.
    QString whyRow(Timeline::Row row) const;
    QString whyBar(const Timeline::Bar &bar) const;
    /// What a row was seen as at a time, and what the rules allowed; empty: nobody knows.
    QString beside(Timeline::Row row, qint64 time) const;
    /// All of it, `scale` pixels a point.
    QImage image(double scale = 2) const;
    QSizeF pictureSize() const;
    void paintAll(QPainter &painter) const;
    /// Of an operation and what it has to do with: from just before the first of them was asked for
    /// until just after they were over, as far as that is not much longer; and of resources those
    /// that anything has touched. 0: of all.
    Drawing drawingAround(quint32 operation) const;

    // for screen readers
    /// The resources whose lines are in sight, then the operations; of very many the first ones.
    QList<TimelinePart> parts() const;
    QString nameOf(const TimelinePart &part) const;
    QString whyPart(const TimelinePart &part) const;
    QRectF rectOf(const TimelinePart &part) const; ///< of the viewport
    bool isSelected(const TimelinePart &part) const;
    /// Whether the keyboard walked there last.
    bool isWalkedTo(const TimelinePart &part) const { return part == m_walkedTo; }
    void choose(const TimelinePart &part);

signals:
    void fireAsked(const QString &path);
    void whyAsked(const QString &path); ///< is it in its state
    void whyOperationAsked(quint32 serial);
    void zoomed();
    /// The cursor is held: a virtual time is to be shown.
    void timeAsked(qint64 time);

protected:
    bool viewportEvent(QEvent *event) override;
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
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    enum class Told { Live, Jumped };
    void rebuild();
    void sync(Told told);
    void goOnWithNext();
    void foldAgain(const QStringList &paths);
    QStringList foldedPaths() const;
    void layOut();
    void arrange(); ///< scales, as far as they are not the user's own, and how far it scrolls
    QString statusOf(const Timeline::Bar &bar) const;
    void follow();            ///< keeps the cursor in sight while time passes
    bool scrollsTime() const; ///< not all of the time is in sight
    bool isLong() const;      ///< there is more than is seen at once unless somebody zooms
    void revealNow();
    TimelinePicture wholePicture() const;
    void wave(quint32 serial, bool isBack);
    void hover(const QPointF &point);
    void showResource();
    void select(Timeline::Row row);
    Timeline::Row rowOfBlock(const QPointF &point) const;
    QString ruleOfStart(const Timeline::Bar &bar) const;
    void walk(int lines);
    void walkOperations(int by);
    void select(const Timeline::Bar &bar);
    void scrub(double x);
    bool isOnCursor(const QPointF &point) const;
    double blocksWidth() const;
    double usualRow() const;
    qint64 usualSpan() const;
    void paintMap(QPainter &painter);
    QRectF mapArea() const; ///< null: everything is in sight

    Controller &m_controller;
    Selection &m_selection;
    Theme m_theme = Theme::light();
    Motion m_motion = Motion::Full;
    QGraphicsScene m_scene;
    std::shared_ptr<Timeline> m_timeline;
    TimelinePicture m_picture;
    QSet<Timeline::Row> m_folded;
    TimelineLines::Shows m_shows = TimelineLines::Shows::Everything;
    Lines m_lines = Lines::Resources;
    Timeline::Order m_order = Timeline::Order::Tree;
    QStringList m_lookedAt;
    TimelinePart m_walkedTo;
    qsizetype m_laidRows = -1, m_laidSpans = -1, m_laidBars = -1;
    quint64 m_history = 0;
    bool m_isStale = false;  ///< other rules have come, and are told of at once
    qsizetype m_skipped = 0; ///< records before the timeline's beginning
    /// Begun later than the timeline, for when that has grown too long; null: it has not yet.
    std::shared_ptr<Timeline> m_next;
    qsizetype m_nextSkipped = 0; ///< records before its beginning
    qsizetype m_mostForgotten = 200'000;
    qint64 m_mostSeen = 0;
    bool m_ownRows = false, m_ownTime = false; ///< somebody has chosen the scale
    qint64 m_followed = 0; ///< the moment at which the cursor was looked for last
    /// Where it stopped being followed, as something is explained; scrolled since: it stays there.
    std::optional<int> m_heldAt;
    double m_ownBlocks = 0; ///< wide; 0: as usual

    struct Wave
    {
        quint32 serial;
        int farthest;
        bool isBack;
        QElapsedTimer since;
    };
    QList<Wave> m_waves;
    QBasicTimer m_ticker;
    QImage m_map;
    bool m_isMapOld = true;

    enum class Grip { None, Cursor, Pan, Divider, Map } m_grip = Grip::None;
    QPointF m_pressed;
    QPoint m_scrolled;
    bool m_hasMoved = false;
    qint64 m_lastTime = 0; ///< that can be scrubbed to
};

} // namespace instar
