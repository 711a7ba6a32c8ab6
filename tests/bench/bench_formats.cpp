// SPDX-License-Identifier: Apache-2.0
// What reading a statechart may cost as its text grows: ten times as much text beside the same text
// once, in one run. Prints the ratios and their bar.
#include "model/statecharts/notation/notations.h"

#include <benchmark/benchmark.h>

#include <iostream>
#include <map>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype Megabyte = 1'000'000;

/// A diagram of about so many bytes.
using Text = QByteArray (*)(qsizetype size);

QByteArray states(qsizetype size)
{
    const qsizetype count = size / 36;
    QByteArray text = "@startuml\n";
    for (qsizetype i = 0; i < count; ++i) {
        const QByteArray name = 'S' + QByteArray::number(i);
        text += "state " + name + '\n' + name + " --> S" + QByteArray::number(i * 7 % count)
            + " : e" + QByteArray::number(i % 50) + '\n';
    }
    return text + "@enduml\n";
}

QByteArray composites(qsizetype size)
{
    QByteArray text = "@startuml\n";
    for (qsizetype i = 0; text.size() < size; ++i) {
        const QByteArray number = QByteArray::number(i);
        text += "state C" + number + " {\n[*] --> a" + number + '\n';
        for (int j = 0; j < 10; ++j)
            text += "a" + number + " --> s" + number + '_' + QByteArray::number(j) + " : e\n";
        text += "--\n[*] --> b" + number + "\n}\n";
    }
    return text + "@enduml\n";
}

QByteArray description(qsizetype size)
{
    return "@startuml\nstate A : " + QByteArray("word ").repeated(size / 5) + "\n@enduml\n";
}

QByteArray nested(const QByteArray &head, qsizetype size, const QByteArray &end)
{
    const qsizetype depth = size / 17; // 100,000 in 1.7 MB
    QByteArray text = head;
    for (qsizetype i = 0; i < depth; ++i)
        text += "state s" + QByteArray::number(i) + " {\n";
    return text + QByteArray("}\n").repeated(depth) + end;
}

QByteArray nestedPlantUml(qsizetype size)
{
    return nested("@startuml\n", size, "@enduml\n");
}

QByteArray nestedMermaid(qsizetype size)
{
    return nested("stateDiagram-v2\n", size, {});
}

using Reader = Result<StatechartsRead> (*)(const QByteArray &bytes, const QString &file);

void reading(benchmark::State &state, Reader read, Text text)
{
    const QByteArray bytes = text(state.range(0));
    for (auto run : state) {
        const Result<StatechartsRead> result = read(bytes, u"bench"_s);
        if (!result)
            state.SkipWithError(qPrintable(result.error()));
    }
    state.SetBytesProcessed(state.iterations() * bytes.size());
}

void grown(benchmark::internal::Benchmark *row)
{
    row->Arg(Megabyte)->Arg(10 * Megabyte)->Unit(benchmark::kMillisecond);
}

/// 12,000 and 120,000 deep.
void deeper(benchmark::internal::Benchmark *row)
{
    row->Arg(Megabyte / 5)->Arg(2 * Megabyte)->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(reading, plantuml_states, readPlantUml, states)->Apply(grown);
BENCHMARK_CAPTURE(reading, plantuml_composites, readPlantUml, composites)->Apply(grown);
BENCHMARK_CAPTURE(reading, plantuml_description, readPlantUml, description)->Apply(grown);
BENCHMARK_CAPTURE(reading, plantuml_nested, readPlantUml, nestedPlantUml)->Apply(deeper);
BENCHMARK_CAPTURE(reading, mermaid_nested, readMermaid, nestedMermaid)->Apply(deeper);

/// Remembers the processor's time of each.
class Times : public benchmark::ConsoleReporter
{
public:
    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs)
            seconds[run.benchmark_name()] = run.cpu_accumulated_time / double(run.iterations);
        ConsoleReporter::ReportRuns(runs);
    }
    std::map<std::string, double> seconds;
};

} // namespace

int main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    Times times;
    benchmark::RunSpecifiedBenchmarks(&times);
    std::string last;
    double before = 0;
    bool isNear = true;
    for (const auto &[name, seconds] : times.seconds) { // "x/10000000" stands behind "x/1000000"
        const std::string what = name.substr(0, name.find_last_of('/'));
        if (what == last) {
            const double ratio = std::max(before, seconds) / std::min(before, seconds);
            isNear = isNear && ratio <= 20;
            std::cout << what << ": ten times the text costs " << ratio << " times (at most 20)\n";
        }
        last = what;
        before = seconds;
    }
    return isNear ? 0 : 1;
}
