// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/json/jsontext.h"
#include "model/pack/pack.h"

namespace instar {

/// Whether a file's lines are exchanges over HTTP rather than what they mean.
bool holdsExchanges(const QByteArray &ndjson);

/// What a history's header calls its pack; empty: it does not say. Fails where there is no header,
/// or none that can be read.
Result<QString> packOfHistory(const QByteArray &ndjson, const QString &name);

/// One JSON object a line, in any order: a header, requests, and what was seen. Names are looked up
/// in the pack; the error names file, line and remedy. Whether the resources fit the pack is seen
/// when their tree is made.
Result<History> readHistory(const QByteArray &ndjson, const QString &name, const Pack &pack);

/// What readHistory() reads back the same, but for lines.
QByteArray writeHistory(const History &history);

} // namespace instar
