// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"

namespace instar {

/// One line on an arrow: rows of the machine that say the same of the same two states.
struct LinkLine
{
    QList<int> rows; ///< in Machine::transitions
    QList<Rules::TriggerId> triggers;
    QString text;
    bool isQuiet = false; ///< what only follows from elsewhere: events sent by others, cancellation
    bool isLeftOut = false; ///< the chosen switches leave out its rows
    bool operator==(const LinkLine &) const = default;
};

/// What is drawn as one arrow: all rows that lead from one state to one other.
struct Link
{
    static constexpr int Any = -1;  ///< as `from`: whatever state it is in
    static constexpr int Last = -1; ///< as `to`: the state it last rested in

    Rules::StateId from = Any; ///< below Any: a state that the rules do not have
    Rules::StateId to = Last;
    QList<LinkLine> lines;
    double bend = 0; ///< as the pack has it; 0: open
    bool operator==(const Link &) const = default;

    bool isLoop() const { return from == to && from >= 0; }
    bool isQuiet() const;
};

/// The arrows of a machine under the chosen switches, in the order of its rows. Rows that refuse or
/// only observe lead nowhere and have none.
QList<Link> chartLinks(const Rules &rules, int machine);

/// Whether a row leads out of a state, itself or by a composite around it.
bool leadsFrom(const Rules &rules, const Link &link, Rules::StateId state);

} // namespace instar
