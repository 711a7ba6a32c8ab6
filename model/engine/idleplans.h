// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/machine/remark.h"

#include <QSet>

#include <map>

namespace instar {

/// Something that a request plans for its work, of which nothing comes.
struct IdlePlan
{
    QStringList keys; ///< where a scenario's step says so: { "work", "Deleting", "outcome" }
    QString why;      ///< one sentence
    bool operator==(const IdlePlan &) const = default;
};

/// What the keys of Request::work name.
class WorkKeys
{
public:
    explicit WorkKeys(const Rules &rules);
    /// Where a key parts into an operation and a path; -1: it names a state.
    qsizetype pathIn(const QString &key) const;
    QString text(const QString &key) const; ///< for messages: in "STATE", of "OPERATION /PATH"

private:
    QSet<QString> m_states;
};

/// What work an operation may lead to, whatever happens; looked up once for each operation of each
/// machine. The rules must outlive it.
class Foresight
{
public:
    explicit Foresight(const Rules &rules);

    /// What nothing can come of where a machine's resource is asked so. An outcome with an error
    /// code of its own can always be told, even where no row takes it.
    QList<IdlePlan> idlePlans(int machine, const Request &request);

private:
    using StateId = Rules::StateId;
    using TriggerId = Rules::TriggerId;
    using States = std::vector<StateId>;
    static constexpr int AnyMachine = -2;

    /// What an operation may lead to.
    struct Work
    {
        States states;   ///< in which it works itself
        States attempts; ///< that end by an attempt: its own, or of what it passes plans on to
        QSet<TriggerId> required;      ///< operations that it requires, or that those require
        QHash<QString, States> pieces; ///< key of a plan -> the attempts that it is about
    };
    Work &workOf(int machine, TriggerId op);
    States statesOf(int machine, TriggerId op) const;
    States attemptsIn(States states) const;
    QSet<TriggerId> requiredIn(States states) const;
    bool isTaken(const States &states, TriggerId outcome) const;
    bool isTold(const States &attempts, const QString &outcome) const;
    QString idlePiece(const Work &work, const QString &key, const States &attempts) const;
    const States &attemptsAt(Work &work, const QString &key);

    const Rules &m_rules;
    std::vector<bool> m_endsWork; ///< trigger -> how work may end
    WorkKeys m_keys;
    std::map<std::pair<int, TriggerId>, Work> m_known;
};

/// What came to nothing in a run of a scenario, one sentence an operation. Left out are operations
/// that still run, those that repeat an answer, and those that the scenario expects to be refused
/// or canceled.
QList<Remark> idlePlans(const Scenario &scenario, const Controller &run);

} // namespace instar
