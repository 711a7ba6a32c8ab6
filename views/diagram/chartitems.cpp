// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/chartitems.h"

#include "views/drawing/paint.h"
#include "views/drawing/text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

// From below to above.
constexpr double frameLayer = 0, lineLayer = 1, labelLayer = 2, boxLayer = 3, tokenLayer = 4,
                 bubbleLayer = 5;

constexpr double bubbleWidth = 300, bubblePadding = 10;

/// Where something stands that belongs beside a rectangle, within limits: of the places below,
/// above, right and left of it, each pushed along that side, the first one that covers least.
QRectF placed(const QSizeF &size, const QRectF &beside, const QRectF &limits,
    const QList<BubbleItem::Spared> &spared)
{
    const QPointF middle(
        beside.center().x() - size.width() / 2, beside.center().y() - size.height() / 2);
    QList<QPointF> places;
    for (const double away : { 8, 40, 80 }) {
        const double below = beside.bottom() + away, above = beside.top() - away - size.height();
        const double right = beside.right() + away, left = beside.left() - away - size.width();
        for (const double y : { below, above }) {
            for (const double x :
                { middle.x(), beside.left(), beside.right() - size.width(), right, left })
                places += QPointF(x, y);
        }
        for (const double x : { right, left }) {
            for (const double y : { middle.y(), beside.top(), beside.bottom() - size.height() })
                places += QPointF(x, y);
        }
    }
    QRectF best;
    double least = std::numeric_limits<double>::max();
    for (const QPointF &place : std::as_const(places)) {
        QRectF rect(place, size);
        rect.moveLeft(
            std::max(limits.left(), std::min(rect.left(), limits.right() - size.width())));
        rect.moveTop(std::max(limits.top(), std::min(rect.top(), limits.bottom() - size.height())));
        double covered = 0;
        for (const BubbleItem::Spared &other : spared) {
            const QRectF both = rect & other.rect;
            covered += both.width() * both.height() * other.worth;
        }
        if (covered < least - 1) {
            least = covered;
            best = rect;
        }
    }
    return best;
}

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
    paintBox(*painter, m_style.layout.boxes[m_index], m_look, m_style.theme, m_style.fonts);
}

ArrowItem::ArrowItem(const ChartStyle &style, int index, Part part)
    : m_style(style), m_index(index), m_part(part)
{
    setZValue(part == Part::Line ? lineLayer : labelLayer);
}

void ArrowItem::sync(const ArrowLook &look)
{
    if (look == m_look)
        return;
    m_look = look;
    // What is lit lies above what is not.
    const double lift = look.lit.contains(true) || look.hovered >= 0 ? 0.5 : 0;
    setZValue((m_part == Part::Line ? lineLayer : labelLayer) + lift);
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
        paintArrow(*painter, arrow, m_look, m_style.theme);
    else
        paintLabel(*painter, arrow, m_look, m_style.theme, m_style.fonts);
}

PaperItem::PaperItem(const ChartStyle &style, int index) : m_style(style), m_index(index)
{
    setZValue(boxLayer);
}

QRectF PaperItem::boundingRect() const
{
    const ChartPaper &paper = m_style.layout.papers[m_index];
    QRectF rect = paper.rect;
    if (!paper.line.isEmpty())
        rect |= QRectF(paper.line.begin(), paper.line.end()).normalized();
    return rect.adjusted(-2, -2, 2, 2);
}

void PaperItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    const ChartPaper &paper = m_style.layout.papers[m_index];
    paintNoteLine(*painter, paper.line, m_style.theme);
    paintPaper(*painter, paper.rect, paper.lines, m_style.theme, m_style.fonts);
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
    paintToken(*painter, {}, m_style.theme);
}

BubbleItem::BubbleItem(const ChartStyle &style) : m_style(style)
{
    setZValue(bubbleLayer);
    hide();
}

void BubbleItem::say(const QString &text, const QString &rule, const QRectF &beside,
    const QRectF &room, const QList<Spared> &spared)
{
    prepareGeometryChange();
    m_text = text;
    m_rule = rule;
    const QRectF within(0, 0, bubbleWidth - 2 * bubblePadding, 1000);
    const double first =
        QFontMetricsF(m_style.fonts.detail).boundingRect(within, Qt::TextWordWrap, m_text).height();
    const double second = rule.isEmpty()
        ? 0
        : QFontMetricsF(m_style.fonts.quiet).boundingRect(within, Qt::TextWordWrap, m_rule).height()
            + 4;
    const QSizeF size(bubbleWidth, std::ceil(first + second) + 2 * bubblePadding);
    m_rect = placed(size, beside, room.adjusted(8, 8, -8, -8), spared);
    show();
    update();
}

QRectF BubbleItem::boundingRect() const
{
    return m_rect.adjusted(-4, -4, 4, 6);
}

void BubbleItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(QColor(0, 0, 0, 30));
    painter->drawRoundedRect(m_rect.translated(0, 2), 9, 9);
    painter->setPen(QPen(m_style.theme.statusCategoryLine(StatusCategory::Failed), 1));
    painter->setBrush(m_style.theme.warningFill);
    painter->drawRoundedRect(m_rect, 9, 9);
    const QRectF inner =
        m_rect.adjusted(bubblePadding, bubblePadding, -bubblePadding, -bubblePadding);
    painter->setPen(m_style.theme.warning);
    painter->setFont(m_style.fonts.detail);
    QRectF used;
    drawText(*painter, inner, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_text, &used);
    painter->setFont(m_style.fonts.quiet);
    painter->setPen(m_style.theme.statusCategoryText(StatusCategory::Failed));
    drawText(*painter, inner.adjusted(0, used.height() + 4, 0, 0),
        Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_rule);
    painter->restore();
}

} // namespace instar
