// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/admission.h"

namespace instar {

/// What the controller would answer, as the fire bar says it.
struct Verdict
{
    enum class Tone { Accepted, Cancels, Refused };
    Tone tone = Tone::Accepted;
    QString text;   ///< "accepted", "cancels operation op3", "refused: 409 ..."
    QString detail; ///< the row that speaks, with its source; the message of a refusal
    bool operator==(const Verdict &) const = default;
};

Verdict verdict(const Rules &rules, const World &world, const Admission &admission);

} // namespace instar
