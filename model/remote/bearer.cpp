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
    const QByteArrayView shown = QByteArrayView(value).sliced(scheme.size()).trimmed();
    unsigned difference = shown.size() == token.size() ? 0 : 1;
    for (qsizetype i = 0; i < shown.size(); ++i)
        difference |= unsigned(uchar(shown[i]) ^ uchar(token[i % token.size()]));
    return difference == 0;
}

} // namespace instar
