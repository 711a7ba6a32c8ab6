// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QSizeF>

#include <functional>

class QPainter;

namespace instar {

/// Something that can be painted: how large it is, in points, and what paints it.
struct Drawing
{
    QSizeF size;
    std::function<void(QPainter &)> paint;
};

/// A drawing as the name of a file says: PNG with two pixels a point, SVG or PDF. The error says
/// which formats there are.
Result<QByteArray> drawn(const Drawing &drawing, const QString &file);

} // namespace instar
