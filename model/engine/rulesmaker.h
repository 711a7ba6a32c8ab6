// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/machine/run.h"

#include <QSet>

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
    bool readsLast(int index) const;
    void makeCodes();
    void makeTransitions();
    void makeLayers();
    int layer(int machine, const QString &name, int around);
    static bool isLocal(const Rules::Question &question);
    void makeConstraintsAndConflicts();
    static bool looksFar(const Rules::Question &question);
    bool looksFar(TriggerId operation) const;
    void makeClock();

    Rules m;
    std::vector<WaysOut> m_ways;              ///< machine -> the rows out of its states
    std::vector<const State *> m_rows;        ///< state -> the row in the pack
    std::vector<std::vector<int>> m_compiled; ///< machine -> row -> transition; None: not applied
    std::vector<QHash<std::pair<QString, int>, int>> m_layers; ///< machine -> (name, around) ->
    QString m_error;
    QSet<QString> m_lastWords;
    size_t m_wordsAsked = 0; ///< sizes of all word sets
};

} // namespace instar
