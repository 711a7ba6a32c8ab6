// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layers.h"

#include <algorithm>

namespace instar {

namespace {

constexpr double loopGap = 4;     ///< between labels of loops
constexpr double loopHeight = 22; ///< of a loop without a label
constexpr double noteGap = 22;
constexpr double notesGap = 8; ///< between notes

bool isWantedBefore(LayoutNote::Side side)
{
    return side == LayoutNote::Side::Left || side == LayoutNote::Side::Top;
}

double loopSlot(const Layers &layers, const std::vector<int> &loops)
{
    double slot = loopHeight;
    for (const int edge : loops)
        slot = std::max(slot, layers.along(layers.input->edges[edge].label) + loopGap);
    return slot;
}

/// Puts loops on one side if the box is long enough for them, else on both.
void addLoops(const Layers &layers, int node, bool isAfter, Beside &beside)
{
    const std::vector<int> &loops = layers.loopsOf[size_t(node)];
    if (loops.empty())
        return;
    const double slot = loopSlot(layers, loops);
    const double length = layers.along(layers.input->nodes[node].size);
    const size_t most = size_t(std::max(2.0, length / slot));
    const size_t first = loops.size() <= most ? loops.size() : (loops.size() + 1) / 2;
    for (size_t i = 0; i < loops.size(); ++i) {
        const bool isFirst = i < first;
        const size_t count = isFirst ? first : loops.size() - first;
        const size_t index = isFirst ? i : i - first;
        const bool side = isFirst == isAfter;
        const double label = layers.across(layers.input->edges[loops[i]].label);
        double &room = side ? beside.after : beside.before;
        room = std::max(room, loopReach + (label > 0 ? label + 2 : 4));
        beside.loops.push_back(
            { loops[i], side, (double(index) - (double(count) - 1) / 2) * slot });
    }
    beside.along = std::max(beside.along, double(first) * slot);
}

void addNotes(const Layers &layers, const std::vector<int> &notes, bool isAfter, Beside &beside)
{
    if (notes.empty())
        return;
    double &room = isAfter ? beside.after : beside.before;
    double along = -notesGap, across = 0;
    for (const int note : notes) {
        along += layers.along(layers.input->notes[note].size) + notesGap;
        across = std::max(across, layers.across(layers.input->notes[note].size));
    }
    const double away = room + noteGap;
    double at = -along / 2;
    for (const int note : notes) {
        const double length = layers.along(layers.input->notes[note].size);
        beside.notes.push_back({ note, isAfter, away, at + length / 2 });
        at += length + notesGap;
    }
    room = away + across;
    beside.along = std::max(beside.along, along);
}

} // namespace

Beside besideOf(const Layers &layers, int node)
{
    Beside beside;
    std::vector<int> before, after, any;
    for (const int note : layers.notesOf[size_t(node)]) {
        const LayoutNote::Side side = layers.input->notes[note].side;
        (side == LayoutNote::Side::Any ? any
                : isWantedBefore(side) ? before
                                       : after)
            .push_back(note);
    }
    const bool hasLoops = !layers.loopsOf[size_t(node)].empty();
    std::vector<int> &freer =
        (hasLoops && before.empty()) || before.size() < after.size() ? before : after;
    freer.insert(freer.end(), any.begin(), any.end());
    addLoops(layers, node, after.empty() || !before.empty(), beside);
    addNotes(layers, before, false, beside);
    addNotes(layers, after, true, beside);
    return beside;
}

} // namespace instar
