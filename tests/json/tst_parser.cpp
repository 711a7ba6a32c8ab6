// SPDX-License-Identifier: Apache-2.0
#include "model/json/jsontext.h"
#include "model/json/output.h"
#include "tests/support/testclass.h"

#include <QJsonDocument>
#include <QTest>

#include <rapidcheck.h>

using namespace instar;
using namespace Qt::StringLiterals;

class TestParser : public QObject
{
    Q_OBJECT

private slots:
    void accepts_data();
    void accepts();
    void refuses_data();
    void refuses();
    void deepNestingEndsAtOnce();
    void sizeLimit();
    void agreesWithQt();
};

namespace {

QByteArray nested(qsizetype depth)
{
    return QByteArray(depth, '[') + QByteArray(depth, ']');
}

} // namespace

void TestParser::accepts_data()
{
    QTest::addColumn<QByteArray>("json");
    const char *const good[] = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1",
        "-1.5",
        "1e5",
        "1E+5",
        "1.25e-7",
        "\"\"",
        "\"a\"",
        "[]",
        "{}",
        " [ ] ",
        "\t{\r\n}\n",
        "[1,2,3]",
        "[[],{},[[]]]",
        R"({"a":1})",
        R"({"a":{"b":[{"c":null}]}})",
        R"({"":""})",
        R"({"a":1,"a":2})",
        R"(["\"\\\/\b\f\n\r\t"])",
        R"(["\u00e9\uD83D\uDE00\u0000"])",
        "[\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"]",
        "[\"\x7F\"]",
        "[123456789012345678901234567890]",
        "[0.0000000000000000000000000000000001]",
        "[1e400]",
        "[true,false,null]",
        "[\"/\"]",
        "[\"a long string of plain letters that takes more than one step of eight\"]",
    };
    for (const char *json : good)
        QTest::newRow(json) << QByteArray(json);
    QTest::newRow("as deep as may be") << nested(512);
}

void TestParser::accepts()
{
    QFETCH(QByteArray, json);
    const Result<JsonText> document = JsonText::parse(json, u"f"_s);
    QVERIFY2(document, document ? "" : qPrintable(document.error()));
}

void TestParser::refuses_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const QByteArray &json, const QString &error) {
        QTest::newRow(name) << json << error;
    };
    row("empty", "", u"f:1:1: expected a value, found the end of the file"_s);
    row("space only", " \n ", u"f:2:2: expected a value, found the end of the file"_s);
    row("open array", "[1,", u"f:1:4: expected a value, found the end of the file"_s);
    row("open object", "{", u"f:1:2: expected a key in double quotes, found the end of the file"_s);
    row("key alone", R"({"a")", u"f:1:5: expected ':' after the key, found the end of the file"_s);
    row("no value", R"({"a":})", u"f:1:6: expected a value, found '}'"_s);
    row("no colon", R"({"a" 1})", u"f:1:6: expected ':' after the key, found '1'"_s);
    row("bare key", "{a:1}", u"f:1:2: expected a key in double quotes, found 'a'"_s);
    row("number key", "{1:1}", u"f:1:2: expected a key in double quotes, found '1'"_s);
    row("single quotes", "['a']", u"f:1:2: expected a value, found '''"_s);
    row("comma at the end", "[1,]", u"f:1:4: expected a value, found ']'"_s);
    row("comma in object", R"({"a":1,})", u"f:1:8: expected a key in double quotes, found '}'"_s);
    row("no comma", "[1 2]", u"f:1:4: expected ',' or ']', found '2'"_s);
    row("no comma, object", "{\"a\":1\n\"b\":2}", u"f:2:1: expected ',' or '}', found '\"'"_s);
    row("wrong bracket", "[1}", u"f:1:3: expected ',' or ']', found '}'"_s);
    row("two values", "1 2", u"f:1:3: expected the end of the file after the value, found '2'"_s);
    row("rubbish after", "{}\n\nx",
        u"f:3:1: expected the end of the file after the value, found 'x'"_s);
    row("zero byte after", QByteArray("{}   \0", 6),
        u"f:1:6: expected the end of the file after the value, found the byte 0x00"_s);
    row("comment", "// x\n{}", u"f:1:1: expected a value, found '/' (JSON has no comments)"_s);
    row("True", "[True]", u"f:1:2: expected a value, found 'True'"_s);
    row("nul", "nul", u"f:1:1: expected a value, found 'nul'"_s);
    row("truely", "[truely]", u"f:1:6: expected ',' or ']', found 'ly'"_s);
    row("NaN", "[NaN]", u"f:1:2: expected a value, found 'NaN'"_s);
    row("leading zero", "[012]", u"f:1:2: expected a number without a leading zero"_s);
    row("leading zero, negative", "[-01]", u"f:1:2: expected a number without a leading zero"_s);
    row("plus", "[+1]", u"f:1:2: expected a value, found '+'"_s);
    row("minus alone", "[-]", u"f:1:3: expected a digit, found ']'"_s);
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

void TestParser::refuses()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, error);
    const Result<JsonText> document = JsonText::parse(json, u"f"_s);
    QVERIFY(!document);
    QCOMPARE(document.error(), error);
}

void TestParser::deepNestingEndsAtOnce()
{
    const std::pair<QByteArray, int> rows[] { { "[", 513 }, { "{\"a\":", 512 * 5 + 1 },
        { "[{\"b\":[", 170 * 7 + 6 + 1 } }; // the column of the 513th that is opened
    for (const auto &[open, column] : rows) {
        const Result<JsonText> document = JsonText::parse(open.repeated(100'000), u"f"_s);
        QVERIFY(!document);
        QCOMPARE(document.error(),
            u"f:1:%1: expected at most 512 levels of nesting, found more"_s.arg(column));
    }
}

void TestParser::sizeLimit()
{
    const QByteArray json = '"' + QByteArray(2'000'000, 'x') + '"';
    QVERIFY(JsonText::parse(json, u"f"_s));
    const Result<JsonText> document = JsonText::parse(json, u"f"_s, { .bytes = 1'000'000 });
    QVERIFY(!document);
    QCOMPARE(document.error(), u"f: expected at most 1 MB, found 2 MB"_s);
}

/// Whatever bytes there are: what is accepted, Qt accepts too, and finds the same in it.
void TestParser::agreesWithQt()
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

const instar::TestClass<TestParser> registered;
#include "tst_parser.moc"
