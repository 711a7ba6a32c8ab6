// SPDX-License-Identifier: Apache-2.0
// Whatever a file holds, reading it as an HTTP archive ends, and errors name the file in one line.

#include "model/json/har.h"

#include <cstdint>

using namespace instar;
using namespace Qt::StringLiterals;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<QList<HarEntry>> read = readHar(bytes, u"fuzz"_s);
    if (!read && (!read.error().startsWith(u"fuzz:"_s) || read.error().contains(u'\n')))
        qFatal("an error names its file, in one line: %s", qPrintable(read.error()));
    return 0;
}
