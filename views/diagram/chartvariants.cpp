// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/chartvariants.h"

#include "views/drawing/paint.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The value of a free member, one string or several.
QStringList extraTexts(const QList<Extra> &extras, QStringView key)
{
    for (const Extra &extra : extras) {
        if (extra.key != key)
            continue;
        QStringList texts;
        const QJsonArray values =
            QJsonDocument::fromJson('[' + extra.json + ']').array(); // a string is no document
        for (const QJsonValue value : values) {
            if (value.isArray()) {
                const QJsonArray parts = value.toArray();
                for (const QJsonValue part : parts)
                    texts += part.toString();
            } else if (value.toBool(true)) {
                texts += value.toString();
            }
        }
        return texts;
    }
    return {};
}

bool isOwnReading(const Pack &pack, const QString &key)
{
    const auto source = std::ranges::find(pack.sourceList, key, &Source::id);
    return source != pack.sourceList.end() && !extraTexts(source->extras, u"x-ours").isEmpty();
}

/// The chart without some boxes and lines. What stays is where it was.
ChartLayout without(const ChartLayout &layout, const auto &boxGoes, const auto &lineGoes)
{
    ChartLayout kept { .machine = layout.machine, .boxes = {}, .arrows = {}, .bounds = {} };
    QList<int> place; // of each box among those that stay; -1: it goes
    QRectF bounds;
    for (const ChartBox &box : layout.boxes) {
        const bool goes = boxGoes(box) || (box.parent >= 0 && place[box.parent] < 0);
        place += goes ? -1 : int(kept.boxes.size());
        if (goes)
            continue;
        kept.boxes += box;
        kept.boxes.last().parent = box.parent < 0 ? -1 : place[box.parent];
        bounds |= box.area;
    }
    const auto stays = [&](Rules::StateId state) {
        return state == Link::Any || kept.boxOf(state) >= 0;
    };
    for (const ChartArrow &arrow : layout.arrows) {
        if (!stays(arrow.link.from) || !stays(arrow.link.to))
            continue;
        ChartArrow said = arrow;
        for (qsizetype i = said.link.lines.size() - 1; i >= 0; --i) {
            if (!lineGoes(said.link.lines[i]))
                continue;
            said.link.lines.removeAt(i);
            said.texts.removeAt(i);
        }
        if (said.link.lines.isEmpty())
            continue;
        const double height =
            arrow.label.height() * double(said.rowCount()) / double(arrow.rowCount());
        said.label.setTop(arrow.label.center().y() - height / 2);
        said.label.setHeight(height);
        kept.arrows += said;
        bounds |= pathOf(said.curve).boundingRect() | said.label | said.dot;
    }
    kept.papers = layout.papers;
    for (const ChartPaper &paper : layout.papers)
        bounds |= paper.rect;
    kept.bounds = bounds.toAlignedRect();
    return kept;
}

} // namespace

bool isOurs(const Pack &pack, const Machine &machine, const Row &row)
{
    const QStringList picture = extraTexts(machine.extras, u"x-picture");
    if (!picture.isEmpty())
        return std::ranges::none_of(
            row.sources, [&](const QString &key) { return picture.contains(key); });
    return !row.sources.isEmpty() && std::ranges::all_of(row.sources, [&](const QString &key) {
        return isOwnReading(pack, key);
    });
}

bool isOurs(const Rules &rules, int machine, const ChartBox &box)
{
    const Machine &rows = rules.pack().machines[machine];
    const State *row = rows.state(box.id);
    return row && isOurs(rules.pack(), rows, *row);
}

bool isOurs(const Rules &rules, int machine, const LinkLine &line)
{
    const Machine &rows = rules.pack().machines[machine];
    return std::ranges::all_of(
        line.rows, [&](int row) { return isOurs(rules.pack(), rows, rows.transitions[row]); });
}

bool isOurs(const Rules &rules, int machine, const Link &link)
{
    return std::ranges::all_of(
        link.lines, [&](const LinkLine &line) { return isOurs(rules, machine, line); });
}

ChartLayout withoutOurs(const Rules &rules, const ChartLayout &layout)
{
    return without(
        layout, [&](const ChartBox &box) { return isOurs(rules, layout.machine, box); },
        [&](const LinkLine &line) { return isOurs(rules, layout.machine, line); });
}

ChartLayout asDrafted(const ChartLayout &layout, const Machine &draft)
{
    const auto goes = [&](const ChartBox &box) { return !draft.state(box.id); };
    ChartLayout drafted = std::ranges::none_of(layout.boxes, goes)
        ? layout
        : without(layout, goes, [](const LinkLine &) { return false; });
    for (ChartBox &box : drafted.boxes) {
        if (draft.state(box.id)->kind != State::Kind::Composite || box.isFrame())
            continue;
        box.kind = State::Kind::Composite;
        box.outline.radius = 16;
    }
    return drafted;
}

} // namespace instar
