// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/http/http.h"
#include "model/remote/credential.h"
#include "model/remote/masking.h"

#include <QNetworkAccessManager>
#include <QObject>
#include <QProcess>
#include <QUrl>

#include <functional>
#include <memory>

namespace instar {

/// HTTP client of one server under one identity, for requests without exact timing. Reports each
/// request as an Exchange with masked secrets, also those sent by other means and announced here.
class Connection : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        QUrl server; ///< scheme, host, port; its path prefixes every target
        Credential credential;
        QByteArray authorities; ///< PEM, trusted in addition to the system's
        int timeoutMs = 30'000; ///< limit for the whole answer
        int mostRedirects = 10;
        qint64 firstBackoffMs = 250; ///< before the second try, doubled each time; a Retry-After
                                     ///< replaces it; at most 30 s
        qint64 mostBytes = 64 * 1024 * 1024; ///< of an answer's body
        QStringList delayHeaders { QStringLiteral("Retry-After") };
        std::shared_ptr<SignIn> signIn; ///< of another connection to the server; null: its own
    };
    struct RemoteRequest
    {
        HttpRequest request;
        QUrl url {}; ///< empty: the request's target on the server
        Exchange::Purpose purpose = Exchange::Purpose::Other;
        QString client {}, operation {};
        bool mayRepeat =
            false; ///< after a broken connection, 429, 502, 503 or 504; only GET and HEAD
    };
    struct Answer
    {
        std::optional<HttpResponse> response {};
        QString problem {};      ///< why there is no response: one sentence
        AnswerInterval when {};  ///< of the last exchange
        QUrl url {};             ///< requested last, after redirects
        bool isAnswered = false; ///< something answered: the server is reachable
        bool isRefused = false;  ///< there is no token, and retrying does not help
    };
    using Handler = std::function<void(const Answer &)>;

    /// Returns an error if the server's URL or the credential is invalid.
    static Result<std::unique_ptr<Connection>> make(const Options &options);
    ~Connection() override;

    const Options &options() const { return m_options; }
    const QSslConfiguration &tls() const { return m_tls; }
    const std::shared_ptr<SignIn> &signIn() const { return m_signIn; }
    QUrl url(const QByteArray &target) const;
    bool isOwn(
        const QUrl &url) const; ///< has the server's scheme, host and port: may get the credential

    /// Sends the request and calls the handler once, asynchronously; never after abandon(). Follows
    /// redirects of GET and HEAD, to other origins without the credential. A token command runs
    /// first, and once more after a 401.
    void send(const RemoteRequest &remoteRequest, Handler handler);
    /// Aborts everything under way without calling any handler.
    void abandon();

    /// Calls the handler at once if there is a credential; else when the token command, which all
    /// handlers share, has ended with a token or a problem. Never after abandon().
    void whenSignedIn(std::function<void(const SignIn &)> handler);
    /// Discards the token of a request answered 401. Returns true if a command can print a new one.
    bool renews(const HttpRequest &sent);

    /// The URL or the server's text with its secrets masked.
    QString shown(const QUrl &url) const { return shown(maskedUrl(url)); }
    QString shown(const QString &text) const { return withoutSecrets(text, m_signIn->secrets()); }

    /// Completes a request that is sent by other means with host and credential.
    HttpRequest prepared(HttpRequest request, const QUrl &url) const;
    /// Announces a request sent by other means. Returns the exchange's number.
    quint64 begin(const RemoteRequest &remoteRequest, const HttpRequest &prepared, qint64 sent);
    quint64 lastNumber() const { return m_last; }
    /// Announces the end of an exchange after begin(). Times in ms, -1: unknown.
    AnswerInterval end(quint64 number, const std::optional<HttpResponse> &response,
        const QString &problem, double wait, double duration);

signals:
    void began(const instar::Exchange &exchange);
    void ended(const instar::Exchange &exchange);

private:
    struct Job;
    Connection(const Options &options, const SignIn &signIn, const QSslConfiguration &tls);
    void start(const std::shared_ptr<Job> &job);
    void runTokenCommand();
    void takeToken();
    void sendNow(const std::shared_ptr<Job> &job);
    void takeReply(const std::shared_ptr<Job> &job);
    bool followsRedirect(const std::shared_ptr<Job> &job, const Answer &redirect);
    bool retries(const std::shared_ptr<Job> &job, const Answer &answer);
    bool signsInAgain(const std::shared_ptr<Job> &job, const Answer &answer);

    Options m_options;
    std::shared_ptr<SignIn> m_signIn;
    std::unique_ptr<QProcess> m_command;                  ///< prints a token; null: not running
    QList<std::function<void(const SignIn &)>> m_waiting; ///< for a token
    quint64 m_generation = 0; ///< changed by abandon(), to skip handlers taken out of m_waiting
    QSslConfiguration m_tls;
    QNetworkAccessManager m_network;
    QHash<quint64, Exchange> m_open;
    QList<std::shared_ptr<Job>> m_jobs;
    quint64 m_last = 0;
};

} // namespace instar
