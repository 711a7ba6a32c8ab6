// SPDX-License-Identifier: Apache-2.0
#include "model/remote/treereader.h"

#include <QCryptographicHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype MostPages = 100'000;

int statusOf(const Connection::Answer &answer)
{
    if (answer.response)
        return answer.response->status;
    return answer.isRefused ? TreeReader::NotSignedIn : answer.isAnswered ? -1 : 0;
}

/// A collection that a server does not have, or does not know of.
bool isMissing(int status)
{
    return status == 404 || status == 405 || status == 410 || status == 501;
}

QByteArray digest(const QByteArray &body)
{
    return QCryptographicHash::hash(body, QCryptographicHash::Sha1);
}

} // namespace

TreeReader::TreeReader(
    Connection &connection, const Messages &messages, QString version, QObject *parent)
    : QObject(parent), m_connection(connection), m_messages(messages), m_version(std::move(version))
{ }

void TreeReader::stop()
{
    ++m_turn;
    m_asked.clear();
    m_open = m_done = m_known = 0;
}

void TreeReader::forget(const QString &path)
{
    const QString top = path.section(u'/', 0, 2);
    m_told.remove(top);
    m_told.remove(top.section(u'/', 0, 1));
}

bool TreeReader::isSame(const QString &path, const QByteArray &body) const
{
    const auto told = m_told.constFind(path);
    return told != m_told.constEnd() && *told == digest(body);
}

// ---- Collections

void TreeReader::readAll(Exchange::Purpose purpose)
{
    if (isReadingAll())
        return;
    m_done = m_known = 0;
    QStringList unsaid;
    const QStringList collections = m_messages.topCollections();
    for (const QString &path : collections) {
        const Result<HttpRequest> question = m_messages.question(u"collection"_s, path, m_version);
        if (!question) {
            unsaid += question.error();
            continue;
        }
        auto pages = std::make_shared<Pages>();
        pages->read.path = path;
        readPage(m_connection.url(question->target), pages, purpose);
    }
    if (!unsaid.isEmpty())
        emit failed({}, -1, unsaid.first());
    if (m_open == 0)
        QMetaObject::invokeMethod(
            this, [this] { emit allRead(); }, Qt::QueuedConnection);
}

void TreeReader::readPage(
    const QUrl &url, const std::shared_ptr<Pages> &pages, Exchange::Purpose purpose)
{
    ++m_open;
    ++m_known;
    pages->seen.insert(url.toString());
    Connection::Errand errand;
    errand.request.method = "GET";
    errand.url = url;
    errand.purpose = purpose;
    errand.mayRepeat = purpose == Exchange::Purpose::Load;
    m_connection.send(
        errand, [this, pages, purpose, turn = m_turn](const Connection::Answer &answer) {
            if (turn == m_turn)
                takePage(answer, pages, purpose);
        });
}

void TreeReader::takePage(const Connection::Answer &answer, const std::shared_ptr<Pages> &pages,
    Exchange::Purpose purpose)
{
    const quint64 turn = m_turn;
    if (!pages->read.exchange)
        pages->read.exchange = answer.number;
    const int status = statusOf(answer);
    if (isMissing(status)) {
        pages->read.isMissing = true;
        emit collectionRead(pages->read);
    } else if (status < 200 || status >= 300) {
        const OperationMessage error =
            answer.response ? m_messages.error(answer.response->body) : OperationMessage();
        const QString why = !answer.response ? answer.problem
            : error.message.isEmpty()        ? QString::fromUtf8(answer.response->reason)
                                             : m_connection.shown(error.message);
        emit failed(pages->read.path, status,
            status <= 0 ? why
                        : tr("%1 cannot be read: %2 %3")
                              .arg(pages->read.path)
                              .arg(status)
                              .arg(why)
                              .trimmed());
    } else if (pages->seen.size() == 1 && isSame(pages->read.path, answer.response->body)) {
        // There is nothing new.
    } else if (const Result<Messages::Collection> page =
                   m_messages.collection(answer.response->body, pages->read.path);
               !page) {
        emit failed(pages->read.path, status,
            tr("%1 cannot be read: %2").arg(pages->read.path, page.error()));
    } else {
        pages->read.resources += page->resources;
        const QUrl next = page->next.isEmpty() ? QUrl() : answer.url.resolved(QUrl(page->next));
        if (!next.isEmpty()
            && (pages->seen.contains(next.toString()) || pages->seen.size() >= MostPages
                || !m_connection.isOwn(next)))
            emit failed(pages->read.path, status,
                tr("%1 goes on at %2, which leads in circles or elsewhere; the rest is not read.")
                    .arg(pages->read.path, m_connection.shown(next)));
        else if (!next.isEmpty())
            readPage(next, pages, purpose);
        else {
            m_told.removeIf([&](const std::pair<const QString &, QByteArray &> &entry) {
                return entry.first.startsWith(pages->read.path + u'/');
            });
            if (pages->seen.size() == 1)
                m_told.insert(pages->read.path, digest(answer.response->body));
            emit collectionRead(pages->read);
        }
    }
    if (turn == m_turn)
        pageEnded();
}

void TreeReader::pageEnded()
{
    --m_open;
    const quint64 turn = m_turn;
    emit progressed(++m_done, m_known);
    if (turn == m_turn && m_open == 0)
        emit allRead();
}

// ---- Single resources

void TreeReader::read(const QString &path)
{
    if (const auto open = m_asked.find(path); open != m_asked.end()) {
        *open = true;
        return;
    }
    const Result<HttpRequest> question = m_messages.question(u"resource"_s, path, m_version);
    if (!question) {
        emit failed(path, -1, question.error());
        return;
    }
    m_asked.insert(path, false);
    Connection::Errand errand;
    errand.request = *question;
    errand.purpose = Exchange::Purpose::Poll;
    m_connection.send(errand, [this, path, turn = m_turn](const Connection::Answer &answer) {
        if (turn == m_turn)
            take(path, answer);
    });
}

void TreeReader::take(const QString &path, const Connection::Answer &answer)
{
    const bool again = m_asked.take(path);
    if (again)
        read(path);
    const int status = statusOf(answer);
    if (status == 404 || status == 410) {
        forget(path);
        emit resourceRead({ path, {}, answer.number, false });
    } else if (status < 200 || status >= 300) {
        emit failed(path, status,
            status <= 0 ? answer.problem : tr("%1 cannot be read: %2").arg(path).arg(status));
    } else if (isSame(path, answer.response->body)) {
        emit resourceRead({ path, {}, answer.number, true });
    } else if (const Result<ResourceMessage> message =
                   m_messages.resource(answer.response->body, path);
               !message) {
        emit failed(path, status, tr("%1 cannot be read: %2").arg(path, message.error()));
    } else {
        forget(path);
        m_told.insert(path, digest(answer.response->body));
        emit resourceRead({ path, *message, answer.number, false });
    }
}

} // namespace instar
