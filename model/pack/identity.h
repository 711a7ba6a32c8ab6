// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/names.h"

#include <QJsonObject>

#include <optional>

namespace instar {

// Rows of a document are the same rows after they were moved or called otherwise. Whatever speaks
// of a row for longer than one edit (a selection, an animation, undo) keeps its number.

/// Gives every row that has no number yet, or that of a row before it (it is a copy), the next one
/// after `last`, which it moves on. The others keep theirs; lists in which all do are not copied.
/// Rows that come from another document must have lost their numbers before.
void identify(Pack *pack, quint32 *last);
/// Gives rows that have no numbers those of the rows of `former` that they are: by their ids, by
/// what they say, or because they stand where one stood that is gone. For a pack that was read
/// again, from a text that was changed.
void recognize(Pack *pack, const Pack &former);
/// The row and those in it have no numbers: they are pasted or imported.
void forgetIdentities(Pack *pack);

/// The numbers of all rows, as they stand in the pack.
QList<quint32> identities(const Pack &pack);
/// Gives them back; where there are more or fewer than rows, nothing is done.
void setIdentities(Pack *pack, const QList<quint32> &numbers);

/// A JSON pointer to the row of that number; nothing where there is none. The pack's own is "".
std::optional<QString> pointerOf(const Pack &pack, quint32 number);
/// The number of the innermost row around what the pointer leads to, such as a row's member; 0
/// where a row on the way is not there. Of rows of one name it is the first's.
quint32 numberAt(const Pack &pack, const QString &pointer);

/// What rows of the same number are called otherwise now, in the order that they had. A type's
/// new path is told for those below it, too.
QList<Renaming> renamings(const Pack &before, const Pack &after);

/// A row that two packs do not share, or in which they differ.
struct Difference
{
    enum class Kind { Added, Removed, Renamed, Changed };
    Kind kind = Kind::Changed;
    QString row;   ///< the kind of row: "state", "transition"
    QString where; ///< JSON pointer without its first '/': of added rows into the second pack, else
                   ///< into the first
    QJsonObject from, to; ///< the row; Changed: the members that differ, and "order", its place in
                          ///< the list, where it was moved; Renamed: "id"
    bool operator==(const Difference &) const = default;
};

/// One of two packs that are compared.
struct ComparedPack
{
    QString name;                    ///< as scenarios name it: a built-in pack's id, or a file
    Pack pack;                       ///< including rows that do not exist under the switches
    QMap<QString, QString> switches; ///< that were asked for; the others have their usual values
    bool operator==(const ComparedPack &) const = default;
};

/// Two packs and their differences; compared() in model/json finds them.
struct PackComparison
{
    ComparedPack a, b;
    QList<Renaming> renamings; ///< from the first pack's names to the second's
    QList<Difference> differences;
};

} // namespace instar
