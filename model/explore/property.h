// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

#include <functional>

namespace instar {

/// Property of a situation: some, every or no resource of a type meets a condition.
struct Property
{
    enum class Quantifier {
        Some,
        Every, ///< and there is one
        No
    };
    Quantifier quantifier = Quantifier::Some;
    QString type; ///< path of the type; empty: of any
    Condition condition;
    bool forEver = false; ///< only situations that can stay so: an end, or a cycle
    QString text {};      ///< as a person reads it
    bool operator==(const Property &) const = default;
};

/// Returns the test of one situation. Fails on names that the rules do not know, and on conditions
/// that one situation does not answer: about the past, times, required operations, and labels that
/// the pack leaves open.
Result<std::function<bool(const World &)>> compiledProperty(
    const Property &property, const Rules &rules);

} // namespace instar
