// SPDX-License-Identifier: Apache-2.0
#include "model/remote/credential.h"

#include "model/formats/exchanges.h"
#include "model/remote/masking.h"
#include "model/remote/redirect.h"

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

/// What a key lacks; empty: nothing.
QString keyProblem(const QString &key)
{
    if (key.isEmpty())
        return CredentialWords::tr("The API key is empty.");
    return fitsHeader(key)
        ? QString()
        : CredentialWords::tr(
            "The API key holds line breaks or control characters; it must be one line.");
}

/// What is missing to ask somebody for a token; empty: nothing.
QString issuerProblem(const Credential &credential)
{
    const bool isKeystone = credential.kind == Credential::Kind::Keystone;
    if (!isWebAddress(credential.issuer))
        return CredentialWords::tr("\"%1\" is no address of a server that gives tokens; one looks "
                                   "like https://host:port/path.")
            .arg(maskedUrl(credential.issuer));
    if (!credential.issuer.userInfo().isEmpty())
        return CredentialWords::tr("The address of %1 must not hold a user.")
            .arg(maskedUrl(credential.issuer));
    if (credential.user.isEmpty())
        return isKeystone ? CredentialWords::tr("The user's name is empty.")
                          : CredentialWords::tr("The client's id is empty.");
    if (credential.secret.isEmpty())
        return isKeystone ? CredentialWords::tr("The password is empty.")
                          : CredentialWords::tr("The client's secret is empty.");
    return {};
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
            return Error { CredentialWords::tr(
                "The user's name holds a colon, which it must not.") };
        return CredentialHeader { "Authorization",
            "Basic " + (credential.user + u':' + credential.secret).toUtf8().toBase64() };
    case Credential::Kind::ApiKey:
        if (!isKeyHeader(credential.user))
            return Error { CredentialWords::tr(
                "\"%1\" is no name of a header for the API key; one looks "
                "like X-Api-Key.")
                               .arg(credential.user) };
        if (const QString problem = keyProblem(secret); !problem.isEmpty())
            return Error { problem };
        return CredentialHeader { credential.user.toLatin1(), secret.toUtf8() };
    case Credential::Kind::QueryKey:
        if (credential.user.isEmpty() || !fitsHeader(credential.user))
            return Error { CredentialWords::tr(
                "The parameter of the query that holds the API key needs a name, such as "
                "api_key.") };
        if (const QString problem = keyProblem(secret); !problem.isEmpty())
            return Error { problem };
        return CredentialHeader();
    case Credential::Kind::ClientCredentials:
    case Credential::Kind::Keystone:
        if (const QString problem = issuerProblem(credential); !problem.isEmpty())
            return Error { problem };
        return CredentialHeader();
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
        return Error { CredentialWords::tr("The client certificate is no certificate in PEM.") };
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
