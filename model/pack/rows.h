// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/describe.h"
#include "model/pack/pack.h"

#include <optional>
#include <utility>

namespace instar {

/// Rows have a description and stand in a list, in an object under their ids, or alone.
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
/// The keys that a JSON pointer leads by.
QStringList keysOf(const QString &pointer);
/// The pointer to what lies around what another one leads to.
QString pointerAround(const QString &pointer);

/// The machine whose states are meant by what a row names, or by the rows in it; empty: it does not
/// say.
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
/// The machine of the type at a resource's path; empty: no type fits.
QString machineOfPath(const Pack &pack, const QString &path);
/// The machine of the innermost row on the way to a pointer that says one; empty: none does.
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

/// Follows a pointer to a row or a list of rows and shows it `see`, which may have `row(T &)` and
/// `list(QList<T> &, const Holds &)`; `passed(T &)` is called for each row on the way, `missed()`
/// where one is not there. Of a pack that may be changed, only lists on the way are detached.
template<typename See>
class RowAt
{
public:
    RowAt(const QStringList &keys, See &see) : m_keys(keys), m_see(see) { }

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

/// `pack`: const, to look, or not, to change.
template<typename See>
void seeRowAt(auto &pack, const QString &pointer, See &see)
{
    RowAt<See>(keysOf(pointer), see).enter(pack, 0);
}

template<typename See>
struct SeeRow
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
    SeeRow<See> found { see };
    seeRowAt(pack, pointer, found);
    return found.isFound;
}

template<typename See>
struct SeeList
{
    const See &see;
    void list(auto &rows, const Holds &holds) { see(rows, holds); }
};
/// Calls `see(rows, holds)` with the list that a pointer leads to, if there is one.
template<typename See>
void withListAt(auto &pack, const QString &pointer, const See &see)
{
    SeeList<See> found { see };
    seeRowAt(pack, pointer, found);
}

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
