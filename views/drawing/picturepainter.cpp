// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/picturepainter.h"

#include "views/drawing/paint.h"
#include "views/drawing/text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

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

namespace {

class PicturePainter
{
public:
    PicturePainter(
        QPainter &painter, const ChartPicture &picture, const Theme &theme, const ChartFonts &fonts)
        : m_painter(painter), m_picture(picture), m_theme(theme), m_fonts(fonts)
    {
        for (const PictureBox &box : picture.boxes) {
            if (box.isFrame && !box.isRegion)
                m_frames.push_back(&box);
        }
    }

    void paint()
    {
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing);
        paintTitle();
        paintRemark(m_painter, m_picture.remark, m_picture.remarkArea, m_theme, m_fonts);
        for (const PictureBox &box : m_picture.boxes) {
            if (box.isFrame)
                paintFrame(box);
        }
        paintSeparators();
        for (const PictureNote &note : m_picture.notes)
            paintNoteLine(m_painter, note.line, m_theme);
        for (const PictureArrow &arrow : m_picture.arrows)
            paintArrowLine(arrow);
        for (const PictureBox &box : m_picture.boxes) {
            if (box.isFrame)
                paintFrameTitle(box);
        }
        for (const PictureArrow &arrow : m_picture.arrows)
            paintArrowLabel(arrow);
        for (const PictureBox &box : m_picture.boxes) {
            if (!box.isFrame)
                paintVertex(box);
        }
        for (const PictureNote &note : m_picture.notes)
            paintPaper(m_painter, note.rect, note.lines, m_theme, m_fonts);
        m_painter.restore();
    }

private:
    void paintTitle()
    {
        if (m_picture.title.isEmpty())
            return;
        QFont font = m_fonts.title;
        font.setPixelSize(font.pixelSize() + 2);
        m_painter.setFont(font);
        m_painter.setPen(m_theme.text);
        drawText(m_painter,
            QRectF(m_picture.bounds.topLeft(), QSizeF(m_picture.bounds.width(), 26)),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, m_picture.title);
    }

    /// Lines one below the other, from a top edge; where the next one would begin.
    double paintLines(const QStringList &lines, const QFont &font, const QColor &colour,
        QRectF room, Qt::Alignment alignment)
    {
        const double height = QFontMetricsF(font).height();
        m_painter.setFont(font);
        m_painter.setPen(colour);
        for (const QString &line : lines) {
            room.setHeight(height);
            drawText(m_painter, room, int(alignment) | Qt::AlignVCenter | Qt::TextSingleLine, line);
            room.translate(0, height);
        }
        return room.top();
    }

    void paintFrame(const PictureBox &box)
    {
        if (box.isRegion)
            return;
        const SeenLook seen = frameLook(box);
        m_painter.setPen(penOf(seen));
        m_painter.setBrush(seen.fill);
        m_painter.drawRoundedRect(box.outline.rect.adjusted(0.5, 0.5, -0.5, -0.5),
            box.outline.radius, box.outline.radius);
    }

    void paintFrameTitle(const PictureBox &box)
    {
        const double top = paintLines(box.name, m_fonts.title, frameLook(box).text,
            box.title.adjusted(2, 0, 20, 0), Qt::AlignLeft);
        QRectF rest = box.title.adjusted(2, 0, 20, 0);
        rest.setTop(top);
        paintLines(
            box.details, m_fonts.detail, detailColour(box, frameLook(box)), rest, Qt::AlignLeft);
    }

    static QPen penOf(const SeenLook &seen)
    {
        QPen pen(seen.stroke, seen.width);
        if (seen.style != Qt::SolidLine) {
            pen.setCapStyle(Qt::FlatCap);
            pen.setDashPattern(seen.style == Qt::DashLine
                    ? QList<double> { 7 / seen.width, 5 / seen.width }
                    : QList<double> { 2 / seen.width, 4 / seen.width });
        }
        return pen;
    }

    SeenLook frameLook(const PictureBox &box) const
    {
        return seenBox(box.look, m_theme, m_theme.window,
            { .fill = mixed(m_theme.window, m_theme.base, 0.55),
                .stroke = m_theme.line,
                .text = m_theme.text,
                .width = 1.1 });
    }

    SeenLook stateLook(const PictureBox &box) const
    {
        return seenBox(box.look, m_theme, m_theme.window,
            { .fill = m_theme.base,
                .stroke = m_theme.statusCategoryLine(StatusCategory::Working),
                .text = m_theme.text });
    }

    /// What is written below a name: quieter, but on a colour of the file's.
    QColor detailColour(const PictureBox &box, const SeenLook &seen) const
    {
        return box.look.fill.isEmpty() && box.look.text.isEmpty() ? m_theme.dimText : seen.text;
    }

    /// What a text at an arrow stands on: the innermost frame around it.
    QColor groundOf(const QRectF &rect) const
    {
        for (size_t i = m_frames.size(); i-- > 0;) {
            if (m_frames[i]->area.contains(rect))
                return frameLook(*m_frames[i]).fill;
        }
        return m_theme.window;
    }

    void paintArrowLine(const PictureArrow &arrow)
    {
        const SeenLook seen = seenArrow(arrow.look, m_theme, m_theme.window);
        paintLine(m_painter, arrow.curve, seen.stroke, seen.width, seen.style);
    }

    void paintSeparators()
    {
        QPen pen(m_theme.line, 1.1);
        pen.setDashPattern({ 6, 4 });
        pen.setCapStyle(Qt::FlatCap);
        m_painter.setPen(pen);
        for (const QLineF &line : m_picture.separators)
            m_painter.drawLine(line);
    }

    void paintVertex(const PictureBox &box)
    {
        if (box.kind == Vertex::Kind::State || box.kind == Vertex::Kind::Parallel)
            paintState(box);
        else
            paintSymbol(m_painter, box.kind, box.outline.rect, m_theme, m_fonts);
        if (box.kind == Vertex::Kind::Entry || box.kind == Vertex::Kind::Exit)
            paintPointName(box);
    }

    void paintPointName(const PictureBox &box)
    {
        const QRectF &rect = box.outline.rect;
        const bool isExit = box.kind == Vertex::Kind::Exit;
        const double height = QFontMetricsF(m_fonts.quiet).height();
        const double top = isExit ? rect.bottom() - 4 : rect.top() + 4 - height;
        paintLines(box.name, m_fonts.quiet, m_theme.dimText,
            QRectF(rect.right() + 3, top, box.area.right() - rect.right(), height), Qt::AlignLeft);
    }

    void paintState(const PictureBox &box)
    {
        const QRectF &rect = box.outline.rect;
        const SeenLook seen = stateLook(box);
        m_painter.setPen(penOf(seen));
        m_painter.setBrush(seen.fill);
        m_painter.drawRoundedRect(
            rect.adjusted(0.75, 0.75, -0.75, -0.75), box.outline.radius, box.outline.radius);
        const double name = QFontMetricsF(m_fonts.state).height() * double(box.name.size());
        if (box.details.isEmpty()) {
            paintLines(box.name, m_fonts.state, seen.text,
                QRectF(rect.left(), rect.center().y() - name / 2, rect.width(), name),
                Qt::AlignHCenter);
            return;
        }
        double top = rect.top() + 8;
        if (!box.name.isEmpty()) {
            top = paintLines(box.name, m_fonts.state, seen.text,
                      QRectF(rect.left(), top, rect.width(), name), Qt::AlignHCenter)
                + 6;
            m_painter.setPen(QPen(seen.stroke, 1));
            m_painter.drawLine(QPointF(rect.left() + 1, top), QPointF(rect.right() - 1, top));
            top += 6;
        }
        paintLines(box.details, m_fonts.detail, detailColour(box, seen),
            QRectF(rect.left() + 16, top, rect.width() - 20, 10), Qt::AlignLeft);
    }

    void paintArrowLabel(const PictureArrow &arrow)
    {
        if (arrow.label.isEmpty())
            return;
        const QFontMetricsF metrics(m_fonts.label);
        const double height = metrics.height() * double(arrow.lines.size());
        QRectF text(arrow.label.left(), arrow.label.top() + 1, arrow.label.width(), height);
        if (!arrow.lines.isEmpty())
            paintGround(text);
        const SeenLook seen = seenArrow(arrow.look, m_theme, groundOf(text));
        paintLines(arrow.lines, m_fonts.label, seen.text, text, Qt::AlignHCenter);
        if (arrow.note.isEmpty())
            return;
        QRectF paper = arrow.label;
        paper.setTop(text.bottom() + 4);
        paintPaper(m_painter, paper, arrow.note, m_theme, m_fonts);
    }

    /// What is behind a text on a line: the innermost frame that it lies in.
    void paintGround(const QRectF &rect)
    {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(groundOf(rect));
        m_painter.drawRoundedRect(rect.adjusted(1, 0, -1, 0), 5, 5);
    }

    QPainter &m_painter;
    const ChartPicture &m_picture;
    const Theme &m_theme;
    const ChartFonts &m_fonts;
    std::vector<const PictureBox *> m_frames; ///< inner ones later
};

} // namespace

void paintPicture(
    QPainter &painter, const ChartPicture &picture, const Theme &theme, const ChartFonts &fonts)
{
    PicturePainter(painter, picture, theme, fonts).paint();
}

} // namespace instar
