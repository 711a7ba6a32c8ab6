// SPDX-License-Identifier: Apache-2.0
// The head of a diagram, the declarations of its states, and what older versions do not know.

#include "model/formats/chart/chartdirection.h"
#include "model/formats/chart/chartlosses.h"
#include "model/formats/plantuml/plantumlkinds.h"
#include "model/formats/plantuml/plantumllook.h"
#include "model/formats/plantuml/plantumlnotation.h"
#include "model/formats/plantuml/plantumltitle.h"
#include "model/formats/plantuml/plantumlwriter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

void PlantUmlWriter::writeHead()
{
    const QString id = m_chart.id.simplified();
    const QString name = m_chart.particulars.value(u"plantuml.name"_s);
    add((u"@startuml "_s + (name == u"(id="_s + id + u')' ? name : id)).trimmed());
    for (const QString &lines : { m_chart.particulars.value(u"plantuml.comments"_s),
             foreignDirection(m_chart, plantUmlNotation().name),
             m_chart.particulars.value(u"plantuml.settings"_s) })
        if (!lines.isEmpty())
            m_lines += lines.split(u'\n');
    if (m_chart.title.isEmpty())
        return;
    const QString kept = m_chart.particulars.value(u"plantuml.title"_s);
    const bool isSame = !kept.isEmpty() && shownByPlantUml(kept) == m_chart.title;
    m_lines += titleLines(isSame ? kept : titleForPlantUml(m_chart.title));
}

QString PlantUmlWriter::decorations(int node) const
{
    const Vertex &each = m_plan.vertex(node);
    const auto particular = [&](const QString &key) {
        return each.particulars.value(u"plantuml."_s + key);
    };
    const bool isState = each.kind == Kind::State || each.kind == Kind::Parallel;
    const bool isSimple = m_plan.node(node).children.isEmpty();
    QString stereotypes = particular(u"stereotypes"_s);
    if ((isSimple || !isState) && plantUmlKind(stereotypes) != (isState ? Kind::State : each.kind))
        stereotypes = plantUmlStereotype(each.kind);
    PlantUmlColours colours { particular(u"colour"_s), particular(u"border"_s) };
    if (lookOf(colours) != each.look)
        colours = coloursOf(each.look);
    QString result;
    for (const QString &part : { particular(u"tags"_s), stereotypes, particular(u"url"_s),
             colours.colour, colours.border })
        if (!part.isEmpty())
            result += u' ' + part;
    return result;
}

QString PlantUmlWriter::head(int node) const
{
    QString names = m_plan.code(node);
    if (const QString &label = m_plan.label(node); !label.isEmpty()) {
        const QString kept = m_plan.vertex(node).particulars.value(u"plantuml.label"_s);
        names = u'"' + writtenLike(label, kept, PlantUmlPlace::BetweenQuotes) + u"\" as "_s + names;
    }
    return u"state "_s + names + decorations(node);
}

/// What has its body later is only named.
void PlantUmlWriter::declare(int node)
{
    if (m_plan.hasBody(node)) {
        add(u"state "_s + m_plan.code(node) + (m_isBlock[node] ? u" {"_s : QString()));
        if (m_isBlock[node])
            add(u"}"_s);
        return;
    }
    add(head(node) + (m_isBlock[node] ? u" {"_s : QString()));
    if (m_isBlock[node]) {
        m_open += node;
        for (const QString &line : m_notes.linesIn(node))
            add(line);
        m_open.removeLast();
        add(u"}"_s);
    }
    describe(node);
}

void PlantUmlWriter::describe(int node)
{
    for (const QString &line : m_plan.texts(node))
        add((m_plan.code(node) + u" : "_s + line).trimmed());
}

void PlantUmlWriter::reportNewForms()
{
    QMap<QString, int> found;
    for (int i = 1; i < m_plan.tree().size(); ++i) {
        const VertexForm form = m_plan.form(i);
        if (form == VertexForm::None)
            continue;
        const Kind kind = m_plan.vertex(i).kind;
        const bool isKnown = kind == Kind::State || kind == Kind::Parallel || kind == Kind::Choice
            || kind == Kind::Fork || kind == Kind::Join || kind == Kind::Final;
        if (form == VertexForm::Named && !isKnown)
            ++found[plantUmlStereotype(kind) + u" is drawn as a state"_s];
        if (form == VertexForm::History && kind == Kind::DeepHistory)
            ++found[u"\"[H*]\" is refused"_s];
        if (m_plan.vertex(i).particulars.contains(u"plantuml.tags"_s))
            ++found[u"\"$\" tags are refused"_s];
        if (!m_plan.vertex(i).look.text.isEmpty())
            ++found[u"\"#text:\" is misread"_s];
    }
    for (const QString &line : m_chart.particulars.value(u"plantuml.settings"_s).split(u'\n'))
        for (const QString &word : { u"!theme"_s, u"json"_s, u"map"_s })
            if (line.trimmed().startsWith(word + u' ', Qt::CaseInsensitive))
                ++found[u"\"%1\" is refused"_s.arg(word)];
    for (auto it = found.constBegin(); it != found.constEnd(); ++it)
        report(0, u"by PlantUML 1.2020.2, %1; newer versions know it"_s.arg(it.key()));
}

void PlantUmlWriter::reportForeign()
{
    ChartLosses losses(u"PlantUML"_s);
    losses.addForeign(m_chart, plantUmlNotation().name);
    m_remarks += losses.remarks();
}

} // namespace instar
