// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "views/drawing/theme.h"

namespace instar {

// An exchange as rich text, whole but for the end of very long bodies.

QString requestHtml(const Exchange &exchange, const Theme &theme);
QString responseHtml(const Exchange &exchange, const Theme &theme);

/// "Name: value", a line each.
QString headersText(const QList<Exchange::Header> &headers);
/// The start line, headers and body as plain text.
QString requestText(const Exchange &exchange);
QString responseText(const Exchange &exchange);

} // namespace instar
