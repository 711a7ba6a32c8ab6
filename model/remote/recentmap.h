// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QString>

#include <utility>

namespace instar {

/// A map that forgets what nobody asked for while `most` others were told: it never holds more than
/// twice as many.
template<typename Value>
class RecentMap
{
public:
    explicit RecentMap(qsizetype most) : m_most(most) { }

    void insert(const QString &key, const Value &value)
    {
        m_before.remove(key);
        if (m_now.size() >= m_most && !m_now.contains(key))
            m_before = std::exchange(m_now, {});
        m_now.insert(key, value);
    }
    /// Whoever asks keeps it.
    Value value(const QString &key)
    {
        if (const auto found = m_now.constFind(key); found != m_now.cend())
            return *found;
        const auto old = m_before.constFind(key);
        if (old == m_before.cend())
            return {};
        const Value kept = *old;
        insert(key, kept);
        return kept;
    }
    qsizetype size() const { return m_now.size() + m_before.size(); }

private:
    qsizetype m_most;
    QHash<QString, Value> m_now, m_before;
};

} // namespace instar
