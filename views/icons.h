// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace instar {

/// Line icon of resources/icons in the text colour, which follows the palette. An unknown name
/// gives the default icon.
QIcon icon(const QString &name);

/// Pixmap of such an icon in a colour, `size` device-independent pixels square.
QPixmap tinted(const QString &name, const QColor &colour, int size, double pixelRatio);

} // namespace instar
