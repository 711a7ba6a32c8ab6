// SPDX-License-Identifier: Apache-2.0
#include "model/explore/behaviouraldifference.h"

#include "model/engine/scenario.h"
#include "model/explore/trial.h"
#include "model/pack/run.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Returns the differences between two systems, and what holds only in the first and can be
/// expressed in names known to both.
std::pair<QList<Fact>, Expectation> compared(
    const Rules &a, const Rules &b, const std::vector<TrialSearch::Tried> &systems)
{
    const auto &[first, second] = std::tie(systems[0], systems[1]);
    Expectation expected;
    QList<Fact> facts;
    for (const Operation &one : first.log.all()) {
        const Operation *other = second.log.find(one.id);
        const QString status = statusName(one.status);
        if (!other || other->status != one.status) {
            expected.operations.insert(one.id, status);
            facts += Fact { u"operation "_s + one.id, status,
                other ? statusName(other->status) : QString() };
        } else if (other->errorCode != one.errorCode) {
            expected.errors.insert(one.id, one.errorCode);
            facts += Fact { u"error of "_s + one.id, one.errorCode, other->errorCode };
        }
    }
    for (const Fact &fact : differences(shownWords(a, first.world), shownWords(b, second.world))) {
        facts += fact;
        if (fact.first.isEmpty() || b.wordNamed(fact.first) != Rules::None)
            expected.resources.insert(fact.what, fact.first);
    }
    return { facts, expected };
}

/// Searches with some of the resources, at most `depth` moves deep; `most` and `known` as in
/// TrialSearch::run(). Of differences that cannot be expressed only the first is kept.
BehaviouralDifference differenceFound(const Rules &a, const Rules &b,
    const QList<ResourceSpec> &resources, int depth, qint64 most, const Budget &budget,
    OpenConditions *known)
{
    TrialSearch search({ &a, &b }, resources);
    BehaviouralDifference result;
    search.run(depth, most, budget, known, [&](const TrialSearch::Node &node) {
        const auto [facts, expected] = compared(a, b, node.systems);
        const bool isSaid = expected != Expectation();
        if (!facts.isEmpty() && (!result.scenario || isSaid)) {
            result.scenario = search.scenarioTo(node, expected);
            result.facts = facts;
            result.depth = node.depth;
        }
        return !isSaid;
    });
    result.worlds = search.size();
    result.complete = search.isComplete();
    result.stoppedBy = search.stoppedBy();
    if (!result.scenario)
        result.depth = search.depth();
    return result;
}

/// Returns true if a scenario was found that ends with an expectation.
bool saysAll(const BehaviouralDifference &behaviouralDifference)
{
    return behaviouralDifference.scenario && !behaviouralDifference.scenario->steps.isEmpty()
        && behaviouralDifference.scenario->steps.last().kind == ScenarioStep::Kind::Expect;
}

/// Returns the resources that both systems can have; adds the others to `leftOut`.
QList<ResourceSpec> sharedResources(
    const Rules &a, const Rules &b, QList<ResourceSpec> resources, QStringList *leftOut)
{
    for (const Rules *rules : { &a, &b, &a }) {
        while (true) {
            const Loaded loaded = makeWorld(*rules, resources);
            if (loaded.problem.isEmpty() || loaded.badResource < 0
                || loaded.badResource >= resources.size())
                break;
            *leftOut += resources.takeAt(loaded.badResource).path;
        }
    }
    return resources;
}

} // namespace

QList<Fact> differences(const QMap<QString, QString> &first, const QMap<QString, QString> &second)
{
    if (first == second)
        return {};
    QStringList keys = first.keys() + second.keys();
    keys.sort();
    keys.removeDuplicates();
    QList<Fact> facts;
    for (const QString &key : std::as_const(keys)) {
        if (first.value(key) != second.value(key))
            facts += Fact { key, first.value(key), second.value(key) };
    }
    return facts;
}

QString factText(const Fact &fact)
{
    const auto word = [](const QString &text) { return text.isEmpty() ? u"nothing"_s : text; };
    return u"%1: %2, %3"_s.arg(fact.what, word(fact.first), word(fact.second));
}

BehaviouralDifference behaviouralDifference(
    const Rules &a, const Rules &b, const QList<ResourceSpec> &resources, const Budget &budget)
{
    QStringList leftOut;
    const QList<ResourceSpec> all = sharedResources(a, b, resources, &leftOut);
    BehaviouralDifference best;
    OpenConditions open;
    int depth = std::numeric_limits<int>::max();
    qint64 met = 0;
    bool goesOn = true;
    Budget watched = budget;
    watched.goesOn = [&](qint64 states) {
        goesOn = goesOn && (!budget.goesOn || budget.goesOn(met + states));
        return goesOn;
    };
    // The first round collects the open conditions.
    for (const auto &[most, part] :
        { std::pair(1, 10), { 1, 3 }, { 2, 3 }, { int(all.size()), 1 } }) {
        const QList<ResourceSpec> some = someOf(all, most);
        const bool isAll = some.size() == all.size() && part < 10;
        const qint64 left = budget.states - met;
        if (left <= 0 || !goesOn)
            break;
        if (const Limit limit = watched.interruption(); limit != Limit::None) {
            best.stoppedBy = limit;
            break;
        }
        const OpenConditions known = open;
        const qint64 share = isAll ? left : std::max<qint64>(left / part, 1);
        BehaviouralDifference found = differenceFound(a, b, some, depth, share, watched, &open);
        met += found.worlds;
        const bool isSaid = saysAll(found);
        if (isSaid || !best.scenario || (found.scenario && !saysAll(best)))
            best = std::move(found);
        best.complete = best.complete && open == known;
        if (isSaid)
            depth = best.depth - 1;
        if (isAll && (best.complete || isSaid))
            break;
    }
    best.worlds = met;
    best.leftOut = leftOut;
    return best;
}

Scenario inNamesBefore(const QList<Renaming> &renamings, const Rules &now, Scenario scenario)
{
    QList<Renaming> back;
    for (const Renaming &each : renamings) {
        const auto machine = std::ranges::find_if(renamings, [&](const Renaming &other) {
            return other.what == Name::Machine && other.from == each.machine;
        });
        back.append({ each.what, machine == renamings.end() ? each.machine : machine->to, each.to,
            each.from });
    }
    return renamed(std::move(scenario), now, back);
}

} // namespace instar
