// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/question.h"
#include "model/engine/rules.h"
#include "model/engine/world.h"

#include <compare>
#include <set>

namespace instar {

/// One operation came in while another one was accepted already.
struct Met
{
    Rules::TriggerId running = Rules::None, incoming = Rules::None;
    int place = 0;              ///< of what was accepted, seen from what comes; of PlaceWords
    int conflict = Rules::None; ///< the row of the pack's conflicts that speaks; None: both go on
    auto operator<=>(const Met &) const = default;
};

/// What of the rules an event has used.
struct Exercised
{
    std::set<int> rows; ///< of Rules::transition, those that refuse too
    std::set<Met> meetings;
    std::set<QString> codes; ///< with which operations were refused or failed

    void add(const Exercised &other)
    {
        rows.insert(other.rows.begin(), other.rows.end());
        meetings.insert(other.meetings.begin(), other.meetings.end());
        codes.insert(other.codes.begin(), other.codes.end());
    }
};

/// What becomes of an operation that is asked for, judged on the world as it is; nothing has
/// happened yet.
struct Admission
{
    enum class Verdict {
        Accepted, ///< it starts, and what it cancels is canceled
        Waits,    ///< it is accepted and judged again when those in its way have ended
        Observed, ///< done at once: it leads nowhere
        Replayed, ///< its request id is known: `other` is the answer
        Refused,
    };
    Verdict verdict = Verdict::Refused;
    std::vector<quint32> cancels;  ///< serials of running operations
    std::vector<int> cancelRows;   ///< per canceled operation: the conflict row that says so
    std::vector<quint32> waitsFor; ///< Waits: serials of operations that run or wait
    quint32 other = 0; ///< Refused: the operation in the way; Replayed: the first one; Waits: the
                       ///< first of those in the way
    int transition = Rules::None; ///< the row that it takes, or that refuses
    Code entered = 0;             ///< Accepted: the target's code afterwards
    QString code, message;        ///< Refused
    int http = 0;
    QString rule;    ///< Refused, Waits: the row that speaks, with its source
    QString needs;   ///< Refused: the open conditions that would admit it: `"paid" and "sent"`
    QString witness; ///< Refused: the path of the resource that decided; empty: none did
    std::vector<int> asked; ///< open conditions that had no answer

    // where it leads
    Resource target = NoResource; ///< NoResource: it would be created
    Resource parent = NoResource;
    int machine = Rules::None;
    QString typePath, name, segment;
};

/// What is answered to a kind of refusal that every pack has and this one says nothing of; in the
/// message stand the holes of a pack's own.
struct UsualRefusal
{
    QString code;
    int http = 0;
    QString message;
};
/// Nothing: no pack has it that does not say so.
std::optional<UsualRefusal> usualRefusal(const QString &kind);

/// May an operation start, what does it cancel, and by which rule? The engine's own judge: `step`
/// asks it too. The order is: a known request id; existence of type, parent and resource;
/// operations that lead nowhere; conflicts (one reject refuses all); If-Match and If-None-Match;
/// transition, refusing rows, constraints; then the same of what comes with the target, and of what
/// goes with it. `clock`: as it would be judged at that virtual time, if nothing happens before.
/// `turn`: the serial of one that waits already: later ones are not in its way.
Admission admission(const Rules &rules, const World &world, const Request &request,
    const QMap<int, bool> &answers = {}, quint32 requirer = 0, bool timeless = false,
    std::optional<qint64> clock = {}, quint32 turn = 0);

/// What an operation that is asked for meets, and which row of the pack's conflicts speaks.
void findMeetings(const Rules &rules, const World &world, const Request &request,
    const QMap<int, bool> &answers, quint32 requirer, std::set<Met> *met);

/// The transition a resource takes on a trigger, and the code it leads to; nothing where no row's
/// condition holds, or none of its targets may be entered.
struct Taken
{
    int transition = Rules::None;
    Code code = 0;
    bool possible =
        false; ///< false: no row, a refusing row, or every target's constraint is broken
};
Taken taken(const Subject &subject, Code from, Rules::TriggerId trigger, const Asking &asking);

/// The resources that a request leaves out of the collections which it brings: they go when it
/// succeeds.
std::vector<Resource> replacedBy(const World &world, const Request &request);

/// The world with the references that there are when a request has succeeded: what goes refers to
/// nothing any more, and what is there already refers to what the request says; for what it makes
/// below its target, the target stands in. Nothing else differs.
World withReferencesAfter(
    const World &world, const Request &request, const std::vector<Resource> &goes);

/// What a resource refers to, it does not refer to any more.
void forgetReferences(World &world, Resource resource);
/// A resource refers to these paths, too.
void addReferences(World &world, Resource resource, const QStringList &paths);

/// The operations that take away a resource of a code, at once or when they succeed, in the pack's
/// order.
std::vector<Rules::TriggerId> removers(const Rules &rules, Code code);

} // namespace instar
