// SPDX-License-Identifier: Apache-2.0
// Which rules were exercised, and which were not.

#include "model/engine/step.h"
#include "model/explore/coverage.h"
#include "tests/support/packtext.h"
#include "tests/support/playground.h"
#include "tests/support/property.h"
#include "tests/support/randompack.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"
#include "tests/support/worldcompare.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestCoverage : public QObject
{
    Q_OBJECT

private slots:
    void nothingYet();
    void codesOfTheSwitches();
    void countsWhatHappens();
    void countsRowsOfRelatives();
    void lookingOnMeetsNobody();
    void tellsPlacesApart();
    void sameWorlds();
    void rowsLeadWhereTheyWere();
    void nothingIsLeft();
};

namespace {

const QString ln = u"/logicalNetworks/ln"_s;
const QString sn = ln + u"/subnets/sn"_s, other = ln + u"/subnets/other"_s;
const QString family = ln + u',' + sn + u',' + other;

/// A world and what was exercised on the way there.
struct Walk
{
    explicit Walk(const QString &resources)
        : staging(u"network-controller"_s, resources),
          rules(staging.simulator.rules()),
          world(staging.simulator.world()),
          coverage(rules)
    { }

    void happen(const Event &event)
    {
        Exercised exercised;
        world = step(rules, world, event, &exercised).world;
        last = exercised;
        coverage.add(exercised);
    }
    void ask(const QString &op, const QString &path)
    {
        auto request = QSharedPointer<Request>::create();
        request->op = op;
        request->path = path;
        request->id = u"r%1"_s.arg(++asked);
        request->hang = true;
        happen({ .kind = Event::Kind::Submit, .request = request });
    }
    bool hasMet(const Meeting &meeting) const { return !coverage.meetingsLeft().contains(meeting); }
    /// The rows used by the last event, "from to".
    QStringList rows() const
    {
        QStringList texts;
        for (const int row : last.rows)
            texts += coverage.rowText(row);
        return texts;
    }

    Staging staging;
    const Rules &rules;
    World world;
    Coverage coverage;
    Exercised last;
    int asked = 0;
};

/// Everything that there is to exercise.
Exercised everything(const Coverage &coverage)
{
    const Rules &rules = coverage.rules();
    Exercised all;
    for (int row = 0; row < rules.transitionCount(); ++row)
        all.rows.insert(row);
    for (const QString &code : coverage.codesLeft())
        all.codes.insert(code);
    for (const Meeting &meeting : coverage.meetingsLeft()) {
        const auto place = std::ranges::find(PlaceWords, meeting.place);
        all.meetings.insert({ rules.trigger(meeting.running), rules.trigger(meeting.incoming),
            int(place - std::begin(PlaceWords)), Rules::None });
    }
    return all;
}

} // namespace

void TestCoverage::nothingYet()
{
    const Walk walk(ln);
    const Coverage &coverage = walk.coverage;
    QCOMPARE(coverage.rows().exercised, 0);
    QCOMPARE(coverage.rows().of, walk.rules.transitionCount());
    QCOMPARE(qsizetype(coverage.rowsLeft().size()), coverage.rows().of);
    QCOMPARE(coverage.meetings().exercised, 0);
    QCOMPARE_GT(coverage.meetings().of, 20);
    QCOMPARE(coverage.codes().exercised, 0);
    QCOMPARE_GT(coverage.codes().of, 2);
}

/// Of several refusals with one id only the one that applies counts; those of a server's reading
/// never do.
void TestCoverage::codesOfTheSwitches()
{
    Pack pack = packNamed(u"network-controller"_s);
    const QString name = u"siblingsRunConcurrently"_s;
    pack.refusals.removeIf(
        [](const Refusal &row) { return row.id == u"precondition" || row.id == u"unknownPath"; });
    for (const QString &value : { u"true"_s, u"false"_s }) {
        for (const QString &id : { u"precondition"_s, u"unknownPath"_s }) {
            Refusal row;
            row.id = id;
            row.code = id + value;
            row.when.insert(name, { value });
            pack.refusals += row;
        }
    }
    for (const QString &value : { u"true"_s, u"false"_s }) {
        const Rules rules = rulesOf(pack, { { name, value } });
        QStringList codes = Coverage(rules).codesLeft();
        codes.removeIf([](const QString &code) {
            return !code.startsWith(u"precondition"_s) && !code.startsWith(u"unknownPath"_s);
        });
        QCOMPARE(codes, QStringList(u"precondition"_s + value));
    }
    const QSet<QString> reading = unreadableCodes(pack);
    QVERIFY(reading.contains(u"unknownPathtrue"_s) && reading.contains(u"unknownPathfalse"_s));
}

void TestCoverage::countsWhatHappens()
{
    Walk walk(ln);
    walk.ask(u"PUT"_s, ln);
    QVERIFY(!walk.last.rows.empty());
    QVERIFY(walk.last.meetings.empty());
    QVERIFY(walk.last.codes.empty());
    QVERIFY(!walk.hasMet({ u"PUT"_s, u"DELETE"_s, u"self"_s }));
    walk.ask(u"DELETE"_s, ln);
    QVERIFY(walk.hasMet({ u"PUT"_s, u"DELETE"_s, u"self"_s }));
    QVERIFY(!walk.hasMet({ u"DELETE"_s, u"PUT"_s, u"self"_s }));
    walk.ask(u"PUT"_s, u"/logicalNetworks/none/subnets/x"_s);
    QCOMPARE(walk.last.rows.size(), 0u);
    QCOMPARE(walk.last.codes.size(), 1u);
    const Coverage::Part codes = walk.coverage.codes();
    QVERIFY(codes.exercised >= 1 && codes.exercised < codes.of);
    QCOMPARE(walk.coverage.codesLeft().size(), codes.of - codes.exercised);
    const Coverage::Part rows = walk.coverage.rows();
    QCOMPARE(qsizetype(walk.coverage.rowsLeft().size()), rows.of - rows.exercised);
}

/// What an operation moves beside its target is counted, also where a whole range moves at once.
void TestCoverage::countsRowsOfRelatives()
{
    Walk one(ln);
    one.ask(u"DELETE"_s, ln);
    const QStringList alone = one.rows();
    Walk two(family);
    two.ask(u"DELETE"_s, ln);
    QStringList more = two.rows();
    more.removeIf([&](const QString &row) { return alone.contains(row); });
    QVERIFY2(!more.isEmpty(), "the rows of the children");
    const quint32 serial = two.world.running.front()->serial;
    two.happen({ .kind = Event::Kind::End, .operation = serial });
    QVERIFY(!two.last.rows.empty());
    QCOMPARE(two.world.tree.size(), 0);
}

/// What changes nothing is a row of its own, and stands in nobody's way.
void TestCoverage::lookingOnMeetsNobody()
{
    Walk walk(family);
    walk.ask(u"PUT"_s, sn);
    walk.ask(u"GET"_s, sn);
    QVERIFY(walk.last.meetings.empty());
    QCOMPARE(walk.rows().size(), 1);
    QVERIFY2(walk.rows().first().contains(u"GET"_s), qPrintable(walk.rows().first()));
    // At its end the ancestor takes a row of its own.
    walk.happen({ .kind = Event::Kind::End,
        .operation = walk.world.running.front()->serial,
        .outcome = walk.rules.succeeded });
    QVERIFY2(std::ranges::any_of(walk.rows(),
                 [](const QString &row) { return row.contains(u"from Touched on succeeded"_s); }),
        qPrintable(walk.rows().join(u'\n')));
}

void TestCoverage::tellsPlacesApart()
{
    Walk walk(family);
    walk.ask(u"PUT"_s, sn);
    QVERIFY(!walk.hasMet({ u"PUT"_s, u"PUT"_s, u"sibling"_s }));
    walk.ask(u"PUT"_s, other);
    QVERIFY(walk.hasMet({ u"PUT"_s, u"PUT"_s, u"sibling"_s }));
    QVERIFY(!walk.hasMet({ u"PUT"_s, u"PUT"_s, u"descendant"_s }));
    walk.ask(u"PUT"_s, ln);
    QVERIFY(walk.hasMet({ u"PUT"_s, u"PUT"_s, u"descendant"_s }));
    QVERIFY(!walk.hasMet({ u"PUT"_s, u"PUT"_s, u"ancestor"_s }));
}

/// Whoever looks on changes nothing.
void TestCoverage::sameWorlds()
{
    QVERIFY(holdsFor(200, 60, [] {
        const Playground ground =
            below(2) ? randomPlayground() : knownPlayground(u"network-controller"_s);
        World world = ground.world;
        for (int i = 1 + below(20); i > 0; --i) {
            const Event event = anyEvent(ground, world, i);
            Exercised exercised;
            const Stepped seen = step(ground.rules, world, event, &exercised);
            const Stepped plain = step(ground.rules, world, event);
            RC_ASSERT(sameWorld(ground.rules, seen.world, plain.world));
            RC_ASSERT(seen.record.changes.size() == plain.record.changes.size());
            world = plain.world;
        }
    }));
}

/// Every row that is told leaves a state in which some resource was, or was not there; and where a
/// resource is moved some row that is told leads there from its state, or it goes back to rest.
void TestCoverage::rowsLeadWhereTheyWere()
{
    QVERIFY(holdsFor(200, 60, [] {
        const Playground ground = knownPlayground(u"network-controller"_s);
        const Rules &rules = ground.rules;
        World world = ground.world;
        for (int i = 1 + below(25); i > 0; --i) {
            const Event event = anyEvent(ground, world, i);
            Exercised exercised;
            const World after = step(rules, world, event, &exercised).world;
            for (const Resource resource : world.tree.resources()) {
                if (!after.tree.exists(resource))
                    continue;
                const Code from = world.tree.code(resource), to = after.tree.code(resource);
                if (rules.stateOf(from) == rules.stateOf(to))
                    continue;
                // In one event a resource may take several rows, one after the other.
                const bool leads = std::ranges::any_of(exercised.rows, [&](int row) {
                    return std::ranges::any_of(
                        rules.transition(row).to, [&](const Rules::Target &target) {
                            return rules.stateOf(rules.resolved(from, target)) == rules.stateOf(to);
                        });
                });
                RC_ASSERT(leads || rules.state(rules.stateOf(to)).isStable());
            }
            world = after;
        }
    }));
}

void TestCoverage::nothingIsLeft()
{
    Staging staging(u"network-controller"_s, ln);
    const Rules &rules = staging.simulator.rules();
    Coverage coverage(rules);
    QVERIFY(coverage.add(everything(coverage)));
    QVERIFY(!coverage.add(coverage.exercised()));
    QVERIFY(coverage.rowsLeft().empty());
    QVERIFY(coverage.meetingsLeft().isEmpty());
    QVERIFY(coverage.codesLeft().isEmpty());
    QCOMPARE(coverage.meetings().exercised, coverage.meetings().of);
}

const instar::TestClass<TestCoverage> registered;
#include "tst_coverage.moc"
