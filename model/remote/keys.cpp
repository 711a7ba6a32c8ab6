// SPDX-License-Identifier: Apache-2.0
#include "model/remote/keys.h"

#include <algorithm>

namespace instar {

Spelling::Spelling(Value key) : m_key(key), m_inside(key.raw().sliced(1).chopped(1))
{
    m_isPlain = std::ranges::all_of(m_inside, [](char c) { return uchar(c) < 0x80 && c != '\\'; });
}

bool Spelling::is(const Key &key, Qt::CaseSensitivity names) const
{
    if (!m_isPlain)
        return key.text.compare(m_key.string(), names) == 0;
    // What is the same has the same length, in whatever case it is.
    return m_inside.size() == key.text.size()
        && (m_inside == key.utf8
            || (names == Qt::CaseInsensitive
                && key.text.compare(QLatin1StringView(m_inside), names) == 0));
}

bool Spelling::isOneOf(const Keys &keys, Qt::CaseSensitivity names) const
{
    return std::ranges::any_of(keys, [&](const Key &key) { return is(key, names); });
}

QString Spelling::text() const
{
    return m_isPlain ? QString::fromLatin1(m_inside) : m_key.string();
}

Value member(Value object, const Key &key, Qt::CaseSensitivity names)
{
    for (const Member member : object.members()) {
        if (Spelling(member.key).is(key, names))
            return member.value;
    }
    return {};
}

Value valueAt(Value from, const Place &place, Qt::CaseSensitivity names)
{
    if (!place)
        return {};
    for (const Key &key : *place)
        from = member(from, key, names);
    return from;
}

} // namespace instar
