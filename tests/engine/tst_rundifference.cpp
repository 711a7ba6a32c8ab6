// SPDX-License-Identifier: Apache-2.0
// What two runs do differently, and the runs that are made to be compared.

#include "model/engine/explore.h"
#include "model/engine/rerun.h"
#include "model/engine/rundifference.h"
#include "model/items/rundifferencetext.h"
#include "tests/support/exploring.h"
#include "tests/support/playground.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QString Sibling = Net + u"/subnets/t"_s;
const QString Pool = Sub + u"/ipPools/p"_s;

/// The tree that most of these are about.
std::unique_ptr<Simulator> tree(const Switches &switches = {})
{
    const Rules rules = rulesOf(networks(), switches);
    return std::make_unique<Simulator>(
        rules, worldOf(rules, resourcesFrom(QStringList { Net, Sub, Pool, Sibling }.join(u'\n'))));
}

Course courseOf(const Simulator &simulator)
{
    return simulator.course(simulator.branch());
}

QString text(const Fact &fact)
{
    return u"%1 %2/%3"_s.arg(fact.what.section(u'/', -1), fact.first, fact.second);
}

/// "100: t Succeeded/Updating; b Rejected/InProgress; 1/1 only": times, facts, and how much
/// happens in one run only.
QString told(const RunDifference &difference)
{
    QStringList facts;
    for (const Fact &fact : difference.resources + difference.operations)
        facts += text(fact);
    return u"%1: %2; %3/%4 only"_s.arg(difference.time)
        .arg(facts.join(u", "_s))
        .arg(difference.first.size())
        .arg(difference.second.size());
}

QStringList told(const QList<RunDifference> &differences)
{
    QStringList lines;
    for (const RunDifference &difference : differences)
        lines += told(difference);
    return lines;
}

/// All that shows of a run at a time, read off a simulator that shows it.
struct Moment
{
    QMap<QString, QString> words, fates;
    QStringList happened;
};

Moment momentAt(Simulator &run, qint64 time)
{
    qsizetype last = 0;
    while (last < run.lastMoment() && run.timeOf(last + 1) <= time)
        ++last;
    run.jump(last);
    Moment moment { shownWords(run.rules(), run.world()), {}, {} };
    for (const Operation &operation : run.operations().all())
        moment.fates.insert(operation.id,
            statusName(operation.status)
                + (operation.errorCode.isEmpty()
                            || operation.errorCode == statusName(operation.status)
                        ? QString()
                        : u' ' + operation.errorCode));
    const auto state = [&](int id) { return id < 0 ? QString() : run.rules().state(id).id; };
    const auto name = [&](quint32 serial) {
        const Operation *operation = run.operations().find(serial);
        return operation ? operation->id + operation->op + operation->path : QString();
    };
    for (const Record &record : run.records()) {
        for (const Change &change : record.changes) {
            if (record.event.time == time)
                moment.happened += QStringList { name(change.operation), name(change.other),
                    name(change.requirer), change.path, state(change.from), state(change.to),
                    change.outcome < 0 ? QString() : run.rules().triggerName(change.outcome),
                    change.code, QString::number(int(change.kind)), QString::number(change.moved),
                    QString::number(change.attempts), QString::number(change.http) }
                                       .join(u'|');
        }
    }
    moment.happened.sort();
    return moment;
}

/// What is not the same: key -> what is so in the one and in the other.
QMap<QString, QString> apart(const QMap<QString, QString> &a, const QMap<QString, QString> &b)
{
    QMap<QString, QString> result;
    for (const QString &key : a.keys() + b.keys()) {
        if (a.value(key) != b.value(key))
            result.insert(
                key, u"%1 %2/%3"_s.arg(key.section(u'/', -1), a.value(key), b.value(key)));
    }
    return result;
}

/// What is apart now and was not so before.
QStringList fresh(const QMap<QString, QString> &before, const QMap<QString, QString> &now)
{
    QStringList result;
    for (auto it = now.cbegin(); it != now.cend(); ++it) {
        if (before.value(it.key()) != *it)
            result += *it;
    }
    return result;
}

/// When something that is not known happens by itself.
qint64 endOf(Simulator &run)
{
    run.jump(run.lastMoment());
    const Event next = nextEvent(run.rules(), run.world());
    return next.kind == Event::Kind::Wait ? std::numeric_limits<qint64>::max() : next.time;
}

qsizetype onlyIn(QStringList one, const QStringList &other)
{
    for (const QString &each : other)
        one.removeOne(each);
    return one.size();
}

/// The same by looking at everything at every time.
QStringList lookedAtAll(const Course &first, const Course &second)
{
    Simulator a(first), b(second);
    const qint64 end = std::min(endOf(a), endOf(b));
    QList<qint64> times { first.beginning.now };
    for (const Course *course : { &first, &second }) {
        for (const Record &record : course->records)
            times += record.event.time;
    }
    std::ranges::sort(times);
    times.erase(std::ranges::unique(times).begin(), times.end());
    QStringList lines;
    QMap<QString, QString> words, fates;
    for (const qint64 time : std::as_const(times)) {
        if (time >= end)
            break;
        const Moment one = momentAt(a, time), other = momentAt(b, time);
        const QMap<QString, QString> wordsNow = apart(one.words, other.words),
                                     fatesNow = apart(one.fates, other.fates);
        const QStringList facts = fresh(words, wordsNow) + fresh(fates, fatesNow);
        words = wordsNow;
        fates = fatesNow;
        if (!facts.isEmpty() || one.happened != other.happened)
            lines += u"%1: %2; %3/%4 only"_s.arg(time)
                         .arg(facts.join(u", "_s))
                         .arg(onlyIn(one.happened, other.happened))
                         .arg(onlyIn(other.happened, one.happened));
    }
    return lines;
}

/// So many things that somebody, or the clock, may do.
void goOn(Simulator &simulator, const Playground &ground, int events, int first)
{
    for (int i = 0; i < events; ++i) {
        const Event event = anyEvent(ground, simulator.world(), first + i);
        if (event.kind == Event::Kind::Submit) {
            simulator.advanceTo(event.time);
            simulator.submit(*event.request);
        } else if (event.kind == Event::Kind::Cancel) {
            simulator.cancel(event.operation);
        } else if (event.kind == Event::Kind::End && event.outcome != Rules::None) {
            simulator.end(event.operation, event.outcome);
        } else {
            simulator.step();
        }
    }
}

} // namespace

class TestRunDifference : public QObject
{
    Q_OBJECT

private slots:
    void settings();
    void branches();
    void sameAgainIsNoDifference();
    void onlyWhatHappensDiffers();
    void whatIsNotKnown();
    void whatIsMadeAndRemoved();
    void fromTheBeginning();
    void repeatedRequests();
    void waitsForACondition();
    void ofMany();
    void stops();
    void sentences();
    void likeLookingAtAll_data();
    void likeLookingAtAll();
    void courseIsTheRun();
};

/// The first difference is when the second request is refused, not when the first one was made.
void TestRunDifference::settings()
{
    const auto here = tree();
    here->submit({ .op = u"PUT"_s, .path = Sub, .id = u"a"_s, .duration = 3000 });
    here->advance(400);
    here->submit({ .op = u"PUT"_s, .path = Sibling, .id = u"b"_s, .duration = 1000 });
    here->runUntilQuiet();
    const AskedAgain again = askedAgain(
        courseOf(*here), rulesOf(networks(), { { u"siblingsRunConcurrently"_s, u"true"_s } }));
    QCOMPARE(again.said, QStringList());
    const QList<RunDifference> found = runDifferences(courseOf(*here), again.course);
    QCOMPARE(told(found),
        QStringList({ u"400: t Succeeded/Updating, "
                      "b Rejected AnotherOperationInProgress/InProgress; 1/1 only"_s,
            u"1400: b Rejected AnotherOperationInProgress/Succeeded; 0/1 only"_s }));
    QCOMPARE(found.first().first.front().kind, Change::Kind::Rejected);
    QCOMPARE(found.first().second.front().kind, Change::Kind::Started);
    QVERIFY(runDifferences(courseOf(*here), courseOf(*here)).isEmpty());
}

void TestRunDifference::branches()
{
    const auto run = tree();
    run->submit({ .op = u"PUT"_s, .path = Sub, .id = u"a"_s, .duration = 1000 });
    run->advance(500);
    run->submit({ .op = u"GET"_s, .path = Net, .id = u"look"_s });
    run->runUntilQuiet();
    run->showTime(700);
    run->submit({ .op = u"DELETE"_s, .path = Net, .id = u"d"_s, .duration = 1000 });
    run->runUntilQuiet();
    const QList<RunDifference> found = runDifferences(run->course(0), run->course(run->branch()));
    QCOMPARE(found.first().time, 700);
    const Fact *fact = toldResource(found.first());
    QCOMPARE(text(*fact), u"n Updating/Deleting"_s);
    const QList<Fact> &fates = found.first().operations;
    QCOMPARE(fates.size(), 2);
    QCOMPARE(fates[0].first, u"InProgress"_s);
    QCOMPARE(fates[0].second, u"Canceled"_s); // which is its code, too
    QCOMPARE(text(fates[1]), u"d /InProgress"_s);
}

/// One resource is at work for a while in one run only; then both are the same.
void TestRunDifference::sameAgainIsNoDifference()
{
    const auto run = tree();
    run->submit({ .op = u"PUT"_s, .path = Net, .id = u"a"_s, .duration = 1000 });
    run->runUntilQuiet();
    run->jump(0);
    run->submit({ .op = u"PUT"_s, .path = Net, .id = u"a"_s, .duration = 2000 });
    run->runUntilQuiet();
    const QList<RunDifference> found = runDifferences(run->course(0), run->course(run->branch()));
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].time, 1000);
    QVERIFY(found[0].resources.contains(Fact { Net, u"Succeeded"_s, u"Updating"_s }));
    QCOMPARE(told(found[1]), u"2000: ; 0/1 only"_s); // the end comes later, and both are the same
}

/// Neither a word nor a status is another one: what was one attempt is two, which take as long.
void TestRunDifference::onlyWhatHappensDiffers()
{
    const auto two = tree(), one = tree();
    two->submit(
        { .op = u"PUT"_s, .path = Net, .id = u"a"_s, .transientFailures = 1, .duration = 500 });
    two->runUntilQuiet();
    const qint64 end = two->world().now;
    QVERIFY(end >= 1000);
    one->submit({ .op = u"PUT"_s, .path = Net, .id = u"a"_s, .duration = end });
    one->runUntilQuiet();
    const QList<RunDifference> found = runDifferences(courseOf(*two), courseOf(*one));
    QCOMPARE(told(found).first(), u"500: ; 1/0 only"_s);
    QCOMPARE(told(found).last(), u"%1: ; 1/1 only"_s.arg(end)); // after how many attempts
    QVERIFY(runDifferenceText(found.first(), Which::First, *two, *one)
                .startsWith(u"Until 0.500 s both agree; then here a PUT "_s));
}

/// Work that ends in the one run is no difference as long as nobody has let it end in the other.
void TestRunDifference::whatIsNotKnown()
{
    const auto one = tree(), other = tree();
    for (Simulator *run : { one.get(), other.get() })
        run->submit({ .op = u"PUT"_s, .path = Net, .id = u"a"_s, .duration = 1000 });
    one->runUntilQuiet();
    QVERIFY(runDifferences(courseOf(*one), courseOf(*other)).isEmpty());
    QVERIFY(runDifferences(courseOf(*other), courseOf(*one)).isEmpty());
    other->submit({ .op = u"PUT"_s, .path = Net, .id = u"b"_s, .duration = 100, .hang = true });
    const QList<RunDifference> found = runDifferences(courseOf(*one), courseOf(*other));
    QCOMPARE(found.first().time, 0);
    QVERIFY(found.last().time >= 1000); // it waits for ever: all is known
}

void TestRunDifference::whatIsMadeAndRemoved()
{
    const QString made = Net + u"/subnets/new"_s;
    const auto run = tree();
    run->submit({ .op = u"DELETE"_s, .path = Sub, .id = u"d"_s, .duration = 1000 });
    run->runUntilQuiet();
    run->jump(0);
    run->submit({ .op = u"PUT"_s, .path = made, .id = u"m"_s, .duration = 1000 });
    run->runUntilQuiet();
    const Course first = run->course(0), second = run->course(run->branch());
    const QList<RunDifference> found = runDifferences(first, second);
    QCOMPARE(told(found), lookedAtAll(first, second));
    const QList<Fact> &end = found.last().resources;
    QVERIFY(end.contains(Fact { Sub, {}, u"Succeeded"_s }));
    QVERIFY(end.contains(Fact { Pool, {}, u"Succeeded"_s })); // gone with what it was below
    QVERIFY(end.contains(Fact { made, {}, u"Succeeded"_s }));
}

/// What another pack has no type for is not there, from the beginning, and that is said.
void TestRunDifference::fromTheBeginning()
{
    const auto here = tree();
    here->submit({ .op = u"PUT"_s, .path = Sub, .id = u"a"_s });
    here->runUntilQuiet();
    Pack less = networks();
    less.types.removeIf(
        [](const Type &type) { return type.path == u"logicalNetworks/subnets/ipPools"_s; });
    const AskedAgain again = askedAgain(courseOf(*here), rulesOf(less));
    QCOMPARE(again.said.size(), 1);
    const QList<RunDifference> found = runDifferences(courseOf(*here), again.course);
    QCOMPARE(found.first().time, 0);
    QVERIFY(found.first().resources.contains(Fact { Pool, u"Updating"_s, {} }));
}

/// How a request stands that was answered as an earlier one follows from that one.
void TestRunDifference::repeatedRequests()
{
    const auto run = tree();
    run->submit(
        { .op = u"PUT"_s, .path = Sub, .id = u"a"_s, .duration = 1000, .requestId = u"r"_s });
    run->submit({ .op = u"PUT"_s, .path = Sub, .id = u"b"_s, .requestId = u"r"_s });
    run->runUntilQuiet();
    run->jump(2);
    run->end(1, run->rules().failed);
    const QList<RunDifference> found = runDifferences(run->course(0), run->course(run->branch()));
    const QList<Fact> &fates = found.first().operations;
    QCOMPARE(fates.size(), 2);
    QCOMPARE(fates[1].what, u"b"_s);
    QCOMPARE(fates[1].first, u"InProgress"_s);
    QVERIFY(fates[1].second.startsWith(u"Failed"_s));
}

/// That it waits shows in no record of its own.
void TestRunDifference::waitsForACondition()
{
    QVERIFY(holdsFor(30, 60, [] {
        const Playground ground = knownPlayground(u"aps"_s);
        Simulator run(ground.rules, ground.world);
        goOn(run, ground, 25, 0);
        run.jump(below(int(run.moment()) + 1));
        goOn(run, ground, 15, 100);
        const Course first = run.course(0), second = run.course(run.branch());
        RC_ASSERT(told(runDifferences(first, second)) == lookedAtAll(first, second));
    }));
}

void TestRunDifference::ofMany()
{
    const Rules rules = rulesOf(networks());
    QList<ResourceSpec> resources { { .path = Net } };
    for (int i = 0; i < 150; ++i)
        resources += ResourceSpec { .path = Net + u"/subnets/s%1"_s.arg(i) };
    Simulator one(rules, worldOf(rules, resources));
    const Course before = courseOf(one);
    one.submit({ .op = u"PUT"_s, .path = Net, .hang = true });
    const QList<RunDifference> found = runDifferences(before, courseOf(one));
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().resources.size(), RunDifference::Most);
    QCOMPARE(found.first().more, 51);
    QVERIFY(toldResource(found.first()));
}

void TestRunDifference::stops()
{
    const auto run = tree();
    for (int i = 0; i < 300; ++i) {
        run->submit({ .op = u"GET"_s, .path = Net });
        run->advance(10);
    }
    int asked = 0;
    runDifferences(courseOf(*run), courseOf(*run), [&](qint64 done, qint64 of) {
        ++asked;
        return done < of / 2;
    });
    QCOMPARE(asked, 3); // of four times: at the third one more than half is done
}

void TestRunDifference::sentences()
{
    const auto here = tree();
    here->submit({ .op = u"PUT"_s, .path = Sub, .id = u"a"_s, .duration = 3000 });
    here->advance(400);
    here->submit({ .op = u"PUT"_s, .path = Sibling, .id = u"b"_s, .duration = 1000 });
    here->runUntilQuiet();
    const Simulator there(askedAgain(
        courseOf(*here), rulesOf(networks(), { { u"siblingsRunConcurrently"_s, u"true"_s } }))
                              .course);
    const QList<RunDifference> found = runDifferences(courseOf(*here), courseOf(there));
    QCOMPARE(runDifferenceText(found[0], Which::First, *here, there),
        u"Until 0.400 s both agree; then %1 is Succeeded here and Updating there, because here b "
        "PUT t is refused: AnotherOperationInProgress (Whatever else runs in the same tree is in "
        "the way.); there b PUT t started: Succeeded → Updating."_s.arg(Sibling));
    QCOMPARE(runDifferenceText(found[1], Which::Later, *here, there),
        u"At 1.400 s operation b is Rejected AnotherOperationInProgress here and Succeeded there, "
        "because here nothing happens; there b PUT %1 succeeded: Updating → Succeeded."_s.arg(
            Sibling));
    RunDifference early = found[0];
    early.time = 0;
    early.first.clear();
    early.second.clear();
    QCOMPARE(runDifferenceText(early, Which::First, *here, there),
        u"From the beginning %1 is Succeeded here and Updating there."_s.arg(Sibling));
    early.resources.clear();
    early.operations = { { u"x"_s, {}, u"Canceled"_s } };
    QCOMPARE(runDifferenceText(early, Which::Later, *here, there),
        u"At 0.000 s operation x is not asked for here and Canceled there."_s);
}

void TestRunDifference::likeLookingAtAll_data()
{
    QTest::addColumn<QString>("pack");
    for (const QString &pack : QStringList { QString() } + knownPacks())
        QTest::newRow(pack.isEmpty() ? "random packs" : qPrintable(pack)) << pack;
}

/// Of two branches, and of what was asked for under any two settings.
void TestRunDifference::likeLookingAtAll()
{
    QFETCH(const QString, pack);
    qsizetype differences = 0;
    QVERIFY(holdsFor(pack.isEmpty() ? 120 : 12, 60, [&] {
        const Playground ground = pack.isEmpty() ? randomPlayground() : knownPlayground(pack);
        Simulator run(ground.rules, ground.world);
        goOn(run, ground, 20, 0);
        if (below(2))
            run.runUntilQuiet(50);
        Switches switches;
        for (const Switch &each : ground.rules.pack().switches)
            switches.insert(each.id, each.values[below(int(each.values.size()))]);
        const Course here = run.course(0);
        const Course again = askedAgain(here, *Rules::make(ground.rules.pack(), switches)).course;
        run.jump(below(int(run.moment()) + 1));
        goOn(run, ground, 10, 100);
        const Course branch = run.course(run.branch());
        for (const Course &other : { again, branch, run.course(0) }) {
            const QStringList found = told(runDifferences(here, other));
            differences += found.size();
            const QStringList expected = lookedAtAll(here, other);
            if (found != expected)
                RC_FAIL(
                    (found.join(u'\n') + u"\nexpected\n"_s + expected.join(u'\n')).toStdString());
        }
    }));
    QVERIFY(differences > 0);
}

/// A run that is known already goes through the same worlds.
void TestRunDifference::courseIsTheRun()
{
    QVERIFY(holdsFor(60, 60, [] {
        const Playground ground = randomPlayground();
        Simulator run(ground.rules, ground.world);
        goOn(run, ground, 20, 0);
        Simulator again(run.course(0));
        RC_ASSERT(again.moment() == 0);
        RC_ASSERT(again.lastMoment() == run.lastMoment());
        RC_ASSERT(again.everyOperation() == run.operations());
        for (const qsizetype moment : { run.lastMoment(), run.lastMoment() / 2 }) {
            run.jump(moment);
            again.jump(moment);
            RC_ASSERT(
                everything(again.rules(), again.world()) == everything(run.rules(), run.world()));
            RC_ASSERT(again.operations() == run.operations());
        }
    }));
}

const instar::TestClass<TestRunDifference> registered;
#include "tst_rundifference.moc"
