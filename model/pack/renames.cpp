// SPDX-License-Identifier: Apache-2.0
#include "model/pack/renames.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

void Renames::add(Name what, const QString &from, const QString &to, const QString &machine)
{
    m_names[{ what, machine, from }] = to;
}

bool Renames::isTaken(Name what, const QString &name, const QString &machine) const
{
    return std::ranges::any_of(m_names, [&](const auto &entry) {
        const auto &[kind, where, from] = entry.first;
        return kind == what && where == machine && entry.second == name;
    });
}

std::optional<QString> Renames::now(Name what, const QString &from, const QString &machine) const
{
    const auto known = m_names.find({ what, machine, from });
    if (known != m_names.end())
        return known->second.isEmpty() ? std::nullopt : std::optional(known->second);
    return isTaken(what, from, machine) ? std::nullopt : std::optional(from);
}

std::optional<QString> Renames::trigger(const QString &from) const
{
    bool isGone = false;
    for (const Name what : { Name::Operation, Name::Outcome, Name::Event }) {
        if (m_names.contains({ what, {}, from }))
            return now(what, from);
        isGone = isGone || isTaken(what, from, {});
    }
    return isGone ? std::nullopt : std::optional(from);
}

std::optional<QString> Renames::type(const QString &path) const
{
    const QString above = path.section(u'/', 0, -2);
    const std::optional<QString> around = above.isEmpty() ? QString() : type(above);
    if (!around)
        return {};
    const auto below = [](const QString &parent, const QString &segment) {
        return parent.isEmpty() ? segment : parent + u'/' + segment;
    };
    const QString usual = below(*around, path.section(u'/', -1));
    const auto known = m_names.find({ Name::Type, {}, path });
    if (known == m_names.end())
        return isTaken(Name::Type, usual, {}) ? std::nullopt : std::optional(usual);
    const bool isThere = !known->second.isEmpty() && known->second.section(u'/', 0, -2) == *around;
    return isThere ? std::optional(known->second) : std::nullopt;
}

} // namespace instar
