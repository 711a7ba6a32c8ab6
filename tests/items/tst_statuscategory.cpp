// SPDX-License-Identifier: Apache-2.0
// How a resource in a state fares: from the rules, or where they are silent from the state's word.

#include "model/items/statuscategory.h"
#include "model/json/library.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestStatusCategory : public QObject
{
    Q_OBJECT

private slots:
    void failures_data();
    void failures();
    void onlyByTheirRows();
    void words_data();
    void words();
    void waitingAndGone_data();
    void waitingAndGone();
};

void TestStatusCategory::failures_data()
{
    // expected: the states that are red
    const Rows<QString, QString, QString> row("pack", "machine", "expected");
    const QString samples = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/packs/");
    const QString storage = samples + u"kubernetes-storage.json"_s;
    row("entered by a signal", storage, u"claim"_s, u"Lost"_s);
    row("entered by operations", storage, u"pod"_s, u"Failed"_s);
    row("entered by work", storage, u"volume"_s, u"Failed"_s);
    row("in capitals", samples + u"nova-server.json"_s, u"server"_s, u"ERROR"_s);
}

void TestStatusCategory::failures()
{
    QFETCH(const QString, pack);
    QFETCH(const QString, machine);
    const Rules rules = rulesOf(*loadPack(pack));
    QStringList failed;
    int number = 0;
    for (; rules.pack().machines[number].id != machine; ++number)
        QVERIFY2(number + 1 < rules.pack().machines.size(), qPrintable(machine));
    for (const State &state : rules.pack().machines[number].states) {
        if (rules.applies(state)
            && statusCategoryOf(rules, rules.stateNamed(number, state.id))
                == StatusCategory::Failed)
            failed += state.id;
    }
    QTEST(failed.join(u", "), "expected");
    const std::vector<StatusCategory> all = statusCategoriesOf(rules);
    QCOMPARE(all.size(), rules.states().size());
    for (size_t state = 0; state < all.size(); ++state)
        QCOMPARE(all[state], statusCategoryOf(rules, Rules::StateId(state)));
}

/// States whose names say nothing.
void TestStatusCategory::onlyByTheirRows()
{
    const Rules rules = rulesOf(packOf(R"({"id": "p",
      "types": {"t": {"machine": "m"}, "u": {"machine": "n"}},
      "operations": {"make": {}}, "outcomes": {"late": {"status": "Failed"}, "canceled": {"code": "Stopped"}},
      "machines": {"m": {"rest": "home", "states": {"none": {"kind": "initial"},
          "at work": {"kind": "transitional"}, "home": {}, "left": {}, "odd": {}, "next": {}, "back": {}},
        "transitions": [{"from": ["none", "home", "next"], "on": "make", "to": "at work"},
          {"from": "at work", "on": "succeeded", "to": ["next", "left"]},
          {"from": "at work", "on": "failed", "to": "left"},
          {"from": "at work", "on": "late", "to": "odd"},
          {"from": "at work", "on": "canceled", "to": "back"}]},
        "n": {"rest": "next", "states": {"none": {"kind": "initial"}, "at work": {"kind": "transitional"},
            "next": {}, "left": {}},
          "transitions": [{"from": "none", "on": "make", "to": "at work"},
            {"from": "at work", "on": ["failed", "succeeded"], "to": "left"}]}}})"));
    const auto statusCategory = [&](int machine, const QString &state) {
        return statusCategoryOf(rules, rules.stateNamed(machine, state));
    };
    QCOMPARE(statusCategory(0, u"left"_s), StatusCategory::Failed); // success aims at another first
    QCOMPARE(statusCategory(0, u"odd"_s), StatusCategory::Failed);
    QCOMPARE(statusCategory(0, u"next"_s), StatusCategory::Rest);
    QCOMPARE(statusCategory(0, u"back"_s), StatusCategory::Rest); // where a cancellation leaves it
    QCOMPARE(statusCategory(1, u"left"_s), StatusCategory::Rest); // success leads there, too
    const std::vector<StatusCategory> all = statusCategoriesOf(rules);
    for (size_t state = 0; state < all.size(); ++state)
        QCOMPARE(all[state], statusCategoryOf(rules, Rules::StateId(state)));
}

void TestStatusCategory::waitingAndGone_data()
{
    QTest::addColumn<StatusCategory>("category");
    for (const char *name : { "PENDING", "Waiting", "UNDONE", "pending deletion",
             "pendingReplacement", "PAUSED", "build queued" })
        QTest::newRow(name) << StatusCategory::Waiting;
    for (const char *name : { "TERMINATED", "deleted", "SOFT_DELETED", "aps:deleted", "Gone" })
        QTest::newRow(name) << StatusCategory::Gone;
    for (const char *name :
        { "", "ACTIVE", "spending", "undeleted", "deleted later", "Succeeded", "independent" })
        QTest::newRow(name) << StatusCategory::Rest;
}

void TestStatusCategory::waitingAndGone()
{
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    // A stable state of that name looks so, also where machines begin.
    const QString state = name.isEmpty() ? u"x"_s : name;
    const Rules rules =
        rulesOf(packOf(QByteArray(R"({"id": "p", "types": {"things": {"machine": "m"}},
        "machines": {"m": {"rest": "NAME", "states": {"none": {"kind": "initial"}, "NAME": {}}}}})")
                           .replace("NAME", state.toUtf8())));
    QTEST(statusCategoryOf(rules, rules.stateNamed(0, state)), "category");
}

void TestStatusCategory::words_data()
{
    QTest::addColumn<bool>("expected");
    for (const char *name : { "Failed", "failed", "ERROR", "BUILD_ERROR", "provision failed",
             "VolumeLost", "in-error", "2 faulted" })
        QTest::newRow(name) << true;
    for (const char *name : { "", "Succeeded", "failover", "failed over", "unfailed", "Terror",
             "errors of others", "PAUSED", "mirrorError2" })
        QTest::newRow(name) << false;
}

void TestStatusCategory::words()
{
    QTEST(isFailureName(QString::fromUtf8(QTest::currentDataTag())), "expected");
}

} // namespace

const instar::TestClass<TestStatusCategory> registered;
#include "tst_statuscategory.moc"
