// SPDX-License-Identifier: Apache-2.0
#include "model/machine/tree.h"

namespace instar {

Resource TreeBuilder::add(
    Resource parent, int type, const QString &name, Code code, QStringView segment)
{
    const Resource resource = m_tree.newSlot();
    m_tree.m_parentOf[resource] = parent;
    m_tree.m_names[resource] = name;
    m_tree.m_typeOf[resource] = quint16(type);
    if (!segment.isEmpty() && segment != m_tree.m_types[type].segment)
        m_tree.m_spelling.insert(resource, segment.toString());
    ++m_tree.m_size;
    m_tree.indexAdd(resource);

    m_codes.push_back(code);
    m_firstChild.push_back(NoResource);
    m_lastChild.push_back(NoResource);
    m_nextSibling.push_back(NoResource);
    if (parent == NoResource) {
        m_tops.push_back(resource);
        return resource;
    }
    if (m_firstChild[parent] == NoResource)
        m_firstChild[parent] = resource;
    else
        m_nextSibling[m_lastChild[parent]] = resource;
    m_lastChild[parent] = resource;
    return resource;
}

Tree TreeBuilder::finished(quint64 stamp) &&
{
    for (const Resource top : m_tops) {
        const auto index = quint32(m_tree.m_branches.size());
        auto *branch = new Tree::Branch;
        branch->cells = Cells(m_tree.m_codeCount);
        std::vector<Code> codes;
        Resource resource = top;
        while (resource != NoResource) {
            const auto position = quint32(branch->order.size());
            m_tree.m_places[resource] = { index, position };
            branch->order.append(resource);
            branch->size.append(1);
            codes.push_back(m_codes[resource]);
            ++m_tree.m_counts[m_codes[resource]];
            if (m_firstChild[resource] != NoResource) {
                resource = m_firstChild[resource];
                continue;
            }
            while (resource != top && m_nextSibling[resource] == NoResource)
                resource = m_tree.m_parentOf[resource];
            resource = resource == top ? NoResource : m_nextSibling[resource];
        }
        for (quint32 position = quint32(branch->order.size()) - 1; position > 0; --position) {
            const Resource above = m_tree.m_parentOf[branch->order[position]];
            branch->size[m_tree.m_places[above].position] += branch->size[position];
        }
        branch->order.squeeze();
        branch->size.squeeze();
        branch->cells.assign(std::move(codes), stamp);
        m_tree.m_branches.append(QSharedDataPointer<Tree::Branch>(branch));
        m_tree.m_branchOrder.append(index);
    }
    m_tree.m_places.squeeze();
    m_tree.m_parentOf.squeeze();
    m_tree.m_typeOf.squeeze();
    return std::move(m_tree);
}

} // namespace instar
