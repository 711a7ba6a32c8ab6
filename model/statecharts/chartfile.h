// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/machinefile.h"

namespace instar {

// Documents that are written in the notation that their file has: a pack, or statecharts.

/// Whether a file of that name is written as statecharts.
bool isChartFile(const QString &file);
/// Whether what is in the one file could be in the other as it stands.
bool haveSameNotation(const QString &file, const QString &other);
/// The pack in the text of a file, whichever its notation is.
Result<Pack> packFromText(const QByteArray &text, const QString &file);

/// What a file will hold, and what of the pack it cannot hold, a line each.
struct FileText
{
    QByteArray text;
    QStringList losses;
    bool isWritten = true; ///< false: nothing of it can be; the loss is why
};
/// Where states lie: as the window drew them first, or where somebody moved them.
enum class Positions { AsDrawn, Chosen };
/// `text` reads as `was`; what was not touched keeps its lines, and the file its byte order mark,
/// as far as the whole still reads as it should. An empty text is written anew. Places as drawn are
/// written only where the text has places already.
FileText fileText(const QByteArray &text, const Pack &was, const Pack &now, const QString &file,
    Positions places = Positions::AsDrawn);

} // namespace instar
