// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"
#include "model/statecharts/statechart.h"
#include "views/drawing/chart.h"

namespace instar {

/// A vertex of a statechart where it is drawn.
struct PictureBox
{
    Vertex::Kind kind = Vertex::Kind::State;
    bool isFrame = false;  ///< others lie in it
    bool isRegion = false; ///< a frame without a border of its own
    QStringList name;      ///< in lines
    QStringList details;   ///< what is written below the name
    QRectF area;           ///< all that it covers
    Outline outline;       ///< where arrows end
    QRectF title;          ///< of a frame: its name and details
    Look look;             ///< as its file wishes it
    bool operator==(const PictureBox &) const = default;
};

struct PictureArrow
{
    Curve curve;
    QRectF label;      ///< around the lines and the note
    QStringList lines; ///< what is written at it
    QStringList note;  ///< on paper, below the lines
    Look look;
    bool operator==(const PictureArrow &) const = default;
};

struct PictureNote
{
    QRectF rect;
    Curve line; ///< to what it is about; empty: nothing
    QStringList lines;
    bool operator==(const PictureNote &) const = default;
};

/// A whole statechart as geometry, in points at zoom 1.
struct ChartPicture
{
    QString title;
    QList<PictureBox> boxes; ///< as the statechart's vertices
    QList<PictureArrow> arrows;
    QList<PictureNote> notes;
    QList<QLineF> separators; ///< between regions
    QString remark;           ///< why it is drawn simply; empty: it is not
    QRectF remarkArea;        ///< below the title, above everything else
    QRectF bounds;
    bool operator==(const ChartPicture &) const = default;
};

/// Of many arrows between the same two vertices one is drawn, with their number.
ChartPicture pictureOf(
    const Statechart &chart, const ChartFonts &fonts, const Budget &budget = drawingBudget());

} // namespace instar
