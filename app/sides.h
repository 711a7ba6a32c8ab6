// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QMenu;

namespace instar {

class Docks;

/// The tab groups in a window's middle: those of the centre, from left to right and from top to
/// bottom, then those below it. Each is a side; a tab can be taken from one to the next, and be
/// given a side of its own.
class Sides : public QObject
{
    Q_OBJECT
public:
    Sides(QMainWindow &window, Docks &docks);

    /// Of each side its panels, in no order; where nothing is at the bottom the last one is empty.
    QList<QList<QDockWidget *>> all() const;
    /// The tab with the keyboard gets a side of its own at the centre's right or lower edge. Where
    /// it is not in the middle, or alone in the centre, so does the one in front at the bottom.
    void split(Qt::Orientation way);
    /// The panel with the keyboard becomes a tab of the next side. What is alone in the centre
    /// stays.
    void moveOn();
    /// Puts the keyboard into the next side.
    void next();
    /// The centre is one side again.
    void join();

    /// The same as actions.
    void fill(QMenu &menu);

signals:
    void said(const QString &sentence);

private:
    QMainWindow &m_window;
    Docks &m_docks;
};

} // namespace instar
