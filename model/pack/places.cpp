// SPDX-License-Identifier: Apache-2.0
#include "model/pack/places.h"

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
bool isSeen(const QString &type, const QString &from, QLatin1StringView place)
{
    if (place == "self"_L1)
        return type == from;
    if (place == "ancestor"_L1)
        return isBelow(from, type);
    if (place == "descendant"_L1)
        return isBelow(type, from);
    if (place == "sibling"_L1)
        return depth(type) > 1 && type.section(u'/', 0, -2) == from.section(u'/', 0, -2);
    if (place == "tree"_L1) {
        const bool areSiblings = depth(type) == 2 && depth(from) == 2;
        return type.section(u'/', 0, 0) == from.section(u'/', 0, 0) && depth(type) > 1
            && depth(from) > 1 && !areSiblings;
    }
    return true; // a reference leads anywhere
}

} // namespace

const QStringList &placeWords()
{
    static const QStringList words = [] {
        QStringList all;
        for (const char *word : PlaceWords)
            all += QString::fromLatin1(word);
        return all;
    }();
    return words;
}

quint32 placeBit(QStringView place)
{
    for (size_t i = 0; i < std::size(PlaceWords); ++i) {
        if (place == QLatin1StringView(PlaceWords[i]))
            return 1u << i;
    }
    return 0;
}

Places::Places(const Pack &pack)
{
    QHash<QString, QStringList> typesOf;
    for (const Type &type : pack.types) {
        m_isOpen = m_isOpen || type.path == u"*" || type.path.endsWith(u"/*");
        const Machine *machine = pack.machine(type.machine);
        if (!machine)
            continue;
        const QString path = pack.ignoreCase ? type.path.toCaseFolded() : type.path;
        for (const Transition &row : machine->transitions) {
            for (const QString &trigger : row.on) {
                QStringList &types = typesOf[trigger];
                if (!types.contains(path))
                    types += path;
            }
        }
    }
    QHash<QStringList, int> known;
    for (auto it = typesOf.cbegin(); it != typesOf.cend(); ++it) {
        const auto list = known.constFind(it.value());
        const int index = list == known.cend() ? int(m_lists.size()) : *list;
        if (list == known.cend()) {
            known.insert(it.value(), index);
            m_lists += it.value();
        }
        m_listOf.insert(it.key(), index);
    }
}

/// Every place at which some type of the one list is seen from some type of the other.
quint32 Places::seen(int ours, int theirs) const
{
    const std::pair key { ours, theirs };
    if (const auto known = m_seen.constFind(key); known != m_seen.cend())
        return *known;
    quint32 places = 0;
    for (const QString &from : m_lists[ours]) {
        for (const QString &type : m_lists[theirs]) {
            for (size_t i = 0; i < std::size(PlaceWords); ++i) {
                if (!(places & (1u << i)) && isSeen(type, from, QLatin1StringView(PlaceWords[i])))
                    places |= 1u << i;
            }
        }
    }
    return *m_seen.insert(key, places);
}

quint32 Places::meeting(const QString &on, const QString &running) const
{
    const int ours = m_listOf.value(on, -1), theirs = m_listOf.value(running, -1);
    if (m_isOpen || ours < 0 || theirs < 0) // what nobody takes is told elsewhere
        return ~0u;
    return seen(ours, theirs);
}

bool Places::canMeet(const QString &on, const QString &running, const QString &at) const
{
    const quint32 place = placeBit(at);
    return !place || (meeting(on, running) & place); // no place is told elsewhere, too
}

} // namespace instar
