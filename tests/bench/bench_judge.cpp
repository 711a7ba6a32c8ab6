// SPDX-License-Identifier: Apache-2.0
// What a verdict may cost: a long history of many clients, longer ones beside it, and many requests
// at once on one tree beside a search that forgets what it has tried. Prints the figures and their
// bars; fails where one is missed.
#include "model/conformance/verdict.h"
#include "model/engine/operationlog.h"
#include "model/json/library.h"

#include <QElapsedTimer>

#include <algorithm>
#include <iostream>
#include <random>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

const Rules &rules()
{
    static const Rules rules = *Rules::make(*loadPack(u"network-controller"_s));
    return rules;
}

/// Clients at a server: each asks, and looks how its operation and its resource stand.
class Crowd
{
public:
    Crowd(int trees, quint32 seed) : m_random(seed), m_trees(trees)
    {
        for (int tree = 0; tree < trees; ++tree) {
            for (const QString &path :
                { top(tree), top(tree) + u"/subnets/a"_s, top(tree) + u"/subnets/b"_s })
                m_history.resources += ResourceSpec { .path = path };
        }
        m_history.file = u"crowd"_s;
        m_world = makeWorld(rules(), m_history.resources).world;
    }

    History afterOperations(int operations, int clients)
    {
        for (int i = 0; i < operations; ++i) {
            pass(below(60) / clients + 1);
            ask(u"c%1"_s.arg(i % clients), 8);
            for (int look = 0; look < 3; ++look) {
                pass(below(40));
                this->look(5);
            }
        }
        return m_history;
    }

    /// So many requests that are all under way together, and how they all ended.
    History atOnce(int requests)
    {
        for (int i = 0; i < requests; ++i) {
            ask(u"c%1"_s.arg(i), 100);
            pass(below(3));
        }
        pass(10'000);
        for (const RecordedRequest &asked : m_history.requests)
            stands(asked.request.id, 5);
        for (const ResourceSpec &resource : QList(m_history.resources))
            see(resource.path, 5);
        return m_history;
    }

private:
    int below(int limit) { return int(m_random() % quint32(std::max(1, limit))); }
    static QString top(int tree) { return u"/logicalNetworks/n%1"_s.arg(tree); }

    void happen(const Event &event)
    {
        Stepped stepped = step(rules(), std::move(m_world), event);
        m_world = std::move(stepped.world);
        m_log.apply(rules(), stepped.record, m_world);
    }

    void pass(int ms)
    {
        const qint64 until = m_now + ms;
        for (Event next = nextEvent(rules(), m_world);
             next.kind != Event::Kind::Wait && next.time <= until;
             next = nextEvent(rules(), m_world))
            happen(next);
        m_now = until;
    }

    QString path()
    {
        const QString tree = top(below(m_trees));
        const int which = below(4);
        return which < 2 ? tree : tree + (which == 2 ? u"/subnets/a"_s : u"/subnets/b"_s);
    }

    void ask(const QString &client, int slack)
    {
        const QString id = u"r%1"_s.arg(m_history.requests.size());
        const Request request { .op = below(5) ? u"PUT"_s : u"DELETE"_s,
            .path = path(),
            .id = id,
            .client = client,
            .outcome = below(6) ? QString() : u"failed"_s,
            .duration = below(80) };
        happen({ .kind = Event::Kind::Submit,
            .time = m_now,
            .request = QSharedPointer<Request>::create(request) });
        const Operation &operation = *m_log.find(id);
        const bool refused = operation.status == Status::Rejected;
        m_history.requests += RecordedRequest { .line = int(m_history.size()) + 2,
            .request = { .op = request.op, .path = request.path, .id = id, .client = client },
            .sent = double(std::max<qint64>(0, m_now - below(slack))),
            .answered = double(m_now + below(slack)),
            .answer =
                refused ? RecordedRequest::Answer::Refused : RecordedRequest::Answer::Accepted,
            .code = refused ? operation.errorCode : QString() };
        m_last = id;
    }

    void look(int slack)
    {
        if (below(2))
            stands(m_last, slack);
        else
            see(path(), slack);
    }

    void stands(const QString &id, int slack)
    {
        m_history.observations += Observation { .line = int(m_history.size()) + 2,
            .operation = id,
            .from = double(std::max<qint64>(0, m_now - below(slack))),
            .to = double(m_now + below(slack)),
            .word = statusName(m_log.find(id)->status) };
    }

    void see(const QString &at, int slack)
    {
        const Resource resource = m_world.tree.find(at);
        Observation seen { .line = int(m_history.size()) + 2,
            .path = at,
            .from = double(std::max<qint64>(0, m_now - below(slack))),
            .to = double(m_now + below(slack)) };
        if (resource != NoResource) {
            seen.word = rules().shown(m_world.tree.code(resource));
            seen.etag = etag(m_world, resource);
        }
        m_history.observations += seen;
    }

    std::mt19937 m_random;
    int m_trees;
    History m_history;
    World m_world;
    OperationLog m_log;
    qint64 m_now = 0;
    QString m_last;
};

struct Judged
{
    double ms = 0;
    HistoryVerdict verdict;
};

Judged judged(const History &history)
{
    QElapsedTimer clock;
    clock.start();
    const Result<HistoryVerdict> verdict = verdictOn(history, rules(), { .states = 100'000 });
    if (!verdict)
        qFatal("%s", qPrintable(verdict.error()));
    return { double(clock.nsecsElapsed()) / 1e6, *verdict };
}

int failures = 0;

void bar(const char *what, double is, double most)
{
    const bool good = is <= most;
    failures += good ? 0 : 1;
    std::cout << (good ? "good  " : "BAD   ") << what << ": " << is << ", at most " << most
              << std::endl;
}

void mustConform(const Judged &judged)
{
    if (judged.verdict.outcome == HistorySearch::Outcome::Conforms)
        return;
    ++failures;
    std::cout << "BAD   " << qPrintable(verdictText(judged.verdict, u"crowd"_s)) << std::endl;
}

} // namespace

int main()
{
    double perThing = 0;
    for (const int operations : { 250, 500, 1000, 2000, 4000 }) {
        const History history = Crowd(50, 7).afterOperations(operations, 8);
        const Judged done = judged(history);
        mustConform(done);
        std::cout << operations << " operations, " << history.size() << " things: " << done.ms
                  << " ms, " << done.verdict.worlds << " situations" << std::endl;
        if (operations == 1000)
            bar("1,000 operations by 8 clients on 50 trees, ms", done.ms, 1000);
        const double each = done.ms / double(history.size());
        if (operations == 500)
            perThing = each;
        if (operations == 4000)
            bar("cost of a thing in a history of 4,000 operations, beside one of 500",
                each / perThing, 2);
    }

    double slowest = 0;
    int inTime = 0;
    constexpr quint32 crowds = 60;
    for (quint32 seed = 1; seed <= crowds; ++seed) {
        const History history = Crowd(1, seed).atOnce(32);
        const Judged done = judged(history);
        const bool isDone = done.verdict.outcome == HistorySearch::Outcome::Conforms;
        inTime += isDone && done.ms < 5000 ? 1 : 0;
        slowest = std::max(slowest, done.ms);
    }
    bar("32 requests at once on one tree, of 60 histories not explained in 5 s",
        int(crowds) - inTime, 0);
    std::cout << "      the slowest " << slowest << " ms" << std::endl;

    // One that nothing explains has to be searched to its end.
    History broken = Crowd(1, 3).atOnce(12);
    broken.observations.last().word = u"Odd"_s;
    QElapsedTimer clock;
    clock.start();
    HistorySearch search(rules(), broken);
    const bool violates = search.run({ .states = 2'000'000 }) == HistorySearch::Outcome::Violates;
    const double ms = double(clock.nsecsElapsed()) / 1e6;
    std::cout << "      12 at once that nothing explains: " << (violates ? "violates" : "undecided")
              << " after " << search.worlds() << " situations, " << ms << " ms" << std::endl;
    return failures ? 1 : 0;
}
