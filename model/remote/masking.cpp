// SPDX-License-Identifier: Apache-2.0
#include "model/remote/masking.h"

#include <QUrlQuery>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString Hidden = u"***"_s;

bool isSecretKey(const QString &key)
{
    static const QStringList whole { u"sig"_s, u"signature"_s, u"code"_s, u"key"_s, u"pwd"_s,
        u"auth"_s, u"sas"_s, u"jwt"_s };
    static const QStringList parts { u"token"_s, u"secret"_s, u"password"_s, u"apikey"_s,
        u"api-key"_s, u"api_key"_s, u"credential"_s };
    const QString lower = key.toLower();
    return whole.contains(lower)
        || std::ranges::any_of(parts, [&](const QString &part) { return lower.contains(part); });
}

bool isSecretHeader(const QString &name)
{
    static const QStringList parts { u"token"_s, u"secret"_s, u"password"_s, u"api-key"_s,
        u"apikey"_s, u"cookie"_s };
    const QString lower = name.toLower();
    return std::ranges::any_of(parts, [&](const QString &part) { return lower.contains(part); });
}

} // namespace

QString maskedUrl(const QUrl &url)
{
    QUrl shown = url;
    shown.setPassword({});
    if (!url.userName().isEmpty())
        shown.setUserName({});
    if (!url.hasQuery())
        return shown.toString(QUrl::FullyEncoded);
    QList<std::pair<QString, QString>> items = QUrlQuery(url).queryItems(QUrl::FullyEncoded);
    bool isMasked = false;
    for (auto &[key, value] : items) {
        if (!isSecretKey(key) || value.isEmpty())
            continue;
        value = Hidden;
        isMasked = true;
    }
    if (isMasked) {
        QUrlQuery query;
        query.setQueryItems(items);
        shown.setQuery(query);
    }
    return shown.toString(QUrl::FullyEncoded);
}

QList<Exchange::Header> maskedHeaders(const HttpHeaders &headers)
{
    QList<Exchange::Header> shown;
    for (const HttpHeader &one : headers) {
        const QString name = QString::fromLatin1(one.name);
        QString value = QString::fromUtf8(one.value);
        if (name.contains(u"authorization"_s, Qt::CaseInsensitive))
            value = value.contains(u' ') ? value.section(u' ', 0, 0) + u' ' + Hidden : Hidden;
        else if (isSecretHeader(name))
            value = Hidden;
        else if (value.startsWith(u"http"_s) && value.contains(u'?'))
            value = maskedUrl(QUrl(value));
        shown.append({ name, value });
    }
    return shown;
}

} // namespace instar
