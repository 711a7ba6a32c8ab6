// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

namespace instar {

/// Which resources a tree shows: those that have every word in their name, type or state, and their
/// ancestors.
///
/// "state:updating" and "type:subnet" look in one place only; a word without a place looks in all
/// three.
struct ResourceFilter
{
    enum class Place { Anywhere, Name, Type, State };
    struct Word
    {
        Place place = Place::Anywhere;
        QString text;
        bool operator==(const Word &) const = default;
    };
    QList<Word> words;
    bool operator==(const ResourceFilter &) const = default;

    static ResourceFilter parsed(const QString &text);
    bool isEmpty() const { return words.isEmpty(); }
};

/// What a filter leaves of a world; worked out branch by branch, in one pass over each.
class FilteredResources
{
public:
    const ResourceFilter &filter() const { return m_filter; }
    void set(const ResourceFilter &filter, const Rules &rules, const World &world);
    /// Looks at one branch again: something in it has changed.
    void refresh(quint32 branch, const Rules &rules, const World &world);
    bool shows(Resource resource) const;
    /// How many resources match by themselves.
    qsizetype matches() const { return m_matches; }
    /// Whether one has every word itself; the tree is that of the world which was looked at last.
    bool fits(const Tree &tree, Resource resource) const;

private:
    void prepare(const Rules &rules, const Tree &tree);
    void look(quint32 branch, const Tree &tree);

    ResourceFilter m_filter;
    std::vector<bool> m_shown;           ///< resource ->
    QHash<quint32, qsizetype> m_matched; ///< branch -> how many match
    qsizetype m_matches = 0;
    // Per word of the filter: whether a type, or a code, has it.
    std::vector<std::vector<bool>> m_types, m_codes;
};

} // namespace instar
