// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"

#include <functional>

namespace instar {

/// What a scenario says must be true at a time.
struct Expectation
{
    QMap<QString, QString> resources; ///< path -> the word it shows; empty: absent
    QMap<QString, QJsonObject>
        properties; ///< path -> those that it must have so; null: it has none of that name
    QMap<QString, QString> operations;        ///< id -> status
    QMap<QString, QString> errors;            ///< id -> error code
    QStringList etagsChanged, etagsUnchanged; ///< paths, since the previous expectation
    std::optional<int> violations;
    bool operator==(const Expectation &) const = default;
};

struct ScenarioStep
{
    enum class Kind { Submit, End, Expect };
    Kind kind = Kind::Submit;
    qint64 at = 0;   ///< virtual ms
    int line = 0;    ///< in the file, for messages
    Request request; ///< Submit
    QStringList ops,
        paths; ///< Submit: what `explore` may choose among; at least request.op and request.path
    bool anyOutcome = false; ///< Submit: `explore` tries every outcome
    QString operation,
        outcome; ///< End: an operation's id, and the outcome (a trigger's name; empty: as planned)
    Expectation expectation;
    bool operator==(const ScenarioStep &) const = default;
};

/// Timed submissions and expectations on a pack's resources.
struct Scenario
{
    QString pack; ///< an id, or a path relative to the scenario's file
    std::optional<QList<ResourceSpec>> resources; ///< nothing: the pack's sample
    QList<int> resourceLines;                     ///< in the file, where resources are given
    Switches switches;
    QList<ScenarioStep> steps; ///< in file order
    QString file;
    QList<Extra> extras;
};

/// A scenario's run: the simulator at its end, and which expectations did not come true.
struct Failure
{
    qint64 at = 0;
    int line = 0;
    QString text;
    bool operator==(const Failure &) const = default;
};
struct Played
{
    int passed = 0, failed = 0; ///< steps that expect something
    QList<Failure> failures;    ///< single facts that did not come true
    bool quiescent = true;      ///< nothing is left that ends by itself
};

/// A step that asks for this.
ScenarioStep stepAsking(const Request &request);
/// Everything that steps may ask for: of several paths each; operations are not told apart.
QList<Request> requestsIn(const QList<ScenarioStep> &steps);

/// Rules and world of a scenario on a pack; an error names file and line.
struct Stage
{
    Rules rules;
    World world;
};
Result<Stage> stageOf(const Scenario &scenario, const Pack &pack);

/// A world's resources as a scenario to begin with; what works is taken as it last rested.
Scenario scenarioOf(const Rules &rules, const World &world);
/// What a simulator began with, and everything that was asked of it up to the moment shown, as
/// steps.
Scenario scenarioOf(const Simulator &simulator);

/// Ends the running work of an operation as a step of kind End says; nothing where it is not there.
void endByHand(const ScenarioStep &step, Simulator &simulator);

/// Why a scenario cannot be played, only explored: a step leaves open what it asks for; empty: it
/// can be.
QString choiceProblem(const Scenario &scenario);

/// Plays the steps in order of time on a simulator at its beginning, then lets what is left end;
/// not past `until` (ms).
/// `goesOn` is asked now and then with the number of steps that were taken, and stops the play by
/// saying no.
Played play(const Scenario &scenario, Simulator &simulator, std::optional<qint64> until = {},
    const std::function<bool(qint64 done, qint64 of)> &goesOn = {});

} // namespace instar
