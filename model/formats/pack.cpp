// SPDX-License-Identifier: Apache-2.0
#include "model/formats/pack.h"

#include "model/formats/rows.h"

namespace instar {

PackDraft packDraft(const JsonText &document)
{
    Reading reading(document);
    Pack pack = readRow<Pack>(reading, document.root());
    return { std::move(pack), reading.findings(), reading.sentence() };
}

Result<Pack> readPack(const JsonText &document)
{
    PackDraft draft = packDraft(document);
    if (!draft.error.isEmpty())
        return Error { draft.error };
    return std::move(draft.pack);
}

QByteArray writePack(const Pack &pack)
{
    return rowOutput(pack).text();
}

} // namespace instar
