// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/world.h"
#include "model/remote/reader.h"
#include "model/remote/wirerules.h"

#include <QUrl>

#include <memory>

namespace instar {

/// State of an operation as a document gives it.
struct OperationMessage
{
    std::optional<Status> status; ///< nothing: not given, or not in a known place
    QString word;                 ///< the status as written
    QString code, message;        ///< of an error
    std::optional<Status> means; ///< the end that an error stands for, if its text or code is known
    bool operator==(const OperationMessage &) const = default;
};

/// A client's request for an operation, as the server reads it.
struct Incoming
{
    Request request;
    QString refusal, text;    ///< refusal and reason if the body is invalid; empty: it is valid
    bool isBadName = false;   ///< a name in the body is invalid, and `text` is our own wording
    bool isNamedHere = false; ///< the server made up the target's name
    bool hasUnnamed = false;  ///< the body leaves names to the server
};

/// Translates between HTTP messages and requests by a pack's wire rows, for clients and for
/// servers. Rules must outlive it.
class Messages
{
public:
    explicit Messages(const Rules &rules);

    const Wire &wire() const { return m_book->wire; }
    Qt::CaseSensitivity names() const { return m_book->names; } ///< case sensitivity of names
    /// Names of the headers that carry a request's id, and ask for its return; empty: none.
    const QByteArray &requestIdHeader() const { return m_book->requestIdHeader; }
    const QByteArray &echoHeader() const { return m_book->echoHeader; }

    // The client's side

    /// Sets virtual 0, in ms since 1970, from which times in documents count.
    void setZero(qint64 zero) { m_zero = zero; }
    /// The HTTP request for an operation; an error says why the pack cannot express it. `version`
    /// empty: the default one. `seen`: known resources of the server.
    Result<HttpRequest> request(
        const Request &request, const QString &version = {}, const World *seen = nullptr) const;
    /// Like request(); or the read of the resource, if the operation has no row but is named like
    /// that read's method.
    Result<HttpRequest> requestOrQuestion(
        const Request &request, const QString &version = {}, const World *seen = nullptr) const;
    /// Returns true if the server names the new resource: the request goes to a collection, and its
    /// body does not or cannot give a name.
    bool isNamedThere(const Request &request) const;
    /// The request that calls a running operation again; nothing if the pack has none.
    std::optional<HttpRequest> again(const Request &request, const HttpRequest &sent) const;
    /// Returns true if a success other than 202 can only mean that the operation has succeeded.
    bool isHeldBack(const QString &op) const;
    /// Returns true if this status can only mean that there was something to do, since the pack has
    /// another one for the opposite case.
    bool tellsOfWork(const QString &op, int status) const;
    /// Path of a resource that was made under a name chosen by the server: from the answer's
    /// Location, else from the name in its document; empty if it has neither. `asked` is the
    /// request's URL.
    QString madePath(
        const QString &collection, const HttpResponse &answer, const QUrl &asked) const;
    /// Body with which an operation repeats all that is known of a resource, with the request's
    /// properties and references laid over: the document as received, byte for byte, without
    /// children and what a server adds. Empty if the operation has no body or nothing is known.
    QByteArray storedBodyWith(const World &world, Resource resource, const Request &request) const;
    /// The request that reads a path or an operation's id; `ask` is "resource", "collection",
    /// "operation", "result" or a document's id.
    Result<HttpRequest> question(
        const QString &ask, const QString &about, const QString &version = {}) const;
    /// The collections of top-level resources, as paths such as "/racks".
    QStringList topCollections() const;
    /// Collections below a resource that its document does not contain: rows of their own (`of`)
    /// read them.
    QStringList collectionsApart(const QString &path) const;
    /// Path to read for the state of a resource: its own, or that of an ancestor whose document, or
    /// a collection read with it, includes the resource.
    QString shownBy(const QString &path) const;
    /// Parses a resource's document. `path` is where it was read; children derive theirs from it.
    /// Empty: the document gives it, and `typePath` is needed unless all types are written alike.
    Result<ResourceMessage> resource(
        const QByteArray &json, const QString &path, const QString &typePath = {}) const;
    /// Returns true if the operation on `path` requires one on `child` below it: what a body says
    /// of the child then goes to that one.
    bool isRequired(const QString &op, const QString &path, const QString &child) const;
    /// Returns true if the operation lays its properties over the existing ones.
    bool merges(const QString &op) const;
    /// One page of a collection.
    struct Collection
    {
        QList<ResourceMessage> resources;
        QString next; ///< URL of the next page; empty: this is the last
    };
    Result<Collection> collection(const QByteArray &json, const QString &path) const;
    /// Parses an operation's own document.
    Result<OperationMessage> operation(const QByteArray &json) const;
    /// Code and message of an error's document; empty if it has none. A missing code is looked up
    /// by the message among the pack's rows with the status `http`.
    OperationMessage error(const QByteArray &json, int http = 0) const;

    // The server's side

    using Asked = instar::Asked;
    Asked asked(const HttpRequest &request) const { return m_book->patterns.asked(request); }
    /// The methods allowed for a request's target.
    QStringList allowed(const HttpRequest &request) const
    {
        return m_book->patterns.allowed(request.target);
    }
    /// Parses a request for an operation and gives it an id of its own.
    Incoming incoming(const Asked &asked, const HttpRequest &http, const WireClock &clock) const;
    /// HTTP status that the pack gives an error code; 0 if none.
    int statusOf(const QString &errorCode) const;

    /// Returns true if answers repeat headers of requests.
    bool repeatsHeaders() const { return m_book->repeatsHeaders; }

    /// Subject of an answer; unknown parts stay empty.
    struct About
    {
        const World *world = nullptr;
        const OperationLog *operations = nullptr;
        Resource resource = NoResource;
        const PathTemplate *names = nullptr; ///< of a part of a collection: see Asked
        const PathTemplate::Filling *part = nullptr;
        QString path;                       ///< of a missing resource, or a collection
        const HttpHeaders *asked = nullptr; ///< the request's, where answers repeat some
        const Operation *operation = nullptr;
        QString op, at; ///< select the answer: see WireAnswer
        bool created = false;
        QString version;
        QByteArray origin; ///< "http://127.0.0.1:8080"
        QString requestId;
        QString code, message; ///< of an error
        QString refusal;       ///< the pack's id of the refusal; empty: none
        QStringList details;   ///< pairs of code and message
        int http = 0;
        int retryAfter = 0; ///< seconds
        qint64 epoch = 0;   ///< virtual 0 in ms since 1970
    };
    /// The first answer that fits; without one, a plain error with `http` or 500.
    HttpResponse answer(const QString &to, const About &about) const;
    /// URL at which the operation is polled; empty if there is none.
    QString operationUrl(const About &about) const;
    /// The answer of a row that names `to`; nothing if there is none.
    std::optional<HttpResponse> ownAnswer(const QString &to, const About &about) const;
    /// Like ownAnswer(), if the row also names `at`: not every piece of work is answered.
    std::optional<HttpResponse> answerOnTheWay(const QString &to, const About &about) const;

private:
    std::shared_ptr<const WireRules> m_book;
    ResourceReader m_reader;
    qint64 m_zero = 0;
};

/// A random UUID (version 4), without a system call for each.
QString freshId();

} // namespace instar
