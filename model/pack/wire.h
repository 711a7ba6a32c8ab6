// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/machine.h"

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

auto &idOf(Of<WireHeader> auto &row)
{
    return row.name;
}

/// A way of asking. The first row that fits method, path, query and `with` speaks.
struct WireRequest : Row
{
    /// An operation of the pack, or a question: "resource", "collection", "operation" (how one
    /// stands), "result" (what one answers in the end), "again" (the operation that runs there is
    /// called once more), or the id of a document of the pack.
    QString ask;
    QString method; ///< "PUT"
    QString path; ///< {base}, {path} (of a resource), {collection} (a path without its last name),
                  ///< {operation}, {name}; with `of` holes of any name; ends in a slash where the
                  ///< request does; behind a ? what the query has to say
    QList<WireHeader> headers; ///< that a client sends; a server does not ask for them
    QString body;              ///< the document that the body is; empty: a body is ignored
    QString of {}; ///< which resource or collection it is about, where the path does not hold its
                   ///< path whole: "/pets/{id}", with the holes of `path`; where `path` lacks some
                   ///< of its last name, the part of the collection whose names fit
    QList<WireHeader> with {}; ///< that tell it from other rows: sent by clients, and asked for
    /// What the body answers of conditions that the pack leaves open: label -> members, one of
    /// which it has where the condition holds, and neither null nor false.
    QMap<QString, QStringList> conditions {};
    bool operator==(const WireRequest &) const = default;
};

void describe(auto &visit, Of<WireRequest> auto &row)
{
    visit.row("wireRequest", "a wire request", "A way of asking for an operation, or a question.");
    visit("ask", row.ask, { .names = Name::Ask, .required = true },
        "An operation of the pack; or resource, collection, operation, result, again, or the id of "
        "a document.");
    visit("method", row.method, { .required = true }, "GET, PUT, ...");
    visit("path", row.path,
        { .required = true,
            .begins = "/{",
            .title = "a path that begins with / or a hole such as {base}" },
        "With the holes {base}, {path}, {collection}, {operation}; with of, holes of any name; "
        "words and a last slash may follow, and behind a ? what the query has to say, such as "
        "?action=start or ?api-version={version}.");
    visit("of", row.of,
        { .names = Name::Template, .begins = "/", .title = "a path that begins with /" },
        "The resource or collection that it is about, with the holes of path; where path lacks "
        "holes of the last name, the resources whose names fit; left out where the path has {path} "
        "or {collection}, or is about no resource.");
    visit("with", row.with, {},
        "Headers that tell the row from others: clients send them, and servers take the row only "
        "where they are there.");
    visit("headers", row.headers, {},
        "What clients send with it, such as an API version; servers do not ask for them.");
    visit("body", row.body, { .names = Name::Document }, "The document that the body is.");
    visit("conditions", row.conditions, { .keys = Name::Condition },
        "Open conditions, and the members of the body of which one is there, and neither null nor "
        "false, where the condition holds.");
    describeCommon(visit, row);
}

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

inline constexpr const char *WireTargetWords[] = { "any", "created", "existing" };
inline constexpr const char *WireCodeWords[] = { "{http}" };

void describe(auto &visit, Of<WireAnswer> auto &row)
{
    visit.row(
        "wireAnswer", "a wire answer", "What is answered to what was asked, by what became of it.");
    visit("to", row.to, { .names = Name::Ask, .leftOut = "anything" }, "What was asked.");
    visit("op", row.op, { .names = Name::Operation },
        "To operation and result: the operation that it is about.");
    visit("at", row.at, { .names = Name::Moment },
        "What became of it: started, observed, rejected, an outcome; to a question found or "
        "missing.");
    visit("target", row.target, { .words = WireTargetWords },
        "Whether the operation made its target.");
    visit("code", row.code,
        { .required = true,
            .words = WireCodeWords,
            .least = 100,
            .most = 599,
            .title = "an HTTP status from 100 to 599, or \"{http}\"" },
        "The HTTP status; {http}: that of the refusal or outcome.");
    visit("headers", row.headers, {},
        "Headers and their texts; one with a hole that nothing fills is left out.");
    visit("body", row.body, { .names = Name::Document, .leftOut = "none" },
        "The document that is sent.");
    describeCommon(visit, row);
}

/// A JSON text with holes; what fills them is read from the same places.
struct WireDocument : Row
{
    QString id;
    QByteArray json; ///< one line
    bool operator==(const WireDocument &) const = default;
};

void describe(auto &visit, Of<WireDocument> auto &row)
{
    visit.row("wireDocument", "a wire document", "A JSON text with holes.");
    visit("json", row.json, { .required = true }, "The text.");
    describeCommon(visit, row);
}

/// How a client learns how an operation ends.
struct WireFollow : Row
{
    QStringList order; ///< of "operation", "result", "resource", "again" (the request is sent once
                       ///< more): the first that the answer offers
    QStringList operationHeaders, resultHeaders, delayHeaders; ///< what real servers call them
    QStringList running, succeeded, failed,
        canceled;        ///< words of an operation's status; any other: running
    int usualDelay = 60; ///< seconds between two questions where nothing is said
    bool operator==(const WireFollow &) const = default;
};

inline constexpr const char *FollowWords[] = { "operation", "result", "resource", "again" };

void describe(auto &visit, Of<WireFollow> auto &row)
{
    visit.row(
        "wireFollow", "how to follow an operation", "How a client learns how an operation ends.");
    visit("order", row.order, { .words = FollowWords },
        "Of operation, result, resource, again: the first that the answer offers.");
    visit("operation", row.operationHeaders, {},
        "Headers with the URL where the operation can be asked about.");
    visit("result", row.resultHeaders, {}, "Headers with the URL of its result.");
    visit("delay", row.delayHeaders, {}, "Headers with the seconds to wait.");
    visit("running", row.running, {}, "Words of an operation's status while it runs.");
    visit("succeeded", row.succeeded, {}, "Words of success.");
    visit("failed", row.failed, {}, "Words of failure.");
    visit("canceled", row.canceled, {}, "Words of cancellation.");
    visit("usualDelay", row.usualDelay,
        { .absent = 60, .most = 86'400, .unit = "s", .leftOut = "60" },
        "Seconds between two questions where nothing is said; at most a day.");
    describeCommon(visit, row);
}

struct Wire : Row
{
    QString base;                  ///< what paths begin with; may have the hole {version}
    QStringList versions;          ///< of the hole {version}, the usual one first
    QMap<QString, QString> values; ///< of other holes in the paths of requests: hole -> text
    QString suffix;                ///< that may follow any path, such as ".json"
    QString requestIdHeader;       ///< names a request; a repeated one is answered as the first was
    QStringList owned;             ///< members of properties that the server changes by itself
    QString echoHeader;            ///< "false" in it keeps the request's name out of the answer
    QList<WireHeader> headers;     ///< of every answer
    QList<WireRequest> requests;
    QList<WireAnswer> answers;
    QList<WireDocument> documents;
    WireFollow follow;
    bool separateReads = false; ///< one answer's resources were not all so at one moment
    bool operator==(const Wire &) const = default;

    bool isEmpty() const { return requests.isEmpty(); }
    const WireDocument *document(const QString &id) const;
    /// The path of a row with {base} and the holes that `values` fill, but not {version}.
    QString pathOf(const WireRequest &row) const;
    /// Whether a row is about those of a collection whose names fit, or about a collection at all.
    static bool isOfPart(const WireRequest &row);
    static bool isOfCollection(const WireRequest &row);
};

void describe(auto &visit, Of<Wire> auto &row)
{
    visit.row("wire", "wire rows",
        "How requests, answers and documents are spoken over HTTP: a server writes them, a client "
        "reads the same rows backwards.");
    visit("base", row.base, {}, "What paths begin with; may have the hole {version}.");
    visit("versions", row.versions, {}, "What the hole {version} may be, the usual one first.");
    visit("values", row.values, {},
        "What other holes in the paths of requests stand for, such as an account's id.");
    visit("suffix", row.suffix, {}, "What may follow any path, such as \".json\".");
    visit("requestId", row.requestIdHeader, {},
        "The header that names a request; a repeated one is answered as the first was.");
    visit("echo", row.echoHeader, {},
        "The header that, with \"false\" in it, keeps the request's name out of the answer.");
    visit("owned", row.owned, { .list = true },
        "Members of a resource's properties that the server owns: what a client says of them need "
        "not be shown again.");
    visit("headers", row.headers, {},
        "Headers and their texts; one with a hole that nothing fills is left out.");
    visit("requests", row.requests, {}, "Ways of asking; the first that fits speaks.");
    visit("answers", row.answers, {}, "What is answered; the first that fits speaks.");
    visit("documents", row.documents, { .keys = Name::Document }, "JSON texts with holes, by id.");
    visit("follow", row.follow, {}, "How a client learns how an operation ends.");
    visit("separateReads", row.separateReads, {},
        "Each resource of an answer is read for itself, not all at one moment.");
    describeCommon(visit, row);
}

} // namespace instar
