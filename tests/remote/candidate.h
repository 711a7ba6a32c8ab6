// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/sentences.h"
#include "tests/remote/driver.h"
#include "tests/support/staging.h"

#include <QRegularExpression>

#include <memory>

namespace instar {

/// What the engine alone makes of requests: no controller, no clock.
class PlainEngine
{
public:
    PlainEngine(const Rules &rules, const QList<ResourceSpec> &resources)
        : m_rules(rules), m_world(worldOf(rules, resources))
    { }

    const Operation &ask(const Request &request)
    {
        happen({ .kind = Event::Kind::Submit,
            .time = m_world.now,
            .request = QSharedPointer<Request>::create(request) });
        return *m_log.find(request.id);
    }
    void pass(qint64 ms)
    {
        const qint64 until = m_world.now + ms;
        for (;;) {
            const Event next = nextEvent(m_rules, m_world);
            if (next.kind == Event::Kind::Wait || next.time > until)
                break;
            happen(next);
        }
        m_world.now = until;
    }
    const Rules &rules() const { return m_rules; }
    const World &world() const { return m_world; }
    const OperationLog &operations() const { return m_log; }
    QString tree() const { return sorted(shownTree(m_rules, m_world)); }

private:
    void happen(const Event &event)
    {
        Stepped stepped = step(m_rules, m_world, event);
        m_world = stepped.world;
        m_log.apply(m_rules, stepped.record, m_world);
    }

    Rules m_rules;
    World m_world;
    OperationLog m_log;
};

/// A controller under test, and the simulator where what it shows happens; the test lets time pass
/// there.
class Candidate
{
public:
    virtual ~Candidate() = default;

    virtual Controller &controller() = 0;
    virtual Simulator &there() = 0;
    virtual bool isRemote() const = 0;
    /// Asks; the first answer is there where one is given before the end.
    virtual quint32 submit(const Request &request) = 0;
    /// Whatever happened is known here.
    virtual void tell() = 0;
    /// Somebody else asks for the same resources, not through the controller.
    virtual void stranger(const QString &op, const QString &path) = 0;

    const Operation &ask(const Request &request)
    {
        return *controller().operations().find(submit(request));
    }
    void pass(qint64 ms)
    {
        there().advance(ms);
        tell();
    }
    const Operation &operation(const QString &id)
    {
        const Operation *operation = controller().operations().find(id);
        if (!operation)
            qFatal("no operation %s", qPrintable(id));
        return *operation;
    }
    QString status(const QString &id) { return statusName(operation(id).status); }
    QString tree() { return sorted(shownTree(controller().rules(), controller().world())); }
    QString at(const QString &path)
    {
        return shownAt(controller().rules(), controller().world(), path);
    }
    QString etag(const QString &path)
    {
        const Resource resource = controller().world().tree.find(path);
        return resource == NoResource ? QString() : controller().etag(resource);
    }
    /// The constraints that were broken: "/path rule", in order.
    QStringList violations()
    {
        QStringList lines;
        for (const Change &change : changesIn(controller())) {
            if (change.kind == Change::Kind::Violated)
                lines += change.path + u' ' + change.rule;
        }
        return lines;
    }
    /// "started Succeeded -> Updating, succeeded Updating -> Succeeded": where an operation brought
    /// its target.
    QString movesOf(const QString &id)
    {
        const Rules &rules = controller().rules();
        QStringList moves;
        for (const Change &change : changesIn(controller())) {
            if (change.operation == operation(id).serial && change.from != Rules::None
                && change.to != Rules::None)
                moves += QStringLiteral("%1 %2 -> %3")
                             .arg(eventName(rules, change), rules.state(change.from).id,
                                 rules.state(change.to).id);
        }
        return moves.join(QStringLiteral(", "));
    }
    /// The kinds of changes that speak of an operation, in order.
    QList<Change::Kind> changesOf(const QString &id)
    {
        QList<Change::Kind> kinds;
        for (const Change &change : changesIn(controller())) {
            if (change.operation && change.operation == operation(id).serial)
                kinds += change.kind;
        }
        return kinds;
    }

    static std::unique_ptr<Candidate> make(const QString &kind, const Pack &pack);
};

class LocalCandidate : public Candidate
{
public:
    explicit LocalCandidate(const Pack &pack)
        : m_simulator(rulesOf(pack), worldOf(rulesOf(pack), smallTree()))
    { }

    Controller &controller() override { return m_simulator; }
    Simulator &there() override { return m_simulator; }
    bool isRemote() const override { return false; }
    quint32 submit(const Request &request) override { return m_simulator.submit(request); }
    void tell() override { }
    void stranger(const QString &op, const QString &path) override
    {
        m_simulator.submit({ .op = op, .path = path, .client = QStringLiteral("stranger") });
    }

private:
    Simulator m_simulator;
};

/// Over real sockets, against a server of this process.
class RemoteCandidate : public Candidate
{
public:
    explicit RemoteCandidate(const Pack &pack)
        : m_reference(pack, smallTree(), patient()),
          m_driver(unhurried(QUrl(m_reference.origin())), rulesOf(pack))
    {
        if (!m_driver.opened())
            qFatal("no connection");
    }

    Controller &controller() override { return m_driver.controller; }
    Simulator &there() override { return m_reference.simulator(); }
    bool isRemote() const override { return true; }

    quint32 submit(const Request &request) override
    {
        plan(request);
        const qsizetype before = there().operations().all().size();
        const quint32 serial = controller().submit(request);
        // Some answers come only when the work is done: nothing more is to be awaited then.
        const auto answersAtEnd = [&] {
            const PersistentList<Operation> &all = there().operations().all();
            return all.size() > before && !all.last().isOver()
                && there().rules().pack().id.endsWith(u"-sync");
        };
        if (!waited(
                [&] { return !m_driver.controller.isBusy() || answersAtEnd() || isOver(serial); }))
            qFatal("no answer");
        return serial;
    }
    void tell() override
    {
        const auto running = [](const OperationLog &log) {
            return std::ranges::count_if(
                log.all(), [](const Operation &one) { return !one.isOver(); });
        };
        if (there().rules().pack().id.endsWith(u"-sync") && !waited([&] {
                return running(controller().operations()) <= running(there().operations());
            }))
            qFatal("an answer is missing");
        if (!m_driver.looked())
            qFatal("no end of looking");
    }
    void stranger(const QString &op, const QString &path) override
    {
        const int status = m_reference
                               .ask(op.toLatin1(), QStringLiteral("/networking/v1") + path,
                                   op == u"PUT" ? "{\"properties\": {}}" : QByteArray())
                               .status;
        if (status >= 300)
            qFatal("the stranger was refused: %d", status);
    }

private:
    bool isOver(quint32 serial)
    {
        return controller().operations().find(serial)->isOver() && !m_driver.controller.isReading();
    }
    /// A real server's work ends as it ends; the reference controller's as it was planned.
    void plan(const Request &request)
    {
        QJsonObject plan { { QStringLiteral("path"), request.path },
            { QStringLiteral("op"), request.op }, { QStringLiteral("refusedToo"), true } };
        const qsizetype usual = plan.size();
        if (!request.outcome.isEmpty())
            plan.insert(QStringLiteral("outcome"), request.outcome);
        if (request.duration)
            plan.insert(QStringLiteral("duration"), *request.duration);
        if (request.transientFailures)
            plan.insert(QStringLiteral("transientFailures"), request.transientFailures);
        if (request.hang)
            plan.insert(QStringLiteral("hang"), true);
        const QByteArray json = QJsonDocument(plan).toJson(QJsonDocument::Compact);
        if (plan.size() > usual && m_reference.plan(json).status != 200)
            qFatal("the plan was refused: %s", json.constData());
    }

    Reference m_reference;
    Driver m_driver;
};

inline std::unique_ptr<Candidate> Candidate::make(const QString &kind, const Pack &pack)
{
    if (kind == u"remote")
        return std::make_unique<RemoteCandidate>(pack);
    return std::make_unique<LocalCandidate>(pack);
}

/// The candidate of the row `kind`.
inline std::unique_ptr<Candidate> candidate(
    const Pack &pack = packNamed(QStringLiteral("network-controller")))
{
    QFETCH_GLOBAL(const QString, kind);
    return Candidate::make(kind, pack);
}

inline void candidateRows()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("local") << QStringLiteral("local");
    QTest::newRow("remote") << QStringLiteral("remote");
}

/// A message without the id of an operation: a server has its own.
inline QString withoutIds(const QString &message)
{
    static const QRegularExpression id(
        QStringLiteral("(https?://[^/ ]+)?([^ ]*)operations?[ /][^ ,]+"));
    return QString(message).replace(id, QStringLiteral("\\2operation"));
}

/// What must be the same wherever an operation ran.
inline void compareOperation(const Operation &here, const Operation &there)
{
    QCOMPARE(statusName(here.status), statusName(there.status));
    QCOMPARE(here.op, there.op);
    QCOMPARE(here.path, there.path);
    QCOMPARE(here.errorCode, there.errorCode);
    QCOMPARE(here.httpStatus, there.httpStatus);
    QCOMPARE(here.rule, there.rule);
    QCOMPARE(here.canceledBy, there.canceledBy);
    QCOMPARE(here.conflictsWith, there.conflictsWith);
    QCOMPARE(here.replayOf, there.replayOf);
    QCOMPARE(here.errorMessage.isEmpty(), there.errorMessage.isEmpty());
    // An answer that says how the work ended may leave out why.
    if (here.errorMessage != u"The server gave no reason.")
        QCOMPARE(withoutIds(here.errorMessage), withoutIds(there.errorMessage));
}

/// Resources and operations, against what the engine alone has made of the same requests.
inline void compareAll(Candidate &one, const PlainEngine &plain)
{
    QCOMPARE(one.tree(), plain.tree());
    const PersistentList<Operation> &all = one.controller().operations().all();
    QCOMPARE(all.size(), plain.operations().all().size());
    for (qsizetype i = 0; i < all.size(); ++i) { // in the order of their submission
        const Operation &operation = plain.operations().all()[i];
        QCOMPARE(all[i].id, operation.id);
        compareOperation(all[i], operation);
        if (QTest::currentTestFailed())
            return;
    }
    QCOMPARE(brokenPromise(one.controller().rules(), one.controller().world()), QString());
}

/// "/a 7", the etag of every resource, one a line.
inline QString etagsOf(const Controller &controller)
{
    QStringList lines;
    for (const Resource resource : controller.world().tree.resources())
        lines += controller.world().tree.path(resource) + u' ' + controller.etag(resource);
    lines.sort();
    return lines.join(u'\n');
}

/// Hears a controller's signals, and notes what does not fit to what the controller shows.
class Witness : public QObject
{
public:
    explicit Witness(const Controller &controller) : m_controller(controller)
    {
        begin();
        connect(&controller, &Controller::recorded, this,
            [this](const Record &record) { hear(record); });
        connect(&controller, &Controller::rewound, this, [this] { begin(); });
        connect(&controller, &Controller::timePassed, this, [this] { watchTime(); });
    }

    /// What is shown now must be what was shown with the last record.
    QStringList complaints()
    {
        if (shown() != m_shown)
            complain(QStringLiteral("the world changed without a record"));
        return m_complaints;
    }
    int heard() const { return m_heard; }

private:
    void begin()
    {
        m_log = m_controller.operations();
        m_records = m_controller.records().size();
        m_shown = shown();
        m_time = m_controller.world().now;
    }
    void hear(const Record &record)
    {
        ++m_heard;
        const QList<Record> &records = m_controller.records();
        if (records.size() != m_records + 1 || told(records.last()) != told(record))
            complain(QStringLiteral("the signal does not bring the newest record"));
        m_records = records.size();
        if (record.event.time != m_controller.world().now)
            complain(QStringLiteral("a record of another time than the world's"));
        watchTime();
        m_log.apply(m_controller.rules(), record, m_controller.world());
        if (m_log != m_controller.operations())
            complain(QStringLiteral("the operations are not what the records add up to"));
        const Tree &tree = m_controller.world().tree;
        QList<qint64> counts(m_controller.rules().codeCount());
        for (const Resource resource : tree.resources())
            ++counts[tree.code(resource)];
        if (counts != tree.counts())
            complain(QStringLiteral("the counts are not those of a recount"));
        m_shown = shown();
    }
    void watchTime()
    {
        if (m_controller.world().now < m_time)
            complain(QStringLiteral("time went back"));
        m_time = m_controller.world().now;
    }
    QString told(const Record &record) const
    {
        QStringList lines;
        for (const Change &change : record.changes)
            lines += changeText(m_controller.rules(), m_controller.operations(), change);
        return lines.join(u'\n');
    }
    QString shown() const
    {
        return shownTree(m_controller.rules(), m_controller.world()) + etagsOf(m_controller);
    }
    void complain(const QString &what)
    {
        if (!m_complaints.contains(what))
            m_complaints += what;
    }

    const Controller &m_controller;
    OperationLog m_log;
    qsizetype m_records = 0;
    qint64 m_time = 0;
    QString m_shown;
    QStringList m_complaints;
    int m_heard = 0;
};

} // namespace instar
