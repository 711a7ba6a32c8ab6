// SPDX-License-Identifier: Apache-2.0
#include "model/items/rundifferencetext.h"

#include "model/items/sentences.h"
#include "model/items/words.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct DifferenceWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::RunDifference)
};

bool isAbout(const std::vector<Change> &changes, const QString &path)
{
    return std::ranges::any_of(changes, [&](const Change &change) { return change.path == path; });
}

/// A refusal by its code and its row's words: what the controller says of it is longer.
QString refusalText(const Change &change, const Simulator &simulator)
{
    const Operation *operation = simulator.everyOperation().find(change.operation);
    const QString who =
        operation ? u"%1 %2 %3"_s.arg(operation->id, operation->op, change.path) : change.path;
    //: an operation, the code of its refusal
    const QString text = DifferenceWords::tr("%1 is refused: %2").arg(who, change.code);
    const QString words = change.rule.section(u" ["_s, 0, 0);
    return words.isEmpty() ? text : u"%1 (%2)"_s.arg(text, words);
}

/// Of what happened in one run only, what explains most: what is about the resource that is told
/// of, else the first. The resource was named already.
QString reason(const std::vector<Change> &changes, const QString &path, const Simulator &simulator)
{
    if (changes.empty())
        return DifferenceWords::tr("nothing happens");
    const auto about = std::ranges::find(changes, path, &Change::path);
    const Change &change = about == changes.end() ? changes.front() : *about;
    QString text = change.kind == Change::Kind::Rejected
        ? refusalText(change, simulator)
        : changeText(simulator.rules(), simulator.everyOperation(), change);
    if (!path.isEmpty() && change.path == path)
        text.replace(path, path.section(u'/', -1));
    return text;
}

QString wordOr(const QString &word, const QString &none)
{
    return word.isEmpty() ? none : word;
}

/// What is not the same; empty: only what happens is not.
QString differingText(const RunDifference &difference)
{
    if (const Fact *fact = toldResource(difference)) {
        const QString none = DifferenceWords::tr("absent");
        //: a resource, the word it shows in one run and in the other
        return DifferenceWords::tr("%1 is %2 here and %3 there")
            .arg(fact->what, wordOr(fact->first, none), wordOr(fact->second, none));
    }
    if (difference.operations.isEmpty())
        return {};
    const Fact &fact = difference.operations.first();
    const QString none = DifferenceWords::tr("not asked for");
    //: an operation, how it stands in one run and in the other
    return DifferenceWords::tr("operation %1 is %2 here and %3 there")
        .arg(fact.what, wordOr(fact.first, none), wordOr(fact.second, none));
}

} // namespace

const Fact *toldResource(const RunDifference &difference)
{
    const QList<Fact> &facts = difference.resources;
    const auto moved = std::ranges::find_if(facts, [&](const Fact &fact) {
        return isAbout(difference.first, fact.what) || isAbout(difference.second, fact.what);
    });
    if (moved != facts.end())
        return &*moved;
    return facts.isEmpty() ? nullptr : &facts.first();
}

QString toldPath(const RunDifference &difference)
{
    if (const Fact *fact = toldResource(difference))
        return fact->what;
    for (const std::vector<Change> *changes : { &difference.first, &difference.second }) {
        if (!changes->empty())
            return changes->front().path;
    }
    return {};
}

QString runDifferenceText(
    const RunDifference &difference, Which which, const Simulator &here, const Simulator &there)
{
    const Fact *told = toldResource(difference);
    const QString path = told ? told->what : QString();
    //: what happens in one run, what happens in the other
    QString what =
        DifferenceWords::tr("here %1; there %2")
            .arg(reason(difference.first, path, here), reason(difference.second, path, there));
    if (difference.first.empty() && difference.second.empty())
        what.clear();
    const QString facts = differingText(difference);
    if (facts.isEmpty() || what.isEmpty())
        what = facts + what;
    else //: what is so, and why
        what = DifferenceWords::tr("%1, because %2").arg(facts, what);
    const QString time = timeText(difference.time);
    if (which == Which::Later)
        //: a time, what is otherwise
        return DifferenceWords::tr("At %1 %2.").arg(time, what);
    if (difference.time <= here.beginning().now)
        //: what is otherwise
        return DifferenceWords::tr("From the beginning %1.").arg(what);
    //: a time, what is otherwise
    return DifferenceWords::tr("Until %1 both agree; then %2.").arg(time, what);
}

} // namespace instar
