// SPDX-License-Identifier: Apache-2.0
#include "model/remote/credential.h"

#include "model/json/exchanges.h"

#include <QCoreApplication>
#include <QSslCertificate>
#include <QSslKey>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct CredentialWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::Credential)
};

bool fitsHeader(const QString &text)
{
    return std::ranges::none_of(
        text, [](QChar c) { return c.unicode() < 0x20 || c.unicode() == 0x7f; });
}

/// What is wrong with a key; empty if nothing is.
QString keyProblem(const QString &key)
{
    if (key.isEmpty())
        return CredentialWords::tr("The API key is empty.");
    return fitsHeader(key)
        ? QString()
        : CredentialWords::tr(
            "The API key holds line breaks or control characters; it must be one line.");
}

QSslKey keyIn(const QByteArray &pem, const QByteArray &passphrase)
{
    for (const QSsl::KeyAlgorithm algorithm : { QSsl::Rsa, QSsl::Ec, QSsl::Dsa }) {
        const QSslKey key(pem, algorithm, QSsl::Pem, QSsl::PrivateKey, passphrase);
        if (!key.isNull())
            return key;
    }
    return {};
}

} // namespace

Result<CredentialHeader> credentialHeader(const Credential &credential)
{
    const QString secret = credential.secret.trimmed();
    switch (credential.kind) {
    case Credential::Kind::None:
    case Credential::Kind::Certificate:
        return CredentialHeader();
    case Credential::Kind::Bearer:
        if (secret.isEmpty())
            return Error { CredentialWords::tr("The token is empty.") };
        if (!fitsHeader(secret))
            return Error { CredentialWords::tr(
                "The token holds line breaks or control characters; it must be one line.") };
        return CredentialHeader { "Authorization", "Bearer " + secret.toUtf8() };
    case Credential::Kind::Basic:
        if (credential.user.contains(u':'))
            return Error { CredentialWords::tr("The user's name must not contain a colon.") };
        return CredentialHeader { "Authorization",
            "Basic " + (credential.user + u':' + credential.secret).toUtf8().toBase64() };
    case Credential::Kind::ApiKey:
        if (!isKeyHeader(credential.user))
            return Error { CredentialWords::tr(
                "\"%1\" is not a valid header name for the API key; use a name such as X-Api-Key.")
                               .arg(credential.user) };
        if (const QString problem = keyProblem(secret); !problem.isEmpty())
            return Error { problem };
        return CredentialHeader { credential.user.toLatin1(), secret.toUtf8() };
    case Credential::Kind::QueryKey:
        if (credential.user.isEmpty() || !fitsHeader(credential.user))
            return Error { CredentialWords::tr(
                "The query parameter of the API key needs a name, such as api_key.") };
        if (const QString problem = keyProblem(secret); !problem.isEmpty())
            return Error { problem };
        return CredentialHeader();
    case Credential::Kind::Command:
        if (credential.user.trimmed().isEmpty())
            return Error { CredentialWords::tr("The command that prints a token is empty.") };
        return CredentialHeader { "Authorization", {} };
    }
    Q_UNREACHABLE();
}

Result<QSslConfiguration> tlsConfiguration(
    const Credential &credential, const QByteArray &authorities)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setAllowedNextProtocols({ QSslConfiguration::NextProtocolHttp1_1 });
    if (!authorities.isEmpty()) {
        const QList<QSslCertificate> trusted = QSslCertificate::fromData(authorities);
        if (trusted.isEmpty())
            return Error { CredentialWords::tr(
                "The file of trusted authorities holds no certificate in PEM.") };
        tls.addCaCertificates(trusted);
    }
    if (credential.kind != Credential::Kind::Certificate)
        return tls;
    const QList<QSslCertificate> chain = QSslCertificate::fromData(credential.certificate);
    if (chain.isEmpty())
        return Error { CredentialWords::tr("The client certificate is not in PEM format.") };
    const QSslKey key = keyIn(credential.key.isEmpty() ? credential.certificate : credential.key,
        credential.secret.toUtf8());
    if (key.isNull())
        return Error { CredentialWords::tr(
            "The client certificate's private key cannot be read; it must be "
            "PEM, and the passphrase right.") };
    tls.setLocalCertificateChain(chain);
    tls.setPrivateKey(key);
    return tls;
}

} // namespace instar
