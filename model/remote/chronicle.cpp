// SPDX-License-Identifier: Apache-2.0
#include "model/remote/chronicle.h"

#include "model/engine/errorcodes.h"
#include "model/formats/exchanges.h"
#include "model/remote/incoming.h"

#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

HttpRequest messageOf(const Exchange &exchange)
{
    const QUrl url(exchange.url);
    HttpRequest request;
    request.method = exchange.method.toUtf8();
    request.target = url.path(QUrl::FullyEncoded).toUtf8();
    if (url.hasQuery())
        request.target += '?' + url.query(QUrl::FullyEncoded).toUtf8();
    for (const Exchange::Header &header : exchange.requestHeaders)
        request.headers.append(header.name.toUtf8(), header.value.toUtf8());
    request.body = exchange.requestBody;
    return request;
}

/// Where the answer says that the operation can be asked about.
QStringList operationUrls(const Exchange &exchange, const WireFollow &follow)
{
    QStringList urls;
    for (const QStringList &names : { follow.operationHeaders, follow.resultHeaders }) {
        for (const QString &name : names) {
            if (const QString url = headerValue(exchange.responseHeaders, name); !url.isEmpty())
                urls += QUrl(exchange.url).resolved(QUrl(url)).toString();
        }
    }
    return urls;
}

} // namespace

Chronicle::Chronicle(const Rules &rules, QString file)
    : m_rules(rules),
      m_messages(rules),
      m_file(std::move(file)),
      m_codes(errorCodes(rules.pack()) - readingCodes(rules.pack()))
{ }

QString Chronicle::treeOf(const QString &path) const
{
    const QString top = path.section(u'/', 0, 2);
    return m_rules.pack().ignoreCase ? top.toCaseFolded() : top;
}

void Chronicle::add(const Exchange &exchange, int line)
{
    if (!exchange.sent.isValid())
        return;
    if (m_zero.isNull()) {
        m_zero = exchange.sent;
        m_messages.setZero(m_zero.toMSecsSinceEpoch());
    }
    const HttpRequest message = messageOf(exchange);
    const Asked asked = m_messages.asked(message);
    if (!asked.row || !asked.badName.isEmpty())
        return;
    // Times of sending are cut to whole ms; one ms is added, so that no interval is too short.
    Span span { .sent = exchange.sent, .line = line };
    span.from = double(m_zero.msecsTo(exchange.sent));
    span.to = span.from + std::max(0.0, exchange.duration) + 1;
    if (m_rules.isOperation(m_rules.trigger(asked.row->ask))) {
        addRequest(exchange, asked, span);
    } else if (exchange.status) {
        addAnswer(exchange, asked, span);
    }
}

/// As a server would understand it; nothing: it is not known what it is about.
std::optional<Request> Chronicle::requestOf(const Exchange &exchange, Asked asked, const Span &span)
{
    const qint64 zero = m_zero.toMSecsSinceEpoch();
    const WireClock clock { .zero = zero, .now = zero + qint64(span.from), .world = nullptr };
    if (asked.isCollection && incoming(m_messages, asked, messageOf(exchange), clock).isNamedHere) {
        HttpResponse answer { .status = exchange.status };
        answer.headers.append(
            "Location", headerValue(exchange.responseHeaders, u"Location").toUtf8());
        answer.body = exchange.responseBody;
        const bool isMade = exchange.status >= 200 && exchange.status < 300;
        const QString path =
            isMade ? m_messages.madePath(asked.path, answer, QUrl(exchange.url)) : QString();
        if (path.isEmpty() && (isMade || !exchange.status || exchange.status >= 500))
            m_unnamed.insert(treeOf(asked.path).section(u'/', 0, 1));
        asked.path = path;
        asked.isCollection = false;
    }
    const Incoming read = incoming(m_messages, asked, messageOf(exchange), clock);
    if (m_rules.machineForType(typePathOf(read.request.path)) == Rules::None)
        return {};
    if (read.hasUnnamed)
        m_vague.insert(treeOf(read.request.path));
    return read.request;
}

void Chronicle::addRequest(const Exchange &exchange, const Asked &asked, const Span &span)
{
    std::optional<Request> understood = requestOf(exchange, asked, span);
    if (!understood)
        return;
    AskedThen request { .line = span.line, .sent = span.from, .answered = span.to };
    request.request = *std::move(understood);
    QString id = exchange.operation.isEmpty() ? u"e%1"_s.arg(exchange.number) : exchange.operation;
    if (const int before = m_names[id]++)
        id += u"#%1"_s.arg(before + 1);
    request.request.id = id;
    request.request.client = exchange.client;
    if (!m_messages.requestIdHeader().isEmpty())
        request.request.requestId =
            headerValue(exchange.requestHeaders, QString::fromLatin1(m_messages.requestIdHeader()));
    const QString code = m_messages.error(exchange.responseBody, exchange.status).code;
    if (!exchange.status) {
        request.answer = AskedThen::Answer::Lost;
    } else if (exchange.status >= 200 && exchange.status < 300) {
        for (const QString &url : operationUrls(exchange, m_messages.wire().follow)) {
            HttpRequest question;
            question.method = "GET";
            question.target = QUrl(url).path(QUrl::FullyEncoded).toUtf8();
            const Asked there = m_messages.asked(question);
            if (!there.operation.isEmpty())
                m_operations.insert(there.operation, id);
        }
        if (const auto seen = m_messages.resource(exchange.responseBody, request.request.path);
            seen && !seen->state.isEmpty())
            addResource(*seen, span);
    } else if (exchange.status < 500 && m_codes.contains(code)) {
        request.answer = AskedThen::Answer::Refused;
        request.code = code;
    } else {
        request.answer = AskedThen::Answer::Unknown;
    }
    m_requests += request;
}

void Chronicle::addAnswer(const Exchange &exchange, const Asked &asked, const Span &span)
{
    const bool isGood = exchange.status >= 200 && exchange.status < 300;
    if (asked.row->ask == u"resource" && isGood) {
        if (const auto message = m_messages.resource(exchange.responseBody, asked.path)) {
            ResourceMessage seen = *message;
            seen.path = asked.path;
            if (seen.etag.isEmpty())
                seen.etag = exchange.etag;
            addResource(seen, span);
        }
    } else if (asked.row->ask == u"resource" && exchange.status == 404) {
        m_observations +=
            Observation { .line = span.line, .path = asked.path, .from = span.from, .to = span.to };
        m_sights[asked.path] += Sight { span.from, span.to, {} };
    } else if (asked.row->ask == u"collection" && isGood) {
        const auto collection = m_messages.collection(exchange.responseBody, asked.path);
        if (!collection)
            return;
        for (const ResourceMessage &message : collection->resources)
            addResource(message, span);
        const QString top = m_rules.pack().ignoreCase ? asked.path.toCaseFolded() : asked.path;
        const bool isWhole = collection->next.isEmpty() && !QUrl(exchange.url).hasQuery();
        if (isWhole && asked.path.count(u'/') == 1)
            m_collections.insert(top, std::min(span.to, m_collections.value(top, span.to)));
    } else if (asked.row->ask == u"operation" && isGood) {
        addStatus(exchange, asked, span);
    }
}

void Chronicle::addResource(const ResourceMessage &message, const Span &span)
{
    if (message.path.isEmpty() || m_rules.machineForType(typePathOf(message.path)) == Rules::None)
        return;
    if (!message.state.isEmpty()) {
        m_observations += Observation { .line = span.line,
            .path = message.path,
            .from = span.from,
            .to = span.to,
            .word = message.state,
            .etag = message.etag };
        m_sights[message.path] += Sight { span.from, span.to, message };
    }
    for (const ResourceMessage &child : message.children)
        addResource(child, span);
}

void Chronicle::addStatus(const Exchange &exchange, const Asked &asked, const Span &span)
{
    const Result<OperationMessage> message = m_messages.operation(exchange.responseBody);
    if (!message || !message->status)
        return;
    Observation stood {
        .line = span.line, .from = span.from, .to = span.to, .word = statusName(*message->status)
    };
    m_statuses.append({ asked.operation, stood });
}

/// When each tree was first changed (ms).
QHash<QString, double> Chronicle::begun() const
{
    QHash<QString, double> begun;
    for (const AskedThen &asked : m_requests) {
        const QString tree = treeOf(asked.request.path);
        begun.insert(tree, std::min(asked.sent, begun.value(tree, asked.sent)));
    }
    return begun;
}

ResourceSpec Chronicle::specOf(const ResourceMessage &message) const
{
    ResourceSpec spec {
        .path = message.path, .references = message.references, .properties = message.properties
    };
    const int machine = m_rules.machineForType(typePathOf(message.path));
    for (const Rules::StateRule &state : m_rules.states()) {
        const bool shows = state.id == message.state
            || (state.shown != Rules::None && m_rules.word(state.shown) == message.state);
        if (state.machine == machine && state.isStable() && shows
            && (spec.state.isEmpty() || state.id == message.state))
            spec.state = state.id;
    }
    return spec;
}

History Chronicle::history() const
{
    History history { .file = m_file,
        .pack = m_rules.pack().id,
        .switches = m_rules.switches(),
        .resources = {},
        .headerLine = 0,
        .requests = {},
        .observations = {} };
    const QStringList left = leftOut();
    const QSet<QString> leftOut(left.begin(), left.end());
    const QHash<QString, double> begun = this->begun();
    for (auto it = m_sights.cbegin(); it != m_sights.cend(); ++it) {
        const QString tree = treeOf(it.key());
        std::optional<Sight> first; // before anybody changed it; later the clock may have
        for (const Sight &sight : *it) {
            if (sight.to <= begun.value(tree, 1e300) && (!first || sight.to < first->to))
                first = sight;
        }
        if (first && first->message && !leftOut.contains(tree))
            history.resources += specOf(*first->message);
    }
    std::ranges::sort(history.resources, {}, &ResourceSpec::path);
    for (const AskedThen &asked : m_requests) {
        if (!leftOut.contains(treeOf(asked.request.path)))
            history.requests += asked;
    }
    for (const Observation &seen : m_observations) {
        if (!leftOut.contains(treeOf(seen.path)))
            history.observations += seen;
    }
    QSet<QString> asked;
    for (const AskedThen &request : std::as_const(history.requests))
        asked.insert(request.request.id);
    for (auto [operation, stood] : m_statuses) {
        stood.operation = m_operations.value(operation);
        if (asked.contains(stood.operation))
            history.observations += stood;
    }
    return history;
}

QStringList Chronicle::leftOut() const
{
    const QHash<QString, double> begun = this->begun();
    QStringList result;
    const auto isKnown = [&](const QString &tree, double before) {
        const auto read = m_collections.constFind(tree.section(u'/', 0, 1));
        if (read != m_collections.constEnd() && *read <= before)
            return true;
        for (auto it = m_sights.cbegin(); it != m_sights.cend(); ++it) {
            if (treeOf(it.key()) == tree
                && std::ranges::any_of(*it, [&](const Sight &sight) { return sight.to <= before; }))
                return true;
        }
        return false;
    };
    const auto isAtRest = [&](const QString &tree, double before) {
        for (auto it = m_sights.cbegin(); it != m_sights.cend(); ++it) {
            if (treeOf(it.key()) != tree)
                continue;
            for (const Sight &sight : *it) {
                if (sight.to <= before && sight.message && specOf(*sight.message).state.isEmpty())
                    return false;
            }
        }
        return true;
    };
    for (auto it = begun.cbegin(); it != begun.cend(); ++it) {
        if (m_vague.contains(it.key()) || !isKnown(it.key(), *it) || !isAtRest(it.key(), *it))
            result += it.key();
    }
    for (auto it = m_sights.cbegin(); it != m_sights.cend(); ++it) {
        const QString tree = treeOf(it.key());
        const bool mayBeNew = m_unnamed.contains(tree.section(u'/', 0, 1));
        if (mayBeNew || (!begun.contains(tree) && !isAtRest(tree, 1e300)))
            result += tree;
    }
    result.removeDuplicates();
    result.sort();
    return result;
}

} // namespace instar
