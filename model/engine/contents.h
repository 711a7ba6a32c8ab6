// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"

namespace instar {

/// A request as a record keeps it that nobody returns to.
inline QSharedPointer<const Request> withoutContents(const QSharedPointer<const Request> &request)
{
    constexpr qsizetype large = 4096; // bytes of a body
    if (!request
        || (request->contents.empty()
            && request->body.size() + request->ifMatch.size() + request->ifNoneMatch.size()
                <= large))
        return request;
    auto kept = QSharedPointer<Request>::create();
    kept->op = request->op;
    kept->path = request->path;
    kept->id = request->id;
    kept->client = request->client;
    kept->requestId = request->requestId;
    kept->outcome = request->outcome;
    kept->transientFailures = request->transientFailures;
    kept->duration = request->duration;
    kept->hang = request->hang;
    return kept;
}

} // namespace instar
