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

/// "5 5"; dots are shorter than what parts them.
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

const QMap<QString, Towards> towardsWords { { u"left"_s, Towards::Left },
    { u"right"_s, Towards::Right }, { u"up"_s, Towards::Up }, { u"down"_s, Towards::Down } };

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

QString wordOf(Towards towards)
{
    return towardsWords.key(towards);
}

Towards towardsOf(const QString &word)
{
    return towardsWords.value(word, Towards::Anywhere);
}

namespace {

struct Lines
{
    QLatin1StringView notation, down, right;
};

constexpr Lines directions[] = {
    { QLatin1StringView("plantuml"), QLatin1StringView("top to bottom direction"),
        QLatin1StringView("left to right direction") },
    { QLatin1StringView("mermaid"), QLatin1StringView("direction TB"),
        QLatin1StringView("direction LR") },
};

ChartDirection directionOf(const Statechart &chart, const QString &notation)
{
    const QString settings = chart.particulars.value(notation + u".settings"_s);
    ChartDirection latest = ChartDirection::Unsaid;
    for (const QStringView line : QStringView(settings).split(u'\n'))
        if (const ChartDirection said = directionIn(notation, line.toString());
            said != ChartDirection::Unsaid)
            latest = said;
    return latest;
}

} // namespace

ChartDirection directionIn(const QString &notation, const QString &line)
{
    for (const Lines &each : directions) {
        if (each.notation != notation)
            continue;
        const QString words = line.simplified();
        if (words.compare(each.right, Qt::CaseInsensitive) == 0)
            return ChartDirection::Right;
        if (words.compare(each.down, Qt::CaseInsensitive) == 0)
            return ChartDirection::Down;
    }
    return ChartDirection::Unsaid;
}

ChartDirection directionOf(const Statechart &chart)
{
    for (const Lines &each : directions)
        if (const ChartDirection said = directionOf(chart, each.notation);
            said != ChartDirection::Unsaid)
            return said;
    return ChartDirection::Unsaid;
}

QString foreignDirection(const Statechart &chart, const QString &notation)
{
    const ChartDirection said = directionOf(chart);
    if (said == ChartDirection::Unsaid || directionOf(chart, notation) != ChartDirection::Unsaid)
        return {};
    for (const Lines &each : directions)
        if (each.notation == notation)
            return said == ChartDirection::Right ? each.right : each.down;
    return {};
}

} // namespace instar
