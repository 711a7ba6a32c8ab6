// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serverpaths.h"

#include <algorithm>

namespace instar {

void ServerPaths::learn(const QString &asked, const QString &made)
{
    const QString name = asked.section(u'/', -1);
    if (name.startsWith(u'{') && name.endsWith(u'}'))
        m_names.insert(name.sliced(1).chopped(1), made.section(u'/', -1));
    m_moved.removeIf([&](const auto &pair) { return pair.first == asked; });
    m_moved.append({ asked, made });
}

QString ServerPaths::at(const QString &path) const
{
    QString there = path;
    for (const auto &[asked, made] : m_moved) {
        if (isAtOrBelow(there, asked))
            there = made + there.sliced(asked.size());
    }
    return named(there, m_names);
}

ResourceSpec ServerPaths::at(ResourceSpec spec) const
{
    spec.path = at(spec.path);
    for (QString &reference : spec.references)
        reference = at(reference);
    return spec;
}

ScenarioStep ServerPaths::at(const ScenarioStep &step) const
{
    return withPaths(step, [this](const QString &path) { return at(path); });
}

bool isAtOrBelow(const QString &path, const QString &above)
{
    return path.startsWith(above) && (path.size() == above.size() || path[above.size()] == u'/');
}

QStringList pathsIn(const ScenarioStep &step)
{
    QStringList paths;
    withPaths(step, [&](const QString &path) {
        paths += path;
        return path;
    });
    return paths;
}

} // namespace instar
