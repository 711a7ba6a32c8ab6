// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/machine.h"

#include <QJsonObject>

namespace instar {

/// A document and section that rules come from, in words of ours.
struct Source
{
    QString id;
    QString document, section;
    QString about;
    QList<Extra> extras;
    bool operator==(const Source &) const = default;
};

/// Turns rows on and off where the sources are silent or disagree.
struct Switch : Row
{
    QString id;
    QStringList values;   ///< "false", "true" for a yes-or-no switch
    QString defaultValue; ///< one of `values`
    bool operator==(const Switch &) const = default;

    bool isBoolean() const
    {
        return values == QStringList { QStringLiteral("false"), QStringLiteral("true") };
    }
};

/// Which resources a property of a type may point at.
struct ReferenceRule : Row
{
    QString property;  ///< dotted path in the body, for instance "pool"; "tags[]" and
                       ///< "disks[].image" go into a list
    QStringList types; ///< full type paths
    bool required = false;
    QString back; ///< the property of what is referred to that lists who refers to it; empty: none
    bool operator==(const ReferenceRule &) const = default;
};

struct Type : Row
{
    QString path;    ///< full type path such as "racks/servers", or "*" for every other
    QString machine; ///< machine id
    QString title, icon;
    QString goal; ///< the state that a resource of this type should be able to reach; empty: rest
    QStringList names;            ///< the only names there may be; empty: any
    QMap<QString, QString> codes; ///< refusal -> the code it has for this type
    QList<ReferenceRule> references;
    bool operator==(const Type &) const = default;
};

/// What a client may ask for.
struct OperationKind : Row
{
    QString id;
    qint64 duration = 1000; ///< of one attempt, ms, unless the request says otherwise
    bool merge = false; ///< what a request brings is laid over what is stored (RFC 7396) and does
                        ///< not replace it
    bool operator==(const OperationKind &) const = default;
};

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

struct NamedCondition : Row
{
    QString id;
    Condition condition;
    bool operator==(const NamedCondition &) const = default;
};

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

/// When an operation gives what it answers for a new etag.
struct Stamp : Row
{
    enum class At { Start, End };
    At at = At::Start;
    bool operator==(const Stamp &) const = default;
};

/// A resource as it is loaded.
struct ResourceSpec
{
    QString path;
    QString state; ///< empty: the machine's rest state
    QStringList references;
    QJsonObject properties;
    bool operator==(const ResourceSpec &) const = default;
};

} // namespace instar
