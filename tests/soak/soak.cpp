// SPDX-License-Identifier: Apache-2.0
// Eight clients, many operations, one reference controller: its memory must stay flat, no accepted
// operation may be lost, every answer must be one that an engine of our own gives as well, and a
// prediction that sees what is exchanged must explain nineteen parts of twenty and accuse nobody.
// Flat is what is in use; what a burst once took the allocator may keep.
// soak [OPERATIONS [LOAD]]
#include "model/json/library.h"
#include "model/remote/monitorfeed.h"
#include "model/remote/server.h"

#include <QCoreApplication>
#include <QFile>
#include <QTcpSocket>

#include <atomic>
#include <cstdio>
#include <deque>
#include <malloc.h>
#include <mutex>
#include <random>
#include <thread>
#include <unistd.h>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

constexpr int Clients = 8;

struct Load
{
    const char *name;
    int trees;
    size_t open; ///< operations that a client leaves alone before it asks how they stand
    bool isPredicted = false;
};
constexpr Load Loads[] = {
    { "many collisions", 6, 50 }, ///< fewer trees than clients
    { "with the prediction beside", 50, 1, true },
};

double residentMb()
{
    QFile file(u"/proc/self/statm"_s);
    if (!file.open(QFile::ReadOnly))
        return 0;
    return double(file.readAll().split(' ').value(1).toLongLong()) * double(::sysconf(_SC_PAGESIZE))
        / 1e6;
}

double inUseMb()
{
    const struct mallinfo2 info = ::mallinfo2();
    return double(info.uordblks + info.hblkhd) / 1e6;
}

struct Answer
{
    int status = 0;
    std::string id;   ///< of the operation
    std::string text; ///< the whole body
};

/// One connection, one request at a time.
class Client
{
public:
    explicit Client(quint16 port)
    {
        m_socket.connectToHost(QHostAddress::LocalHost, port);
        if (!m_socket.waitForConnected())
            std::perror("connect");
        m_socket.setSocketOption(QTcpSocket::LowDelayOption, 1);
    }

    Answer ask(const char *method, const std::string &path, const std::string &body = {})
    {
        m_socket.write(toBytes(HttpRequest { .method = method,
            .target = QByteArray::fromStdString(path),
            .headers = { { "Host", "localhost" }, { "Content-Type", "application/json" } },
            .body = QByteArray::fromStdString(body) }));
        for (;;) {
            if (const std::optional<HttpResponse> answer = m_parser.take())
                return { answer->status, header(answer->headers, "x-ms-request-id").toStdString(),
                    answer->body.toStdString() };
            if (!m_socket.waitForReadyRead(60'000))
                return {};
            m_parser.feed(m_socket.readAll());
        }
    }

private:
    QTcpSocket m_socket;
    HttpParser<HttpResponse> m_parser;
};

/// What an engine of our own answers to the same requests at the same times.
class Judge
{
public:
    explicit Judge(Simulator &simulator)
        : m_own(*Rules::make(simulator.rules().pack()), simulator.beginning())
    {
        m_own.keepRecent(64, 4096);
        QObject::connect(&simulator, &Controller::recorded, [this](const Record &record) {
            if (record.event.kind != Event::Kind::Submit)
                return;
            m_own.advanceTo(record.event.time);
            const quint32 serial = m_own.submit(*record.event.request);
            const Operation &operation = *m_own.operations().find(serial);
            const std::lock_guard guard(m_mutex);
            m_expected[record.event.request->id.toStdString()] =
                operation.status == Status::Rejected ? operation.httpStatus : 0;
        });
    }
    /// Whether an answer is the one to be expected; empty ids are of requests that never got that
    /// far.
    bool agrees(const Answer &answer)
    {
        const std::lock_guard guard(m_mutex);
        const auto found = m_expected.find(answer.id);
        if (found == m_expected.end())
            return false;
        const int expected = found->second;
        m_expected.erase(found);
        return expected == 0 ? answer.status >= 200 && answer.status < 300
                             : answer.status == expected;
    }

private:
    Simulator m_own;
    std::mutex m_mutex;
    std::map<std::string, int> m_expected; ///< operation -> the refusal's status; 0: accepted
};

struct Counts
{
    std::atomic<qint64> asked = 0, accepted = 0, refused = 0, ended = 0, lost = 0, wrong = 0,
                        broken = 0;
};

void run(
    const Load &load, quint16 port, int number, qint64 operations, Judge &judge, Counts &counts)
{
    Client client(port);
    std::mt19937 random(unsigned(number) * 7919 + 1);
    const auto pick = [&](int below) { return int(random() % unsigned(below)); };
    std::deque<std::string> open;
    const auto settle = [&](size_t most) {
        for (int tries = 0; open.size() > most && tries < 100'000; ++tries) {
            const Answer answer = client.ask("GET", "/networking/v1/operations/" + open.front());
            if (answer.status == 404) {
                ++counts.lost;
                open.pop_front();
            } else if (answer.status == 0) {
                ++counts.broken;
                return;
            } else if (answer.text.find("InProgress") == std::string::npos) {
                ++counts.ended;
                open.pop_front();
            }
        }
    };
    while (counts.asked++ < operations) {
        const std::string tree =
            "/networking/v1/logicalNetworks/ln" + std::to_string(pick(load.trees));
        std::string path = tree;
        const int depth = pick(3);
        if (depth > 0)
            path += "/subnets/sn" + std::to_string(pick(3));
        if (depth > 1)
            path += "/ipPools/p" + std::to_string(pick(3));
        const bool puts = pick(4) > 0;
        const Answer answer = puts ? client.ask("PUT", path,
                                  "{\"properties\": {\"n\": " + std::to_string(pick(1000)) + "}}")
                                   : client.ask("DELETE", path);
        if (answer.status == 0) {
            ++counts.broken;
            return;
        }
        if (!judge.agrees(answer))
            ++counts.wrong;
        if (answer.status == 200 || answer.status == 201 || answer.status == 202) {
            ++counts.accepted;
            open.push_back(answer.id);
        } else {
            ++counts.refused; // and what there was not to delete
        }
        settle(load.open);
        if (load.isPredicted && pick(4) == 0) // from such a sight a tree that was lost is followed
            client.ask("GET", tree);
    }
    settle(0);
    counts.lost += qint64(open.size());
}

bool soaked(const Load &load, qint64 operations, QCoreApplication &application)
{
    std::printf("%s\n", load.name);
    Rules rules = *Rules::make(*loadPack(u"network-controller"_s));
    World world = makeWorld(rules, {}).world;
    Simulator simulator(std::move(rules), std::move(world));
    Server::Options options;
    options.speed = 500;
    options.mostFinished = 20'000; // smaller than the run, so that forgetting is in it
    Server server(simulator, options);
    Judge judge(simulator);
    MonitorFeed live(simulator.rules());
    if (load.isPredicted)
        QObject::connect(
            &server, &Server::exchanged, [&](const Exchange &exchange) { live.take(exchange); });
    const Result<quint16> port = server.listen();
    if (!port) {
        std::fprintf(stderr, "%s\n", qPrintable(port.error()));
        return false;
    }

    Counts counts;
    std::thread([&] { // that there is nothing yet is seen before anything is asked
        Client(*port).ask("GET", "/networking/v1/logicalNetworks");
        QMetaObject::invokeMethod(&application, &QCoreApplication::quit, Qt::QueuedConnection);
    })
        .detach();
    QCoreApplication::exec();
    QTimer advance;
    QObject::connect(
        &advance, &QTimer::timeout, [&] { live.advanceTo(QDateTime::currentDateTimeUtc()); });
    advance.start(20);
    std::atomic<int> left = Clients;
    std::vector<std::thread> threads;
    for (int i = 0; i < Clients; ++i) {
        threads.emplace_back([&, i] {
            run(load, *port, i, operations, judge, counts);
            if (--left == 0)
                QMetaObject::invokeMethod(
                    &application, &QCoreApplication::quit, Qt::QueuedConnection);
        });
    }
    double early = 0, latest = 0, most = 0;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, [&] {
        latest = inUseMb();
        most = std::max(most, residentMb());
        if (early == 0 && counts.asked > operations / 4)
            early = latest;
        std::fprintf(stderr, "\r%lld of %lld operations, %.1f MB  ",
            static_cast<long long>(counts.asked.load()), static_cast<long long>(operations),
            latest);
    });
    look.start(500);
    QCoreApplication::exec();
    for (std::thread &thread : threads)
        thread.join();
    latest = inUseMb();

    const double growth = early > 0 ? (latest / early - 1) * 100 : 0;
    std::printf("\n%lld operations: %lld accepted, %lld refused or nothing to do; %lld ended, %lld "
                "lost, %lld answers that our own engine does not give, %lld broken\n",
        static_cast<long long>(counts.accepted + counts.refused),
        static_cast<long long>(counts.accepted.load()),
        static_cast<long long>(counts.refused.load()), static_cast<long long>(counts.ended.load()),
        static_cast<long long>(counts.lost.load()), static_cast<long long>(counts.wrong.load()),
        static_cast<long long>(counts.broken.load()));
    std::printf("memory in use: %.1f MB after a quarter, %.1f MB at the end, %+.1f %% (at most 5 "
                "%%); resident at most %.1f MB\n",
        early, latest, growth, most);
    const ConformanceMonitor &monitor = live.monitor();
    if (load.isPredicted)
        std::printf("prediction: %lld requests and observations explained, %lld passed over, %lld "
                    "departures, %lld remembered\n",
            static_cast<long long>(monitor.explained()), static_cast<long long>(monitor.ignored()),
            static_cast<long long>(monitor.violationCount()),
            static_cast<long long>(monitor.remembered()));
    for (const LiveViolation &unexplained :
        monitor.violations().first(std::min<qsizetype>(3, monitor.violations().size())))
        std::printf("  %s\n", qPrintable(unexplained.path));
    const bool isExplained = !load.isPredicted || monitor.explained() > operations;
    const bool isFollowed =
        monitor.violationCount() == 0 && monitor.ignored() * 20 <= monitor.explained();
    const bool good = isExplained && isFollowed && counts.lost == 0 && counts.wrong == 0
        && counts.broken == 0 && counts.ended == counts.accepted && growth <= 5;
    std::printf("%s\n", good ? "held" : "NOT HELD");
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const qint64 operations = argc > 1 ? std::atoll(argv[1]) : 200'000;
    bool good = true;
    const QByteArray only = argc > 2 ? argv[2] : "";
    for (const Load &load : Loads) {
        if (!only.isEmpty() && only != load.name)
            continue;
        good = soaked(load, operations, application) && good;
    }
    return good ? 0 : 1;
}
