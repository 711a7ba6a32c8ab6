// SPDX-License-Identifier: Apache-2.0
#include "model/items/resourcefilter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

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

void FilteredResources::set(const ResourceFilter &filter, const Rules &rules, const World &world)
{
    m_filter = filter;
    m_shown.clear();
    m_matched.clear();
    m_matches = 0;
    if (filter.isEmpty())
        return;
    prepare(rules, world.tree);
    for (const quint32 branch : world.tree.branches())
        look(branch, world.tree);
}

bool FilteredResources::shows(Resource resource) const
{
    return m_filter.isEmpty() || (resource < m_shown.size() && m_shown[resource]);
}

void FilteredResources::prepare(const Rules &rules, const Tree &tree)
{
    using Place = ResourceFilter::Place;
    const auto has = [](const QString &text, const ResourceFilter::Word &word) {
        return text.contains(word.text, Qt::CaseInsensitive);
    };
    m_types.assign(size_t(m_filter.words.size()), {});
    m_codes.assign(size_t(m_filter.words.size()), {});
    for (size_t i = 0; i < m_types.size(); ++i) {
        const ResourceFilter::Word &word = m_filter.words[qsizetype(i)];
        const bool byType = word.place == Place::Anywhere || word.place == Place::Type;
        const bool byState = word.place == Place::Anywhere || word.place == Place::State;
        for (int type = 0; type < tree.typeCount(); ++type)
            m_types[i].push_back(byType && has(tree.typePath(type).section(u'/', -1), word));
        for (int code = 0; code < rules.codeCount(); ++code)
            m_codes[i].push_back(byState && has(rules.shown(Code(code)), word));
    }
}

bool FilteredResources::fits(const Tree &tree, Resource resource) const
{
    using Place = ResourceFilter::Place;
    const auto type = size_t(tree.type(resource));
    for (size_t i = 0; i < m_types.size(); ++i) {
        const ResourceFilter::Word &word = m_filter.words[qsizetype(i)];
        const bool byName = word.place == Place::Anywhere || word.place == Place::Name;
        const bool fitting = m_types[i][type]
            || (byName && tree.name(resource).contains(word.text, Qt::CaseInsensitive))
            || (word.place != Place::Name && word.place != Place::Type
                && m_codes[i][tree.code(resource)]);
        if (!fitting)
            return false;
    }
    return true;
}

void FilteredResources::refresh(quint32 branch, const Rules &rules, const World &world)
{
    if (m_filter.isEmpty())
        return;
    if (m_types.front().size() != size_t(world.tree.typeCount()))
        prepare(rules, world.tree);
    m_matches -= m_matched.take(branch);
    if (world.tree.branches().contains(branch))
        look(branch, world.tree);
}

void FilteredResources::look(quint32 branch, const Tree &tree)
{
    const quint32 size = tree.branchSize(branch);
    qsizetype matched = 0;
    for (quint32 position = 0; position < size; ++position) {
        const Resource resource = tree.at(branch, position);
        if (resource >= m_shown.size())
            m_shown.resize(resource + 1);
        m_shown[resource] = fits(tree, resource);
        matched += m_shown[resource];
    }
    for (quint32 position = size; position-- > 1;) {
        const Resource resource = tree.at(branch, position);
        if (m_shown[resource])
            m_shown[tree.parent(resource)] = true;
    }
    m_matched.insert(branch, matched);
    m_matches += matched;
}

} // namespace instar
