// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/chartplan.h"
#include "model/statecharts/conversion.h"
#include "model/statecharts/statechart.h"

#include <QHash>
#include <QSet>

#include <functional>

namespace instar {

/// Source of unique names: "absent", then "absent 2".
class FreshNames
{
public:
    QString unused(const QString &wish);

private:
    QSet<QString> m_taken;
};

/// Texts of a chart's vertices, arrows and notes, with a record of which of them the pack has.
class ChartTexts
{
public:
    explicit ChartTexts(const Statechart &chart);

    /// The description of a vertex and the notes beside it.
    QString about(const QString &vertex);
    /// The notes beside no vertex.
    QString about() const { return m_notes.value({}).join(u'\n'); }
    /// Adds an arrow's note and label to a row.
    void describe(Transition &row, int arc);
    /// Texts that the pack does not have, each a loss.
    QList<Diagnostic> lost() const;

private:
    const Statechart &m_chart;
    QHash<QString, QStringList> m_notes; ///< by vertex; "": beside none
    QHash<QString, const Vertex *> m_vertices;
    QSet<QString> m_asked; ///< vertices
    QSet<int> m_used;      ///< arcs
};

/// Work that takes time and ends in this outcome by itself.
QList<Step> workThatUsuallyEnds(const QString &outcome);
/// Work that ends as soon as one of the conditions holds.
QList<Step> workUntil(const QList<Condition> &conditions);

/// An equal guard in which no part is constant.
Guard simplified(const Guard &guard);
/// Condition of a pack for a guard other than Never. `leaves`: the simple states in a vertex.
Condition conditionOf(
    const Guard &guard, const std::function<QStringList(const QString &vertex)> &leaves);
Condition labelled(const QString &text);
Condition negated(const Condition &condition);
Condition allOf(const QList<Condition> &conditions);
Condition anyOf(const QList<Condition> &conditions);

/// Whether an event has the name of a built-in outcome.
bool isOutcome(const QString &event);
/// Whether an event is "done.state.X" of a state of the chart, which the chart raises itself.
bool isCompletion(const ChartPlan &plan, const QString &event);
/// Every event that arrows of a plan wait for by its whole name; "any event" where some wait for
/// "*" and there is none.
QStringList alphabet(const ChartPlan &plan);
/// An operation that no arrow is on: "create", then "create 2".
QString unusedOperation(const QString &wish, const QStringList &alphabet);
/// Events of the alphabet that a descriptor matches.
QStringList meant(const QString &descriptor, const QStringList &alphabet);
/// Diagnostic on the state and the operation that a pack adds where the chart begins with work.
Diagnostic waitsFirst(const QString &waiting, const QString &start);
/// Diagnostic on the arrows without event, which the pack has on "succeeded".
QList<Diagnostic> withoutEvents(const Statechart &chart, const ChartPlan &plan);
/// Descriptors that mean more events than a machine's operations, each a loss.
QList<Diagnostic> narrowed(const Statechart &chart, const ChartPlan &plan);

/// A statechart in which every outcome of work has a name.
struct OutcomesNamed
{
    Statechart chart;
    QHash<QString, QString> usual; ///< state -> the outcome of its first arrow
    QStringList made;              ///< outcomes, each once
    QList<Diagnostic> remarks;
};

/// Names outcomes: where several arrows without event and condition leave a state, each becomes one
/// on an outcome named after its target, since only the first would ever be taken. Completion
/// arrows of a composite leave its final states instead.
OutcomesNamed withOutcomes(Statechart chart);

/// A pack in which check() may still find errors, and the lines of its machine's transitions.
struct ConvertedDraft
{
    PackMade made;
    QList<int> lines; ///< of the arrows behind the transitions, in their order; 0: of none
};

/// Pack of a chart without regions and history: its states are the machine's.
ConvertedDraft plainPack(const OutcomesNamed &named, const ChartPlan &plan);

/// Diagnostic on a vertex called `name` that nothing leads to, with the arrows that leave it.
Diagnostic unreached(const Statechart &chart, const QString &vertex, const QString &name);

Diagnostic neverTaken(const Statechart &chart, int arc);

} // namespace instar
