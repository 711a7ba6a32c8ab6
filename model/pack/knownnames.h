// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/names.h"

#include <optional>

namespace instar {

/// Returns the names of a kind, declared and built-in ones, in the order of the pack; of kinds that
/// need no declaration (conditions, events, properties), all that are mentioned. States are those
/// of `machine`, or of all machines if it is empty.
QStringList namesFor(const Pack &pack, Name what, const QString &machine = {});

/// Returns the pointer to the row that a name means; absent if there is none.
std::optional<QString> rowNamed(
    const Pack &pack, Name what, const QString &text, const QString &machine = {});

/// Name of a row, as other rows mention it.
struct OwnName
{
    Name what = Name::None; ///< None: the row has no name
    QString text, machine;  ///< machine: that of a state
};
OwnName ownNameAt(const Pack &pack, const QString &pointer);

class Checking;
/// Reports unknown names in all members that describe() declares as names, with the nearest known
/// one. Records the used sources, switches, conditions and refusals.
void findUnknownNames(Checking &checking);

/// Returns pointers to the members that mention a row, in the order of the descriptions; a member
/// that mentions it twice comes twice.
QStringList mentionsOf(const Pack &pack, const OwnName &name);

/// Returns the pointer to the list of rows of a kind, in the pack or a machine; empty: none.
QString listFor(Name what, const QString &machine = {});

} // namespace instar
