// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/round.h"
#include "model/remote/remotecontroller.h"

#include <random>

namespace instar {

/// Load test of a server: fires a set of requests repeatedly, waits each time until all have ended,
/// and judges the observations. Before the next round, creates again the targets and descendants
/// that a round removed. Pauses while the connection is lost, and ends with a round that times out.
class Rounds : public QObject
{
    Q_OBJECT
public:
    Rounds(RemoteController &remote, RoundsPlan plan, QObject *parent = nullptr);

    void start();
    /// Stops before the next requests are sent; those under way are awaited.
    void stop() { m_isStopping = true; }
    bool isGoingOn() const { return m_phase != Phase::Over; }
    int done() const { return m_done; } ///< completed rounds
    const RoundsPlan &plan() const { return m_plan; }

signals:
    void roundEnded(const instar::Round &round);
    void finished();

private:
    enum class Phase {
        Over,         ///< no round is going on
        Interrupted,  ///< between rounds, until the connection is back
        Reading,      ///< the tree is read before the requests
        Restoring,    ///< resources that the last round removed are created again
        ReadingAgain, ///< the tree is read after Restoring
        Working,      ///< the round's requests and their operations are under way
        ReadingAtEnd, ///< the tree is read after Working
        Judging       ///< a verdict on the round is computed, or reported
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
    bool hasRead() const { return !m_remote.isRefreshing() && !m_remote.isBusy(); }
    bool isOfTargets(const QString &path) const;
    Round current() const;
    QString endingText() const;
    QString lateText() const;

    RemoteController &m_remote;
    RoundsPlan m_plan;
    Phase m_phase = Phase::Over;
    bool m_isStopping = false;
    int m_done = 0;
    World m_first; ///< before the first round
    std::mt19937 m_random;
    QTimer m_ticker;
    QElapsedTimer m_since;          ///< start of the phase
    QList<quint32> m_serials;       ///< by request, then by client; 0: not sent yet
    QList<quint32> m_restored;      ///< serials of the requests that create removed resources
    QSet<QString> m_tried;          ///< paths that this round has tried to create again
    std::optional<qint64> m_spread; ///< ns between the first and the last request sent
    QMap<quint64, Exchange> m_exchanges;
};

} // namespace instar
