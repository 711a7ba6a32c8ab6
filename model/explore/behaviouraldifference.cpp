// SPDX-License-Identifier: Apache-2.0
#include "model/explore/behaviouraldifference.h"

#include "model/engine/scenario.h"
#include "model/explore/trial.h"
#include "model/pack/run.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Search for a difference with some of the resources.
class BehaviouralDifferenceSearch
{
public:
    BehaviouralDifferenceSearch(
        const Rules &a, const Rules &b, const QList<ResourceSpec> &resources)
        : m_a(a), m_b(b), m_search({ &a, &b }, resources)
    { }

    /// Searches at most `depth` moves deep; `most` and `known` as in TrialSearch::run().
    BehaviouralDifference found(int depth, qint64 most, const Budget &budget, OpenConditions *known)
    {
        m_search.run(depth, most, budget, known,
            [this](const TrialSearch::Node &node) { return !compare(node); });
        m_result.worlds = m_search.size();
        m_result.complete = m_search.isComplete();
        m_result.stoppedBy = m_search.stoppedBy();
        if (!m_result.scenario)
            m_result.depth = m_search.depth();
        return std::move(m_result);
    }

private:
    /// Stores a difference between the systems, if there is one. Returns true if it can be
    /// expressed in names known to both; otherwise only the first is kept.
    bool compare(const TrialSearch::Node &node)
    {
        const TrialSearch::Tried &first = node.systems[0], &second = node.systems[1];
        Expectation expected;
        QList<Fact> facts;
        const auto tell = [&facts](const QString &what, const QString &a, const QString &b) {
            facts.append({ what, a, b });
        };
        for (const Operation &one : first.log.all()) {
            const Operation *other = second.log.find(one.id);
            const QString status = statusName(one.status);
            if (!other || other->status != one.status) {
                expected.operations.insert(one.id, status);
                tell(u"operation "_s + one.id, status,
                    other ? statusName(other->status) : QString());
            } else if (other->errorCode != one.errorCode) {
                expected.errors.insert(one.id, one.errorCode);
                tell(u"error of "_s + one.id, one.errorCode, other->errorCode);
            }
        }
        const QMap<QString, QString> a = shownWords(m_a, first.world),
                                     b = shownWords(m_b, second.world);
        QStringList paths = a.keys() + b.keys();
        paths.removeDuplicates();
        if (a == b)
            paths.clear();
        for (const QString &path : std::as_const(paths)) {
            if (a.value(path) == b.value(path))
                continue;
            tell(path, a.value(path), b.value(path));
            if (a.value(path).isEmpty() || m_b.wordNamed(a.value(path)) != Rules::None)
                expected.resources.insert(path, a.value(path));
        }
        if (facts.isEmpty())
            return false;
        const bool isSaid = expected != Expectation();
        if (!m_result.scenario || isSaid) {
            m_result.scenario = m_search.scenarioTo(node, expected);
            m_result.facts = facts;
            m_result.depth = node.depth;
        }
        return isSaid;
    }

    const Rules &m_a, &m_b;
    TrialSearch m_search;
    BehaviouralDifference m_result;
};

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
        BehaviouralDifference found =
            BehaviouralDifferenceSearch(a, b, some).found(depth, share, watched, &open);
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
