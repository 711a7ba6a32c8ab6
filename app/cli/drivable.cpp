// SPDX-License-Identifier: Apache-2.0
#include "app/cli/driver.h"
#include "model/engine/pieces.h"
#include "model/engine/scenario.h"
#include "model/remote/messages.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The state that is all the work an operation does, in one piece, and has that name; None.
Rules::StateId wholeWork(const Rules &rules, const Request &request, const QString &state)
{
    const int machine = rules.machineForType(typePathOf(request.path));
    const Rules::TriggerId op = rules.trigger(request.op);
    if (machine == Rules::None || op == Rules::None)
        return Rules::None;
    const QList<Rules::StateId> pieces = piecesOf(rules, machine, op);
    if (pieces.size() != 1 || rules.state(pieces.first()).id != state)
        return Rules::None;
    const std::vector<Rules::Work> &work = rules.state(pieces.first()).work;
    const auto asksOthers = [](const Rules::Work &one) { return one.kind == Step::Kind::Require; };
    const bool isOne = std::ranges::count(work, Step::Kind::Attempt, &Rules::Work::kind) == 1
        && std::ranges::none_of(work, asksOthers);
    return isOne ? pieces.first() : Rules::StateId(Rules::None);
}

/// Says of the whole operation what its only piece of work says; false: that cannot be said.
bool takeOver(const Rules &rules, Rules::StateId work, const Piece &piece, Request *request)
{
    const bool canRepeat =
        rules.retried != Rules::None && !rules.candidates(work, rules.retried).empty();
    QStringList outcomes = piece.outcomes;
    int repeated = 0;
    while (
        canRepeat && !outcomes.isEmpty() && outcomes.first() == rules.triggerName(rules.retried)) {
        outcomes.removeFirst();
        ++repeated;
    }
    if (outcomes.size() > 1 || !piece.properties.isEmpty())
        return false;
    if (!piece.outcomes.isEmpty()) {
        request->transientFailures = repeated;
        request->outcome = outcomes.value(0);
    }
    if (piece.duration)
        request->duration = piece.duration;
    request->hang = piece.hang.value_or(request->hang);
    request->work.clear();
    return true;
}

/// What of a step no server can be asked for, in words; empty: nothing. Work in one piece becomes
/// the operation's own.
QString madeDrivable(const Messages &messages, const Stage &stage, ScenarioStep *step)
{
    Request &request = step->request;
    if (step->kind == ScenarioStep::Kind::End)
        return u"the step ends operation %1 by hand, which no server lets us do"_s.arg(
            step->operation);
    if (leavesName(request) && !messages.isNamedThere(request))
        return u"no server makes up a name in place of {%1}: %2 is asked for by the path"_s.arg(
            request.id, request.op);
    if (step->kind == ScenarioStep::Kind::Submit) {
        if (const auto asked = messages.requestOrQuestion(request, {}, &stage.world); !asked)
            return asked.error();
    }
    if (request.work.isEmpty())
        return {};
    const QString state = request.work.firstKey();
    const Piece piece = request.work.first();
    const Rules::StateId work = wholeWork(stage.rules, request, state);
    if (request.work.size() > 1 || work == Rules::None
        || !takeOver(stage.rules, work, piece, &request))
        return u"\"work\" plans single pieces, and a server is only told how a whole operation ends"_s;
    return {};
}

} // namespace

Scenario drivable(Scenario scenario, const Stage &stage)
{
    if (const QString problem = choiceProblem(scenario); !problem.isEmpty())
        throw CommandError { problem };
    const Messages messages(stage.rules);
    for (ScenarioStep &step : scenario.steps) {
        const QString problem = madeDrivable(messages, stage, &step);
        if (!problem.isEmpty())
            throw CommandError { u"%1:%2: %3; leave it out, or use run"_s.arg(scenario.file)
                                     .arg(step.line)
                                     .arg(problem) };
    }
    return scenario;
}

void ServerPaths::learn(const QString &asked, const QString &made)
{
    const QString name = asked.section(u'/', -1);
    if (name.startsWith(u'{') && name.endsWith(u'}'))
        m_names.insert(name.sliced(1).chopped(1), made.section(u'/', -1));
    m_moved.removeIf([&](const auto &pair) { return pair.first == asked; });
    m_moved.append({ asked, made });
}

QString ServerPaths::at(const QString &path) const
{
    QString there = path;
    for (const auto &[asked, made] : m_moved) {
        if (isAtOrBelow(there, asked))
            there = made + there.sliced(asked.size());
    }
    return named(there, m_names);
}

ResourceSpec ServerPaths::at(ResourceSpec spec) const
{
    spec.path = at(spec.path);
    for (QString &reference : spec.references)
        reference = at(reference);
    return spec;
}

ScenarioStep ServerPaths::at(const ScenarioStep &step) const
{
    return withPaths(step, [this](const QString &path) { return at(path); });
}

bool isAtOrBelow(const QString &path, const QString &above)
{
    return path.startsWith(above) && (path.size() == above.size() || path[above.size()] == u'/');
}

QStringList pathsIn(const ScenarioStep &step)
{
    QStringList paths;
    withPaths(step, [&](const QString &path) {
        paths += path;
        return path;
    });
    return paths;
}

} // namespace instar
