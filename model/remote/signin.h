// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/credential.h"
#include "model/remote/http.h"

#include <QByteArrayList>

#include <memory>
#include <optional>

namespace instar {

/// A token that somebody gave.
struct Token
{
    QByteArray value;
    std::optional<qint64> lifetime; ///< ms; nothing: nobody said
    bool operator==(const Token &) const = default;
};
/// The token that the answer to a SignIn's question gives; an error says in a few words what it is
/// instead.
Result<Token> tokenIn(Credential::Kind kind, const HttpResponse &answer);

/// What requests show of who asks. For OAuth 2.0 client credentials and for Keystone that is a
/// token that has to be asked for, and again when it ends; what is asked, and what the answer
/// means, is said here. Time is ms from any moment.
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

    bool needsToken() const;
    /// Nothing has to be asked for before a request can leave.
    bool isReady(qint64 now) const;
    QUrl url() const; ///< whom to ask
    HttpRequest question() const { return questionWith(m_credential.secret); }
    HttpRequest maskedQuestion() const;
    enum class Next { Go, AskAgain, GiveUp };
    /// Takes the answer to the question that was asked at that time.
    Next take(const HttpResponse &answer, qint64 asked);
    /// There is none, for that reason.
    void takeProblem(const QString &problem);
    /// Why there is no token, as a sentence; empty: nothing is known to be in the way.
    const QString &problem() const { return m_problem; }
    /// Asking the same again would be answered the same.
    bool isRefused() const { return m_isRefused; }
    /// A server does not take this token any more.
    void forget(const QByteArray &token);

    /// What must be seen nowhere.
    QByteArrayList secrets() const;

private:
    HttpRequest questionWith(const QString &secret) const;
    QUrl withKey(const QUrl &url, const QString &key) const;
    bool mayStandInBody(const HttpResponse &answer) const;

    Credential m_credential;
    CredentialHeader m_header;
    std::optional<qint64> m_until; ///< when the token is to be asked for anew; nothing: not by time
    QByteArrayList m_tokens;       ///< the last ones
    bool m_isInBody = false;       ///< the client's secret; else it stands in a header
    QString m_problem, m_headerProblem;
    bool m_isRefused = false;
};

/// Connections to one server that have the same one ask for a token once.
struct SharedSignIn
{
    std::shared_ptr<SignIn> signIn; ///< null: no connection was made yet
};

} // namespace instar
