// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/diagram.h"

#include "model/json/reading.h"
#include "model/pack/nearest.h"

#include <QLocale>
#include <QStringDecoder>

#include <algorithm>
#include <cmath>

namespace instar {

using Kind = Vertex::Kind;

/// Removes the file's control characters and line feeds from diagnostics.
static void setOnOneLine(QList<Diagnostic> &remarks)
{
    for (Diagnostic &remark : remarks)
        remark.text = oneLine(remark.text);
}

qsizetype indentOf(QStringView line)
{
    const auto *const first =
        std::ranges::find_if(line, [](QChar letter) { return !letter.isSpace(); });
    return first - line.begin();
}

QString indented(const QString &line, qsizetype blanks)
{
    return line.isEmpty() ? line : QString(blanks, u' ') + line;
}

QStringList unindented(const QStringList &lines)
{
    qsizetype common = -1;
    for (const QString &line : lines)
        if (const qsizetype indent = indentOf(line); indent < line.size())
            common = common < 0 ? indent : std::min(common, indent);
    QStringList result;
    for (const QString &line : lines) {
        qsizetype end = line.size();
        while (end > 0 && line[end - 1].isSpace())
            --end;
        result += line.left(end).mid(std::max<qsizetype>(common, 0));
    }
    return result;
}

QString replacedLetters(QStringView text,
    const std::function<std::pair<QString, qsizetype>(QStringView rest)> &replaced)
{
    QString result;
    while (!text.isEmpty()) {
        const auto [letters, size] = replaced(text);
        result += letters;
        text = text.sliced(size);
    }
    return result;
}

QString escapedLetters(
    QString shown, const std::function<QString(QStringView rest, bool isEdge)> &written)
{
    shown.replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n');
    return replacedLetters(shown, [&](QStringView rest) {
        const bool isEdge = rest.size() == shown.size() || rest.size() == 1;
        return std::pair(written(rest, isEdge), qsizetype(1));
    });
}

QRegularExpression lineRegex(QString rule)
{
    rule.replace(u"[^{s}"_s, uR"([^\p{Z}\t-\r\x{85})"_s);
    rule.replace(u"{s}"_s, uR"([\p{Z}\t-\r\x{85}])"_s);
    return QRegularExpression(rule,
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption
            | QRegularExpression::ExtendedPatternSyntaxOption);
}

Result<StatechartsRead> readDiagrams(const QByteArray &bytes, const QString &file,
    const QString &expected, void (*readLines)(const QStringList &lines, DiagramsRead &read))
{
    // UTF-8, or UTF-16 and UTF-32 with a byte order mark
    QStringDecoder decoder(
        QStringConverter::encodingForData(bytes).value_or(QStringConverter::Utf8));
    QString text = decoder(bytes);
    const QStringList lines = text.replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n').split(u'\n');
    DiagramsRead read;
    if (decoder.hasError()) {
        const auto bad = std::ranges::find_if(
            lines, [](const QString &line) { return line.contains(QChar::ReplacementCharacter); });
        read.remarks.append({ int(bad - lines.begin()) + 1,
            u"the text is not UTF-8; invalid bytes show as \ufffd"_s });
    }
    readLines(lines, read);
    if (read.charts.isEmpty() && read.other)
        return Error { u"%1:%2: expected a state diagram, %3; found %4"_s.arg(
            file, QString::number(read.other->line), expected, oneLine(read.other->text)) };
    if (read.charts.isEmpty())
        return Error { u"%1: found no state diagram; expected %2"_s.arg(file, expected) };
    setOnOneLine(read.remarks);
    std::ranges::stable_sort(read.remarks, {}, &Diagnostic::line);
    return StatechartsRead(static_cast<const StatechartsRead &>(read));
}

void addDiagram(Statechart chart, int line, StatechartsRead &read)
{
    if (chart.vertices.isEmpty())
        read.remarks.append({ line, u"the diagram is left out, because it has no state"_s });
    else
        read.charts.append(std::move(chart));
}

void refuseDiagram(const QString &kind, int line, DiagramsRead &read)
{
    read.remarks.append({ line, u"%1 is left out, because it is not a state diagram"_s.arg(kind) });
    if (!read.other)
        read.other = Diagnostic { line, kind };
}

void escapeControls(StatechartsWritten &written)
{
    const QByteArray text = visible(written.bytes);
    if (text != written.bytes)
        written.remarks.append(
            { 0, u"control and bidirectional characters are spelled out, such as \\u202e"_s });
    written.bytes = text;
    setOnOneLine(written.remarks);
}

namespace {

const QString ChartDot = u"[*]"_s;

QString coordinate(double value)
{
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

/// Returns the word of a kind in generated ids; "regions" for the state around top-level regions.
QString idWord(Kind kind)
{
    static const QMap<Kind, QString> words { { Kind::Initial, u"initial"_s },
        { Kind::Final, u"final"_s }, { Kind::ShallowHistory, u"history"_s },
        { Kind::DeepHistory, u"deepHistory"_s } };
    return words.value(kind, u"regions"_s);
}

int rank(const ChartBuilder::Node &node)
{
    static const QMap<Kind, int> ranks { { Kind::Initial, 0 }, { Kind::ShallowHistory, 1 },
        { Kind::DeepHistory, 2 }, { Kind::Final, 4 } };
    return node.vertex.isNamed ? 3 : ranks.value(node.vertex.kind, 3);
}

} // namespace

ChartBuilder::ChartBuilder()
{
    m_nodes.append(Node { .isOpened = true });
    m_open = { { 0, 0 } };
}

int ChartBuilder::add(Kind kind, int parent, int line)
{
    const int index = int(m_nodes.size());
    m_nodes.append(Node { .vertex = { .kind = kind, .isNamed = false, .line = line },
        .parent = parent,
        .order = m_order++ });
    m_nodes[parent].children.append(index);
    return index;
}

int ChartBuilder::named(const QString &name, int line)
{
    if (const int found = known(name); found >= 0)
        return found;
    const int index = add(Kind::State, scope(), line);
    m_nodes[index].vertex.id = name;
    m_nodes[index].vertex.isNamed = true;
    m_byName.insert(name, index);
    m_latest = index;
    return index;
}

int ChartBuilder::makeDot(Dot which, int parent, int line)
{
    constexpr std::array kinds { Kind::Initial, Kind::ShallowHistory, Kind::DeepHistory,
        Kind::Final };
    if (const int found = m_nodes[parent].dots[size_t(which)]; found >= 0)
        return found;
    const int index = add(kinds[size_t(which)], parent, line);
    m_nodes[parent].dots[size_t(which)] = index;
    m_latest = index;
    return index;
}

int ChartBuilder::historyOf(int composite, Dot which, int line)
{
    const bool isNew = m_nodes[composite].dots[size_t(which)] < 0;
    const int index = makeDot(which, composite, line);
    if (isNew)
        m_nodes[index].isFromOutside = true;
    return index;
}

int ChartBuilder::scope() const
{
    const int innermost = m_open.last().node;
    return m_nodes[innermost].regions.value(m_nodes[innermost].regions.size() - 1, innermost);
}

void ChartBuilder::move(int index, int to)
{
    if (m_nodes[index].parent == to)
        return;
    m_nodes[index].parent = to; // childrenOf() ignores the stale entry in the old parent's list
    m_nodes[to].children.append(index);
}

QList<int> ChartBuilder::childrenOf(int index) const
{
    QList<int> result;
    for (const int child : m_nodes[index].children)
        if (m_nodes[child].parent == index)
            result += child;
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end()); // of a child moved back
    return result;
}

bool ChartBuilder::hasBody(int index) const
{
    const QList<int> &all = m_nodes[index].children;
    return std::ranges::any_of(all, [&](int child) {
        const Vertex &vertex = m_nodes[child].vertex;
        return m_nodes[child].parent == index && (vertex.isNamed || !isHistory(vertex.kind));
    });
}

bool ChartBuilder::open(int state, int line)
{
    if (m_open.size() > Deepest)
        return false;
    Node &node = m_nodes[state];
    if (!node.isOpened) {
        node.isBar = false;
        moveIntoScope(state); // the body decides the parent, not the first mention of the name
        node.isOpened = true;
    }
    m_open.append({ state, line });
    return true;
}

void ChartBuilder::reportOpen(int last, QList<Diagnostic> &remarks) const
{
    for (const OpenBody &body : m_open.sliced(1))
        remarks.append({ body.line,
            u"the \"{\" of %1 is not closed; add a \"}\" before the end of the diagram in line %2"_s
                .arg(m_nodes[body.node].vertex.id.left(60), QString::number(last)),
            Diagnostic::Severity::Note });
}

void ChartBuilder::makeRegions(int composite, int line)
{
    const QList<int> all = childrenOf(composite);
    const int first = add(Kind::State, composite, line);
    m_nodes[first].region = 1;
    for (const int child : all)
        if (!m_nodes[child].isFromOutside)
            move(child, first);
    for (size_t i = 0; i < m_nodes[first].dots.size(); ++i) {
        int &dot = m_nodes[composite].dots[i];
        if (dot >= 0 && !m_nodes[dot].isFromOutside)
            std::swap(dot, m_nodes[first].dots[i]);
    }
    m_nodes[composite].regions.append(first);
    m_nodes[composite].vertex.kind = Kind::Parallel;
}

void ChartBuilder::moveIntoScope(int state)
{
    Node &node = m_nodes[state];
    if (node.isOpened || node.parent == scope())
        return;
    move(state, scope());
    node.order = m_order++;
}

int ChartBuilder::beginRegion(int line)
{
    int composite = m_open.last().node;
    if (composite == 0) { // top-level regions need a parallel state around them
        const QList<int> all = childrenOf(0);
        composite = add(Kind::Parallel, 0, line);
        for (const int child : all)
            move(child, composite);
        std::swap(m_nodes[composite].dots, m_nodes[0].dots);
        m_nodes[composite].isOpened = true;
        m_open[0].node = composite;
    }
    if (m_nodes[composite].regions.isEmpty())
        makeRegions(composite, line);
    const int next = add(Kind::State, composite, line);
    m_nodes[composite].regions.append(next);
    m_nodes[next].region = int(m_nodes[composite].regions.size());
    return next;
}

Arc &ChartBuilder::connect(int from, int to, int line)
{
    m_arcs.append({ .arc = { .line = line }, .from = from, .to = to });
    return m_arcs.last().arc;
}

/// Returns the innermost region around a node; 0 (the statechart) if there is none.
int ChartBuilder::regionAround(int index) const
{
    do {
        index = m_nodes[index].parent;
    } while (index > 0 && m_nodes[index].region == 0);
    return index;
}

/// Removes arrows that cross the border of a region if one of their ends is an unnamed vertex below
/// the top level: PlantUML and Mermaid cannot express them.
void ChartBuilder::removeCrossings(QList<Diagnostic> &remarks)
{
    const auto nameOf = [this](int index) {
        const Vertex &vertex = m_nodes[index].vertex;
        return vertex.isNamed ? vertex.id : u"an unnamed state"_s;
    };
    m_arcs.removeIf([&](const BuiltArc &each) {
        const auto isUnnamedInside = [this](int end) {
            return !m_nodes[end].vertex.isNamed && m_nodes[end].parent != 0;
        };
        if ((!isUnnamedInside(each.from) && !isUnnamedInside(each.to))
            || regionAround(each.from) == regionAround(each.to))
            return false;
        remarks.append({ each.arc.line,
            u"the arrow from %1 to %2 is left out: only arrows between named states can cross the border of a region"_s
                .arg(nameOf(each.from), nameOf(each.to)) });
        return true;
    });
}

/// Removes initial, final and other unnamed pseudostates without arrows, and their notes.
void ChartBuilder::removeUnusedDots(QList<Diagnostic> &remarks)
{
    QList<bool> isUsed(m_nodes.size(), false);
    for (const BuiltArc &each : std::as_const(m_arcs))
        isUsed[each.from] = isUsed[each.to] = true;
    for (int i = 1; i < int(m_nodes.size()); ++i) {
        const Vertex &vertex = m_nodes[i].vertex;
        if (!isUsed[i] && !vertex.isNamed && vertex.kind != Kind::State
            && vertex.kind != Kind::Parallel)
            m_nodes[i].parent = -1;
    }
    m_notes.removeIf([&](const BuiltNote &each) {
        const bool isRemoved = each.of >= 0 && m_nodes[each.of].parent < 0;
        if (isRemoved)
            remarks.append({ m_nodes[each.of].vertex.line,
                u"a note belongs to an initial or final state without arrows; both are left out"_s });
        return isRemoved;
    });
}

/// Decides the kind of each bar: several incoming and at most one outgoing arrow make a join.
void ChartBuilder::makeBars()
{
    QHash<int, int> incoming, outgoing;
    for (const BuiltArc &each : std::as_const(m_arcs)) {
        ++incoming[each.to];
        ++outgoing[each.from];
    }
    for (int i = 0; i < int(m_nodes.size()); ++i)
        if (m_nodes[i].isBar)
            m_nodes[i].vertex.kind = incoming[i] > 1 && outgoing[i] < 2 ? Kind::Join : Kind::Fork;
}

/// Replaces each region whose only child is a composite by that composite.
void ChartBuilder::unwrapRegions()
{
    for (int i = 1; i < int(m_nodes.size()); ++i) {
        const QList<int> children = m_nodes[i].region == 0 ? QList<int>() : childrenOf(i);
        if (children.size() != 1)
            continue;
        const Node &only = m_nodes[children.first()];
        if (!only.vertex.isNamed || !only.isOpened || !hasBody(children.first()))
            continue;
        m_nodes[children.first()].order = m_nodes[i].order;
        move(children.first(), m_nodes[i].parent);
        m_nodes[i].parent = -1;
    }
}

QList<int> ChartBuilder::sortedChildren(int index) const
{
    QList<int> all = childrenOf(index);
    std::ranges::sort(all, {},
        [this](int child) { return std::pair(rank(m_nodes[child]), m_nodes[child].order); });
    return all;
}

QString ChartBuilder::idOf(int index, int parent)
{
    const Node &node = m_nodes[index];
    if (node.vertex.isNamed)
        return node.vertex.id;
    const QString &outer = m_nodes[parent].vertex.id;
    const QString word =
        node.region > 0 ? u"region%1"_s.arg(node.region) : idWord(node.vertex.kind);
    const char *const between = idSeparator(node.vertex.kind);
    const QString id = freshName(generatedId(outer, word, between), m_byName, between);
    m_byName.insert(id, index);
    return id;
}

void ChartBuilder::append(int index, Statechart &chart)
{
    for (const int child : sortedChildren(index)) {
        Vertex &vertex = m_nodes[child].vertex;
        vertex.id = idOf(child, index);
        vertex.parent = m_nodes[index].vertex.id;
        m_vertexIndices[child] = int(chart.vertices.size());
        chart.vertices.append(vertex);
        append(child, chart);
    }
}

Statechart ChartBuilder::finished(QList<Diagnostic> &remarks)
{
    removeCrossings(remarks);
    removeUnusedDots(remarks);
    makeBars();
    unwrapRegions();
    m_vertexIndices.fill(-1, m_nodes.size());
    Statechart chart;
    append(0, chart);
    for (BuiltArc &each : m_arcs) {
        each.arc.from = m_nodes[each.from].vertex.id;
        each.arc.to = { m_nodes[each.to].vertex.id };
        chart.arcs.append(std::move(each.arc));
    }
    std::ranges::stable_sort(m_notes, {}, [this](const BuiltNote &each) {
        return each.of < 0 ? m_nodes.size() : m_vertexIndices[each.of];
    });
    for (BuiltNote &each : m_notes) {
        if (each.of >= 0)
            each.note.of = m_nodes[each.of].vertex.id;
        chart.notes.append(std::move(each.note));
    }
    return chart;
}

void DiagramReader::openBody(int state)
{
    m_bodies.append(m_builder.open(state, line()));
    if (!m_bodies.last())
        loss(u"states are nested more than %1 deep; the states in %2 are read as siblings of %2"_s
                 .arg(ChartBuilder::Deepest)
                 .arg(m_builder.node(state).vertex.id));
}

void DiagramReader::closeBody(const QString &words)
{
    if (m_bodies.isEmpty())
        loss(u"\"%1\" closes no block"_s.arg(words));
    else if (m_bodies.takeLast())
        m_builder.close();
}

void DiagramReader::addText(int state, const QString &written)
{
    m_builder.node(state).vertex.description += m_notation.shown(written).split(u'\n');
}

Arc &DiagramReader::connect(int from, int to, const QString &written)
{
    Arc &arc = m_builder.connect(from, to, line());
    setText(arc, m_notation.shown(written));
    return arc;
}

QStringList DiagramReader::shown(const QStringList &written) const
{
    return mapped<QStringList>(
        written, [&](const QString &line) { return m_notation.shown(line).split(u'\n'); });
}

QStringList DiagramReader::textsUpTo(qsizetype end) const
{
    QStringList result;
    for (qsizetype i = m_at + 1; i < end; ++i)
        result += m_lines[i].text;
    return result;
}

qsizetype DiagramReader::lineWhere(
    const QString &key, const std::function<bool(const QString &text)> &isEnd)
{
    for (qsizetype i = m_at; i < m_lines.size() && !m_missing.contains(key); ++i)
        if (isEnd(m_lines[i].text.trimmed()))
            return i;
    m_missing.insert(key);
    return -1;
}

qsizetype DiagramReader::blockEnd(const QStringList &ends)
{
    return lineWhere(ends.first(),
        [&](const QString &text) { return ends.contains(text.simplified().toLower()); });
}

qsizetype DiagramReader::closingBrace()
{
    qsizetype depth = 0;
    return lineWhere(u"{"_s, [&](const QString &text) {
        depth += text.endsWith(u'{');
        return !text.endsWith(u'{') && text.startsWith(u'}') && --depth == 0;
    });
}

std::optional<QStringList> DiagramReader::noteLines(const QStringList &ends)
{
    const qsizetype end = blockEnd(ends);
    if (end < 0) {
        loss(u"the note has no end; the following lines are read as the diagram"_s);
        return {};
    }
    const QStringList lines = textsUpTo(end);
    m_at = end;
    return unindented(lines);
}

Statechart DiagramReader::built(QStringView sign)
{
    if (m_builder.isInside())
        m_builder.reportOpen(m_lines.last().number, m_remarks);
    Statechart chart = m_builder.finished(m_remarks);
    for (const QString &comment : std::as_const(m_comments))
        if (!takePosition(chart, comment, sign))
            m_ignored.add(u"a comment"_s, comment, 0);
    chart.direction = m_direction;
    chart.ignoredParts = m_ignored.diagnostics();
    return chart;
}

bool DiagramReader::takePosition(Statechart &chart, const QString &comment, QStringView sign) const
{
    static const QRegularExpression position(u"^\\s*@instar position (\\S+) (\\S+) (.+)$"_s);
    constexpr double Farthest = 1e7;
    const QRegularExpressionMatch match = comment.startsWith(sign)
        ? position.match(comment.sliced(sign.size()))
        : QRegularExpressionMatch();
    if (!match.hasMatch())
        return false;
    const QString name = match.captured(3).trimmed();
    const int node = m_builder.known(name);
    auto vertex = chart.vertices.end();
    if (name == ChartDot)
        vertex = std::ranges::find_if(chart.vertices, isChartDot);
    else if (node >= 0 && m_builder.vertexIndex(node) >= 0)
        vertex = chart.vertices.begin() + m_builder.vertexIndex(node);
    const QPointF centre(match.captured(1).toDouble(), match.captured(2).toDouble());
    const bool isNear = std::abs(centre.x()) < Farthest && std::abs(centre.y()) < Farthest;
    if (vertex == chart.vertices.end() || !isNear) // NaN is not near
        return false;
    vertex->bounds = defaultBounds(centre, vertex->kind);
    return true;
}

DiagramWriter::DiagramWriter(
    const Statechart &chart, const TextNotation &notation, int indent, QList<Diagnostic> &remarks)
    : m_chart(chart),
      m_plan(chart, notation, remarks),
      m_remarks(remarks),
      m_notation(notation),
      m_indent(indent)
{
    for (const Note &note : chart.notes) {
        const int of = m_plan.tree().index(note.of);
        if (of > 0 && m_plan.form(of) != VertexForm::Named) {
            loss(m_plan.node(of).vertex->line,
                u"a note of the initial or final state %1 is left out, because that state has no name in the text"_s
                    .arg(note.of));
            continue;
        }
        const int around = of > 0 ? m_plan.node(of).parent : 0;
        m_notes[m_plan.tree().regions(around).value(0, around)] += &note;
    }
}

void DiagramWriter::addLines(const QStringList &lines)
{
    for (const QString &line : lines)
        add(line);
}

void DiagramWriter::walk(const std::function<void(const OutlineStep &step)> &visit)
{
    const ChartTree &tree = m_plan.tree();
    const int divided = tree.dividedChart();
    m_open = { { .node = divided < 0 ? 0 : tree.regions(divided).first() } };
    for (const OutlineStep &step : m_plan.steps()) {
        const bool isFirst = step.kind == OutlineStep::Kind::Open;
        if (isFirst || step.kind == OutlineStep::Kind::Reopen)
            m_open += OpenBody { tree.regions(step.index).value(0, step.index), isFirst,
                m_open.last().isLater };
        else if (step.kind == OutlineStep::Kind::Separate)
            m_open.last() = { step.index, m_open.last().isFirst, true };
        visit(step);
        if (step.kind == OutlineStep::Kind::Close)
            m_open.removeLast();
    }
}

void DiagramWriter::writeSteps()
{
    walk([this](const OutlineStep &step) {
        switch (step.kind) {
        case OutlineStep::Kind::Declare:
            return declare(step.index);
        case OutlineStep::Kind::Open:
        case OutlineStep::Kind::Reopen:
            open(step.index, step.kind == OutlineStep::Kind::Open);
            ++m_depth;
            return;
        case OutlineStep::Kind::Separate: {
            const int depth = std::exchange(m_depth, std::max(m_depth - 1, 0));
            add(u"--"_s);
            m_depth = depth;
            return;
        }
        case OutlineStep::Kind::Connect:
            return connect(step.index);
        case OutlineStep::Kind::Finish:
            return finish(step.index);
        case OutlineStep::Kind::Close:
            --m_depth;
            add(u"}"_s);
            return close(step.index);
        }
    });
}

void DiagramWriter::writePositions(const QString &sign)
{
    for (int i = 1; i < m_plan.tree().size(); ++i) {
        if (!m_plan.node(i).vertex || !m_plan.vertex(i).bounds
            || !canWritePosition(m_plan.vertex(i), m_plan.form(i)))
            continue;
        const QPointF centre = m_plan.vertex(i).bounds->center();
        add(u"%1 @instar position %2 %3 %4"_s.arg(sign, coordinate(centre.x()),
            coordinate(centre.y()),
            m_plan.form(i) == VertexForm::Named ? m_plan.code(i) : ChartDot));
    }
}

void DiagramWriter::writeArrow(const OutlineArc &each, const QString &arrow)
{
    const Arc &arc = *each.arc;
    const QString label = m_notation.written(arc.text());
    add(end(each.from) + u' ' + arrow + u' ' + end(each.to)
        + (label.isEmpty() ? label : u" : "_s + label));
    if (arc.label.isEmpty() && !readsBack(arc, m_plan.vertex(each.from).kind))
        note(arc.line, u"the label \"%1\" will be read again as different parts"_s.arg(arc.text()));
}

} // namespace instar
