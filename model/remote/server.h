// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/misbehaviour.h"
#include "model/engine/simulator.h"
#include "model/http/listener.h"
#include "model/remote/servedexchanges.h"
#include "model/remote/wirerules.h"

#include <QCache>
#include <QElapsedTimer>
#include <QTimer>

namespace instar {

/// Plan for the next operations of a kind on a path: how they end, and faults in their answers.
struct TestPlan
{
    QString op, path; ///< empty: any
    QString outcome;  ///< a trigger's name; empty: succeeded
    std::optional<qint64> duration;
    int transientFailures = 0; ///< number of attempts that first end in the pack's retry outcome
    bool hang = false;
    /// Fault of the answer: "close", "truncate", "garbage", "invalid-json", "empty", "status:503"
    /// or "delay:250" (real ms); or a rule to break, such as "lostUpdate"; empty: none.
    QString fault;
    qint64 times = 1;
    bool refusedToo = false; ///< refused requests count for `times`, too
    bool operator==(const TestPlan &) const = default;

    /// The rule that `fault` breaks; absent if it spoils only answers, or is empty.
    std::optional<Fault> brokenRule() const { return faultNamed(fault); }
};

/// Reference server: a simulator behind HTTP that follows its pack's wire rows. Below /_instar/
/// a tester reads the whole world, plans how operations end, and resets it.
class Server : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        HttpListener::Options http;
        double speed = 1; ///< virtual ms per real ms; 0: the simulator's owner advances its time
        qsizetype mostFinished = 100'000; ///< finished operations that can still be read
        QByteArray testToken;             ///< required for POSTs below /_instar/; empty: none
    };
    Server(Simulator &simulator, Options options, QObject *parent = nullptr);
    ~Server() override;

    Result<quint16> listen();
    QString origin() const; ///< "http://127.0.0.1:8080"
    qsizetype connections() const { return m_listener.connections(); }
    qint64 requests() const { return m_requests; } ///< number of requests so far
    /// Plans how the next matching operations end, and faults. Keeps the newest thousand plans.
    void plan(const TestPlan &plan);
    /// Accepts no new connections; open ones get their answers within `ms`. Then emits closed().
    void close(int ms);

signals:
    void closed();
    void served(); ///< a request was answered, or its client left
    /// A request was answered, or has to wait and will be reported again with the same number.
    /// Requests that begin while nothing is connected to this signal are not kept. The listener's
    /// own refusals are included, such as those of invalid HTTP or of a missing token.
    void exchanged(const instar::Exchange &exchange);

private:
    struct Caller
    {
        HttpListener::Ticket ticket = 0;
        MatchedRequest matched;
        QByteArray origin {};
        QByteArray target; ///< as received
        QString requestId {};
        QString badId {};   ///< why the request id is invalid; empty: it is valid
        bool echoes = true; ///< the request id goes into the answer
        TestPlan plan {};
        bool created = false; ///< the operation made its target
        HttpHeaders headers;  ///< of the request; answers may repeat some of them
    };
    Caller callerOf(HttpListener::Ticket ticket, const HttpRequest &http) const;
    void handle(HttpListener::Ticket ticket, const HttpRequest &http, const QString &peer);
    void reply(HttpListener::Ticket ticket, HttpResponse response);
    void breakOff(HttpListener::Ticket ticket, const HttpResponse &response, qsizetype bytes);
    void ask(Caller caller, const HttpRequest &http, const QString &peer);
    TestPlan takePlan(const Request &request, const Admission &admitted);
    quint32 submitted(const TestPlan &plan, Request request);
    void answerRead(const Caller &caller, const HttpRequest &http);
    void callAgain(const Caller &caller, const HttpRequest &http);
    const Operation *lastAt(const QString &path) const;
    WireClock clock() const;
    void answerOperation(const Caller &caller);
    void answerSubmitted(const Caller &caller, const Change &change, const Admission &admitted);
    void answer(const Caller &caller, HttpResponse response);
    void spoil(const Caller &caller, HttpResponse response);
    /// Author of a refusal's text: the pack, or this server, whose text replaces the pack's.
    enum class TextBy { Pack, Server };
    void refuse(const Caller &caller, const QString &refusal, const QString &text,
        TextBy by = TextBy::Pack);
    bool reportsExchanges() const;
    QString withUrls(const Caller &caller, const Operation &refused) const;
    void await(quint32 serial, const Caller &caller);
    void follow(const Record &record);
    void restart();

    HttpResponse testAnswer(const HttpRequest &http);
    std::optional<HttpResponse> testRefusal(const HttpRequest &http) const;
    HttpResponse wholeWorld(const HttpRequest &http) const;

    /// The world as clients see it.
    const World &world() const;
    WireValues about(const Caller &caller, const QString &path, Resource resource) const;
    QString pathOf(const Caller &caller) const;
    WireValues aboutOperation(const Caller &caller, const Operation &operation) const;

    void catchUp();
    void schedule();

    Simulator &m_simulator;
    Options m_options;
    WireRules m_wire;
    HttpListener m_listener;
    QList<TestPlan> m_plans; ///< not used up yet, the oldest first
    Misbehaviour m_misbehaviour;
    mutable World m_falsifiedWorld; ///< world that clients see while the server misbehaves
    /// Serial of an operation -> answer to its request, for repetitions. Costs are bytes.
    QCache<quint32, HttpResponse> m_firstAnswers { 64 * 1024 * 1024 };
    ServedExchanges m_exchanges;
    QElapsedTimer m_clock;
    qint64 m_started = 0; ///< virtual ms at the start of the clock
    qint64 m_epoch = 0;   ///< virtual 0 in ms since 1970
    QTimer m_due;
    qint64 m_dueTime = 0; ///< virtual ms at which m_due fires
    qint64 m_requests = 0;
    QMultiHash<quint32, Caller> m_waiting; ///< operations whose answer comes when they end
};

} // namespace instar
