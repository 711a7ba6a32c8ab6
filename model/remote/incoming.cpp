// SPDX-License-Identifier: Apache-2.0
#include "model/remote/incoming.h"

#include "model/engine/hex.h"

#include <QRandomGenerator>
#include <QSet>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// A random UUID (version 4), without asking the system for each.
QString freshId()
{
    quint32 words[4];
    QRandomGenerator::global()->fillRange(words);
    const quint64 high = quint64(words[0]) << 32 | (words[1] & 0xffff0fffu) | 0x4000u;
    const quint64 low = quint64((words[2] & 0x3fffffffu) | 0x80000000u) << 32 | words[3];
    const HexGroups groups = hexGroups(high, low);
    return QString::fromLatin1(groups.data(), qsizetype(groups.size()));
}

/// Takes over the resources that a document holds below its own, parents first.
class Contents
{
public:
    Contents(Qt::CaseSensitivity names, Incoming *read) : m_names(names), m_read(read) { }

    void add(const ResourceMessage &message)
    {
        m_read->request.replaces += message.collections;
        for (const ResourceMessage &child : message.children) {
            const QStringView name =
                QStringView(child.path).sliced(child.path.lastIndexOf(u'/') + 1);
            if (const QString problem = nameProblem(name); !problem.isEmpty())
                refuse(u"wrongName"_s, problem, true);
            const qsizetype before = m_paths.size();
            m_paths.insert(m_names == Qt::CaseInsensitive ? child.path.toCaseFolded() : child.path);
            if (m_paths.size() == before)
                refuse(u"malformedBody"_s, u"%1 is in it twice"_s.arg(child.path), false);
            if (!m_read->refusal.isEmpty())
                return;
            Request content;
            content.op = m_read->request.op;
            content.path = child.path;
            content.properties = child.properties;
            content.references = child.references;
            content.body = m_read->request.stores ? child.body : QByteArray();
            m_read->request.contents.push_back(std::move(content));
            add(child);
        }
    }

private:
    void refuse(const QString &refusal, const QString &text, bool isBadName)
    {
        if (!m_read->refusal.isEmpty())
            return;
        m_read->refusal = refusal;
        m_read->text = text;
        m_read->isBadName = isBadName;
    }

    Qt::CaseSensitivity m_names;
    Incoming *m_read;
    QSet<QString> m_paths;
};

void readBody(const Messages &messages, const HttpRequest &http, Incoming *read)
{
    Request &request = read->request;
    constexpr QByteArrayView mark("\xEF\xBB\xBF"); // of the byte order, as some clients write it
    const QByteArray body = http.body.startsWith(mark) ? http.body.sliced(mark.size()) : http.body;
    Result<JsonText> document = JsonText::parse(body, u"body"_s);
    if (!document || !document->root().is(Value::Kind::Object)) {
        read->refusal = u"malformedBody"_s;
        read->text = document ? u"expected an object, found "_s + document->root().kindName()
                              : document.error();
        return;
    }
    read->body = std::move(*document);
    using Nulls = ResourceReader::Nulls;
    const bool merges = messages.merges(request.op);
    ResourceMessage message =
        messages.resource(*read->body, request.path, merges ? Nulls::Kept : Nulls::LeftOut);
    const QStringView name = QStringView(request.path).sliced(request.path.lastIndexOf(u'/') + 1);
    if (!message.problem.isEmpty()) {
        read->refusal = message.problem;
        read->text = message.problemText;
    } else if (!message.name.isEmpty() && name.compare(message.name, messages.names()) != 0
        && !messages.isNamedByPack(request.path)) {
        read->refusal = u"wrongName"_s;
        read->text = message.name;
    } else {
        request.stores = !merges;
        request.body = merges ? QByteArray() : body;
        request.properties = std::move(message.properties);
        request.references = std::move(message.references);
        Contents(messages.names(), read).add(message);
        if (!read->refusal.isEmpty()) {
            request.contents.clear();
            request.replaces.clear();
        }
    }
}

/// The name of what is made in a collection: the body's, where it has one; else a fresh one.
QString nameFor(
    const Messages &messages, const Asked &asked, const HttpRequest &http, const QString &fresh)
{
    if (asked.row->body.isEmpty())
        return fresh;
    const Result<ResourceMessage> said = messages.resource(http.body, asked.path + u'/' + fresh);
    const QString name = said ? said->name : QString();
    return name.isEmpty() || !nameProblem(name).isEmpty() ? fresh : name;
}

} // namespace

Incoming incoming(const Messages &messages, const Asked &asked, const HttpRequest &http)
{
    Incoming read;
    Request &request = read.request;
    request.op = asked.row->ask;
    request.path = asked.path;
    request.id = freshId();
    if (asked.isCollection)
        request.path += u'/' + nameFor(messages, asked, http, request.id);
    request.ifMatch = QString::fromUtf8(header(http.headers, "If-Match"));
    request.ifNoneMatch = QString::fromUtf8(header(http.headers, "If-None-Match"));
    if (!asked.row->body.isEmpty())
        readBody(messages, http, &read);
    return read;
}

} // namespace instar
