// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/describe.h"

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <QStringList>

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace instar {

/// Properties of a resource as a JSON object, parsed lazily: most stored documents are never read.
/// Copies share the object, which is parsed only once.
class Properties
{
public:
    using Reader = std::function<QJsonObject()>;

    Properties() = default;
    Properties(const QJsonObject &object);
    Properties(std::initializer_list<std::pair<QString, QJsonValue>> members);
    /// `read` must return the same non-empty object on every call, on any thread.
    static Properties readBy(Reader read);

    bool isEmpty() const { return !d; }
    QJsonObject object() const;
    operator QJsonObject() const { return object(); }
    QJsonValue value(const QString &name) const { return object().value(name); }
    void insert(const QString &name, const QJsonValue &value);

    bool operator==(const Properties &other) const
    {
        return d == other.d || object() == other.object();
    }
    bool operator==(const QJsonObject &other) const { return object() == other; }

private:
    struct Shared;
    std::shared_ptr<const Shared> d; ///< null: empty
};

/// Applies a JSON Merge Patch (RFC 7396): null removes a member, objects are merged recursively.
QJsonObject merged(QJsonObject object, const QJsonObject &patch);

/// Plan of one piece of work; members that are left out default to the request's members.
struct WorkPlan
{
    QStringList outcomes;           ///< one per attempt; further attempts succeed
    std::optional<qint64> duration; ///< of one attempt, virtual ms
    std::optional<bool> hang;
    QList<QJsonObject> properties {}; ///< per attempt: merged into the target when the attempt ends
    bool anyOutcome = false; ///< `explore` tries every outcome of every attempt; none is planned
    bool operator==(const WorkPlan &) const = default;
};

void describe(auto &visit, MaybeConst<WorkPlan> auto &row)
{
    visit.row("piece", "an object with the outcome of a piece of work");
    visit("outcome", SharedKey { row.outcomes, row.anyOutcome }, { .names = Name::Outcome });
    visit("duration", row.duration, {});
    visit("hang", row.hang, {});
    visit("properties", row.properties, {});
    visit.extras({});
}

/// Request data for a required operation.
struct NestedRequest
{
    QJsonObject properties;
    QStringList references;
    QByteArray body;
    bool operator==(const NestedRequest &) const = default;
};

void describe(auto &visit, MaybeConst<NestedRequest> auto &row)
{
    visit.row("request", "an object with the properties and references of a request");
    visit("properties", row.properties, {});
    visit("references", row.references, { .names = Name::Path });
    visit("body", row.body, {});
    visit.extras({});
}

struct RequestHeader
{
    QString name, value;
    bool operator==(const RequestHeader &) const = default;
};

/// Request of a client, with the plan for the work it causes.
struct Request
{
    QString op;
    QString path;
    QString id; ///< of the operation; unique in a run
    QString client;

    QString outcome;           ///< of the first piece of work that can end so; empty: succeeded
    int transientFailures = 0; ///< number of first attempts that end in the pack's retry outcome
    std::optional<qint64> duration; ///< of one attempt, virtual ms; nothing: the operation's own
    bool hang = false;              ///< attempts run until canceled or ended by hand
    QMap<QString, WorkPlan> work;   ///< by state, or by "operation /path" for required operations

    QMap<QString, bool> conditions; ///< answers to conditions that the pack leaves open
    QString ifMatch, ifNoneMatch;   ///< etag preconditions; empty: none
    QString requestId;              ///< idempotency key: a repeated request gets the first answer
    QByteArray body;
    Properties properties;                 ///< of a resource being created
    QStringList references;                ///< paths, of a resource being created
    QMap<QString, NestedRequest> requests; ///< by path of the required operation's target

    /// True: body, properties and references replace those of an existing resource, too.
    bool stores = false;
    /// With `stores`: descendants of the target that are created or changed with it, parents first;
    /// each with op, path, body, properties and references.
    std::vector<Request> contents;
    /// With `stores`: paths of collections below the target. Success removes their members that are
    /// not among the contents.
    QStringList replaces;

    QList<RequestHeader> headers; ///< sent unchanged to a real server
    bool operator==(const Request &) const = default;
};

/// Key in Request::work: the plan applies in every state of a required operation's work.
inline const QString WholeWork = QStringLiteral("*");
/// Finds the key `state` in Request::work, else the key WholeWork; returns work.end() if neither.
QMap<QString, WorkPlan>::const_iterator workPlanFor(const Request &request, const QString &state);

enum class Status { Waiting, InProgress, Succeeded, Failed, Canceled, Rejected };
inline constexpr const char *StatusWords[] = { "Waiting", "InProgress", "Succeeded", "Failed",
    "Canceled", "Rejected" };

/// Operation as users see it: its request, progress and end.
struct Operation
{
    quint32 serial = 0; ///< in order of submission, from 1
    QString id, op, path, client;
    Status status = Status::InProgress;
    qint64 submitted = 0; ///< virtual ms, as all times
    std::optional<qint64> started, ended;
    int attempts = 0;   ///< over all pieces of work
    QString canceledBy; ///< id of the canceling operation
    QString errorCode, errorMessage;
    int httpStatus = 0;    ///< of a refusal; 0: none
    QString rule;          ///< the row that refused, with its source
    QString conflictsWith; ///< id of the conflicting operation
    QString requiredBy;    ///< id of the operation that required this one
    QString replayOf;      ///< id of the operation whose answer was repeated
    bool operator==(const Operation &) const = default;

    bool isOver() const { return status != Status::Waiting && status != Status::InProgress; }
};

} // namespace instar

Q_DECLARE_TYPEINFO(instar::Operation, Q_RELOCATABLE_TYPE);

namespace instar {

QString statusName(Status status);
std::optional<Status> statusNamed(const QString &name);
/// Returns "Rejected InUse", or the status alone if there is no error code.
QString statusAndCode(const Operation &operation);

} // namespace instar
