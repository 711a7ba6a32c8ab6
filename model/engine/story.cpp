// SPDX-License-Identifier: Apache-2.0
#include "model/engine/story.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

qint64 storyMs(double ms)
{
    return qint64(std::llround(std::max(ms, 0.0)));
}

double storyBegin(const History &history)
{
    double begin = 1e300;
    for (const AskedThen &asked : history.requests)
        begin = std::min(begin, asked.sent);
    for (const Observation &seen : history.observations)
        begin = std::min(begin, seen.from);
    return begin;
}

ScenarioStep storyStep(const AskedThen &asked, double begin)
{
    ScenarioStep step { .at = storyMs(asked.sent - begin), .request = asked.request };
    step.request.ifMatch.clear(); // etags are each server's own
    step.request.ifNoneMatch.clear();
    step.ops = { asked.request.op };
    step.paths = { asked.request.path };
    return step;
}

ScenarioStep storyStep(const Observation &seen, double begin)
{
    ScenarioStep step { .kind = ScenarioStep::Kind::Expect, .at = storyMs(seen.to - begin) };
    if (seen.isOfResource())
        step.expectation.resources.insert(seen.path, seen.word.value_or(QString()));
    else
        step.expectation.operations.insert(seen.operation, seen.word.value_or(QString()));
    return step;
}

} // namespace

Scenario storyOf(const History &history)
{
    Scenario story {
        .pack = history.pack, .resources = history.resources, .switches = history.switches
    };
    const double begin = storyBegin(history);
    for (const AskedThen &asked : history.requests)
        story.steps += storyStep(asked, begin);
    for (const Observation &seen : history.observations)
        story.steps += storyStep(seen, begin);
    std::ranges::stable_sort(story.steps, {}, &ScenarioStep::at);
    return story;
}

} // namespace instar
