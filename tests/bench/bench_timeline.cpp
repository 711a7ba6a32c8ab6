// SPDX-License-Identifier: Apache-2.0
// A frame of the timeline while everything is recoloured, beside a scene with one item a resource,
// in one run; building the timeline of a long run; and steps back beside a history that keeps every
// world whole. Offscreen raster, 1280x800.
#include "model/engine/simulator.h"
#include "model/engine/timeline.h"
#include "model/json/library.h"
#include "views/drawing/timelinepicture.h"

#include <QApplication>
#include <QGraphicsRectItem>
#include <QGraphicsScene>
#include <QImage>
#include <QPainter>

#include <benchmark/benchmark.h>

#include <map>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

constexpr QSize Frame(1280, 800);

/// Networks with ten subnets each, and operations that are spread over them.
struct Run
{
    std::unique_ptr<Simulator> simulator;
    TimelinePicture picture;
};

Run runOf(int resources, int operations)
{
    const Pack pack = *loadPack(builtInPacks().first());
    Rules rules = *Rules::make(pack);
    QList<ResourceSpec> specs;
    for (int i = 0; specs.size() < resources; ++i) {
        const QString net = u"/logicalNetworks/n%1"_s.arg(i);
        specs += ResourceSpec { .path = net };
        for (int k = 0; k < 9; ++k)
            specs += ResourceSpec { .path = net + u"/subnets/s%1"_s.arg(k) };
    }
    World world = makeWorld(rules, specs).world;
    Run run;
    run.simulator = std::make_unique<Simulator>(std::move(rules), std::move(world));
    const int nets = int(specs.size()) / 10;
    for (int i = 0; i < operations; ++i) {
        run.simulator->submit({ .op = u"PUT"_s,
            .path = u"/logicalNetworks/n%1"_s.arg(qint64(i) * 7919 % nets),
            .client = QString(QChar(u'A' + i % 8)),
            .duration = 500 + i % 700 });
        if (i % 10 == 9)
            run.simulator->advance(100);
    }
    auto timeline = std::make_shared<Timeline>(run.simulator->beginning());
    for (const Record &record : run.simulator->records())
        timeline->add(run.simulator->rules(), record);
    TimelinePicture &picture = run.picture;
    picture.setRules(run.simulator->rules());
    picture.world = &run.simulator->world();
    picture.now = run.simulator->world().now;
    picture.lines = std::make_shared<TimelineLines>(*timeline);
    picture.timeline = std::move(timeline);
    picture.scale = { .rowHeight = leastRowHeight,
        .pixelsPerMs = 800.0 / double(picture.end() + 1) };
    return run;
}

const Run &knownRun(int resources, int operations)
{
    static std::map<std::pair<int, int>, Run> runs;
    const auto key = std::pair(resources, operations);
    if (!runs.contains(key))
        runs.emplace(key, runOf(resources, operations));
    return runs.at(key);
}

void BM_Frame(benchmark::State &state)
{
    const Run &run = knownRun(int(state.range(0)), int(state.range(1)));
    TimelinePicture picture = run.picture;
    QImage image(Frame, QImage::Format_RGB32);
    const Theme theme = Theme::light();
    for (auto _ : state) {
        // Everything is another colour.
        std::ranges::rotate(picture.statusCategories, picture.statusCategories.begin() + 1);
        image.fill(theme.base);
        QPainter painter(&image);
        paintTimelineTime(painter, picture,
            { 420, timelineRuler, 860, Frame.height() - timelineRuler }, {}, theme);
        paintTimelineTree(
            painter, picture, { 0, timelineRuler, 400, Frame.height() - timelineRuler }, 0, theme);
        paintTimelineRuler(painter, picture, { 420, 0, 860, timelineRuler }, 0, 800, theme);
    }
}
BENCHMARK(BM_Frame)
    ->Args({ 10'000, 10'000 })
    ->Args({ 100'000, 10'000 })
    ->Args({ 1'000'000, 100'000 })
    ->Unit(benchmark::kMillisecond);

void BM_ItemAResource(benchmark::State &state)
{
    const int count = int(state.range(0));
    QGraphicsScene scene;
    QList<QGraphicsRectItem *> items;
    const double row = Frame.height() / double(count);
    for (int i = 0; i < count; ++i)
        items += scene.addRect(0, i * row, 400, row, Qt::NoPen, Qt::green);
    QImage image(Frame, QImage::Format_RGB32);
    bool odd = false;
    for (auto _ : state) {
        odd = !odd;
        for (QGraphicsRectItem *item : std::as_const(items))
            item->setBrush(odd ? Qt::blue : Qt::green);
        QPainter painter(&image);
        scene.render(&painter, QRectF(QPointF(), Frame), QRectF(QPointF(), Frame));
    }
}
BENCHMARK(BM_ItemAResource)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void BM_Build(benchmark::State &state)
{
    const Run &run = knownRun(int(state.range(0)), int(state.range(1)));
    for (auto _ : state) {
        Timeline timeline(run.simulator->beginning());
        for (const Record &record : run.simulator->records())
            timeline.add(run.simulator->rules(), record);
        benchmark::DoNotOptimize(timeline.spans().size());
    }
}
BENCHMARK(BM_Build)
    ->Args({ 100'000, 10'000 })
    ->Args({ 1'000'000, 100'000 })
    ->Unit(benchmark::kMillisecond);

// ---- A thousand steps back

void BM_StepsBack(benchmark::State &state)
{
    Run run = runOf(100'000, 2'000);
    const qsizetype last = run.simulator->lastMoment();
    for (auto _ : state) {
        for (int i = 0; i < 1000; ++i)
            run.simulator->stepBack();
        state.PauseTiming();
        run.simulator->jump(last);
        state.ResumeTiming();
    }
}
BENCHMARK(BM_StepsBack)->Unit(benchmark::kMillisecond);

void BM_JumpBackAThousand(benchmark::State &state)
{
    Run run = runOf(100'000, 2'000);
    const qsizetype last = run.simulator->lastMoment();
    for (auto _ : state) {
        run.simulator->jump(last - 1000);
        state.PauseTiming();
        run.simulator->jump(last);
        state.ResumeTiming();
    }
}
BENCHMARK(BM_JumpBackAThousand)->Unit(benchmark::kMillisecond);

/// What a history that keeps the state of each resource at each moment costs to go back in.
void BM_FullCopies(benchmark::State &state)
{
    const std::vector<Code> world(100'000, 1);
    std::vector<std::vector<Code>> past(1000, world);
    for (auto _ : state) {
        for (qsizetype i = qsizetype(past.size()) - 1; i >= 0; --i) {
            std::vector<Code> now = past[size_t(i)];
            benchmark::DoNotOptimize(now.data());
        }
    }
}
BENCHMARK(BM_FullCopies)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
