// SPDX-License-Identifier: Apache-2.0
#include "app/cli/budget.h"
#include "app/cli/print.h"
#include "app/cli/scenario.h"
#include "model/engine/doubts.h"
#include "model/formats/reading.h"
#include "model/machine/remark.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Expectations of names that neither the scenario nor the pack has.
QList<Remark> unknownNames(const Scenario &scenario, const Simulator &simulator)
{
    QList<Remark> remarks;
    for (const Doubt &doubt : doubts(scenario, simulator.rules().pack())) {
        if (doubt.rule == u"unknown-name")
            remarks += Remark { scenario.steps[doubt.step].line, doubt.text, false };
    }
    return remarks;
}

/// The member "remarks", where there are any.
QJsonObject remarksJson(const QList<Remark> &remarks)
{
    QJsonArray rows;
    for (const Remark &remark : remarks)
        rows.append(QJsonObject { { u"line"_s, remark.line }, { u"text"_s, remark.text } });
    return rows.isEmpty() ? QJsonObject() : QJsonObject { { u"remarks"_s, rows } };
}

QByteArray remarksText(const QList<Remark> &remarks, const QString &file)
{
    QString text = remarks.isEmpty() ? QString() : u"\n"_s;
    for (const Remark &remark : remarks)
        text += oneLine(u"%1:%2: %3"_s.arg(file).arg(remark.line).arg(remark.text)) + u'\n';
    return text.toUtf8();
}

/// The scenario without the steps that a stopped run has left.
Scenario taken(Scenario scenario, const Played &played)
{
    if (played.left > 0) {
        std::ranges::stable_sort(scenario.steps, {}, &ScenarioStep::at);
        scenario.steps.resize(played.steps);
    }
    return scenario;
}

} // namespace

Exit runScenario(const Arguments &arguments)
{
    const Budget budget = budgetOf(arguments, arguments.maxEvents, u"events"_s);
    Result<Staged> staged = stagedScenario(arguments.inputName());
    if (!staged)
        return complain(staged.error());
    const Scenario &scenario = staged->scenario;
    if (const QString problem = choiceProblem(scenario); !problem.isEmpty())
        return complain(problem);
    Simulator simulator(std::move(staged->stage.rules), std::move(staged->stage.world));
    const Played played = play(scenario, simulator, arguments.until, budget);
    showProgress({});
    const Exit exit = exitAfter(played.stoppedBy,
        warned(*staged,
            played.failed > 0     ? Exit::Failed
                : played.left > 0 ? Exit::Undecided
                                  : Exit::Fine));
    QJsonObject stopped;
    if (played.stoppedBy != Limit::None) {
        complain(stoppedRun(scenario, simulator, played));
        stopped = { { u"complete"_s, false }, { u"stoppedBy"_s, runLimitName(played.stoppedBy) } };
    }
    if (arguments.format == "junit")
        return print(playedJunit(taken(scenario, played), played, arguments.until), exit);
    const QList<Remark> remarks = unknownNames(scenario, simulator);
    const ChangedProperties properties =
        changedProperties(simulator.beginning(), simulator.world());
    if (arguments.format == "json") {
        QJsonObject more = remarksJson(remarks);
        for (auto it = stopped.constBegin(); it != stopped.constEnd(); ++it)
            more.insert(it.key(), it.value());
        return print(playedJson(simulator, played, more, properties), exit);
    }
    return print(playedText(simulator, played, scenario.file, properties)
            + remarksText(remarks, scenario.file),
        exit);
}

} // namespace instar
