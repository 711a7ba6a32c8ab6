// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timelineview.h"

#include "model/engine/simulator.h"
#include "model/items/liveconformance.h"
#include "model/items/operationmodel.h"
#include "model/items/words.h"
#include "views/drawing/text.h"
#include "views/icons.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMetaMethod>
#include <QScrollBar>
#include <QTextDocumentFragment>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr double gutter = 26;   ///< between blocks and time: references bow into it
constexpr double mapWidth = 64; ///< of the small picture of everything
constexpr double thinnest = 0.0005, thickest = 60; ///< a row, in pixels
constexpr double usualHeight = 22;
constexpr double waveMs = 360;
constexpr double levelWidth = 128, mostLevels = 420;
constexpr qint64 leastSpan = 2000; ///< ms that are seen at least

} // namespace

TimelineView::TimelineView(Controller &controller, Selection &selection, QWidget *parent)
    : Canvas(QAccessible::Tree, parent), m_controller(controller), m_selection(selection)
{
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setViewportUpdateMode(FullViewportUpdate);
    setOptimizationFlags(DontSavePainterState | DontAdjustForAntialiasing);
    setMinimumHeight(90);
    setAccessibleName(tr("Timeline"));
    rebuild();
    const Updates &updates = controller.updates();
    connect(&updates, &Updates::happened, this, [this] { sync(Told::Live); });
    connect(&updates, &Updates::rewound, this, [this] {
        // A server's tree was read, perhaps again: what it is now is where the timeline begins.
        m_isStale = m_isStale || !qobject_cast<const Simulator *>(&m_controller);
        sync(Told::Jumped);
    });
    connect(&updates, &Updates::timePassed, this, [this] {
        m_picture.now = m_controller.world().now;
        arrange();
        follow();
        viewport()->update();
    });
    connect(&controller, &Controller::rulesChanged, this, [this] { m_isStale = true; });
    connect(&selection, &Selection::resourceChosen, this, &TimelineView::showResource);
    connect(&selection, &Selection::operationsChosen, this, [this](quint32 current) {
        m_picture.selectedBar = current;
        viewport()->update();
    });
}

// ---- What is shown

void TimelineView::rebuild()
{
    const auto *simulator = qobject_cast<const Simulator *>(&m_controller);
    const bool isWhole = simulator && simulator->forgotten() == 0;
    m_skipped = isWhole ? 0 : m_controller.forgotten() + m_controller.records().size();
    m_next.reset();
    m_timeline =
        std::make_shared<Timeline>(isWhole ? simulator->beginning() : m_controller.world());
    m_timeline->setOrder(m_order);
    m_history = simulator ? simulator->history() : 0;
    m_isStale = false;
    m_folded.clear();
    m_laidRows = m_laidSpans = m_laidBars = -1;
    m_picture.setRules(m_controller.rules());
    m_picture.isRemote = !m_controller.isOurs();
    m_walkedTo.reset();
    setLookedAt(m_lookedAt);
    sync(Told::Jumped);
}

void TimelineView::sync(Told told)
{
    const auto *simulator = qobject_cast<const Simulator *>(&m_controller);
    const qsizetype forgotten = m_controller.forgotten();
    if (m_isStale || (simulator && simulator->history() != m_history)
        || forgotten > m_skipped + m_timeline->moments()) {
        // Other rules, another branch, or too much at once to have been seen.
        const QStringList folded = foldedPaths();
        rebuild();
        foldAgain(folded);
        if (!folded.isEmpty())
            layOut();
        return;
    }
    if (m_next && forgotten >= std::max(m_nextSkipped, m_skipped + m_mostForgotten))
        goOnWithNext();
    const QList<Record> &records = m_controller.records();
    const QList<Record> none;
    const QList<Record> &later = simulator ? simulator->later() : none;
    const Rules &rules = m_controller.rules();
    const qsizetype shown = forgotten + records.size() - m_skipped;
    quint32 asked = 0; // the last one that somebody asked for just now
    for (qsizetype i = m_skipped + m_timeline->moments() - forgotten;
         i < records.size() + later.size(); ++i) {
        const Record &record = i < records.size() ? records[i] : later[i - records.size()];
        m_timeline->add(rules, record);
        if (m_next)
            m_next->add(rules, record);
        if (told != Told::Live || i + 8 < records.size())
            continue; // of much at once only the last is seen moving
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
    if (!m_next && forgotten - m_skipped > m_mostForgotten / 2) {
        m_next = std::make_shared<Timeline>(world);
        m_nextSkipped = m_skipped + m_timeline->moments();
    }
    m_picture.timeline = m_timeline;
    m_picture.world = &world;
    m_picture.now = world.now;
    m_picture.due.clear();
    for (const auto &running : world.running) {
        if (running->due > world.now)
            m_picture.due.insert(running->serial, running->due);
    }
    m_isMapOld = true;
    if (m_timeline->rowCount() != m_laidRows
        || (m_order == Timeline::Order::Asked && qsizetype(m_timeline->bars().size()) != m_laidBars)
        || ((m_shows == TimelineLines::Shows::OnlyTouched || m_lines == Lines::Clients)
            && (qsizetype(m_timeline->spans().size()) != m_laidSpans
                || qsizetype(m_timeline->bars().size()) != m_laidBars)))
        layOut();
    m_picture.rests = std::make_shared<std::vector<TimelineRest>>(
        std::ranges::any_of(m_timeline->bars(),
            [](const Timeline::Bar &bar) { return bar.status == Status::Failed; })
            ? failedRests(*m_timeline)
            : std::vector<TimelineRest>());
    arrange();
    follow();
    if (const Timeline::Bar *bar = m_timeline->bar(asked);
        bar && bar->row != Timeline::NoRow && !m_picture.lanes && m_grip == Grip::None) {
        reveal(m_timeline->rowAt(
            m_timeline->endOf(bar->row) - 1)); // what is below it, as far as it fits
        reveal(bar->row);
    }
    viewport()->update();
}

/// What it remembers begins later from now on; where one looks, one goes on looking.
void TimelineView::goOnWithNext()
{
    const QStringList folded = foldedPaths();
    const qint64 begin = m_timeline->begin();
    const bool showsRows = m_lines == Lines::Resources;
    const Timeline::Row top = showsRows ? m_picture.rowAt(corner().y()) : Timeline::NoRow;
    const QString first = top == Timeline::NoRow ? QString() : m_timeline->path(top);
    const double above = top == Timeline::NoRow ? 0 : rectOf(top).top();
    m_timeline = std::exchange(m_next, nullptr);
    m_skipped = m_nextSkipped;
    m_timeline->setOrder(m_order);
    m_picture.timeline = m_timeline;
    m_walkedTo.reset();
    foldAgain(folded);
    setLookedAt(m_lookedAt);
    const double scrolled = corner().x();
    layOut();
    const auto gone = double(m_timeline->begin() - begin) * m_picture.scale.pixelsPerMs;
    horizontalScrollBar()->setValue(int(scrolled - gone));
    if (const Timeline::Row row = m_timeline->find(first);
        !first.isEmpty() && row != Timeline::NoRow)
        verticalScrollBar()->setValue(
            verticalScrollBar()->value() + qRound(rectOf(row).top() - above));
}

QStringList TimelineView::foldedPaths() const
{
    QStringList paths;
    for (const Timeline::Row row : m_folded)
        paths += m_timeline->path(row);
    return paths;
}

void TimelineView::foldAgain(const QStringList &paths)
{
    m_folded.clear();
    for (const QString &path : paths) {
        if (const Timeline::Row row = m_timeline->find(path); row != Timeline::NoRow)
            m_folded += row;
    }
}

void TimelineView::layOut()
{
    m_laidRows = m_timeline->rowCount();
    m_laidSpans = qsizetype(m_timeline->spans().size());
    m_laidBars = qsizetype(m_timeline->bars().size());
    m_picture.lines = std::make_shared<TimelineLines>(*m_timeline, m_folded, m_shows);
    m_picture.lanes =
        m_lines == Lines::Clients ? std::make_shared<TimelineLanes>(*m_timeline) : nullptr;
    m_picture.selected = m_selection.resource().isEmpty()
        ? Timeline::NoRow
        : m_timeline->find(m_selection.resource());
    m_picture.hovered = Timeline::NoRow;
    m_isMapOld = true;
    arrange();
    viewport()->update();
}

void TimelineView::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_isMapOld = true;
    viewport()->update();
}

void TimelineView::setConformance(const LiveConformance *conformance)
{
    m_picture.tracks = conformance ? &conformance->tracks() : nullptr;
    if (conformance)
        connect(conformance, &LiveConformance::changed, viewport(), qOverload<>(&QWidget::update));
    arrange();
    viewport()->update();
}

void TimelineView::showResource()
{
    m_controller.updates().tell(); // it may have come just now
    const QString &path = m_selection.resource();
    m_picture.selected = path.isEmpty() ? Timeline::NoRow : m_timeline->find(path);
    if (m_picture.selected != Timeline::NoRow)
        reveal(m_picture.selected);
    viewport()->update();
}

void TimelineView::setLines(Lines lines)
{
    m_lines = lines;
    layOut();
}

void TimelineView::setShows(TimelineLines::Shows shows)
{
    m_shows = shows;
    layOut();
}

void TimelineView::setOrder(Timeline::Order order)
{
    m_order = order;
    m_timeline->setOrder(order);
    layOut();
    if (m_picture.selected != Timeline::NoRow)
        reveal(m_picture.selected);
}

void TimelineView::setLookedAt(const QStringList &paths)
{
    m_lookedAt = paths;
    m_picture.lookedAt.clear();
    for (const QString &path : paths) {
        if (const Timeline::Row row = m_timeline->find(path); row != Timeline::NoRow)
            m_picture.lookedAt += row;
    }
    viewport()->update();
}

void TimelineView::setSought(const QString &text)
{
    m_picture.sought = text;
    viewport()->update();
}

void TimelineView::seekNext()
{
    if (m_picture.sought.isEmpty())
        return;
    const qsizetype count = m_timeline->rowCount();
    const qsizetype from =
        m_picture.selected == Timeline::NoRow ? -1 : m_timeline->placeOf(m_picture.selected);
    for (qsizetype i = 1; i <= count; ++i) {
        const Timeline::Row row = m_timeline->rowAt((from + i + count) % count);
        if (!m_timeline->name(row).contains(m_picture.sought, Qt::CaseInsensitive))
            continue;
        for (Timeline::Row up = m_timeline->parent(row); up != Timeline::NoRow;
             up = m_timeline->parent(up))
            m_folded.remove(up);
        layOut();
        select(row);
        return;
    }
}

void TimelineView::fold(Timeline::Row row, bool folded)
{
    if (folded)
        m_folded.insert(row);
    else
        m_folded.remove(row);
    layOut();
}

void TimelineView::foldFrom(int level)
{
    m_folded.clear();
    for (Timeline::Row row = 0; row < Timeline::Row(m_timeline->rowCount()); ++row) {
        if (m_timeline->depth(row) == level)
            m_folded.insert(row);
    }
    layOut();
}

// ---- Where it is shown

double TimelineView::blocksWidth() const
{
    const double room = viewport()->width();
    const double wished = m_ownBlocks > 0
        ? m_ownBlocks
        : std::min({ levelWidth * std::max(1, m_timeline->levels()), mostLevels, room * 0.36 });
    return std::clamp(wished, 60.0, std::max(60.0, room * 0.7));
}

QRectF TimelineView::mapArea() const
{
    const double height = viewport()->height() - timelineRuler;
    const bool isWhole = m_picture.scale.y(m_picture.lineCount()) <= height + 1;
    if (isWhole || viewport()->width() < 500 || height < 60)
        return {};
    return { viewport()->width() - mapWidth - 2, timelineRuler + 2, mapWidth, height - 4 };
}

QRectF TimelineView::blocksArea() const
{
    return { 0, timelineRuler, blocksWidth(), viewport()->height() - timelineRuler };
}

QRectF TimelineView::timeArea() const
{
    const QRectF map = mapArea();
    const double right = map.isNull() ? viewport()->width() : map.left() - 4;
    const double left = blocksWidth() + gutter;
    return { left, timelineRuler, std::max(1.0, right - left),
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

double TimelineView::usualRow() const
{
    const qsizetype count = std::max<qsizetype>(1, m_picture.lineCount());
    const double fits = (viewport()->height() - timelineRuler - 4) / double(count);
    // So few that names can be read; else all of them at once.
    const double least = m_picture.tracks ? usualHeight + 2 : 18; // tracks take room
    return count <= 120 ? std::clamp(fits, least, usualHeight + 4)
                        : std::clamp(fits, thinnest, usualHeight);
}

qint64 TimelineView::usualSpan() const
{
    // In steps, so that the picture does not shrink with every moment.
    double span = double(leastSpan);
    while (span < double(m_picture.end() - m_timeline->begin()) * 1.04)
        span *= 1.2;
    return qint64(span);
}

bool TimelineView::scrollsTime() const
{
    return m_ownTime || isLong();
}

bool TimelineView::isLong() const
{
    return m_mostSeen > 0 && usualSpan() > m_mostSeen;
}

void TimelineView::setMostSeen(qint64 time)
{
    m_mostSeen = time;
    fit();
}

void TimelineView::revealNow()
{
    horizontalScrollBar()->setValue(
        int(m_picture.scale.x(m_picture.now) - timeArea().width() * 0.7));
}

void TimelineView::arrange()
{
    TimelineScale &scale = m_picture.scale;
    scale.begin = m_timeline->begin();
    if (!m_ownRows)
        scale.rowHeight = usualRow();
    const double width = timeArea().width();
    const bool scrolls = scrollsTime();
    if (!m_ownTime)
        scale.pixelsPerMs = (width - 28) / double(scrolls ? m_mostSeen : usualSpan());
    const double wide = scrolls ? scale.x(m_picture.end()) + width / 3 : width;
    const double high = scale.y(m_picture.lineCount());
    // As if everything but the time and the lines took no room.
    const double besides = viewport()->width() - width;
    m_scene.setSceneRect(0, 0, std::min(std::max(wide, 1.0) + besides, 2e9),
        std::min(high + timelineRuler + 2, 2e9));
    setHorizontalScrollBarPolicy(scrolls ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
}

void TimelineView::follow()
{
    const auto *simulator = qobject_cast<const Simulator *>(&m_controller);
    const double x = m_picture.scale.x(m_picture.now), width = timeArea().width();
    const double before = m_picture.scale.x(std::exchange(m_followed, m_picture.now));
    // Who looks at something else goes on doing so.
    const bool wasSeen = before >= corner().x() && before <= corner().x() + width;
    if (!scrollsTime() || m_grip != Grip::None || (simulator && !simulator->isPlaying()))
        return;
    const bool isExplained = !m_lookedAt.isEmpty();
    const int place = horizontalScrollBar()->value();
    if (m_heldAt && !isExplained) {
        if (std::exchange(m_heldAt, {}) == place)
            revealNow();
    } else if (wasSeen && (x > corner().x() + width * 0.9 || x < corner().x())) {
        // What is being explained stays in sight for as long as it is.
        if (isExplained)
            m_heldAt = place;
        else
            revealNow();
    }
}

void TimelineView::reveal(Timeline::Row row)
{
    const QRectF line = rectOf(row);
    if (line.top() < timelineRuler)
        verticalScrollBar()->setValue(int(corner().y() + line.top() - timelineRuler));
    else if (line.bottom() > viewport()->height())
        verticalScrollBar()->setValue(
            int(std::ceil(corner().y() + line.bottom() - viewport()->height())));
}

void TimelineView::zoomRows(double factor, double around)
{
    TimelineScale &scale = m_picture.scale;
    const double y = around - timelineRuler + corner().y();
    const double before = scale.rowHeight;
    const double fits = (viewport()->height() - timelineRuler - 4)
        / double(std::max<qsizetype>(1, m_picture.lineCount()));
    scale.rowHeight = std::clamp(before * factor, std::min(fits, usualHeight), thickest);
    m_ownRows = true;
    arrange();
    verticalScrollBar()->setValue(
        int(std::lround(y * scale.rowHeight / before - (around - timelineRuler))));
    viewport()->update();
}

void TimelineView::zoomTime(double factor, double around)
{
    TimelineScale &scale = m_picture.scale;
    const double left = timeArea().left();
    const double x = around - left + corner().x();
    const double before = scale.pixelsPerMs;
    const double whole = (timeArea().width() - 28) / double(usualSpan());
    const double most =
        std::min(20.0, 1.5e9 / double(std::max<qint64>(1, m_picture.end() - m_timeline->begin())));
    scale.pixelsPerMs = std::clamp(before * factor, whole, std::max(whole, most));
    m_ownTime = scale.pixelsPerMs > whole || isLong();
    arrange();
    if (scale.pixelsPerMs <= whole)
        horizontalScrollBar()->setValue(0);
    else
        horizontalScrollBar()->setValue(int(std::lround(
            (x - scale.lead) * scale.pixelsPerMs / before + scale.lead - (around - left))));
    viewport()->update();
}

void TimelineView::fit()
{
    m_ownRows = m_ownTime = false;
    arrange();
    if (scrollsTime())
        revealNow();
    viewport()->update();
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    Canvas::resizeEvent(event);
    m_isMapOld = true;
    arrange();
}

void TimelineView::showEvent(QShowEvent *event)
{
    Canvas::showEvent(event);
    sync(Told::Jumped);
}

// ---- Painting

void TimelineView::drawBackground(QPainter *painter, const QRectF &)
{
    painter->resetTransform();
    painter->fillRect(viewport()->rect(), m_theme.base);
}

void TimelineView::drawForeground(QPainter *painter, const QRectF &)
{
    if (m_isStale)
        return; // other rules have come; they are told of at once
    painter->resetTransform();
    m_picture.waves.clear();
    for (const Wave &wave : std::as_const(m_waves))
        m_picture.waves.append({ wave.serial, wave.farthest,
            std::min(1.0, double(wave.since.elapsed()) / waveMs), wave.isBack });
    paintTimelineTime(*painter, m_picture, timeArea(), corner(), m_theme);
    paintTimelineBlocks(*painter, m_picture, blocksArea(), corner().y(), m_theme);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->fillRect(QRectF(0, 0, viewport()->width(), timelineRuler), m_theme.base);
    paintTimelineRuler(
        *painter, m_picture, rulerArea(), corner().x(), viewport()->height(), m_theme);
    painter->setPen(QPen(m_theme.quietLine, 1));
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->drawLine(
        QPointF(0, timelineRuler - 0.5), QPointF(viewport()->width(), timelineRuler - 0.5));
    paintMap(*painter);
    const auto say = [&](const QRectF &area, const QString &sentence) {
        constexpr int format = Qt::AlignCenter | Qt::TextWordWrap;
        const QRectF words = painter->boundingRect(area, format, sentence);
        painter->fillRect(words.adjusted(-8, -4, 8, 4), m_theme.base); // no line goes through it
        painter->setPen(m_theme.dimText);
        drawText(*painter, area, format, sentence);
    };
    if (m_timeline->rowCount() == 0)
        say(viewport()->rect(),
            tr("There are no resources. An operation that makes one will be seen here."));
    else if (m_timeline->bars().empty() && timeArea().width() > 200)
        say(timeArea().adjusted(12, 8, -12, -8),
            tr("Fire an operation: what it answers for is drawn here, as long as it lasts."));
    if (hasFocus()) {
        painter->setPen(QPen(m_theme.accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

void TimelineView::paintMap(QPainter &painter)
{
    const QRectF area = mapArea();
    if (area.isNull())
        return;
    if (std::exchange(m_isMapOld, false) || m_map.size() != area.size().toSize()) {
        m_map = QImage(area.size().toSize(), QImage::Format_RGB32);
        m_map.fill(m_theme.base);
        QPainter small(&m_map);
        TimelinePicture picture = m_picture;
        picture.scale.rowHeight = area.height() / double(picture.lineCount());
        const qint64 span = std::max<qint64>(1, picture.end() - picture.scale.begin);
        picture.scale.pixelsPerMs = area.width() * 0.66 / double(span);
        picture.scale.lead = 0;
        picture.isMap = true;
        const double blocks = area.width() * 0.34;
        paintTimelineTime(
            small, picture, { blocks, 0, area.width() - blocks, area.height() }, {}, m_theme);
        paintTimelineBlocks(small, picture, { 0, 0, blocks - 2, area.height() }, 0, m_theme);
    }
    painter.drawImage(area.topLeft(), m_map);
    const double all = m_picture.scale.y(m_picture.lineCount());
    const double top = area.top() + area.height() * corner().y() / all;
    const double height = area.height() * (viewport()->height() - timelineRuler) / all;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.accent, 1.5));
    QColor veil = m_theme.accent;
    veil.setAlphaF(0.10F);
    painter.setBrush(veil);
    painter.drawRoundedRect(
        QRectF(area.left() - 1, top, area.width() + 1, std::max(height, 4.0)), 2, 2);
}

QSizeF TimelineView::pictureSize() const
{
    return timelineSize(m_picture, blocksWidth());
}

TimelinePicture TimelineView::wholePicture() const
{
    TimelinePicture picture = m_picture;
    picture.waves.clear();
    picture.hovered = Timeline::NoRow;
    return picture;
}

void TimelineView::paintAll(QPainter &painter) const
{
    paintTimeline(painter, wholePicture(), blocksWidth(), m_theme);
}

Drawing TimelineView::drawingAround(quint32 operation) const
{
    constexpr double wide = 720;     // points, for the time
    constexpr qint64 leastTime = 50; // ms on either side
    constexpr qint64 leastReach = 2000;
    TimelinePicture picture = wholePicture();
    if (!picture.lanes)
        picture.lines = std::make_shared<TimelineLines>(
            *m_timeline, QSet<Timeline::Row>(), TimelineLines::Shows::OnlyTouched);
    if (const Timeline::Bar *bar = m_timeline->bar(operation)) {
        qint64 from = bar->submitted, to = picture.endOf(*bar);
        // Of what went on for much longer only the part that met it.
        const qint64 reach = std::max(leastReach, 3 * (to - from));
        const qint64 earliest = from - reach, latest = to + reach;
        for (const quint32 other :
            { bar->inTheWay, bar->canceledBy, bar->requirer, bar->replayOf }) {
            if (const Timeline::Bar *met = m_timeline->bar(other)) {
                from = std::min(from, std::max(met->submitted, earliest));
                to = std::max(to, std::min(picture.endOf(*met), latest));
            }
        }
        const qint64 around = std::max(leastTime, (to - from) / 5);
        picture.scale.begin = std::max(m_timeline->begin(), from - around);
        picture.until = to + around;
        picture.scale.pixelsPerMs = wide / double(*picture.until - picture.scale.begin);
    }
    const double blocks = blocksWidth();
    return { timelineSize(picture, blocks), [picture, blocks, theme = m_theme](QPainter &painter) {
                paintTimeline(painter, picture, blocks, theme);
            } };
}

QImage TimelineView::image(double scale) const
{
    constexpr double most = 8000; // pixels of a side
    TimelinePicture picture = wholePicture();
    const double blocks = blocksWidth();
    const QSizeF whole = timelineSize(picture, blocks);
    picture.scale.rowHeight *= std::min(1.0, most / scale / whole.height());
    picture.scale.pixelsPerMs *= std::min(1.0, (most / scale - blocks) / whole.width());
    const QSizeF size = timelineSize(picture, blocks);
    QImage image((size * scale).toSize().expandedTo({ 1, 1 }), QImage::Format_RGB32);
    image.fill(m_theme.base);
    QPainter painter(&image);
    painter.scale(scale, scale);
    paintTimeline(painter, picture, blocks, m_theme);
    return image;
}

// ---- Waves

void TimelineView::wave(quint32 serial, bool isBack)
{
    const Timeline::Bar *bar = m_timeline->bar(serial);
    if (m_motion == Motion::Reduced || !isVisible() || !bar)
        return;
    QElapsedTimer since;
    since.start();
    m_waves.append({ serial, std::max(1, m_timeline->reach(*bar)), isBack, since });
    if (!m_ticker.isActive())
        m_ticker.start(16, Qt::PreciseTimer, this);
}

void TimelineView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_ticker.timerId()) {
        Canvas::timerEvent(event);
        return;
    }
    m_waves.removeIf([](const Wave &wave) { return double(wave.since.elapsed()) >= waveMs; });
    if (m_waves.isEmpty())
        m_ticker.stop();
    viewport()->update();
}

// ---- By hand

bool TimelineView::isOnCursor(const QPointF &point) const
{
    const double x = timeArea().left() + m_picture.scale.x(m_picture.now) - corner().x();
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
    m_pressed = event->position();
    m_scrolled = corner().toPoint();
    m_hasMoved = false;
    if (event->button() == Qt::MiddleButton) {
        m_grip = Grip::Pan;
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    const QPointF point = event->position();
    if (rulerArea().contains(point) || isOnCursor(point)) {
        m_grip = Grip::Cursor;
        m_lastTime = std::max(m_timeline->end(), m_controller.world().now);
        if (rulerArea().contains(point))
            scrub(point.x());
    } else if (const QRectF map = mapArea(); map.contains(point)) {
        m_grip = Grip::Map;
        mouseMoveEvent(event);
    } else if (std::abs(point.x() - blocksWidth() - gutter / 2) < gutter / 2) {
        m_grip = Grip::Divider;
    } else {
        m_grip = Grip::Pan;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF point = event->position();
    if (m_grip != Grip::None
        && (point - m_pressed).manhattanLength() > QApplication::startDragDistance())
        m_hasMoved = true;
    switch (m_grip) {
    case Grip::None:
        hover(point);
        break;
    case Grip::Cursor:
        scrub(point.x());
        break;
    case Grip::Divider:
        m_ownBlocks = std::max(60.0, point.x() - gutter / 2);
        arrange();
        viewport()->update();
        break;
    case Grip::Map: {
        const QRectF map = mapArea();
        const double all = m_picture.scale.y(m_picture.lineCount());
        const double seen = viewport()->height() - timelineRuler;
        verticalScrollBar()->setValue(
            int(std::lround((point.y() - map.top()) / map.height() * all - seen / 2)));
        viewport()->update();
        break;
    }
    case Grip::Pan:
        if (!m_hasMoved)
            break;
        setCursor(Qt::ClosedHandCursor);
        horizontalScrollBar()->setValue(m_scrolled.x() - int(point.x() - m_pressed.x()));
        verticalScrollBar()->setValue(m_scrolled.y() - int(point.y() - m_pressed.y()));
        viewport()->update();
        break;
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    const Grip grip = std::exchange(m_grip, Grip::None);
    if (grip == Grip::Pan)
        unsetCursor();
    if (event->button() != Qt::LeftButton || m_hasMoved
        || (grip != Grip::Pan && grip != Grip::Divider && grip != Grip::Cursor))
        return;
    const QPointF point = event->position();
    if (timeArea().contains(point)) {
        const Timeline::Bar *bar = m_picture.barAt(point - timeArea().topLeft() + corner());
        m_selection.choose(bar ? QList<quint32> { bar->serial } : QList<quint32>());
        if (!bar && grip != Grip::Cursor && m_lines == Lines::Resources)
            select(m_picture.rowAt(point.y() - timelineRuler + corner().y()));
    } else if (blocksArea().contains(point) && m_lines == Lines::Resources) {
        select(rowOfBlock(point));
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_lines != Lines::Resources)
        return;
    const QPointF point = event->position();
    const Timeline::Row row = blocksArea().contains(point) ? rowOfBlock(point)
        : timeArea().contains(point) ? m_picture.rowAt(point.y() - timelineRuler + corner().y())
                                     : Timeline::NoRow;
    if (row != Timeline::NoRow)
        emit fireAsked(m_timeline->path(row));
}

/// The block under a point: that of an ancestor where the point is in an ancestor's column.
Timeline::Row TimelineView::rowOfBlock(const QPointF &point) const
{
    Timeline::Row row = m_picture.rowAt(point.y() - timelineRuler + corner().y());
    const int level = int(point.x() / m_picture.column(1, blocksWidth()));
    while (row != Timeline::NoRow && m_timeline->depth(row) > level)
        row = m_timeline->parent(row);
    return row;
}

void TimelineView::select(Timeline::Row row)
{
    if (row == Timeline::NoRow)
        return;
    m_selection.choose(m_timeline->path(row));
    m_walkedTo = { CanvasPart::Kind::Row, int(row) };
    tellFocus();
}

void TimelineView::select(const Timeline::Bar &bar)
{
    const quint32 serial = bar.serial; // bars move when there are more
    const QRectF rect = m_picture.targetRect(bar);
    if (scrollsTime()
        && (rect.left() < corner().x() || rect.left() > corner().x() + timeArea().width()))
        horizontalScrollBar()->setValue(int(rect.left() - timeArea().width() / 4));
    if (bar.row != Timeline::NoRow && m_lines == Lines::Resources)
        reveal(bar.row);
    m_selection.choose(serial);
    m_walkedTo = { CanvasPart::Kind::Bar, int(serial) };
    tellFocus();
}

void TimelineView::hover(const QPointF &point)
{
    Timeline::Row row = Timeline::NoRow;
    quint32 serial = 0;
    if (blocksArea().contains(point) && m_lines == Lines::Resources) {
        row = rowOfBlock(point);
    } else if (timeArea().contains(point)) {
        if (const Timeline::Bar *bar = m_picture.barAt(point - timeArea().topLeft() + corner()))
            serial = bar->serial;
    }
    setCursor(isOnCursor(point) || rulerArea().contains(point)     ? Qt::SplitHCursor
            : std::abs(point.x() - blocksWidth() - gutter / 2) < 5 ? Qt::SplitHCursor
                                                                   : Qt::ArrowCursor);
    if (row == m_picture.hovered && serial == m_picture.hoveredBar)
        return;
    m_picture.hovered = row;
    m_picture.hoveredBar = serial;
    viewport()->update();
}

void TimelineView::hoverNothing()
{
    m_picture.hovered = Timeline::NoRow;
    m_picture.hoveredBar = 0;
    viewport()->update();
}

QString TimelineView::tipAt(const QPoint &point) const
{
    const Timeline::Row block = blocksArea().contains(point) && m_lines == Lines::Resources
        ? rowOfBlock(point)
        : Timeline::NoRow;
    if (block != Timeline::NoRow)
        return whyRow(block);
    if (!timeArea().contains(point))
        return {};
    const QPointF place = point - timeArea().topLeft() + corner();
    QStringList parts;
    if (const Timeline::Bar *bar = m_picture.barAt(place))
        parts += whyBar(*bar);
    const Timeline::Row row =
        m_lines == Lines::Resources ? m_picture.rowAt(place.y()) : Timeline::NoRow;
    if (row != Timeline::NoRow)
        parts += beside(row, m_picture.scale.timeAt(place.x()));
    parts.removeAll(QString());
    return parts.join(u"<br>"_s);
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint turned = event->angleDelta();
    const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    if (event->modifiers() & Qt::ControlModifier)
        zoomTime(std::pow(1.25, notches), event->position().x());
    else if (event->modifiers() & Qt::ShiftModifier || turned.y() == 0)
        horizontalScrollBar()->setValue(int(corner().x() - notches * 60));
    else
        zoomRows(std::pow(1.2, notches), event->position().y());
    event->accept();
}

void TimelineView::contextMenuEvent(QContextMenuEvent *event)
{
    const QPointF point =
        event->reason() == QContextMenuEvent::Keyboard && m_picture.selected != Timeline::NoRow
        ? rectOf(m_picture.selected).center()
        : QPointF(event->pos());
    QMenu menu(this);
    // What nobody listens to is not offered: a run may be there to be looked at only.
    const bool isAsked = isSignalConnected(QMetaMethod::fromSignal(&TimelineView::whyAsked));
    const bool isFired = isSignalConnected(QMetaMethod::fromSignal(&TimelineView::fireAsked));
    const Timeline::Row row = m_lines == Lines::Resources && point.y() > timelineRuler
        ? rowOfBlock(point)
        : Timeline::NoRow;
    if (const Timeline::Bar *bar = m_picture.barAt(corner() + point - timeArea().topLeft());
        bar && timeArea().contains(point) && isAsked) {
        const quint32 serial = bar->serial;
        connect(menu.addAction(icon(u"help"_s), tr("Why %1?").arg(barText(*bar))),
            &QAction::triggered, this, [this, serial] { emit whyOperationAsked(serial); });
    }
    if (row != Timeline::NoRow) {
        const QString path = m_timeline->path(row);
        if (isAsked)
            connect(menu.addAction(icon(u"help"_s), tr("Why is %1 so?").arg(m_timeline->name(row))),
                &QAction::triggered, this, [this, path] { emit whyAsked(path); });
        if (isFired)
            connect(menu.addAction(tr("Fire on %1").arg(m_timeline->name(row))),
                &QAction::triggered, this, [this, path] { emit fireAsked(path); });
        if (m_timeline->endOf(row) > m_timeline->placeOf(row) + 1) {
            const bool isFolded = this->isFolded(row);
            connect(menu.addAction(isFolded ? tr("Unfold %1").arg(m_timeline->name(row))
                                            : tr("Fold %1").arg(m_timeline->name(row))),
                &QAction::triggered, this, [this, path, isFolded] {
                    // It may be another timeline by now.
                    if (const Timeline::Row now = m_timeline->find(path); now != Timeline::NoRow)
                        fold(now, !isFolded);
                });
        }
        menu.addSeparator();
    }
    for (int level = 0; level + 1 < m_timeline->levels(); ++level)
        connect(menu.addAction(tr("Fold all below level %1").arg(level)), &QAction::triggered, this,
            [this, level] { foldFrom(level); });
    QAction *unfold = menu.addAction(tr("Unfold all"));
    unfold->setEnabled(!m_folded.isEmpty());
    connect(unfold, &QAction::triggered, this, [this] { foldFrom(-1); });
    connect(menu.addAction(icon(u"fit"_s), tr("Usual sizes")), &QAction::triggered, this,
        &TimelineView::fit);
    menu.addSeparator();
    connect(menu.addAction(icon(u"copy"_s), tr("Copy picture")), &QAction::triggered, this,
        [this] { QGuiApplication::clipboard()->setImage(image()); });
    menu.exec(viewport()->mapToGlobal(point.toPoint()));
}

// ---- By keys

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
    const auto now =
        std::ranges::find(bars, m_picture.selectedBar, &Timeline::Bar::serial) - bars.begin();
    const qsizetype count = qsizetype(bars.size());
    const qsizetype next =
        now == count ? (by > 0 ? 0 : count - 1) : std::clamp<qsizetype>(now + by, 0, count - 1);
    select(bars[size_t(next)]);
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const bool isControl = event->modifiers() & Qt::ControlModifier;
    const Timeline::Row row = m_picture.selected;
    switch (event->key()) {
    case Qt::Key_Up:
        return walk(-1);
    case Qt::Key_Down:
        return walk(1);
    case Qt::Key_PageUp:
        return walk(-10);
    case Qt::Key_PageDown:
        return walk(10);
    case Qt::Key_Home:
        return walk(-int(std::min<qsizetype>(m_picture.lines->count(), 1 << 30)));
    case Qt::Key_End:
        return walk(int(std::min<qsizetype>(m_picture.lines->count(), 1 << 30)));
    case Qt::Key_Left:
        return walkOperations(-1);
    case Qt::Key_Right:
        return walkOperations(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (row != Timeline::NoRow)
            emit fireAsked(m_timeline->path(row));
        return;
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
        if (row != Timeline::NoRow)
            fold(row, event->key() == Qt::Key_BracketLeft);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return isControl ? zoomTime(1.25, timeArea().center().x()) : zoomIn();
    case Qt::Key_Minus:
        return isControl ? zoomTime(0.8, timeArea().center().x()) : zoomOut();
    default:
        Canvas::keyPressEvent(event);
    }
}

void TimelineView::focusInEvent(QFocusEvent *event)
{
    Canvas::focusInEvent(event);
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    Canvas::focusOutEvent(event);
    viewport()->update();
}

// ---- In words

QString TimelineView::whyRow(Timeline::Row row) const
{
    const QString path = m_timeline->path(row);
    const Resource resource = m_picture.resourceAt(row);
    const Rules &rules = m_controller.rules();
    const World &world = m_controller.world();
    QStringList lines { u"<b>%1</b>"_s.arg(path.toHtmlEscaped()) };
    if (resource == NoResource) {
        lines += tr("not there at this moment");
    } else {
        lines += shownWord(rules, world, resource).toHtmlEscaped();
        const qsizetype below = world.tree.subtree(resource).size() - 1;
        if (below > 0)
            lines += tr("%Ln resources below", nullptr, int(below));
    }
    // Who answers for it now.
    const qsizetype place = m_timeline->placeOf(row);
    for (const Timeline::Span &span : m_timeline->spans()) {
        const Timeline::Bar &bar = m_timeline->bars()[span.bar];
        const bool isNow =
            span.from <= m_picture.now && (span.to == Timeline::GoesOn || span.to > m_picture.now);
        if (!isNow || m_timeline->placeOf(span.first) > place
            || place > m_timeline->placeOf(span.last))
            continue;
        const QString who = barText(bar).toHtmlEscaped();
        lines += bar.row == row ? tr("%1 works on it").arg(who) : tr("moved with %1").arg(who);
        if (const QString rule = ruleOfStart(bar); !rule.isEmpty())
            lines += u"<i>%1</i>"_s.arg(rule.toHtmlEscaped());
    }
    lines += beside(row, m_picture.now);
    lines.removeAll(QString());
    return lines.join(u"<br>"_s);
}

QString TimelineView::beside(Timeline::Row row, qint64 time) const
{
    const Tracks::Track *track =
        m_picture.tracks ? m_picture.tracks->find(m_timeline->path(row)) : nullptr;
    const Tracks::Seen *seen = track ? track->seenAt(time) : nullptr;
    if (!seen || time > m_picture.now)
        return {};
    const QString word = seen->word.isEmpty() ? tr("absent") : seen->word;
    const Tracks::Expected *expected = track->expectedAt(time);
    QString text = expected && expected->allowed
        ? tr("seen %1; the rules allow %2").arg(word, allowedText(*expected->allowed))
        : tr("seen %1; what the rules allow could not be said").arg(word);
    text = text.toHtmlEscaped();
    // Nobody looked in between.
    if (const Tracks::Seen *next = track->seenAfter(time); next && next->notBefore <= time)
        text += u"<br>"_s
            + tr("between %1 and %2 it came to %3")
                  .arg(timeText(next->notBefore), timeText(next->at),
                      next->word.isEmpty() ? tr("absent") : next->word.toHtmlEscaped());
    else if (seen->notBefore < seen->at)
        text += u"<br>"_s
            + tr("it came to that between %1 and %2")
                  .arg(timeText(seen->notBefore), timeText(seen->at));
    return text;
}

/// The row of the pack by which an operation started, in its own words, with its source. A server
/// does not say which: then the one that fits, if there is but one.
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
        lines.last() += u' ' + tr("asked by %1").arg(bar.request->client.toHtmlEscaped());
    const QString end = timeText(bar.ended);
    switch (bar.status) {
    case Status::Waiting:
        lines += tr("waits since %1").arg(timeText(bar.submitted));
        break;
    case Status::InProgress:
        lines += tr("runs since %1").arg(timeText(bar.started));
        break;
    case Status::Rejected:
        lines += tr("refused at %1").arg(end);
        break;
    case Status::Canceled:
        lines += tr("canceled at %1").arg(end);
        break;
    case Status::Succeeded:
    case Status::Failed:
        lines += tr("%1 at %2").arg(statusOf(bar), end);
        break;
    }
    if (!bar.code.isEmpty())
        lines +=
            (bar.http ? QString::number(bar.http) + u' ' : QString()) + bar.code.toHtmlEscaped();
    if (!bar.message.isEmpty())
        lines += bar.message.toHtmlEscaped();
    for (const auto &[serial, text] : { std::pair(bar.inTheWay, tr("in the way: %1")),
             std::pair(bar.canceledBy, tr("canceled by %1")),
             std::pair(bar.requirer, tr("required by %1")),
             std::pair(bar.replayOf, tr("the same request as %1")) }) {
        if (const Timeline::Bar *other = serial ? m_timeline->bar(serial) : nullptr)
            lines += text.arg(barText(*other).toHtmlEscaped());
    }
    for (const QString &rule : { ruleOfStart(bar), bar.rule }) {
        if (!rule.isEmpty())
            lines += u"<i>%1</i>"_s.arg(rule.toHtmlEscaped());
    }
    return lines.join(u"<br>"_s);
}

// ---- For screen readers

QList<CanvasPart> TimelineView::parts() const
{
    constexpr qsizetype most = 400; // nobody listens to more
    QList<CanvasPart> result;
    if (m_lines == Lines::Resources) {
        const double row = m_picture.scale.rowHeight;
        const qsizetype count = m_picture.lines->count();
        const auto first = std::clamp(qsizetype(corner().y() / row), qsizetype(0), count);
        const auto last =
            std::clamp(qsizetype((corner().y() + viewport()->height() - timelineRuler) / row) + 1,
                first, count);
        for (qsizetype line = first; line < std::min(last, first + most); ++line)
            result += CanvasPart { CanvasPart::Kind::Row, int(m_picture.lines->rowAt(line)) };
    }
    const auto &bars = m_timeline->bars();
    const size_t from = bars.size() > size_t(most) ? bars.size() - size_t(most) : 0;
    for (size_t i = from; i < bars.size(); ++i)
        result += CanvasPart { CanvasPart::Kind::Bar, int(bars[i].serial) };
    return result;
}

/// As the list of operations has it.
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
    const Resource resource = m_picture.resourceAt(Timeline::Row(part.index));
    const QString word = resource == NoResource
        ? tr("not there")
        : shownWord(m_controller.rules(), m_controller.world(), resource);
    //: a resource's or an operation's name, and how it stands
    return tr("%1, %2").arg(m_timeline->name(Timeline::Row(part.index)), word);
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
        const QRectF rect = m_picture.targetRect(*bar).translated(timeArea().topLeft() - corner());
        return QRectF(rect.topLeft(), rect.size().expandedTo({ 4, 1 })).toAlignedRect();
    }
    QRectF rect = rectOf(Timeline::Row(part.index));
    rect.setWidth(blocksWidth());
    return rect.toAlignedRect();
}

std::optional<CanvasPart> TimelineView::partAt(const QPoint &point) const
{
    const QList<CanvasPart> all = parts();
    const auto found = std::find_if(all.rbegin(), all.rend(),
        [&](const CanvasPart &part) { return areaOf(part).contains(point); });
    return found == all.rend() ? std::nullopt : std::optional(*found);
}

bool TimelineView::isSelected(const CanvasPart &part) const
{
    return part.kind == CanvasPart::Kind::Bar ? quint32(part.index) == m_picture.selectedBar
                                              : Timeline::Row(part.index) == m_picture.selected;
}

void TimelineView::focusPart(const CanvasPart &part)
{
    setFocus(Qt::OtherFocusReason);
    activate(part);
}

void TimelineView::activate(const CanvasPart &part)
{
    if (const Timeline::Bar *bar = barOf(part))
        select(*bar);
    else
        select(Timeline::Row(part.index));
}

} // namespace instar
