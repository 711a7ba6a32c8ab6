// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/admission.h"
#include "model/pack/conflicts.h"

namespace instar {

/// Coverage of a pack's rules under one setting of its switches: the rows of its machines, the
/// meetings of two operations as in the conflict matrix, and the codes with which operations are
/// refused or fail. Rules must outlive it.
class Coverage
{
public:
    explicit Coverage(const Rules &rules);

    /// Adds exercised rows, meetings and codes; returns true if some are new.
    bool add(const Exercised &exercised);
    const Exercised &exercised() const { return m_exercised; }
    const Rules &rules() const { return m_rules; }

    struct Part
    {
        qsizetype exercised = 0, of = 0;
        bool operator==(const Part &) const = default;
    };
    Part rows() const { return { qsizetype(m_exercised.rows.size()), m_rules.transitionCount() }; }
    Part meetings() const { return { qsizetype(m_met.size()), m_meetings.size() }; }
    Part codes() const { return { m_codes.size() - codesLeft().size(), m_codes.size() }; }

    QStringList rowsLeft() const; ///< as rowText()
    QList<Meeting> meetingsLeft() const;
    QStringList codesLeft() const;
    /// "resource/3: from Idle on PUT to Busy": the machine, and the index of its row.
    QString rowText(int transition) const;

private:
    const Rules &m_rules;
    QList<Meeting> m_meetings; ///< all possible ones
    QSet<QString> m_codes;     ///< all possible ones
    Exercised m_exercised;
    std::set<Meeting> m_met; ///< of m_meetings
};

QJsonObject coverageJson(const Coverage &coverage);
QString coverageText(const Coverage &coverage);
} // namespace instar
