// SPDX-License-Identifier: Apache-2.0
#include "app/docks.h"

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
constexpr int leastContentHeight = 48;
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
            QToolButton *button = iconButton(picture, {});
            button->setIconSize(QSize(14, 14));
            button->setFocusPolicy(Qt::TabFocus);
            layout->addWidget(button);
            return button;
        };
        QToolButton *detach = add(u"apart"_s), *close = add(u"close"_s);
        connect(detach, &QToolButton::clicked, &dock,
            [&dock] { dock.setFloating(!dock.isFloating()); });
        connect(close, &QToolButton::clicked, &dock, &QDockWidget::close);
        const auto showTitle = [name, detach, close, &dock] {
            const QString title = dock.windowTitle();
            name->setText(title);
            detach->setToolTip(dock.isFloating()
                    ? Docks::tr("Put %1 back into the window").arg(title)
                    : Docks::tr("Show %1 in a separate window").arg(title));
            close->setToolTip(
                Docks::tr("Close %1; the View menu opens the panel again").arg(title));
            for (QToolButton *button : { detach, close })
                button->setAccessibleName(button->toolTip());
        };
        connect(&dock, &QDockWidget::windowTitleChanged, this, showTitle);
        connect(&dock, &QDockWidget::topLevelChanged, this, showTitle);
        showTitle();
    }
};

/// Stack that is as small as its current page allows.
class CentreStack : public QStackedWidget
{
public:
    QSize minimumSizeHint() const override { return currentWidget()->minimumSizeHint(); }
};

} // namespace

Docks::Docks(QMainWindow &window) : QObject(&window), m_window(window), m_centre(new CentreStack)
{
    window.setCentralWidget(m_centre);
    window.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks
        | QMainWindow::GroupedDragging);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (const Qt::Corner corner : { Qt::TopLeftCorner, Qt::BottomLeftCorner })
        window.setCorner(corner, Qt::LeftDockWidgetArea);
    for (const Qt::Corner corner : { Qt::TopRightCorner, Qt::BottomRightCorner })
        window.setCorner(corner, Qt::RightDockWidgetArea);
    window.setContextMenuPolicy(Qt::NoContextMenu); // Qt's menu lists panels of all workspaces
    window.installEventFilter(this);
}

QDockWidget *Docks::add(const Panel &panel)
{
    auto *dock = new QDockWidget(panel.title, &m_window);
    dock->setObjectName(panel.name);
    dock->hide();
    panel.content->setMinimumHeight(std::max(panel.content->minimumHeight(), leastContentHeight));
    dock->setWidget(panel.content);
    m_docks += dock;
    m_panels.insert(dock, panel);
    setTitle(dock);
    connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::update, Qt::QueuedConnection);
    connect(dock, &QDockWidget::topLevelChanged, this, &Docks::update, Qt::QueuedConnection);
    connect(dock, &QDockWidget::visibilityChanged, this, &Docks::update, Qt::QueuedConnection);
    // Qt moves panels behind tabs out of the window; Tab would still reach them if enabled.
    connect(dock, &QDockWidget::visibilityChanged, panel.content, &QWidget::setEnabled);
    return dock;
}

void Docks::addCentre(QWidget *centre, const QList<Room> &rooms)
{
    m_centre->addWidget(centre);
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

const Docks::Placement *Docks::placementOf(const QDockWidget *dock) const
{
    const QList<Placement> &placements = m_panels.constFind(dock)->placements;
    const auto found = std::ranges::find(placements, m_room, &Placement::room);
    return found == placements.end() ? nullptr : &*found;
}

QStringList Docks::panelsOfRoom() const
{
    QStringList names;
    for (const QDockWidget *dock : m_docks) {
        if (placementOf(dock))
            names += dock->objectName();
    }
    return names;
}

void Docks::restoreLayout()
{
    m_window.setUpdatesEnabled(false);
    for (QDockWidget *dock : std::as_const(m_docks))
        m_window.removeDockWidget(dock);
    m_centre->setCurrentWidget(m_centres[m_room]);
    m_centre->updateGeometry();
    const StoredLayout &layout = m_layouts[m_room];
    if (layout.panels != panelsOfRoom() || !m_window.restoreState(layout.state, layoutVersion))
        applyDefaultLayout();
    for (QDockWidget *dock : std::as_const(m_docks)) {
        if (!placementOf(dock))
            m_window.removeDockWidget(dock); // restoreState() adds docks that are not in the state
    }
    fit();
    m_window.setUpdatesEnabled(true);
}

void Docks::applyDefaultLayout()
{
    QHash<Qt::DockWidgetArea, QDockWidget *> last;
    for (QDockWidget *dock : std::as_const(m_docks)) {
        const Placement *placement = placementOf(dock);
        if (!placement)
            continue;
        QDockWidget *&before = last[placement->area];
        dock->setFloating(false);
        m_window.addDockWidget(placement->area, dock);
        if (before && placement->way == Way::Beside)
            m_window.splitDockWidget(before, dock, Qt::Horizontal);
        else if (before)
            m_window.tabifyDockWidget(before, dock);
        before = dock;
        dock->setVisible(
            placement->isOpen); // showing a closed dock, even briefly, widens the window
    }
    for (qsizetype i = m_docks.size() - 1; i >= 0;
         --i) { // the first of several tabs comes to the front
        if (!m_docks[i]->isHidden())
            m_docks[i]->raise();
    }
}

void Docks::storeLayout()
{
    StoredLayout &layout = m_layouts[m_room];
    layout.panels = panelsOfRoom();
    layout.state = m_window.saveState(layoutVersion);
}

void Docks::reset()
{
    m_layouts.remove(m_room);
    restoreLayout();
}

QByteArray Docks::saved()
{
    storeLayout();
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << qint32(layoutVersion) << qint32(m_layouts.size());
    for (auto it = m_layouts.cbegin(); it != m_layouts.cend(); ++it)
        stream << qint32(it.key()) << it->panels << it->state << it->isSized;
    return bytes;
}

void Docks::restore(const QByteArray &saved)
{
    QDataStream stream(saved);
    qint32 version = 0, count = 0;
    stream >> version >> count;
    QMap<Room, StoredLayout> layouts;
    for (int i = 0; version == layoutVersion && i < count && i <= int(Room::Learn); ++i) {
        qint32 room = 0;
        StoredLayout layout;
        stream >> room >> layout.panels >> layout.state >> layout.isSized;
        if (room >= 0 && room <= int(Room::Learn))
            layouts.insert(Room(room), layout);
    }
    if (stream.status() == QDataStream::Ok)
        m_layouts = layouts;
    restoreLayout();
}

void Docks::update()
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
    if (!placementOf(dock))
        enter(m_panels[dock].placements.first().room);
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

QList<QDockWidget *> Docks::visibleDocksAt(Qt::DockWidgetArea area) const
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
        for (QDockWidget *dock : visibleDocksAt(edge))
            stops += dock->widget();
        if (edge == Qt::TopDockWidgetArea)
            stops += m_centre->currentWidget();
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
    if (!m_window.isVisible() || m_layouts[m_room].isSized)
        return;
    const int width = m_window.width(), height = m_window.height();
    const auto resize = [this](Qt::DockWidgetArea area, int size, Qt::Orientation way) {
        if (const QList<QDockWidget *> docks = visibleDocksAt(area); !docks.isEmpty())
            m_window.resizeDocks({ docks.first() }, { size }, way);
    };
    const auto resizeSide = [&](Qt::DockWidgetArea area, int percent, int least, int most) {
        for (const QDockWidget *dock : visibleDocksAt(area)) {
            if (const int wanted = m_panels[dock].widthPercent) {
                percent = wanted;
                most = 680;
            }
        }
        resize(area, std::clamp(width * percent / 100, least, most), Qt::Horizontal);
    };
    resizeSide(Qt::LeftDockWidgetArea, m_room == Room::Edit ? 18 : 24, 200, 420);
    resizeSide(Qt::RightDockWidgetArea, 23, 260, 380);
    resize(Qt::TopDockWidgetArea, height * 55 / 100, Qt::Vertical);
    resize(Qt::BottomDockWidgetArea,
        m_room == Room::Edit ? std::clamp(height * 22 / 100, 140, 300)
                             : std::clamp(height * 36 / 100 - 28, 190, 420),
        Qt::Vertical);
}

bool Docks::eventFilter(QObject *watched, QEvent *event)
{
    const QEvent::Type type = event->type();
    if (type == QEvent::Show || type == QEvent::Resize)
        fit();
    else if (type == QEvent::MouseButtonPress)
        m_isSeparatorDragged =
            m_window.isSeparator(static_cast<QMouseEvent *>(event)->position().toPoint());
    else if (type == QEvent::MouseButtonRelease && std::exchange(m_isSeparatorDragged, false))
        m_layouts[m_room].isSized = true;
    return QObject::eventFilter(watched, event);
}

} // namespace instar
