// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/document.h"
#include "model/machine/wire.h"

#include <QHash>
#include <QStringList>

#include <memory>
#include <optional>

namespace instar {

/// What a hole in a text of the wire rows is filled with.
enum class Hole {
    Path, Name, Type, State, Etag, Guid,                        // of a resource
    Id, Op, Status, OtherId, OtherOp, OperationUrl, ResultUrl,  // of an operation
    ErrorCode, ErrorMessage,                                    // of an error
    RequestId, Date, Version, LastVersion, RetryAfter, Unknown
};

/// A text with holes: a literal, then a hole and a literal, and so on.
struct HoleText
{
    static HoleText of(const QString &text);

    QStringList literals; ///< one more than there are holes
    QList<Hole> holes;
};

/// A JSON document of a pack's wire rows, with its holes found: what fills them is written there and read from there.
///
/// A string may hold texts such as "{state}". Members with these names stand for several:
/// `"{body}": true` what the client stored in this place; `"{body}": "properties"` likewise, and a resource's properties
/// live there; `"{children}": "DOCUMENT"` one list of documents per type of children, under the type's name;
/// `"{referrers}": "DOCUMENT"` the lists of who refers to it, as the reference rules name them. A list whose only item is
/// "{resources}", "{versions}" or "{details}" is filled with those.
class Template
{
public:
    struct Entry;
    /// A value of the document.
    struct Node
    {
        enum class Kind { Raw, Text, Object, Array, Resources, Versions, Details };
        Kind kind = Kind::Raw;
        QByteArray raw;             ///< Raw: as it is
        HoleText text;              ///< Text
        std::vector<Entry> entries; ///< Object, Array
        QStringList own;            ///< Object: the keys that the document itself sets
        bool holdsChildren = false; ///< Object: children stand here
    };
    /// A member of an object, or an item of a list.
    struct Entry
    {
        enum class Kind { Plain, Body, Children, Referrers };
        Kind kind = Kind::Plain;
        QString name;
        QByteArray key;   ///< as JSON, with its colon
        QString document; ///< Children, Referrers
        Node value;       ///< Plain
    };

    explicit Template(const WireDocument &row);

    const Node &root() const { return m_root; }
    /// The keys that lead to the string that is exactly this hole ("state"); nothing where there is none.
    std::optional<QStringList> place(const QString &hole) const;
    /// The keys that lead to the object where a resource's properties, or its children, are.
    const std::optional<QStringList> &properties() const { return m_properties; }
    const std::optional<QStringList> &children() const { return m_children; }
    /// The keys that the template itself sets in an object, specials left out.
    QStringList own(const QStringList &place) const { return m_own.value(place); }
    /// The key of the first list and of the first text in the root: a page of a collection, and where it goes on.
    QString listKey() const { return m_listKey; }
    QString textKey() const { return m_textKey; }

private:
    Node read(Value value, const QStringList &place);

    Node m_root;
    QHash<QString, QStringList> m_places;
    QHash<QStringList, QStringList> m_own;
    std::optional<QStringList> m_properties, m_children;
    QString m_listKey, m_textKey;
};

/// The value that a chain of keys leads to, if there is one.
Value valueAt(Value from, const QStringList &keys, Qt::CaseSensitivity names = Qt::CaseSensitive);
Value member(Value object, QStringView key, Qt::CaseSensitivity names);

} // namespace instar
