// SPDX-License-Identifier: Apache-2.0
#include "model/formats/comparison.h"

#include "model/formats/reading.h"
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

QString stepText(const ScenarioStep &step)
{
    if (step.kind == ScenarioStep::Kind::End)
        return u"%1 ends: %2"_s.arg(step.operation, step.outcome);
    QString text = u"%1 %2 (%3)"_s.arg(step.request.op, step.request.path, step.request.id);
    for (auto it = step.request.conditions.cbegin(); it != step.request.conditions.cend(); ++it)
        text += u", \"%1\" holds"_s.arg(it.key());
    return text;
}

QString behaviourText(const Result<PackDivergence> &found)
{
    if (!found)
        return u"what they do was not compared: %1\n"_s.arg(found.error());
    if (found->isCertain)
        return u"the behaviour is the same: the rules are equal but for names and what is for people\n"_s;
    if (found->worlds == 0)
        return u"no scenario was looked for\n"_s;
    if (!found->scenario) {
        const QString where = found->complete
            ? u"everything that can be reached with a few resources of each type"_s
            : u"every way of %1 moves"_s.arg(found->depth);
        return u"no scenario shows a difference: %1, %2 worlds\n"_s.arg(where).arg(found->worlds);
    }
    QString text = u"a shortest scenario that shows it:\n"_s;
    for (const ScenarioStep &step : found->scenario->steps) {
        if (step.kind != ScenarioStep::Kind::Expect)
            text += u"  %1 ms  %2\n"_s.arg(step.at).arg(stepText(step));
    }
    for (const Fact &fact : found->facts)
        text += u"  then %1\n"_s.arg(factText(fact));
    return text;
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
    const QList<Renaming> &renamings, const Budget &budget)
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

QString comparisonText(const QList<Difference> &changes, const Result<PackDivergence> &found)
{
    QString text;
    for (const Difference &change : changes)
        text += oneLine(differenceText(change)) + u'\n';
    return changes.isEmpty() ? QString() : text + u'\n' + behaviourText(found);
}

} // namespace instar
