// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/http/listener.h"
#include "tests/support/valueof.h"

#include <QFile>
#include <QTcpSocket>
#include <QTimer>

#include <atomic>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace instar {

constexpr int Patience = 20'000; ///< ms: for a machine that does a lot else

#ifdef __SANITIZE_ADDRESS__
constexpr bool MeasuresMemory = false; // the sanitizer keeps what is freed
#else
constexpr bool MeasuresMemory = true;
#endif

/// The process's memory in use, KiB.
inline qint64 memory()
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QFile::ReadOnly))
        qFatal("no /proc");
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith("VmRSS:"))
            return line.sliced(6).trimmed().split(' ').first().toLongLong();
    }
    qFatal("no VmRSS");
}

/// How much more memory is in use than in the beginning, at most, KiB.
class Growth
{
public:
    Growth()
    {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { measure(); });
        m_timer.start(5);
    }
    qint64 most()
    {
        measure();
        return MeasuresMemory ? m_most - m_begin : 0;
    }

private:
    void measure() { m_most = std::max(m_most, memory()); }

    const qint64 m_begin = memory();
    qint64 m_most = m_begin;
    QTimer m_timer;
};

/// A listener whose handler says what it was asked, at once; what begins with /later is kept.
class Party
{
public:
    explicit Party(HttpListener::Options options = {})
        : listener([this](HttpListener::Ticket ticket, const HttpRequest &request,
                       const QString &from) { handle(ticket, request, from); })
    {
        options.hosts += QStringLiteral("x");
        valueOf(listener.listen(options));
    }

    struct Asked
    {
        HttpListener::Ticket ticket = 0;
        HttpRequest request;
    };
    HttpListener listener;
    QList<Asked> later;
    QString peer; ///< of the last request
    int asked = 0;

    void answerLater(qsizetype index)
    {
        listener.answer(later[index].ticket, { .body = later[index].request.target });
    }

private:
    void handle(HttpListener::Ticket ticket, const HttpRequest &request, const QString &from)
    {
        ++asked;
        peer = from;
        if (request.target.startsWith("/later")) {
            later.append({ ticket, request });
            return;
        }
        HttpResponse response { .body = request.method + ' ' + request.target };
        if (!request.body.isEmpty())
            response.body += ' ' + request.body;
        if (request.target.startsWith("/big"))
            response.body = QByteArray(request.target.sliced(4).toInt(), 'x');
        if (request.target == "/none")
            response.status = 204;
        if (request.target == "/last")
            response.keepAlive = false;
        listener.answer(ticket, response);
    }
};

/// A client that sends bytes and keeps what comes.
template<typename Socket = QTcpSocket>
class ClientOf : public Socket
{
public:
    explicit ClientOf(const Party &party) : ClientOf(party.listener.port()) { }
    explicit ClientOf(quint16 port)
    {
        QObject::connect(this, &Socket::readyRead, this, [this] { bytes += this->readAll(); });
        if constexpr (std::is_same_v<Socket, QTcpSocket>) {
            this->connectToHost(QHostAddress::LocalHost, port);
            if (!this->waitForConnected(Patience))
                qFatal("cannot connect");
        }
    }

    void send(const QByteArray &more)
    {
        this->write(more);
        this->flush();
    }
    bool isClosed() const { return this->state() == QTcpSocket::UnconnectedState; }

    /// The complete answers, one a line; of those that are no success only the status.
    QByteArray answers(BodyOf body = BodyOf::Get) const
    {
        HttpParser<HttpResponse> parser({ .bodyBytes = 1'000'000'000 });
        if (body == BodyOf::Head)
            parser.expectNoBody();
        parser.feed(bytes);
        QByteArray text;
        while (const std::optional<HttpResponse> response = parser.take()) {
            text += QByteArray::number(response->status) + (response->keepAlive ? "" : " closes");
            if (response->status < 300 && !response->body.isEmpty())
                text += " '" + response->body + '\'';
            text += '\n';
        }
        return text.trimmed();
    }

    QByteArray bytes;
};
using Client = ClientOf<>;

/// The descriptor of a plain connection, whose calls wait at most so long.
inline int connected(quint16 port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience { .tv_sec = Patience / 1000 };
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
        qFatal("cannot connect");
    return fd;
}

/// A thread that sends pieces as fast as it can, whatever is answered, and reads in the end.
class Flood
{
public:
    Flood(quint16 port, QByteArray begin, QByteArray piece, qint64 bytes)
        : m_thread([this, port, begin = std::move(begin), piece = std::move(piece), bytes] {
              run(port, begin, piece, bytes);
              isDone = true;
          })
    { }
    ~Flood() { m_thread.join(); }

    std::atomic<bool> isDone = false;
    QByteArray answer;
    qint64 sent = 0;

private:
    void run(quint16 port, const QByteArray &begin, const QByteArray &piece, qint64 bytes)
    {
        const int fd = connected(port);
        const auto send = [&](const QByteArray &all) {
            const ssize_t count = ::send(fd, all.constData(), size_t(all.size()), MSG_NOSIGNAL);
            sent += std::max<ssize_t>(count, 0);
            return count == all.size();
        };
        bool goesOn = send(begin);
        while (goesOn && sent < bytes)
            goesOn = send(piece);
        char room[4096];
        for (ssize_t count = 1; count > 0;) {
            count = ::recv(fd, room, sizeof room, 0);
            answer.append(room, std::max<ssize_t>(count, 0));
        }
        ::close(fd);
    }

    std::thread m_thread;
};

} // namespace instar
