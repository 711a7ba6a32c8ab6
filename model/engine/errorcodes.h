// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

#include <QSet>

namespace instar {

/// Of an operation that is required by what it requires itself, too many times over.
inline constexpr QStringView TooDeepCode = u"RequirementTooDeep";

/// Every code with which an operation of the pack may be refused or fail, each once, in no order.
QSet<QString> errorCodes(const Pack &pack);
/// Those among them with which no rule refuses, only a server that cannot read a request.
QSet<QString> readingCodes(const Pack &pack);
/// Those with which rules, types and rows refuse.
QSet<QString> refusalCodes(const Pack &pack);
/// Those with which work that was begun ends.
QSet<QString> outcomeCodes(const Pack &pack);

} // namespace instar
