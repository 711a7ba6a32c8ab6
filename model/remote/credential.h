// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QSslConfiguration>
#include <QString>
#include <QUrl>

namespace instar {

/// Who asks a server. Never written to files or logs; see Keychain.
struct Credential
{
    /// The last two show a token that somebody else gives for the secret: see SignIn.
    enum class Kind {
        None,
        Bearer,
        Basic,
        Certificate,
        ApiKey,
        QueryKey,
        ClientCredentials, ///< OAuth 2.0 (RFC 6749, 4.4)
        Keystone,          ///< a password, Identity API v3
    };
    Kind kind = Kind::None;
    QString user;   ///< Basic, Keystone: the name; ApiKey: the header that the key stands in;
                    ///< QueryKey: the parameter; ClientCredentials: the client's id
    QString secret; ///< Bearer: the token; Basic, Keystone: the password; Certificate: the key's
                    ///< passphrase, if it has one; ApiKey, QueryKey: the key; ClientCredentials:
                    ///< the client's secret
    QByteArray certificate, key; ///< Certificate: PEM, both may be in `certificate`
    QUrl issuer;                 ///< ClientCredentials: the token URL; Keystone: its URL
    QString scope; ///< ClientCredentials: what is asked for; empty: what the server gives
    QString userDomain, project, projectDomain; ///< Keystone: names; no project: no scope
    bool operator==(const Credential &) const = default;
};

/// The header that says who asks; an empty one: none is needed, or a token has to be had first.
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
