// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/json/jsontext.h"
#include "model/pack/pack.h"

namespace instar {

/// True if a file is a list of HTTP exchanges rather than a history: its first line is an exchange.
bool holdsExchanges(const QByteArray &ndjson);

/// Returns the pack that a history's header names; empty if it names none. Fails if a line up to
/// the header is not a JSON object, or if there is no header.
Result<QString> packOfHistory(const QByteArray &ndjson, const QString &name);

/// Reads a history: one header, requests and observations, a JSON object per line, in any order.
/// Checks names against the pack; the error names file, line and remedy. makeWorld() checks that
/// the resources fit the pack.
Result<History> readHistory(const QByteArray &ndjson, const QString &name, const Pack &pack);

/// Writes a history so that readHistory() returns an equal one, except for line numbers.
QByteArray writeHistory(const History &history);

} // namespace instar
