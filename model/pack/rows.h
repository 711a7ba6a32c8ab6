// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/describe.h"
#include "model/pack/pack.h"

#include <optional>
#include <utility>

namespace instar {

/// True for types of rows: those that have describe().
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

/// Calls `callback(key, rows, spec)` for each list in a row; a single row is passed as a span.
void eachList(auto &row, const auto &callback)
{
    eachMember(row, [&]<typename T>(const char *key, T &member, const MemberSpec &spec) {
        using Own = std::remove_const_t<T>;
        if constexpr (IsRowList<Own>)
            callback(key, member, spec);
        else if constexpr (IsRow<Own>)
            callback(key, std::span(&member, 1), spec);
    });
}

/// Location of a row in the pack.
struct RowLocation
{
    QStringList keys;                 ///< keys of the row's JSON pointer
    Name own = Name::None;            ///< kind of name that the row's id is
    const Machine *machine = nullptr; ///< machine that contains the row; null: none does
};

/// Calls `callback(row, location)` for a row and each of its descendants, in preorder.
template<typename T>
void visitRows(const T &row, const auto &callback, const RowLocation &location = {})
{
    callback(row, location);
    eachList(row, [&](const char *key, const auto &rows, const MemberSpec &spec) {
        constexpr bool isList = requires { rows.constBegin(); };
        if (rows.empty())
            return;
        RowLocation inner { location.keys + QStringList { QString::fromLatin1(key) }, Name::None,
            location.machine };
        if constexpr (std::is_same_v<T, Machine>)
            inner.machine = &row;
        if (isList && spec.wrapper)
            inner.keys += QString::fromLatin1(spec.wrapper);
        const qsizetype depth = inner.keys.size();
        qsizetype index = 0;
        for (const auto &child : rows) {
            if constexpr (isList && requires { idOf(child); }) {
                inner.keys += idOf(child);
                inner.own = spec.keys;
            } else if constexpr (isList) {
                inner.keys += QString::number(index++);
            }
            visitRows(child, callback, inner);
            inner.keys.resize(depth);
        }
    });
}

/// Returns the compact JSON text of a value.
QByteArray jsonOf(const QJsonValue &value);
/// Returns the unescaped keys of a JSON pointer.
QStringList keysOf(const QString &pointer);
/// Returns the parent of a JSON pointer: all but its last key.
QString parentPointer(const QString &pointer);

/// Returns the id of the machine that a row is, or that its resources have; empty: none.
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
/// Returns machineFor() of the innermost row, at or around a pointer, for which it is not empty.
QString machineAround(const Pack &pack, QString pointer);

/// Returns the key of a row in its list: its id, else its index.
QString keyOfRow(const auto &rows, qsizetype index)
{
    if constexpr (requires { idOf(rows[index]); })
        return idOf(rows[index]);
    else
        return QString::number(index);
}
/// Returns the index of the row with a key in its list; -1: there is none.
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

/// Follows the keys of a pointer from `keys[depth]` on, and calls `onRow(row)` or `onList(rows,
/// spec)` for the target, if there is one. In a mutable pack, detaches only the lists on the way.
void followPointer(
    auto &row, const QStringList &keys, qsizetype depth, const auto &onRow, const auto &onList)
{
    if (depth == keys.size()) {
        onRow(row);
        return;
    }
    eachKey(row, [&]<typename T>(const char *key, T &member, const MemberSpec &spec) {
        if (keys[depth] != QLatin1StringView(key))
            return;
        auto &own = firstOf(member);
        using Own = std::remove_cvref_t<decltype(own)>;
        if constexpr (IsRowList<Own>) {
            const qsizetype rowDepth = depth + (spec.wrapper ? 2 : 1);
            const qsizetype index =
                rowDepth < keys.size() ? indexOfKey(std::as_const(own), keys[rowDepth]) : -1;
            if (index >= 0)
                followPointer(own[index], keys, rowDepth + 1, onRow, onList);
            else if (rowDepth == keys.size())
                onList(own, spec);
        } else if constexpr (IsRow<Own>) {
            followPointer(own, keys, depth + 1, onRow, onList);
        } else if constexpr (IsRowOrNone<Own>) {
            if (own)
                followPointer(*own, keys, depth + 1, onRow, onList);
        }
        if constexpr (std::is_same_v<T, SharedKey<QList<Step>, bool>>)
            member.second = member.second || !own.isEmpty(); // State::ownWork: has steps of its own
    });
}

/// Calls `callback(row)` with the row at a pointer; returns false if there is none.
bool withRowAt(auto &pack, const QString &pointer, const auto &callback)
{
    bool isFound = false;
    const auto found = [&](auto &row) {
        isFound = true;
        callback(row);
    };
    followPointer(pack, keysOf(pointer), 0, found, [](const auto &, const MemberSpec &) {});
    return isFound;
}

/// Calls `callback(rows, spec)` with the list at a pointer, if there is one.
void withListAt(auto &pack, const QString &pointer, const auto &callback)
{
    followPointer(
        pack, keysOf(pointer), 0, [](const auto &) {}, callback);
}

/// Node of a pack's outline: a row or a list of rows, with the nodes below it.
struct OutlineNode
{
    enum class Kind { List, Row };
    Kind kind = Kind::Row;
    QString pointer;      ///< JSON pointer in the pack's file
    QString key;          ///< the pointer's last key: a list's name, a row's id or index
    quint32 identity = 0; ///< number of the row, see identify(); 0: none
    QString title;        ///< of a row: its id or a summary; of a list: its key
    QString detail;       ///< summary of a row, or number of rows of a list
    QString kindName;     ///< of a row: the name that describe() gives: "state"
    QList<OutlineNode> children;
    bool operator==(const OutlineNode &) const = default;
};

/// Returns the node of the pack, with all nodes below it.
OutlineNode outline(const Pack &pack);
/// Returns the node of a row without its children; its pointer is empty if there is no such row.
OutlineNode outlineOf(const Pack &pack, const QString &row);
/// Returns machine and title of the innermost row at or around a pointer: "lease · transition 3".
QString locationText(const Pack &pack, const QString &pointer);
/// Returns the pointer to the list of rows under a row's key; empty: the row has none.
QString listUnder(const Pack &pack, const QString &row, const QString &key);
/// Returns pointers to the first `most` rows of a list.
QStringList rowsUnder(const Pack &pack, const QString &list, qsizetype most);

} // namespace instar
