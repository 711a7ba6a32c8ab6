// SPDX-License-Identifier: Apache-2.0
// An explanation as a page: its links lead to what stands below, whatever the sources are called.

#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/citations.h"
#include "views/panels/inspectortext.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

class TestExplanationPage : public QObject
{
    Q_OBJECT

private slots:
    void linksLead_data();
    void linksLead();
    void whatIsNotThereIsNoLink();
    void messagesStandAsTheyWere();
};

namespace {

/// The first texts that an expression captures.
QStringList every(const QString &expression, const QString &page)
{
    QStringList found;
    for (const QRegularExpressionMatch &match : QRegularExpression(expression).globalMatch(page))
        found += match.captured(1);
    return found;
}

} // namespace

void TestExplanationPage::linksLead_data()
{
    QTest::addColumn<QStringList>("keys");
    const auto row = [](const char *name, const QStringList &keys) { QTest::newRow(name) << keys; };
    row("plain", { u"R9"_s, u"R1"_s });
    row("spaces", { u"async phase"_s });
    row("of a link", { u"#5"_s, u"a?b=c"_s, u"50%"_s, u"50%20"_s });
    row("of a page", { u"<b>"_s, u"A & B"_s, u"it's"_s, u"\"so\""_s });
    row("brackets", { u"4.3 (d)"_s, u"[1]"_s });
    row("letters of others", { u"Überschrift"_s, u"規則"_s, u"\U0001F60A"_s });
    row("nearly the same", { u"a b"_s, u"a-b"_s, u"a-20-b"_s, u"a_b"_s, u"A B"_s });
    row("like the page's own", { u"source:x"_s });
}

void TestExplanationPage::linksLead()
{
    QFETCH(QStringList, keys);
    Pack pack;
    pack.id = u"p"_s;
    Row thing;
    for (const QString &key : keys) {
        pack.sourceList += Source { .id = key, .document = u"D"_s, .about = u"About "_s + key };
        thing.sources += key;
    }
    const QString page = explanationPage(pack, { .said = chipsOf(pack, thing, Theme::light()) });
    const QStringList links = every(u"href=\"#([^\"]*)\""_s, page);
    const QStringList anchors = every(u" id=\"([^\"]*)\""_s, page);
    QCOMPARE(links.size(), keys.size());
    QCOMPARE(anchors, links);
    QCOMPARE(QSet<QString>(anchors.begin(), anchors.end()).size(), keys.size());
    for (const QString &anchor : anchors) {
        static const QRegularExpression plain(u"^[A-Za-z0-9-]+$"_s);
        QVERIFY2(anchor.contains(plain), qPrintable(anchor));
    }
    for (const QString &key : keys) {
        QVERIFY2(page.contains(u'>' + key.toHtmlEscaped() + u"</dt>"_s), qPrintable(page));
        QVERIFY2(page.contains(u"About "_s + key.toHtmlEscaped()), qPrintable(page));
    }
}

/// A source that the pack does not describe is named, and nothing promises more.
void TestExplanationPage::whatIsNotThereIsNoLink()
{
    const Pack pack { .id = u"p"_s };
    const QString page =
        explanationPage(pack, { .said = u"So says <a href='source:R9'>R9</a>."_s });
    QVERIFY2(page.contains(u"So says R9."_s) && !page.contains(u"href"_s), qPrintable(page));
    QVERIFY(!page.contains(u"What the rules say"_s));
}

void TestExplanationPage::messagesStandAsTheyWere()
{
    const Pack pack { .id = u"p"_s };
    Exchange exchange { .method = u"PUT"_s, .url = u"http://127.0.0.1:1/a/b?c=%3Cd%3E"_s };
    exchange.sent = QDateTime::fromMSecsSinceEpoch(1234, Qt::UTC);
    exchange.client = u"<A>"_s;
    exchange.requestHeaders = { { u"If-Match"_s, u"\"<1>\""_s } };
    exchange.requestBody = R"({"a": "</pre><script>"})";
    const auto page = [&] { return explanationPage(pack, { .exchanges = { exchange } }); };
    QVERIFY2(page().contains(u"<h3>&lt;A&gt; · 00:00:01.234 UTC</h3>"_s), qPrintable(page()));
    QVERIFY(has(page(),
        { u"<pre>PUT /a/b?c=%3Cd%3E HTTP/1.1\n"
          "If-Match: &quot;&lt;1&gt;&quot;\n\n"
          "{&quot;a&quot;: &quot;&lt;/pre&gt;&lt;script&gt;&quot;}</pre>"_s }));
    exchange.duration = 12.34;
    exchange.status = 409;
    exchange.reason = u"Conflict"_s;
    exchange.responseHeaders = { { u"ETag"_s, u"\"2\""_s } };
    QVERIFY(has(page(),
        { u"answered after 12.3 ms</h3>"_s,
            u"<pre>HTTP/1.1 409 Conflict\nETag: &quot;2&quot;\n</pre>"_s }));
    exchange.status = 0;
    exchange.problem = u"reset"_s;
    QVERIFY2(page().contains(u"<pre>reset</pre>"_s), qPrintable(page()));
    QVERIFY(!explanationPage(pack, {}).contains(u"What was sent"_s));
}

const TestClass<TestExplanationPage> registered;

#include "tst_explanationpage.moc"
