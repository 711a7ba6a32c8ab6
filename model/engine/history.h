// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"
#include "model/engine/rules.h"

namespace instar {

/// Request of a client with its answer. Times are ms on the history's clock.
struct RecordedRequest
{
    enum class Answer {
        Accepted,
        Refused, ///< with error code `code`
        Lost,    ///< no answer: the request took effect at some moment after `sent`, or never
        Unknown, ///< the request took effect between `sent` and `answered`, or never
    };
    int line = 0;    ///< in the file
    Request request; ///< with an id that is unique in the history
    double sent = 0, answered = 0;
    Answer answer = Answer::Accepted;
    QString code;       ///< Refused: the error code; empty: any
    bool began = false; ///< Accepted: the answer says that work began
    bool operator==(const RecordedRequest &) const = default;

    bool isClosed() const { return answer != Answer::Lost; }
    bool isRefusedWith(const QString &other) const
    {
        return answer == Answer::Refused && (code.isEmpty() || code == other);
    }
};

/// Observation of the state that a resource shows or of an operation's status, made at some moment
/// between `from` and `to` (ms).
struct Observation
{
    int line = 0;
    QString path;      ///< path of the resource; empty: about an operation
    QString operation; ///< id of the operation's request; empty: about a resource
    double from = 0, to = 0;
    std::optional<QString> word; ///< the state or status; nothing: the resource was absent
    QString etag;                ///< empty: unknown
    /// Number of a snapshot, whose resource observations were true at one moment; 0: no snapshot.
    qint64 snapshot = 0;
    Properties properties {}; ///< of the resource; empty: unknown
    QString shownBy {};       ///< request whose answer shows this: "GET /a/b"; empty: unknown
    bool operator==(const Observation &) const = default;

    bool isOfResource() const { return operation.isEmpty(); }
};

/// History of requests and observations of a server, recorded outside the server: of each event
/// only an interval is known, not the exact time.
struct History
{
    QString file;
    QString pack; ///< the pack's id, or its path relative to the history's file
    Switches switches;
    /// True: recorder and server have different clocks; timed events may come at any moment.
    bool untimed = false;
    QList<ResourceSpec> resources; ///< before the first request
    /// Trees whose initial state is a guess: no violation is ever reported for them.
    QStringList guessed {};
    int headerLine = 1;
    QList<RecordedRequest> requests {};
    QList<Observation> observations {};

    qsizetype size() const { return requests.size() + observations.size(); }
    double begin() const; ///< ms, of the first request or observation; 1e300: there is none
    /// Returns true if the history has an answer or observation that could contradict the rules.
    bool isJudgeable() const;
};

/// Returns true if an observed resource is in no transitional state, to judge by its word.
bool isAtRest(const Observation &observation, const Rules &rules);

/// Returns a sentence: "r1 was answered InUse", "/a/b was seen Updating", "r1 was seen Succeeded".
QString sentenceOf(const RecordedRequest &entry);
QString sentenceOf(const Observation &observation);

/// Returns request and time: "PUT /a/b, sent at 10 ms, answered at 12.5 ms", "GET /v1/a/b, between
/// 20 and 21 ms". For an observed status, the operation's request in the history comes first.
QString detailsOf(const RecordedRequest &entry);
QString detailsOf(const Observation &observation, const History &history);

/// Splits a history into parts that cannot affect each other, each with the resources of its trees.
/// Groups of trees without requests and observations are dropped.
QList<History> partsOf(const History &history, const Rules &rules);

} // namespace instar
