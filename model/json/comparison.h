// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/identity.h"

namespace instar {

/// Compares two packs: matches rows by their ids, rows without ids by their contents. Detects
/// renamed rows by the numbers that rows keep in all versions of one document; in other packs, only
/// if equally many rows were added to and removed from a list. Ignores members that affect only the
/// drawing. If switch values are given, ignores rows that do not exist under them. The differences
/// have the order of the first pack; added rows follow the other rows of their list.
PackComparison compared(ComparedPack a, ComparedPack b);
/// Compares all rows of two packs, regardless of switches.
QList<Difference> difference(const Pack &a, const Pack &b);

/// Returns {"kind": "added", "row": ..., "where": ..., "from": ..., "to": ...}; "from" of an added
/// row and "to" of a removed row are null.
QJsonObject differenceJson(const Difference &difference);
/// Returns one line: "renamed state machines/resource/states/Updating -> Changing".
QString differenceText(const Difference &difference);
QString differencesText(const QList<Difference> &differences);

} // namespace instar
