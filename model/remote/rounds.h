// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/round.h"
#include "model/remote/remotecontroller.h"

#include <QPointer>

#include <random>

namespace instar {

class Task;

/// Load by hand: fires a set of requests many times at a server, waits each time until all has
/// ended, and judges what was seen. What a round has removed is made again before the next one.
class Rounds : public QObject
{
    Q_OBJECT
public:
    Rounds(RemoteController &remote, RoundsPlan plan, QObject *parent = nullptr);

    void start();
    /// After the round that goes on; what it fired is not taken back.
    void stop() { m_isStopping = true; }
    bool isGoingOn() const { return m_phase != Phase::Over; }
    int done() const { return m_done; } ///< rounds
    const RoundsPlan &plan() const { return m_plan; }

signals:
    void roundEnded(const instar::Round &round);
    void finished();

private:
    enum class Phase { Over, Looking, Restoring, Firing, Working, LookingAgain, Judging };
    void tick();
    void begin();
    bool restore();
    void fire();
    void judge();
    void conclude(const Round &round);
    bool areOver() const;
    bool hasLooked() const;
    QString endingText() const;

    RemoteController &m_remote;
    RoundsPlan m_plan;
    Phase m_phase = Phase::Over;
    bool m_isStopping = false;
    int m_done = 0;
    World m_first; ///< as the server stood in the beginning
    std::mt19937 m_random;
    QTimer m_ticker;
    QElapsedTimer m_since;    ///< the round's beginning
    int m_waiting = 0;        ///< requests that have not left yet
    QList<quint32> m_serials; ///< by request, and of one by client
    QList<quint32> m_restored;
    QSet<QString> m_tried; ///< paths that were to be made again, each once a round
    std::optional<qint64> m_spread;
    QMap<quint64, Exchange> m_exchanges;
    QPointer<Task> m_task;
};

} // namespace instar
