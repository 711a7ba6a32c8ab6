// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/result.h"

namespace instar {

/// True if a file is an HTTP archive (HAR 1.2).
bool holdsHar(const QByteArray &bytes);

struct HarEntry
{
    Exchange exchange;
    int line = 0; ///< line on which it begins; in a file of one line its index, from 1
};
/// Returns the entries of an archive in order of sending. Only method, URL and time are required.
/// Requests that reached no server ("data:", browser cache) are left out; aborted ones have no
/// answer. If times are in whole seconds, or the duration is missing, the interval is the longest
/// possible one. Errors read "name:line:column: expected ..., found ...".
Result<QList<HarEntry>> readHar(const QByteArray &bytes, const QString &name);

} // namespace instar
