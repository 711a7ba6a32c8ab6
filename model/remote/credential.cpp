// SPDX-License-Identifier: Apache-2.0
#include "model/remote/credential.h"

#include <QCoreApplication>
#include <QSslCertificate>
#include <QSslKey>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(instar::Credential)
};

bool fitsHeader(const QString &text)
{
    return std::ranges::none_of(
        text, [](QChar c) { return c.unicode() < 0x20 || c.unicode() == 0x7f; });
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

Result<QByteArray> authorization(const Credential &credential)
{
    switch (credential.kind) {
    case Credential::Kind::None:
    case Credential::Kind::Certificate:
        return QByteArray();
    case Credential::Kind::Bearer: {
        const QString token = credential.secret.trimmed();
        if (token.isEmpty())
            return Error { Words::tr("The token is empty.") };
        if (!fitsHeader(token))
            return Error { Words::tr(
                "The token holds line breaks or control characters; it must be one line.") };
        return "Bearer " + token.toUtf8();
    }
    case Credential::Kind::Basic:
        if (credential.user.contains(u':'))
            return Error { Words::tr("The user's name holds a colon, which it must not.") };
        return "Basic " + (credential.user + u':' + credential.secret).toUtf8().toBase64();
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
            return Error { Words::tr(
                "The file of trusted authorities holds no certificate in PEM.") };
        tls.addCaCertificates(trusted);
    }
    if (credential.kind != Credential::Kind::Certificate)
        return tls;
    const QList<QSslCertificate> chain = QSslCertificate::fromData(credential.certificate);
    if (chain.isEmpty())
        return Error { Words::tr("The client certificate is no certificate in PEM.") };
    const QSslKey key = keyIn(credential.key.isEmpty() ? credential.certificate : credential.key,
        credential.secret.toUtf8());
    if (key.isNull())
        return Error { Words::tr("The client certificate's private key cannot be read; it must be "
                                 "PEM, and the passphrase right.") };
    tls.setLocalCertificateChain(chain);
    tls.setPrivateKey(key);
    return tls;
}

} // namespace instar
