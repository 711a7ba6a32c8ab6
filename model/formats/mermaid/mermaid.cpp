// SPDX-License-Identifier: Apache-2.0
#include "model/formats/mermaid/mermaid.h"

#include "model/formats/chart/textlines.h"
#include "model/formats/mermaid/mermaidreader.h"
#include "model/formats/reading.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

void readBlock(const MermaidBlock &block, StatechartsRead &read)
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
    if (chart.vertices.isEmpty())
        read.remarks.append({ block.number, u"the diagram has no state; it is left out"_s });
    else
        read.charts.append(std::move(chart));
}

} // namespace

Result<StatechartsRead> readMermaid(const QByteArray &bytes, const QString &file)
{
    const TextLines text = textLines(bytes);
    StatechartsRead read;
    if (text.firstBad > 0)
        read.remarks.append(
            { text.firstBad, u"the text is not UTF-8; letters that are not show as \ufffd"_s });
    for (const MermaidBlock &block : mermaidBlocks(text.lines))
        readBlock(block, read);
    if (read.charts.isEmpty())
        return Error {
            u"%1: found no state diagram; expected \"stateDiagram-v2\" and lines such as \"A --> B : event\""_s
                .arg(file)
        };
    for (Remark &remark : read.remarks)
        remark.text = oneLine(remark.text);
    std::stable_sort(read.remarks.begin(), read.remarks.end(),
        [](const Remark &a, const Remark &b) { return a.line < b.line; });
    return read;
}

} // namespace instar
