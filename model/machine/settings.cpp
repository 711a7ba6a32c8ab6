// SPDX-License-Identifier: Apache-2.0
#include "model/machine/settings.h"

#include "model/machine/rowat.h"

namespace instar {

namespace {

/// Whether a row exists under the values.
bool existsUnder(const QMap<QString, QString> &values, const auto &row)
{
    if constexpr (requires { row.when; }) {
        for (auto it = row.when.cbegin(); it != row.when.cend(); ++it) {
            if (!it.value().contains(values.value(it.key())))
                return false;
        }
    }
    return true;
}

/// Removes rows that do not exist under the values.
void settle(auto &row, const QMap<QString, QString> &values)
{
    if constexpr (requires { row.when; })
        row.when.clear();
    eachMember(row, [&]<typename T>(const char *, T &member, const Holds &) {
        if constexpr (IsRow<T>) {
            settle(member, values);
        } else if constexpr (IsRowList<T>) {
            member.removeIf([&](const auto &one) { return !existsUnder(values, one); });
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
