// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/divergence.h"
#include "model/engine/simulator.h"

namespace instar {

/// What was asked of a simulator, asked again from the same beginning under other switches.
struct Rerun
{
    QList<Fact> differences; ///< at the moment that was shown: what was so, and what is so now;
                             ///< operations first
    bool isAtEnd = false;    ///< nothing was otherwise then, and these are of the end
};

/// At equal times what ends by itself comes before what was asked for, as in a scenario.
///
/// Runs it again in place: the simulator goes on under the other switches, and shows the same time.
/// Branches are those of another run, and go. An error says why the rules cannot be so; then
/// nothing has changed.
Result<Rerun> rerun(Simulator &simulator, const Switches &switches);

/// What was asked of a run, asked again from the same beginning under other rules.
struct AskedAgain
{
    Course course;
    QStringList said; ///< of the beginning: what could not be as it was, as carriedOver() says it
};
/// At the same times, up to the last thing that happened.
AskedAgain askedAgain(const Course &course, const Rules &rules);

} // namespace instar
