// SPDX-License-Identifier: Apache-2.0
#include "model/foreigntext.h"
#include "model/json/output.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace instar;
using namespace Qt::StringLiterals;

class TestForeignText : public QObject
{
    Q_OBJECT

private slots:
    void spelledOut_data();
    void spelledOut();
    void json();
};

void TestForeignText::spelledOut_data()
{
    const Rows<QString, QString, QString> add("text", "shown", "line");
    const auto row = [&](const char *name, const QString &text, const QString &shown,
                         const QString &line = {}) {
        add(name, text, shown, line.isNull() ? shown : line);
    };
    row("usual", u"Straße – 東京 😀 עברית"_s, u"Straße – 東京 😀 עברית"_s);
    row("lines", u"a\nb\tc"_s, u"a\nb\tc"_s, u"a b c"_s);
    row("Windows' lines", u"a\r\nb"_s, u"a\nb"_s, u"a  b"_s);
    row("returns to the begin of the line", u"a\rb"_s, u"a\\u000db"_s, u"a b"_s);
    row("sets the clipboard", u"\u001b]52;c;aGk=\a"_s, u"\\u001b]52;c;aGk=\\u0007"_s);
    row("C1", u"\u009b31m\u0085"_s, u"\\u009b31m\\u0085"_s);
    row("DEL and NUL", u"\u007f"_s + QChar::Null, u"\\u007f\\u0000"_s);
    row("reversed", u"txt.\u202egpj"_s, u"txt.\\u202egpj"_s);
    row("isolates and marks", u"\u2066a\u2069\u200e\u200f\u061c"_s,
        u"\\u2066a\\u2069\\u200e\\u200f\\u061c"_s);
    row("noncharacters", u"\ufffe"_s + QChar(0xffff), u"\\ufffe\\uffff"_s);
    row("ends of lines", u"a\u2028b\u2029"_s, u"a\\u2028b\\u2029"_s, u"a b "_s);
    row("joined letters stay", u"\u200d\u200c\u00ad\u00a0"_s, u"\u200d\u200c\u00ad\u00a0"_s);
}

void TestForeignText::spelledOut()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(visible(text), shown);
    QCOMPARE(visible(text.toUtf8()), shown.toUtf8());
    QTEST(oneLine(text), "line");
    QCOMPARE(htmlText(u"<b>&"_s + text), u"&lt;b&gt;&amp;"_s + shown);
}

/// What is spelled out in JSON reads back as it was.
void TestForeignText::json()
{
    const QString text = u"\u001b[31m\u009b\u202e\u2028\u007f\"\\ä"_s;
    const QByteArray written = '[' + jsonString(text) + ']';
    QCOMPARE(QJsonDocument::fromJson(written).array().first().toString(), text);
    QCOMPARE(visible(written), written);
    const QByteArray theirs = QJsonDocument(QJsonArray { text }).toJson(QJsonDocument::Compact);
    QVERIFY(visible(theirs) != theirs);
    QCOMPARE(QJsonDocument::fromJson(visible(theirs)).array().first().toString(), text);
}

const instar::TestClass<TestForeignText> registered;
#include "tst_foreigntext.moc"
