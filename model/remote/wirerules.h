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
    std::optional<Status> status; ///< nothing: not given, or not where the pack expects it
    QString word;                 ///< the status as written
    QString code, message;        ///< of an error
    std::optional<Status> means;  ///< end that an error stands for, if its text or code is known
    bool operator==(const OperationMessage &) const = default;
};

/// Special parts of the documents of one type.
struct TypeParts
{
    struct Reference
    {
        const ReferenceRule *rule = nullptr;
        QStringList keyPath; ///< keys that lead to the reference; a list's key ends with "[]"
        KeyPath path;        ///< of the referred resource's path inside the reference
    };
    const Type *type = nullptr;
    QList<QStringList> wraps {}; ///< key paths where documents wrap a whole resource
    QList<Reference> references {};
    QStringList children {};       ///< names of collections
    QStringList back {};           ///< properties that list referrers
    QStringList specialProperties; ///< those of the document, of references and of children
    /// Returns the first reference rule that allows resources of a type; null: none does.
    const Reference *referenceTo(const QString &typePath, Qt::CaseSensitivity nameCase) const;
};

/// Values for the holes of an answer; unknown ones stay empty.
struct WireValues
{
    const World *world = nullptr;
    const OperationLog *operations = nullptr;
    Resource resource = NoResource;
    const PathTemplate *names = nullptr; ///< of a part of a collection: see MatchedRequest
    const PathTemplate::HoleValues *part = nullptr;
    QString path;                                ///< of a missing resource, or a collection
    const HttpHeaders *requestHeaders = nullptr; ///< null: no answer repeats any
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

/// Returns the status that a word stands for; nothing if the rows do not list it.
std::optional<Status> statusOf(const WireFollow &follow, const QString &word);

/// Compiled wire rows of a pack: translates between HTTP messages and requests, for clients and for
/// servers. The rules must outlive the compiled rows.
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

    /// Sets the time of virtual 0, in ms since 1970, for times in documents.
    void setEpoch(qint64 epoch) { m_epoch = epoch; }
    /// Returns the HTTP request for an operation; an error says why the pack cannot express it. A
    /// given body gets the members that answer the request's conditions. Without one, the body is
    /// composed from the request's properties and those of its nested requests, by the row's
    /// document. `known`: resources of the server, whose times may answer a condition. An operation
    /// without a row is the resource's read if it has the name of the read's method ("GET").
    Result<HttpRequest> request(const Request &request, const World *known = nullptr) const;
    /// True if the server names the new resource: the request goes to a collection without a name.
    bool serverChoosesName(const Request &request) const;
    /// Returns the repeated request that polls a running operation; nothing if the pack has none.
    std::optional<HttpRequest> again(const Request &request, const HttpRequest &sent) const;
    /// Returns true if a success other than 202 can only mean that the operation has succeeded.
    bool answersAtEnd(const QString &op) const;
    /// Returns true if the status proves that work began, because the pack has another for no work.
    bool provesWork(const QString &op, int status) const;
    /// Returns the path of a new resource that the server named: from the answer's Location, else
    /// from the name in its document; empty if it has neither.
    QString madePath(
        const QString &collection, const HttpResponse &answer, const QUrl &requestUrl) const;
    /// Returns the request that reads a path, or an operation by its id; `ask` is "resource",
    /// "collection", "operation", "result" or a document's id.
    Result<HttpRequest> requestToRead(const QString &ask, const QString &about) const;
    QStringList topCollections() const;
    /// Returns the child collections with request rows (`of`) that a resource's document lacks.
    QStringList separateCollections(const QString &path) const;
    /// Like separateCollections(path), without the collections that the message contains.
    QStringList separateCollections(const ResourceMessage &message) const;
    /// Returns the path to read for a resource's state: its own, or that of an ancestor whose
    /// document or separate collections contain the resource.
    QString shownBy(const QString &path) const;
    /// Parses a resource's document. `path` is the path read, from which those of children derive.
    /// If it is empty, the document contains the path, and `typePath` selects the layout.
    Result<ResourceMessage> resource(
        const QByteArray &json, const QString &path, const QString &typePath = {}) const;
    /// Returns true if the operation on `path` requires one on `child`, with a part of the body.
    bool isRequired(const QString &op, const QString &path, const QString &child) const;
    /// Returns true if the operation merges its properties into the existing ones.
    bool merges(const QString &op) const;
    /// One page of a collection.
    struct Collection
    {
        QList<ResourceMessage> resources;
        QString next; ///< URL of the next page; empty: this is the last
    };
    Result<Collection> collection(const QByteArray &json, const QString &path) const;
    Result<OperationMessage> operation(const QByteArray &json) const;
    /// Parses the code and message in an error's document. A missing code is looked up by the
    /// message among the pack's rows with the status `http`.
    OperationMessage error(const QByteArray &json, int http = 0) const;

    MatchedRequest match(const HttpRequest &request) const { return requests.match(request); }
    /// Returns the HTTP status of an error code in the pack; 0: none.
    int statusOf(const QString &errorCode) const;
    /// Returns the answer of the first matching row; without one, a plain error with `http` or 500.
    HttpResponse answer(const QString &to, const WireValues &values) const;
    /// Returns the answer of a row that names `to`; nothing if there is none.
    std::optional<HttpResponse> ownAnswer(const QString &to, const WireValues &values) const;
    /// Like ownAnswer(), but the row must also name `at`: most pieces of work get no answer.
    std::optional<HttpResponse> interimAnswer(const QString &to, const WireValues &values) const;
    /// Returns the URL at which the operation is polled; empty if there is none.
    QString operationUrl(const WireValues &values) const;

    const DocumentLayout *find(const QString &document) const; ///< null: the pack has none
    /// Returns the type's own variant of a document, else the document.
    const DocumentLayout *find(const QString &document, const TypeParts *type) const;
    const DocumentLayout *findAt(const QString &document, const QString &path) const
    {
        return find(document, typeAt(path));
    }
    const DocumentLayout *resourceAt(const QString &path) const
    {
        return findAt(QStringLiteral("resource"), path);
    }
    /// Returns the document that `document` wraps, for the type at a path; without one, `document`.
    const DocumentLayout *inside(const DocumentLayout *document, const QString &path) const;
    const DocumentLayout *bodyOf(const WireRequest &row, const QString &path) const
    {
        return inside(findAt(row.body, path), path);
    }

    /// Returns the parts of a type; null if the pack has no such type.
    const TypeParts *type(const QString &typePath) const;
    const TypeParts *typeAt(const QString &path) const { return type(typePathOf(path)); }

    const Rules &rules;
    const Wire &rows;
    const Qt::CaseSensitivity nameCase; ///< of names of resources, collections and members
    const RequestRows requests;
    const std::map<QString, DocumentLayout> layouts; ///< by document
    std::vector<TypeParts> types;
    QList<QStringList> wraps; ///< key paths where documents wrap a whole resource of unknown type
    const Headers headers;    ///< of every answer
    /// Names of the headers that carry a request's id, and ask for its return; empty: none.
    const QByteArray requestIdHeader, echoHeader;
    std::vector<Answer> answers;  ///< rows that apply under the rules' switches
    const QSet<QString> failures; ///< error codes of failed work that no refusal has

private:
    void addType(const Type &type, const QSet<QString> &documentsOfTypes);
    void addToOthers(const Type &type);

    qint64 m_epoch = 0;
};

} // namespace instar
