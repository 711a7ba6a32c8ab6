// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace instar {

/// right - left >= length.
struct Distance
{
    int left, right, length;
};

/// Costs weight * |to - from - distance|.
struct Pull
{
    int from, to, distance, weight;
};

/// Of several coordinates that cost the same the one in the middle is the fairest: moves variables
/// (from `first` on), alone and with those that they are in line with, where that costs nothing.
void balance(const std::vector<Distance> &distances, const std::vector<Pull> &pulls, int first,
    std::vector<int> &values);

} // namespace instar
