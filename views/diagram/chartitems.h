// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/paint.h"

#include <QGraphicsItem>

namespace instar {

/// What all items of one chart draw with; the view owns it.
struct ChartStyle
{
    ChartLayout layout;
    ChartFonts fonts;
    Theme theme;
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

/// A refusal, said beside what was refused.
class BubbleItem : public QGraphicsItem
{
public:
    struct Spared
    {
        QRectF rect;
        double worth = 1; ///< what is worth twice as much is covered half as readily
    };
    explicit BubbleItem(const ChartStyle &style);
    /// Beside a rectangle, below it if that may be: where it covers as little as possible of what
    /// is spared. `room`: what is seen, which it stays in.
    void say(const QString &text, const QString &rule, const QRectF &beside, const QRectF &room,
        const QList<Spared> &spared);
    const QRectF &rect() const { return m_rect; }
    const QString &text() const { return m_text; }
    const QString &rule() const { return m_rule; }
    QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    const ChartStyle &m_style;
    QString m_text, m_rule;
    QRectF m_rect;
};

} // namespace instar
