// SPDX-License-Identifier: Apache-2.0
#include "model/remote/redirect.h"

using namespace Qt::StringLiterals;

namespace instar {

bool isWebAddress(const QUrl &url)
{
    return url.isValid() && !url.host().isEmpty()
        && (url.scheme() == u"http" || url.scheme() == u"https");
}

std::optional<QUrl> redirected(const QUrl &from, const QByteArray &location)
{
    const QUrl there = from.resolved(QUrl(QString::fromUtf8(location)));
    const bool isWeaker = from.scheme() == u"https" && there.scheme() != u"https";
    return isWebAddress(there) && !isWeaker ? std::optional(there) : std::nullopt;
}

} // namespace instar
