// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/jsontext.h"

#include <QList>

namespace instar {

/// A member's name that is looked for in documents.
struct Key
{
    Key(const QString &name) : text(name), utf8(name.toUtf8()) { }
    QString text;
    QByteArray utf8;
    bool operator==(const Key &) const = default;
};
using Keys = QList<Key>;

/// Names are nearly always spelled alike, and never alike where they are not of one length.
inline bool sameName(QStringView a, QStringView b, Qt::CaseSensitivity names)
{
    return a.size() == b.size()
        && (a == b || (names == Qt::CaseInsensitive && a.compare(b, names) == 0));
}

/// A member's name as it stands in a document.
class Spelling
{
public:
    explicit Spelling(Value key);
    bool is(const Key &key, Qt::CaseSensitivity names) const;
    bool isOneOf(const Keys &keys, Qt::CaseSensitivity names) const;
    QString text() const;

private:
    Value m_key;
    QByteArrayView m_inside; ///< between the quotes
    bool m_isPlain;          ///< ASCII without escapes, and so itself as it stands there
};

/// The first member of that name, if there is one.
Value member(Value object, const Key &key, Qt::CaseSensitivity names);
/// The keys that lead to something in a document; nothing where it is in none.
using Place = std::optional<Keys>;
/// The value at a place, if there is one.
Value valueAt(Value from, const Place &place, Qt::CaseSensitivity names);

} // namespace instar
