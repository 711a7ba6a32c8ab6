// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCache>
#include <QString>

namespace instar {

/// LRU cache of twice `most` values.
template<typename Value>
class RecentMap
{
public:
    explicit RecentMap(qsizetype most) : m_values(2 * most) { }

    void insert(const QString &key, const Value &value) { m_values.insert(key, new Value(value)); }
    /// Returns the value and marks it as recently used.
    Value value(const QString &key)
    {
        const Value *found = m_values.object(key);
        return found ? *found : Value();
    }
    void clear() { m_values.clear(); }
    qsizetype size() const { return m_values.size(); }

private:
    QCache<QString, Value> m_values;
};

} // namespace instar
