// SPDX-License-Identifier: Apache-2.0
#include "model/items/prospectmodel.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestProspectModel : public QObject
{
    Q_OBJECT

private slots:
    void theWorstComesFirst();
};

/// Among endings; what is no ending stays where it is.
void TestProspectModel::theWorstComesFirst()
{
    const Rules rules = rulesOf(packOf(
        R"({"id": "p", "types": {"t": {"machine": "m"}}, "machines": {"m": {"rest": "fine", "states": {
            "none": {"kind": "initial"}, "fine": {}, "Failed": {}, "busy": {"kind": "transitional"}},
            "transitions": [{"from": ["none", "fine"], "on": "go", "to": "busy"}, {"from": "busy", "on": "succeeded", "to": "fine"},
            {"from": "busy", "on": "failed", "to": "Failed"}]}}})"));
    const int machine = rules.machineForType(u"t"_s);
    Prospect prospect;
    for (const QString &path : { u"/t/a"_s, u"/t/b"_s })
        prospect.rows += Prospect::Row { .path = path, .machine = machine };
    const auto add = [&](const QString &name, const QStringList &words, const QStringList &statuses,
                         Prospect::Story::Kind kind = Prospect::Story::Kind::Ending) {
        Prospect::Story story { .kind = kind, .words = words, .trace = { name } };
        for (const QString &status : statuses)
            story.operations.insert(u"op%1"_s.arg(story.operations.size()), status);
        prospect.stories += story;
    };
    const QString good = u"Succeeded"_s;
    add(u"dead"_s, { u"fine"_s, u"fine"_s }, { good, good }, Prospect::Story::Kind::DeadEnd);
    add(u"fine"_s, { u"fine"_s, u"fine"_s }, { good, good });
    add(u"refused"_s, { u"fine"_s, u"fine"_s }, { good, u"Rejected"_s });
    add(u"one"_s, { u"fine"_s, u"Failed"_s }, { good, u"Failed"_s });
    add(u"fine too"_s, { u"fine"_s, QString() }, { good, good });
    add(u"one, and canceled"_s, { u"Failed"_s, u"fine"_s }, { u"Canceled"_s, u"Failed"_s });
    add(u"both"_s, { u"Failed"_s, u"Failed"_s }, { u"Failed"_s, good });
    sortByHarm(&prospect, rules);
    QStringList order;
    for (const Prospect::Story &story : std::as_const(prospect.stories))
        order += story.trace.first();
    QCOMPARE(order,
        (QStringList { u"dead"_s, u"both"_s, u"one, and canceled"_s, u"one"_s, u"refused"_s,
            u"fine"_s, u"fine too"_s }));
}

const TestClass<TestProspectModel> registered;

#include "tst_prospectmodel.moc"
