// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/paint.h"

#include <QGraphicsItem>

namespace instar {

/// What all items of one chart draw with; the view owns it.
struct ChartStyle
{
    ChartLayout layout;
    ChartFonts fonts;      ///< that it is laid out with
    ChartFonts shownFonts; ///< that it is painted with: small texts as large as they can be read
};

/// A state or frame.
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

/// The line of an arrow, or its label: labels lie above all lines.
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

/// A note.
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

/// The disc that stands for the selected resource.
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
