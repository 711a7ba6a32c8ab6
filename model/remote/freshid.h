// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace instar {

/// A random UUID (version 4), without asking the system for each.
QString freshId();

} // namespace instar
