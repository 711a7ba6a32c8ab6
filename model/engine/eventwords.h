// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"

#include <span>

namespace instar {

/// "submit r1", "begin r1", "end r1 succeeded", "time over for r1", "fire /a/b"; empty for what
/// nobody has to be told of. `before`: the world in which it happens.
QString eventWords(const Rules &rules, const World &before, const Event &event);

/// The same with what open conditions were answered: "begin r1 (paid, !sent)".
QString withAnswers(
    const Rules &rules, const QString &words, std::span<const std::pair<int, bool>> answers);

} // namespace instar
