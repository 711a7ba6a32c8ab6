// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/conversionparts.h"

#include "model/statecharts/chartplan.h"
#include "model/statecharts/interpreter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

QString FreshNames::unused(const QString &wish)
{
    const bool isWord = wish == u"*" || wish == u"(same)" || wish == u"(last)";
    const QString base = wish.isEmpty() || isWord ? wish + u'_' : wish;
    QString name = base;
    for (int number = 2; m_taken.contains(name); ++number)
        name = u"%1 %2"_s.arg(base).arg(number);
    m_taken.insert(name);
    return name;
}

ChartTexts::ChartTexts(const Statechart &chart) : m_chart(chart)
{
    for (const Vertex &vertex : chart.vertices)
        m_vertices.insert(vertex.id, &vertex);
    for (const Note &note : chart.notes)
        m_notes[m_vertices.contains(note.of) ? note.of : QString()] += note.lines.join(u'\n');
}

QString ChartTexts::about(const QString &vertex)
{
    m_asked.insert(vertex);
    const Vertex *found = m_vertices.value(vertex);
    return ((found ? found->description : QStringList()) + m_notes.value(vertex)).join(u'\n');
}

void ChartTexts::describe(Transition &row, int arc)
{
    const Arc &at = m_chart.arcs[arc];
    m_used.insert(arc);
    const auto append = [](QString &to, const QString &text, const QString &between) {
        to += to.isEmpty() || text.isEmpty() ? text : between + text;
    };
    append(row.about, at.note.join(u'\n'), u"\n"_s);
    if (!at.label.isEmpty() || !at.action.isEmpty())
        append(row.label, at.text(), u"; "_s);
}

QList<Diagnostic> ChartTexts::lost() const
{
    QList<Diagnostic> result;
    for (const Vertex &vertex : m_chart.vertices) {
        if (m_asked.contains(vertex.id))
            continue;
        QStringList words = vertex.description + m_notes.value(vertex.id);
        if (!vertex.label.isEmpty())
            words.prepend(vertex.label);
        if (!words.isEmpty())
            result.append({ vertex.line,
                u"\"%1\" is no state of its own; what is written there is left out: %2"_s.arg(
                    vertex.id, words.join(u"; "_s)) });
    }
    for (int i = 0; i < m_chart.arcs.size(); ++i) {
        const Arc &arc = m_chart.arcs[i];
        QStringList words = arc.note;
        if (!arc.label.isEmpty() || !arc.action.isEmpty())
            words.prepend(arc.text());
        if (!words.isEmpty() && !m_used.contains(i))
            result.append({ arc.line,
                u"the arrow from \"%1\" is part of others; what is written at it is left out: %2"_s
                    .arg(arc.from, words.join(u"; "_s)) });
    }
    return result;
}

QList<Step> workThatUsuallyEnds(const QString &outcome)
{
    Step attempt;
    attempt.kind = Step::Kind::Attempt;
    attempt.name = outcome;
    return { attempt };
}

QList<Step> workUntil(const QList<Condition> &conditions)
{
    Step step;
    step.kind = Step::Kind::Until;
    step.until = anyOf(conditions);
    return { step };
}

Guard simplified(const Guard &guard)
{
    if (guard.kind == Guard::Kind::Else)
        return {};
    if (guard.kind == Guard::Kind::Not) {
        const Guard part = simplified(guard.parts.first());
        if (part.kind == Guard::Kind::Always || part.kind == Guard::Kind::Never)
            return { part.kind == Guard::Kind::Always ? Guard::Kind::Never : Guard::Kind::Always,
                {}, {} };
        return part.kind == Guard::Kind::Not ? part.parts.first()
                                             : Guard { Guard::Kind::Not, {}, { part } };
    }
    if (guard.kind != Guard::Kind::All && guard.kind != Guard::Kind::Any)
        return guard;
    const Guard::Kind neutral =
        guard.kind == Guard::Kind::All ? Guard::Kind::Always : Guard::Kind::Never;
    const Guard::Kind decisive =
        guard.kind == Guard::Kind::All ? Guard::Kind::Never : Guard::Kind::Always;
    QList<Guard> parts;
    for (const Guard &each : guard.parts) {
        const Guard part = simplified(each);
        if (part.kind == decisive)
            return part;
        if (part.kind != neutral)
            parts += part;
    }
    if (parts.isEmpty())
        return { neutral, {}, {} };
    return parts.size() == 1 ? parts.first() : Guard { guard.kind, {}, parts };
}

Condition labelled(const QString &text)
{
    Condition condition;
    condition.kind = Condition::Kind::Label;
    condition.text = text;
    return condition;
}

Condition negated(const Condition &condition)
{
    if (condition.kind == Condition::Kind::Not)
        return condition.parts.first();
    Condition result;
    result.kind = Condition::Kind::Not;
    result.parts = { condition };
    return result;
}

Condition allOf(const QList<Condition> &conditions)
{
    if (conditions.isEmpty())
        return {};
    if (conditions.size() == 1)
        return conditions.first();
    Condition result;
    result.kind = Condition::Kind::All;
    result.parts = conditions;
    return result;
}

Condition anyOf(const QList<Condition> &conditions)
{
    if (conditions.size() == 1)
        return conditions.first();
    QList<Condition> parts;
    for (const Condition &each : conditions)
        parts += negated(each);
    return negated(allOf(parts));
}

Condition conditionOf(const Guard &guard, const std::function<QStringList(const QString &)> &leaves)
{
    QList<Condition> parts;
    for (const Guard &part : guard.parts)
        parts += conditionOf(part, leaves);
    switch (guard.kind) {
    case Guard::Kind::Name:
        return labelled(guard.text);
    case Guard::Kind::In: {
        Condition condition;
        condition.kind = Condition::Kind::Related;
        condition.text = u"self"_s;
        condition.states = leaves(guard.text);
        return condition;
    }
    case Guard::Kind::Not:
        return negated(parts.first());
    case Guard::Kind::All:
        return allOf(parts);
    case Guard::Kind::Any:
        return anyOf(parts);
    default:
        return {};
    }
}

bool isOutcome(const QString &event)
{
    static const QStringList words { u"succeeded"_s, u"failed"_s, u"canceled"_s, u"rejected"_s,
        u"invalid"_s, u"retried"_s };
    return words.contains(event);
}

bool isCompletion(const ChartPlan &plan, const QString &event)
{
    return event.startsWith(u"done.state.") && plan.index.contains(event.sliced(11));
}

QStringList alphabet(const ChartPlan &plan)
{
    QStringList result;
    QSet<QString> seen;
    bool takesAny = false;
    for (const ChartPlan::Way &way : plan.ways) {
        for (QString event : way.events) {
            takesAny = takesAny || event == u"*";
            if (event.endsWith(u".*"))
                event.chop(2);
            else if (event.endsWith(u'.'))
                event.chop(1);
            if (event != u"*" && !event.isEmpty() && !seen.contains(event)) {
                seen.insert(event);
                result += event;
            }
        }
    }
    const bool isNamed = std::ranges::any_of(
        result, [&](const QString &event) { return !isCompletion(plan, event); });
    if (takesAny && !isNamed)
        result += u"any event"_s;
    return result;
}

QString unusedOperation(const QString &wish, const QStringList &alphabet)
{
    QString name = wish;
    for (int number = 2; alphabet.contains(name); ++number)
        name = u"%1 %2"_s.arg(wish).arg(number);
    return name;
}

QStringList meant(const QString &descriptor, const QStringList &alphabet)
{
    QStringList result;
    for (const QString &event : alphabet) {
        if (describes(descriptor, event))
            result += event;
    }
    return result;
}

Diagnostic waitsFirst(const QString &waiting, const QString &start)
{
    return { 0,
        u"the chart begins with work; the pack begins in \"%1\", and the operation \"%2\" leads on"_s
            .arg(waiting, start),
        Diagnostic::Severity::Note };
}

QList<Diagnostic> withoutEvents(const Statechart &chart, const ChartPlan &plan)
{
    QList<int> arcs;
    for (const ChartPlan::Way &way : plan.ways) {
        if (way.isWork && way.arc >= 0 && !arcs.contains(way.arc))
            arcs += way.arc;
    }
    if (arcs.isEmpty())
        return {};
    const Arc &first = chart.arcs[arcs.first()];
    const QString more = arcs.size() > 1 ? u"; so are %1 others"_s.arg(arcs.size() - 1) : QString();
    return { { first.line,
        u"%1 has no event; in the pack it is on \"succeeded\", the end of work%2"_s.arg(
            arrowWords(first), more),
        Diagnostic::Severity::Note } };
}

QList<Diagnostic> narrowed(const Statechart &chart, const ChartPlan &plan)
{
    QList<Diagnostic> result;
    const QStringList all = alphabet(plan);
    for (const Arc &arc : chart.arcs) {
        for (const QString &descriptor : arc.events()) {
            if (descriptor != u"*" && !descriptor.endsWith(u".*") && !descriptor.endsWith(u'.'))
                continue;
            QStringList events = meant(descriptor, all);
            events.removeIf([&](const QString &event) { return isCompletion(plan, event); });
            constexpr qsizetype Named = 8;
            const qsizetype more = events.size() - Named;
            const QString names = u'"' + events.mid(0, Named).join(u"\", \""_s) + u'"'
                + (more > 0 ? u" and %1 more"_s.arg(more) : QString());
            result.append({ arc.line,
                u"\"%1\" at an arrow of \"%2\" means every event of that kind; in the pack it means %3 only"_s
                    .arg(descriptor, arc.from, names) });
        }
    }
    return result;
}

namespace {

/// `to "b" (line 7)`
QString briefly(const Arc &arc)
{
    const QString what = arc.to.isEmpty() ? u"on \"%1\""_s.arg(arc.event.simplified())
                                          : u"to \"%1\""_s.arg(arc.to.join(u"\", \""_s));
    return arc.line > 0 ? u"%1 (line %2)"_s.arg(what).arg(arc.line) : what;
}

} // namespace

Diagnostic unreached(const Statechart &chart, const QString &vertex, const QString &name)
{
    QStringList arrows;
    for (const Arc &arc : chart.arcs) {
        if (arc.from == vertex)
            arrows += briefly(arc);
    }
    const QString last = arrows.isEmpty() ? QString() : arrows.takeLast();
    QString text = u"nothing leads to \"%1\"; it is not in the pack"_s.arg(name);
    if (!arrows.isEmpty())
        text += u", nor are its arrows "_s + arrows.join(u", "_s) + u" and "_s + last;
    else if (!last.isEmpty())
        text += u", nor is its arrow "_s + last;
    const Vertex *at = chart.vertex(vertex);
    return { at ? at->line : 0, text };
}

Diagnostic neverTaken(const Statechart &chart, int arc)
{
    const Arc &at = chart.arcs[arc];
    return { at.line, arrowWords(at) + u" is never taken; it is not in the pack"_s };
}

} // namespace instar
