// SPDX-License-Identifier: Apache-2.0
#include "model/formats/locator.h"

#include <algorithm>
#include <cstring>

using namespace Qt::StringLiterals;

namespace instar {

Locator::Locator(const Document &document)
    : m_document(document), m_lines { document.bytes().constData() }
{
    const char *const end = m_lines.front() + document.bytes().size();
    while (const void *feed = std::memchr(m_lines.back(), '\n', size_t(end - m_lines.back())))
        m_lines.push_back(static_cast<const char *>(feed) + 1);
}

const Locator::Children &Locator::children(Value container)
{
    const auto known = m_children.constFind(container.index());
    if (known != m_children.constEnd())
        return *known;
    Children &children = m_children[container.index()];
    children.reserve(container.size());
    qsizetype number = 0;
    for (const Value item : container.items())
        children.insert(QString::number(number++), { item, item });
    for (const Member member : container.members()) {
        QString segment = member.key.string();
        segment.replace(u'~', "~0"_L1).replace(u'/', "~1"_L1);
        if (!children.contains(segment)) // of several with one key the first is meant
            children.insert(segment, { member.key, member.value });
    }
    return children;
}

Position Locator::positionOf(Value value) const
{
    const char *const at = value.raw().data();
    const auto next = std::ranges::upper_bound(m_lines, at);
    Position found { .line = int(next - m_lines.begin()) };
    for (const char *c = *(next - 1); c < at; ++c)
        found.column += (*c & 0xC0) != 0x80;
    return found;
}

Position Locator::position(QStringView pointer)
{
    Child child { m_document.root(), m_document.root() };
    if (pointer.startsWith(u'/')) {
        for (const QStringView segment : pointer.sliced(1).tokenize(u'/')) {
            const Children &inside = children(child.value);
            const auto found = inside.constFind(segment.toString());
            if (found == inside.constEnd())
                break;
            child = *found;
        }
    }
    return positionOf(child.key);
}

} // namespace instar
