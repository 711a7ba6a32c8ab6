// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/http/http.h"
#include "model/result.h"

#include <QByteArrayList>
#include <QSslConfiguration>

namespace instar {

/// Identity that a client presents to a server. Never written to files or logs.
struct Credential
{
    using Kind = CredentialKind;
    Kind kind = Kind::None;
    QString parameter; ///< Basic: the user's name; ApiKey: the header's name; Command: the command
    QString secret;    ///< Bearer: the token; Basic: the password; ApiKey: the key
    bool operator==(const Credential &) const = default;
};

/// TLS configuration that trusts `authorities` (PEM) in addition to the system's.
Result<QSslConfiguration> tlsConfiguration(const QByteArray &authorities);

/// Authentication of requests: a header, or a token that a command prints.
class SignIn
{
public:
    /// An error says why the credential is incomplete or cannot stand in a header.
    static Result<SignIn> make(const Credential &credential);

    /// Header that authenticates a request; its value is empty if none is needed or known.
    const HttpHeader &header() const { return m_header; }

    QString command() const; ///< command that prints a token; empty: no command
    /// True if a request can be sent without running the command.
    bool isReady() const { return command().isEmpty() || !m_header.value.isEmpty(); }
    /// Stores the token from the command's output, without the blanks around it.
    void take(const QByteArray &printed);
    void takeProblem(const QString &problem);
    /// Why there is no token, as a sentence; empty if no problem is known.
    const QString &problem() const { return m_problem; }
    /// Discards the token if the rejected header value carried it. Returns false if no command can
    /// print a new token.
    bool forget(const QByteArray &rejected);
    QByteArrayList secrets() const; ///< texts to be masked everywhere

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
