// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/world.h"
#include "model/remote/reader.h"
#include "model/remote/requestrows.h"

#include <QSet>
#include <QUrl>

#include <map>

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

/// Special parts of the documents of one type.
struct TypeParts
{
    struct Reference
    {
        const ReferenceRule *rule = nullptr;
        QStringList place; ///< as keys; lists have [] behind them
        Place path;        ///< of the path in a reference
    };
    const Type *type = nullptr;
    QList<QStringList> wraps {}; ///< places where documents wrap a whole resource
    QList<Reference> references {};
    QStringList children {}; ///< names of collections
    QStringList back {};     ///< of its properties, those that list referrers
    QStringList
        specialProperties; ///< of its properties, those of the document, references and children
    /// The first of its references that may point to resources of another type; null: none may.
    const Reference *referenceTo(const QString &typePath, Qt::CaseSensitivity names) const;
};

/// Values of the holes of an answer; unknown ones stay empty.
struct WireValues
{
    const World *world = nullptr;
    const OperationLog *operations = nullptr;
    Resource resource = NoResource;
    const PathTemplate *names = nullptr; ///< of a part of a collection: see MatchedRequest
    const PathTemplate::HoleValues *part = nullptr;
    QString path;                                ///< of a missing resource, or a collection
    const HttpHeaders *requestHeaders = nullptr; ///< where answers repeat some
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

/// The end or state that a word stands for; nothing if the rows do not list it.
std::optional<Status> statusOf(const WireFollow &follow, const QString &word);

/// Compiled wire rows of a pack: translates between HTTP messages and requests, for clients and for
/// servers. The rules must outlive it.
class WireRules
{
public:
    explicit WireRules(const Rules &rules);
    Q_DISABLE_COPY_MOVE(WireRules)

    using Headers = QList<std::pair<QByteArray, HoleText>>;
    struct Answer
    {
        const WireAnswer *row = nullptr;
        Headers headers;
    };

    // The client's side

    /// Sets virtual 0, in ms since 1970, from which times in documents count.
    void setEpoch(qint64 epoch) { m_epoch = epoch; }
    /// The HTTP request for an operation; an error says why the pack cannot express it. The body is
    /// the given one, with members that answer the request's conditions; else composed of the
    /// request's properties and what it requests of resources below, each in its place in the row's
    /// document. `seen`: known resources of the server, whose times may answer a condition. An
    /// operation without a row that is named like the method of the resource's read is that read.
    Result<HttpRequest> request(const Request &request, const World *known = nullptr) const;
    /// Body with which an operation repeats all that is known of a resource, with the request's
    /// properties and references laid over: the document as received, byte for byte, without
    /// children and what a server adds. Empty if the operation has no body or nothing is known.
    QByteArray storedBodyWith(const World &world, Resource resource, const Request &request) const;
    /// Returns true if the server names the new resource: the request goes to a collection, and its
    /// body does not or cannot give a name.
    bool serverChoosesName(const Request &request) const;
    /// The request that calls a running operation again; nothing if the pack has none.
    std::optional<HttpRequest> again(const Request &request, const HttpRequest &sent) const;
    /// Returns true if a success other than 202 can only mean that the operation has succeeded.
    bool answersAtEnd(const QString &op) const;
    /// Returns true if this status can only mean that there was something to do, since the pack has
    /// another one for the opposite case.
    bool provesWork(const QString &op, int status) const;
    /// Path of a resource that was made under a name chosen by the server: from the answer's
    /// Location, else from the name in its document; empty if it has neither. `asked` is the
    /// request's URL.
    QString madePath(
        const QString &collection, const HttpResponse &answer, const QUrl &requestUrl) const;
    /// The request that reads a path or an operation's id; `ask` is "resource", "collection",
    /// "operation", "result" or a document's id.
    Result<HttpRequest> question(const QString &ask, const QString &about) const;
    /// The collections of top-level resources, as paths such as "/racks".
    QStringList topCollections() const;
    /// Collections below a resource that its document does not contain: rows of their own (`of`)
    /// read them.
    QStringList separateCollections(const QString &path) const;
    /// Collections of a resource that its message does not contain either.
    QStringList separateCollections(const ResourceMessage &message) const;
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

    /// Matches a request with the rows.
    MatchedRequest match(const HttpRequest &request) const { return requests.match(request); }
    /// HTTP status that the pack gives an error code; 0 if none.
    int statusOf(const QString &errorCode) const;
    /// The first answer that fits; without one, a plain error with `http` or 500.
    HttpResponse answer(const QString &to, const WireValues &values) const;
    /// The answer of a row that names `to`; nothing if there is none.
    std::optional<HttpResponse> ownAnswer(const QString &to, const WireValues &values) const;
    /// Like ownAnswer(), if the row also names `at`: not every piece of work is answered.
    std::optional<HttpResponse> answerOnTheWay(const QString &to, const WireValues &values) const;
    /// URL at which the operation is polled; empty if there is none.
    QString operationUrl(const WireValues &values) const;

    // Rows and layouts

    const DocumentLayout *find(const QString &document) const;
    /// The type's own variant of a document, else the document.
    const DocumentLayout *find(const QString &document, const TypeParts *type) const;
    /// find() for the type at a path, and the layout of its resources.
    const DocumentLayout *findAt(const QString &document, const QString &path) const
    {
        return find(document, typeAt(path));
    }
    const DocumentLayout *resourceAt(const QString &path) const
    {
        return findAt(QStringLiteral("resource"), path);
    }
    /// The document that one wraps, for what is at a path; else itself.
    const DocumentLayout *inside(const DocumentLayout *document, const QString &path) const;
    /// Layout of what the body of a row's requests holds.
    const DocumentLayout *bodyOf(const WireRequest &row, const QString &path) const
    {
        return inside(findAt(row.body, path), path);
    }

    // Types in bodies

    /// Null if the pack has no such type.
    const TypeParts *type(const QString &typePath) const;
    /// type() of a resource or collection.
    const TypeParts *typeAt(const QString &path) const { return type(typePathOf(path)); }

    const Rules &rules;
    const Wire &rows;
    const Qt::CaseSensitivity names; ///< case sensitivity of names
    const RequestRows requests;
    const std::map<QString, DocumentLayout> layouts; ///< by document
    std::vector<TypeParts> types;
    QList<QStringList> wraps; ///< places where documents wrap a whole resource of unknown type
    const Headers headers;    ///< of every answer
    /// Names of the headers that carry a request's id, and ask for its return; empty: none.
    const QByteArray requestIdHeader, echoHeader;
    std::vector<Answer> answers;  ///< that apply
    const QSet<QString> failures; ///< error codes that work ends with, but no refusal

private:
    void addType(const Type &type, const QSet<QString> &documentsOfTypes);
    void addToOthers(const Type &type);

    qint64 m_epoch = 0;
};

} // namespace instar
