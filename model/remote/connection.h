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
/// request as an Exchange with masked secrets, also one that another client announces by begin().
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
        qint64 firstBackoffMs = 250;         ///< before the second try, then doubled; at most 30 s
        qint64 mostBytes = 64 * 1024 * 1024; ///< of an answer's body
        QStringList delayHeaders { QStringLiteral("Retry-After") };
        std::shared_ptr<SignIn> signIn; ///< shared with another connection; null: not shared
    };
    struct RemoteRequest
    {
        HttpRequest request;
        QUrl url {}; ///< empty: the request's target on the server
        Exchange::Purpose purpose = Exchange::Purpose::Other;
        QString client {}, operation {};
        /// Repeats a GET or HEAD after a broken connection, 429, 502, 503 or 504.
        bool mayRepeat = false;
    };
    struct Answer
    {
        std::optional<HttpResponse> response {};
        QString problem {};      ///< why there is no response: one sentence
        AnswerInterval when {};  ///< of the last exchange
        QUrl url {};             ///< requested last, after redirects
        bool isAnswered = false; ///< false: the sent request got no answer; true if unsent
        bool isRefused = false;  ///< the credential's command printed no token; a retry is useless
    };
    using Handler = std::function<void(const Answer &)>;

    static Result<std::unique_ptr<Connection>> make(const Options &options);
    ~Connection() override;

    const Options &options() const { return m_options; }
    const QSslConfiguration &tls() const { return m_tls; }
    const std::shared_ptr<SignIn> &signIn() const { return m_signIn; }
    QUrl url(const QByteArray &target) const; ///< absolute, at the server
    /// True for the server's scheme, host and port: only those may get the credential.
    bool isOwn(const QUrl &url) const;

    /// Sends the request and calls the handler once, asynchronously; never after abandon(). Follows
    /// redirects of GET and HEAD, elsewhere without the credential. After 401, renews a token once.
    void send(const RemoteRequest &remoteRequest, Handler handler);
    /// Aborts everything under way without calling any handler.
    void abandon();

    /// Calls the handler at once if the credential is ready, else after its command has printed a
    /// token or failed. The command runs once for all waiting handlers. No call after abandon().
    void whenSignedIn(std::function<void(const SignIn &)> handler);
    /// Discards the token of a request answered 401. False: no command can print a new one.
    bool renews(const HttpRequest &sent);

    /// The URL or the server's text with its secrets masked.
    QString shown(const QUrl &url) const { return shown(maskedUrl(url)); }
    QString shown(const QString &text) const { return withoutSecrets(text, m_signIn->secrets()); }

    /// The request with the headers that it needs for the URL, such as the credential.
    HttpRequest prepared(HttpRequest request, const QUrl &url) const;
    /// Announces a request that was sent at `sent` (µs since 1970). Returns the exchange's number.
    quint64 begin(const RemoteRequest &remoteRequest, const HttpRequest &prepared, qint64 sent);
    quint64 lastNumber() const { return m_last; } ///< of the newest exchange
    /// Announces the end of an exchange after begin(). Times in ms; a `wait` of -1: unknown.
    AnswerInterval end(quint64 number, const std::optional<HttpResponse> &response,
        const QString &problem, double wait, double duration);

signals:
    void began(const instar::Exchange &exchange); ///< a request was sent, or announced
    void ended(const instar::Exchange &exchange); ///< a request was answered, or failed

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
    void conclude(const std::shared_ptr<Job> &job, const Answer &answer);
    void concludeUnsent(
        const std::shared_ptr<Job> &job, const QString &problem, bool isRefused = false);
    bool signsInAgain(const std::shared_ptr<Job> &job, const Answer &answer);

    Options m_options;
    std::shared_ptr<SignIn> m_signIn;
    std::unique_ptr<QProcess> m_command;                  ///< prints a token; null: not running
    QList<std::function<void(const SignIn &)>> m_waiting; ///< for a token
    quint64 m_generation = 0; ///< changed by abandon(), to skip handlers taken out of m_waiting
    QSslConfiguration m_tls;
    QNetworkAccessManager m_network;
    QHash<quint64, Exchange> m_open; ///< unanswered exchanges, by number
    QList<std::shared_ptr<Job>> m_jobs;
    quint64 m_last = 0;
};

} // namespace instar
