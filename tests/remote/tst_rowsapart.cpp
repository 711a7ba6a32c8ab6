// SPDX-License-Identifier: Apache-2.0
// Rows of requests with one method and path that the query, a header, words behind the path or a
// switch tell apart; conditions that members of a body answer; names of members.

#include "model/remote/documentlayout.h"
#include "tests/remote/driver.h"
#include "tests/support/packtext.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestRowsApart : public QObject
{
    Q_OBJECT

private slots:
    void understood_data();
    void understood();
    void underASwitch();
    void calls();
    void saysConditions_data();
    void saysConditions();
    void clientAndServer();
    void spellings_data();
    void spellings();
};

QByteArray withRequests(const QByteArray &rows)
{
    return R"({"id": "p", "types": {"jobs": {"machine": "m"}, "jobs/parts": {"machine": "m"}},
      "switches": {"loud": {"default": false}},
      "machines": {"m": {"rest": "a", "states": {"absent": {"kind": "initial"}, "a": {}}, "transitions": [
        {"from": ["absent", "a"], "on": ["one", "two", "three"], "to": "a"}]}},
      "wire": {"base": "/v1", "suffix": ".json", "requests": [)"
        + rows + R"(], "answers": [], "documents": {}}})";
}

void TestRowsApart::understood_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("kind"); // header
    QTest::addColumn<QString>("said");    // op and path
    const auto row = [](const char *target, const char *kind, const QString &said) {
        QTest::addRow("%s, %s", target, kind) << QByteArray(target) << QByteArray(kind) << said;
    };
    row("/v1/jobs/x?do=two", "", u"two /jobs/x"_s);
    row("/v1/jobs/x?do=tw%6f", "", u"two /jobs/x"_s);
    row("/v1/jobs/x?do=twofold", "", u"one /jobs/x"_s);
    row("/v1/jobs/x?do", "", u"one /jobs/x"_s);
    row("/v1/jobs/x", "", u"one /jobs/x"_s);
    row("/v1/jobs/x", "third", u"three /jobs/x"_s);
    row("/v1/jobs/x?do=two", "third", u"two /jobs/x"_s);
    row("/v1/jobs/x/again", "", u"two /jobs/x"_s);
    row("/v1/jobs/x/again.json", "", u"two /jobs/x"_s);
    row("/v1/jobs/x/parts/y/again", "", u"two /jobs/x/parts/y"_s);
    row("/v1/jobs/x/parts/again", "", u"one /jobs/x/parts/again"_s);
    row("/v1/again", "", u"none"_s);
    row("/v1/jobs/again", "", u"one /jobs/again"_s);
    row("/v1/jobs/x/anew/once", "", u"three /jobs/x"_s);
    row("/v1/jobs/x/anew", "", u"none"_s);
}

void TestRowsApart::understood()
{
    QFETCH(const QByteArray, target);
    QFETCH(const QByteArray, kind);
    static const Rules rules = rulesOf(packOf(withRequests(R"(
      {"ask": "two", "method": "POST", "path": "{base}{path}?do=two"},
      {"ask": "two", "method": "POST", "path": "{base}{path}/again"},
      {"ask": "three", "method": "POST", "path": "{base}{path}/anew/once"},
      {"ask": "three", "method": "POST", "path": "{base}{path}", "with": {"X-Kind": "third"}},
      {"ask": "one", "method": "POST", "path": "{base}{path}"})")));
    const WireRules messages(rules);
    HttpRequest request;
    request.method = "POST";
    request.target = target;
    if (!kind.isEmpty())
        request.headers.append("x-kind", kind);
    const MatchedRequest asked = messages.match(request);
    QTEST(asked.row ? asked.row->ask + u' ' + asked.path : u"none"_s, "said");
}

void TestRowsApart::underASwitch()
{
    const Pack pack = packOf(withRequests(R"(
      {"ask": "two", "method": "POST", "path": "{base}{path}", "when": {"loud": true}},
      {"ask": "one", "method": "POST", "path": "{base}{path}"})"));
    HttpRequest request;
    request.method = "POST";
    request.target = "/v1/jobs/x";
    for (const bool loud : { false, true }) {
        const Rules rules = rulesOf(pack, { { u"loud"_s, loud ? u"true"_s : u"false"_s } });
        const WireRules messages(rules);
        QCOMPARE(messages.match(request).row->ask, loud ? u"two"_s : u"one"_s);
        QCOMPARE(bool(messages.request({ .op = u"two"_s, .path = u"/jobs/x"_s })), loud);
        QVERIFY(messages.request({ .op = u"one"_s, .path = u"/jobs/x"_s }));
    }
}

/// A provider's calls, each answered when its work is done.
void TestRowsApart::calls()
{
    Reference reference(u"pulumi"_s, resourcesFrom(u"/programs/main, /resources/old"_s));
    const auto answered = [&](const QByteArray &method, const QString &path,
                              const QByteArray &body = {}) {
        const qint64 before = reference.server().requests();
        reference.send(method, u"/pulumi"_s + path, body);
        if (!waited([&] { return reference.server().requests() > before; }))
            qFatal("it was not heard");
        reference.simulator().advance(1000);
        const HttpResponse answer = reference.answer();
        return u"%1 %2"_s.arg(answer.status).arg(valueIn(answer, u"state"_s).toString()).trimmed();
    };
    const auto at = [&](const QString &path) {
        return shownAt(reference.simulator().rules(), reference.simulator().world(), path);
    };
    QCOMPARE(answered("PUT", u"/resources/new"_s, R"({"inputs": {"size": 1}})"), u"201 managed"_s);
    QCOMPARE(answered("PUT", u"/resources/new"_s, R"({"inputs": {"size": 2}, "diffs": ["size"]})"),
        u"200 managed"_s);
    QStringList states;
    for (const Change &change : changesIn(reference.simulator())) {
        if (change.to != Rules::None && change.path == u"/resources/new")
            states += reference.simulator().rules().state(change.to).id;
    }
    QVERIFY2(states.contains(u"manage_create"_s) && states.contains(u"manage_update"_s)
            && !states.join(u' ').contains(u"replace"_s),
        qPrintable(states.join(u' ')));
    QCOMPARE(answered("POST", u"/resources/theirs?call=read"_s, "{}"), u"201 external"_s);
    QCOMPARE(answered("POST", u"/resources/theirs"_s, "{}"), u"405"_s);
    QCOMPARE(answered("POST", u"/resources/theirs?call=dance"_s, "{}"), u"405"_s);
    QCOMPARE(answered("DELETE", u"/resources/new"_s), u"204"_s);
    QCOMPARE(at(u"/resources/new"_s), u"absent"_s);
    QCOMPARE(answered("POST", u"/programs/main?call=exit"_s), u"200 exited"_s);
    QCOMPARE(answered("POST", u"/programs/main?call=exit"_s), u"405"_s);
}

void TestRowsApart::saysConditions_data()
{
    // body: empty: an error
    const Rows<QString, bool, QByteArray> row("condition", "holds", "body");
    row("it holds", u"must be replaced"_s, true, R"("replaces":true)");
    row("it does not", u"must be replaced"_s, false, "inputs");
    row("another operation's", u"inputs differ"_s, true, {});
}

void TestRowsApart::saysConditions()
{
    QFETCH(const QString, condition);
    QFETCH(const bool, holds);
    QFETCH(const QByteArray, body);
    const Rules rules = rulesOf(packNamed(u"pulumi"_s));
    Request request { .op = u"manage"_s, .path = u"/resources/x"_s };
    request.conditions.insert(condition, holds);
    const Result<HttpRequest> http = WireRules(rules).request(request);
    QCOMPARE(bool(http), !body.isEmpty());
    if (http) {
        QVERIFY2(http->body.contains(body), http->body.constData());
        QCOMPARE(http->body.contains("replaces"), holds);
    }
}

/// What is said on one side is understood on the other.
void TestRowsApart::clientAndServer()
{
    Reference reference(packNamed(u"pulumi"_s),
        resourcesFrom(u"/programs/main, /resources/a, /resources/b -> /resources/a"_s), patient());
    Driver driver(unhurried(QUrl(reference.origin())), rulesOf(packNamed(u"pulumi"_s)));
    QVERIFY(driver.opened());
    const World &here = driver.controller.world();
    QCOMPARE(here.references.value(here.tree.find(u"/resources/b"_s)),
        QStringList { u"/resources/a"_s });
    const auto asked = [&](const Request &request) {
        const quint32 serial = driver.controller.submit(request);
        const Operation &operation = *driver.controller.operations().find(serial);
        if (!waited([&] {
                reference.simulator().advance(100);
                return operation.isOver() && !driver.controller.isBusy();
            }))
            qFatal("no end");
        return statusName(operation.status);
    };
    Request read { .op = u"read"_s, .path = u"/resources/theirs"_s, .id = u"r"_s };
    QCOMPARE(asked(read), u"Succeeded"_s);
    QCOMPARE(driver.at(u"/resources/theirs"_s), u"external"_s);
    Request replace { .op = u"manage"_s, .path = u"/resources/b"_s, .id = u"m"_s };
    replace.conditions.insert(u"must be replaced"_s, true);
    replace.conditions.insert(u"delete after craete"_s, true);
    QCOMPARE(asked(replace), u"Succeeded"_s);
    QVERIFY(std::ranges::any_of(changesIn(reference.simulator()), [&](const Change &change) {
        return change.to != Rules::None
            && reference.simulator().rules().state(change.to).id
            == u"manage_replace_create_after_delete";
    }));
    QVERIFY(driver.looked());
    QCOMPARE(here.references.value(here.tree.find(u"/resources/b"_s)),
        QStringList { u"/resources/a"_s });
    QCOMPARE(asked(Request { .op = u"exit"_s, .path = u"/programs/main"_s, .id = u"x"_s }),
        u"Succeeded"_s);
}

void TestRowsApart::spellings_data()
{
    const Rows<QByteArray, QString, bool, bool> row("spelled", "key", "same", "sameFolded");
    row("plain", "etag", u"etag"_s, true, true);
    row("another", "etag", u"name"_s, false, false);
    row("empty", "", u""_s, true, true);
    row("other case", "eTag", u"etag"_s, false, true);
    row("escaped", R"(et\u0061g)", u"etag"_s, true, true);
    row("escaped slash", R"(a\/b)", u"a/b"_s, true, true);
    row("not ASCII", "gr\xc3\xb6\xc3\x9f", u"größ"_s, true, true);
    row("not ASCII, other case", "GR\xc3\x96\xc3\x9f", u"größ"_s, false, true);
    row("a key with a sign that folds to a letter", "key", u"\u212Aey"_s, false, true);
}

void TestRowsApart::spellings()
{
    QFETCH(QByteArray, spelled);
    QFETCH(QString, key);
    const JsonText document = valueOf(JsonText::parse("{\"" + spelled + "\":1}", u"f"_s));
    const Value spelling = (*document.root().members().begin()).key;
    QTEST(isNamed(spelling, key, Qt::CaseSensitive), "same");
    QTEST(isNamed(spelling, key, Qt::CaseInsensitive), "sameFolded");
    QTEST(bool(member(document.root(), key, Qt::CaseInsensitive)), "sameFolded");
    QTEST(isNamedOneOf(spelling, { u"other"_s, key }, Qt::CaseInsensitive), "sameFolded");
}

const instar::TestClass<TestRowsApart> registered;
} // namespace

#include "tst_rowsapart.moc"
