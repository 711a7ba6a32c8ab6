// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/properties.h"
#include "model/machine/describe.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace instar {

/// How one piece of work will end, decided beforehand; what is left out follows the request.
struct Piece
{
    QStringList outcomes;           ///< one per attempt; afterwards the work succeeds
    std::optional<qint64> duration; ///< of one attempt, virtual ms
    std::optional<bool> hang;
    QList<QJsonObject> properties {}; ///< one per attempt: what its answer says of the target, laid
                                      ///< over what was there
    bool anyOutcome = false; ///< `explore` tries every outcome of every attempt; none is planned
    bool operator==(const Piece &) const = default;
};

void describe(auto &visit, Of<Piece> auto &row)
{
    visit.row(
        "piece", "an object that says how a piece of work ends", "How one piece of work goes.");
    visit("outcome", Both { row.outcomes, row.anyOutcome }, { .names = Name::Outcome },
        "How the work ends: Succeeded (unless said otherwise), Failed, or one that the pack "
        "declares; \"any\" makes explore try all; a list: one an attempt.");
    visit("duration", row.duration, { .unit = "ms", .leftOut = "the pack's" },
        "How long one attempt takes, in virtual milliseconds.");
    visit("hang", row.hang, {}, "Never ends by itself.");
    visit("properties", row.properties, {},
        "What the answer of the first attempt, the second, and so on says of the resource: laid "
        "over its properties when the attempt ends.");
    visit.comments();
}

/// What a required operation is asked with.
struct Enclosed
{
    QJsonObject properties;
    QStringList references;
    QByteArray body;
    bool operator==(const Enclosed &) const = default;
};

void describe(auto &visit, Of<Enclosed> auto &row)
{
    visit.row(
        "request", "an object that says what is asked", "What a required operation is asked with.");
    visit("properties", row.properties, {}, "The properties of the resource, where it is created.");
    visit("references", row.references, { .names = Name::Path },
        "Paths that the resource refers to, where it is created.");
    visit("body", row.body, {}, "The body of the request.");
    visit.comments();
}

/// A header as a request may bring it.
struct RequestHeader
{
    QString name, value;
    bool operator==(const RequestHeader &) const = default;
};

/// What a client asks for, and how the work it causes will end.
struct Request
{
    QString op;
    QString path;
    QString id; ///< how the asker names the operation; unique in a run
    QString client;

    QString outcome;           ///< of the first piece of work that can end so; empty: succeeded
    int transientFailures = 0; ///< attempts that end in the pack's repeating outcome first
    std::optional<qint64> duration; ///< of one attempt, virtual ms; otherwise the operation's own
    bool hang = false; ///< attempts never end by themselves: until canceled, or ended by hand
    QMap<QString, Piece> work; ///< by state, or by "operation /path" for required operations

    QMap<QString, bool> conditions; ///< answers to conditions that the pack leaves open
    QString ifMatch, ifNoneMatch;   ///< etag preconditions; empty: none
    QString requestId;              ///< a repeated one is answered as the first was
    QByteArray body;
    Properties properties;            ///< of a resource being created
    QStringList references;           ///< paths, of a resource being created
    QMap<QString, Enclosed> requests; ///< by path of the required operation's target

    /// Body, properties and references become the resource's own, also where it exists; otherwise
    /// only one that is created gets them.
    bool stores = false;
    /// With `stores`: resources below the target that are made or changed with it, parents first;
    /// of each, op, path, body, properties and references.
    std::vector<Request> contents;
    /// With `stores`: collections below the target (paths) of which only the contents are left when
    /// it succeeds.
    QStringList replaces;

    QList<RequestHeader> headers; ///< sent as they are, where the controller is remote
    bool operator==(const Request &) const = default;
};

enum class Status { Waiting, InProgress, Succeeded, Failed, Canceled, Rejected };

/// What is known of an operation: as it was asked for, as it stands, or as it ended.
struct Operation
{
    quint32 serial = 0; ///< in order of submission, from 1
    QString id, op, path, client;
    Status status = Status::InProgress;
    qint64 submitted = 0; ///< virtual ms, as all times
    std::optional<qint64> started, ended;
    int attempts = 0;   ///< over all pieces of work
    QString canceledBy; ///< id of the operation that did
    QString errorCode, errorMessage;
    int httpStatus = 0;    ///< of a refusal; 0: none
    QString rule;          ///< the row that refused, with its source
    QString conflictsWith; ///< id of the operation in the way
    QString requiredBy;    ///< id of the operation that required this one
    QString replayOf;      ///< id of the operation whose answer was given again
    bool operator==(const Operation &) const = default;

    bool isOver() const { return status != Status::Waiting && status != Status::InProgress; }
};

} // namespace instar

Q_DECLARE_TYPEINFO(instar::Operation, Q_RELOCATABLE_TYPE);

namespace instar {

QString statusName(Status status);
std::optional<Status> statusNamed(const QString &name);
/// Its status, with the code of its error: "Rejected InUse".
QString fateOf(const Operation &operation);

} // namespace instar
