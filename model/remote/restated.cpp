// SPDX-License-Identifier: Apache-2.0
#include "model/remote/messages.h"
#include "model/remote/phrasebook.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QByteArray jsonText(const QJsonValue &value)
{
    return QJsonDocument(QJsonArray { value }).toJson(QJsonDocument::Compact).sliced(1).chopped(1);
}

QByteArray quoted(const QString &text)
{
    return jsonText(text);
}

/// Copies what a client may say out of a resource's document, byte by byte, and lays what is new
/// over its properties.
class Restating
{
public:
    Restating(const Phrasebook &book, const Template &document, const TypeParts *type,
        QJsonObject laidOver, bool keepsReferences)
        : m_book(book),
          m_document(document),
          m_type(type),
          m_laidOver(std::move(laidOver)),
          m_keepsReferences(keepsReferences)
    {
        for (const QString &name : m_laidOver.keys())
            m_replaced += name;
    }

    QByteArray text(Value root)
    {
        write(root, Keys());
        return m_out;
    }

private:
    const Template::Part *storedAt(const Keys &place) const
    {
        const auto found =
            std::ranges::find_if(m_document.parts(), [&](const Template::Part &part) {
                return part.kind == Template::Part::Kind::Stored && part.place == place;
            });
        return found == m_document.parts().end() ? nullptr : &*found;
    }

    /// Whether a client's own members are somewhere below.
    bool leadsOn(const Keys &place) const
    {
        return std::ranges::any_of(m_document.parts(), [&](const Template::Part &part) {
            return part.kind == Template::Part::Kind::Stored && part.place
                && part.place->size() >= place.size()
                && std::equal(place.cbegin(), place.cend(), part.place->cbegin());
        });
    }

    /// A client's member that is not said again: a collection of children, who refers to it, or
    /// what is replaced.
    bool isLeftOut(const Spelling &name, const Keys &place) const
    {
        const auto isChild = [&](const TypeParts::Child &child) {
            return name.is(child.segment, m_book.names);
        };
        const auto isReference = [&](const TypeParts::Reference &one) {
            return name.is(one.place.first().key, m_book.names);
        };
        if (m_type && m_document.children() == place
            && std::ranges::any_of(m_type->children, isChild))
            return true;
        if (m_document.properties() != place)
            return false;
        return name.isOneOf(m_replaced, m_book.names)
            || (m_type
                && (name.isOneOf(m_type->back, m_book.names)
                    || (!m_keepsReferences
                        && std::ranges::any_of(m_type->references, isReference))));
    }

    void member(QByteArrayView key)
    {
        if (!m_out.endsWith('{'))
            m_out += ',';
        m_out.append(key).append(':');
    }

    void write(Value object, const Keys &place)
    {
        m_out += '{';
        const Template::Part *stored = storedAt(place);
        QStringList seen;
        for (const Member entry : object.members()) {
            const Spelling name(entry.key);
            const auto own = stored ? std::ranges::find_if(stored->own,
                                 [&](const Key &key) { return name.is(key, m_book.names); })
                                    : Keys::const_iterator();
            if (stored && own == stored->own.end()) {
                if (isLeftOut(name, place))
                    continue;
                member(entry.key.raw());
                m_out += entry.value.raw();
                continue;
            }
            const Keys there = place + Keys { stored ? *own : Key(name.text()) };
            if (leadsOn(there) && entry.value.is(Value::Kind::Object)) {
                seen += there.last().text;
                member(entry.key.raw());
                write(entry.value, there);
            } else if (m_document.place(Hole::Name) == there) {
                member(entry.key.raw());
                m_out += entry.value.raw();
            }
        }
        layOver(place, seen);
        m_out += '}';
    }

    /// What is new, and the objects that lead there where the document has none.
    void layOver(const Keys &place, const QStringList &seen)
    {
        const Place &properties = m_document.properties();
        if (m_laidOver.isEmpty() || !properties)
            return;
        if (properties == place) {
            for (auto it = m_laidOver.constBegin(); it != m_laidOver.constEnd(); ++it) {
                member(quoted(it.key()));
                m_out += jsonText(it.value());
            }
            return;
        }
        if (properties->size() <= place.size()
            || !std::equal(place.cbegin(), place.cend(), properties->cbegin()))
            return;
        const Key &next = properties->at(place.size());
        if (seen.contains(next.text))
            return;
        member(quoted(next.text));
        write(Value(), place + Keys { next });
    }

    const Phrasebook &m_book;
    const Template &m_document;
    const TypeParts *m_type; ///< null: the pack does not know it
    const QJsonObject m_laidOver;
    Keys m_replaced;
    bool m_keepsReferences;
    QByteArray m_out;
};

} // namespace

QByteArray Messages::restated(const World &world, Resource resource, const Request &request) const
{
    const auto row = std::ranges::find(wire().requests, request.op, &WireRequest::ask);
    const Template *document =
        row == wire().requests.end() || row->body.isEmpty() ? nullptr : m_book->find(row->body);
    const Result<Document> stored = Document::parse(world.bodies.value(resource), QString());
    if (!document || !stored || !stored->root().is(Value::Kind::Object))
        return {};
    const QString typePath = typePathOf(request.path);
    const bool keepsReferences =
        request.references.isEmpty() || request.references == world.references.value(resource);
    const QJsonObject laidOver = keepsReferences
        ? request.properties.object()
        : m_book->types.withReferences(typePath, request.properties, request.references);
    return Restating(*m_book, *document, m_book->types.find(typePath), laidOver, keepsReferences)
        .text(stored->root());
}

} // namespace instar
