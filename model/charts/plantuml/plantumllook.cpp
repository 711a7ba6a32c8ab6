// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumllook.h"

#include "model/charts/notation/chartlook.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Of a gradient, "red-blue", the first.
QString firstColour(QStringView written)
{
    qsizetype size = written.startsWith(u'#') ? 1 : 0;
    while (size < written.size() && !u"-\\|/"_s.contains(written[size]))
        ++size;
    return colourOf(written.left(size));
}

void addStroke(Look &look, QStringView word)
{
    if (word == u"dashed")
        look.dash = Look::Dash::Dashed;
    else if (word == u"dotted")
        look.dash = Look::Dash::Dotted;
    else if (word == u"bold")
        look.isBold = true;
    else if (word.startsWith(u"thickness="))
        look.isBold = word.sliced(10).toDouble() >= 2;
}

/// "back:pink", "line.dashed", or a colour alone.
void addPart(Look &look, QStringView part)
{
    const qsizetype colon = part.indexOf(u':');
    const qsizetype dot = part.indexOf(u'.');
    const QString value = colon < 0 ? QString() : firstColour(part.sliced(colon + 1));
    if (colon < 0 && dot < 0)
        look.fill = firstColour(part);
    else if (part.startsWith(u"back"))
        look.fill = value;
    else if (part.startsWith(u"text"))
        look.text = value;
    else if (part.startsWith(u"line") && colon >= 0)
        look.stroke = value;
    if (part.startsWith(u"line") && dot >= 0)
        addStroke(look, part.sliced(dot + 1, (colon > dot ? colon : part.size()) - dot - 1));
}

/// As it stands behind a "#".
QString bare(const QString &colour)
{
    return colour.startsWith(u'#') ? colour.sliced(1) : colour;
}

QStringList strokeWords(const Look &look)
{
    QStringList all;
    if (look.dash != Look::Dash::None)
        all += look.dash == Look::Dash::Dashed ? u"dashed"_s : u"dotted"_s;
    if (look.isBold)
        all += u"bold"_s;
    return all;
}

} // namespace

Look lookOf(const PlantUmlColours &written)
{
    static const QRegularExpression border(u"^##(?:\\[([^\\]]*)\\])?(\\w*)$"_s);
    Look look;
    for (const QString &part : bare(written.colour.toLower()).split(u';', Qt::SkipEmptyParts))
        addPart(look, part);
    const QRegularExpressionMatch found = border.match(written.border.toLower());
    if (!found.hasMatch())
        return look;
    addStroke(look, found.capturedView(1));
    if (found.capturedLength(2) > 0)
        look.stroke = colourOf(found.capturedView(2));
    return look;
}

/// A border is dashed, dotted or bold; what is two of them says so among the colours.
PlantUmlColours coloursOf(const Look &look)
{
    const QStringList words = strokeWords(look);
    PlantUmlColours result;
    QStringList parts;
    if (!look.fill.isEmpty())
        parts += bare(look.fill);
    if (!look.text.isEmpty())
        parts += u"text:"_s + bare(look.text);
    if (words.size() > 1)
        parts += u"line."_s + words.last();
    if (!parts.isEmpty())
        result.colour = u'#' + parts.join(u';');
    if (!words.isEmpty())
        result.border = u"##["_s + words.first() + u']';
    if (!look.stroke.isEmpty())
        result.border = (words.isEmpty() ? u"##"_s : result.border) + bare(look.stroke);
    return result;
}

PlantUmlStroke strokeOf(const QString &arrow)
{
    static const QRegularExpression bracket(u"\\[([^\\]]*)\\]"_s);
    PlantUmlStroke result;
    QString rest = arrow.toLower();
    for (auto found = bracket.match(rest); found.hasMatch(); found = bracket.match(rest)) {
        for (const QStringView part : found.capturedView(1).split(u',')) {
            const QStringView word = part.trimmed();
            if (word.startsWith(u'#'))
                result.look.stroke = firstColour(word);
            else
                addStroke(result.look, word);
        }
        rest.remove(found.capturedStart(), found.capturedLength());
    }
    const auto says = [&](QStringView word) { return rest.contains(word); };
    if (says(u"le") || says(u"-l-"))
        result.towards = Towards::Left;
    else if (says(u"up") || says(u"-u-"))
        result.towards = Towards::Up;
    else if (says(u"do") || says(u"-d-"))
        result.towards = Towards::Down;
    else if (says(u"ri") || says(u"-r-") || rest.count(u'-') == 1) // a short arrow leads there
        result.towards = Towards::Right;
    return result;
}

QString arrowOf(const PlantUmlStroke &stroke)
{
    QStringList style;
    if (!stroke.look.stroke.isEmpty())
        style += u'#' + bare(stroke.look.stroke);
    style += strokeWords(stroke.look);
    if (style.isEmpty() && stroke.towards == Towards::Right)
        return u"->"_s;
    const QString bracket = style.isEmpty() ? QString() : u'[' + style.join(u',') + u']';
    return u'-' + bracket + wordOf(stroke.towards) + u"->"_s;
}

} // namespace instar
