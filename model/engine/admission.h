// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

#include <QSet>

#include <compare>
#include <map>
#include <set>

namespace instar {

struct Context;
struct Subject;

/// Meeting of an incoming operation with another one that runs or waits, by compiled ids.
struct CompiledMeeting
{
    Rules::TriggerId running = Rules::None, incoming = Rules::None;
    int place = 0; ///< index in PlaceWords: position of `running` relative to `incoming`
    int conflict = Rules::None; ///< the conflict row that decides; None: both may run
    auto operator<=>(const CompiledMeeting &) const = default;
};

/// Rows, meetings and error codes of the rules that events have used.
struct Exercised
{
    std::set<int> rows; ///< indices for Rules::transition(), including refusing rows
    std::set<CompiledMeeting> meetings;
    std::set<QString> codes; ///< error codes of refused or failed operations
    /// Bad outcome of an operation's work, and the step of the work list that caused it.
    struct BadEnd
    {
        Rules::TriggerId outcome = Rules::None;
        Rules::StateId state = Rules::None;
        int step = 0;
        quint32 stoppedBy = 0; ///< serial of the required operation whose end stopped it; 0: none
    };
    std::map<quint32, BadEnd> badEnds; ///< serial of an operation -> its last bad end

    void add(const Exercised &other)
    {
        rows.insert(other.rows.begin(), other.rows.end());
        meetings.insert(other.meetings.begin(), other.meetings.end());
        codes.insert(other.codes.begin(), other.codes.end());
    }
};

/// Verdict on a request in the current state, which judging does not change.
struct Admission
{
    enum class Verdict {
        Accepted, ///< the operation starts, and cancels the operations in `cancels`
        Waits,    ///< the operation is queued, and judged again when those in `waitsFor` have ended
        Observed, ///< the operation is done at once and changes no state
        Replayed, ///< the request id is known: the request gets the answer of operation `other`
        Refused,
    };
    /// Cancellation of a running operation.
    struct Cancel
    {
        quint32 serial = 0;
        int row = Rules::None; ///< the conflict row that decides
    };
    Verdict verdict = Verdict::Refused;
    std::vector<Cancel> cancels;
    std::vector<quint32> waitsFor; ///< Waits: serials of operations that run or wait
    quint32 other = 0; ///< serial of another operation. Refused: the conflicting one; Replayed: the
                       ///< original one; Waits: the first of `waitsFor`
    int transition = Rules::None; ///< index of the transition taken, or of the refusing row
    Code entered = 0;             ///< Accepted: the target's new state code
    QString code, message;        ///< Refused: of the error
    int http = 0;                 ///< Refused: HTTP status; 0: none
    QString rule;                 ///< Refused, Waits: text of the deciding row, with its source
    QString needs;   ///< Refused: open conditions that would suffice: `"paid" and "sent"`
    QString witness; ///< Refused: path of the resource for which the row applies; empty: none
    std::vector<int> unanswered; ///< open conditions that had no answer

    // the target
    Resource target = NoResource; ///< NoResource: the operation would create it
    Resource parent = NoResource;
    int machine = Rules::None;
    QString typePath, name, segment;
};

/// Returns the verdict on a request, with the deciding rule and the operations that it would
/// cancel. Checks in order: a known request id; existence of type, parent and resource; operations
/// that change no state; conflicts (one rejecting row is enough to refuse); If-Match and
/// If-None-Match; refusing rows, transition and its constraints; refusing rows for the contents,
/// and for the resources removed. `requirer`: serial of the operation that requires this one, or 0.
/// `untimed`: time is ignored, see Context. `clock`: a later virtual time at which to judge, as if
/// nothing happened until then. `turn`: 0 for a new request; for a waiting one the serial of its
/// operation, which does not wait for later ones.
Admission admission(const Rules &rules, const World &world, const Request &request,
    const QMap<int, bool> &answers = {}, quint32 requirer = 0, bool untimed = false,
    std::optional<qint64> clock = {}, quint32 turn = 0);

/// Adds the meetings of a request with running and waiting operations.
void findMeetings(const Rules &rules, const World &world, const Request &request,
    const QMap<int, bool> &answers, quint32 requirer, std::set<CompiledMeeting> *meetings);

/// Transition that a resource takes on a trigger, and the state code to which it leads.
struct Taken
{
    int transition = Rules::None; ///< index of the first transition whose condition holds
    Code code = 0;
    bool possible = false; ///< false: no condition holds, or constraints forbid all targets
};
Taken taken(const Subject &subject, Code from, Rules::TriggerId trigger, const Context &context);

/// Returns the resources that a request removes when it succeeds: members of the collections that
/// the request replaces, without those among its contents.
std::vector<Resource> replacedBy(const World &world, const Request &request);

/// Error code of an operation whose chain of required operations is too deep.
inline constexpr QStringView TooDeepCode = u"RequirementTooDeep";

/// Returns every error code with which an operation of the pack may be refused or fail.
QSet<QString> errorCodes(const Pack &pack);
/// Returns the error codes that only a server gives, for requests that the server cannot read.
QSet<QString> unreadableCodes(const Pack &pack);
/// Returns the error codes of all refusals, by the engine or by types and rows of the pack.
QSet<QString> refusalCodes(const Pack &pack);
QSet<QString> outcomeCodes(const Pack &pack);

} // namespace instar
