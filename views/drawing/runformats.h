// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "views/drawing/theme.h"

#include <QByteArray>

namespace instar {

class Simulator;

/// A run as one HTML file that needs nothing else: its timeline with a cursor that can be dragged,
/// the resources and charts as they were at that time, and the log. An error: it would be too
/// large.
Result<QByteArray> runPage(const Simulator &simulator, const QString &title, const Theme &theme);

} // namespace instar
