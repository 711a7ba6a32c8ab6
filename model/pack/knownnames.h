// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/names.h"

#include <optional>

namespace instar {

/// Returns the declared and built-in names of a kind, in the order of the pack; for conditions,
/// events and properties, which need no declaration, returns all names that the pack mentions.
/// For states, returns those of `machine`, or of all machines if `machine` is empty.
QStringList namesFor(const Pack &pack, Name what, const QString &machine = {});

/// Returns the JSON pointer to the row that a name means; absent if there is none.
std::optional<QString> rowNamed(
    const Pack &pack, Name what, const QString &text, const QString &machine = {});

/// Name of a row, as other rows mention it.
struct OwnName
{
    Name what = Name::None; ///< None: the row has no name
    QString text, machine;  ///< `machine` is the machine of a state; empty for other rows
};
OwnName ownNameAt(const Pack &pack, const QString &pointer);

class Checking;
/// Reports unknown names in all members of rows that mention names, each with the nearest known
/// name. Records which sources, switches, conditions and refusals the pack uses.
void findUnknownNames(Checking &checking);

/// Returns JSON pointers to the members that mention a row, in the order in which files write them;
/// a member that mentions the row twice comes twice.
QStringList mentionsOf(const Pack &pack, const OwnName &name);

/// Returns the JSON pointer to the list of a kind's rows in the pack or `machine`; empty: none.
QString listFor(Name what, const QString &machine = {});

} // namespace instar
