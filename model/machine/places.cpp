// SPDX-License-Identifier: Apache-2.0
#include "model/machine/places.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

qsizetype depth(const QString &type)
{
    return type.count(u'/') + 1;
}

bool isBelow(const QString &type, const QString &above)
{
    return type.startsWith(above + u'/');
}

/// Whether a resource of one type can be seen there from a resource of another.
bool isSeen(const QString &type, const QString &from, const QString &place)
{
    if (place == u"self")
        return type == from;
    if (place == u"ancestor")
        return isBelow(from, type);
    if (place == u"descendant")
        return isBelow(type, from);
    if (place == u"sibling")
        return depth(type) > 1 && type.section(u'/', 0, -2) == from.section(u'/', 0, -2);
    if (place == u"tree") {
        const bool areSiblings = depth(type) == 2 && depth(from) == 2;
        return type.section(u'/', 0, 0) == from.section(u'/', 0, 0) && depth(type) > 1
            && depth(from) > 1 && !areSiblings;
    }
    return true; // a reference leads anywhere
}

} // namespace

Places::Places(const Pack &pack)
{
    for (const Type &type : pack.types) {
        m_isOpen = m_isOpen || type.path == u"*" || type.path.endsWith(u"/*");
        const Machine *machine = pack.machine(type.machine);
        if (!machine)
            continue;
        const QString path = pack.ignoreCase ? type.path.toCaseFolded() : type.path;
        for (const Transition &row : machine->transitions) {
            for (const QString &trigger : row.on) {
                QStringList &types = m_types[trigger];
                if (!types.contains(path))
                    types += path;
            }
        }
    }
}

bool Places::canMeet(const QString &on, const QString &running, const QString &at) const
{
    if (m_isOpen)
        return true;
    const QStringList ours = m_types.value(on), theirs = m_types.value(running);
    if (ours.isEmpty() || theirs.isEmpty()) // nobody takes it, which is told elsewhere
        return true;
    return std::ranges::any_of(ours, [&](const QString &from) {
        return std::ranges::any_of(
            theirs, [&](const QString &type) { return isSeen(type, from, at); });
    });
}

} // namespace instar
