// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/likeness.h"
#include "model/formats/rowpairs.h"

#include <QJsonArray>
#include <QJsonObject>

namespace instar {

/// One thing that two packs do not say alike.
struct Difference
{
    enum class Kind { Added, Removed, Renamed, Changed };
    Kind kind = Kind::Changed;
    QString row;   ///< "state", "transition": what such a row is called
    QString where; ///< a JSON pointer without its first '/': into the second pack where it is
                   ///< added, else into the first
    QString there; ///< Renamed, Changed: the same of the second pack's row; else empty
    QJsonObject from, to; ///< the row; Changed: its members that are not alike, and "order", its
                          ///< place in a list, where it was moved; Renamed: "id"
    bool operator==(const Difference &) const = default;
};

/// One of the two packs.
enum class Side { First, Second };
/// A JSON pointer to the row of a difference in that pack; empty: the row is not there, or is the
/// pack itself.
QString pointerIn(Side side, const Difference &difference);

/// Tells two packs apart by what they mean. Rows with ids are the same by id, or by what likeness()
/// finds; rows in lists by what they are about. That rows stand in another order is told only where
/// the first that fits speaks. In the order in which the first pack has them; what is new follows
/// what is there.
QList<Difference> difference(const Pack &a, const Pack &b, const Likeness &likeness,
    Placement placement = Placement::Ignored);
QList<Difference> difference(
    const Pack &a, const Pack &b, Placement placement = Placement::Ignored);

/// Whether what it tells is for people only, as titles, notes and sources are: systems that differ
/// in nothing else do the same. What is called otherwise does, too, unless the engine knows it by
/// one of the two names.
bool isForPeople(const Difference &difference);

/// {"kind": "added", "row", "where", "from", "to"}; a row that is not there is null.
QJsonObject differenceJson(const Difference &difference);
/// One line: "renamed state machines/resource/states/Updating -> Changing".
QString differenceText(const Difference &difference);

} // namespace instar
