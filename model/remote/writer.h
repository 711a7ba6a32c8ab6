// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/wirerules.h"

namespace instar {

/// Writes the answer of a row, or without one (null) the bare error.
HttpResponse written(
    const WireRules &rules, const WireRules::Answer *answer, const WireValues &values);
/// The headers whose holes can be filled.
HttpHeaders writtenHeaders(
    const WireRules &rules, const WireRules::Headers &rows, const WireValues &values);
/// URL at which the operation is polled; empty if there is none.
QString operationUrl(const WireRules &rules, const WireValues &values);

/// Body of a client's request: the given one, with members that answer the request's conditions;
/// else composed of the request's properties and what it requests of resources below, each in its
/// place in the row's document. A stored time is repeated if nothing else answers a condition. An
/// error names what has no place.
Result<QByteArray> requestBody(
    const WireRules &rules, const WireRequest &row, const Request &request, const WireClock &clock);

/// Body with which an operation repeats all that is known of a resource, with the request's
/// properties and references laid over: the document as received, byte for byte, without
/// children and what a server adds. Empty if the operation has no body or nothing is known.
QByteArray storedBodyWith(
    const WireRules &rules, const World &world, Resource resource, const Request &request);

} // namespace instar
