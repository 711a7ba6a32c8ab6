// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace instar {

/// With what a client shows who it is.
enum class CredentialsKind {
    None,
    Bearer,
    Basic,
    ClientCertificate,
    ApiKey,
    TokenCommand, ///< that prints a bearer token
};

/// Which server is driven, and how.
struct ConnectChoice
{
    QString url;
    QString pack; ///< id of the system that the server speaks
    CredentialsKind credentials = CredentialsKind::None;
    QString user;   ///< Basic: the name; ApiKey: of the header; TokenCommand: that
    QString secret; ///< the token, password or key, or the pass phrase of the certificate's key,
                    ///< where it has one
    QString certificate, key; ///< ClientCertificate: PEM files
    bool readOnly = true;     ///< nothing is changed until that is switched off
    bool operator==(const ConnectChoice &) const = default;
};

/// The same without its secret: what may be remembered.
ConnectChoice withoutSecret(ConnectChoice choice);
/// Choices with a newer one in front, without secrets; an older one of the same URL and system
/// goes, and so do those beyond `most`.
QList<ConnectChoice> remembered(
    const QList<ConnectChoice> &choices, const ConnectChoice &newest, int most = 10);

/// What is meant by an address without a scheme, such as "host:8080/base": http on this computer,
/// https elsewhere. Others, and an empty one, stay as they are.
QString completedUrl(const QString &address);
/// Why a text is not the URL of a server, as a sentence; empty: it is one.
QString serverUrlProblem(const QString &url);
/// Whether a host's name or address can only be this computer.
bool isLoopback(const QString &host);

} // namespace instar
