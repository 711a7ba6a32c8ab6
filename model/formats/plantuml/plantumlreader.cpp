// SPDX-License-Identifier: Apache-2.0
#include "model/formats/plantuml/plantumlreader.h"

#include "model/formats/chart/arclabel.h"
#include "model/formats/plantuml/plantumlkinds.h"
#include "model/formats/plantuml/plantumllook.h"
#include "model/formats/plantuml/plantumlnotation.h"
#include "model/formats/plantuml/plantumltext.h"
#include "model/formats/plantuml/plantumltitle.h"
#include "model/formats/plantuml/plantumlwriter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;
using Dot = ChartBuilder::Dot;
using End = PlantUmlEnd::Kind;

namespace {

bool isOnly(QStringView text, QChar letter)
{
    return std::all_of(text.begin(), text.end(), [&](QChar each) { return each == letter; });
}

void keep(Particulars &particulars, const QString &key, const QString &value)
{
    if (!value.isEmpty())
        particulars.insert(u"plantuml."_s + key, value);
}

/// Keeps how a text is written where the text alone would be written otherwise.
void keepWritten(
    Particulars &particulars, const QString &key, const QString &written, PlantUmlPlace place)
{
    if (writtenForPlantUml(shownByPlantUml(written), place) == written)
        particulars.remove(u"plantuml."_s + key);
    else
        keep(particulars, key, written);
}

/// Takes what is said over what was said before, and keeps how where a writer would say it
/// otherwise.
void paint(Vertex &vertex, PlantUmlColours said)
{
    const PlantUmlColours before = coloursOf(vertex.look);
    const auto kept = [&](const QString &key, const QString &now) {
        return vertex.particulars.value(u"plantuml."_s + key, now);
    };
    if (said.colour.isEmpty())
        said.colour = kept(u"colour"_s, before.colour);
    if (said.border.isEmpty())
        said.border = kept(u"border"_s, before.border);
    vertex.look = lookOf(said);
    const PlantUmlColours plain = coloursOf(vertex.look);
    vertex.particulars.remove(u"plantuml.colour"_s);
    vertex.particulars.remove(u"plantuml.border"_s);
    if (plain == said)
        return;
    keep(vertex.particulars, u"colour"_s, said.colour);
    keep(vertex.particulars, u"border"_s, said.border);
}

QString shortened(const QString &text)
{
    constexpr qsizetype Most = 60;
    return text.size() <= Most ? text : text.left(Most - 3) + u"..."_s;
}

} // namespace

PlantUmlReader::PlantUmlReader(const PlantUmlBlock &block)
    : m_block(block), m_ends(block.lines), m_texts(plantUmlNotation())
{ }

Statechart PlantUmlReader::chart()
{
    for (m_at = 0; m_at < m_block.lines.size(); ++m_at) {
        const QString text = m_block.lines[m_at].text.trimmed();
        if (!text.isEmpty())
            readLine(text);
    }
    if (m_builder.isInside())
        m_builder.reportOpen(m_block.lines.last().number, m_remarks);
    keepFreeNotes();
    keepHidden();
    m_texts.keep(m_builder);
    Statechart chart = m_builder.finished(ChartBuilder::Crossing::Refused, m_remarks);
    setKinds(chart);
    askAtChoices(chart);
    chart.title = shownByPlantUml(m_title);
    for (const int bar : std::as_const(m_bars))
        if (m_builder.node(bar).isBar)
            keep(chart.vertices[m_builder.placeOf(bar)].particulars, u"bar"_s, u"=="_s);
    if (isPlantUmlTitle(m_title) && titleForPlantUml(chart.title) != m_title)
        keep(chart.particulars, u"title"_s, m_title);
    keep(chart.particulars, u"settings"_s, m_settings.join(u'\n'));
    keep(chart.particulars, u"comments"_s, m_block.comments.join(u'\n'));
    settleForPlantUml(chart);
    return chart;
}

void PlantUmlReader::readLine(const QString &text)
{
    // The order of PlantUML's commands: "title : x" is a text of the state "title".
    const bool isRead = readPreprocessor(text) || readState(text) || readArrow(text)
        || readBrace(text) || readText(text) || readSeparator(text) || readNote(text)
        || readUrl(text) || readSetting(text);
    if (!isRead)
        skipUnknown(text);
}

void PlantUmlReader::note(const QString &text)
{
    m_remarks.append({ line(), text, false });
}

void PlantUmlReader::loss(const QString &text)
{
    m_remarks.append({ line(), text, true });
}

void PlantUmlReader::skipUnknown(const QString &text)
{
    loss(u"not understood and left out: %1"_s.arg(shortened(text)));
    if (const QString kind = m_other ? QString() : otherPlantUml(text); !kind.isEmpty())
        m_other = Remark { line(), u"%1 (%2)"_s.arg(kind, shortened(text)) };
    if (text.endsWith(u'{'))
        m_braces.append(Brace::Unknown);
}

bool PlantUmlReader::readState(const QString &text)
{
    const std::optional<PlantUmlState> said = plantUmlState(text);
    if (!said)
        return false;
    m_hasStates = true;
    const int state = named(said->code);
    m_builder.setLatest(state);
    declare(state, *said);
    if (said->text)
        describe(state, *said->text);
    if (said->opens)
        openState(state);
    else if (m_builder.node(state).parent != m_builder.scope())
        note(u"%1 was named before, in line %2, and lies there"_s.arg(said->code)
                 .arg(m_builder.node(state).vertex.line));
    return true;
}

/// What a name between quotes shows is the state's label: it may have several lines.
int PlantUmlReader::named(const QString &code)
{
    const bool isNew = m_builder.known(code) < 0;
    const int state = m_builder.named(code, line());
    if (const QString shown = isNew ? shownByPlantUml(code) : code; shown != code)
        m_builder.node(state).vertex.label = shown;
    return state;
}

void PlantUmlReader::declare(int state, const PlantUmlState &said)
{
    Vertex &vertex = m_builder.node(state).vertex;
    const QString label = shownByPlantUml(said.label.isEmpty() ? said.code : said.label);
    if (!said.opens && label == vertex.id && !vertex.label.isEmpty())
        note(u"%1 is declared again without its label \"%2\", which PlantUML then does not show"_s
                 .arg(vertex.id, shortened(vertex.label)));
    if (!said.opens || !said.label.isEmpty()) {
        vertex.label = label == vertex.id ? QString() : label;
        keepWritten(vertex.particulars, u"label"_s, said.label, PlantUmlPlace::BetweenQuotes);
    }
    m_builder.node(state).isBar = false;
    keep(vertex.particulars, u"tags"_s, said.style.tags);
    keep(vertex.particulars, u"stereotypes"_s, said.style.stereotypes);
    keep(vertex.particulars, u"url"_s, said.style.url);
    paint(vertex, { said.style.colour, said.style.border });
    if (!said.style.stereotypes.isEmpty())
        m_stereotyped.insert(state);
}

void PlantUmlReader::openState(int state)
{
    const bool isInOrder = m_builder.open(state, line());
    m_braces.append(isInOrder ? Brace::Composite : Brace::Unknown);
    if (!isInOrder)
        loss(
            u"states lie more than %1 deep in each other; those in %2 are read as if they lay beside it"_s
                .arg(ChartBuilder::Deepest)
                .arg(m_builder.node(state).vertex.id));
    else if (!m_builder.node(state).regions.isEmpty())
        note(u"%1 has regions; what is added lies in the last of them"_s.arg(
            m_builder.node(state).vertex.id));
}

void PlantUmlReader::describe(int state, const QString &text)
{
    ChartBuilder::Node &node = m_builder.node(state);
    if (std::exchange(node.isBar, false))
        node.vertex.kind = Kind::Fork; // a bar with a text must be declared
    m_texts.add(m_builder, state, text);
}

bool PlantUmlReader::readText(const QString &text)
{
    const std::optional<PlantUmlText> said = plantUmlText(text);
    if (!said)
        return false;
    if (m_builder.known(said->code) < 0 && isPlantUmlCommand(said->code))
        note(
            u"\"%1 : ...\" describes a state that is called %1; without the colon it would be a command"_s
                .arg(said->code));
    describe(named(said->code), said->text);
    return true;
}

int PlantUmlReader::at(const PlantUmlEnd &end, Dot dot)
{
    m_hasStates = m_hasStates || end.kind != End::Name;
    if (end.kind == End::Dot)
        return m_builder.dot(dot, line());
    if (end.kind == End::History || end.kind == End::DeepHistory) {
        const Dot which = end.kind == End::History ? Dot::ShallowHistory : Dot::DeepHistory;
        return end.code.isEmpty()
            ? m_builder.dot(which, line())
            : m_builder.historyOf(m_builder.named(end.code, line()), which, line());
    }
    const bool isNew = m_builder.known(end.code) < 0;
    const int state = m_builder.named(end.code, line());
    if (isNew && end.kind == End::Bar) {
        m_builder.node(state).isBar = true;
        m_bars += state;
    }
    return state;
}

bool PlantUmlReader::isFreeNote(const PlantUmlEnd &end) const
{
    return end.kind == End::Name && m_freeNotes.contains(end.code) && m_builder.known(end.code) < 0;
}

void PlantUmlReader::connectToNote(const PlantUmlArrow &arrow, const QString &text)
{
    const PlantUmlEnd &noteEnd = isFreeNote(arrow.to) ? arrow.to : arrow.from;
    const PlantUmlEnd &other = isFreeNote(arrow.to) ? arrow.from : arrow.to;
    if (isFreeNote(other) || (other.kind != End::Name && other.kind != End::Bar)) {
        loss(u"an arrow to the note %1 can come from a state only; it is left out"_s.arg(
            noteEnd.code));
        return;
    }
    const int state = at(other, Dot::Initial);
    m_free[m_freeNotes[noteEnd.code]].arrows.append(
        { .state = state, .text = text, .line = line() });
}

/// A note belongs to the first state at its arrows.
void PlantUmlReader::keepFreeNotes()
{
    for (const FreeNote &each : std::as_const(m_free)) {
        const int of = each.arrows.isEmpty() ? -1 : each.arrows.first().state;
        QStringList texts;
        for (const NoteArrow &arrow : each.arrows) {
            if (m_builder.isBeside(of, arrow.state))
                texts += arrow.text;
            else
                m_remarks.append(
                    { arrow.line, u"the arrow leaves or enters a region; it is left out"_s });
        }
        Note result = each.note;
        keep(result.particulars, u"arrows"_s, texts.join(u'\n'));
        m_builder.addNote(of, each.in, result);
    }
}

void PlantUmlReader::layOut(const PlantUmlArrow &arrow, int from)
{
    const auto isDot = [](const PlantUmlEnd &end) {
        return end.kind != End::Name && end.kind != End::Bar;
    };
    const int to = at(arrow.to, Dot::Final);
    if (isDot(arrow.from) || isDot(arrow.to)) {
        loss(u"a hidden arrow of a dot only lays out; it is left out"_s);
        return;
    }
    m_hidden.append({ .from = from, .to = to, .arrow = arrow.arrow, .line = line() });
    note(u"a hidden arrow only lays out and is no transition"_s);
}

/// Hidden arrows are kept with the vertex that they leave.
void PlantUmlReader::keepHidden()
{
    for (const Hidden &each : std::as_const(m_hidden)) {
        if (!m_builder.isBeside(each.from, each.to)) {
            m_remarks.append(
                { each.line, u"the hidden arrow leaves or enters a region; it is left out"_s });
            continue;
        }
        QString &all = m_builder.node(each.from).vertex.particulars[u"plantuml.hidden"_s];
        if (!all.isEmpty())
            all += u'\n';
        all += each.arrow + u' ' + m_builder.node(each.to).vertex.id;
    }
}

bool PlantUmlReader::readArrow(const QString &text)
{
    const std::optional<PlantUmlArrow> said = plantUmlArrow(text);
    if (!said)
        return false;
    if (isFreeNote(said->from) || isFreeNote(said->to)) {
        connectToNote(*said, text);
        return true;
    }
    const int from = at(said->from, Dot::Initial);
    if (said->isHidden) {
        layOut(*said, from);
        return true;
    }
    const int to = at(said->to, Dot::Final);
    Arc &arc = m_builder.connect(from, to, line());
    setText(arc, shownByPlantUml(said->text));
    keepWritten(arc.particulars, u"label"_s, said->text, PlantUmlPlace::BehindColon);
    const PlantUmlStroke stroke = strokeOf(said->arrow);
    arc.look = stroke.look;
    arc.towards = stroke.towards;
    if (said->arrow != arrowOf(stroke))
        keep(arc.particulars, u"arrow"_s, said->arrow);
    keep(arc.particulars, u"fromStereotypes"_s, said->from.stereotypes);
    keep(arc.particulars, u"toStereotypes"_s, said->to.stereotypes);
    for (const auto &[state, colour] :
        { std::pair(from, said->from.colour), std::pair(to, said->to.colour) })
        if (!colour.isEmpty())
            paint(m_builder.node(state).vertex, { colour, {} });
    if (said->hasColon && said->text.isEmpty())
        note(u"there is nothing behind the colon, which PlantUML 1.2020.2 refuses"_s);
    return true;
}

bool PlantUmlReader::readBrace(const QString &text)
{
    const QString words = text.toLower().simplified();
    if (words != u'}' && words != u"end state" && words != u"endstate")
        return false;
    if (m_braces.isEmpty()) {
        loss(u"%1 closes nothing"_s.arg(words));
        return true;
    }
    if (m_braces.takeLast() == Brace::Composite)
        m_builder.close();
    return true;
}

bool PlantUmlReader::readSeparator(const QString &text)
{
    if (text.size() < 2 || (!isOnly(text, u'-') && !isOnly(text, u'|')))
        return false;
    const int region = m_builder.split(line());
    if (text[0] == u'|')
        m_builder.node(region).vertex.particulars.insert(u"plantuml.separator"_s, u"||"_s);
    return true;
}

void PlantUmlReader::setKinds(Statechart &chart)
{
    const QString key = u"plantuml.stereotypes"_s;
    for (const int state : std::as_const(m_stereotyped)) {
        const int place = m_builder.placeOf(state);
        Vertex &vertex = chart.vertices[place];
        const bool isComposite =
            place + 1 < chart.vertices.size() && chart.vertices[place + 1].parent == vertex.id;
        if (isComposite)
            continue;
        vertex.kind = plantUmlKind(vertex.particulars.value(key));
        if (vertex.particulars.value(key) == plantUmlStereotype(vertex.kind))
            vertex.particulars.remove(key);
    }
}

} // namespace instar
