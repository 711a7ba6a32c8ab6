// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oraclepair.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// The engine on the shipped pack against the naive controller of tests/support/oracle, on random
// scenarios: every state of every resource at every moment, every status and error code, every
// attempt, and which etags are the same.

class TestOracle : public QObject
{
    Q_OBJECT

private slots:
    void randomScenarios();
    void manyOperations();
    void everythingWasMet();
};

namespace {

/// What the scenarios led to so far: a comparison in which nothing happens proves nothing.
QMap<QString, int> &met()
{
    static QMap<QString, int> counts;
    return counts;
}

bool agrees(int operations, int cases)
{
    return holdsFor(cases, operations, [operations] {
        const QString problem = disagreement(*anyPlan(operations), met());
        if (!problem.isEmpty())
            RC_FAIL(problem.toStdString());
    });
}

} // namespace

void TestOracle::randomScenarios()
{
    QVERIFY(agrees(14, 5000));
}

void TestOracle::manyOperations()
{
    QVERIFY(agrees(40, 1500));
}

void TestOracle::everythingWasMet()
{
    for (const char *what :
        { "Succeeded ", "Failed InternalServerError", "Canceled Canceled", "InProgress ",
            "replayed", "given to another", "tried again", "several in the way",
            "Rejected NotFound", "Rejected AnotherOperationInProgress",
            "Rejected PreconditionFailed", "Rejected OperationNotSupported",
            "Rejected InvalidResourceReference", "Rejected ReferencedResourceNotProvisioned",
            "Rejected ResourceInUse", "Rejected InUseSubnetCannotBeDeleted",
            "Rejected InUseIpPoolCannotBeDeleted", "Rejected InUseAccessControlListCannotBeDeleted",
            "Rejected InUseCredentialCannotBeDeleted", "Rejected InUseProbeCannotBeDeleted" })
        QVERIFY2(met().value(QString::fromLatin1(what)) >= 20, what);
}

const instar::TestClass<TestOracle> registered;
#include "tst_oracle.moc"
