// SPDX-License-Identifier: Apache-2.0
#include "model/remote/credential.h"

#include "model/json/exchanges.h"
#include "model/remote/masking.h"

#include <QCoreApplication>
#include <QSslCertificate>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct SignInTexts
{
    Q_DECLARE_TR_FUNCTIONS(instar::SignIn)
};

bool fitsHeader(const QString &text)
{
    return std::ranges::none_of(
        text, [](QChar c) { return c.unicode() < 0x20 || c.unicode() == 0x7f; });
}

constexpr qsizetype MostTokens = 8; ///< maximum of past tokens that are still masked

Result<HttpHeader> credentialHeader(const Credential &credential)
{
    const QString secret = credential.secret.trimmed();
    switch (credential.kind) {
    case Credential::Kind::None:
        return HttpHeader();
    case Credential::Kind::Bearer:
        if (secret.isEmpty())
            return Error { SignInTexts::tr("The token is empty.") };
        if (!fitsHeader(secret))
            return Error { SignInTexts::tr(
                "The token holds line breaks or control characters; it must be one line.") };
        return HttpHeader { "Authorization", "Bearer " + secret.toUtf8() };
    case Credential::Kind::Basic:
        if (credential.parameter.contains(u':'))
            return Error { SignInTexts::tr("The user's name must not contain a colon.") };
        return HttpHeader { "Authorization",
            "Basic " + (credential.parameter + u':' + credential.secret).toUtf8().toBase64() };
    case Credential::Kind::ApiKey:
        if (!isKeyHeader(credential.parameter))
            return Error { SignInTexts::tr(
                "\"%1\" is not a valid header name for the API key; use a name such as X-Api-Key.")
                               .arg(credential.parameter) };
        if (secret.isEmpty())
            return Error { SignInTexts::tr("The API key is empty.") };
        if (!fitsHeader(secret))
            return Error { SignInTexts::tr(
                "The API key holds line breaks or control characters; it must be one line.") };
        return HttpHeader { credential.parameter.toLatin1(), secret.toUtf8() };
    case Credential::Kind::Command:
        if (credential.parameter.trimmed().isEmpty())
            return Error { SignInTexts::tr("The command that prints a token is empty.") };
        return HttpHeader { "Authorization", {} };
    }
    Q_UNREACHABLE();
}

} // namespace

Result<QSslConfiguration> tlsConfiguration(const QByteArray &authorities)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setAllowedNextProtocols({ QSslConfiguration::NextProtocolHttp1_1 });
    if (!authorities.isEmpty()) {
        const QList<QSslCertificate> trusted = QSslCertificate::fromData(authorities);
        if (trusted.isEmpty())
            return Error { SignInTexts::tr(
                "The file of trusted authorities holds no certificate in PEM.") };
        tls.addCaCertificates(trusted);
    }
    return tls;
}

Result<SignIn> SignIn::make(const Credential &credential)
{
    const Result<HttpHeader> header = credentialHeader(credential);
    return header ? Result<SignIn>(SignIn(credential, *header)) : Error { header.error() };
}

QString SignIn::command() const
{
    return m_credential.kind == Credential::Kind::Command ? m_credential.parameter.trimmed()
                                                          : QString();
}

void SignIn::take(const QByteArray &printed)
{
    const QByteArray token = printed.trimmed();
    // One word of visible ASCII characters, as a header can hold.
    const bool isWord = std::ranges::all_of(token, [](char c) { return c > 0x20 && c < 0x7f; });
    if (token.isEmpty() || !isWord)
        return takeProblem(token.isEmpty()
                ? SignInTexts::tr("the command printed nothing")
                : SignInTexts::tr("the command printed more than one word"));
    m_problem.clear();
    m_header.value = "Bearer " + token;
    m_tokens.append(token);
    if (m_tokens.size() > MostTokens)
        m_tokens.removeFirst();
}

void SignIn::takeProblem(const QString &problem)
{
    m_problem = SignInTexts::tr("The command \"%1\" printed no token: %2")
                    .arg(command(), withoutSecrets(problem, secrets()));
    if (!m_problem.endsWith(u'.'))
        m_problem += u'.';
    m_header.value.clear();
}

bool SignIn::forget(const QByteArray &rejected)
{
    if (command().isEmpty() || rejected.isEmpty())
        return false;
    if (m_header.value == rejected)
        m_header.value.clear();
    return true;
}

QByteArrayList SignIn::secrets() const
{
    QByteArrayList secrets = m_tokens;
    if (m_credential.secret.isEmpty())
        return secrets;
    secrets += m_credential.secret.trimmed().toUtf8();
    secrets += (m_credential.parameter + u':' + m_credential.secret).toUtf8().toBase64();
    return secrets;
}

} // namespace instar
