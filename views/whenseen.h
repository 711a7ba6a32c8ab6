// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <functional>

class QWidget;

namespace instar {

/// Work that brings a panel up to date: done at once while the panel is in sight, else when it
/// comes into sight again. What is behind the tab of a dock is out of sight and yet "visible" to
/// Qt; docks disable it.
class WhenSeen : public QObject
{
public:
    WhenSeen(QWidget &panel, std::function<void()> work);

    bool isSeen() const;
    /// There is something to be done.
    void ask();
    /// What is to be done is done now, in sight or not.
    void settle();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget &m_panel;
    std::function<void()> m_work;
    bool m_isAsked = false;
};

} // namespace instar
