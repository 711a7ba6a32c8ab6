// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statecharts.h"

namespace instar {

/// Reads what state-machine-cat draws: `on { a, b; a => b: flip; }`. What a state is follows from
/// its attribute "type", else from its name, as there: "initial" and "final" in it, a "^" or "]"
/// before it. Its attributes for looks are kept as particulars ("smcat.color" ...). What is not
/// understood is left out up to the next ";" and told.
Result<StatechartsRead> readSmcat(const QByteArray &bytes, const QString &file);

} // namespace instar
