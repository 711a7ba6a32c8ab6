// SPDX-License-Identifier: Apache-2.0
#include "model/engine/unrested.h"

#include <algorithm>

namespace instar {

void Unrested::add(const QStringList &paths)
{
    for (const QString &path : paths) {
        auto number = m_numbers.constFind(path);
        if (number == m_numbers.constEnd()) {
            number = m_numbers.insert(path, int(m_paths.size()));
            m_paths.append(path);
        }
        m_entries.push_back(*number);
    }
    std::sort(m_entries.begin() + qptrdiff(m_begin.back()), m_entries.end());
    m_begin.push_back(m_entries.size());
    m_rests.resize(m_entries.size());
}

std::span<const int> Unrested::entries(quint32 node) const
{
    return std::span(m_entries).subspan(m_begin[node], m_begin[node + 1] - m_begin[node]);
}

Unrested::Entry Unrested::entryOf(quint32 node, int path) const
{
    const std::span<const int> own = entries(node);
    const auto found = std::ranges::lower_bound(own, path);
    return found != own.end() && *found == path ? m_begin[node] + size_t(found - own.begin())
                                                : None;
}

void Unrested::takeOut(Entry entry, quint32 node, std::vector<std::pair<quint32, int>> &open)
{
    if (m_rests[entry])
        return;
    m_rests[entry] = true;
    open.emplace_back(node, m_entries[entry]);
}

void Unrested::spread(std::vector<std::pair<quint32, int>> open)
{
    while (!open.empty()) {
        const auto [node, path] = open.back();
        open.pop_back();
        for (size_t i = m_beforeBegin[node]; i < m_beforeBegin[node + 1]; ++i) {
            const Entry entry = entryOf(m_before[i], path);
            if (entry != None)
                takeOut(entry, m_before[i], open);
        }
    }
}

void Unrested::follow(const std::vector<std::pair<quint32, quint32>> &links)
{
    m_beforeBegin.assign(m_begin.size(), 0);
    std::vector<std::pair<quint32, int>> open;
    for (const auto &[from, to] : links) {
        if (from >= size())
            continue;
        if (to < size())
            ++m_beforeBegin[to + 1];
        for (Entry entry = m_begin[from]; entry < m_begin[from + 1]; ++entry) {
            if (to >= size() || entryOf(to, m_entries[entry]) == None)
                takeOut(entry, from, open);
        }
    }
    for (size_t node = 1; node < m_beforeBegin.size(); ++node)
        m_beforeBegin[node] += m_beforeBegin[node - 1];
    m_before.resize(m_beforeBegin.back());
    std::vector<size_t> next = m_beforeBegin;
    for (const auto &[from, to] : links) {
        if (from < size() && to < size())
            m_before[next[to]++] = from;
    }
    spread(std::move(open));
}

QStringList Unrested::left(quint32 node) const
{
    QStringList paths;
    for (Entry entry = m_begin[node]; entry < m_begin[node + 1]; ++entry) {
        if (!m_rests[entry])
            paths += m_paths[m_entries[entry]];
    }
    return paths;
}

void Unrested::keep(quint32 node, const QStringList &paths)
{
    std::vector<std::pair<quint32, int>> open;
    for (Entry entry = m_begin[node]; entry < m_begin[node + 1]; ++entry) {
        if (!paths.contains(m_paths[m_entries[entry]]))
            takeOut(entry, node, open);
    }
    spread(std::move(open));
}

} // namespace instar
