// SPDX-License-Identifier: Apache-2.0
#include "model/remote/masking.h"

#include "model/http/httpparser.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype LeastHidden = 8; ///< bytes; shorter secrets are not masked
const QString Stars = QString::fromLatin1(SecretMask);

bool containsAny(const QString &text, const QStringList &parts)
{
    return std::ranges::any_of(
        parts, [&](const QString &part) { return text.contains(part, Qt::CaseInsensitive); });
}

/// True for a secret item of a query or form; its name may be percent-encoded.
bool isSecretKey(const QString &key)
{
    static const QStringList exactNames { u"sig"_s, u"signature"_s, u"code"_s, u"key"_s, u"pwd"_s,
        u"auth"_s, u"sas"_s, u"jwt"_s };
    static const QStringList partsOfNames { u"token"_s, u"secret"_s, u"password"_s, u"apikey"_s,
        u"api-key"_s, u"api_key"_s, u"credential"_s };
    const QString lower = QUrl::fromPercentEncoding(key.toUtf8()).toLower();
    return exactNames.contains(lower) || containsAny(lower, partsOfNames);
}

/// True for names such as "X-Auth-Key": ending in a key, or with a word for authentication.
bool isSecretHeader(const QString &name)
{
    static const QStringList partsOfNames { u"token"_s, u"secret"_s, u"password"_s, u"apikey"_s,
        u"cookie"_s };
    static const QStringList wholeWords { u"auth"_s, u"signature"_s, u"credential"_s };
    const QString lower = name.toLower();
    if (lower == u"idempotency-key") // identifies a request; no secret
        return false;
    const QStringList words = lower.split(u'-');
    return words.last() == u"key" || words.last() == u"pwd" || containsAny(lower, partsOfNames)
        || std::ranges::any_of(
            wholeWords, [&](const QString &word) { return words.contains(word); });
}

/// True for a secret member of a body, where "code" and "key" are not secret.
bool isSecretMember(const QString &name)
{
    static const QStringList partsOfNames { u"token"_s, u"secret"_s, u"password"_s, u"passphrase"_s,
        u"apikey"_s, u"api_key"_s, u"privatekey"_s };
    return containsAny(name, partsOfNames);
}

/// Masks the values (second captures) of the items whose names (first captures) are secret.
QString masked(const QString &text, QRegularExpressionMatchIterator items,
    bool (*isSecret)(const QString &name))
{
    QString shown;
    qsizetype from = 0;
    while (items.hasNext()) {
        const QRegularExpressionMatch item = items.next();
        if (!isSecret(item.captured(1)) || item.capturedLength(2) == 0)
            continue;
        shown += QStringView(text).sliced(from, item.capturedStart(2) - from);
        shown += Stars;
        from = item.capturedEnd(2);
    }
    return shown + text.sliced(from);
}

/// Masks secrets in the query of any text with a URL, absolute or not; the rest stays unchanged.
QString maskedText(const QString &text)
{
    static const QRegularExpression item(u"[?&;#\\s<]([^?&;=#\\s<>\"]+)=([^&;#\\s<>\"]+)"_s);
    const qsizetype query = text.indexOf(u'?');
    return query < 0 ? text : masked(text, item.globalMatch(text, query), isSecretKey);
}

} // namespace

QString maskedUrl(const QUrl &url)
{
    return maskedText(url.adjusted(QUrl::RemoveUserInfo).toString(QUrl::FullyEncoded));
}

QByteArray maskedBody(const QByteArray &body)
{
    static const QRegularExpression form(u"\\A[^\\s{}\\[\\]<>\"=&]++=[^\\s{}\\[\\]<>\"]*+\\z"_s);
    static const QRegularExpression member(
        u"\"([^\"\\\\]++)\"\\s*+:\\s*+\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\""_s);
    const QString text = QString::fromLatin1(body); // one character per byte
    if (form.match(text).hasMatch())
        return maskedText(u'?' + text).sliced(1).toLatin1();
    return masked(text, member.globalMatch(text), isSecretMember).toLatin1();
}

QByteArray withoutSecrets(QByteArray text, const QByteArrayList &secrets)
{
    for (const QByteArray &secret : secrets) {
        if (secret.size() < LeastHidden)
            continue;
        text.replace(secret, SecretMask);
        text.replace(secret.toPercentEncoding(), SecretMask);
    }
    return text;
}

QString withoutSecrets(const QString &text, const QByteArrayList &secrets)
{
    return QString::fromUtf8(withoutSecrets(text.toUtf8(), secrets));
}

QList<Exchange::Header> maskedHeaders(const HttpHeaders &headers, const QByteArray &secret)
{
    QList<Exchange::Header> shown;
    for (const HttpHeader &one : headers) {
        const QString name = QString::fromLatin1(one.name);
        QString value = QString::fromUtf8(one.value);
        if (name.contains(u"authorization"_s, Qt::CaseInsensitive))
            value = value.contains(u' ') ? value.section(u' ', 0, 0) + u' ' + Stars : Stars;
        else if (isSecretHeader(name)
            || (!secret.isEmpty() && one.name.compare(secret, Qt::CaseInsensitive) == 0))
            value = Stars;
        else if (value.startsWith(u"http"_s, Qt::CaseInsensitive) && !value.contains(u' '))
            value = maskedUrl(QUrl(value));
        else
            value = maskedText(value);
        shown.append({ name, value });
    }
    return shown;
}

void setResponse(Exchange &exchange, const HttpResponse &response, const QStringList &delayHeaders,
    const QByteArray &secret)
{
    const QByteArrayView reason = response.reason;
    exchange.status = response.status;
    exchange.reason = QString::fromUtf8(reason.isEmpty() ? reasonPhrase(response.status) : reason);
    exchange.responseHeaders = maskedHeaders(response.headers, secret);
    if (exchange.method != u"HEAD")
        exchange.responseBody = maskedBody(response.body);
    exchange.etag = QString::fromUtf8(header(response.headers, "ETag"));
    if (const auto delay =
            retryAfter(response.headers, delayHeaders, QDateTime::currentMSecsSinceEpoch()))
        exchange.retryAfter = double(*delay) / 1000;
}

} // namespace instar
