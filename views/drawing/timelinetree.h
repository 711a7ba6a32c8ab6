// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/timelinepicture.h"

namespace instar {

/// Paints the resource tree at the moment shown into `area` of the painter; `top`: y of the whole
/// picture at the area's upper edge.
void paintTimelineTree(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double top, const Theme &theme);

} // namespace instar
