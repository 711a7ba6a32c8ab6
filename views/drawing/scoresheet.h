// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"
#include "views/drawing/scorepainter.h"

namespace instar {

/// A run as it stood when it was drawn: everything that a picture of its score needs.
struct ScoreSheet
{
    Rules rules;
    World world;
    ScorePicture picture;
    double blocks = 0; ///< how wide the present is

    /// What is known of a run, as it stands at the moment shown; `width` is that of the time.
    ScoreSheet(const Simulator &simulator, double width);
    /// The same of any controller whose score is known; `world` is what it was taken with.
    ScoreSheet(const Controller &controller, World world, Score score, double width);
    ScoreSheet(const ScoreSheet &) = delete; ///< the picture looks at rules and world
    ScoreSheet &operator=(const ScoreSheet &) = delete;

    /// As it was at another moment: `then` is the world that it was in, and `now` a time until the
    /// next one.
    void show(qsizetype moment, World then, qint64 now);
};

} // namespace instar
