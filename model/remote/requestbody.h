// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"
#include "model/remote/reader.h"

namespace instar {

struct WireRequest;

/// What a client says in a request's body where it has no document at hand: what the request
/// brings, and what it asks of resources below, each in the place that the row's document has for
/// it. Where the body answers a condition and nothing else does, a moment that is stored is said
/// again. An error names what there is no place for.
Result<QByteArray> requestBody(
    const WireRules &book, const WireRequest &row, const Request &request, const WireClock &clock);
/// A body that is there already, with the members that answer the request's conditions.
Result<QByteArray> withConditions(const WireRules &book, const WireRequest &row,
    const Request &request, const WireClock &clock, const QByteArray &body);

} // namespace instar
