// SPDX-License-Identifier: Apache-2.0
// The tables of transitions and of relationships, exhaustively: every status of a lease, every
// target, every combination of up to two reservations and of the two events that are asked.

#include "model/engine/question.h"
#include "tests/support/leasetables.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

class TestBlazarTables : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void everyQuery_data() { variants(); }
    void everyQuery();
    void derivedStatus_data() { variants(); }
    void derivedStatus();
    void deleteAndUpdate_data() { variants(); }
    void deleteAndUpdate();

private:
    static void variants();
};

namespace {

const QString lease = u"/leases/l"_s, startEvent = lease + u"/events/start_lease"_s,
              endEvent = lease + u"/events/end_lease"_s;

const QStringList reservationStatuses { u"pending"_s, u"active"_s, u"deleted"_s, u"error"_s };
const QStringList eventStatuses { u"UNDONE"_s, u"IN_PROGRESS"_s, u"DONE"_s, u"ERROR"_s };

QString reservation(qsizetype i)
{
    return lease + u"/reservations/r%1"_s.arg(i + 1);
}

QStringList leaseStatuses()
{
    const leases::Table table = leases::machineTables()[u"lease"_s];
    return table.stable + table.transitional;
}

/// Every combination of none to two reservations and the two events: 336.
QList<leases::Configuration> configurations()
{
    QList<QStringList> reservations { {} };
    for (const QString &first : reservationStatuses) {
        reservations += QStringList { first };
        for (const QString &second : reservationStatuses)
            reservations += QStringList { first, second };
    }
    QList<leases::Configuration> all;
    for (const QStringList &some : reservations) {
        for (const QString &start : eventStatuses) {
            for (const QString &end : eventStatuses)
                all.append({ .lease = u"PENDING"_s,
                    .reservations = some,
                    .start = start,
                    .end = end,
                    .before = {} });
        }
    }
    return all;
}

/// A lease and what belongs to it, in any status whatever. Nothing runs.
class Stand
{
public:
    explicit Stand(const QString &variant)
        : rules(rulesOf(packNamed(u"blazar"_s), { { u"relationships"_s, variant } }))
    { }

    void put(const leases::Configuration &configuration)
    {
        QList<ResourceSpec> resources { { .path = lease }, { .path = startEvent },
            { .path = endEvent } };
        for (qsizetype i = 0; i < configuration.reservations.size(); ++i)
            resources.append({ .path = reservation(i), .state = configuration.reservations[i] });
        world = worldOf(rules, resources);
        set(startEvent, configuration.start);
        set(endEvent, configuration.end);
    }

    void set(const QString &path, const QString &state)
    {
        const Resource resource = world.tree.find(path);
        const int machine = rules.state(rules.stateOf(world.tree.code(resource))).machine;
        world.tree.setCode(resource, codeOf(machine, state));
    }

    /// What works has last rested where resources of its kind begin.
    Code codeOf(int machine, const QString &state) const
    {
        const Rules::StateId id = rules.stateNamed(machine, state);
        return rules.state(id).isTransitional()
            ? rules.code(id, rules.machines()[size_t(machine)].rest)
            : rules.resting(id);
    }

    Subject subject() const { return subjectOf(rules, world, world.tree.find(lease)); }
    Context context() const { return { .rules = rules, .world = world, .requirer = 1 }; }

    /// Whether a row leads from one status to another, whatever its guard says.
    bool leads(const QString &from, const QString &to) const
    {
        const Subject here = subject();
        const Rules::StateId target = rules.stateNamed(here.machine, to);
        const Code code = codeOf(here.machine, from);
        for (Rules::TriggerId trigger = 0; trigger < rules.triggerCount(); ++trigger) {
            const auto rows = rules.candidates(rules.stateNamed(here.machine, from), trigger);
            const bool refuses = std::ranges::any_of(
                rows, [&](int row) { return rules.transition(row).refusal != Rules::None; });
            for (const int row : rows) {
                const auto isTarget = [&](const Rules::Target &each) {
                    return each.kind == Rules::Target::Kind::State
                        && rules.stateOf(rules.resolved(code, each)) == target;
                };
                if (!refuses && std::ranges::any_of(rules.transition(row).to, isTarget))
                    return true;
            }
        }
        return false;
    }

    /// Whether the rows that guard a status of the lease hold.
    bool fits(const QString &status) const
    {
        const Subject here = subject();
        return std::ranges::all_of(
            rules.constraintsOn(rules.stateNamed(here.machine, status)), [&](int row) {
                return std::ranges::all_of(rules.constraints()[size_t(row)].holds,
                    [&](const auto &part) { return holds(part, here, context()); });
            });
    }

    /// Where the lease goes from a status on a trigger; empty: nowhere.
    QString led(const QString &from, const QString &trigger) const
    {
        const Subject here = subject();
        const Taken found =
            taken(here, codeOf(here.machine, from), rules.trigger(trigger), context());
        return found.possible ? rules.state(rules.stateOf(found.code)).id : QString();
    }

    Rules rules;
    World world;
};

} // namespace

void TestBlazarTables::variants()
{
    QTest::addColumn<QString>("variant");
    QTest::addColumn<int>("valid"); ///< of all 27,216 queries
    QTest::newRow("code") << u"code"_s << 2399;
    QTest::newRow("document") << u"document"_s << 4845;
}

void TestBlazarTables::initTestCase()
{
    QCOMPARE(configurations().size(), 336);
    QCOMPARE(leaseStatuses().size(), 9);
}

/// A transition is valid where the table has the edge and the others go with the target's status.
void TestBlazarTables::everyQuery()
{
    QFETCH(QString, variant);
    const QSet<QString> edges = leases::machineTables()[u"lease"_s].next;
    const auto combinations = leases::combinations(variant);
    Stand stand(variant);
    int queries = 0, valid = 0;
    for (const leases::Configuration &configuration : configurations()) {
        stand.put(configuration);
        for (const QString &from : leaseStatuses()) {
            for (const QString &to : leaseStatuses()) {
                const bool expected = edges.contains(from + u' ' + to)
                    && leases::goesWith(combinations, to, configuration);
                const bool found = stand.leads(from, to) && stand.fits(to);
                if (found != expected)
                    QFAIL(qPrintable(
                        u"%1 to %2 with %3: expected %4"_s.arg(from, to, configuration.text())
                            .arg(expected)));
                ++queries;
                valid += found;
            }
        }
    }
    QCOMPARE(queries, 27216);
    QTEST(valid, "valid");
}

/// The stable status that follows when work has ended, from each transitional status.
void TestBlazarTables::derivedStatus()
{
    QFETCH(QString, variant);
    const QSet<QString> edges = leases::machineTables()[u"lease"_s].next;
    const auto combinations = leases::combinations(variant);
    Stand stand(variant);
    QMap<QString, int> counts;
    for (const leases::Configuration &configuration : configurations()) {
        stand.put(configuration);
        const QString status = leases::derived(combinations, configuration);
        ++counts[status];
        for (const QString &from : { u"STARTING"_s, u"UPDATING"_s, u"TERMINATING"_s }) {
            // Where the status that follows cannot come from there it is ERROR; what fits no row is
            // InvalidStatus, taken by no row.
            const bool isValid = edges.contains(from + u' ' + status)
                && leases::goesWith(combinations, status, configuration);
            const bool isAnError = !edges.contains(from + u' ' + status)
                && leases::goesWith(combinations, u"ERROR"_s, configuration);
            const QString expected = isValid ? status : isAnError ? u"ERROR"_s : QString();
            QVERIFY2(stand.led(from, u"succeeded"_s) == expected,
                qPrintable(u"%1 with %2: %3, expected %4"_s.arg(
                    from, configuration.text(), stand.led(from, u"succeeded"_s), expected)));
            QCOMPARE(stand.led(from, u"invalid"_s), u"ERROR"_s);
        }
    }
    QCOMPARE(counts[u"PENDING"_s], 3);
    QCOMPARE(counts[u"ACTIVE"_s], 3);
    QCOMPARE(counts[u"TERMINATED"_s], 3);
    QCOMPARE(counts[u"ERROR"_s], 327);
}

/// What the two calls that a client can make of a lease are told in every situation, at rest and at
/// work.
void TestBlazarTables::deleteAndUpdate()
{
    QFETCH(QString, variant);
    const QSet<QString> edges = leases::machineTables()[u"lease"_s].next;
    const auto combinations = leases::combinations(variant);
    Stand stand(variant);
    for (const leases::Configuration &configuration : configurations()) {
        stand.put(configuration);
        for (const QString &from : leaseStatuses()) {
            stand.set(lease, from);
            for (const auto &[op, to] : { std::pair(u"update_lease"_s, u"UPDATING"_s),
                     std::pair(u"delete_lease"_s, u"DELETING"_s) }) {
                const bool isValid = edges.contains(from + u' ' + to)
                    && leases::goesWith(combinations, to, configuration);
                const Admission found =
                    admission(stand.rules, stand.world, { .op = op, .path = lease });
                const QString where = u"%1 of %2 with %3"_s.arg(op, from, configuration.text());
                QVERIFY2(
                    (found.verdict == Admission::Verdict::Accepted) == isValid, qPrintable(where));
                if (isValid) {
                    QCOMPARE(stand.rules.state(stand.rules.stateOf(found.entered)).id, to);
                } else {
                    QCOMPARE(found.code, u"InvalidStatus"_s);
                    QCOMPARE(found.http, 500);
                    QCOMPARE(found.message, u"Invalid lease status."_s);
                    QVERIFY2(!found.rule.isEmpty(), qPrintable(where));
                }
            }
        }
    }
}

const instar::TestClass<TestBlazarTables> registered;
#include "tst_blazartables.moc"
