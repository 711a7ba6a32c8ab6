// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/statechart.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <utility>

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
    const auto found = std::ranges::find(vertices, wanted, &Vertex::id);
    return found == vertices.end() ? nullptr : &*found;
}

QString generatedId(const QString &parent, QStringView word, const char *between)
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

void makeChoiceConditions(Statechart &chart)
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

namespace {

constexpr int DeepestGuard = 64;

/// Splits a text at tokens outside parentheses and quotes; empty if the parentheses do not match.
QList<QStringView> splitOutside(QStringView token, QStringView text)
{
    QList<QStringView> parts;
    qsizetype begin = 0, depth = 0;
    QChar quote;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (!quote.isNull()) {
            if (c == quote)
                quote = QChar();
        } else if ((c == u'\'' || c == u'"') && text.indexOf(c, i + 1) > 0) {
            quote = c;
        } else if (c == u'(') {
            ++depth;
        } else if (c == u')' && --depth < 0) {
            return {};
        } else if (depth == 0 && text.sliced(i).startsWith(token)) {
            parts += text.sliced(begin, i - begin);
            begin = i + token.size();
            i = begin - 1;
        }
    }
    parts += text.sliced(begin);
    return depth == 0 ? parts : QList<QStringView>();
}

Guard namedGuard(QStringView name)
{
    if (name == u"true")
        return {};
    if (name == u"false")
        return { Guard::Kind::Never, {}, {} };
    if (name.startsWith(u"In(") && name.endsWith(u')')) {
        QStringView id = name.sliced(3).chopped(1).trimmed();
        if (id.size() > 1 && (id.front() == u'\'' || id.front() == u'"') && id.back() == id.front())
            id = id.sliced(1).chopped(1);
        return { Guard::Kind::In, id.toString(), {} };
    }
    return { Guard::Kind::Name, name.toString(), {} };
}

/// Parses a guard; returns nothing after a syntax error.
std::optional<Guard> guardFrom(QStringView text, int depth = 0)
{
    using Operator = std::pair<Guard::Kind, QStringView>;
    text = text.trimmed();
    for (const auto &[kind, token] :
        { Operator(Guard::Kind::Any, u"||"), Operator(Guard::Kind::All, u"&&") }) {
        const QList<QStringView> operands = splitOutside(token, text);
        if (operands.size() == 1)
            continue;
        Guard guard { kind, {}, {} };
        for (const QStringView operand : operands) {
            const std::optional<Guard> part = guardFrom(operand, depth);
            if (!part)
                return {};
            guard.parts += *part;
        }
        return operands.isEmpty() ? std::nullopt : std::optional(guard);
    }
    if (text.isEmpty() || depth > DeepestGuard)
        return {};
    if (text.startsWith(u'!')) {
        const std::optional<Guard> part = guardFrom(text.sliced(1), depth + 1);
        return part ? std::optional(Guard { Guard::Kind::Not, {}, { *part } }) : std::nullopt;
    }
    if (text.startsWith(u'('))
        return text.endsWith(u')') ? guardFrom(text.sliced(1).chopped(1), depth + 1) : std::nullopt;
    return namedGuard(text);
}

} // namespace

Guard guardOf(const QString &condition)
{
    const QString text = condition.trimmed();
    if (text.isEmpty())
        return {};
    if (text == u"else")
        return { Guard::Kind::Else, {}, {} };
    return guardFrom(text).value_or(Guard { Guard::Kind::Name, text, {} });
}

namespace {

constexpr double BoldFrom = 2; ///< points of a stroke's width

double firstNumber(QStringView text)
{
    const auto *const end = std::ranges::find_if_not(
        text, [](QChar letter) { return letter.isDigit() || letter == u'.'; });
    return text.left(end - text.begin()).toDouble();
}

void applyDeclaration(ChartStyle &style, QStringView key, QStringView value)
{
    if (key == u"fill" || key == u"background")
        style.fill = colourOf(value);
    else if (key == u"stroke")
        style.stroke = colourOf(value);
    else if (key == u"color")
        style.text = colourOf(value);
    else if (key == u"stroke-dasharray") // such as "5 5": dotted if its dashes are shorter than 3
        style.dash = firstNumber(value) <= 0 ? ChartStyle::Dash::None
            : firstNumber(value) < 3         ? ChartStyle::Dash::Dotted
                                             : ChartStyle::Dash::Dashed;
    else if (key == u"stroke-width")
        style.isBold = firstNumber(value) >= BoldFrom;
}

} // namespace

QString colourOf(QStringView written)
{
    while (written.startsWith(u'#'))
        written = written.sliced(1);
    const QString name = written.toString().toLower();
    const bool isNumber = (name.size() == 3 || name.size() == 6 || name.size() == 8)
        && std::ranges::all_of(
            name, [](QChar each) { return each.isDigit() || (each >= u'a' && each <= u'f'); });
    return isNumber ? u'#' + name : name;
}

QStringList strokeWords(const ChartStyle &style)
{
    QStringList words;
    if (style.dash != ChartStyle::Dash::None)
        words += style.dash == ChartStyle::Dash::Dashed ? u"dashed"_s : u"dotted"_s;
    if (style.isBold)
        words += u"bold"_s;
    return words;
}

QString cssOf(const ChartStyle &style)
{
    QStringList parts;
    if (!style.fill.isEmpty())
        parts += u"fill:"_s + style.fill;
    if (!style.stroke.isEmpty())
        parts += u"stroke:"_s + style.stroke;
    if (style.isBold)
        parts += u"stroke-width:3px"_s;
    if (style.dash != ChartStyle::Dash::None)
        parts += style.dash == ChartStyle::Dash::Dotted ? u"stroke-dasharray:1 3"_s
                                                        : u"stroke-dasharray:5 5"_s;
    if (!style.text.isEmpty())
        parts += u"color:"_s + style.text;
    return parts.join(u',');
}

ChartStyle styleOfCss(const QString &css, ChartStyle base)
{
    static const QRegularExpression separator(u"[,;]"_s);
    for (const QString &part : css.split(separator, Qt::SkipEmptyParts)) {
        const qsizetype colon = part.indexOf(u':');
        if (colon > 0)
            applyDeclaration(base, QStringView(part).left(colon).trimmed(),
                QStringView(part).sliced(colon + 1).trimmed());
    }
    return base;
}

static const QStringList towardsWords { {}, u"left"_s, u"right"_s, u"up"_s, u"down"_s };

QString wordOf(Towards towards)
{
    return towardsWords[int(towards)];
}

Towards towardsOf(const QString &word)
{
    for (qsizetype i = 1; i < towardsWords.size() && !word.isEmpty(); ++i)
        if (towardsWords[i].startsWith(word[0].toLower()))
            return Towards(i);
    return Towards::Anywhere;
}

} // namespace instar
