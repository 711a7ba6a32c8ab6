// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "views/drawing/theme.h"

#include <QByteArray>

namespace instar {

class Simulator;

/// The score of a run as it goes on, from its beginning to its end, as an animated PNG that plays
/// for about eight seconds, whatever the run takes. An error: it would be too large.
Result<QByteArray> animatedRun(
    const Simulator &simulator, const QString &title, const Theme &theme = Theme::light());

} // namespace instar
