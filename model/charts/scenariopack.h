// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/jsontext.h"
#include "model/machine/pack.h"

namespace instar {

/// The pack that a scenario names: a built-in one, or a file beside the scenario's; of a machine or
/// statecharts a small pack is made.
struct ScenarioPack
{
    Pack pack;
    QStringList losses; ///< what of statecharts is not in it: "file:line: warning: text [rule]"
    QStringList errors; ///< what check() finds wrong in its file, likewise; it may run all the same
};
/// Fails where there is none, or none can be read.
Result<ScenarioPack> scenarioPack(const JsonText &scenario);
/// The pack alone, unchecked.
Result<Pack> packOfScenario(const JsonText &scenario);

} // namespace instar
