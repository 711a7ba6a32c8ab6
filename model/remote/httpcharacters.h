// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

#include <algorithm>
#include <array>
#include <string_view>

namespace instar {

/// A fact about each of the 256 characters.
using CharacterTable = std::array<bool, 256>;

/// Of a method or a header's name (RFC 9110, 5.6.2).
constexpr CharacterTable TokenCharacters = [] {
    CharacterTable table {};
    for (int c = 0x21; c < 0x7f; ++c)
        table[size_t(c)] =
            std::string_view("\"(),/:;<=>?@[\\]{}").find(char(c)) == std::string_view::npos;
    return table;
}();

inline bool isToken(QByteArrayView text)
{
    bool isOne = !text.isEmpty(); // without a branch for each
    for (const char c : text)
        isOne &= TokenCharacters[uchar(c)];
    return isOne;
}

/// What may not stand in a line; a tab may.
constexpr bool isControl(char c)
{
    return (uchar(c) < 0x20 && c != '\t') || c == 0x7f;
}

/// Makes spaces of control characters.
inline void blankControls(char *text, qsizetype size)
{
    uchar controls = 0; // of all at once, which compilers make fast
    for (qsizetype i = 0; i < size; ++i) {
        const auto c = uchar(text[i]);
        controls |= uchar(uchar(c < 0x20) & uchar(c != '\t')) | uchar(c == 0x7f);
    }
    if (controls)
        std::replace_if(text, text + size, isControl, ' ');
}

} // namespace instar
