// SPDX-License-Identifier: Apache-2.0
// A statechart as geometry: what must hold for every machine of every pack.
#include "model/json/library.h"
#include "tests/support/testclass.h"
#include "views/drawing/paint.h"

#include <QApplication>
#include <QDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

QString testPacks()
{
    return QStringLiteral(INSTAR_SOURCE_DIR) + u"/tests/data/packs/"_s;
}

Result<Rules> rulesOf(const QString &pack, const Switches &switches = {})
{
    const Result<Pack> loaded = loadPack(pack);
    if (!loaded)
        return Error { loaded.error() };
    return Rules::make(*loaded, switches);
}

QString nameOf(const ChartLayout &layout, int box)
{
    return layout.boxes[box].name.join(u' ');
}

QString linesOf(const ChartArrow &arrow)
{
    QStringList lines;
    for (const LinkLine &line : arrow.link.lines)
        lines += line.text;
    return lines.join(u'/');
}

bool contains(const ChartLayout &layout, int frame, int inner)
{
    for (int at = inner; at >= 0; at = layout.boxes[at].parent) {
        if (at == frame)
            return true;
    }
    return false;
}

} // namespace

class TestChart : public QObject
{
    Q_OBJECT

private slots:
    void allMachines_data() const;
    void allMachines();
    void withoutPositions_data() const { allMachines_data(); }
    void withoutPositions();
    void positionsAreKept();
    void foreignArrowsKeepTheirRoutes();
    void rowsBetweenTwoStatesAreOneArrow();
    void longLabelsBreak();
    void switchesChooseTheArrows();
    void anyStateReturnsToTheLast();
    void aTripFindsItsArrow();

private:
    void checkBoxes(const ChartLayout &layout) const;
    void checkLabels(const ChartLayout &layout) const;
    void checkArrows(const ChartLayout &layout) const;
    void checkRows(const Rules &rules, const ChartLayout &layout) const;
};

void TestChart::allMachines_data() const
{
    addColumns<QString, Switches>("pack", "switches");
    QStringList packs = builtInPacks();
    const QStringList files = QDir(testPacks()).entryList({ u"*.json"_s }, QDir::Files, QDir::Name);
    for (const QString &file : files)
        packs += testPacks() + file;
    QVERIFY2(packs.size() >= 7, "the packs of the tests are missing");
    for (const QString &pack : packs) {
        const Pack loaded = valueOf(loadPack(pack));
        QTest::addRow("%s", qPrintable(loaded.id)) << pack << Switches();
        for (const Switch &row : loaded.switches) {
            for (const QString &value : row.values) {
                if (value != row.defaultValue)
                    QTest::addRow(
                        "%s, %s %s", qPrintable(loaded.id), qPrintable(row.id), qPrintable(value))
                        << pack << Switches { { row.id, value } };
            }
        }
    }
}

void TestChart::allMachines()
{
    QFETCH(QString, pack);
    QFETCH(Switches, switches);
    const Rules rules = valueOf(rulesOf(pack, switches));
    const ChartFonts fonts = ChartFonts::from(QFont());
    for (int machine = 0; machine < int(rules.machines().size()); ++machine) {
        const ChartLayout layout = chartLayout(rules, machine, fonts);
        checkBoxes(layout);
        checkLabels(layout);
        checkArrows(layout);
        checkRows(rules, layout);
        QCOMPARE(chartLayout(rules, machine, fonts), layout);
        if (QTest::currentTestFailed()) {
            qWarning("in machine %s", qPrintable(rules.machines()[size_t(machine)].id));
            return;
        }
    }
}

/// The same machines, as if nobody had placed their states.
void TestChart::withoutPositions()
{
    QFETCH(QString, pack);
    QFETCH(Switches, switches);
    Pack loaded = valueOf(loadPack(pack));
    for (Machine &machine : loaded.machines) {
        for (State &state : machine.states)
            state.position.reset();
        for (Transition &transition : machine.transitions)
            transition.bend = 0;
    }
    const Rules rules = valueOf(Rules::make(loaded, switches));
    for (int machine = 0; machine < int(rules.machines().size()); ++machine) {
        const ChartLayout layout = chartLayout(rules, machine, ChartFonts::from(QFont()));
        checkBoxes(layout);
        checkLabels(layout);
        checkArrows(layout);
        checkRows(rules, layout);
    }
}

void TestChart::checkBoxes(const ChartLayout &layout) const
{
    for (int a = 0; a < layout.boxes.size(); ++a) {
        const ChartBox &first = layout.boxes[a];
        QVERIFY2(layout.bounds.contains(first.area), qPrintable(nameOf(layout, a)));
        QVERIFY2(first.area.contains(first.outline.rect), qPrintable(nameOf(layout, a)));
        if (!first.isFrame() && first.kind != State::Kind::Initial)
            QVERIFY2(first.outline.contains(first.token), qPrintable(nameOf(layout, a)));
        for (int b = 0; b < layout.boxes.size(); ++b) {
            const QString names = nameOf(layout, a) + u" and "_s + nameOf(layout, b);
            if (a != b && contains(layout, a, b))
                QVERIFY2(first.outline.rect.contains(layout.boxes[b].area), qPrintable(names));
            else if (a != b && !contains(layout, b, a))
                QVERIFY2(!first.area.intersects(layout.boxes[b].area), qPrintable(names));
        }
    }
}

void TestChart::checkLabels(const ChartLayout &layout) const
{
    for (int i = 0; i < layout.arrows.size(); ++i) {
        const ChartArrow &arrow = layout.arrows[i];
        QVERIFY(layout.bounds.contains(arrow.label));
        for (int box = 0; box < layout.boxes.size(); ++box) {
            const QString names = linesOf(arrow) + u" on "_s + nameOf(layout, box);
            const ChartBox &other = layout.boxes[box];
            QVERIFY2(!arrow.label.intersects(other.isFrame() ? other.title() : other.area),
                qPrintable(names));
            if (!other.isFrame())
                QVERIFY2(
                    arrow.dot.isNull() || !arrow.dot.intersects(other.area), qPrintable(names));
        }
        for (int j = 0; j < layout.arrows.size(); ++j) {
            const ChartArrow &other = layout.arrows[j];
            const QString names = linesOf(arrow) + u" and "_s + linesOf(other);
            QVERIFY2(i == j || !arrow.label.intersects(other.label), qPrintable(names));
            QVERIFY2(other.dot.isNull() || !arrow.label.intersects(other.dot), qPrintable(names));
            QVERIFY2(i == j || !arrow.label.contains(other.curve.end()),
                qPrintable(names + u"'s head"_s));
        }
    }
}

void TestChart::checkArrows(const ChartLayout &layout) const
{
    for (const ChartArrow &arrow : layout.arrows) {
        const auto isOnBorder = [&](Rules::StateId state, const QPointF &point) {
            if (state < 0)
                return !arrow.dot.isNull()
                    && std::abs(QLineF(arrow.dot.center(), point).length() - arrow.dot.width() / 2)
                    < 0.5;
            return layout.boxes[layout.boxOf(state)].outline.distance(point) < 0.5;
        };
        QVERIFY2(isOnBorder(arrow.link.from, arrow.curve.begin()), qPrintable(linesOf(arrow)));
        QVERIFY2(isOnBorder(arrow.link.to, arrow.curve.end()), qPrintable(linesOf(arrow)));
        QVERIFY2(arrow.curve.length() > 12, qPrintable(linesOf(arrow)));
        QVERIFY(!arrow.link.lines.isEmpty());
    }
}

void TestChart::checkRows(const Rules &rules, const ChartLayout &layout) const
{
    const Machine &machine = rules.pack().machines[layout.machine];
    for (int row = 0; row < machine.transitions.size(); ++row) {
        const Transition &transition = machine.transitions[row];
        const bool isDrawn = std::ranges::any_of(layout.arrows, [&](const ChartArrow &arrow) {
            return std::ranges::any_of(
                arrow.link.lines, [&](const LinkLine &line) { return line.rows.contains(row); });
        });
        const bool leads = rules.applies(transition) && !transition.to.isEmpty();
        const QString text = u"row %1: %2 on %3"_s.arg(
            QString::number(row), transition.from.join(u'/'), transition.on.join(u'/'));
        QVERIFY2(isDrawn == leads, qPrintable(text));
    }
    for (const State &state : machine.states) {
        const bool isDrawn = layout.boxOf(rules.stateNamed(layout.machine, state.id)) >= 0;
        QVERIFY2(isDrawn == rules.applies(state), qPrintable(state.id));
    }
}

void TestChart::positionsAreKept()
{
    const Rules rules = valueOf(rulesOf(u"network-controller"_s));
    const ChartLayout layout = chartLayout(rules, 0, ChartFonts::from(QFont()));
    for (const State &state : rules.pack().machines[0].states) {
        QVERIFY(state.position);
        const ChartBox &box = layout.boxes[layout.boxOf(rules.stateNamed(0, state.id))];
        QVERIFY2(QLineF(box.outline.rect.center(), *state.position).length() < 0.01,
            qPrintable(state.id));
    }
}

/// Moving a state routes no arrow anew that neither ends there nor is covered by it.
void TestChart::foreignArrowsKeepTheirRoutes()
{
    const Pack pack = valueOf(loadPack(u"blazar"_s));
    const ChartFonts fonts = ChartFonts::from(QFont());
    const int machine = int(pack.machine(u"lease"_s) - pack.machines.constData());
    const ChartLayout before = chartLayout(*Rules::make(pack), machine, fonts);
    int kept = 0;
    for (const ChartBox &box : before.boxes) {
        Pack moved = pack;
        const auto state = std::ranges::find(moved.machines[machine].states, box.id, &State::id);
        QVERIFY(state->position);
        *state->position += QPointF(40, 90);
        const ChartLayout after = chartLayout(*Rules::make(moved), machine, fonts, drawingBudget(),
            {}, false, Refusals::Hidden, before);
        const QRectF room = grown(after.boxes[after.boxOf(box.state)].area, 8);
        QCOMPARE(after.arrows.size(), before.arrows.size());
        for (int i = 0; i < before.arrows.size(); ++i) {
            const ChartArrow &was = before.arrows[i], &is = after.arrows[i];
            const bool isOwn = was.link.from == box.state || was.link.to == box.state;
            if (isOwn || room.intersects(was.label | was.dot)
                || lengthInside(room, was.curve.samples(28)) > 0)
                continue;
            ++kept;
            if (is.curve != was.curve)
                QFAIL(qPrintable(u"%1 moves the arrow %2"_s.arg(box.id, linesOf(was))));
        }
    }
    QVERIFY(kept > 3 * before.boxes.size());
}

void TestChart::rowsBetweenTwoStatesAreOneArrow()
{
    const Rules rules = valueOf(rulesOf(testPacks() + u"nova-server.json"_s));
    const QList<Link> links = chartLinks(rules, 0);
    for (int a = 0; a < links.size(); ++a) {
        for (int b = 0; b < a; ++b)
            QVERIFY(links[a].from != links[b].from || links[a].to != links[b].to);
    }
    const Rules::StateId build = rules.stateNamed(0, u"BUILD"_s),
                         error = rules.stateNamed(0, u"ERROR"_s);
    const auto link = std::ranges::find_if(
        links, [=](const Link &row) { return row.from == build && row.to == error; });
    QVERIFY(link != links.end());
    QCOMPARE(link->lines.size(), 2);
    QCOMPARE(link->lines[0].text, u"failed"_s);
    QVERIFY(!link->lines[0].isMinor);
    QCOMPARE(link->lines[1].text, u"canceled"_s);
    QVERIFY(link->lines[1].isMinor);
}

/// Between words, or within one that is too long for a line; nothing of them is lost.
void TestChart::longLabelsBreak()
{
    Pack pack = valueOf(loadPack(u"network-controller"_s));
    const QString words =
        u"once the gateway has told all of its neighbours where the network is to be found now"_s;
    const QString word = u"gateway.neighbours(all).told(where:found)&&"_s.repeated(6);
    const ChartFonts fonts = ChartFonts::from(QFont());
    for (const QString &label : { words, word, u"short\n"_s + words }) {
        const auto row = std::ranges::find_if(pack.machines[0].transitions,
            [](const Transition &each) { return !each.to.isEmpty() && each.when.isEmpty(); });
        QVERIFY(row != pack.machines[0].transitions.end());
        row->label = label;
        const Rules rules = valueOf(Rules::make(pack));
        const ChartLayout layout = chartLayout(rules, 0, fonts);
        checkLabels(layout);
        const auto arrow = std::ranges::find_if(layout.arrows, [&](const ChartArrow &each) {
            return std::ranges::find(each.link.lines, label, &LinkLine::text)
                != each.link.lines.end();
        });
        QVERIFY(arrow != layout.arrows.end());
        QVERIFY2(arrow->label.width() <= widestLabel + 14,
            qPrintable(QString::number(arrow->label.width())));
        const int line = int(std::ranges::find(arrow->link.lines, label, &LinkLine::text)
            - arrow->link.lines.begin());
        const QStringList &text = arrow->texts[line];
        QVERIFY(text.size() > 1);
        QCOMPARE(text.join(QString()).remove(u' '), QString(label).remove(u'\n').remove(u' '));
        QRectF all;
        for (int i = 0; i < arrow->link.lines.size(); ++i)
            all |= arrow->lineRect(i);
        QVERIFY(QLineF(all.bottomRight(), arrow->label.bottomRight()).length() < 0.01);
    }
}

void TestChart::switchesChooseTheArrows()
{
    const auto linesAt = [](const Switches &switches) {
        const Result<Rules> rules = rulesOf(u"network-controller"_s, switches);
        QStringList result;
        for (const Link &link : chartLinks(*rules, 0)) {
            if (link.from != rules->stateNamed(0, u"Touched"_s) || link.isLoop())
                continue;
            for (const LinkLine &line : link.lines)
                result += (link.to == Link::Last ? u"(last)"_s : rules->state(link.to).id) + u": "_s
                    + line.text;
        }
        result.sort();
        return result.join(u"; ");
    };
    QCOMPARE(linesAt({}), u"(last): canceled; Failed: failed; Succeeded: succeeded"_s);
    QCOMPARE(linesAt({ { u"ancestorOutcome"_s, u"restore"_s }, { u"orphanPolicy"_s, u"fail"_s } }),
        u"(last): failed; (last): succeeded; Failed: canceled"_s);
}

/// Each arrow begins or ends at a state, also one of a row from any state to the last one.
void TestChart::anyStateReturnsToTheLast()
{
    Pack pack = *loadPack(u"network-controller"_s);
    Transition row;
    row.from = { u"*"_s };
    row.on = { u"updated above"_s };
    row.to = { u"(last)"_s };
    pack.machines.first().transitions.prepend(row);
    const ChartLayout layout = chartLayout(*Rules::make(pack), 0, ChartFonts::from(QFont()));
    for (const ChartArrow &arrow : layout.arrows)
        QVERIFY(arrow.link.from >= 0 || arrow.link.to >= 0);
    checkArrows(layout);
}

void TestChart::aTripFindsItsArrow()
{
    const Rules rules = valueOf(rulesOf(u"network-controller"_s));
    const ChartLayout layout = chartLayout(rules, 0, ChartFonts::from(QFont()));
    const auto id = [&](const QString &name) { return rules.stateNamed(0, name); };
    const auto link = [&](const QString &from, const QString &to, const QString &trigger) {
        const int index = layout.arrowFor(rules, id(from), id(to), rules.trigger(trigger));
        return index < 0 ? Link() : layout.arrows[index].link;
    };
    QCOMPARE(link(u"Updating"_s, u"Succeeded"_s, u"succeeded"_s).from, id(u"Updating"_s));
    QCOMPARE(link(u"Updating"_s, u"Succeeded"_s, u"succeeded"_s).to, id(u"Succeeded"_s));
    QVERIFY(link(u"Updating"_s, u"Updating"_s, u"retried"_s).isLoop());
    // An event from above goes the way that a PUT goes, where there is one.
    QCOMPARE(link(u"Succeeded"_s, u"Updating"_s, u"updated above"_s).from, id(u"Succeeded"_s));
    QCOMPARE(link(u"Succeeded"_s, u"Touched"_s, u"updated below"_s).from, int(Link::Any));
    QCOMPARE(link(u"Updating"_s, u"Succeeded"_s, u"canceled"_s).from, id(u"Updating"_s));
    QCOMPARE(layout.arrowFor(rules, id(u"Succeeded"_s), id(u"Failed"_s), rules.failed), -1);
}

const instar::TestClass<TestChart, QApplication> registered;
#include "tst_chart.moc"
