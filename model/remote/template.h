// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/jsontext.h"
#include "model/machine/wire.h"

#include <QByteArrayList>
#include <QMap>
#include <QStringList>

#include <array>
#include <optional>
#include <vector>

namespace instar {

/// Whether a member's key is that name.
bool isNamed(Value key, QStringView name, Qt::CaseSensitivity names);
bool isNamedOneOf(Value key, const QStringList &list, Qt::CaseSensitivity names);
/// The first member of that name, if there is one.
Value member(Value object, QStringView name, Qt::CaseSensitivity names);
/// The keys that lead to something in a document; nothing where it is in none.
using Place = std::optional<QStringList>;
/// The value at a place, if there is one.
Value valueAt(Value from, const Place &place, Qt::CaseSensitivity names);
/// A step of a dotted place such as "pools[].address" without what says that it is a list.
QString keyOf(const QString &step);
/// Objects in each other, and lists with one more item, that have a value at a place.
QJsonValue withValueAt(const QJsonValue &into, const QStringList &place, const QJsonValue &value);

/// Its JSON text.
QByteArray jsonOf(const QJsonValue &value);
/// Whether a member is there, and neither null nor false.
bool isSaid(const QJsonValue &value);

/// What a hole in a text of the wire rows is filled with.
enum class Hole {
    Path,
    Name,
    Type,
    State,
    Etag,
    Guid,
    Url, // of a resource
    Id,
    Op,
    Status,
    OtherId,
    OtherOp,
    OperationUrl,
    ResultUrl, // of an operation
    ErrorCode,
    ErrorMessage, // of an error
    RequestId,
    Date,
    Version,
    LastVersion,
    RetryAfter,
    Http,     // an error's HTTP status: a number, where nothing is beside it
    Origin,   // of the server, as the client called it
    FreshId,  // an id that nothing else has
    Property, // {property NAME}: of the resource
    Header,   // {header NAME}: of the request
    Unknown   // the last
};

/// A text with holes: a literal, then a hole and a literal, and so on.
struct HoleText
{
    static HoleText of(const QString &text);

    QByteArrayList literals; ///< as UTF-8; one more than there are holes
    QList<Hole> holes;
    QStringList names; ///< of each hole, what it names; empty: it is the only one of its kind
};

/// A JSON document of a pack's wire rows, with its holes found: what fills them is written there
/// and read from there.
///
/// A string may hold texts such as "{state}". Members with these names stand for several:
/// `"{body}": true` what the client stored in this place; `"{body}": "properties"` likewise, and a
/// resource's properties live there; `"{children}": "DOCUMENT"` one list of documents per type of
/// children, under the type's name;
/// `"{referrers}": "DOCUMENT"` the lists of who refers to it, as the reference rules name them. A
/// list whose only item is
/// "{resources}", "{versions}" or "{details}" is filled with those.
///
/// An object with the key "{property}" stands for a property's value: `of` a child, as a `time` in
/// words, and what is written `else`; to a reader it says what is `required`, and which moment it
/// may not lie before. One with the key "{document}" is that document; alone in a list, one for
/// each child `of` a type.
class Template
{
public:
    /// A piece of the document as it is written.
    struct Part
    {
        enum class Kind {
            Text,   ///< always the same
            Hole,   ///< in a string
            Comma,  ///< if there is something before it
            Stored, ///< members that a client stored
            Children,
            Referrers, ///< members of their own
            Resources,
            Versions,
            Details,  ///< items of a list
            Bare,     ///< a hole that stands for a number
            Property, ///< a property's value
            Document, ///< another document: the same resource's, or each of its children's
        };
        Kind kind = Kind::Text;
        QByteArray text; ///< Text
        instar::Hole hole = instar::Hole::Unknown;
        QString named;               ///< Hole: what it names; empty: it is the only one of its kind
        Place place;                 ///< Stored: where they are in the client's document
        QStringList own;             ///< Stored: keys that the document itself sets there
        bool holdsChildren = false;  ///< Stored: children stand there, too
        QString document;            ///< Children, Referrers, Document: how each is written
        QString property, of;        ///< Property: its name; of which child. Document: which type
        QStringList times;           ///< Property: how a time is written; empty: it is none
        std::vector<Part> otherwise; ///< Property: where there is none
    };

    explicit Template(const WireDocument &row);

    /// A member that stands for a property.
    struct Saying
    {
        QStringList place;
        QString property, of;
        QStringList times;
        bool isRequired = false;
        QString notBefore, notAfter, after; ///< members beside it, or "now"; empty: whenever
        QString refusal;   ///< of a moment that is none of these; empty: wrongValue
        QString otherwise; ///< a text with holes: what a client says that has no such property
    };
    /// A list that holds the resources below of one type.
    struct Embedded
    {
        QStringList place;
        QString document, type;
    };
    const std::vector<Saying> &sayings() const { return m_sayings; }
    const std::vector<Embedded> &embedded() const { return m_embedded; }
    /// The document that it only wraps: where the whole of another one stands.
    struct Wrapped
    {
        QStringList place;
        QString document;
    };
    const std::optional<Wrapped> &wrapped() const { return m_wrapped; }

    const std::vector<Part> &parts() const { return m_parts; }
    /// Of the string that is exactly this hole.
    const Place &place(Hole hole) const { return m_places[size_t(hole)]; }
    /// Of the strings that are exactly a part of the resource's name, by the hole in paths that is
    /// filled with it.
    const QMap<QString, QStringList> &nameParts() const { return m_nameParts; }
    /// Of the object where a resource's properties, or its children, are.
    const Place &properties() const { return m_properties; }
    const Place &children() const { return m_children; }
    /// The keys that the document itself sets among the properties.
    const QStringList &ownProperties() const { return m_ownProperties; }
    /// The key of the first list and of the first text in the root: a page of a collection, and
    /// where it goes on.
    const QString &listKey() const { return m_listKey; }
    const QString &textKey() const { return m_textKey; }

private:
    void read(Value value, const Place &place);
    void readText(Value string, const Place &place);
    void readList(Value list, const Place &place);
    void readProperty(Value object, const Place &place);
    void readObject(Value object, const Place &place);
    void readSpecial(const QString &name, Value value, const Place &place, const QStringList &own,
        bool holdsChildren);
    void add(QByteArrayView text);

    std::vector<Part> m_parts;
    std::array<Place, size_t(Hole::Unknown) + 1> m_places;
    QMap<QString, QStringList> m_nameParts;
    Place m_properties, m_children;
    QStringList m_ownProperties;
    std::vector<Saying> m_sayings;
    std::vector<Embedded> m_embedded;
    std::optional<Wrapped> m_wrapped;
    QString m_listKey, m_textKey;
};

// ---- Moments as documents write them, always UTC, in formats as QDateTime has them. In numbers
// they are ms since 1970.

/// In the first of the formats that says it exactly, else in the last.
QString momentText(qint64 moment, const QStringList &formats);
/// In any of the formats; "now" is the present moment, as exactly as the first of them says it.
/// Nothing: it is in none.
std::optional<qint64> momentOf(const QString &text, const QStringList &formats, qint64 now);

} // namespace instar
