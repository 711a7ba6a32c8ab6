// SPDX-License-Identifier: Apache-2.0
// The rules of a pack as a page: what operations move, found by letting them happen, is what the
// protocol's own tables say.

#include "model/explore/propagation.h"
#include "model/items/rulespage.h"
#include "model/json/library.h"
#include "tests/support/exploring.h"
#include "tests/support/packtext.h"
#include "tests/support/ring.h"
#include "tests/support/testclass.h"

#include <QTest>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

Rules rulesOf(const QString &id, const Switches &switches = {})
{
    return *Rules::make(*loadPack(id), switches);
}

/// "starts: Updating | ancestors | descendants | siblings" of an operation on a type.
QStringList phasesOf(const Rules &rules, const QString &op, const QString &type, bool exists = true)
{
    QStringList lines;
    for (const Propagation &one : propagations(rules)) {
        if (one.operation != op || one.exists != exists || !one.types.contains(type))
            continue;
        if (!one.refused.isEmpty())
            lines += u"refused "_s + one.refused;
        for (const Propagation::Phase &phase : one.phases) {
            QStringList cells;
            for (const Kin kin :
                { Kin::Target, Kin::Ancestors, Kin::Descendants, Kin::Siblings, Kin::OtherTrees }) {
                const auto word = phase.shown.constFind(kin);
                cells += word == phase.shown.cend() ? u"none"_s : word->isEmpty() ? u"-"_s : *word;
            }
            lines += (phase.isAtOnce                    ? u"at once"_s
                             : phase.outcomes.isEmpty() ? u"start"_s
                                                        : phase.outcomes.join(u'+'))
                + u": "_s + cells.join(u" | "_s);
        }
    }
    return lines;
}

} // namespace

class TestRulesPage : public QObject
{
    Q_OBJECT

private slots:
    void asTheProtocolSays();
    void switchesCount();
    void whatIsRefused();
    void everyTypeOnce_data();
    void everyTypeOnce();
    void tablesOfEveryPack_data();
    void tablesOfEveryPack();
    void oddNames();
    void meetings();
    void narrowed();
    void plain();
    void nothingButARing();
};

/// Facts 4.4, row by row: what a PUT and a DELETE move at the top and below it.
void TestRulesPage::asTheProtocolSays()
{
    const Rules rules = rulesOf(u"network-controller"_s);
    const QString top = u"logicalNetworks"_s, below = top + u"/subnets"_s;
    QCOMPARE(phasesOf(rules, u"PUT"_s, top),
        QStringList({ u"start: Updating | none | Updating | none | -"_s,
            u"succeeded: - | none | - | none | -"_s,
            u"failed: Failed | none | Failed | none | -"_s }));
    QCOMPARE(phasesOf(rules, u"DELETE"_s, top),
        QStringList({ u"start: Deleting | none | Deleting | none | -"_s,
            u"succeeded: gone | none | gone | none | -"_s,
            u"failed: Failed | none | Failed | none | -"_s }));
    QCOMPARE(phasesOf(rules, u"PUT"_s, below),
        QStringList({ u"start: Updating | Updating | Updating | - | -"_s,
            u"succeeded: - | - | - | - | -"_s, u"failed: Failed | Failed | Failed | - | -"_s }));
    QCOMPARE(phasesOf(rules, u"DELETE"_s, below),
        QStringList({ u"start: Deleting | Updating | Deleting | - | -"_s,
            u"succeeded: gone | - | gone | - | -"_s,
            u"failed: Failed | Failed | Failed | - | -"_s }));
    QCOMPARE(phasesOf(rules, u"PUT"_s, below, false).first(),
        u"start: Updating | Updating | none | - | -"_s);
    QCOMPARE(phasesOf(rules, u"DELETE"_s, below, false),
        QStringList({ u"at once: - | - | none | - | -"_s }));
}

void TestRulesPage::switchesCount()
{
    const Rules rules =
        rulesOf(u"network-controller"_s, { { u"ancestorOutcome"_s, u"restore"_s } });
    QCOMPARE(phasesOf(rules, u"PUT"_s, u"logicalNetworks/subnets"_s).last(),
        u"failed: Failed | - | Failed | - | -"_s);
}

void TestRulesPage::whatIsRefused()
{
    const Rules rules = rulesOf(u"network-controller"_s);
    QString singleton;
    for (const Type &type : rules.pack().types) {
        if (type.machine == u"singleton")
            singleton = type.path;
    }
    QCOMPARE(
        phasesOf(rules, u"DELETE"_s, singleton), QStringList(u"refused OperationNotSupported"_s));
}

void TestRulesPage::everyTypeOnce_data()
{
    QTest::addColumn<QString>("id");
    for (const QString &id : builtInPacks())
        QTest::newRow(qPrintable(id)) << id;
}

/// Each operation on each type is told once for a target that is there, and at most once for one
/// that is not.
void TestRulesPage::everyTypeOnce()
{
    QFETCH(const QString, id);
    const Rules rules = rulesOf(id);
    QStringList told;
    for (const Propagation &one : propagations(rules)) {
        QVERIFY(!one.phases.isEmpty() || !one.refused.isEmpty());
        for (const QString &type : one.types)
            told += one.operation + u' ' + type + (one.exists ? u""_s : u" absent"_s);
    }
    QCOMPARE(QSet<QString>(told.begin(), told.end()).size(), told.size());
    for (const QString &operation : rules.pack().operationNames()) {
        for (const Type &type : rules.pack().types)
            QVERIFY2(told.contains(operation + u' ' + type.path),
                qPrintable(operation + u' ' + type.path));
    }
}

void TestRulesPage::tablesOfEveryPack_data()
{
    everyTypeOnce_data();
}

void TestRulesPage::tablesOfEveryPack()
{
    QFETCH(const QString, id);
    const Rules rules = rulesOf(id);
    const QList<RulesTable> tables = rulesTables(rules);
    QCOMPARE(tables.first().title, u"Affected resources"_s);
    for (const RulesTable &table : tables) {
        QVERIFY2(!table.rows.isEmpty(), qPrintable(table.title));
        for (const QStringList &cells : table.rows)
            QVERIFY2(cells.size() == table.heads.size(), qPrintable(table.title));
    }
    const QString page = rulesDocument(rules);
    for (const Source &source : rules.pack().sourceList)
        QVERIFY2(page.contains(source.about.toHtmlEscaped()), qPrintable(source.id));
    for (const Machine &machine : rules.pack().machines) {
        for (const Transition &row : machine.transitions)
            QVERIFY2(!rules.applies(row) || page.contains(row.about.toHtmlEscaped()),
                qPrintable(row.about));
    }
    // Nothing is fetched, and what is opened is closed.
    QVERIFY(!page.contains(u"src="_s) && !page.contains(u"http-equiv"_s));
    QXmlStreamReader reader(
        page.sliced(page.indexOf(u"<body>"_s)).replace(u"</html>"_s, QString()));
    while (!reader.atEnd())
        reader.readNext();
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
}

/// Whatever things are called, the page is one, and the names are seen as they are.
void TestRulesPage::oddNames()
{
    const QString odd = u"it's <b> & \"#1\" (ü)"_s;
    QByteArray text =
        R"({"id": "p", "title": "ODD", "sources": {"ODD": {"document": "ODD", "about": "ODD"}},
        "types": {"t": {"machine": "m"}}, "machines": {"m": {"rest": "ODD", "states": {"none": {"kind": "initial"},
        "ODD": {"about": "ODD", "source": "ODD"}}, "transitions": [{"from": "none", "on": "ODD", "to": "ODD", "source": "ODD"}]}}})";
    text.replace("ODD", QString(odd).replace(u'"', u"\\\""_s).toUtf8());
    const QString page = rulesDocument(*Rules::make(packOf(text)));
    QXmlStreamReader reader(
        page.sliced(page.indexOf(u"<body>"_s)).replace(u"</html>"_s, QString()));
    int seen = 0;
    while (!reader.atEnd()) {
        reader.readNext();
        seen += reader.isCharacters() && reader.text().contains(odd);
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY2(seen >= 6, qPrintable(page));
}

/// The 48 cells of the protocol: who wins.
void TestRulesPage::meetings()
{
    const QList<RulesTable> tables = rulesTables(rulesOf(u"network-controller"_s));
    const RulesTable &table = tables[1];
    QCOMPARE(table.title, u"Conflicts with running operations"_s);
    const auto cell = [&](const QString &runs, const QString &where, const QString &comes) {
        for (const QStringList &cells : table.rows) {
            if (cells[0] == runs && cells[1] == where)
                return cells.value(table.heads.indexOf(comes + u" comes"_s));
        }
        return QString();
    };
    QCOMPARE(cell(u"PUT"_s, u"on the same resource"_s, u"PUT"_s), u"cancels it"_s);
    QCOMPARE(cell(u"DELETE"_s, u"on the same resource"_s, u"PUT"_s), u"is refused"_s);
    QCOMPARE(cell(u"PUT"_s, u"on a sibling"_s, u"PUT"_s), u"is refused"_s);
    QCOMPARE(cell(u"PUT"_s, u"in another tree"_s, u"DELETE"_s), u"runs beside it"_s);
    QCOMPARE(cell(u"PUT"_s, u"on a descendant"_s, u"PUT"_s), u"cancels it or is refused"_s);
}

void TestRulesPage::narrowed()
{
    const RulesTable table { u"T"_s, {}, { u"a"_s, u"b"_s, u"c"_s },
        { { u"1"_s, {}, u"3"_s }, { u"4"_s, {}, {} } } };
    const RulesTable expected { u"T"_s, {}, { u"a"_s, u"c"_s },
        { { u"1"_s, u"3"_s }, { u"4"_s, QString() } } };
    QCOMPARE(table.narrowed(), expected);
}

void TestRulesPage::plain()
{
    const QString text = rulesPlain(rulesOf(u"network-controller"_s));
    QVERIFY(text.startsWith(u"Affected resources\n==================\n"_s));
    const QStringList lines = text.split(u'\n');
    const QString &head = lines[4];
    const auto row = std::ranges::find_if(lines, [](const QString &line) {
        return line.startsWith(u"DELETE"_s) && line.contains(u"starts"_s);
    });
    QVERIFY(row != lines.end());
    QCOMPARE(row->indexOf(u"starts"_s), head.indexOf(u"phase"_s));
    for (const QString &line : lines)
        QVERIFY(!line.endsWith(u' '));
}

/// A pack without conflicts, sources or switches has no such tables.
void TestRulesPage::nothingButARing()
{
    const Rules rules = *Rules::make(ringOf(2, false));
    QStringList titles;
    for (const RulesTable &table : rulesTables(rules))
        titles += table.title;
    QCOMPARE(titles,
        QStringList(
            { u"Affected resources"_s, u"Operations"_s, u"States: m"_s, u"Transitions: m"_s }));
}

const instar::TestClass<TestRulesPage> registered;
#include "tst_rulespage.moc"
