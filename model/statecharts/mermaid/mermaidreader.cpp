// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/mermaid/mermaidtext.h"
#include "model/statecharts/notation/chartlook.h"
#include "model/statecharts/notation/diagram.h"
#include "model/statecharts/notation/notations.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;
using Dot = ChartBuilder::Dot;

namespace {

/// Returns a line without the braces at its end.
QStringView withoutBraces(QStringView text)
{
    while (text.size() > 1 && text.endsWith(u'}'))
        text = text.chopped(1).trimmed();
    return text;
}

/// Reader of one state diagram's lines. A state belongs to the last body that mentions it, as
/// Mermaid draws it, unless another body declares it.
class MermaidReader : public DiagramReader
{
public:
    explicit MermaidReader(const MermaidBlock &block)
        : DiagramReader(block.lines, mermaidNotation()), m_block(block), m_comments(block.comments)
    { }

    /// Without vertices if there is none in it.
    Statechart chart()
    {
        for (m_at = 0; m_at < m_lines.size(); ++m_at)
            readLine(withWholeLabel(m_lines[m_at].text.trimmed()));
        for (const QString &each : m_block.directives)
            aside(u"a directive"_s, each);
        for (const QString &each : m_block.frontmatter)
            if (!each.startsWith(u"title:"))
                aside(u"a line of the head"_s, each);
        Statechart chart = built(ChartBuilder::Unnamed::Redirected, m_comments, u"%%");
        askAtChoices(chart);
        foldTexts(chart);
        chart.title = mermaidTitle(m_block.frontmatter);
        paint(chart);
        return chart;
    }

private:
    void readLine(QString text)
    {
        if (text.startsWith(u'{') && m_openable >= 0) {
            open(std::exchange(m_openable, -1));
            text = text.sliced(1).trimmed();
        }
        for (auto said = mermaidState(text); said && said->opens; said = mermaidState(text)) {
            read(*said); // its content may follow in the same line
            text = said->rest;
        }
        if (const qsizetype comment = text.indexOf(u"%%"); comment >= 0) {
            if (comment > 0 && readPiece(text))
                return; // the comment sign is part of a text
            addComment(QStringView(text).sliced(comment));
            text = text.left(comment).trimmed();
        }
        const QString all = text;
        if (!text.contains(u':') && !text.startsWith(u"accDescr", Qt::CaseInsensitive))
            text = withoutBraces(text).toString();
        if (!text.isEmpty() && !readPiece(text)) {
            loss(u"not understood and left out: %1"_s.arg(text.left(60)));
            const qsizetype braces =
                text.contains(u':') ? qsizetype(text.endsWith(u'{')) : text.count(u'{');
            for (qsizetype i = 0; i < braces; ++i)
                openUnknown();
        }
        for (qsizetype braces = QStringView(all).sliced(text.size()).count(u'}'); braces > 0;
             --braces)
            readBrace(u"}"_s);
    }

    /// Reads a line without its comment and final braces.
    bool readPiece(const QString &text)
    {
        m_openable = -1;
        return readBrace(text) || readSeparator(text) || readDirection(text) || readSetting(text)
            || readStyle(text) || readNote(text) || readState(text) || readStatement(text);
    }

    bool readBrace(const QString &text)
    {
        if (text == u'}')
            closeBody(text);
        return text == u'}';
    }

    bool readSeparator(const QString &text)
    {
        const bool isLine = std::ranges::all_of(text, [](QChar letter) { return letter == u'-'; });
        if (text.size() < 2 || !isLine)
            return false;
        if (m_builder.isInside())
            m_builder.beginRegion(line());
        else
            loss(u"regions can lie in a composite state only; the line is left out"_s);
        return true;
    }

    bool readDirection(const QString &text)
    {
        const QStringList words = text.simplified().split(u' ');
        if (words.size() != 2 || words[0].compare(u"direction"_s, Qt::CaseInsensitive) != 0)
            return false;
        const QString way = words[1].toUpper();
        if (!QStringList({ u"TB"_s, u"BT"_s, u"LR"_s, u"RL"_s }).contains(way))
            return false;
        if (m_builder.scope() > 0 || (way != u"TB" && way != u"LR"))
            aside(u"a direction"_s, way);
        else
            m_direction = way == u"TB" ? ChartDirection::Down : ChartDirection::Right;
        return true;
    }

    bool readNote(const QString &text)
    {
        const std::optional<MermaidNote> said = mermaidNote(text);
        if (!said)
            return false;
        if (said->isWhole) {
            addNote(*said, { said->text });
            return true;
        }
        const auto lines = noteLines({ u"end note"_s });
        if (lines)
            addNote(*said, *lines);
        return true;
    }

    bool readSetting(const QString &text)
    {
        const QString word = text.simplified().toLower();
        const auto begins = [&](QStringView with) { return word.startsWith(with); };
        if (begins(u"accdescr {") || begins(u"accdescr{")) {
            qsizetype end = m_at;
            if (!text.contains(u'}'))
                for (++end; end < m_lines.size() && !m_lines[end].text.contains(u'}');)
                    ++end;
            if (end >= m_lines.size()) {
                loss(u"the description has no \"}\"; its first line is left out"_s);
                return true;
            }
            aside(u"a setting"_s, text);
            m_at = end;
            return true;
        }
        const bool isCommand =
            begins(u"classdef ") || begins(u"hide empty description") || begins(u"scale ");
        if (!begins(u"accdescr:") && !begins(u"accdescr :") && !begins(u"acctitle:")
            && !begins(u"acctitle :") && (!isCommand || text.contains(u"-->")))
            return false;
        if (begins(u"classdef "))
            for (const QString &name : text.simplified().section(u' ', 1, 1).split(u','))
                m_classes[name] += text.simplified().section(u' ', 2) + u',';
        else
            aside(u"a setting"_s, text);
        return true;
    }

    /// class A,B name; style A css; click A ...
    bool readStyle(const QString &text)
    {
        const QString word = text.section(u' ', 0, 0).toLower();
        if (word != u"class" && word != u"style" && word != u"click")
            return false;
        QString rest = text.sliced(word.size()).trimmed();
        while (rest.contains(u" ,"_s) || rest.contains(u", "_s))
            rest.replace(u" ,"_s, u","_s).replace(u", "_s, u","_s);
        const QStringList ids = rest.section(u' ', 0, 0).split(u',', Qt::SkipEmptyParts);
        const QString said = rest.section(u' ', 1).trimmed();
        if (ids.isEmpty() || said.isEmpty()
            || !std::ranges::all_of(ids, [](const QString &id) { return isMermaidId(id); }))
            return false;
        for (const QString &id : ids) {
            const int known = m_builder.known(id);
            const int state = known < 0 ? m_builder.named(id, line()) : known;
            if (word == u"class")
                addClasses(state, said);
            else if (word == u"style")
                m_styles[state] = said;
            else
                aside(u"a link"_s, said);
        }
        return true;
    }

    bool readState(const QString &text)
    {
        const std::optional<MermaidState> said = mermaidState(text);
        if (said)
            read(*said);
        return said.has_value();
    }

    void read(const MermaidState &said)
    {
        const int state = declare(said.id);
        if (const QString label = said.label.trimmed(); !label.isEmpty())
            showText(state, label);
        Vertex &vertex = m_builder.node(state).vertex;
        if (!said.stereotype.isEmpty())
            vertex.kind = mermaidStereotypes().value(said.stereotype);
        if (!said.text.isEmpty())
            showText(state, said.text);
        if (said.opens)
            open(state);
        else if (said.stereotype.isEmpty() && said.text.isEmpty())
            m_openable = state; // the brace may be in the next line
    }

    void open(int state)
    {
        Vertex &vertex = m_builder.node(state).vertex;
        vertex.kind = vertex.kind == Kind::Parallel ? Kind::Parallel : Kind::State;
        openBody(state);
    }

    /// Appends the following lines of a quoted label that spans several lines.
    QString withWholeLabel(const QString &text)
    {
        static const QRegularExpression begun(
            u"^state\\s+\"[^\"]*$"_s, QRegularExpression::CaseInsensitiveOption);
        if (m_hasNoQuote || !begun.match(text).hasMatch())
            return text;
        QString whole = text;
        for (qsizetype i = m_at + 1; i < m_lines.size(); ++i) {
            const QString &next = m_lines[i].text;
            whole += u"<br/>"_s + next.trimmed();
            if (!next.contains(u'"'))
                continue;
            m_at = i;
            return whole;
        }
        m_hasNoQuote = true;
        return text;
    }

    bool readStatement(const QString &text)
    {
        const std::optional<MermaidStatement> said = mermaidStatement(text);
        if (!said)
            return false;
        if (!said->to) {
            if (said->from.id.isEmpty())
                return false;
            const int state = declare(said->from.id);
            at(said->from, Dot::Initial);
            if (!said->text.isEmpty())
                showText(state, said->text);
            return true;
        }
        const int from = at(said->from, Dot::Initial);
        const int to = at(*said->to, Dot::Final);
        connect(from, to, said->text);
        if (said->hasText && said->text.isEmpty())
            note(u"the text after the colon is missing, which Mermaid refuses"_s);
        return true;
    }

    int mention(const QString &id)
    {
        const int known = m_builder.known(id);
        if (known < 0)
            return m_builder.named(id, line());
        if (m_builder.scope() != 0 && !m_pinned.contains(known))
            m_builder.moveIntoScope(known);
        return known;
    }

    int declare(const QString &id)
    {
        const int state = mention(id);
        if (m_builder.scope() == 0)
            return state;
        if (m_pinned.contains(state) && m_builder.node(state).parent != m_builder.scope())
            note(
                u"%1 was declared in another composite state, in line %2, and stays there"_s.arg(id)
                    .arg(m_builder.node(state).vertex.line));
        m_pinned.insert(state);
        return state;
    }

    int at(const MermaidEnd &end, ChartBuilder::Dot dot)
    {
        const int node = end.id.isEmpty() ? m_builder.dot(dot, line()) : mention(end.id);
        if (!end.style.isEmpty())
            addClasses(node, end.style);
        return node;
    }

    /// Adds a text of a state: the first one replaces the id, others are shown below it.
    void showText(int state, const QString &written)
    {
        if (m_titled.contains(state)) {
            addText(state, written);
            return;
        }
        m_titled.insert(state);
        Vertex &vertex = m_builder.node(state).vertex;
        const QString shown = shownByMermaid(written);
        vertex.label = shown == vertex.id ? QString() : shown;
    }

    /// Keeps a comment, but not its place.
    void addComment(QStringView text)
    {
        const bool isDirective = text.startsWith(u"%%{"); // at the beginning of a line
        m_comments += isDirective ? u"%% "_s + text.sliced(2).toString() : text.toString();
    }

    void addClasses(int node, const QString &names)
    {
        QStringList &all = m_classesOf[node];
        for (const QString &each :
            QString(names).replace(u',', u' ').split(u' ', Qt::SkipEmptyParts))
            if (!all.contains(each))
                all += each;
    }

    void addNote(const MermaidNote &said, const QStringList &lines)
    {
        const Note result { .side = said.side, .lines = shown(lines) };
        if (said.side.isEmpty())
            note(u"the note %1 belongs to no state, so Mermaid does not show it"_s.arg(said.id));
        m_builder.addNote(said.side.isEmpty() ? -1 : mention(said.id), result);
    }

    /// Moves the texts of composites into their labels, as Mermaid shows none below them.
    void foldTexts(Statechart &chart) const
    {
        for (qsizetype i = 0; i + 1 < chart.vertices.size(); ++i) {
            Vertex &vertex = chart.vertices[i];
            if (chart.vertices[i + 1].parent != vertex.id || vertex.description.isEmpty())
                continue;
            vertex.label = (vertex.label.isEmpty() ? vertex.id : vertex.label) + u'\n'
                + vertex.description.join(u'\n');
            vertex.description.clear();
        }
    }

    /// Sets the looks of named states from their classes and styles.
    void paint(Statechart &chart) const
    {
        for (Vertex &vertex : chart.vertices) {
            if (!vertex.isNamed)
                continue;
            const int node = m_builder.known(vertex.id);
            vertex.look = lookOfCss(m_classes.value(u"default"_s));
            for (const QString &name : m_classesOf.value(node))
                vertex.look = lookOfCss(m_classes.value(name), vertex.look);
            vertex.look = lookOfCss(m_styles.value(node), vertex.look);
        }
    }

    const MermaidBlock &m_block;
    int m_openable = -1;                 ///< the state that the last line declared
    bool m_hasNoQuote = false;           ///< no later line ends a label
    QSet<int> m_pinned;                  ///< declared inside a composite
    QSet<int> m_titled;                  ///< states that show a text instead of the id
    QHash<QString, QString> m_classes;   ///< CSS by name
    QHash<int, QStringList> m_classesOf; ///< by node
    QHash<int, QString> m_styles;        ///< CSS by node
    QStringList m_comments;
};

void readMermaidBlock(const MermaidBlock &block, DiagramsRead &read)
{
    static const QRegularExpression word(
        u"^[a-z][a-z0-9-]*$"_s, QRegularExpression::CaseInsensitiveOption),
        ours(u"^stateDiagram(?:-v2)?(?![a-z0-9-]+$)"_s, QRegularExpression::CaseInsensitiveOption);
    const bool isOurs = ours.match(block.kind).hasMatch();
    if (!isOurs && word.match(block.kind).hasMatch()) {
        refuseDiagram(u'"' + block.kind.left(40) + u'"', block.number, read);
        return;
    }
    if (!isOurs) {
        const QString what = block.kind.isEmpty() ? u"nothing"_s : block.kind.left(40);
        read.remarks.append({ block.number,
            u"the block holds no state diagram but %1; it is left out"_s.arg(what) });
        return;
    }
    MermaidReader reader(block);
    Statechart chart = reader.chart();
    read.remarks += reader.diagnostics();
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
