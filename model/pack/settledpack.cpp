// SPDX-License-Identifier: Apache-2.0
#include "model/pack/settledpack.h"

#include "model/pack/rowat.h"

#include <algorithm>

namespace instar {

bool existsUnder(const Row &row, const QMap<QString, QString> &values)
{
    return std::all_of(row.when.keyValueBegin(), row.when.keyValueEnd(),
        [&](const auto &entry) { return entry.second.contains(values.value(entry.first)); });
}

namespace {

/// Removes rows that do not exist under the values.
void settle(auto &row, const QMap<QString, QString> &values)
{
    if constexpr (requires { row.when; })
        row.when.clear();
    eachMember(row, [&]<typename T>(const char *, T &member, const Holds &) {
        if constexpr (IsRow<T>) {
            settle(member, values);
        } else if constexpr (IsRowList<T>) {
            if constexpr (std::is_base_of_v<Row, typename T::value_type>)
                member.removeIf([&](const auto &one) { return !existsUnder(one, values); });
            for (auto &one : member)
                settle(one, values);
        }
    });
}

} // namespace

Pack settled(Pack pack, const QMap<QString, QString> &switches)
{
    QMap<QString, QString> values;
    for (const Switch &each : pack.switches)
        values.insert(each.id, switches.value(each.id, each.defaultValue));
    settle(pack, values);
    return pack;
}

} // namespace instar
