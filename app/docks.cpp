// SPDX-License-Identifier: Apache-2.0
#include "app/docks.h"

#include <QApplication>
#include <QDataStream>
#include <QDockWidget>
#include <QIODevice>
#include <QMainWindow>
#include <QTabBar>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int layoutVersion = 4; ///< docks that an older program saved are not read
constexpr int lowestContent = 48;
constexpr int leastCentre = 320;            ///< what docks at the sides leave the chart, in pixels
constexpr int leastHeight = 130;            ///< of a dock at the bottom, as far as there is room
constexpr char wantsWidth[] = "wantsWidth"; ///< a dock's: it holds long lines
constexpr int dockBesides = 5;              ///< a separator

} // namespace

Docks::Docks(QMainWindow &window) : QObject(&window), m_window(window)
{
    window.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks
        | QMainWindow::GroupedDragging);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
}

QDockWidget *Docks::add(
    const QString &title, const QString &name, Qt::DockWidgetArea area, QWidget *content)
{
    auto *dock = new QDockWidget(title);
    dock->setObjectName(name);
    dock->setWidget(content);
    if (area == Qt::BottomDockWidgetArea)
        content->setMinimumHeight(lowestContent); // the highest tab would keep all of them high
    m_window.addDockWidget(area, dock);
    m_docks += dock;
    connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::follow, Qt::QueuedConnection);
    connect(dock, &QDockWidget::topLevelChanged, this, &Docks::follow, Qt::QueuedConnection);
    connect(dock, &QDockWidget::visibilityChanged, this, &Docks::follow, Qt::QueuedConnection);
    // Tabs lay what is behind them outside the window, where the keyboard would still find it.
    connect(dock, &QDockWidget::visibilityChanged, content, &QWidget::setEnabled);
    return dock;
}

void Docks::widen(QDockWidget *dock)
{
    dock->setProperty(wantsWidth, true);
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
    for (QDockWidget *dock : std::as_const(m_docks)) {
        const auto beside = m_window.tabifiedDockWidgets(dock);
        const bool hasTab = !dock->isFloating()
            && std::ranges::any_of(
                beside, [](const QDockWidget *other) { return !other->isHidden(); });
        if (hasTab == (dock->titleBarWidget() != nullptr))
            continue;
        QWidget *old = dock->titleBarWidget();
        dock->setTitleBarWidget(hasTab ? new QWidget(dock) : nullptr);
        delete old;
    }
}

void Docks::toggle(QDockWidget *dock)
{
    if (dock->isVisible() && !dock->visibleRegion().isEmpty())
        return dock->hide();
    dock->show();
    dock->raise();
    enter(dock);
}

void Docks::walk(int by)
{
    QList<QWidget *> stops;
    const auto add = [&](const auto &isHere) {
        for (QDockWidget *dock : std::as_const(m_docks)) {
            if (dock->isVisible() && !dock->visibleRegion().isEmpty() && isHere(dock))
                stops += dock;
        }
    };
    const auto areIn = [this](Qt::DockWidgetArea area) {
        return [this, area](QDockWidget *dock) {
            return !dock->isFloating() && m_window.dockWidgetArea(dock) == area;
        };
    };
    add(areIn(Qt::LeftDockWidgetArea));
    stops += m_window.centralWidget();
    for (const auto area :
        { Qt::RightDockWidgetArea, Qt::TopDockWidgetArea, Qt::BottomDockWidgetArea })
        add(areIn(area));
    add([](QDockWidget *dock) { return dock->isFloating(); });
    const QWidget *focused = QApplication::focusWidget();
    const auto now = std::ranges::find_if(
        stops, [&](const QWidget *stop) { return stop == focused || stop->isAncestorOf(focused); });
    const qsizetype count = stops.size();
    const qsizetype at = now == stops.end() ? (by > 0 ? -1 : 0) : now - stops.begin();
    QWidget *next = stops[(at + by + count) % count];
    if (auto *dock = qobject_cast<QDockWidget *>(next))
        enter(dock);
    else
        next->setFocus(Qt::ShortcutFocusReason);
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
    emit wasReset();
    fit();
}

QByteArray Docks::saved() const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << qint32(layoutVersion) << qint32(m_wanted.left) << qint32(m_wanted.right)
           << qint32(m_wanted.bottom) << m_window.saveState(layoutVersion);
    return bytes;
}

bool Docks::restore(const QByteArray &saved)
{
    QDataStream stream(saved);
    qint32 version = 0, left = 0, right = 0, bottom = 0;
    QByteArray places;
    stream >> version >> left >> right >> bottom >> places;
    if (stream.status() != QDataStream::Ok || version != layoutVersion
        || !m_window.restoreState(places, layoutVersion))
        return false;
    m_wanted = { left, right, bottom };
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
    const QList<QDockWidget *> docks = at(area);
    const auto front = std::ranges::find_if(
        docks, [](const QDockWidget *dock) { return !dock->visibleRegion().isEmpty(); });
    return front == docks.end() ? nullptr : *front;
}

DockSizes Docks::usual() const
{
    // The chart gets at least half of a small window, and a large window's docks do not grow beyond
    // what they need.
    const int width = m_window.width(), height = m_window.height();
    const QList<QDockWidget *> right = at(Qt::RightDockWidgetArea);
    const bool isText = std::ranges::any_of(right, [](const QDockWidget *dock) {
        return dock->property(wantsWidth).toBool() && !dock->visibleRegion().isEmpty();
    });
    return { std::clamp(width * 27 / 100, 280, 420),
        isText ? std::clamp(width * 36 / 100, 220, 680) : std::clamp(width * 20 / 100, 220, 330),
        std::clamp(height * 36 / 100 - 40, 150, 400) };
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
    give(bottom, sizes.bottom + tabHeight(), Qt::Vertical);
}

int Docks::tabHeight() const
{
    const QList<QDockWidget *> docks = at(Qt::BottomDockWidgetArea);
    const auto bars = m_window.findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly);
    for (const QTabBar *bar : bars) {
        for (int tab = 0; tab < bar->count(); ++tab) {
            const auto isNamed = [&](const QDockWidget *dock) {
                return dock->windowTitle() == bar->tabText(tab);
            };
            if (bar->isVisible() && std::ranges::any_of(docks, isNamed))
                return bar->height();
        }
    }
    return 0;
}

int Docks::widthAt(Qt::DockWidgetArea area) const
{
    int width = 0;
    for (const QDockWidget *dock : at(area))
        width = std::max(width, dock->visibleRegion().isEmpty() ? 0 : dock->width());
    return width;
}

int Docks::heightAt(Qt::DockWidgetArea area) const
{
    int height = 0;
    for (const QDockWidget *dock : at(area))
        height = std::max(height, dock->visibleRegion().isEmpty() ? 0 : dock->height());
    return height;
}

DockSizes Docks::shown() const
{
    return { widthAt(Qt::LeftDockWidgetArea), widthAt(Qt::RightDockWidgetArea),
        heightAt(Qt::BottomDockWidgetArea) };
}

void Docks::hold()
{
    m_held = shown();
}

void Docks::take()
{
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
