// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/machine.h"

namespace instar {

// How a system's operations, answers and documents are spoken over HTTP. A server writes the rows,
// a client reads the same rows backwards. Texts may have holes such as {path};
// resources/packs/README.md lists them.

/// A header and its text; with a hole that nothing fills, the header is left out.
struct WireHeader
{
    QString name, text;
    bool operator==(const WireHeader &) const = default;
};

/// A way of asking. The first row that fits method and path speaks.
struct WireRequest : Row
{
    /// An operation of the pack, or a question: "resource", "collection", "operation" (how one
    /// stands), "result" (what one answers in the end), or the id of a document of the pack.
    QString ask;
    QString method; ///< "PUT"
    QString path; ///< {base}, {path} (of a resource), {collection} (a path without its last name),
                  ///< {operation}, {name}
    QList<WireHeader> headers; ///< that a client sends; a server does not ask for them
    QString body; ///< the document that the body is; empty: a body is ignored
    bool operator==(const WireRequest &) const = default;
};

/// What is answered. The first row that fits what was asked and what became of it speaks.
struct WireAnswer : Row
{
    QStringList to; ///< what was asked, as in WireRequest::ask; empty: anything
    QStringList op; ///< to "operation" and "result": the operation that it is about; empty: any
    /// What became of it: an event of the engine ("started", "observed", "rejected") or how the
    /// operation ended (an outcome such as "succeeded"); to a question "found" or "missing"; empty:
    /// anything.
    QStringList at;
    enum class Target { Any, Created, Existing };
    Target target = Target::Any; ///< whether the operation made its target
    int code = 200;              ///< 0: of the refusal or outcome, else 500
    QList<WireHeader> headers;
    QString body; ///< a document; empty: none
    bool operator==(const WireAnswer &) const = default;
};

/// A JSON text with holes; what fills them is read from the same places.
struct WireDocument : Row
{
    QString id;
    QByteArray json; ///< one line
    bool operator==(const WireDocument &) const = default;
};

/// How a client learns how an operation ends.
struct WireFollow : Row
{
    QStringList order; ///< of "operation", "result", "resource": the first that the answer offers
    QStringList operationHeaders, resultHeaders, delayHeaders; ///< what real servers call them
    QStringList running, succeeded, failed,
        canceled;        ///< words of an operation's status; any other: running
    int usualDelay = 60; ///< seconds between two questions where nothing is said
    bool operator==(const WireFollow &) const = default;
};

struct Wire : Row
{
    QString base;              ///< what paths begin with; may have the hole {version}
    QStringList versions;      ///< of the hole {version}, the usual one first
    QString suffix;            ///< that may follow any path, such as ".json"
    QString requestIdHeader;   ///< names a request; a repeated one is answered as the first was
    QString echoHeader;        ///< "false" in it keeps the request's name out of the answer
    QList<WireHeader> headers; ///< of every answer
    QList<WireRequest> requests;
    QList<WireAnswer> answers;
    QList<WireDocument> documents;
    WireFollow follow;
    bool operator==(const Wire &) const = default;

    bool isEmpty() const { return requests.isEmpty(); }
    const WireDocument *document(const QString &id) const;
};

} // namespace instar
