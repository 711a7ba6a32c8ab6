// SPDX-License-Identifier: Apache-2.0
// `instar-cli judge --coverage` as a process: which rules a history has exercised.

#include "tests/cli/served.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestExercised : public QObject, private FolderUnderTest
{
    Q_OBJECT

private slots:
    void counts();
    void asText_data() { addRowsOf("format", { u"text"_s, u"html"_s }); }
    void asText();

private:
    QString history(const QByteArray &more = {})
    {
        return written(u"history.ndjson"_s,
            R"({"history": 1, "pack": "network-controller", "resources": [{"path": "/logicalNetworks/n"}]}
{"request": "r1", "client": "A", "op": "PUT", "path": "/logicalNetworks/n", "sent": 10, "answered": 12, "answer": {"accepted": true}}
{"seen": "/logicalNetworks/n", "from": 20, "to": 21, "state": "Updating"}
)" + more);
    }
    static int exercised(const QJsonObject &json, const QString &what)
    {
        return json[u"coverage"_s][what][u"exercised"_s].toInt(-1);
    }
};

namespace {

constexpr auto Collision =
    R"({"request": "r2", "client": "B", "op": "DELETE", "path": "/logicalNetworks/n", "sent": 30, "answered": 32, "answer": {"accepted": true}}
{"operation": "r1", "from": 40, "to": 41, "status": "Canceled"}
)";

} // namespace

void TestExercised::counts()
{
    const QStringList json { u"--coverage"_s, u"--format"_s, u"json"_s };
    const Done alone = ran(QStringList { u"judge"_s, history() } + json);
    QCOMPARE(alone.exit, 0);
    QVERIFY(exercised(alone.json(), u"transitions"_s) >= 1);
    QCOMPARE(exercised(alone.json(), u"meetings"_s), 0);
    const Done both = ran(QStringList { u"judge"_s, history(Collision) } + json);
    QCOMPARE(both.exit, 0);
    QCOMPARE(exercised(both.json(), u"meetings"_s), 1);
    QVERIFY(exercised(both.json(), u"transitions"_s) > exercised(alone.json(), u"transitions"_s));
    const QJsonObject met { { u"incoming"_s, u"DELETE"_s }, { u"running"_s, u"PUT"_s },
        { u"at"_s, u"self"_s } };
    QVERIFY(alone.json()[u"coverage"_s][u"meetings"_s][u"left"_s].toArray().contains(met));
    QVERIFY(!both.json()[u"coverage"_s][u"meetings"_s][u"left"_s].toArray().contains(met));
    for (const QString &what : { u"transitions"_s, u"meetings"_s, u"codes"_s }) {
        const QJsonValue part = both.json()[u"coverage"_s][what];
        QCOMPARE(
            part[u"left"_s].toArray().size(), part[u"of"_s].toInt() - part[u"exercised"_s].toInt());
    }
    // Only where it is asked for, and what is explained before the server leaves the rules.
    QVERIFY(
        !ran({ u"judge"_s, history(), u"--format"_s, u"json"_s }).json().contains(u"coverage"_s));
    const Done broken =
        ran(QStringList { u"judge"_s,
                history(R"({"seen": "/logicalNetworks/n", "from": 50, "to": 51, "state": "Deleting"}
)") } + json);
    QCOMPARE(broken.exit, 1);
    QVERIFY(exercised(broken.json(), u"transitions"_s) >= 1);
}

void TestExercised::asText()
{
    QFETCH(const QString, format);
    const Done done =
        ran({ u"judge"_s, history(Collision), u"--coverage"_s, u"--format"_s, format });
    QCOMPARE(done.exit, 0);
    QVERIFY2(done.out.contains(" 1 of "), done.out.constData());
    QVERIFY(done.out.contains("conflicts of two operations"));
    QVERIFY(done.out.contains("not exercised: PUT arrives while DELETE runs (place: "));
}

const instar::TestClass<TestExercised> registered;
#include "tst_exercised.moc"
