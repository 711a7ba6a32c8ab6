// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rules.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/openapi/description.h"
#include "model/openapi/resourcekinds.h"
#include "model/openapi/yamltext.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

const QString folder = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/descriptions/");

QString said(const Result<JsonText> &text)
{
    return text ? QString::fromUtf8(text->bytes()) : text.error();
}

Result<DescriptionRead> read(const QByteArray &bytes, const QString &name = u"api.yaml"_s)
{
    return readDescription(
        bytes, name, [](const QString &path) { return Error { path + u" is not there"_s }; });
}

DescribedPack imported(const QString &file)
{
    const DescriptionRead description = valueOf(loadDescription(folder + file));
    DescribedPack made = packOf(description.description, file);
    made.remarks = description.remarks + made.remarks;
    return made;
}

/// What check() says of the pack as it would be saved; and that it reads back the same.
QString complaints(const Pack &pack)
{
    const Result<JsonText> document = JsonText::parse(writePack(pack), u"p"_s);
    if (!document)
        return document.error();
    const Result<Pack> back = readPack(*document);
    if (!back)
        return back.error();
    if (!(*back == pack))
        return u"it reads back as another pack"_s;
    QString text;
    for (const Diagnostic &finding : packDiagnostics(*document, *back))
        text += described(u"p"_s, finding) + u'\n';
    const Result<Rules> rules = Rules::make(*back, {});
    return rules ? text : text + rules.error();
}

QStringList types(const Pack &pack)
{
    QStringList result;
    for (const Type &type : pack.types)
        result += type.path;
    return result;
}

/// The machine's rows as "from -on-> to".
QStringList arrows(const Pack &pack, const QString &id)
{
    QStringList result;
    for (const Transition &row : pack.machine(id)->transitions)
        result += u"%1 -%2-> %3"_s.arg(row.from.join(u' '), row.on.join(u' '), row.to.join(u' '));
    return result;
}

bool isTold(const QList<Diagnostic> &remarks, const QString &part, int line = 0)
{
    return std::ranges::any_of(remarks, [&](const Diagnostic &remark) {
        return remark.text.contains(part) && (line == 0 || remark.line == line);
    });
}

/// What PyYAML makes of a list of texts; nothing: it is not installed.
std::optional<QJsonArray> pyYaml(const QJsonArray &texts, const QStringList &options = {})
{
    QProcess python;
    python.start(u"python3"_s, QStringList { folder + u"readyaml.py"_s } + options);
    python.write(QJsonDocument(texts).toJson());
    python.closeWriteChannel();
    if (!python.waitForFinished(120'000) || python.exitCode() != 0)
        return {};
    return QJsonDocument::fromJson(python.readAllStandardOutput()).array();
}

/// One JSON value, whatever the order of its members; duplicate members: the first counts.
QJsonValue plain(Value value)
{
    if (value.is(Value::Kind::Array)) {
        QJsonArray list;
        for (const Value item : value.items())
            list.append(plain(item));
        return list;
    }
    if (!value.is(Value::Kind::Object))
        return value.json();
    QJsonObject object;
    for (const Member member : value.members()) {
        if (!object.contains(member.key.string()))
            object.insert(member.key.string(), plain(member.value));
    }
    return object;
}

QByteArray compact(const QJsonValue &value)
{
    return QJsonDocument(QJsonArray { value }).toJson(QJsonDocument::Compact);
}

} // namespace

class TestDescriptions : public QObject
{
    Q_OBJECT
private slots:
    void yaml_data();
    void yaml();
    void yamlAsOthersReadIt();
    void yamlOthersWrite();
    void yamlKeepsLines();
    void yamlBombsAreBounded();
    void notADescription_data();
    void notADescription();
    void harbour();
    void neighboursAndSchemas();
    void referencesStayInTheFolder();
    void vaults();
    void strangeNames();
    void documentsOfTypes_data();
    void documentsOfTypes();
    void listsOfOneType();
    void whatIsLost();
    void wordsInTheQuery();
    void finalStateVia_data();
    void finalStateVia();
    void words();
    void circlesEnd();
    void longChains();
    void duplicatesAreTold();
    void largeInSeconds();
};

void TestDescriptions::yaml_data()
{
    const Rows<QString, QString> row("yaml", "json");
    row("empty", u""_s, u"null"_s);
    row("words", u"[true, null, ~, 1, -2.5e3, 0x10, 007, yes, 'true', \"a\\tb\"]"_s,
        u"[true,null,null,1,-2.5e3,\"0x10\",\"007\",\"yes\",\"true\",\"a\\tb\"]"_s);
    row("keys are text", u"{200: a, true: b, ~: c}"_s,
        u"{\"200\":\"a\",\"true\":\"b\",\"null\":\"c\"}"_s);
    row("alias", u"{a: &x {b: [1]}, c: *x}"_s, u"{\"a\":{\"b\":[1]},\"c\":{\"b\":[1]}}"_s);
    row("merged", u"{a: &x {b: 1},\n d: {<<: *x}}"_s,
        u"y:2:6: merge keys (<<) are not supported; write out the merged members"_s);
    row("alias of a text as key", u"{a: &x k, *x : 1}"_s, u"{\"a\":\"k\",\"k\":1}"_s);
    row("inside itself", u"a: &x [1, *x]"_s,
        u"y:1:11: this alias refers to a value that contains it"_s);
    row("list as a key", u"? [1]\n: 2"_s,
        u"y:1:3: expected a text as a key, found a list or mapping"_s);
    row("broken", u"a: 1\nb: [1, 2\nc: 3\n"_s, u"y:3:2: end of sequence flow not found"_s);
    row("tab", u"a:\n\tb: 1"_s, u"y:2:3: illegal map value"_s);
}

void TestDescriptions::yaml()
{
    QFETCH(QString, yaml);
    QString found = said(yamlText(yaml.toUtf8(), u"y"_s));
    QTEST(found.remove(u'\n'), "json");
}

/// PyYAML's parser is another one than ours.
void TestDescriptions::yamlAsOthersReadIt()
{
    QStringList texts { u"a: b c\n  d\n"_s, u"a: >\n  x\n  y\n\n  z\n"_s, u"a: |-\n  x\n   y\n"_s,
        u"a: |+\n  x\n\n"_s, u"- 'it''s'\n- \"a\\u00e9\\n\\\"\"\n"_s, u"# only\n"_s,
        u"a: 1 # why\nb: '#no'\n"_s, u"? a\n: b\n? c\n"_s, u"- - 1\n  - 2\n- {a: [], b: {}}\n"_s,
        u"a: &x {p: 1, q: {r: s}}\nc: [*x, *x]\n"_s, u"%YAML 1.2\n---\na: 1\n...\n"_s,
        u"a: 1e3\nb: 0.5\nc: .5\nd: 1_000\ne: 0o7\nf: 2026-11-24\ng: 12:30\n"_s,
        u"a: 'x\n\n  y'\nb: \"p\\\n  q\"\n"_s, u"[a, b: c, {d: e, f}]"_s, u"a:\n- 1\n-\n- x: y\n"_s,
        u"200: ok\ntrue: yes\nnull: no\n"_s, u"key with spaces: v\n\"quoted key\": w\n"_s,
        u"a: http://b:80/c#d\n"_s, u"\u00fc: \u00e4\u20ac\n"_s, u"b: !mine 8\n"_s };
    for (const QString &name : { u"harbour.yaml"_s, u"errors.yaml"_s })
        texts += QString::fromUtf8(*fileBytes(folder + name));
    const auto theirs = pyYaml(QJsonArray::fromStringList(texts));
    if (!theirs)
        QSKIP("PyYAML is not installed");
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const Result<JsonText> ours = yamlText(texts[i].toUtf8(), u"y"_s);
        QVERIFY2(bool(ours) == theirs->at(i).isString(), qPrintable(texts[i] + said(ours)));
        if (!ours)
            continue;
        const auto json =
            QJsonDocument::fromJson('[' + theirs->at(i).toString().toUtf8() + ']').array();
        QCOMPARE(compact(plain(ours->root())), compact(json.first()));
    }
}

void TestDescriptions::yamlOthersWrite()
{
    QJsonArray values;
    QVERIFY(holdsFor(40, 20, [&] {
        const auto text = [] {
            return QString::fromStdU32String(*rc::gen::container<std::u32string>(rc::gen::oneOf(
                rc::gen::elementOf(std::u32string(U"ab: -#?'\"\\\n\t{}[],&*!|>%@`~01.e")),
                rc::gen::inRange<char32_t>(0xa1, 0x2000))));
        };
        QJsonObject object;
        for (int i = *rc::gen::inRange(0, 5); i > 0; --i)
            object.insert(
                text(), QJsonArray { text(), i * 0.5, i, i % 2 == 0, QJsonValue::Null, text() });
        values.append(object);
    }));
    const auto written = pyYaml(values, { u"--dump"_s });
    if (!written)
        QSKIP("PyYAML is not installed");
    for (qsizetype i = 0; i < values.size(); ++i) {
        const QJsonArray styles = written->at(i).toArray();
        QCOMPARE(styles.size(), 30);
        for (const QJsonValue style : styles) {
            const QString text = style.toArray().first().toString();
            const Result<JsonText> ours = yamlText(text.toUtf8(), u"y"_s);
            QVERIFY2(ours, qPrintable(said(ours) + u'\n' + text));
            const auto json = QJsonDocument::fromJson(style.toArray().last().toString().toUtf8());
            QVERIFY2(plain(ours->root()) == json.object(), qPrintable(text));
        }
    }
}

void TestDescriptions::yamlKeepsLines()
{
    const Result<JsonText> text =
        yamlText("a: 1\n\nb:\n  - x\n  - y: |\n      two\n      lines\n    z: 3\n", u"y"_s);
    QVERIFY2(text, qPrintable(said(text)));
    QCOMPARE(text->position(u"/b").line, 3);
    QCOMPARE(text->position(u"/b/0").line, 4);
    QCOMPARE(text->position(u"/b/1/y").line, 5);
    QCOMPARE(text->position(u"/b/1/z").line, 8);
    QCOMPARE(text->at(u"/b/1/y").string(), u"two\nlines\n"_s);
}

/// Nine levels of ten aliases each would be a billion texts.
void TestDescriptions::yamlBombsAreBounded()
{
    QByteArray yaml("a0: &a0 lol\n");
    for (int level = 1; level < 10; ++level) {
        const QByteArray before = "*a" + QByteArray::number(level - 1);
        yaml += "a" + QByteArray::number(level) + ": &a" + QByteArray::number(level) + " ["
            + QByteArrayList(10, before).join(", ") + "]\n";
    }
    QElapsedTimer clock;
    clock.start();
    const QString text = said(yamlText(yaml, u"y"_s, 4'000'000));
    QVERIFY2(
        text.startsWith(u"y:"_s) && text.contains(u"more than 4 MB"), qPrintable(text.left(200)));
    QVERIFY(clock.elapsed() < 5000);
    const QByteArray deep = QByteArray(100'000, '[');
    QVERIFY(!yamlText(deep, u"y"_s));
}

void TestDescriptions::notADescription_data()
{
    const Rows<QString, QString, QString> row("name", "text", "error");
    const QString expected = u"expected an OpenAPI 3 or Swagger 2 description, found "_s;
    row("a list", u"a.json"_s, u"[]"_s, u"a.json:1: "_s + expected + u"a list"_s);
    row("other JSON", u"a.json"_s, u"{\"machines\": {}}"_s,
        u"a.json:1: "_s + expected + u"neither the key \"openapi\" nor \"swagger\""_s);
    row("prose", u"a.txt"_s, u"Dear reader"_s, u"a.txt:1: "_s + expected + u"a string"_s);
    row("old", u"a.json"_s, u"{\"swagger\": \"1.2\"}"_s,
        u"a.json:1: expected OpenAPI 3 or Swagger 2, found Swagger 1.2"_s);
    row("nothing in it", u"a.yaml"_s, u"\nopenapi: 3.1.0\npaths: {}\n"_s,
        u"a.yaml:2: the description has no operations, so there is nothing to import"_s);
    row("broken JSON", u"a.json"_s, u"{\n\"swagger\": }"_s,
        u"a.json:2:12: expected a value, found '}'"_s);
}

void TestDescriptions::notADescription()
{
    QFETCH(QString, name);
    QFETCH(QString, text);
    QTEST(errorIn(read(text.toUtf8(), name)), "error");
}

void TestDescriptions::harbour()
{
    const DescribedPack made = imported(u"harbour.yaml"_s);
    const Pack &pack = made.pack;
    QCOMPARE(complaints(pack), QString());
    QCOMPARE(pack.id, u"harbour-master"_s);
    QCOMPARE(pack.wire.base, u"/api/live/v1"_s);
    QCOMPARE(types(pack),
        (QStringList {
            u"berths"_s, u"berths/ships"_s, u"berths-purge"_s, u"tide"_s, u"charts"_s }));
    QCOMPARE(arrows(pack, u"berths"_s),
        (QStringList { u"Active Stopped Broken by error -changeBerth-> (same)"_s,
            u"Active Stopped Broken by error -closeBerth-> Deleting"_s,
            u"absent -openBerth-> Active"_s, u"* -openBerth-> "_s,
            u"Creating -succeeded-> Active"_s, u"Creating -failed canceled-> Broken by error"_s,
            u"Deleting -succeeded-> absent"_s, u"Deleting -failed canceled-> Broken by error"_s }));
    QVERIFY(
        arrows(pack, u"berths/ships"_s).contains(u"Active Stopped Failed -stopShip-> Stopped"_s));
    QStringList sample;
    for (const ResourceSpec &one : pack.sample)
        sample += one.path;
    QCOMPARE(sample,
        (QStringList { u"/berths/berth-1"_s, u"/berths/berth-1/ships/ship-1"_s,
            u"/berths-purge/berths-purge"_s, u"/tide/tide"_s, u"/charts/ocean-1,sheet-1"_s }));
    // Two holes of which no first one is a resource are one name.
    const auto chart = std::ranges::find(pack.wire.requests, u"printChart"_s, &WireRequest::ask);
    QCOMPARE(chart->of, u"/charts/{ocean},{sheet}"_s);
    QVERIFY(isTold(made.remarks, u"closeBerth answers 202"_s, 37));
    QVERIFY(isTold(made.remarks, u"stopShip leads to Stopped through Stopping"_s));
}

void TestDescriptions::neighboursAndSchemas()
{
    const DescriptionRead description = valueOf(loadDescription(folder + u"harbour.yaml"_s));
    QVERIFY(description.remarks.isEmpty());
    const auto get =
        std::ranges::find(description.description.operations, u"getBerth"_s, &ApiOperation::id);
    const ApiShape *error = description.description.shape(get->answer(0));
    QVERIFY2(error && error->find({ u"code"_s }), "a neighbour's schema");
    const Result<DescriptionRead> alone = read(
        "openapi: 3.0.0\npaths:\n  /a:\n    get:\n      responses: {200: {$ref: 'x.yaml#/A'}}\n");
    QVERIFY(alone);
    QVERIFY(isTold(alone->remarks, u"x.yaml is not there"_s));
    QVERIFY(isTold(alone->remarks, u"the reference x.yaml#/A has no target"_s, 5));
    const Result<DescriptionRead> web =
        read("openapi: 3.0.0\npaths:\n  /a:\n    get:\n      responses: {200: {$ref: "
             "'https://a.example/b#/A'}}\n");
    QVERIFY(web && isTold(web->remarks, u"has no target"_s));
}

/// A description must not read what its author could not name beside it.
void TestDescriptions::referencesStayInTheFolder()
{
    QTemporaryDir temporary;
    const QDir root(temporary.path());
    QVERIFY(root.mkpath(u"api/parts"_s));
    const auto write = [&](const QString &name, const QByteArray &text) {
        QFile file(root.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write(u"secret.yaml"_s, "A: {description: secret}\n");
    write(u"api/parts/inside.yaml"_s, "A: {description: fine}\n");
    QVERIFY(QFile::link(root.filePath(u"secret.yaml"_s), root.filePath(u"api/link.yaml"_s)));
    const auto remarks = [&](const QString &reference, OutsideFiles outside) {
        write(u"api/api.yaml"_s,
            "openapi: 3.0.0\npaths:\n  /a:\n    get:\n      responses: {200: {$ref: '"
                + reference.toUtf8() + "#/A'}}\n");
        const Result<DescriptionRead> read =
            loadDescription(root.filePath(u"api/api.yaml"_s), outside);
        QStringList texts { read ? QString() : read.error() };
        for (const Diagnostic &remark : read ? read->remarks : QList<Diagnostic>())
            texts += remark.text;
        return texts.join(u'\n');
    };
    QCOMPARE(remarks(u"parts/inside.yaml"_s, OutsideFiles::Refused), QString());
    for (const QString &outside : { u"../secret.yaml"_s, u"parts/../../secret.yaml"_s,
             u"link.yaml"_s, u"%2e%2e/secret.yaml"_s }) {
        const QString told = remarks(outside, OutsideFiles::Refused);
        QVERIFY2(told.contains(u"outside the description's folder"_s), qUtf8Printable(told));
        QVERIFY2(told.contains(u"--allow-outside"_s), qUtf8Printable(told));
        QCOMPARE(remarks(outside, OutsideFiles::Read), QString());
    }
}

void TestDescriptions::vaults()
{
    const DescribedPack made = imported(u"vaults.json"_s);
    const Pack &pack = made.pack;
    QCOMPARE(complaints(pack), QString());
    QCOMPARE(pack.wire.base, u"/v2"_s);
    QCOMPARE(types(pack), QStringList { u"vaults"_s });
    QCOMPARE(arrows(pack, u"vaults"_s),
        (QStringList { u"absent -Vaults_CreateOrUpdate-> Creating"_s,
            u"Succeeded Failed Canceled -Vaults_CreateOrUpdate-> Updating"_s,
            u"absent -Vaults_Delete-> absent"_s,
            u"Succeeded Failed Canceled -Vaults_Delete-> Deleting"_s,
            u"Succeeded Failed Canceled -Vaults_Rotate-> at rotate"_s,
            u"Creating -succeeded-> Succeeded"_s, u"Creating -failed-> Failed"_s,
            u"Creating -canceled-> Canceled"_s, u"Updating -succeeded-> Succeeded"_s,
            u"Updating -failed-> Failed"_s, u"Updating -canceled-> Canceled"_s,
            u"Deleting -succeeded-> absent"_s, u"Deleting -failed-> Failed"_s,
            u"Deleting -canceled-> Canceled"_s, u"at rotate -succeeded-> (last)"_s,
            u"at rotate -failed-> Failed"_s, u"at rotate -canceled-> Canceled"_s }));
    QCOMPARE(pack.wire.document(u"resource"_s)->json,
        QByteArray("{\"etag\": \"{etag}\", \"properties\": {\"provisioningState\": \"{state}\", "
                   "\"{body}\": "
                   "\"properties\"}, \"{body}\": true}"));
    const auto rotate = std::ranges::find_if(pack.wire.answers,
        [](const WireAnswer &row) { return row.to.contains(u"Vaults_Rotate"_s); });
    QCOMPARE(rotate->code, 202);
    QCOMPARE(rotate->headers.first(), (WireHeader { u"Location"_s, u"{result url}"_s }));
}

/// What real descriptions have: one path with two names for its hole, words as they go over the
/// wire, operations in files of their own, and names that mean something else in a pack.
void TestDescriptions::strangeNames()
{
    const Result<DescriptionRead> read = readDescription(R"(
openapi: 3.0.0
paths:
  /a/{x}:
    get: {operationId: one, responses: {200: {content: {application/json: {schema: {
      properties: {status: {type: string, enum: ['*', (last), Active, Failed]}}}}}}}}
  /a/{y}:
    get: {operationId: two}
    delete: {operationId: failed, responses: {202: {}}}
  /b%20c/{z}:
    put: {$ref: 'put.yaml'}
  /a/{x}?restype=acl:
    get: {operationId: again}
  /d/{version}/{base}:
    put: {operationId: resource}
)",
        u"api.yaml"_s, [](const QString &path) -> Result<QByteArray> {
            if (path != u"put.yaml")
                return Error { path };
            return QByteArray("operationId: fromAFile\nresponses: {201: {}}\n");
        });
    QVERIFY2(read, qPrintable(read ? QString() : read.error()));
    const DescribedPack made = packOf(read->description, u"api.yaml"_s);
    const QString found = complaints(made.pack);
    QCOMPARE(found, QString());
    QVERIFY(isTold(
        made.remarks, u"two (GET /a/{y}) is left out: the path differs from another path"_s, 8));
    QVERIFY(isTold(read->remarks, u"GET /a/{x}?restype=acl is left out"_s, 13));
    QStringList asked;
    for (const WireRequest &row : made.pack.wire.requests)
        asked += row.ask + u' ' + row.path;
    QCOMPARE(asked,
        (QStringList { u"result {base}/operations-results/{operation}"_s,
            u"operation {base}/operations/{operation}"_s, u"resource {base}/a/{x}"_s,
            u"DELETE /a/{y} {base}/a/{x}"_s, u"fromAFile {base}/b c/{z}"_s,
            u"PUT /d/{version}/{base} {base}/d/{version2}/{base2}"_s }));
    QStringList states;
    for (const State &state : made.pack.machines.first().states)
        states += state.id;
    QCOMPARE(states, (QStringList { u"absent"_s, u"Active"_s, u"Failed"_s, u"deleting"_s }));
}

void TestDescriptions::documentsOfTypes_data()
{
    addColumns<QString, QString, QByteArray>("type", "document", "json");
    const auto row = [](const char *file, const QString &type, const QString &document,
                         const char *json) {
        QTest::addRow("%s, %s of %s", file, qPrintable(document), qPrintable(type))
            << type << document << QByteArray(json);
    };
    row("cloud.yaml", u"servers"_s, u"collection"_s, R"({"servers": ["{resources}"]})");
    row("cloud.yaml", u"actions"_s, u"collection"_s, R"({"actions": ["{resources}"]})");
    row("cloud.yaml", u"servers"_s, u"answer"_s, R"({"server": {"{document}": "resource"}})");
    row("cloud.yaml", u"actions"_s, u"resource"_s,
        R"({"id": "{name}", "status": "{state}", "{body}": "properties"})");
    row("volumes.yaml", u"volumes"_s, u"answer"_s, R"({"volume": {"{document}": "resource"}})");
    row("volumes.yaml", u"snapshots"_s, u"answer"_s, R"({"snapshot": {"{document}": "resource"}})");
    row("workloads.json", u"deployments"_s, u"resource"_s,
        R"({"metadata": {"name": "{name name}", "namespace": "{name namespace}", "{body}": true}, "{body}": "properties"})");
    row("cluster.json", u"namespaces/pods"_s, u"collection"_s, R"({"items": ["{resources}"]})");
    row("cache.json", u"providers-Microsoft.Cache-redis"_s, u"collection"_s,
        R"({"nextLink": "", "value": ["{resources}"]})");
    row("sites.yaml", u"sites"_s, u"collection"_s, R"({"next": "", "results": ["{resources}"]})");
}

/// Each type has the shape that the description gives it.
void TestDescriptions::documentsOfTypes()
{
    QFETCH(const QString, type);
    QFETCH(const QString, document);
    QFETCH(const QByteArray, json);
    const Pack pack =
        imported(QString::fromLatin1(QTest::currentDataTag()).section(u',', 0, 0)).pack;
    QCOMPARE(complaints(pack), QString());
    const auto row = std::ranges::find(pack.types, type, &Type::path);
    QVERIFY2(row != pack.types.end(), qPrintable(types(pack).join(u' ')));
    QCOMPARE(pack.wire.document(row->documents.value(document, document))->json, json);
}

/// A list of a group and one of everything are lists of one type; what no row can say is told.
void TestDescriptions::listsOfOneType()
{
    const DescribedPack cache = imported(u"cache.json"_s);
    QCOMPARE(types(cache.pack),
        (QStringList {
            u"providers-Microsoft.Cache-redis"_s, u"providers-Microsoft.Cache-operations"_s }));
    QStringList lists;
    for (const WireRequest &row : cache.pack.wire.requests) {
        if (row.ask == u"collection")
            lists += row.path + u" of "_s + row.of;
    }
    lists.sort();
    QCOMPARE(lists,
        (QStringList {
            u"{base}/subscriptions/{subscriptionId}/providers/Microsoft.Cache/redis?api-version={version} of /providers-Microsoft.Cache-redis"_s,
            u"{base}/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Cache/redis?api-version={version} of /providers-Microsoft.Cache-redis/{resourceGroupName},{name}"_s }));
    QCOMPARE(cache.pack.wire.values.value(u"subscriptionId"_s), u"subscription-1"_s);
    QVERIFY(
        isTold(cache.remarks, u"{subscriptionId} in paths has the same value for all resources"_s));
    const DescribedPack cluster = imported(u"cluster.json"_s);
    QCOMPARE(types(cluster.pack), (QStringList { u"namespaces"_s, u"namespaces/pods"_s }));
    QVERIFY(isTold(cluster.remarks,
        u"listPodForAllNamespaces (GET /api/v1/pods) is left out: the operation lists resources of several parents"_s));
}

/// What cannot be said is told.
void TestDescriptions::whatIsLost()
{
    const Result<DescriptionRead> result = read(R"(
openapi: 3.0.0
info: {title: T, version: "1"}
paths:
  /things:
    get: {operationId: list, parameters: [{name: region, in: query, required: true}], responses: {200: {content: {
      application/json: {schema: {properties: {count: {type: integer}}}}}}}}
  /things/{id}:
    get: {operationId: get, responses: {200: {content: {application/json: {schema: {
      properties: {id: {type: string}, status: {type: string}}}}}}}}
)");
    QVERIFY(result);
    const DescribedPack made = packOf(result->description, u"t.yaml"_s);
    QVERIFY(isTold(made.remarks, u"list needs region in its query"_s, 6));
    QVERIFY(isTold(
        made.remarks, u"things: the answer of the resource's collection contains no list"_s));
    QVERIFY(isTold(made.remarks,
        u"things: the description does not list the values of status, so that property is left out"_s));
    QVERIFY(std::ranges::count_if(made.remarks, &Diagnostic::isLoss) >= 3);
}

/// Values that the description fixes are said literally; the version is the pack's.
void TestDescriptions::wordsInTheQuery()
{
    const Result<DescriptionRead> result = read(R"(
openapi: 3.0.0
info: {title: T, version: "2020-01-01"}
paths:
  /things/{id}:
    parameters:
      - {name: api-version, in: query, required: true, schema: {type: string}}
      - {name: page, in: query, schema: {type: string}}
    get: {operationId: get, parameters: [{name: view, in: query, required: true, schema: {enum: ['full one']}}]}
    put: {operationId: put, parameters: [{name: api-version, in: query, required: true, schema: {default: '2019'}}]}
)");
    QVERIFY(result);
    const Pack pack = packOf(result->description, u"t.yaml"_s).pack;
    QCOMPARE(complaints(pack), QString());
    QStringList paths;
    for (const WireRequest &row : pack.wire.requests)
        paths += row.method + u' ' + row.path;
    QCOMPARE(paths,
        (QStringList { u"GET {base}/things/{id}?view=full%20one&api-version={version}"_s,
            u"PUT {base}/things/{id}?api-version=2019"_s }));
    QCOMPARE(pack.wire.versions, QStringList { u"2020-01-01"_s });
}

void TestDescriptions::finalStateVia_data()
{
    QTest::addColumn<QString>("header"); // the first of an answer to its start
    QTest::newRow("azure-async-operation") << u"Azure-AsyncOperation: {operation url}"_s;
    QTest::newRow("operation-location") << u"Operation-Location: {operation url}"_s;
    QTest::newRow("location") << u"Location: {result url}"_s;
    QTest::newRow("original-uri") << u"Retry-After: {retry after}"_s;
    QTest::newRow("") << u"Operation-Location: {operation url}"_s;
}

void TestDescriptions::finalStateVia()
{
    QFETCH(const QString, header);
    const QByteArray via = QTest::currentDataTag();
    const Result<DescriptionRead> result = read(R"({"swagger": "2.0", "paths": {"/a/{b}": {"put": {
        "operationId": "put", "x-ms-long-running-operation": true,
        "x-ms-long-running-operation-options": {"final-state-via": ")"
            + via + R"("}, "responses": {"202": {"description": ""}}}}}})",
        u"a.json"_s);
    QVERIFY(result);
    const DescribedPack made = packOf(result->description, u"a.json"_s);
    const WireHeader first = made.pack.wire.answers.first().headers.first();
    QCOMPARE(first.name + u": "_s + first.text, header);
    QCOMPARE(isTold(made.remarks, u"does not say which header of"_s), via.isEmpty());
}

void TestDescriptions::words()
{
    const StateWords forms = StateWords::of(
        { u"Running"_s, u"IN_PROGRESS"_s, u"build_error"_s, u"Canceling"_s, u"DELETED"_s });
    QCOMPARE(forms.resting + forms.gone, (QStringList { u"Running"_s, u"DELETED"_s }));
    QCOMPARE(forms.working, (QStringList { u"IN_PROGRESS"_s, u"Canceling"_s }));
    QCOMPARE(forms.failed, u"build_error"_s);
    const StateWords words = StateWords::of({ u"Created"_s, u"Accepted"_s, u"Succeeded"_s });
    QCOMPARE(words.rest, u"Succeeded"_s);
    QCOMPARE(words.working, (QStringList { u"Created"_s, u"Accepted"_s }));
    const StateWords server =
        StateWords::of({ u"STARTING"_s, u"RUNNING"_s, u"STOPPED"_s, u"VERIFIED"_s });
    QCOMPARE(server.after(u"stop"_s), u"STOPPED"_s);
    QCOMPARE(server.during(u"start"_s), u"STARTING"_s);
    QCOMPARE(server.after(u"verify"_s), u"VERIFIED"_s);
    QCOMPARE(server.after(u"reboot"_s), QString());
}

void TestDescriptions::circlesEnd()
{
    const Result<DescriptionRead> result =
        read("openapi: 3.0.0\npaths:\n  /a/{b}:\n    get:\n      responses:\n        200:\n        "
             "  content:\n"
             "            j/json: {schema: {$ref: '#/c/x'}}\n    put: {responses: {200: {$ref: "
             "'#/c/z'}}}\n"
             "c:\n  x: {allOf: [{$ref: '#/c/x'}, {$ref: '#/c/y'}], properties: {me: {$ref: "
             "'#/c/x'}, s: {type: string}}}\n"
             "  y: {properties: {x: {$ref: '#/c/x'}, y: {$ref: '#/c/y'}}}\n  z: {$ref: '#/c/w'}\n  "
             "w: {$ref: '#/c/z'}\n");
    QVERIFY2(result, qPrintable(result ? QString() : result.error()));
    const ApiShape *shape =
        result->description.shape(result->description.operations[0].answer(200));
    QVERIFY(shape && shape->find({ u"s"_s }));
    QVERIFY(isTold(result->remarks,
        u"#/c/w refers to itself in a cycle (#/c/w, #/c/z) and is left out"_s, 13));
}

/// Each reference is followed once, however many begin or continue a chain, and however many are
/// in one container.
void TestDescriptions::longChains()
{
    constexpr int count = 100'000;
    QByteArray begins, chain;
    for (int i = 0; i < count; ++i) {
        const QByteArray next = QByteArray::number(i + 1);
        begins += QByteArray(R"({"$ref": "#/c/NEXT"},)").replace("NEXT", next);
        chain += QByteArray(R"("HERE": {"$ref": "#/c/NEXT"},)")
                     .replace("HERE", QByteArray::number(i))
                     .replace("NEXT", next);
    }
    QByteArray json = R"({"openapi": "3.0.0", "paths": {"/a": {"get": {"parameters": [
        BEGINS {"$ref": "#/c/0"}]}}}, "c": {
        CHAIN "LAST": {"in": "query", "name": "q", "required": true}}})";
    json.replace("LAST", QByteArray::number(count)).replace("BEGINS", begins);
    json.replace("CHAIN", chain);
    QElapsedTimer clock;
    clock.start();
    const Result<DescriptionRead> result = read(json, u"a.json"_s);
    QVERIFY2(result, qPrintable(result ? QString() : result.error()));
    QCOMPARE(result->remarks.size(), 0);
    QCOMPARE(result->description.operations.first().query.size(), 1);
    QVERIFY2(clock.elapsed() < 8000, qPrintable(QString::number(clock.elapsed())));
}

void TestDescriptions::duplicatesAreTold()
{
    const Result<DescriptionRead> result =
        read("openapi: 3.0.0\npaths:\n  /a/{b}:\n    get: {operationId: first}\n  /a/{b}:\n    "
             "get: {operationId: second}\n");
    QVERIFY(result);
    QCOMPARE(result->description.operations.size(), 1);
    QCOMPARE(result->description.operations.first().id, u"first"_s);
    QVERIFY(isTold(result->remarks, u"\"paths\" has \"/a/{b}\" twice; the second is ignored"_s, 5));
}

/// 10 MB, with as many types as the largest real ones have.
void TestDescriptions::largeInSeconds()
{
    QByteArray json("{\"openapi\": \"3.0.0\", \"info\": {\"title\": \"Large\"}, \"paths\": {\n");
    const QByteArray prose(1200, 'x');
    for (int i = 0; json.size() < 10'000'000; ++i) {
        const QByteArray name = "/kind" + QByteArray::number(i) + "/{id}";
        json += (i ? ",\n\"" : "\"") + name
            + R"(": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}}}},
              "put": {"requestBody": {}, "description": ")"
            + prose + R"(", "responses": {"201": {}}}, "delete": {"responses": {"204": {}}}})";
    }
    json +=
        R"(}, "components": {"schemas": {"S": {"properties": {"status": {"type": "string", "enum": ["Active", "Failed"]}}}}}})";
    QElapsedTimer clock;
    clock.start();
    const Result<DescriptionRead> result = read(json, u"large.json"_s);
    QVERIFY2(result, qPrintable(result ? QString() : result.error()));
    const DescribedPack made = packOf(result->description, u"large.json"_s);
    const qint64 took = clock.elapsed();
    QVERIFY(made.pack.types.size() > 6000);
    QVERIFY2(took < 20'000, qPrintable(QString::number(took)));
}

const instar::TestClass<TestDescriptions> registered;
#include "tst_descriptions.moc"
