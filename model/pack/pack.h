// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/machine.h"

#include <QJsonObject>
#include <QSet>

namespace instar {

/// Spec of a member that is an HTTP status; 0 is none.
inline constexpr MemberSpec HttpStatus {
    .least = 100, .most = 599, .title = "an HTTP status from 100 to 599"
};

/// Source of rules: a document and a section of it, paraphrased in `about`.
struct Source
{
    QString id;
    QString document, section;
    QString about;
    QList<Extra> extras;
    Identity identity {};
    bool operator==(const Source &) const = default;
};

void describe(auto &visit, MaybeConst<Source> auto &row)
{
    visit.row("source", "a source", "A document that states rules.");
    visit("document", row.document, { .required = true }, "The document's name.");
    visit("section", row.section, {}, "The section in it.");
    visit("about", row.about, {}, "A summary of the cited passage.");
    visit.extras(row.extras);
}

struct Switch : Row
{
    QString id;
    QStringList values { QStringLiteral("false"), QStringLiteral("true") };
    QString defaultValue; ///< one of `values`
    bool operator==(const Switch &) const = default;

    bool isBoolean() const
    {
        return values == QStringList { QStringLiteral("false"), QStringLiteral("true") };
    }
};

/// Returns all combinations of switch values, the Cartesian product. A switch that would make the
/// product larger than `most` is left out; each of its values is added as a choice of its own.
QList<QMap<QString, QString>> choicesOf(const QList<Switch> &switches, qsizetype most = 128);

void describe(auto &visit, MaybeConst<Switch> auto &row)
{
    visit.row("switch", "a switch",
        "A choice where the sources are silent or disagree. Its value turns rows on and off.");
    visit("default", row.defaultValue, { .required = true, .boolean = true },
        "The value that applies unless a scenario sets another.");
    visit("values", row.values, { .list = true, .boolean = true, .leftOut = "true and false" },
        "The possible values.");
    describeCommon(visit, row);
}

struct ReferenceRule : Row
{
    QString property;  ///< such as "pool", "tags[]" or "disks[].image"
    QStringList types; ///< full type paths
    bool required = false;
    QString back;     ///< property of the referenced resource that lists its referrers; empty: none
    QString document; ///< wire document that writes a reference; empty: "reference"
    bool operator==(const ReferenceRule &) const = default;
};

void describe(auto &visit, MaybeConst<ReferenceRule> auto &row)
{
    visit.row("reference", "a reference rule", "References from a property to other resources.");
    visit("property", row.property, { .names = Name::Property, .required = true },
        "The property, a dotted path in the body; [] after a name stands for every element of a "
        "list.");
    visit("to", row.types, { .names = Name::Type, .required = true },
        "Full paths of the types that the property may refer to.");
    visit("required", row.required, {}, "If true, at least one reference is required.");
    visit("back", row.back, { .names = Name::Property },
        "The property of the referenced resource that lists its referrers.");
    visit("as", row.document,
        { .names = Name::Document, .leftOut = "the document named reference" },
        "The wire document that writes a reference.");
    describeCommon(visit, row);
}

struct Type : Row
{
    QString path;    ///< full type path such as "racks/servers", or "*" for every other type
    QString machine; ///< machine id
    QString title, icon;
    QString goal; ///< state that resources of this type should always be able to reach; empty: rest
    QStringList names;                ///< the allowed names; empty: any
    QMap<QString, QString> codes;     ///< refusal -> its error code for this type
    QMap<QString, QString> documents; ///< wire document -> its replacement for this type
    QList<ReferenceRule> references;
    bool operator==(const Type &) const = default;
};

auto &idOf(MaybeConst<Type> auto &row)
{
    return row.path;
}

void describe(auto &visit, MaybeConst<Type> auto &row)
{
    visit.row("type", "a type", "One kind of resource, by its full path.");
    visit("machine", row.machine, { .names = Name::Machine, .required = true },
        "The state machine of this type's resources.");
    visit("title", row.title, {}, "The name to display.");
    visit("icon", row.icon, {}, "The name of the icon.");
    visit("goal", row.goal, { .names = Name::StateOrAlias, .leftOut = "the machine's rest" },
        "The state that resources of this type must always be able to reach.");
    visit("names", row.names, { .list = true, .leftOut = "any" },
        "The only names that resources of this type may have.");
    visit("codes", row.codes, { .keys = Name::Refusal },
        "Error codes that replace those of refusals for this type.");
    visit("documents", row.documents, { .names = Name::Document, .keys = Name::Document },
        "Wire documents of this type, by the id of the document that each replaces, such as "
        "resource or collection.");
    visit("references", row.references, { .anyOrder = true },
        "References from properties of this type to other resources.");
    describeCommon(visit, row);
}

struct OperationKind : Row
{
    QString id;
    qint64 duration = 1000; ///< of one attempt, virtual ms, unless the request says otherwise
    bool merge = false;     ///< merges the request's body into the stored body (RFC 7396)
    bool operator==(const OperationKind &) const = default;
};

void describe(auto &visit, MaybeConst<OperationKind> auto &row)
{
    visit.row("operation", "an operation", "An operation that clients can start.");
    visit("duration", row.duration,
        { .always = true, .absent = 1000, .unit = "ms", .leftOut = "1000" },
        "How long one attempt takes, in virtual milliseconds.");
    visit("merge", row.merge, {},
        "The request's body is merged into the stored body (RFC 7396) instead of replacing it.");
    describeCommon(visit, row);
}

/// Error code of a failure for which the pack defines none.
inline constexpr QStringView DefaultErrorCode = u"InternalServerError";

struct Outcome : Row
{
    QString id;
    QString status; ///< empty: Succeeded, Canceled or Failed, by the id
    QString code;   ///< error code; empty: DefaultErrorCode
    int http = 0;   ///< the error's HTTP status; 0: none
    QString label;
    bool operator==(const Outcome &) const = default;
};

void describe(auto &visit, MaybeConst<Outcome> auto &row)
{
    visit.row("outcome", "an outcome", "A result of work.");
    visit("status", row.status,
        { .leftOut = "Succeeded for succeeded, Canceled for canceled, else Failed" },
        "The operation's status.");
    visit("code", row.code, {}, "The error's code.");
    visit("http", row.http, HttpStatus, "The error's HTTP status; 0 is none.");
    visit("label", row.label, {}, "The name to display.");
    describeCommon(visit, row);
}

struct NamedCondition : Row
{
    QString id;
    Condition condition;
    bool operator==(const NamedCondition &) const = default;
};

void describe(auto &visit, MaybeConst<NamedCondition> auto &row)
{
    visit.row("namedCondition", "a condition", "Definition of a label for use in conditions.");
    visit.bare("is", row.condition, { .required = true },
        "The condition; a row without other members may be written as this condition alone.");
    describeCommon(visit, row);
}

struct Conflict : Row
{
    enum class Then {
        Cancel, ///< cancels the running operation
        Reject, ///< refuses the incoming operation
        Allow,
        Wait ///< accepts the incoming operation, and checks it again when the running one has ended
    };
    QStringList on, running; ///< operations; empty: any
    QStringList at;          ///< words of PlaceWords; empty: anywhere
    Condition condition;     ///< evaluated for the incoming operation's target
    Then then = Then::Allow;
    QString code; ///< id of the refusal, for Reject
    bool operator==(const Conflict &) const = default;
};

inline constexpr const char *VerdictWords[] = { "cancel", "reject", "allow", "wait" };
inline constexpr const char *PlaceWords[] = { "self", "ancestor", "descendant", "sibling", "tree",
    "reference", "referrer", "unrelated" };

void describe(auto &visit, MaybeConst<Conflict> auto &row)
{
    visit.row("conflict", "a conflict row",
        "A rule for an incoming operation that arrives while another one runs.");
    visit("on", row.on, { .names = Name::Operation, .leftOut = "any" }, "The incoming operations.");
    visit("running", row.running, { .names = Name::Operation, .leftOut = "any" },
        "The running operations.");
    visit("at", row.at, { .words = PlaceWords, .leftOut = "anywhere" },
        "The place of the running operation, relative to the incoming one.");
    visit("if", row.condition, {}, "Condition on the target of the incoming operation.");
    visit("then", row.then, { .required = true, .words = VerdictWords },
        "The verdict; wait means: accept the operation, and check the rules again when the running "
        "one has ended.");
    visit("code", row.code, { .names = Name::Refusal },
        "The refusal, if the incoming operation is rejected.");
    describeCommon(visit, row);
}

struct Refusal : Row
{
    QString id;   ///< of a built-in refusal such as "missing", or a name of the pack's own
    QString code; ///< error code; empty: the id
    int http = 0; ///< HTTP status; 0: none
    QString message;
    QString detail; ///< a more specific error code beside `code`; empty: none
    bool operator==(const Refusal &) const = default;
};

void describe(auto &visit, MaybeConst<Refusal> auto &row)
{
    visit.row("refusal", "a refusal", "The answer to a refused operation.");
    visit("code", row.code, { .leftOut = "the refusal's own name" }, "The error's code.");
    visit("http", row.http, HttpStatus, "The answer's HTTP status; 0 is none.");
    visit("message", row.message, {},
        "The error's message. {0} is the URI of the conflicting operation, {path} the target, "
        "{other} the conflicting resource.");
    visit("detail", row.detail, {}, "An additional, more specific error code.");
    describeCommon(visit, row);
}

struct Stamp : Row
{
    enum class At { Start, End };
    At at = At::Start;
    bool only = false; ///< only operations change etags, and each change gives a new etag
    bool operator==(const Stamp &) const = default;
};

inline constexpr const char *MomentWords[] = { "start", "end" };

void describe(auto &visit, MaybeConst<Stamp> auto &row)
{
    visit.row("stamp", "a stamp row",
        "The moment at which an operation changes the etags of affected resources.");
    visit("at", row.at, { .required = true, .words = MomentWords },
        "At the start or at the end of the operation.");
    visit("only", row.only, {},
        "Etags change only by operations, and each change gives a new etag. A server that differs "
        "breaks this rule.");
    describeCommon(visit, row);
}

struct ResourceSpec
{
    QString path;
    QString state; ///< empty: the machine's rest state
    QStringList references;
    QJsonObject properties;
    Identity identity {};
    QList<Extra> extras {};
    bool operator==(const ResourceSpec &) const = default;
};

void describe(auto &visit, MaybeConst<ResourceSpec> auto &row)
{
    visit.row(
        "resource", "a resource", "A resource in its initial state; its parents may be left out.");
    visit("path", row.path, { .names = Name::Path, .required = true },
        "The resource's path: pairs of type and name.");
    visit("state", row.state, { .names = Name::State, .leftOut = "the machine's rest" },
        "The resource's state.");
    visit("references", row.references, { .names = Name::Path },
        "Paths of the resources that this resource refers to.");
    visit("properties", row.properties, {}, "The resource's body.");
    visit.extras(row.extras);
}

// Mapping of a system's operations, answers and documents to HTTP. A server writes messages by the
// rows below, and a client parses messages by the same rows. Their texts have placeholders
// ("holes") such as {path}, which resources/packs/README.md lists.

/// HTTP header; it is left out of a message if its text has a hole without a value.
struct WireHeader
{
    QString name, text;
    bool operator==(const WireHeader &) const = default;
};

auto &idOf(MaybeConst<WireHeader> auto &row)
{
    return row.name;
}

/// HTTP form of an operation or query. The first match of method, path, query and `with` applies.
struct WireRequest : Row
{
    /// An operation of the pack, or a query: "resource", "collection", "operation" (its status),
    /// "result" (its result), "again" (the request of the running operation is repeated), or the id
    /// of a document of the pack.
    QString ask;
    QString method; ///< "PUT"
    QString path;   ///< with holes; {collection} is a resource's path without its last name
    QList<WireHeader> headers; ///< sent by clients, not required by servers
    QString body;              ///< wire document of the body; empty: a body is ignored
    QString of {}; ///< path of the requested resource or collection, such as "/pets/{id}"
    QList<WireHeader> with {}; ///< sent by clients; servers use the row only for requests with them
    QMap<QString, QStringList> conditions {}; ///< condition label -> body members that make it true
    bool operator==(const WireRequest &) const = default;
};

void describe(auto &visit, MaybeConst<WireRequest> auto &row)
{
    visit.row("wireRequest", "a wire request", "HTTP request of an operation or a query.");
    visit("ask", row.ask, { .names = Name::RequestKind, .required = true },
        "An operation of the pack; or resource, collection, operation, result, again, or the id of "
        "a document.");
    visit("method", row.method, { .required = true }, "GET, PUT, ...");
    visit("path", row.path,
        { .required = true,
            .begins = "/{",
            .title = "a path that begins with / or a hole such as {base}" },
        "Holes: {base}, {path}, {collection}, {operation}; if `of` is set, holes of any name; "
        "words and a last slash may follow, and after a ? required query parameters, such as "
        "?action=start or ?api-version={version}.");
    visit("of", row.of,
        { .names = Name::Template, .begins = "/", .title = "a path that begins with /" },
        "The resource or collection that the request is about, with the holes of path. If path "
        "lacks holes of the last name: the resources whose names match. Omitted if the path has "
        "{path} or {collection}, or if the request is about no resource.");
    visit("with", row.with, {},
        "Headers that distinguish the row from others: clients send them, and servers require them "
        "for this row.");
    visit("headers", row.headers, {},
        "Headers that clients also send, such as an API version; servers do not require them.");
    visit("body", row.body, { .names = Name::Document }, "The wire document of the body.");
    visit("conditions", row.conditions, { .keys = Name::Condition },
        "Conditions that the pack does not define, each with members of the body. A condition "
        "holds if one of its members exists and is neither null nor false.");
    describeCommon(visit, row);
}

struct WireAnswer : Row
{
    QStringList to; ///< requests, as in WireRequest::ask; empty: any
    QStringList op; ///< for "operation" and "result": the operation queried; empty: any
    QStringList at; ///< results such as "started" and "rejected"; empty: any
    enum class Target { Any, Created, Existing };
    Target target = Target::Any; ///< Existing: only if the target existed before the operation
    int code = 200;              ///< HTTP status; 0: the status of the refusal or outcome, else 500
    QList<WireHeader> headers;
    QString body; ///< wire document of the body; empty: none
    bool operator==(const WireAnswer &) const = default;
};

inline constexpr const char *WireTargetWords[] = { "any", "created", "existing" };
inline constexpr const char *WireCodeWords[] = { "{http}" };

void describe(auto &visit, MaybeConst<WireAnswer> auto &row)
{
    visit.row("wireAnswer", "a wire answer", "HTTP response to a request, by its result.");
    visit("to", row.to, { .names = Name::RequestKind, .leftOut = "anything" },
        "The requests that this row answers.");
    visit("op", row.op, { .names = Name::Operation },
        "For operation and result: the operation that the query is about.");
    visit("at", row.at, { .names = Name::Result },
        "The result: started, observed, rejected or an outcome; for a query, found or missing.");
    visit("target", row.target, { .words = WireTargetWords },
        "created: the row applies only if the operation created its target; existing: only if the "
        "target existed before.");
    visit("code", row.code,
        { .required = true,
            .words = WireCodeWords,
            .least = 100,
            .most = 599,
            .title = "an HTTP status from 100 to 599, or \"{http}\"" },
        "The HTTP status; {http} stands for the status of the refusal or outcome.");
    visit("headers", row.headers, {},
        "Headers and their texts; a header with an unfilled hole is left out.");
    visit("body", row.body, { .names = Name::Document, .leftOut = "none" },
        "The document in the response's body.");
    describeCommon(visit, row);
}

/// JSON template with holes: a server fills them, a client reads their values from it.
struct WireDocument : Row
{
    QString id;
    QByteArray json; ///< one line
    bool operator==(const WireDocument &) const = default;
};

void describe(auto &visit, MaybeConst<WireDocument> auto &row)
{
    visit.row("wireDocument", "a wire document", "A JSON text with holes.");
    visit("json", row.json, { .required = true }, "The text.");
    describeCommon(visit, row);
}

struct WireFollow : Row
{
    QStringList order; ///< FollowWords to poll, preferred first; "again": repeats the request
    QStringList operationHeaders, resultHeaders, delayHeaders; ///< names of headers
    /// Words of an operation's status; any other word means that the operation runs.
    QStringList running, succeeded, failed, canceled;
    int usualDelay = 60; ///< default polling interval, seconds
    bool operator==(const WireFollow &) const = default;
};

inline constexpr const char *FollowWords[] = { "operation", "result", "resource", "again" };

void describe(auto &visit, MaybeConst<WireFollow> auto &row)
{
    visit.row("wireFollow", "polling rules", "How a client learns the outcome of an operation.");
    visit("order", row.order, { .words = FollowWords },
        "Preference among operation, result, resource and again; the first that the answer offers "
        "is polled.");
    visit("operation", row.operationHeaders, {}, "Headers with the URL of the operation's status.");
    visit("result", row.resultHeaders, {}, "Headers with the URL of its result.");
    visit("delay", row.delayHeaders, {}, "Headers with the seconds to wait.");
    visit("running", row.running, {},
        "Words of an operation's status that mean that the operation runs.");
    visit("succeeded", row.succeeded, {}, "Words of an operation's status that mean success.");
    visit("failed", row.failed, {}, "Words of an operation's status that mean failure.");
    visit("canceled", row.canceled, {}, "Words of an operation's status that mean cancellation.");
    visit("usualDelay", row.usualDelay,
        { .absent = 60, .most = 86'400, .unit = "s", .leftOut = "60" },
        "Default polling interval in seconds; at most a day.");
    describeCommon(visit, row);
}

struct Wire : Row
{
    QString base;                  ///< common prefix of paths; may have the hole {version}
    QStringList versions;          ///< values of the hole {version}, the default first
    QMap<QString, QString> values; ///< of other holes in the paths of requests: hole -> text
    QString suffix;                ///< optional suffix of any path, such as ".json"
    QString requestIdHeader;       ///< header with a request id, for idempotent repetition
    QStringList owned;  ///< members of a resource's properties that the server may change
    QString echoHeader; ///< header whose value "false" keeps the request id out of the answer
    QList<WireHeader> headers; ///< headers of every answer
    QList<WireRequest> requests;
    QList<WireAnswer> answers;
    QList<WireDocument> documents;
    WireFollow follow;
    bool separateReads = false; ///< the server reads the resources of an answer one after another
    bool operator==(const Wire &) const = default;

    bool isEmpty() const { return requests.isEmpty(); }
    const WireDocument *document(const QString &id) const;
    /// Returns a row's path with {base} and the holes of `values` filled, but not {version}.
    QString pathOf(const WireRequest &row) const;
    /// True if a row requests a part of a collection: the resources whose names match row.of.
    static bool isOfPart(const WireRequest &row);
};

void describe(auto &visit, MaybeConst<Wire> auto &row)
{
    visit.row("wire", "wire rows",
        "HTTP requests, responses and documents: servers write messages by these rows, and clients "
        "parse them by the same rows.");
    visit("base", row.base, {}, "The prefix of all paths; may contain {version}.");
    visit("versions", row.versions, {}, "Values of {version}, the default first.");
    visit("values", row.values, {},
        "Values of other holes in request paths, such as an account's id.");
    visit("suffix", row.suffix, {}, "Optional suffixes of any path, such as \".json\".");
    visit("requestId", row.requestIdHeader, {},
        "The header with the request id; a repeated id gets the first answer again.");
    visit("echo", row.echoHeader, {},
        "The header that, with the value \"false\", keeps the request id out of the answer.");
    visit("owned", row.owned, { .list = true },
        "Members of a resource's properties that the server owns: the server may show other values "
        "than a client sent.");
    visit("headers", row.headers, {},
        "Headers and their texts; a header with an unfilled hole is left out.");
    visit("requests", row.requests, {}, "HTTP requests; the first matching row applies.");
    visit("answers", row.answers, {}, "HTTP responses; the first matching row applies.");
    visit("documents", row.documents, { .keys = Name::Document }, "JSON texts with holes, by id.");
    visit("follow", row.follow, {}, "How a client learns the outcome of an operation.");
    visit("separateReads", row.separateReads, {},
        "The server reads the resources of one answer one after another, so an answer is not a "
        "snapshot.");
    describeCommon(visit, row);
}

/// Built-in refusal, which exists without a row in the pack.
struct BuiltInRefusal
{
    QString id, code;
    int http = 0;
    QString message; ///< with the placeholders of Refusal::message
    QString rule {}; ///< summary of the rule that refuses
};
const QList<BuiltInRefusal> &builtInRefusals();
/// Returns the built-in refusal of that id; absent if there is none.
std::optional<BuiltInRefusal> builtInRefusal(const QString &id);
/// Returns the ids of refusals that need no row: those of the engine and of its server.
const QStringList &knownRefusals();

/// Returns a summary of a row: "from Updating on succeeded to Succeeded".
QString summaryOf(const auto &row)
    requires requires {
        row.id;
        row.label;
    }
{
    return row.label.isEmpty() ? row.id : row.label;
}
QString summaryOf(const Step &row);
QString summaryOf(const Transition &row);
QString summaryOf(const Constraint &row);
QString summaryOf(const Conflict &row);
QString summaryOf(const Refusal &row);

/// Lifecycle system as data: machines, types, policy and a sample tree; the value that a document
/// edits.
struct Pack : Row
{
    QString id, title;
    QString origin;           ///< the pack's source document, one line
    bool ignoreCase = false;  ///< paths are case-insensitive
    QString operationUri;     ///< URI of an operation's status; {id} is the operation's id
    QString retry;            ///< outcome that counts as a transient failure; empty: "retried"
    QList<Source> sourceList; ///< named by Row::sources
    QList<Switch> switches;
    QList<Type> types;
    QList<OperationKind> operations;
    QList<Outcome> outcomes;
    QList<NamedCondition> conditions;
    QList<Machine> machines;
    QList<Conflict> conflicts;
    QList<Refusal> refusals;
    QList<Stamp> stamps;
    Wire wire; ///< the HTTP interface; may be empty
    QList<ResourceSpec> sample;
    bool operator==(const Pack &) const = default;

    /// Returns the names of the engine's outcomes, then of the pack's.
    QStringList outcomeNames() const;
    Qt::CaseSensitivity caseSensitivity() const ///< of paths
    {
        return ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    }
    /// Returns a path or type path in a form in which equivalent ones are equal.
    QString folded(const QString &path) const { return ignoreCase ? path.toCaseFolded() : path; }
    const Machine *machine(const QString &id) const;
    const Switch *findSwitch(const QString &id) const;
    const Type *type(const QString &path) const; ///< exact path only, not "*"
    /// Returns a row's sources: "R2 (MS-NCNBI 1.3.3.1), ...".
    QString sourceText(const Row &row) const;
    /// Returns a row's `about`, else its summary, with its sources.
    QString ruleText(const auto &row) const
    {
        const QString cited = sourceText(row),
                      rule = row.about.isEmpty() ? summaryOf(row) : row.about;
        return cited.isEmpty() ? rule : QStringLiteral("%1 [%2]").arg(rule, cited);
    }
    /// Returns the declared operations, then those that only timers, steps and transitions name.
    QStringList operationNames() const;
    /// Returns the steps of work that the states of all machines list.
    QList<const Step *> steps() const;
    /// Returns the events that the work of states sends.
    QSet<QString> events() const;
};

void describe(auto &visit, MaybeConst<Pack> auto &row)
{
    visit.row(
        "pack", "a pack", "A lifecycle system as data: machines, types, policy and a sample tree.");
    visit("id", row.id, { .required = true }, "The pack's short name.");
    visit("title", row.title, {}, "The name to display.");
    visit("origin", row.origin, {}, "The source document, in one line.");
    visit("about", row.about, {}, "The reason for the row, in plain words.");
    visit("source", row.sources, { .names = Name::Source },
        "Keys of the pack's sources that state the rule.");
    visit("ignoreCase", row.ignoreCase, {}, "If true, paths are compared without case.");
    visit("operationUri", row.operationUri, {}, "URL to poll an operation; {id} is its id.");
    visit("retry", row.retry, { .names = Name::Outcome, .leftOut = "retried" },
        "The outcome that counts as a transient failure.");
    visit("sources", row.sourceList, { .keys = Name::Source },
        "Documents that rows name as their source.");
    visit("switches", row.switches, { .keys = Name::Switch },
        "Choices where the sources are silent or disagree.");
    visit("types", row.types, { .keys = Name::Type, .required = true },
        "The kinds of resources, by full type path; \"*\" stands for every other type.");
    visit("operations", row.operations, { .keys = Name::Operation },
        "Operations of clients; an operation that appears only in transitions needs no entry.");
    visit("outcomes", row.outcomes, { .keys = Name::Outcome }, "Outcomes of work.");
    visit("conditions", row.conditions, { .keys = Name::Condition },
        "Definitions of labels that conditions use.");
    visit("machines", row.machines, { .keys = Name::Machine, .required = true },
        "State machines of the resources.");
    visit("conflicts", row.conflicts, {},
        "Rules for conflicts of operations; the first matching row applies.");
    visit(
        "refusals", row.refusals, { .keys = Name::Refusal }, "The answers to refused operations.");
    visit("stamp", row.stamps, { .anyOrder = true }, "Rules that say when etags change.");
    visit("wire", row.wire, {}, "The system's HTTP interface.");
    visit("sample", row.sample, { .wrapper = "resources", .anyOrder = true },
        "The initial resources; parents may be left out.");
    visit.extras(row.extras);
}

} // namespace instar
