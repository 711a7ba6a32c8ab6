// SPDX-License-Identifier: Apache-2.0
// `instar-cli serve --proxy` as a process between curl and a server that is a process, too.

#include "tests/cli/served.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestProxied : public QObject, private FolderUnderTest
{
    Q_OBJECT
private slots:
    void init() { m_folder = QTemporaryDir(); }
    void sameAsDirectly_data();
    void sameAsDirectly();
    void driveThroughConforms();
    void brokenRuleIsFound();
    void unreadIsNotJudged();
};

namespace {

const QString pack = u"network-controller"_s;
const QString sources = QStringLiteral(INSTAR_SOURCE_DIR);

/// A proxy of what is served elsewhere, with what it says in the end.
struct Watched : Served
{
    Watched(const QString &spoken, const QString &server, const QStringList &more = {})
        : Served(QStringList { spoken, u"--proxy"_s, server } + more)
    { }
    Done ended() { return Served::ended(SIGTERM); }
};

} // namespace

void TestProxied::sameAsDirectly_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("exit"); // 5: nothing that was said can be judged
    QTest::newRow("a collection") << QStringList { u"/networking/v1/logicalNetworks"_s } << 0;
    QTest::newRow("a resource") << QStringList { u"/networking/v1/logicalNetworks/Transit"_s } << 0;
    QTest::newRow("HEAD") << QStringList { u"-I"_s, u"/networking/v1/logicalNetworks"_s } << 5;
    QTest::newRow("missing") << QStringList { u"/networking/v1/logicalNetworks/none"_s } << 0;
    QTest::newRow("two on one connection")
        << QStringList { u"/networking/v1/logicalNetworks"_s, u"/networking/v1/gateways"_s } << 0;
    QTest::newRow("a body that waits for 100") << QStringList { u"-H"_s, u"Expect: 100-continue"_s,
        u"-X"_s, u"PUT"_s, u"-d"_s, u"[]"_s, u"/networking/v1/credentials/c"_s }
                                               << 5;
    QTest::newRow("a body in chunks") << QStringList { u"-H"_s, u"Transfer-Encoding: chunked"_s,
        u"-X"_s, u"PUT"_s, u"-d"_s, u"{broken"_s, u"/networking/v1/credentials/c"_s }
                                      << 5;
    QTest::newRow("HTTP/1.0") << QStringList { u"-0"_s, u"/networking/v1/logicalNetworks"_s } << 0;
}

/// What curl gets is the same to the byte, but for the date and the port in links.
void TestProxied::sameAsDirectly()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, exit);
    Served server({ pack });
    Watched proxy(pack, server.origin);
    const auto answered = [&](const QString &origin) {
        QStringList all { u"-s"_s, u"-i"_s, u"--max-time"_s, u"20"_s };
        for (const QString &argument : std::as_const(arguments))
            all += argument.startsWith(u'/') ? origin + argument : argument;
        QByteArray out = ran(u"curl"_s, all).out;
        out.replace(origin.toUtf8(), "ORIGIN");
        QByteArrayList lines;
        for (const QByteArray &line : out.split('\n')) {
            if (!line.startsWith("Date: "))
                lines += line;
        }
        return lines.join('\n');
    };
    const QByteArray directly = answered(server.origin);
    QVERIFY(directly.startsWith("HTTP/1."));
    QCOMPARE(answered(proxy.origin), directly);
    const Done done = proxy.ended();
    QVERIFY2(done.exit == exit, (done.out + done.error).constData());
    QCOMPARE(done.out.contains("nothing judged"), exit == 5);
}

void TestProxied::driveThroughConforms()
{
    Served server({ pack, u"--no-token"_s });
    const QString history = path(u"h.ndjson"_s);
    Watched proxy(pack, server.origin, { u"--history"_s, history, u"--format"_s, u"json"_s });
    const Done drove = ran(cli(),
        { u"drive"_s, proxy.origin,
            sources + u"/resources/scenarios/network-controller/conflict-409.scenario.json"_s,
            u"--pack"_s, pack });
    QVERIFY2(drove.exit == 0, (drove.out + drove.error).constData());
    const Done done = proxy.ended();
    const QJsonObject verdict = QJsonDocument::fromJson(done.out).object();
    QCOMPARE(verdict.value("verdict"_L1).toString(), u"conforms"_s);
    QVERIFY(verdict.value("of"_L1).toInt() > 3);
    QCOMPARE(done.exit, 0);
    QCOMPARE(ran(cli(), { u"judge"_s, history, u"--pack"_s, pack }).exit, 0);
}

/// A server that says "Succeeded" of what it shows as "Failed".
void TestProxied::brokenRuleIsFound()
{
    const QString right = path(u"right.json"_s);
    QByteArray spec = bytesOf(sources + u"/tests/data/descriptions/vaults.json"_s);
    const QString followed =
        written(u"followed.json"_s, spec.replace("original-uri", "operation-location"));
    QCOMPARE(ran(cli(), { u"import"_s, followed, u"-o"_s, right }).exit, 0);
    QByteArray text = bytesOf(right);
    const QByteArray row = R"({"from": "Creating", "on": "succeeded", "to": "Succeeded")";
    QCOMPARE(text.count(row), 1);
    text.replace(row, R"({"from": "Creating", "on": "succeeded", "to": "Failed")");
    const QString wrong = written(u"wrong.json"_s, text);
    Served server({ wrong, u"--speed"_s, u"20"_s, u"--retry-after"_s, u"0"_s });
    Watched proxy(right, server.origin);
    const QString vault = proxy.origin + u"/v2/groups/g/vaults/v"_s;
    const Answer put = curl({ u"-X"_s, u"PUT"_s, u"-d"_s, u"{}"_s, vault });
    QCOMPARE(put.status, 201);
    const QString asked = put.headers.value(u"operation-location"_s);
    QVERIFY(asked.startsWith(proxy.origin)); // the server made it of the Host that it was told
    QTRY_COMPARE(curl({ asked }).json().value("status"_L1).toString(), u"Succeeded"_s);
    QCOMPARE(curl({ vault }).status, 200);
    const Done done = proxy.ended();
    QVERIFY2(done.exit == 1, (done.out + done.error).constData());
    QVERIFY2(done.out.contains("violates"), done.out.constData());
}

/// Where something went by unread nobody is accused.
void TestProxied::unreadIsNotJudged()
{
    Served server({ pack });
    Watched proxy(pack, server.origin);
    const QString port = proxy.origin.section(u':', -1);
    ran(u"bash"_s,
        { u"-c"_s,
            u"exec 3<>/dev/tcp/127.0.0.1/%1; printf 'no HTTP at all\\r\\n\\r\\n' >&3; head -c1 <&3"_s
                .arg(port) });
    const Done done = proxy.ended();
    QCOMPARE(done.exit, 5);
    QCOMPARE(done.out.trimmed(), QByteArray("nothing judged"));
    QVERIFY2(done.error.contains("no verdict"), done.error.constData());
}

const instar::TestClass<TestProxied> registered;
#include "tst_proxied.moc"
