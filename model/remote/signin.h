// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/credential.h"

#include <QByteArrayList>
#include <QUrl>

#include <memory>

namespace instar {

/// Authentication of requests: a header, a key in the query, or a token that a command prints.
class SignIn
{
public:
    /// `header` is the credential's.
    SignIn(Credential credential, CredentialHeader header);

    const CredentialHeader &header() const { return m_header; }
    /// URL of the server itself, with the key in its query; shown() has a mask in its place.
    QUrl address(const QUrl &url) const { return withKey(url, m_credential.secret.trimmed()); }
    QUrl shown(const QUrl &url) const;
    /// URL of another server, without our key if the server put it there.
    QUrl withoutKey(const QUrl &url) const { return withKey(url, {}); }

    /// The command that prints a token; empty if there is none.
    QString command() const;
    /// Returns true if a request can be sent without running a command.
    bool isReady() const { return command().isEmpty() || !m_header.value.isEmpty(); }
    /// Takes the command's output; the token is that without surrounding blanks.
    void take(const QByteArray &printed);
    /// The command gave no token, for that reason.
    void takeProblem(const QString &problem);
    /// Why there is no token, as a sentence; empty if no problem is known.
    const QString &problem() const { return m_problem; }
    /// Discards a token that the server rejected. Returns false if it cannot be replaced.
    bool forget(const QByteArray &shown);

    /// Texts to be masked everywhere.
    QByteArrayList secrets() const;

private:
    QUrl withKey(const QUrl &url, const QString &key) const;

    Credential m_credential;
    CredentialHeader m_header;
    QByteArrayList m_tokens; ///< the most recent ones
    QString m_problem;
};

/// Sign-in shared by the connections to one server, so that its command runs once.
struct SharedSignIn
{
    std::shared_ptr<SignIn> signIn; ///< null: no connection was made yet
};

} // namespace instar
