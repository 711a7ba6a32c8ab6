// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/engine/admission.h"
#include "model/engine/scenario.h"
#include "model/machine/conflictmatrix.h"

namespace instar {

/// What a pack's rules hold that can be exercised, under one setting of its switches, and how much
/// of it has been: the rows of its machines; the meetings of two operations, as in the conflict
/// matrix; and the codes with which operations are refused or fail. Rules must outlive it.
class Coverage
{
public:
    explicit Coverage(const Rules &rules);

    void add(const Exercised &exercised);
    const Exercised &exercised() const { return m_exercised; }
    const Rules &rules() const { return m_rules; }
    /// Whether something of it is counted here, and was not exercised before.
    bool isNew(const Exercised &exercised) const;
    /// What that is, for people.
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
    /// "resource/3: from Idle on PUT to Busy": the machine, and which of its rows.
    QString rowText(int transition) const;
    /// "DELETE comes while PUT runs at: ancestor".
    static QString meetingText(const Meeting &meeting);

private:
    bool isNew(const Met &met) const;
    bool isNew(const QString &code) const;

    const Rules &m_rules;
    QList<Meeting> m_meetings; ///< all that can be
    QSet<QString> m_codes;     ///< all that can be
    Exercised m_exercised;
    std::set<Meeting> m_met; ///< of those that can be
};

QJsonObject coverageJson(const Coverage &coverage);
/// The same for people.
QString coverageText(const Coverage &coverage);

/// A shortest way to exercise something that was not exercised before.
struct NextExercise
{
    std::optional<Scenario> scenario; ///< nothing: none was found
    Exercised gained;                 ///< by its last step, which is new
    qint64 worlds = 0;                ///< that were met
    bool complete = false; ///< everything that can be reached with these resources was met
};

/// Lets anything happen, breadth first, until something happens that is new to the coverage: any
/// operation is asked of any resource, or of one that is not there yet; whatever works hangs, and
/// ends in each outcome that it takes; and time passes until something happens by itself. It begins
/// with few resources of each type and goes on with more, up to a hundred, as long as the budget
/// lasts.
NextExercise nextExercise(const Rules &rules, const Coverage &coverage,
    const QList<ResourceSpec> &resources, const Budget &budget = { .states = 60'000 });

} // namespace instar
