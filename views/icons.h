// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace instar {

/// A line icon of resources/icons in the colour of the application's text, whatever the palette
/// becomes later. Unknown names give the icon of ordinary things.
QIcon icon(const QString &name);

/// The same in a colour of one's own, `size` device-independent pixels square.
QPixmap tinted(const QString &name, const QColor &colour, int size, double pixelRatio);

} // namespace instar
