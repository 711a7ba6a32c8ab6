// SPDX-License-Identifier: Apache-2.0
#include "model/engine/verdict.h"
#include "model/formats/history.h"
#include "model/formats/pack.h"
#include "tests/support/property.h"
#include "tests/support/recording.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

class TestJudgement : public QObject
{
    Q_OBJECT

private slots:
    void recordingsConform();
};

namespace {

/// As many as rapidcheck is told to try, at least; in the gate a few.
int cases(int usual)
{
    const QByteArray params = qgetenv("RC_PARAMS");
    return params.contains("max_success") ? rc::detail::configuration().testParams.maxSuccess
                                          : usual;
}

std::string whatHappened(
    const Playground &ground, const Recorded &recording, const Verdict &verdict)
{
    return (QString::fromUtf8(writePack(ground.rules.pack()))
        + QString::fromUtf8(writeHistory(recording.history)) + recording.truth
        + verdictText(verdict, u"random"_s))
        .toStdString();
}

Playground anyGround()
{
    static const QStringList packs { u"network-controller"_s, u"network-controller-sync"_s,
        u"pulumi"_s, u"blazar"_s, u"aps"_s };
    const int which = below(7);
    return which < 5 ? knownPlayground(packs[which]) : randomPlayground();
}

} // namespace

void TestJudgement::recordingsConform()
{
    qint64 worlds = 0, most = 0, undecided = 0, histories = 0;
    QVERIFY(holdsFor(cases(150), 100, [&] {
        const Playground ground = anyGround();
        const Recorded recording =
            recorded(ground, { .requests = 1 + below(12), .observations = below(16) });
        const Result<Verdict> verdict =
            verdictOn(recording.history, ground.rules, { .worlds = 100'000 });
        RC_ASSERT(verdict);
        ++histories;
        worlds += verdict->worlds;
        most = std::max(most, verdict->worlds);
        if (verdict->outcome == HistorySearch::Outcome::Undecided) {
            ++undecided;
            RC_LOG() << "undecided" << std::endl;
            return;
        }
        if (verdict->outcome == HistorySearch::Outcome::Violates)
            RC_FAIL(whatHappened(ground, recording, *verdict));
        RC_ASSERT(verdict->explained == verdict->of);
    }));
    qInfo("%lld histories, %lld situations, at most %lld in one, %lld undecided", histories, worlds,
        most, undecided);
    QVERIFY(undecided * 100 <= histories);
}

const TestClass<TestJudgement> registered;
#include "tst_judgement.moc"
