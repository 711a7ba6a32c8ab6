// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/machinefile.h"

namespace instar {

// Saving a document in the notation of its file: as a pack, or as statecharts.

/// True if the suffix of a file's name belongs to a statechart notation.
bool hasChartSuffix(const QString &file);
/// True if two files have the same notation, by their names.
bool haveSameNotation(const QString &file, const QString &other);
/// Reads a pack from the text of a file in any notation.
Result<Pack> packFromText(const QByteArray &text, const QString &file);

/// Text of a file, and the losses of writing a pack in its notation, a line each.
struct FileText
{
    QByteArray text;
    QStringList losses;
    bool isWritten = true; ///< false: the pack cannot be written; the loss says why
};
/// Origin of the states' positions: the window's layout, or the user.
enum class Positions { AsDrawn, Chosen };
/// Returns the text of a file after an edit from `was`, which is the meaning of `text`, to `now`.
/// Keeps untouched lines and the byte order mark if the result still means `now`. An empty text is
/// written anew, with all positions. A text without positions gets none that are only AsDrawn.
FileText fileText(const QByteArray &text, const Pack &was, const Pack &now, const QString &file,
    Positions positions = Positions::AsDrawn);

} // namespace instar
