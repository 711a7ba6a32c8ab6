// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

#include <QSet>

#include <optional>

namespace instar {

// Edits of machines and packs as pure functions: they return the edited value. The caller keeps
// the old one for undo.

/// Machine after a removal, and a description of what was removed with it.
struct Edited
{
    Machine machine;
    QStringList gone;
};

/// Returns the pack with the machine of the same id replaced, or, if there is none, this one
/// appended.
Pack withMachine(Pack pack, const Machine &machine);

inline QStringList stateIds(const Machine &machine)
{
    return idsOf(machine.states);
}
/// Returns the state of that id, or null.
State *stateIn(Machine &machine, const QString &id);
/// Returns the states and all their descendants, in the machine's order.
QStringList withContents(const Machine &machine, const QStringList &states);

/// Removes states, their descendants, and the arrows from or to them. Conditions elsewhere keep
/// their names: check() reports them.
Edited withoutStates(Machine machine, const QStringList &states);

/// Returns the index at which a transition is not shadowed: before the first unconditional row with
/// the same trigger that is for any state, or for a composite around its own.
qsizetype placeFor(const Machine &machine, const Transition &transition);
Machine withTransition(Machine machine, const Transition &transition);

/// Refuses the operations of a machine's row in a state (empty: in any) while a condition holds: a
/// new row stands before it. The answer is the refusal (409) with this message; a missing one is
/// added with the code "Conflict".
Pack withRefusal(Pack pack, const QString &machine, int row, const QString &from,
    const Condition &condition, const QString &message);

/// End of an arrow: the source or the target state.
enum class ArrowEnd { From, To };

/// Removes from some rows the arrow between two states; a row without other arrows is removed. An
/// empty name stands for any state, or for the last rest state.
Edited withoutArrow(Machine machine, const QSet<int> &rows, const QString &from, const QString &to);
/// Replaces one state by another at one end of some rows.
Machine reconnected(
    Machine machine, const QSet<int> &rows, ArrowEnd end, const QString &from, const QString &to);

/// Moves states into a composite, or out of all if `parent` is empty; its ancestors do not move.
Machine nested(Machine machine, const QStringList &states, const QString &parent);
/// Sets the states' centres in the chart, rounded to whole points.
Machine placed(Machine machine, const QMap<QString, QPointF> &centres);

/// Changes a state's kind; removes work and timer that the new kind cannot have.
Machine withKind(Machine machine, const QString &state, State::Kind kind);

/// Copied part of a machine: states, the transitions between them, and rows about these alone.
struct Fragment
{
    QList<State> states;
    QList<Transition> transitions;
    QList<Constraint> constraints {};
    QList<ChartNote> notes {};
    bool operator==(const Fragment &) const = default;
};
Fragment fragmentOf(const Machine &machine, const QStringList &states);
/// Machine with a fragment pasted into it, moved by some points; names in use get a number.
struct Pasted
{
    Machine machine;
    QStringList states; ///< new names of the pasted states
};
Pasted withFragment(Machine machine, const Fragment &fragment, const QPointF &by);

// Edits of rows of any kind. Lists and rows are given by their JSON pointers; the result is absent
// if there is no such list or row.

/// Pack, and the pointer to the row that was added or moved.
struct PlacedRow
{
    Pack pack;
    QString pointer;
};

/// Inserts a row into a list, at `index`, or at the end if that is negative. Its required names are
/// the first ones that exist. `id` is the row's id; empty: an unused name.
std::optional<PlacedRow> withNewRow(
    Pack pack, const QString &list, qsizetype index = -1, const QString &id = {});
/// Inserts a copy of a row behind it, under an unused name if rows have names.
std::optional<PlacedRow> withRowCopied(Pack pack, const QString &row);
/// Moves a row down by `by` places, or up if negative; absent if it is at that end already.
std::optional<PlacedRow> withRowMoved(Pack pack, const QString &row, qsizetype by);
/// Index of a row in its list; -1: it is in none.
qsizetype indexInList(const Pack &pack, const QString &row);
/// Removes a row; with a state, the arrows from and to it.
std::optional<Pack> withoutRow(Pack pack, const QString &row);

} // namespace instar
