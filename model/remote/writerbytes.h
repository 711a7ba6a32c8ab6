// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QStringView>

namespace instar {

/// `Out`: a QByteArray, or a QVarLengthArray of char.
template<typename Out>
void append(QByteArrayView bytes, Out *out)
{
    out->append(bytes.data(), bytes.size());
}

/// As UTF-8.
template<typename Out>
void append(QStringView text, Out *out)
{
    const qsizetype begin = out->size();
    out->resize(begin + text.size());
    char *to = out->data() + begin;
    const char16_t *from = text.utf16();
    char16_t all = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        all |= from[i];
        to[i] = char(from[i]);
    }
    if (all < 0x80)
        return;
    out->resize(begin);
    append(QByteArrayView(text.toUtf8()), out);
}

} // namespace instar
