// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/round.h"
#include "model/remote/remotecontroller.h"

#include <random>

namespace instar {

/// Load by hand: fires a set of requests many times at a server, waits each time until all has
/// ended, and judges what was seen. What a round has removed of its targets and below them is made
/// again before the next one. While the connection is lost it waits; a round in which something did
/// not come in time is the last one.
class Rounds : public QObject
{
    Q_OBJECT
public:
    Rounds(RemoteController &remote, RoundsPlan plan, QObject *parent = nullptr);

    void start();
    /// Before the next requests are sent; what was fired is waited for.
    void stop() { m_isStopping = true; }
    bool isGoingOn() const { return m_phase != Phase::Over; }
    int done() const { return m_done; } ///< rounds
    const RoundsPlan &plan() const { return m_plan; }

signals:
    void roundEnded(const instar::Round &round);
    void finished();

private:
    enum class Phase {
        Over,
        Interrupted,
        Looking,
        Restoring,
        LookingAgain,
        Working,
        LookingAtEnd,
        Judging
    };
    void enter(Phase phase);
    void tick();
    void begin();
    bool restore();
    QString missing() const;
    void fire();
    void judge();
    void fail(const QString &problem);
    void conclude(const Round &round);
    void finish();
    bool areOver() const;
    bool hasLooked() const { return !m_remote.isLooking() && !m_remote.isBusy(); }
    bool isOfTargets(const QString &path) const;
    Round current() const;
    QString endingText() const;

    RemoteController &m_remote;
    RoundsPlan m_plan;
    Phase m_phase = Phase::Over;
    bool m_isStopping = false;
    int m_done = 0;
    World m_first; ///< as the server stood before the first round
    std::mt19937 m_random;
    QTimer m_ticker;
    QElapsedTimer m_since;    ///< the phase began
    QList<quint32> m_serials; ///< by request, and of one by client; 0: it has not left yet
    QList<quint32> m_restored;
    QSet<QString> m_tried; ///< paths that were to be made again, each once a round
    std::optional<qint64> m_spread;
    QMap<quint64, Exchange> m_exchanges;
};

} // namespace instar
