// SPDX-License-Identifier: Apache-2.0
#include "model/json/packnames.h"
#include "model/json/scenariofile.h"
#include "tests/support/packtext.h"

#include <cstdint>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

Pack printer()
{
    return packOf(R"({
 "id": "printer",
 "switches": {"strict": {"default": true}, "mode": {"default": "one", "values": ["one", "two"]}},
 "types": {"jobs": {"machine": "job"}, "jobs/pages": {"machine": "job"}},
 "outcomes": {"jammed": {}},
 "machines": {
  "job": {
   "rest": "waiting",
   "states": {"none": {"kind": "initial"}, "waiting": {}, "printing": {"kind": "transitional", "as": "busy"}},
   "transitions": [
    {"from": "none", "on": "send", "to": "waiting"},
    {"from": "waiting", "on": "print", "to": "printing"},
    {"from": "printing", "on": ["succeeded", "failed", "jammed"], "to": "waiting"}
   ]
  }
 }
})");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const Pack pack = printer();
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<JsonText> document = JsonText::parse(bytes, u"fuzz"_s);
    if (!document)
        return 0;
    const ScenarioDraft draft = scenarioDraft(*document, pack);
    for (const Diagnostic &diagnostic : draft.diagnostics) {
        if (described(document->name(), diagnostic).contains(u'\n'))
            qFatal("a diagnostic is one line");
    }
    if (!draft.error.isEmpty())
        return 0;
    if (draft.scenario.resources
        && draft.scenario.resources->size() != draft.scenario.resourceLines.size())
        qFatal("every resource has a line");
    for (const ScenarioStep &step : draft.scenario.steps) {
        if (step.kind == ScenarioStep::Kind::Submit
            && (step.request.id.isEmpty() || !pathProblem(step.request.path).isEmpty()))
            qFatal("every request has an id and a path");
        if (step.at < 0 || step.line < 1)
            qFatal("every step has a time and a line");
    }
    return 0;
}
