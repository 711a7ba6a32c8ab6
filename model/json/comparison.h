// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/identity.h"

namespace instar {

/// Compares rows with ids by id, rows in lists by what they are about. Of versions of one document
/// the rows' numbers tell which were renamed; of others, that as many new rows stand in the place
/// of rows that are gone. How things are drawn does not count. If switches were asked for of
/// either, only rows that exist under them are compared. Differences are in the order of the first
/// pack; added rows follow those of their list.
PackComparison compared(ComparedPack a, ComparedPack b);
/// The differences of two packs under all switches.
QList<Difference> difference(const Pack &a, const Pack &b);

/// {"kind": "added", "row", "where", "from", "to"}; a row that is not there is null.
QJsonObject differenceJson(const Difference &difference);
/// One line: "renamed state machines/resource/states/Updating -> Changing".
QString differenceText(const Difference &difference);
/// One line for each difference.
QString differencesText(const QList<Difference> &differences);

} // namespace instar
