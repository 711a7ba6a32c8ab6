// SPDX-License-Identifier: Apache-2.0
#include "model/json/jsontext.h"
#include "model/json/output.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <rapidcheck.h>

#include <cmath>

using namespace instar;
using namespace Qt::StringLiterals;

class TestJsonText : public QObject
{
    Q_OBJECT

private slots:
    void pointersOfPlaces();
    void positionsAndPointers_data();
    void positionsAndPointers();
    void positionsOfMany();
    void pointerOfWhatIsMissing();
    void keepsOrderAndDuplicates();
    void findsDuplicates_data();
    void findsDuplicates();
    void strings_data();
    void strings();
    void numbers_data();
    void numbers();
    void rawBytes();
    void everyStringSurvives();
    void jsonLikeQt();
    void layout_data();
    void layout();
};

namespace {

JsonText parsed(const QByteArray &json)
{
    Result<JsonText> document = JsonText::parse(json, u"f"_s);
    if (!document)
        qFatal("%s", qPrintable(document.error()));
    return *std::move(document);
}

int below(int limit)
{
    return *rc::gen::resize(100, rc::gen::inRange(0, limit));
}

/// A string token; keys are few, so that there are some of one name.
QByteArray randomString(int pieces)
{
    static const QByteArrayList some { "a", "b", "Ab", "\\n", "\\\"", "\\\\", "\\/", "\\u0041",
        "\\u00e9", "\\u0000", "\\ud83d\\ude00", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
        "\x7f", " ", "{", "0123456789abcdef" };
    QByteArray token = "\"";
    for (int i = below(pieces + 1); i > 0; --i)
        token += some[below(int(some.size()))];
    return token + '"';
}

QByteArray randomNumber()
{
    static const QByteArrayList whole { "0", "7", "42", "2147483648", "9007199254740992",
        "9007199254740993", "9223372036854775807", "9223372036854775808",
        "123456789012345678901234567890" };
    static const QByteArrayList fraction { "", "", ".0", ".5", ".125", ".3333333333333333" };
    static const QByteArrayList exponent { "", "", "", "e0", "E3", "e+2", "e-2", "e15", "e-300",
        "e200" };
    return (below(2) ? "-" : "") + whole[below(int(whole.size()))]
        + fraction[below(int(fraction.size()))] + exponent[below(int(exponent.size()))];
}

QByteArray randomSpace()
{
    static const QByteArrayList some { "", "", "", " ", "\n\t", "\r\n" };
    return some[below(int(some.size()))];
}

QByteArray randomContainer(int depth);

QByteArray randomValue(int depth)
{
    static const QByteArrayList words { "true", "false", "null" };
    switch (below(depth > 0 ? 5 : 3)) {
    case 0:
        return words[below(3)];
    case 1:
        return randomNumber();
    case 2:
        return randomString(6);
    default:
        return randomContainer(depth - 1);
    }
}

QByteArray randomContainer(int depth)
{
    const bool isObject = below(3) > 0;
    QByteArray json(isObject ? "{" : "[");
    const int count = below(6);
    for (int i = 0; i < count; ++i) {
        json += (i ? "," : "") + randomSpace();
        if (isObject)
            json += randomString(2) + randomSpace() + ':' + randomSpace();
        json += randomValue(depth) + randomSpace();
    }
    return json + (isObject ? "}" : "]");
}

} // namespace

void TestJsonText::positionsAndPointers_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("raw");
    const auto row = [](const char *pointer, int line, int column, const char *raw) {
        QTest::newRow(pointer) << QString::fromLatin1(pointer) << line << column
                               << QString::fromLatin1(raw);
    };
    row("/a", 2, 2, "[10, 20, {\"b\": true}]");
    row("/a/0", 2, 8, "10");
    row("/a/2", 2, 16, "{\"b\": true}");
    row("/a/2/b", 2, 17, "true");
    row("/x~1y", 3, 2, "{\n  \"~\": \"tilde\"}");
    row("/x~1y/~0", 4, 3, "\"tilde\"");
    row("/", 5, 2, "null");
    row("/last", 5, 12, "{}");
}

void TestJsonText::positionsAndPointers()
{
    QFETCH(QString, pointer);
    QFETCH(int, line);
    QFETCH(int, column);
    QFETCH(QString, raw);
    const JsonText document = parsed("{\n \"a\": [10, 20, {\"b\": true}],\n \"x/y\": {\n  \"~\": "
                                     "\"tilde\"},\n \"\": null, \"last\": {}\n}");
    const Value value = document.at(pointer);
    QVERIFY(value);
    QCOMPARE(QString::fromUtf8(value.raw()), raw);
    QCOMPARE(value.pointer(), pointer);
    QCOMPARE(document.position(pointer), (Position { line, column }));
}

/// As one by one, in any order, in lines of any length and letters of several bytes.
void TestJsonText::positionsOfMany()
{
    QByteArray text = "{\n\"two\": [";
    for (int i = 0; i < 1000; ++i)
        text += "\"\xc3\xa4\xe2\x82\xac\", ";
    text += "1],\n\"three\": [";
    for (int i = 0; i < 1000; ++i)
        text += "{\"\xc3\xa9\": 1},";
    const JsonText document = parsed(text + "7]}");
    Locator locator(document);
    for (int i = 0; i < 1000; i += 7) {
        for (const QString &pointer : { u"/two/%1"_s.arg(i * 13 % 1000),
                 u"/three/%1/é"_s.arg(i * 11 % 1000), u"/three/%1"_s.arg(1000 - i) })
            QCOMPARE(locator.position(pointer), document.position(pointer));
    }
    QCOMPARE(locator.position(u"/two/1000"), (Position { 2, 9 + 1000 * 6 }));
}

void TestJsonText::pointerOfWhatIsMissing()
{
    const JsonText document = parsed("{\n \"a\": [\n  {\"b\": 1}]}");
    QVERIFY(!document.at(u"/a/1"));
    QVERIFY(!document.at(u"/a/00"));
    QVERIFY(!document.at(u"/a/-"));
    QVERIFY(!document.at(u"/a/0/c"));
    QVERIFY(!document.at(u"/a/0/b/c"));
    QVERIFY(!document.at(u"a"));
    QCOMPARE(document.position(u"/a/0/c").line, 3);
    QCOMPARE(document.position(u"/zzz/0/c"), Position());
    QCOMPARE(Value().kindName(), u"nothing"_s);
    QCOMPARE(Value().size(), 0);
    QVERIFY(!Value().find("a"));
}

void TestJsonText::keepsOrderAndDuplicates()
{
    const JsonText document = parsed(R"({"z":1,"a":2,"z":3,"m":[],"\u007a":4})");
    QStringList seen;
    for (const Member member : document.root().members())
        seen += member.key.string() + u'=' + QString::fromUtf8(member.value.raw());
    QCOMPARE(seen.join(u' '), u"z=1 a=2 z=3 m=[] z=4"_s);
    QCOMPARE(document.root().size(), 5);
    QCOMPARE(document.root().find("z").integer(), 1);
    QVERIFY(document.root().find("m").items().begin() == document.root().find("m").items().end());
}

void TestJsonText::findsDuplicates_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<int>("column");
    QTest::newRow("none") << QByteArray(R"({"a":1,"b":2})") << 0;
    QTest::newRow("second") << QByteArray(R"({"a":1,"b":2,"a":3})") << 14;
    QTest::newRow("spelled otherwise") << QByteArray(R"({"a":1,"\u0061":3})") << 8;
    QByteArray many = "{";
    for (int i = 0; i < 200'000; ++i)
        many += "\"key" + QByteArray::number(i) + "\":0,";
    QTest::newRow("many, none") << many.chopped(1) + '}' << 0;
    QTest::newRow("many, last") << many + "\"key7\":1}" << int(many.size()) + 1;
}

void TestJsonText::findsDuplicates()
{
    QFETCH(QByteArray, json);
    QFETCH(int, column);
    const JsonText document = parsed(json);
    const Value twice = document.root().duplicateKey();
    QCOMPARE(bool(twice), column > 0);
    if (twice)
        QCOMPARE(twice.position().column, column);
}

void TestJsonText::strings_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << QByteArray(R"("abc")") << u"abc"_s;
    QTest::newRow("empty") << QByteArray(R"("")") << QString();
    QTest::newRow("escapes") << QByteArray(R"("\"\\\/\b\f\n\r\t")") << u"\"\\/\b\f\n\r\t"_s;
    QTest::newRow("unicode") << QByteArray(R"("\u00e9\u20AC")") << u"\u00e9\u20ac"_s;
    QTest::newRow("pair") << QByteArray(R"("x\uD83D\uDE00y")") << u"x\U0001F600y"_s;
    QTest::newRow("utf-8 beside escapes")
        << QByteArray("\"\xC3\xA9\\n\xF0\x9F\x98\x80\"") << u"\u00e9\n\U0001F600"_s;
    QTest::newRow("byte order marks")
        << QByteArray("\"\xEF\xBB\xBF\xEF\xBB\xBFx\"") << u"\uFEFF\uFEFFx"_s;
    QTest::newRow("byte order mark after an escape")
        << QByteArray("\"\\n\xEF\xBB\xBFx\"") << u"\n\uFEFFx"_s;
    QTest::newRow("zero") << QByteArray(R"("a\u0000b")") << QString(u"a\0b"_s);
}

void TestJsonText::strings()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, text);
    const JsonText document = parsed(json);
    QCOMPARE(document.root().string(), text);
    QVERIFY(document.root().isString(text.toUtf8()));
    QVERIFY(!document.root().isString(text.toUtf8() + "x"));
    const JsonText again = parsed(Output::string(text).text());
    QCOMPARE(again.root().string(), text);
}

void TestJsonText::numbers_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<double>("real");
    QTest::addColumn<bool>("isWhole");
    QTest::addColumn<qint64>("whole");
    const double none = qQNaN();
    QTest::newRow("0") << QByteArray("0") << 0.0 << true << qint64(0);
    QTest::newRow("-0") << QByteArray("-0") << 0.0 << true << qint64(0);
    QTest::newRow("-12") << QByteArray("-12") << -12.0 << true << qint64(-12);
    QTest::newRow("2.0") << QByteArray("2.0") << 2.0 << true << qint64(2);
    QTest::newRow("1e3") << QByteArray("1e3") << 1000.0 << true << qint64(1000);
    QTest::newRow("1.5") << QByteArray("1.5") << 1.5 << false << qint64(0);
    QTest::newRow("2^53") << QByteArray("9007199254740992") << 9007199254740992.0 << true
                          << (qint64(1) << 53);
    QTest::newRow("2^53+1") << QByteArray("9007199254740993") << 9007199254740992.0 << true
                            << (qint64(1) << 53) + 1;
    QTest::newRow("largest") << QByteArray("9223372036854775807") << 9223372036854775807.0 << true
                             << std::numeric_limits<qint64>::max();
    QTest::newRow("past it") << QByteArray("9223372036854775808") << 9223372036854775808.0 << false
                             << qint64(0);
    QTest::newRow("1e300") << QByteArray("1e300") << 1e300 << false << qint64(0);
    QTest::newRow("1e400") << QByteArray("1e400") << none << false << qint64(0);
    QTest::newRow("1e-400") << QByteArray("1e-400") << 0.0 << true << qint64(0);
    QTest::newRow("long and tiny") << "0." + QByteArray(500, '0') + "1" << 0.0 << true << qint64(0);
    QTest::newRow("long and huge")
        << "1" + QByteArray(500, '0') + "e-100" << none << false << qint64(0);
    QTest::newRow("huge, tiny exponent")
        << "1" + QByteArray(500, '0') + "e-1000" << 0.0 << true << qint64(0);
    QTest::newRow("endless exponent")
        << QByteArray("1e99999999999999999999999") << none << false << qint64(0);
    QTest::newRow("endless, negative")
        << QByteArray("-1e-99999999999999999999999") << 0.0 << true << qint64(0);
    QTest::newRow("true") << QByteArray("true") << none << false << qint64(0);
    QTest::newRow("\"1\"") << QByteArray("\"1\"") << none << false << qint64(0);
}

void TestJsonText::numbers()
{
    QFETCH(QByteArray, json);
    QFETCH(double, real);
    QFETCH(bool, isWhole);
    QFETCH(qint64, whole);
    const JsonText document = parsed(json);
    QCOMPARE(document.root().number().has_value(), !std::isnan(real));
    if (!std::isnan(real))
        QCOMPARE(*document.root().number(), real);
    QCOMPARE(document.root().integer().has_value(), isWhole);
    if (isWhole)
        QCOMPARE(*document.root().integer(), whole);
}

void TestJsonText::rawBytes()
{
    const QByteArray inner = "{ \"b\" : [ 1.50, \"\\u0041\" ] }";
    const JsonText document = parsed("[0, " + inner + " ,1]");
    QCOMPARE(document.at(u"/1").raw().toByteArray(), inner);
    const JsonText copy = parsed(Output::copy(document.root()).text());
    QCOMPARE(Output::copy(copy.root()).text(), Output::copy(document.root()).text());
    QCOMPARE(copy.at(u"/1/b/0").raw().toByteArray(), "1.50");
}

void TestJsonText::everyStringSurvives()
{
    QVERIFY(rc::check("text -> JSON -> text", [] {
        const auto points = *rc::gen::container<std::u32string>(
            rc::gen::suchThat(rc::gen::cast<char32_t>(rc::gen::inRange(0, 0x110000)),
                [](char32_t c) { return c < 0xD800 || c > 0xDFFF; }));
        const QString text = QString::fromStdU32String(points);
        Output object = Output::object();
        object.add(text, Output::string(text));
        const JsonText document = parsed(object.text());
        const Member member = *document.root().members().begin();
        RC_ASSERT(member.key.string() == text);
        RC_ASSERT(member.value.string() == text);
        RC_ASSERT(member.value.pointer()
            == u'/' + QString(text).replace(u'~', "~0"_L1).replace(u'/', "~1"_L1));
        RC_ASSERT(document.at(member.value.pointer()).index() == member.value.index());
    }));
}

void TestJsonText::jsonLikeQt()
{
    QVERIFY(holdsFor(2000, 100, [] {
        const QByteArray json = randomContainer(4);
        const QJsonDocument qt = QJsonDocument::fromJson(json);
        const QJsonValue ours = parsed(json).root().json();
        const QJsonValue theirs = qt.isArray() ? QJsonValue(qt.array()) : QJsonValue(qt.object());
        RC_LOG(json.toStdString());
        RC_ASSERT(!qt.isNull());
        RC_ASSERT(ours == theirs);
    }));
}

void TestJsonText::layout_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("short") << QByteArray(R"({"a":[1,2,{"b":"c"}],"d":{},"e":[]})")
                           << QByteArray("{\"a\": [1, 2, {\"b\": \"c\"}], \"d\": {}, \"e\": []}\n");
    const QByteArray word = '"' + QByteArray(60, 'w') + '"';
    QTest::newRow("long") << QByteArray(
        "{\"a\":[" + word + "," + word + "," + word + "],\"b\":{\"c\":" + word + "}}")
                          << QByteArray("{\n \"a\": [\n  " + word + ",\n  " + word + ",\n  " + word
                                 + "\n ],\n \"b\": {\"c\": " + word + "}\n}\n");
}

void TestJsonText::layout()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, text);
    QCOMPARE(Output::copy(parsed(json).root()).text(), text);
}

/// A cursor right behind a value is still at it.
void TestJsonText::pointersOfPlaces()
{
    const QByteArray text = R"({"a": [1, {"b/c": "d"}], "e": 22})";
    const JsonText json = *JsonText::parse(text, {});
    const auto at = [&](const QByteArray &before) {
        return json.pointerAt(text.indexOf(before) + before.size());
    };
    QCOMPARE(json.pointerAt(0), QString());
    QCOMPARE(at("{"), u"/a"_s);
    QCOMPARE(at("\"a\": ["), u"/a/0"_s);
    QCOMPARE(at("[1"), u"/a/0"_s);
    QCOMPARE(at("[1,"), u"/a"_s);
    QCOMPARE(at("{\"b"), u"/a/1/b~1c"_s);
    QCOMPARE(at("\"d\""), u"/a/1/b~1c"_s);
    QCOMPARE(at("}],"), QString());
    QCOMPARE(at(": 2"), u"/e"_s);
    QCOMPARE(at("22"), u"/e"_s);
    QCOMPARE(at("22}"), QString());
}

const instar::TestClass<TestJsonText> registered;
#include "tst_jsontext.moc"
