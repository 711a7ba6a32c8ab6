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

namespace instar {

class BurstPanel;
class ConnectionStrip;
class RoundsDialog;
class ServingStrip;

RemoteController::Options optionsOf(const ConnectChoice &choice);

/// Network side of one window: the server that it drives or the clients that it serves, with their
/// panels.
class Network : public QObject
{
    Q_OBJECT
public:
    /// Exactly one of `simulator` and `remote` is not null: the window's controller.
    /// `pack`: source of the rules, the id of a built-in pack or a file.
    Network(Simulator *simulator, RemoteController *remote, QString pack, QWidget *window);

    NetworkPanel *panel() const { return m_panel; }
    BurstPanel *burst() const { return m_burst; }
    /// Strip with the connection's problem, visible beside every panel; hidden without a problem.
    ConnectionStrip *strip() const { return m_strip; }
    /// Strip with the URL at which this run is served; hidden while it is not.
    ServingStrip *serving() const { return m_serving; }
    bool isServing() const { return m_server != nullptr; }
    NetworkState state() const;

    /// Reason why these requests cannot be sent now; empty: they can.
    QString blocked(const QList<Request> &requests) const;
    /// Returns true if these requests may be sent now, else tells the user why not. Asks before the
    /// first write to another computer.
    bool allows(const QList<Request> &requests);
    void fireTogether(const QList<Request> &requests);
    /// Opens the dialog that fires the burst several times.
    void fireManyTimes();
    /// Starts to serve the run to other programs on this computer.
    void serve();
    void stopServing();
    void reconnect();
    void setReadOnly(bool readOnly);
    void saveExchanges();
    /// Recording of the finished exchanges in the panel.
    Recording recording() const;
    /// Changes the pack that scenarios name, after it was saved to another file.
    void setPack(const QString &pack) { m_pack = pack; }
    void saveScenario();
    /// Scenario of the run; names the pack's file relative to the scenario's `file`.
    Scenario scenarioFor(const QString &file) const;

signals:
    void fired(quint32 serial, const QString &path);
    void said(const QString &sentence);
    void servingChanged();
    void served(); ///< a client has sent a request
    /// The panels were refreshed; `state` may be the same as before.
    void shown(const instar::NetworkState &state);

private:
    void show();
    Scenario scenarioOfServer() const;
    void startRounds(RoundsPlan plan);
    Intent intentOf(const QList<Request> &requests) const;

    Simulator *m_simulator;
    RemoteController *m_remote;
    QString m_pack; ///< id of a built-in pack, or a file
    QWidget *m_window;
    NetworkPanel *m_panel;
    BurstPanel *m_burst;
    ConnectionStrip *m_strip;
    ServingStrip *m_serving;
    std::unique_ptr<Server> m_server;
    QString m_testToken; ///< authorizes the requests of clients to the test endpoints
    QPointer<RoundsDialog> m_roundsDialog;
    std::unique_ptr<Rounds> m_rounds;
    /// Pages of resources read, and known so far, while the server's tree loads; -1: unknown.
    int m_pagesRead = -1, m_pagesKnown = -1;
    bool m_confirmed = false; ///< the user allows writes to another computer
};

} // namespace instar
