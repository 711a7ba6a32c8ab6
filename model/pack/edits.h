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

/// Returns the index at which a transition is not shadowed: that of the first unconditional row
/// with the same trigger whose source is "*" or a composite around the transition's source.
qsizetype placeFor(const Machine &machine, const Transition &transition);
Machine withTransition(Machine machine, const Transition &transition);

/// Inserts a row before a transition that refuses its operations in state `from` (empty: in any)
/// while a condition holds. The answer is the refusal with status 409 and this message; if there is
/// none, it is added with the code "Conflict".
Pack withRefusal(Pack pack, const QString &machine, int row, const QString &from,
    const Condition &condition, const QString &message);

/// End of an arrow: the source or the target state.
enum class ArrowEnd { From, To };

/// Removes from some rows the arrow between two states; a row without other arrows is removed. An
/// empty `from` stands for any state, an empty `to` for the last rest state.
Edited withoutArrow(Machine machine, const QSet<int> &rows, const QString &from, const QString &to);
/// Inserts behind a row a copy that has only the arrow between two states, which are given as for
/// withoutArrow().
Machine withArrowCopied(Machine machine, int row, const QString &from, const QString &to);
/// Replaces one state by another at one end of some rows.
Machine reconnected(
    Machine machine, const QSet<int> &rows, ArrowEnd end, const QString &from, const QString &to);

/// Moves states into a composite, or to the top level if `parent` is empty; does not move the
/// composite's ancestors.
Machine nested(Machine machine, const QStringList &states, const QString &parent);
/// Sets the states' centres in the chart, rounded to whole points.
Machine placed(Machine machine, const QMap<QString, QPointF> &centres);

/// Changes a state's kind; removes work and timer that the new kind cannot have.
Machine withKind(Machine machine, const QString &state, State::Kind kind);

/// Copied part of a machine: states, transitions between them, and other rows about them alone.
struct Fragment
{
    QList<State> states;
    QList<Transition> transitions;
    QList<Constraint> constraints {};
    QList<ChartNote> notes {};
    bool operator==(const Fragment &) const = default;
};
Fragment fragmentOf(const Machine &machine, const QStringList &states);
/// Machine with a pasted fragment, moved by some points; names in use get a number.
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

/// Inserts a row into a list, at `index`, or at the end if that is negative. Fills its required
/// names with the first ones that exist. `id` is the row's id; empty: an unused name.
std::optional<PlacedRow> withNewRow(
    Pack pack, const QString &list, qsizetype index = -1, const QString &id = {});
/// Inserts a copy of a row behind it, under an unused name if rows have names.
std::optional<PlacedRow> withRowCopied(Pack pack, const QString &row);
/// Moves a row down by `by` places, or up if negative; absent if the list ends before.
std::optional<PlacedRow> withRowMoved(Pack pack, const QString &row, qsizetype by);
/// Returns the index of a row in its list; -1: it is in none.
qsizetype indexInList(const Pack &pack, const QString &row);
/// Removes a row; with a state, the arrows from and to it.
std::optional<Pack> withoutRow(Pack pack, const QString &row);

} // namespace instar
