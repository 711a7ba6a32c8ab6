// SPDX-License-Identifier: Apache-2.0
#include "model/layout/notes.h"

#include "model/layout/freerouting.h"

#include <algorithm>

namespace instar {

namespace {

constexpr double gapToNote = 24; ///< from the note's node
constexpr double noteClearance = 6;

QRectF centredNote(const QPointF &centre, const QSizeF &size)
{
    return { centre - QPointF(size.width(), size.height()) / 2, size };
}

QPointF directionOf(LayoutNote::Side side)
{
    switch (side) {
    case LayoutNote::Side::Left:
        return { -1, 0 };
    case LayoutNote::Side::Top:
        return { 0, -1 };
    case LayoutNote::Side::Bottom:
        return { 0, 1 };
    case LayoutNote::Side::Any:
    case LayoutNote::Side::Right:
        break;
    }
    return { 1, 0 };
}

/// Returns true if a note overlaps no box and no other note there, and is not half in a frame.
bool isFree(const LayoutInput &input, const Layout &layout, const QRectF &rect, int of)
{
    const QRectF room = rect.adjusted(-noteClearance, -noteClearance, noteClearance, noteClearance);
    const QList<int> frames = framesAround(input, of);
    for (int i = 0; i < input.nodes.size(); ++i) {
        const QRectF inside = layout.areas[i].adjusted(0, input.nodes[i].size.height(), 0, 0);
        if (room.intersects(layout.areas[i]) && !(frames.contains(i) && inside.contains(room)))
            return false;
    }
    return std::ranges::none_of(
        layout.notes, [&](const PlacedNote &other) { return room.intersects(other.rect); });
}

} // namespace

void placeNotes(const LayoutInput &input, Layout &layout, std::optional<double> scale)
{
    QRectF all;
    for (const QRectF &area : std::as_const(layout.areas))
        all |= area;
    for (const LayoutNote &note : input.notes) {
        PlacedNote placed;
        const QRectF beside = note.of >= 0 ? layout.areas[note.of] : all;
        const QPointF out = directionOf(note.side);
        const double x = beside.width() / 2 + note.size.width() / 2 + gapToNote;
        const double y = beside.height() / 2 + note.size.height() / 2 + gapToNote;
        // Tries places further and further out; beyond everything there is room.
        if (note.position && scale)
            placed.rect = centredNote(*note.position * *scale, note.size);
        for (int step = 0; placed.rect.isNull(); ++step) {
            const QPointF away(out.x() * (x + 12 * step), out.y() * (y + 12 * step));
            const QRectF rect = centredNote(beside.center() + away, note.size);
            if (isFree(input, layout, rect, note.of))
                placed.rect = rect;
        }
        if (note.of >= 0 && !placed.rect.intersects(layout.areas[note.of])) {
            const Outline box = layout.outline(input, note.of), paper { placed.rect, 0 };
            const QPointF between = placed.rect.center() - box.rect.center();
            placed.line = { { straight(paper.border(-between), box.border(between)) } };
        }
        layout.notes += placed;
    }
}

} // namespace instar
