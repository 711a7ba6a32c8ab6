// SPDX-License-Identifier: Apache-2.0
#include "model/formats/mermaid/mermaid.h"

#include "model/formats/chart/diagramfile.h"
#include "model/formats/mermaid/mermaidreader.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

void readMermaidBlock(const MermaidBlock &block, StatechartsRead &read)
{
    const QString kind = block.kind.toLower();
    if (kind != u"statediagram" && kind != u"statediagram-v2") {
        const QString what = block.kind.isEmpty() ? u"nothing"_s : block.kind.left(40);
        read.remarks.append({ block.number,
            u"the block holds no state diagram but %1; it is left out"_s.arg(what) });
        return;
    }
    MermaidReader reader(block);
    Statechart chart = reader.chart();
    read.remarks += reader.remarks();
    addDiagram(std::move(chart), block.number, read);
}

void readMermaidLines(const QStringList &lines, StatechartsRead &read)
{
    for (const MermaidBlock &block : mermaidBlocks(lines))
        readMermaidBlock(block, read);
}

} // namespace

Result<StatechartsRead> readMermaid(const QByteArray &bytes, const QString &file)
{
    return readDiagrams(bytes, file, u"\"stateDiagram-v2\" and lines such as \"A --> B : event\""_s,
        readMermaidLines);
}

} // namespace instar
