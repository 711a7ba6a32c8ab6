// SPDX-License-Identifier: Apache-2.0
// `instar-cli drive`, a gate that lets in who shows a key or a token, and `instar-cli serve` behind
// it: three processes. What is written holds no secret.

#include "tests/cli/served.h"
#include "tests/remote/gate.h"
#include "tests/support/testclass.h"

#include <QDirIterator>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestDriveGuarded : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void letsIn_data();
    void letsIn();
    void keptOut_data();
    void keptOut();
    void usage_data();
    void usage();
    void others_data();
    void others();

private:
    QString written(const QString &name, const QByteArray &text) const;
    std::unique_ptr<QTemporaryDir> m_folder;
};

using Variables = QMap<QString, QString>;

const QString client = u"s3cret:of+the client/1"_s, password = u"pass word of alice"_s;

const QByteArray eight = R"({
 "pack": "network-controller",
 "resources": [{"path": "/GatewayPools/p0"}],
 "steps": [
  {"at": 0, "op": "PUT", "path": "/GatewayPools/p0", "id": "a", "duration": 1000},
  {"at": 0, "op": "PUT", "path": "/GatewayPools/p1", "id": "b", "duration": 1000},
  {"at": 0, "op": "PUT", "path": "/GatewayPools/p2", "id": "c", "duration": 1000},
  {"at": 0, "op": "PUT", "path": "/GatewayPools/p3", "id": "d", "duration": 1000},
  {"at": 0, "op": "PUT", "path": "/GatewayPools/p4", "id": "e", "duration": 1000},
  {"at": 0, "op": "PUT", "path": "/GatewayPools/p5", "id": "f", "duration": 1000},
  {"at": 0, "op": "PUT", "path": "/GatewayPools/p6", "id": "g", "duration": 1000},
  {"at": 0, "op": "PUT", "path": "/GatewayPools/p7", "id": "h", "duration": 1000},
  {"at": 500, "op": "DELETE", "path": "/GatewayPools/p0", "id": "i", "duration": 1000},
  {"at": 700, "expect": {"operations": {"a": "Canceled", "i": "InProgress", "h": "InProgress"}}},
  {"at": 3000, "expect": {"resources": {"/GatewayPools/p0": null, "/GatewayPools/p7": "Succeeded"}}}
 ]
})";

/// `F` among the options is a file with the secret.
Done driven(const QString &url, const QString &scenario, const QStringList &more,
    const Variables &variables = {})
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (auto it = variables.begin(); it != variables.end(); ++it)
        environment.insert(it.key(), it.value());
    process.setProcessEnvironment(environment);
    process.start(cli(),
        QStringList { u"drive"_s, url, u"--pack"_s, u"network-controller"_s, scenario } + more,
        QIODevice::ReadOnly);
    if (!process.waitForFinished(100'000)) {
        process.kill();
        process.waitForFinished();
        return { -1, {}, "it did not end" };
    }
    return { process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError() };
}

/// A secret in any form in which it may have been written; empty: there is none.
QByteArray secretIn(const QByteArray &text)
{
    for (const QString &secret : { client, password, Gate::key() }) {
        const QByteArray plain = secret.toUtf8(), encoded = QUrl::toPercentEncoding(secret);
        for (const QByteArray &form : { plain, encoded, plain.toBase64(), encoded.toBase64(),
                 ("the%20client:" + encoded).toBase64() }) {
            if (text.contains(form))
                return form;
        }
    }
    return text.contains("-of-the-gate") ? "a token" : QByteArray();
}

void TestDriveGuarded::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

QString TestDriveGuarded::written(const QString &name, const QByteArray &text) const
{
    const QString path = m_folder->filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write");
    return path;
}

void TestDriveGuarded::letsIn_data()
{
    QTest::addColumn<QString>("wants");
    QTest::addColumn<QString>("secret");
    QTest::addColumn<QStringList>("options"); // G: where the gate is, F: a file with the secret
    QTest::addColumn<Variables>("variables");
    QTest::addColumn<QJsonObject>("more"); // of the gate
    const auto row = [](const char *name, const char *wants, const QString &secret,
                         const QString &options, const Variables &variables = {},
                         const QJsonObject &more = {}) {
        QTest::newRow(name) << QString::fromUtf8(wants) << secret
                            << options.split(u' ', Qt::SkipEmptyParts) << variables << more;
    };
    row("a key in a header", "header X-Odd", Gate::key(),
        u"--api-key-file F --api-key-header X-Odd"_s);
    row("a key in the query", "query api_key", Gate::key(),
        u"--api-key-file F --api-key-query api_key"_s);
    row("a key around us, in the query", "query k", {}, u"--api-key-query k"_s,
        { { u"INSTAR_API_KEY"_s, Gate::key() } });
    const QString id = u"--token-url G/token --client-id the~client"_s;
    row("a client", "bearer", client, id + u" --client-secret-file F --scope read"_s);
    row("a client around us", "bearer", {}, id, { { u"INSTAR_CLIENT_SECRET"_s, client } });
    row("a client whose tokens end", "bearer", client, id + u" --client-secret-file F"_s, {},
        { { u"lifetime"_s, 1 }, { u"proof"_s, u"body"_s } });
    row("a client whose tokens are refused", "bearer", client, id + u" --client-secret-file F"_s,
        {}, { { u"uses"_s, 30 } });
    const QString user = u"--keystone G/identity/v3 --user alice --password-file F "_s;
    row("a user", "subject", password, user + u"--project lab"_s);
    row("a user without a project", "subject", password, user);
    row("a user as OpenStack's clients are told", "subject", {}, u"--keystone G/identity"_s,
        { { u"OS_USERNAME"_s, u"alice"_s }, { u"OS_PASSWORD"_s, password },
            { u"OS_PROJECT_NAME"_s, u"lab"_s } });
    row("a user of another domain", "subject", password,
        user + u"--user-domain d~1 --project lab --project-domain d~2"_s, {},
        { { u"domain"_s, u"d 1"_s }, { u"project_domain"_s, u"d 2"_s } });
    row("a user whose tokens end", "subject", password, user, {}, { { u"lifetime"_s, 1 } });
    row("a user whose tokens are refused", "subject", password, user, {}, { { u"uses"_s, 30 } });
}

void TestDriveGuarded::letsIn()
{
    QFETCH(const QString, wants);
    QFETCH(const QString, secret);
    QFETCH(QStringList, options);
    QFETCH(const Variables, variables);
    QFETCH(QJsonObject, more);
    const Served served({ u"network-controller"_s, u"--no-token"_s });
    more.insert(u"upstream"_s, served.origin);
    more.insert(u"wants"_s, wants);
    const Gate gate(more);
    const QString file = written(u"secret"_s, secret.toUtf8() + '\n');
    for (QString &option : options) {
        option.replace(u'~', u' ');
        option = option == u"F"_s      ? file
            : option.startsWith(u"G/") ? gate.origin + option.mid(1)
                                       : option;
    }
    const QString history = m_folder->filePath(u"history.ndjson"_s);
    const Done done = driven(gate.origin, written(u"s.scenario.json"_s, eight),
        options + QStringList { u"--history"_s, history, u"--format"_s, u"json"_s }, variables);
    QVERIFY2(done.exit == 0, (done.out + done.error).constData());
    QVERIFY(QFile::remove(file));

    const QJsonObject seen = gate.seen();
    const int tokens = seen.value(u"tokens"_s).toInt(), refused = seen.value(u"refused"_s).toInt();
    const bool isLimited = more.contains(u"uses"_s);
    QCOMPARE(refused > 0, isLimited);
    if (isLimited || more.contains(u"lifetime"_s))
        QVERIFY2(tokens > 1, qPrintable(QString::number(tokens)));
    else // though there are three connections: its own, one to make what is there, one to play
        QCOMPARE(tokens, wants.contains(u' ') ? 0 : 1);
    QCOMPARE(seen.value(u"leaks"_s).toInt(), 0);

    // Everything that was written.
    QCOMPARE(secretIn(done.out + done.error), QByteArray());
    int files = 0;
    for (QDirIterator it(m_folder->path(), QDir::Files, QDirIterator::Subdirectories); it.hasNext();
         ++files) {
        QFile one(it.next());
        QVERIFY(one.open(QIODevice::ReadOnly));
        const QByteArray text = one.readAll();
        QVERIFY2(secretIn(text).isEmpty(),
            (one.fileName().toUtf8() + ": " + secretIn(text)).constData());
        if (one.fileName() == history) {
            QVERIFY(text.contains("***"));
            QVERIFY(!wants.startsWith(u"query"_s) || text.contains("_key=***")
                || text.contains("?k=***"));
        }
    }
    QCOMPARE(files, 2);
    // What was hidden is not missed.
    const Done judged = ran(cli(), { u"judge"_s, history, u"--pack"_s, u"network-controller"_s });
    QVERIFY2(judged.exit == 0, (judged.out + judged.error).constData());
    QVERIFY2(!judged.error.contains("not judged"), judged.error.constData());
}

void TestDriveGuarded::keptOut_data()
{
    QTest::addColumn<QJsonObject>("gate");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("part");
    const auto row = [](const char *name, const QJsonObject &gate, const QString &options,
                         const char *part) {
        QTest::newRow(name) << gate << options.split(u' ', Qt::SkipEmptyParts)
                            << QString::fromUtf8(part);
    };
    const QJsonObject bearer { { u"wants"_s, u"bearer"_s } },
        subject { { u"wants"_s, u"subject"_s } };
    const auto with = [](QJsonObject gate, const QString &key, const QJsonValue &value) {
        gate.insert(key, value);
        return gate;
    };
    const QString id = u"--token-url G/token --client-id the~client --client-secret-file F"_s;
    row("a wrong key", { { u"wants"_s, u"query k"_s } }, u"--api-key-file F --api-key-query k"_s,
        "refuses who we say we are (401)");
    row("a wrong client's secret", bearer, id, "401 invalid_client: no such client.");
    row("a wrong password", subject, u"--keystone G/identity/v3 --user alice --password-file F"_s,
        "401 The request you have made requires authentication.");
    row("no such project", with(subject, u"password"_s, u"not the secret"_s),
        u"--keystone G --user alice --password-file F --project other"_s,
        "401 The request you have made requires authentication.");
    row("nobody there", bearer,
        u"--token-url http://127.0.0.1:1/token --client-id x --client-secret-file F"_s,
        "There is no token from http://127.0.0.1:1/token: 127.0.0.1:1 does not answer");
    row("down", with(bearer, u"trouble"_s, u"down"_s), id, "does not answer");
    row("nonsense", with(bearer, u"trouble"_s, u"html"_s), id, "and no JSON object.");
    row("elsewhere",
        with(with(bearer, u"trouble"_s, u"moved"_s), u"origin"_s, u"http://127.0.0.1:1"_s), id,
        "307 Temporary Redirect.");
    row("said back", with(with(bearer, u"trouble"_s, u"echo"_s), u"secret"_s, u"not the secret"_s),
        id, "not for *** or");
    row("not taken, nor renewed",
        with(with(subject, u"password"_s, u"not the secret"_s), u"uses"_s, 0),
        u"--keystone G --user alice --password-file F"_s, "refuses who we say we are (401)");
}

void TestDriveGuarded::keptOut()
{
    QFETCH(QJsonObject, gate);
    QFETCH(QStringList, options);
    QFETCH(const QString, part);
    gate.insert(u"upstream"_s, u"http://127.0.0.1:1"_s);
    const Gate guard(gate);
    for (QString &option : options) {
        option.replace(u'~', u' ');
        if (option == u"F"_s)
            option = written(u"secret"_s, "not the secret\n");
        else if (option.startsWith(u'G'))
            option = guard.origin + option.mid(1);
    }
    const QString history = m_folder->filePath(u"history"_s);
    const Done done = driven(guard.origin,
        written(u"s.scenario.json"_s, R"({"pack": "network-controller", "steps": []})"),
        options + QStringList { u"--history"_s, history });
    QCOMPARE(done.exit, 3);
    QCOMPARE(done.out, QByteArray());
    QCOMPARE(done.error.count('\n'), 1);
    QVERIFY2(done.error.contains(part.toUtf8()), done.error.constData());
    QFile told(history);
    QVERIFY(told.open(QIODevice::ReadOnly));
    for (const QByteArray &text : { done.error, told.readAll() })
        QVERIFY2(!text.contains("not the secret") && !text.contains("not%20the%20secret"),
            text.constData());
}

void TestDriveGuarded::usage_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("part");
    const auto row = [](const char *options, const char *part) {
        QTest::newRow(options) << QString::fromUtf8(options).split(u' ', Qt::SkipEmptyParts)
                               << QString::fromUtf8(part);
    };
    row("--token-url http://h/t --token-file F", "found --token-file and --token-url");
    row("--keystone http://h --token-url http://h/t", "found --token-url and --keystone");
    row("--keystone http://h --api-key-file F", "found --api-key-file and --keystone");
    row("--token-url http://h/t", "--token-url needs --client-id");
    row("--token-url http://h/t --client-id x", "INSTAR_CLIENT_SECRET");
    row("--token-url http://h/t --client-secret-file F", "--token-url needs --client-id");
    row("--client-id x", "need --token-url");
    row("--scope x", "need --token-url");
    row("--keystone http://h", "--keystone needs --user or OS_USERNAME");
    row("--keystone http://h --user x", "OS_PASSWORD");
    row("--project x", "need --keystone");
    row("--project-domain x", "need --keystone");
    row("--user-domain x --user y --password-file F", "need --keystone");
    row("--api-key-query k", "INSTAR_API_KEY");
    row("--api-key-query k --token-file F", "--api-key-query needs --api-key-file");
    row("--api-key-query k --api-key-header X --api-key-file F", "--api-key-query");
    row("--keystone nowhere --user x --password-file F", "\"nowhere\" is no address");
    row("--token-url ftp://h/t --client-id x --client-secret-file F",
        "\"ftp://h/t\" is no address");
    row("--token-url http://a:b@h/t --client-id x --client-secret-file F", "must not hold a user");
    row("--token-url http://h/t --client-id x --client-secret-file /nowhere", "/nowhere");
}

void TestDriveGuarded::usage()
{
    QFETCH(QStringList, options);
    QFETCH(const QString, part);
    options.replaceInStrings(QRegularExpression(u"^F$"_s), written(u"secret"_s, "hush-hush-1\n"));
    const Done done = driven(u"http://127.0.0.1:1"_s,
        written(u"s.scenario.json"_s, R"({"pack": "network-controller", "steps": []})"), options);
    QCOMPARE(done.exit, 2);
    QCOMPARE(done.error.count('\n'), 1);
    QVERIFY2(done.error.contains(part.toUtf8()), done.error.constData());
    QVERIFY(!done.error.contains("hush"));
}

void TestDriveGuarded::others_data()
{
    QTest::addColumn<QString>("wants");
    QTest::newRow("keystone") << u"subject"_s;
    QTest::newRow("oauth") << u"bearer"_s;
}

/// The gate plays its parts well enough for others' clients.
void TestDriveGuarded::others()
{
    QFETCH(const QString, wants);
    const Served served({ u"network-controller"_s });
    const Gate gate({ { u"upstream"_s, served.origin }, { u"wants"_s, wants } });
    const QStringList arguments { QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/signin/oracle.py"),
        QString::fromUtf8(QTest::currentDataTag()), gate.origin,
        u"/networking/v1/logicalNetworks"_s };
    Done done = ran(u"python3"_s, arguments);
    if (done.exit == 77) // another Python than the distribution's may be in the way
        done = ran(u"/usr/bin/python3"_s, arguments);
    if (done.exit == 77)
        QSKIP("not installed (Debian: python3-keystoneauth1, python3-oauthlib, python3-requests)");
    QVERIFY2(done.exit == 0, done.error.constData());
    QCOMPARE(done.out, "200\n");
    QCOMPARE(gate.counted("tokens"), 1);
    QCOMPARE(gate.counted("refused"), 0);
}

} // namespace

const instar::TestClass<TestDriveGuarded> registered;
#include "tst_driveguarded.moc"
