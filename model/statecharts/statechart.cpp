// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/statechart.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

bool isHistory(Vertex::Kind kind)
{
    return kind == Vertex::Kind::ShallowHistory || kind == Vertex::Kind::DeepHistory;
}

QString Arc::text() const
{
    if (!label.isEmpty())
        return label;
    QStringList parts;
    if (!event.isEmpty())
        parts += events().join(u", "_s);
    if (!condition.isEmpty())
        parts += u'[' + condition + u']';
    if (!action.isEmpty())
        parts += u"/ "_s + action;
    return parts.join(u' ');
}

QStringList Arc::events() const
{
    return event.split(u'\n', Qt::SkipEmptyParts);
}

const Vertex *Statechart::vertex(const QString &wanted) const
{
    const auto found = std::find_if(
        vertices.begin(), vertices.end(), [&](const Vertex &each) { return each.id == wanted; });
    return found == vertices.end() ? nullptr : &*found;
}

namespace {

QString joinedId(QChar separator, const QString &parent, QStringView word, qsizetype number)
{
    QString id = parent.isEmpty() ? word.toString() : parent + separator + word.toString();
    if (number > 1)
        id += separator + QString::number(number);
    return id;
}

} // namespace

QString madeUpId(const QString &parent, QStringView word, qsizetype number)
{
    return joinedId(u'.', parent, word, number);
}

QString madeUpStateId(const QString &parent, QStringView word, qsizetype number)
{
    return joinedId(u'_', parent, word, number);
}

namespace {

/// Returns the index of the "]" that matches the "[" at `open`; -1: none.
qsizetype matchingBracket(QStringView text, qsizetype open)
{
    qsizetype depth = 0;
    for (qsizetype i = open; i < text.size(); ++i) {
        if (text[i] == u'[')
            ++depth;
        else if (text[i] == u']' && --depth == 0)
            return i;
    }
    return -1;
}

/// Returns the index of the first "/" that a blank follows, and that follows a blank or begins the
/// text; -1: none.
qsizetype slashIn(QStringView text)
{
    for (qsizetype i = text.indexOf(u'/'); i >= 0; i = text.indexOf(u'/', i + 1)) {
        const bool followsBlank = i == 0 || text[i - 1].isSpace();
        if (followsBlank && i + 1 < text.size() && text[i + 1].isSpace())
            return i;
    }
    return -1;
}

/// Returns a condition as an operand of "&&": in parentheses if it contains "||".
QString andOperand(const QString &condition)
{
    return condition.contains(u"||"_s) ? u'(' + condition + u')' : condition;
}

/// Parts of an arrow's text, "event [condition] / action".
struct Parts
{
    QString event;
    QString condition;
    QString action;
};

Parts parsedParts(const QString &written)
{
    const QString text = written.trimmed();
    const Parts whole { .event = text.simplified() };
    const qsizetype open = text.indexOf(u'[');
    const qsizetype slash = slashIn(text);
    if (slash >= 0 && (open < 0 || slash < open))
        return { .event = text.left(slash).simplified(),
            .condition = {},
            .action = text.sliced(slash + 1).simplified() };
    const qsizetype close = open < 0 ? -1 : matchingBracket(text, open);
    if (close < 0)
        return whole;
    const QString condition = text.sliced(open + 1, close - open - 1).simplified();
    const QString rest = text.sliced(close + 1).simplified();
    if (condition.isEmpty() || (!rest.isEmpty() && !rest.startsWith(u'/')))
        return whole;
    return { .event = text.left(open).simplified(),
        .condition = condition,
        .action = rest.mid(1).trimmed() };
}

} // namespace

void setText(Arc &arc, const QString &text)
{
    Parts parts = parsedParts(text);
    arc.event = std::move(parts.event);
    arc.condition = std::move(parts.condition);
    arc.action = std::move(parts.action);
    arc.label.clear();
    if (arc.text() != text)
        arc.label = text;
}

void askAtChoices(Statechart &chart)
{
    QSet<QString> choices;
    for (const Vertex &vertex : std::as_const(chart.vertices))
        if (vertex.kind == Vertex::Kind::Choice)
            choices.insert(vertex.id);
    for (Arc &arc : chart.arcs) {
        if (arc.event.isEmpty() || !choices.contains(arc.from))
            continue;
        arc.label = arc.text();
        const QString word = arc.event.toLower();
        const bool isElse = word == u"else" || word == u"otherwise";
        if (arc.condition.isEmpty())
            arc.condition = isElse ? u"else"_s : arc.event;
        else if (!isElse)
            arc.condition = andOperand(arc.event) + u" && "_s + andOperand(arc.condition);
        arc.event.clear();
    }
}

bool readsBack(const Arc &arc, Vertex::Kind from)
{
    if (!arc.event.isEmpty() && from == Vertex::Kind::Choice)
        return false;
    const Parts parts = parsedParts(arc.text());
    return parts.event == arc.event && parts.condition == arc.condition
        && parts.action == arc.action;
}

} // namespace instar
