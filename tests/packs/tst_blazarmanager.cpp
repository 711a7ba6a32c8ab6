// SPDX-License-Identifier: Apache-2.0
// Every situation that a lease can come to rest in, and every operation with every way in which it
// can end, compared with a second account of the manager.

#include "model/explore/explore.h"
#include "tests/support/leasemanager.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;
using leases::Configuration;
using leases::Manager;
using leases::Plugin;

class TestBlazarManager : public QObject
{
    Q_OBJECT

private slots:
    void everyOperation_data();
    void everyOperation();
    void everyOrder_data();
    void everyOrder();
};

namespace {

const QString lease = u"/leases/l"_s;

QString reservation(qsizetype i)
{
    return lease + u"/reservations/r%1"_s.arg(i + 1);
}

QString eventPath(Manager::Event event)
{
    static const QStringList names { u"start_lease"_s, u"before_end_lease"_s, u"end_lease"_s };
    return lease + u"/events/"_s + names[int(event)];
}

/// One operation, as the manager and the engine are asked for it.
struct Action
{
    enum class Kind { Fire, Update, Remove } kind = Kind::Fire;
    Manager::Event event = Manager::Event::Start;
    Manager::Update update = Manager::Update::Works;
    QList<Plugin> plugins;
    bool flag = false; ///< Fire: late; Update: changes dates

    QString text() const
    {
        QString text = kind == Kind::Fire ? u"fire "_s + eventPath(event)
            : kind == Kind::Update        ? u"update"_s
                                          : u"delete"_s;
        for (const Plugin plugin : plugins)
            text += u' ' + QString::number(int(plugin));
        return text + u" update %1 flag %2"_s.arg(int(update)).arg(flag);
    }
};

QList<QList<Plugin>> allPlugins(qsizetype reservations)
{
    QList<QList<Plugin>> all { {} };
    for (qsizetype i = 0; i < reservations; ++i) {
        const QList<QList<Plugin>> before = std::exchange(all, {});
        for (const QList<Plugin> &some : before) {
            for (const Plugin plugin : { Plugin::Works, Plugin::Fails, Plugin::Breaks })
                all.append(some + QList<Plugin> { plugin });
        }
    }
    return all;
}

QList<Action> allActions(qsizetype reservations)
{
    QList<Action> actions;
    for (const QList<Plugin> &plugins : allPlugins(reservations)) {
        for (const auto event :
            { Manager::Event::Start, Manager::Event::BeforeEnd, Manager::Event::End }) {
            for (const bool isLate : { false, true })
                actions.append({ .kind = Action::Kind::Fire,
                    .event = event,
                    .plugins = plugins,
                    .flag = isLate });
        }
        actions.append({ .kind = Action::Kind::Remove, .plugins = plugins });
    }
    for (const auto update :
        { Manager::Update::Works, Manager::Update::IsRejected, Manager::Update::Fails }) {
        for (const bool changesDates : { false, true })
            actions.append({ .kind = Action::Kind::Update,
                .update = update,
                .plugins = {},
                .flag = changesDates });
    }
    return actions;
}

Configuration afterwards(const QString &variant, const Configuration &before, const Action &action)
{
    Manager manager(variant, before);
    switch (action.kind) {
    case Action::Kind::Fire:
        manager.fire(action.event, action.plugins, action.flag);
        break;
    case Action::Kind::Update:
        manager.update(action.update, action.flag);
        break;
    case Action::Kind::Remove:
        manager.remove(action.plugins);
        break;
    }
    return manager.configuration();
}

/// Every configuration that the manager can come to rest in, from a lease that has just been made.
QMap<QString, Configuration> reachable(const QString &variant, qsizetype reservations)
{
    const Configuration first { .lease = u"PENDING"_s,
        .reservations = QStringList(reservations, u"pending"_s),
        .start = u"UNDONE"_s,
        .end = u"UNDONE"_s,
        .before = u"UNDONE"_s };
    QMap<QString, Configuration> known { { first.text(), first } };
    QList<Configuration> open { first };
    while (!open.isEmpty()) {
        const Configuration before = open.takeLast();
        if (before.isGone)
            continue;
        for (const Action &action : allActions(reservations)) {
            const Configuration after = afterwards(variant, before, action);
            if (known.contains(after.text()))
                continue;
            known.insert(after.text(), after);
            open.append(after);
        }
    }
    return known;
}

/// Of all configurations that the manager can come to rest in, those from which nothing that it can
/// be asked for, however often, takes the lease away any more.
QSet<QString> lost(
    const QString &variant, const QMap<QString, Configuration> &situations, qsizetype reservations)
{
    QMultiHash<QString, QString> before;
    QStringList open;
    for (const Configuration &situation : situations) {
        if (situation.isGone) {
            open += situation.text();
            continue;
        }
        for (const Action &action : allActions(reservations))
            before.insert(afterwards(variant, situation, action).text(), situation.text());
    }
    QSet<QString> left;
    for (auto it = situations.cbegin(); it != situations.cend(); ++it)
        left.insert(it.key());
    while (!open.isEmpty()) {
        const QString situation = open.takeLast();
        if (left.remove(situation))
            open += before.values(situation);
    }
    return left;
}

/// What the manager can come to where the start and the end are fired once each by somebody who
/// chooses how they end, a lease is updated once and deleted once, the clock fires events again
/// and again, and one of these is over before the next begins.
QSet<QString> oneAtATime(const QString &variant, const Configuration &first)
{
    const qsizetype reservations = first.reservations.size();
    struct Position
    {
        Configuration configuration;
        int fired = 0, updated = 0, removed = 0;
    };
    const QList<Action> actions = allActions(reservations);
    const QList<Plugin> allWork(reservations, Plugin::Works);
    QHash<QString, QList<Configuration>> after; // by action, of each configuration
    QSet<QString> known;
    QList<Position> open { { first } };
    while (!open.isEmpty()) {
        const Position at = open.takeLast();
        const QString text = at.configuration.text();
        const QString key = u"%1 %2%3%4"_s.arg(text).arg(at.fired).arg(at.updated).arg(at.removed);
        if (known.contains(key))
            continue;
        known.insert(key);
        QList<Configuration> &next = after[text];
        if (at.configuration.isGone)
            continue;
        for (const Action &action : next.isEmpty() ? actions : QList<Action>())
            next.append(afterwards(variant, at.configuration, action));
        for (qsizetype i = 0; i < actions.size(); ++i) {
            const Action &action = actions[i];
            const bool isFired = action.kind == Action::Kind::Fire;
            const bool isNext = isFired
                && ((at.fired == 0 && action.event == Manager::Event::Start)
                    || (at.fired == 1 && action.event == Manager::Event::End));
            const bool isUpdate = action.kind == Action::Kind::Update && !at.updated;
            const bool isRemoval = action.kind == Action::Kind::Remove && !at.removed;
            if (isFired && action.plugins == allWork) // by the clock
                open.append({ next[i], at.fired, at.updated, at.removed });
            if (isNext || isUpdate || isRemoval)
                open.append(
                    { next[i], at.fired + isNext, at.updated + isUpdate, at.removed + isRemoval });
        }
    }
    QSet<QString> found;
    for (auto it = after.cbegin(); it != after.cend(); ++it)
        found.insert(it.key());
    return found;
}

ResourceSpec eventSpec(Manager::Event event, const QString &status, qint64 time)
{
    // An event left IN_PROGRESS, with nothing that runs, is one that a delete has taken over.
    return { .path = eventPath(event),
        .state = status == u"IN_PROGRESS" ? u"abandoned"_s : status,
        .properties = { { u"time"_s, time } } };
}

QList<ResourceSpec> resourcesOf(
    const Configuration &configuration, qint64 startTime, qint64 beforeTime, qint64 endTime)
{
    QList<ResourceSpec> resources { { .path = lease, .state = configuration.lease } };
    for (qsizetype i = 0; i < configuration.reservations.size(); ++i)
        resources.append({ .path = reservation(i), .state = configuration.reservations[i] });
    resources += { eventSpec(Manager::Event::Start, configuration.start, startTime),
        eventSpec(Manager::Event::BeforeEnd, configuration.before, beforeTime),
        eventSpec(Manager::Event::End, configuration.end, endTime) };
    return resources;
}

Configuration configurationOf(const Rules &rules, const World &world, qsizetype reservations)
{
    Configuration found { .lease = shownAt(rules, world, lease),
        .reservations = {},
        .start = shownAt(rules, world, eventPath(Manager::Event::Start)),
        .end = shownAt(rules, world, eventPath(Manager::Event::End)),
        .before = shownAt(rules, world, eventPath(Manager::Event::BeforeEnd)) };
    found.isGone = found.lease == u"absent";
    for (qsizetype i = 0; i < reservations; ++i)
        found.reservations += shownAt(rules, world, reservation(i));
    return found;
}

Request requestFor(const Action &action)
{
    const auto outcome = [](Plugin plugin) {
        return plugin == Plugin::Fails ? u"failed"_s
            : plugin == Plugin::Breaks ? u"failedUnexpected"_s
                                       : u"succeeded"_s;
    };
    Request request { .op = u"fire"_s,
        .path = action.kind == Action::Kind::Fire ? eventPath(action.event) : lease };
    QString inner = u"release"_s;
    if (action.kind == Action::Kind::Fire)
        inner = action.event == Manager::Event::Start ? u"on_start"_s
            : action.event == Manager::Event::End     ? u"on_end"_s
                                                      : u"before_end"_s;
    for (qsizetype i = 0; i < action.plugins.size(); ++i)
        request.work.insert(
            inner + u' ' + reservation(i), { .outcomes = { outcome(action.plugins[i]) } });
    if (action.kind == Action::Kind::Remove)
        request.op = u"delete_lease"_s;
    if (action.kind == Action::Kind::Update) {
        request.op = u"update_lease"_s;
        request.conditions.insert(u"changes dates"_s, action.flag);
        request.outcome = action.update == Manager::Update::IsRejected ? u"failedNonFatal"_s
            : action.update == Manager::Update::Fails                  ? u"failedUnexpected"_s
                                                                       : QString();
    }
    return request;
}

/// What the engine makes of the same operation in the same situation; the clock itself stands still
/// for the others.
Configuration played(const Rules &rules, const Configuration &before, const Action &action)
{
    constexpr qint64 never = qint64(1) << 50, longAgo = -1'000'000;
    const auto time = [&](Manager::Event event) {
        const bool isLate =
            action.kind == Action::Kind::Fire && action.event == event && action.flag;
        return isLate ? longAgo : never;
    };
    Staging staging(rules,
        resourcesOf(before, time(Manager::Event::Start), time(Manager::Event::BeforeEnd),
            time(Manager::Event::End)));
    staging.ask(requestFor(action));
    for (int turn = 0; turn < 100 && !staging.simulator.world().running.empty(); ++turn)
        staging.simulator.step();
    if (!staging.simulator.world().running.empty())
        qFatal("%s does not end", qPrintable(action.text()));
    return configurationOf(rules, staging.simulator.world(), before.reservations.size());
}

} // namespace

void TestBlazarManager::everyOperation_data()
{
    const Rows<QString, int, int> row("variant", "reservations", "situations");
    row("code, none", u"code"_s, 0, 23);
    row("code, one", u"code"_s, 1, 71);
    row("code, two", u"code"_s, 2, 188);
    row("document, none", u"document"_s, 0, 23);
    row("document, one", u"document"_s, 1, 65);
    row("document, two", u"document"_s, 2, 137);
}

void TestBlazarManager::everyOperation()
{
    QFETCH(QString, variant);
    QFETCH(int, reservations);
    const Rules rules = rulesOf(packNamed(u"blazar"_s), { { u"relationships"_s, variant } });
    const QMap<QString, Configuration> situations = reachable(variant, reservations);
    QTEST(int(situations.size()), "situations");
    for (const Configuration &before : situations) {
        if (before.isGone)
            continue;
        for (const Action &action : allActions(reservations)) {
            const QString expected = afterwards(variant, before, action).text();
            const QString found = played(rules, before, action).text();
            QVERIFY2(found == expected,
                qPrintable(u"%1 in %2:\nexpected %3\nfound    %4"_s.arg(
                    action.text(), before.text(), expected, found)));
        }
    }
}

void TestBlazarManager::everyOrder_data()
{
    QTest::addColumn<QString>("variant");
    QTest::addColumn<int>("reservations");
    QTest::addColumn<qsizetype>("situationsLost"); // by any number of requests, in turn
    QTest::addColumn<qsizetype>("deadEnds");       // by these requests, also at once
    const auto row = [](const char *variant, int reservations, qsizetype lost, qsizetype dead) {
        QTest::addRow("%s, %d", variant, reservations)
            << QString::fromLatin1(variant) << reservations << lost << dead;
    };
    row("code", 1, 10, 6);
    row("code", 2, 37, 24);
    row("document", 1, 0, 0);
    row("document", 2, 0, 0);
}

/// Clients and the clock at once, in every order and with every outcome: where nothing happens any
/// more is a situation that the manager can reach. What can never be deleted again is one that it
/// cannot leave either, and each of those that requests one at a time lead to is found.
void TestBlazarManager::everyOrder()
{
    QFETCH(QString, variant);
    QFETCH(int, reservations);
    const Pack &pack = packNamed(u"blazar"_s);
    const QMap<QString, Configuration> situations = reachable(variant, reservations);
    Scenario scenario;
    scenario.file = u"every order"_s;
    scenario.switches = { { u"relationships"_s, variant } };
    const Configuration first { .lease = u"PENDING"_s,
        .reservations = QStringList(reservations, u"pending"_s),
        .start = u"UNDONE"_s,
        .end = u"UNDONE"_s,
        .before = u"UNDONE"_s };
    scenario.resources = resourcesOf(first, 0, 0, 0);
    const auto ask = [&](const QString &op, const QString &path, const QString &client) {
        ScenarioStep step;
        step.request = {
            .op = op, .path = path, .id = u"o%1"_s.arg(scenario.steps.size()), .client = client
        };
        step.ops = { op };
        step.paths = { path };
        step.anyOutcome = true;
        scenario.steps.append(step);
    };
    ask(u"fire"_s, eventPath(Manager::Event::Start), u"A"_s);
    ask(u"fire"_s, eventPath(Manager::Event::End), u"A"_s);
    ask(u"update_lease"_s, lease, u"B"_s);
    ask(u"delete_lease"_s, lease, u"C"_s);
    const Stage stage = valueOf(stageOf(scenario, pack));
    const Exploration exploration = valueOf(explore(scenario, stage));
    QVERIFY(exploration.complete);
    QVERIFY(exploration.finalTrees >= 10);
    const auto configuration = [&](const Ending &ending) {
        const auto at = [&](const QString &path) { return ending.resources.value(path); };
        Configuration found { .lease = at(lease),
            .reservations = {},
            .start = at(eventPath(Manager::Event::Start)),
            .end = at(eventPath(Manager::Event::End)),
            .before = at(eventPath(Manager::Event::BeforeEnd)) };
        for (qsizetype i = 0; i < reservations; ++i)
            found.reservations += at(reservation(i));
        found.isGone = ending.resources.isEmpty();
        return found;
    };
    for (const Ending &ending : exploration.endings) {
        const Configuration found = configuration(ending);
        QVERIFY2(situations.contains(found.text()),
            qPrintable(found.text() + u"\nafter "_s + ending.trace.join(u"; "_s)));
    }
    QCOMPARE(exploration.deadEndCount, qint64(exploration.deadEnds.size()));
    const QSet<QString> lost = ::lost(variant, situations, reservations);
    QTEST(lost.size(), "situationsLost");
    QSet<QString> dead;
    for (const Ending &ending : exploration.deadEnds) {
        const Configuration found = configuration(ending);
        QVERIFY2(lost.contains(found.text()), qPrintable(found.text()));
        dead.insert(found.text());
    }
    QCOMPARE(dead.size(), exploration.deadEnds.size());
    QTEST(dead.size(), "deadEnds");
    const QSet<QString> missed = oneAtATime(variant, first).intersect(lost) - dead;
    QVERIFY2(missed.isEmpty(), qPrintable(QStringList(missed.values()).join(u'\n')));
}

const instar::TestClass<TestBlazarManager> registered;
#include "tst_blazarmanager.moc"
