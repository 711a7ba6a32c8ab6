// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

/// Something about a pack that its author should know.
struct Issue
{
    enum class Severity { Error, Warning };
    Severity severity = Severity::Error;
    QString pointer; ///< JSON pointer to the row in the pack's file
    QString text;
    QString rule;           ///< a stable id such as "unreachable-state"
    QString unknown {};     ///< the name there that means nothing, where that is what is wrong
    QString meant {};       ///< the name that was probably meant instead, where the text tells one
    QStringList untaken {}; ///< ends of a state's work that no transition takes
    bool operator==(const Issue &) const = default;
};

/// What is wrong or doubtful in a pack that could be read; in file order of the machines, then of
/// the other rows.
QList<Issue> check(const Pack &pack);

} // namespace instar
