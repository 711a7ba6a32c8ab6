// SPDX-License-Identifier: Apache-2.0
#include "model/machine/renames.h"

#include "model/machine/names.h"

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

Pack Renames::applied(Pack pack) const
{
    // By way of names that nothing has, so that two things can change their names. States come
    // first: theirs are told apart by what machines were called.
    for (const Name kind : { Name::State, Name::Operation, Name::Outcome, Name::Event,
             Name::Condition, Name::Machine, Name::Type }) {
        std::vector<std::tuple<QString, QString, QString>> seconds;
        for (const auto &[thing, to] : m_names) {
            const auto &[what, machine, from] = thing;
            if (what != kind || to == from)
                continue;
            QString between = u"\u0001%1"_s.arg(seconds.size());
            if (kind == Name::Type && from.contains(u'/'))
                between.prepend(from.section(u'/', 0, -2) + u'/');
            pack = renamed(std::move(pack), kind, from, between, machine);
            seconds.emplace_back(between, to, machine);
        }
        for (const auto &[between, to, machine] : seconds) {
            if (!to.isEmpty())
                pack = renamed(std::move(pack), kind, between, to, machine);
        }
    }
    return pack;
}

} // namespace instar
