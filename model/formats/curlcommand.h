// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"

namespace instar {

/// A command for a POSIX shell that sends the same request again, every byte of it; only NUL cannot
/// be said in a header. Secrets are masked already, as everywhere.
QString curlCommand(const Exchange &exchange);

} // namespace instar
