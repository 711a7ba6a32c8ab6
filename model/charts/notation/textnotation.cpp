// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/textnotation.h"

using namespace Qt::StringLiterals;

namespace instar {

QStringList shownLines(const QStringList &written, const TextNotation &notation)
{
    QStringList shown;
    for (const QString &line : written)
        shown += notation.shown(line).split(u'\n');
    return shown;
}

QStringList keptLines(const QString &kept, const QStringList &shown, const TextNotation &notation)
{
    const QStringList written = kept.split(u'\n');
    const bool isSame = !kept.isEmpty() && shownLines(written, notation) == shown;
    return isSame ? written : QStringList();
}

} // namespace instar
