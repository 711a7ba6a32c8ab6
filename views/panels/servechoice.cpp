// SPDX-License-Identifier: Apache-2.0
#include "views/panels/servechoice.h"

#include <QCoreApplication>
#include <QStringList>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct ServeWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::ServeDialog)
};

bool isIpv4(const QString &text)
{
    const QStringList parts = text.split(u'.');
    return parts.size() == 4 && std::ranges::all_of(parts, [](const QString &part) {
        bool isNumber = false;
        const uint number = part.toUInt(&isNumber);
        return isNumber && number <= 255 && part == QString::number(number);
    });
}

bool isIpv6(const QString &text)
{
    QUrl url;
    url.setScheme(u"http"_s);
    url.setHost(u'[' + text + u']', QUrl::StrictMode);
    return text.contains(u':') && url.isValid() && !url.host().isEmpty();
}

} // namespace

QString addressProblem(const QString &address)
{
    if (address.isEmpty())
        return ServeWords::tr("Give the address to listen on; 127.0.0.1 is this computer only.");
    if (isIpv4(address) || isIpv6(address))
        return {};
    return ServeWords::tr("%1 is not an address such as 127.0.0.1, 0.0.0.0 or ::1.").arg(address);
}

} // namespace instar
