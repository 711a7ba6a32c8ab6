// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/report.h"
#include "model/remote/remotecontroller.h"
#include "tests/remote/reference.h"
#include "tests/support/staging.h"
#include "tests/support/valueof.h"

namespace instar {

// A remote controller as tests drive it: it asks only when the test looks.

namespace place {

inline const QString net = QStringLiteral("/logicalNetworks/ln");
inline const QString subnet = net + QStringLiteral("/subnets/sn1");
inline const QString pool = subnet + QStringLiteral("/ipPools/p1");
inline const QString other = net + QStringLiteral("/subnets/sn2");
inline const QString otherPool = other + QStringLiteral("/ipPools/p2");
inline const QString gatewayPool = QStringLiteral("/GatewayPools/gp");
inline const QString gateway = QStringLiteral("/gateways/g");

} // namespace place

/// Two levels below one network, and a gateway that refers to a pool.
inline QList<ResourceSpec> smallTree()
{
    using namespace place;
    return { { .path = net }, { .path = subnet }, { .path = pool }, { .path = other },
        { .path = otherPool }, { .path = gatewayPool },
        { .path = gateway, .references = { gatewayPool } } };
}

inline RemoteController::Options unhurried(const QUrl &url)
{
    RemoteController::Options options;
    options.connection.server = url;
    options.connection.firstBackoffMs = 1;
    options.readOnly = false;
    options.refreshMs = 0;
    options.transitionalRefreshMs = 0;
    options.firstReconnectMs = 5;
    options.mostReconnectMs = 20;
    options.follow.usualDelay = 3'600'000; // only when the test looks
    options.follow.firstBackoff = 1;
    return options;
}

inline Server::Options patient()
{
    Server::Options options = Reference::still();
    options.http.retryAfter = 3600;
    return options;
}

/// The order of top-level resources is nobody's business.
inline QString sorted(const QString &tree)
{
    QStringList lines = tree.split(u'\n', Qt::SkipEmptyParts);
    lines.sort();
    return lines.join(u'\n');
}

/// The changes in all of a controller's records.
inline QList<Change> changesIn(const Controller &controller)
{
    QList<Change> all;
    for (const Record &record : controller.records())
        all.append(QList<Change>(record.changes.begin(), record.changes.end()));
    return all;
}

/// Like QTest::qWaitFor, but awake as soon as something happens.
template<typename Condition>
bool waited(Condition condition, int ms = 20'000)
{
    QElapsedTimer clock;
    clock.start();
    QTimer pulse;
    pulse.start(100);
    while (!condition()) {
        if (clock.elapsed() > ms)
            return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    return true;
}

/// A controller, and everything that it said.
struct Driver
{
    explicit Driver(const RemoteController::Options &options,
        const Rules &rules = rulesOf(packNamed(QStringLiteral("network-controller"))))
        : controller(rules, options)
    {
        QObject::connect(&controller, &RemoteController::problem, &controller,
            [this](const QString &text) { problems += text; });
        QObject::connect(&controller, &RemoteController::stateChanged, &controller,
            [this] { states += int(controller.state()); });
        QObject::connect(&controller, &RemoteController::exchanged, &controller,
            [this](const Exchange &exchange) { exchanges.insert(exchange.number, exchange); });
        QObject::connect(&controller, &RemoteController::burstFinished, &controller,
            [this](const BurstReport &report) { bursts += report; });
        QObject::connect(&controller, &Controller::rewound, &controller, [this] { ++rewinds; });
    }

    bool opened()
    {
        valueOf(controller.open());
        return waited([this] { return controller.state() == RemoteController::State::Ready; });
    }
    bool quiet()
    {
        return waited([this] { return !controller.isBusy(); });
    }
    /// Asks until nothing new comes.
    bool looked()
    {
        qsizetype before = -1;
        for (int i = 0; i < 10 && before != controller.records().size(); ++i) {
            before = controller.records().size();
            controller.refresh();
            if (!waited([this] { return !controller.isReading(); }))
                return false;
        }
        return true;
    }
    const Operation &ask(const Request &request)
    {
        const quint32 serial = controller.submit(request);
        if (!quiet())
            qFatal("no answer");
        return *controller.operations().find(serial);
    }
    const Operation &ask(const QString &op, const QString &path)
    {
        return ask(Request { .op = op, .path = path });
    }
    QString shown() const { return sorted(shownTree(controller.rules(), controller.world())); }
    QString at(const QString &path) const
    {
        return shownAt(controller.rules(), controller.world(), path);
    }
    QString status(const QString &id) const
    {
        return statusName(controller.operations().find(id)->status);
    }
    /// "started /x: from -> to", one a line.
    QString trace() const
    {
        QStringList lines;
        const Rules &rules = controller.rules();
        const auto state = [&](Rules::StateId id) {
            return id == Rules::None ? QStringLiteral("-") : rules.state(id).id;
        };
        for (const Change &change : changesIn(controller))
            lines += QStringLiteral("%1 %2: %3 -> %4")
                         .arg(eventName(rules, change), change.path, state(change.from),
                             state(change.to));
        return lines.join(u'\n');
    }

    RemoteController controller;
    QStringList problems;
    QList<int> states;
    QMap<quint64, Exchange> exchanges;
    QList<BurstReport> bursts;
    int rewinds = 0;
};

/// A server of the small tree that a test lets work, and a controller that knows it.
struct Driven
{
    Reference reference { QStringLiteral("network-controller"), smallTree(), patient() };
    Driver driver { unhurried(QUrl(reference.origin())) };

    Driven()
    {
        if (!driver.opened())
            qFatal("no connection");
    }
};

} // namespace instar
