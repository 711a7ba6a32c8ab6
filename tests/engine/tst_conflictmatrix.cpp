// SPDX-License-Identifier: Apache-2.0
#include "model/engine/admission.h"
#include "model/engine/step.h"
#include "model/json/library.h"
#include "model/pack/conflicts.h"
#include "tests/support/playground.h"
#include "tests/support/property.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// The conflict matrix: what it says is what admission does, and a wish changes one cell.
class TestConflictMatrix : public QObject
{
    Q_OBJECT

private slots:
    void blocks_data();
    void blocks();
    void draftsHaveOne();
    void whatNeverMeets();
    void whatWaitsMeets();
    void references();
    void whatWasAskedBefore();
    void referencesStayApart();
    void admissionAgrees();
    void admissionAgreesOnKnownPacks_data() { addRowsOf("id", knownPacks()); }
    void admissionAgreesOnKnownPacks();
    void wishes_data();
    void wishes();
    void aWishChangesOneCell();
    void aWishUnderManySwitches();
    void thereAndBack();
};

namespace {

const char *const verdictLetters = "CRAW";

QString lettersOf(const ConflictCell &cell)
{
    if (!cell.canMeet)
        return u"-"_s;
    QString text;
    for (const Conflict::Then verdict : cell.verdicts)
        text += QLatin1Char(verdictLetters[int(verdict)]);
    return text;
}

/// "PUT: C R -" for each operation that runs.
QString block(const ConflictMatrix &matrix, const QString &place)
{
    QStringList lines;
    for (const QString &running : matrix.operations()) {
        QStringList cells;
        for (const QString &incoming : matrix.operations())
            cells += lettersOf(matrix.cell({ running, incoming, place }));
        lines += running + u": "_s + cells.join(u' ');
    }
    return lines.join(u", "_s);
}

Conflict conflictRow(
    const QStringList &on, const QStringList &running, const QStringList &at, Conflict::Then then)
{
    return { .on = on, .running = running, .at = at, .then = then };
}

/// Where one resource is, seen from another, by their paths alone.
QString placeOf(const QString &other, const QString &target, Qt::CaseSensitivity same)
{
    const auto above = [](const QString &path) { return path.section(u'/', 0, -3); };
    if (other.compare(target, same) == 0)
        return u"self"_s;
    if (target.startsWith(other + u'/', same))
        return u"ancestor"_s;
    if (other.startsWith(target + u'/', same))
        return u"descendant"_s;
    if (other.section(u'/', 0, 2).compare(target.section(u'/', 0, 2), same) != 0)
        return u"unrelated"_s;
    return above(other).compare(above(target), same) == 0 ? u"sibling"_s : u"tree"_s;
}

QStringList someOf(const QStringList &all)
{
    QStringList some;
    for (const QString &each : all) {
        if (below(3) == 0)
            some += each;
    }
    return some;
}

/// With more rows than usual, which say themselves where they stand.
Pack withManyConflicts(Pack pack)
{
    const QStringList operations = pack.operationNames();
    const int count = below(7);
    for (int i = 0; i < count; ++i) {
        Conflict row = conflictRow(someOf(operations), someOf(operations),
            someOf({ u"self"_s, u"ancestor"_s, u"descendant"_s, u"sibling"_s, u"tree"_s,
                u"unrelated"_s }),
            Conflict::Then(below(4)));
        if (row.then == Conflict::Then::Reject)
            row.code = u"Occupied"_s;
        if (below(3) == 0) {
            row.condition.kind = Condition::Kind::Related;
            row.condition.text = u"parent"_s;
            row.condition.match = below(2) ? Condition::Match::None : Condition::Match::Any;
        }
        if (below(4) == 0 && !pack.switches.isEmpty()) {
            const Switch &by = pack.switches[below(int(pack.switches.size()))];
            row.when.insert(by.id, { by.values[below(int(by.values.size()))] });
        }
        pack.conflicts.insert(below(int(pack.conflicts.size()) + 1), row);
    }
    return pack;
}

const QString rulePrefix = u"row "_s;

/// Refused for a reason of the engine's own, of which the pack has no words.
bool isEngines(const Admission &said, const QString &kind)
{
    Refusal row;
    row.id = kind;
    return said.rule == summaryOf(row);
}

Pack withNumberedRows(Pack pack)
{
    for (qsizetype i = 0; i < pack.conflicts.size(); ++i) {
        pack.conflicts[i].about = rulePrefix + QString::number(i);
        pack.conflicts[i].sources.clear();
    }
    return pack;
}

/// What admission says of a request in a world is what the cells of those that run say.
void compare(const Playground &ground, const World &world, const Request &request, int *told)
{
    const Rules &rules = ground.rules;
    const ConflictMatrix matrix(rules.pack(), rules.switches());
    const auto cellOf = [&](const Running &running) {
        return matrix.cell({ rules.triggerName(running.op), request.op,
            placeOf(running.path, request.path, world.tree.caseSensitivity()) });
    };
    const bool seesReferences = (rules.conflictPlaces() & (Rules::Reference | Rules::Referrer))
        && !world.references.isEmpty();
    const Admission said = admission(rules, world, request);
    const bool isByRow = said.rule.startsWith(rulePrefix);
    using Verdict = Admission::Verdict;
    if (said.verdict == Verdict::Observed || said.verdict == Verdict::Replayed
        || (said.verdict == Verdict::Refused && !isByRow && said.transition == Rules::None
            && !isEngines(said, u"transition"_s) && !isEngines(said, u"precondition"_s)))
        return;
    if (isByRow) {
        const Running *other = world.find(said.other);
        if (other && !seesReferences) {
            const ConflictCell cell = cellOf(*other);
            RC_ASSERT(cell.rows.contains(said.rule.sliced(rulePrefix.size()).toInt()));
            RC_ASSERT(cell.verdicts.contains(
                said.verdict == Verdict::Waits ? Conflict::Then::Wait : Conflict::Then::Reject));
            ++*told;
        }
        if (said.verdict == Verdict::Refused)
            return;
    }
    for (const auto &running : world.running) {
        if (seesReferences
            && placeOf(running->path, request.path, Qt::CaseInsensitive) == u"unrelated")
            continue; // one of them may refer to the other
        const ConflictCell cell = cellOf(*running);
        RC_ASSERT(!cell.says(Conflict::Then::Reject) || !cell.canMeet);
        const auto victim =
            std::ranges::find(said.cancels, running->serial, &Admission::Cancel::serial);
        if (victim != said.cancels.end()) {
            RC_ASSERT(cell.canMeet);
            RC_ASSERT(cell.rows.contains(victim->row));
            RC_ASSERT(cell.verdicts.contains(Conflict::Then::Cancel));
            ++*told;
        } else if (std::ranges::find(said.waitsFor, running->serial) != said.waitsFor.end()) {
            RC_ASSERT(cell.verdicts.contains(Conflict::Then::Wait));
            ++*told;
        } else if (said.verdict == Verdict::Accepted) {
            RC_ASSERT(cell.verdicts.contains(Conflict::Then::Allow) || !cell.canMeet);
            ++*told;
        }
    }
}

void comparePlay(const Playground &ground, int *told)
{
    World world = ground.world;
    for (int i = 1 + below(8); i > 0; --i) {
        const Event event = anyEvent(ground, world, i);
        world = step(ground.rules, std::move(world), event).world;
        for (const QString &path : ground.paths) {
            if (!world.running.empty())
                compare(ground, world,
                    { .op = ground.operations[below(int(ground.operations.size()))],
                        .path = path,
                        .id = u"asked"_s },
                    told);
        }
    }
}

/// Where something else is said now under a setting, but for one meeting. What the wish lets wait
/// can meet more than before.
QStringList differences(
    const Pack &before, const Pack &after, const Setting &setting, const Meeting &but)
{
    const ConflictMatrix was(before, setting), is(after, setting);
    QStringList found;
    for (const QString &place : was.places()) {
        for (const QString &running : was.operations()) {
            for (const QString &incoming : was.operations()) {
                const Meeting meeting { running, incoming, place };
                if (meeting != but && was.canMeet(meeting) && is.canMeet(meeting)
                    && was.cell(meeting).verdicts != is.cell(meeting).verdicts)
                    found += u"%1 %2 %3: %4 %5"_s.arg(running, incoming, place,
                        lettersOf(was.cell(meeting)), lettersOf(is.cell(meeting)));
            }
        }
    }
    return found;
}

/// All that can happen.
QList<Meeting> meetingsOf(const ConflictMatrix &matrix)
{
    QList<Meeting> all;
    for (const QString &place : matrix.places()) {
        for (const QString &running : matrix.operations()) {
            for (const QString &incoming : matrix.operations()) {
                if (matrix.canMeet({ running, incoming, place }))
                    all += { running, incoming, place };
            }
        }
    }
    return all;
}

QString told(const Conflict &row)
{
    return u"%1/%2/%3 %4"_s.arg(row.on.join(u'+'), row.running.join(u'+'), row.at.join(u'+'),
        QString(QLatin1Char(verdictLetters[int(row.then)])));
}

QString toldRows(const Pack &pack)
{
    QStringList rows;
    for (const Conflict &row : pack.conflicts)
        rows += told(row);
    return rows.join(u", "_s);
}

} // namespace

void TestConflictMatrix::blocks_data()
{
    const Rows<QString, QString, QString> row("place", "switches", "cells");
    row("self", u"self"_s, u""_s, u"PUT: C C -, DELETE: R C -, GET: - - -"_s);
    row("ancestor", u"ancestor"_s, u""_s, u"PUT: C C -, DELETE: R R -, GET: - - -"_s);
    row("descendant", u"descendant"_s, u""_s, u"PUT: CR CR -, DELETE: CR CR -, GET: - - -"_s);
    row("descendant, switched", u"descendant"_s, u"midLevelCancelsSubtree"_s,
        u"PUT: C C -, DELETE: C C -, GET: - - -"_s);
    row("sibling", u"sibling"_s, u""_s, u"PUT: R R -, DELETE: R R -, GET: - - -"_s);
    row("sibling, switched", u"sibling"_s, u"siblingsRunConcurrently"_s,
        u"PUT: A A -, DELETE: A A -, GET: - - -"_s);
    row("tree", u"tree"_s, u""_s, u"PUT: R R -, DELETE: R R -, GET: - - -"_s);
    row("unrelated", u"unrelated"_s, u""_s, u"PUT: A A -, DELETE: A A -, GET: - - -"_s);
}

void TestConflictMatrix::blocks()
{
    QFETCH(QString, place);
    QFETCH(QString, switches);
    Setting setting;
    if (!switches.isEmpty())
        setting.insert(switches, u"true"_s);
    QTEST(block(ConflictMatrix(packNamed(u"network-controller"_s), setting), place), "cells");
}

void TestConflictMatrix::draftsHaveOne()
{
    QVERIFY(ConflictMatrix(Pack()).operations().isEmpty());
    Pack pack = packNamed(u"network-controller"_s);
    pack.conflicts.first().at = { u"nowhere"_s };
    pack.conflicts.first().on = { u"PAT"_s };
    pack.machines.clear();
    pack.types.clear();
    const ConflictMatrix matrix(pack);
    QCOMPARE(matrix.cell({ u"PUT"_s, u"PUT"_s, u"self"_s }).rows, QList<int> { 6 });
    QVERIFY(!matrix.cell({ u"PUT"_s, u"PAT"_s, u"self"_s }).canMeet);
    QVERIFY(!matrix.cell({ u"PUT"_s, u"PUT"_s, u"nowhere"_s }).canMeet);
}

void TestConflictMatrix::whatNeverMeets()
{
    Pack pack = packNamed(u"blazar"_s);
    const Meeting starts { u"start_lease"_s, u"update_lease"_s, u"self"_s };
    QVERIFY(ConflictMatrix(pack).cell(starts).canMeet);
    QVERIFY(!ConflictMatrix(pack).cell({ starts.running, starts.incoming, u"sibling"_s }).canMeet);
    const Pack before = pack;
    pack = withVerdict(
        pack, {}, { starts.running, starts.incoming, u"sibling"_s }, Conflict::Then::Cancel);
    QVERIFY(pack == before);
}

/// What is over at once meets nobody, unless it may have to wait for its turn.
void TestConflictMatrix::whatWaitsMeets()
{
    Pack pack =
        valueOf(loadPack(QStringLiteral(INSTAR_SOURCE_DIR "/resources/templates/4-review.json")));
    const Meeting quick { u"approve"_s, u"push"_s, u"self"_s };
    QVERIFY(ConflictMatrix(pack).canMeet({ u"merge"_s, u"push"_s, u"self"_s }));
    QVERIFY(!ConflictMatrix(pack).canMeet(quick));
    pack.conflicts += conflictRow({ u"approve"_s }, {}, { u"self"_s }, Conflict::Then::Wait);
    QVERIFY(ConflictMatrix(pack).canMeet(quick));
}

void TestConflictMatrix::references()
{
    Pack pack = packNamed(u"network-controller"_s);
    QCOMPARE(ConflictMatrix(pack).places().join(u' '),
        u"self ancestor descendant sibling tree unrelated"_s);
    pack.conflicts.prepend(
        conflictRow({ u"DELETE"_s }, {}, { u"reference"_s }, Conflict::Then::Wait));
    const ConflictMatrix matrix(pack);
    QCOMPARE(matrix.places().join(u' '),
        u"self ancestor descendant sibling tree reference referrer unrelated"_s);
    QCOMPARE(block(matrix, u"reference"_s), u"PUT: A W -, DELETE: A W -, GET: - - -"_s);
    QCOMPARE(block(matrix, u"referrer"_s), u"PUT: A A -, DELETE: A A -, GET: - - -"_s);
}

/// Rows that ask what earlier ones asked have nothing to say, and a question with its opposite
/// leaves nothing open.
void TestConflictMatrix::whatWasAskedBefore()
{
    const QString put = u"PUT"_s, self = u"self"_s;
    Conflict asks = conflictRow({}, {}, { self }, Conflict::Then::Cancel);
    asks.condition.kind = Condition::Kind::Label;
    asks.condition.text = u"urgent"_s;
    Conflict again = asks;
    again.then = Conflict::Then::Wait;
    Conflict opposite = again;
    opposite.condition = { .kind = Condition::Kind::Not, .parts = { asks.condition } };
    Pack pack = packNamed(u"network-controller"_s);
    pack.conflicts = { asks, again, conflictRow({}, {}, { self }, Conflict::Then::Reject) };
    const ConflictCell once = ConflictMatrix(pack).cell({ put, put, self });
    QCOMPARE(once.rows, (QList<int> { 0, 2 }));
    QCOMPARE(lettersOf(once), u"CR"_s);
    QVERIFY(once.isSettled);

    pack.conflicts = { asks, opposite };
    const ConflictCell both = ConflictMatrix(pack).cell({ put, put, self });
    QCOMPARE(lettersOf(both), u"CW"_s);
    QVERIFY(both.isSettled);
    pack.conflicts = { asks };
    QCOMPARE(lettersOf(ConflictMatrix(pack).cell({ put, put, self })), u"CA"_s);
}

/// One row about anywhere is all that lets the engine tell what is referred to from what is not: it
/// stays, though it has nothing to say of other places.
void TestConflictMatrix::referencesStayApart()
{
    Pack pack = packNamed(u"network-controller"_s);
    const QStringList every { u"self"_s, u"ancestor"_s, u"descendant"_s, u"sibling"_s, u"tree"_s };
    pack.conflicts = { conflictRow({}, {}, every, Conflict::Then::Reject),
        conflictRow({ u"DELETE"_s }, {}, { u"unrelated"_s }, Conflict::Then::Reject),
        conflictRow({ u"PUT"_s }, { u"DELETE"_s }, { u"unrelated"_s }, Conflict::Then::Wait),
        conflictRow({ u"PUT"_s }, { u"PUT"_s }, {}, Conflict::Then::Cancel) };
    const Meeting meeting { u"PUT"_s, u"PUT"_s, u"unrelated"_s };
    const Pack wished = withVerdict(pack, {}, meeting, Conflict::Then::Allow);
    QVERIFY(ConflictMatrix(wished).cell(meeting).says(Conflict::Then::Allow));
    QVERIFY(std::ranges::any_of(
        wished.conflicts, [](const Conflict &row) { return row.at.isEmpty(); }));
}

void TestConflictMatrix::admissionAgrees()
{
    int told = 0;
    QVERIFY(holdsFor(300, 60, [&] {
        const Pack pack = withNumberedRows(withManyConflicts(*randomPack()));
        const QStringList paths { u"/t/a"_s, u"/t/b"_s, u"/t/a/u/c"_s, u"/t/a/u/d"_s,
            u"/t/a/u/c/w/e"_s, u"/t/a/u/d/w/f"_s, u"/p/x"_s };
        comparePlay(playground(pack, paths), &told);
    }));
    QVERIFY2(told > 600, qPrintable(QString::number(told)));
}

void TestConflictMatrix::admissionAgreesOnKnownPacks()
{
    QFETCH(QString, id);
    int told = 0;
    QVERIFY(holdsFor(50, 60, [&] {
        const Pack pack = withNumberedRows(packNamed(id));
        comparePlay(playground(pack, knownPlayground(id).paths), &told);
    }));
    QVERIFY(told > 0 || packNamed(id).conflicts.isEmpty());
}

void TestConflictMatrix::wishes_data()
{
    const Rows<QList<Conflict>, Meeting, Conflict::Then, QString> add(
        "rows", "meeting", "wish", "result");
    using Then = Conflict::Then;
    const QString put = u"PUT"_s, del = u"DELETE"_s, self = u"self"_s, tree = u"tree"_s;
    const QList<Conflict> general { conflictRow({}, {}, { self, tree }, Then::Reject) };
    const Meeting puts { put, put, self };

    add("where nothing speaks", QList<Conflict>(), puts, Then::Cancel, u"PUT/PUT/self C"_s);
    add("as it is", general, puts, Then::Reject, u"//self+tree R"_s);
    add("nothing speaks, and both go on", general, Meeting { put, put, u"unrelated"_s },
        Then::Allow, u"//self+tree R"_s);
    add("before what speaks of more", general, puts, Then::Cancel,
        u"PUT/PUT/self C, //self+tree R"_s);
    add("its own row changes",
        QList { conflictRow({ put }, { put }, { self }, Then::Cancel), general[0] }, puts,
        Then::Wait, u"PUT/PUT/self W, //self+tree R"_s);
    add("its own row goes",
        QList { conflictRow({ put }, { put }, { self }, Then::Cancel), general[0] }, puts,
        Then::Reject, u"//self+tree R"_s);
    Conflict sourced = conflictRow({ del }, { put }, { self }, Then::Cancel);
    sourced.about = u"As the manual says."_s;
    add("what is written elsewhere is not", QList { sourced, general[0] }, puts, Then::Cancel,
        u"DELETE/PUT/self C, PUT/PUT/self C, //self+tree R"_s);
    Conflict asking = conflictRow({ put }, { put }, { self }, Then::Cancel);
    asking.condition.kind = Condition::Kind::Related;
    asking.condition.text = u"parent"_s;
    add("it asks no more", QList { asking, general[0] }, puts, Then::Cancel,
        u"PUT/PUT/self C, //self+tree R"_s);
    add("what asks goes", QList { asking, general[0] }, puts, Then::Reject, u"//self+tree R"_s);
    add("what is left without a word goes",
        QList { conflictRow({ put }, { put }, { self }, Then::Cancel) }, puts, Then::Allow, u""_s);
}

void TestConflictMatrix::wishes()
{
    QFETCH(QList<Conflict>, rows);
    QFETCH(Meeting, meeting);
    QFETCH(Conflict::Then, wish);
    Pack pack = packNamed(u"network-controller"_s);
    pack.conflicts = rows;
    const Pack wished = withVerdict(pack, {}, meeting, wish);
    QTEST(toldRows(wished), "result");
    QVERIFY(ConflictMatrix(wished).cell(meeting).says(wish));
    for (const Conflict &row : wished.conflicts)
        QVERIFY(row.then == Conflict::Then::Reject || row.code.isEmpty());
}

void TestConflictMatrix::aWishChangesOneCell()
{
    int changed = 0;
    QVERIFY(holdsFor(700, 60, [&] {
        const Pack pack = withManyConflicts(*randomPack());
        const QList<Switches> settings = switchCombinations(pack);
        const Setting &setting = settings[below(int(settings.size()))];
        const ConflictMatrix matrix(pack, setting);
        const QList<Meeting> meetings = meetingsOf(matrix);
        if (meetings.isEmpty())
            return;
        const Meeting &meeting = meetings[below(int(meetings.size()))];
        const auto wish = Conflict::Then(below(4));
        const ConflictCell cell = matrix.cell(meeting);
        const Pack wished = withVerdict(pack, setting, meeting, wish);

        if (cell.says(wish)) {
            RC_ASSERT(wished == pack);
            return;
        }
        ++changed;
        RC_ASSERT(ConflictMatrix(wished, setting).cell(meeting).says(wish));
        for (const Switches &each : settings) {
            RC_ASSERT(differences(pack, wished, each, meeting) == QStringList());
            const ConflictCell was = ConflictMatrix(pack, each).cell(meeting);
            const bool isSaidBySame = cell.rows.isEmpty()
                ? !was.isSettled
                : std::ranges::any_of(was.rows, [&](int row) { return cell.rows.contains(row); });
            if (!isSaidBySame)
                RC_ASSERT(ConflictMatrix(wished, each).cell(meeting).verdicts == was.verdicts);
        }
        RC_ASSERT(ConflictMatrix(wished, setting).places() == matrix.places());
        RC_ASSERT(wished.conflicts.size() <= pack.conflicts.size() + 1);
        RC_ASSERT(withVerdict(wished, setting, meeting, wish) == wished);
    }));
    QVERIFY2(changed > 200, qPrintable(QString::number(changed)));
}

/// A row that only a combination of many switches needs stays: nobody tries them all.
void TestConflictMatrix::aWishUnderManySwitches()
{
    const QString put = u"PUT"_s, self = u"self"_s;
    Pack pack = packNamed(u"network-controller"_s);
    Conflict row = conflictRow({}, {}, {}, Conflict::Then::Reject);
    Setting setting;
    for (int i = 0; i < 7; ++i) {
        const QString id = u"switch %1"_s.arg(i);
        pack.switches += Switch { .id = id, .defaultValue = u"false"_s };
        row.when.insert(id, { u"true"_s });
        setting.insert(id, u"true"_s);
    }
    pack.conflicts = { row };
    const Pack wished = withVerdict(pack, setting, { put, put, self }, Conflict::Then::Allow);
    QVERIFY(wished.conflicts.contains(row));
    const ConflictMatrix matrix(wished, setting);
    QVERIFY(matrix.cell({ put, put, self }).says(Conflict::Then::Allow));
    QVERIFY(matrix.cell({ put, u"DELETE"_s, self }).says(Conflict::Then::Reject));
}

/// Whoever changes his mind has the pack that he had.
void TestConflictMatrix::thereAndBack()
{
    for (const QString &id : knownPacks()) {
        const Pack &pack = packNamed(id);
        const ConflictMatrix matrix(pack);
        for (const QString &running : matrix.operations()) {
            for (const QString &incoming : matrix.operations()) {
                const Meeting meeting { running, incoming, u"self"_s };
                const ConflictCell cell = matrix.cell(meeting);
                if (!cell.canMeet || cell.verdicts.size() > 1)
                    continue;
                const Pack there = withVerdict(pack, {}, meeting,
                    cell.says(Conflict::Then::Wait) ? Conflict::Then::Allow : Conflict::Then::Wait);
                QVERIFY(!(there == pack));
                const Pack back = withVerdict(there, {}, meeting, cell.verdicts.first());
                QCOMPARE(toldRows(back), toldRows(pack));
            }
        }
    }
}

const TestClass<TestConflictMatrix> registered;

#include "tst_conflictmatrix.moc"
