// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/conversion.h"
#include "model/statecharts/interpreter.h"
#include "model/statecharts/notation/notations.h"
#include "tests/fuzz/roundtrip.h"

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// Some events, whatever the chart makes of them.
void run(const Statechart &chart)
{
    const Result<ChartPlan> plan = planOf(chart);
    if (!plan)
        return;
    const Interpreter interpreter(*plan);
    const Answers answers = [](const QString &name) { return name.size() % 2 == 0; };
    Move move = interpreter.begun(answers);
    for (int i = 0; i < 8 && !move.isEndless; ++i) {
        const QStringList awaited = interpreter.awaited(move.to);
        if (awaited.isEmpty())
            return;
        move = interpreter.after(move.to, awaited[i % awaited.size()], answers);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<StatechartsRead> read = readScxml(bytes, u"fuzz"_s);
    if (!read) {
        if (read.error().contains(u'\n'))
            qFatal("an error is one line");
        return 0;
    }
    const StatechartsWritten written = writeScxml(read->charts);
    const Result<StatechartsRead> again = readScxml(written.bytes, u"fuzz"_s);
    if (!again)
        qFatal("what is written can be read: %s", qPrintable(again.error()));
    const bool isWhole = written.remarks.isEmpty();
    if (isWhole && again->charts != read->charts)
        qFatal("what is written is read the same:\n%s", written.bytes.constData());
    checkOtherNotations(read->charts);
    if (read->charts.first().vertices.size() > 40)
        return 0;
    run(read->charts.first());
    (void)packOf(read->charts.first());
    return 0;
}
