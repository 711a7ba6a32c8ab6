// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/editedchart.h"

#include "model/machine/edits.h"
#include "model/machine/mending.h"
#include "views/diagram/sourced.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

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
    ChartLayout drafted =
        withoutStates(layout, [&](const ChartBox &box) { return !draft.state(box.id); });
    for (ChartBox &box : drafted.boxes) {
        if (draft.state(box.id)->kind != State::Kind::Composite || box.isFrame())
            continue;
        box.kind = State::Kind::Composite;
        box.outline.radius = frameRadius;
    }
    return drafted;
}

} // namespace instar
