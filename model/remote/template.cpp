// SPDX-License-Identifier: Apache-2.0
#include "model/remote/template.h"

using namespace Qt::StringLiterals;

namespace instar {

Template::Template(const WireDocument &row) : m_id(row.id)
{
    // What a pack's reader took is JSON; a row made otherwise may be anything, and is then empty.
    Result<Document> document = Document::parse(row.json, row.id);
    if (!document)
        document = Document::parse("{}", row.id);
    m_document = std::make_shared<const Document>(*std::move(document));
    find(root(), {});
}

void Template::find(Value value, const QStringList &place)
{
    if (value.is(Value::Kind::String)) {
        const QString text = value.string();
        if (text.startsWith(u'{') && text.indexOf(u'}') == text.size() - 1)
            m_places[text.sliced(1, text.size() - 2)] = place;
        return;
    }
    for (const Member member : value.members()) {
        const QString key = member.key.string();
        if (key == u"{body}") {
            if (member.value.isString("properties"))
                m_properties = place;
        } else if (key == u"{children}") {
            m_children = place;
            m_childDocument = member.value.string();
        } else if (!key.startsWith(u'{')) {
            m_own[place] += key;
            find(member.value, place + QStringList { key });
        }
    }
}

std::optional<QStringList> Template::place(const QString &hole) const
{
    const auto found = m_places.constFind(hole);
    return found == m_places.constEnd() ? std::nullopt : std::optional(*found);
}

QStringList Template::own(const QStringList &place) const
{
    return m_own.value(place);
}

Value member(Value object, QStringView key, Qt::CaseSensitivity names)
{
    if (names == Qt::CaseSensitive)
        return object.find(key.toUtf8());
    for (const Member member : object.members()) {
        if (key.compare(member.key.string(), names) == 0)
            return member.value;
    }
    return {};
}

Value valueAt(Value from, const QStringList &keys, Qt::CaseSensitivity names)
{
    for (const QString &key : keys) {
        if (!from.is(Value::Kind::Object))
            return {};
        from = member(from, key, names);
    }
    return from;
}

} // namespace instar
