// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/chartvariants.h"

#include "model/pack/edits.h"
#include "model/pack/runnablepack.h"
#include "views/drawing/paint.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The value of a free member, one string or several.
QStringList extraTexts(const QList<Extra> &extras, QStringView key)
{
    for (const Extra &extra : extras) {
        if (extra.key != key)
            continue;
        QStringList texts;
        const QJsonArray values =
            QJsonDocument::fromJson('[' + extra.json + ']').array(); // a string is no document
        for (const QJsonValue value : values) {
            if (value.isArray()) {
                const QJsonArray parts = value.toArray();
                for (const QJsonValue part : parts)
                    texts += part.toString();
            } else if (value.toBool(true)) {
                texts += value.toString();
            }
        }
        return texts;
    }
    return {};
}

bool isOwnReading(const Pack &pack, const QString &key)
{
    const auto source = std::ranges::find(pack.sourceList, key, &Source::id);
    return source != pack.sourceList.end() && !extraTexts(source->extras, u"x-ours").isEmpty();
}

/// The chart without some boxes and lines. What stays is where it was.
ChartLayout without(const ChartLayout &layout, const auto &boxGoes, const auto &lineGoes)
{
    ChartLayout kept { .machine = layout.machine, .boxes = {}, .arrows = {}, .bounds = {} };
    QList<int> place; // of each box among those that stay; -1: it goes
    QRectF bounds;
    for (const ChartBox &box : layout.boxes) {
        const bool goes = boxGoes(box) || (box.parent >= 0 && place[box.parent] < 0);
        place += goes ? -1 : int(kept.boxes.size());
        if (goes)
            continue;
        kept.boxes += box;
        kept.boxes.last().parent = box.parent < 0 ? -1 : place[box.parent];
        bounds |= box.area;
    }
    const auto stays = [&](Rules::StateId state) {
        return state == Link::Any || kept.boxOf(state) >= 0;
    };
    for (const ChartArrow &arrow : layout.arrows) {
        if (!stays(arrow.link.from) || !stays(arrow.link.to))
            continue;
        ChartArrow said = arrow;
        for (qsizetype i = said.link.lines.size() - 1; i >= 0; --i) {
            if (!lineGoes(said.link.lines[i]))
                continue;
            said.link.lines.removeAt(i);
            said.texts.removeAt(i);
        }
        if (said.link.lines.isEmpty())
            continue;
        const double height =
            arrow.label.height() * double(said.rowCount()) / double(arrow.rowCount());
        said.label.setTop(arrow.label.center().y() - height / 2);
        said.label.setHeight(height);
        kept.arrows += said;
        bounds |= pathOf(said.curve).boundingRect() | said.label | said.dot;
    }
    kept.papers = layout.papers;
    for (const ChartPaper &paper : layout.papers)
        bounds |= paper.rect;
    kept.bounds = bounds.toAlignedRect();
    return kept;
}

} // namespace

bool isOurs(const Pack &pack, const Machine &machine, const Row &row)
{
    const QStringList picture = extraTexts(machine.extras, u"x-picture");
    if (!picture.isEmpty())
        return std::ranges::none_of(
            row.sources, [&](const QString &key) { return picture.contains(key); });
    return !row.sources.isEmpty() && std::ranges::all_of(row.sources, [&](const QString &key) {
        return isOwnReading(pack, key);
    });
}

bool isOurs(const Rules &rules, int machine, const ChartBox &box)
{
    const Machine &rows = rules.pack().machines[machine];
    const State *row = rows.state(box.id);
    return row && isOurs(rules.pack(), rows, *row);
}

bool isOurs(const Rules &rules, int machine, const LinkLine &line)
{
    const Machine &rows = rules.pack().machines[machine];
    return std::ranges::all_of(
        line.rows, [&](int row) { return isOurs(rules.pack(), rows, rows.transitions[row]); });
}

bool isOurs(const Rules &rules, int machine, const Link &link)
{
    return std::ranges::all_of(
        link.lines, [&](const LinkLine &line) { return isOurs(rules, machine, line); });
}

ChartLayout withoutOurs(const Rules &rules, const ChartLayout &layout)
{
    return without(
        layout, [&](const ChartBox &box) { return isOurs(rules, layout.machine, box); },
        [&](const LinkLine &line) { return isOurs(rules, layout.machine, line); });
}

namespace {

constexpr double frameRadius = 16;
constexpr double roomBeside = 14; ///< from what is left out to what it gives way to
constexpr int mostSteps = 1000;   ///< in which it does

/// Whether the same switch says which of them there is.
bool areAlternatives(const State &a, const State &b)
{
    return std::ranges::any_of(
        a.when.keys(), [&](const QString &name) { return b.when.contains(name); });
}

/// The machine under every setting at once, its states where they are drawn. Of alternatives that
/// share a place those that are left out give way.
Machine wholeMachine(const Machine &machine, const ChartLayout &usual, const ChartFonts &fonts)
{
    Machine whole = machine;
    for (State &state : whole.states)
        state.when.clear();
    for (Transition &row : whole.transitions)
        row.when.clear();
    for (ChartNote &note : whole.notes)
        note.when.clear();
    QMap<QString, QRectF> taken;
    for (const ChartBox &box : usual.boxes) {
        if (!box.isFrame())
            taken.insert(box.id, box.outline.rect);
    }
    for (State &state : whole.states) {
        if (taken.contains(state.id)) {
            state.position = taken[state.id].center();
            continue;
        }
        if (!state.position || state.kind == State::Kind::Composite)
            continue;
        QRectF box(QPointF(), boxSize(state, fonts));
        box.moveCenter(*state.position);
        const bool isShared = std::ranges::any_of(taken.keys(), [&](const QString &other) {
            return taken[other].contains(box.center())
                && areAlternatives(*machine.state(other), *machine.state(state.id));
        });
        const auto isNear = [&](const QRectF &other) {
            return other.adjusted(-roomBeside, -roomBeside, roomBeside, roomBeside).intersects(box);
        };
        for (int step = 0; step < mostSteps && isShared && std::ranges::any_of(taken, isNear);
             ++step)
            box.translate(0, roomBeside);
        state.position = box.center();
        taken.insert(state.id, box);
    }
    return whole;
}

/// In a chart of other rules, what those rules have.
class Translation
{
public:
    Translation(const Rules &others, const Rules &rules, int machine)
        : m_others(others),
          m_rules(rules),
          m_machine(machine),
          m_rows(rules.pack().machines[machine])
    { }

    ChartLayout translated(ChartLayout layout)
    {
        layout.machine = m_machine;
        for (ChartBox &box : layout.boxes) {
            const State *row = m_rows.state(box.id);
            box.isLeftOut = !row || !m_rules.applies(*row);
            const Rules::StateId state = box.isLeftOut
                ? Link::Any - 1 - Rules::StateId(m_states.size())
                : m_rules.stateNamed(m_machine, box.id);
            m_states.insert(box.state, state);
            box.state = state;
        }
        for (ChartArrow &arrow : layout.arrows)
            translate(arrow);
        return layout;
    }

private:
    void translate(ChartArrow &arrow)
    {
        arrow.link.from = m_states.value(arrow.link.from, arrow.link.from);
        arrow.link.to = m_states.value(arrow.link.to, arrow.link.to);
        arrow.isLeftOut = true;
        for (LinkLine &line : arrow.link.lines) {
            QList<Rules::TriggerId> triggers;
            for (const Rules::TriggerId trigger : line.triggers) {
                const Rules::TriggerId known = m_rules.trigger(m_others.triggerName(trigger));
                if (known != Rules::None)
                    triggers += known;
            }
            line.triggers = triggers;
            const bool isThere = std::ranges::any_of(
                line.rows, [this](int row) { return m_rules.applies(m_rows.transitions[row]); });
            line.isLeftOut = !isThere;
            line.isQuiet = line.isQuiet || !isThere;
            arrow.isLeftOut = arrow.isLeftOut && !isThere;
        }
    }

    const Rules &m_others, &m_rules;
    int m_machine;
    const Machine &m_rows;
    QHash<Rules::StateId, Rules::StateId> m_states; ///< of the others -> ours
};

} // namespace

bool hasRowsLeftOut(const Rules &rules, int machine)
{
    const Machine &rows = rules.pack().machines[machine];
    const auto isLeftOut = [&](const Row &row) { return !rules.applies(row); };
    return std::ranges::any_of(rows.states, isLeftOut)
        || std::ranges::any_of(rows.transitions, isLeftOut)
        || std::ranges::any_of(rows.notes, isLeftOut);
}

ChartLayout editedChart(
    const Rules &rules, int machine, const ChartFonts &fonts, const Budget &budget)
{
    const ChartLayout usual = chartLayout(rules, machine, fonts, budget);
    if (!hasRowsLeftOut(rules, machine))
        return usual;
    Pack whole = rules.pack();
    const QString id = whole.machines[machine].id;
    whole.machines[machine] = wholeMachine(whole.machines[machine], usual, fonts);
    whole = runnableDraft(whole, rules.switches());
    const Result<Rules> all = Rules::make(whole, rules.switches());
    const auto same = std::ranges::find(whole.machines, id, &Machine::id);
    if (!all || same == whole.machines.end())
        return usual;
    const int index = int(same - whole.machines.begin());
    return Translation(*all, rules, machine).translated(chartLayout(*all, index, fonts, budget));
}

ChartLayout asDrafted(const ChartLayout &layout, const Machine &draft)
{
    const auto goes = [&](const ChartBox &box) { return !draft.state(box.id); };
    ChartLayout drafted = std::ranges::none_of(layout.boxes, goes)
        ? layout
        : without(layout, goes, [](const LinkLine &) { return false; });
    for (ChartBox &box : drafted.boxes) {
        if (draft.state(box.id)->kind != State::Kind::Composite || box.isFrame())
            continue;
        box.kind = State::Kind::Composite;
        box.outline.radius = frameRadius;
    }
    return drafted;
}

} // namespace instar
