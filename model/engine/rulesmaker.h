// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/machine/run.h"

namespace instar {

/// Turns a pack's names into numbers, once; Rules::make() is its only user.
class RulesMaker
{
public:
    Result<Rules> made(const Pack &pack, const Switches &switches);

private:
    using TriggerId = Rules::TriggerId;
    using StateId = Rules::StateId;

    // switches, names, types
    void fail(const QString &text);
    void takeSwitches(const Switches &given);
    TriggerId trigger(const QString &name);
    int word(const QString &name);
    void nameTriggers();
    void nameStates();
    StateId stateIn(int machine, const QString &id, const QString &what);
    void makeTypes();

    // what the rows ask and say
    Rules::Relation relation(const QString &text) const;
    std::vector<bool> wordSet(const QStringList &words);
    int label(const QString &text);
    Rules::Question question(const Condition &condition, int depth = 0);
    std::vector<Rules::Figure> figures(const QList<Figure> &list);
    Rules::Clock clock(const Timer &timer);
    void makeStates();
    const State *stateRow(const Rules::StateRule &rule) const;
    bool readsLast(int index) const;
    void makeCodes();
    void makeTransitions();
    void makeCandidates(const std::vector<std::vector<int>> &compiled);
    static bool isLocal(const Rules::Question &question);
    void makeConstraintsAndConflicts();
    static bool looksFar(const Rules::Question &question);
    bool looksFar(TriggerId operation) const;
    void makeClock();

    // what asks nothing of the single resource
    /// The first row on a trigger that asks nothing of the single resource; None where the first
    /// row does ask.
    int plainRow(Code code, TriggerId trigger) const;
    void makeSweeps();
    void sweepEvent(Rules::Sweep &sweep, Code code, TriggerId trigger) const;
    void sweepOutcome(Rules::Sweep &sweep, Code code, TriggerId outcome) const;

    Rules m;
    std::vector<WaysOut> m_ways; ///< machine -> the rows out of its states
    QString m_error;
    QStringList m_lastWords;
};

} // namespace instar
