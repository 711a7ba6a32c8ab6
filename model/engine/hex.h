// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <array>

namespace instar {

/// Text of a UUID: 8-4-4-4-12 hexadecimal digits.
using HexGroups = std::array<char, 36>;

inline HexGroups hexGroups(quint64 high, quint64 low)
{
    constexpr char digits[] = "0123456789abcdef";
    HexGroups text;
    size_t at = 0;
    for (int byte = 0; byte < 16; ++byte) {
        if (byte == 4 || byte == 6 || byte == 8 || byte == 10)
            text[at++] = '-';
        const quint64 value = (byte < 8 ? high : low) >> (56 - 8 * (byte % 8));
        text[at++] = digits[value >> 4 & 15];
        text[at++] = digits[value & 15];
    }
    return text;
}

} // namespace instar
