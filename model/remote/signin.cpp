// SPDX-License-Identifier: Apache-2.0
#include "model/remote/signin.h"

#include "model/remote/masking.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct SignInWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::SignIn)
};

constexpr qint64 MostMargin = 30'000; ///< ms before its end in which a token is not used any more
constexpr double MostLifetime = 1e12; ///< ms
constexpr qsizetype MostTokens = 8;   ///< that are remembered, to hide them
constexpr qsizetype MostSaid = 300;   ///< of what a server says of an error

/// Of a form's item (WHATWG, URL, 5), a blank so that it can also be read as part of a URL.
QByteArray encoded(const QString &text)
{
    return QUrl::toPercentEncoding(text);
}

QByteArray json(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

bool isGood(const HttpResponse &answer)
{
    return answer.status >= 200 && answer.status < 300;
}

/// RFC 6749, 5.2, and Keystone's {"error": {"message": ...}}; else the status' own words.
QString refusalIn(const HttpResponse &answer)
{
    const QJsonObject body = QJsonDocument::fromJson(answer.body).object();
    const QJsonValue error = body.value(u"error"_s);
    QStringList said;
    if (error.isObject())
        said += error.toObject().value(u"message"_s).toString();
    else
        said += { error.toString(), body.value(u"error_description"_s).toString() };
    said.removeAll(QString());
    if (said.isEmpty())
        said += QString::fromUtf8(answer.reason);
    return u"%1 %2"_s.arg(answer.status).arg(said.join(u": "_s)).simplified().left(MostSaid);
}

/// ms; as a number or, as some servers have it, as its text.
std::optional<qint64> lifetimeOf(const QJsonValue &seconds)
{
    bool isNumber = seconds.isDouble();
    const double value =
        isNumber ? seconds.toDouble() : seconds.toString().trimmed().toDouble(&isNumber);
    if (!isNumber || !std::isfinite(value) || value < 0)
        return {};
    return qint64(std::min(value * 1000, MostLifetime));
}

/// By the server's own clock where it says when the token was given.
std::optional<qint64> lifetimeOf(const QJsonObject &token)
{
    const auto moment = [&](const QString &key) {
        return QDateTime::fromString(token.value(key).toString(), Qt::ISODateWithMs);
    };
    const QDateTime ends = moment(u"expires_at"_s), given = moment(u"issued_at"_s);
    if (!ends.isValid())
        return {};
    const qint64 lifetime =
        (given.isValid() ? given : QDateTime::currentDateTimeUtc()).msecsTo(ends);
    return std::clamp<qint64>(lifetime, 0, qint64(MostLifetime));
}

/// What can stand in a header as one word.
bool isToken(const QByteArray &text)
{
    return !text.isEmpty()
        && std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
}

Result<Token> bearerIn(const HttpResponse &answer)
{
    const QJsonDocument document = QJsonDocument::fromJson(answer.body);
    if (!document.isObject())
        return Error { SignInWords::tr("the answer is %1, and no JSON object").arg(answer.status) };
    const QJsonObject body = document.object();
    const QString type = body.value(u"token_type"_s).toString();
    if (!type.isEmpty() && type.compare(u"bearer"_s, Qt::CaseInsensitive) != 0)
        return Error { SignInWords::tr("it is of the type \"%1\", and only Bearer can be shown")
                           .arg(type.left(40)) };
    return Token { body.value(u"access_token"_s).toString().toUtf8(),
        lifetimeOf(body.value(u"expires_in"_s)) };
}

Token subjectIn(const HttpResponse &answer)
{
    const QJsonObject body = QJsonDocument::fromJson(answer.body).object();
    return { header(answer.headers, "X-Subject-Token"),
        lifetimeOf(body.value(u"token"_s).toObject()) };
}

QJsonObject named(const QString &name)
{
    return { { u"name"_s, name } };
}

/// https://docs.openstack.org/api-ref/identity/v3, "Password authentication".
QByteArray passwordBody(const Credential &credential, const QString &password)
{
    const QJsonObject user { { u"name"_s, credential.user },
        { u"domain"_s, named(credential.userDomain) }, { u"password"_s, password } };
    QJsonObject auth { { u"identity"_s,
        QJsonObject { { u"methods"_s, QJsonArray { u"password"_s } },
            { u"password"_s, QJsonObject { { u"user"_s, user } } } } } };
    if (!credential.project.isEmpty())
        auth.insert(u"scope"_s,
            QJsonObject { { u"project"_s,
                QJsonObject { { u"name"_s, credential.project },
                    { u"domain"_s, named(credential.projectDomain) } } } });
    return json({ { u"auth"_s, auth } });
}

} // namespace

Result<Token> tokenIn(Credential::Kind kind, const HttpResponse &answer)
{
    if (!isGood(answer))
        return Error { refusalIn(answer) };
    const Result<Token> token =
        kind == Credential::Kind::Keystone ? Result<Token>(subjectIn(answer)) : bearerIn(answer);
    if (token && !isToken(token->value))
        return Error { kind == Credential::Kind::Keystone
                ? SignInWords::tr("the answer is %1, without X-Subject-Token").arg(answer.status)
                : SignInWords::tr("the answer is %1, without access_token").arg(answer.status) };
    return token;
}

SignIn::SignIn(Credential credential, CredentialHeader header)
    : m_credential(std::move(credential)), m_header(std::move(header))
{
    if (needsToken())
        m_header.name =
            m_credential.kind == Credential::Kind::Keystone ? "X-Auth-Token" : "Authorization";
}

bool SignIn::needsToken() const
{
    return m_credential.kind == Credential::Kind::ClientCredentials
        || m_credential.kind == Credential::Kind::Keystone;
}

bool SignIn::isReady(qint64 now) const
{
    return !needsToken() || (!m_header.value.isEmpty() && (!m_until || now < *m_until));
}

QUrl SignIn::url() const
{
    QUrl url = m_credential.issuer;
    if (m_credential.kind != Credential::Kind::Keystone)
        return url;
    QString path = url.path();
    while (path.endsWith(u'/'))
        path.chop(1);
    if (!path.endsWith(u"/auth/tokens"))
        path += path.endsWith(u"/v3") ? u"/auth/tokens"_s : u"/v3/auth/tokens"_s;
    url.setPath(path);
    return url;
}

HttpRequest SignIn::maskedQuestion() const
{
    return questionWith(QString::fromLatin1(SecretMask));
}

HttpRequest SignIn::questionWith(const QString &secret) const
{
    HttpRequest question { .method = "POST" };
    if (m_credential.kind == Credential::Kind::Keystone) {
        question.headers = { { "Content-Type", "application/json" } };
        question.body = passwordBody(m_credential, secret);
        return question;
    }
    question.headers = { { "Content-Type", "application/x-www-form-urlencoded" } };
    question.body = "grant_type=client_credentials";
    if (!m_credential.scope.isEmpty())
        question.body += "&scope=" + encoded(m_credential.scope);
    const QByteArray id = encoded(m_credential.user), proof = encoded(secret);
    if (m_isInBody)
        question.body += "&client_id=" + id + "&client_secret=" + proof;
    else
        question.headers.append("Authorization", "Basic " + (id + ':' + proof).toBase64());
    return question;
}

/// Servers may take the client's secret in the one place or in the other (RFC 6749, 2.3.1).
bool SignIn::mayStandInBody(const HttpResponse &answer) const
{
    if (m_credential.kind != Credential::Kind::ClientCredentials || m_isInBody)
        return false;
    const QString error =
        QJsonDocument::fromJson(answer.body).object().value(u"error"_s).toString();
    return answer.status == 401
        || (answer.status == 400 && (error == u"invalid_client" || error == u"invalid_request"));
}

SignIn::Next SignIn::take(const HttpResponse &answer, qint64 asked)
{
    const Result<Token> token = tokenIn(m_credential.kind, answer);
    if (!token) {
        if (mayStandInBody(answer)) {
            m_isInBody = true;
            m_headerProblem = token.error();
            return Next::AskAgain;
        }
        const QString first = std::exchange(m_headerProblem, {});
        takeProblem(first.isEmpty() || first == token.error()
                ? token.error()
                : SignInWords::tr("%1; with the client's secret in the body: %2")
                      .arg(first, token.error()));
        m_isInBody = m_isInBody && first.isEmpty();
        m_isRefused = answer.status < 500 && answer.status != 429;
        return Next::GiveUp;
    }
    m_problem.clear();
    m_headerProblem.clear();
    m_isRefused = false;
    m_header.value =
        m_credential.kind == Credential::Kind::Keystone ? token->value : "Bearer " + token->value;
    m_tokens.append(token->value);
    if (m_tokens.size() > MostTokens)
        m_tokens.removeFirst();
    m_until.reset();
    if (token->lifetime)
        m_until = asked + *token->lifetime - std::min(MostMargin, *token->lifetime / 10);
    return Next::Go;
}

void SignIn::takeProblem(const QString &problem)
{
    const QString text = withoutSecrets(problem, secrets());
    m_problem = SignInWords::tr("There is no token from %1: %2").arg(maskedUrl(url()), text);
    if (!m_problem.endsWith(u'.'))
        m_problem += u'.';
    m_header.value.clear();
    m_isRefused = false;
}

void SignIn::forget(const QByteArray &token)
{
    if (needsToken() && m_header.value == token)
        m_header.value.clear();
}

QUrl SignIn::shown(const QUrl &url) const
{
    return withKey(url, QString::fromLatin1(OwnKeyMask));
}

QUrl SignIn::withKey(const QUrl &url, const QString &key) const
{
    if (m_credential.kind != Credential::Kind::QueryKey)
        return url;
    const QString own = m_credential.secret.trimmed();
    QList<QByteArray> items = url.query(QUrl::FullyEncoded).toUtf8().split('&');
    items.removeIf([&](const QByteArray &item) {
        const qsizetype end = item.indexOf('=');
        const QString value = QUrl::fromPercentEncoding(item.mid(end + 1));
        const bool isOurs = end >= 0 && (!key.isEmpty() || value == own)
            && QUrl::fromPercentEncoding(item.left(end)) == m_credential.user;
        return item.isEmpty() || isOurs;
    });
    if (!key.isEmpty())
        items += encoded(m_credential.user) + '=' + encoded(key).replace("%2A", "*");
    QUrl result = url;
    result.setQuery(items.isEmpty() ? QString() : QString::fromLatin1(items.join('&')));
    return result;
}

QByteArrayList SignIn::secrets() const
{
    QByteArrayList secrets = m_tokens;
    if (m_credential.secret.isEmpty())
        return secrets;
    secrets += m_credential.secret.trimmed().toUtf8();
    secrets += (m_credential.user + u':' + m_credential.secret).toUtf8().toBase64();
    secrets += (encoded(m_credential.user) + ':' + encoded(m_credential.secret)).toBase64();
    return secrets;
}

} // namespace instar
