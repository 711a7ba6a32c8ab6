// SPDX-License-Identifier: Apache-2.0
#include "model/charts/mermaid/mermaid.h"

#include "model/charts/mermaid/mermaidreader.h"
#include "model/charts/notation/diagramfile.h"

#include <QHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What the first word of a block calls it; empty: a state diagram, or no diagram at all.
QString otherKind(const QString &word)
{
    static const QRegularExpression plain(u"^[A-Za-z][A-Za-z0-9-]*$"_s);
    static const QHash<QString, QString> kinds { { u"statediagram"_s, {} },
        { u"statediagram-v2"_s, {} }, { u"classdiagram"_s, u"a class diagram"_s },
        { u"classdiagram-v2"_s, u"a class diagram"_s },
        { u"sequencediagram"_s, u"a sequence diagram"_s },
        { u"erdiagram"_s, u"an entity relationship diagram"_s },
        { u"flowchart"_s, u"a flowchart"_s }, { u"flowchart-v2"_s, u"a flowchart"_s },
        { u"graph"_s, u"a flowchart"_s }, { u"gantt"_s, u"a Gantt chart"_s },
        { u"journey"_s, u"a user journey"_s }, { u"gitgraph"_s, u"a graph of commits"_s },
        { u"pie"_s, u"a pie chart"_s }, { u"mindmap"_s, u"a mind map"_s },
        { u"timeline"_s, u"a timeline"_s },
        { u"requirementdiagram"_s, u"a requirement diagram"_s } };
    return plain.match(word).hasMatch() ? kinds.value(word.toLower(), u'"' + word.left(40) + u'"')
                                        : QString();
}

void readMermaidBlock(const MermaidBlock &block, DiagramsRead &read)
{
    if (const QString kind = otherKind(block.kind); !kind.isEmpty()) {
        refuseDiagram(kind, block.number, read);
        return;
    }
    if (!block.kind.startsWith(u"stateDiagram", Qt::CaseInsensitive)) {
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

void readMermaidLines(const QStringList &lines, DiagramsRead &read)
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
