// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace instar {

/// Constraint between two variables: right - left >= length.
struct DistanceConstraint
{
    int left, right, length;
};

/// Cost of a pair of variables: weight * |to - from - distance|.
struct WeightedDistance
{
    int from, to, distance, weight;
};

/// Improves a layout's coordinates: moves variables (from `first` on), alone and in groups, to the
/// middle of the range in which they cost least.
void balance(const std::vector<DistanceConstraint> &distances,
    const std::vector<WeightedDistance> &pulls, int first, std::vector<int> &values);

} // namespace instar
