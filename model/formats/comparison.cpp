// SPDX-License-Identifier: Apache-2.0
#include "model/formats/comparison.h"

#include "model/machine/settings.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QList<ResourceSpec> resourcesOf(const Pack &a, const Pack &b)
{
    QList<ResourceSpec> all = a.sample;
    for (const ResourceSpec &spec : b.sample) {
        if (std::ranges::find(a.sample, spec.path, &ResourceSpec::path) == a.sample.end())
            all += spec;
    }
    return all;
}

Switches renamed(const Switches &switches, const QList<Renaming> &renamings)
{
    Switches result;
    for (auto it = switches.cbegin(); it != switches.cend(); ++it) {
        const auto called = std::ranges::find_if(renamings, [&](const Renaming &each) {
            return each.what == Name::Switch && each.from == it.key();
        });
        result.insert(called == renamings.end() ? it.key() : called->to, it.value());
    }
    return result;
}

/// Without switches all rows are compared.
bool isAnyAsked(const ComparedPack &a, const ComparedPack &b)
{
    return !a.switches.isEmpty() || !b.switches.isEmpty();
}

Pack asCompared(const ComparedPack &pack, bool isSettled)
{
    return isSettled ? settled(pack.pack, pack.switches) : pack.pack;
}

bool isEqualForTheEngine(
    const ComparedPack &a, const ComparedPack &b, const QList<Renaming> &renamings)
{
    const bool isSettled = isAnyAsked(a, b);
    const Pack first = asCompared(a, isSettled);
    const QList<Difference> left = difference(
        first, asCompared(b, isSettled), Likeness { renamings, renamed(first, renamings) });
    return std::ranges::all_of(left, isForPeople);
}

} // namespace

PackComparison compared(const ComparedPack &a, const ComparedPack &b)
{
    const bool isSettled = isAnyAsked(a, b);
    PackComparison result { asCompared(a, isSettled), asCompared(b, isSettled), {}, {} };
    result.likeness = likeness(result.first, result.second);
    result.differences = difference(result.first, result.second, result.likeness);
    return result;
}

Result<PackDivergence> divergence(const ComparedPack &a, const ComparedPack &b,
    const QList<Renaming> &renamings, const DivergenceBudget &budget)
{
    const Pack alike = renamed(a.pack, renamings);
    const Result<Rules> one = Rules::make(alike, renamed(a.switches, renamings));
    const Result<Rules> other = Rules::make(b.pack, b.switches);
    if (!one || !other)
        return Error { one ? other.error() : one.error() };
    PackDivergence found;
    found.isCertain = isEqualForTheEngine(a, b, renamings);
    if (found.isCertain) {
        found.complete = true;
        return found;
    }
    static_cast<Divergence &>(found) = divergence(*one, *other, resourcesOf(alike, b.pack), budget);
    if (!found.scenario)
        return found;
    found.other = found.scenario;
    found.other->pack = b.name;
    found.other->switches = b.switches;
    found.scenario = inNamesOf(a.pack, renamings, *std::move(found.scenario));
    found.scenario->pack = a.name;
    found.scenario->switches = a.switches;
    return found;
}

} // namespace instar
