// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/world.h"
#include "model/formats/document.h"
#include "model/remote/http.h"

namespace instar {

/// What a document says of a resource.
struct ResourceMessage
{
    QString path;  ///< where the document or its place says; empty: it does not
    QString name;  ///< as the document says
    QString state; ///< the word it shows; empty: not said
    QString etag;
    QByteArray body; ///< the document as it came
    QJsonObject properties; ///< those that a client may set
    QStringList references;
    QList<ResourceMessage> children; ///< those that the document holds
    QStringList collections;         ///< of children that the document holds, as paths; may be empty ones
    QString problem, problemText;    ///< a refusal, where a reference or child is not written as one
    bool operator==(const ResourceMessage &) const = default;
};

/// What a document says of an operation.
struct OperationMessage
{
    std::optional<Status> status; ///< nothing: the document does not say, or not in a known place
    QString word;                 ///< as it stands there
    QString code, message;        ///< of an error
    bool operator==(const OperationMessage &) const = default;
};

/// A pack's wire rows as messages: what a client sends and how it understands the answers, and what a server understands
/// and answers. Rules must outlive it.
class Messages
{
public:
    explicit Messages(const Rules &rules);

    const Wire &wire() const;
    QStringList versions() const { return wire().versions; }

    // what a client says and understands

    /// An operation as a request; an error says why the pack has no words for it. `version` empty: the usual one.
    Result<HttpRequest> request(const Request &request, const QString &version = {}) const;
    /// A question ("resource", "collection", "operation", "result" or a document's id) about a path or an operation's id.
    Result<HttpRequest> question(const QString &ask, const QString &about, const QString &version = {}) const;
    /// The collections of top-level resources, as paths such as "/racks".
    QStringList topCollections() const;
    /// A resource's document. `path` is where it was asked for; children get theirs from it.
    Result<ResourceMessage> resource(const QByteArray &json, const QString &path) const;
    ResourceMessage resource(Value value, const QString &path) const;
    /// A collection's document, and where it goes on, if it does.
    struct Collection
    {
        QList<ResourceMessage> resources;
        QString next; ///< a URL; empty: that was all
    };
    Result<Collection> collection(const QByteArray &json, const QString &path) const;
    /// How an operation stands, by its own document.
    Result<OperationMessage> operation(const QByteArray &json) const;
    /// The code and message of an error's document; empty where it holds none.
    OperationMessage error(const QByteArray &json) const;

    // what a server understands and says

    /// What a request asks for.
    struct Asked
    {
        const WireRequest *row = nullptr; ///< null: nothing fits
        QString path;        ///< of a resource or collection, below the base
        QString operation;   ///< an operation's id
        QString version;
        QStringList allowed; ///< methods that fit the path, where the request's does not
        bool badVersion = false;
    };
    Asked asked(const HttpRequest &request) const;
    /// The references in a stored body, or which one is wrong.
    struct References
    {
        QStringList paths;
        QString problem; ///< a refusal's id; empty: all is well
        QString text;    ///< what is wrong, in words
    };
    References references(const QString &typePath, Value body) const;

    /// What an answer is about; what is not known stays empty.
    struct About
    {
        const World *world = nullptr;
        const OperationLog *operations = nullptr;
        Resource resource = NoResource;
        QString path;            ///< of a resource that is not there, or a collection
        const Operation *operation = nullptr;
        QString op, at;          ///< which answer: see WireAnswer
        bool created = false;
        QString version, origin; ///< "http://127.0.0.1:8080"
        QString requestId;
        QString code, message;   ///< of an error
        QStringList details;     ///< pairs of code and message
        int http = 0;
        int retryAfter = 0;      ///< seconds
    };
    bool hasAnswer(const QString &to, const About &about) const;
    /// The answer that fits; a plain 500 where no row does.
    HttpResponse answer(const QString &to, const About &about) const;
    QByteArray document(const QString &id, const About &about) const;

private:
    class Private;
    std::shared_ptr<const Private> d;
};

} // namespace instar
