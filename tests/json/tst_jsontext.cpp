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
    void refuses_data();
    void refuses();
    void deepNestingEndsAtOnce();
    void sizeLimit();
    void agreesWithQt();
};

namespace {

JsonText parsed(const QByteArray &json)
{
    return valueOf(JsonText::parse(json, u"f"_s));
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
    const Rows<QString, int, int, QString> row("pointer", "line", "column", "raw");
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
    const JsonText document = parsed("{\n \"a\": [10, 20, {\"b\": true}],\n \"x/y\": {\n  \"~\": "
                                     "\"tilde\"},\n \"\": null, \"last\": {}\n}");
    const Value value = document.at(pointer);
    QVERIFY(value);
    QTEST(QString::fromUtf8(value.raw()), "raw");
    QCOMPARE(value.pointer(), pointer);
    QCOMPARE(document.position(pointer), (Position { line, column }));
}

/// In long lines, with letters of several bytes.
void TestJsonText::positionsOfMany()
{
    QByteArray text = "{\n\"two\": [";
    for (int i = 0; i < 1000; ++i)
        text += "\"\xc3\xa4\xe2\x82\xac\", ";
    text += "1],\n\"three\": [";
    for (int i = 0; i < 1000; ++i)
        text += "{\"\xc3\xa9\": 1},";
    const JsonText document = parsed(text + "7]}");
    QCOMPARE(document.position(u"/two/1000"), (Position { 2, 9 + 1000 * 6 }));
    QCOMPARE(document.position(u"/three/999/é"), (Position { 3, 12 + 999 * 9 }));
    QCOMPARE(document.at(u"/three/999").line(), 3);
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
    const Rows<QByteArray, int> row("json", "column");
    row("none", R"({"a":1,"b":2})", 0);
    row("second", R"({"a":1,"b":2,"a":3})", 14);
    row("spelled otherwise", R"({"a":1,"\u0061":3})", 8);
    QByteArray many = "{";
    for (int i = 0; i < 200'000; ++i)
        many += "\"key" + QByteArray::number(i) + "\":0,";
    row("many, none", many.chopped(1) + '}', 0);
    row("many, last", many + "\"key7\":1}", int(many.size()) + 1);
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
    const Rows<QByteArray, QString> row("json", "text");
    row("plain", R"("abc")", u"abc"_s);
    row("empty", R"("")", {});
    row("escapes", R"("\"\\\/\b\f\n\r\t")", u"\"\\/\b\f\n\r\t"_s);
    row("unicode", R"("\u00e9\u20AC")", u"\u00e9\u20ac"_s);
    row("pair", R"("x\uD83D\uDE00y")", u"x\U0001F600y"_s);
    row("utf-8 beside escapes", "\"\xC3\xA9\\n\xF0\x9F\x98\x80\"", u"\u00e9\n\U0001F600"_s);
    row("byte order marks", "\"\xEF\xBB\xBF\xEF\xBB\xBFx\"", u"\uFEFF\uFEFFx"_s);
    row("byte order mark after an escape", "\"\\n\xEF\xBB\xBFx\"", u"\n\uFEFFx"_s);
    row("zero", R"("a\u0000b")", QString(u"a\0b"_s));
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
    const Rows<QByteArray, double, bool, qint64> row("json", "real", "isWhole", "whole");
    const double none = qQNaN();
    row("0", "0", 0.0, true, 0);
    row("-0", "-0", 0.0, true, 0);
    row("-12", "-12", -12.0, true, -12);
    row("2.0", "2.0", 2.0, true, 2);
    row("1e3", "1e3", 1000.0, true, 1000);
    row("1.5", "1.5", 1.5, false, 0);
    row("2^53", "9007199254740992", 9007199254740992.0, true, (qint64(1) << 53));
    row("2^53+1", "9007199254740993", 9007199254740992.0, true, (qint64(1) << 53) + 1);
    row("largest", "9223372036854775807", 9223372036854775807.0, true,
        std::numeric_limits<qint64>::max());
    row("past it", "9223372036854775808", 9223372036854775808.0, false, 0);
    row("1e300", "1e300", 1e300, false, 0);
    row("1e400", "1e400", none, false, 0);
    row("1e-400", "1e-400", 0.0, true, 0);
    row("long and tiny", "0." + QByteArray(500, '0') + "1", 0.0, true, 0);
    row("long and huge", "1" + QByteArray(500, '0') + "e-100", none, false, 0);
    row("huge, tiny exponent", "1" + QByteArray(500, '0') + "e-1000", 0.0, true, 0);
    row("endless exponent", "1e99999999999999999999999", none, false, 0);
    row("endless, negative", "-1e-99999999999999999999999", 0.0, true, 0);
    row("true", "true", none, false, 0);
    row("\"1\"", "\"1\"", none, false, 0);
}

void TestJsonText::numbers()
{
    QFETCH(QByteArray, json);
    QFETCH(double, real);
    QFETCH(bool, isWhole);
    const JsonText document = parsed(json);
    QCOMPARE(document.root().number().has_value(), !std::isnan(real));
    if (!std::isnan(real))
        QCOMPARE(*document.root().number(), real);
    QCOMPARE(document.root().integer().has_value(), isWhole);
    if (isWhole)
        QTEST(*document.root().integer(), "whole");
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
    const Rows<QByteArray, QByteArray> row("json", "text");
    row("short", R"({"a":[1,2,{"b":"c"}],"d":{},"e":[]})",
        "{\"a\": [1, 2, {\"b\": \"c\"}], \"d\": {}, \"e\": []}\n");
    const QByteArray word = '"' + QByteArray(60, 'w') + '"';
    row("long",
        QByteArray("{\"a\":[" + word + "," + word + "," + word + "],\"b\":{\"c\":" + word + "}}"),
        "{\n \"a\": [\n  " + word + ",\n  " + word + ",\n  " + word
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

namespace {

QByteArray nested(qsizetype depth)
{
    return QByteArray(depth, '[') + QByteArray(depth, ']');
}

} // namespace

void TestJsonText::refuses_data()
{
    const Rows<QByteArray, QString> row("json", "error");
    row("empty", "", u"f:1:1: expected a value, found the end of the file"_s);
    row("space only", " \n ", u"f:2:2: expected a value, found the end of the file"_s);
    row("open array", "[1,", u"f:1:4: expected a value, found the end of the file"_s);
    row("open object", "{", u"f:1:2: expected a key in double quotes, found the end of the file"_s);
    row("key alone", R"({"a")", u"f:1:5: expected ':' after the key, found the end of the file"_s);
    row("no value", R"({"a":})", u"f:1:6: expected a value, found '}'"_s);
    row("no colon", R"({"a" 1})", u"f:1:6: expected ':' after the key, found '1'"_s);
    row("bare key", "{a:1}", u"f:1:2: expected a key in double quotes, found 'a'"_s);
    row("comma at the end", "[1,]", u"f:1:4: expected a value, found ']'"_s);
    row("no comma", "[1 2]", u"f:1:4: expected ',' or ']', found '2'"_s);
    row("no comma, object", "{\"a\":1\n\"b\":2}", u"f:2:1: expected ',' or '}', found '\"'"_s);
    row("wrong bracket", "[1}", u"f:1:3: expected ',' or ']', found '}'"_s);
    row("two values", "1 2", u"f:1:3: expected the end of the file after the value, found '2'"_s);
    row("zero byte after", QByteArray("{}   \0", 6),
        u"f:1:6: expected the end of the file after the value, found the byte 0x00"_s);
    row("comment", "// x\n{}", u"f:1:1: expected a value, found '/' (JSON has no comments)"_s);
    row("truely", "[truely]", u"f:1:6: expected ',' or ']', found 'ly'"_s);
    row("NaN", "[NaN]", u"f:1:2: expected a value, found 'NaN'"_s);
    row("leading zero", "[012]", u"f:1:2: expected a number without a leading zero"_s);
    row("plus", "[+1]", u"f:1:2: expected a value, found '+'"_s);
    row("minus alone", "[-]", u"f:1:3: expected a digit, found ']'"_s);
    row("a space in a number", "[- 1]", u"f:1:3: expected a digit, found ' '"_s);
    row("point without digits", "[1.]", u"f:1:4: expected a digit, found ']'"_s);
    row("point first", "[.5]", u"f:1:2: expected a value, found '.'"_s);
    row("exponent without digits", "[1e+]", u"f:1:5: expected a digit, found ']'"_s);
    row("open string", "\"abc",
        u"f:1:5: expected '\"' at the end of the string, found the end of the file"_s);
    row("line feed in string", "[\"a\nb\"]",
        u"f:1:4: expected '\"' at the end of the string, or an escape such as \\n, found the end of the line"_s);
    row("control character", "[\"a\x01\"]",
        u"f:1:4: expected '\"' at the end of the string, or an escape such as \\n, found the byte 0x01"_s);
    row("unknown escape", R"(["\x"])",
        u"f:1:4: expected one of \" \\ / b f n r t u after '\\', found 'x'"_s);
    row("escape at the end", "\"\\",
        u"f:1:3: expected one of \" \\ / b f n r t u after '\\', found the end of the file"_s);
    row("escaped zero byte", QByteArray("\"\\\0\"", 4),
        u"f:1:3: expected one of \" \\ / b f n r t u after '\\', found the byte 0x00"_s);
    row("short \\u", R"(["\u12"])",
        u"f:1:5: expected four hexadecimal digits after \\u, found '1'"_s);
    row("lone high half", R"(["\uD800"])",
        u"f:1:3: expected a character, found the half of a surrogate pair"_s);
    row("lone low half", R"(["\uDC00"])",
        u"f:1:3: expected a character, found the half of a surrogate pair"_s);
    row("two high halves", R"(["\uD800\uD800"])",
        u"f:1:3: expected a character, found the half of a surrogate pair"_s);
    row("Latin-1", "[\"\xE9t\xE9\"]",
        u"f:1:3: expected UTF-8, found the byte 0xe9; save the file as UTF-8"_s);
    row("overlong", "[\"\xC0\x80\"]",
        u"f:1:3: expected UTF-8, found the byte 0xc0; save the file as UTF-8"_s);
    row("overlong, three bytes", "[\"\xE0\x80\x80\"]",
        u"f:1:3: expected UTF-8, found the byte 0xe0; save the file as UTF-8"_s);
    row("surrogate in UTF-8", "[\"\xED\xA0\x80\"]",
        u"f:1:3: expected UTF-8, found the byte 0xed; save the file as UTF-8"_s);
    row("past Unicode", "[\"\xF4\x90\x80\x80\"]",
        u"f:1:3: expected UTF-8, found the byte 0xf4; save the file as UTF-8"_s);
    row("cut character", "\"\xE2\x82",
        u"f:1:2: expected UTF-8, found the byte 0xe2; save the file as UTF-8"_s);
    row("bytes outside strings", "[\xC3\xA9]", u"f:1:2: expected a value, found the byte 0xc3"_s);
    row("byte order mark", "\xEF\xBB\xBF{}",
        u"f:1:1: expected JSON, found a byte order mark; save the file as UTF-8 without one"_s);
    row("UTF-16 LE", QByteArray("{\0}\0", 4),
        u"f:1:1: expected UTF-8, found UTF-16 or UTF-32; save the file as UTF-8"_s);
    row("UTF-16 BE", QByteArray("\0{\0}", 4),
        u"f:1:1: expected UTF-8, found UTF-16 or UTF-32; save the file as UTF-8"_s);
    row("UTF-16 mark", QByteArray("\xFF\xFE{\0", 4),
        u"f:1:1: expected UTF-8, found UTF-16 or UTF-32; save the file as UTF-8"_s);
    row("columns are characters", "[\"\xC3\xA9\xF0\x9F\x98\x80\" x]",
        u"f:1:7: expected ',' or ']', found 'x'"_s);
    row("too deep", nested(513), u"f:1:513: expected at most 512 levels of nesting, found more"_s);
}

void TestJsonText::refuses()
{
    QFETCH(QByteArray, json);
    const QString document = errorIn(JsonText::parse(json, u"f"_s));
    QTEST(document, "error");
}

void TestJsonText::deepNestingEndsAtOnce()
{
    QVERIFY(JsonText::parse(nested(512), u"f"_s));
    const std::pair<QByteArray, int> rows[] { { "[", 513 }, { "{\"a\":", 512 * 5 + 1 },
        { "[{\"b\":[", 170 * 7 + 6 + 1 } }; // the column of the 513th that is opened
    for (const auto &[open, column] : rows) {
        const QString document = errorIn(JsonText::parse(open.repeated(100'000), u"f"_s));
        QCOMPARE(
            document, u"f:1:%1: expected at most 512 levels of nesting, found more"_s.arg(column));
    }
}

void TestJsonText::sizeLimit()
{
    const QByteArray json = '"' + QByteArray(2'000'000, 'x') + '"';
    QVERIFY(JsonText::parse(json, u"f"_s));
    const QString document = errorIn(JsonText::parse(json, u"f"_s, { .bytes = 1'000'000 }));
    QCOMPARE(document, u"f: expected at most 1 MB, found 2 MB"_s);
    // A file's name may look like the place of another text.
    QVERIFY(JsonText::parse("[", u"a%2"_s).error().startsWith(u"a%2:1:"));
}

/// Whatever bytes there are: what is accepted, Qt accepts too, and finds the same in it.
void TestJsonText::agreesWithQt()
{
    QVERIFY(rc::check("documents of random tokens", [] {
        static const std::vector<std::string> tokens {
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"b\\n\"",
            "1",
            "-2.5e3",
            "true",
            "null",
            " ",
            "\n",
            "\"",
            "\\",
            "0",
            "x",
        };
        const auto parts =
            *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(tokens));
        std::string json = "[";
        for (const std::string &part : parts)
            json += part;
        json += "]";
        const QByteArray bytes = QByteArray::fromStdString(json);
        const Result<JsonText> ours = JsonText::parse(bytes, u"f"_s);
        const QJsonDocument qt = QJsonDocument::fromJson(bytes);
        RC_CLASSIFY(bool(ours), "valid");
        if (ours) {
            RC_ASSERT(!qt.isNull());
            RC_ASSERT(QJsonDocument::fromJson(Output::copy(ours->root()).text()) == qt);
        } else {
            RC_ASSERT(ours.error().startsWith(u"f:"_s));
        }
    }));
}

const instar::TestClass<TestJsonText> registered;
#include "tst_jsontext.moc"
