// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QSslConfiguration>
#include <QString>

namespace instar {

/// Who asks a server. Never written to files or logs.
struct Credential
{
    enum class Kind {
        None,
        Bearer,
        Basic,
        Certificate,
        ApiKey,
        QueryKey,
        Command, ///< a bearer token that a command prints: see SignIn
    };
    Kind kind = Kind::None;
    QString user;   ///< Basic: the name; ApiKey: the header that the key stands in; QueryKey: the
                    ///< parameter; Command: that, for the shell
    QString secret; ///< Bearer: the token; Basic: the password; Certificate: the key's passphrase,
                    ///< if it has one; ApiKey, QueryKey: the key
    QByteArray certificate, key; ///< Certificate: PEM, both may be in `certificate`
    bool operator==(const Credential &) const = default;
};

/// The header that says who asks; an empty one: none is needed, or a command has to be run first.
struct CredentialHeader
{
    QByteArray name, value;
    bool operator==(const CredentialHeader &) const = default;
};
/// An error says what the credential lacks, or what cannot stand in a header.
Result<CredentialHeader> credentialHeader(const Credential &credential);

/// How connections are secured: with the credential's certificate, trusting `authorities` (PEM)
/// beside the system's.
Result<QSslConfiguration> tlsConfiguration(
    const Credential &credential, const QByteArray &authorities);

} // namespace instar
