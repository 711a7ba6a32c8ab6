// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"
#include "model/engine/rules.h"

namespace instar {

/// A request as a client sent it, and what came back. Times are ms on the history's clock.
struct RecordedRequest
{
    enum class Answer {
        Accepted,
        Refused, ///< with `code`
        Lost,    ///< none came: it happened at some moment after `sent`, or never
        Unknown, ///< it happened between `sent` and `answered`, or not at all
    };
    int line = 0;    ///< in the file
    Request request; ///< its id is unique in the history
    double sent = 0, answered = 0;
    Answer answer = Answer::Accepted;
    QString code;       ///< of a refusal; empty: any
    bool began = false; ///< Accepted: the answer says that there was something to do
    bool operator==(const RecordedRequest &) const = default;

    bool isClosed() const { return answer != Answer::Lost; }
    bool isRefusedWith(const QString &other) const
    {
        return answer == Answer::Refused && (code.isEmpty() || code == other);
    }
};

/// What somebody saw at some moment between `from` and `to`: the word that a resource showed, or
/// how an operation stood.
struct Observation
{
    int line = 0;
    QString path;      ///< of the resource; empty: it is about an operation
    QString operation; ///< the id of its request
    double from = 0, to = 0;
    std::optional<QString> word; ///< the state's or status's; nothing: the resource was not there
    QString etag;                ///< empty: not seen
    /// All resource observations of one snapshot were so at one moment; 0: it stands alone.
    qint64 snapshot = 0;
    Properties properties {}; ///< of the resource; empty: not seen
    QString shownBy {};       ///< the request that showed it: "GET /a/b"; empty: not told
    bool operator==(const Observation &) const = default;

    bool isOfResource() const { return operation.isEmpty(); }
};

/// What was seen of a server from outside. Nobody sees when things happen, only between which
/// moments.
struct History
{
    QString file;
    QString pack; ///< an id, or a path relative to the file
    Switches switches;
    /// Its clock is not the server's: what that one does by the clock may be done at any moment.
    bool timeless = false;
    QList<ResourceSpec> resources; ///< what there was before the first request
    /// Trees of which it is a guess what they were then: they may be explained, never accused.
    QStringList guessed {};
    int headerLine = 1;
    QList<RecordedRequest> requests;
    QList<Observation> observations;

    qsizetype size() const { return requests.size() + observations.size(); }
    /// Whether there is an answer or an observation that could contradict the rules.
    bool isJudgeable() const;
};

/// Whether no transitional state shows the word that was seen of a resource.
bool isAtRest(const Observation &seen, const Rules &rules);

/// "r1 was answered InUse", "/a/b was seen Updating", "r1 was seen Succeeded".
QString told(const RecordedRequest &asked);
QString told(const Observation &observation);

/// Where and when that was: "PUT /a/b, sent at 10 ms, answered at 12.5 ms", "GET /v1/a/b, between
/// 20 and 21 ms". Of how an operation stood, what it was asked for is looked up in the history.
QString detailsOf(const RecordedRequest &asked);
QString detailsOf(const Observation &observation, const History &history);

/// Parts of a history that cannot disturb each other, whatever the rules do: each with the
/// resources of its trees. Together they are the history.
QList<History> partsOf(const History &history, const Rules &rules);

} // namespace instar
