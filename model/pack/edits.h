// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/nearest.h"
#include "model/pack/pack.h"

#include <QSet>

#include <optional>

namespace instar {

// Machines with something changed. Everything here is a function of values: a document keeps what
// was before.

/// A machine with something taken away, and what went with it, in words.
struct Edited
{
    Machine machine;
    QStringList gone;
};

/// The pack with this machine in place of the one of its id, or behind the others where there is
/// none.
Pack withMachine(Pack pack, const Machine &machine);

QStringList stateIds(const Machine &machine);
/// Null: there is none of that id.
State *stateIn(Machine &machine, const QString &id);
/// Those states and all that lie in them, in the machine's order.
QStringList withContents(const Machine &machine, const QStringList &states);

/// States and what leads between them goes, with what lies in composites. Arrows that then lead
/// from or to nothing go with them. Conditions elsewhere keep the names: check() tells of them.
Edited withoutStates(Machine machine, const QStringList &states);

/// Where a transition has to stand so that no row for any state, or for a composite around its
/// own, speaks before it: before the first such row that is on the same and asks nothing.
qsizetype placeFor(const Machine &machine, const Transition &transition);
Machine withTransition(Machine machine, const Transition &transition);

/// One end of an arrow: the state that it leaves, or that it enters.
enum class ArrowEnd { From, To };

/// Of some rows, what leads from one state to another; the row goes where nothing else is left of
/// it. An empty name stands for any state, or for where the resource last rested.
Edited withoutArrow(Machine machine, const QSet<int> &rows, const QString &from, const QString &to);
/// In some rows, one state in place of another.
Machine reconnected(
    Machine machine, const QSet<int> &rows, ArrowEnd end, const QString &from, const QString &to);

/// States in a composite, or in none where `parent` is empty; those around it stay where they are.
Machine nested(Machine machine, const QStringList &states, const QString &parent);
/// With centres in the chart, in whole points.
Machine placed(Machine machine, const QMap<QString, QPointF> &centres);

/// A state of another kind; work and timer that it cannot have go.
Machine withKind(Machine machine, const QString &state, State::Kind kind);

/// Some states, what leads from one of them to another, and what is said of them alone.
struct Fragment
{
    QList<State> states;
    QList<Transition> transitions;
    QList<Constraint> constraints {};
    QList<ChartNote> notes {};
    bool operator==(const Fragment &) const = default;
};
Fragment fragmentOf(const Machine &machine, const QStringList &states);
/// A machine with a fragment in it, moved by so many points; names that are taken get a number.
struct Pasted
{
    Machine machine;
    QStringList states; ///< as they are called now
};
Pasted withFragment(Machine machine, const Fragment &fragment, const QPointF &by);

// Rows of any kind that come, go and move. Lists and rows are meant by their JSON pointers; nothing
// comes back where there is none.

/// A pack and the pointer to the row in it that is new, or stands elsewhere.
struct PlacedRow
{
    Pack pack;
    QString pointer;
};

/// With another row in a list, at `index`, or behind all where that is less than 0. What must be
/// said in it names the first thing that there is. `id`: what it is called; empty: a name that is
/// free.
std::optional<PlacedRow> withNewRow(
    Pack pack, const QString &list, qsizetype index = -1, const QString &id = {});
/// With the same row again behind it, under another name where it has one.
std::optional<PlacedRow> withRowCopied(Pack pack, const QString &row);
/// So many places further down, or up; nothing where it stands at that end already.
std::optional<PlacedRow> withRowMoved(Pack pack, const QString &row, qsizetype by);
/// Where in its list a row stands; -1: it is in none.
qsizetype indexInList(const Pack &pack, const QString &row);
/// A state takes along what leads from and to it alone.
std::optional<Pack> withoutRow(Pack pack, const QString &row);

} // namespace instar
