// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/timelinesheet.h"

#include <algorithm>

namespace instar {

namespace {

constexpr double highestTimeline = 12'000; ///< of all rows
constexpr double levelWidth = 120, mostBlocksWidth = 480, usualRowHeight = 26;

} // namespace

TimelineSheet::TimelineSheet(const Simulator &simulator, double width)
    : TimelineSheet(simulator, simulator.world(), timelineOf(simulator), width)
{ }

TimelineSheet::TimelineSheet(
    const Controller &controller, World then, Timeline timeline, double width)
    : rules(controller.rules()), world(std::move(then))
{
    const auto *simulator = qobject_cast<const Simulator *>(&controller);
    picture.isRemote = !controller.isOurs();
    blocks = std::min(mostBlocksWidth, levelWidth * timeline.levels());
    picture.setRules(rules);
    picture.lines = std::make_shared<TimelineLines>(
        timeline, QSet<Timeline::Row> {}, TimelineLines::Shows::Everything);
    picture.rests = std::make_shared<std::vector<TimelineRest>>(failedRests(timeline));
    picture.timeline = std::make_shared<Timeline>(std::move(timeline));
    show(simulator ? simulator->moment() : picture.timeline->moments(), world, world.now);
    picture.showsCursor = picture.now < picture.end();
    const qint64 end = picture.end() - picture.timeline->begin();
    picture.scale = { .rowHeight = std::clamp(
                          highestTimeline / double(std::max<qsizetype>(1, picture.lines->count())),
                          1.0, usualRowHeight),
        .pixelsPerMs = width / double(std::max<qint64>(1, end)),
        .begin = picture.timeline->begin() };
}

void TimelineSheet::show(qsizetype moment, World then, qint64 now)
{
    world = std::move(then);
    picture.world = &world;
    picture.now = now;
    picture.due.clear();
    for (const auto &running : world.running)
        picture.due.insert(running->serial, running->due);
    picture.timeline->show(moment);
}

} // namespace instar
