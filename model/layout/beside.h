// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Items beside a box in its own layer: self-loops with their labels, and notes.
struct Beside
{
    struct Loop
    {
        int edge = -1;
        bool isAfter = true;
        double at = 0; ///< along, from the box's centre
    };
    struct Note
    {
        int note = -1;
        bool isAfter = true;
        double away = 0; ///< across, from the box's border
        double at = 0;   ///< along, from the box's centre to the note's
    };
    double before = 0, after = 0; ///< room across, beyond the box
    double along = 0;             ///< length along that all items need
    std::vector<Loop> loops;
    std::vector<Note> notes;
};

constexpr double loopReach = 26; ///< distance from the box to the outermost point of a loop

Beside besideOf(const Layers &layers, int node);

} // namespace instar
