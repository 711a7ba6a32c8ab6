// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

#include <QJsonObject>

namespace instar {

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

/// {"kind": "added", "row", "where", "from", "to"}; a row that is not there is null.
QJsonObject differenceJson(const Difference &difference);
/// One line: "renamed state machines/resource/states/Updating -> Changing".
QString differenceText(const Difference &difference);

/// See compared(). In the order of the first pack; added rows follow those of their list.
QList<Difference> difference(const Pack &a, const Pack &b);

} // namespace instar
