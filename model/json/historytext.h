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

/// Reads a history: a header, requests and observations, one JSON object per line, in any order.
/// Checks names against the pack, but not the resources, which makeWorld() checks.
Result<History> readHistory(const QByteArray &ndjson, const QString &name, const Pack &pack);

/// Writes a history so that readHistory() returns an equal one, except for line numbers.
QByteArray writeHistory(const History &history);

} // namespace instar
