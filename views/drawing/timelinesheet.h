// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"
#include "views/drawing/timelinepainter.h"

namespace instar {

/// A run as it stood when it was drawn: everything that a picture of its timeline needs.
struct TimelineSheet
{
    Rules rules;
    World world;
    TimelinePicture picture;
    double blocks = 0; ///< how wide the present is

    /// What is known of a run, as it stands at the moment shown; `width` is that of the time.
    TimelineSheet(const Simulator &simulator, double width);
    /// The same of any controller whose timeline is known; `world` is what it was taken with.
    TimelineSheet(const Controller &controller, World world, Timeline timeline, double width);
    TimelineSheet(const TimelineSheet &) = delete; ///< the picture looks at rules and world
    TimelineSheet &operator=(const TimelineSheet &) = delete;

    /// As it was at another moment: `then` is the world that it was in, and `now` a time until the
    /// next one.
    void show(qsizetype moment, World then, qint64 now);
};

} // namespace instar
