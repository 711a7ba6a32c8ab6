// SPDX-License-Identifier: Apache-2.0
#include "model/pack/rows.h"
#include "model/statecharts/notation/diagram.h"
#include "model/statecharts/notation/notations.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace instar {

using Kind = Vertex::Kind;
using Dot = ChartBuilder::Dot;

namespace {

const QHash<QString, QChar> entities { { u"quot"_s, u'"' }, { u"amp"_s, u'&' }, { u"lt"_s, u'<' },
    { u"gt"_s, u'>' }, { u"colon"_s, u':' }, { u"semi"_s, u';' }, { u"num"_s, u'#' } };

/// Decodes the entity between "#" and ";"; returns nothing if it is unknown.
QString letterOf(const QString &name)
{
    if (const QChar letter = entities.value(name); !letter.isNull())
        return letter;
    bool isNumber = false;
    const char32_t code = name.toUInt(&isNumber);
    if (!isNumber || !name[0].isDigit() || code == 0 || code > 0x10ffff || QChar::isSurrogate(code))
        return {};
    return QString::fromUcs4(&code, 1);
}

/// Decodes a text of Mermaid: "<br>" and "\n" are line breaks, "#quot;" and "#35;" characters.
QString shownByMermaid(const QString &written)
{
    static const QRegularExpression special(
        u"^(?:(\\\\n|<br[ /]{0,5}>)|#(\\w{1,10});)"_s, QRegularExpression::CaseInsensitiveOption);
    return replacedLetters(written, [](QStringView rest) -> std::pair<QString, qsizetype> {
        if (!u"\\<#"_s.contains(rest[0]))
            return { rest[0], 1 };
        const QRegularExpressionMatch match = special.match(rest.left(12).toString());
        const QString letter = match.hasCaptured(1) ? u"\n"_s
            : match.hasMatch()                      ? letterOf(match.captured(2))
                                                    : QString();
        return letter.isEmpty() ? std::pair(QString(rest[0]), qsizetype(1))
                                : std::pair(letter, match.capturedLength());
    });
}

/// Encodes a text for Mermaid: after a colon, between quotes or in a note.
QString writtenForMermaid(const QString &shown)
{
    // "direction LR" is a command anywhere.
    static const QRegularExpression direction(
        u"^direction\\s+[TBRL]"_s, QRegularExpression::CaseInsensitiveOption);
    return escapedLetters(shown, [](QStringView rest, bool isEdge) {
        const bool isSpecial = u":;#\"<%`"_s.contains(rest[0]) || rest.startsWith(u"\\n")
            || rest.startsWith(u"--") || rest.startsWith(u"end note", Qt::CaseInsensitive)
            || (rest[0].toLower() == u'd' && direction.match(rest.toString()).hasMatch())
            || (isEdge && (rest[0].isSpace() || u"{}"_s.contains(rest[0])));
        return rest[0] == u'\n' ? u"<br/>"_s
            : isSpecial         ? u"#%1;"_s.arg(int(rest[0].unicode()))
                                : QString(rest[0]);
    });
}

/// Encodes a note: one line after a colon, or a block.
QStringList noteForMermaid(const QStringList &shown)
{
    QStringList written;
    bool isFlush = false; // some line is not indented, so the others keep their indentation
    for (const QString &line : shown) {
        const qsizetype indent = shown.size() == 1 || !isFlush ? 0 : indentOf(line);
        written += line.left(indent) + writtenForMermaid(line.sliced(indent));
        isFlush = isFlush || !written.last().isEmpty();
    }
    return written;
}

bool isMermaidId(QStringView text)
{
    static const QStringList words { u"state"_s, u"note"_s, u"class"_s, u"classdef"_s,
        u"direction"_s, u"scale"_s, u"click"_s, u"style"_s, u"href"_s, u"default"_s, u"acctitle"_s,
        u"accdescr"_s, u"hide"_s, u"end"_s, u"as"_s, u"statediagram"_s };
    const auto isGood = [](QChar letter) {
        return !letter.isSpace() && letter.isPrint() && !u":-{}\"#%;[]<>`,"_s.contains(letter);
    };
    return !text.isEmpty() && std::ranges::all_of(text, isGood)
        && !words.contains(text, Qt::CaseInsensitive);
}

/// Kind of a vertex by its stereotype.
const QMap<QString, Kind> MermaidKinds { { u"choice"_s, Kind::Choice }, { u"fork"_s, Kind::Fork },
    { u"join"_s, Kind::Join } };

/// Returns the body in which an arrow is written: the body of a dot, else the parent of both ends,
/// else the top level. Mermaid would nest the ends in any other body.
int mermaidHome(const TextPlan &plan, const OutlineArc &arc)
{
    const ChartTree &tree = plan.tree();
    for (const int end : { arc.from, arc.to })
        if (plan.form(end) == VertexForm::Dot)
            return tree.node(end).parent;
    const int parent = tree.node(arc.from).parent;
    return parent == tree.node(arc.to).parent && tree.regions(parent).isEmpty() ? parent : 0;
}

const TextNotation MermaidNotation { .isRich = false,
    .isCode = isMermaidId,
    .homeOf = mermaidHome,
    .shown = shownByMermaid,
    .written = writtenForMermaid };

// Rules for single lines, after Mermaid's grammar
// (packages/mermaid/src/diagrams/state/parser/stateDiagram.jison).

/// Compiles a rule in which {id} matches a state's name.
QRegularExpression mermaidRule(QString rule)
{
    return lineRegex(rule.replace(u"{id}"_s, u"[^{s}:{-]++"_s));
}

/// Lines of a diagram: a file, or a ```mermaid block of a Markdown file.
struct MermaidBlock
{
    int number = 0;           ///< of its first line
    QString kind;             ///< its first word, "stateDiagram-v2"; empty: the block is empty
    QStringList frontmatter;  ///< between the "---" lines
    QList<DiagramLine> lines; ///< without the first word
};

bool isFence(const QString &line)
{
    const QString text = line.trimmed();
    return text.startsWith(u"```"_s) || text.startsWith(u"~~~"_s);
}

bool opensMermaid(const QString &line)
{
    const QString language = line.trimmed().mid(3).trimmed().toLower();
    return isFence(line) && (language.startsWith(u"mermaid") || language.startsWith(u"{mermaid}"));
}

MermaidBlock blockOf(const QStringList &lines, qsizetype begin, qsizetype end)
{
    static const QRegularExpression firstWord(u"^\\s*([^\\s;:]*)\\s*;?(.*)$"_s);
    MermaidBlock block { .number = int(begin) + 1 };
    const auto isRule = [](const QString &line) { return line.trimmed() == u"---"; };
    const auto last = lines.begin() + end;
    const auto head = std::find_if(
        lines.begin() + begin, last, [](const QString &line) { return !line.trimmed().isEmpty(); });
    if (head != last && isRule(*head)) {
        if (const auto rule = std::find_if(head + 1, last, isRule); rule != last) {
            block.frontmatter = QStringList(head + 1, rule);
            begin = rule + 1 - lines.begin();
        }
    }
    bool isDirective = false;
    for (; begin < end; ++begin) {
        QString line = lines[begin];
        const QString text = line.trimmed();
        isDirective = isDirective || text.startsWith(u"%%{");
        if (block.kind.isEmpty() && !isDirective && !text.isEmpty() && !text.startsWith(u"%%")) {
            const QRegularExpressionMatch match = firstWord.match(line);
            block.kind = match.captured(1);
            line = match.captured(2);
        }
        isDirective = isDirective && !text.endsWith(u"}%%");
        block.lines.append({ int(begin) + 1, line });
    }
    return block;
}

/// Returns the title that lines of YAML set.
QString titleIn(const QStringList &frontmatter)
{
    const auto line = std::ranges::find_if(
        frontmatter, [](const QString &each) { return each.startsWith(u"title:"_s); });
    if (line == frontmatter.end())
        return {};
    const QString text = line->sliced(6).trimmed();
    if (text.startsWith(u'"'))
        return QJsonDocument::fromJson('[' + text.toUtf8() + ']').array().first().toString();
    return text.size() > 1 && text.startsWith(u'\'') && text.endsWith(u'\'')
        ? text.sliced(1).chopped(1).replace(u"''"_s, u"'"_s)
        : text;
}

/// Reader of one state diagram's lines. A state belongs to the body that declares the state, else,
/// as Mermaid draws it, to the last body that mentions the state.
class MermaidReader : public DiagramReader
{
public:
    explicit MermaidReader(const MermaidBlock &block)
        : DiagramReader(block.lines, MermaidNotation), m_block(block)
    { }

    /// Returns the statechart; without a state, it has no vertices.
    Statechart chart()
    {
        for (m_at = 0; m_at < m_lines.size(); ++m_at)
            readLine(m_lines[m_at].text.trimmed());
        for (const QString &each : m_block.frontmatter)
            if (!each.startsWith(u"title:"))
                ignore(u"a line of the head"_s, each);
        Statechart chart = built(u"%%");
        makeChoiceConditions(chart);
        moveTextsIntoLabels(chart);
        chart.title = titleIn(m_block.frontmatter);
        setStyles(chart);
        return chart;
    }

private:
    void readLine(QString text)
    {
        static const QRegularExpression comment(u"^(?:%%|#(?!\\p{Nd}+;))"_s);
        if (readBlock(text, u"%%{", u"}%%"_s, u"a directive"_s)
            || readBlock(text, u"accDescr {", u"}"_s, u"a setting"_s))
            return;
        if (comment.match(text).hasMatch()) {
            m_comments += text;
            return;
        }
        if (text.startsWith(u'{') && m_openable >= 0) {
            open(std::exchange(m_openable, -1));
            text = text.sliced(1).trimmed();
        }
        while (readState(text)) // the content of its body may follow in the same line
            if (text.isEmpty())
                return;
        if (const qsizetype sign = text.indexOf(u"%%"); sign >= 0) {
            if (sign > 0 && readBare(text))
                return; // the comment sign is part of a text
            m_comments += text.sliced(sign);
            text = text.left(sign).trimmed();
        }
        const QString all = text;
        while (!text.contains(u':') && text.size() > 1 && text.endsWith(u'}'))
            text = text.chopped(1).trimmed();
        if (!text.isEmpty() && !readBare(text)) {
            loss(u"not understood and left out: %1"_s.arg(text.left(60)));
            const qsizetype braces =
                text.contains(u':') ? qsizetype(text.endsWith(u'{')) : text.count(u'{');
            for (qsizetype i = 0; i < braces; ++i)
                openUnknown();
        }
        for (qsizetype braces = QStringView(all).sliced(text.size()).count(u'}'); braces > 0;
             --braces)
            closeBody(u"}"_s);
    }

    /// Leaves out the lines from one that begins with `begin` to one that ends with `end`.
    bool readBlock(const QString &text, QStringView begin, const QString &end, const QString &kind)
    {
        if (!text.startsWith(begin, Qt::CaseInsensitive))
            return false;
        const qsizetype last =
            lineWhere(end, [&](const QString &line) { return line.endsWith(end); });
        if (last < 0)
            return false;
        ignore(kind, text);
        m_at = last;
        return true;
    }

    /// Reads a line without its comment and final braces.
    bool readBare(QString text)
    {
        if (readState(text))
            return true;
        m_openable = -1;
        return readBrace(text) || readSeparator(text) || readDirection(text) || readSetting(text)
            || readStyle(text) || readNote(text) || readStatement(text);
    }

    bool readBrace(const QString &text)
    {
        if (text == u'}')
            closeBody(text);
        return text == u'}';
    }

    bool readSeparator(const QString &text)
    {
        if (text.size() < 2 || text.count(u'-') < text.size())
            return false;
        if (m_builder.isInside())
            m_builder.beginRegion(line());
        else
            loss(u"the line is left out, because only a composite state can have regions"_s);
        return true;
    }

    bool readDirection(const QString &text)
    {
        const QStringList words = text.simplified().split(u' ');
        if (words.size() != 2 || words[0].compare(u"direction"_s, Qt::CaseInsensitive) != 0)
            return false;
        const QString direction = words[1].toUpper();
        if (!QStringList({ u"TB"_s, u"BT"_s, u"LR"_s, u"RL"_s }).contains(direction))
            return false;
        if (m_builder.scope() > 0 || (direction != u"TB" && direction != u"LR"))
            ignore(u"a direction"_s, direction);
        else
            m_direction = direction == u"TB" ? ChartDirection::Down : ChartDirection::Right;
        return true;
    }

    /// Reads: note left of ID : text, or note "text" as ID
    bool readNote(const QString &text)
    {
        static const QRegularExpression rule =
            mermaidRule(uR"rule(^note{s}++(?:"(?<quoted>[^"]++)"{s}*+as{s}++(?<code>.*)
                |(?<side>left|right){s}++of{s}++(?<state>{id}){s}*+(?:(?<colon>:)(?<text>.*))?+)$)rule"_s);
        const QRegularExpressionMatch match = rule.match(text);
        const QString id = match.captured(u"code").trimmed() + match.captured(u"state");
        if (!isMermaidId(id))
            return false;
        Note result { .side = match.captured(u"side").toLower() };
        if (match.hasCaptured(u"quoted") || match.hasCaptured(u"colon")) {
            result.lines = shown({ match.captured(u"quoted") + match.captured(u"text").trimmed() });
        } else if (const auto lines = noteLines({ u"end note"_s })) {
            for (const QString &line : *lines)
                if (line.trimmed().startsWith(u"%%"))
                    m_comments += line.trimmed();
                else
                    result.lines += shown({ line });
        } else {
            return true;
        }
        if (result.side.isEmpty())
            note(u"Mermaid does not show the note %1, because the note belongs to no state"_s.arg(
                id));
        m_builder.addNote(result.side.isEmpty() ? -1 : mention(id), result);
        return true;
    }

    bool readSetting(const QString &text)
    {
        static const QRegularExpression rule(
            u"^(?:acc(?:Descr|Title) ?:|(?:hide empty description|scale) (?!.*-->))"_s,
            QRegularExpression::CaseInsensitiveOption);
        static const QRegularExpression definition(
            u"^classDef ([^ ]+) (?!.*-->)(.*)"_s, QRegularExpression::CaseInsensitiveOption);
        const QString line = text.simplified();
        if (const QRegularExpressionMatch match = definition.match(line); match.hasMatch()) {
            for (const QString &name : match.captured(1).split(u','))
                m_classes[name] += match.captured(2) + u',';
            return true;
        }
        const bool isSetting = rule.match(line + u' ').hasMatch();
        if (isSetting)
            ignore(u"a setting"_s, text);
        return isSetting;
    }

    /// Reads: class A,B name; style A css; click A ...
    bool readStyle(const QString &text)
    {
        const QString word = text.section(u' ', 0, 0).toLower();
        if (word != u"class" && word != u"style" && word != u"click")
            return false;
        QString rest = text.sliced(word.size()).trimmed();
        while (rest.contains(u" ,"_s) || rest.contains(u", "_s))
            rest.replace(u" ,"_s, u","_s).replace(u", "_s, u","_s);
        const QStringList ids = rest.section(u' ', 0, 0).split(u',', Qt::SkipEmptyParts);
        const QString value = rest.section(u' ', 1).trimmed();
        if (ids.isEmpty() || value.isEmpty()
            || !std::ranges::all_of(ids, [](const QString &id) { return isMermaidId(id); }))
            return false;
        for (const QString &id : ids) {
            const int known = m_builder.known(id);
            const int state = known < 0 ? m_builder.named(id, line()) : known;
            if (word == u"class")
                addClasses(state, value);
            else if (word == u"style")
                m_styles[state] = value;
            else
                ignore(u"a link"_s, value);
        }
        return true;
    }

    /// Reads the declaration of a state: state "label" as ID, state ID <<fork>>, state ID { ...
    /// Sets `text` to the text after its brace.
    bool readState(QString &text)
    {
        static const QRegularExpression rule =
            mermaidRule(uR"rule(^state{s}++(?:"(?<label>[^"]++)"{s}*+as{s}++)?+(?<id>{id}){s}*+
                (?:(?:<<|\[\[)(?<kind>fork|join|choice)(?:>>|]]))?+{s}*+
                (?:(?<colon>:)(?<text>.*)|(?<brace>\{)(?<rest>.*))?+$)rule"_s);
        const QRegularExpressionMatch match = rule.match(text);
        const QString id = match.captured(u"id"), kind = match.captured(u"kind").toLower();
        const QString label = match.captured(u"label").trimmed();
        const bool opens = match.hasCaptured(u"brace"), hasText = match.hasCaptured(u"colon");
        const bool isKindAlone = kind.isEmpty() || (!opens && !hasText);
        if (!isMermaidId(id) || !isKindAlone || (hasText && label.isEmpty()))
            return false;
        const int state = declare(id);
        if (!label.isEmpty())
            showText(state, label);
        if (!kind.isEmpty())
            m_builder.node(state).vertex.kind = MermaidKinds.value(kind);
        if (const QString shown = match.captured(u"text").trimmed(); !shown.isEmpty())
            showText(state, shown);
        if (opens)
            open(state);
        m_openable = opens || hasText || !kind.isEmpty() ? -1 : state; // the brace may follow
        text = match.captured(u"rest").trimmed();
        return true;
    }

    void open(int state)
    {
        Vertex &vertex = m_builder.node(state).vertex;
        vertex.kind = vertex.kind == Kind::Parallel ? Kind::Parallel : Kind::State;
        openBody(state);
    }

    /// Reads: ID, ID : text, ID --> ID : text, where an ID may be "[*]" or ID:::class
    bool readStatement(const QString &text)
    {
        static const QRegularExpression rule =
            mermaidRule(uR"rule(^(?:\[\*]|(?<from>{id}))(?::::(?<fromStyle>{id})|(?!:::)){s}*+
                (?:(?<arrow>-->){s}*+
                   (?:\[\*]|(?<to>{id}))(?::::(?<toStyle>{id})|(?!:::)){s}*+)?+
                (?:(?<colon>:)(?<text>.*))?+$)rule"_s);
        const QRegularExpressionMatch match = rule.match(text);
        const QString from = match.captured(u"from"), to = match.captured(u"to");
        const QString label = match.captured(u"text").trimmed();
        const bool isArrow = match.hasCaptured(u"arrow");
        const auto isGood = [](const QString &id) { return id.isEmpty() || isMermaidId(id); };
        if (!match.hasMatch() || !isGood(from) || !isGood(to) || (!isArrow && from.isEmpty()))
            return false;
        const auto end = [&](const QString &id, Dot dot, const QString &style) {
            const int node = id.isEmpty() ? m_builder.dot(dot, line())
                : isArrow                 ? mention(id)
                                          : declare(id);
            addClasses(node, style);
            return node;
        };
        const int source = end(from, Dot::Initial, match.captured(u"fromStyle"));
        if (isArrow)
            connect(source, end(to, Dot::Final, match.captured(u"toStyle")), label);
        else if (!label.isEmpty())
            showText(source, label);
        if (isArrow && label.isEmpty() && match.hasCaptured(u"colon"))
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
            note(u"%1 was declared in another composite state in line %2 and stays in that one"_s
                     .arg(id, QString::number(m_builder.node(state).vertex.line)));
        m_pinned.insert(state);
        return state;
    }

    /// Adds a text to a state: the first text replaces the id, further texts are shown below.
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

    void addClasses(int node, QString names)
    {
        m_classesOf[node] += names.replace(u',', u' ').split(u' ', Qt::SkipEmptyParts);
    }

    /// Moves texts of composites into their labels: Mermaid shows no texts below these labels.
    void moveTextsIntoLabels(Statechart &chart) const
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

    /// Sets the styles of named states from their classes and their own CSS.
    void setStyles(Statechart &chart) const
    {
        for (Vertex &vertex : chart.vertices) {
            if (!vertex.isNamed)
                continue;
            const int node = m_builder.known(vertex.id);
            vertex.style = styleOfCss(m_classes.value(u"default"_s));
            for (const QString &name : m_classesOf.value(node))
                vertex.style = styleOfCss(m_classes.value(name), vertex.style);
            vertex.style = styleOfCss(m_styles.value(node), vertex.style);
        }
    }

    const MermaidBlock &m_block;
    int m_openable = -1;                 ///< state whose brace may follow; -1: none
    QSet<int> m_pinned;                  ///< states declared inside a composite
    QSet<int> m_titled;                  ///< states that show a text instead of the id
    QHash<QString, QString> m_classes;   ///< CSS by name
    QHash<int, QStringList> m_classesOf; ///< by node
    QHash<int, QString> m_styles;        ///< CSS by node
};

void readMermaidBlock(const MermaidBlock &block, DiagramsRead &read)
{
    static const QRegularExpression word(
        u"^[a-z][a-z0-9-]*$"_s, QRegularExpression::CaseInsensitiveOption),
        kind(u"^stateDiagram(?:-v2)?(?![a-z0-9-]+$)"_s, QRegularExpression::CaseInsensitiveOption);
    if (!kind.match(block.kind).hasMatch())
        return word.match(block.kind).hasMatch()
            ? refuseDiagram(u'"' + block.kind.left(40) + u'"', block.number, read)
            : addDiagram({}, block.number, read);
    MermaidReader reader(block);
    Statechart chart = reader.chart();
    read.remarks += reader.diagnostics();
    addDiagram(std::move(chart), block.number, read);
}

void readMermaidLines(const QStringList &lines, DiagramsRead &read)
{
    if (std::ranges::none_of(lines, opensMermaid))
        return readMermaidBlock(blockOf(lines, 0, lines.size()), read);
    for (qsizetype at = 0; at < lines.size(); ++at) {
        if (!isFence(lines[at]))
            continue;
        const auto end = std::find_if(lines.begin() + at + 1, lines.end(), isFence);
        if (opensMermaid(lines[at]))
            readMermaidBlock(blockOf(lines, at + 1, end - lines.begin()), read);
        at = end - lines.begin();
    }
}

class MermaidWriter : public DiagramWriter
{
public:
    MermaidWriter(const Statechart &chart, QList<Diagnostic> &remarks)
        : DiagramWriter(chart, MermaidNotation, 4, remarks)
    {
        m_depth = 1;
    }

    QByteArray text()
    {
        writeHead();
        writeSteps();
        writeStyles();
        writePositions(u"%%"_s);
        reportLosses();
        return bytes();
    }

private:
    void writeHead()
    {
        static const QRegularExpression plain(u"^\\w(?:[\\w ,.-]*\\w)?$"_s);
        if (const QString &title = m_chart.title; !title.isEmpty())
            m_lines = { u"---"_s,
                u"title: "_s
                    + (plain.match(title).hasMatch() ? title : QString::fromUtf8(jsonOf(title))),
                u"---"_s };
        m_lines += u"stateDiagram-v2"_s;
        if (m_chart.direction != ChartDirection::Unspecified)
            add(m_chart.direction == ChartDirection::Right ? u"direction LR"_s : u"direction TB"_s);
    }

    void writeStyles()
    {
        for (int i = 1; i < m_plan.tree().size(); ++i)
            if (m_plan.form(i) == VertexForm::Named && m_plan.vertex(i).style != ChartStyle())
                add(u"style "_s + m_plan.code(i) + u' ' + cssOf(m_plan.vertex(i).style));
    }

    void open(int node, bool isFirst) override
    {
        add(declarationOf(node, isFirst ? Body::First : Body::Further) + u" {"_s);
    }

    void close(int /*node*/) override { }

    void declare(int node) override
    {
        const QString &code = m_plan.code(node);
        const QString stereotype = MermaidKinds.key(m_plan.vertex(node).kind);
        if (!m_plan.node(node).children.isEmpty()) {
            open(node, true);
            add(u"}"_s);
            return;
        }
        add(stereotype.isEmpty() ? declarationOf(node, Body::None)
                                 : u"state %1 <<%2>>"_s.arg(code, stereotype));
        if (!stereotype.isEmpty() && !m_plan.label(node).isEmpty())
            add(code + u" : "_s + writtenForMermaid(m_plan.label(node)));
        describe(node);
    }

    void describe(int node)
    {
        for (const QString &line : m_plan.texts(node))
            add(m_plan.code(node) + u" : "_s + (line.isEmpty() ? u"#32;"_s : line));
    }

    /// Mentions a state in its own bodies again: Mermaid nests a state where the last mention is.
    void nestAgain(int node, int mentioned)
    {
        QList<int> path;
        for (int body = m_plan.node(node).parent; mentioned > 0 && body > 0 && body != mentioned;
             body = m_plan.node(body).parent)
            path.prepend(body);
        for (const int body : std::as_const(path)) {
            open(body, false);
            ++m_depth;
        }
        if (!path.isEmpty())
            add(m_plan.code(node));
        for (qsizetype bodies = path.size(); bodies > 0; --bodies) {
            --m_depth;
            add(u"}"_s);
        }
    }

    void finish(int node) override
    {
        for (const Note *const each : m_notes.value(node)) {
            if (each->of.isEmpty())
                add(u"note \"%1\" as %2"_s.arg(
                    writtenForMermaid(each->lines.join(u'\n')), m_plan.freeCode(u"N1"_s)));
            else
                addLines(noteAt(*each));
        }
    }

    void connect(int index) override
    {
        const OutlineArc &each = m_plan.arcs()[index];
        writeArrow(each, u"-->"_s);
        nestAgain(each.from, each.home);
        nestAgain(each.to, each.home);
    }

    enum class Body { None, First, Further };

    /// Returns the declaration of a vertex. In a state's first body, the label has the texts.
    /// Mermaid ignores "state X" without label and body, but not "X".
    QString declarationOf(int node, Body body) const
    {
        const Vertex &each = m_plan.vertex(node);
        const QStringList texts = each.description + m_plan.textsOf(node);
        QString label;
        if (!m_plan.label(node).isEmpty())
            label = writtenForMermaid(m_plan.label(node));
        else if (!texts.isEmpty())
            label = writtenForMermaid(each.id);
        if (body == Body::First)
            for (const QString &line : texts)
                label += u"<br/>"_s + writtenForMermaid(line);
        const QString &code = m_plan.code(node);
        if (body == Body::Further || label.isEmpty())
            return body == Body::None ? code : u"state "_s + code;
        return u"state \""_s + label + u"\" as "_s + code;
    }

    QString end(int node) const override
    {
        return m_plan.form(node) == VertexForm::Dot ? u"[*]"_s : m_plan.code(node);
    }

    QStringList noteAt(const Note &note) const
    {
        const QString side = note.side == u"left" ? u"left"_s : u"right"_s;
        const QString head =
            u"note "_s + side + u" of "_s + m_plan.code(m_plan.tree().index(note.of));
        return noteBlock(head, noteForMermaid(note.lines));
    }

    void reportLosses()
    {
        for (int i = 1; i < m_plan.tree().size(); ++i) {
            if (m_plan.form(i) != VertexForm::Named)
                continue;
            const Kind kind = m_plan.vertex(i).kind;
            const int line = m_plan.vertex(i).line;
            const QString id = m_plan.vertex(i).id;
            if (isHistory(kind) || kind == Kind::Entry || kind == Kind::Exit)
                loss(line,
                    u"Mermaid has no %1; %2 is written as a state"_s.arg(
                        isHistory(kind) ? u"histories"_s : u"entry and exit points"_s, id));
            else if (kind == Kind::Initial || kind == Kind::Final)
                loss(line, u"the initial or final state %1 is written as a normal state"_s.arg(id));
        }
        for (const OutlineArc &arc : m_plan.arcs()) {
            if (m_plan.node(arc.from).parent != m_plan.node(arc.to).parent)
                note(arc.arc->line,
                    u"Mermaid may not draw the arrow from %1 to %2, because it crosses composite states"_s
                        .arg(m_plan.vertex(arc.from).id, m_plan.vertex(arc.to).id));
        }
        reportInexpressible();
    }

    void reportInexpressible()
    {
        ChartLosses losses(u" cannot be expressed in Mermaid and is left out"_s);
        losses.addScxml(m_chart);
        for (const Note &each : m_chart.notes)
            if (each.side == u"top" || each.side == u"bottom")
                losses.add(u"the side of a note"_s, each.side, 0);
        for (const Arc &each : m_chart.arcs) {
            if (!each.note.isEmpty())
                losses.add(u"a note of an arrow"_s, each.note.first(), each.line);
            if (each.style != ChartStyle())
                losses.add(u"the style of an arrow"_s, cssOf(each.style), each.line);
            if (each.towards != Towards::Anywhere)
                losses.add(u"the direction of an arrow"_s, wordOf(each.towards), each.line);
        }
        if (!m_chart.id.isEmpty())
            losses.add(u"the name of the diagram"_s, m_chart.id, 0);
        m_remarks += m_chart.ignoredParts + losses.diagnostics();
    }
};

} // namespace

Result<StatechartsRead> readMermaid(const QByteArray &bytes, const QString &file)
{
    return readDiagrams(bytes, file, u"\"stateDiagram-v2\" and lines such as \"A --> B : event\""_s,
        readMermaidLines);
}

StatechartsWritten writeMermaid(const QList<Statechart> &charts)
{
    StatechartsWritten written;
    for (const Statechart &chart : charts) {
        const QByteArray text = MermaidWriter(chart, written.remarks).text();
        if (charts.size() == 1)
            written.bytes = text;
        else
            written.bytes +=
                (written.bytes.isEmpty() ? "```mermaid\n" : "\n```mermaid\n") + text + "```\n";
    }
    escapeControls(written);
    return written;
}

} // namespace instar
