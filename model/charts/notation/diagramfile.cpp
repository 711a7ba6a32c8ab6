// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/diagramfile.h"

#include "model/charts/notation/textlines.h"
#include "model/formats/reading.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

Result<StatechartsRead> readDiagrams(const QByteArray &bytes, const QString &file,
    const QString &expected, void (*readLines)(const QStringList &lines, DiagramsRead &read))
{
    const TextLines text = textLines(bytes);
    DiagramsRead read;
    if (text.firstBad > 0)
        read.remarks.append(
            { text.firstBad, u"the text is not UTF-8; letters that are not show as \ufffd"_s });
    readLines(text.lines, read);
    if (read.charts.isEmpty() && read.other)
        return Error { u"%1:%2: expected a state diagram, %3; found %4"_s.arg(file)
                           .arg(read.other->line)
                           .arg(expected, oneLine(read.other->text)) };
    if (read.charts.isEmpty())
        return Error { u"%1: found no state diagram; expected %2"_s.arg(file, expected) };
    setOnOneLine(read.remarks);
    std::stable_sort(read.remarks.begin(), read.remarks.end(),
        [](const Remark &a, const Remark &b) { return a.line < b.line; });
    return StatechartsRead(static_cast<const StatechartsRead &>(read));
}

void addDiagram(Statechart chart, int line, StatechartsRead &read)
{
    if (chart.vertices.isEmpty())
        read.remarks.append({ line, u"the diagram has no state; it is left out"_s });
    else
        read.charts.append(std::move(chart));
}

void refuseDiagram(const QString &kind, int line, DiagramsRead &read)
{
    read.remarks.append({ line, u"%1 is no state diagram; it is left out"_s.arg(kind) });
    if (!read.other)
        read.other = Remark { line, kind };
}

void spellOut(StatechartsWritten &written)
{
    const QByteArray text = visible(written.bytes);
    if (text != written.bytes)
        written.remarks.append(
            { 0, u"control and bidirectional characters are spelled out, such as \\u202e"_s });
    written.bytes = text;
}

void setOnOneLine(QList<Remark> &remarks)
{
    for (Remark &remark : remarks)
        remark.text = oneLine(remark.text);
}

} // namespace instar
