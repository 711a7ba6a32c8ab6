// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks.h"

#include <QObject>
#include <QPointer>

class QWidget;

namespace instar {

class Caption;
class Enlarged;
class Laser;
class MainWindow;
class Simulator;

/// Presenter mode of a window: full screen, large, without bars and without panels except the
/// timeline and a lesson. Captions describe each event, a spot of light follows the mouse, and the
/// keys of a presenter's remote step through the lesson or the run.
class Presenting : public QObject
{
    Q_OBJECT
public:
    explicit Presenting(MainWindow &window);
    ~Presenting() override;

    bool isOn() const;
    void setOn(bool on);

    void next();
    void back();
    void toBeginning();

signals:
    void changed(bool on);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void hideChrome();
    void restore();
    void enlargeTitle(double factor);
    void hideControls(const QWidget *panel);
    void enlargeTimeline(double factor);
    bool handleKey(int key);     ///< returns true if it handled the key
    bool handleZoomKey(int key); ///< of Ctrl+key; returns true if it handled the key
    /// Steps the run. If no event is pending, shows `message`: a presenter would else suspect the
    /// remote control.
    void stepOrExplain(bool (Simulator::*step)(), const QString &message);
    void end() { setOn(false); }
    void toggleLaser();
    void toggleDark();

    MainWindow &m_window;
    QPointer<Caption> m_caption;
    QPointer<Laser> m_laser;
    QPointer<Enlarged> m_timeline;     ///< shown in place of the timeline
    QPointer<QWidget> m_dark;          ///< covers the window while the screen is dark
    std::optional<Room> m_room;        ///< workspace to return to at the end
    QList<QPointer<QWidget>> m_hidden; ///< controls that hideControls() hid
    bool m_wasFull = false;            ///< the window filled the screen before
    bool m_saidEnd = false;            ///< the caption says that the last page is reached
};

} // namespace instar
