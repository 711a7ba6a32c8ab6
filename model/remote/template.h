// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/formats/document.h"

#include <QHash>

#include <memory>
#include <optional>

namespace instar {

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
    explicit Template(const WireDocument &row);

    const QString &id() const { return m_id; }
    Value root() const { return m_document->root(); }
    /// The keys that lead to the string that is exactly this hole; nothing where there is none.
    std::optional<QStringList> place(const QString &hole) const;
    /// The keys that lead to the object where a resource's properties, or its children, are.
    const std::optional<QStringList> &properties() const { return m_properties; }
    const std::optional<QStringList> &children() const { return m_children; }
    QString childDocument() const { return m_childDocument; }
    /// The keys that the template itself sets in an object, specials left out.
    QStringList own(const QStringList &place) const;

private:
    void find(Value value, const QStringList &place);

    QString m_id;
    std::shared_ptr<const Document> m_document;
    QHash<QString, QStringList> m_places;
    QHash<QStringList, QStringList> m_own;
    std::optional<QStringList> m_properties, m_children;
    QString m_childDocument;
};

/// The value that a chain of keys leads to, if there is one.
Value valueAt(Value from, const QStringList &keys, Qt::CaseSensitivity names = Qt::CaseSensitive);
Value member(Value object, QStringView key, Qt::CaseSensitivity names);

} // namespace instar
