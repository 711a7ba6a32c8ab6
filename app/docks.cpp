// SPDX-License-Identifier: Apache-2.0
#include "app/docks.h"

#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QApplication>
#include <QDataStream>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QMouseEvent>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace instar {

namespace {

constexpr int layoutVersion = 7; ///< layouts saved with another version are ignored
constexpr int lowestContent = 48;
constexpr Qt::DockWidgetArea edges[] { Qt::LeftDockWidgetArea, Qt::TopDockWidgetArea,
    Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea };

/// Title bar of a dock in the program's style: its name, and buttons to float and close it, which
/// the keyboard reaches too. Dragging the bar drags the dock.
class DockTitle : public QWidget
{
public:
    explicit DockTitle(QDockWidget &dock) : QWidget(&dock)
    {
        auto *name = new ElidedLabel;
        name->setObjectName(u"dockTitle"_s);
        auto *layout = filled(new QHBoxLayout(this), { { name, 1 } }, 0,
            { gap::normal, gap::small / 2, gap::small, gap::small / 2 });
        const auto add = [layout](const QString &picture) {
            auto *button = new QToolButton;
            button->setIcon(icon(picture));
            button->setIconSize(QSize(14, 14));
            button->setFocusPolicy(Qt::TabFocus);
            layout->addWidget(button);
            return button;
        };
        QToolButton *apart = add(u"apart"_s), *close = add(u"close"_s);
        connect(
            apart, &QToolButton::clicked, &dock, [&dock] { dock.setFloating(!dock.isFloating()); });
        connect(close, &QToolButton::clicked, &dock, &QDockWidget::close);
        const auto tell = [name, apart, close, &dock] {
            const QString title = dock.windowTitle();
            name->setText(title);
            apart->setToolTip(dock.isFloating()
                    ? Docks::tr("Put %1 back into the window").arg(title)
                    : Docks::tr("Show %1 in a separate window").arg(title));
            close->setToolTip(
                Docks::tr("Close %1; the View menu opens the panel again").arg(title));
            for (QToolButton *button : { apart, close })
                button->setAccessibleName(button->toolTip());
        };
        connect(&dock, &QDockWidget::windowTitleChanged, this, tell);
        connect(&dock, &QDockWidget::topLevelChanged, this, tell);
        tell();
    }
};

/// Stack that is as small as its current page allows.
class Middle : public QStackedWidget
{
public:
    QSize minimumSizeHint() const override { return currentWidget()->minimumSizeHint(); }
};

} // namespace

Docks::Docks(QMainWindow &window) : QObject(&window), m_window(window), m_middle(new Middle)
{
    window.setCentralWidget(m_middle);
    window.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks
        | QMainWindow::GroupedDragging);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (const Qt::Corner corner : { Qt::TopLeftCorner, Qt::BottomLeftCorner })
        window.setCorner(corner, Qt::LeftDockWidgetArea);
    for (const Qt::Corner corner : { Qt::TopRightCorner, Qt::BottomRightCorner })
        window.setCorner(corner, Qt::RightDockWidgetArea);
    window.setContextMenuPolicy(Qt::NoContextMenu); // Qt's menu would list panels of other rooms
    window.installEventFilter(this);
}

QDockWidget *Docks::add(const Panel &panel)
{
    auto *dock = new QDockWidget(panel.title, &m_window);
    dock->setObjectName(panel.name);
    dock->hide();
    panel.content->setMinimumHeight(std::max(panel.content->minimumHeight(), lowestContent));
    dock->setWidget(panel.content);
    m_docks += dock;
    m_panels.insert(dock, panel);
    setTitle(dock);
    connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::follow, Qt::QueuedConnection);
    connect(dock, &QDockWidget::topLevelChanged, this, &Docks::follow, Qt::QueuedConnection);
    connect(dock, &QDockWidget::visibilityChanged, this, &Docks::follow, Qt::QueuedConnection);
    // Qt moves panels behind tabs out of the window; Tab would still reach them if enabled.
    connect(dock, &QDockWidget::visibilityChanged, panel.content, &QWidget::setEnabled);
    return dock;
}

void Docks::addCentre(QWidget *centre, const QList<Room> &rooms)
{
    m_middle->addWidget(centre);
    for (const Room room : rooms)
        m_centres.insert(room, centre);
}

void Docks::enter(Room room)
{
    if (room == m_room)
        return;
    storeLayout();
    m_room = room;
    restoreLayout();
    emit roomChanged(room);
}

const Docks::Place *Docks::placeOf(const QDockWidget *dock, Room room) const
{
    const QList<Place> &places = m_panels.constFind(dock)->places;
    const auto found = std::ranges::find(places, room, &Place::room);
    return found == places.end() ? nullptr : &*found;
}

QStringList Docks::panelsOf(Room room) const
{
    QStringList names;
    for (const QDockWidget *dock : m_docks) {
        if (placeOf(dock, room))
            names += dock->objectName();
    }
    return names;
}

void Docks::restoreLayout()
{
    m_window.setUpdatesEnabled(false);
    for (QDockWidget *dock : std::as_const(m_docks))
        m_window.removeDockWidget(dock);
    m_middle->setCurrentWidget(m_centres[m_room]);
    m_middle->updateGeometry();
    const Kept &kept = m_kept[m_room];
    if (kept.panels != panelsOf(m_room) || !m_window.restoreState(kept.places, layoutVersion))
        placeAll();
    for (QDockWidget *dock : std::as_const(m_docks)) {
        if (!placeOf(dock, m_room))
            m_window.removeDockWidget(dock); // restoreState() adds what it does not know
    }
    fit();
    m_window.setUpdatesEnabled(true);
}

void Docks::placeAll()
{
    QHash<Qt::DockWidgetArea, QDockWidget *> last;
    for (QDockWidget *dock : std::as_const(m_docks)) {
        const Place *place = placeOf(dock, m_room);
        if (!place)
            continue;
        QDockWidget *&before = last[place->area];
        dock->setFloating(false);
        m_window.addDockWidget(place->area, dock);
        if (before && place->way == Way::Beside)
            m_window.splitDockWidget(before, dock, Qt::Horizontal);
        else if (before)
            m_window.tabifyDockWidget(before, dock);
        before = dock;
        dock->setVisible(place->isOpen); // a closed one, shown for a moment, widens the window
    }
    for (qsizetype i = m_docks.size() - 1; i >= 0; --i) { // the first of several tabs is in front
        if (!m_docks[i]->isHidden())
            m_docks[i]->raise();
    }
}

void Docks::storeLayout()
{
    Kept &kept = m_kept[m_room];
    kept.panels = panelsOf(m_room);
    kept.places = m_window.saveState(layoutVersion);
}

void Docks::reset()
{
    m_kept.remove(m_room);
    restoreLayout();
}

QByteArray Docks::saved()
{
    storeLayout();
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << qint32(layoutVersion) << qint32(m_kept.size());
    for (auto it = m_kept.cbegin(); it != m_kept.cend(); ++it)
        stream << qint32(it.key()) << it->panels << it->places << it->isSized;
    return bytes;
}

void Docks::restore(const QByteArray &saved)
{
    QDataStream stream(saved);
    qint32 version = 0, count = 0;
    stream >> version >> count;
    QMap<Room, Kept> kept;
    for (int i = 0; version == layoutVersion && i < count && i <= int(Room::Learn); ++i) {
        qint32 room = 0;
        Kept one;
        stream >> room >> one.panels >> one.places >> one.isSized;
        if (room >= 0 && room <= int(Room::Learn))
            kept.insert(Room(room), one);
    }
    if (stream.status() == QDataStream::Ok)
        m_kept = kept;
    restoreLayout();
}

void Docks::follow()
{
    std::ranges::for_each(m_docks, [this](QDockWidget *dock) { setTitle(dock); });
    const auto bars = m_window.findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly);
    for (QTabBar *bar : bars) {
        bar->setChangeCurrentOnDrag(true);
        bar->setAccessibleName(tr("Panels"));
    }
    fit();
}

/// Gives a dock a title bar, unless a tab or its content shows its name.
void Docks::setTitle(QDockWidget *dock)
{
    const auto beside = m_window.tabifiedDockWidgets(dock);
    const bool hasTab =
        std::ranges::any_of(beside, [](const QDockWidget *other) { return !other->isHidden(); });
    const bool isBare =
        m_areTitlesHidden || (!dock->isFloating() && (hasTab || m_panels[dock].isBare));
    QWidget *old = dock->titleBarWidget();
    if (old && isBare == !dynamic_cast<DockTitle *>(old))
        return;
    dock->setTitleBarWidget(isBare ? new QWidget(dock) : new DockTitle(*dock));
    delete old;
}

void Docks::setTitlesHidden(bool hidden)
{
    m_areTitlesHidden = hidden;
    std::ranges::for_each(m_docks, [this](QDockWidget *dock) { setTitle(dock); });
}

QDockWidget *Docks::named(const QString &name) const
{
    const auto found = std::ranges::find(m_docks, name, &QDockWidget::objectName);
    return found == m_docks.end() ? nullptr : *found;
}

bool Docks::isSeen(const QDockWidget *dock)
{
    return dock->isVisible() && !dock->visibleRegion().isEmpty();
}

void Docks::raise(QDockWidget *dock)
{
    if (!placeOf(dock, m_room))
        enter(m_panels[dock].places.first().room);
    dock->show();
    dock->raise();
}

void Docks::raiseAndFocus(QDockWidget *dock)
{
    raise(dock);
    focus(dock->widget());
}

void Docks::toggle(QDockWidget *dock)
{
    isSeen(dock) ? dock->hide() : raiseAndFocus(dock);
}

QList<QDockWidget *> Docks::seenAt(Qt::DockWidgetArea area) const
{
    QList<QDockWidget *> docks = m_docks;
    docks.removeIf([&](QDockWidget *dock) {
        return dock->isFloating() || m_window.dockWidgetArea(dock) != area || !isSeen(dock);
    });
    return docks;
}

void Docks::focusNext(int by)
{
    QList<QWidget *> stops;
    for (const Qt::DockWidgetArea edge : edges) {
        for (QDockWidget *dock : seenAt(edge))
            stops += dock->widget();
        if (edge == Qt::TopDockWidgetArea)
            stops += m_middle->currentWidget();
    }
    for (const QDockWidget *dock : std::as_const(m_docks)) {
        if (dock->isFloating() && dock->isVisible())
            stops += dock->widget();
    }
    const QWidget *focused = QApplication::focusWidget();
    const auto at = std::ranges::find_if(
        stops, [&](const QWidget *stop) { return stop == focused || stop->isAncestorOf(focused); });
    const qsizetype count = stops.size(), now = at == stops.end() ? -1 : at - stops.begin();
    focus(stops[((now < 0 && by < 0 ? 0 : now) + by + count) % count]);
}

void Docks::focus(QWidget *panel)
{
    panel->activateWindow();
    panel->setEnabled(true);
    for (QWidget *part : panel->findChildren<QWidget *>()) {
        if (panel->focusProxy())
            break;
        if (part->isEnabled() && part->isVisibleTo(panel) && (part->focusPolicy() & Qt::TabFocus)) {
            part->setFocus(Qt::ShortcutFocusReason);
            return;
        }
    }
    panel->setFocus(Qt::ShortcutFocusReason);
}

/// Sets default sizes of the panels for the window's size, unless the user moved a separator.
void Docks::fit()
{
    if (!m_window.isVisible() || m_kept[m_room].isSized)
        return;
    const int width = m_window.width(), height = m_window.height();
    const auto give = [this](Qt::DockWidgetArea area, int size, Qt::Orientation way) {
        if (const QList<QDockWidget *> docks = seenAt(area); !docks.isEmpty())
            m_window.resizeDocks({ docks.first() }, { size }, way);
    };
    const auto side = [&](Qt::DockWidgetArea area, int percent, int least, int most) {
        for (const QDockWidget *dock : seenAt(area)) {
            if (const int wanted = m_panels[dock].widthPercent) {
                percent = wanted;
                most = 680;
            }
        }
        give(area, std::clamp(width * percent / 100, least, most), Qt::Horizontal);
    };
    side(Qt::LeftDockWidgetArea, m_room == Room::Edit ? 18 : 24, 200, 420);
    side(Qt::RightDockWidgetArea, 23, 230, 380);
    give(Qt::TopDockWidgetArea, height * 55 / 100, Qt::Vertical);
    give(Qt::BottomDockWidgetArea,
        m_room == Room::Edit ? std::clamp(height * 22 / 100, 140, 300)
                             : std::clamp(height * 36 / 100 - 28, 190, 420),
        Qt::Vertical);
}

bool Docks::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Show:
    case QEvent::Resize:
        fit();
        break;
    case QEvent::MouseButtonPress:
        m_isSeparatorDragged =
            m_window.isSeparator(static_cast<QMouseEvent *>(event)->position().toPoint());
        break;
    case QEvent::MouseButtonRelease:
        if (std::exchange(m_isSeparatorDragged, false))
            m_kept[m_room].isSized = true;
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace instar
