// SPDX-License-Identifier: Apache-2.0
#include "model/formats/fields.h"
#include "model/formats/library.h"
#include "model/formats/pack.h"
#include "model/formats/patching.h"
#include "model/machine/identity.h"
#include "model/machine/names.h"
#include "model/machine/rowedits.h"
#include "tests/support/packtext.h"
#include "tests/support/property.h"
#include "tests/support/randomedit.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// What was not touched in a pack's file stays as it is written.
class TestPatching : public QObject
{
    Q_OBJECT

private slots:
    void handWritten_data();
    void handWritten();
    void linesEndAsTheyDid();
    void aListOfOneStaysAList();
    void shippedPacksStay_data();
    void shippedPacksStay();
    void shippedPacksAreEdited_data() { shippedPacksStay_data(); }
    void shippedPacksAreEdited();
    void anyEditInAnyLayout();
    void whatCannotBeMendedIsWritten();
    void aLargePack();
};

namespace {

QByteArray blanks(bool isHand)
{
    return isHand ? *rc::gen::element(""_ba, " "_ba, "\n"_ba, "\n\n   "_ba, "\t"_ba, " \r\n "_ba)
                  : QByteArray();
}

/// The same value in some layout: on one line, a line for each, or by a hand without habits.
void layOut(
    Value value, const QByteArray &step, bool isHand, const QByteArray &indent, QByteArray *out)
{
    const bool isObject = value.is(Value::Kind::Object);
    if ((!isObject && !value.is(Value::Kind::Array)) || value.size() == 0) {
        *out += value.raw();
        return;
    }
    const QByteArray inner = indent + step;
    const QByteArray line = step.isEmpty() ? ""_ba : "\n" + inner;
    *out += isObject ? '{' : '[';
    bool isFirst = true;
    const auto begin = [&] {
        *out +=
            (std::exchange(isFirst, false) ? ""_ba : blanks(isHand) + ",") + line + blanks(isHand);
    };
    for (const Value item : value.items()) {
        begin();
        layOut(item, step, isHand, inner, out);
    }
    for (const Member member : value.members()) {
        begin();
        out->append(member.key.raw()).append(blanks(isHand)).append(step.isEmpty() ? ":" : ": ");
        layOut(member.value, step, isHand, inner, out);
    }
    *out += blanks(isHand) + (step.isEmpty() ? ""_ba : "\n" + indent) + (isObject ? '}' : ']');
}

QByteArray inSomeLayout(const QByteArray &json)
{
    const JsonText text = parsed(json);
    QByteArray out;
    const bool isHand = *rc::gen::inRange(0, 3) == 0;
    const QByteArray step = *rc::gen::element(""_ba, "  "_ba, "\t"_ba, "    "_ba);
    layOut(text.root(), step, isHand, {}, &out);
    return *rc::gen::element(out, out + '\n', QByteArray(out).replace("\r\n", "\n"), json);
}

/// Rows that say the same with a text that is not the same.
QStringList rewritten(
    const QByteArray &before, const Pack &was, const QByteArray &after, const Pack &now)
{
    const JsonText textBefore = parsed(before), textAfter = parsed(after);
    const JsonText meantBefore = parsed(writePack(was)), meantAfter = parsed(writePack(now));
    const PackPointers old = pointersIn(was);
    const QMap<quint32, QString> current = pointersIn(now).numbered;
    QStringList rows;
    for (auto it = current.begin(); it != current.end(); ++it) {
        const QString pointer = old.numbered.value(it.key());
        if (!old.numbered.contains(it.key()))
            continue;
        const Value meant = meantBefore.at(pointer), means = meantAfter.at(it.value());
        const bool isTold = meant && means && meant.raw() == means.raw();
        if (isTold && textBefore.at(pointer).raw() != textAfter.at(it.value()).raw())
            rows += u"%1: %2, was %3: %4"_s.arg(it.value(),
                QString::fromUtf8(textAfter.at(it.value()).raw()), pointer,
                QString::fromUtf8(textBefore.at(pointer).raw()));
    }
    return rows;
}

} // namespace

void TestPatching::handWritten_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("row"); // that is changed in it
    QTest::addColumn<QByteArray>("key"); // of what is changed, or what is done
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("after"); // instead of what stands between < and > in `before`

    const QByteArray states = "/machines/m/states";
    const auto row = [](const char *name, const QByteArray &inStates, const QByteArray &at,
                         const QByteArray &key, const QByteArray &json, const QByteArray &after) {
        QTest::newRow(name) << R"({ "machines": {"m": {
    "states": )" + inStates
                + R"(,
    "x-note":  [1.0,
       2 ],  "rest": "a" }},
  "id": "p", "types": {}
})" << at << key << json << after;
    };
    const QByteArray lines = R"({
        "a":   {"x-mine" : 1e3, "label":"\u0041"},

        "b":   {"kind": "initial", "label": "B" }
    })";
    row("a member's value", lines, states + "/a", "label", R"("other")",
        QByteArray(lines).replace(R"("\u0041")", R"("other")"));
    row("a member that is new", lines, states + "/a", "kind", R"("composite")",
        QByteArray(lines).replace("1e3, ", "1e3, \"kind\" : \"composite\", "));
    row("a member that goes", lines, states + "/b", "label", "",
        QByteArray(lines).replace(R"(, "label": "B" )", " "));
    row("a row that is new", lines, states, "new", "c",
        QByteArray(lines).replace("\"B\" }", "\"B\" },\n        \"c\":   {}"));
    row("a row that is new and first", lines, states, "new first", "c",
        QByteArray(lines).replace("{\n        \"a\":", "{\n        \"c\":   {},\n        \"a\":"));
    row("the last row goes", lines, states + "/b", "gone", "",
        QByteArray(lines).replace(
            ",\n\n        \"b\":   {\"kind\": \"initial\", \"label\": \"B\" }", ""));
    row("another name", lines, states + "/b", "name", "c",
        QByteArray(lines).replace("\"b\":", "\"c\":"));
    row("rows change places", lines, states + "/b", "up", "", R"({
        "b":   {"kind": "initial", "label": "B" },
        "a":   {"x-mine" : 1e3, "label":"\u0041"}
    })");
    const QByteArray tall = "{\n\t\"a\": {\n\t\t\"label\": \"A\"\n\t}\n    }";
    row("as the lines of its neighbour", tall, states + "/a", "copied", "",
        "{\n\t\"a\": {\n\t\t\"label\": \"A\"\n\t},\n\t\"a-2\": {\n\t  \"label\": \"A\"\n\t}\n    "
        "}");
    row("the first in a list", "{}", states, "new", "c", "{\n      \"c\": {}\n    }");
    const QByteArray one = R"({"a": {"label": "A"}})";
    row("on the same line", one, states, "new", "c", R"({"a": {"label": "A"}, "c": {}})");
    row("on lines of their own where one is not enough", one, states + "/a", "copied long", "",
        "{\n      \"a\": {\"label\": \"A\"},\n      \"" + QByteArray(120, 'n')
            + "\": {\"label\": \"A\"}\n    }");
    const QByteArray wide = R"({"a": {"label": "NAME"}, "b": {"label": "B"}})";
    const QByteArray tooWide = QByteArray(wide).replace("NAME", QByteArray(150, 'n'));
    row("on a line that was too long before", tooWide, states, "new", "c",
        tooWide.chopped(1) + R"(, "c": {}})");
}

void TestPatching::handWritten()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, row);
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, after);
    const QString pointer = QString::fromUtf8(row);
    quint32 last = 0;
    Pack was = packOf(before);
    identify(&was, &last);
    Pack now;
    if (key.startsWith("new"))
        now = withNewRow(was, pointer, key == "new" ? -1 : 0, QString::fromUtf8(json))->pack;
    else if (key == "gone")
        now = *withoutRow(was, pointer);
    else if (key == "up")
        now = withRowMoved(was, pointer, -1)->pack;
    else if (key == "name")
        now = renamed(was, Name::State, u"b"_s, QString::fromUtf8(json), u"m"_s);
    else if (key.startsWith("copied")) {
        now = withRowCopied(was, pointer)->pack;
        if (key == "copied long")
            now = renamed(now, Name::State, u"a-2"_s, QString(120, u'n'), u"m"_s);
    } else
        now = *withField(was, pointer, QString::fromUtf8(key), json);
    identify(&now, &last);
    const QByteArray result = patched(before, was, now);
    const qsizetype start = before.indexOf("\"states\": ") + 10;
    const qsizetype end = before.indexOf(",\n    \"x-note\"");
    QCOMPARE(QString::fromUtf8(result),
        QString::fromUtf8(before.first(start) + after + before.sliced(end)));
    QVERIFY(packOf(result) == now);
}

/// Names that were written as a list, though there is only one.
void TestPatching::aListOfOneStaysAList()
{
    const QByteArray before = R"({
  "id": "p",
  "types": {},
  "machines": {"m": {"rest": "a", "states": {"a": {}, "b": {"kind": "initial"}},
    "transitions": [
      {"from": [ "b" ], "on":["go"], "to": "a"},
      {"from": "b", "on": ["go" ,"run"], "to": "a"}
    ]}}
})";
    quint32 last = 0;
    Pack was = packOf(before);
    identify(&was, &last);
    const Pack now = renamed(was, Name::State, u"b"_s, u"c"_s, u"m"_s);
    QCOMPARE(QString::fromUtf8(patched(before, was, now)),
        QString::fromUtf8(QByteArray(before)
                              .replace("\"b\": {", "\"c\": {")
                              .replace("[ \"b\" ]", "[ \"c\" ]")
                              .replace("\"from\": \"b\"", "\"from\": \"c\"")));
}

void TestPatching::linesEndAsTheyDid()
{
    const QByteArray before = QByteArray(R"({
  "id": "p",
  "types": {},
  "machines": {"m": {"rest": "a", "states": {
    "a": {},
    "b": {"kind": "initial"}
  }}}
})")
                                  .replace("\n", "\r\n");
    quint32 last = 0;
    Pack was = packOf(before);
    identify(&was, &last);
    Pack now = withNewRow(was, u"/machines/m/states"_s, -1, u"c"_s)->pack;
    identify(&now, &last);
    QCOMPARE(QString::fromUtf8(patched(before, was, now)),
        QString::fromUtf8(
            QByteArray(before).replace("\"initial\"}", "\"initial\"},\r\n    \"c\": {}")));
}

void TestPatching::shippedPacksStay_data()
{
    QTest::addColumn<QString>("id");
    for (const QString &id : builtInPacks())
        QTest::newRow(qPrintable(id)) << id;
}

void TestPatching::shippedPacksStay()
{
    QFETCH(QString, id);
    const JsonText document = *loadPackDocument(id);
    const Pack pack = *readPack(document);
    QCOMPARE(patched(document.bytes(), pack, pack), document.bytes());
}

void TestPatching::shippedPacksAreEdited()
{
    QFETCH(QString, id);
    const JsonText document = *loadPackDocument(id);
    quint32 last = 0;
    Pack shipped = *readPack(document);
    identify(&shipped, &last);
    QVERIFY(holdsFor(20, 20, [&] {
        quint32 numbers = last;
        Pack was = shipped;
        QByteArray text = document.bytes();
        for (int i = 0; i < 3; ++i) {
            Pack now = randomlyEdited(was);
            identify(&now, &numbers);
            const QByteArray result = patched(text, was, now);
            RC_ASSERT(packOf(result) == now);
            RC_ASSERT(rewritten(text, was, result, now).isEmpty());
            text = result;
            was = now;
        }
    }));
}

void TestPatching::anyEditInAnyLayout()
{
    QVERIFY(holdsFor(200, 40, [&] {
        quint32 last = 0;
        const Pack first = *randomPack();
        QByteArray text = inSomeLayout(writePack(first));
        Pack was = packOf(text);
        identify(&was, &last);
        for (int i = 0; i < 3; ++i) {
            Pack now = was;
            for (int edits = *rc::gen::inRange(1, 4); edits > 0; --edits) {
                now = randomlyEdited(now);
                identify(&now, &last);
            }
            const QByteArray result = patched(text, was, now);
            RC_ASSERT(packOf(result) == now);
            RC_ASSERT(patched(result, now, now) == result);
            const QStringList others = rewritten(text, was, result, now);
            if (!others.isEmpty())
                RC_FAIL(others.join(u'\n').toStdString());
            text = result;
            was = now;
        }
    }));
}

void TestPatching::whatCannotBeMendedIsWritten()
{
    const Pack pack = packOf(withState(R"("kind": "initial")"));
    QCOMPARE(patched("no JSON", {}, pack), writePack(pack));
    QCOMPARE(patched("[]", {}, pack), writePack(pack));
    QCOMPARE(patched("", pack, pack), writePack(pack));
    // The text does not say what it is said to say.
    const QByteArray other = R"({"id": "other", "types": {}, "machines": {}, "x-more": 1})";
    const Pack now = renamed(pack, Name::State, u"a"_s, u"b"_s, u"m"_s);
    QCOMPARE(patched(other, pack, now), writePack(now));
}

void TestPatching::aLargePack()
{
    Pack pack = packOf(withState({}));
    const State state = pack.machines.first().states.first();
    for (int i = 0; i < 1000; ++i) {
        State more = state;
        more.id = u"state-%1"_s.arg(i);
        pack.machines.first().states += more;
        pack.machines.first().transitions +=
            Transition { .from = { more.id }, .on = { u"b"_s }, .to = { u"a"_s } };
    }
    quint32 last = 0;
    identify(&pack, &last);
    const QByteArray text = writePack(pack);
    const Pack now = renamed(pack, Name::State, u"a"_s, u"other"_s, u"m"_s);
    QElapsedTimer watch;
    watch.start();
    const QByteArray result = patched(text, pack, now);
    qInfo("2,000 rows: %lld ms", watch.elapsed());
    QVERIFY(result.contains("\"other\""));
    QVERIFY(packOf(result) == now);
}

const instar::TestClass<TestPatching> registered;
#include "tst_patching.moc"
