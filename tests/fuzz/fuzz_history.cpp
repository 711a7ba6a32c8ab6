// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/verdict.h"
#include "model/json/historytext.h"
#include "tests/support/packtext.h"

#include <cstdint>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

Pack printer()
{
    return packOf(R"({
 "id": "printer",
 "switches": {"strict": {"default": true}},
 "types": {"jobs": {"machine": "job"}, "jobs/pages": {"machine": "job"}},
 "machines": {
  "job": {
   "rest": "waiting",
   "states": {"none": {"kind": "initial"}, "waiting": {}, "broken": {}, "printing": {"kind": "transitional", "as": "busy"}},
   "transitions": [
    {"from": "none", "on": "send", "to": "waiting"},
    {"from": "waiting", "on": "print", "to": "printing"},
    {"from": "printing", "on": "succeeded", "to": "waiting"},
    {"from": "printing", "on": ["failed", "canceled"], "to": "broken"},
    {"from": "*", "on": "shred", "to": "none"}
   ]
  }
 },
 "conflicts": [{"on": "print", "at": "self", "then": "reject", "code": "Busy"}, {"on": "shred", "at": "self", "then": "cancel"}],
 "refusals": {"Busy": {"http": 409}},
 "stamp": [{"at": "start"}]
})");
}

} // namespace

/// Whatever can be read is written and read the same, and judged the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const Pack pack = printer();
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    holdsExchanges(bytes);
    packOfHistory(bytes, u"fuzz"_s);
    const Result<History> history = readHistory(bytes, u"fuzz"_s, pack);
    if (!history) {
        if (history.error().contains(u'\n') || !history.error().startsWith(u"fuzz:"_s))
            qFatal("an error is one line that names the file");
        return 0;
    }
    const QByteArray written = writeHistory(*history);
    const Result<History> again = readHistory(written, u"fuzz"_s, pack);
    if (!again || writeHistory(*again) != written)
        qFatal("what is written is not read the same");
    const Result<Rules> rules = Rules::make(pack, history->switches);
    if (!rules || history->size() > 40)
        return 0;
    const Budget budget { .states = 300 };
    const Result<HistoryVerdict> verdict = verdictOn(*history, *rules, budget);
    if (!verdict)
        return 0;
    if (verdict->outcome == HistorySearch::Outcome::Conforms && verdict->explained != verdict->of)
        qFatal("it conforms, and not all is explained");
    if (verdict->violation && verdict->violation->minimal.size() < 2)
        qFatal("a violation without lines");
    return 0;
}
