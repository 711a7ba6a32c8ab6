// SPDX-License-Identifier: Apache-2.0
#include "model/formats/locator.h"

#include <algorithm>
#include <cstring>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype LetterBlock = 1024; ///< bytes; what a place in a line of any length costs

int lettersWithin(QByteArrayView text)
{
    return int(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

} // namespace

Locator::Locator(const JsonText &document)
    : m_document(document), m_lines { document.bytes().constData() }
{
    const char *const end = m_lines.front() + document.bytes().size();
    while (const void *feed = std::memchr(m_lines.back(), '\n', size_t(end - m_lines.back())))
        m_lines.push_back(static_cast<const char *>(feed) + 1);
    const QByteArrayView bytes = document.bytes();
    int letters = 0;
    for (qsizetype at = 0; at <= bytes.size(); at += LetterBlock) {
        m_letters.push_back(letters);
        letters += lettersWithin(bytes.sliced(at, qMin(LetterBlock, bytes.size() - at)));
    }
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

int Locator::lettersBefore(const char *at) const
{
    const QByteArrayView bytes = m_document.bytes();
    const qsizetype block = (at - bytes.data()) / LetterBlock;
    const char *const begin = bytes.data() + block * LetterBlock;
    return m_letters[size_t(block)] + lettersWithin({ begin, at });
}

Position Locator::positionOf(Value value) const
{
    const char *const at = value.raw().data();
    const auto next = std::ranges::upper_bound(m_lines, at);
    return { .line = int(next - m_lines.begin()),
        .column = lettersBefore(at) - lettersBefore(*(next - 1)) + 1 };
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
