// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/wirerules.h"

namespace instar {

// Texts, answers and request bodies, written by the wire rows of a pack.

/// Returns a text with its holes filled; nothing if the value of a hole is unknown.
std::optional<QByteArray> filledText(
    const WireRules &rules, const HoleText &text, const WireValues &values);

/// Writes the answer of a row; null: a plain error.
HttpResponse writeAnswer(
    const WireRules &rules, const WireRules::Answer *answer, const WireValues &values);

/// Writes the body of a request; an error says why the row cannot express it.
Result<QByteArray> writeBody(
    const WireRules &rules, const WireRequest &row, const Request &request, const WireClock &clock);

/// Returns the body of WireRules::storedBodyWith(), laid out by `document`.
QByteArray mergedBody(const WireRules &rules, const DocumentLayout &document, const World &world,
    Resource resource, const Request &request);

} // namespace instar
