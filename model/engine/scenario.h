// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/engine/controller.h"
#include "model/engine/simulator.h"
#include "model/machine/renames.h"

#include <functional>
#include <limits>

namespace instar {

struct History;

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
    QList<Extra> extras;
    bool operator==(const Expectation &) const = default;
};

void describe(auto &visit, Of<Expectation> auto &row)
{
    static constexpr const char *statuses[] = { "Waiting", "InProgress", "Succeeded", "Failed",
        "Canceled", "Rejected" };
    visit.row("expectation", "an expectation", "What must be so at that time.");
    visit("resources", row.resources,
        { .names = Name::State,
            .keys = Name::Path,
            .nothing = true,
            .title = "a state, or null for a resource that is not there" },
        "By path the state, or null where there must be no such resource.");
    visit("properties", row.properties, { .keys = Name::Path },
        "By path the properties that the resource must have so, by name or dotted path; null: it "
        "has none of that name.");
    visit("operations", row.operations, { .keys = Name::Asked, .words = statuses },
        "By id the status.");
    visit("errors", row.errors, { .keys = Name::Asked }, "By id the error's code.");
    visit("etagsChanged", row.etagsChanged, { .names = Name::Path },
        "Paths whose etags have changed since the expectation before.");
    visit("etagsUnchanged", row.etagsUnchanged, { .names = Name::Path },
        "Paths whose etags have not.");
    visit("violations", row.violations, { .most = std::numeric_limits<int>::max() },
        "How many constraints are broken.");
    visit.extras(row.extras);
}

struct ScenarioStep
{
    enum class Kind { Submit, End, Expect };
    static constexpr int shapes = int(Kind::Expect) + 1;
    Kind kind = Kind::Submit;
    qint64 at = 0;   ///< virtual ms
    int line = 0;    ///< in the file, for messages
    Request request; ///< Submit
    QStringList ops,
        paths; ///< Submit: what `explore` may choose among; at least request.op and request.path
    bool anyOutcome = false;      ///< Submit: `explore` tries every outcome
    std::optional<int> seenAt {}; ///< Submit: the etag that was seen at that step is demanded
    QString operation,
        outcome; ///< End: an operation's id, and the outcome (a trigger's name; empty: as planned)
    Expectation expectation;
    QList<Extra> extras;
    bool operator==(const ScenarioStep &) const = default;
};

/// Of what is asked only what a scenario's file says.
void describe(auto &visit, Of<ScenarioStep> auto &row)
{
    const auto at = [&] {
        visit("at", row.at, { .always = true, .unit = "ms" }, "When, in virtual milliseconds.");
    };
    switch (row.kind) {
    case ScenarioStep::Kind::Submit: {
        auto &request = row.request;
        visit.row("submission", "an operation step", "An operation is asked for.");
        at();
        visit("op", row.ops, { .names = Name::Operation, .required = true },
            "The operation, or several of which explore tries each.");
        visit("path", row.paths, { .names = Name::Path, .required = true },
            "The target, or several of which explore tries each. One that ends in {ID}, ID being "
            "this operation's, leaves the name to the server; {ID} in other paths is that name.");
        visit("id", request.id, { .leftOut = "op1, op2, ... in file order" },
            "What the operation is called.");
        visit("client", request.client, {},
            "Who asks; explore keeps one client's operations in file order.");
        visit("duration", request.duration, { .unit = "ms", .leftOut = "the pack's" },
            "How long one attempt takes, in virtual milliseconds.");
        visit("outcome", Both { request.outcome, row.anyOutcome }, { .names = Name::Outcome },
            "How the work ends: Succeeded (unless said otherwise), Failed, or one that the pack "
            "declares; \"any\" makes explore try all.");
        visit("transientFailures", request.transientFailures,
            { .most = std::numeric_limits<int>::max(), .title = "a number of failures below 2^31" },
            "Attempts that fail before the outcome comes.");
        visit("hang", request.hang, {}, "Never ends by itself.");
        visit("work", request.work, { .keys = Name::Work },
            "How single pieces of work go: by state, or for required operations by operation and "
            "path.");
        visit("requests", request.requests, { .keys = Name::Path },
            "What required operations are asked with, by path.");
        visit("properties", request.properties, {},
            "The properties of the resource, where it is created.");
        visit("conditions", request.conditions, { .keys = Name::Condition },
            "Answers to the conditions that the pack leaves open.");
        visit("ifMatch", Both { request.ifMatch, row.seenAt }, {},
            "Only where the resource has this etag; * where it is there; {\"seenAt\": N}: the etag "
            "that it was seen to have at step N, of which 0 is the first.");
        visit("ifNoneMatch", request.ifNoneMatch, {},
            "Only where the resource does not have this etag; * where it is not there.");
        visit("requestId", request.requestId, {},
            "A repeated request id is answered with the first answer.");
        visit("body", request.body, {}, "The body of the request.");
        visit("references", request.references, { .names = Name::Path },
            "Paths that the resource refers to, where it is created.");
        break;
    }
    case ScenarioStep::Kind::End:
        visit.row("ending", "an ending", "A running piece of work is ended by hand.");
        at();
        visit("end", row.operation, { .names = Name::Asked, .required = true },
            "The operation's id.");
        visit("outcome", row.outcome, { .names = Name::Moment, .leftOut = "as planned" },
            "How its work ends.");
        break;
    case ScenarioStep::Kind::Expect:
        visit.row("expecting", "an expectation step", "What must be so.");
        at();
        visit("expect", row.expectation, { .required = true }, "What.");
        break;
    }
    visit.extras(row.extras);
}

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

void describe(auto &visit, Of<Scenario> auto &row)
{
    visit.row(
        "scenario", "a scenario", "Timed operations on a tree, and what is expected of them.");
    visit.kept("$schema", row.extras, "Where this schema is.");
    visit("pack", row.pack, { .required = true },
        "A built-in pack's id, or the path of a pack relative to this file.");
    visit("resources", row.resources, { .leftOut = "the pack's sample tree" },
        "The tree at the beginning.");
    visit("switches", row.switches, { .keys = Name::Switch, .truth = true },
        "Switches of the pack and their values.");
    visit("steps", row.steps, { .always = true },
        "What happens, in the order of time and, at one time, of the file.");
    visit.extras(row.extras);
}

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
    /// What ended the run; States: of events there may be no more. Then expectations may be left.
    Limit stoppedBy = Limit::None;
    qsizetype steps = 0; ///< that were taken
    qsizetype left = 0;  ///< that were not, because it was stopped
};

/// How many events a run may have, where nothing else is said.
inline constexpr qint64 MostEvents = 1'000'000;

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
/// What a simulator began with, and everything that was asked of it on the branch shown, as steps:
/// up to the moment shown, or all that is known.
enum class Known { SoFar, All };
Scenario scenarioOf(const Simulator &simulator, Known known = Known::SoFar);

/// Ends the running work of an operation as a step of kind End says; nothing where it is not there.
void endByHand(const ScenarioStep &step, Simulator &simulator);

/// Why a scenario cannot be played, only explored: a step leaves open what it asks for; empty: it
/// can be.
QString choiceProblem(const Scenario &scenario);

/// Plays the steps in order of time on a simulator at its beginning, then lets what is left end;
/// not past `until` (ms). The budget's states are events.
Played play(const Scenario &scenario, Simulator &simulator, std::optional<qint64> until = {},
    const Budget &budget = { .states = MostEvents });

/// What a history tells as a scenario: what was asked, when it was sent, and what was seen as what
/// is expected when it was seen at last. Times begin with the first thing, in whole ms. What the
/// rules do not allow shows as an expectation that does not come true.
Scenario traceOf(const History &history);

// Children whose names the server makes up. The step of operation "a" asks for one by a path that
// ends in "{a}"; in other paths of the scenario "{a}" stands for the name that it got.

using MadeNames = QMap<QString, QString>; ///< operation's id -> name

/// Whether a request leaves it to the server how its target is called.
bool leavesName(const Request &request);

/// What the engine makes up: the same whatever the order of the operations, and nobody else's name,
/// in the scenario or in the tree that it begins with.
MadeNames madeNames(const Scenario &scenario, const Tree &tree);

/// With the names in place; "{a}" stays where there is none for it.
QString named(const QString &path, const MadeNames &names);
Scenario named(Scenario scenario, const MadeNames &names);

/// A step with every path that is written in it as `to` says.
ScenarioStep withPaths(ScenarioStep step, const std::function<QString(const QString &)> &to);

/// What a scenario says in the names of `before`, in those of now.
Scenario renamed(Scenario scenario, const Rules &before, const Renames &renames);

/// Compares what a scenario expects with what a controller shows, and counts. Made at the
/// beginning: etags are compared with those that there were when it was made, or at the expectation
/// before; constraints that were broken then are nobody's doing.
class Examiner
{
public:
    Examiner(const Scenario &scenario, const Controller &controller, Played &played);

    /// The single facts of a step that are not true now.
    QList<Failure> failures(const ScenarioStep &step) const;
    /// Counts the step, with its failures.
    void examine(const ScenarioStep &step);

private:
    QString shownAt(const QString &path) const;
    QJsonValue propertyAt(const QString &path, const QString &name) const;
    QString etagAt(const QString &path) const;
    qsizetype violations() const;

    const Controller &m_controller;
    Played &m_played;
    QMap<QString, QString> m_etags;
    qsizetype m_brokenBefore = 0;
};

/// Etags as they were seen at the steps of a scenario, for later steps that demand them.
class SeenEtags
{
public:
    /// The steps must outlive it.
    explicit SeenEtags(const QList<ScenarioStep> &steps);

    /// Whether a later step demands an etag that is seen at this one.
    bool isDemanded(const ScenarioStep &step) const;
    /// Remembers the etags that later steps demand. `at`: where the server has what the scenario
    /// calls otherwise.
    void look(const ScenarioStep &step, const Controller &controller,
        const std::function<QString(const QString &)> &at = {});
    /// The request with the etag that the step demands; one that matches nothing where the resource
    /// was not there.
    Request demanding(const ScenarioStep &step, Request request) const;

private:
    qsizetype indexOf(const ScenarioStep &step) const { return &step - m_steps.constData(); }

    const QList<ScenarioStep> &m_steps;
    QMap<std::pair<qsizetype, QString>, QString> m_seen; ///< step, path -> etag
};

} // namespace instar
