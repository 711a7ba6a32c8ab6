// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantuml.h"

#include "model/charts/notation/diagramfile.h"
#include "model/charts/plantuml/plantumlreader.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What "(id=x)" or the text behind @startuml calls the diagram.
QString idOf(const QString &name)
{
    const QString inside =
        name.startsWith(u"(id="_s) && name.endsWith(u')') ? name.sliced(4).chopped(1) : name;
    return inside.trimmed();
}

void remarkFrame(const PlantUmlBlock &block, QList<Remark> &remarks)
{
    if (block.openComment > 0)
        remarks.append(
            { block.openComment, u"the comment has no end; it goes to the end of the diagram"_s });
    if (block.number == 0)
        remarks.append(
            { 0, u"there is no @startuml; the whole file is read as one diagram"_s, false });
    else if (!block.isClosed)
        remarks.append({ block.number, u"the diagram that begins here has no @enduml"_s, false });
}

void readBlock(const PlantUmlBlock &block, DiagramsRead &read)
{
    if (block.kind != u"uml") {
        refuseDiagram(u"what @start%1 begins"_s.arg(block.kind), block.number, read);
        return;
    }
    PlantUmlReader reader(block);
    Statechart chart = reader.chart();
    if (const std::optional<Remark> other = reader.other()) {
        refuseDiagram(other->text, other->line, read);
        return;
    }
    remarkFrame(block, read.remarks);
    read.remarks += reader.remarks();
    const QString name = block.name.simplified();
    chart.id = idOf(name);
    if (name == u"(id="_s + chart.id + u')' && !chart.id.isEmpty())
        chart.particulars.insert(u"plantuml.name"_s, name);
    addDiagram(std::move(chart), block.number, read);
}

void readLines(const QStringList &lines, DiagramsRead &read)
{
    for (const PlantUmlBlock &block : plantUmlBlocks(lines))
        readBlock(block, read);
}

} // namespace

Result<StatechartsRead> readPlantUml(const QByteArray &bytes, const QString &file)
{
    return readDiagrams(bytes, file,
        u"lines such as \"A --> B : event\" between @startuml and @enduml"_s, readLines);
}

} // namespace instar
