// SPDX-License-Identifier: Apache-2.0
#include "model/formats/completion.h"
#include "model/formats/jsontext.h"
#include "model/formats/library.h"
#include "model/formats/pack.h"
#include "tests/support/packtext.h"
#include "tests/support/testclass.h"

#include <QRegularExpression>
#include <QTest>

#include <rapidcheck.h>

#include <functional>

using namespace instar;
using namespace Qt::StringLiterals;

/// What is proposed while a pack's text is typed.
class TestCompletion : public QObject
{
    Q_OBJECT

private slots:
    void places_data();
    void places();
    void whatStandsThereIsProposed_data();
    void whatStandsThereIsProposed();
    void anyTextIsTaken();
};

namespace {

constexpr char draft[] = R"({
 "id": "lab",
 "switches": {"strict": {"values": ["soft", "hard"], "default": "soft"}},
 "sources": {"book": {"document": "The book"}},
 "types": {"racks": {"machine": "rack"}},
 "operations": {"start": {}, "stop": {}},
 "outcomes": {"succeeded": {}},
 "machines": {"rack": {
  "rest": "up",
  "states": {"none": {"kind": "initial"}, "up": {}, "Going up": {"kind": "transitional"}},
  "transitions": [{"from": "none", "on": "start", "to": "up"}, {"from": "up", "on": "stop", "to": "lost"}]
 }},
 "sample": {"resources": [{"path": "/racks/r1"}]}
})";

Pack draftPack()
{
    return packOf(draft);
}

QStringList textsOf(const Completion &completion)
{
    QStringList texts;
    for (const Completion::Proposal &each : completion.proposals)
        texts += each.text;
    return texts;
}

} // namespace

void TestCompletion::places_data()
{
    // `|` is where somebody types; `first`: the first proposals; `never`: what is not among them;
    // `replaced`: what a proposal stands in the place of.
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("some");
    QTest::addColumn<QString>("never");
    QTest::addColumn<QString>("replaced");
    const auto row = [](const char *name, const char *text, const QStringList &some,
                         const QString &never = {}, const QString &replaced = {}) {
        QTest::newRow(name) << QString::fromUtf8(text) << some << never << replaced;
    };
    row("a key of the pack", R"({"id": "x", |)", { u"\"title\""_s, u"\"machines\""_s },
        u"\"id\""_s);
    row("keys that follow are left out", R"({"id": "x", | "machines": {}})", { u"\"title\""_s },
        u"\"machines\""_s);
    row("half a key", R"({"id": "x", "ti|)", { u"\"title\""_s }, u"\"id\""_s, u"\"ti"_s);
    row("a whole key", R"({"ti|tle": "X", "id": "x"})", { u"\"title\""_s }, u"\"id\""_s,
        u"\"title\""_s);
    row("a key of a state", R"({"machines": {"rack": {"states": {"up": {|)", { u"\"kind\""_s },
        u"\"states\""_s);
    row("a word", R"({"machines": {"rack": {"states": {"up": {"kind": "tr|)",
        { u"\"transitional\""_s }, u"\"up\""_s, u"\"tr"_s);
    row("a state", R"({"machines": {"rack": {"transitions": [{"from": |)",
        { u"\"none\""_s, u"\"Going up\""_s, u"\"*\""_s }, u"\"start\""_s);
    row("a state behind other rows",
        R"({"machines": {"rack": {"transitions": [{"from": "none"}, {"to": "|"}]}}})",
        { u"\"up\""_s, u"\"(same)\""_s }, u"\"*\""_s, u"\"\""_s);
    row("one of several triggers", R"({"machines": {"rack": {"transitions": [{"on": ["start", |)",
        { u"\"start\""_s, u"\"stop\""_s, u"\"succeeded\""_s }, u"\"up\""_s);
    row("a machine", R"({"types": {"racks": {"machine": |)", { u"\"rack\""_s }, u"\"racks\""_s);
    row("a flag", R"({"machines": {"rack": {"states": {"up": {"absent": t|)", {}, {}, u"t"_s);
    row("a state that is only named yet", R"({"machines": {"rack": {"states": {|)",
        { u"\"lost\""_s }, u"\"up\""_s);
    row("a switch", R"({"machines": {"rack": {"transitions": [{"when": {|)", { u"\"strict\""_s });
    row("a switch's value", R"({"machines": {"rack": {"transitions": [{"when": {"strict": |)",
        { u"\"soft\""_s, u"\"hard\""_s }, u"\"strict\""_s);
    row("in a condition", R"({"machines": {"rack": {"transitions": [{"if": {|)",
        { u"\"not\""_s, u"\"parent\""_s }, u"\"from\""_s);
    row("a state in a condition",
        R"({"machines": {"rack": {"transitions": [{"if": [{"not": {"self": [|)",
        { u"\"up\""_s, u"\"any\""_s }, u"\"parent\""_s);
    row("a list's beginning", R"({"machines": {"rack": {"transitions": |)", { u"[]"_s }, u"{}"_s);
    row("an object's beginning", R"({"machines": |)", { u"{}"_s }, u"[]"_s);
    row("a step", R"({"machines": {"rack": {"states": {"up": {"work": [|)", { u"\"attempt\""_s });
    row("behind a broken line", "{\"id\": \"x\n \"operations\": {\"start\": {|",
        { u"\"duration\""_s });
    row("a bracket in a string is none", R"({"title": "a { b [", |)", { u"\"machines\""_s });
    row("an escaped quote", R"({"title": "a \" b", |)", { u"\"machines\""_s }, u"\"title\""_s);
}

void TestCompletion::places()
{
    QFETCH(QString, text);
    QFETCH(QStringList, some);
    QFETCH(QString, never);
    QFETCH(QString, replaced);
    const qsizetype place = text.indexOf(u'|');
    text.remove(place, 1);
    const Completion found = completionAt(text, place, draftPack());
    const QStringList texts = textsOf(found);
    for (const QString &each : std::as_const(some))
        QVERIFY2(texts.contains(each), qPrintable(each + u" is not in "_s + texts.join(u' ')));
    QVERIFY2(never.isEmpty() || !texts.contains(never), qPrintable(texts.join(u' ')));
    QCOMPARE(text.sliced(found.from, found.to - found.from), replaced);
}

void TestCompletion::whatStandsThereIsProposed_data()
{
    QTest::addColumn<QString>("id");
    for (const QString &id : builtInPacks())
        QTest::newRow(qPrintable(id)) << id;
}

/// Keys and names of the packs that are there are among what is proposed in their place.
void TestCompletion::whatStandsThereIsProposed()
{
    QFETCH(QString, id);
    const QByteArray bytes = loadPackDocument(id)->bytes();
    const Result<JsonText> json = JsonText::parse(bytes, id);
    const Pack pack = *readPack(*json);
    const QString text = QString::fromUtf8(bytes);
    // What people make up, or Instar does not look into.
    static const QRegularExpression free(
        u"/(title|about|document|url|note|label|section|text|message|description|path|"
        "id|name|code|value|body|properties|initial|resources|wire|order|x-[^/]*)(/|$)|^/"
        "(id|schema)$|"
        "^/switches/[^/]*/(default|values)|"
        "^/(switches|conditions|outcomes|operations|sources|refusals|types|machines)/[^/]*: |"
        "^/machines/[^/]*/states/[^/]*: |some parent/|/property/is: "_s);
    int keys = 0, values = 0;
    QStringList missed;
    const std::function<void(Value)> see = [&](Value value) {
        const auto look = [&](Value at, int &count) {
            const QByteArrayView before(json->bytes().constData(), at.raw().data());
            const qsizetype place = QString::fromUtf8(before).size();
            const QString raw = QString::fromUtf8(at.raw());
            const Completion found = completionAt(text, place + 1, pack);
            if (textsOf(found).contains(raw))
                ++count;
            else if (!found.proposals.isEmpty())
                missed += at.pointer() + u": "_s + raw;
        };
        for (const Member member : value.members()) {
            look(member.key, keys);
            see(member.value);
        }
        for (const Value item : value.items())
            see(item);
        if (value.is(Value::Kind::String))
            look(value, values);
    };
    see(json->root());
    missed.removeIf([](const QString &each) { return each.contains(free); });
    QVERIFY2(missed.isEmpty(), qPrintable(missed.join(u'\n')));
    QVERIFY2(keys > 300 && values > 150, qPrintable(u"%1 %2"_s.arg(keys).arg(values)));
}

void TestCompletion::anyTextIsTaken()
{
    const Pack pack = draftPack();
    QVERIFY(rc::check("any cut of a text can be completed", [&] {
        QString text = QString::fromUtf8(draft);
        const int cuts = *rc::gen::inRange(0, 4);
        for (int i = 0; i < cuts; ++i) {
            const qsizetype at = *rc::gen::inRange<qsizetype>(0, text.size());
            if (*rc::gen::arbitrary<bool>())
                text.remove(at, *rc::gen::inRange(1, 20));
            else
                text.insert(
                    at, *rc::gen::element(u"\""_s, u"{"_s, u"]"_s, u":"_s, u","_s, u"\\"_s));
        }
        const qsizetype place = *rc::gen::inRange<qsizetype>(0, text.size() + 1);
        const Completion found = completionAt(text, place, pack);
        RC_ASSERT(found.from <= place);
        RC_ASSERT(found.to >= place);
        RC_ASSERT(found.to <= text.size());
        for (const Completion::Proposal &each : found.proposals)
            RC_ASSERT(bool(JsonText::parse(each.text.toUtf8(), {})));
    }));
}

const TestClass<TestCompletion> registered;
#include "tst_completion.moc"
