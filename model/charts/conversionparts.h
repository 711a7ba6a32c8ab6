// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/chartplan.h"
#include "model/charts/conversion.h"
#include "model/charts/statechart.h"

#include <QHash>
#include <QSet>

#include <functional>

namespace instar {

// What both ways of making a pack from a statechart need.

/// Gives every name once: "absent", then "absent 2".
class FreshNames
{
public:
    QString unused(const QString &wish);

private:
    QSet<QString> m_taken;
};

/// What a chart says in words at its vertices and arrows, and what of it has found a place.
class ChartTexts
{
public:
    explicit ChartTexts(const Statechart &chart);

    /// The description of a vertex and the notes beside it.
    QString about(const QString &vertex);
    /// The notes beside no vertex.
    QString about() const { return m_notes.value({}).join(u'\n'); }
    /// Puts an arrow's note and what else is written at it into a row.
    void tell(Transition &row, int arc);
    /// The words that were never asked for, each a loss.
    QList<Remark> untold() const;

private:
    const Statechart &m_chart;
    QHash<QString, QStringList> m_notes; ///< by vertex; "": beside none
    QHash<QString, const Vertex *> m_vertices;
    QSet<QString> m_asked; ///< vertices
    QSet<int> m_told;      ///< arcs
};

/// What takes time and ends by itself in this outcome.
QList<Step> workThatUsuallyEnds(const QString &outcome);

/// The same question without constants, but where it is one.
Guard simplified(const Guard &guard);
/// Not for Never. `leaves`: the states in which a resource is when it is in a vertex.
Condition conditionOf(
    const Guard &guard, const std::function<QStringList(const QString &vertex)> &leaves);
Condition labelled(const QString &text);
Condition negated(const Condition &condition);
Condition allOf(const QList<Condition> &conditions);
Condition anyOf(const QList<Condition> &conditions);

/// Words that outcomes of work have.
bool isOutcome(const QString &event);
/// An event that a chart tells itself: "done.state.X" of a state of its own.
bool isCompletion(const ChartPlan &plan, const QString &event);
/// Every event that arrows of a plan wait for by its whole name; "any event" where some wait for
/// "*" and there is none.
QStringList alphabet(const ChartPlan &plan);
/// An operation that no arrow is on: "create", then "create 2".
QString unusedOperation(const QString &wish, const QStringList &alphabet);
/// Those of them that a descriptor means; the descriptor's own name too.
QStringList meant(const QString &descriptor, const QStringList &alphabet);
/// What a pack has in words where the chart has none: where it waits before work that the chart
/// begins with, and how work ends.
Remark waitsFirst(const QString &waiting, const QString &start);
QList<Remark> withoutEvents(const Statechart &chart, const ChartPlan &plan);
/// Descriptors that mean more events than a machine's operations, each a loss.
QList<Remark> narrowed(const Statechart &chart, const ChartPlan &plan);

/// A statechart in which work that can end in several ways says which.
struct OutcomesNamed
{
    Statechart chart;
    QHash<QString, QString> usual; ///< state -> the outcome of its first arrow
    QStringList made;              ///< outcomes, each once
    QList<Remark> remarks;
};

/// Several arrows without event and condition leave some states: of those each becomes one on an
/// outcome named after its target, for only the first would ever be taken. Those of a composite
/// that wait for its end leave from there.
OutcomesNamed withOutcomes(Statechart chart);

// The two ways of making a pack from a statechart; what check() minds is still in it.

/// A pack, and of which lines its machine's transitions are.
struct ConvertedDraft
{
    PackMade made;
    QList<int> lines; ///< of the arrows behind the transitions, in their order; 0: of none
};

/// For a chart without regions and history, where one state is enough.
ConvertedDraft plainPack(const OutcomesNamed &named, const ChartPlan &plan);

/// Every configuration that can be reached as a state.
Result<ConvertedDraft> productPack(const OutcomesNamed &named, const ChartPlan &plan);

// What nothing leads to is not in a pack, and is told.

/// Nothing leads to a vertex, which is called `name`; the arrows that leave it are told with it.
Remark unreached(const Statechart &chart, const QString &vertex, const QString &name);

Remark neverTaken(const Statechart &chart, int arc);

/// The vertices that no run ever enters, and the arcs that none ever follows. `followed`, `passed`:
/// the ways and nodes of the plan that some run does.
QList<Remark> unreached(const Statechart &chart, const ChartPlan &plan, const QSet<int> &followed,
    const QSet<int> &passed);

} // namespace instar
