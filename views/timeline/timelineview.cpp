// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timelineview.h"

#include "model/engine/simulator.h"
#include "model/items/liveconformance.h"
#include "model/items/operationmodel.h"
#include "model/items/words.h"
#include "views/drawing/text.h"
#include "views/icons.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QScrollBar>
#include <QTextDocumentFragment>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <span>
#include <utility>

namespace instar {

namespace {

constexpr double gutter = 26; ///< between tree and time; arcs of references are drawn in it
constexpr double lowestRow = 20, highestRow = 26, lowestSplit = 36, highestSplit = 44;
constexpr qsizetype fewRows = 12; ///< a smaller tree is always shown whole
constexpr double narrowestTree = 60;
constexpr qsizetype mostForgotten = 200'000; ///< events that the controller no longer has
constexpr qint64 leastSpan = 2000; ///< ms shown until an operation ends; less if one is due soon
constexpr qint64 leastDurations = 2, mostDurations = 16; ///< time shown, in usual durations

} // namespace

TimelineView::TimelineView(Controller &controller, Selection &selection, QWidget *parent)
    : Canvas(QAccessible::Tree, parent), m_controller(controller), m_selection(selection)
{
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setViewportUpdateMode(FullViewportUpdate);
    setOptimizationFlags(DontSavePainterState | DontAdjustForAntialiasing);
    setMinimumHeight(90);
    setAccessibleName(tr("Timeline"));
    m_picture.icon = [this](Timeline::Row row) {
        const Type *type = m_controller.rules().typeRow(typePathOf(m_timeline->path(row)));
        return instar::icon(type && !type->icon.isEmpty() ? type->icon : u"generic"_s);
    };
    rebuild();
    const Updates &updates = controller.updates();
    connect(&updates, &Updates::happened, this, [this] { sync(UpdateKind::Live); });
    connect(&updates, &Updates::rewound, this, [this] {
        // A server's tree was read anew: the timeline begins with its present state.
        m_isStale = m_isStale || !qobject_cast<const Simulator *>(&m_controller);
        sync(UpdateKind::Jumped);
    });
    connect(&updates, &Updates::timePassed, this, [this] {
        m_picture.now = m_controller.world().now;
        arrange();
        follow();
    });
    connect(&controller, &Controller::rulesChanged, this, [this] { m_isStale = true; });
    connect(&selection, &Selection::resourceChosen, this, &TimelineView::showResource);
    connect(&selection, &Selection::operationsChosen, this, [this](quint32 current) {
        m_picture.selectedBar = current;
        viewport()->update();
    });
}

void TimelineView::rebuild()
{
    const auto *simulator = qobject_cast<const Simulator *>(&m_controller);
    const bool isWhole = simulator && simulator->forgotten() == 0;
    m_skipped = isWhole ? 0 : m_controller.forgotten() + m_controller.records().size();
    m_timeline =
        std::make_shared<Timeline>(isWhole ? simulator->beginning() : m_controller.world());
    m_history = simulator ? simulator->history() : 0;
    m_isStale = false;
    m_folded.clear();
    m_laidRows = m_laidSpans = m_laidBars = -1;
    m_picture.setRules(m_controller.rules());
    m_picture.isRemote = !m_controller.isLocal();
    m_picture.timeline = m_timeline;
    m_usualTreeWidth = m_picture.usualTreeWidth();
    m_focused.reset();
    setHighlighted(m_highlighted);
    sync(UpdateKind::Jumped);
}

void TimelineView::sync(UpdateKind kind)
{
    const auto *simulator = qobject_cast<const Simulator *>(&m_controller);
    const qsizetype forgotten = m_controller.forgotten();
    const bool isOtherBranch = simulator && simulator->history() != m_history;
    m_hidesLater = m_hidesLater && !isOtherBranch;
    if (m_isStale || isOtherBranch
        || forgotten > m_skipped + std::min(m_timeline->moments(), mostForgotten)) {
        // The rules or the branch changed, events were forgotten before they were read, or the
        // timeline has grown too long.
        const QStringList folded = foldedPaths();
        rebuild();
        m_folded = rowsAt(folded);
        if (!folded.isEmpty())
            layOut();
        return;
    }
    const QList<Record> &records = m_controller.records();
    m_hidesLater = m_hidesLater && !m_controller.later().isEmpty();
    const QList<Record> later = m_hidesLater ? QList<Record>() : m_controller.later();
    const Rules &rules = m_controller.rules();
    const qsizetype shown = forgotten + records.size() - m_skipped;
    quint32 asked = 0; // last operation submitted in this update
    for (qsizetype i = m_skipped + m_timeline->moments() - forgotten;
         i < records.size() + later.size(); ++i) {
        const Record &record = i < records.size() ? records[i] : later[i - records.size()];
        m_timeline->add(rules, record);
        if (kind != UpdateKind::Live || i + 8 < records.size())
            continue; // only the last events of a large update are animated
        for (const Change &change : record.changes) {
            if (record.event.kind == Event::Kind::Submit
                && (change.kind == Change::Kind::Started || change.kind == Change::Kind::Sent))
                asked = change.operation;
            if (change.kind == Change::Kind::Started)
                wave(change.operation, false);
            else if (change.kind == Change::Kind::Canceled)
                wave(change.operation, true);
        }
    }
    m_timeline->show(shown);
    const World &world = m_controller.world();
    m_picture.setWorld(world, world.now);
    m_usualDuration = usualDuration(*m_timeline);
    if (m_timeline->rowCount() != m_laidRows || !m_filter.isEmpty()
        || (m_shows == Shows::OnlyTouched
            && (qsizetype(m_timeline->spans().size()) != m_laidSpans
                || qsizetype(m_timeline->bars().size()) != m_laidBars)))
        layOut();
    arrange();
    follow();
    if (const Timeline::Bar *bar = m_timeline->bar(asked);
        bar && bar->row != Timeline::NoRow && m_grip == Grip::None) {
        reveal(
            m_timeline->rowAt(m_timeline->endOf(bar->row) - 1)); // its last descendant, if it fits
        reveal(bar->row);
    }
}

void TimelineView::hideLater()
{
    m_hidesLater = true;
    m_isStale = true;
    sync(UpdateKind::Jumped);
}

QStringList TimelineView::foldedPaths() const
{
    return mapped<QStringList>(
        m_folded, [this](Timeline::Row row) { return m_timeline->path(row); });
}

QSet<Timeline::Row> TimelineView::rowsAt(const QStringList &paths) const
{
    QSet<Timeline::Row> rows;
    for (const QString &path : paths)
        rows += m_timeline->find(path);
    rows.remove(Timeline::NoRow);
    return rows;
}

void TimelineView::layOut()
{
    m_laidRows = m_timeline->rowCount();
    m_laidSpans = qsizetype(m_timeline->spans().size());
    m_laidBars = qsizetype(m_timeline->bars().size());
    m_picture.lines = std::make_shared<TimelineLines>(*m_timeline, m_folded, wanted());
    m_picture.selected = m_timeline->find(m_selection.resource());
    m_picture.hovered = Timeline::NoRow;
    emit linesChanged(); // may widen the tree's head
    arrange();
}

/// Rows to show, by position in the tree's order; empty: all.
std::vector<bool> TimelineView::wanted()
{
    if (!m_filter.isEmpty())
        return matchingRows();
    m_matches = m_controller.world().tree.size();
    if (m_shows == Shows::Everything || m_timeline->bars().empty()
        || m_timeline->rowCount() <= fewRows)
        return {};
    std::vector<bool> touched = m_timeline->touched();
    for (const Timeline::Row row : rowsAt(m_highlighted + QStringList { m_selection.resource() }))
        touched[size_t(m_timeline->placeOf(row))] = true;
    return touched;
}

qsizetype TimelineView::untouchedRows() const
{
    const TimelineLines &lines = *m_picture.lines;
    if (m_filter.isEmpty())
        return lines.leftOut();
    const std::vector<bool> touched = m_timeline->touched();
    return std::ranges::count_if(
        std::views::iota(qsizetype(0), qsizetype(touched.size())), [&](qsizetype place) {
            return !touched[size_t(place)] && !lines.shows(*m_timeline, m_timeline->rowAt(place));
        });
}

/// Rows that match the filter, by position in the tree's order. A removed resource has no state.
std::vector<bool> TimelineView::matchingRows()
{
    const Tree &tree = m_controller.world().tree;
    const auto hasWords = [this](
                              const QString &name, const QString &typePath, const QString &state) {
        const QStringView type = QStringView(typePath).mid(typePath.lastIndexOf(u'/') + 1);
        return std::ranges::all_of(m_filter, [&](const QString &word) {
            return name.contains(word, Qt::CaseInsensitive)
                || type.contains(word, Qt::CaseInsensitive)
                || state.contains(word, Qt::CaseInsensitive);
        });
    };
    std::vector<bool> fits(size_t(m_timeline->rowCount()));
    m_matches = 0;
    for (Timeline::Row row = 0; row < Timeline::Row(fits.size()); ++row) {
        const Resource resource = m_picture.resourceAt(row);
        const bool isThere = resource != NoResource;
        const bool found = isThere
            ? hasWords(tree.name(resource), tree.typePath(tree.type(resource)),
                m_controller.rules().shown(tree.code(resource)) + u' ' + m_picture.wordAt(row))
            : hasWords(m_timeline->name(row), typePathOf(m_timeline->path(row)), QString());
        fits[size_t(m_timeline->placeOf(row))] = found;
        m_matches += found && isThere;
    }
    return fits;
}

void TimelineView::setConformance(const LiveConformance *conformance)
{
    m_picture.conformance = conformance;
    if (conformance)
        connect(conformance, &LiveConformance::changed, viewport(), qOverload<>(&QWidget::update));
    m_usualTreeWidth = m_picture.usualTreeWidth();
    arrange();
}

void TimelineView::setSplit(bool split)
{
    m_picture.isSplit = split && m_picture.conformance;
    arrange();
}

void TimelineView::showResource()
{
    m_controller.updates().flush(); // the resource may be new
    m_picture.selected = m_timeline->find(m_selection.resource());
    if (m_picture.selected != Timeline::NoRow) {
        for (Timeline::Row up = m_timeline->parent(m_picture.selected); up != Timeline::NoRow;
             up = m_timeline->parent(up))
            m_folded.remove(up);
        if (!m_picture.lines->shows(*m_timeline, m_picture.selected))
            layOut();
        reveal(m_picture.selected);
    }
    viewport()->update();
}

void TimelineView::setShows(Shows shows)
{
    m_shows = shows;
    layOut();
    reveal(m_picture.selected);
}

void TimelineView::setHighlighted(const QStringList &paths)
{
    m_highlighted = paths;
    m_picture.highlighted = rowsAt(paths);
    viewport()->update();
}

void TimelineView::setFilter(const QStringList &words)
{
    if (words == m_filter)
        return;
    if (m_filter.isEmpty()) {
        m_foldedBefore = foldedPaths();
        m_folded.clear();
    } else if (words.isEmpty()) {
        m_folded = rowsAt(m_foldedBefore);
    }
    m_filter = words;
    layOut();
    reveal(m_picture.selected);
}

void TimelineView::goToMatch()
{
    setFocus();
    if (m_filter.isEmpty())
        return;
    const std::vector<bool> fits = matchingRows();
    const bool isFound = m_picture.selected != Timeline::NoRow
        && fits[size_t(m_timeline->placeOf(m_picture.selected))];
    const auto first = std::ranges::find(fits, true);
    if (first != fits.end() && !isFound)
        select(m_timeline->rowAt(first - fits.begin()));
}

void TimelineView::setPlaceholder(const QString &sentence)
{
    m_placeholder = sentence;
    viewport()->update();
}

void TimelineView::setHead(QWidget *head)
{
    m_head = head;
    head->setParent(this);
    arrange();
}

void TimelineView::setFolded(Timeline::Row row, bool folded)
{
    if (folded)
        m_folded.insert(row);
    else
        m_folded.remove(row);
    layOut();
}

void TimelineView::foldAtLevel(int level)
{
    m_folded.clear();
    for (Timeline::Row row = 0; row < Timeline::Row(m_timeline->rowCount()); ++row) {
        if (m_timeline->depth(row) == level)
            m_folded.insert(row);
    }
    layOut();
}

double TimelineView::treeWidth() const
{
    const double room = viewport()->width();
    const double usual =
        std::max(m_usualTreeWidth, m_head ? m_head->minimumSizeHint().width() : 0.0);
    const double wished = m_chosenTreeWidth > 0 ? m_chosenTreeWidth : std::min(usual, room * 0.42);
    return std::clamp(wished, narrowestTree, std::max(narrowestTree, room * 0.7));
}

QRectF TimelineView::treeArea() const
{
    return { 0, timelineRuler, treeWidth(), viewport()->height() - timelineRuler };
}

QRectF TimelineView::timeArea() const
{
    const double left = treeWidth() + gutter;
    return { left, timelineRuler, std::max(1.0, viewport()->width() - left),
        viewport()->height() - timelineRuler };
}

QRectF TimelineView::rulerArea() const
{
    const QRectF time = timeArea();
    return { time.left(), 0, time.width(), timelineRuler };
}

QPointF TimelineView::corner() const
{
    return { double(horizontalScrollBar()->value()), double(verticalScrollBar()->value()) };
}

QRectF TimelineView::rectOf(Timeline::Row row) const
{
    const qsizetype line = m_picture.lines->lineOf(m_timeline->placeOf(row));
    return { 0, timelineRuler + m_picture.scale.y(line) - corner().y(), double(viewport()->width()),
        m_picture.scale.rowHeight };
}

qint64 TimelineView::usualSpan() const
{
    qint64 first = leastSpan;
    for (const qint64 due : m_picture.due)
        first = std::min(first, leastDurations * (due - m_timeline->begin()));
    // Grows in steps, so that the scale does not change with every event.
    double span = double(m_usualDuration > 0 ? leastDurations * m_usualDuration : first);
    while (span < m_picture.scale.drawn(m_picture.end()) * 1.04)
        span *= 1.2;
    return qint64(span);
}

qint64 TimelineView::mostSeen() const
{
    return m_mostSeen > 0 ? m_mostSeen : mostDurations * m_usualDuration;
}

void TimelineView::setShortensIdle(bool shortens)
{
    m_shortensIdle = shortens;
    arrange();
}

void TimelineView::setMostSeen(qint64 time)
{
    m_mostSeen = time;
    fit();
}

void TimelineView::showMoment(const QString &path, qint64 time)
{
    m_selection.choose(path);
    revealTime(time);
    m_shownMoment = time;
}

bool TimelineView::isInSight(qint64 time) const
{
    const double x = m_picture.scale.x(time) - corner().x();
    return x >= 0 && x <= timeArea().width();
}

void TimelineView::revealTime(qint64 time)
{
    const double x = m_picture.scale.x(time), width = timeArea().width();
    if (x < corner().x() || x > corner().x() + width * 0.9)
        horizontalScrollBar()->setValue(int(x - width * 0.7));
}

void TimelineView::arrange()
{
    TimelineScale &scale = m_picture.scale;
    scale.begin = m_timeline->begin();
    const bool shortens = m_shortensIdle && !m_picture.isSplit;
    scale.idle = shortens ? idlePeriods(*m_timeline, m_picture.due.values(), m_picture.end())
                          : std::vector<IdlePeriod>();
    const qsizetype count = m_picture.lines->count();
    const double fits =
        (viewport()->height() - timelineRuler - 4) / double(std::max<qsizetype>(1, count));
    scale.rowHeight = m_picture.isSplit ? std::clamp(fits, lowestSplit, highestSplit)
                                        : std::clamp(fits, lowestRow, highestRow);
    const double width = timeArea().width();
    const bool scrolls = scrollsTime();
    if (!m_isScaleChosen)
        scale.pixelsPerMs = (width - 28) / double(scrolls ? mostSeen() : usualSpan());
    const double wide = scrolls ? scale.x(m_picture.end()) + width / 3 : width;
    const double high = scale.y(count);
    // Adds the width of the tree, which does not scroll.
    const double besides = viewport()->width() - width;
    m_scene.setSceneRect(0, 0, std::min(std::max(wide, 1.0) + besides, 2e9),
        std::min(high + timelineRuler + 2, 2e9));
    setHorizontalScrollBarPolicy(scrolls ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    if (m_head)
        m_head->setGeometry(0, 0, int(treeWidth()), int(timelineRuler) - 1);
    viewport()->update();
}

void TimelineView::follow()
{
    const auto *simulator = qobject_cast<const Simulator *>(&m_controller);
    const double x = m_picture.scale.x(m_picture.now), width = timeArea().width();
    // Follows the cursor only if it was in sight.
    const bool wasSeen = isInSight(std::exchange(m_followed, m_picture.now));
    if (m_shownMoment && !isInSight(*m_shownMoment))
        m_shownMoment.reset(); // the user has scrolled
    if (m_shownMoment || !scrollsTime() || m_grip != Grip::None
        || (simulator && !simulator->isPlaying()))
        return;
    const bool isExplained = !m_highlighted.isEmpty();
    const int place = horizontalScrollBar()->value();
    if (m_heldAt && !isExplained) {
        if (std::exchange(m_heldAt, {}) == place)
            revealTime(m_picture.now);
    } else if (wasSeen && (x > corner().x() + width * 0.9 || x < corner().x())) {
        // Highlighted rows stay in sight until the highlight ends.
        if (isExplained)
            m_heldAt = place;
        else
            revealTime(m_picture.now);
    }
}

void TimelineView::reveal(Timeline::Row row)
{
    if (row == Timeline::NoRow)
        return;
    const QRectF line = rectOf(row);
    if (line.top() < timelineRuler)
        verticalScrollBar()->setValue(int(corner().y() + line.top() - timelineRuler));
    else if (line.bottom() > viewport()->height())
        verticalScrollBar()->setValue(
            int(std::ceil(corner().y() + line.bottom() - viewport()->height())));
}

void TimelineView::zoomBy(double factor, const QPointF &around)
{
    TimelineScale &scale = m_picture.scale;
    const double inside = around.x() - timeArea().left(), x = inside + corner().x();
    const double before = scale.pixelsPerMs;
    const double whole = (timeArea().width() - 28) / double(usualSpan());
    const double most =
        std::min(20.0, 1.5e9 / double(std::max<qint64>(1, m_picture.end() - m_timeline->begin())));
    scale.pixelsPerMs = std::clamp(before * factor, whole, std::max(whole, most));
    m_isScaleChosen = scale.pixelsPerMs > whole || isLong();
    arrange();
    if (scale.pixelsPerMs <= whole)
        horizontalScrollBar()->setValue(0);
    else
        horizontalScrollBar()->setValue(
            int(std::lround((x - scale.lead) * scale.pixelsPerMs / before + scale.lead - inside)));
}

void TimelineView::fit()
{
    m_isScaleChosen = false;
    m_shownMoment.reset();
    arrange();
    if (scrollsTime())
        revealTime(m_picture.now);
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    Canvas::resizeEvent(event);
    arrange();
}

void TimelineView::showEvent(QShowEvent *event)
{
    Canvas::showEvent(event);
    sync(UpdateKind::Jumped);
}

void TimelineView::drawBackground(QPainter *painter, const QRectF &)
{
    painter->resetTransform();
    painter->fillRect(viewport()->rect(), theme().base);
}

void TimelineView::drawForeground(QPainter *painter, const QRectF &)
{
    if (m_isStale)
        return; // the rules changed: sync() follows at once
    painter->resetTransform();
    paintTimelineTime(*painter, m_picture, timeArea(), corner(), theme());
    paintTimelineTree(*painter, m_picture, treeArea(), corner().y(), theme());
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->fillRect(QRectF(0, 0, viewport()->width(), timelineRuler), theme().base);
    paintTimelineRuler(
        *painter, m_picture, rulerArea(), corner().x(), viewport()->height(), theme());
    painter->setPen(QPen(theme().quietLine, 1));
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->drawLine(
        QPointF(0, timelineRuler - 0.5), QPointF(viewport()->width(), timelineRuler - 0.5));
    const double divider = std::round(treeWidth()) + 0.5;
    painter->drawLine(QPointF(divider, 0), QPointF(divider, viewport()->height()));
    const auto say = [&](const QRectF &area, const QString &sentence) {
        constexpr int format = Qt::AlignCenter | Qt::TextWordWrap;
        const QRectF words = painter->boundingRect(area, format, sentence);
        painter->fillRect(words.adjusted(-8, -4, 8, 4), theme().base); // no line goes through it
        painter->setPen(theme().dimText);
        drawText(*painter, area, format, sentence);
    };
    if (m_timeline->rowCount() == 0)
        say(viewport()->rect(),
            m_placeholder.isEmpty()
                ? tr("There are no resources. Fire an operation that creates one.")
                : m_placeholder);
    else if (m_picture.lines->count() == 0)
        say(viewport()->rect(), tr("No resource fits the filter."));
    else if (m_timeline->bars().empty() && !m_picture.isSplit && timeArea().width() > 200)
        say(timeArea().adjusted(12, 8, -12, -8),
            tr("Fire an operation. A bar will mark each affected resource while the operation "
               "runs."));
    if (isTabbedTo()) {
        setInk(*painter, QPen(theme().accent, 2));
        painter->drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

/// All rows and times; of a very long run the times are closer together.
TimelinePicture TimelineView::wholePicture() const
{
    constexpr double most = 8000; // points
    TimelinePicture picture = m_picture;
    picture.waves.clear();
    picture.hovered = Timeline::NoRow;
    const double tree = treeWidth(), width = timelineSize(picture, tree).width();
    picture.scale.pixelsPerMs *= std::min(1.0, (most - tree) / width);
    return picture;
}

void TimelineView::paintAll(QPainter &painter) const
{
    painter.fillRect(QRectF(QPointF(), pictureSize()), theme().base);
    paintTimeline(painter, wholePicture(), treeWidth(), theme());
}

void TimelineView::wave(quint32 serial, bool isBack)
{
    if (m_motion == Motion::Reduced || !isVisible())
        return;
    QElapsedTimer since;
    since.start();
    m_picture.waves.append({ serial, isBack, since });
    if (!m_ticker.isActive())
        m_ticker.start(16, Qt::PreciseTimer, this);
}

void TimelineView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_ticker.timerId())
        return Canvas::timerEvent(event);
    m_picture.waves.removeIf([](const TimelineWave &wave) { return wave.done() >= 1; });
    if (m_picture.waves.isEmpty())
        m_ticker.stop();
    viewport()->update();
}

bool TimelineView::isOnCursor(const QPointF &point) const
{
    const double x = timeArea().left() + m_picture.scale.cursorX(m_picture.now) - corner().x();
    return point.x() >= timeArea().left() - 4 && point.x() <= timeArea().right()
        && std::abs(point.x() - x) <= 4;
}

void TimelineView::scrub(double x)
{
    const qint64 time = m_picture.scale.timeAt(x - timeArea().left() + corner().x());
    emit timeAsked(std::clamp(time, m_timeline->begin(), m_lastTime));
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    Canvas::mousePressEvent(event);
    const QPointF point = event->position();
    if (event->button() == Qt::MiddleButton)
        m_grip = Grip::Pan;
    if (event->button() != Qt::LeftButton)
        return;
    m_grip = Grip::Pan;
    if (rulerArea().contains(point) || isOnCursor(point)) {
        m_grip = Grip::Cursor;
        m_lastTime = std::max(m_timeline->end(), m_controller.world().now);
        if (const QList<Record> &later = m_controller.later(); !later.isEmpty())
            m_lastTime = std::max(m_lastTime, later.last().event.time); // they may be hidden
        if (rulerArea().contains(point))
            scrub(point.x());
    } else if (std::abs(point.x() - treeWidth() - gutter / 2) < gutter / 2) {
        m_grip = Grip::Divider;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF point = event->position();
    if (m_grip == Grip::None)
        return hover(point);
    if (m_grip == Grip::Cursor) {
        isDrag(*event);
        return scrub(point.x());
    }
    if (m_grip == Grip::Divider) {
        m_chosenTreeWidth = std::max(narrowestTree, point.x() - gutter / 2);
        arrange();
    } else {
        panIfDragged(*event);
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    const Grip grip = std::exchange(m_grip, Grip::None);
    const QPointF point = event->position();
    hover(point);
    if (!isClickEnd(*event) || grip == Grip::Divider)
        return;
    if (timeArea().contains(point)) {
        const Timeline::Bar *bar = barUnder(point);
        m_selection.choose(bar ? QList<quint32> { bar->serial } : QList<quint32>());
        if (!bar && grip != Grip::Cursor)
            select(rowAt(point));
    } else if (const Timeline::Row row = rowUnder(point); isOnArrow(point, row)) {
        setFolded(row, !isFolded(row));
    } else {
        select(row);
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const QPointF point = event->position();
    const Timeline::Row row = timeArea().contains(point) ? rowAt(point) : rowUnder(point);
    if (isOnArrow(point, row))
        setFolded(row, !isFolded(row)); // a second click
    else if (row != Timeline::NoRow)
        emit fireAsked(m_timeline->path(row));
}

Timeline::Row TimelineView::rowAt(const QPointF &point) const
{
    return m_picture.rowAt(point.y() - timelineRuler + corner().y());
}

Timeline::Row TimelineView::rowUnder(const QPointF &point) const
{
    return treeArea().contains(point) ? rowAt(point) : Timeline::NoRow;
}

const Timeline::Bar *TimelineView::barUnder(const QPointF &point) const
{
    return timeArea().contains(point) ? m_picture.barAt(point - timeArea().topLeft() + corner())
                                      : nullptr;
}

bool TimelineView::canFold(Timeline::Row row) const
{
    const TimelineLines &lines = *m_picture.lines;
    const qsizetype line = lines.lineOf(m_timeline->placeOf(row));
    return lines.shows(*m_timeline, row)
        && (lines.isFolded(line) || lines.endOf(*m_timeline, line) > line + 1);
}

bool TimelineView::isOnArrow(const QPointF &point, Timeline::Row row) const
{
    constexpr double wide = 16;
    if (row == Timeline::NoRow || !treeArea().contains(point) || !canFold(row))
        return false;
    const double left = m_picture.columns(treeWidth()).left(m_timeline->depth(row));
    return point.x() >= left - 2 && point.x() < left - 2 + wide;
}

void TimelineView::select(Timeline::Row row)
{
    if (row == Timeline::NoRow)
        return;
    m_selection.choose(m_timeline->path(row));
    m_focused = { CanvasPart::Kind::Row, int(row) };
    notifyFocusChanged();
}

void TimelineView::select(const Timeline::Bar &bar)
{
    const quint32 serial = bar.serial; // copied: adding operations moves the bars
    if (scrollsTime())
        revealTime(bar.started == Timeline::NotYet ? bar.submitted : bar.started);
    reveal(bar.row);
    m_selection.choose(serial);
    m_focused = { CanvasPart::Kind::Bar, int(serial) };
    notifyFocusChanged();
}

void TimelineView::hover(const QPointF &point)
{
    const Timeline::Row row = rowUnder(point);
    const Timeline::Bar *bar = barUnder(point);
    const quint32 serial = bar ? bar->serial : 0;
    const bool isGrip = isOnCursor(point) || rulerArea().contains(point)
        || std::abs(point.x() - treeWidth() - gutter / 2) < 5;
    viewport()->setCursor(isGrip ? Qt::SplitHCursor : Qt::ArrowCursor);
    if (row == m_picture.hovered && serial == m_picture.hoveredBar)
        return;
    m_picture.hovered = row;
    m_picture.hoveredBar = serial;
    viewport()->update();
}

QString TimelineView::tipAt(const QPoint &point) const
{
    if (const Timeline::Row row = rowUnder(point); row != Timeline::NoRow)
        return whyRow(row);
    if (!timeArea().contains(point))
        return {};
    QStringList parts;
    if (const Timeline::Bar *bar = barUnder(point))
        parts += whyBar(*bar);
    if (const Timeline::Row row = rowAt(point); row != Timeline::NoRow)
        parts += beside(row, m_picture.scale.timeAt(point.x() - timeArea().left() + corner().x()));
    parts.removeAll(QString());
    return parts.join(u"<br>"_s);
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint turned = event->angleDelta();
    const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    if (event->modifiers() & Qt::ControlModifier)
        zoomBy(std::pow(1.25, notches), event->position());
    else if (event->modifiers() & Qt::ShiftModifier || turned.y() == 0)
        horizontalScrollBar()->setValue(int(corner().x() - notches * 60));
    else
        verticalScrollBar()->setValue(int(corner().y() - notches * 3 * m_picture.scale.rowHeight));
    event->accept();
}

void TimelineView::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isOnRow =
        event->reason() == QContextMenuEvent::Keyboard && m_picture.selected != Timeline::NoRow;
    const QPointF point = isOnRow
        ? QPointF(treeWidth() / 2, rectOf(m_picture.selected).center().y())
        : QPointF(event->pos());
    QMenu menu(this);
    if (const Timeline::Bar *bar = barUnder(point)) {
        menu.addAction(icon(u"help"_s), tr("Explain %1").arg(barText(*bar)), this,
            [this, serial = bar->serial] { emit whyOperationAsked(serial); });
        menu.addSeparator();
    }
    if (treeArea().contains(point)) {
        if (const Timeline::Row row = rowUnder(point); row != m_picture.selected)
            row == Timeline::NoRow ? m_selection.choose(QString()) : select(row);
        fillMenu(menu);
        menu.addSeparator();
    }
    fillViewMenu(*menu.addMenu(tr("View")));
    menu.exec(viewport()->mapToGlobal(point.toPoint()));
}

void TimelineView::fillMenu(QMenu &menu)
{
    const Timeline::Row row = m_picture.selected;
    if (row == Timeline::NoRow) {
        menu.addAction(
            icon(u"add"_s), tr("New resource…"), this, [this] { emit childAsked(QString()); });
        return;
    }
    const QString path = m_timeline->path(row), name = m_timeline->name(row);
    for (const QString &operation : m_controller.rules().pack().operationNames())
        menu.addAction(
            icon(u"fire"_s), operation, this, [=, this] { emit operationAsked(operation, path); });
    menu.addSeparator();
    menu.addAction(icon(u"help"_s), tr("Why is %1 in this state?").arg(name), this,
        [=, this] { emit whyAsked(path); });
    menu.addAction(tr("Fire on %1").arg(name), this, [=, this] { emit fireAsked(path); });
    menu.addAction(
        icon(u"add"_s), tr("New resource below…"), this, [=, this] { emit childAsked(path); });
    menu.addSeparator();
    menu.addAction(icon(u"copy"_s), tr("Copy path"), this, [path] { copyText(path); });
    if (!canFold(row))
        return;
    menu.addSeparator();
    const bool isFolded = this->isFolded(row);
    menu.addAction(isFolded ? tr("Unfold %1").arg(name) : tr("Fold %1").arg(name), this, [=, this] {
        // The timeline may have been replaced while the menu was open.
        if (const Timeline::Row now = m_timeline->find(path); now != Timeline::NoRow)
            setFolded(now, !isFolded);
    });
}

void TimelineView::fillViewMenu(QMenu &menu)
{
    QAction *shorten = menu.addAction(tr("Shorten idle time"));
    shorten->setCheckable(true);
    shorten->setChecked(m_shortensIdle);
    connect(shorten, &QAction::triggered, this, &TimelineView::setShortensIdle);
    menu.addSeparator();
    for (int level = 0; level + 1 < m_timeline->levels(); ++level)
        menu.addAction(
            tr("Fold all below level %1").arg(level), this, [this, level] { foldAtLevel(level); });
    menu.addAction(tr("Unfold all"), this, [this] { foldAtLevel(-1); })
        ->setEnabled(!m_folded.isEmpty());
    menu.addSeparator();
    menu.addAction(icon(u"zoom-in"_s), tr("Zoom in (+, Ctrl+wheel)"), this, &TimelineView::zoomIn);
    menu.addAction(icon(u"zoom-out"_s), tr("Zoom out (-)"), this, &TimelineView::zoomOut);
    menu.addAction(icon(u"fit"_s), tr("Default zoom (0)"), this, &TimelineView::fit);
    menu.addSeparator();
    menu.addAction(icon(u"copy"_s), tr("Copy picture"), this,
        [this] { QGuiApplication::clipboard()->setImage(image()); });
}

void TimelineView::walk(int lines)
{
    const qsizetype count = m_picture.lines->count();
    if (count == 0)
        return;
    const qsizetype line = m_picture.selected == Timeline::NoRow
        ? (lines > 0 ? -1 : count)
        : m_picture.lines->lineOf(m_timeline->placeOf(m_picture.selected));
    select(m_picture.lines->rowAt(std::clamp<qsizetype>(line + lines, 0, count - 1)));
}

void TimelineView::walkOperations(int by)
{
    const auto &bars = m_timeline->bars();
    if (bars.empty())
        return;
    const auto count = qsizetype(bars.size());
    const qsizetype found =
        std::ranges::find(bars, m_picture.selectedBar, &Timeline::Bar::serial) - bars.begin();
    const qsizetype next = (found == count && by > 0 ? -1 : found) + by;
    select(bars[size_t(std::clamp<qsizetype>(next, 0, count - 1))]);
}

/// Right unfolds the selected row, or goes on to the operations; Left comes back from them, folds
/// the row, or goes to its parent.
void TimelineView::walkAside(bool toTheRight)
{
    const Timeline::Row row = m_picture.selected;
    const Timeline::Bar *bar = m_focused ? barOf(*m_focused) : nullptr;
    if (toTheRight && !bar && row != Timeline::NoRow && isFolded(row))
        return setFolded(row, false);
    if (toTheRight || (bar && bar != m_timeline->bars().data()))
        return walkOperations(toTheRight ? 1 : -1);
    if (bar)
        return select(bar->row);
    if (row == Timeline::NoRow)
        return;
    if (canFold(row) && !isFolded(row))
        return setFolded(row, true);
    select(m_timeline->parent(row));
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const Timeline::Row row = m_picture.selected;
    const int count = int(m_picture.lines->count());
    const QHash<int, int> steps { { Qt::Key_Up, -1 }, { Qt::Key_Down, 1 }, { Qt::Key_PageUp, -10 },
        { Qt::Key_PageDown, 10 }, { Qt::Key_Home, -count }, { Qt::Key_End, count } };
    if (const auto lines = steps.constFind(event->key()); lines != steps.cend())
        return walk(*lines);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        return walkAside(event->key() == Qt::Key_Right);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (row != Timeline::NoRow)
            emit fireAsked(m_timeline->path(row));
        return;
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
        if (row != Timeline::NoRow)
            setFolded(row, event->key() == Qt::Key_BracketLeft);
        return;
    default:
        if (event->matches(QKeySequence::Copy) && row != Timeline::NoRow)
            return copyText(m_timeline->path(row));
        return Canvas::keyPressEvent(event);
    }
}

QString TimelineView::typeTitle(Timeline::Row row) const
{
    const QString typePath = typePathOf(m_timeline->path(row));
    const Type *type = m_controller.rules().typeRow(typePath);
    return type && type->path != u"*" && !type->title.isEmpty() ? type->title
                                                                : typePath.section(u'/', -1);
}

/// The operations that affect a row now.
QList<const Timeline::Bar *> TimelineView::barsAffecting(Timeline::Row row) const
{
    const qsizetype place = m_timeline->placeOf(row);
    QList<const Timeline::Bar *> bars;
    for (const Timeline::Span &span : m_timeline->spans()) {
        const bool isNow =
            span.from <= m_picture.now && (span.to == Timeline::NotYet || span.to > m_picture.now);
        if (isNow && m_timeline->placeOf(span.first) <= place
            && place <= m_timeline->placeOf(span.last))
            bars += &m_timeline->bars()[span.bar];
    }
    return bars;
}

QString TimelineView::whyRow(Timeline::Row row) const
{
    const Resource resource = m_picture.resourceAt(row);
    const QString path = m_timeline->path(row);
    QStringList lines { u"<b>%1</b>"_s.arg(path.toHtmlEscaped()), typeTitle(row).toHtmlEscaped() };
    if (resource == NoResource) {
        lines += tr("absent at this time");
    } else {
        lines += m_picture.wordAt(row).toHtmlEscaped();
        const qsizetype below = m_controller.world().tree.subtree(resource).size() - 1;
        if (below > 0)
            lines += tr("%Ln descendants", nullptr, int(below));
        if (const QString etag = m_controller.etag(resource); !etag.isEmpty())
            lines += tr("Etag %1").arg(etag.toHtmlEscaped());
    }
    for (const Timeline::Bar *bar : barsAffecting(row)) {
        const QString who = barText(*bar).toHtmlEscaped();
        lines += bar->row == row ? tr("target of %1").arg(who) : tr("moved by %1").arg(who);
        if (const QString rule = ruleOfStart(*bar); !rule.isEmpty())
            lines += u"<i>%1</i>"_s.arg(rule.toHtmlEscaped());
    }
    lines += beside(row, m_picture.now);
    if (const auto *found =
            m_picture.conformance ? m_picture.conformance->judgedViolationAt(path) : nullptr) {
        for (const QString &text : { violationText(*found), brokenRuleText(*found) })
            lines += text.toHtmlEscaped().replace(u'\n', u"<br>"_s);
    }
    lines.removeAll(QString());
    return lines.join(u"<br>"_s);
}

QString TimelineView::beside(Timeline::Row row, qint64 time) const
{
    if (!m_picture.conformance || time > m_picture.now)
        return {};
    const LiveConformance &conformance = *m_picture.conformance;
    const QString path = m_timeline->path(row);
    const Tracks::Track *track = conformance.tracks().find(path);
    const Tracks::Observed *seen = track ? track->observedAt(time) : nullptr;
    const bool isLost = !conformance.monitor().allowed(path);
    if (!seen && (track || !isLost || !m_picture.isSplit))
        return {};
    const Tracks::Expected *expected = track ? track->expectedAt(time) : nullptr;
    QString text = expected && expected->allowed
        ? tr("allowed by the rules: %1").arg(allowedText(*expected->allowed))
        : tr("dotted line: the states that the rules allow are unknown");
    if (isLost && !(expected && expected->allowed))
        text += u' ' + expectedText(conformance, path);
    if (seen)
        text.prepend(tr("observed: %1; ").arg(seen->word.isEmpty() ? tr("absent") : seen->word));
    return text.toHtmlEscaped();
}

/// Text of the transition row by which an operation started, with its source. For a server, which
/// does not name the row, the only one that fits; else empty.
QString TimelineView::ruleOfStart(const Timeline::Bar &bar) const
{
    const Rules &rules = m_controller.rules();
    if (bar.transition != Rules::None || bar.state == Rules::None)
        return rules.transitionText(bar.transition);
    const Machine &machine = rules.pack().machines[rules.state(bar.state).machine];
    const auto fits = [&](const Transition &row) {
        return row.on.contains(bar.request->op) && row.to.contains(rules.state(bar.state).id)
            && rules.applies(row);
    };
    const auto row = std::ranges::find_if(machine.transitions, fits);
    if (row == machine.transitions.end() || std::any_of(row + 1, machine.transitions.end(), fits))
        return {};
    return rules.pack().ruleText(*row);
}

QString TimelineView::whyBar(const Timeline::Bar &bar) const
{
    QStringList lines { u"<b>%1</b>"_s.arg((bar.request->op + u' ' + bar.path).toHtmlEscaped()) };
    if (!bar.request->client.isEmpty())
        lines.last() += u' ' + tr("sent by %1").arg(bar.request->client.toHtmlEscaped());
    const QString end = timeText(bar.ended);
    lines += bar.status == Status::Waiting ? tr("waiting since %1").arg(timeText(bar.submitted))
        : bar.status == Status::InProgress ? tr("running since %1").arg(timeText(bar.started))
        : bar.status == Status::Rejected   ? tr("refused at %1").arg(end)
        : bar.status == Status::Canceled   ? tr("canceled at %1").arg(end)
                                           : tr("%1 at %2").arg(statusOf(bar), end);
    if (!bar.code.isEmpty())
        lines +=
            (bar.http ? QString::number(bar.http) + u' ' : QString()) + bar.code.toHtmlEscaped();
    lines += bar.message.toHtmlEscaped();
    for (const auto &[serial, text] : { std::pair(bar.conflictsWith, tr("conflicts with %1")),
             std::pair(bar.canceledBy, tr("canceled by %1")),
             std::pair(bar.requirer, tr("required by %1")),
             std::pair(bar.replayOf, tr("same request id as %1")) }) {
        if (const Timeline::Bar *other = serial ? m_timeline->bar(serial) : nullptr)
            lines += text.arg(barText(*other).toHtmlEscaped());
    }
    for (const QString &rule : { ruleOfStart(bar), bar.rule }) {
        if (!rule.isEmpty())
            lines += u"<i>%1</i>"_s.arg(rule.toHtmlEscaped());
    }
    lines.removeAll(QString());
    return lines.join(u"<br>"_s);
}

QList<CanvasPart> TimelineView::parts() const
{
    constexpr size_t most = 400; // operations; users of screen readers hear no more
    QList<CanvasPart> result;
    const double top = corner().y(), bottom = top + viewport()->height() - timelineRuler;
    for (const qsizetype line : m_picture.linesBetween(top, bottom))
        result += CanvasPart { CanvasPart::Kind::Row, int(m_picture.lines->rowAt(line)) };
    const std::span bars(m_timeline->bars());
    for (const Timeline::Bar &bar : bars.last(std::min(bars.size(), most)))
        result += CanvasPart { CanvasPart::Kind::Bar, int(bar.serial) };
    return result;
}

/// Status as in the list of operations.
QString TimelineView::statusOf(const Timeline::Bar &bar) const
{
    const Operation *operation = m_controller.operations().find(bar.serial);
    return operation && operation->status == bar.status ? statusText(*operation)
                                                        : statusName(bar.status);
}

const Timeline::Bar *TimelineView::barOf(const CanvasPart &part) const
{
    return part.kind == CanvasPart::Kind::Bar ? m_timeline->bar(quint32(part.index)) : nullptr;
}

QString TimelineView::nameOf(const CanvasPart &part) const
{
    if (const Timeline::Bar *bar = barOf(part))
        return tr("%1, %2").arg(barText(*bar), statusOf(*bar));
    //: a resource's or an operation's name, and how it stands
    return tr("%1, %2").arg(
        m_timeline->name(Timeline::Row(part.index)), m_picture.wordAt(Timeline::Row(part.index)));
}

QString TimelineView::descriptionOf(const CanvasPart &part) const
{
    const Timeline::Bar *bar = barOf(part);
    return QTextDocumentFragment::fromHtml(bar ? whyBar(*bar) : whyRow(Timeline::Row(part.index)))
        .toPlainText();
}

QRect TimelineView::areaOf(const CanvasPart &part) const
{
    if (const Timeline::Bar *bar = barOf(part)) {
        const QRectF rect =
            (m_picture.isSplit ? m_picture.badgeRect(*bar) : m_picture.targetRect(*bar))
                .translated(timeArea().topLeft() - corner());
        return QRectF(rect.topLeft(), rect.size().expandedTo({ 4, 1 })).toAlignedRect();
    }
    QRectF rect = rectOf(Timeline::Row(part.index));
    rect.setWidth(treeWidth());
    return rect.toAlignedRect();
}

std::optional<CanvasPart> TimelineView::partAt(const QPoint &point) const
{
    QList<CanvasPart> all = parts();
    if (!m_picture.isSplit) // the last part is on top; of badges, the first
        std::ranges::reverse(all);
    const auto found = std::ranges::find_if(
        all, [&](const CanvasPart &part) { return areaOf(part).contains(point); });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

bool TimelineView::isSelected(const CanvasPart &part) const
{
    return part.kind == CanvasPart::Kind::Bar ? quint32(part.index) == m_picture.selectedBar
                                              : Timeline::Row(part.index) == m_picture.selected;
}

std::optional<bool> TimelineView::isExpanded(const CanvasPart &part) const
{
    const auto row = Timeline::Row(part.index);
    return part.kind == CanvasPart::Kind::Row && canFold(row) ? std::optional(!isFolded(row))
                                                              : std::nullopt;
}

void TimelineView::activate(const CanvasPart &part)
{
    if (const Timeline::Bar *bar = barOf(part))
        select(*bar);
    else
        select(Timeline::Row(part.index));
}

} // namespace instar
