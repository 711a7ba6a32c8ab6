// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/engine/simulator.h"
#include "model/pack/names.h"

namespace instar {

/// Returns true if two packs differ at most in drawing, texts, HTTP, the sample and switch values.
bool behaveAlike(const Pack &a, const Pack &b);

/// Replay of a simulator's run under other rules: from the same beginning, every request is
/// submitted at its original time. Steps and resources unknown to the rules are left out; they come
/// back when a later replay has rules that know them.
class Replay : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype MostEvents = 2000;
    explicit Replay(Simulator &simulator, qsizetype mostEvents = MostEvents);

    /// Replays the branch shown up to its last known time, and shows the same time again. Other
    /// branches are deleted. If the rules behave the same, keeps everything; a run with too many
    /// events is reset to its beginning. Returns what the user should know: what was left out, why
    /// the run was reset, how many branches were deleted; empty: nothing. `renamings`: from the old
    /// rules' names to the new ones'.
    QString play(Rules rules, const QList<Renaming> &renamings = {});

private:
    /// Times of a run, virtual ms.
    struct Times
    {
        qint64 shown = 0, end = 0; ///< the time shown, and the time of the last known event
    };
    Scenario requestedScenario() const;
    Times times() const;
    bool isUnchanged() const;

    Simulator &m_simulator;
    const qsizetype m_mostEvents;
    Scenario m_scenario;       ///< the last one replayed, including what was left out
    Times m_times;             ///< times of m_scenario
    bool m_isReplay = false;   ///< the simulator's beginning is that of m_scenario
    bool m_isComplete = false; ///< m_scenario was replayed to its end
    quint64 m_history = 0;     ///< version of the simulator's records after the last replay
    qsizetype m_known = 0;     ///< number of the run's steps when the last replay ended
    bool m_isPlaying = false;  ///< a replay is under way
};

} // namespace instar
