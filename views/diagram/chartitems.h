// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/paint.h"

#include <QGraphicsItem>

namespace instar {

/// Layout and fonts that the items of one chart share; the view owns it.
struct ChartStyle
{
    ChartLayout layout;
    ChartFonts fonts;      ///< of the layout
    ChartFonts shownFonts; ///< for painting: small texts are enlarged to be legible
};

/// Item of a state or frame.
class BoxItem : public QGraphicsItem
{
public:
    BoxItem(const ChartStyle &style, int index);
    void sync(const BoxLook &look);
    const BoxLook &look() const { return m_look; }
    QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    const ChartStyle &m_style;
    int m_index;
    BoxLook m_look;
};

/// Item of an arrow's line or of its label: labels lie above all lines.
class ArrowItem : public QGraphicsItem
{
public:
    enum class Part { Line, Label };
    ArrowItem(const ChartStyle &style, int index, Part part);
    void sync(const ArrowLook &look);
    const ArrowLook &look() const { return m_look; }
    QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    double layer() const;

    const ChartStyle &m_style;
    int m_index;
    Part m_part;
    ArrowLook m_look;
};

/// Item of a note.
class PaperItem : public QGraphicsItem
{
public:
    PaperItem(const ChartStyle &style, int index);
    QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    const ChartStyle &m_style;
    int m_index;
};

/// Disc that marks the selected resource.
class TokenItem : public QGraphicsItem
{
public:
    explicit TokenItem(const ChartStyle &style);
    QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    const ChartStyle &m_style;
};

} // namespace instar
