// SPDX-License-Identifier: Apache-2.0
// What the reference controller may cost beside a bare echo, and how close together a burst's
// requests arrive beside bare sockets and QNetworkAccessManager. Prints the ratios and their bars.
#include "model/json/library.h"
#include "model/remote/burst.h"
#include "model/remote/server.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTimer>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace instar;
using namespace Qt::StringLiterals;
namespace http = boost::beast::http;

namespace {

constexpr int Connections = 64;
constexpr int Rounds = 41;
constexpr int AnswerMs = 40; ///< what a real controller may take to answer

qint64 nowNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

template<typename T>
T median(std::vector<T> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

bool line(const char *what, double value, double bar, bool atMost)
{
    const bool met = atMost ? value <= bar : value >= bar;
    std::printf("%-78s %10.2f  (%s %g)%s\n", what, value, atMost ? "at most" : "at least", bar,
        met ? "" : "  NOT MET");
    return met;
}

int connected(quint16 port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        qFatal("cannot connect");
    return fd;
}

QByteArray put(int index)
{
    QByteArray body = "{\"properties\": {\"addressPrefix\": \"10.0.0.0/24\", \"text\": \"";
    body += QByteArray(200 - body.size() - 3, 'x') + "\"}}";
    return "PUT /networking/v1/logicalNetworks/ln" + QByteArray::number(index)
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
        + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

// ---- Throughput

/// The bytes of a whole response at the beginning of `bytes`; 0: it is not whole.
qsizetype responseSize(const QByteArray &bytes)
{
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    if (end < 0)
        return 0;
    const qsizetype at = bytes.indexOf("Content-Length: ");
    const qsizetype length =
        at < 0 || at > end ? 0 : bytes.mid(at + 16, 10).split('\r').first().toLongLong();
    return bytes.size() >= end + 4 + length ? end + 4 + length : 0;
}

/// PUTs a second over 64 connections, each with one request under way.
double throughput(quint16 port, double seconds)
{
    const int epoll = ::epoll_create1(0);
    std::vector<int> sockets;
    std::vector<QByteArray> requests, held(Connections);
    for (int i = 0; i < Connections; ++i) {
        sockets.push_back(connected(port));
        requests.push_back(put(i));
        epoll_event event { .events = EPOLLIN, .data = { .u32 = quint32(i) } };
        ::epoll_ctl(epoll, EPOLL_CTL_ADD, sockets.back(), &event);
    }
    qint64 answered = 0;
    const auto send = [&](int i) {
        if (::send(sockets[size_t(i)], requests[size_t(i)].constData(),
                size_t(requests[size_t(i)].size()), MSG_NOSIGNAL)
            < 0)
            qFatal("cannot send");
    };
    for (int i = 0; i < Connections; ++i)
        send(i);
    const qint64 begin = nowNs();
    const qint64 end = begin + qint64(seconds * 1e9);
    epoll_event events[Connections];
    char buffer[65536];
    while (nowNs() < end) {
        const int ready = ::epoll_wait(epoll, events, Connections, 100);
        for (int e = 0; e < ready; ++e) {
            const int i = int(events[e].data.u32);
            const ssize_t got = ::recv(sockets[size_t(i)], buffer, sizeof buffer, 0);
            if (got <= 0)
                qFatal("the server closed a connection");
            QByteArray &bytes = held[size_t(i)];
            bytes.append(buffer, got);
            if (const qsizetype size = responseSize(bytes)) {
                if (!bytes.startsWith("HTTP/1.1 20"))
                    qFatal("not accepted: %s", bytes.left(60).constData());
                bytes.remove(0, size);
                ++answered;
                send(i);
            }
        }
    }
    const double rate = double(answered) / (double(nowNs() - begin) / 1e9);
    for (const int fd : sockets)
        ::close(fd);
    ::close(epoll);
    return rate;
}

/// QTcpServer and Beast's parser, and nothing else: every request is answered with its body.
void echo(QTcpSocket *socket)
{
    using Parser = http::request_parser<http::string_body>;
    auto parser = std::make_shared<Parser>();
    auto held = std::make_shared<QByteArray>();
    parser->eager(true);
    QObject::connect(socket, &QTcpSocket::readyRead, socket, [=]() mutable {
        *held += socket->readAll();
        boost::beast::error_code error;
        const size_t used =
            parser->put(boost::asio::buffer(held->constData(), size_t(held->size())), error);
        held->remove(0, qsizetype(used));
        if (!parser->is_done())
            return;
        const std::string &body = parser->get().body();
        socket->write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + QByteArray::number(qint64(body.size())) + "\r\n\r\n"
            + QByteArray(body.data(), qsizetype(body.size())));
        parser = std::make_shared<Parser>();
        parser->eager(true);
    });
}

int serveEcho()
{
    QTcpServer server;
    QObject::connect(&server, &QTcpServer::newConnection, &server, [&] {
        while (QTcpSocket *socket = server.nextPendingConnection()) {
            socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
            echo(socket);
        }
    });
    server.listen(QHostAddress::LocalHost);
    std::printf("%d\n", server.serverPort());
    std::fflush(stdout);
    return QCoreApplication::exec();
}

int serveReference()
{
    Rules rules = *Rules::make(*loadPack(u"network-controller"_s));
    World world = makeWorld(rules, {}).world;
    Simulator simulator(std::move(rules), std::move(world));
    Server server(simulator, {});
    const Result<quint16> port = server.listen();
    if (!port)
        return 1;
    std::printf("%d\n", *port);
    std::fflush(stdout);
    return QCoreApplication::exec();
}

/// One of the two servers in a process of its own.
struct Other
{
    explicit Other(const QString &which)
    {
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(QCoreApplication::applicationFilePath(), { which });
        process.waitForReadyRead(10'000);
        port = quint16(process.readLine().trimmed().toUInt());
    }
    ~Other()
    {
        process.kill();
        process.waitForFinished();
    }
    QProcess process;
    quint16 port = 0;
};

bool compareThroughput()
{
    Other bare(u"--echo"_s), reference(u"--reference"_s);
    if (!bare.port || !reference.port)
        qFatal("a server did not start");
    throughput(bare.port, 0.3);
    throughput(reference.port, 0.3);
    std::vector<double> echoes, puts, ratios;
    for (int i = 0; i < 7; ++i) {
        echoes.push_back(throughput(bare.port, 1));
        puts.push_back(throughput(reference.port, 1));
        ratios.push_back(puts.back() / echoes.back());
    }
    std::printf(
        "PUTs a second, 64 connections: bare echo %.0f, reference controller %.0f (medians of 7)\n",
        median(echoes), median(puts));
    return line("PUT throughput of the reference controller against a bare echo", median(ratios),
        0.4, false);
}

// ---- Spread

/// A socket that listens on a free port of this machine, and the port.
std::pair<int, quint16> listening()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(socket, reinterpret_cast<const sockaddr *>(&address), size) != 0
        || ::listen(socket, 1024) != 0)
        qFatal("cannot listen");
    ::getsockname(socket, reinterpret_cast<sockaddr *>(&address), &size);
    return { socket, ntohs(address.sin_port) };
}

/// Takes requests on many connections, notes when each was complete, and answers a while later.
class Receiver
{
public:
    Receiver()
    {
        std::tie(m_listening, port) = listening();
        m_thread = std::thread([this] { run(); });
    }
    ~Receiver()
    {
        m_stop = true;
        m_thread.join();
        ::close(m_listening);
    }
    void begin() { m_count = 0; }
    /// The spread of so many requests in µs, once they have all come.
    double spread(int requests)
    {
        while (m_count < requests)
            std::this_thread::yield();
        qint64 first = m_times[0], last = m_times[0];
        for (int i = 1; i < requests; ++i) {
            first = std::min(first, m_times[size_t(i)].load());
            last = std::max(last, m_times[size_t(i)].load());
        }
        return double(last - first) / 1000;
    }
    quint16 port = 0;

private:
    void run()
    {
        const int epoll = ::epoll_create1(0);
        epoll_event event { .events = EPOLLIN, .data = { .fd = m_listening } };
        ::epoll_ctl(epoll, EPOLL_CTL_ADD, m_listening, &event);
        std::map<int, QByteArray> held;
        std::deque<std::pair<qint64, int>> due;
        epoll_event events[512];
        char buffer[65536];
        while (!m_stop) {
            const int ready = ::epoll_wait(epoll, events, 512, 1);
            for (int e = 0; e < ready; ++e) {
                const int fd = events[e].data.fd;
                if (fd == m_listening) {
                    for (int made = ::accept4(m_listening, nullptr, nullptr, SOCK_NONBLOCK);
                         made >= 0;
                         made = ::accept4(m_listening, nullptr, nullptr, SOCK_NONBLOCK)) {
                        epoll_event added { .events = EPOLLIN, .data = { .fd = made } };
                        ::epoll_ctl(epoll, EPOLL_CTL_ADD, made, &added);
                    }
                    continue;
                }
                const ssize_t got = ::recv(fd, buffer, sizeof buffer, 0);
                const qint64 at = nowNs();
                if (got <= 0) {
                    ::close(fd);
                    held.erase(fd);
                    continue;
                }
                QByteArray &bytes = held[fd];
                bytes.append(buffer, got);
                if (!whole(bytes))
                    continue;
                bytes.clear();
                const int index = m_count;
                if (index < int(m_times.size()))
                    m_times[size_t(index)] = at;
                ++m_count;
                due.emplace_back(at + AnswerMs * 1'000'000LL, fd);
            }
            while (!due.empty() && due.front().first <= nowNs()) {
                constexpr char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
                [[maybe_unused]] const auto sent =
                    ::send(due.front().second, answer, sizeof answer - 1, MSG_NOSIGNAL);
                due.pop_front();
            }
        }
        ::close(epoll);
    }
    static bool whole(const QByteArray &bytes)
    {
        const qsizetype end = bytes.indexOf("\r\n\r\n");
        const qsizetype at = end < 0 ? -1 : bytes.toLower().indexOf("content-length: ");
        return at >= 0
            && bytes.size() >= end + 4 + bytes.mid(at + 16, 10).split('\r').first().toLongLong();
    }

    int m_listening = -1;
    std::atomic<bool> m_stop = false;
    std::atomic<int> m_count = 0;
    std::array<std::atomic<qint64>, 1024> m_times {};
    std::thread m_thread;
};

class BareSockets
{
public:
    BareSockets(quint16 port, int count)
    {
        for (int i = 0; i < count; ++i) {
            m_sockets.push_back(connected(port));
            m_requests.push_back(put(i));
        }
    }
    ~BareSockets()
    {
        for (const int fd : m_sockets)
            ::close(fd);
    }
    double round(Receiver &receiver)
    {
        receiver.begin();
        for (size_t i = 0; i < m_sockets.size(); ++i) [[maybe_unused]]
            const auto sent = ::send(m_sockets[i], m_requests[i].constData(),
                size_t(m_requests[i].size()), MSG_NOSIGNAL);
        const double spread = receiver.spread(int(m_sockets.size()));
        char buffer[256];
        for (const int fd : m_sockets) [[maybe_unused]]
            const auto got = ::recv(fd, buffer, sizeof buffer, 0);
        return spread;
    }

private:
    std::vector<int> m_sockets;
    std::vector<QByteArray> m_requests;
};

class Bursts
{
public:
    Bursts(quint16 port, int count) : m_burst(QUrl(u"http://127.0.0.1:%1"_s.arg(port)), {})
    {
        for (int i = 0; i < count; ++i)
            m_requests += put(i);
        m_burst.warm(count);
        while (m_burst.warmed() < count)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    double round(Receiver &receiver)
    {
        receiver.begin();
        QEventLoop loop;
        QObject::connect(
            &m_burst, &Burst::finished, &loop, [&](quint64, const BurstReport &report) {
                for (const BurstShot &shot : report.shots) {
                    if (!shot.response)
                        qFatal("a shot failed: %s", qPrintable(shot.problem));
                }
                loop.quit();
            });
        m_burst.fire(m_requests);
        loop.exec();
        return receiver.spread(int(m_requests.size()));
    }

private:
    Burst m_burst;
    QList<QByteArray> m_requests;
};

double managerRound(QNetworkAccessManager &manager, Receiver &receiver, int count)
{
    receiver.begin();
    QEventLoop loop;
    int left = count;
    for (int i = 0; i < count; ++i) {
        QNetworkRequest request(QUrl(
            u"http://127.0.0.1:%1/networking/v1/logicalNetworks/ln%2"_s.arg(receiver.port).arg(i)));
        request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
        QNetworkReply *reply = manager.put(request, put(i).split('\n').last());
        QObject::connect(reply, &QNetworkReply::finished, &loop, [&, reply] {
            reply->deleteLater();
            if (--left == 0)
                loop.quit();
        });
    }
    loop.exec();
    return receiver.spread(count);
}

bool compareSpread()
{
    Receiver receiver;
    bool met = true;
    double volley64 = 0;
    std::printf("\nBetween the first and the last request complete at the server, median of %d "
                "rounds, µs\n",
        Rounds);
    for (const int count : { 2, 8, 64, 256 }) {
        Bursts bursts(receiver.port, count);
        BareSockets sockets(receiver.port, count);
        std::vector<double> ours, bare;
        for (int i = 0; i < Rounds + 4; ++i) {
            const double one = bursts.round(receiver), other = sockets.round(receiver);
            if (i >= 4) { // the first ones warm up
                ours.push_back(one);
                bare.push_back(other);
            }
        }
        std::printf("  %3d requests: volley %8.0f, bare sockets %8.0f\n", count, median(ours),
            median(bare));
        if (count >= 64) {
            const QByteArray what =
                "a volley of " + QByteArray::number(count) + " against bare POSIX sockets";
            met &= line(what.constData(), median(ours) / median(bare), 1.3, true);
        }
        if (count == 64)
            volley64 = median(ours);
    }
    QNetworkAccessManager manager;
    std::vector<double> managed;
    for (int i = 0; i < Rounds; ++i)
        managed.push_back(managerRound(manager, receiver, 64));
    std::printf("   64 requests: one QNetworkAccessManager %.0f\n", median(managed));
    met &= line("a volley of 64, tighter than one QNetworkAccessManager",
        median(managed) / volley64, 50, false);
    return met;
}

// ---- Spread through `drive`

/// A server with no resources that is done with everything at once, and knows when the kernel took
/// each PUT.
class Arrivals
{
public:
    Arrivals()
    {
        std::tie(m_listening, port) = listening();
        m_thread = std::thread([this] { run(); });
    }
    ~Arrivals()
    {
        m_stop = true;
        m_thread.join();
        ::close(m_listening);
    }
    int count() const { return m_count; }
    /// The spreads, in µs, of as many whole groups as have come.
    std::vector<double> spreads(int group) const
    {
        std::vector<double> all;
        const std::vector<qint64> times(m_times.begin(), m_times.begin() + m_count);
        for (size_t i = 0; i + size_t(group) <= times.size(); i += size_t(group)) {
            const auto [first, last] = std::minmax_element(
                times.begin() + qsizetype(i), times.begin() + qsizetype(i) + group);
            all.push_back(double(*last - *first) / 1000);
        }
        return all;
    }
    quint16 port = 0;

private:
    void run()
    {
        const int epoll = ::epoll_create1(0);
        epoll_event event { .events = EPOLLIN, .data = { .fd = m_listening } };
        ::epoll_ctl(epoll, EPOLL_CTL_ADD, m_listening, &event);
        std::map<int, QByteArray> held;
        std::deque<std::pair<qint64, int>> due; // PUTs are answered when all have come
        epoll_event events[512];
        while (!m_stop) {
            const int ready = ::epoll_wait(epoll, events, 512, 1);
            for (int e = 0; e < ready; ++e) {
                const int fd = events[e].data.fd;
                if (fd == m_listening)
                    accept(epoll);
                else if (!take(fd, &held[fd], &due))
                    held.erase(fd);
            }
            while (!due.empty() && due.front().first <= nowNs()) {
                answer(
                    due.front().second, "{\"properties\": {\"provisioningState\": \"Succeeded\"}}");
                due.pop_front();
            }
        }
        ::close(epoll);
    }
    void accept(int epoll) const
    {
        const int on = 1;
        for (int made = ::accept4(m_listening, nullptr, nullptr, SOCK_NONBLOCK); made >= 0;
             made = ::accept4(m_listening, nullptr, nullptr, SOCK_NONBLOCK)) {
            ::setsockopt(made, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
            epoll_event added { .events = EPOLLIN, .data = { .fd = made } };
            ::epoll_ctl(epoll, EPOLL_CTL_ADD, made, &added);
        }
    }
    bool take(int fd, QByteArray *bytes, std::deque<std::pair<qint64, int>> *due)
    {
        char buffer[65536], control[256];
        iovec part { .iov_base = buffer, .iov_len = sizeof buffer };
        msghdr message {};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        const ssize_t got = ::recvmsg(fd, &message, 0);
        if (got <= 0) {
            ::close(fd);
            return false;
        }
        bytes->append(buffer, got);
        const qsizetype end = bytes->indexOf("\r\n\r\n");
        const qsizetype at = bytes->toLower().indexOf("content-length: ");
        const qsizetype body =
            at < 0 ? 0 : bytes->mid(at + 16, 10).split('\r').first().toLongLong();
        if (end < 0 || bytes->size() < end + 4 + body)
            return true;
        const QByteArray request = std::exchange(*bytes, {});
        if (!request.startsWith("PUT ")) {
            answer(fd, request.contains("/_instar") ? "null" : "{\"value\": []}");
            return true;
        }
        if (m_count < int(m_times.size()))
            m_times[size_t(m_count++)] = stamp(message);
        due->emplace_back(nowNs() + AnswerMs * 1'000'000LL, fd);
        return true;
    }
    static qint64 stamp(msghdr &message)
    {
        for (cmsghdr *one = CMSG_FIRSTHDR(&message); one; one = CMSG_NXTHDR(&message, one)) {
            if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_TIMESTAMPNS)
                continue;
            timespec time {};
            std::memcpy(&time, CMSG_DATA(one), sizeof time);
            return qint64(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
        }
        qFatal("the kernel does not say when a request came");
    }
    static void answer(int fd, const QByteArray &body)
    {
        const QByteArray bytes =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + QByteArray::number(body.size()) + "\r\n\r\n" + body;
        [[maybe_unused]] const auto sent =
            ::send(fd, bytes.constData(), size_t(bytes.size()), MSG_NOSIGNAL);
    }

    int m_listening = -1;
    std::atomic<bool> m_stop = false;
    std::atomic<int> m_count = 0;
    std::array<std::atomic<qint64>, 8192> m_times {};
    std::thread m_thread;
};

constexpr int DrivenRounds = 31;
constexpr int DrivenEveryMs = 400;

/// So many PUTs at once, again and again, each of a resource of its own.
QByteArray burstScenario(int count)
{
    QByteArray steps;
    for (int round = 0; round < DrivenRounds; ++round) {
        for (int i = 0; i < count; ++i)
            steps += QByteArray(steps.isEmpty() ? "" : ",\n")
                + "{\"at\": " + QByteArray::number(500 + round * DrivenEveryMs)
                + R"(, "op": "PUT", "path": "/logicalNetworks/ln)" + QByteArray::number(round) + "x"
                + QByteArray::number(i) + "\"}";
    }
    return R"({"pack": "network-controller", "resources": [], "steps": [)" + steps + "]}";
}

/// `drive` and bare sockets in turn, so that both meet the same machine.
bool compareDriven()
{
    constexpr int count = 64;
    Arrivals driven, bare;
    QTemporaryDir folder;
    QFile file(folder.filePath(u"volleys.scenario.json"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(burstScenario(count)) < 0)
        qFatal("cannot write");
    file.close();
    std::vector<int> sockets;
    std::vector<QByteArray> requests;
    for (int i = 0; i < count; ++i) {
        sockets.push_back(connected(bare.port));
        requests.push_back(put(i));
    }
    QProcess drive;
    drive.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    drive.start(QCoreApplication::applicationDirPath() + u"/../instar-cli"_s,
        { u"drive"_s, u"http://127.0.0.1:%1"_s.arg(driven.port), u"--pack"_s,
            u"network-controller"_s, file.fileName() });
    char buffer[4096];
    for (int round = 0; round < DrivenRounds; ++round) {
        // Between two of its bursts: none is due for a while.
        for (int waited = 0; driven.count() < (round + 1) * count && waited < 30'000; ++waited)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(DrivenEveryMs / 2));
        for (size_t i = 0; i < sockets.size(); ++i) [[maybe_unused]]
            const auto sent = ::send(
                sockets[i], requests[i].constData(), size_t(requests[i].size()), MSG_NOSIGNAL);
        for (const int fd : sockets) [[maybe_unused]]
            const auto got = ::recv(fd, buffer, sizeof buffer, 0);
    }
    drive.waitForFinished(60'000);
    for (const int fd : sockets)
        ::close(fd);
    if (drive.exitCode() != 0 || driven.count() != DrivenRounds * count)
        qFatal("drive did not send everything: %d of %d", driven.count(), DrivenRounds * count);
    const double ours = median(driven.spreads(count)), theirs = median(bare.spreads(count));
    std::printf(
        "\nAs the kernel takes them, %d requests of one time, median of %d rounds, µs: drive "
        "%.0f, bare sockets %.0f\n",
        count, DrivenRounds, ours, theirs);
    return line("64 requests of `drive` against bare POSIX sockets", ours / theirs, 1.3, true);
}

} // namespace

int main(int argc, char **argv)
{
    rlimit limit {};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    QCoreApplication application(argc, argv);
    if (argc > 1 && std::strcmp(argv[1], "--echo") == 0)
        return serveEcho();
    if (argc > 1 && std::strcmp(argv[1], "--reference") == 0)
        return serveReference();
    if (argc > 1 && std::strcmp(argv[1], "--drive") == 0)
        return compareDriven() ? 0 : 1;
    const bool fast = compareThroughput();
    const bool tight = compareSpread();
    const bool driven = compareDriven();
    return fast && tight && driven ? 0 : 1;
}
