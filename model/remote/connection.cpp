// SPDX-License-Identifier: Apache-2.0
#include "model/remote/connection.h"

#include <QElapsedTimer>
#include <QNetworkReply>
#include <QTimer>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

struct Connection::Job
{
    explicit Job(QObject *owner) : timer(new QTimer(owner)) { timer->setSingleShot(true); }
    ~Job() { timer->deleteLater(); } // its own timeout may destroy the job
    Q_DISABLE_COPY_MOVE(Job)

    RemoteRequest remoteRequest;
    Handler handler;
    HttpRequest prepared;
    QNetworkReply *reply = nullptr;
    QTimer *timer;
    QElapsedTimer clock;
    double wait = -1;   ///< ms until the answer's headers arrived; -1: not yet
    QByteArray body;    ///< the part that has arrived
    QString problem;    ///< why the reply was aborted
    quint64 number = 0; ///< of the exchange
    int tries = 1, redirects = 0;
    bool isRenewed = false; ///< its token was renewed after a 401
};

namespace {

constexpr int MostTries = 3;              ///< of a GET or HEAD with `mayRepeat`
constexpr qint64 MostRetryDelay = 30'000; ///< ms between two tries of a request
constexpr qint64 MostUnread = 256 * 1024; ///< bytes that Qt may hold of an answer
constexpr qint64 MostPrinted = 64 * 1024; ///< bytes that a command for a token may print

int portOf(const QUrl &url)
{
    return url.port(url.scheme() == u"https" ? 443 : 80);
}

double ms(const QElapsedTimer &clock)
{
    return double(clock.nsecsElapsed()) / 1e6;
}

/// True for an answer without an error, except the one that Qt adds to its status.
bool isCompleteAnswer(QNetworkReply::NetworkError error, int status)
{
    const bool isOfStatus = error == QNetworkReply::ProxyAuthenticationRequiredError
        || error == QNetworkReply::ProtocolInvalidOperationError
        || (error >= QNetworkReply::ContentAccessDenied
            && error <= QNetworkReply::UnknownContentError)
        || error >= QNetworkReply::InternalServerError;
    return error == QNetworkReply::NoError || (status >= 400 && isOfStatus);
}

} // namespace

Result<std::unique_ptr<Connection>> Connection::make(const Options &options)
{
    const QUrl &server = options.server;
    if (!isWebAddress(server))
        return Error { tr("\"%1\" is not the URL of a server; use a URL such as https://host:port.")
                           .arg(maskedUrl(server)) };
    const Result<SignIn> signIn = SignIn::make(options.credential);
    if (!signIn)
        return Error { signIn.error() };
    Result<QSslConfiguration> tls = tlsConfiguration(options.authorities);
    if (!tls)
        return Error { tls.error() };
    return std::unique_ptr<Connection>(new Connection(options, *signIn, *tls));
}

Connection::Connection(const Options &options, const SignIn &signIn, const QSslConfiguration &tls)
    : m_options(options),
      m_signIn(options.signIn ? options.signIn : std::make_shared<SignIn>(signIn)),
      m_tls(tls)
{
    m_network.setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
}

Connection::~Connection()
{
    abandon();
}

QUrl Connection::url(const QByteArray &target) const
{
    QString prefix = m_options.server.path();
    while (prefix.endsWith(u'/'))
        prefix.chop(1);
    const QString origin = m_options.server.toString(QUrl::RemoveUserInfo | QUrl::RemovePath
        | QUrl::RemoveQuery | QUrl::RemoveFragment | QUrl::FullyEncoded);
    return QUrl(origin + prefix + QString::fromUtf8(target));
}

bool Connection::isOwn(const QUrl &url) const
{
    const QUrl &own = m_options.server;
    return url.scheme() == own.scheme() && url.host().compare(own.host(), Qt::CaseInsensitive) == 0
        && portOf(url) == portOf(own);
}

HttpRequest Connection::prepared(HttpRequest request, const QUrl &url) const
{
    const auto add = [&](const QByteArray &name, const QByteArray &value) {
        if (!value.isEmpty() && !hasHeader(request.headers, name))
            request.headers.append(name, value);
    };
    QByteArray host = url.host(QUrl::FullyEncoded).toUtf8();
    if (host.contains(':'))
        host = '[' + host + ']';
    if (url.port() >= 0)
        host += ':' + QByteArray::number(url.port());
    request.target = url.path(QUrl::FullyEncoded).toUtf8();
    if (request.target.isEmpty())
        request.target = "/";
    if (url.hasQuery())
        request.target += '?' + url.query(QUrl::FullyEncoded).toUtf8();
    if (!hasHeader(request.headers, "Host")) {
        const HttpHeaders own = std::exchange(request.headers, { { "Host", host } });
        for (const HttpHeader &header : own)
            request.headers.append(header.name, header.value);
    }
    add("User-Agent", "instar");
    add("Accept", "application/json");
    if (isOwn(url))
        add(m_signIn->header().name, m_signIn->header().value);
    return request;
}

quint64 Connection::begin(
    const RemoteRequest &remoteRequest, const HttpRequest &prepared, qint64 sent)
{
    Exchange exchange { .number = ++m_last, .purpose = remoteRequest.purpose };
    exchange.setSent(sent);
    exchange.client = remoteRequest.client;
    exchange.operation = remoteRequest.operation;
    exchange.method = QString::fromLatin1(prepared.method);
    const QByteArrayList secrets = m_signIn->secrets();
    exchange.url =
        shown(remoteRequest.url.isEmpty() ? url(remoteRequest.request.target) : remoteRequest.url);
    exchange.requestHeaders = maskedHeaders(prepared.headers, m_signIn->header().name);
    exchange.requestBody = withoutSecrets(maskedBody(prepared.body), secrets);
    m_open.insert(exchange.number, exchange);
    emit began(exchange);
    return exchange.number;
}

AnswerInterval Connection::end(quint64 number, const std::optional<HttpResponse> &response,
    const QString &problem, double wait, double duration)
{
    Exchange exchange = m_open.take(number);
    if (!exchange.number)
        return {};
    exchange.wait = wait;
    exchange.duration = std::max(duration, 0.0);
    exchange.problem = shown(problem);
    if (response) {
        const QByteArrayList secrets = m_signIn->secrets();
        setResponse(exchange, *response, m_options.delayHeaders, m_signIn->header().name);
        exchange.reason = shown(exchange.reason);
        for (Exchange::Header &one : exchange.responseHeaders)
            one.value = withoutSecrets(one.value, secrets);
        exchange.responseBody = withoutSecrets(exchange.responseBody, secrets);
    }
    emit ended(exchange);
    return exchange.interval();
}

void Connection::send(const RemoteRequest &remoteRequest, Handler handler)
{
    auto job = std::make_shared<Job>(this);
    job->remoteRequest = remoteRequest;
    job->handler = std::move(handler);
    if (job->remoteRequest.url.isEmpty())
        job->remoteRequest.url = url(remoteRequest.request.target);
    m_jobs.append(job);
    if (isWebAddress(job->remoteRequest.url))
        return start(job);
    QMetaObject::invokeMethod( // QNetworkAccessManager would also read "file:" URLs
        this,
        [this, job] {
            const QString url = shown(job->remoteRequest.url).left(200);
            concludeUnsent(job, tr("\"%1\" is not an HTTP or HTTPS URL.").arg(url));
        },
        Qt::QueuedConnection);
}

/// Sends the job at once, or when there is a token.
void Connection::start(const std::shared_ptr<Job> &job)
{
    job->timer->disconnect(this); // a connected lambda would keep the job alive
    if (!isOwn(job->remoteRequest.url))
        return sendNow(job);
    whenSignedIn([this, job](const SignIn &signIn) {
        if (!signIn.problem().isEmpty())
            concludeUnsent(job, signIn.problem(), true);
        else if (m_jobs.contains(job))
            sendNow(job);
    });
}

/// Ends a job, unless it was abandoned.
void Connection::conclude(const std::shared_ptr<Job> &job, const Answer &answer)
{
    if (m_jobs.removeOne(job))
        job->handler(answer);
}

void Connection::concludeUnsent(
    const std::shared_ptr<Job> &job, const QString &problem, bool isRefused)
{
    conclude(job,
        { .problem = problem,
            .when = { m_last, {}, 0 },
            .url = job->remoteRequest.url,
            .isAnswered = true,
            .isRefused = isRefused });
}

void Connection::sendNow(const std::shared_ptr<Job> &job)
{
    const QUrl &where = job->remoteRequest.url;
    job->prepared = prepared(job->remoteRequest.request, job->remoteRequest.url);
    job->problem.clear();
    job->body.clear();
    job->wait = -1;
    QNetworkRequest request(where);
    for (const HttpHeader &one : std::as_const(job->prepared.headers))
        request.setRawHeader(one.name, one.value);
    request.setSslConfiguration(m_tls);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(
        QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);

    job->clock.start(); // before the time of sending is read: no interval may be too short
    job->number = begin(job->remoteRequest, job->prepared, microsecondsNow());
    const QByteArray &method = job->prepared.method;
    job->reply = method == "GET" ? m_network.get(request)
        : method == "HEAD"       ? m_network.head(request)
                                 : m_network.sendCustomRequest(request, method, job->prepared.body);
    const qint64 limit = m_options.mostBytes;
    const auto giveUp = [limit, job] {
        job->body.clear();
        job->problem = tr("The answer is larger than %1 MiB.").arg(limit / 1024 / 1024);
        job->reply->abort();
    };
    job->reply->setReadBufferSize(MostUnread);
    connect(job->reply, &QNetworkReply::metaDataChanged, this, [limit, giveUp, job] {
        if (job->wait < 0)
            job->wait = ms(job->clock);
        // The declared length is enough to give up.
        if (job->problem.isEmpty() && job->prepared.method != "HEAD"
            && job->reply->header(QNetworkRequest::ContentLengthHeader).toLongLong() > limit)
            giveUp();
    });
    connect(job->reply, &QNetworkReply::readyRead, this, [limit, giveUp, job] {
        if (!job->problem.isEmpty())
            return;
        job->body += job->reply->readAll();
        if (job->body.size() > limit)
            giveUp();
    });
    connect(job->reply, &QNetworkReply::finished, this, [this, job] { takeReply(job); });
    job->timer->disconnect(this);
    connect(job->timer, &QTimer::timeout, this, [this, job] {
        job->problem = tr("No answer from %1 within %2 s.")
                           .arg(job->remoteRequest.url.authority(QUrl::FullyEncoded),
                               QString::number(m_options.timeoutMs / 1000.0));
        job->reply->abort();
    });
    job->timer->start(m_options.timeoutMs);
}

void Connection::takeReply(const std::shared_ptr<Job> &job)
{
    QNetworkReply *reply = std::exchange(job->reply, nullptr);
    reply->deleteLater();
    job->timer->stop();
    job->timer->disconnect(this);
    Answer answer { .problem = job->problem, .url = job->remoteRequest.url };
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (answer.problem.isEmpty() && (status == 0 || !isCompleteAnswer(reply->error(), status)))
        answer.problem =
            tr("%1 does not answer: %2.")
                .arg(job->remoteRequest.url.authority(QUrl::FullyEncoded), reply->errorString());
    if (answer.problem.isEmpty()) {
        HttpResponse response;
        response.status = status;
        response.reason = withoutSecrets(
            reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toByteArray(),
            m_signIn->secrets());
        for (const QNetworkReply::RawHeaderPair &pair : reply->rawHeaderPairs()) {
            for (const QByteArray &value : pair.second.split('\n')) // Qt joins cookies like that
                response.headers.append(pair.first, value);
        }
        response.body = std::exchange(job->body, {}) + reply->readAll();
        answer.response = std::move(response);
        answer.isAnswered = true;
    }
    answer.when = end(job->number, answer.response, answer.problem, job->wait, ms(job->clock));
    if (answer.response && followsRedirect(job, answer))
        return;
    if (!signsInAgain(job, answer) && !retries(job, answer))
        conclude(job, answer);
}

bool Connection::followsRedirect(const std::shared_ptr<Job> &job, const Answer &redirect)
{
    const HttpResponse &response = *redirect.response;
    static const QList<int> redirects { 301, 302, 303, 307, 308 };
    const QByteArray target = header(response.headers, "Location");
    const bool isRedirect = redirects.contains(response.status) && !target.isEmpty();
    if (!isRedirect || !isSafe(job->prepared.method) || !m_jobs.contains(job))
        return false;
    const QUrl from = job->remoteRequest.url;
    const std::optional<QUrl> url = redirected(from, target);
    if (++job->redirects > m_options.mostRedirects || !url) {
        Answer answer { .when = redirect.when, .url = from, .isAnswered = true };
        answer.problem = url
            ? tr("%1 redirects in a loop.").arg(shown(from))
            : tr("%1 redirects to %2. This program does not follow that redirect.")
                  .arg(shown(from), shown(from.resolved(QUrl(QString::fromUtf8(target)))));
        conclude(job, answer);
        return true;
    }
    job->remoteRequest.url = *url;
    start(job);
    return true;
}

bool Connection::retries(const std::shared_ptr<Job> &job, const Answer &answer)
{
    static const QList<int> temporary { 429, 502, 503, 504 };
    const bool mayHelp = !answer.response || temporary.contains(answer.response->status);
    const bool mayRepeat = job->remoteRequest.mayRepeat && isSafe(job->prepared.method);
    if (!mayHelp || !mayRepeat || job->tries >= MostTries || !m_jobs.contains(job))
        return false;
    qint64 delay = m_options.firstBackoffMs << std::min(job->tries - 1, 20);
    if (answer.response) {
        const auto demanded = retryAfter(
            answer.response->headers, m_options.delayHeaders, QDateTime::currentMSecsSinceEpoch());
        delay = demanded.value_or(delay);
    }
    ++job->tries;
    connect(job->timer, &QTimer::timeout, this, [this, job] { start(job); });
    job->timer->start(int(std::min(delay, MostRetryDelay)));
    return true;
}

void Connection::whenSignedIn(std::function<void(const SignIn &)> handler)
{
    if (m_signIn->isReady())
        return handler(*m_signIn);
    m_waiting.append(std::move(handler));
    if (!m_command)
        runTokenCommand();
}

void Connection::runTokenCommand()
{
    m_command = std::make_unique<QProcess>();
    QProcess *command = m_command.get();
    command->setStandardInputFile(QProcess::nullDevice());
    connect(command, &QProcess::readyReadStandardOutput, this, [command] {
        if (command->bytesAvailable() > MostPrinted)
            command->kill();
    });
    connect(command, &QProcess::finished, this, [this] { takeToken(); });
    connect(command, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            takeToken();
    });
    QTimer::singleShot(m_options.timeoutMs, command, [command] { command->kill(); });
    command->start(u"/bin/sh"_s, { u"-c"_s, m_signIn->command() });
}

void Connection::takeToken()
{
    QProcess *command = m_command.release();
    command->disconnect(this);
    command->deleteLater(); // the process is still emitting the signal of its end
    if (command->error() == QProcess::FailedToStart) {
        m_signIn->takeProblem(command->errorString());
    } else if (command->exitStatus() != QProcess::NormalExit) {
        m_signIn->takeProblem(tr("the command was stopped, because it took too long or printed too "
                                 "much"));
    } else if (command->exitCode() != 0) {
        const QString errorText =
            QString::fromUtf8(command->readAllStandardError()).simplified().left(300);
        m_signIn->takeProblem(tr("the command ended with exit code %1%2")
                                  .arg(command->exitCode())
                                  .arg(errorText.isEmpty() ? QString() : u": "_s + errorText));
    } else {
        m_signIn->take(command->readAllStandardOutput());
    }
    const SignIn known = *m_signIn; // a copy, because a handler may discard the token
    const auto waiting = std::exchange(m_waiting, {});
    const quint64 generation = m_generation;
    for (const auto &handler : waiting) {
        if (generation == m_generation)
            handler(known);
    }
}

bool Connection::renews(const HttpRequest &sent)
{
    return m_signIn->forget(header(sent.headers, m_signIn->header().name));
}

bool Connection::signsInAgain(const std::shared_ptr<Job> &job, const Answer &answer)
{
    const bool isUnauthorized = answer.response && answer.response->status == 401;
    if (!isUnauthorized || job->isRenewed || !m_jobs.contains(job) || !renews(job->prepared))
        return false;
    job->isRenewed = true;
    start(job);
    return true;
}

void Connection::abandon()
{
    ++m_generation;
    m_waiting.clear();
    m_command.reset();
    const auto jobs = std::exchange(m_jobs, {});
    for (const auto &job : jobs) {
        job->timer->disconnect(this);
        job->timer->stop();
        if (!job->reply)
            continue;
        job->reply->disconnect(this);
        if (job->reply->error() == QNetworkReply::NoError) // a reply with an error ends by itself
            job->reply->abort();
        job->reply->deleteLater();
        end(job->number, {}, tr("The request was canceled."), -1, ms(job->clock));
    }
}

} // namespace instar
