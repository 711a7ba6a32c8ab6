// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/paint.h"

#include "views/drawing/chip.h"
#include "views/drawing/text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QRadialGradient>
#include <QRegularExpression>

#include <algorithm>

namespace instar {

namespace {

constexpr double headLength = 10, headWidth = 8.4;
constexpr double noteFold = 9; ///< of a note's corner
constexpr double textContrast = 4.5, lineContrast = 3;
constexpr double faint = 0.42; ///< opacity

/// Parses a colour's name or number; of a gradient, the first colour. Invalid if it is neither.
QColor parsedColour(const QString &name)
{
    const qsizetype end = name.indexOf(QRegularExpression(u"[-|/\\\\]"_s));
    const QString first = end > 0 ? name.left(end) : name;
    const QColor colour = first.isEmpty() ? QColor() : QColor(first);
    return colour.isValid() && colour.alpha() == 255 ? colour : QColor();
}

/// Returns the colour nearest to `colour` whose contrast to the ground is at least `least`.
QColor contrasting(const QColor &colour, const QColor &ground, double least)
{
    const QColor far =
        contrast(Qt::white, ground) > contrast(Qt::black, ground) ? Qt::white : Qt::black;
    for (int share = 0; share < 20; ++share) {
        const QColor candidate = mixed(colour, far, share / 20.0);
        if (contrast(candidate, ground) >= least)
            return candidate;
    }
    return far;
}

QPen penOf(const QColor &colour, double width, Qt::PenStyle style)
{
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap);
    if (style == Qt::DashLine)
        pen.setDashPattern({ 7 / width, 5 / width });
    else if (style == Qt::DotLine)
        pen.setDashPattern({ 2 / width, 4 / width });
    return pen;
}

/// Paints a text that may not fit, as with enlarged fonts: a centred one then exceeds its rectangle
/// on both sides, any other one is elided.
void paintText(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text)
{
    const bool overflows = alignment & Qt::AlignHCenter;
    drawText(painter, rect,
        int(alignment) | Qt::TextSingleLine | (overflows ? Qt::TextDontClip : 0),
        overflows
            ? text
            : QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, rect.width() + 1));
}

void paintRing(QPainter &painter, const QRectF &rect, double radius, const QColor &colour)
{
    setInk(painter, QPen(colour, 2));
    painter.drawRoundedRect(rect, radius, radius);
}

void paintInitial(QPainter &painter, const ChartBox &box, const BoxLook &look, const Theme &theme,
    const ChartFonts &fonts)
{
    const QRectF &disc = box.outline.rect;
    const QColor edge = look.isHovered || look.isSelected
        ? theme.text
        : theme.statusCategoryLine(StatusCategory::Absent);
    setInk(painter, QPen(edge, 1.6), theme.window);
    painter.drawEllipse(disc.adjusted(0.8, 0.8, -0.8, -0.8));
    setInk(painter, Qt::NoPen,
        look.isCurrent ? theme.accent : theme.statusCategoryText(StatusCategory::Absent));
    painter.drawEllipse(disc.adjusted(5, 5, -5, -5));
    painter.setFont(fonts.detail);
    painter.setPen(theme.statusCategoryText(StatusCategory::Absent));
    paintText(painter, box.nameArea.adjusted(-4, 0, 4, 0), Qt::AlignHCenter | Qt::AlignTop,
        box.name.join(u' '));
}

/// Paints the frame of a composite state. In a statechart, highlights it while a child is active.
void paintFrame(QPainter &painter, const ChartBox &box, const BoxLook &look, const Theme &theme,
    const ChartFonts &fonts)
{
    const bool isLit = box.vertex && look.isOccupied;
    const Ink ink = inked(box.style, theme,
        { .fill = mixed(theme.window, theme.base, 0.55),
            .stroke = look.isHovered || look.isSelected ? theme.accent
                : isLit ? theme.statusCategoryLine(box.statusCategory)
                        : theme.dimLine,
            .text = theme.dimText,
            .style = box.isRegion ? Qt::DashLine : Qt::SolidLine,
            .width = isLit ? 1.7 : 1.4 });
    setInk(painter, penOf(ink.stroke, ink.width, ink.style), ink.fill);
    painter.drawRoundedRect(box.outline.rect, box.outline.radius, box.outline.radius);
    if (!box.isNamed)
        return;
    painter.setFont(fonts.title);
    painter.setPen(ink.text);
    paintText(painter, box.title().adjusted(18, 0, -18, 0), Qt::AlignVCenter | Qt::AlignLeft,
        box.name.join(u' '));
}

/// Left edge of a state's texts, beside its mark.
double textLeft(const ChartBox &box)
{
    return box.outline.rect.left() + (box.isShownAsOther ? 26 : 35);
}

void paintState(QPainter &painter, const ChartBox &box, const BoxLook &look, const Theme &theme,
    const ChartFonts &fonts)
{
    const QRectF rect = box.outline.rect;
    const double radius = box.outline.radius;
    const QColor edge = theme.statusCategoryLine(box.statusCategory);
    const Ink ink = inked(box.style, theme,
        { .fill = look.isOccupied ? theme.statusCategoryFill(box.statusCategory) : theme.base,
            .stroke = edge,
            .text = look.isOccupied ? theme.text : mixed(theme.text, theme.dimText, 0.7),
            .width = box.isShownAsOther ? 1.2 : 1.7 });
    painter.setBrush(look.isHovered ? mixed(ink.fill, edge, 0.10) : ink.fill);
    QPen pen = penOf(ink.stroke, ink.width, ink.style);
    if (box.kind == State::Kind::Transitional) {
        pen.setDashPattern({ 4.2, 3 });
        pen.setDashOffset(-look.dash / pen.widthF());
        pen.setCapStyle(Qt::FlatCap);
    }
    painter.setPen(pen);
    painter.drawRoundedRect(rect.adjusted(0.8, 0.8, -0.8, -0.8), radius, radius);
    if (look.isHighlighted) {
        setInk(painter, QPen(theme.accent, 1.5, Qt::DotLine));
        painter.drawRoundedRect(rect.adjusted(-5.5, -5.5, 5.5, 5.5), radius + 5.5, radius + 5.5);
    }
    if (look.isSelected)
        paintRing(painter, rect.adjusted(-3.5, -3.5, 3.5, 3.5), radius + 3.5, theme.accent);

    const double left = box.isShownAsOther ? 11 : 15, mark = box.isShownAsOther ? 9 : 11;
    const QFont &nameFont = box.isShownAsOther ? fonts.label : fonts.state;
    const QFont &detailFont = box.isShownAsOther ? fonts.quiet : fonts.detail;
    const QFontMetricsF name(nameFont), detail(detailFont);
    QStringList below { box.note, look.detail };
    below.removeAll(QString());
    QStringList lines = box.isNamed ? box.name : QStringList();
    const double details = detailsHeight(box, fonts);
    const auto height = [&] {
        return name.height() * double(lines.size()) + details
            + (below.isEmpty() ? 0 : detail.height() + 1);
    };
    const double text = textLeft(box);
    const double room = rect.right() - text;
    const bool isCut = height() > rect.height()
        || std::ranges::any_of(
            lines, [&](const QString &line) { return name.horizontalAdvance(line) > room; });
    const QString whole = lines.join(u' ');
    if (isCut && !lines.isEmpty()) // the fonts are larger than those of the layout
        lines = linesOf(whole, nameFont, room - 2);
    if (height() > rect.height())
        below.clear(); // the name needs the room
    while (lines.size() > 1 && height() > rect.height()) {
        const QString last = lines.takeLast(), spaced = lines.last() + u' ' + last;
        lines.last() = whole.contains(spaced) ? spaced : lines.last() + last;
    }
    double top = rect.center().y() - height() / 2;
    paintMark(painter,
        QRectF(rect.left() + left, top + name.height() / 2 - mark / 2 + 0.5, mark, mark),
        box.statusCategory, edge, look.dash / 40);
    painter.setFont(nameFont);
    painter.setPen(ink.text);
    for (const QString &line : std::as_const(lines)) {
        paintText(painter, QRectF(text, top, room, name.height()), Qt::AlignLeft | Qt::AlignVCenter,
            name.elidedText(line, Qt::ElideMiddle, room - 2)); // names often share a beginning
        top += name.height();
    }
    painter.setFont(detailFont);
    painter.setPen(!box.style.fill.isEmpty() ? ink.text
            : look.isOccupied                ? theme.statusCategoryText(box.statusCategory)
                                             : theme.dimText);
    paintText(painter, QRectF(text, top + 1, room, detail.height()),
        Qt::AlignLeft | Qt::AlignVCenter,
        detail.elidedText(below.join(u" · "_s), Qt::ElideMiddle, room - 2));
    if (box.details.isEmpty())
        return;
    QRectF line(rect.left() + 16, rect.bottom() - details + 5, rect.width() - 20, detail.height());
    painter.setPen(QPen(ink.stroke, 1));
    painter.drawLine(
        QPointF(rect.left() + 1, line.top() - 4), QPointF(rect.right() - 1, line.top() - 4));
    painter.setPen(box.style == ChartStyle() ? theme.dimText : ink.text);
    for (const QString &row : box.details) {
        paintText(painter, line, Qt::AlignLeft | Qt::AlignVCenter, row);
        line.translate(0, detail.height());
    }
}

/// Paints the dot of "any state" as a star, that of "the last rested state" as UML's H, that of a
/// refusal as a cross.
void paintDot(QPainter &painter, const ChartArrow &arrow, const QColor &colour, const Theme &theme)
{
    setInk(painter, QPen(colour, 1.2), theme.window);
    painter.drawEllipse(arrow.dot.adjusted(0.6, 0.6, -0.6, -0.6));
    const QPointF centre = arrow.dot.center();
    const double reach = arrow.dot.width() * 0.22;
    painter.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap));
    if (arrow.link.from == Link::Any) {
        for (const double angle : { 90.0, 30.0, 150.0 }) {
            const QLineF arm = QLineF::fromPolar(reach, angle).translated(centre);
            painter.drawLine(QLineF(centre * 2 - arm.p2(), arm.p2()));
        }
        return;
    }
    if (arrow.link.to == Link::Nowhere) {
        painter.drawLine(centre + QPointF(-reach, -reach), centre + QPointF(reach, reach));
        painter.drawLine(centre + QPointF(-reach, reach), centre + QPointF(reach, -reach));
        return;
    }
    painter.drawLine(
        centre + QPointF(-reach * 0.75, -reach), centre + QPointF(-reach * 0.75, reach));
    painter.drawLine(centre + QPointF(reach * 0.75, -reach), centre + QPointF(reach * 0.75, reach));
    painter.drawLine(centre + QPointF(-reach * 0.75, 0), centre + QPointF(reach * 0.75, 0));
}

void paintSymbol(QPainter &painter, Vertex::Kind kind, const QRectF &rect, const Theme &theme,
    const ChartFonts &fonts)
{
    const QPointF centre = rect.center();
    const auto paintDisc = [&](const QRectF &disc) {
        setInk(painter, Qt::NoPen, theme.text);
        painter.drawEllipse(disc);
    };
    const auto paintCircle = [&](const QColor &edge) {
        setInk(painter, QPen(edge, 1.5), theme.base);
        painter.drawEllipse(rect.adjusted(0.75, 0.75, -0.75, -0.75));
    };
    using Kind = Vertex::Kind;
    if (kind == Kind::Initial) {
        paintDisc(rect.adjusted(1, 1, -1, -1));
    } else if (kind == Kind::Final) {
        paintCircle(theme.text);
        paintDisc(rect.adjusted(5, 5, -5, -5));
    } else if (kind == Kind::ShallowHistory || kind == Kind::DeepHistory) {
        paintCircle(theme.line);
        painter.setFont(fonts.label);
        painter.setPen(theme.text);
        drawText(painter, rect, Qt::AlignCenter, kind == Kind::DeepHistory ? u"H*"_s : u"H"_s);
    } else if (kind == Kind::Choice) {
        setInk(painter, QPen(theme.statusCategoryLine(StatusCategory::Working), 1.5), theme.base);
        painter.drawPolygon(
            QPolygonF { QPointF(centre.x(), rect.top()), QPointF(rect.right(), centre.y()),
                QPointF(centre.x(), rect.bottom()), QPointF(rect.left(), centre.y()) });
    } else if (kind == Kind::Fork || kind == Kind::Join) {
        setInk(painter, Qt::NoPen, theme.text);
        painter.drawRoundedRect(rect, 2, 2);
    } else { // an entry or exit
        paintCircle(theme.line);
        if (kind == Kind::Exit) {
            const QRectF cross = rect.adjusted(4.2, 4.2, -4.2, -4.2);
            painter.drawLine(cross.topLeft(), cross.bottomRight());
            painter.drawLine(cross.topRight(), cross.bottomLeft());
        }
    }
}

/// Paints the name of an entry above the frame's border, that of an exit below.
void paintPointName(
    QPainter &painter, const ChartBox &box, const Theme &theme, const ChartFonts &fonts)
{
    const QRectF &rect = box.outline.rect;
    const double height = QFontMetricsF(fonts.quiet).height();
    const bool isExit = box.vertex == Vertex::Kind::Exit;
    painter.setFont(fonts.quiet);
    painter.setPen(theme.dimText);
    paintText(painter,
        QRectF(rect.right() + 3, isExit ? rect.bottom() - 4 : rect.top() + 4 - height,
            box.area.right() - rect.right(), height),
        Qt::AlignLeft | Qt::AlignVCenter, box.name.join(u' '));
}

void paintBox(QPainter &painter, const ChartBox &box, const BoxLook &look, const Theme &theme,
    const ChartFonts &fonts)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (box.isSymbol()) {
        paintSymbol(painter, *box.vertex, box.outline.rect, theme, fonts);
        if (box.vertex == Vertex::Kind::Entry || box.vertex == Vertex::Kind::Exit)
            paintPointName(painter, box, theme, fonts);
        if (look.isHovered || look.isSelected || look.isCurrent)
            paintRing(painter, box.outline.rect.adjusted(-3, -3, 3, 3), box.outline.radius + 3,
                theme.accent);
    } else if (box.kind == State::Kind::Initial)
        paintInitial(painter, box, look, theme, fonts);
    else if (box.isFrame())
        paintFrame(painter, box, look, theme, fonts);
    else
        paintState(painter, box, look, theme, fonts);
    if (look.isFocused)
        paintRing(
            painter, box.outline.rect.adjusted(-6, -6, 6, 6), box.outline.radius + 6, theme.text);
    painter.restore();
}

void paintArrow(
    QPainter &painter, const ChartArrow &arrow, const ArrowLook &look, const Theme &theme)
{
    const bool isLit = look.lit.contains(true);
    const bool isStrong = isLit || look.isSelected || look.hovered >= 0;
    // Transitions that can be fired have the accent colour; while editing, they are only darker.
    QColor colour = isLit && !look.isHeld ? theme.accent : isStrong ? theme.text : theme.line;
    if (!isStrong && (look.isFaded || arrow.link.isMinor()))
        colour = theme.dimLine;
    if (arrow.link.to == Link::Nowhere)
        colour = theme.warning;
    const Ink ink = inked(isStrong ? ChartStyle() : arrow.style, theme,
        { .fill = theme.window,
            .stroke = colour,
            .text = theme.text,
            .width = isStrong          ? 2.0
                : arrow.link.isMinor() ? 1.1
                                       : 1.4 });
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (look.isFaint)
        painter.setOpacity(faint);
    paintLine(painter, arrow.curve, ink.stroke, ink.width, ink.style);
    if (!arrow.dot.isNull())
        paintDot(painter, arrow, colour, theme);
    painter.restore();
}

/// Rectangle of one line of an arrow's label, wide enough for the text in these fonts.
QRectF lineRect(const ChartArrow &arrow, int line, const ChartFonts &fonts)
{
    QRectF rect = arrow.lineRect(line);
    const QFontMetricsF metrics(arrow.link.lines[line].isMinor ? fonts.quiet : fonts.label);
    for (const QString &text : arrow.texts[line]) {
        const double beyond = metrics.horizontalAdvance(text) + 10 - rect.width();
        rect.adjust(-std::max(beyond / 2, 0.0), 0, std::max(beyond / 2, 0.0), 0);
    }
    return rect;
}

void paintLabel(QPainter &painter, const ChartArrow &arrow, const ArrowLook &look,
    const Theme &theme, const ChartFonts &fonts)
{
    if (arrow.label.isEmpty() || look.hidesLabel)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    setInk(painter, Qt::NoPen, theme.window);
    painter.drawRoundedRect(arrow.label.adjusted(1, 0, -1, 0), 6, 6);
    const Ink ink = inked(
        arrow.style, theme, { .fill = theme.window, .stroke = theme.line, .text = theme.text });
    for (int i = 0; i < arrow.link.lines.size(); ++i) {
        const LinkLine &line = arrow.link.lines[i];
        const QRectF rect = lineRect(arrow, i, fonts);
        const QFont &font = line.isMinor ? fonts.quiet : fonts.label;
        const double height = rect.height() / double(arrow.texts[i].size()); // of a row
        const bool isLit = look.lit.value(i, false) && !look.isHeld;
        if (isLit || look.hovered == i) {
            QColor edge = theme.accent;
            edge.setAlphaF(isLit ? 0.75F : 0.35F);
            setInk(painter, QPen(edge, look.hovered == i && isLit ? 1.8 : 1), theme.accentFill);
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), height / 2 - 1, height / 2 - 1);
        }
        if (look.focused == i)
            paintRing(painter, rect.adjusted(-2, -2, 2, 2), 8, theme.text);
        painter.setFont(font);
        painter.setPen(arrow.link.to == Link::Nowhere ? theme.warning
                : isLit                               ? theme.accent
                : line.isMinor || look.isFaded        ? theme.dimText
                                                      : ink.text);
        QRectF row(rect.topLeft(), QSizeF(rect.width(), height));
        for (const QString &text : arrow.texts[i]) {
            paintText(painter, row, Qt::AlignCenter, text);
            row.translate(0, height);
        }
    }
    painter.restore();
}

void paintToken(QPainter &painter, const QPointF &centre, const Theme &theme)
{
    constexpr double radius = 7, glow = 15;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QRadialGradient gradient(centre, glow);
    QColor colour = theme.accent;
    colour.setAlphaF(0.45F);
    gradient.setColorAt(0.3, colour);
    colour.setAlphaF(0);
    gradient.setColorAt(1, colour);
    painter.setBrush(gradient);
    painter.drawEllipse(centre, glow, glow);
    setInk(painter, QPen(theme.base, 1.5), theme.accent);
    painter.drawEllipse(centre, radius, radius);
    painter.restore();
}

void paintNote(QPainter &painter, const QRectF &rect, const QStringList &lines, const Theme &theme,
    const ChartFonts &fonts)
{
    const QRectF paper = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    const QPointF corner = paper.topRight();
    setInk(painter, QPen(theme.statusCategoryLine(StatusCategory::Removing), 1),
        theme.statusCategoryFill(StatusCategory::Removing));
    painter.drawPolygon(QPolygonF { paper.topLeft(), corner - QPointF(noteFold, 0),
        corner + QPointF(0, noteFold), paper.bottomRight(), paper.bottomLeft() });
    painter.drawPolyline(QPolygonF { corner - QPointF(noteFold, 0),
        corner + QPointF(-noteFold, noteFold), corner + QPointF(0, noteFold) });
    const double height = QFontMetricsF(fonts.detail).height() * double(lines.size());
    painter.setFont(fonts.detail);
    painter.setPen(theme.statusCategoryText(StatusCategory::Removing));
    drawText(painter,
        QRectF(paper.left() + 10, paper.center().y() - height / 2, paper.width() - 16, height),
        Qt::AlignLeft, lines.join(u'\n'));
}

} // namespace

Ink inked(const ChartStyle &style, const Theme &theme, const Ink &usual)
{
    if (style == ChartStyle())
        return usual;
    const QColor fill = parsedColour(style.fill), stroke = parsedColour(style.stroke),
                 text = parsedColour(style.text);
    Ink ink = usual;
    if (fill.isValid()) // bright fills glare in the dark theme
        ink.fill =
            theme.isDark && contrast(fill, Qt::black) > 5 ? mixed(theme.base, fill, 0.4) : fill;
    ink.stroke = contrasting(stroke.isValid() ? stroke : usual.stroke, theme.window, lineContrast);
    ink.text = contrasting(text.isValid() ? text : usual.text, ink.fill, textContrast);
    if (style.dash != ChartStyle::Dash::None)
        ink.style = style.dash == ChartStyle::Dash::Dashed ? Qt::DashLine : Qt::DotLine;
    if (style.isBold)
        ink.width *= 2;
    return ink;
}

void paintLine(
    QPainter &painter, const Curve &curve, const QColor &colour, double width, Qt::PenStyle style)
{
    const double length = std::max(curve.length(), 1.0);
    const double tail = std::min(headLength * 0.7 / length, 0.9);
    setInk(painter, penOf(colour, width, style));
    painter.drawPath(pathOf(curve.part(0, 1 - tail)));

    const QPointF tip = curve.end();
    const QPointF along = unit(tip - curve.at(1 - std::min(headLength / length, 0.9)));
    const QPointF aside = leftOf(along) * (headWidth / 2);
    setInk(painter, Qt::NoPen, colour);
    painter.drawPolygon(QPolygonF { tip, tip - along * headLength + aside,
        tip - along * (headLength * 0.74), tip - along * headLength - aside });
}

QRectF paintedRect(const ChartBox &box)
{
    return box.area.adjusted(-24, -9, 24, 9);
}

QRectF paintedRect(const ChartArrow &arrow)
{
    return (pathOf(arrow.curve).controlPointRect() | arrow.dot | arrow.label)
        .adjusted(-12, -7, 12, 7);
}

QRectF labelRect(const ChartArrow &arrow, const ChartFonts &fonts)
{
    QRectF rect = arrow.label;
    for (int line = 0; line < arrow.texts.size() && !rect.isEmpty(); ++line)
        rect |= lineRect(arrow, line, fonts);
    return rect;
}

QPointF tokenCentre(const ChartBox &box, const ChartFonts &fonts)
{
    constexpr double reach = 6; // from the token's centre to the nearest text, at least
    if (box.isFrame() || box.isSymbol() || box.kind == State::Kind::Initial)
        return box.token;
    const QFontMetricsF name(box.isShownAsOther ? fonts.label : fonts.state),
        detail(box.isShownAsOther ? fonts.quiet : fonts.detail);
    double widest =
        detail.horizontalAdvance(box.note.isEmpty() ? countText(999) : box.note + u" · 999"_s);
    for (const QString &line : box.name)
        widest = std::max(widest, name.horizontalAdvance(line));
    return textLeft(box) + widest > box.token.x() - reach ? box.outline.rect.topRight() : box.token;
}

QRectF tokenRect(const QPointF &centre)
{
    return centred(centre, { 34, 34 });
}

void paintChart(QPainter &painter, const ChartLayout &layout, const Theme &theme,
    const ChartFonts &fonts, const ChartLooks &looks, const QRectF &exposed)
{
    const ChartFonts &shown = looks.fonts ? *looks.fonts : fonts;
    const auto isExposed = [&](const auto &part) {
        return exposed.isNull() || exposed.intersects(paintedRect(part));
    };
    const auto paintBoxes = [&](bool areFrames) {
        for (qsizetype i = 0; i < layout.boxes.size(); ++i) {
            const ChartBox &box = layout.boxes[i];
            const BoxLook look = looks.boxes.value(i, { .isOccupied = !box.vertex });
            if (box.isFrame() == areFrames && isExposed(box))
                paintBox(painter, box, look, theme, shown);
        }
    };
    const auto paintArrows = [&](const auto &paint) {
        for (const bool areLifted : { false, true }) {
            for (qsizetype i = 0; i < layout.arrows.size(); ++i) {
                const ArrowLook look = looks.arrows.value(i);
                if (look.isLifted() == areLifted && isExposed(layout.arrows[i]))
                    paint(layout.arrows[i], look);
            }
        }
    };
    const auto paintLabels = [&] {
        paintArrows([&](const ChartArrow &arrow, const ArrowLook &look) {
            paintLabel(painter, arrow, look, theme, shown);
        });
    };
    paintBoxes(true);
    QPen dashed(theme.line, 1.1);
    dashed.setDashPattern({ 4, 3 });
    for (const NoteBox &paper : layout.notes)
        painter.strokePath(pathOf(paper.line), dashed);
    paintArrows([&](const ChartArrow &arrow, const ArrowLook &look) {
        paintArrow(painter, arrow, look, theme);
    });
    if (!layout.labelsOnHover)
        paintLabels();
    paintBoxes(false);
    for (const NoteBox &paper : layout.notes)
        paintNote(painter, paper.rect, paper.lines, theme, fonts);
    if (layout.labelsOnHover) // these labels may overlap boxes, so they lie above
        paintLabels();
    if (looks.token)
        paintToken(painter, *looks.token, theme);
    painter.setFont(fonts.detail);
    painter.setPen(theme.text);
    if (!layout.remark.isEmpty())
        paintText(painter, layout.remarkArea, Qt::AlignLeft | Qt::AlignVCenter, layout.remark);
}

QString countText(qint64 count)
{
    if (count == 0)
        return QCoreApplication::translate("Chart", "none");
    if (count == 1)
        return QCoreApplication::translate("Chart", "1 resource");
    if (count >= 10'000)
        return QCoreApplication::translate("Chart", "%1 k resources")
            .arg(QLocale().toString(count / 1000));
    return QCoreApplication::translate("Chart", "%1 resources").arg(QLocale().toString(count));
}

QPainterPath pathOf(const Curve &curve)
{
    QPainterPath path(curve.begin());
    for (const Bezier &piece : curve.pieces)
        path.cubicTo(piece.points[1], piece.points[2], piece.points[3]);
    return path;
}

} // namespace instar
