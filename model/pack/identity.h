// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/names.h"

#include <QJsonObject>

#include <optional>

namespace instar {

// A number identifies a row of a document while the row is moved and renamed. References to a row
// that last longer than one edit (a selection, an animation, undo) use the row's number.

/// Numbers new rows, and copies that have the number of an earlier row, from `*last` + 1 on, and
/// updates `*last`. Detaches only lists with such rows. For rows of another document, call
/// forgetIdentities() first.
void identify(Pack *pack, quint32 *last);
/// Numbers the rows of a pack that was parsed from an edited text. A row gets the number of the row
/// in `former` with the same id or content; if there is none, of the row that it has replaced.
void recognize(Pack *pack, const Pack &former);
/// Removes the numbers of all rows, for pasting or importing them.
void forgetIdentities(Pack *pack);

/// Returns the numbers of all rows, in the order of the pack.
QList<quint32> identities(const Pack &pack);
/// Restores the numbers that identities() returned; does nothing if the count of rows differs.
void setIdentities(Pack *pack, const QList<quint32> &numbers);

/// Returns the JSON pointer to the row with a number; absent if there is none; "" for the pack.
std::optional<QString> pointerOf(const Pack &pack, quint32 number);
/// Returns the number of the innermost row at or around a pointer; 0 if a row on the way does not
/// exist. Of rows with the same name, the first is meant.
quint32 numberAt(const Pack &pack, const QString &pointer);

/// Returns the renamed rows in the order of `before`. Renaming a type also renames those below it.
QList<Renaming> renamings(const Pack &before, const Pack &after);
/// Returns a resource's path after renamed() renamed or moved its type or an ancestor of the type.
QString pathAfter(const Pack &before, const QList<Renaming> &renamings, const QString &path);

/// Difference of two packs in one row.
struct Difference
{
    enum class Kind { Added, Removed, Renamed, Changed };
    Kind kind = Kind::Changed;
    QString row;   ///< kind of row: "state", "transition"
    QString where; ///< JSON pointer without its first '/'; of an added row, into the second pack
    QJsonObject from, to; ///< Added, Removed: the row; Renamed: its "id"; Changed: the members that
                          ///< differ, and if the row moved, "order", its place in the list
    bool operator==(const Difference &) const = default;
};

struct ComparedPack
{
    QString name;                    ///< as scenarios name it: a built-in pack's id, or a file
    Pack pack;                       ///< including rows that do not exist under the switches
    QMap<QString, QString> switches; ///< switch -> chosen value; other switches have their defaults
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
