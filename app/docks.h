// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;

namespace instar {

/// How large a window's docks are wanted, in device-independent pixels; 0: as usual for the
/// window's size.
struct DockSizes
{
    int left = 0, right = 0, bottom = 0;
    bool operator==(const DockSizes &) const = default;
};

/// The panels around a window's centre: where they are, how large, and how that is kept from one
/// start to the next. What somebody gave a dock by hand is wanted in every window; what a window
/// has no room for it gets again when there is.
class Docks : public QObject
{
    Q_OBJECT
public:
    explicit Docks(QMainWindow &window);

    QDockWidget *add(
        const QString &title, const QString &name, Qt::DockWidgetArea area, QWidget *content);
    /// It holds long lines: as long as it can be seen, the docks at that side are usually wider, so
    /// many per cent of the window.
    void widen(QDockWidget *dock, int percent = 36);
    /// All docks at the bottom become tabs, the first one in front. What is so now is usual.
    void settle();
    const QList<QDockWidget *> &all() const { return m_docks; }

    /// The dock at an edge that is seen, of several tabs the one in front; null: none is there.
    QDockWidget *inFront(Qt::DockWidgetArea area) const;
    /// Brings a dock to the front, with the keyboard in it; one that is there already goes.
    void toggle(QDockWidget *dock);
    /// Puts the keyboard into the next panel that is seen, or the one before (-1): from left to
    /// right, the centre among them, then those at the bottom.
    void walk(int by);
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
    /// get the keyboard.
    void follow();
    int widthAt(Qt::DockWidgetArea area) const; ///< of what is there; 0: nothing
    int heightAt(Qt::DockWidgetArea area) const;
    /// Of the tabs at the bottom: what is asked for docks is for both, what they have is without.
    int tabHeight() const;
    QList<QDockWidget *> at(Qt::DockWidgetArea area) const;
    /// Puts the keyboard into a dock.
    static void enter(QDockWidget *dock);
    DockSizes usual() const;
    DockSizes shown() const; ///< 0: not to be seen

    QMainWindow &m_window;
    QList<QDockWidget *> m_docks;
    QByteArray m_usual;
    DockSizes m_wanted, m_held;
};

} // namespace instar
