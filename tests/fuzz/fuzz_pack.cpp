// SPDX-License-Identifier: Apache-2.0
#include "model/json/packfile.h"

#include <cstdint>

using namespace instar;
using namespace Qt::StringLiterals;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<JsonText> document = JsonText::parse(bytes, u"fuzz"_s);
    if (!document)
        return 0;
    const PackDraft draft = packDraft(*document);
    for (const Diagnostic &diagnostic : draft.diagnostics) {
        if (described(document->name(), diagnostic).contains(u'\n'))
            qFatal("a diagnostic is one line");
    }
    if (!draft.error.isEmpty())
        return 0;
    const QByteArray written = writePack(draft.pack);
    const Result<JsonText> again = JsonText::parse(written, u"written"_s);
    if (!again)
        qFatal("what was written can be read: %s", qPrintable(again.error()));
    const Result<Pack> pack = readPack(*again);
    if (!pack)
        qFatal("what was written is a pack: %s", qPrintable(pack.error()));
    if (*pack != draft.pack)
        qFatal("and the same");
    return 0;
}
