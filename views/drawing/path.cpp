// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/path.h"

namespace instar {

QPainterPath pathOf(const Curve &curve)
{
    QPainterPath path(curve.begin());
    for (const Bezier &piece : curve.pieces)
        path.cubicTo(piece.points[1], piece.points[2], piece.points[3]);
    return path;
}

} // namespace instar
