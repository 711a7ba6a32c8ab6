// SPDX-License-Identifier: Apache-2.0
#include "model/formats/plantuml/plantuml.h"

#include <cstdint>

using namespace instar;
using namespace Qt::StringLiterals;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<StatechartsRead> read = readPlantUml(bytes, u"fuzz"_s);
    if (!read)
        return 0;
    for (const Remark &remark : read->remarks) {
        if (remark.text.isEmpty() || remark.text.contains(u'\n') || remark.line < 0)
            qFatal("a remark is one line about a line");
    }
    const StatechartsWritten written = writePlantUml(read->charts);
    const Result<StatechartsRead> again = readPlantUml(written.bytes, u"written"_s);
    if (!again)
        qFatal("what was written can be read: %s\n%s", qPrintable(again.error()),
            written.bytes.constData());
    if (again->charts != read->charts)
        qFatal("and is the same:\n%s", written.bytes.constData());
    return 0;
}
