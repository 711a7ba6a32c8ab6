// SPDX-License-Identifier: Apache-2.0
// `instar-cli import` as a process, and what the packs are good for: checked, drawn, served, driven
// and judged by the same program, asked by curl.

#include "tests/cli/served.h"
#include "tests/support/testclass.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestImport : public QObject, private FolderUnderTest
{
    Q_OBJECT
private slots:
    void init() { m_folder = QTemporaryDir(); }
    void packIsWhole();
    void toStdout();
    void served();
    void driven();
    void judgedFromExchanges();
    void theNameInTheBody();

private:
    QString imported(const QString &name);
};

namespace {

const QString specs = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/descriptions/");

QStringList json(const QByteArray &body)
{
    return { u"-H"_s, u"Content-Type: application/json"_s, u"--data-binary"_s,
        QString::fromUtf8(body) };
}

} // namespace

QString TestImport::imported(const QString &name)
{
    const QString pack = path(name + u".pack.json"_s);
    const Done done = ran(cli(), { u"import"_s, specs + name, u"-o"_s, pack });
    return done.exit == 0 ? pack : QString();
}

void TestImport::packIsWhole()
{
    for (const QString &name : { u"harbour.yaml"_s, u"vaults.json"_s }) {
        const QString pack = imported(name);
        QVERIFY(!pack.isEmpty());
        const Done check = ran(cli(), { u"check"_s, pack });
        QCOMPARE(check.exit, 0);
        QCOMPARE(check.out, QByteArray());
        const Done drawn = ran(cli(),
            { u"render"_s, pack, path(u"x.svg"_s), u"--machine"_s,
                name.startsWith(u'h') ? u"berths"_s : u"vaults"_s });
        QVERIFY2(drawn.exit == 0, drawn.error.constData());
        QVERIFY(bytesOf(path(u"x.svg"_s)).contains("Deleting"));
    }
}

/// The pack alone; guesses are on stderr, each with its line.
void TestImport::toStdout()
{
    const Done done = ran(cli(), { u"import"_s, specs + u"harbour.yaml"_s, u"-o"_s, u"-"_s });
    QCOMPARE(done.exit, 0);
    QCOMPARE(done.json().value("id"_L1).toString(), u"harbour-master"_s);
    const QList<QByteArray> lines = done.error.trimmed().split('\n');
    QVERIFY(lines.size() > 5);
    for (const QByteArray &line : lines)
        QVERIFY2(line.contains("harbour.yaml:")
                && (line.contains(": note: ") || line.contains(": warning: ")),
            line.constData());
    QVERIFY(done.error.contains("harbour.yaml:37: note: closeBerth answers 202"));
}

void TestImport::served()
{
    const QString pack = imported(u"harbour.yaml"_s);
    const QString nothing = written(u"n.scenario.json"_s,
        "{\"pack\": \"" + pack.toUtf8() + "\", \"resources\": [], \"steps\": []}");
    Served served(
        { pack, u"--tree"_s, nothing, u"--speed"_s, u"20"_s, u"--retry-after"_s, u"0"_s });
    QVERIFY(!served.origin.isEmpty());
    const QString base = served.origin + u"/api/live/v1"_s;
    QCOMPARE(curl({ base + u"/berths/b1"_s }).status, 404);
    // Errors have the members that the description gives them.
    QVERIFY(curl({ base + u"/berths/b1"_s }).json().contains("message"_L1));
    const Answer made = curl(json(R"({"name": "b1", "depth": 4})") << base + u"/berths"_s);
    QCOMPARE(made.status, 201);
    QCOMPARE(made.json().value("name"_L1).toString(), u"b1"_s);
    QCOMPARE(made.json().value("status"_L1).toString(), u"Active"_s);
    QCOMPARE(made.json().value("depth"_L1).toInt(), 4);
    QCOMPARE(curl(json(R"({"name": "b1"})") << base + u"/berths"_s).status, 409);
    QCOMPARE(curl({ base + u"/berths"_s }).json().value("items"_L1).toArray().size(), 1);
    const Answer changed =
        curl(json(R"({"depth": 5})") << u"-X"_s << u"PATCH"_s << base + u"/berths/b1"_s);
    QCOMPARE(changed.status, 200);
    QCOMPARE(changed.json().value("depth"_L1).toInt(), 5);
    // What is not there has nothing below it.
    QCOMPARE(curl(json("{}") << u"-X"_s << u"PUT"_s << base + u"/berths/b2/ships/s"_s).status, 404);
    const Answer moored = curl(json("{}") << u"-X"_s << u"PUT"_s << base + u"/berths/b1/ships/s"_s);
    QCOMPARE(moored.status, 201);
    QCOMPARE(moored.json().value("status"_L1).toString(), u"Mooring"_s);
    const QString asked = moored.headers.value(u"operation-location"_s);
    QVERIFY2(asked.startsWith(base), qPrintable(asked));
    QTRY_COMPARE(curl({ asked }).json().value("status"_L1).toString(), u"Succeeded"_s);
    QCOMPARE(curl({ u"-X"_s, u"POST"_s, base + u"/berths/b1/ships/s/stop"_s }).status, 200);
    QCOMPARE(curl({ base + u"/berths/b1/ships/s"_s }).json().value("status"_L1).toString(),
        u"Stopped"_s);
    QCOMPARE(curl({ u"-X"_s, u"DELETE"_s, base + u"/berths/b1"_s }).status, 202);
    QTRY_COMPARE(curl({ base + u"/berths/b1"_s }).status, 404);
    QCOMPARE(curl({ base + u"/berths/b1/ships/s"_s }).status, 404);
    QCOMPARE(curl({ u"-X"_s, u"PUT"_s, base + u"/berths"_s }).status, 405);
    QCOMPARE(served.stopped(SIGTERM), 0);
}

void TestImport::driven()
{
    const QString pack = imported(u"vaults.json"_s);
    const QString scenario = written(u"s.scenario.json"_s, R"({"pack": ")" + pack.toUtf8() + R"(",
      "resources": [], "steps": [
      {"at": 0, "op": "Vaults_CreateOrUpdate", "path": "/vaults/g,v", "id": "a"},
      {"at": 500, "expect": {"resources": {"/vaults/g,v": "Creating"}}},
      {"at": 2500, "op": "Vaults_Rotate", "path": "/vaults/g,v", "id": "b"},
      {"at": 5000, "op": "Vaults_Delete", "path": "/vaults/g,v", "id": "c"},
      {"at": 8000, "expect": {"operations": {"a": "Succeeded", "b": "Succeeded", "c": "Succeeded"},
                              "resources": {"/vaults/g,v": null}}}]})");
    const Done run = ran(cli(), { u"run"_s, scenario });
    if (run.exit != 0)
        QFAIL((run.out + run.error).constData());
    Served served({ pack, u"--retry-after"_s, u"1"_s });
    const QString history = path(u"h.ndjson"_s);
    const Done done = ran(
        cli(), { u"drive"_s, served.origin, scenario, u"--pack"_s, pack, u"--history"_s, history });
    if (done.exit != 0)
        QFAIL((done.out + done.error).constData());
    QVERIFY2(done.out.contains("verdict: "), done.out.constData());
    const Done judged = ran(cli(), { u"judge"_s, history, u"--pack"_s, pack });
    QVERIFY2(judged.exit == 0, (judged.out + judged.error).constData());
}

/// A recorded archive is judged as what drive writes; what was forged in it is found, by its line.
void TestImport::judgedFromExchanges()
{
    const QString followed = written(u"followed.json"_s,
        bytesOf(specs + u"vaults.json"_s).replace("original-uri", "operation-location"));
    const QString pack = path(u"followed.pack.json"_s);
    QCOMPARE(ran(cli(), { u"import"_s, followed, u"-o"_s, pack }).exit, 0);
    Served served({ pack, u"--speed"_s, u"20"_s, u"--retry-after"_s, u"0"_s });
    const QString vault = served.origin + u"/v2/groups/g/vaults/v"_s;
    QByteArrayList lines;
    const auto ask = [&](const QString &method, const QString &url, const QByteArray &body = {}) {
        const QDateTime sent = QDateTime::currentDateTimeUtc();
        const Answer answer = curl(
            QStringList { u"-X"_s, method, url } + (body.isEmpty() ? QStringList() : json(body)));
        QJsonArray headers;
        for (auto it = answer.headers.cbegin(); it != answer.headers.cend(); ++it)
            headers += QJsonArray { it.key(), it.value() };
        const QJsonObject exchange { { u"number"_s, lines.size() + 1 },
            { u"sent"_s, sent.toString(Qt::ISODateWithMs) },
            { u"duration"_s, sent.msecsTo(QDateTime::currentDateTimeUtc()) },
            { u"method"_s, method }, { u"url"_s, url },
            { u"requestBody"_s, QString::fromUtf8(body) }, { u"status"_s, answer.status },
            { u"responseHeaders"_s, headers },
            { u"responseBody"_s, QString::fromUtf8(answer.body) } };
        lines += QJsonDocument(exchange).toJson(QJsonDocument::Compact);
        return answer;
    };
    ask(u"GET"_s, vault);
    QTest::qWait(5); // what may overlap tells nothing of the beginning
    const QString asked = ask(u"PUT"_s, vault, "{}").headers.value(u"operation-location"_s);
    QVERIFY(!asked.isEmpty());
    QTRY_COMPARE(ask(u"GET"_s, asked).json().value("status"_L1).toString(), u"Succeeded"_s);
    ask(u"GET"_s, vault);
    const auto judged = [&](const QString &name) {
        const QString file = written(name, lines.join('\n'));
        return ran(cli(), { u"judge"_s, file, u"--pack"_s, pack });
    };
    const Done right = judged(u"right.ndjson"_s);
    QVERIFY2(right.exit == 0, (right.out + right.error).constData());
    QVERIFY2(
        right.out.contains("conforms") && !right.out.contains("0 of 0"), right.out.constData());
    lines.last().replace("Succeeded", "Deleting");
    const Done wrong = judged(u"wrong.ndjson"_s);
    QVERIFY2(wrong.exit == 1, (wrong.out + wrong.error).constData());
    QVERIFY2(wrong.out.contains("violates"), wrong.out.constData());
    // Who speaks what is not in exchanges.
    QCOMPARE(ran(cli(), { u"judge"_s, path(u"right.ndjson"_s) }).exit, 2);
}

/// A name in the path's own member is that of what is made; without one the server makes one up.
void TestImport::theNameInTheBody()
{
    const QString spec = written(u"pets.yaml"_s, R"(
openapi: 3.0.0
info: {title: Pets}
paths:
  /pets:
    get: {responses: {200: {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {201: {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
  /pets/{petId}:
    get: {responses: {200: {description: it, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}
components: {schemas: {Pet: {type: object, properties: {id: {type: integer}, name: {type: string}}}}}
)");
    const QString pack = path(u"pets.pack.json"_s);
    QCOMPARE(ran(cli(), { u"import"_s, spec, u"-o"_s, pack }).exit, 0);
    Served served({ pack });
    const Answer named = curl(json(R"({"id": 7, "name": "Rex"})") << served.origin + u"/pets"_s);
    QCOMPARE(named.status, 201);
    const QJsonObject rex = curl({ served.origin + u"/pets/7"_s }).json();
    QCOMPARE(rex.value("name"_L1).toString(), u"Rex"_s);
    const Answer fresh = curl(json(R"({"name": "Tom"})") << served.origin + u"/pets"_s);
    QCOMPARE(fresh.status, 201);
    const QString id = fresh.json().value("id"_L1).toString();
    QVERIFY(!id.isEmpty());
    QCOMPARE(curl({ served.origin + u"/pets/"_s + id }).status, 200);
}

const instar::TestClass<TestImport> registered;
#include "tst_import.moc"
