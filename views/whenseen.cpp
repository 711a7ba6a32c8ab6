// SPDX-License-Identifier: Apache-2.0
#include "views/whenseen.h"

#include <QEvent>
#include <QWidget>

#include <utility>

namespace instar {

WhenSeen::WhenSeen(QWidget &panel, std::function<void()> work)
    : m_panel(panel), m_work(std::move(work))
{
    panel.installEventFilter(this);
}

bool WhenSeen::isSeen() const
{
    return m_panel.isVisible() && m_panel.isEnabled();
}

void WhenSeen::ask()
{
    m_isAsked = true;
    if (isSeen())
        settle();
}

void WhenSeen::settle()
{
    if (std::exchange(m_isAsked, false))
        m_work();
}

bool WhenSeen::eventFilter(QObject *watched, QEvent *event)
{
    const bool mayBeSeen = event->type() == QEvent::Show || event->type() == QEvent::EnabledChange;
    if (mayBeSeen && isSeen())
        settle();
    return QObject::eventFilter(watched, event);
}

} // namespace instar
