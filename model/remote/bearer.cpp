// SPDX-License-Identifier: Apache-2.0
#include "model/remote/bearer.h"

namespace instar {

bool bearsToken(const HttpHeaders &headers, QByteArrayView token)
{
    static constexpr QByteArrayView scheme = "Bearer ";
    const QByteArray value = header(headers, "Authorization");
    if (token.isEmpty() || value.size() < scheme.size()
        || QByteArrayView(value).first(scheme.size()).compare(scheme, Qt::CaseInsensitive) != 0)
        return false;
    return isSameSecret(QByteArrayView(value).sliced(scheme.size()).trimmed(), token);
}

bool isSameSecret(QByteArrayView shown, QByteArrayView secret)
{
    if (secret.isEmpty())
        return false;
    unsigned difference = shown.size() == secret.size() ? 0 : 1;
    for (qsizetype i = 0; i < shown.size(); ++i)
        difference |= unsigned(uchar(shown[i]) ^ uchar(secret[i % secret.size()]));
    return difference == 0;
}

} // namespace instar
