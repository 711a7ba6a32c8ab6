// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

#include <functional>

namespace instar {

/// Occurrence of a name in a pack.
struct Mention
{
    QString text;
    Name what = Name::None;
    QString machine;    ///< the only machine in `evaluatedFor`; empty: none or several
    QString relation;   ///< relation to the resource in the state ("parent"); empty: the row's own
    QString pointer;    ///< JSON pointer to the member that contains the name
    bool isOwn = false; ///< the name is the row's own id
    QStringList evaluatedFor {}; ///< machines for whose resources the row is evaluated
};

/// Calls `callback` for every name in the pack, in the order in which files contain the names.
void visitNames(const Pack &pack, const std::function<void(const Mention &)> &callback);
/// Replaces every name in the pack by the result of `change`. In a list of states, `others` returns
/// further names to add after a name that `change` changed.
void changeNames(Pack *pack, const std::function<QString(const Mention &)> &change,
    const std::function<QStringList(const Mention &)> &others = {});

/// Returns the kinds of rows that a name of this kind may mean, the likeliest first.
QList<Name> rowKindsFor(Name what);

struct Renaming
{
    Name what = Name::None; ///< State, Machine, Type, Operation, Outcome, Condition, Switch ...
    QString machine;        ///< of a state: the old id of its machine
    QString from, to;
    bool operator==(const Renaming &) const = default;
};

/// True if a mention may mean the renamed row; `before` is the pack with the old names.
bool refersTo(const Pack &before, const Mention &mention, const Renaming &renaming);

/// Returns a row's name after the renamings; `name` if none applies.
QString nameAfter(
    const QList<Renaming> &renamings, Name what, const QString &name, const QString &machine = {});

/// Returns the path of a type's first resource in the pack's sample tree, else an invented path.
QString pathOfType(const Pack &pack, const QString &type);

QString pointerTo(const QStringList &keys);

/// Renames one row and every mention of the row. If it is a state, `machine` is its machine. A
/// condition on a state whose name may also mean a state of another machine, or an alias, accepts
/// both names afterwards. Names that the engine knows (succeeded, missing, reference ...) lose
/// their special meaning. Does not check that `to` is free: check() reports duplicates.
///
/// Renaming a type also changes the types below it, paths of resources, and relations that use the
/// type's last segment, unless another type has that segment, too. If the type's parent changes,
/// its resources move below the sample's first resource of the new parent.
Pack renamed(
    Pack pack, Name what, const QString &from, const QString &to, const QString &machine = {});

/// Renames several rows at once, so that two may swap names. A condition on states of several
/// machines gets one name if these are renamed alike. Types are renamed one after another.
Pack renamed(Pack pack, const QList<Renaming> &renamings);

/// True if a condition's definition uses itself, directly or through other conditions.
bool isRecursive(const Pack &pack, const NamedCondition &row);

/// Returns the relations that every pack has: parent, children ...
const QStringList &fixedRelations();
/// Returns the machines to which a relation leads from a machine's resources; empty: unknown.
QStringList machinesAt(const Pack &pack, const QString &machine, const QString &relation);

} // namespace instar
