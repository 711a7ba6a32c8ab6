// SPDX-License-Identifier: Apache-2.0
#include "views/panels/explanationpage.h"

#include "model/foreigntext.h"
#include "model/items/exchangemodel.h"
#include "views/citations.h"
#include "views/panels/exchangetext.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct ExplanationWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::ExplanationPage)
};

/// A source's place on the page, from its key: of letters, digits and hyphens alone, so that it is
/// an id, and the same in a link. What is no letter or digit is its number.
QString anchorOf(const QString &key)
{
    QString anchor;
    for (const QChar each : key) {
        const bool isPlain = each.unicode() < 128 && each.isLetterOrNumber();
        anchor += isPlain ? QString(each) : u"-%1-"_s.arg(each.unicode(), 0, 16);
    }
    return anchor;
}

const Source *sourceOf(const Pack &pack, const QString &key)
{
    const auto source = std::ranges::find(pack.sourceList, key, &Source::id);
    return source == pack.sourceList.end() ? nullptr : &*source;
}

/// Links lead to the rules below; what only the program can show is text. Adds the keys of sources.
QString withoutLinks(const Pack &pack, const QString &html, QStringList *sources)
{
    static const QRegularExpression link(u"<a href=['\"]([^'\"]*)['\"][^>]*>(.*?)</a>"_s,
        QRegularExpression::DotMatchesEverythingOption);
    QString plain;
    qsizetype from = 0;
    for (auto found = link.globalMatch(html); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        plain += html.sliced(from, match.capturedStart() - from);
        from = match.capturedEnd();
        const QString to = match.captured(1);
        if (to.startsWith(u"source:")) {
            const QString key = sourceKey(to);
            const bool isThere = sourceOf(pack, key);
            if (isThere && !sources->contains(key))
                *sources += key;
            plain += isThere ? u"<a href=\"#%1\">%2</a>"_s.arg(anchorOf(key), match.captured(2))
                             : match.captured(2);
        } else if (!to.startsWith(u"switch:") && !to.startsWith(u"play:")
            && !to.startsWith(u"back:")) {
            plain += match.captured(2);
        }
    }
    plain += html.sliced(from);
    return plain.remove(u'\u200b');
}

QString ruleText(const Source &source)
{
    QStringList where { source.document, source.section };
    where.removeAll(QString());
    return u"<dt id=\"%1\">%2</dt><dd>%3<br><small>%4</small></dd>\n"_s.arg(anchorOf(source.id),
        source.id.toHtmlEscaped(), source.about.toHtmlEscaped(),
        where.join(u" · "_s).toHtmlEscaped());
}

/// In order of sending; the times tell whether they met.
QString exchangesText(const QList<Exchange> &exchanges)
{
    QString text;
    for (const Exchange &exchange : exchanges) {
        QStringList about { exchange.client,
            exchange.sent.toUTC().toString(u"HH:mm:ss.zzz 'UTC'"_s) };
        if (exchange.isOver())
            about += (exchange.status ? ExplanationWords::tr("answered after %1")
                                      : ExplanationWords::tr("given up after %1"))
                         .arg(durationText(exchange.duration));
        about.removeAll(QString());
        text += u"<h3>%1</h3>\n<pre>%2</pre>\n<pre>%3</pre>\n"_s.arg(
            about.join(u" · "_s).toHtmlEscaped(), requestText(exchange).toHtmlEscaped(),
            responseText(exchange).toHtmlEscaped());
    }
    return text.isEmpty()
        ? text
        : u"<h2>%1</h2>\n%2"_s.arg(
            ExplanationWords::tr("What was sent and answered").toHtmlEscaped(), text);
}

} // namespace

QString explanationPage(const Pack &pack, const Explained &explained)
{
    const QByteArray &picture = explained.picture;
    const QString &what = explained.what;
    QStringList sources;
    const QString text = withoutLinks(pack, explained.said, &sources);
    QString rules;
    for (const QString &key : std::as_const(sources))
        rules += ruleText(*sourceOf(pack, key));
    if (!rules.isEmpty())
        rules = u"<h2>%1</h2>\n<dl>\n%2</dl>\n"_s.arg(
            ExplanationWords::tr("What the rules say").toHtmlEscaped(), rules);
    const qsizetype begin = picture.indexOf("<svg"); // without what only a file of its own has
    const QString system = pack.title.isEmpty() ? pack.id : pack.title;
    QStringList from { system };
    if (explained.saved.isValid())
        from += explained.saved.toUTC().toString(u"yyyy-MM-dd HH:mm 'UTC'"_s);
    return visible(
        u"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%1</title>\n"
        u"<style>body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
        u"dt{font-weight:bold}dd{margin:0 0 .7em "
        u"1.2em}svg{max-width:100%;height:auto}pre{white-space:pre-wrap;overflow-wrap:anywhere;"
        u"background:#f4f4f4;color:#222;padding:.6em;margin:.3em 0}"
        u"td:first-child{white-space:nowrap}h3{font-size:1em;margin:1em 0 .3em}"
        u"a{text-decoration:none;background:#ece6fb;color:#4b25a8;border-radius:3px}</style></"
        u"head>\n"
        u"<body>\n<p><small>%2</small></p>\n%3\n%4%5%6</body></html>\n"_s.arg(
            (what.isEmpty() ? system : what + u" · "_s + system).toHtmlEscaped(),
            from.join(u" · "_s).toHtmlEscaped(), text,
            begin < 0 ? QString() : QString::fromUtf8(picture.sliced(begin)), rules,
            exchangesText(explained.exchanges)));
}

} // namespace instar
