// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"

#include <compare>
#include <set>

namespace instar {

/// One operation came in while another one was accepted already.
struct Met
{
    Rules::TriggerId running = Rules::None, incoming = Rules::None;
    int place = 0;              ///< of what was accepted, seen from what comes; of PlaceWords
    int conflict = Rules::None; ///< the row of the pack's conflicts that speaks; None: both go on
    auto operator<=>(const Met &) const = default;
};

/// What of the rules an event has used.
struct Exercised
{
    std::set<int> rows; ///< of Rules::transition, those that refuse too
    std::set<Met> meetings;
    std::set<QString> codes; ///< with which operations were refused or failed

    void add(const Exercised &other)
    {
        rows.insert(other.rows.begin(), other.rows.end());
        meetings.insert(other.meetings.begin(), other.meetings.end());
        codes.insert(other.codes.begin(), other.codes.end());
    }
};

} // namespace instar
