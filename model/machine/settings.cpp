// SPDX-License-Identifier: Apache-2.0
#include "model/machine/settings.h"

#include "model/machine/visitor.h"

namespace instar {

namespace {

/// Takes away rows that do not exist under the values.
class Settler : public Visitor
{
public:
    explicit Settler(const QMap<QString, QString> &values) : m_values(values) { }

    void bare(const char *, auto &, const Holds &, const char *) { }
    template<typename T>
    void operator()(const char *, T &member, const Holds &, const char *)
    {
        if constexpr (Described<T, Settler>)
            settle(member);
    }
    template<typename T>
    void operator()(const char *, QList<T> &rows, const Holds &, const char *)
    {
        if constexpr (Described<T, Settler>) {
            rows.removeIf([&](const T &row) { return !exists(row); });
            for (T &row : rows)
                settle(row);
        }
    }
    void operator()(const char *key, auto &member, auto &, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
    }
    template<typename T>
    void settle(T &row)
    {
        if constexpr (requires { row.when; })
            row.when.clear();
        describe(*this, row);
    }

private:
    template<typename T>
    bool exists(const T &row) const
    {
        if constexpr (requires { row.when; }) {
            for (auto it = row.when.cbegin(); it != row.when.cend(); ++it) {
                if (!it.value().contains(m_values.value(it.key())))
                    return false;
            }
        }
        return true;
    }

    const QMap<QString, QString> &m_values;
};

} // namespace

Pack settled(Pack pack, const QMap<QString, QString> &switches)
{
    QMap<QString, QString> values;
    for (const Switch &each : pack.switches)
        values.insert(each.id, switches.value(each.id, each.defaultValue));
    Settler(values).settle(pack);
    return pack;
}

} // namespace instar
