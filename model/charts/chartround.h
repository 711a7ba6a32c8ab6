// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/interpreter.h"

#include <QSet>

#include <set>

namespace instar {

/// One round of transitions: what is left, and what is entered instead. The names are those of the
/// recommendation's procedures as far as they go.
class ChartRound
{
public:
    ChartRound(const ChartPlan &plan, Situation &situation, const Answers &answers);
    /// The ways that an event sets off; without one, those that are taken at once.
    QList<int> selected(const QString *event, bool withWork) const;
    void take(const QList<int> &ways);
    void begin();

private:
    bool isAtomic(int node) const;
    bool isActive(int node) const { return m_active.contains(node); }
    bool holds(const Guard &guard) const;
    int firstWay(int node, const QString *event, bool withWork) const;
    bool haveArrived(const ChartPlan::Way &way) const;
    bool isDone(int node) const;
    /// What is further in wins; else what comes first in the document.
    QList<int> withoutConflicts(const QList<int> &ways) const;
    /// Where a history vertex leads now.
    QList<int> remembered(int history) const;
    QList<int> effective(const ChartPlan::Way &way) const;
    /// The innermost composite, not parallel, that a way does not leave.
    int domainOf(const ChartPlan::Way &way) const;
    bool arrivesFrom(const ChartPlan::Way &way, int around) const;
    QSet<int> left(const ChartPlan::Way &way) const;
    void leave(const QSet<int> &nodes);
    bool entersInside(int node) const;
    void enterWithin(int node);
    void enterRegions(int node);
    void enterAround(int node, int domain);
    void arrive();
    void tell(const OwnEvents &events);
    /// A final state directly in a composite was entered.
    void finish(int composite);

    const ChartPlan &m;
    Situation &s;
    const Answers &m_answers;
    std::set<int> m_active;
    std::set<int> m_entering;
};

} // namespace instar
