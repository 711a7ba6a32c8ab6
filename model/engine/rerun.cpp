// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rerun.h"

#include "model/engine/carriedover.h"
#include "model/engine/explore.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What is seen at a moment.
struct Sight
{
    QMap<QString, QString> words, statuses;
};

Sight sightOf(const Simulator &simulator)
{
    Sight sight { shownWords(simulator.rules(), simulator.world()), {} };
    for (const Operation &operation : simulator.operations().all())
        sight.statuses.insert(operation.id, fateOf(operation));
    return sight;
}

void compare(const QMap<QString, QString> &first, const QMap<QString, QString> &second,
    const QString &what, QList<Fact> &facts)
{
    QStringList keys = first.keys() + second.keys();
    keys.sort();
    keys.removeDuplicates();
    for (const QString &key : std::as_const(keys)) {
        if (first.value(key) != second.value(key))
            facts += Fact { what.arg(key), first.value(key), second.value(key) };
    }
}

QList<Fact> differences(const Sight &before, const Sight &after)
{
    QList<Fact> facts;
    compare(before.statuses, after.statuses, u"operation %1"_s, facts);
    compare(before.words, after.words, u"%1"_s, facts);
    return facts;
}

} // namespace

Result<Rerun> rerun(Simulator &simulator, const Switches &switches)
{
    Result<Rules> rules = Rules::make(simulator.rules().pack(), switches);
    if (!rules)
        return Error { rules.error() };
    simulator.pause();
    const qint64 now = simulator.world().now;
    simulator.showTime(now); // of several moments at one time the last, as it will be shown again
    const Sight before = sightOf(simulator);
    const qsizetype shown = simulator.moment();
    simulator.jump(simulator.lastMoment());
    const qint64 end = std::max(simulator.world().now, now);
    const Sight endBefore = sightOf(simulator);
    const Scenario asked = scenarioOf(simulator);
    simulator.jump(shown);

    World beginning = carriedOver(simulator.beginning(), simulator.rules(), *rules, {}).world;
    simulator.reset(*std::move(rules), std::move(beginning));
    play(asked, simulator, end);
    const Sight endAfter = sightOf(simulator);
    simulator.showTime(now);
    Rerun found { differences(before, sightOf(simulator)) };
    if (found.differences.isEmpty()) {
        found.differences = differences(endBefore, endAfter);
        found.isAtEnd = true;
    }
    return found;
}

AskedAgain askedAgain(const Course &course, const Rules &rules)
{
    Simulator known(course);
    known.jump(known.lastMoment());
    CarriedOver carried = carriedOver(course.beginning, course.rules, rules);
    OperationLog operations = course.operations;
    operations.apply(rules, carried.record, carried.world);
    Simulator again(Course { rules, std::move(carried.world), std::move(operations), {} });
    play(scenarioOf(known), again, known.world().now);
    return { again.course(again.branch()), carried.said };
}

} // namespace instar
