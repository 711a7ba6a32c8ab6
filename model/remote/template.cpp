// SPDX-License-Identifier: Apache-2.0
#include "model/remote/template.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Hole holeNamed(const QString &name)
{
    static const QHash<QString, Hole> known {
        { u"path"_s, Hole::Path }, { u"name"_s, Hole::Name }, { u"type"_s, Hole::Type }, { u"state"_s, Hole::State },
        { u"etag"_s, Hole::Etag }, { u"guid"_s, Hole::Guid }, { u"id"_s, Hole::Id }, { u"op"_s, Hole::Op },
        { u"status"_s, Hole::Status }, { u"other id"_s, Hole::OtherId }, { u"other op"_s, Hole::OtherOp },
        { u"operation url"_s, Hole::OperationUrl }, { u"result url"_s, Hole::ResultUrl }, { u"code"_s, Hole::ErrorCode },
        { u"message"_s, Hole::ErrorMessage }, { u"request id"_s, Hole::RequestId }, { u"date"_s, Hole::Date },
        { u"version"_s, Hole::Version }, { u"last version"_s, Hole::LastVersion }, { u"retry after"_s, Hole::RetryAfter },
    };
    return known.value(name, Hole::Unknown);
}

} // namespace

HoleText HoleText::of(const QString &text)
{
    HoleText result;
    qsizetype at = 0;
    for (qsizetype open = text.indexOf(u'{'); open >= 0; open = text.indexOf(u'{', at)) {
        const qsizetype end = text.indexOf(u'}', open);
        if (end < 0)
            break;
        result.literals += text.mid(at, open - at);
        result.holes += holeNamed(text.mid(open + 1, end - open - 1));
        at = end + 1;
    }
    result.literals += text.mid(at);
    return result;
}

Template::Template(const WireDocument &row)
{
    // What a pack's reader took is JSON; a row made otherwise may be anything, and is then empty.
    Result<Document> document = Document::parse(row.json, row.id);
    if (!document)
        document = Document::parse("{}", row.id);
    for (const Member entry : document->root().members()) {
        if (entry.value.is(Value::Kind::Array) && m_listKey.isEmpty())
            m_listKey = entry.key.string();
        else if (entry.value.is(Value::Kind::String) && m_textKey.isEmpty())
            m_textKey = entry.key.string();
    }
    m_root = read(document->root(), {});
}

Template::Node Template::read(Value value, const QStringList &place)
{
    Node node;
    if (value.is(Value::Kind::String)) {
        const QString text = value.string();
        if (text.startsWith(u'{') && text.indexOf(u'}') == text.size() - 1 && !m_places.contains(text.sliced(1, text.size() - 2)))
            m_places.insert(text.sliced(1, text.size() - 2), place);
        node.text = HoleText::of(text);
        node.kind = node.text.holes.isEmpty() ? Node::Kind::Raw : Node::Kind::Text;
        node.raw = value.raw().toByteArray();
    } else if (value.is(Value::Kind::Array)) {
        const Value only = value.size() == 1 ? *value.items().begin() : Value();
        node.kind = only.isString("{resources}") ? Node::Kind::Resources
            : only.isString("{versions}")        ? Node::Kind::Versions
            : only.isString("{details}")         ? Node::Kind::Details
                                                 : Node::Kind::Array;
        for (const Value item : value.items()) {
            if (node.kind == Node::Kind::Array)
                node.entries.push_back({ .kind = Entry::Kind::Plain, .name = {}, .key = {}, .document = {}, .value = read(item, place) });
        }
    } else if (value.is(Value::Kind::Object)) {
        node.kind = Node::Kind::Object;
        for (const Member member : value.members()) {
            Entry entry;
            entry.name = member.key.string();
            entry.document = member.value.string();
            if (entry.name == u"{body}") {
                entry.kind = Entry::Kind::Body;
                if (entry.document == u"properties")
                    m_properties = place;
            } else if (entry.name == u"{children}") {
                entry.kind = Entry::Kind::Children;
                m_children = place;
                node.holdsChildren = true;
            } else if (entry.name == u"{referrers}") {
                entry.kind = Entry::Kind::Referrers;
            } else {
                entry.key = member.key.raw().toByteArray() + ':';
                node.own += entry.name;
                entry.value = read(member.value, place + QStringList { entry.name });
            }
            node.entries.push_back(std::move(entry));
        }
        m_own.insert(place, node.own);
    } else {
        node.raw = value.raw().toByteArray();
    }
    return node;
}

std::optional<QStringList> Template::place(const QString &hole) const
{
    const auto found = m_places.constFind(hole);
    return found == m_places.constEnd() ? std::nullopt : std::optional(*found);
}

Value member(Value object, QStringView key, Qt::CaseSensitivity names)
{
    if (names == Qt::CaseSensitive)
        return object.find(key.toUtf8());
    for (const Member member : object.members()) {
        // Most keys are plain ASCII, and need not be decoded.
        const QByteArrayView quoted = member.key.raw();
        const QLatin1StringView raw(quoted.data() + 1, quoted.size() - 2);
        const bool isSame = key.compare(raw, names) == 0
            || (raw.size() != key.size() && key.compare(member.key.string(), names) == 0);
        if (isSame)
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
