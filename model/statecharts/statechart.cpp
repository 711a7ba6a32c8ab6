// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/statechart.h"

#include <QRegularExpression>
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

QString madeUpId(const QString &parent, QStringView word, const char *between)
{
    return parent.isEmpty() ? word.toString()
                            : parent + QLatin1StringView(between) + word.toString();
}

const char *idSeparator(Vertex::Kind kind)
{
    return kind == Vertex::Kind::State || kind == Vertex::Kind::Parallel ? "_" : ".";
}

namespace {

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

Parts parsedParts(const QString &text)
{
    // The event, then an action, or a condition in matching brackets and perhaps an action.
    static const QRegularExpression rule(
        uR"(^([^[]*?)(?:(?<!\S)/(?=\s)(.*)|\[((?:[^][]++|\[(?3)])*+)]\s*(?:/(.*))?)$)"_s,
        QRegularExpression::DotMatchesEverythingOption
            | QRegularExpression::UseUnicodePropertiesOption);
    const QRegularExpressionMatch match = rule.match(text.trimmed());
    const auto part = [&](int group) { return match.captured(group).simplified(); };
    if (!match.hasMatch() || (match.hasCaptured(3) && part(3).isEmpty()))
        return { .event = text.simplified(), .condition = {}, .action = {} };
    return { .event = part(1), .condition = part(3), .action = part(2) + part(4) };
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
