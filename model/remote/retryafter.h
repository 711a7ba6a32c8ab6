// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/http.h"

#include <QStringList>

#include <optional>

namespace instar {

/// How many ms a server asks to wait before the next question: seconds, or a date, which counts
/// from the answer's own Date and otherwise from `now` (ms since 1970). `names` are what the header
/// may be called. Nothing: it does not say.
std::optional<qint64> retryAfter(const HttpHeaders &headers, const QStringList &names, qint64 now);

} // namespace instar
