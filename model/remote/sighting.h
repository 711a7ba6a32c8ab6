// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/remote/reader.h"

namespace instar {

/// What an answer tells of a resource: so it was at some moment of the interval. Where several
/// answers tell it together, the interval is that of all. What has a lower `when.exchange` is older.
struct Sighting
{
    QString path;
    std::optional<ResourceMessage> message; ///< nothing: it was not there
    AnswerInterval when;
};

/// What answers tell of all that is in a collection ("/racks").
struct CollectionSighting
{
    QString path;
    QList<ResourceMessage> resources;
    AnswerInterval when;
    bool isMissing = false; ///< the server has no such collection
};

} // namespace instar
