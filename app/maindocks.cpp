// SPDX-License-Identifier: Apache-2.0
// The panels around the chart: where they are, and how large.
#include "app/mainwindow.h"
#include "app/network.h"
#include "views/diagram/statechart.h"
#include "views/look.h"
#include "views/panels/armedpanel.h"
#include "views/panels/inspector.h"
#include "views/panels/networkpanel.h"
#include "views/panels/queuepanel.h"
#include "views/panels/recordpanel.h"
#include "views/panels/resourcepanel.h"

#include <QBoxLayout>
#include <QDockWidget>
#include <QStatusBar>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

void MainWindow::buildDocks()
{
    const auto dock = [this](const QString &title, const QString &name, Qt::DockWidgetArea area,
                          QWidget *content) {
        auto *widget = new QDockWidget(title);
        widget->setObjectName(name);
        widget->setWidget(content);
        addDockWidget(area, widget);
        m_docks += widget;
        connect(widget, &QDockWidget::dockLocationChanged, this, &MainWindow::nameDocksOnce,
            Qt::QueuedConnection);
        connect(widget, &QDockWidget::topLevelChanged, this, &MainWindow::nameDocksOnce,
            Qt::QueuedConnection);
        connect(widget, &QDockWidget::visibilityChanged, this, &MainWindow::nameDocksOnce,
            Qt::QueuedConnection);
        return widget;
    };
    m_resources = new ResourcePanel(*m_controller);
    m_resources->counts()->setContentsMargins(gap::small, 0, 0, 0);
    statusBar()->addWidget(m_resources->counts(), 1); // a whole line for them
    m_inspector = new Inspector(*m_controller);
    m_queue = new QueuePanel(*m_controller);
    m_records = new RecordPanel(*m_controller);
    auto *inspector = new QWidget;
    auto *inspectorLayout = new QVBoxLayout(inspector);
    inspectorLayout->setContentsMargins(gap::small, gap::small, gap::normal, gap::small);
    inspectorLayout->addWidget(m_inspector);
    inspector->setFocusProxy(m_inspector);

    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    dock(tr("Resources"), u"resources"_s, Qt::LeftDockWidgetArea, m_resources);
    dock(tr("Inspector"), u"inspector"_s, Qt::RightDockWidgetArea, inspector);
    QDockWidget *queue = dock(tr("Operations"), u"operations"_s, Qt::BottomDockWidgetArea, m_queue);
    QDockWidget *records = dock(tr("Records"), u"records"_s, Qt::BottomDockWidgetArea, m_records);
    QDockWidget *armed =
        dock(tr("Armed"), u"armed"_s, Qt::BottomDockWidgetArea, m_network->armed());
    QDockWidget *network =
        dock(tr("Network"), u"network"_s, Qt::BottomDockWidgetArea, m_network->panel());
    tabifyDockWidget(queue, records);
    tabifyDockWidget(records, armed);
    tabifyDockWidget(armed, network);
    queue->raise();
    connect(m_network->armed(), &ArmedPanel::changed, armed, [this, armed] {
        const qsizetype count = m_network->armed()->requests().size();
        armed->setWindowTitle(count ? tr("Armed (%1)").arg(count) : tr("Armed"));
    });
}

void MainWindow::nameDocksOnce()
{
    for (QDockWidget *dock : std::as_const(m_docks)) {
        const auto beside = tabifiedDockWidgets(dock);
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

void MainWindow::toggleDock(QDockWidget *dock)
{
    if (dock->isVisible() && !dock->visibleRegion().isEmpty())
        return dock->hide();
    dock->show();
    dock->raise();
    if (dock->isFloating())
        dock->activateWindow();
    QWidget *inside = dock->widget();
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

void MainWindow::resetDocks()
{
    restoreState(m_usualDocks);
    sizeDocks();
}

void MainWindow::sizeDocks()
{
    // The chart gets at least half of a small window, and a large window's docks do not grow beyond
    // what they need.
    const int left = std::clamp(width() * 28 / 100, 280, 420);
    const int right = std::clamp(width() * 18 / 100, 220, 320);
    resizeDocks({ m_docks[0], m_docks[1] }, { left, right }, Qt::Horizontal);
    // As many rows as leave the chart whole.
    resizeDocks({ m_docks[2] }, { std::clamp(height() * 3 / 10 - 60, 150, 280) }, Qt::Vertical);
}

void MainWindow::fitDocks()
{
    const auto isBeside = [this](const QDockWidget *dock, Qt::DockWidgetAreas areas) {
        return dock->isVisible() && !dock->isFloating()
            && (areas & dockWidgetArea(const_cast<QDockWidget *>(dock)));
    };
    for (QDockWidget *dock : std::as_const(m_docks)) {
        const int most = width() * 2 / 5;
        if (isBeside(dock, Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea)
            && dock->width() > most)
            resizeDocks({ dock }, { most }, Qt::Horizontal);
    }
    const int chart = m_chart->height();
    for (QDockWidget *dock : std::as_const(m_docks)) {
        if (isBeside(dock, Qt::BottomDockWidgetArea | Qt::TopDockWidgetArea)
            && dock->height() > chart)
            resizeDocks({ dock }, { std::max((dock->height() + chart) / 3, 130) }, Qt::Vertical);
    }
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    if (m_sizesDocks)
        sizeDocks();
    else if (m_fitsDocks)
        fitDocks();
    m_sizesDocks = m_fitsDocks = false;
}

} // namespace instar
