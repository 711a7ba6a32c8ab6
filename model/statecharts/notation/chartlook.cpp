// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/chartlook.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr double BoldFrom = 2; ///< points of a stroke's width

double firstNumber(QStringView text)
{
    const auto *const end = std::ranges::find_if_not(
        text, [](QChar letter) { return letter.isDigit() || letter == u'.'; });
    return text.left(end - text.begin()).toDouble();
}

/// Style of a stroke-dasharray such as "5 5": dotted if its dashes are shorter than 3.
Look::Dash dashOf(QStringView text)
{
    const double on = firstNumber(text);
    if (on <= 0)
        return Look::Dash::None;
    return on < 3 ? Look::Dash::Dotted : Look::Dash::Dashed;
}

void declare(Look &look, QStringView key, QStringView value)
{
    if (key == u"fill" || key == u"background")
        look.fill = colourOf(value);
    else if (key == u"stroke")
        look.stroke = colourOf(value);
    else if (key == u"color")
        look.text = colourOf(value);
    else if (key == u"stroke-dasharray")
        look.dash = dashOf(value);
    else if (key == u"stroke-width")
        look.isBold = firstNumber(value) >= BoldFrom;
}

} // namespace

QString colourOf(QStringView written)
{
    while (written.startsWith(u'#'))
        written = written.sliced(1);
    const QString name = written.toString().toLower();
    const bool isNumber = (name.size() == 3 || name.size() == 6 || name.size() == 8)
        && std::ranges::all_of(
            name, [](QChar each) { return each.isDigit() || (each >= u'a' && each <= u'f'); });
    return isNumber ? u'#' + name : name;
}

QStringList strokeWords(const Look &look)
{
    QStringList words;
    if (look.dash != Look::Dash::None)
        words += look.dash == Look::Dash::Dashed ? u"dashed"_s : u"dotted"_s;
    if (look.isBold)
        words += u"bold"_s;
    return words;
}

QString cssOf(const Look &look)
{
    QStringList parts;
    if (!look.fill.isEmpty())
        parts += u"fill:"_s + look.fill;
    if (!look.stroke.isEmpty())
        parts += u"stroke:"_s + look.stroke;
    if (look.isBold)
        parts += u"stroke-width:3px"_s;
    if (look.dash != Look::Dash::None)
        parts +=
            look.dash == Look::Dash::Dotted ? u"stroke-dasharray:1 3"_s : u"stroke-dasharray:5 5"_s;
    if (!look.text.isEmpty())
        parts += u"color:"_s + look.text;
    return parts.join(u',');
}

Look lookOfCss(const QString &css, Look under)
{
    static const QRegularExpression end(u"[,;]"_s);
    for (const QString &part : css.split(end, Qt::SkipEmptyParts)) {
        const qsizetype colon = part.indexOf(u':');
        if (colon > 0)
            declare(under, QStringView(part).left(colon).trimmed(),
                QStringView(part).sliced(colon + 1).trimmed());
    }
    return under;
}

namespace {

const QStringList towardsWords { {}, u"left"_s, u"right"_s, u"up"_s, u"down"_s };

} // namespace

QString wordOf(Towards towards)
{
    return towardsWords[int(towards)];
}

Towards towardsOf(const QString &word)
{
    for (qsizetype i = 1; i < towardsWords.size() && !word.isEmpty(); ++i)
        if (towardsWords[i].startsWith(word[0].toLower()))
            return Towards(i);
    return Towards::Anywhere;
}

} // namespace instar
