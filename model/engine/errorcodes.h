// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

#include <QSet>

namespace instar {

/// Error code of an operation whose chain of required operations is too deep.
inline constexpr QStringView TooDeepCode = u"RequirementTooDeep";

/// Returns every code with which an operation of the pack may be refused or fail.
QSet<QString> errorCodes(const Pack &pack);
/// Returns the codes that only a server gives, for a request that it cannot read.
QSet<QString> readingCodes(const Pack &pack);
/// Returns the codes with which the engine, types and rows of the pack refuse.
QSet<QString> refusalCodes(const Pack &pack);
/// Returns the codes with which the pack's outcomes end work that has begun.
QSet<QString> outcomeCodes(const Pack &pack);

} // namespace instar
