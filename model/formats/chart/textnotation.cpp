// SPDX-License-Identifier: Apache-2.0
#include "model/formats/chart/textnotation.h"

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

QMap<QString, int> foreignParticulars(const Statechart &chart, const TextNotation &notation)
{
    QMap<QString, int> found;
    const auto count = [&](const Particulars &particulars) {
        for (auto it = particulars.constBegin(); it != particulars.constEnd(); ++it)
            if (!it.key().startsWith(notation.key({})) && it.key() != u"note.in"_s)
                ++found[it.key()];
    };
    count(chart.particulars);
    for (const Vertex &each : chart.vertices)
        count(each.particulars);
    for (const Arc &each : chart.arcs)
        count(each.particulars);
    for (const Note &each : chart.notes)
        count(each.particulars);
    return found;
}

} // namespace instar
