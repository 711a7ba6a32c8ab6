// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"
#include "model/pack/rows.h"

#include <QByteArrayList>
#include <QMap>
#include <QStringList>

#include <optional>
#include <ranges>
#include <vector>

namespace instar {

bool isNamed(Value key, QStringView name, Qt::CaseSensitivity nameCase);
bool isNamedOneOf(Value key, const QStringList &names, Qt::CaseSensitivity nameCase);
Value member(Value object, QStringView name, Qt::CaseSensitivity nameCase);
/// Keys from the root of a JSON document to a value ({"error", "code"}). Absent: the value has no
/// such path, because it lies in a list or is a part of a text.
using KeyPath = std::optional<QStringList>;
Value valueAt(Value from, const KeyPath &keyPath, Qt::CaseSensitivity nameCase);
/// Key in a step of a dotted path: "pools" for the step "pools[]".
QString keyOf(const QString &step);
/// Sets the value at a path of keys; makes objects and appends to lists ("pools[]") on the way.
QJsonValue withValueAt(const QJsonValue &into, const QStringList &keyPath, const QJsonValue &value);

/// True if a value exists and is neither null nor false.
bool isSet(const QJsonValue &value);

/// Placeholder in a text of the wire rows.
enum class Hole {
    Path, // Path to Url: of a resource
    Name,
    Type,
    State,
    Etag,
    Guid, // always the same for a path
    Url,
    Id, // Id to ResultUrl: of an operation
    Op,
    Status,
    OtherId, // OtherId, OtherOp: of the operation that canceled this one
    OtherOp,
    OperationUrl,
    ResultUrl,
    ErrorCode,
    ErrorMessage,
    RequestId,
    Date,
    Version,
    LastVersion,
    RetryAfter,
    Http,     // an error's HTTP status; a string that consists of this hole becomes a number
    Origin,   // of the server, as the client called it
    FreshId,  // a new, unique id
    Property, // {property NAME}: of the resource
    Header,   // {header NAME}: of the request
    Unknown   // any other text in braces
};

/// Text with holes: literals and holes alternate, beginning and ending with a literal.
struct HoleText
{
    static HoleText of(const QString &text); ///< parses a text with holes in braces

    QByteArrayList literals; ///< as UTF-8; one more than there are holes
    QList<Hole> holes;
    QStringList names; ///< the argument of each hole; empty: none
};

/// Layout of a JSON document, for writing and reading: a document of a pack, with parsed holes.
///
/// A string may contain holes such as "{state}". Members with these names stand for several:
/// `"{body}": true` for the members that the client stored in this object; `"{body}": "properties"`
/// for the same in the object with the resource's properties; `"{children}": "DOCUMENT"` for one
/// list of documents per type of children, under the type's name; `"{referrers}": "DOCUMENT"` for
/// the lists of referrers, as the reference rules name them. A list whose only item is
/// "{resources}", "{versions}" or "{details}" is filled with those.
///
/// An object with the key "{property}" is replaced by a property's value. Its other keys: `of` (the
/// child that has the property), `time` (formats), `else` (replaces a missing value), `required`
/// and the limits of a time (checked when reading). An object with the key "{document}" is replaced
/// by that document; as the only item of a list, by one document per child of the type `of`.
struct DocumentLayout
{
    /// Part of the document, in the order of writing.
    struct Part
    {
        enum class Kind {
            Text,      ///< constant
            Hole,      ///< in a string
            Comma,     ///< written only after another member
            Stored,    ///< members that a client stored
            Children,  ///< members, each a list of children
            Referrers, ///< members, each a list of referrers
            Resources, ///< items of a list
            Versions,  ///< items of a list
            Details,   ///< items of a list
            Bare,      ///< hole without quotes, for a number
            Property,  ///< value of a property
            Document,  ///< another document, of the resource or of each of its children
        };
        Kind kind = Kind::Text;
        KeyPath
            keyPath; ///< where a reader finds the part; absent for Text and parts of lists or texts
        QByteArray text; ///< Text
        instar::Hole hole = instar::Hole::Unknown;
        QString argument;           ///< Hole: argument of the hole; empty: none
        QStringList ownKeys;        ///< Stored: keys that the document itself sets
        bool holdsChildren = false; ///< Stored: the object contains children, too
        QString document;           ///< Children, Referrers, Document: the document's id
        QString of; ///< child (Property) or type of children (Document); empty: the resource
        // Property:
        QString property;
        QStringList times; ///< formats of a time; empty: the value is no time
        bool isRequired = false;
        QString notBefore, notAfter, after; ///< limits: other members or "now"; empty: none
        QString refusal;       ///< key of the refusal of a time beyond a limit; empty: "wrongValue"
        QString otherwiseText; ///< written by clients if there is no value; may have holes
        std::vector<Part> otherwise; ///< written by servers if there is no value
    };

    explicit DocumentLayout(const WireDocument &row);

    /// Key path of the string that consists of this hole.
    const KeyPath &keyPath(Hole hole) const;
    auto placed(Part::Kind kind) const
    {
        return parts | std::views::filter([kind](const Part &part) {
            return part.kind == kind && part.keyPath;
        });
    }
    auto fields() const { return placed(Part::Kind::Property); }
    /// Lists of children, each of one type.
    auto lists() const
    {
        return placed(Part::Kind::Document)
            | std::views::filter([](const Part &part) { return !part.of.isEmpty(); });
    }
    bool hasLists() const { return !std::ranges::empty(lists()); }
    /// The document that this one wraps; null: none.
    const Part *wrapped() const;

    std::vector<Part> parts;
    /// Key paths of the strings that consist of a part of the resource's name, by the part's hole.
    QMap<QString, QStringList> nameParts;
    KeyPath properties, children; ///< of the objects that hold the resource's properties, children
    QStringList ownProperties;    ///< keys that the document itself sets among the properties
    /// Keys of the first list and the first text in the root. In a page of a collection these are
    /// the resources and the URL of the next page.
    QString listKey, textKey;

private:
    void read(Value value, const KeyPath &keyPath);
    void readText(Value string, const KeyPath &keyPath);
    void readList(Value list, const KeyPath &keyPath);
    void readProperty(Value object, const KeyPath &keyPath);
    void readObject(Value object, const KeyPath &keyPath);
    void readSpecial(const QString &name, Value value, const KeyPath &keyPath,
        const QStringList &ownKeys, bool holdsChildren);
    void add(QByteArrayView text);
};

/// Writes a time in the first format that is exact for it, else in the last.
QString momentText(qint64 moment, const QStringList &formats);
/// Parses a time in any of the formats (none fits: nothing); "now" is rounded to the first format.
std::optional<qint64> momentOf(const QString &text, const QStringList &formats, qint64 now);

} // namespace instar
