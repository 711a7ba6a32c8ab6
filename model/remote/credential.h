// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/http/http.h"
#include "model/result.h"

#include <QByteArrayList>
#include <QSslConfiguration>

namespace instar {

/// Identity that is shown to a server. Never written to files or logs.
struct Credential
{
    using Kind = CredentialKind;
    Kind kind = Kind::None;
    QString user;   ///< Basic: the name; ApiKey: the header's name; Command: the shell command
    QString secret; ///< Bearer: the token; Basic: the password; ApiKey: the key
    bool operator==(const Credential &) const = default;
};

/// TLS configuration that trusts `authorities` (PEM), too.
Result<QSslConfiguration> tlsConfiguration(const QByteArray &authorities);

/// Authentication of requests: a header, or a token that a command prints.
class SignIn
{
public:
    /// Returns an error if the credential is incomplete or cannot stand in a header.
    static Result<SignIn> make(const Credential &credential);

    /// Header that authenticates a request. Empty value: not needed, or a command must run first.
    const HttpHeader &header() const { return m_header; }

    /// The command that prints a token; empty if there is none.
    QString command() const;
    /// Returns true if a request can be sent without running a command.
    bool isReady() const { return command().isEmpty() || !m_header.value.isEmpty(); }
    /// Takes the command's output: the token, with blanks around it.
    void take(const QByteArray &printed);
    /// Stores the reason why the command gave no token.
    void takeProblem(const QString &problem);
    /// Why there is no token, as a sentence; empty if no problem is known.
    const QString &problem() const { return m_problem; }
    /// Discards a token that the server rejected. Returns false if it cannot be replaced.
    bool forget(const QByteArray &rejected);

    /// Returns the texts to be masked everywhere.
    QByteArrayList secrets() const;

private:
    SignIn(const Credential &credential, HttpHeader header)
        : m_credential(credential), m_header(std::move(header))
    { }

    Credential m_credential;
    HttpHeader m_header;
    QByteArrayList m_tokens; ///< the most recent ones
    QString m_problem;
};

} // namespace instar
