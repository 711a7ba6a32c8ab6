// SPDX-License-Identifier: Apache-2.0
#include "model/remote/treereader.h"

namespace instar {

namespace {

constexpr qsizetype MostPages = 100'000;
constexpr qint64 MostDelay = 3'600'000; ///< ms that a server can ask to wait

/// HTTP status of the response; 0: there is none.
int statusOf(const Connection::Answer &answer)
{
    return answer.response ? answer.response->status : 0;
}

bool isSuccess(int status)
{
    return status >= 200 && status < 300;
}

/// True for the statuses of a collection that a server does not have, or does not know.
bool isMissing(int status)
{
    return status == 404 || status == 405 || status == 410 || status == 501;
}

/// Interval from the start of the first to the end of the later one.
AnswerInterval joined(AnswerInterval first, const AnswerInterval &later)
{
    first.duration =
        std::max(first.duration, double(first.sent.msecsTo(later.sent)) + later.duration);
    return first;
}

} // namespace

TreeReader::TreeReader(Connection &connection, const WireRules &wire)
    : m_connection(connection), m_wire(wire)
{ }

void TreeReader::stop()
{
    ++m_generation;
    m_reading.clear();
    m_inner.clear();
    m_open = m_done = m_known = 0;
}

void TreeReader::readAll(Exchange::Purpose purpose)
{
    if (isReadingAll())
        return;
    m_done = m_known = 0;
    const QStringList collections = m_wire.topCollections();
    for (const QString &path : collections) {
        auto pages = std::make_shared<Pages>();
        pages->purpose = purpose;
        readCollection(path, pages);
    }
    if (m_open == 0)
        QMetaObject::invokeMethod(
            this, [this] { emit allRead(); }, Qt::QueuedConnection);
}

void TreeReader::readCollection(const QString &path, const std::shared_ptr<Pages> &pages)
{
    pages->read.path = path;
    if (const Result<HttpRequest> request = m_wire.requestToRead(u"collection"_s, path))
        readPage(m_connection.url(request->target), pages);
    else if (emit failed({}, Failure::Unusable, request.error()); pages->parent)
        innerEnded(pages->parent);
}

void TreeReader::readPage(const QUrl &url, const std::shared_ptr<Pages> &pages)
{
    if (pages->belongsToReadAll()) {
        ++m_open;
        ++m_known;
    }
    pages->visited.insert(url.toString());
    m_connection.send({ .request = { .method = "GET" },
                          .url = url,
                          .purpose = pages->purpose,
                          .mayRepeat = pages->purpose == Exchange::Purpose::Load },
        [this, pages, generation = m_generation](const Connection::Answer &answer) {
            if (generation == m_generation)
                takePage(answer, pages);
        });
}

void TreeReader::takePage(const Connection::Answer &answer, const std::shared_ptr<Pages> &pages)
{
    const quint64 generation = m_generation;
    AnswerInterval &when = pages->read.when;
    when = when.exchange ? joined(when, answer.when) : answer.when;
    noteDelay(pages->read.path, answer);
    const Page page = addPage(answer, pages);
    if (generation == m_generation && page == Page::Last)
        readInner(pages);
    if (generation == m_generation && page == Page::Unreadable && pages->parent)
        innerEnded(pages->parent);
    if (generation == m_generation && pages->belongsToReadAll())
        pageEnded();
}

TreeReader::Page TreeReader::addPage(
    const Connection::Answer &answer, const std::shared_ptr<Pages> &pages)
{
    CollectionObservation &read = pages->read;
    const int status = statusOf(answer);
    if (isMissing(status)) {
        read.isMissing = true;
        return Page::Last;
    }
    if (!isSuccess(status)) {
        reportFailure(read.path, answer);
        return Page::Unreadable;
    }
    const Result<WireRules::Collection> page = m_wire.collection(answer.response->body, read.path);
    if (!page) {
        emit failed(
            read.path, Failure::Unusable, tr("%1 cannot be read: %2").arg(read.path, page.error()));
        return Page::Unreadable;
    }
    read.resources += page->resources;
    if (const QUrl next = page->next.isEmpty() ? QUrl() : answer.url.resolved(QUrl(page->next));
        !next.isEmpty()) {
        if (!pages->visited.contains(next.toString()) && pages->visited.size() < MostPages
            && m_connection.isOwn(next)) {
            readPage(next, pages);
            return Page::Another;
        }
        emit failed(read.path, Failure::Unusable,
            tr("The link to the next page of %1, %2, leads back or to another server; the "
               "remaining pages are not read.")
                .arg(read.path, m_connection.shown(next)));
        return Page::Unreadable;
    }
    return Page::Last;
}

void TreeReader::noteDelay(const QString &path, const Connection::Answer &answer)
{
    m_notBefore.remove(path);
    if (!answer.response)
        return;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const auto delay =
        retryAfter(answer.response->headers, m_connection.options().delayHeaders, now);
    if (!delay)
        return;
    const qint64 due = now + std::min(*delay, MostDelay);
    const int status = answer.response->status;
    if (status == 429 || status == 503)
        m_notBeforeAll = std::max(m_notBeforeAll, due);
    else
        m_notBefore.insert(path, due);
}

void TreeReader::reportFailure(const QString &path, const Connection::Answer &answer)
{
    const int status = statusOf(answer);
    const Failure failure = status == 401 ? Failure::Unauthorized
        : status == 403                   ? Failure::Forbidden
        : answer.isRefused                ? Failure::NoToken
        : answer.isAnswered               ? Failure::Unusable
                                          : Failure::NoAnswer;
    emit failed(path, failure, status ? refusalText(answer) : answer.problem);
}

QString TreeReader::refusalText(const Connection::Answer &answer) const
{
    const OperationMessage error = m_wire.error(answer.response->body);
    const QString why = error.message.isEmpty() ? QString::fromUtf8(answer.response->reason)
                                                : m_connection.shown(error.message);
    return tr("%1 cannot be read: %2 %3")
        .arg(m_connection.shown(answer.url), QString::number(answer.response->status), why)
        .trimmed();
}

/// Reads the child collections that the resources' documents lack; then reports all as one.
void TreeReader::readInner(const std::shared_ptr<Pages> &pages)
{
    const quint64 generation = m_generation;
    pages->inner = 1; // above 0 until each reading has begun
    for (qsizetype i = 0; i < pages->read.resources.size(); ++i) {
        for (const QString &collection : m_wire.separateCollections(pages->read.resources[i])) {
            ++pages->inner;
            auto inner = std::make_shared<Pages>();
            inner->purpose = pages->purpose;
            inner->parent = pages;
            inner->parentIndex = i;
            readCollection(collection, inner);
        }
    }
    if (generation == m_generation)
        innerEnded(pages);
}

void TreeReader::report(const std::shared_ptr<Pages> &pages)
{
    const CollectionObservation &read = pages->read;
    if (const auto &parent = pages->parent) {
        ResourceMessage &resource = parent->read.resources[pages->parentIndex];
        resource.children += read.resources;
        if (!read.isMissing) {
            resource.collections += read.path;
            resource.separate += read.path;
        }
        parent->read.when = joined(parent->read.when, read.when);
        innerEnded(parent);
    } else if (pages->single.isEmpty()) {
        emit collectionRead(read);
    } else {
        if (--m_inner[pages->single] == 0)
            m_inner.remove(pages->single);
        emit resourceRead({ pages->single, read.resources.first(), read.when });
    }
}

void TreeReader::innerEnded(const std::shared_ptr<Pages> &pages)
{
    if (--pages->inner == 0)
        report(pages);
}

void TreeReader::pageEnded()
{
    --m_open;
    const quint64 generation = m_generation;
    emit progressed(++m_done, m_known);
    if (generation == m_generation && m_open == 0)
        emit allRead();
}

void TreeReader::read(const QString &path, Exchange::Purpose purpose)
{
    if (const auto open = m_reading.find(path); open != m_reading.end()) {
        *open = true;
        return;
    }
    const Result<HttpRequest> request = m_wire.requestToRead(u"resource"_s, path);
    if (!request) {
        emit failed(path, Failure::Unusable, request.error());
        return;
    }
    m_reading.insert(path, false);
    m_connection.send({ .request = *request,
                          .purpose = purpose,
                          .mayRepeat = purpose == Exchange::Purpose::Load },
        [this, path, generation = m_generation, requestedUrl = m_connection.url(request->target)](
            const Connection::Answer &answer) {
            if (generation == m_generation)
                take(path, requestedUrl, answer);
        });
}

void TreeReader::take(
    const QString &path, const QUrl &requestedUrl, const Connection::Answer &answer)
{
    const bool again = m_reading.take(path);
    if (again)
        read(path);
    noteDelay(path, answer);
    const int status = statusOf(answer);
    if (status > 0
        && answer.url.adjusted(QUrl::StripTrailingSlash).path()
            != requestedUrl.adjusted(QUrl::StripTrailingSlash).path()) {
        emit failed(path, Failure::Unusable,
            tr("Another URL, %2, answered the request for %1.")
                .arg(m_connection.shown(requestedUrl), m_connection.shown(answer.url)));
    } else if (status == 404 || status == 410) {
        emit resourceRead({ path, {}, answer.when });
    } else if (!isSuccess(status)) {
        reportFailure(path, answer);
    } else if (const Result<ResourceMessage> message = m_wire.resource(answer.response->body, path);
               !message) {
        emit failed(
            path, Failure::Unusable, tr("%1 cannot be read: %2").arg(path, message.error()));
    } else {
        auto pages = std::make_shared<Pages>();
        pages->single = path;
        pages->read.when = answer.when;
        pages->read.resources = { *message };
        ++m_inner[path];
        readInner(pages);
    }
}

} // namespace instar
