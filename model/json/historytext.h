// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/json/jsontext.h"
#include "model/pack/pack.h"

namespace instar {

/// Returns true if a file's first line is an HTTP exchange, not part of a history.
bool holdsExchanges(const QByteArray &ndjson);

/// Returns the pack named in a history's header; empty: none is. Fails if there is no header, or a
/// line before it is no JSON object.
Result<QString> packOfHistory(const QByteArray &ndjson, const QString &name);

/// Reads a history: JSON lines in any order, namely a header, requests and observations. Checks
/// names against the pack; the error names file, line and remedy. Does not check that the resources
/// fit the pack: makeWorld() does.
Result<History> readHistory(const QByteArray &ndjson, const QString &name, const Pack &pack);

/// Writes a history so that readHistory() returns the same, except for line numbers.
QByteArray writeHistory(const History &history);

} // namespace instar
