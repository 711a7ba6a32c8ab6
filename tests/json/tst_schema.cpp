// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/scenariofile.h"
#include "model/json/schema.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>
#include <QTest>

// The adapter asks QJsonValue for an int and loses every whole number beyond 2^31 - 1.
#define toInt toInteger
#include <valijson/adapters/qtjson_adapter.hpp>
#undef toInt
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

using namespace instar;
using namespace Qt::StringLiterals;

/// The published schemas, judged by valijson.
class TestSchema : public QObject
{
    Q_OBJECT

private slots:
    void isWhatTheRowsSay_data();
    void isWhatTheRowsSay();
    void validFiles_data();
    void validFiles();
    void randomPacksAreValid();
    void brokenFiles_data();
    void brokenFiles();
    void readerAndSchemaAgree();
    void whatIsReadKeepsToTheScenarioSchema();
    void everyPropertyIsDescribed_data();
    void everyPropertyIsDescribed();
    void largeNumbers_data();
    void largeNumbers();
};

namespace {

const QString packSchemaFile = u"pack.schema.json"_s;
const QString scenarioSchemaFile = u"scenario.schema.json"_s;

QString schemaPath(const QString &file)
{
    return QStringLiteral(INSTAR_SOURCE_DIR "/resources/schemas/") + file;
}

QJsonObject schema(const QString &file)
{
    const Result<QByteArray> bytes = fileBytes(schemaPath(file));
    if (!bytes)
        qFatal("%s", qPrintable(bytes.error()));
    return QJsonDocument::fromJson(*bytes).object();
}

QString complaint(const QJsonValue &target, const QJsonObject &schema)
{
    valijson::Schema rules;
    const QJsonValue source(schema);
    valijson::SchemaParser().populateSchema(valijson::adapters::QtJsonAdapter(source), rules);
    valijson::ValidationResults results;
    if (valijson::Validator().validate(rules, valijson::adapters::QtJsonAdapter(target), &results))
        return {};
    QStringList lines;
    for (const auto &error : results) {
        QString line;
        for (const std::string &step : error.context)
            line += QString::fromStdString(step);
        lines += line + u": "_s + QString::fromStdString(error.description);
    }
    return u"invalid\n"_s + lines.join(u'\n');
}

/// What the validator says; empty: it is valid.
QString complaint(const QByteArray &json, const QJsonObject &schema)
{
    const QJsonDocument document = QJsonDocument::fromJson(json);
    return complaint(document.isArray() ? QJsonValue(document.array())
            : document.isObject()       ? QJsonValue(document.object())
                                        : QJsonValue(),
        schema);
}

/// Puts something else in the place that the numbers lead to, or takes it away.
QJsonValue mutated(const QJsonValue &value, const std::vector<int> &way, size_t at, int what)
{
    const qsizetype size = value.isObject() ? value.toObject().size() : value.toArray().size();
    if (at == way.size() || size == 0) {
        const QJsonValue others[] = { QJsonValue(), u""_s, u"!"_s, u"attempt"_s, 5, -5, 0.5, 700,
            true, false, QJsonArray(), QJsonArray { u"a"_s }, QJsonArray { 1, 2 },
            QJsonArray { QJsonArray() }, QJsonObject(), QJsonObject { { u"x"_s, 1 } },
            QJsonObject { { u"is"_s, u"a"_s } }, QJsonObject { { u"x-y"_s, 1 } } };
        return others[size_t(what) % std::size(others)];
    }
    const qsizetype which = way[at] % size;
    if (value.isArray()) {
        QJsonArray array = value.toArray();
        array[which] = mutated(array[which], way, at + 1, what);
        return array;
    }
    QJsonObject object = value.toObject();
    const QString key = object.keys()[which];
    if (at + 1 == way.size() && what % 3 == 0) {
        const QJsonValue taken = object.take(key);
        if (what % 2)
            object.insert(u"lable"_s, taken);
        return object;
    }
    object[key] = mutated(object[key], way, at + 1, what);
    return object;
}

/// Members of `properties` anywhere in a schema that nobody has described.
void undescribed(const QJsonValue &part, const QString &place, QStringList *missing)
{
    const QJsonObject object = part.toObject();
    const QJsonObject properties = object.value("properties"_L1).toObject();
    for (auto it = properties.begin(); it != properties.end(); ++it) {
        if (it->isObject() && it->toObject().value("description"_L1).toString().isEmpty()
            && !it->toObject().contains("$ref"_L1))
            missing->append(place + u'/' + it.key());
    }
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it.key() != "properties"_L1)
            undescribed(it.value(), place + u'/' + it.key(), missing);
    }
    for (auto it = properties.begin(); it != properties.end();
         ++it) // one may be called "properties", too
        undescribed(it.value(), place + u'/' + it.key(), missing);
    for (const QJsonValue item : part.toArray())
        undescribed(item, place, missing);
}

} // namespace

void TestSchema::isWhatTheRowsSay_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("made");
    QTest::newRow("pack") << packSchemaFile << packSchema();
    QTest::newRow("scenario") << scenarioSchemaFile << scenarioSchema();
}

/// The file is generated: see what this test writes beside the program, and copy it.
void TestSchema::isWhatTheRowsSay()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, made);
    const Result<QByteArray> published = fileBytes(schemaPath(file));
    QVERIFY(published);
    if (*published == made)
        return;
    QSaveFile written(QDir(QCoreApplication::applicationDirPath()).filePath(file));
    QVERIFY(written.open(QIODevice::WriteOnly) && written.write(made) == made.size()
        && written.commit());
    QFAIL(qPrintable(u"copy %1 to %2"_s.arg(written.fileName(), schemaPath(file))));
}

void TestSchema::validFiles_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("schemaFile");
    const QDir source(QStringLiteral(INSTAR_SOURCE_DIR));
    const auto add = [&](const QString &folder, const QString &pattern, const QString &path) {
        const QDir files(source.filePath(folder));
        for (const QString &name : files.entryList({ pattern })) {
            if (name != "index.json"_L1)
                QTest::newRow(qPrintable(folder + u'/' + name)) << files.filePath(name) << path;
        }
    };
    add(u"resources/packs"_s, u"*.json"_s, packSchemaFile);
    add(u"tests/data/packs"_s, u"*.json"_s, packSchemaFile);
    add(u"tests/data/corpus/pack"_s, u"every-key.json"_s, packSchemaFile);
    add(u"tests/data/corpus/scenario"_s, u"every-key.json"_s, scenarioSchemaFile);
    const QDir scenarios(source.filePath(u"resources/scenarios"_s));
    for (const QString &folder : scenarios.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        add(u"resources/scenarios/"_s + folder, u"*.scenario.json"_s, scenarioSchemaFile);
}

void TestSchema::validFiles()
{
    QFETCH(QString, file);
    QFETCH(QString, schemaFile);
    const Result<JsonText> document = loadDocument(file);
    QVERIFY2(document, document ? "" : qPrintable(document.error()));
    QCOMPARE(complaint(document->bytes(), schema(schemaFile)), QString());
}

void TestSchema::randomPacksAreValid()
{
    const QJsonObject rules = schema(packSchemaFile);
    QVERIFY(rc::check("what the writer writes keeps to the schema", [&] {
        RC_ASSERT(complaint(writePack(*randomPack()), rules).toStdString() == std::string());
    }));
}

void TestSchema::brokenFiles_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/bad"));
    for (const QString &name : folder.entryList({ u"*.json"_s }))
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

/// What the reader refuses the schema refuses, too; it cannot see what is there twice or too deep.
void TestSchema::brokenFiles()
{
    QFETCH(QString, file);
    const Result<QByteArray> bytes = fileBytes(file);
    const bool isText = bytes && !QJsonDocument::fromJson(*bytes).isNull();
    const QString name = QFileInfo(file).fileName();
    if (isText && name != u"twice.json" && name != u"deep.json")
        QVERIFY(!complaint(*bytes, schema(packSchemaFile)).isEmpty());
    const Result<JsonText> document = loadDocument(file);
    QVERIFY(!document || !packDraft(*document).diagnostics.isEmpty());
}

void TestSchema::readerAndSchemaAgree()
{
    const QJsonObject rules = schema(packSchemaFile);
    const Result<QByteArray> bytes =
        fileBytes(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/corpus/pack/every-key.json"));
    QVERIFY(bytes);
    const QJsonValue whole = QJsonDocument::fromJson(*bytes).object();
    int valid = 0, refused = 0;
    QVERIFY(rc::check("one takes what the other takes", [&] {
        const auto depth = *rc::gen::inRange<size_t>(1, 9);
        const auto way = *rc::gen::container<std::vector<int>>(depth, rc::gen::inRange(0, 1000));
        const QJsonObject changed = mutated(whole, way, 0, *rc::gen::inRange(0, 1000)).toObject();
        const QByteArray json = QJsonDocument(changed).toJson();
        const Result<JsonText> document = JsonText::parse(json, u"changed.json"_s);
        RC_ASSERT(document);
        const PackDraft draft = packDraft(*document);
        const QString found = complaint(QJsonValue(changed), rules);
        if (found.isEmpty() != draft.diagnostics.isEmpty())
            RC_FAIL(json.toStdString() + draft.error.toStdString() + found.toStdString());
        ++(found.isEmpty() ? valid : refused);
    }));
    QVERIFY2(valid > 5 && refused > 40, qPrintable(u"%1 %2"_s.arg(valid).arg(refused)));
}

/// What nobody finds anything in keeps to the schema; of names the schema knows nothing.
void TestSchema::whatIsReadKeepsToTheScenarioSchema()
{
    const QJsonObject rules = schema(scenarioSchemaFile);
    int valid = 0, refused = 0;
    QVERIFY(rc::check("what the schema refuses the reader refuses", [&] {
        const QJsonObject whole { { u"pack"_s, u"network-controller"_s },
            { u"resources"_s,
                QJsonArray { QJsonObject { { u"path"_s, u"/logicalNetworks/a"_s },
                    { u"state"_s, u"Failed"_s }, { u"references"_s, QJsonArray() },
                    { u"properties"_s, QJsonObject { { u"x"_s, 1 } } } } } },
            { u"switches"_s, QJsonObject { { u"siblingsRunConcurrently"_s, true } } },
            { u"steps"_s,
                QJsonArray {
                    QJsonObject { { u"at"_s, 0 }, { u"op"_s, u"PUT"_s },
                        { u"path"_s, u"/logicalNetworks/a"_s }, { u"id"_s, u"a"_s },
                        { u"duration"_s, 5 }, { u"outcome"_s, u"any"_s }, { u"hang"_s, false },
                        { u"transientFailures"_s, 1 },
                        { u"work"_s,
                            QJsonObject { { u"Updating"_s,
                                QJsonObject { { u"outcome"_s, u"Failed"_s }, { u"hang"_s, true },
                                    { u"properties"_s, QJsonArray { QJsonObject() } } } } } },
                        { u"body"_s, QJsonArray { 1 } } },
                    QJsonObject { { u"end"_s, u"a"_s }, { u"outcome"_s, u"canceled"_s } },
                    QJsonObject { { u"at"_s, 9 },
                        { u"expect"_s,
                            QJsonObject {
                                { u"resources"_s,
                                    QJsonObject { { u"/logicalNetworks/a"_s, QJsonValue::Null } } },
                                { u"operations"_s, QJsonObject { { u"a"_s, u"Succeeded"_s } } },
                                { u"etagsChanged"_s, u"/logicalNetworks/a"_s },
                                { u"violations"_s, 0 } } } } } } };
        const auto depth = *rc::gen::inRange<size_t>(1, 7);
        const auto way = *rc::gen::container<std::vector<int>>(depth, rc::gen::inRange(0, 1000));
        const QJsonObject changed = mutated(whole, way, 0, *rc::gen::inRange(0, 1000)).toObject();
        const QByteArray json = QJsonDocument(changed).toJson();
        const Result<JsonText> document = JsonText::parse(json, u"changed.json"_s);
        RC_ASSERT(document);
        const ScenarioDraft draft = scenarioDraft(*document, *loadPack(u"network-controller"_s));
        const bool isRefused = !complaint(QJsonValue(changed), rules).isEmpty();
        if (isRefused && draft.diagnostics.isEmpty())
            RC_FAIL(json.toStdString());
        ++(isRefused ? refused : valid);
    }));
    QVERIFY2(valid > 5 && refused > 20, qPrintable(u"%1 %2"_s.arg(valid).arg(refused)));
}

void TestSchema::everyPropertyIsDescribed_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("pack") << packSchemaFile;
    QTest::newRow("scenario") << scenarioSchemaFile;
}

void TestSchema::everyPropertyIsDescribed()
{
    QFETCH(QString, file);
    QStringList missing;
    undescribed(schema(file), {}, &missing);
    QCOMPARE(missing.join(u'\n'), QString());
}

void TestSchema::largeNumbers_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<bool>("isWhole");
    QTest::newRow("2^31 - 1") << QByteArray("2147483647") << true;
    QTest::newRow("2^31") << QByteArray("2147483648") << true;
    QTest::newRow("90 days") << QByteArray("7776000000") << true;
    QTest::newRow("2^53") << QByteArray("9007199254740992") << true;
    QTest::newRow("2^53 + 2") << QByteArray("9007199254740994") << false;
    QTest::newRow("2^31 and a half") << QByteArray("2147483648.5") << false;
    QTest::newRow("half") << QByteArray("0.5") << false;
    QTest::newRow("text") << QByteArray("\"1\"") << false;
}

/// Wherever a pack or a scenario has a whole number of ms, schema and reader agree on 2^53.
void TestSchema::largeNumbers()
{
    QFETCH(QByteArray, number);
    QFETCH(bool, isWhole);
    const QByteArray packs[] = {
        R"({"id": "p", "types": {}, "machines": {}, "operations": {"o": {"duration": N}}})",
        R"({"id": "p", "types": {}, "machines": {}, "conditions": {"c": {"elapsed": {"since": "t", "ms": N}}}})",
        R"({"id": "p", "types": {}, "machines": {}, "conditions": {"c": {"property": {"name": "t", "above": N}}}})",
        R"({"id": "p", "types": {}, "machines": {"m": {"rest": "a", "states": {"a": {"timer": {"op": "o", "every": N}}}}}})",
        R"({"id": "p", "types": {}, "machines": {"m": {"rest": "a", "states": {"a": {}}, "transitions":
            [{"from": "a", "on": "o", "to": "a", "set": {"x": {"add": N}}}]}}})",
        // these may name a property, too
        R"({"id": "p", "types": {}, "machines": {"m": {"rest": "a", "states": {"a": {"timer": {"op": "o", "after": N}}}}}})",
        R"({"id": "p", "types": {}, "machines": {"m": {"rest": "a", "states": {"a": {}}, "transitions":
            [{"from": "a", "on": "o", "to": "a", "after": N}]}}})",
    };
    const QJsonObject rules = schema(packSchemaFile);
    for (const QByteArray &pack : packs) {
        const bool mayBeText = number.startsWith('"') && pack.contains("\"after\"");
        const Result<JsonText> document =
            JsonText::parse(QByteArray(pack).replace("N", number), u"big.json"_s);
        QVERIFY(document);
        const bool isGood = isWhole || mayBeText;
        QVERIFY2(complaint(document->bytes(), rules).isEmpty() == isGood, pack.constData());
        const Result<Pack> read = readPack(*document);
        QCOMPARE(bool(read), isGood);
        if (number == "0.5" && !pack.contains("\"after\""))
            QVERIFY2(read.error().contains(u"2^53, found 0.5"_s), qPrintable(read.error()));
    }
}

const instar::TestClass<TestSchema> registered;
#include "tst_schema.moc"
