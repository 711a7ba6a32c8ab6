// SPDX-License-Identifier: Apache-2.0
#include "model/explore/packbehaviour.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Titles, notes and sources do not change the behaviour, nor do names, unless the engine knows
/// one of the two.
bool isForPeople(const Difference &difference)
{
    static const QStringList rows { u"source"_s, u"note"_s };
    static const QStringList keys { u"$schema"_s, u"title"_s, u"about"_s, u"label"_s, u"origin"_s,
        u"source"_s };
    static const QStringList known = Pack().outcomeNames() + knownRefusals();
    if (rows.contains(difference.row))
        return true;
    if (difference.kind == Difference::Kind::Renamed)
        return !known.contains(difference.from.value("id"_L1).toString())
            && !known.contains(difference.to.value("id"_L1).toString());
    return difference.kind == Difference::Kind::Changed
        && std::ranges::all_of(difference.from.keys() + difference.to.keys(),
            [](const QString &key) { return keys.contains(key) || key.startsWith("x-"_L1); });
}

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
    for (auto it = switches.cbegin(); it != switches.cend(); ++it)
        result.insert(nameAfter(renamings, Name::Switch, it.key()), it.value());
    return result;
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

} // namespace

Result<PackBehaviouralDifference> behaviouralDifference(
    const PackComparison &comparison, const Budget &budget)
{
    const auto &[a, b, renamings, differences] = comparison;
    const Pack alike = renamed(a.pack, renamings);
    const Result<Rules> one = Rules::make(alike, renamed(a.switches, renamings));
    const Result<Rules> other = Rules::make(b.pack, b.switches);
    if (!one || !other)
        return Error { one ? other.error() : one.error() };
    PackBehaviouralDifference found;
    found.isCertain = std::ranges::all_of(differences, isForPeople);
    if (found.isCertain) {
        found.complete = true;
        return found;
    }
    static_cast<BehaviouralDifference &>(found) =
        behaviouralDifference(*one, *other, resourcesOf(alike, b.pack), budget);
    if (!found.scenario)
        return found;
    found.other = found.scenario;
    found.other->pack = b.name;
    found.other->switches = b.switches;
    found.scenario = inNamesBefore(renamings, *one, *std::move(found.scenario));
    found.scenario->pack = a.name;
    found.scenario->switches = a.switches;
    return found;
}

QString behaviourText(const Result<PackBehaviouralDifference> &found)
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

} // namespace instar
