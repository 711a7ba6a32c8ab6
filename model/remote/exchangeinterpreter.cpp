// SPDX-License-Identifier: Apache-2.0
#include "model/remote/exchangeinterpreter.h"

#include "model/engine/admission.h"
#include "model/json/exchanges.h"

#include <QUrlQuery>

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

/// True if a URL requests only a part of a collection: it has query items beyond the row's.
bool asksForPart(const QUrl &url, const MatchedRequest &matched)
{
    const QUrlQuery needed(matched.row->path.section(u'?', 1));
    const auto items = QUrlQuery(url).queryItems();
    return matched.names.size() > 0 || std::ranges::any_of(items, [&](const auto &item) {
        return !needed.hasQueryItem(item.first);
    });
}

void addObservation(
    const QString &path, std::optional<ResourceMessage> message, InterpretedExchange &out)
{
    Observation one { .path = path, .from = out.from, .to = out.to, .shownBy = out.requestLine };
    if (message) {
        one.word = message->state;
        one.etag = message->etag;
        message->children.clear();
    }
    out.resources += InterpretedExchange::ObservedResource { std::move(one), std::move(message) };
}

bool isSuccess(const Exchange &exchange)
{
    return exchange.status >= 200 && exchange.status < 300;
}

} // namespace

ExchangeInterpreter::ExchangeInterpreter(const Rules &rules)
    : m_rules(rules),
      m_wire(rules),
      m_codes(errorCodes(rules.pack()) - unreadableCodes(rules.pack()) - outcomeCodes(rules.pack()))
{ }

QString ExchangeInterpreter::treeOf(const QString &path) const
{
    return m_rules.pack().folded(path.section(u'/', 0, 2));
}

QStringList ExchangeInterpreter::separateCollections(const ResourceMessage &message) const
{
    QStringList collections = m_wire.separateCollections(message);
    for (QString &collection : collections)
        collection = m_rules.pack().folded(collection);
    return collections;
}

double ExchangeInterpreter::timeOf(const QDateTime &moment) const
{
    return m_start.isNull() ? 0 : double(m_start.msecsTo(moment));
}

std::optional<InterpretedExchange> ExchangeInterpreter::interpreted(const Exchange &exchange)
{
    if (!exchange.sent.isValid() || exchange.purpose == Exchange::Purpose::SignIn)
        return {};
    if (m_start.isNull()) {
        m_start = exchange.sent;
        m_wire.setEpoch(m_start.toMSecsSinceEpoch());
    }
    const MatchedRequest matched = m_wire.match(messageOf(exchange));
    if (!matched.row || !matched.badName.isEmpty())
        return {};
    InterpretedExchange out;
    out.from = timeOf(exchange.sent) + exchange.microseconds / 1000.0;
    // Extends the interval by the largest truncation of the time of sending.
    const double truncated = exchange.microseconds ? 0.001 : 1;
    out.to = out.from + exchange.interval().duration + truncated;
    out.requestLine = u"%1 %2"_s.arg(exchange.method, QUrl(exchange.url).path());
    if (m_rules.isOperation(m_rules.trigger(matched.row->ask)))
        addRequest(exchange, matched, out);
    else if (exchange.status)
        addAnswer(exchange, matched, out);
    out.isSnapshot = out.resources.size() > 1 && !m_wire.rows.separateReads;
    return out;
}

/// The server's ids of the operation, from the URLs at which it can be polled.
QStringList ExchangeInterpreter::operationsIn(const Exchange &exchange) const
{
    const WireFollow &follow = m_wire.rows.follow;
    QStringList names;
    for (const QString &header : follow.operationHeaders + follow.resultHeaders) {
        const QString url = headerValue(exchange.responseHeaders, header);
        if (url.isEmpty())
            continue;
        const QUrl polled = QUrl(exchange.url).resolved(QUrl(url));
        const MatchedRequest matched =
            m_wire.match({ .method = "GET", .target = polled.path(QUrl::FullyEncoded).toUtf8() });
        if (!matched.operation.isEmpty())
            names += matched.operation;
    }
    return names;
}

/// Path of the resource created in a collection, from the answer; empty if unknown.
QString ExchangeInterpreter::madeIn(const Exchange &exchange, const QString &collection) const
{
    if (!isSuccess(exchange))
        return {};
    HttpResponse answer { .status = exchange.status };
    answer.headers.append("Location", headerValue(exchange.responseHeaders, u"Location").toUtf8());
    answer.body = exchange.responseBody;
    return m_wire.madePath(collection, answer, QUrl(exchange.url));
}

/// The request as a server would read it; nothing if its target is unknown.
std::optional<Request> ExchangeInterpreter::requestOf(
    const Exchange &exchange, MatchedRequest matched, InterpretedExchange &out) const
{
    const HttpRequest message = messageOf(exchange);
    const qint64 epoch = m_start.toMSecsSinceEpoch();
    const WireClock clock { .epoch = epoch, .now = epoch + qint64(out.from), .world = nullptr };
    if (matched.isCollection) {
        // The resource's name in the answer is more reliable than the name in the request.
        const QString path = madeIn(exchange, matched.path);
        const bool serverChoosesName = readRequest(m_wire, matched, message, clock).isNamedHere;
        if (path.isEmpty() && serverChoosesName
            && (isSuccess(exchange) || !exchange.status || exchange.status >= 500))
            out.unnamed = treeOf(matched.path).section(u'/', 0, 1);
        if (serverChoosesName || path.startsWith(matched.path + u'/')) {
            matched.path = path;
            matched.isCollection = false;
        }
    }
    const Incoming read = readRequest(m_wire, matched, message, clock);
    if (m_rules.machineForType(typePathOf(read.request.path)) == Rules::None)
        return {};
    if (read.hasUnnamed)
        out.namedByServer = treeOf(read.request.path);
    return read.request;
}

/// Returns true if the operation can create its target; else a status 201 proves nothing.
bool ExchangeInterpreter::canMake(const Request &request) const
{
    const int machine = m_rules.machineForType(typePathOf(request.path));
    const Rules::TriggerId op = m_rules.trigger(request.op);
    return machine != Rules::None && op != Rules::None
        && !m_rules.candidates(m_rules.machines()[size_t(machine)].initial, op).empty();
}

void ExchangeInterpreter::addRequest(
    const Exchange &exchange, const MatchedRequest &matched, InterpretedExchange &out) const
{
    std::optional<Request> parsedRequest = requestOf(exchange, matched, out);
    if (!parsedRequest)
        return;
    RecordedRequest recorded {
        .request = *std::move(parsedRequest), .sent = out.from, .answered = out.to
    };
    Request &request = recorded.request;
    request.id = exchange.operation.isEmpty() ? u"e%1"_s.arg(exchange.number) : exchange.operation;
    request.client = exchange.client;
    if (!m_wire.requestIdHeader.isEmpty())
        request.requestId =
            headerValue(exchange.requestHeaders, QString::fromLatin1(m_wire.requestIdHeader));
    const QString code = m_wire.error(exchange.responseBody, exchange.status).code;
    const bool isOfGateway = exchange.status == 502 || exchange.status == 504;
    if (!exchange.status || isOfGateway) { // the server behind a gateway may still be working
        recorded.answer = RecordedRequest::Answer::Lost;
    } else if (isSuccess(exchange)) {
        out.serverOperations = operationsIn(exchange);
        out.isNew = exchange.status == 201 && canMake(request);
        recorded.began = m_wire.provesWork(request.op, exchange.status);
        if (const auto shown = m_wire.resource(exchange.responseBody, request.path);
            shown && !shown->state.isEmpty())
            add(*shown, out);
    } else if (exchange.status < 500
        && m_codes.contains(code)
        // An operation that requires others may have begun before one of those was refused.
        && !requiresAny(m_rules, m_rules.machineForType(typePathOf(request.path)),
            m_rules.trigger(request.op))) {
        recorded.answer = RecordedRequest::Answer::Refused;
        recorded.code = code;
    } else {
        recorded.answer = RecordedRequest::Answer::Unknown;
    }
    out.request = recorded;
}

void ExchangeInterpreter::addAnswer(
    const Exchange &exchange, const MatchedRequest &matched, InterpretedExchange &out) const
{
    const QString &ask = matched.row->ask;
    if (ask == u"resource" && isSuccess(exchange)) {
        if (auto message = m_wire.resource(exchange.responseBody, matched.path)) {
            message->path = matched.path;
            if (message->etag.isEmpty())
                message->etag = exchange.etag;
            add(*message, out);
        }
    } else if (ask == u"resource" && exchange.status == 404) {
        addObservation(matched.path, {}, out);
    } else if (ask == u"collection" && isSuccess(exchange)) {
        addCollection(exchange, matched, out);
    } else if (ask == u"operation" && isSuccess(exchange)) {
        if (const auto message = m_wire.operation(exchange.responseBody);
            message && message->status)
            out.status = Observation { .operation = matched.operation,
                .from = out.from,
                .to = out.to,
                .word = statusName(*message->status),
                .shownBy = out.requestLine };
    }
}

void ExchangeInterpreter::addCollection(
    const Exchange &exchange, const MatchedRequest &matched, InterpretedExchange &out) const
{
    const auto collection = m_wire.collection(exchange.responseBody, matched.path);
    if (!collection)
        return;
    for (const ResourceMessage &message : collection->resources)
        add(message, out);
    const bool isWhole = collection->next.isEmpty() && !asksForPart(QUrl(exchange.url), matched);
    if (isWhole)
        (matched.path.count(u'/') == 1 ? out.collection : out.below) =
            m_rules.pack().folded(matched.path);
}

void ExchangeInterpreter::add(const ResourceMessage &message, InterpretedExchange &out) const
{
    if (message.path.isEmpty() || m_rules.machineForType(typePathOf(message.path)) == Rules::None)
        return;
    if (!message.state.isEmpty())
        addObservation(message.path, message, out);
    for (const ResourceMessage &child : message.children)
        add(child, out);
}

bool ExchangeInterpreter::mayBeAtWork(const ResourceMessage &message) const
{
    const int machine = m_rules.machineForType(typePathOf(message.path));
    return std::ranges::any_of(m_rules.states(), [&](const Rules::StateRule &state) {
        const bool shows = state.shown == Rules::None // shows its last resting state
            || m_rules.word(state.shown).compare(message.state, Qt::CaseInsensitive) == 0;
        return state.machine == machine && state.isTransitional() && shows;
    });
}

ResourceSpec ExchangeInterpreter::specOf(const ResourceMessage &message) const
{
    ResourceSpec spec {
        .path = message.path, .references = message.references, .properties = message.properties
    };
    const int machine = m_rules.machineForType(typePathOf(message.path));
    const Rules::StateId state = stateShown(m_rules, machine, message.state);
    if (state != Rules::None && m_rules.state(state).isStable())
        spec.state = m_rules.state(state).id;
    return spec;
}

} // namespace instar
