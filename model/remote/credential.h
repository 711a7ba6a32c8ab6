// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QSslConfiguration>
#include <QString>

namespace instar {

/// Identity that is shown to a server. Never written to files or logs.
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
    QString user;   ///< Basic: the name; ApiKey: the header's name; QueryKey: the parameter's name;
                    ///< Command: the shell command
    QString secret; ///< Bearer: the token; Basic: the password; Certificate: the key's passphrase,
                    ///< if any; ApiKey, QueryKey: the key
    QByteArray certificate, key; ///< Certificate: PEM, both may be in `certificate`
    bool operator==(const Credential &) const = default;
};

/// Header that authenticates a request. Empty value: none is needed, or a command must run first.
struct CredentialHeader
{
    QByteArray name, value;
    bool operator==(const CredentialHeader &) const = default;
};
/// Returns an error if the credential is incomplete or cannot stand in a header.
Result<CredentialHeader> credentialHeader(const Credential &credential);

/// TLS configuration with the credential's certificate, trusting `authorities` (PEM) in addition to
/// the system's.
Result<QSslConfiguration> tlsConfiguration(
    const Credential &credential, const QByteArray &authorities);

} // namespace instar
