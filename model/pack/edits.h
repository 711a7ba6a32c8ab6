// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

#include <QSet>

#include <optional>

namespace instar {

// Edits of machines and packs as pure functions: they return the edited value.

/// Machine after a removal, and descriptions of the parts that were removed with it.
struct Edited
{
    Machine machine;
    QStringList removed;
};

/// Returns the pack with a machine that replaces the one of the same id; appended if there is none.
Pack withMachine(Pack pack, const Machine &machine);

inline QStringList stateIds(const Machine &machine)
{
    return idsOf(machine.states);
}
State *stateIn(Machine &machine, const QString &id);
/// Returns states and all their descendants, in the machine's order.
QStringList withContents(const Machine &machine, const QStringList &states);

/// Removes states, their descendants, and the arrows from or to them. Conditions that name the
/// states are kept: check() reports them.
Edited withoutStates(Machine machine, const QStringList &states);

/// Returns the index at which no row shadows a transition: before the first unconditional row that
/// has a common trigger and leaves "*" or a composite around a source of the transition.
qsizetype insertionIndex(const Machine &machine, const Transition &transition);
Machine withTransition(Machine machine, const Transition &transition); ///< at insertionIndex()

/// Refuses the operations of transition `row` in state `from` (empty: in any state) while a
/// condition holds, by a new row before that transition. The answer is the pack's refusal with
/// status 409 and this message; if there is none, one with the code "Conflict" is added.
Pack withRefusal(Pack pack, const QString &machine, int row, const QString &from,
    const Condition &condition, const QString &message);

/// End of an arrow: the source or the target state.
enum class ArrowEnd { From, To };

/// Removes an arrow from transitions, given by their indices, and transitions without other arrows.
/// An empty `from` stands for any state, an empty `to` for the last rest state.
Edited withoutArrow(Machine machine, const QSet<int> &rows, const QString &from, const QString &to);
/// Inserts behind a row a copy with one arrow, which is given as for withoutArrow().
Machine withArrowCopied(Machine machine, int row, const QString &from, const QString &to);
/// Replaces one state by another at one end of some rows.
Machine reconnected(
    Machine machine, const QSet<int> &rows, ArrowEnd end, const QString &from, const QString &to);

/// Moves states into a composite, unless it is inside them; to the top level if `parent` is empty.
Machine nested(Machine machine, const QStringList &states, const QString &parent);
/// Sets the states' centres in the chart, rounded to whole points.
Machine placed(Machine machine, const QMap<QString, QPointF> &centres);

/// Changes a state's kind; removes work and timer that the new kind cannot have.
Machine withKind(Machine machine, const QString &state, State::Kind kind);

/// Copied part of a machine: states, transitions between them, and their constraints and notes.
struct Fragment
{
    QList<State> states;
    QList<Transition> transitions;
    QList<Constraint> constraints {};
    QList<ChartNote> notes {};
    bool operator==(const Fragment &) const = default;
};
/// Copies states with their descendants.
Fragment fragmentOf(const Machine &machine, const QStringList &states);
struct Pasted
{
    Machine machine;
    QStringList states; ///< new names of the pasted states
};
/// Pastes a fragment, moved by some points; a pasted state whose name is in use gets a number.
Pasted withFragment(Machine machine, const Fragment &fragment, const QPointF &by);

// Edits of rows of any kind. Lists and rows are given by their JSON pointers; the result is absent
// if there is no such list or row.

/// Pack, and the pointer to the row that was added or moved.
struct PackAndRow
{
    Pack pack;
    QString pointer;
};

/// Inserts a row into a list, at `index`, or at the end if `index` is negative. Each required name
/// in the row is the first one that exists. `id` is the row's id; empty: an unused name.
std::optional<PackAndRow> withNewRow(
    Pack pack, const QString &list, qsizetype index = -1, const QString &id = {});
/// Inserts a copy of a row behind it, under an unused name if rows have names.
std::optional<PackAndRow> withRowCopied(Pack pack, const QString &row);
/// Moves a row down by `by` places, or up if negative; absent if the list is too short.
std::optional<PackAndRow> withRowMoved(Pack pack, const QString &row, qsizetype by);
/// Returns the index of a row in its list; -1: the row is in no list.
qsizetype indexInList(const Pack &pack, const QString &row);
/// Removes a row; with a state, the arrows from and to it.
std::optional<Pack> withoutRow(Pack pack, const QString &row);

} // namespace instar
