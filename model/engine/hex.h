// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLatin1StringView>
#include <QString>

namespace instar {

/// 128 bits as 8-4-4-4-12 hexadecimal digits, as UUIDs are written.
inline QString hexGroups(quint64 high, quint64 low)
{
    constexpr char digits[] = "0123456789abcdef";
    char text[36];
    int at = 0;
    for (int i = 0; i < 32; ++i) {
        if (i == 8 || i == 12 || i == 16 || i == 20)
            text[at++] = '-';
        const quint64 half = i < 16 ? high : low;
        text[at++] = digits[half >> (60 - 4 * (i % 16)) & 15];
    }
    return QString::fromLatin1(text, at);
}

} // namespace instar
