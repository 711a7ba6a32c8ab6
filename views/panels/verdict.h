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
    QString detail; ///< the message of a refusal
    QString rule;   ///< the row that speaks, with its source
    bool operator==(const Verdict &) const = default;
};

Verdict verdict(const Rules &rules, const World &world, const Admission &admission);
/// The same at a server, where clients that nobody sees here may have something at work in the tree
/// of the path.
Verdict verdictAmongOthers(
    const Rules &rules, const World &world, const Admission &admission, const QString &path);

/// What is wrong with a body that the controller reads with this operation, with its place; empty:
/// nothing, or it reads none. Where a pack has no wire rows it reads every body.
QString bodyProblem(const Rules &rules, const Request &request);

} // namespace instar
