// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/identity.h"

namespace instar {

/// Compares two packs: rows with ids by id, rows in lists by content. Detects renamed rows: between
/// versions of one document by Row::identity; between other packs where equally many rows were
/// added and removed in one list. Ignores members that affect only the drawing. If either pack has
/// explicit switches, compares only the rows that apply under the switches. Returns differences in
/// the order of the first pack; added rows follow the other rows of their list.
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
