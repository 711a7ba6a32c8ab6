// SPDX-License-Identifier: Apache-2.0
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Packs that are well made and strange: they remove what works, require themselves, or start again
// for ever. Whatever they say, a step ends and the world keeps its promises.

class TestStrangePacks : public QObject
{
    Q_OBJECT

private slots:
    void requiresTheEndOfItsParent();
    void sendsItselfAway();
    void requiresItself();
    void timerBackToTheSameState();
    void failsForGood();
    void theErrorOfWhatNothingTakes();
    void requiredAgain();
    void asksForAStateThatIsSwitchedOff();
    void constraintOnAnotherTree();
};

namespace {

Pack packFrom(const char *states, const char *transitions, const char *more = "")
{
    const QByteArray json = QByteArray("{\"id\": \"strange\", \"title\": \"strange\", \"types\": "
                                       "{\"as\": {\"machine\": \"m\"}, "
                                       "\"as/bs\": {\"machine\": \"m\"}}, \"machines\": {\"m\": "
                                       "{\"rest\": \"on\", \"states\": {"
                                       "\"none\": {\"kind\": \"initial\"}, \"on\": {}")
        + states + "}, \"transitions\": [" + transitions + "]}}" + more + "}";
    return packOf(json);
}

const QString a = u"/as/a"_s, b = u"/as/a/bs/b"_s;

struct Strange : Staging
{
    explicit Strange(const Pack &pack) : Staging(rulesOf(pack), resourcesFrom(a + u'\n' + b)) { }
    QString promise() const { return brokenPromise(simulator.rules(), simulator.world()); }
};

} // namespace

/// What is required removes the one that requires it.
void TestStrangePacks::requiresTheEndOfItsParent()
{
    Strange staging(packFrom(", \"leaving\": {\"kind\": \"transitional\", \"work\": [{\"op\": "
                             "\"end\", \"to\": \"parent\"}]}, "
                             "\"ending\": {\"kind\": \"transitional\"}",
        "{\"from\": \"on\", \"on\": \"leave\", \"to\": \"leaving\"}, {\"from\": \"leaving\", "
        "\"on\": [\"succeeded\", \"failed\"], \"to\": \"on\"},"
        "{\"from\": \"on\", \"on\": \"end\", \"to\": \"ending\"}, {\"from\": \"ending\", \"on\": "
        "\"succeeded\", \"to\": \"none\"}"));
    staging.ask(u"leave"_s, b);
    QVERIFY(staging.simulator.runUntilQuiet(100));
    QCOMPARE(staging.tree(), QString());
    QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
    QCOMPARE(staging.status(u"op1.1"_s), u"Succeeded"_s);
    QCOMPARE(staging.promise(), QString());
}

/// A send takes the sender away, in the middle of its work.
void TestStrangePacks::sendsItselfAway()
{
    for (const char *whom : { "parent", "self" }) {
        Strange staging(packFrom(
            qPrintable(
                u", \"going\": {\"kind\": \"transitional\", \"work\": [{\"send\": \"gone\", \"to\": \"%1\"}, \"attempt\"]}"_s
                    .arg(QLatin1StringView(whom))),
            "{\"from\": \"on\", \"on\": \"go\", \"to\": \"going\"}, {\"from\": \"*\", \"on\": "
            "\"gone\", \"to\": \"none\"},"
            "{\"from\": \"going\", \"on\": [\"succeeded\", \"failed\"], \"to\": \"on\"}"));
        staging.ask(u"go"_s, b);
        QVERIFY(staging.simulator.runUntilQuiet(100));
        QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
        QCOMPARE(staging.at(b), u"absent"_s);
        QCOMPARE(staging.promise(), QString());
    }
}

/// An operation that requires itself, without end.
void TestStrangePacks::requiresItself()
{
    Strange staging(packFrom(", \"working\": {\"kind\": \"transitional\", \"work\": [{\"op\": "
                             "\"work\", \"to\": \"self\"}]}",
        "{\"from\": \"*\", \"on\": \"work\", \"to\": \"working\"}, {\"from\": \"working\", \"on\": "
        "[\"succeeded\", \"failed\"], \"to\": \"on\"}"));
    staging.ask(u"work"_s, a);
    QVERIFY(staging.simulator.runUntilQuiet(1000));
    QCOMPARE(staging.status(u"op1"_s), u"Failed"_s);
    QCOMPARE(staging.operation(u"op1"_s).errorCode, u"RequirementTooDeep"_s);
    QCOMPARE(staging.promise(), QString());
}

/// A timer whose operation leads back to the state it hangs on: time passes between its firings.
void TestStrangePacks::timerBackToTheSameState()
{
    Strange staging(packFrom(", \"waiting\": {\"timer\": {\"op\": \"tick\", \"after\": 1000}}",
        "{\"from\": \"on\", \"on\": \"wait\", \"to\": \"waiting\"}, {\"from\": \"waiting\", "
        "\"on\": \"tick\", \"to\": \"(same)\"}"));
    staging.ask(u"wait"_s, a);
    staging.simulator.advanceTo(10'000);
    QCOMPARE(staging.simulator.operations().all().size(), 11); // and ten ticks
    QCOMPARE(staging.at(a), u"waiting"_s);
}

/// The only row for a failure has a limit: past it the resource stays, and rests.
void TestStrangePacks::failsForGood()
{
    Strange staging(packFrom(", \"working\": {\"kind\": \"transitional\"}",
        "{\"from\": \"on\", \"on\": \"work\", \"to\": \"working\"}, {\"from\": \"working\", "
        "\"on\": \"succeeded\", \"to\": \"on\"},"
        "{\"from\": \"working\", \"on\": \"failed\", \"to\": \"(same)\", \"limit\": 1, \"after\": "
        "10}"));
    staging.ask({ .op = u"work"_s,
        .path = a,
        .work = { { u"working"_s, { .outcomes = { u"failed"_s, u"failed"_s } } } } });
    QVERIFY(staging.simulator.runUntilQuiet(100));
    QCOMPARE(staging.status(u"op1"_s), u"Failed"_s);
    QCOMPARE(staging.states({ a, b }), u"on on"_s);
    QCOMPARE(staging.promise(), QString());
}

/// An outcome that no transition takes is taken as a failure; the error says that it was invalid.
void TestStrangePacks::theErrorOfWhatNothingTakes()
{
    Strange staging(packFrom(", \"working\": {\"kind\": \"transitional\"}",
        "{\"from\": \"on\", \"on\": \"work\", \"to\": \"working\"}, {\"from\": \"working\", "
        "\"on\": [\"succeeded\", \"failed\"], \"to\": \"on\"}",
        ", \"outcomes\": {\"odd\": {}, \"invalid\": {\"code\": \"NotHere\"}}"));
    staging.ask(
        { .op = u"work"_s, .path = a, .work = { { u"working"_s, { .outcomes = { u"odd"_s } } } } });
    QVERIFY(staging.simulator.runUntilQuiet(100));
    QCOMPARE(staging.operation(u"op1"_s).errorCode, u"NotHere"_s);
}

/// The plan of a requirement goes on where it was when the same is required again.
void TestStrangePacks::requiredAgain()
{
    Strange staging(packFrom(", \"asking\": {\"kind\": \"transitional\", \"work\": [{\"op\": "
                             "\"work\", \"to\": \"bs\"}]}, "
                             "\"working\": {\"kind\": \"transitional\"}",
        "{\"from\": \"on\", \"on\": \"ask\", \"to\": \"asking\"}, {\"from\": \"asking\", \"on\": "
        "\"succeeded\", \"to\": \"on\"},"
        "{\"from\": \"asking\", \"on\": \"failed\", \"to\": \"(same)\", \"limit\": 5, \"after\": "
        "10},"
        "{\"from\": \"on\", \"on\": \"work\", \"to\": \"working\"}, {\"from\": \"working\", "
        "\"on\": [\"succeeded\", \"failed\"], \"to\": \"on\"}"));
    staging.ask({ .op = u"ask"_s,
        .path = a,
        .work = { { u"work "_s + b, { .outcomes = { u"failed"_s, u"failed"_s } } } } });
    QVERIFY(staging.simulator.runUntilQuiet(100));
    QCOMPARE(staging.status(u"op1.1"_s), u"Failed"_s);
    QCOMPARE(staging.status(u"op1.2"_s), u"Failed"_s);
    QCOMPARE(staging.status(u"op1.3"_s), u"Succeeded"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    QCOMPARE(staging.states({ a, b }), u"on on"_s);
}

/// A condition names a state that the switches leave out: nothing is in it. A state that no switch
/// brings is an error.
void TestStrangePacks::asksForAStateThatIsSwitchedOff()
{
    const QByteArray states =
        ", \"busy\": {\"when\": {\"deep\": true}}, \"free\": {}, \"taken\": {}";
    const QByteArray transitions =
        "{\"from\": \"on\", \"on\": \"look\", \"if\": {\"some children\": [\"WORD\"]}, \"to\": "
        "\"taken\"},"
        "{\"from\": \"on\", \"on\": \"look\", \"to\": \"free\"},"
        "{\"from\": \"on\", \"on\": \"work\", \"to\": \"busy\", \"when\": {\"deep\": true}}";
    const char *more = ", \"switches\": {\"deep\": {\"default\": false}}";
    const auto pack = [&](const char *word) {
        return packFrom(
            states.constData(), QByteArray(transitions).replace("WORD", word).constData(), more);
    };

    Strange shallow(pack("busy"));
    shallow.ask(u"look"_s, a);
    QCOMPARE(shallow.at(a), u"free"_s);
    Staging deep(rulesOf(pack("busy"), { { u"deep"_s, u"true"_s } }), resourcesFrom(a + u'\n' + b));
    deep.ask(u"work"_s, b);
    deep.ask(u"look"_s, a);
    QCOMPARE(deep.at(a), u"taken"_s);
    const QString unknown = errorIn(Rules::make(pack("bussy"), {}));
    QVERIFY2(unknown.contains(u"bussy"), qPrintable(unknown));
}

/// A constraint is checked again when only another tree has changed.
void TestStrangePacks::constraintOnAnotherTree()
{
    for (const char *const relation : { "siblings", "references" }) {
        const QByteArray rows =
            R"({"from": "on", "on": "stop", "to": "off"}], "constraints": [{"in": "on", "holds": {")"
            + QByteArray(relation) + R"(": ["on"]}})";
        const Pack pack = packFrom(", \"off\": {}", rows.constData());
        Staging staging(rulesOf(pack), resourcesFrom(u"/as/x -> /as/y\n/as/y"_s));
        staging.ask(u"stop"_s, u"/as/y"_s);
        QStringList violated;
        for (const Record &record : staging.simulator.records()) {
            for (const Change &change : record.changes) {
                if (change.kind == Change::Kind::Violated)
                    violated += change.path;
            }
        }
        QCOMPARE(violated, QStringList { u"/as/x"_s });
    }
}

const instar::TestClass<TestStrangePacks> registered;
#include "tst_strangepacks.moc"
