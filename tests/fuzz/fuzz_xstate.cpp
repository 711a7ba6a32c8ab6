// SPDX-License-Identifier: Apache-2.0
#include "model/charts/xstate/xstate.h"
#include "tests/fuzz/roundtrip.h"

using namespace instar;
using namespace Qt::StringLiterals;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    checkReading(*statechartFormat(u"xstate"_s), data, size);
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<StatechartsRead> read = readXState(bytes, u"fuzz"_s);
    if (!read)
        return 0;
    const StatechartsWritten written = writeXState(read->charts);
    const Result<StatechartsRead> again = readXState(written.bytes, u"fuzz"_s);
    if (!again)
        qFatal("what is written can be read: %s", qPrintable(again.error()));
    if (written.remarks.isEmpty() && again->charts != read->charts)
        qFatal("what is written is read the same:\n%s", written.bytes.constData());
    return 0;
}
