// SPDX-License-Identifier: Apache-2.0
#include "app/docks.h"

#include "views/panels/docktitle.h"

#include <QApplication>
#include <QDataStream>
#include <QDockWidget>
#include <QIODevice>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QStatusBar>
#include <QStyle>
#include <QTabBar>
#include <QToolBar>

#include <algorithm>
#include <numeric>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int layoutVersion = 5; ///< docks that an older program saved are not read
constexpr int lowestContent = 48;
constexpr int leastCentre = 320;            ///< what docks at the sides leave the chart, in pixels
constexpr int leastHeight = 130;            ///< of a dock at the bottom, as far as there is room
constexpr char wantsWidth[] = "wantsWidth"; ///< a dock's, in per cent: it holds long lines
constexpr char hasTitle[] = "hasTitle";     ///< a dock's: its content shows it
constexpr int dockBesides = 5;              ///< a separator

int separatorOf(const QWidget *widget)
{
    return widget->style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, widget);
}

} // namespace

Docks::Docks(QMainWindow &window) : QObject(&window), m_window(window), m_empty(new QLabel)
{
    m_empty->setText(tr("Nothing is here. Every panel can be shown from the View menu, and be "
                        "dragged here."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    window.setCentralWidget(m_empty);
    window.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks
        | QMainWindow::GroupedDragging);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
}

QDockWidget *Docks::add(
    const QString &title, const QString &name, Qt::DockWidgetArea area, QWidget *content)
{
    auto *dock = new QDockWidget(title);
    dock->setObjectName(name);
    if (area == Qt::BottomDockWidgetArea)
        content->setMinimumHeight(lowestContent); // the highest tab would keep all of them high
    dock->setProperty(hasTitle, area == Qt::TopDockWidgetArea);
    m_window.addDockWidget(area, dock);
    dock->setWidget(content); // now: what changes its parent is dressed anew, with all in it
    m_docks += dock;
    setTitle(dock);
    connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::follow, Qt::QueuedConnection);
    connect(dock, &QDockWidget::topLevelChanged, this, &Docks::follow, Qt::QueuedConnection);
    connect(dock, &QDockWidget::visibilityChanged, this, &Docks::follow, Qt::QueuedConnection);
    // Tabs lay what is behind them outside the window, where the keyboard would still find it.
    connect(dock, &QDockWidget::visibilityChanged, content, &QWidget::setEnabled);
    return dock;
}

void Docks::widen(QDockWidget *dock, int percent)
{
    dock->setProperty(wantsWidth, percent);
    connect(dock, &QDockWidget::visibilityChanged, this, &Docks::fit, Qt::QueuedConnection);
}

void Docks::settle()
{
    QList<QDockWidget *> bottom = m_docks; // hidden ones have their tab, too
    bottom.removeIf([this](QDockWidget *dock) {
        return m_window.dockWidgetArea(dock) != Qt::BottomDockWidgetArea;
    });
    for (qsizetype i = 1; i < bottom.size(); ++i)
        m_window.tabifyDockWidget(bottom[i - 1], bottom[i]);
    if (!bottom.isEmpty())
        bottom.first()->raise();
    m_usual = m_window.saveState(layoutVersion);
}

void Docks::follow()
{
    if (const bool isEmpty = at(Qt::TopDockWidgetArea).isEmpty();
        isEmpty != (m_empty->maximumHeight() > 0))
        m_empty->setMaximumHeight(isEmpty ? QWIDGETSIZE_MAX : 0);
    if (m_window.isVisible())
        fit();
    std::ranges::for_each(m_docks, [this](QDockWidget *dock) { setTitle(dock); });
    const auto bars = m_window.findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly);
    for (QTabBar *bar : bars) {
        bar->setChangeCurrentOnDrag(true);
        bar->setAccessibleName(tr("Panels"));
    }
}

void Docks::setTitle(QDockWidget *dock)
{
    const auto beside = m_window.tabifiedDockWidgets(dock);
    const bool hasTab =
        std::ranges::any_of(beside, [](const QDockWidget *other) { return !other->isHidden(); });
    const bool isBare =
        m_isBare || (!dock->isFloating() && (hasTab || dock->property(hasTitle).toBool()));
    QWidget *old = dock->titleBarWidget();
    if (old && isBare == !qobject_cast<DockTitle *>(old))
        return;
    dock->setTitleBarWidget(isBare ? new QWidget(dock) : new DockTitle(*dock));
    delete old;
}

void Docks::setBare(bool bare)
{
    m_isBare = bare;
    std::ranges::for_each(m_docks, [this](QDockWidget *dock) { setTitle(dock); });
}

bool Docks::isSeen(const QDockWidget *dock)
{
    return dock->isVisible() && !dock->visibleRegion().isEmpty();
}

void Docks::toggle(QDockWidget *dock)
{
    isSeen(dock) ? dock->hide() : bring(dock);
}

void Docks::raise(QDockWidget *dock)
{
    dock->show();
    dock->raise();
}

void Docks::bring(QDockWidget *dock)
{
    raise(dock);
    enter(dock);
}

QDockWidget *Docks::withKeyboard() const
{
    const QWidget *focused = QApplication::focusWidget();
    const auto found = std::ranges::find_if(
        m_docks, [&](const QDockWidget *dock) { return dock->isAncestorOf(focused); });
    return found == m_docks.end() ? nullptr : *found;
}

void Docks::walk(int by)
{
    QList<QDockWidget *> stops;
    for (const auto area : { Qt::LeftDockWidgetArea, Qt::TopDockWidgetArea, Qt::RightDockWidgetArea,
             Qt::BottomDockWidgetArea })
        stops += at(area);
    for (QDockWidget *dock : std::as_const(m_docks)) {
        if (dock->isFloating())
            stops += dock;
    }
    stops.removeIf([](const QDockWidget *dock) { return !isSeen(dock); });
    const qsizetype count = stops.size(), now = stops.indexOf(withKeyboard());
    if (count > 0)
        enter(stops[((now < 0 && by < 0 ? 0 : now) + by + count) % count]);
}

void Docks::enter(QDockWidget *dock)
{
    if (dock->isFloating())
        dock->activateWindow();
    QWidget *inside = dock->widget();
    inside->setEnabled(true);
    for (QWidget *part : inside->findChildren<QWidget *>()) {
        if (inside->focusProxy())
            break;
        if (part->isEnabled() && part->isVisibleTo(inside)
            && (part->focusPolicy() & Qt::TabFocus)) {
            part->setFocus(Qt::ShortcutFocusReason);
            return;
        }
    }
    inside->setFocus(Qt::ShortcutFocusReason);
}

void Docks::reset()
{
    m_window.restoreState(m_usual, layoutVersion);
    m_wanted = {};
    m_shares.clear();
    emit wasReset();
    fit();
}

QByteArray Docks::saved() const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << qint32(layoutVersion) << qint32(m_wanted.left) << qint32(m_wanted.right)
           << qint32(m_wanted.bottom) << m_window.saveState(layoutVersion) << shares();
    return bytes;
}

bool Docks::restore(const QByteArray &saved)
{
    QDataStream stream(saved);
    qint32 version = 0, left = 0, right = 0, bottom = 0;
    QByteArray places;
    QMap<QString, QSize> shares;
    stream >> version >> left >> right >> bottom >> places >> shares;
    if (stream.status() != QDataStream::Ok || version != layoutVersion
        || !m_window.restoreState(places, layoutVersion))
        return false;
    m_wanted = { left, right, bottom };
    m_shares = shares;
    return true;
}

QList<QDockWidget *> Docks::at(Qt::DockWidgetArea area) const
{
    QList<QDockWidget *> docks = m_docks;
    docks.removeIf([&](QDockWidget *dock) {
        return dock->isHidden() || dock->isFloating() || m_window.dockWidgetArea(dock) != area;
    });
    return docks;
}

QDockWidget *Docks::inFront(Qt::DockWidgetArea area) const
{
    return seenAt(area).value(0);
}

QList<QDockWidget *> Docks::seenAt(Qt::DockWidgetArea area) const
{
    QList<QDockWidget *> seen = at(area);
    seen.removeIf([](const QDockWidget *dock) { return !isSeen(dock); });
    return seen;
}

QDockWidget *Docks::named(const QString &name) const
{
    const auto found = std::ranges::find(m_docks, name, &QDockWidget::objectName);
    return found == m_docks.end() ? nullptr : *found;
}

DockSizes Docks::usual() const
{
    // The chart gets at least half of a small window, and a large window's docks do not grow beyond
    // what they need.
    const int width = m_window.width(), height = m_window.height();
    const QList<QDockWidget *> right = at(Qt::RightDockWidgetArea);
    int percent = 0;
    for (const QDockWidget *dock : right) {
        if (!dock->visibleRegion().isEmpty())
            percent = std::max(percent, dock->property(wantsWidth).toInt());
    }
    // A small window leaves more to the chart.
    return { std::clamp(std::min(width * 27 / 100, width * 32 / 100 - 80), 240, 420),
        percent ? std::clamp(width * percent / 100, 220, 680)
                : std::clamp(width * 20 / 100, 220, 330),
        std::clamp(std::min(height * 36 / 100 - 40, height * 45 / 100 - 130), 150, 400) };
}

void Docks::fit()
{
    const DockSizes usual = this->usual();
    const bool isByHand = m_wanted.bottom > 0;
    DockSizes sizes { m_wanted.left > 0 ? m_wanted.left : usual.left,
        m_wanted.right > 0 ? m_wanted.right : usual.right,
        isByHand ? m_wanted.bottom : usual.bottom };
    const QList<QDockWidget *> left = at(Qt::LeftDockWidgetArea),
                               right = at(Qt::RightDockWidgetArea),
                               bottom = at(Qt::BottomDockWidgetArea);
    // Where there is no room for all that is wanted, each side gives its share.
    const int sides = (left.isEmpty() ? 0 : sizes.left) + (right.isEmpty() ? 0 : sizes.right);
    const int most = std::max(m_window.width() - leastCentre - 2 * dockBesides, 0);
    if (sides > most) {
        sizes.left = sizes.left * most / sides;
        sizes.right = sizes.right * most / sides;
    }
    if (isByHand) // the chart keeps half
        sizes.bottom = std::clamp(sizes.bottom, std::min(leastHeight, m_window.height() * 3 / 10),
            std::max(m_window.height() * 7 / 20, leastHeight));
    const auto give = [this](const QList<QDockWidget *> &docks, int size, Qt::Orientation way) {
        if (!docks.isEmpty())
            m_window.resizeDocks({ docks.first() }, { size }, way);
    };
    give(left, sizes.left, Qt::Horizontal);
    give(right, sizes.right, Qt::Horizontal);
    QSize around;
    const auto widest = [](const QList<QDockWidget *> &docks, int asked) {
        for (const QDockWidget *dock : docks)
            asked = std::max(asked, dock->minimumSizeHint().width());
        return docks.isEmpty() ? 0 : asked + separatorOf(docks.first()->parentWidget());
    };
    around.setWidth(widest(left, sizes.left) + widest(right, sizes.right));
    if (!bottom.isEmpty()) {
        around.setHeight(sizes.bottom + tabHeight(bottom.first()));
        give(bottom, around.height(), Qt::Vertical);
        around += QSize(0, 2 * separatorOf(&m_window)); // nothing lies between them
    }
    fitCentre(around);
}

QMap<QString, QSize> Docks::shares() const
{
    QMap<QString, QSize> shares;
    for (const QDockWidget *dock : seenAt(Qt::TopDockWidgetArea))
        shares.insert(dock->objectName(), dock->size() + QSize(0, tabHeight(dock)));
    return shares;
}

void Docks::fitCentre(const QSize &around)
{
    const QList<QDockWidget *> seen = seenAt(Qt::TopDockWidgetArea);
    if (seen.isEmpty())
        return;
    const QMap<QString, QSize> now = shares();
    const QMap<QString, QSize> &wanted = m_shares.keys() == now.keys() ? m_shares : now;
    const QSize rest = room() - around;
    // A row is what lies beside the one at the right, a column what lies above the lowest.
    const auto fill = [&](Qt::Orientation way, int most, const auto &isPart) {
        QList<QDockWidget *> line = seen;
        line.removeIf([&](const QDockWidget *dock) { return !isPart(dock->geometry()); });
        most -= int(line.size() - 1) * separatorOf(&m_window);
        QList<int> sizes;
        for (const QDockWidget *dock : std::as_const(line)) {
            const QSize size = wanted[dock->objectName()];
            sizes += way == Qt::Horizontal ? size.width() : size.height();
        }
        const int all = std::max(std::accumulate(sizes.begin(), sizes.end(), 0), 1);
        for (int &size : sizes)
            size = std::max(size * most / all, 1);
        m_window.resizeDocks(line, sizes, way);
    };
    QRect rightmost, lowest;
    for (const QDockWidget *dock : seen) {
        const QRect at = dock->geometry();
        if (at.right() >= rightmost.right())
            rightmost = at;
        if (at.bottom() >= lowest.bottom())
            lowest = at;
    }
    fill(Qt::Horizontal, rest.width(), [&](const QRect &at) {
        return at.top() <= rightmost.center().y() && at.bottom() >= rightmost.center().y();
    });
    fill(Qt::Vertical, rest.height(), [&](const QRect &at) {
        return at.left() <= lowest.center().x() && at.right() >= lowest.center().x();
    });
}

QSize Docks::room() const
{
    QSize room = m_window.contentsRect().size();
    QList<QWidget *> bars { m_window.menuBar(), m_window.statusBar() };
    for (QToolBar *bar : m_window.findChildren<QToolBar *>(QString(), Qt::FindDirectChildrenOnly))
        bars += bar;
    for (const QWidget *bar : std::as_const(bars)) {
        if (bar->isVisible() && !bar->isWindow())
            room -= QSize(0, bar->height());
    }
    return room;
}

int Docks::tabHeight(const QDockWidget *dock) const
{
    const auto bars = m_window.findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly);
    for (const QTabBar *bar : bars) {
        for (int tab = 0; tab < bar->count(); ++tab) {
            if (bar->isVisible() && dock->windowTitle() == bar->tabText(tab))
                return bar->height();
        }
    }
    return 0;
}

DockSizes Docks::shown() const
{
    const auto most = [this](Qt::DockWidgetArea area, int (QWidget::*extent)() const) {
        int size = 0;
        for (const QDockWidget *dock : seenAt(area))
            size = std::max(size, (dock->*extent)());
        return size;
    };
    return { most(Qt::LeftDockWidgetArea, &QWidget::width),
        most(Qt::RightDockWidgetArea, &QWidget::width),
        most(Qt::BottomDockWidgetArea, &QWidget::height) };
}

void Docks::hold()
{
    m_held = shown();
}

void Docks::take()
{
    m_shares.clear();
    // What only lacks room in this window is wanted as large as before.
    const DockSizes now = shown(), held = std::exchange(m_held, {});
    if (now.left > 0 && now.left != held.left)
        m_wanted.left = now.left;
    if (now.right > 0 && now.right != held.right)
        m_wanted.right = now.right;
    if (now.bottom > 0 && now.bottom != held.bottom)
        m_wanted.bottom = now.bottom;
}

} // namespace instar
