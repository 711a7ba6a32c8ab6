// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QSslConfiguration>
#include <QString>

namespace instar {

/// Who asks a server. Never written to files or logs; see Keychain.
struct Credential
{
    enum class Kind { None, Bearer, Basic, Certificate, ApiKey };
    Kind kind = Kind::None;
    QString user;   ///< Basic: the name; ApiKey: the header that the key stands in
    QString secret; ///< Bearer: the token; Basic: the password; Certificate: the key's passphrase,
                    ///< if it has one; ApiKey: the key
    QByteArray certificate, key; ///< Certificate: PEM, both may be in `certificate`
    bool operator==(const Credential &) const = default;
};

/// The header that says who asks; an empty one: none is needed.
struct CredentialHeader
{
    QByteArray name, value;
    bool operator==(const CredentialHeader &) const = default;
};
/// An error says what cannot stand in a header.
Result<CredentialHeader> credentialHeader(const Credential &credential);

/// How connections are secured: with the credential's certificate, trusting `authorities` (PEM)
/// beside the system's.
Result<QSslConfiguration> tlsConfiguration(
    const Credential &credential, const QByteArray &authorities);

} // namespace instar
