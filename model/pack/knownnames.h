// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/names.h"

#include <optional>

namespace instar {

/// What a text of that kind may say, in the order of the pack: what is declared, and the words that
/// every pack has. States are those of `machine`; without one, of all. Of what needs no
/// declaration (conditions, events, properties), what is named anywhere.
QStringList namesFor(const Pack &pack, Name what, const QString &machine = {});

/// The pointer to the row that a name means; nothing where there is none, or none is needed.
std::optional<QString> rowNamed(
    const Pack &pack, Name what, const QString &text, const QString &machine = {});

/// What a row is called by others.
struct OwnName
{
    Name what = Name::None; ///< None: nobody can name it
    QString text, machine;  ///< machine: of a state
};
OwnName ownNameAt(const Pack &pack, const QString &pointer);

class Checking;
/// Reports unknown names with the nearest known one, wherever a row's description says that a text
/// is a name; and notes which sources, switches, conditions and refusals are used.
void findUnknownNames(Checking &checking);

/// Where a row is named: pointers to the members, in the order of the descriptions; a member that
/// names it twice is there twice.
QStringList mentionsOf(const Pack &pack, const OwnName &name);

/// The list that rows of that kind stand in; empty: no list of the pack's, or of the machine's.
QString listFor(Name what, const QString &machine = {});

} // namespace instar
