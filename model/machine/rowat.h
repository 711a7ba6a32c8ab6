// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"
#include "model/machine/visitor.h"

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

/// The keys that a JSON pointer leads by.
QStringList keysOf(const QString &pointer);
/// The pointer to what lies around what another one leads to.
QString pointerAround(const QString &pointer);

/// The machine whose states a row below this one means; empty: not this row's to say.
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
/// The machine of the type that a resource's path tells; empty: no type fits.
QString machineOfPath(const Pack &pack, const QString &path);

/// Follows a pointer to the row, or the list of rows, that it leads to and shows it `see`, which
/// may have `row(T &)` and `list(QList<T> &, const Holds &)`; `passed(T &)` and `missed()` are
/// called for each row on the way, and where one is not there. Of a pack that may be changed, only
/// lists on the way are taken apart from their copies.
template<typename See>
class RowAt : public Visitor
{
public:
    RowAt(const QStringList &keys, See &see) : m_keys(keys), m_see(see) { }

    void bare(const char *, auto &, const Holds &, const char *) { }
    void operator()(const char *key, auto &member, const Holds &holds, const char *)
    {
        if (m_depth >= m_keys.size() || m_keys[m_depth] != QLatin1StringView(key))
            return;
        using T = std::remove_cvref_t<decltype(member)>;
        if constexpr (IsRowList<T>)
            enterList(member, holds);
        else if constexpr (IsRow<T>)
            enter(member, 1);
        else if constexpr (IsRowOrNone<T>) {
            if (member)
                enter(*member, 1);
        }
    }
    void operator()(
        const char *key, auto &member, auto &other, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
        if constexpr (std::is_same_v<decltype(other), bool &>)
            other = other || !member.isEmpty(); // a list that has rows is there
    }

    void enter(auto &row, qsizetype keys)
    {
        m_depth += keys;
        if constexpr (requires { m_see.passed(row); })
            m_see.passed(row);
        if (m_depth < m_keys.size()) {
            describe(*this, row);
        } else if constexpr (requires { m_see.row(row); }) {
            m_see.row(row);
        }
        m_depth = m_keys.size() + 1; // no further member is looked at
    }

private:
    void enterList(auto &rows, const Holds &holds)
    {
        const qsizetype keys = holds.inside ? 2 : 1;
        if (m_depth + keys == m_keys.size()) {
            if constexpr (requires { m_see.list(rows, holds); })
                m_see.list(rows, holds);
            m_depth = m_keys.size() + 1;
        } else if (m_depth + keys < m_keys.size()) {
            const qsizetype index = indexOf(std::as_const(rows), m_keys[m_depth + keys]);
            if (index >= 0)
                enter(rows[index], keys + 1);
            else if constexpr (requires { m_see.missed(); })
                m_see.missed();
            m_depth = m_keys.size() + 1;
        }
    }

public:
    /// Where in its list the row of that key stands; -1: there is none.
    static qsizetype indexOf(const auto &rows, const QString &key)
    {
        if constexpr (requires { idOf(rows[0]); }) {
            for (qsizetype i = 0; i < rows.size(); ++i) {
                if (idOf(rows[i]) == key)
                    return i;
            }
            return -1;
        } else {
            bool isNumber = false;
            const qsizetype index = key.toInt(&isNumber);
            return isNumber && index >= 0 && index < rows.size() ? index : -1;
        }
    }

private:
    QStringList m_keys;
    See &m_see;
    qsizetype m_depth = 0;
};

/// `pack`: const, to look, or not, to change.
template<typename See>
void seeRowAt(auto &pack, const QString &pointer, See &see)
{
    RowAt<See>(keysOf(pointer), see).enter(pack, 0);
}

} // namespace instar
