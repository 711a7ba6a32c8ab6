// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"

namespace instar {

/// Cause of a refusal, cancellation, wait or state change: a row, and the resources it examined.
struct Explanation
{
    enum class Kind {
        Refused,  ///< an operation was refused
        Canceled, ///< an operation was canceled, by another one or by hand
        Waits,    ///< an operation waits for another one, or for a condition
        Moved,    ///< an operation's start, work or end changed a resource's state
        Failed,   ///< the work of an operation had a bad outcome
    };
    /// Cause of a failed or rejected outcome.
    enum class Choice {
        Condition, ///< the condition of the step `row` held
        Option,    ///< the request planned the outcome
        Hand,      ///< a person chose the outcome
        Required,  ///< the required operation `other` did not succeed
        Rules,     ///< none of these: the pack's rules alone
    };
    Kind kind = Kind::Moved;
    qint64 time = 0;       ///< time of the event, virtual ms
    quint32 operation = 0; ///< serial of the operation, or of the one that changed the state
    quint32 other = 0;     ///< serial of the conflicting or canceling operation; 0: none
    QString path;          ///< path of the resource, or of the operation's target
    QString before, after; ///< Moved: state before and after, as clients see it; empty: absent
    QString code, message; ///< code and message of a refusal or error
    Choice choice = Choice::Rules; ///< Failed
    QString outcome;               ///< Failed: name of the bad outcome
    Condition condition {};        ///< Failed: of the step that decided; Waits: the one awaited
    QString rule;                  ///< text of the deciding row or check, with its sources
    const Row *row = nullptr;      ///< deciding row; dangles after the rules change; null: none
    QStringList examined; ///< paths that the row examined, or the target of the other operation
};

/// Returns why an operation was refused or canceled, or waits; otherwise why its target changed
/// state. Absent: the reason is unknown.
std::optional<Explanation> whyOperation(const Controller &controller, quint32 serial);
/// Returns the cause of a resource's last state change up to the time shown; absent: it has none.
std::optional<Explanation> whyResource(const Controller &controller, const QString &path);
/// Returns the request of a refused operation, without its ids, so that it can be submitted again;
/// absent if the log no longer has it.
std::optional<Request> requestToRepeat(const Controller &controller, quint32 refused);

} // namespace instar
