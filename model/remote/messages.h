// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/world.h"
#include "model/remote/reader.h"
#include "model/remote/requestpatterns.h"

#include <memory>

namespace instar {

struct Phrasebook;

/// What a document says of an operation.
struct OperationMessage
{
    std::optional<Status> status; ///< nothing: the document does not say, or not in a known place
    QString word;                 ///< as it stands there
    QString code, message;        ///< of an error
    bool operator==(const OperationMessage &) const = default;
};

/// Why clients here cannot write the body of such a request; empty: they can, or it has none.
QString unwrittenBody(const Pack &pack, const WireRequest &row);

/// A pack's wire rows as messages: what a client sends and how it understands the answers, and what
/// a server understands and answers. Rules must outlive it.
class Messages
{
public:
    explicit Messages(const Rules &rules);

    const Wire &wire() const;
    Qt::CaseSensitivity names() const; ///< how names are compared
    /// The headers that name a request, and that say whether its name is wanted back; empty: none.
    const QByteArray &requestIdHeader() const;
    const QByteArray &echoHeader() const;

    // what a client says and understands

    /// An operation as a request; an error says why the pack has no words for it. `version` empty:
    /// the usual one.
    Result<HttpRequest> request(const Request &request, const QString &version = {}) const;
    /// The body with which an operation says again all that is known of a resource, with the
    /// request's properties and references laid over: its document as it came, to the digit,
    /// without children and what a server adds. Empty: the operation has no body, or nothing is
    /// known.
    QByteArray storedBodyWith(const World &world, Resource resource, const Request &request) const;
    /// A question ("resource", "collection", "operation", "result" or a document's id) about a path
    /// or an operation's id.
    Result<HttpRequest> question(
        const QString &ask, const QString &about, const QString &version = {}) const;
    /// The collections of top-level resources, as paths such as "/racks".
    QStringList topCollections() const;
    /// A resource's document. `path` is where it was asked for; children get theirs from it.
    Result<ResourceMessage> resource(const QByteArray &json, const QString &path) const;
    /// What the body of a request says of its target, in the document that the row names for it.
    ResourceMessage said(const JsonText &body, const WireRequest &row, const QString &path,
        const WireClock &clock) const;
    /// Whether an operation on a resource requires of such children below it something that they
    /// take: what a body says of them is what those are then asked with.
    bool isRequired(const QString &op, const QString &path, const QString &child) const;
    /// The body names children that a reference rule of its type has.
    bool refersTo(const QString &path, const QString &child) const;
    /// Whether what such an operation brings is laid over what is there.
    bool merges(const QString &op) const;
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

    using Asked = instar::Asked;
    Asked asked(const HttpRequest &request) const;
    /// Whether the pack itself names what is at a path, so that no client does.
    bool isNamedByPack(const QString &path) const;
    /// The methods that a request's target takes.
    QStringList allowed(const HttpRequest &request) const;
    /// The HTTP status that the pack gives an error; 0: it names none.
    int statusOf(const QString &errorCode) const;

    /// What an answer is about; what is not known stays empty.
    struct About
    {
        const World *world = nullptr;
        const OperationLog *operations = nullptr;
        Resource resource = NoResource;
        QString path;                   ///< of a resource that is not there, or a collection
        const JsonText *body = nullptr; ///< the request's, where it was read already
        const Operation *operation = nullptr;
        QString op, at; ///< which answer: see WireAnswer
        bool created = false;
        QString version;
        QByteArray origin; ///< "http://127.0.0.1:8080"
        QString requestId;
        QString code, message; ///< of an error
        QString refusal;       ///< why it is rejected, as packs call it; empty: they do not
        QStringList details;   ///< pairs of code and message
        int http = 0;
        int retryAfter = 0; ///< seconds
        qint64 epoch = 0;   ///< virtual 0 in ms since 1970
    };
    /// The answer that fits; a plain 500 where no row does.
    HttpResponse answer(const QString &to, const About &about) const;
    /// Where the operation is asked about; empty: nowhere.
    QString operationUrl(const About &about) const;
    /// The answer of a row that names what was asked; nothing where there is none.
    std::optional<HttpResponse> ownAnswer(const QString &to, const About &about) const;

private:
    std::shared_ptr<const Phrasebook> m_book;
    ResourceReader m_reader;
};

} // namespace instar
