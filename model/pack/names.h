// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

#include <functional>

namespace instar {

/// A text of a pack that names something.
struct Mention
{
    QString text;
    Name what = Name::None;
    QString machine;       ///< in whose rows it stands; empty: in none
    QString relation;      ///< of a state: it is one of the resources there; empty: of the same one
    QString pointer;       ///< of the member that it stands in
    bool isOwn = false;    ///< it is what a row itself is called
    QStringList askers {}; ///< the machines whose resources ask: that one, or several
};

/// Shows every name that stands anywhere in the pack, in the order of the descriptions.
void visitNames(const Pack &pack, const std::function<void(const Mention &)> &see);
/// Shows `change` every name that stands anywhere in the pack, and puts what it gives back in the
/// place. `others`: what else a name that is changed stands for, asked where there is room for
/// several.
void changeNames(Pack *pack, const std::function<QString(const Mention &)> &change,
    const std::function<QStringList(const Mention &)> &others = {});

/// Kinds of rows that a name of this kind may mean, the likelier first.
QList<Name> rowsFor(Name what);

/// A thing that is called otherwise.
struct Renaming
{
    Name what = Name::None; ///< State, Machine, Type, Operation, Outcome, Condition, Switch ...
    QString machine;        ///< of a state: the id its machine had before
    QString from, to;
    bool operator==(const Renaming &) const = default;
};

/// Whether a text is the name of what is called otherwise, in the pack as it was before.
bool isMeant(const Pack &before, const Mention &mention, const Renaming &renaming);

/// What a thing is called after the renamings; `name` where none is about it.
QString nameAfter(
    const QList<Renaming> &renamings, Name what, const QString &name, const QString &machine = {});

/// A JSON pointer to the place that the keys lead to.
QString pointerTo(const QStringList &keys);

/// The pack with one thing called otherwise, everywhere. States are those of `machine`; where a
/// condition may mean what other machines call so, too, or what a state passes for, it asks for
/// both names from then on, and asks what it asked. Outcomes, refusals and documents that the
/// engine knows by name (succeeded, missing, reference ...) mean something else when they are
/// called otherwise. What is called `to` already stays: two things of one name are an error that
/// check() tells.
///
/// A type's path takes those below it along, the paths of resources, and relations that lead by its
/// last segment, unless another type has that segment.
Pack renamed(
    Pack pack, Name what, const QString &from, const QString &to, const QString &machine = {});

/// The same for several things at once: two may change names, and a condition that may mean states
/// of several machines follows alone where all of those agree. Types follow one after another.
Pack renamed(Pack pack, const QList<Renaming> &renamings);

/// True if a condition is defined by itself, by way of others, too.
bool asksItself(const Pack &pack, const NamedCondition &row);

/// The relations that every pack has: parent, children ...
const QStringList &fixedRelations();
/// The machines of what may stand at a relation of a machine's resources; empty: anybody's guess.
QStringList machinesAt(const Pack &pack, const QString &machine, const QString &relation);

} // namespace instar
