// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QEvent>
#include <QWidget>

#include <functional>
#include <utility>

namespace instar {

/// Deferred refresh of a panel: runs at once while the panel is in sight, else when it comes into
/// sight again. A panel behind another dock tab is "visible" to Qt; docks disable it, which counts
/// as out of sight.
class DeferredRefresh : public QObject
{
public:
    DeferredRefresh(QWidget &panel, std::function<void()> work)
        : m_panel(panel), m_work(std::move(work))
    {
        panel.installEventFilter(this);
    }

    bool isInSight() const { return m_panel.isVisible() && m_panel.isEnabled(); }
    void request()
    {
        m_isRequested = true;
        if (isInSight())
            flush();
    }
    /// Does requested work now, in sight or not.
    void flush()
    {
        if (std::exchange(m_isRequested, false))
            m_work();
    }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        if ((event->type() == QEvent::Show || event->type() == QEvent::EnabledChange)
            && isInSight())
            flush();
        return false;
    }

private:
    QWidget &m_panel;
    std::function<void()> m_work;
    bool m_isRequested = false;
};

} // namespace instar
