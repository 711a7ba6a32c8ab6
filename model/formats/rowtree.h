// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

#include <vector>

namespace instar {

struct RowList;

/// What a row says, whatever kind of row it is: its members as a file has them, and the rows in it.
struct RowTree
{
    struct Member
    {
        QString key;
        QByteArray json;        ///< one line
        bool isDrawing = false; ///< says how it is drawn, and means nothing
        bool operator==(const Member &) const = default;
    };
    QString word;                ///< "state", "transition"
    QString key;                 ///< its id, or its number in a list
    QString id;                  ///< empty: it has none
    Name own = Name::None;       ///< what its id names
    quint32 number = 0;          ///< its identity
    std::vector<Member> members; ///< in the order of the description; those left out are not there
    std::vector<const char *> about; ///< keys of those that name things, or must be there: what
                                     ///< the row is about, whether it says anything there or not
    std::vector<RowList> lists;
};

/// The rows that a row has under a key.
struct RowList
{
    QStringList keys;      ///< that lead there from the row that has it
    bool isKeyed = false;  ///< by their ids
    bool isSingle = false; ///< just one, which has no key of its own
    bool anyOrder = false; ///< in whatever order they stand, they mean the same
    std::vector<RowTree> rows;
};

RowTree rowTree(const Pack &pack);
/// Null: the row does not say it.
const RowTree::Member *memberOf(const RowTree &row, const QString &key);
const RowList *listOf(const RowTree &row, const QStringList &keys);
/// But for what they are called.
bool saysTheSame(const RowTree &a, const RowTree &b);
/// Rows that are called the same say the same, in the same order.
bool saysTheSame(const RowList &a, const RowList &b);

} // namespace instar
