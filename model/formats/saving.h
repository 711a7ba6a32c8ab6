// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>

namespace instar {

/// Writes a file as a whole: what was there before stays until all is written. A device or a pipe
/// is written to, not replaced. An error names the file and what is wrong.
Result<bool> saved(const QString &file, const QByteArray &bytes);

} // namespace instar
