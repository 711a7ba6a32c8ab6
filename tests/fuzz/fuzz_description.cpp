// SPDX-License-Identifier: Apache-2.0
// Whatever a file holds, reading it as an API description ends, and a pack made of one has no error
// and reads back the same.

#include "model/json/packfile.h"
#include "model/openapi/description.h"

#include <algorithm>
#include <cstdint>

using namespace instar;
using namespace Qt::StringLiterals;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<DescriptionRead> read = readDescription(
        bytes, u"fuzz"_s, [&](const QString &) -> Result<QByteArray> { return bytes; });
    if (!read) {
        if (!read.error().startsWith(u"fuzz:"_s) || read.error().contains(u'\n'))
            qFatal("an error names its file, in one line: %s", qPrintable(read.error()));
        return 0;
    }
    const DescribedPack made = packOf(read->description, u"fuzz"_s);
    const Result<JsonText> document = JsonText::parse(writePack(made.pack), u"pack"_s);
    if (!document)
        qFatal("what was written can be read: %s", qPrintable(document.error()));
    const Result<Pack> pack = readPack(*document);
    if (!pack || !(*pack == made.pack))
        qFatal("what was written is the same pack");
    const QList<Diagnostic> diagnostics = packDiagnostics(*document, *pack);
    if (std::ranges::any_of(diagnostics, [](const Diagnostic &diagnostic) {
            return diagnostic.severity == Diagnostic::Severity::Error;
        }))
        qFatal("check finds no error");
    return 0;
}
