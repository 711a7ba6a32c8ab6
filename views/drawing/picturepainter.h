// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/picture.h"

class QPainter;

namespace instar {

void paintPicture(
    QPainter &painter, const ChartPicture &picture, const Theme &theme, const ChartFonts &fonts);

} // namespace instar
