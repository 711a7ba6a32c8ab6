// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/result.h"

namespace instar {

/// True if a file is an HTTP archive (HAR 1.2).
bool holdsHar(const QByteArray &bytes);

/// Exchange of an archive and its place in the file.
struct HarEntry
{
    Exchange exchange;
    int line = 0; ///< first line of the entry; if the file is one line: index of the entry, from 1
};
/// Returns the entries of an archive in order of sending. Only method, URL and time are required.
/// Omits requests that reached no server ("data:", browser cache); aborted requests have no answer.
/// If times are in whole seconds, or a duration is missing, the interval is the longest possible.
/// Errors read "name:line:column: expected ..., found ...".
Result<QList<HarEntry>> readHar(const QByteArray &bytes, const QString &name);

} // namespace instar
