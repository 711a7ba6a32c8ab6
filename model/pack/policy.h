// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/machine.h"

#include <QJsonObject>

namespace instar {

/// An HTTP status; 0 is none.
inline constexpr Holds HttpStatus {
    .least = 100, .most = 599, .title = "an HTTP status from 100 to 599"
};

/// A document and section that rules come from, in words of ours.
struct Source
{
    QString id;
    QString document, section;
    QString about;
    QList<Extra> extras;
    Identity identity {};
    bool operator==(const Source &) const = default;
};

void describe(auto &visit, Of<Source> auto &row)
{
    visit.row("source", "a source", "A document that rules come from.");
    visit("document", row.document, { .required = true }, "The document's name.");
    visit("section", row.section, {}, "The section in it.");
    visit("about", row.about, {}, "What it says there, in words of our own.");
    visit.extras(row.extras);
}

/// Turns rows on and off where the sources are silent or disagree.
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

void describe(auto &visit, Of<Switch> auto &row)
{
    visit.row(
        "switch", "a switch", "Turns rows on and off where the sources are silent or disagree.");
    visit("default", row.defaultValue, { .required = true, .truth = true },
        "The value unless a scenario says otherwise.");
    visit("values", row.values, { .list = true, .truth = true, .leftOut = "true and false" },
        "The words it can be.");
    visit.textNeeds("default", "values");
    describeCommon(visit, row);
}

/// Which resources a property of a type may point at.
struct ReferenceRule : Row
{
    QString property;  ///< dotted path in the body, for instance "pool"; "tags[]" and
                       ///< "disks[].image" go into a list
    QStringList types; ///< full type paths
    bool required = false;
    QString back; ///< the property of what is referred to that lists who refers to it; empty: none
    QString document; ///< that writes it on the wire; empty: "reference"
    bool operator==(const ReferenceRule &) const = default;
};

void describe(auto &visit, Of<ReferenceRule> auto &row)
{
    visit.row("reference", "a reference rule", "Which resources a property points at.");
    visit("property", row.property, { .names = Name::Property, .required = true },
        "The property, a dotted path in the body; [] behind a name goes into a list.");
    visit("to", row.types, { .names = Name::Type, .required = true },
        "Full paths of the types that it may point at.");
    visit("required", row.required, {}, "Whether there must be one.");
    visit("back", row.back, { .names = Name::Property },
        "The property of what is referred to that lists who refers to it.");
    visit("as", row.document, { .names = Name::Document, .leftOut = "the one called reference" },
        "The document that writes it on the wire.");
    describeCommon(visit, row);
}

struct Type : Row
{
    QString path;    ///< full type path such as "racks/servers", or "*" for every other
    QString machine; ///< machine id
    QString title, icon;
    QString goal; ///< the state that a resource of this type should be able to reach; empty: rest
    QStringList names;                ///< the only names there may be; empty: any
    QMap<QString, QString> codes;     ///< refusal -> the code it has for this type
    QMap<QString, QString> documents; ///< wire document -> the one that this type has in its place
    QList<ReferenceRule> references;
    bool operator==(const Type &) const = default;
};

auto &idOf(Of<Type> auto &row)
{
    return row.path;
}

void describe(auto &visit, Of<Type> auto &row)
{
    visit.row("type", "a type", "One kind of resource, by its full path.");
    visit("machine", row.machine, { .names = Name::Machine, .required = true },
        "The machine that its resources go through.");
    visit("title", row.title, {}, "Its name for people.");
    visit("icon", row.icon, {}, "The name of its icon.");
    visit("goal", row.goal, { .names = Name::Known, .leftOut = "the machine's rest" },
        "The state that its resources should always be able to reach.");
    visit("names", row.names, { .list = true, .leftOut = "any" },
        "The only names that its resources may have.");
    visit("codes", row.codes, { .keys = Name::Refusal },
        "Refusals that have an error code of their own for this type.");
    visit("documents", row.documents, { .names = Name::Document, .keys = Name::Document },
        "Wire documents, and those that this type has in their place: resource, collection, or the "
        "id of any.");
    visit("references", row.references, { .anyOrder = true },
        "Which resources its properties point at.");
    describeCommon(visit, row);
}

/// What a client may ask for.
struct OperationKind : Row
{
    QString id;
    qint64 duration = 1000; ///< of one attempt, ms, unless the request says otherwise
    bool merge = false; ///< what a request brings is laid over what is stored (RFC 7396) and does
                        ///< not replace it
    bool operator==(const OperationKind &) const = default;
};

void describe(auto &visit, Of<OperationKind> auto &row)
{
    visit.row("operation", "an operation", "What a client may ask for.");
    visit("duration", row.duration,
        { .always = true, .absent = 1000, .unit = "ms", .leftOut = "1000" },
        "How long one attempt takes, in virtual milliseconds.");
    visit("merge", row.merge, {},
        "What a request brings is laid over what is stored, as RFC 7396 says, and does not replace "
        "it.");
    describeCommon(visit, row);
}

/// The error code of a failure that the pack gives none.
inline constexpr QStringView UsualErrorCode = u"InternalServerError";

/// How a piece of work ended.
struct Outcome : Row
{
    QString id;
    QString status; ///< the operation's status; empty: "Succeeded" for succeeded, "Canceled" for
                    ///< canceled, else "Failed"
    QString code;   ///< error code; empty: UsualErrorCode
    int http = 0;
    QString label;
    bool operator==(const Outcome &) const = default;
};

void describe(auto &visit, Of<Outcome> auto &row)
{
    visit.row("outcome", "an outcome", "How a piece of work ended.");
    visit("status", row.status,
        { .leftOut = "Succeeded for succeeded, Canceled for canceled, else Failed" },
        "The operation's status.");
    visit("code", row.code, {}, "The error's code.");
    visit("http", row.http, HttpStatus, "The error's HTTP status; 0 is none.");
    visit("label", row.label, {}, "What it is called for people.");
    describeCommon(visit, row);
}

struct NamedCondition : Row
{
    QString id;
    Condition condition;
    bool operator==(const NamedCondition &) const = default;
};

void describe(auto &visit, Of<NamedCondition> auto &row)
{
    visit.row("namedCondition", "a condition", "What a label asks.");
    visit.bare("is", row.condition, { .required = true },
        "The condition; where nothing else is said, it alone is written.");
    describeCommon(visit, row);
}

/// What an incoming operation does to a running one; the first row that fits speaks.
struct Conflict : Row
{
    enum class Then {
        Cancel,
        Reject,
        Allow,
        Wait ///< the incoming one is accepted and judged again when the running one has ended
    };
    QStringList on, running; ///< operations; empty: any
    QStringList at; ///< where the running one is, seen from the incoming: self ancestor descendant
                    ///< sibling tree reference referrer unrelated; empty: anywhere
    Condition condition; ///< asked of the incoming operation's target
    Then then = Then::Allow;
    QString code; ///< Reject: the refusal
    bool operator==(const Conflict &) const = default;
};

inline constexpr const char *VerdictWords[] = { "cancel", "reject", "allow", "wait" };
inline constexpr const char *PlaceWords[] = { "self", "ancestor", "descendant", "sibling", "tree",
    "reference", "referrer", "unrelated" };

void describe(auto &visit, Of<Conflict> auto &row)
{
    visit.row(
        "conflict", "a conflict row", "What an operation that comes in does to one that runs.");
    visit("on", row.on, { .names = Name::Operation, .leftOut = "any" },
        "The operations that come in.");
    visit("running", row.running, { .names = Name::Operation, .leftOut = "any" },
        "The operations that run.");
    visit("at", row.at, { .words = PlaceWords, .leftOut = "anywhere" },
        "Where the running operation is, seen from the one that comes in.");
    visit("if", row.condition, {}, "Asked of the target of the operation that comes in.");
    visit("then", row.then, { .required = true, .words = VerdictWords },
        "What happens; wait: it is accepted, and judged again when the running one has ended.");
    visit("code", row.code, { .names = Name::Refusal }, "The refusal, where it is rejected.");
    describeCommon(visit, row);
}

struct Refusal : Row
{
    QString id;   ///< parentMissing, missing, transition, precondition, or a name of the pack's own
    QString code; ///< empty: the id
    int http = 0;
    QString message; ///< {0} the URI of the operation in the way, {path} the target, {other} the
                     ///< resource in the way
    QString detail;  ///< a narrower code that goes with it; empty: none
    bool operator==(const Refusal &) const = default;
};

void describe(auto &visit, Of<Refusal> auto &row)
{
    visit.row("refusal", "a refusal", "How a refused operation is answered.");
    visit("code", row.code, { .leftOut = "the refusal's own name" }, "The error's code.");
    visit("http", row.http, HttpStatus, "The answer's HTTP status; 0 is none.");
    visit("message", row.message, {},
        "The error's message: {0} is where to ask for the operation in the way, {path} the target, "
        "{other} the resource in the way.");
    visit("detail", row.detail, {}, "A narrower code that goes with it.");
    describeCommon(visit, row);
}

/// When an operation gives what it answers for a new etag.
struct Stamp : Row
{
    enum class At { Start, End };
    At at = At::Start;
    bool only = false;
    bool operator==(const Stamp &) const = default;
};

inline constexpr const char *MomentWords[] = { "start", "end" };

void describe(auto &visit, Of<Stamp> auto &row)
{
    visit.row("stamp", "a stamp row", "When an operation gives what it answers for a new etag.");
    visit("at", row.at, { .required = true, .words = MomentWords }, "As it starts, or as it ends.");
    visit("only", row.only, {},
        "Nothing else changes an etag, and no two operations give the same one: a server that does "
        "breaks the rule.");
    describeCommon(visit, row);
}

/// A resource as it is loaded.
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

void describe(auto &visit, Of<ResourceSpec> auto &row)
{
    visit.row("resource", "a resource",
        "A resource as it is at the beginning; its parents may be left out.");
    visit("path", row.path, { .names = Name::Path, .required = true },
        "Its path: pairs of type and name.");
    visit("state", row.state, { .names = Name::State, .leftOut = "its machine's rest" },
        "Its state.");
    visit("references", row.references, { .names = Name::Path }, "Paths of what it refers to.");
    visit("properties", row.properties, {}, "Its body.");
    visit.extras(row.extras);
}

} // namespace instar
