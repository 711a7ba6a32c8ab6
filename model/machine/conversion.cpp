// SPDX-License-Identifier: Apache-2.0
#include "model/machine/conversion.h"

#include "model/machine/conversionparts.h"
#include "model/machine/conversionways.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Vertex::Kind;

/// No regions, no history: one state is enough.
bool isPlain(const ChartPlan &plan)
{
    const bool arePlain = std::ranges::all_of(plan.nodes, [&](const ChartPlan::Node &node) {
        return node.kind != Kind::Parallel && node.histories.isEmpty() && node.initial.size() < 2;
    });
    return arePlain && std::ranges::all_of(plan.ways, [](const ChartPlan::Way &way) {
        return way.to.size() < 2 && way.arrivals.isEmpty();
    });
}

} // namespace

Result<PackMade> packOf(const Statechart &chart)
{
    const Result<ChartPlan> plan = planOf(chart);
    if (!plan)
        return Error { plan.error() };
    if (plan->nodes.size() > MostConfigurations + 1)
        return Error { u"there are %1 states; at most %2 can be played"_s
                           .arg(plan->nodes.size() - 1)
                           .arg(MostConfigurations) };
    Result<PackMade> made =
        isPlain(*plan) ? Result<PackMade>(plainPack(chart, *plan)) : productPack(chart, *plan);
    if (!made)
        return Error { made.error() };
    made->remarks = plan->remarks + narrowed(chart, *plan) + made->remarks;
    Result<PackMade> result = mended(*std::move(made), chart);
    if (result)
        std::ranges::stable_sort(result->remarks, {}, &Remark::line);
    return result;
}

} // namespace instar
