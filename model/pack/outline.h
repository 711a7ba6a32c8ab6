// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

/// A row of a pack or a list of such rows, with what lies in it: what a tree of the pack shows.
struct OutlineNode
{
    enum class Kind { List, Row };
    Kind kind = Kind::Row;
    QString pointer;    ///< to it, in the pack's file
    QString key;        ///< its last key: a list's name, a row's id or number
    quint32 number = 0; ///< which row it is, however it is called; 0: a list, or part of a row
    QString title;      ///< of a row: its id, or what it says in short; of a list: its key
    QString detail;     ///< in few words what it is, or how many rows there are
    QString kindName;   ///< of a row, as its description has it: "state"
    QList<OutlineNode> children;
    bool operator==(const OutlineNode &) const = default;
};

/// The pack as a row, with everything in it.
OutlineNode outline(const Pack &pack);
/// A row without what lies in it; without a pointer where there is none.
OutlineNode outlineOf(const Pack &pack, const QString &row);
/// A row, or what lies around what the pointer leads to, in words: "lease · transition 3".
QString placeText(const Pack &pack, const QString &pointer);
/// The pointer to a list of rows that a row has under that key; empty: it has none.
QString listUnder(const Pack &pack, const QString &row, const QString &key);
/// Pointers to the first rows of a list.
QStringList rowsUnder(const Pack &pack, const QString &list, qsizetype most);

} // namespace instar
