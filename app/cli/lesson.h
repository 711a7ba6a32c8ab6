// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"

namespace instar {

/// What is wrong in a lesson, and what it says that does not come true; a line each.
Exit checkLesson(const QString &file);

} // namespace instar
