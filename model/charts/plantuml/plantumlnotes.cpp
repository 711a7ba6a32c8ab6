// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumlnotes.h"

#include "model/charts/plantuml/plantumlgrammar.h"
#include "model/charts/plantuml/plantumlnotation.h"
#include "model/charts/plantuml/plantumltext.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString particular(const Particulars &particulars, const QString &key)
{
    return particulars.value(u"plantuml."_s + key);
}

/// Decorations as they stand behind a name.
QString styleOf(const Note &note)
{
    QString result;
    for (const QString &key : { u"tags"_s, u"stereotypes"_s, u"colour"_s, u"url"_s })
        if (const QString value = particular(note.particulars, key); !value.isEmpty())
            result += u' ' + value;
    return result;
}

/// As it was written, if that still says it.
QStringList writtenLines(const Note &note, bool isFree)
{
    const QStringList kept =
        keptLines(particular(note.particulars, u"text"_s), note.lines, plantUmlNotation());
    return kept.isEmpty() ? noteForPlantUml(note.lines, isFree) : kept;
}

} // namespace

PlantUmlNotes::PlantUmlNotes(
    const Statechart &chart, const ChartForms &forms, ChartCodes &codes, QList<Remark> &remarks)
    : m_forms(forms), m_codes(codes), m_remarks(remarks)
{
    for (const Note &note : chart.notes)
        place(note);
    for (int i = 1; i < forms.tree().size(); ++i)
        placeHidden(i);
}

/// Is it there only as the end of arrows?
bool PlantUmlNotes::isUndeclared(int node) const
{
    return m_forms.form(node) != VertexForm::Named;
}

void PlantUmlNotes::place(const Note &note)
{
    const ChartTree &tree = m_forms.tree();
    const int of = tree.index(note.of);
    const bool isLinked = !particular(note.particulars, u"arrows"_s).isEmpty();
    if (of > 0 && !isLinked && m_forms.form(of) != VertexForm::None) {
        m_of[of].append(&note);
        return;
    }
    int in = tree.index(note.particulars.value(u"note.in"_s));
    if (of > 0)
        in = isLinked ? tree.regionAround(of) : of;
    const bool hasBody = in > 0 && (tree.node(in).isRegion || tree.regions(in).isEmpty());
    m_in[hasBody ? in : 0] += freeLines(note);
}

void PlantUmlNotes::placeHidden(int node)
{
    const ChartTree &tree = m_forms.tree();
    const Vertex *const vertex = tree.node(node).vertex;
    if (!vertex)
        return;
    const QString kept = particular(vertex->particulars, u"hidden"_s);
    for (const QString &line : kept.split(u'\n', Qt::SkipEmptyParts)) {
        const int to = tree.index(line.section(u' ', -1));
        if (to > 0 && tree.regionAround(to) == tree.regionAround(node)
            && m_forms.form(node) != VertexForm::None)
            m_in[tree.regionAround(node)] +=
                m_codes.code(node) + u' ' + line.section(u' ', 0, -2) + u' ' + m_codes.code(to);
        else
            m_remarks.append({ 0,
                u"a hidden arrow of %1 crosses a region's border; it is left out"_s.arg(
                    vertex->id) });
    }
}

QStringList PlantUmlNotes::lines(const Note &note, const QString &where) const
{
    const QStringList written = writtenLines(note, false);
    const QString side = note.side.isEmpty() ? u"right"_s : note.side;
    const QString head = u"note "_s + side + where + styleOf(note);
    if (written.size() == 1 && !written.first().isEmpty())
        return { head + u" : "_s + written.first() };
    return QStringList(head) + written + QStringList(u"end note"_s);
}

QStringList PlantUmlNotes::freeLines(const Note &note) const
{
    QString code = particular(note.particulars, u"code"_s);
    if (code.isEmpty())
        code = m_codes.freeCode(u"N1"_s);
    const QStringList written = writtenLines(note, true);
    const bool isOne = written.size() == 1 && !written.first().isEmpty()
        && std::none_of(written.first().begin(), written.first().end(), isPlantUmlQuote);
    QStringList result;
    if (isOne)
        result = { u"note \""_s + written.first() + u"\" as "_s + code + styleOf(note) };
    else
        result = QStringList(u"note as "_s + code + styleOf(note)) + written
            + QStringList(u"end note"_s);
    return result + particular(note.particulars, u"arrows"_s).split(u'\n', Qt::SkipEmptyParts);
}

QStringList PlantUmlNotes::linesIn(int node) const
{
    QStringList result;
    for (const int child : m_forms.tree().node(node).children)
        if (!isUndeclared(child))
            for (const Note *const note : m_of.value(child))
                result += lines(*note, u" of "_s + m_codes.code(child));
    return result + m_in.value(node);
}

QStringList PlantUmlNotes::linesOf(const Arc &arc)
{
    QString head = u"note "_s;
    if (const QString side = particular(arc.particulars, u"noteSide"_s); !side.isEmpty())
        head += side + u' ';
    head += u"on link"_s;
    if (const QString colour = particular(arc.particulars, u"noteColour"_s); !colour.isEmpty())
        head += u' ' + colour;
    const QStringList written = noteForPlantUml(arc.note, false);
    if (written.size() == 1 && !written.first().isEmpty())
        return { head + u" : "_s + written.first() };
    return QStringList(head) + written + QStringList(u"end note"_s);
}

QStringList PlantUmlNotes::linesOfEnds(const TextArc &arc)
{
    QStringList result;
    bool isLatest = true; // the end that comes last is what a note of a dot belongs to
    for (const int end : { arc.to, arc.from }) {
        if (!isUndeclared(end) || m_seen.contains(end))
            continue;
        m_seen.insert(end);
        const bool isBar = m_forms.form(end) == VertexForm::Bar;
        for (const Note *const note : m_of.value(end)) {
            if (isBar)
                result += lines(*note, u" of "_s + m_codes.code(end));
            else if (isLatest)
                result += lines(*note, {});
            else
                m_remarks.append(
                    { 0, u"a note of the dot %1 is left out, which has no name"_s.arg(note->of) });
        }
        isLatest = false;
    }
    return result;
}

} // namespace instar
