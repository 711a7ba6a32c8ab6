// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace instar {

/// Constraint: right - left >= length.
struct Distance
{
    int left, right, length;
};

/// Cost: weight * |to - from - distance|.
struct Pull
{
    int from, to, distance, weight;
};

/// Improves a layout's coordinates: moves variables (from `first` on), alone and in groups, to the
/// middle of the range in which they cost least.
void balance(const std::vector<Distance> &distances, const std::vector<Pull> &pulls, int first,
    std::vector<int> &values);

} // namespace instar
