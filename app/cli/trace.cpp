// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "model/json/output.h"
#include "model/pack/nearest.h"
#include "model/statecharts/interpreter.h"

#include <QSet>

#include <algorithm>

namespace instar {

namespace {

struct TraceOptions
{
    MachineInput in;
    QString events, conditions;
};

/// Splits a comma-separated list; empty parts are dropped.
QStringList namesIn(const QString &list)
{
    QStringList names = list.split(u',');
    for (QString &name : names)
        name = name.trimmed();
    names.removeAll(QString());
    return names;
}

/// Merges a machine's final vertex with the initial one: a removed resource can be created again.
void mergeFinalWithInitial(Statechart &chart)
{
    const auto isOutermost = [](Vertex::Kind kind) {
        return [kind](const Vertex &vertex) {
            return vertex.kind == kind && vertex.parent.isEmpty() && !vertex.isNamed;
        };
    };
    const auto initialVertex =
        std::ranges::find_if(chart.vertices, isOutermost(Vertex::Kind::Initial));
    const auto end = std::ranges::find_if(chart.vertices, isOutermost(Vertex::Kind::Final));
    if (initialVertex == chart.vertices.end())
        return;
    initialVertex->isNamed = true;
    if (end == chart.vertices.end())
        return;
    for (Arc &arc : chart.arcs)
        std::ranges::replace(arc.to, end->id, initialVertex->id);
    chart.vertices.erase(end);
}

/// Returns one line of the output. `event`: absent for the initial configuration.
QByteArray line(const std::optional<QString> &event, const QStringList &configuration)
{
    Output object = Output::object();
    object.add(u"event", event ? Output::string(*event) : Output::raw("null"));
    object.add(u"configuration", Output::strings(configuration));
    return object.oneLine() + '\n';
}

void addConditionNames(const Guard &guard, QSet<QString> &names)
{
    if (guard.kind == Guard::Kind::Name)
        names.insert(guard.text);
    for (const Guard &part : guard.parts)
        addConditionNames(part, names);
}

/// Returns a warning for each condition that no guard uses and each event that no arrow awaits.
QList<Diagnostic> unusedNames(
    const ChartPlan &plan, const QStringList &conditions, QStringList events)
{
    QSet<QString> guards;
    QStringList awaited;
    for (const ChartPlan::Edge &edge : plan.edges) {
        awaited += edge.events;
        addConditionNames(edge.guard, guards);
        for (const ChartPlan::Arrival &arrival : edge.arrivals)
            addConditionNames(arrival.guard, guards);
    }
    QList<Diagnostic> result;
    for (const QString &condition : conditions) {
        const QString name = condition.startsWith(u'!') ? condition.sliced(1).trimmed() : condition;
        if (!guards.contains(name))
            result.append({ 0, u"no transition has the condition \"%1\" as a guard"_s.arg(name) });
    }
    awaited.removeDuplicates();
    events.removeDuplicates();
    // With more mistakes, the user has probably chosen the wrong file.
    constexpr qsizetype mostSuggested = 100;
    for (const QString &event : std::as_const(events)) {
        if (std::ranges::any_of(
                awaited, [&](const QString &descriptor) { return describes(descriptor, event); }))
            continue;
        const QString meant =
            result.size() < mostSuggested ? suggestion(event, awaited) : QString();
        result.append({ 0, u"no arrow waits for the event \"%1\"%2"_s.arg(event, meant) });
    }
    return result;
}

Exit traceMachine(const TraceOptions &given)
{
    const QString &name = given.in.file;
    const MachineFile file = valueOf(loadMachines(name, given.in.format));
    StatechartMade made = valueOf(chartIn(file, given.in.machine));
    if (file.pack)
        mergeFinalWithInitial(made.chart);
    ChartPlan plan = valueOf(planOf(made.chart), name + u": "_s);
    const QStringList conditions = namesIn(given.conditions);
    const QStringList events = namesIn(given.events);
    showDiagnostics(
        name, file.remarks + made.remarks + plan.remarks + unusedNames(plan, conditions, events));
    const QSet<QString> trueConditions(conditions.begin(), conditions.end());
    const Answers answers = [&](const QString &id) { return trueConditions.contains(id); };

    const Interpreter interpreter(std::move(plan));
    Move move = interpreter.begun(answers);
    QByteArray lines = line({}, interpreter.configuration(move.to));
    for (const QString &event : events) {
        if (move.isEndless)
            break;
        move = interpreter.after(move.to, event, answers);
        lines += line(event, interpreter.configuration(move.to));
    }
    print(lines);
    if (move.isEndless)
        throw CommandError {
            u"%1: transitions without events form an endless loop; give one of the transitions an event"_s
                .arg(name)
        };
    return Exit::Fine;
}

} // namespace

Command traceCommand()
{
    static TraceOptions given;
    return { "trace",
        "Run one machine and print its configuration after each event, one JSON object per line",
        machineOptions(&given.in)
            + QList<Option> {
                { "--events", &given.events, "The events, in order: a,b,c", "NAMES" },
                { "--conditions", &given.conditions,
                    "Conditions that are true, such as a,b; all others are false, and may be listed as !c", "NAMES" },
            },
        [] { return traceMachine(given); } };
}

} // namespace instar
