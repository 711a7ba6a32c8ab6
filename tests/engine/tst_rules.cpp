// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rules.h"
#include "model/pack/run.h"
#include "tests/support/property.h"
#include "tests/support/randompack.h"
#include "tests/support/ring.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// What the rules make of a pack is what its rows say, however many they are.

class TestRules : public QObject
{
    Q_OBJECT

private slots:
    void candidatesOfPacks_data() { addRowsOf("pack", knownPacks()); }
    void candidatesOfPacks();
    void candidatesOfRandomPacks();
    void manyStatesAndTriggers();
};

namespace {

/// Where the transitions out of the states differ from those that the machines' rows name.
QString wrongCandidates(const Rules &rules)
{
    for (size_t i = 0; i < rules.states().size(); ++i) {
        const Rules::StateRule &state = rules.states()[i];
        const Machine &machine = rules.pack().machines[state.machine];
        const QList<int> leaving = MachineIndex(machine).from(state.id);
        for (int trigger = 0; trigger < rules.triggerCount(); ++trigger) {
            QList<int> expected, found;
            for (const int row : leaving) {
                const Transition &transition = machine.transitions[row];
                if (transition.on.contains(rules.triggerName(trigger)) && rules.applies(transition))
                    expected += row;
            }
            for (const int index : rules.candidates(Rules::StateId(i), trigger))
                found += rules.transition(index).index;
            if (found != expected)
                return machine.id + u' ' + state.id + u' ' + rules.triggerName(trigger);
        }
    }
    return {};
}

} // namespace

void TestRules::candidatesOfPacks()
{
    QFETCH(QString, pack);
    const QList<Switches> combinations = switchCombinations(packNamed(pack));
    for (const Switches &switches : combinations)
        QCOMPARE(wrongCandidates(rulesOf(packNamed(pack), switches)), QString());
}

void TestRules::candidatesOfRandomPacks()
{
    QVERIFY(holdsFor(100, 60, [] {
        const Result<Rules> rules = Rules::make(*randomPack());
        RC_ASSERT(bool(rules));
        RC_ASSERT(wrongCandidates(*rules) == QString());
    }));
}

/// A table of states x triggers would have 400 million places.
void TestRules::manyStatesAndTriggers()
{
    constexpr int count = 20'000;
    for (const bool anywhere : { false, true }) {
        const Rules rules = valueOf(Rules::make(ringOf(count, anywhere)));
        const Rules::TriggerId last = rules.trigger(u"go%1"_s.arg(count - 1));
        QCOMPARE(rules.candidates(rules.stateNamed(0, u"s%1"_s.arg(count - 1)), last).size(), 1u);
        QCOMPARE(rules.candidates(rules.stateNamed(0, u"s7"_s), last).size(), anywhere ? 1u : 0u);
        QVERIFY(rules.candidates(rules.stateNamed(0, u"none"_s), last).empty());
    }
}

const TestClass<TestRules> registered;

#include "tst_rules.moc"
