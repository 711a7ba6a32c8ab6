// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QObject>
#include <QSize>

class QDockWidget;
class QLabel;
class QMainWindow;

namespace instar {

/// How large a window's docks are wanted, in device-independent pixels; 0: as usual for the
/// window's size.
struct DockSizes
{
    int left = 0, right = 0, bottom = 0;
    bool operator==(const DockSizes &) const = default;
};

/// The panels of a window: where they are, how large, and how that is kept from one start to the
/// next. The area at the top, between the docks at the sides, is the centre. What somebody gave a
/// dock by hand is wanted in every window; what a window has no room for it gets again when there
/// is.
class Docks : public QObject
{
    Q_OBJECT
public:
    explicit Docks(QMainWindow &window);

    /// What lies in the centre from the beginning shows its title by itself.
    QDockWidget *add(
        const QString &title, const QString &name, Qt::DockWidgetArea area, QWidget *content);
    /// It holds long lines: as long as it can be seen, the docks at that side are usually wider, so
    /// many per cent of the window.
    void widen(QDockWidget *dock, int percent = 36);
    /// All docks at the bottom become tabs, the first one in front. What is so now is usual.
    void settle();
    const QList<QDockWidget *> &all() const { return m_docks; }
    /// Those at an edge that are open, be it behind a tab.
    QList<QDockWidget *> at(Qt::DockWidgetArea area) const;
    /// Whether it can be seen: not closed, and not behind a tab.
    static bool isSeen(const QDockWidget *dock);
    /// Those of them that are seen.
    QList<QDockWidget *> seenAt(Qt::DockWidgetArea area) const;
    QDockWidget *named(const QString &name) const; ///< null: there is none
    /// The dock at an edge that is seen, of several tabs the one in front; null: none is there.
    QDockWidget *inFront(Qt::DockWidgetArea area) const;
    /// Brings a dock to the front.
    static void raise(QDockWidget *dock);
    /// Brings a dock to the front, with the keyboard in it; one that is there already goes.
    void toggle(QDockWidget *dock);
    /// Brings a dock to the front, with the keyboard in it.
    void bring(QDockWidget *dock);
    /// The dock that has the keyboard; null: none.
    QDockWidget *withKeyboard() const;
    /// Puts the keyboard into the next panel that is seen, or the one before (-1): from left to
    /// right, then those at the bottom.
    void walk(int by);
    /// Without titles, and what can be done with them.
    void setBare(bool bare);
    /// Every dock and bar as it was before anybody moved it.
    void reset();

    /// Where everything is, with what is wanted.
    QByteArray saved() const;
    /// False: it is nothing that was saved, or by another version; all is as it was.
    bool restore(const QByteArray &saved);
    /// Gives every dock its size, as far as there is room. For a window that was shown or resized.
    void fit();
    /// A separator is taken: from here on sizes change by hand.
    void hold();
    /// Sizes that changed since are by hand now: the separator was let go.
    void take();

signals:
    void wasReset();

private:
    /// A dock behind a tab has its name there, and no title of its own; what is not seen does not
    /// get the keyboard. What is dragged over a tab comes to what is behind it.
    void follow();
    /// What stands above a dock's content.
    void setTitle(QDockWidget *dock);
    /// Of a dock's tabs: what is asked for docks is for both, what they have is without.
    int tabHeight(const QDockWidget *dock) const;
    /// The centre gets all that the docks around it leave; panels beside and below each other keep
    /// their shares of it.
    void fitCentre(const QSize &around);
    /// What is kept of those that are seen in the centre, their tabs with them.
    QMap<QString, QSize> shares() const;
    QSize room() const; ///< that there is for docks
    /// Puts the keyboard into a dock.
    static void enter(QDockWidget *dock);
    DockSizes usual() const;
    DockSizes shown() const; ///< 0: not to be seen

    QMainWindow &m_window;
    QLabel *m_empty; ///< in the middle as long as nothing is in the centre
    QList<QDockWidget *> m_docks;
    bool m_isBare = false;
    QByteArray m_usual;
    DockSizes m_wanted, m_held;
    QMap<QString, QSize> m_shares; ///< of the centre, as it was left; until it is otherwise
};

} // namespace instar
