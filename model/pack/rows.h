// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/describe.h"
#include "model/pack/pack.h"

#include <optional>
#include <utility>

namespace instar {

/// True for types of rows: they have describe(), and are held in a list, by id, or alone.
template<typename T>
constexpr bool IsRow = Described<T, Visitor>;
template<typename T>
constexpr bool IsRowList = false;
template<typename T>
constexpr bool IsRowList<QList<T>> = IsRow<T>;
template<typename T>
constexpr bool IsRowOrNone = false;
template<typename T>
constexpr bool IsRowOrNone<std::optional<T>> = IsRow<T>;

/// Compact JSON text of a value.
QByteArray jsonOf(const QJsonValue &value);
/// Returns the unescaped keys of a JSON pointer.
QStringList keysOf(const QString &pointer);
/// Returns the parent of a JSON pointer: all but its last key.
QString pointerAround(const QString &pointer);

/// Returns the machine whose states the names in a row, or in rows below it, mean; empty: the row
/// does not determine one.
QString machineFor(const Pack &pack, const auto &row)
{
    using T = std::remove_cvref_t<decltype(row)>;
    if constexpr (std::is_same_v<T, Machine>)
        return row.id;
    else if constexpr (std::is_same_v<T, Type>)
        return row.machine;
    else if constexpr (std::is_same_v<T, ResourceSpec>)
        return machineOfPath(pack, row.path);
    else
        return {};
}
/// Returns the machine of the type at a resource's path; empty: no type fits.
QString machineOfPath(const Pack &pack, const QString &path);
/// Returns the machine that the innermost row around a pointer determines; empty: none does.
QString machineAround(const Pack &pack, QString pointer);

/// Id of a row of a list, or its number.
QString keyOfRow(const auto &rows, qsizetype index)
{
    if constexpr (requires { idOf(rows[index]); })
        return idOf(rows[index]);
    else
        return QString::number(index);
}
/// Index of the row of that key in its list; -1: there is none.
qsizetype indexOfKey(const auto &rows, const QString &key)
{
    bool isNumber = false;
    const qsizetype number = key.toInt(&isNumber);
    if constexpr (requires { idOf(rows[0]); }) {
        for (qsizetype i = 0; i < rows.size(); ++i) {
            if (idOf(rows[i]) == key)
                return i;
        }
        return -1;
    } else {
        return isNumber && number >= 0 && number < rows.size() ? number : -1;
    }
}

/// Visitor that follows a pointer. At its end it calls row(T &) or list(QList<T> &, const Holds &)
/// of `see`; on the way, passed(T &) for each row, and missed() if a row is missing. All of them
/// are optional. In a mutable pack it detaches only lists on the way.
template<typename See>
class RowVisitor
{
public:
    RowVisitor(const QStringList &keys, See &see) : m_keys(keys), m_see(see) { }

    void enter(auto &row, qsizetype depth)
    {
        if constexpr (requires { m_see.passed(row); })
            m_see.passed(row);
        if (depth == m_keys.size()) {
            if constexpr (requires { m_see.row(row); })
                m_see.row(row);
            return;
        }
        eachKey(row, [&](const char *key, auto &member, const Holds &holds) {
            if (m_keys[depth] == QLatin1StringView(key))
                enterMember(member, depth + 1, holds);
        });
    }

private:
    template<typename T>
    void enterMember(T &member, qsizetype depth, const Holds &holds)
    {
        auto &own = firstOf(member);
        using Own = std::remove_cvref_t<decltype(own)>;
        if constexpr (IsRowList<Own>)
            enterList(own, holds.inside ? depth + 1 : depth, holds);
        else if constexpr (IsRow<Own>)
            enter(own, depth);
        else if constexpr (IsRowOrNone<Own>) {
            if (own)
                enter(*own, depth);
        }
        if constexpr (std::is_same_v<T, Both<QList<Step>, bool>>)
            member.second = member.second || !own.isEmpty(); // a list that has rows is written
    }
    void enterList(auto &rows, qsizetype depth, const Holds &holds)
    {
        if (depth == m_keys.size()) {
            if constexpr (requires { m_see.list(rows, holds); })
                m_see.list(rows, holds);
        } else if (depth < m_keys.size()) {
            const qsizetype index = indexOfKey(std::as_const(rows), m_keys[depth]);
            if (index >= 0)
                enter(rows[index], depth + 1);
            else if constexpr (requires { m_see.missed(); })
                m_see.missed();
        }
    }

    const QStringList m_keys;
    See &m_see;
};

/// Follows a pointer with a RowVisitor. `pack` is const if `see` only reads it.
template<typename See>
void visitRowAt(auto &pack, const QString &pointer, See &see)
{
    RowVisitor<See>(keysOf(pointer), see).enter(pack, 0);
}

template<typename See>
struct OnRow
{
    const See &see;
    bool isFound = false;
    void row(auto &row)
    {
        isFound = true;
        see(row);
    }
};
/// Calls `see(row)` with the row that a pointer leads to; false: there is none.
template<typename See>
bool withRowAt(auto &pack, const QString &pointer, const See &see)
{
    OnRow<See> found { see };
    visitRowAt(pack, pointer, found);
    return found.isFound;
}

template<typename See>
struct OnList
{
    const See &see;
    void list(auto &rows, const Holds &holds) { see(rows, holds); }
};
/// Calls `see(rows, holds)` with the list that a pointer leads to, if there is one.
template<typename See>
void withListAt(auto &pack, const QString &pointer, const See &see)
{
    OnList<See> found { see };
    visitRowAt(pack, pointer, found);
}

/// Node of a pack's outline: a row or a list of rows, with the nodes below it.
struct OutlineNode
{
    enum class Kind { List, Row };
    Kind kind = Kind::Row;
    QString pointer;      ///< JSON pointer in the pack's file
    QString key;          ///< its last key: a list's name, a row's id or number
    quint32 identity = 0; ///< number of the row, kept when renamed; 0: none
    QString title;        ///< of a row: its id or a summary; of a list: its key
    QString detail;       ///< summary of a row, or number of rows of a list
    QString kindName;     ///< of a row: the name that describe() gives: "state"
    QList<OutlineNode> children;
    bool operator==(const OutlineNode &) const = default;
};

/// Returns the outline of the whole pack.
OutlineNode outline(const Pack &pack);
/// Returns the node of a row, but not its children; no such row: the pointer is empty.
OutlineNode outlineOf(const Pack &pack, const QString &row);
/// Returns machine and title of the innermost row at or around a pointer: "lease · transition 3".
QString placeText(const Pack &pack, const QString &pointer);
/// Returns the pointer to the list of rows under a row's key; empty: it has none.
QString listUnder(const Pack &pack, const QString &row, const QString &key);
/// Returns pointers to the first `most` rows of a list.
QStringList rowsUnder(const Pack &pack, const QString &list, qsizetype most);

} // namespace instar
