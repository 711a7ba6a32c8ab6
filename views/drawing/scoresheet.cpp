// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/scoresheet.h"

#include <algorithm>

namespace instar {

namespace {

constexpr double highestScore = 12'000; ///< of all rows
constexpr double levelWidth = 120, mostBlocksWidth = 480, usualRowHeight = 26;

} // namespace

ScoreSheet::ScoreSheet(const Simulator &simulator, double width)
    : ScoreSheet(simulator, simulator.world(), scoreOf(simulator), width)
{ }

ScoreSheet::ScoreSheet(const Controller &controller, World then, Score score, double width)
    : rules(controller.rules()), world(std::move(then))
{
    const auto *simulator = qobject_cast<const Simulator *>(&controller);
    picture.isRemote = !controller.isOurs();
    blocks = std::min(mostBlocksWidth, levelWidth * score.levels());
    picture.setRules(rules);
    picture.lines =
        std::make_shared<ScoreLines>(score, QSet<Score::Row> {}, ScoreLines::Shows::Everything);
    picture.rests = std::make_shared<std::vector<ScoreRest>>(failedRests(score));
    picture.score = std::make_shared<Score>(std::move(score));
    show(simulator ? simulator->moment() : picture.score->moments(), world, world.now);
    picture.showsCursor = picture.now < picture.end();
    const qint64 end = picture.end() - picture.score->begin();
    picture.scale = { .rowHeight = std::clamp(
                          highestScore / double(std::max<qsizetype>(1, picture.lines->count())),
                          1.0, usualRowHeight),
        .pixelsPerMs = width / double(std::max<qint64>(1, end)),
        .begin = picture.score->begin() };
}

void ScoreSheet::show(qsizetype moment, World then, qint64 now)
{
    world = std::move(then);
    picture.world = &world;
    picture.now = now;
    picture.due.clear();
    for (const auto &running : world.running)
        picture.due.insert(running->serial, running->due);
    picture.score->show(moment);
}

} // namespace instar
