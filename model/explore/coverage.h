// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/engine/admission.h"
#include "model/engine/scenario.h"
#include "model/pack/conflicts.h"

namespace instar {

/// Coverage of a pack's rules under one setting of its switches: the rows of its machines, the
/// meetings of two operations as in the conflict matrix, and the codes with which operations are
/// refused or fail. Rules must outlive it.
class Coverage
{
public:
    explicit Coverage(const Rules &rules);

    void add(const Exercised &exercised);
    const Exercised &exercised() const { return m_exercised; }
    const Rules &rules() const { return m_rules; }
    /// Returns true if it contains something counted here that was not exercised before.
    bool isNew(const Exercised &exercised) const;
    /// Describes the parts of it that are counted here and were not exercised before.
    QStringList news(const Exercised &exercised) const;

    struct Part
    {
        qsizetype exercised = 0, of = 0;
        bool operator==(const Part &) const = default;
    };
    Part rows() const;
    Part meetings() const;
    Part codes() const;

    bool hasRow(int transition) const { return m_exercised.rows.contains(transition); }
    bool hasMet(const Meeting &meeting) const;
    std::vector<int> rowsLeft() const; ///< of Rules::transition
    QList<Meeting> meetingsLeft() const;
    QStringList codesLeft() const;
    /// "resource/3: from Idle on PUT to Busy": the machine, and the index of its row.
    QString rowText(int transition) const;
    /// "DELETE comes while PUT runs at: ancestor".
    static QString meetingText(const Meeting &meeting);

private:
    bool isNew(const Met &met) const;
    bool isNew(const QString &code) const;

    const Rules &m_rules;
    QList<Meeting> m_meetings; ///< all possible ones
    QSet<QString> m_codes;     ///< all possible ones
    Exercised m_exercised;
    std::set<Meeting> m_met; ///< of m_meetings
};

QJsonObject coverageJson(const Coverage &coverage);
/// Returns the coverage as text for people.
QString coverageText(const Coverage &coverage);

/// Shortest trace that exercises something new.
struct NextExercise
{
    std::optional<Scenario> scenario; ///< nothing: none was found
    Exercised gained;                 ///< by its last step, which is new
    qint64 worlds = 0;                ///< states visited
    bool complete = false;            ///< every state reachable with these resources was visited
};

/// Breadth-first search for something that is new to the coverage. Any operation is submitted on
/// any resource, or on one that can be created; running work ends in each outcome that it accepts;
/// and time passes until the next event. The search begins with few resources of each type and goes
/// on with more, up to a hundred, while the budget lasts.
NextExercise nextExercise(const Rules &rules, const Coverage &coverage,
    const QList<ResourceSpec> &resources, const Budget &budget = { .states = 60'000 });

} // namespace instar
