// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/verdict.h"

namespace instar {

/// Returns the first read or accepted request that contradicts earlier content (a body or an etag).
/// The history must conform when bodies and etags are ignored.
///
/// Bodies: a read must show the value of the last PUT or PATCH that succeeded before the read, or
/// of a write that may have taken effect even later. A server may omit a member, replace
/// its value in the answer to the write, and change members of its own (Wire::owned,
/// Transition::set).
/// Etags: if the pack says that only operations change etags (Stamp::only), the etag must stay
/// equal while no operation can have changed the resource.
std::optional<Violation> contentViolation(
    const History &history, const Rules &rules, const Budget &budget);

/// Returns a row's own text (`otherwise` if it has none) and its sources: "rule [source]".
QString ruleText(const Rules &rules, const Row &row, const QString &otherwise);
/// Returns the text of the first row that says when etags change; empty: none.
QString stampRule(const Rules &rules);

QList<int> sortedLines(QList<int> lines);

} // namespace instar
