// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/verdict.h"

namespace instar {

/// Returns the first read or accepted request that contradicts earlier content (a body or an etag).
/// The history must conform when bodies and etags are ignored.
///
/// Bodies: a read must show the value of the last PUT or PATCH that had succeeded before it, or of
/// a write that may have taken effect after that one. A server may omit a member, change it in the
/// answer to the write itself, and change members that it owns (Wire::owned, Transition::set).
/// Etags: if the pack's etags change only with operations (Stamp::only), they must stay equal while
/// no operation can have changed the resource.
std::optional<Violation> contentViolation(
    const History &history, const Rules &rules, const Budget &budget);

/// Returns a row's own text, or `otherwise`, with its sources: "rule [source]".
QString ruleText(const Rules &rules, const Row &row, const QString &otherwise);
/// Returns the text of the first row that says when etags change; empty: none.
QString stampRule(const Rules &rules);

/// Returns lines in order, each once.
QList<int> sortedLines(QList<int> lines);

} // namespace instar
