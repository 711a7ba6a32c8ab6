// SPDX-License-Identifier: Apache-2.0
// What a layout may cost, beside a whole process of dot on the same chart, in one run; and what
// drawing a file costs as a whole process. Prints the ratios and their bars.
#include "model/layout/layout.h"
#include "tests/bench/besttimes.h"
#include "tests/layout/randomcharts.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <iostream>
#include <random>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// Always the same charts.
LayoutInput chartOf(int states, bool hasComposites)
{
    std::mt19937 random(1);
    const Dice dice = [&](int least, int most) {
        return least + int(random() % unsigned(most - least + 1));
    };
    return RandomChart(dice,
        { .leastStates = states,
            .mostStates = states,
            .hasComposites = hasComposites,
            .isWild = false })
        .made();
}

QByteArray dotOf(const LayoutInput &input)
{
    QByteArray text = "digraph { newrank=true; node [shape=box fixedsize=true];\n";
    const auto put = [&](const auto &self, int parent) -> void {
        for (int i = 0; i < input.nodes.size(); ++i) {
            const LayoutNode &node = input.nodes[i];
            if (node.parent != parent)
                continue;
            const QByteArray name = QByteArray::number(i);
            if (node.isComposite()) {
                text += "subgraph cluster_" + name + " { label=\"title\";\n";
                self(self, i);
                text += "}\n";
            } else {
                text += "n" + name + " [width=" + QByteArray::number(node.size.width() / 72)
                    + " height=" + QByteArray::number(node.size.height() / 72) + "];\n";
            }
        }
    };
    put(put, -1);
    for (const LayoutEdge &edge : input.edges)
        text += "n" + QByteArray::number(edge.from) + " -> n" + QByteArray::number(edge.to)
            + (edge.label.isEmpty() ? ";\n" : " [label=\"label\"];\n");
    return text + "}\n";
}

void ran(benchmark::State &state, const QString &program, const QStringList &arguments,
    const QByteArray &input = {})
{
    QProcess process;
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(120'000) || process.exitCode() != 0)
        state.SkipWithError(qPrintable(program + u" failed"_s));
}

void ours(benchmark::State &state)
{
    const LayoutInput input = chartOf(int(state.range(0)), state.range(0) <= 100);
    for (auto _ : state)
        benchmark::DoNotOptimize(layoutOf(input));
}

/// Beyond the budget, so that it stands in plain rows.
void oursPlain(benchmark::State &state)
{
    const LayoutInput input = chartOf(int(state.range(0)), true);
    for (auto _ : state)
        benchmark::DoNotOptimize(layoutOf(input, { .states = 5'000 }));
}

void oursNested(benchmark::State &state)
{
    const LayoutInput input = chartOf(int(state.range(0)), true);
    for (auto _ : state)
        benchmark::DoNotOptimize(layoutOf(input));
}

void dotProcess(benchmark::State &state)
{
    const QString dot = QStandardPaths::findExecutable(u"dot"_s);
    if (dot.isEmpty()) {
        state.SkipWithError("dot (package graphviz) is not installed");
        return;
    }
    const QByteArray text = dotOf(chartOf(int(state.range(0)), true));
    for (auto _ : state)
        ran(state, dot, { u"-Tplain"_s }, text);
}

/// The file that both programs draw; its chart has three composites, labels, and a note.
QString sampleFile()
{
    return QStringLiteral(INSTAR_SOURCE_DIR) + u"/tests/data/drawing/lifecycle.puml"_s;
}

void renderProcess(benchmark::State &state)
{
    const QString program =
        QDir(QCoreApplication::applicationDirPath()).filePath(u"../instar-cli"_s);
    if (!QFile::exists(program)) {
        state.SkipWithError("instar-cli is not built: build it too");
        return;
    }
    const QTemporaryDir folder;
    for (auto _ : state)
        ran(state, program, { u"render"_s, sampleFile(), folder.filePath(u"out.svg"_s) });
}

void dotSvgProcess(benchmark::State &state)
{
    const QString dot = QStandardPaths::findExecutable(u"dot"_s);
    if (dot.isEmpty()) {
        state.SkipWithError("dot (package graphviz) is not installed");
        return;
    }
    const QString file = QStringLiteral(INSTAR_SOURCE_DIR) + u"/tests/data/drawing/lifecycle.dot"_s;
    for (auto _ : state)
        ran(state, dot, { u"-Tsvg"_s, file });
}

BENCHMARK(ours)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Repetitions(3);
BENCHMARK(oursPlain)->Arg(20'000)->Unit(benchmark::kMillisecond)->UseRealTime()->Repetitions(3);
BENCHMARK(oursNested)->Arg(1000)->Unit(benchmark::kMillisecond)->UseRealTime()->Repetitions(3);
BENCHMARK(dotProcess)
    ->Arg(10)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Repetitions(3);
BENCHMARK(renderProcess)->Unit(benchmark::kMillisecond)->UseRealTime()->Repetitions(3);
BENCHMARK(dotSvgProcess)->Unit(benchmark::kMillisecond)->UseRealTime()->Repetitions(3);

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    BestTimes reporter(BestTimes::Of::Wall);
    benchmark::RunSpecifiedBenchmarks(&reporter);

    std::cout << "\nRatios\n";
    bool met = reporter.ratio(
        "a layout against a whole process of dot, 10 states", "ours/10", "dotProcess/10", 1);
    met &= reporter.ratio(
        "a layout against a whole process of dot, 100 states", "ours/100", "dotProcess/100", 1);
    met &= reporter.seconds("seconds for a layout of 1000 states", "ours/1000", 1.5);
    met &= reporter.seconds(
        "seconds for a layout of 1000 states with composites", "oursNested/1000", 1.5);
    met &= reporter.ratio("a plain layout of 20,000 states against a good one of 1,000",
        "oursPlain/20000", "ours/1000", 1);
    met &= reporter.ratio(
        "render against dot -Tsvg, both whole processes", "renderProcess", "dotSvgProcess", 3);
    return met ? 0 : 1;
}
