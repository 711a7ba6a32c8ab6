// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <functional>

class QWidget;

namespace instar {

/// Deferred refresh of a panel: runs at once while the panel is in sight, else when it comes into
/// sight again. A panel behind another dock tab is "visible" to Qt; docks disable it, which counts
/// as out of sight.
class WhenSeen : public QObject
{
public:
    WhenSeen(QWidget &panel, std::function<void()> work);

    bool isSeen() const;
    /// Requests the work.
    void ask();
    /// Does requested work now, in sight or not.
    void settle();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget &m_panel;
    std::function<void()> m_work;
    bool m_isAsked = false;
};

} // namespace instar
