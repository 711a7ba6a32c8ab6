// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QMap>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QStackedWidget;
class QWidget;

namespace instar {

/// Workspace of the window. All rooms share the window's document, selection and run.
enum class Room { Explore, Edit, Outcomes, Server, Learn };

/// Dock layout of the window's rooms: the central widget of each and the panels around it.
/// Panels can be moved, sized and closed within a room. Each room's layout outlives the program;
/// see saved() and restore().
class Docks : public QObject
{
    Q_OBJECT
public:
    explicit Docks(QMainWindow &window);

    /// Relation to the panel that was added to the same edge before.
    enum class Way { Tab, Beside };
    /// Default position of a panel in a room.
    struct Placement
    {
        Room room;
        Qt::DockWidgetArea area;
        bool isOpen = true;
        Way way = Way::Tab;
    };
    /// Dock panel: its content, and its default position in each room that has it.
    struct Panel
    {
        QString title, name; ///< `name`: of the dock, in layouts and scripts
        QWidget *content;
        QList<Placement> placements; ///< one for each room that has it
        bool isBare = false;         ///< the content needs no title, unless it floats
        int widthPercent = 0;        ///< of the window, for long lines; 0: the usual width
    };
    QDockWidget *add(const Panel &panel);
    void addCentre(QWidget *centre, const QList<Room> &rooms);

    Room room() const { return m_room; }
    void enter(Room room);
    const QList<QDockWidget *> &all() const { return m_docks; }
    QDockWidget *named(const QString &name) const; ///< null if there is none
    /// Returns true if the dock is neither closed nor behind a tab.
    static bool isSeen(const QDockWidget *dock);
    /// Brings a dock to the front. Changes to the first room with the dock if this one lacks it.
    void raise(QDockWidget *dock);
    void raiseAndFocus(QDockWidget *dock);
    /// Raises a dock, or hides it if it is in front already.
    void toggle(QDockWidget *dock);
    /// Moves the focus to the next visible panel (1) or the previous one (-1): left, top, centre,
    /// right, bottom, then floating ones.
    void focusNext(int by);
    void setTitlesHidden(bool hidden);
    /// Restores this room's default layout.
    void reset();
    /// Restores the layout that storeLayout() stored for this room, or the default one.
    void restoreLayout();
    /// Stores this room's current layout for restoreLayout().
    void storeLayout();

    /// Returns the layouts of all rooms, for restore().
    QByteArray saved();
    /// Restores layouts of saved(). Ignores those of another version of the program, and those of
    /// rooms whose panels have changed since.
    void restore(const QByteArray &saved);

signals:
    void roomChanged(instar::Room room);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct StoredLayout
    {
        QStringList panels;   ///< the room's panels when the layout was stored
        QByteArray state;     ///< of QMainWindow::saveState()
        bool isSized = false; ///< the user moved a separator
    };
    /// Returns the dock's placement in this room; null if the room does not have the dock.
    const Placement *placementOf(const QDockWidget *dock) const;
    QStringList panelsOfRoom() const;
    QList<QDockWidget *> visibleDocksAt(Qt::DockWidgetArea area) const;
    void applyDefaultLayout();
    void fit();
    void update(); ///< updates title bars, tab bars and sizes after docks have moved
    void setTitle(QDockWidget *dock);
    static void focus(QWidget *panel);

    QMainWindow &m_window;
    QStackedWidget *m_centre; ///< shows the central widget of the room
    QMap<Room, QWidget *> m_centres;
    QList<QDockWidget *> m_docks;
    QHash<const QDockWidget *, Panel> m_panels;
    QMap<Room, StoredLayout> m_layouts;
    Room m_room = Room::Explore;
    bool m_areTitlesHidden = false, m_isSeparatorDragged = false;
};

} // namespace instar
