// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/chartitems.h"

#include "views/drawing/paint.h"
#include "views/look.h"

#include <QPainter>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

// From below to above.
constexpr double frameLayer = 0, lineLayer = 1, labelLayer = 2, boxLayer = 3, hoverLayer = 4,
                 tokenLayer = 5;

} // namespace

BoxItem::BoxItem(const ChartStyle &style, int index) : m_style(style), m_index(index)
{
    setZValue(style.layout.boxes[index].isFrame() ? frameLayer : boxLayer);
}

void BoxItem::sync(const BoxLook &look)
{
    if (look == m_look)
        return;
    m_look = look;
    update();
}

QRectF BoxItem::boundingRect() const
{
    return m_style.layout.boxes[m_index].area.adjusted(-24, -9, 24, 9);
}

void BoxItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    paintBox(*painter, m_style.layout.boxes[m_index], m_look, theme(), m_style.shownFonts);
}

ArrowItem::ArrowItem(const ChartStyle &style, int index, Part part)
    : m_style(style), m_index(index), m_part(part)
{
    setZValue(layer());
}

/// Z value: labels shown on hover lie above boxes, because they have no room beside them.
double ArrowItem::layer() const
{
    return m_part == Part::Line        ? lineLayer
        : m_style.layout.labelsOnHover ? hoverLayer
                                       : labelLayer;
}

void ArrowItem::sync(const ArrowLook &look)
{
    if (look == m_look)
        return;
    m_look = look;
    // Lit arrows lie above others.
    const double lift = look.lit.contains(true) || look.hovered >= 0 ? 0.5 : 0;
    setZValue(layer() + lift);
    update();
}

QRectF ArrowItem::boundingRect() const
{
    const ChartArrow &arrow = m_style.layout.arrows[m_index];
    if (m_part == Part::Label)
        return arrow.label.adjusted(-12, -5, 12, 5);
    return (pathOf(arrow.curve).controlPointRect() | arrow.dot).adjusted(-7, -7, 7, 7);
}

void ArrowItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    const ChartArrow &arrow = m_style.layout.arrows[m_index];
    if (m_part == Part::Line)
        paintArrow(*painter, arrow, m_look, theme());
    else
        paintLabel(*painter, arrow, m_look, theme(), m_style.shownFonts);
}

PaperItem::PaperItem(const ChartStyle &style, int index) : m_style(style), m_index(index)
{
    setZValue(boxLayer);
}

QRectF PaperItem::boundingRect() const
{
    const NoteBox &paper = m_style.layout.papers[m_index];
    QRectF rect = paper.rect;
    if (!paper.line.isEmpty())
        rect |= QRectF(paper.line.begin(), paper.line.end()).normalized();
    return rect.adjusted(-2, -2, 2, 2);
}

void PaperItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    const NoteBox &paper = m_style.layout.papers[m_index];
    paintNoteLine(*painter, paper.line, theme());
    paintPaper(*painter, paper.rect, paper.lines, theme(), m_style.fonts);
}

TokenItem::TokenItem(const ChartStyle &style) : m_style(style)
{
    setZValue(tokenLayer);
}

QRectF TokenItem::boundingRect() const
{
    return { -17, -17, 34, 34 };
}

void TokenItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    paintToken(*painter, {}, theme());
}

} // namespace instar
