// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <optional>

namespace instar {

// Moments as documents write them, always UTC, in formats as QDateTime has them. In numbers they
// are ms since 1970.

/// In the first of the formats that says it exactly, else in the last.
QString momentText(qint64 moment, const QStringList &formats);
/// In any of the formats; "now" is the present moment, as exactly as the first of them says it.
/// Nothing: it is in none.
std::optional<qint64> momentOf(const QString &text, const QStringList &formats, qint64 now);

} // namespace instar
