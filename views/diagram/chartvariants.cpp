// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/chartvariants.h"

#include "views/drawing/paint.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Strings of an extra member ("x-..."): a string or a list; `true` counts as one empty string.
QStringList extraTexts(const QList<Extra> &extras, QStringView key)
{
    for (const Extra &extra : extras) {
        if (extra.key != key)
            continue;
        QStringList texts;
        const QJsonArray values =
            QJsonDocument::fromJson('[' + extra.json + ']').array(); // it parses no bare string
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

} // namespace

bool isAuthorsReading(const Pack &pack, const Machine &machine, const Row &row)
{
    const QStringList picture = extraTexts(machine.extras, u"x-picture");
    if (!picture.isEmpty())
        return std::ranges::none_of(
            row.sources, [&](const QString &key) { return picture.contains(key); });
    return !row.sources.isEmpty() && std::ranges::all_of(row.sources, [&](const QString &key) {
        return isOwnReading(pack, key);
    });
}

bool isAuthorsReading(const Rules &rules, int machine, const ChartBox &box)
{
    const Machine &rows = rules.pack().machines[machine];
    const State *row = rows.state(box.id);
    return row && isAuthorsReading(rules.pack(), rows, *row);
}

bool isAuthorsReading(const Rules &rules, int machine, const Link &link)
{
    const Machine &rows = rules.pack().machines[machine];
    return std::ranges::all_of(link.lines, [&](const LinkLine &line) {
        return std::ranges::all_of(line.rows,
            [&](int row) { return isAuthorsReading(rules.pack(), rows, rows.transitions[row]); });
    });
}

ChartLayout asDrafted(const ChartLayout &layout, const Machine &draft)
{
    ChartLayout drafted { .machine = layout.machine, .papers = layout.papers };
    QList<int> place; // new index of each box; -1: removed
    QRectF bounds;
    for (const ChartBox &box : layout.boxes) {
        const State *row = draft.state(box.id);
        const bool goes = !row || (box.parent >= 0 && place[box.parent] < 0);
        place += goes ? -1 : int(drafted.boxes.size());
        if (goes)
            continue;
        ChartBox &kept = drafted.boxes.emplaceBack(box);
        kept.parent = box.parent < 0 ? -1 : place[box.parent];
        bounds |= box.area;
        if (row->kind == State::Kind::Composite && !box.isFrame()) {
            kept.kind = State::Kind::Composite;
            kept.outline.radius = 16;
        }
    }
    if (drafted.boxes.size() == layout.boxes.size()) {
        ChartLayout whole = layout;
        whole.boxes = drafted.boxes;
        return whole;
    }
    const auto stays = [&](Rules::StateId state) {
        return state == Link::Any || drafted.boxOf(state) >= 0;
    };
    for (const ChartArrow &arrow : layout.arrows) {
        if (!stays(arrow.link.from) || !stays(arrow.link.to))
            continue;
        drafted.arrows += arrow;
        bounds |= pathOf(arrow.curve).boundingRect() | arrow.label | arrow.dot;
    }
    for (const NoteBox &paper : layout.papers)
        bounds |= paper.rect;
    drafted.bounds = bounds.toAlignedRect();
    return drafted;
}

} // namespace instar
