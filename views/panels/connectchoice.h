// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace instar {

/// With what a client shows who it is.
enum class CredentialsKind { None, Bearer, Basic, ClientCertificate };

/// Which server is driven, and how. Token, password and pass phrase are secrets.
struct ConnectChoice
{
    QString url;
    QString pack; ///< id of the system that the server speaks
    CredentialsKind credentials = CredentialsKind::None;
    QString token;                ///< Bearer; a secret
    QString user, password;       ///< Basic; the password is a secret
    QString certificate, key;     ///< ClientCertificate: PEM files
    QString passPhrase;           ///< of the key; a secret; empty: it has none
    bool keepsInKeychain = false; ///< the secrets
    bool readOnly = true;         ///< nothing is changed until that is switched off
    bool operator==(const ConnectChoice &) const = default;
};

/// The same without its secrets: what may be remembered.
ConnectChoice withoutSecrets(ConnectChoice choice);
/// Choices with a newer one in front, without secrets; an older one of the same URL and system
/// goes, and so do those beyond `most`.
QList<ConnectChoice> remembered(
    const QList<ConnectChoice> &choices, const ConnectChoice &newest, int most = 10);

/// Why a text is not the URL of a server, as a sentence; empty: it is one.
QString serverUrlProblem(const QString &url);
/// Whether a host's name or address can only be this computer.
bool isLoopback(const QString &host);

} // namespace instar
