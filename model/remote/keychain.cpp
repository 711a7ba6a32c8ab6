// SPDX-License-Identifier: Apache-2.0
#include "model/remote/keychain.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <qt6keychain/keychain.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString Service = u"instar"_s;

/// "https://host:443/path".
QString placeOf(const QUrl &server)
{
    QString path = server.path();
    while (path.endsWith(u'/'))
        path.chop(1);
    return u"%1://%2:%3%4"_s.arg(server.scheme(), server.host().toLower())
        .arg(server.port(server.scheme() == u"https" ? 443 : 80))
        .arg(path);
}

/// "server system kind user", and " issuer" where there is one: what is not said is left empty.
QString keyOf(const Account &account)
{
    const QString key = u"%1 %2 %3 %4"_s.arg(placeOf(account.server), account.system)
                            .arg(int(account.kind))
                            .arg(account.user);
    return account.issuer.isEmpty() ? key : key + u' ' + placeOf(account.issuer);
}

QString textOf(const Credential &credential)
{
    const QJsonObject object { { u"kind"_s, int(credential.kind) }, { u"user"_s, credential.user },
        { u"secret"_s, credential.secret },
        { u"certificate"_s, QString::fromLatin1(credential.certificate) },
        { u"key"_s, QString::fromLatin1(credential.key) } };
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

std::optional<Credential> credentialOf(const QString &text)
{
    const QJsonObject object = QJsonDocument::fromJson(text.toUtf8()).object();
    const int kind = object.value(u"kind"_s).toInt(-1);
    if (kind < int(Credential::Kind::None) || kind > int(Credential::Kind::Keystone))
        return {};
    return Credential { .kind = Credential::Kind(kind),
        .user = object.value(u"user"_s).toString(),
        .secret = object.value(u"secret"_s).toString(),
        .certificate = object.value(u"certificate"_s).toString().toLatin1(),
        .key = object.value(u"key"_s).toString().toLatin1() };
}

QString jobProblem(const QKeychain::Job &job)
{
    switch (job.error()) {
    case QKeychain::NoError:
    case QKeychain::EntryNotFound:
        return {};
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser:
        return Keychain::tr(
            "The system's keychain is locked; the credential is kept until the program ends.");
    default:
        return Keychain::tr(
            "There is no keychain to be asked (%1); the credential is kept until the program ends.")
            .arg(job.errorString().isEmpty() ? Keychain::tr("no reason is given")
                                             : job.errorString());
    }
}

} // namespace

Keychain::Keychain(QObject *parent) : QObject(parent) { }

void Keychain::read(const Account &account, FoundHandler handler)
{
    const QString key = keyOf(account);
    if (const auto known = m_run.constFind(key); known != m_run.constEnd()) {
        QMetaObject::invokeMethod(
            this, [found = Found { *known, {} }, handler = std::move(handler)] { handler(found); },
            Qt::QueuedConnection);
        return;
    }
    auto *job = new QKeychain::ReadPasswordJob(Service, this);
    job->setKey(key);
    connect(job, &QKeychain::Job::finished, this, [this, key, job, handler = std::move(handler)] {
        Found found { .credential = {}, .problem = jobProblem(*job) };
        if (job->error() == QKeychain::NoError)
            found.credential = credentialOf(job->textData());
        if (found.credential)
            m_run.insert(key, *found.credential);
        handler(found);
    });
    job->start();
}

void Keychain::write(const Account &account, const Credential &credential, DoneHandler handler)
{
    const QString key = keyOf(account);
    m_run.insert(key, credential);
    auto *job = new QKeychain::WritePasswordJob(Service, this);
    job->setKey(key);
    job->setTextData(textOf(credential));
    connect(job, &QKeychain::Job::finished, this,
        [job, handler = std::move(handler)] { handler(jobProblem(*job)); });
    job->start();
}

void Keychain::forget(const Account &account, DoneHandler handler)
{
    const QString key = keyOf(account);
    m_run.remove(key);
    auto *job = new QKeychain::DeletePasswordJob(Service, this);
    job->setKey(key);
    connect(job, &QKeychain::Job::finished, this,
        [job, handler = std::move(handler)] { handler(jobProblem(*job)); });
    job->start();
}

} // namespace instar
