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
    QString machine;    ///< the only one in `evaluatedFor`; empty: there is not exactly one
    QString relation;   ///< of a state: that of the resources at this relation; empty: at none
    QString pointer;    ///< to the member that contains it
    bool isOwn = false; ///< it is the row's own id
    QStringList evaluatedFor {}; ///< machines whose resources the row is about
};

/// Calls `see` for every name in the pack, in the order of the descriptions.
void visitNames(const Pack &pack, const std::function<void(const Mention &)> &see);
/// Replaces every name in the pack by the result of `change`. In lists of states, `others` returns
/// further names to add after a changed one.
void changeNames(Pack *pack, const std::function<QString(const Mention &)> &change,
    const std::function<QStringList(const Mention &)> &others = {});

/// Returns the kinds of rows that a name of this kind may mean, the likelier first.
QList<Name> rowKindsFor(Name what);

struct Renaming
{
    Name what = Name::None; ///< State, Machine, Type, Operation, Outcome, Condition, Switch ...
    QString machine;        ///< of a state: the id its machine had before
    QString from, to;
    bool operator==(const Renaming &) const = default;
};

/// Returns true if a mention may mean the renamed row; `before` is the pack with the old names.
bool refersTo(const Pack &before, const Mention &mention, const Renaming &renaming);

/// Returns a row's name after the renamings; `name` if none applies.
QString nameAfter(
    const QList<Renaming> &renamings, Name what, const QString &name, const QString &machine = {});

/// Path of the sample's first resource of a type, or one for a new resource; empty: of no type.
QString pathOfType(const Pack &pack, const QString &type);

/// Returns the JSON pointer with these keys.
QString pointerTo(const QStringList &keys);

/// Renames one row and every mention of it. A state is that of `machine`; a condition whose name
/// may also mean a state of another machine, or an alias, accepts both names afterwards, so its
/// meaning is kept. Names that the engine knows (succeeded, missing, reference ...) lose their
/// special meaning. Does not check that `to` is free: check() reports duplicates.
///
/// Renaming a type also changes the types below it, paths of resources, and relations that use its
/// last segment, unless another type has that segment, too. With another parent in its path, its
/// resources move below the sample's first resource of that parent.
Pack renamed(
    Pack pack, Name what, const QString &from, const QString &to, const QString &machine = {});

/// Renames several rows at once, so two may swap names. A condition that may mean states of several
/// machines gets one name if their renamings agree. Types are renamed one after another.
Pack renamed(Pack pack, const QList<Renaming> &renamings);

/// Returns true if a condition's definition uses itself, directly or through other conditions.
bool isRecursive(const Pack &pack, const NamedCondition &row);

/// Names of the relations that every pack has: parent, children ...
const QStringList &fixedRelations();
/// Machines that resources at a relation of a machine's resources may have; empty: unknown.
QStringList machinesAt(const Pack &pack, const QString &machine, const QString &relation);

} // namespace instar
