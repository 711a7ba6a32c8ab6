// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/behaviouraldifference.h"
#include "model/engine/scenario.h"
#include "model/machine/renames.h"

namespace instar {

/// Run of a simulator that can be played again under other rules: from the same beginning
/// everything is asked for at its time. Steps and resources that some rules do not know are left
/// out, and come back with rules that know them.
class Replay : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype MostEvents = 2000;
    explicit Replay(Simulator &simulator, qsizetype mostEvents = MostEvents);

    /// Plays the branch shown up to the last time that was known, and shows the same time again.
    /// Other branches are forgotten. Rules that mean the same leave everything as it is. A run of
    /// more events begins anew. Returns a sentence about what could not be played; empty:
    /// everything was. `renames`: how what the rules before knew is called now.
    QString play(Rules rules, const Renames &renames = {});
    Simulator &simulator() { return m_simulator; }

private:
    /// Times of a run, virtual ms.
    struct Times
    {
        qint64 shown = 0, end = 0; ///< the one shown, and the last one known
    };
    Scenario asked() const;
    Times times() const;
    bool isAsPlayed() const;
    bool playUntil(qint64 time);
    bool playAll(const QList<ScenarioStep> &steps, qint64 end);

    Simulator &m_simulator;
    const qsizetype m_mostEvents;
    Scenario m_asked;         ///< what was to be played last, with what was left out of it
    Times m_times;            ///< of it
    bool m_isOurs = false;    ///< the simulator's beginning is that of m_asked,
    bool m_isWhole = false;   ///< and it was played,
    quint64 m_history = 0;    ///< as long as history() is this one,
    qsizetype m_known = 0;    ///< with so many of its steps
    bool m_isPlaying = false; ///< it plays again
};

/// What was asked of a simulator, asked again from the same beginning under other switches.
struct Rerun
{
    QList<Fact> differences; ///< at the moment that was shown: what was so, and what is so now;
                             ///< operations first
    bool isAtEnd = false;    ///< nothing was otherwise then, and these are of the end
    QString said;            ///< as Replay::play() has it
};

/// At equal times what ends by itself comes before what was asked for, as in a scenario. An error
/// says why the rules cannot be so; then nothing has changed.
Result<Rerun> rerun(Replay &replay, const Switches &switches);

} // namespace instar
