// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/admission.h"

namespace instar {

/// Judges one request; admission() and findMeetings() are its only users. isReplay() and
/// leadsNowhere() return true when they have spoken, every other check false.
class Judge
{
public:
    Judge(const Rules &rules, const World &world, const Request &request,
        const QMap<int, bool> &answers, quint32 requirer, bool timeless,
        std::optional<qint64> clock, quint32 turn);
    Admission judged();
    void findMeetings(std::set<Met> *met);

private:
    // the order of the checks, and each of them
    bool isReplay();
    bool exists();
    bool leadsNowhere();
    bool preconditionsHold();
    /// False where a row refuses the operation on a resource in that state.
    bool refusesNot(const Subject &subject, Code from);
    bool transitionExists();
    /// What comes with the target is asked like it.
    bool contentsFit();
    /// What the request leaves out of the collections that it brings is asked as if it were removed
    /// by itself.
    bool replacedMayGo();
    /// False where every operation that could remove the resource is refused, as the first one is.
    bool mayGo(const World &then, Resource resource);

    // operations that run or wait
    quint32 whereIs(const Queued &queued) const;
    quint32 whereIs(Resource other) const;
    const Rules::ConflictRule *ruleFor(quint32 where, Rules::TriggerId other) const;
    /// False where the row refuses.
    bool takes(const Rules::ConflictRule *rule, quint32 serial);
    bool conflictsAllow();
    bool runningAllow();
    bool queueAllows();
    std::vector<quint32> chainBack(quint32 serial) const;
    bool waitsForItself();

    // what is said when a check fails
    /// The open conditions, not said to hold, that alone keep the operation's rows from being
    /// taken; empty: something else does.
    QString neededLabels() const;
    bool refused(const QString &kind);
    bool refused(const QString &kind, int index, const QString &rule);

    const Rules &m_rules;
    const World &m_world;
    const Request &m_request;
    Rules::TriggerId m_op;
    quint32 m_root = 0;
    quint32 m_requirer = 0;
    quint32 m_turn = 0; ///< 0: the newest of all
    QString m_ring;     ///< of operations that wait for each other, in words
    Admission m_result;
    Asking m_asking;
    Subject m_subject;
    Code m_from = 0;
};

} // namespace instar
