// SPDX-License-Identifier: Apache-2.0
#include "app/sides.h"

#include "app/docks.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr auto centre = Qt::TopDockWidgetArea, below = Qt::BottomDockWidgetArea;

qsizetype sideOf(const QList<QList<QDockWidget *>> &sides, QDockWidget *dock)
{
    const auto found = std::ranges::find_if(
        sides, [dock](const QList<QDockWidget *> &side) { return side.contains(dock); });
    return found == sides.end() ? -1 : found - sides.begin();
}

} // namespace

Sides::Sides(QMainWindow &window, Docks &docks) : QObject(&window), m_window(window), m_docks(docks)
{ }

QList<QList<QDockWidget *>> Sides::all() const
{
    QList<QList<QDockWidget *>> sides;
    for (const auto area : { centre, below }) {
        QList<QDockWidget *> left = m_docks.at(area);
        // A side is where its tab in front is.
        std::ranges::stable_sort(left, {}, [](const QDockWidget *dock) {
            return std::tuple(!Docks::isSeen(dock), dock->x(), dock->y());
        });
        while (!left.isEmpty()) {
            QList<QDockWidget *> side = m_window.tabifiedDockWidgets(left.first());
            side.prepend(left.first());
            side.removeIf([&left](QDockWidget *dock) { return !left.removeOne(dock); });
            sides += side;
        }
    }
    if (m_docks.at(below).isEmpty())
        sides += QList<QDockWidget *>();
    return sides;
}

void Sides::split(Qt::Orientation way)
{
    QDockWidget *dock = m_docks.withKeyboard();
    if (sideOf(all(), dock) < 0 || m_docks.at(centre) == QList { dock })
        dock = m_docks.inFront(below);
    if (!dock) {
        emit said(tr("Nothing lies below the centre that could be put beside it."));
        return;
    }
    QRect room;
    for (const QDockWidget *seen : m_docks.seenAt(centre))
        room |= seen->geometry();
    m_window.addDockWidget(centre, dock, way);
    m_docks.bring(dock);
    QList<QDockWidget *> shown = m_docks.seenAt(centre);
    if (!shown.contains(dock))
        shown += dock;
    const int size = (way == Qt::Horizontal ? room.width() : room.height()) / int(shown.size());
    m_window.resizeDocks(shown, QList<int>(shown.size(), size), way);
}

void Sides::moveOn()
{
    QDockWidget *dock = m_docks.withKeyboard();
    const QList<QList<QDockWidget *>> sides = all();
    const QList<QDockWidget *> &to = sides[(sideOf(sides, dock) + 1) % sides.size()];
    if (!dock || to.contains(dock) || m_docks.at(centre) == QList { dock })
        return;
    if (to.isEmpty())
        m_window.addDockWidget(below, dock);
    else
        m_window.tabifyDockWidget(to.first(), dock);
    m_docks.bring(dock);
}

void Sides::next()
{
    QList<QList<QDockWidget *>> sides = all();
    sides.removeAll(QList<QDockWidget *>());
    if (sides.isEmpty())
        return;
    const QList<QDockWidget *> side =
        sides[(sideOf(sides, m_docks.withKeyboard()) + 1) % sides.size()];
    const auto front = std::ranges::find_if(side, Docks::isSeen);
    m_docks.bring(front == side.end() ? side.first() : *front);
}

void Sides::join()
{
    const QList<QList<QDockWidget *>> sides = all();
    QDockWidget *before = m_docks.withKeyboard();
    const QList<QDockWidget *> docks = m_docks.at(centre);
    for (const QList<QDockWidget *> &side : sides.sliced(1)) {
        for (QDockWidget *dock : side) {
            if (docks.contains(dock))
                m_window.tabifyDockWidget(sides.first().first(), dock);
        }
    }
    if (!docks.isEmpty())
        m_docks.bring(docks.contains(before) ? before : sides.first().first());
}

void Sides::fill(QMenu &menu)
{
    const auto add = [this, &menu](const QString &text, const QString &tip,
                         const QKeySequence &keys, auto act) {
        QAction *action = menu.addAction(text);
        action->setShortcut(keys);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, act);
    };
    menu.setToolTipsVisible(true);
    const QString which =
        tr("The tab that has the keyboard gets a side of its own; from the chart, or from "
           "elsewhere, the one in front below does");
    add(tr("To the &Right"), which, Qt::ALT | Qt::SHIFT | Qt::Key_Right,
        [this] { split(Qt::Horizontal); });
    add(tr("&Below"), which, Qt::ALT | Qt::SHIFT | Qt::Key_Down, [this] { split(Qt::Vertical); });
    menu.addSeparator();
    add(tr("&Move to the Next Side"), tr("The panel that has the keyboard becomes a tab there"),
        Qt::ALT | Qt::SHIFT | Qt::Key_F6, [this] { moveOn(); });
    add(tr("&Next Side"), tr("The keyboard goes there"), Qt::ALT | Qt::Key_F6, [this] { next(); });
    add(tr("&Join Again"), tr("The sides of the centre become tabs of one"),
        Qt::ALT | Qt::SHIFT | Qt::Key_J, [this] { join(); });
}

} // namespace instar
