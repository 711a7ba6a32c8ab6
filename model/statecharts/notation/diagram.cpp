// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/diagram.h"

#include "model/statecharts/notation/arclabel.h"
#include "model/statecharts/notation/chartlook.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString ChartDot = u"[*]"_s;

QString coordinate(double value)
{
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

} // namespace

void DiagramReader::keep(Particulars &particulars, const QString &key, const QString &value) const
{
    if (!value.isEmpty())
        particulars.insert(m_notation.key(key), value);
}

void DiagramReader::keepWritten(
    Particulars &particulars, const QString &key, const QString &written) const
{
    if (m_notation.written(m_notation.shown(written)) != written)
        keep(particulars, key, written);
}

bool DiagramReader::openBody(int state)
{
    if (m_builder.open(state, line()))
        return true;
    loss(
        u"states lie more than %1 deep in each other; those in %2 are read as if they lay beside it"_s
            .arg(ChartBuilder::Deepest)
            .arg(m_builder.node(state).vertex.id));
    return false;
}

void DiagramReader::addText(int state, const QString &written)
{
    m_builder.node(state).vertex.description += m_notation.shown(written).split(u'\n');
    m_texts[state] += written;
}

/// Keeps descriptions as they are written where a writer would write them otherwise.
void DiagramReader::keepTexts()
{
    for (auto each = m_texts.cbegin(); each != m_texts.cend(); ++each) {
        Vertex &vertex = m_builder.node(each.key()).vertex;
        QStringList plain;
        for (const QString &text : std::as_const(vertex.description))
            plain += m_notation.written(text);
        if (plain != each.value())
            keep(vertex.particulars, u"description"_s, each.value().join(u'\n'));
    }
}

Arc &DiagramReader::connect(int from, int to, const QString &written)
{
    Arc &arc = m_builder.connect(from, to, line());
    setText(arc, m_notation.shown(written));
    keepWritten(arc.particulars, u"label"_s, written);
    return arc;
}

QStringList DiagramReader::textsUpTo(qsizetype end) const
{
    QStringList result;
    for (qsizetype i = m_at + 1; i < end; ++i)
        result += m_lines[i].text;
    return result;
}

qsizetype DiagramReader::blockEnd(const QStringList &ends)
{
    const QString &key = ends.first();
    for (qsizetype i = m_at; i < m_lines.size() && !m_missing.contains(key); ++i)
        if (ends.contains(m_lines[i].text.simplified().toLower()))
            return i;
    m_missing.insert(key);
    return -1;
}

qsizetype DiagramReader::closingBrace()
{
    const QString key = u"{"_s;
    qsizetype depth = 0;
    for (qsizetype i = m_at; i < m_lines.size() && !m_missing.contains(key); ++i) {
        const QString text = m_lines[i].text.trimmed();
        if (text.endsWith(u'{'))
            ++depth;
        else if (text.startsWith(u'}') && --depth == 0)
            return i;
    }
    m_missing.insert(key);
    return -1;
}

std::optional<QStringList> DiagramReader::noteLines(
    const QStringList &ends, const std::function<bool(const QString &line)> &isBegin)
{
    const qsizetype end = blockEnd(ends);
    if (end < 0) {
        loss(u"the note has no end; what follows is read as if it were no note"_s);
        return {};
    }
    const QStringList lines = textsUpTo(end);
    const auto inner =
        std::ranges::find_if(lines, [&](const QString &each) { return isBegin(each.trimmed()); });
    if (inner != lines.end())
        note(
            u"another note begins in line %1, before this one ends; an \"end note\" may be missing"_s
                .arg(m_lines[m_at + 1 + (inner - lines.begin())].number));
    m_at = end;
    return unindented(lines);
}

Statechart DiagramReader::built(ChartBuilder::Unnamed crossing)
{
    if (m_builder.isInside())
        m_builder.reportOpen(m_lines.last().number, m_remarks);
    keepTexts();
    return m_builder.finished(crossing, m_remarks);
}

bool DiagramReader::takePlace(Statechart &chart, const QString &comment, QStringView sign) const
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
    else if (node >= 0 && m_builder.placeOf(node) >= 0)
        vertex = chart.vertices.begin() + m_builder.placeOf(node);
    const QPointF centre(match.captured(1).toDouble(), match.captured(2).toDouble());
    const bool isNear = std::abs(centre.x()) < Farthest && std::abs(centre.y()) < Farthest;
    if (vertex == chart.vertices.end() || !isNear) // not a number is not near either
        return false;
    vertex->place = usualPlace(centre, vertex->kind);
    return true;
}

void DiagramReader::keepLines(Statechart &chart, QStringList comments, QStringView sign) const
{
    comments.removeIf([&](const QString &comment) { return takePlace(chart, comment, sign); });
    keep(chart.particulars, u"comments"_s, comments.join(u'\n'));
    keep(chart.particulars, u"settings"_s, m_settings.join(u'\n'));
}

DiagramWriter::DiagramWriter(
    const Statechart &chart, const TextNotation &notation, int indent, QList<Diagnostic> &remarks)
    : m_chart(chart),
      m_plan(chart, notation, remarks),
      m_remarks(remarks),
      m_notation(notation),
      m_indent(indent)
{ }

void DiagramWriter::add(const QString &line)
{
    m_lines += indented(line, qsizetype(m_depth) * m_indent);
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
            return open(step.index, step.kind == OutlineStep::Kind::Open);
        case OutlineStep::Kind::Separate:
            return separate(step.index);
        case OutlineStep::Kind::Connect:
            return connect(step.index);
        case OutlineStep::Kind::Finish:
            return finish(step.index);
        case OutlineStep::Kind::Close:
            return close(step.index);
        }
    });
}

void DiagramWriter::writePlaces(const QString &sign)
{
    for (int i = 1; i < m_plan.tree().size(); ++i) {
        if (!m_plan.node(i).vertex || !m_plan.vertex(i).place
            || !canWritePlace(m_plan.vertex(i), m_plan.form(i)))
            continue;
        const QPointF centre = m_plan.vertex(i).place->center();
        add(u"%1 @instar position %2 %3 %4"_s.arg(sign, coordinate(centre.x()),
            coordinate(centre.y()),
            m_plan.form(i) == VertexForm::Named ? m_plan.code(i) : ChartDot));
    }
}

QStringList DiagramWriter::headLines() const
{
    QStringList lines;
    for (const QString &each : { kept(m_chart.particulars, u"comments"_s),
             foreignDirection(m_chart, m_notation.name), kept(m_chart.particulars, u"settings"_s) })
        lines += each.split(u'\n', each.isEmpty() ? Qt::SkipEmptyParts : Qt::KeepEmptyParts);
    return lines;
}

QStringList DiagramWriter::noteLines(const Note &note, const QStringList &plain) const
{
    const QStringList once = keptLines(kept(note.particulars, u"text"_s), note.lines, m_notation);
    return once.isEmpty() ? plain : once;
}

int DiagramWriter::bodyOf(int node) const
{
    return node > 0 && (m_plan.node(node).isRegion || m_plan.tree().regions(node).isEmpty()) ? node
                                                                                             : 0;
}

QString DiagramWriter::kept(const Particulars &particulars, const QString &key) const
{
    return particulars.value(m_notation.key(key));
}

void DiagramWriter::reportLabel(const Arc &arc, int from)
{
    if (arc.label.isEmpty() && !readsBack(arc, m_plan.vertex(from).kind))
        note(arc.line, u"\"%1\" will not be taken apart again as it was"_s.arg(arc.text()));
}

} // namespace instar
