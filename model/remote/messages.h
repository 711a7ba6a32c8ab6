// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/world.h"
#include "model/remote/reader.h"
#include "model/remote/wirerules.h"

#include <QUrl>

#include <memory>

namespace instar {

/// What a document says of an operation.
struct OperationMessage
{
    std::optional<Status> status; ///< nothing: the document does not say, or not in a known place
    QString word;                 ///< as it stands there
    QString code, message;        ///< of an error
    std::optional<Status> means;  ///< of an error that is known by its words or code: how it ended
    bool operator==(const OperationMessage &) const = default;
};

/// An operation as a client asks for it.
struct Incoming
{
    Request request;
    QString refusal, text;    ///< what is wrong with the body; empty: nothing
    bool isBadName = false;   ///< a name in the body is none, and `text` says why in words of ours
    bool isNamedHere = false; ///< how the target is called was made up
    bool hasUnnamed = false;  ///< the body leaves it to the server how something is called
};

/// A pack's wire rows as messages: what a client sends and how it understands the answers, and what
/// a server understands and answers. Rules must outlive it.
class Messages
{
public:
    explicit Messages(const Rules &rules);

    const Wire &wire() const { return m_book->wire; }
    Qt::CaseSensitivity names() const { return m_book->names; } ///< how names are compared
    /// The headers that name a request, and that say whether its name is wanted back; empty: none.
    const QByteArray &requestIdHeader() const { return m_book->requestIdHeader; }
    const QByteArray &echoHeader() const { return m_book->echoHeader; }

    // what a client says and understands

    /// Virtual 0 in ms since 1970: what documents say of times counts from there.
    void setZero(qint64 zero) { m_zero = zero; }
    /// An operation as a request; an error says why the pack has no words for it. `version` empty:
    /// the usual one. `seen`: what is known of the server's resources.
    Result<HttpRequest> request(
        const Request &request, const QString &version = {}, const World *seen = nullptr) const;
    /// The same; or, where an operation that only looks is named like the method with which a
    /// resource is asked about, that question.
    Result<HttpRequest> requestOrQuestion(
        const Request &request, const QString &version = {}, const World *seen = nullptr) const;
    /// Whether the server makes up the name of what is made: it is asked for in a collection, and
    /// the body does not say, or cannot.
    bool isNamedThere(const Request &request) const;
    /// A request for an operation that runs, as it is called once more; nothing: the pack does not
    /// say how.
    std::optional<HttpRequest> again(const Request &request, const HttpRequest &sent) const;
    /// Whether an answer of success to an operation, but for 202, can only mean that it has
    /// succeeded.
    bool isHeldBack(const QString &op) const;
    /// Whether an answer of that status to an operation can only mean that there was something to
    /// do, since the pack has another one where there was not.
    bool tellsOfWork(const QString &op, int status) const;
    /// Where something was made whose name the server made up, as the answer to who `asked` a
    /// collection says: where its Location leads, else the name in its document. Empty: it says
    /// neither.
    QString madePath(
        const QString &collection, const HttpResponse &answer, const QUrl &asked) const;
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
    /// The collections below a resource that documents do not hold: they are asked for by rows of
    /// their own, which say so with `of`.
    QStringList collectionsApart(const QString &path) const;
    /// What is to be read to know how a resource is: what is at its path itself, or what is above
    /// and tells of it, be it in its document or in a collection that is read with it.
    QString teller(const QString &path) const;
    /// A resource's document. `path` is where it was asked for; children get theirs from it. Empty:
    /// where the document says; then its type has to be given, unless all are written alike.
    Result<ResourceMessage> resource(
        const QByteArray &json, const QString &path, const QString &typePath = {}) const;
    /// Whether an operation on a resource requires of such children below it something that they
    /// take: what a body says of them is what those are then asked with.
    bool isRequired(const QString &op, const QString &path, const QString &child) const;
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
    /// The code and message of an error's document; empty where it holds none. Where it has no
    /// code, the one whose words its message has, among those of the answer's status.
    OperationMessage error(const QByteArray &json, int http = 0) const;

    // what a server understands and says

    using Asked = instar::Asked;
    Asked asked(const HttpRequest &request) const { return m_book->patterns.asked(request); }
    /// The methods that a request's target takes.
    QStringList allowed(const HttpRequest &request) const
    {
        return m_book->patterns.allowed(request.target);
    }
    /// A request that asks for an operation, under an id of its own.
    Incoming incoming(const Asked &asked, const HttpRequest &http, const WireClock &clock) const;
    /// The HTTP status that the pack gives an error; 0: it names none.
    int statusOf(const QString &errorCode) const;

    /// Whether answers repeat headers of requests.
    bool repeatsHeaders() const { return m_book->repeatsHeaders; }

    /// What an answer is about; what is not known stays empty.
    struct About
    {
        const World *world = nullptr;
        const OperationLog *operations = nullptr;
        Resource resource = NoResource;
        const PathTemplate *names = nullptr; ///< of a part of a collection: see Asked
        const PathTemplate::Filling *part = nullptr;
        QString path;                       ///< of a resource that is not there, or a collection
        const HttpHeaders *asked = nullptr; ///< the request's, where answers repeat some
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
    /// The same where the row names what became of it, too: not every piece of work is answered.
    std::optional<HttpResponse> answerOnTheWay(const QString &to, const About &about) const;

private:
    std::shared_ptr<const WireRules> m_book;
    ResourceReader m_reader;
    qint64 m_zero = 0;
};

/// A random UUID (version 4), without asking the system for each.
QString freshId();

} // namespace instar
