// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/remote/credential.h"
#include "model/remote/http.h"
#include "model/remote/masking.h"
#include "model/remote/signin.h"

#include <QNetworkAccessManager>
#include <QObject>
#include <QProcess>
#include <QUrl>

#include <functional>
#include <memory>

namespace instar {

/// Asks one server, as one client: requests that need not leave at a certain moment. Every request
/// is an Exchange, its secrets masked; so is one that leaves by other ways and is announced here.
class Connection : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        QUrl server; ///< scheme, host, port; a path is put before every target
        Credential credential;
        QByteArray authorities; ///< PEM, trusted beside the system's
        int timeoutMs = 30'000; ///< until the whole answer is there
        int mostRedirects = 10;
        int mostTries = 3; ///< of a safe request that may be repeated
        qint64 firstBackoffMs =
            250; ///< between two of them, doubled each time; a Retry-After up to 30 s counts more
        qint64 mostBytes = 64 * 1024 * 1024; ///< of an answer's body
        QStringList delayHeaders { QStringLiteral("Retry-After") };
        std::shared_ptr<SharedSignIn> shared; ///< null: it runs a command for tokens of its own
    };
    struct RemoteRequest
    {
        HttpRequest request;
        QUrl url; ///< empty: the request's target on the server
        Exchange::Purpose purpose = Exchange::Purpose::Other;
        QString client, operation;
        bool mayRepeat =
            false; ///< after a broken connection, 429, 502, 503 or 504; only GET and HEAD are
    };
    struct Answer
    {
        std::optional<HttpResponse> response;
        QString problem;         ///< why there is no response: one sentence
        AnswerInterval when;     ///< of the last exchange
        QUrl url;                ///< asked last, after redirects
        bool isAnswered = false; ///< something was answered, of use or not: the server is there
        bool isRefused = false;  ///< there is no token to show, and asking again is of no use
    };
    using Handler = std::function<void(const Answer &)>;

    /// An error says what is wrong with the server's URL or the credential.
    static Result<std::unique_ptr<Connection>> make(const Options &options);
    ~Connection() override;

    const Options &options() const { return m_options; }
    const QSslConfiguration &tls() const { return m_tls; }
    QUrl url(const QByteArray &target) const;
    bool isOwn(
        const QUrl &url) const; ///< of the same scheme, host and port: may get the credential

    /// Sends, and calls the handler once, later; not after abandon(). Redirects of GET and HEAD are
    /// followed; elsewhere than on the server itself without the credential. Where a command prints
    /// the token it is run first, and once more for a request that is answered 401.
    void send(const RemoteRequest &remoteRequest, Handler handler);
    /// Ends everything that is under way; nobody is told.
    void abandon();

    /// Calls at once where requests can show who asks; else as soon as there is a token, for which
    /// all wait together, or none: then with the reason. Never after abandon().
    void whenSignedIn(std::function<void(const SignIn &)> handler);
    /// Whether a request that was answered 401 showed a token that can be replaced. It is not shown
    /// again.
    bool renews(const HttpRequest &sent);

    /// What may be seen of a URL, and of what a server says.
    QString shown(const QUrl &url) const;
    QString shown(const QString &text) const { return withoutSecrets(text, m_signIn->secrets()); }

    /// A request as it leaves by other ways: with host, credential and cookies.
    HttpRequest prepared(HttpRequest request, const QUrl &url) const;
    /// Announces such a request. Returns the exchange's number.
    quint64 begin(const RemoteRequest &remoteRequest, const HttpRequest &prepared);
    quint64 lastNumber() const { return m_last; }
    /// Announces its end. Times in ms, -1: not known.
    AnswerInterval end(quint64 number, const std::optional<HttpResponse> &response,
        const QString &problem, double wait, double duration);

signals:
    void began(const instar::Exchange &exchange);
    void ended(const instar::Exchange &exchange);

private:
    struct Job;
    Connection(const Options &options, CredentialHeader credential, const QSslConfiguration &tls);
    HttpRequest complete(HttpRequest request, const QUrl &url, const CredentialHeader &shows) const;
    QUrl address(const QUrl &url) const;
    void start(const std::shared_ptr<Job> &job);
    void runTokenCommand();
    void takeToken();
    void go(const std::shared_ptr<Job> &job);
    void take(const std::shared_ptr<Job> &job);
    bool followsRedirect(const std::shared_ptr<Job> &job, const Answer &redirect);
    bool repeats(const std::shared_ptr<Job> &job, const Answer &answer);
    bool signsInAgain(const std::shared_ptr<Job> &job, const Answer &answer);

    Options m_options;
    std::shared_ptr<SignIn> m_signIn;
    std::unique_ptr<QProcess> m_command;                  ///< that prints a token; null: none runs
    QList<std::function<void(const SignIn &)>> m_waiting; ///< for a token
    quint64 m_turn = 0;                                   ///< of waiting; another after abandon()
    QSslConfiguration m_tls;
    QNetworkAccessManager m_network;
    QHash<quint64, Exchange> m_open;
    QList<std::shared_ptr<Job>> m_jobs;
    quint64 m_last = 0;
};

} // namespace instar
