// SPDX-License-Identifier: Apache-2.0
#include "model/remote/incoming.h"

#include "model/remote/freshid.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

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

bool isSaid(Value value)
{
    return value && !value.is(Value::Kind::Null)
        && !(value.is(Value::Kind::Bool) && !value.boolean());
}

/// What the body answers of conditions that the pack leaves open.
void readConditions(const WireRequest &row, Value body, Qt::CaseSensitivity names, Request *request)
{
    for (auto it = row.conditions.cbegin(); it != row.conditions.cend(); ++it) {
        const bool holds = std::ranges::any_of(
            *it, [&](const QString &name) { return isSaid(member(body, name, names)); });
        request->conditions.insert(it.key(), holds);
    }
}

/// What is said of resources below goes to the operations that are required of them, where the work
/// requires some; else it is changed with the target.
void passOn(const Messages &messages, ResourceMessage *message, Incoming *read)
{
    Request *request = &read->request;
    QList<ResourceMessage> own;
    for (ResourceMessage &child : message->children) {
        if (child.path.endsWith(u'/')) {
            child.path += freshId();
            read->hasUnnamed = true;
        }
        if (!messages.isRequired(request->op, request->path, child.path)) {
            own += child;
            continue;
        }
        request->requests.insert(child.path, { child.properties, child.references, {} });
        if (messages.refersTo(request->path, child.path))
            request->references += child.path;
    }
    message->children = own;
    for (auto it = message->others.cbegin(); it != message->others.cend(); ++it) {
        Enclosed &enclosed = request->requests[it.key()];
        enclosed.properties = merged(enclosed.properties, it.value());
    }
}

void readBody(const Messages &messages, const Asked &asked, const HttpRequest &http,
    const WireClock &clock, Incoming *read)
{
    Request &request = read->request;
    constexpr QByteArrayView mark("\xEF\xBB\xBF"); // of the byte order, as some clients write it
    const QByteArray body = http.body.startsWith(mark) ? http.body.sliced(mark.size()) : http.body;
    const Result<JsonText> document = JsonText::parse(body, u"body"_s);
    if (!document || !document->root().is(Value::Kind::Object)) {
        read->refusal = u"malformedBody"_s;
        read->text = document ? u"expected an object, found "_s + document->root().kindName()
                              : document.error();
        return;
    }
    if (const QString name = messages.nameIn(*document, asked);
        asked.isCollection && !name.isEmpty()) {
        if (const QString problem = nameProblem(name); !problem.isEmpty()) {
            read->refusal = u"wrongName"_s;
            read->text = problem;
            return;
        }
        request.path = asked.path + u'/' + name;
        read->isNamedHere = false;
    }
    const bool merges = messages.merges(request.op);
    ResourceMessage message = messages.said(*document, *asked.row, request.path, clock);
    const QStringView name = QStringView(request.path).sliced(request.path.lastIndexOf(u'/') + 1);
    readConditions(*asked.row, document->root(), messages.names(), &request);
    if (!message.problem.isEmpty()) {
        read->refusal = message.problem;
        read->text = message.problemText;
    } else if (!message.name.isEmpty() && name.compare(message.name, messages.names()) != 0
        && !messages.isNamedByPack(request.path)) {
        read->refusal = u"wrongName"_s;
        read->text = message.name;
    } else {
        request.stores = !merges;
        const bool isWhole = messages.isWhole(*asked.row, request.path); // it is told as it came
        request.body = merges || !isWhole ? QByteArray() : message.body;
        request.properties = std::move(message.properties);
        request.references = std::move(message.references);
        passOn(messages, &message, read);
        Contents(messages.names(), read).add(message);
        if (!read->refusal.isEmpty()) {
            request.contents.clear();
            request.replaces.clear();
        }
    }
}

} // namespace

Incoming incoming(
    const Messages &messages, const Asked &asked, const HttpRequest &http, const WireClock &clock)
{
    Incoming read;
    Request &request = read.request;
    request.op = asked.row->ask;
    request.path = asked.path;
    request.id = freshId();
    read.isNamedHere = asked.isCollection;
    if (asked.isCollection)
        request.path += u'/' + messages.nameWith(request.id, asked);
    request.ifMatch = QString::fromUtf8(header(http.headers, "If-Match"));
    request.ifNoneMatch = QString::fromUtf8(header(http.headers, "If-None-Match"));
    if (!asked.row->body.isEmpty())
        readBody(messages, asked, http, clock, &read);
    return read;
}

} // namespace instar
