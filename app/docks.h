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

/// A way to work with the window's one document, selection and run.
enum class Room { Explore, Edit, Outcomes, Server, Learn };

/// The window's rooms: what fills the middle of each, the panels around it, and where these are.
/// Panels can be moved, sized and closed within a room; each room is kept from one start to the
/// next.
class Docks : public QObject
{
    Q_OBJECT
public:
    explicit Docks(QMainWindow &window);

    /// How a panel goes with the one that was added to the same edge before it.
    enum class Way { Tab, Beside };
    /// Where a panel is in a room until somebody moves it.
    struct Place
    {
        Room room;
        Qt::DockWidgetArea area;
        bool isOpen = true;
        Way way = Way::Tab;
    };
    QDockWidget *add(
        const QString &title, const QString &name, QWidget *content, const QList<Place> &places);
    /// What fills the middle of these rooms.
    void addCentre(QWidget *centre, const QList<Room> &rooms);
    /// It holds long lines: the docks at its side are so many per cent of the window.
    void widen(QDockWidget *dock, int percent);
    /// Its content says what it is: it has a title only in a window of its own.
    void hideTitle(QDockWidget *dock);

    Room room() const { return m_room; }
    void enter(Room room);
    const QList<QDockWidget *> &all() const { return m_docks; }
    QDockWidget *named(const QString &name) const; ///< null: there is none
    /// Whether it can be seen: not closed, and not behind a tab.
    static bool isSeen(const QDockWidget *dock);
    /// Brings a dock to the front, in this room or the first one that it has a place in.
    void raise(QDockWidget *dock);
    /// The same, with the keyboard in it.
    void bring(QDockWidget *dock);
    /// Brings a dock to the front; one that is there already goes.
    void toggle(QDockWidget *dock);
    /// Puts the keyboard into the next panel that is seen, or the one before (-1): from left to
    /// right, then those at the bottom.
    void walk(int by);
    /// Without titles, and what can be done with them.
    void setBare(bool bare);
    /// This room as it was before anybody changed it.
    void reset();
    /// Lays this room out as it was kept last, whatever was hidden since.
    void layOut();
    /// Remembers this room as it is.
    void keep();

    /// All rooms, as they were left.
    QByteArray saved();
    /// Leaves all as it is where that was not saved by this version.
    void restore(const QByteArray &saved);

signals:
    void roomChanged(instar::Room room);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// A room as it was left.
    struct Kept
    {
        QByteArray places;
        bool isSized = false; ///< somebody moved a separator in it
    };
    const Place *placeOf(const QDockWidget *dock, Room room) const; ///< null: it has none
    QList<QDockWidget *> seenAt(Qt::DockWidgetArea area) const;
    void placeAll();
    void fit();
    void follow();
    void setTitle(QDockWidget *dock);
    static void focus(QWidget *panel);

    QMainWindow &m_window;
    QStackedWidget *m_middle;
    QMap<Room, QWidget *> m_centres;
    QList<QDockWidget *> m_docks;
    QHash<const QDockWidget *, QList<Place>> m_places;
    QMap<Room, Kept> m_kept;
    Room m_room = Room::Explore;
    bool m_isBare = false, m_isHeld = false; ///< m_isHeld: a separator is
};

} // namespace instar
