// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "views/drawing/theme.h"

#include <QByteArray>

namespace instar {

class Simulator;

/// Returns a run as one self-contained HTML file: its timeline with a cursor that can be dragged,
/// resources and charts at that time, and the log. Fails if the file would be too large.
Result<QByteArray> runPage(const Simulator &simulator, const QString &title, const Theme &theme);

} // namespace instar
