// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/chartdirection.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct Lines
{
    QLatin1StringView notation, down, right;
};

constexpr Lines directions[] = {
    { QLatin1StringView("plantuml"), QLatin1StringView("top to bottom direction"),
        QLatin1StringView("left to right direction") },
    { QLatin1StringView("mermaid"), QLatin1StringView("direction TB"),
        QLatin1StringView("direction LR") },
};

ChartDirection directionOf(const Statechart &chart, const QString &notation)
{
    const QString settings = chart.particulars.value(notation + u".settings"_s);
    ChartDirection latest = ChartDirection::Unsaid;
    for (const QStringView line : QStringView(settings).split(u'\n'))
        if (const ChartDirection said = directionIn(notation, line.toString());
            said != ChartDirection::Unsaid)
            latest = said;
    return latest;
}

} // namespace

ChartDirection directionIn(const QString &notation, const QString &line)
{
    for (const Lines &each : directions) {
        if (each.notation != notation)
            continue;
        const QString words = line.simplified();
        if (words.compare(each.right, Qt::CaseInsensitive) == 0)
            return ChartDirection::Right;
        if (words.compare(each.down, Qt::CaseInsensitive) == 0)
            return ChartDirection::Down;
    }
    return ChartDirection::Unsaid;
}

ChartDirection directionOf(const Statechart &chart)
{
    for (const Lines &each : directions)
        if (const ChartDirection said = directionOf(chart, each.notation);
            said != ChartDirection::Unsaid)
            return said;
    return ChartDirection::Unsaid;
}

QString foreignDirection(const Statechart &chart, const QString &notation)
{
    const ChartDirection said = directionOf(chart);
    if (said == ChartDirection::Unsaid || directionOf(chart, notation) != ChartDirection::Unsaid)
        return {};
    for (const Lines &each : directions)
        if (each.notation == notation)
            return said == ChartDirection::Right ? each.right : each.down;
    return {};
}

} // namespace instar
