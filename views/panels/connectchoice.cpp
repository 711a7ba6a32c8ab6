// SPDX-License-Identifier: Apache-2.0
#include "views/panels/connectchoice.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct ConnectWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::ConnectDialog)
};

} // namespace

ConnectChoice withoutSecret(ConnectChoice choice)
{
    choice.secret.clear();
    return choice;
}

QList<ConnectChoice> remembered(
    const QList<ConnectChoice> &choices, const ConnectChoice &newest, int most)
{
    QList<ConnectChoice> kept { withoutSecret(newest) };
    for (const ConnectChoice &choice : choices) {
        if (kept.size() < most && (choice.url != newest.url || choice.pack != newest.pack))
            kept += withoutSecret(choice);
    }
    return kept;
}

QString completedUrl(const QString &address)
{
    if (address.isEmpty() || address.contains(u"://"))
        return address;
    const bool isHere = isLoopback(QUrl(u"http://"_s + address).host());
    return (isHere ? u"http://"_s : u"https://"_s) + address;
}

QString serverUrlProblem(const QString &text)
{
    if (text.isEmpty())
        return ConnectWords::tr("Give the server's URL, such as https://server.example:8443.");
    if (!text.startsWith(u"http://", Qt::CaseInsensitive)
        && !text.startsWith(u"https://", Qt::CaseInsensitive))
        return text.contains(u"://") ? ConnectWords::tr("Only http:// and https:// can be spoken.")
                                     : ConnectWords::tr("Begin the URL with https:// or http://.");
    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid())
        return ConnectWords::tr("This is not a URL: %1.")
            .arg(url.errorString().section(u';', 0, 0));
    if (url.host().isEmpty())
        return ConnectWords::tr("The URL names no host.");
    if (url.port() == 0)
        return ConnectWords::tr("Port 0 cannot be connected to; give one from 1 to 65535.");
    if (!url.userInfo().isEmpty())
        return ConnectWords::tr(
            "Leave name and password out of the URL; there are fields for them.");
    if (url.hasQuery() || url.hasFragment())
        return ConnectWords::tr("Leave out what begins with ? or #.");
    return {};
}

bool isLoopback(const QString &host)
{
    static const QRegularExpression ofItself(u"^(localhost\\.?|127(\\.\\d{1,3}){3}|\\[?::1\\]?)$"_s,
        QRegularExpression::CaseInsensitiveOption);
    return ofItself.match(host).hasMatch();
}

} // namespace instar
