// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/chartlook.h"
#include "model/statecharts/notation/chartlosses.h"
#include "model/statecharts/notation/diagram.h"
#include "model/statecharts/plantuml/plantuml.h"
#include "model/statecharts/plantuml/plantumlgrammar.h"
#include "model/statecharts/plantuml/plantumltext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

namespace {

/// Writes one diagram.
class PlantUmlWriter : public DiagramWriter
{
public:
    PlantUmlWriter(const Statechart &chart, QList<Diagnostic> &remarks)
        : DiagramWriter(chart, plantUmlNotation(), 2, remarks),
          m_isBlock(m_plan.tree().size(), false)
    {
        for (const Note &note : chart.notes)
            place(note);
        for (int i = 1; i < m_plan.tree().size(); ++i)
            placeHidden(i);
        findBlocks();
    }

    QByteArray text()
    {
        writeHead();
        writeSteps();
        writePlaces(u"'"_s);
        add(u"@enduml"_s);
        reportNewForms();
        ChartLosses losses(u"PlantUML"_s);
        losses.addForeign(m_chart, plantUmlNotation().name);
        m_remarks += losses.diagnostics();
        return bytes();
    }

private:
    void place(const Note &note)
    {
        const ChartTree &tree = m_plan.tree();
        const int of = tree.index(note.of);
        const bool isLinked = !kept(note.particulars, u"arrows"_s).isEmpty();
        if (of > 0 && !isLinked && m_plan.form(of) != VertexForm::None) {
            m_notesOf[of].append(&note);
            return;
        }
        int in = tree.index(note.particulars.value(u"note.in"_s));
        if (of > 0)
            in = isLinked ? tree.regionAround(of) : of;
        m_linesIn[bodyOf(in)] += freeNote(note);
    }

    void placeHidden(int node)
    {
        const ChartTree &tree = m_plan.tree();
        const Vertex *const vertex = tree.node(node).vertex;
        if (!vertex)
            return;
        const QString hidden = kept(vertex->particulars, u"hidden"_s);
        for (const QString &line : hidden.split(u'\n', Qt::SkipEmptyParts)) {
            const int to = tree.index(line.section(u' ', -1));
            if (to > 0 && tree.regionAround(to) == tree.regionAround(node)
                && m_plan.form(node) != VertexForm::None)
                m_linesIn[tree.regionAround(node)] +=
                    m_plan.code(node) + u' ' + line.section(u' ', 0, -2) + u' ' + m_plan.code(to);
            else
                loss(0,
                    u"a hidden arrow of %1 crosses a region's border; it is left out"_s.arg(
                        vertex->id));
        }
    }

    /// The decorations of a note as they stand behind its name.
    QString styleOf(const Note &note) const
    {
        QString result;
        for (const QString &key : { u"tags"_s, u"stereotypes"_s, u"colour"_s, u"url"_s })
            if (const QString value = kept(note.particulars, key); !value.isEmpty())
                result += u' ' + value;
        return result;
    }

    QStringList noteAt(const Note &note, const QString &where) const
    {
        const QString side = note.side.isEmpty() ? u"right"_s : note.side;
        return noteBlock(u"note "_s + side + where + styleOf(note),
            noteLines(note, noteForPlantUml(note.lines, false)));
    }

    QStringList freeNote(const Note &note)
    {
        QString code = kept(note.particulars, u"code"_s);
        if (code.isEmpty())
            code = m_plan.freeCode(u"N1"_s);
        const QStringList written = noteLines(note, noteForPlantUml(note.lines, true));
        const bool isOne = written.size() == 1 && !written.first().isEmpty()
            && std::ranges::none_of(written.first(), isPlantUmlQuote);
        QStringList result;
        if (isOne)
            result = { u"note \""_s + written.first() + u"\" as "_s + code + styleOf(note) };
        else
            result = QStringList(u"note as "_s + code + styleOf(note)) + written
                + QStringList(u"end note"_s);
        return result + kept(note.particulars, u"arrows"_s).split(u'\n', Qt::SkipEmptyParts);
    }

    QStringList noteOf(const Arc &arc) const
    {
        if (arc.note.isEmpty())
            return {};
        QString head = u"note "_s;
        if (const QString side = kept(arc.particulars, u"noteSide"_s); !side.isEmpty())
            head += side + u' ';
        head += u"on link"_s;
        if (const QString colour = kept(arc.particulars, u"noteColour"_s); !colour.isEmpty())
            head += u' ' + colour;
        return noteBlock(head, noteForPlantUml(arc.note, false));
    }

    /// The notes of dots and bars stand behind the first arrow that has them.
    QStringList notesOfEnds(const OutlineArc &arc)
    {
        QStringList result;
        bool isLatest = true; // the end that comes last is what a note of a dot belongs to
        for (const int end : { arc.to, arc.from }) {
            if (m_plan.form(end) == VertexForm::Named || m_seen.contains(end))
                continue;
            m_seen.insert(end);
            for (const Note *const each : m_notesOf.value(end)) {
                if (m_plan.form(end) == VertexForm::Bar)
                    result += noteAt(*each, u" of "_s + m_plan.code(end));
                else if (isLatest)
                    result += noteAt(*each, {});
                else
                    loss(0, u"a note of the dot %1 is left out, which has no name"_s.arg(each->of));
            }
            isLatest = false;
        }
        return result;
    }

    /// PlantUML 1.2020.2 lets an arrow in a region, but for the first one, lead to a state that
    /// does not lie directly in it only if that has a body.
    void findBlocks()
    {
        for (int i = 1; i < m_plan.tree().size(); ++i)
            m_isBlock[i] = m_linesIn.contains(i) && !m_plan.node(i).isRegion;
        QSet<int> bodies;
        walk([&](const OutlineStep &step) {
            if (step.kind == OutlineStep::Kind::Open || step.kind == OutlineStep::Kind::Reopen)
                bodies.insert(step.index);
            else if (step.kind == OutlineStep::Kind::Connect && m_open.last().isLater)
                checkEnds(m_plan.arcs()[step.index], m_open.last().node, bodies);
        });
    }

    void checkEnds(const OutlineArc &arc, int scope, const QSet<int> &bodies)
    {
        for (const int end : { arc.from, arc.to }) {
            const int parent = m_plan.node(end).parent;
            const bool isReached =
                m_plan.node(scope).isRegion ? parent == scope : !m_plan.node(parent).isRegion;
            if (isReached || m_plan.form(end) == VertexForm::History || bodies.contains(end))
                continue;
            if (m_plan.vertex(end).kind == Kind::State || m_plan.vertex(end).kind == Kind::Parallel)
                m_isBlock[end] = true;
            else
                note(m_plan.vertex(end).line,
                    u"PlantUML 1.2020.2 refuses the arrow of %1 inside a region"_s.arg(
                        m_plan.vertex(end).id));
        }
    }

    void writeHead()
    {
        const QString id = m_chart.id.simplified();
        const QString name = kept(m_chart.particulars, u"name"_s);
        add((u"@startuml "_s + (name == u"(id="_s + id + u')' ? name : id)).trimmed());
        m_lines += headLines();
        if (m_chart.title.isEmpty())
            return;
        const QString once = kept(m_chart.particulars, u"title"_s);
        const bool isSame = !once.isEmpty() && shownByPlantUml(once) == m_chart.title;
        m_lines += titleLines(isSame ? once : titleForPlantUml(m_chart.title));
    }

    void open(int node, bool isFirst) override
    {
        add((isFirst ? head(node) : u"state "_s + m_plan.code(node)) + u" {"_s);
        ++m_depth;
    }

    void close(int node) override
    {
        --m_depth;
        add(u"}"_s);
        if (m_open.last().isFirst)
            describe(node);
    }

    void separate(int region) override
    {
        const Vertex *const said = m_plan.node(region).vertex;
        const bool isUpright = said && kept(said->particulars, u"separator"_s) == u"||";
        const int depth = std::exchange(m_depth, std::max(m_depth - 1, 0));
        add(isUpright ? u"||"_s : u"--"_s);
        m_depth = depth;
    }

    void finish(int node) override
    {
        for (const int child : m_plan.node(node).children) {
            if (m_plan.form(child) != VertexForm::Named)
                continue;
            for (const Note *const each : m_notesOf.value(child))
                addLines(noteAt(*each, u" of "_s + m_plan.code(child)));
        }
        addLines(m_linesIn.value(node));
    }

    void connect(int index) override
    {
        const OutlineArc &each = m_plan.arcs()[index];
        const Arc &arc = *each.arc;
        const auto behind = [&](const QString &key) {
            const QString value = kept(arc.particulars, key);
            return value.isEmpty() ? value : u' ' + value;
        };
        const PlantUmlStroke stroke { arc.look, arc.towards };
        QString arrow = kept(arc.particulars, u"arrow"_s);
        if (arrow.isEmpty() || strokeOf(arrow) != stroke)
            arrow = arrowOf(stroke);
        QString line = end(each.from) + behind(u"fromStereotypes"_s) + u' ' + arrow + u' '
            + end(each.to) + behind(u"toStereotypes"_s);
        const QString label =
            writtenLike(arc.text(), kept(arc.particulars, u"label"_s), PlantUmlPlace::BehindColon);
        if (!label.isEmpty())
            line += u" : "_s + label;
        add(line);
        reportLabel(arc, each.from);
        addLines(noteOf(arc) + notesOfEnds(each));
    }

    /// What has its body later is only named.
    void declare(int node) override
    {
        if (m_plan.hasBody(node)) {
            add(u"state "_s + m_plan.code(node) + (m_isBlock[node] ? u" {"_s : QString()));
            if (m_isBlock[node])
                add(u"}"_s);
            return;
        }
        add(head(node) + (m_isBlock[node] ? u" {"_s : QString()));
        if (m_isBlock[node]) {
            ++m_depth;
            finish(node);
            --m_depth;
            add(u"}"_s);
        }
        describe(node);
    }

    void describe(int node)
    {
        for (const QString &line : m_plan.texts(node))
            add((m_plan.code(node) + u" : "_s + line).trimmed());
    }

    QString head(int node) const
    {
        QString names = m_plan.code(node);
        if (const QString &label = m_plan.label(node); !label.isEmpty()) {
            const QString once = kept(m_plan.vertex(node).particulars, u"label"_s);
            names =
                u'"' + writtenLike(label, once, PlantUmlPlace::BetweenQuotes) + u"\" as "_s + names;
        }
        return u"state "_s + names + decorations(node);
    }

    QString decorations(int node) const
    {
        const Vertex &each = m_plan.vertex(node);
        const bool isState = each.kind == Kind::State || each.kind == Kind::Parallel;
        const bool isSimple = m_plan.node(node).children.isEmpty();
        QString stereotypes = kept(each.particulars, u"stereotypes"_s);
        if ((isSimple || !isState)
            && plantUmlKind(stereotypes) != (isState ? Kind::State : each.kind))
            stereotypes = plantUmlStereotype(each.kind);
        PlantUmlColours colours { kept(each.particulars, u"colour"_s),
            kept(each.particulars, u"border"_s) };
        if (lookOf(colours) != each.look)
            colours = coloursOf(each.look);
        QString result;
        for (const QString &part : { kept(each.particulars, u"tags"_s), stereotypes,
                 kept(each.particulars, u"url"_s), colours.colour, colours.border })
            if (!part.isEmpty())
                result += u' ' + part;
        return result;
    }

    QString end(int node) const
    {
        const int parent = m_plan.node(node).parent;
        switch (m_plan.form(node)) {
        case VertexForm::Dot:
            return u"[*]"_s;
        case VertexForm::Bar:
            return u"=="_s + m_plan.code(node) + u"=="_s;
        case VertexForm::History:
            return (parent == m_open.last().node ? QString() : m_plan.code(parent))
                + (m_plan.vertex(node).kind == Kind::DeepHistory ? u"[H*]"_s : u"[H]"_s);
        default:
            return m_plan.code(node);
        }
    }

    void reportNewForms()
    {
        QMap<QString, int> found;
        for (int i = 1; i < m_plan.tree().size(); ++i) {
            const VertexForm form = m_plan.form(i);
            if (form == VertexForm::None)
                continue;
            const Kind kind = m_plan.vertex(i).kind;
            const bool isKnown = kind == Kind::State || kind == Kind::Parallel
                || kind == Kind::Choice || kind == Kind::Fork || kind == Kind::Join
                || kind == Kind::Final;
            if (form == VertexForm::Named && !isKnown)
                ++found[plantUmlStereotype(kind) + u" is drawn as a state"_s];
            if (form == VertexForm::History && kind == Kind::DeepHistory)
                ++found[u"\"[H*]\" is refused"_s];
            if (m_plan.vertex(i).particulars.contains(u"plantuml.tags"_s))
                ++found[u"\"$\" tags are refused"_s];
            if (!m_plan.vertex(i).look.text.isEmpty())
                ++found[u"\"#text:\" is misread"_s];
        }
        for (const QString &line : kept(m_chart.particulars, u"settings"_s).split(u'\n'))
            for (const QString &word : { u"!theme"_s, u"json"_s, u"map"_s })
                if (line.trimmed().startsWith(word + u' ', Qt::CaseInsensitive))
                    ++found[u"\"%1\" is refused"_s.arg(word)];
        for (const OutlineArc &each : m_plan.arcs()) {
            if (m_plan.tree().regionAround(each.from) != m_plan.tree().regionAround(each.to))
                note(each.arc->line,
                    u"the arrow from %1 to %2 crosses a region's border, which PlantUML 1.2020.2 refuses; newer versions draw it"_s
                        .arg(m_plan.vertex(each.from).id, m_plan.vertex(each.to).id));
        }
        for (auto it = found.constBegin(); it != found.constEnd(); ++it)
            note(0, u"by PlantUML 1.2020.2, %1; newer versions know it"_s.arg(it.key()));
    }

    QHash<int, QList<const Note *>> m_notesOf; ///< by the vertex
    QHash<int, QStringList> m_linesIn;         ///< notes and hidden arrows that end a body
    QSet<int> m_seen;                          ///< dots and bars that an arrow had
    QList<bool> m_isBlock; ///< states that need a body though there is nothing in it
};

} // namespace

StatechartsWritten writePlantUml(const QList<Statechart> &charts)
{
    StatechartsWritten written;
    for (const Statechart &chart : charts) {
        if (!written.bytes.isEmpty())
            written.bytes += '\n';
        written.bytes += PlantUmlWriter(chart, written.remarks).text();
    }
    spellOut(written);
    return written;
}

} // namespace instar
