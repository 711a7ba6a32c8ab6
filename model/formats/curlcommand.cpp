// SPDX-License-Identifier: Apache-2.0
#include "model/formats/curlcommand.h"

#include "model/formats/bodytext.h"
#include "model/formats/exchanges.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype LongestArgument = 64 * 1024; ///< bytes; Linux allows twice as many

/// One word for a POSIX shell.
QString shellWord(QString text)
{
    text.remove(QChar(u'\0')); // no argument can hold it
    return u'\'' + text.replace(u"'"_s, u"'\\''"_s) + u'\'';
}

/// A printf format that prints the bytes.
QString printed(const QByteArray &body)
{
    QString format;
    for (const char c : body) {
        const bool wouldBeAnOption = format.isEmpty() && c == '-';
        if (uchar(c) >= 0x20 && uchar(c) < 0x7f && c != '\\' && c != '%' && !wouldBeAnOption)
            format += QLatin1Char(c);
        else
            format += u"\\%1"_s.arg(int(uchar(c)), 3, 8, QChar(u'0'));
    }
    return shellWord(format);
}

bool isToldByCurl(const Exchange &exchange, const Exchange::Header &header)
{
    const auto is = [&](QStringView name) {
        return header.name.compare(name, Qt::CaseInsensitive) == 0;
    };
    if (is(u"Content-Length"))
        return !exchange.requestBody.isEmpty();
    return is(u"Transfer-Encoding");
}

} // namespace

QString curlCommand(const Exchange &exchange)
{
    const QString next = u" \\\n  "_s;
    const QByteArray &body = exchange.requestBody;
    QString command = u"curl"_s;
    if (exchange.method == u"HEAD")
        command += u" --head"_s;
    else if (exchange.method != u"GET" || !body.isEmpty())
        command += u" -X "_s + shellWord(exchange.method);
    if (exchange.url.contains(u"/."))
        command += u" --path-as-is"_s;
    if (std::ranges::any_of(exchange.url, [](QChar c) { return QStringView(u"[]{}").contains(c); }))
        command += u" --globoff"_s;
    command += (exchange.url.startsWith(u'-') ? u" --url "_s : u" "_s) + shellWord(exchange.url);

    for (const Exchange::Header &header : exchange.requestHeaders) {
        if (isToldByCurl(exchange, header))
            continue;
        // "Name: " would take the header away, "Name;" sends it empty.
        command += next + u"-H "_s
            + shellWord(header.value.trimmed().isEmpty() ? header.name + u';'
                                                         : header.name + u": "_s + header.value);
    }
    if (body.isEmpty())
        return command;
    if (headerValue(exchange.requestHeaders, u"Content-Type").isEmpty())
        command += next + u"-H 'Content-Type:'"_s; // or curl would send its own
    if (isPlainText(body) && body.size() <= LongestArgument)
        return command + next + u"--data-raw "_s + shellWord(QString::fromUtf8(body));
    const QString source =
        isPlainText(body) ? u"%s "_s + shellWord(QString::fromUtf8(body)) : printed(body);
    return u"printf "_s + source + u" |\n"_s + command + next + u"--data-binary @-"_s;
}

} // namespace instar
