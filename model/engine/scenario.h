// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/engine/simulator.h"
#include "model/pack/names.h"

#include <functional>
#include <limits>

namespace instar {

struct History;

/// Assertion of a scenario about the run at one virtual time.
struct Expectation
{
    QMap<QString, QString> resources;         ///< path -> state that clients see; empty: absent
    QMap<QString, QJsonObject> properties;    ///< path -> properties; null: must be absent
    QMap<QString, QString> operations;        ///< id -> status
    QMap<QString, QString> errors;            ///< id -> error code
    QStringList etagsChanged, etagsUnchanged; ///< paths, since the previous expectation
    std::optional<int> violations;            ///< number of broken constraints so far
    QList<Extra> extras;
    bool operator==(const Expectation &) const = default;
};

void describe(auto &visit, MaybeConst<Expectation> auto &row)
{
    visit.row("expectation", "an expectation");
    visit("resources", row.resources,
        { .names = Name::State,
            .keys = Name::Path,
            .nullable = true,
            .title = "a state, or null for a resource that does not exist" });
    visit("properties", row.properties, { .keys = Name::Path });
    visit("operations", row.operations, { .keys = Name::OperationId, .words = StatusWords });
    visit("errors", row.errors, { .keys = Name::OperationId });
    visit("etagsChanged", row.etagsChanged, { .names = Name::Path });
    visit("etagsUnchanged", row.etagsUnchanged, { .names = Name::Path });
    visit("violations", row.violations, { .most = std::numeric_limits<int>::max() });
    visit.extras(row.extras);
}

/// Step of a scenario: a request, the end of an operation by hand, or an expectation.
struct ScenarioStep
{
    enum class Kind { Submit, End, Expect };
    static constexpr int shapes = int(Kind::Expect) + 1;
    Kind kind = Kind::Submit;
    qint64 at = 0;          ///< virtual ms
    int line = 0;           ///< in the file, for messages
    Request request;        ///< Submit
    QStringList ops, paths; ///< Submit: choices for `explore`; at least request.op and request.path
    bool anyOutcome = false;      ///< Submit: `explore` tries every outcome
    std::optional<int> seenAt {}; ///< Submit: index of the step whose etag If-Match requires
    QString operation;            ///< End: id of the operation
    QString outcome;              ///< End: name of the outcome; empty: as planned
    Expectation expectation;
    QList<Extra> extras;
    bool operator==(const ScenarioStep &) const = default;
};

void describe(auto &visit, MaybeConst<ScenarioStep> auto &row)
{
    const auto at = [&] { visit("at", row.at, { .always = true }); };
    switch (row.kind) {
    case ScenarioStep::Kind::Submit: {
        auto &request = row.request;
        visit.row("submission", "an operation step");
        at();
        visit("op", row.ops, { .names = Name::Operation, .required = true });
        visit("path", row.paths, { .names = Name::Path, .required = true });
        visit("id", request.id, {});
        visit("client", request.client, {});
        visit("duration", request.duration, {});
        visit("outcome", SharedKey { request.outcome, row.anyOutcome }, { .names = Name::Outcome });
        visit("transientFailures", request.transientFailures,
            { .most = std::numeric_limits<int>::max(),
                .title = "a number of failures below 2^31" });
        visit("hang", request.hang, {});
        visit("work", request.work, { .keys = Name::Work });
        visit("requests", request.requests, { .keys = Name::Path });
        visit("properties", request.properties, {});
        visit("conditions", request.conditions, { .keys = Name::Condition });
        visit("ifMatch", SharedKey { request.ifMatch, row.seenAt }, {});
        visit("ifNoneMatch", request.ifNoneMatch, {});
        visit("requestId", request.requestId, {});
        visit("body", request.body, {});
        visit("references", request.references, { .names = Name::Path });
        break;
    }
    case ScenarioStep::Kind::End:
        visit.row("ending", "an ending");
        at();
        visit("end", row.operation, { .names = Name::OperationId, .required = true });
        visit("outcome", row.outcome, { .names = Name::Result });
        break;
    case ScenarioStep::Kind::Expect:
        visit.row("expecting", "an expectation step");
        at();
        visit("expect", row.expectation, { .required = true });
        break;
    }
    visit.extras(row.extras);
}

/// Scenario: timed submissions and expectations on a pack's resources.
struct Scenario
{
    QString pack; ///< the pack's id, or its path relative to the scenario's file
    std::optional<QList<ResourceSpec>> resources; ///< nothing: the pack's sample
    QList<int> resourceLines;                     ///< line of each of `resources` in the file
    Switches switches;
    QList<ScenarioStep> steps; ///< in file order
    QString file;
    QList<Extra> extras;
};

void describe(auto &visit, MaybeConst<Scenario> auto &row)
{
    visit.row("scenario", "a scenario");
    visit("pack", row.pack, { .required = true });
    visit("resources", row.resources, {});
    visit("switches", row.switches, { .keys = Name::Switch, .boolean = true });
    visit("steps", row.steps, { .always = true });
    visit.extras(row.extras);
}

struct Failure
{
    qint64 at = 0; ///< virtual ms
    int line = 0;  ///< line of the step in the file
    QString text;
    bool operator==(const Failure &) const = default;
};
struct Played ///< result of play()
{
    int passed = 0, failed = 0; ///< number of expectation steps
    QList<Failure> failures;
    bool quiescent = true; ///< no event is left
    /// The limit that ended the run (States: too many events), so that steps may be left.
    Limit stoppedBy = Limit::None;
    qsizetype steps = 0; ///< number of steps taken
    qsizetype left = 0;  ///< number of steps not taken, because the run was stopped
};

/// Default limit on the events of a run.
inline constexpr qint64 MostEvents = 1'000'000;

ScenarioStep submitStep(const Request &request);
/// Returns the requests of submit steps, one for each path; alternative operations are ignored.
QList<Request> requestsIn(const QList<ScenarioStep> &steps);

/// Rules and initial world of a scenario.
struct Stage
{
    Rules rules;
    World world;
};
/// Returns the stage of a scenario; an error names file and line.
Result<Stage> stageOf(const Scenario &scenario, const Pack &pack);

/// Returns a scenario of a world's resources in their last rested states, without steps.
Scenario scenarioOf(const Rules &rules, const World &world);
/// Returns a run as a scenario; `records` are those since moment 0.
Scenario scenarioOf(const Simulator &simulator, const QList<Record> &records);

/// Ends or cancels an operation by hand for an End step; ignores an unknown operation.
void endByHand(const ScenarioStep &step, Simulator &simulator);

/// Returns an error if a step has alternatives, which only `explore` accepts; else an empty text.
QString choiceProblem(const Scenario &scenario);

/// Plays the steps in order of time on a simulator at its beginning, then runs until no event is
/// left, at most until `until` (ms). The budget's states are events.
Played play(const Scenario &scenario, Simulator &simulator, std::optional<qint64> until = {},
    const Budget &budget = { .states = MostEvents });

/// Converts a history into a scenario: requests at the time of sending, and observations as
/// expectations at the end of their interval. Times are rounded to ms from the first event. A
/// violation shows as a failed expectation.
Scenario traceOf(const History &history);

// Children with server-generated names. Operation "a" creates such a child at a path that ends in
// "{a}"; in other paths of the scenario "{a}" stands for the generated name.

using GeneratedNames = QMap<QString, QString>; ///< operation's id -> name

/// Returns true if the server generates the name of a request's target.
bool hasGeneratedName(const Request &request);

/// Returns the names that the engine generates. They do not depend on the order of the operations,
/// and are unique in the scenario and its initial tree.
GeneratedNames generatedNames(const Scenario &scenario, const Tree &tree);

/// Replaces placeholders by generated names; unknown placeholders stay.
QString named(const QString &path, const GeneratedNames &names);
Scenario named(Scenario scenario, const GeneratedNames &names);

/// Returns a step with every path in it mapped by `to`.
ScenarioStep withPaths(ScenarioStep step, const std::function<QString(const QString &)> &to);

/// Translates a scenario from the names of `before` into the new ones.
Scenario renamed(Scenario scenario, const Rules &before, const QList<Renaming> &renamings);

/// Checker of a scenario's expectations on a controller, to be created at the beginning: compares
/// etags with those at its creation or at the previous expectation, and counts only later
/// violations of constraints.
class ExpectationChecker
{
public:
    ExpectationChecker(const Scenario &scenario, const Controller &controller, Played &played);

    /// Returns the expected facts of a step that are not true now.
    QList<Failure> failures(const ScenarioStep &step) const;
    /// Checks a step and counts the result.
    void examine(const ScenarioStep &step);

private:
    qsizetype violations() const;

    const Controller &m_controller;
    Played &m_played;
    QMap<QString, QString> m_etags;
    qsizetype m_brokenBefore = 0;
};

/// Etags observed at the steps of a scenario, for later If-Match preconditions.
class ObservedEtags
{
public:
    /// The steps must outlive this object.
    explicit ObservedEtags(const QList<ScenarioStep> &steps);

    /// Returns true if a later step needs an etag observed at this step.
    bool isNeeded(const ScenarioStep &step) const;
    /// Stores the etags that later steps need. `at`: maps the scenario's paths to the server's.
    void store(const ScenarioStep &step, const Controller &controller,
        const std::function<QString(const QString &)> &at = {});
    /// Returns the request with the etag that the step needs, or one that never matches.
    Request withEtag(const ScenarioStep &step, Request request) const;

private:
    qsizetype indexOf(const ScenarioStep &step) const { return &step - m_steps.constData(); }

    const QList<ScenarioStep> &m_steps;
    QMap<std::pair<qsizetype, QString>, QString> m_observed; ///< step, path -> etag
};

} // namespace instar
