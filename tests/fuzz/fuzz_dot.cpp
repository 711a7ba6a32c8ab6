// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/roundtrip.h"

using namespace instar;
using namespace Qt::StringLiterals;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    checkReading(*statechartFormat(u"dot"_s), data, size);
    return 0;
}
