// SPDX-License-Identifier: Apache-2.0
#include "model/freshtoken.h"

#include <QRandomGenerator>

#include <array>

namespace instar {

QByteArray freshToken()
{
    std::array<quint32, 8> words;
    QRandomGenerator::system()->fillRange(words.data(), qsizetype(words.size()));
    return QByteArray(reinterpret_cast<const char *>(words.data()), sizeof(words))
        .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

} // namespace instar
