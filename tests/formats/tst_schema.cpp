// SPDX-License-Identifier: Apache-2.0
#include "model/formats/library.h"
#include "model/formats/pack.h"
#include "model/formats/schema.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QJsonArray>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestSchema : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void validFiles_data();
    void validFiles();
    void randomPacksAreValid();
    void brokenFiles_data();
    void brokenFiles();
    void everyPropertyIsDescribed_data();
    void everyPropertyIsDescribed();
    void schemaThatIsNone();
    void largeNumbers_data();
    void largeNumbers();
};

namespace {

const QString packSchema = u":/instar/schemas/pack.schema.json"_s;
const QString scenarioSchema = u":/instar/schemas/scenario.schema.json"_s;

QJsonObject schema(const QString &path)
{
    const Result<QJsonObject> loaded = loadSchema(path);
    if (!loaded)
        qFatal("%s", qPrintable(loaded.error()));
    return *loaded;
}

/// One line a finding.
QString findings(const Document &document, const QJsonObject &schema)
{
    QStringList lines;
    for (const Finding &finding : schemaFindings(document, schema))
        lines.append(described(document.name(), finding));
    return lines.join(u'\n');
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

void TestSchema::initTestCase()
{
    QVERIFY(!schema(packSchema).isEmpty());
    QVERIFY(!schema(scenarioSchema).isEmpty());
}

void TestSchema::validFiles_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("schemaPath");
    const QDir source(QStringLiteral(INSTAR_SOURCE_DIR));
    const auto add = [&](const QString &folder, const QString &pattern, const QString &path) {
        const QDir files(source.filePath(folder));
        for (const QString &name : files.entryList({ pattern })) {
            if (name != "index.json"_L1)
                QTest::newRow(qPrintable(folder + u'/' + name)) << files.filePath(name) << path;
        }
    };
    add(u"resources/packs"_s, u"*.json"_s, packSchema);
    add(u"tests/data/packs"_s, u"*.json"_s, packSchema);
    add(u"tests/data/corpus/pack"_s, u"every-key.json"_s, packSchema);
    add(u"tests/data/corpus/scenario"_s, u"every-key.json"_s, scenarioSchema);
    const QDir scenarios(source.filePath(u"resources/scenarios"_s));
    for (const QString &folder : scenarios.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        add(u"resources/scenarios/"_s + folder, u"*.scenario.json"_s, scenarioSchema);
}

void TestSchema::validFiles()
{
    QFETCH(QString, file);
    QFETCH(QString, schemaPath);
    const Result<Document> document = loadDocument(file);
    QVERIFY2(document, document ? "" : qPrintable(document.error()));
    QCOMPARE(findings(*document, schema(schemaPath)), QString());
}

void TestSchema::randomPacksAreValid()
{
    const QJsonObject rules = schema(packSchema);
    QVERIFY(rc::check("what the writer writes keeps to the schema", [&] {
        const Result<Document> document =
            Document::parse(writePack(*randomPack()), u"random.json"_s);
        RC_ASSERT(document);
        RC_ASSERT(findings(*document, rules).toStdString() == std::string());
    }));
}

void TestSchema::brokenFiles_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expected");
    const QDir folder(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/bad"));
    for (const QString &name : folder.entryList({ u"*.json"_s })) {
        const Result<QByteArray> expected =
            fileBytes(folder.filePath(name.chopped(5) + u".schema.txt"_s));
        QTest::newRow(qPrintable(name)) << folder.filePath(
            name) << (expected ? QString::fromUtf8(*expected).trimmed() : expected.error());
    }
}

void TestSchema::brokenFiles()
{
    QFETCH(QString, file);
    QFETCH(QString, expected);
    const Result<Document> document = loadDocument(file);
    const QString told = document ? findings(*document, schema(packSchema)) : document.error();
    QCOMPARE(QString(told).replace(file, u"FILE"_s), expected);
}

void TestSchema::everyPropertyIsDescribed_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("pack") << packSchema;
    QTest::newRow("scenario") << scenarioSchema;
}

void TestSchema::everyPropertyIsDescribed()
{
    QFETCH(QString, path);
    QStringList missing;
    undescribed(schema(path), {}, &missing);
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
    const QJsonObject rules = schema(packSchema);
    for (const QByteArray &pack : packs) {
        const bool mayBeText = number.startsWith('"') && pack.contains("\"after\"");
        const Result<Document> document =
            Document::parse(QByteArray(pack).replace("N", number), u"big.json"_s);
        QVERIFY(document);
        const QString found = findings(*document, rules);
        QVERIFY2(found.isEmpty() == (isWhole || mayBeText), qPrintable(pack + found.toUtf8()));
        QCOMPARE(bool(readPack(*document)), isWhole || mayBeText);
        if (number == "0.5" && !pack.contains("\"after\""))
            QVERIFY2(found.contains(u"2^53, found 0.5"_s), qPrintable(found));
    }
}

void TestSchema::schemaThatIsNone()
{
    QVERIFY(!loadSchema(u":/instar/schemas/none.json"_s));
    const Result<Document> document = Document::parse("{}", u"f"_s);
    const QList<Finding> told = schemaFindings(*document, { { u"type"_s, 5 } });
    QCOMPARE(told.size(), 1);
    QVERIFY(told.first().issue.text.startsWith(u"the schema cannot be used: "_s));
}

const instar::TestClass<TestSchema> registered;
#include "tst_schema.moc"
