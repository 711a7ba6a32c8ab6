// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/engine/exchange.h"
#include "model/engine/operation.h"
#include "model/pack/pathtemplate.h"
#include "model/remote/documentlayout.h"
#include "model/remote/requestrows.h"

namespace instar {

class WireRules;
struct World;

/// A resource as a document describes it.
struct ResourceMessage
{
    QString path;  ///< from the document or its position in the answer; empty: unknown
    QString name;  ///< as the document says
    QString state; ///< word for the state; empty: none
    QString etag;
    QByteArray body;       ///< the document's bytes as received
    Properties properties; ///< those that a client may set
    QStringList references;
    QList<ResourceMessage> children;   ///< those that the document holds
    QStringList collections;           ///< of children in the document, as paths; also empty ones
    QStringList separate;              ///< subset of `collections` that was read separately
    QMap<QString, QJsonObject> others; ///< descendants' properties in the document, by path
    QString problem, problemText;      ///< a refusal, if something in the document is invalid
    bool operator==(const ResourceMessage &) const = default;
};

/// Observation of a resource: its state at some moment of an interval, which spans all answers that
/// contribute. Of two observations, the one with the lower `when.exchange` is older.
struct ResourceObservation
{
    QString path;
    std::optional<ResourceMessage> message; ///< nothing: no such resource
    AnswerInterval when;
};

/// Observation of all resources in a collection ("/racks").
struct CollectionObservation
{
    QString path;
    QList<ResourceMessage> resources;
    AnswerInterval when;
    bool isMissing = false; ///< the server has no such collection
};

/// Conversion of times in documents to ms since 1970.
struct WireClock
{
    qint64 epoch = 0, now = 0;    ///< virtual time 0 and the present, in ms since 1970
    const World *world = nullptr; ///< source of times that the body does not contain; null: none
    /// Stored time of a member of the resource at `path`, in ms since 1970; nothing: none.
    std::optional<qint64> stored(const DocumentLayout::Part &field, const QString &path) const;
};

/// A client's request for an operation, as the server reads it.
struct Incoming
{
    Request request;
    QString refusal, text;    ///< refusal and reason if the body is invalid; empty: it is valid
    bool isBadName = false;   ///< `text` says why a name in the body is invalid
    bool isNamedHere = false; ///< the server made up the target's name
    bool hasUnnamed = false;  ///< the body leaves names to the server
};

/// Parses a request for an operation and gives it an id of its own.
Incoming readRequest(const WireRules &rules, const MatchedRequest &matched, const HttpRequest &http,
    const WireClock &clock);

/// Returns the state that a word stands for, ignoring case: the state of that name, else a stable
/// state shown as that word, else a transitional state shown as it; None: the machine has none.
Rules::StateId stateShown(const Rules &rules, int machine, const QString &word);

/// Parses JSON. Skips a byte order mark, as RFC 8259 allows: some servers and clients send one.
Result<JsonText> parsed(const QByteArray &json, const QString &name);

QString freshId(); ///< a random UUID

} // namespace instar
