// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/seen.h"

#include <QRegularExpression>

namespace instar {

namespace {

constexpr double textContrast = 4.5, lineContrast = 3;

/// A colour's name or number; invalid: it is none. Of two that a file shades into each other, the
/// first.
QColor wishedColour(const QString &name)
{
    const qsizetype end = name.indexOf(QRegularExpression(QStringLiteral("[-|/\\\\]")));
    const QString first = end > 0 ? name.left(end) : name;
    const QColor colour = first.isEmpty() ? QColor() : QColor(first);
    return colour.isValid() && colour.alpha() == 255 ? colour : QColor();
}

/// As near to the wish as it can be told from the ground.
QColor toldApart(const QColor &wish, const QColor &ground, double least)
{
    const QColor far =
        contrast(Qt::white, ground) > contrast(Qt::black, ground) ? Qt::white : Qt::black;
    for (int share = 0; share < 20; ++share) {
        const QColor colour = mixed(wish, far, share / 20.0);
        if (contrast(colour, ground) >= least)
            return colour;
    }
    return far;
}

/// A bright fill is as loud in the dark as a lamp.
QColor dimmed(const QColor &wish, const Theme &theme)
{
    return theme.isDark && contrast(wish, Qt::black) > 5 ? mixed(theme.base, wish, 0.4) : wish;
}

Qt::PenStyle penStyle(Look::Dash dash)
{
    return dash == Look::Dash::Dashed ? Qt::DashLine
        : dash == Look::Dash::Dotted  ? Qt::DotLine
                                      : Qt::SolidLine;
}

} // namespace

SeenLook seenBox(const Look &look, const Theme &theme, const QColor &ground, const SeenLook &usual)
{
    SeenLook seen = usual;
    const QColor fill = wishedColour(look.fill), stroke = wishedColour(look.stroke),
                 text = wishedColour(look.text);
    if (fill.isValid())
        seen.fill = dimmed(fill, theme);
    seen.stroke = toldApart(stroke.isValid() ? stroke : usual.stroke, ground, lineContrast);
    seen.text = toldApart(text.isValid() ? text : usual.text, seen.fill, textContrast);
    seen.style = penStyle(look.dash);
    seen.width = look.isBold ? usual.width * 2 : usual.width;
    return seen;
}

SeenLook seenArrow(const Look &look, const Theme &theme, const QColor &ground)
{
    const QColor stroke = wishedColour(look.stroke), text = wishedColour(look.text);
    return { .fill = ground,
        .stroke = stroke.isValid() ? toldApart(stroke, ground, lineContrast) : theme.line,
        .text = text.isValid() ? toldApart(text, ground, textContrast) : theme.text,
        .style = penStyle(look.dash),
        .width = look.isBold ? 2.8 : 1.4 };
}

} // namespace instar
