// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/diagram.h"
#include "model/statecharts/notation/notations.h"
#include "model/statecharts/plantuml/plantumlgrammar.h"
#include "model/statecharts/plantuml/plantumltext.h"

#include <QSet>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;
using Dot = ChartBuilder::Dot;
using End = PlantUmlEnd::Kind;

namespace {

bool isOnly(QStringView text, QChar letter)
{
    return std::ranges::all_of(text, [&](QChar each) { return each == letter; });
}

QString shortened(const QString &text)
{
    constexpr qsizetype Most = 60;
    return text.size() <= Most ? text : text.left(Most - 3) + u"..."_s;
}

QString words(const QString &text)
{
    return text.simplified().toLower();
}

bool startsWithWord(const QString &text, QStringView word)
{
    return text.startsWith(word) && (text.size() == word.size() || text[word.size()].isSpace());
}

/// "left header" as "header"; "left to right direction" names no place.
QString withoutPlace(QString text)
{
    if (text.endsWith(u" direction"))
        return text;
    for (const QStringView place : { u"left ", u"right ", u"center " })
        if (text.startsWith(place))
            return text.sliced(place.size());
    return text;
}

/// Possible ends of the block that a line begins; none if the line is complete.
QStringList blockEnds(const QString &line)
{
    if (line.startsWith(u"<style>"))
        return { u"</style>"_s };
    const QString text = withoutPlace(line);
    for (const QString &word : { u"title"_s, u"legend"_s, u"header"_s, u"footer"_s, u"caption"_s })
        if (text == word || (word == u"legend" && startsWithWord(text, word)))
            return { u"end "_s + word, u"end"_s + word };
    return {};
}

bool isSettingLine(const QString &line)
{
    constexpr std::array<QStringView, 26> commands { u"hide", u"show", u"remove", u"restore",
        u"scale", u"skinparam", u"skin", u"left to right direction", u"top to bottom direction",
        u"header", u"footer", u"caption", u"legend", u"mainframe", u"page", u"rotate", u"minwidth",
        u"sprite", u"footbox", u"set", u"namespaceseparator", u"assume transparent",
        u"allow_mixing", u"json", u"map", u"title" };
    const QString text = withoutPlace(line);
    return line.startsWith(u"<style>") || std::ranges::any_of(commands, [&](QStringView command) {
        return startsWithWord(text, command);
    });
}

/// The end of what the preprocessor defines over several lines; empty: it is one line.
QString definitionEnd(const QString &line)
{
    for (const QStringView word : { u"procedure", u"function", u"definelong", u"macro" })
        if (startsWithWord(line, QString(u'!' + word.toString()))
            || (line.startsWith(u"!unquoted") && line.contains(word)))
            return u"!end"_s + word.toString();
    return {};
}

/// Reads one diagram, line by line.
class PlantUmlReader : public DiagramReader
{
public:
    explicit PlantUmlReader(const PlantUmlBlock &block)
        : DiagramReader(block.lines, plantUmlNotation()), m_comments(block.comments)
    { }

    /// Without vertices if there is none in it.
    Statechart chart()
    {
        for (m_at = 0; m_at < m_lines.size(); ++m_at) {
            const QString text = m_lines[m_at].text.trimmed();
            if (!text.isEmpty())
                readLine(text);
        }
        for (const Note &each : std::as_const(m_free))
            m_builder.addNote(m_builder.known(each.of), each);
        Statechart chart = built(ChartBuilder::Unnamed::LeftOut, m_comments, u"'");
        setKinds(chart);
        askAtChoices(chart);
        chart.title = shownByPlantUml(m_title);
        return chart;
    }

    /// The line of a diagram of another kind, where nothing says that it is one of states: "another
    /// kind of diagram (class A)".
    std::optional<Diagnostic> other() const { return m_hasStates ? std::nullopt : m_other; }

private:
    void readLine(const QString &text)
    {
        // The order of PlantUML's commands: "title : x" is a text of the state "title".
        const bool isRead = readPreprocessor(text) || readState(text) || readArrow(text)
            || readBrace(text) || readText(text) || readSeparator(text) || readNote(text)
            || readUrl(text) || readSetting(text);
        if (!isRead)
            skipUnknown(text);
    }

    bool readState(const QString &text)
    {
        const std::optional<PlantUmlState> said = plantUmlState(text);
        if (!said)
            return false;
        m_hasStates = true;
        const int state = named(said->code);
        m_builder.setLatest(state);
        declare(state, *said);
        if (said->text)
            addText(state, *said->text);
        if (said->opens)
            openBody(state);
        else if (m_builder.node(state).parent != m_builder.scope())
            note(u"%1 was mentioned before, in line %2, and stays in that state"_s.arg(said->code)
                     .arg(m_builder.node(state).vertex.line));
        return true;
    }

    bool readArrow(const QString &text)
    {
        const std::optional<PlantUmlArrow> said = plantUmlArrow(text);
        if (!said)
            return false;
        if (isFreeNote(said->from) || isFreeNote(said->to)) {
            connectToNote(*said);
            return true;
        }
        const int from = at(said->from, Dot::Initial);
        const int to = at(said->to, Dot::Final);
        if (said->isHidden) {
            note(u"a hidden arrow affects only the layout, and is not a transition"_s);
            return true;
        }
        Arc &arc = connect(from, to, said->text);
        arc.look = strokeOf(said->style);
        arc.towards = said->towards;
        aside(u"a stereotype"_s, said->from.stereotypes + said->to.stereotypes);
        for (const auto &[state, colour] :
            { std::pair(from, said->from.colour), std::pair(to, said->to.colour) })
            paint(m_builder.node(state).vertex, { colour, {} });
        if (said->hasColon && said->text.isEmpty())
            note(u"the text after the colon is missing, which PlantUML 1.2020.2 refuses"_s);
        return true;
    }

    bool readText(const QString &text)
    {
        const std::optional<PlantUmlText> said = plantUmlText(text);
        if (!said)
            return false;
        addText(named(said->code), said->text);
        return true;
    }

    bool readBrace(const QString &text)
    {
        const QString words = text.toLower().simplified();
        if (words != u'}' && words != u"end state" && words != u"endstate")
            return false;
        closeBody(words);
        return true;
    }

    bool readSeparator(const QString &text)
    {
        if (text.size() < 2 || (!isOnly(text, u'-') && !isOnly(text, u'|')))
            return false;
        m_builder.beginRegion(line());
        return true;
    }

    bool readNote(const QString &text)
    {
        const std::optional<PlantUmlNote> said = plantUmlNote(text);
        if (!said)
            return false;
        if (said->ends == PlantUmlNote::Ends::Here) {
            addNote(*said, { said->text });
            return true;
        }
        const bool isBrace = said->ends == PlantUmlNote::Ends::AtBrace;
        const auto lines =
            noteLines(isBrace ? QStringList(u"}"_s) : QStringList({ u"end note"_s, u"endnote"_s }));
        if (lines)
            addNote(*said, *lines);
        return true;
    }

    bool readSetting(const QString &text)
    {
        const QString line = words(text);
        const QStringList ends = blockEnds(line);
        if (ends.isEmpty() && !isSettingLine(line))
            return false;
        const bool isTitle = startsWithWord(line, u"title");
        if (ends.isEmpty() && isTitle) {
            setTitle(text.sliced(5).trimmed());
            return true;
        }
        qsizetype last = m_at;
        if (!ends.isEmpty())
            last = blockEnd(ends);
        else if (text.endsWith(u'{'))
            last = closingBrace();
        if (last < 0) {
            loss(u"the block that begins here has no end; it is left out: %1"_s.arg(text.left(40)));
            return true;
        }
        if (isTitle)
            setTitle(unindented(textsUpTo(last)).join(u"\\n"_s));
        else
            set(line);
        m_at = last;
        return true;
    }

    bool readUrl(const QString &text)
    {
        const QString line = words(text);
        if (!line.startsWith(u"url of ") && !line.startsWith(u"url for "))
            return false;
        const QString code = text.simplified().section(u' ', 2, 2);
        const qsizetype begin = text.indexOf(u"[["_s);
        if (begin < 0 || !text.endsWith(u"]]"_s) || !isPlantUmlCode(code))
            return false;
        m_builder.named(code, this->line());
        aside(u"a link"_s, text.sliced(begin));
        return true;
    }

    bool readPreprocessor(const QString &text)
    {
        if (!text.startsWith(u'!'))
            return false;
        const QString line = words(text);
        if (startsWithWord(line, u"!pragma") || startsWithWord(line, u"!theme")
            || startsWithWord(line, u"!assume")) {
            aside(u"a setting"_s, text);
            return true;
        }
        const QString ending = definitionEnd(line);
        const qsizetype end = ending.isEmpty() ? -1 : blockEnd({ ending });
        if (end >= 0) {
            loss(u"the preprocessor is not supported; %1 lines are left out: %2"_s
                     .arg(end - m_at + 1)
                     .arg(text.left(60)));
            m_at = end;
            return true;
        }
        loss(u"the preprocessor is not supported; left out: %1"_s.arg(text.left(60)));
        return true;
    }

    void skipUnknown(const QString &text)
    {
        loss(u"not understood and left out: %1"_s.arg(shortened(text)));
        if (!m_other && isOtherPlantUml(text))
            m_other = Diagnostic { line(), u"another kind of diagram (%1)"_s.arg(shortened(text)) };
        if (text.endsWith(u'{'))
            openUnknown();
    }

    /// State of a name. A name between quotes is also the label, which may have several lines.
    int named(const QString &code)
    {
        const bool isNew = m_builder.known(code) < 0;
        const int state = m_builder.named(code, line());
        if (const QString shown = isNew ? shownByPlantUml(code) : code; shown != code)
            m_builder.node(state).vertex.label = shown;
        return state;
    }

    void declare(int state, const PlantUmlState &said)
    {
        Vertex &vertex = m_builder.node(state).vertex;
        const QString label = shownByPlantUml(said.label.isEmpty() ? said.code : said.label);
        if (!said.opens || !said.label.isEmpty())
            vertex.label = label == vertex.id ? QString() : label;
        m_builder.node(state).isBar = false;
        leaveOut(said.style);
        paint(vertex, { said.style.colour, said.style.border });
        if (!said.style.stereotypes.isEmpty())
            m_stereotypes.insert(state, said.style.stereotypes);
    }

    void leaveOut(const PlantUmlStyle &style)
    {
        aside(u"a tag"_s, style.tags);
        aside(u"a link"_s, style.url);
    }

    /// Replaces the colours of a vertex by the given ones, as far as they are set.
    static void paint(Vertex &vertex, const PlantUmlColours &said)
    {
        PlantUmlColours all = coloursOf(vertex.look);
        if (!said.colour.isEmpty())
            all.colour = said.colour;
        if (!said.border.isEmpty())
            all.border = said.border;
        if (!(all == coloursOf(vertex.look)))
            vertex.look = lookOf(all);
    }

    int at(const PlantUmlEnd &end, ChartBuilder::Dot dot)
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
        if (isNew && end.kind == End::Bar)
            m_builder.node(state).isBar = true;
        return state;
    }

    bool isFreeNote(const PlantUmlEnd &end) const
    {
        return end.kind == End::Name && m_freeNotes.contains(end.code)
            && m_builder.known(end.code) < 0;
    }

    /// A note belongs to the first state at its arrows.
    void connectToNote(const PlantUmlArrow &arrow)
    {
        const PlantUmlEnd &noteEnd = isFreeNote(arrow.to) ? arrow.to : arrow.from;
        const PlantUmlEnd &other = isFreeNote(arrow.to) ? arrow.from : arrow.to;
        if (isFreeNote(other) || (other.kind != End::Name && other.kind != End::Bar)) {
            loss(u"an arrow to the note %1 can come from a state only; it is left out"_s.arg(
                noteEnd.code));
            return;
        }
        Note &note = m_free[m_freeNotes[noteEnd.code]];
        const int state = at(other, Dot::Initial);
        if (note.of.isEmpty()) {
            note.of = m_builder.node(state).vertex.id;
            note.side = u"right"_s;
        } else {
            aside(u"an arrow of a note"_s, noteEnd.code);
        }
    }

    void addNote(const PlantUmlNote &said, const QStringList &lines)
    {
        if (said.at == PlantUmlNote::At::Arrow) {
            addArcNote(said, lines);
            return;
        }
        Note result;
        result.side = said.side;
        result.lines = shown(lines);
        const bool isFree = said.at == PlantUmlNote::At::Free;
        leaveOut(said.style);
        aside(u"the colour of a note"_s, said.style.colour);
        if (isFree) {
            if (m_freeNotes.contains(said.code)) {
                loss(
                    u"there is another note %1, which PlantUML refuses; this one is left out"_s.arg(
                        said.code));
                return;
            }
            m_freeNotes.insert(said.code, m_free.size());
            m_free.append(result);
            return;
        }
        const int of = said.at == PlantUmlNote::At::Latest ? m_builder.latest() : named(said.code);
        if (of < 0)
            loss(u"there is no state yet that the note could belong to; it is left out"_s);
        else if (!m_builder.node(of).vertex.isNamed)
            loss(u"the note belongs to a dot, which has no name; it is left out"_s);
        else
            m_builder.addNote(of, result);
    }

    void addArcNote(const PlantUmlNote &said, const QStringList &lines)
    {
        Arc *const arc = m_builder.latestArc();
        if (!arc) {
            loss(u"there is no arrow yet that the note could belong to; it is left out"_s);
            return;
        }
        if (lines.isEmpty()) {
            loss(u"the note is empty; it is left out"_s);
            return;
        }
        if (!arc->note.isEmpty())
            note(
                u"the arrow has another note, which PlantUML 1.2020.2 would replace; both are kept"_s);
        arc->note += shown(lines);
        aside(u"the colour of a note"_s, said.style.colour);
    }

    void set(const QString &line)
    {
        if (line == u"left to right direction")
            m_direction = ChartDirection::Right;
        else if (line == u"top to bottom direction")
            m_direction = ChartDirection::Down;
        else
            aside(u"a setting"_s, line);
    }

    void setTitle(const QString &written)
    {
        if (!m_title.isEmpty())
            note(u"the diagram has another title, which this one replaces"_s);
        m_title = written;
    }

    void setKinds(Statechart &chart)
    {
        ChartLosses losses(u" is left out"_s);
        for (auto it = m_stereotypes.cbegin(); it != m_stereotypes.cend(); ++it) {
            const int place = m_builder.placeOf(it.key());
            Vertex &vertex = chart.vertices[place];
            const bool isComposite =
                place + 1 < chart.vertices.size() && chart.vertices[place + 1].parent == vertex.id;
            if (!isComposite)
                vertex.kind = plantUmlKind(*it);
            if (isComposite
                || it->compare(plantUmlStereotype(vertex.kind), Qt::CaseInsensitive) != 0)
                losses.add(u"a stereotype"_s, *it, vertex.line);
        }
        chart.asides += losses.diagnostics();
    }

    QStringList m_comments;
    QHash<QString, qsizetype> m_freeNotes; ///< by their codes
    QList<Note> m_free;
    QMap<int, QString> m_stereotypes; ///< by node
    QString m_title;                  ///< as it is written
    bool m_hasStates = false;         ///< a line could stand in no other kind of diagram
    std::optional<Diagnostic> m_other;
};

/// Id of a diagram, from "(id=x)" or the text after @startuml.
QString idOf(const QString &name)
{
    const QString inside =
        name.startsWith(u"(id="_s) && name.endsWith(u')') ? name.sliced(4).chopped(1) : name;
    return inside.trimmed();
}

void reportFrame(const PlantUmlBlock &block, QList<Diagnostic> &remarks)
{
    if (block.openComment > 0)
        remarks.append({ block.openComment,
            u"the comment has no end; the rest of the diagram is read as a comment"_s });
    if (block.number == 0)
        remarks.append({ 0, u"there is no @startuml; the whole file is read as one diagram"_s,
            Diagnostic::Severity::Note });
    else if (!block.isClosed)
        remarks.append({ block.number, u"the diagram that begins here has no @enduml"_s,
            Diagnostic::Severity::Note });
}

void readBlock(const PlantUmlBlock &block, DiagramsRead &read)
{
    if (block.kind != u"uml") {
        refuseDiagram(u"what @start%1 begins"_s.arg(block.kind), block.number, read);
        return;
    }
    PlantUmlReader reader(block);
    Statechart chart = reader.chart();
    if (const std::optional<Diagnostic> other = reader.other()) {
        refuseDiagram(other->text, other->line, read);
        return;
    }
    reportFrame(block, read.remarks);
    read.remarks += reader.diagnostics();
    chart.id = idOf(block.name.simplified());
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
