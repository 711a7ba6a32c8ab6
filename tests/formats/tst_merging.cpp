// SPDX-License-Identifier: Apache-2.0
#include "model/formats/merging.h"
#include "model/formats/pack.h"
#include "model/machine/identity.h"
#include "model/machine/names.h"
#include "model/machine/rowedits.h"
#include "tests/support/packtext.h"
#include "tests/support/property.h"
#include "tests/support/randomedit.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// What two made of one pack is put together.
class TestMerging : public QObject
{
    Q_OBJECT

private slots:
    void together_data();
    void together();
    void rowsAreRecognized();
    void whatOnlyOneChanged();
    void nothingIsLost();
    void whatDoesNotGoTogether();
};

namespace {

Pack numbered(Pack pack)
{
    quint32 last = 0;
    identify(&pack, &last);
    return pack;
}

QByteArray packText(const QByteArray &states, const QByteArray &transitions)
{
    return R"({"id": "p", "types": {}, "machines": {"m": {"rest": "a", "states": {)" + states
        + R"(}, "transitions": [)" + transitions + R"(]}}, "sample": {"resources": []}})";
}

} // namespace

void TestMerging::together_data()
{
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QByteArray>("ours");
    QTest::addColumn<QByteArray>("theirs");
    QTest::addColumn<QByteArray>("both");
    QTest::addColumn<QString>("said");

    const QByteArray go = R"({"from": "a", "on": "go", "to": "b"})";
    const auto row = [](const char *name, const QByteArray &base, const QByteArray &ours,
                         const QByteArray &theirs, const QByteArray &both,
                         const QString &said = {}) {
        QTest::newRow(name) << base << ours << theirs << both << said;
    };
    row("a member each", packText(R"("a": {}, "b": {})", go),
        packText(R"("a": {"label": "A"}, "b": {})", go),
        packText(R"("a": {"about": "why"}, "b": {"label": "B"})", go),
        packText(R"("a": {"label": "A", "about": "why"}, "b": {"label": "B"})", go));
    row("a row each", packText(R"("a": {}, "b": {})", go),
        packText(R"("a": {}, "mine": {}, "b": {})", go),
        packText(R"("a": {}, "b": {}, "yours": {})", go),
        packText(R"("a": {}, "mine": {}, "b": {}, "yours": {})", go));
    row("one goes, one comes", packText(R"("a": {}, "b": {}, "c": {})", go),
        packText(R"("a": {}, "b": {})", go), packText(R"("a": {}, "b": {}, "c": {}, "d": {})", go),
        packText(R"("a": {}, "b": {}, "d": {})", go));
    row("an arrow to what is called otherwise there",
        packText(R"("a": {}, "b": {"label": "B"})", go),
        packText(
            R"("a": {}, "b": {"label": "B"})", go + R"(, {"from": "b", "on": "back", "to": "b"})"),
        packText(R"("a": {}, "c": {"label": "B"})", R"({"from": "a", "on": "go", "to": "c"})"),
        packText(R"("a": {}, "c": {"label": "B"})",
            R"({"from": "a", "on": "go", "to": "c"}, {"from": "c", "on": "back", "to": "c"})"));
    row("another order there", packText(R"("a": {}, "b": {}, "c": {})", go),
        packText(R"("a": {}, "b": {}, "c": {}, "d": {})", go),
        packText(R"("c": {}, "b": {}, "a": {})", go),
        packText(R"("c": {}, "d": {}, "b": {}, "a": {})", go));
    // Both added it: there is no order from before, and ours stays.
    const auto added = [](const QByteArray &states) {
        return R"({"id": "p", "types": {}, "machines": {"m": {"rest": "a", "states": {"a": {}}},
            "n": {"rest": "x", "states": {)"
            + states + R"(}}}, "sample": {"resources": []}})";
    };
    row("the same rows in another order each",
        R"({"id": "p", "types": {}, "machines": {"m": {"rest": "a", "states": {"a": {}}}},
            "sample": {"resources": []}})",
        added(R"("x": {}, "y": {}, "mine": {})"), added(R"("y": {}, "yours": {}, "x": {})"),
        added(R"("x": {}, "y": {}, "yours": {}, "mine": {})"));
    row("both changed it", packText(R"("a": {}, "b": {})", go),
        packText(R"("a": {"label": "mine"}, "b": {})", go),
        packText(R"("a": {"label": "yours"}, "b": {})", go),
        packText(R"("a": {"label": "mine"}, "b": {})", go),
        u"state \"a\": \"label\" was changed here and in the file; yours stays."_s);
    row("both moved it", packText(R"("a": {"at": [0, 0]}, "b": {})", go),
        packText(R"("a": {"at": [10, 0]}, "b": {})", go),
        packText(R"("a": {"at": [0, 20]}, "b": {})", go),
        packText(R"("a": {"at": [10, 0]}, "b": {})", go)); // what only draws is no conflict
    const auto arrows = [](const QByteArray &name) {
        return R"({"from": "a", "on": "go", "to": ")" + name + R"("}, {"from": ")" + name
            + R"(", "on": "back", "to": "a"}, {"from": ")" + name + R"(", "on": "stay", "to": ")"
            + name + R"("})";
    };
    row("another name each", packText(R"("a": {}, "b": {"label": "B"})", arrows("b")),
        packText(R"("a": {}, "mine": {"label": "B"})", arrows("mine")),
        packText(R"("a": {}, "yours": {"label": "B"})",
            arrows("yours") + R"(, {"from": "a", "on": "more", "to": "yours"})"),
        packText(R"("a": {}, "mine": {"label": "B"})",
            arrows("mine") + R"(, {"from": "a", "on": "more", "to": "mine"})"),
        u"\"b\" is called \"mine\" here and \"yours\" in the file; yours stays."_s);
    row("removed there", packText(R"("a": {}, "b": {})", {}),
        packText(R"("a": {}, "b": {"label": "mine"})", {}), packText(R"("a": {})", {}),
        packText(R"("a": {}, "b": {"label": "mine"})", {}),
        u"state \"b\" was changed here and removed from the file; yours stays."_s);
    row("removed here", packText(R"("a": {}, "b": {})", {}), packText(R"("a": {})", {}),
        packText(R"("a": {}, "b": {"label": "yours"})", {}), packText(R"("a": {})", {}),
        u"state \"b\" was removed here and changed in the file; it stays removed."_s);
}

void TestMerging::together()
{
    QFETCH(QByteArray, base);
    QFETCH(QByteArray, ours);
    QFETCH(QByteArray, theirs);
    QFETCH(QByteArray, both);
    QFETCH(QString, said);
    const Pack before = numbered(packOf(base));
    quint32 last = 1000;
    Pack mine = recognized(packOf(ours), before);
    identify(&mine, &last);
    const Merged result = merged(before, mine, recognized(packOf(theirs), before));
    QCOMPARE(QString::fromUtf8(writePack(result.pack)), QString::fromUtf8(writePack(packOf(both))));
    QCOMPARE(result.conflicts.join(u'\n'), said);
}

void TestMerging::rowsAreRecognized()
{
    const Pack before = numbered(packOf(
        packText(R"("a": {}, "b": {"label": "B"})", R"({"from": "a", "on": "go", "to": "b"})")));
    const Pack after =
        recognized(packOf(packText(R"("c": {"label": "B"}, "a": {})",
                       R"({"from": "a", "on": "x"}, {"from": "a", "on": "go", "to": "c"})")),
            before);
    const auto same = [&](const QString &was, const QString &now) {
        return numberAt(before, was) && numberAt(before, was) == numberAt(after, now);
    };
    QVERIFY(same(u"/machines/m/states/a"_s, u"/machines/m/states/a"_s));
    QVERIFY(same(u"/machines/m/states/b"_s, u"/machines/m/states/c"_s));
    QVERIFY(same(u"/machines/m/transitions/0"_s, u"/machines/m/transitions/1"_s));
    QCOMPARE(numberAt(after, u"/machines/m/transitions/0"_s), 0U);
}

void TestMerging::whatOnlyOneChanged()
{
    QVERIFY(holdsFor(100, 30, [] {
        const Pack base = numbered(*randomPack());
        Pack other = base;
        for (int edits = *rc::gen::inRange(1, 4); edits > 0; --edits)
            other = numbered(randomlyEdited(other));
        const Merged mine = merged(base, other, base);
        RC_ASSERT(mine.pack == other);
        RC_ASSERT(mine.conflicts.isEmpty());
        const Pack theirs = recognized(packOf(writePack(other)), base);
        RC_ASSERT(theirs == other);
        const Merged yours = merged(base, base, theirs);
        RC_ASSERT(yours.pack == other);
        RC_ASSERT(yours.conflicts.isEmpty());
    }));
}

/// Whatever both did, something can be read; and what both did alike is no conflict.
void TestMerging::nothingIsLost()
{
    QVERIFY(holdsFor(100, 30, [] {
        const Pack base = numbered(*randomPack());
        const auto changed = [&] {
            Pack pack = base;
            for (int edits = *rc::gen::inRange(1, 3); edits > 0; --edits)
                pack = numbered(randomlyEdited(pack));
            return pack;
        };
        const Pack ours = changed(), theirs = recognized(packOf(writePack(changed())), base);
        const Merged both = merged(base, ours, theirs);
        RC_ASSERT(packOf(writePack(both.pack)) == both.pack);
        const Merged alike = merged(base, ours, ours);
        RC_ASSERT(alike.pack == ours);
        RC_ASSERT(alike.conflicts.isEmpty());
    }));
}

void TestMerging::whatDoesNotGoTogether()
{
    const Pack base = numbered(packOf(packText(R"("a": {}, "b": {"label": "B"})", {})));
    quint32 last = 1000;
    Pack ours = withNewRow(base, u"/machines/m/states"_s, -1, u"c"_s)->pack;
    identify(&ours, &last);
    const Pack theirs = renamed(base, Name::State, u"b"_s, u"c"_s, u"m"_s);
    const Merged both = merged(base, ours, theirs);
    QCOMPARE(both.pack, ours);
    QCOMPARE(both.conflicts.size(), 1);
    QVERIFY2(both.conflicts.first().contains(u"does not go together"),
        qPrintable(both.conflicts.first()));
}

const instar::TestClass<TestMerging> registered;
#include "tst_merging.moc"
