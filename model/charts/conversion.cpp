// SPDX-License-Identifier: Apache-2.0
#include "model/charts/conversion.h"

#include "model/charts/conversionparts.h"
#include "model/charts/conversionways.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Vertex::Kind;

/// No regions, no history, no events of its own: one state is enough.
bool isPlain(const ChartPlan &plan)
{
    const bool arePlain = std::ranges::all_of(plan.nodes, [&](const ChartPlan::Node &node) {
        return node.kind != Kind::Parallel && node.histories.isEmpty() && node.initial.size() < 2
            && node.entering.isEmpty() && node.leaving.isEmpty();
    });
    return arePlain && std::ranges::all_of(plan.ways, [](const ChartPlan::Way &way) {
        return way.to.size() < 2 && way.arrivals.isEmpty() && way.tells.isEmpty();
    });
}

/// None of them is a failure.
void addOutcome(Pack &pack, const QString &name)
{
    if (isOutcome(name))
        return;
    Outcome outcome;
    outcome.id = name;
    outcome.status = u"Succeeded"_s;
    pack.outcomes += outcome;
}

} // namespace

Result<PackMade> packOf(const Statechart &chart)
{
    const OutcomesNamed named = withOutcomes(chart);
    const Result<ChartPlan> plan = planOf(named.chart);
    if (!plan)
        return Error { plan.error() };
    if (plan->nodes.size() > MostConfigurations + 1)
        return Error { u"there are %1 states; at most %2 can be played"_s
                           .arg(plan->nodes.size() - 1)
                           .arg(MostConfigurations) };
    Result<ConvertedDraft> draft = isPlain(*plan) ? Result<ConvertedDraft>(plainPack(named, *plan))
                                                  : productPack(named, *plan);
    if (!draft)
        return Error { draft.error() };
    QList<Remark> &remarks = draft->made.remarks;
    remarks = plan->remarks + named.remarks + narrowed(named.chart, *plan)
        + withoutEvents(named.chart, *plan) + remarks;
    for (const QString &outcome : named.made)
        addOutcome(draft->made.pack, outcome);
    Result<PackMade> result = mended(*std::move(draft), named.chart);
    if (result)
        std::ranges::stable_sort(result->remarks, {}, &Remark::line);
    return result;
}

} // namespace instar
