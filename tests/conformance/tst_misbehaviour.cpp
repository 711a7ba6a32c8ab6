// SPDX-License-Identifier: Apache-2.0
// Rules that a server breaks on purpose, and whether what clients see of that is found.

#include "model/conformance/misbehaviour.h"
#include "model/conformance/verdict.h"
#include "model/json/historytext.h"
#include "model/json/packfile.h"
#include "tests/support/property.h"
#include "tests/support/recording.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

class TestMisbehaviour : public QObject
{
    Q_OBJECT

private slots:
    void names();
    void told_data();
    void told();
    void touched();
    void found_data();
    void found();
    void plantedIsNamed();
};

namespace {

using Ended = HistorySearch::Outcome;

const QString Net = u"/logicalNetworks/n"_s, Sub = u"/logicalNetworks/n/subnets/s"_s,
              Other = u"/logicalNetworks/m"_s;

const Rules &networkRules()
{
    static const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    return rules;
}

Playground smallPlace()
{
    return playground(
        packNamed(u"network-controller"_s), { Net, Sub, Net + u"/subnets/t"_s, Other });
}

/// A server that breaks one rule, told what happens.
struct Liar
{
    explicit Liar(Fault broken)
        : fault(broken),
          misbehaviour(rules),
          world(makeWorld(rules, { { .path = Net }, { .path = Sub }, { .path = Other } }).world)
    { }

    void happen(const Event &event)
    {
        Stepped stepped = step(rules, std::move(world), event);
        world = std::move(stepped.world);
        log.apply(rules, stepped.record, world);
        misbehaviour.follow(stepped.record, world);
    }
    /// "Updating InProgress": of the path, and of the operation.
    QString ask(const QString &op, const QString &path)
    {
        const Request request { .op = op, .path = path, .id = u"r%1"_s.arg(++asked) };
        const bool breaks =
            misbehaviour.isPossible(fault, world, request, admission(rules, world, request));
        const World before = world;
        happen({ .kind = Event::Kind::Submit,
            .time = world.now,
            .request = QSharedPointer<Request>::create(request) });
        if (breaks)
            misbehaviour.begin(fault, log.find(request.id)->serial, request, before, world);
        return shown(path);
    }
    QString shown(const QString &path) const
    {
        const Operation last = misbehaviour.falsified(*log.find(u"r%1"_s.arg(asked)), world);
        return shownAt(rules, misbehaviour.falsified(world), path) + u' ' + statusName(last.status);
    }
    QString etagAt(const QString &path) const
    {
        return instar::etagAt(misbehaviour.falsified(world), path);
    }
    void pass(qint64 ms)
    {
        const qint64 until = world.now + ms;
        for (Event next = nextEvent(rules, world);
             next.kind != Event::Kind::Wait && next.time <= until; next = nextEvent(rules, world))
            happen(next);
        happen({ .kind = Event::Kind::Wait, .time = until });
    }

    const Rules &rules = networkRules();
    Fault fault;
    Misbehaviour misbehaviour;
    World world;
    OperationLog log;
    int asked = 0;
};

} // namespace

void TestMisbehaviour::names()
{
    QSet<QString> names;
    for (const FaultWords &row : faults()) {
        QCOMPARE(faultNamed(row.name), std::optional(row.fault));
        QVERIFY(row.effect.endsWith(u'.'));
        names.insert(row.name);
    }
    QCOMPARE(names.size(), 10);
    QVERIFY(!faultNamed(u"close"_s));
}

/// What is shown of the target when the operation has begun, has ended, and 1.5 s later; and which
/// etags of its are then that of before.
void TestMisbehaviour::told_data()
{
    addColumns<QString, QString, QString, QStringList, QList<bool>>(
        "fault", "op", "path", "seen", "sameEtag");
    const auto row = [](const QString &fault, const QString &op, const QString &path,
                         const QStringList &seen, const QList<bool> &same) {
        QTest::addRow("%s %s", qPrintable(fault), qPrintable(op))
            << fault << op << path << seen << same;
    };
    const QString works = u"Updating InProgress"_s, well = u"Succeeded Succeeded"_s;
    row(u"lostUpdate"_s, u"PUT"_s, Net, { works, well, well }, { false, true, true });
    row(u"lostUpdate"_s, u"PUT"_s, u"/logicalNetworks/new"_s,
        { works, u"absent Succeeded"_s, u"absent Succeeded"_s }, { false, true, true });
    row(u"stuckTransitional"_s, u"PUT"_s, Net,
        { works, u"Updating Succeeded"_s, u"Updating Succeeded"_s }, { false, false, false });
    row(u"stuckTransitional"_s, u"DELETE"_s, Net,
        { u"Deleting InProgress"_s, u"Deleting Succeeded"_s, u"Deleting Succeeded"_s },
        { false, true, true });
    row(u"wrongFinalState"_s, u"PUT"_s, Net,
        { works, u"Failed Succeeded"_s, u"Failed Succeeded"_s }, { false, false, false });
    row(u"prematureSucceeded"_s, u"PUT"_s, Net, { u"Updating Succeeded"_s, well, well },
        { false, false, false });
    row(u"zombieAfterDelete"_s, u"DELETE"_s, Net, { u"Deleting InProgress"_s, well, well },
        { false, true, true });
    row(u"wrongCanceled"_s, u"PUT"_s, Net,
        { works, u"Succeeded Canceled"_s, u"Succeeded Canceled"_s }, { false, false, false });
    row(u"etagUnchanged"_s, u"PUT"_s, Net, { works, well, well }, { true, true, true });
    row(u"etagLate"_s, u"PUT"_s, Net, { works, well, well }, { true, true, false });
}

void TestMisbehaviour::told()
{
    QFETCH(QString, fault);
    QFETCH(QString, op);
    QFETCH(QString, path);
    QFETCH(QStringList, seen);
    QFETCH(QList<bool>, sameEtag);
    Liar liar(*faultNamed(fault));
    const QString before = liar.etagAt(path);
    QStringList shown { liar.ask(op, path) };
    QList<bool> same { liar.etagAt(path) == before };
    for (const qint64 ms : { 1000, 1500 }) {
        liar.pass(ms);
        shown += liar.shown(path);
        same += liar.etagAt(path) == before;
    }
    QCOMPARE(shown, seen);
    QCOMPARE(same, sameEtag);
    QCOMPARE(liar.misbehaviour.falsified(liar.world).tree.size(),
        liar.world.tree.size()
            + (op == u"DELETE"    ? 1
                    : path == Net ? 0
                                  : -1));
}

/// What something else touches is told as it is; and the faults that take two.
void TestMisbehaviour::touched()
{
    for (const FaultWords &row : faults()) {
        Liar liar(row.fault);
        liar.ask(row.fault == Fault::ZombieAfterDelete ? u"DELETE"_s : u"PUT"_s, Net);
        liar.pass(1000);
        liar.fault = Fault::MissingConflict; // does nothing where nothing is in the way
        liar.ask(u"PUT"_s, Net);
        liar.pass(1000);
        QCOMPARE(liar.shown(Net), u"Succeeded Succeeded"_s);
        QCOMPARE(liar.etagAt(Net), etag(liar.world, liar.world.tree.find(Net)));
    }
    // Work that comes to nothing is told as it is.
    Liar failed(Fault::WrongCanceled);
    failed.ask(u"PUT"_s, Net);
    failed.fault = Fault::MissingConflict;
    failed.ask(u"DELETE"_s, Net); // cancels it
    failed.pass(1000);
    QVERIFY(failed.misbehaviour.falsified(*failed.log.find(u"r1"_s), failed.world).status
        == Status::Canceled);
    QCOMPARE(failed.shown(Net), u"absent Succeeded"_s);

    Liar sibling(Fault::SiblingMoved);
    sibling.ask(u"PUT"_s, Net);
    QCOMPARE(sibling.shown(Other), u"Updating InProgress"_s);
    sibling.pass(1000);
    QCOMPARE(sibling.shown(Other), u"Succeeded Succeeded"_s);
    QVERIFY(sibling.misbehaviour.isEmpty());

    Liar conflict(Fault::MissingConflict);
    conflict.ask(u"DELETE"_s, Net);
    QCOMPARE(conflict.ask(u"PUT"_s, Sub), u"Deleting InProgress"_s);
    conflict.pass(1000);
    QCOMPARE(conflict.shown(Sub), u"absent Succeeded"_s);
}

namespace {

/// Parts of the rows that may be named for a fault.
QMap<QString, QStringList> rowsOfFaults()
{
    const QString ends = u" on succeeded"_s, gone = u"all its descendants are gone"_s,
                  etags = u"one new etag to every resource"_s;
    const QStringList rests { u"no operation is running"_s, u"may repair"_s, u" on failed"_s };
    return { { u"lostUpdate"_s, { etags, ends } }, { u"stuckTransitional"_s, { ends, gone } },
        { u"wrongFinalState"_s, { ends, u" on failed"_s } },
        { u"prematureSucceeded"_s, { ends, gone } },
        { u"zombieAfterDelete"_s, { gone, u"on DELETE to Deleting"_s } },
        { u"siblingMoved"_s, rests }, { u"missingConflict"_s, { u"is running in this tree"_s } },
        { u"wrongCanceled"_s, { u"A newer PUT cancels"_s, u"A DELETE cancels"_s } },
        { u"etagUnchanged"_s, { etags } }, { u"etagLate"_s, { etags } } };
}

/// A conforming history in which something is made otherwise.
struct Planted
{
    History history;
    QSet<int> untrue; ///< lines
    QString row;      ///< part of the row that is broken
};

/// A request that was refused because another operation ran is told to have been accepted.
std::optional<Planted> acceptedInTheWay(const Recorded &recording)
{
    Planted planted { recording.history, {}, u"is running in this tree"_s };
    QList<RecordedRequest *> refused;
    for (RecordedRequest &asked : planted.history.requests) {
        if (asked.isRefusedWith(u"AnotherOperationInProgress"_s))
            refused += &asked;
    }
    if (refused.isEmpty())
        return {};
    RecordedRequest &asked = *refused[below(int(refused.size()))];
    asked.answer = RecordedRequest::Answer::Accepted;
    asked.code.clear();
    planted.untrue = { asked.line };
    planted.history.observations.removeIf(
        [&](const Observation &seen) { return seen.operation == asked.request.id; });
    return planted;
}

/// A resource is told to have been in another state, once.
std::optional<Planted> anotherWord(const Recorded &recording)
{
    static const QStringList words { u"Succeeded"_s, u"Failed"_s, u"Updating"_s, u"Deleting"_s };
    Planted planted { recording.history, {}, u"(none)"_s };
    QList<Observation> &all = planted.history.observations;
    if (all.isEmpty())
        return {};
    Observation &seen = all[below(int(all.size()))];
    const QString word = words[below(4)];
    if (!seen.isOfResource() || !seen.word || seen.word == word)
        return {};
    seen.word = word;
    planted.untrue = { seen.line };
    return planted;
}

/// What is above the target of an operation is told not to have moved as long as it works.
std::optional<Planted> parentStandsStill(const Recorded &recording)
{
    Planted planted { recording.history, {}, u"on a descendant"_s };
    const QList<RecordedRequest> &requests = planted.history.requests;
    const RecordedRequest &asked = requests[below(int(requests.size()))];
    const QString parent = asked.request.path.section(u'/', 0, -3);
    if (parent.isEmpty() || asked.answer != RecordedRequest::Answer::Accepted)
        return {};
    QString before = u"Succeeded"_s;
    for (const ResourceSpec &resource : std::as_const(planted.history.resources)) {
        if (resource.path == parent && !resource.state.isEmpty())
            before = resource.state;
    }
    bool isOver = false;
    for (Observation &seen : planted.history.observations) {
        if (seen.path != parent || isOver)
            continue;
        if (seen.from < asked.answered) {
            before = seen.word.value_or(before);
        } else if (seen.word == u"Updating"_s && before != u"Updating"_s) {
            seen.word = before;
            seen.etag.clear();
            planted.untrue.insert(seen.line);
        } else {
            isOver = true;
        }
    }
    return planted.untrue.isEmpty() ? std::nullopt : std::optional(planted);
}

} // namespace

void TestMisbehaviour::found_data()
{
    QTest::addColumn<QStringList>("rows");
    const QMap<QString, QStringList> all = rowsOfFaults();
    for (auto it = all.cbegin(); it != all.cend(); ++it)
        QTest::newRow(qPrintable(it.key())) << *it;
}

/// In random runs in which everything is seen, a broken rule is found wherever something was shown
/// that was not so.
void TestMisbehaviour::found()
{
    QFETCH(QStringList, rows);
    const std::optional<Fault> fault = faultNamed(QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY(fault);
    int chances = 0, noticed = 0;
    QMap<QString, int> rules;
    QVERIFY(holdsFor(casesOf(40), 60, [&] {
        const Playground ground = smallPlace();
        const Recorded recording = recorded(ground,
            { .requests = 6,
                .observations = 4,
                .slack = 0,
                .loses = false,
                .seesAll = true,
                .fault = fault });
        if (recording.untrue.isEmpty())
            return;
        ++chances;
        const Result<HistoryVerdict> verdict =
            verdictOn(recording.history, ground.rules, { .states = 50'000 });
        RC_ASSERT(bool(verdict));
        const QString rule = verdict->violation ? verdict->violation->rule : QString();
        const bool isUntrue =
            verdict->violation && recording.untrue.contains(verdict->violation->line);
        if (isUntrue
            || std::ranges::any_of(rows, [&](const QString &row) { return rule.contains(row); })) {
            ++noticed;
            ++rules[rule];
        } else {
            qInfo("instead: %s", qPrintable(rule));
            qInfo("%s\n%s%s", qPrintable(outcomeName(verdict->outcome)),
                writeHistory(recording.history).constData(), qPrintable(recording.truth));
        }
    }));
    for (auto it = rules.cbegin(); it != rules.cend(); ++it)
        qInfo("%d by %s", *it, qPrintable(it.key()));
    qInfo("%d of %d found", noticed, chances);
    QVERIFY(chances > 0);
    QVERIFY(noticed * 100 >= chances * 99);
}

/// In random runs of which only some is seen, whoever is named for what was planted told it, or the
/// row that it breaks is named.
void TestMisbehaviour::plantedIsNamed()
{
    int named = 0, violating = 0;
    QMap<QString, std::pair<int, int>> kinds; // -> named, of
    QVERIFY(holdsFor(casesOf(400), 60, [&] {
        const Playground ground = playground(packNamed(u"network-controller"_s),
            { Net, Sub, Net + u"/subnets/t"_s, Sub + u"/ipPools/p"_s, Other });
        const int kind = below(int(faults().size()) + 6);
        RecordingSize size { .requests = 6,
            .observations = 16,
            .slack = 10,
            .loses = false,
            .hasPreconditions = false,
            .seesAll = below(2) == 0 };
        QString name;
        QStringList rows;
        std::optional<Planted> planted;
        if (kind < faults().size()) {
            size.fault = faults()[kind].fault;
            name = faults()[kind].name;
            rows = rowsOfFaults().value(name);
            const Recorded recording = recorded(ground, size);
            planted = Planted { recording.history, recording.untrue, {} };
        } else {
            const Recorded recording = recorded(ground, size);
            const int which = (kind - int(faults().size())) % 3;
            name = which == 0 ? u"accepted in the way"_s
                : which == 1  ? u"another word"_s
                              : u"parent stands still"_s;
            planted = which == 0 ? acceptedInTheWay(recording)
                : which == 1     ? anotherWord(recording)
                                 : parentStandsStill(recording);
            rows = planted ? QStringList { planted->row } : QStringList();
        }
        if (!planted || planted->untrue.isEmpty())
            return;
        const Result<HistoryVerdict> verdict =
            verdictOn(planted->history, ground.rules, { .states = 50'000 });
        RC_ASSERT(bool(verdict));
        if (!verdict->violation)
            return;
        const Violation &violation = *verdict->violation;
        const bool isNamed = planted->untrue.contains(violation.line)
            || std::ranges::any_of(
                rows, [&](const QString &row) { return violation.rule.contains(row); });
        ++violating;
        ++kinds[name].second;
        named += isNamed ? 1 : 0;
        kinds[name].first += isNamed ? 1 : 0;
        if (!isNamed && qEnvironmentVariableIsSet("INSTAR_VERBOSE")) {
            QStringList untrue;
            for (const int line : planted->untrue)
                untrue += QString::number(line);
            qInfo("%s, untrue %s\n%s%s", qPrintable(name), qPrintable(untrue.join(u' ')),
                writeHistory(planted->history).constData(),
                qPrintable(verdictText(*verdict, u"planted"_s)));
        }
    }));
    for (auto it = kinds.cbegin(); it != kinds.cend(); ++it)
        qInfo("%s: %d of %d", qPrintable(it.key()), it->first, it->second);
    qInfo("%d of %d named", named, violating);
    QVERIFY(violating > 0);
    QVERIFY(named * 100 >= violating * 95);
}

const TestClass<TestMisbehaviour> registered;
#include "tst_misbehaviour.moc"
