// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/machinefile.h"

namespace instar {

// Writes a pack in the notation of its file: as JSON, or as statecharts.

/// True if a file has the suffix of a statechart notation.
bool hasChartSuffix(const QString &file);
/// True if the suffixes of two files stand for the same notation.
bool haveSameNotation(const QString &file, const QString &other);
/// Reads a pack from the text of a file; the suffix gives the notation.
Result<Pack> packFromText(const QByteArray &text, const QString &file);

/// Text of a file in its notation, and the parts of the pack that the notation could not express.
struct FileText
{
    QByteArray text;
    QStringList losses;    ///< one line each
    bool isWritten = true; ///< false: the pack cannot be written; the loss says why
};
/// Origin of the states' positions: the automatic layout, or the user.
enum class Positions { AsDrawn, Chosen };
/// Returns the text of a file after an edit. `text` is the text before the edit, and `oldPack` its
/// pack. Keeps the byte order mark of a statechart, and every line that the edit did not change, if
/// the result can be read as `newPack`; else rewrites the whole text, and says so in the losses. If
/// `text` is empty, writes a new text with all positions. If `text` has no positions, adds only
/// positions that the user chose.
FileText fileText(const QByteArray &text, const Pack &oldPack, const Pack &newPack,
    const QString &file, Positions positions = Positions::AsDrawn);

} // namespace instar
