// SPDX-License-Identifier: Apache-2.0
// Whatever a file holds, reading it as an HTTP archive ends, and what is read and written comes
// back.

#include "model/json/har.h"

#include <cstdint>

using namespace instar;
using namespace Qt::StringLiterals;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<QList<HarEntry>> read = readHar(bytes, u"fuzz"_s);
    if (!read) {
        if (!read.error().startsWith(u"fuzz:"_s) || read.error().contains(u'\n'))
            qFatal("an error names its file, in one line: %s", qPrintable(read.error()));
        return 0;
    }
    QList<Exchange> exchanges;
    for (const HarEntry &entry : *read)
        exchanges += entry.exchange;
    const Result<QList<HarEntry>> again = readHar(exchangesHar(exchanges, u"1"_s), u"again"_s);
    if (!again)
        qFatal("what was written can be read: %s", qPrintable(again.error()));
    if (again->size() != read->size())
        qFatal("as many come back");
    for (qsizetype i = 0; i < read->size(); ++i) {
        const Exchange &before = exchanges[i], &after = again->at(i).exchange;
        if (before.method != after.method || before.sent != after.sent
            || before.requestBody != after.requestBody || before.responseBody != after.responseBody
            || before.status != after.status)
            qFatal("what was read comes back");
    }
    return 0;
}
