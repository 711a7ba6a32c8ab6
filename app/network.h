// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/remote/historyrecorder.h"
#include "model/remote/remotecontroller.h"
#include "model/remote/rounds.h"
#include "model/remote/server.h"
#include "views/panels/connectdialog.h"
#include "views/panels/networkpanel.h"

#include <QPointer>
#include <QWidget>

namespace instar {

class ArmedPanel;
class ConnectionStrip;
class RoundsDialog;
class ServingStrip;

/// How a server is connected to as the user chose; an error names the file or field that is wrong.
Result<RemoteController::Options> optionsOf(const ConnectChoice &choice);

/// One window's side to the network: the server that it drives, or the clients that it serves, and
/// the panels about them.
class Network : public QObject
{
    Q_OBJECT
public:
    /// Of `simulator` and `remote` one is there: the window's controller.
    /// `pack` is where the rules are from: a built-in pack's id, or a file.
    Network(Simulator *simulator, RemoteController *remote, QString pack, QWidget *window);

    NetworkPanel *panel() const { return m_panel; }
    ArmedPanel *armed() const { return m_armed; }
    /// What is wrong with the connection, to be seen whatever panel is; hidden while nothing is.
    ConnectionStrip *strip() const { return m_strip; }
    /// Where this world is served; hidden while it is not.
    ServingStrip *serving() const { return m_serving; }
    bool isServing() const { return m_server != nullptr; }
    NetworkState state() const;

    /// Why these requests cannot be sent as things stand; empty: they can.
    QString blocked(const QList<Request> &requests) const;
    /// Whether they may be sent now, and says why not; asks once before the first write to another
    /// computer.
    bool allows(const QList<Request> &requests);
    void fireTogether(const QList<Request> &requests);
    /// Asks how often, and fires what is armed again and again.
    void fireManyTimes();
    /// Lets other programs on this computer in; or stops that.
    void serve();
    void stopServing();
    void reconnect();
    void setReadOnly(bool readOnly);
    void saveExchanges();
    /// The exchanges that are kept, those that are over.
    Recording recording() const;
    /// What scenarios call their pack: it was saved elsewhere.
    void setPack(const QString &pack) { m_pack = pack; }
    void saveScenario();
    /// What is saved there: the pack's file is named as it is seen from the scenario's.
    Scenario scenarioFor(const QString &file) const;

signals:
    void connectAsked();
    void fired(quint32 serial, const QString &path);
    void said(const QString &sentence);
    void servingChanged();
    void served();                                 ///< a client asked for something
    void shown(const instar::NetworkState &state); ///< again, or for the first time

private:
    void show();
    /// `what` is said of what was saved, where that needs words.
    void save(const QString &title, const QString &path, const QByteArray &bytes,
        const QString &what = {});
    Scenario scenarioOfServer() const;
    void startRounds(RoundsPlan plan);
    Controller &controller() const;
    Intent intentOf(const QList<Request> &requests) const;

    Simulator *m_simulator;
    RemoteController *m_remote;
    QString m_pack; ///< a built-in one's id, or a file
    QWidget *m_window;
    NetworkPanel *m_panel;
    ArmedPanel *m_armed;
    ConnectionStrip *m_strip;
    ServingStrip *m_serving;
    std::unique_ptr<Server> m_server;
    QString m_testToken; ///< that plans and resets of its clients show
    QPointer<RoundsDialog> m_roundsDialog;
    std::unique_ptr<Rounds> m_rounds;
    int m_done = -1, m_known = -1; ///< pages of the tree
    bool m_confirmed = false;      ///< writing to another computer
};

} // namespace instar
