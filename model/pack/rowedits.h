// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

#include <optional>

namespace instar {

// Rows of any kind that come, go and move. Lists and rows are meant by their JSON pointers; nothing
// comes back where there is none.

/// A pack and the pointer to the row in it that is new, or stands elsewhere.
struct PlacedRow
{
    Pack pack;
    QString pointer;
};

/// With another row in a list, at `index`, or behind all where that is less than 0. What must be
/// said in it names the first thing that there is. `id`: what it is called; empty: a name that is
/// free.
std::optional<PlacedRow> withNewRow(
    Pack pack, const QString &list, qsizetype index = -1, const QString &id = {});
/// With the same row again behind it, under another name where it has one.
std::optional<PlacedRow> withRowCopied(Pack pack, const QString &row);
/// So many places further down, or up; nothing where it stands at that end already.
std::optional<PlacedRow> withRowMoved(Pack pack, const QString &row, qsizetype by);
/// Where in its list a row stands; -1: it is in none.
qsizetype indexInList(const Pack &pack, const QString &row);
/// A state takes along what leads from and to it alone.
std::optional<Pack> withoutRow(Pack pack, const QString &row);

} // namespace instar
