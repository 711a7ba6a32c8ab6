// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/admission.h"
#include "model/pack/conflicts.h"

namespace instar {

/// Coverage of a pack's rules under one setting of its switches: the rows of its machines, the
/// meetings of two operations as in the conflict matrix, and the codes with which operations are
/// refused or fail. The rules must outlive the coverage.
class Coverage
{
public:
    explicit Coverage(const Rules &rules);

    /// Adds exercised rows, meetings and codes; returns true if any of them is new.
    bool add(const Exercised &exercised);
    const Exercised &exercised() const { return m_exercised; }
    const Rules &rules() const { return m_rules; }

    struct Part
    {
        qsizetype exercised = 0, of = 0; ///< number of exercised ones, and of all
        bool operator==(const Part &) const = default;
    };
    Part rows() const { return { qsizetype(m_exercised.rows.size()), m_rules.transitionCount() }; }
    Part meetings() const { return { qsizetype(m_met.size()), m_meetings.size() }; }
    Part codes() const { return { m_codes.size() - codesLeft().size(), m_codes.size() }; }

    QStringList rowsLeft() const; ///< rows not exercised, as rowText()
    QList<Meeting> meetingsLeft() const;
    QStringList codesLeft() const;
    /// Returns machine, index and text of a row: "resource/3: from Idle on PUT to Busy".
    QString rowText(int transition) const;

private:
    const Rules &m_rules;
    QList<Meeting> m_meetings; ///< all possible meetings, sorted
    QSet<QString> m_codes;     ///< all possible codes
    Exercised m_exercised;
    std::set<Meeting> m_met; ///< exercised meetings
};

QJsonObject coverageJson(const Coverage &coverage);
QString coverageText(const Coverage &coverage);
} // namespace instar
