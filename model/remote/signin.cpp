// SPDX-License-Identifier: Apache-2.0
#include "model/remote/signin.h"

#include "model/remote/masking.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct SignInWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::SignIn)
};

constexpr qsizetype MostTokens = 8; ///< remembered, to mask them

/// Percent-encodes a form's item (WHATWG, URL, 5), blanks too, so that it is also valid in a URL.
QByteArray encoded(const QString &text)
{
    return QUrl::toPercentEncoding(text);
}

/// Returns true for one word of visible ASCII characters, as a header can hold.
bool isToken(const QByteArray &text)
{
    return !text.isEmpty()
        && std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
}

} // namespace

SignIn::SignIn(Credential credential, CredentialHeader header)
    : m_credential(std::move(credential)), m_header(std::move(header))
{ }

QString SignIn::command() const
{
    return m_credential.kind == Credential::Kind::Command ? m_credential.user.trimmed() : QString();
}

void SignIn::take(const QByteArray &printed)
{
    const QByteArray token = printed.trimmed();
    if (!isToken(token)) {
        takeProblem(token.isEmpty() ? SignInWords::tr("it prints nothing")
                                    : SignInWords::tr("it does not print a single word"));
        return;
    }
    m_problem.clear();
    m_header.value = "Bearer " + token;
    m_tokens.append(token);
    if (m_tokens.size() > MostTokens)
        m_tokens.removeFirst();
}

void SignIn::takeProblem(const QString &problem)
{
    m_problem = SignInWords::tr("The command for a token, \"%1\", gives none: %2")
                    .arg(command(), withoutSecrets(problem, secrets()));
    if (!m_problem.endsWith(u'.'))
        m_problem += u'.';
    m_header.value.clear();
}

bool SignIn::forget(const QByteArray &shown)
{
    if (command().isEmpty() || shown.isEmpty())
        return false;
    if (m_header.value == shown)
        m_header.value.clear();
    return true;
}

QUrl SignIn::shown(const QUrl &url) const
{
    return withKey(url, QString::fromLatin1(OwnKeyMask));
}

QUrl SignIn::withKey(const QUrl &url, const QString &key) const
{
    if (m_credential.kind != Credential::Kind::QueryKey)
        return url;
    const QString own = m_credential.secret.trimmed();
    QList<QByteArray> items = url.query(QUrl::FullyEncoded).toUtf8().split('&');
    items.removeIf([&](const QByteArray &item) {
        const qsizetype end = item.indexOf('=');
        const QString value = QUrl::fromPercentEncoding(item.mid(end + 1));
        const bool isOurs = end >= 0 && (!key.isEmpty() || value == own)
            && QUrl::fromPercentEncoding(item.left(end)) == m_credential.user;
        return item.isEmpty() || isOurs;
    });
    if (!key.isEmpty())
        items += encoded(m_credential.user) + '=' + encoded(key).replace("%2A", "*");
    QUrl result = url;
    result.setQuery(items.isEmpty() ? QString() : QString::fromLatin1(items.join('&')));
    return result;
}

QByteArrayList SignIn::secrets() const
{
    QByteArrayList secrets = m_tokens;
    if (m_credential.secret.isEmpty())
        return secrets;
    secrets += m_credential.secret.trimmed().toUtf8();
    secrets += (m_credential.user + u':' + m_credential.secret).toUtf8().toBase64();
    return secrets;
}

} // namespace instar
