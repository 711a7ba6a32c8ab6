// SPDX-License-Identifier: Apache-2.0
#include "model/remote/documentlayout.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestKeys : public QObject
{
    Q_OBJECT

private slots:
    void spellings_data();
    void spellings();
    void places();
};

void TestKeys::spellings_data()
{
    QTest::addColumn<QByteArray>("spelled");
    QTest::addColumn<QString>("key");
    QTest::addColumn<bool>("same");
    QTest::addColumn<bool>("sameFolded");
    const auto row = [](const char *name, const char *spelled, const QString &key, bool same,
                         bool folded) {
        QTest::newRow(name) << QByteArray(spelled) << key << same << folded;
    };
    row("plain", "etag", u"etag"_s, true, true);
    row("another", "etag", u"name"_s, false, false);
    row("longer", "etags", u"etag"_s, false, false);
    row("empty", "", u""_s, true, true);
    row("other case", "eTag", u"etag"_s, false, true);
    row("other case in the key", "etag", u"ETAG"_s, false, true);
    row("escaped", R"(et\u0061g)", u"etag"_s, true, true);
    row("escaped, other case", R"(et\u0041g)", u"etag"_s, false, true);
    row("escaped slash", R"(a\/b)", u"a/b"_s, true, true);
    row("not ASCII",
        "gr\xc3\xb6\xc3\x9f"
        "e",
        u"größe"_s, true, true);
    row("not ASCII, other case",
        "GR\xc3\x96\xc3\x9f"
        "E",
        u"größe"_s, false, true);
    row("a sign that folds to a letter",
        "\xe2\x84\xaa"
        "ey",
        u"key"_s, false, true); // the kelvin sign
    row("a key with such a sign", "key", u"\u212Aey"_s, false, true);
}

void TestKeys::spellings()
{
    QFETCH(QByteArray, spelled);
    QFETCH(QString, key);
    const Result<JsonText> document = JsonText::parse("{\"" + spelled + "\":1}", u"f"_s);
    QVERIFY(document);
    const Value spelling = (*document->root().members().begin()).key;
    QTEST(isNamed(spelling, key, Qt::CaseSensitive), "same");
    QTEST(isNamed(spelling, key, Qt::CaseInsensitive), "sameFolded");
    QTEST(bool(member(document->root(), key, Qt::CaseInsensitive)), "sameFolded");
    QTEST(isNamedOneOf(spelling, { u"other"_s, key }, Qt::CaseInsensitive), "sameFolded");
}

void TestKeys::places()
{
    const Result<JsonText> document =
        JsonText::parse(R"({"a": {"B": [1], "b": 2}, "a": 3})", u"f"_s);
    QVERIFY(document);
    const Value root = document->root();
    QCOMPARE(valueAt(root, QStringList(), Qt::CaseSensitive).index(), root.index());
    QVERIFY(valueAt(root, QStringList { u"a"_s, u"b"_s }, Qt::CaseSensitive).integer() == 2);
    QVERIFY(
        valueAt(root, QStringList { u"A"_s, u"b"_s }, Qt::CaseInsensitive).is(Value::Kind::Array));
    QVERIFY(!valueAt(root, QStringList { u"a"_s, u"c"_s, u"d"_s }, Qt::CaseSensitive));
    QVERIFY(!valueAt(root, std::nullopt, Qt::CaseSensitive));
    QVERIFY(!valueAt(Value(), QStringList { u"a"_s }, Qt::CaseSensitive));
}

const instar::TestClass<TestKeys> registered;
#include "tst_keys.moc"
