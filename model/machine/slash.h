// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringView>

#include <string>

namespace instar {

/// The first '/' in a path from a place on; -1: there is none. A tree of a million resources asks
/// this four million times; QStringView::indexOf() takes twice as long for so few characters.
inline qsizetype slashFrom(QStringView path, qsizetype from)
{
    if (from >= path.size())
        return -1;
    const char16_t *begin = path.utf16();
    const char16_t *found =
        std::char_traits<char16_t>::find(begin + from, size_t(path.size() - from), u'/');
    return found ? found - begin : -1;
}

} // namespace instar
