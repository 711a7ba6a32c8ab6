// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/credential.h"

#include <QByteArrayList>
#include <QUrl>

#include <memory>

namespace instar {

/// What requests show of who asks: a header, a key in the query, or a token that a command prints.
class SignIn
{
public:
    /// The header is that of the credential.
    SignIn(Credential credential, CredentialHeader header);

    const CredentialHeader &header() const { return m_header; }
    /// An address of the server itself as it is asked: with the key in its query, or with what is
    /// seen in its place.
    QUrl address(const QUrl &url) const { return withKey(url, m_credential.secret.trimmed()); }
    QUrl shown(const QUrl &url) const;
    /// One of somebody else: a key that the server put there is left out.
    QUrl withoutKey(const QUrl &url) const { return withKey(url, {}); }

    /// The command that prints a token; empty: there is none.
    QString command() const;
    /// No command has to be run before a request can leave.
    bool isReady() const { return command().isEmpty() || !m_header.value.isEmpty(); }
    /// What the command has printed; the token is that without blanks around it.
    void take(const QByteArray &printed);
    /// There is no token, for that reason.
    void takeProblem(const QString &problem);
    /// Why there is no token, as a sentence; empty: nothing is known to be in the way.
    const QString &problem() const { return m_problem; }
    /// A server does not take what a request showed; false: it cannot be replaced.
    bool forget(const QByteArray &shown);

    /// What must be seen nowhere.
    QByteArrayList secrets() const;

private:
    QUrl withKey(const QUrl &url, const QString &key) const;

    Credential m_credential;
    CredentialHeader m_header;
    QByteArrayList m_tokens; ///< the last ones
    QString m_problem;
};

/// Connections to one server that have the same one run a command once.
struct SharedSignIn
{
    std::shared_ptr<SignIn> signIn; ///< null: no connection was made yet
};

} // namespace instar
