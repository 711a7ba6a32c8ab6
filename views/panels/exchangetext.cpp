// SPDX-License-Identifier: Apache-2.0
#include "views/panels/exchangetext.h"

#include "model/formats/bodytext.h"
#include "model/items/exchangemodel.h"
#include "model/items/words.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct ExchangeWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::ExchangeView)
};

// Of a body: laying out takes time that grows with the square of a line's length.
constexpr qsizetype ShownCharacters = 100'000, ShownOfLine = 4'000;

QString fixedFamily()
{
    return QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
}

QString sizeText(qsizetype bytes)
{
    if (bytes < 10'000)
        return ExchangeWords::tr("%Ln bytes", nullptr, int(bytes));
    return QLocale().formattedDataSize(bytes);
}

QString line(const QString &html)
{
    return html.isEmpty() ? QString() : u"<p style='margin:0 0 4px 0'>%1</p>"_s.arg(html);
}

QString dim(const QString &text, const Theme &theme)
{
    return u"<span style='color:%1'>%2</span>"_s.arg(theme.dimText.name(), text.toHtmlEscaped());
}

QString headersHtml(const QList<Exchange::Header> &headers, const Theme &theme)
{
    QString rows;
    for (const Exchange::Header &header : headers)
        rows +=
            u"<tr><td style='padding:1px 12px 1px 0;color:%1'>%2</td><td style='padding:1px 0'>%3</td></tr>"_s
                .arg(theme.dimText.name(), header.name.toHtmlEscaped(),
                    header.value.toHtmlEscaped());
    return rows.isEmpty()
        ? QString()
        : u"<table cellspacing='0' style='margin:2px 0 6px 0'>%1</table>"_s.arg(rows);
}

QString shortened(const QString &text)
{
    QString shown;
    bool isFirst = true;
    for (const QStringView part : QStringView(text).split(u'\n')) {
        if (!isFirst)
            shown += u'\n';
        isFirst = false;
        shown += part.left(ShownOfLine);
        if (part.size() > ShownOfLine)
            shown += u'…';
        if (shown.size() > ShownCharacters)
            break;
    }
    return shown;
}

QString bodyHtml(const QByteArray &body, const QString &none, const Theme &theme)
{
    if (body.isEmpty())
        return line(dim(none, theme));
    const QString text = prettyJson(body);
    const QString shown = shortened(text);
    const QString rest = shown == text
        ? QString()
        : line(dim(ExchangeWords::tr("Not all of it is shown; Copy has the whole body."), theme));
    return u"<pre style='margin:4px 0 0 0;white-space:pre-wrap;font-family:\"%1\"'>%2</pre>"_s.arg(
               fixedFamily(), shown.toHtmlEscaped())
        + rest;
}

QString timesText(const Exchange &exchange)
{
    QStringList parts;
    if (exchange.wait >= 0)
        parts += ExchangeWords::tr("first byte after %1").arg(durationText(exchange.wait));
    if (exchange.isOver() && exchange.status)
        parts += ExchangeWords::tr("whole after %1").arg(durationText(exchange.duration));
    else if (exchange.isOver())
        parts += ExchangeWords::tr("given up after %1").arg(durationText(exchange.duration));
    if (!exchange.responseBody.isEmpty())
        parts += sizeText(exchange.responseBody.size());
    if (exchange.retryAfter)
        parts += ExchangeWords::tr("again after %1 s").arg(*exchange.retryAfter);
    return parts.join(u" · "_s);
}

QString purposeText(Exchange::Purpose purpose)
{
    switch (purpose) {
    case Exchange::Purpose::Load:
        return ExchangeWords::tr("reads the tree");
    case Exchange::Purpose::Poll:
        return ExchangeWords::tr("asks how it stands");
    case Exchange::Purpose::SignIn:
        return ExchangeWords::tr("asks for a token");
    case Exchange::Purpose::Fire:
    case Exchange::Purpose::Other:
        break;
    }
    return {};
}

QString startLine(const Exchange &exchange)
{
    return u"%1 %2 HTTP/1.1"_s.arg(exchange.method, pathOf(exchange));
}

QString plain(const QString &start, const QList<Exchange::Header> &headers, const QByteArray &body)
{
    QString text = start + u'\n' + headersText(headers);
    if (!body.isEmpty())
        text += u'\n' + (isText(body) ? QString::fromUtf8(body) : prettyJson(body));
    return text;
}

} // namespace

QString headersText(const QList<Exchange::Header> &headers)
{
    QString text;
    for (const Exchange::Header &header : headers)
        text += header.name + u": "_s + header.value + u'\n';
    return text;
}

QString requestText(const Exchange &exchange)
{
    return plain(startLine(exchange), exchange.requestHeaders, exchange.requestBody);
}

QString responseText(const Exchange &exchange)
{
    if (!exchange.status)
        return exchange.problem;
    return plain(
        u"HTTP/1.1 "_s + statusText(exchange), exchange.responseHeaders, exchange.responseBody);
}

QString requestHtml(const Exchange &exchange, const Theme &theme)
{
    QStringList about;
    if (!exchange.client.isEmpty())
        about += ExchangeWords::tr("client %1").arg(exchange.client);
    if (!exchange.operation.isEmpty())
        about += ExchangeWords::tr("operation %1").arg(exchange.operation);
    if (const QString purpose = purposeText(exchange.purpose); !purpose.isEmpty())
        about += purpose;
    if (exchange.sent.isValid())
        about += ExchangeWords::tr("sent %1").arg(
            exchange.sent.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss.zzz"));
    return line(
               u"<b>%1</b> %2"_s.arg(exchange.method.toHtmlEscaped(), exchange.url.toHtmlEscaped()))
        + line(dim(about.join(u" · "_s), theme)) + headersHtml(exchange.requestHeaders, theme)
        + bodyHtml(exchange.requestBody, ExchangeWords::tr("No body."), theme);
}

QString responseHtml(const Exchange &exchange, const Theme &theme)
{
    const ExchangeTone tone = toneOf(exchange);
    const bool isBad = tone == ExchangeTone::ClientError || tone == ExchangeTone::ServerError
        || tone == ExchangeTone::NoAnswer;
    QString html = line(u"<b style='color:%1'>%2</b>"_s.arg(
        (isBad ? theme.warning : theme.text).name(), statusText(exchange).toHtmlEscaped()));
    html += line(dim(timesText(exchange), theme));
    if (!exchange.problem.isEmpty())
        html += u"<p style='margin:4px 0 6px 0;background:%1;color:%2'>%3</p>"_s.arg(
            theme.warningFill.name(), theme.warning.name(), exchange.problem.toHtmlEscaped());
    html += headersHtml(exchange.responseHeaders, theme);
    if (!exchange.isOver())
        return html + line(dim(ExchangeWords::tr("The answer is not there yet."), theme));
    if (!exchange.status)
        return html;
    return html + bodyHtml(exchange.responseBody, ExchangeWords::tr("No body."), theme);
}

} // namespace instar
