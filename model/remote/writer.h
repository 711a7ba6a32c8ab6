// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/wirerules.h"

namespace instar {

// Texts, answers and request bodies, written by the HTTP rules ("wire") of a pack.

/// Returns a text with its holes (such as {path}) filled; nothing if a value is unknown.
std::optional<QByteArray> filledText(
    const WireRules &rules, const HoleText &text, const WireValues &values);

/// Writes `answer`, or a plain error if it is null.
HttpResponse writeAnswer(
    const WireRules &rules, const WireRules::Answer *answer, const WireValues &values);

Result<QByteArray> writeBody(
    const WireRules &rules, const WireRequest &row, const Request &request, const WireClock &clock);

/// Returns a body that keeps all that is known of a resource: its document as received, byte for
/// byte, without children and members that the server adds, with the request's properties and
/// references merged in. Empty if the operation has no body or the document is unknown.
QByteArray mergedBody(
    const WireRules &rules, const World &world, Resource resource, const Request &request);

} // namespace instar
