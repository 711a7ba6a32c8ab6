// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/result.h"

namespace instar {

/// Whether a file is an HTTP archive (HAR 1.2).
bool holdsHar(const QByteArray &bytes);

struct HarEntry
{
    Exchange exchange;
    int line = 0; ///< where it begins; in a file of one line its number among the entries, from 1
};
/// The entries of an archive in order of sending. Only method, URL and time are demanded. What was
/// sent to no server ("data:", from the browser's cache) is left out; what a browser aborted has no
/// answer. Where the recorder tells whole seconds, or no duration, intervals are as long as they
/// may have been. Errors read "name:line:column: expected ..., found ...".
Result<QList<HarEntry>> readHar(const QByteArray &bytes, const QString &name);

} // namespace instar
