// SPDX-License-Identifier: Apache-2.0
#include "model/items/resourcefilter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Place = ResourceFilter::Place;

bool appliesTo(const ResourceFilter::Word &word, Place place)
{
    return word.place == Place::Anywhere || word.place == place;
}

bool hasWord(const QString &text, const ResourceFilter::Word &word)
{
    return text.contains(word.text, Qt::CaseInsensitive);
}

} // namespace

ResourceFilter ResourceFilter::parsed(const QString &text)
{
    static const QList<std::pair<QString, Place>> places { { u"name:"_s, Place::Name },
        { u"type:"_s, Place::Type }, { u"state:"_s, Place::State } };
    ResourceFilter filter;
    for (const QString &part : text.simplified().split(u' ', Qt::SkipEmptyParts)) {
        Word word { Place::Anywhere, part };
        for (const auto &[prefix, place] : places) {
            if (part.startsWith(prefix, Qt::CaseInsensitive))
                word = { place, part.sliced(prefix.size()) };
        }
        if (!word.text.isEmpty())
            filter.words += word;
    }
    return filter;
}

bool ResourceFilter::fits(const QString &name, const QString &typePath, const QString &state) const
{
    return std::ranges::all_of(words, [&](const Word &word) {
        return (appliesTo(word, Place::Name) && hasWord(name, word))
            || (appliesTo(word, Place::Type) && hasWord(typePath.section(u'/', -1), word))
            || (appliesTo(word, Place::State) && hasWord(state, word));
    });
}

ResourceMatcher::ResourceMatcher(const ResourceFilter &filter, const Rules &rules, const Tree &tree)
    : m_filter(filter), m_tree(tree)
{
    for (const ResourceFilter::Word &word : filter.words) {
        std::vector<bool> &types = m_types.emplace_back(), &codes = m_codes.emplace_back();
        for (int type = 0; type < tree.typeCount(); ++type)
            types.push_back(appliesTo(word, Place::Type)
                && hasWord(tree.typePath(type).section(u'/', -1), word));
        for (int code = 0; code < rules.codeCount(); ++code)
            codes.push_back(
                appliesTo(word, Place::State) && hasWord(rules.shown(Code(code)), word));
    }
}

bool ResourceMatcher::fits(Resource resource) const
{
    for (size_t i = 0; i < m_types.size(); ++i) {
        const ResourceFilter::Word &word = m_filter.words[qsizetype(i)];
        if (!m_types[i][size_t(m_tree.type(resource))] && !m_codes[i][m_tree.code(resource)]
            && !(appliesTo(word, Place::Name) && hasWord(m_tree.name(resource), word)))
            return false;
    }
    return true;
}

} // namespace instar
