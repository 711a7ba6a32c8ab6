// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QString>

class QAbstractItemView;
class QDialogButtonBox;
class QPushButton;
class QWidget;
#include <functional>

namespace instar {

/// Distances between controls, in device-independent pixels: a grid of four.
namespace gap {
inline constexpr int small = 4, normal = 8, large = 16;
}

/// Whether what changes is seen to move.
enum class Motion { Full, Reduced };

/// What the palette cannot say: frames, spacing and the few controls that differ from the
/// platform's.
QString styleSheet(const Theme &theme);

/// The button that accepts a dialog, as the one that Return presses.
QPushButton *addAccept(QDialogButtonBox *buttons, const QString &text);
/// Fields are called what their labels say, where they have no other accessible name.
void nameFields(const QWidget &form);

/// A sentence in the middle of a view as long as it has no rows; asked for when the rows go.
void showWhenEmpty(QAbstractItemView *view, const std::function<QString()> &sentence);
void showWhenEmpty(QAbstractItemView *view, const QString &sentence);

/// Rows may be selected and read, and Ctrl+C copies what `role` says of each, a line per row;
/// above several rows what the model's header says for that role.
void makeRowsCopyable(QAbstractItemView *view, int role);
void copyRows(const QAbstractItemView *view, int role);

} // namespace instar
