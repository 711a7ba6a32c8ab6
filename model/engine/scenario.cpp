// SPDX-License-Identifier: Apache-2.0
#include "model/engine/scenario.h"

#include "model/engine/history.h"
#include "model/engine/question.h"
#include "model/pack/identity.h"
#include "model/pack/rows.h"

#include <cmath>

namespace instar {

ScenarioStep submitStep(const Request &request)
{
    return { .request = request, .ops = { request.op }, .paths = { request.path } };
}

QList<Request> requestsIn(const QList<ScenarioStep> &steps)
{
    QList<Request> requests;
    for (const ScenarioStep &step : steps) {
        if (step.kind != ScenarioStep::Kind::Submit)
            continue;
        requests += step.request;
        for (const QString &path : step.paths) {
            requests += step.request;
            requests.last().path = path;
        }
    }
    return requests;
}

Result<Stage> stageOf(const Scenario &scenario, const Pack &pack)
{
    Result<Rules> rules = Rules::make(pack, scenario.switches);
    if (!rules)
        return Error { u"%1: %2"_s.arg(scenario.file, rules.error()) };
    const bool hasOwn = scenario.resources.has_value();
    Loaded loaded = makeWorld(*rules, hasOwn ? *scenario.resources : pack.sample);
    if (!loaded.problem.isEmpty()) {
        const bool hasLine = hasOwn && loaded.badResource < scenario.resourceLines.size();
        const QString line =
            hasLine ? u":%1"_s.arg(scenario.resourceLines[loaded.badResource]) : QString();
        const QString where = hasOwn ? scenario.file + line : u"the sample of pack "_s + pack.id;
        return Error { u"%1: %2"_s.arg(where, loaded.problem) };
    }
    return Stage { std::move(*rules), std::move(loaded.world) };
}

void endByHand(const ScenarioStep &step, Simulator &simulator)
{
    const Operation *operation = simulator.operations().find(step.operation);
    if (!operation)
        return;
    const Rules &rules = simulator.rules();
    const Rules::TriggerId outcome =
        step.outcome.isEmpty() ? Rules::None : rules.trigger(step.outcome);
    if (outcome != Rules::None && outcome == rules.canceled)
        simulator.cancel(operation->serial);
    else
        simulator.end(operation->serial, outcome);
}

QString choiceProblem(const Scenario &scenario)
{
    for (const ScenarioStep &step : scenario.steps) {
        if (step.ops.size() > 1 || step.paths.size() > 1)
            return u"%1:%2: expected one %3, found a list of alternatives; name one %3, or use explore, which tries all"_s
                .arg(scenario.file, QString::number(step.line),
                    step.ops.size() > 1 ? u"operation"_s : u"path"_s);
    }
    return {};
}

Played play(const Scenario &original, Simulator &simulator, std::optional<qint64> until,
    const Budget &budget)
{
    constexpr qint64 eventsBetween = 200; // two checks of the budget
    const Scenario scenario = named(original, generatedNames(original, simulator.world().tree));
    Played played;
    // Calls doSome(limit of events) until it returns true; returns false if the budget ends first.
    const auto isDone = [&](const auto &doSome) {
        for (;;) {
            const qint64 events = simulator.moment() + simulator.forgotten();
            const qint64 left = std::max<qint64>(budget.states - events, 0);
            if (doSome(int(std::min(left, eventsBetween))))
                return true;
            played.stoppedBy = left <= eventsBetween ? Limit::States : budget.interruption(events);
            if (played.stoppedBy != Limit::None)
                return false;
        }
    };
    ExpectationChecker checker(scenario, simulator, played);
    ObservedEtags etags(scenario.steps);
    QList<const ScenarioStep *> steps;
    for (const ScenarioStep &step : scenario.steps) {
        if (!until || step.at <= *until)
            steps += &step;
    }
    std::ranges::stable_sort(steps, {}, &ScenarioStep::at);
    for (const ScenarioStep *step : steps) {
        if (played.steps % eventsBetween == 0)
            played.stoppedBy = budget.interruption(simulator.moment());
        if (played.stoppedBy != Limit::None
            || !isDone([&](int most) { return simulator.advanceTo(step->at, most); })) {
            played.left = steps.size() - played.steps;
            break;
        }
        ++played.steps;
        switch (step->kind) {
        case ScenarioStep::Kind::Submit:
            simulator.submit(etags.withEtag(*step, step->request));
            break;
        case ScenarioStep::Kind::End:
            endByHand(*step, simulator);
            break;
        case ScenarioStep::Kind::Expect:
            checker.examine(*step);
            break;
        }
        etags.store(*step, simulator);
    }
    if (played.stoppedBy == Limit::None)
        isDone([&](int most) {
            return until ? simulator.advanceTo(*until, most) : simulator.runUntilQuiet(most);
        });
    played.quiescent = nextEvent(simulator.rules(), simulator.world()).kind == Event::Kind::Wait;
    return played;
}

Scenario scenarioOf(const Rules &rules, const World &world)
{
    Scenario scenario;
    scenario.pack = rules.pack().id;
    for (const Switch &row : rules.pack().switches) {
        const QString value = rules.switches().value(row.id, row.defaultValue);
        if (value != row.defaultValue)
            scenario.switches.insert(row.id, value);
    }
    scenario.resources.emplace();
    for (const Resource resource : world.tree.resources()) {
        const Code code = world.tree.code(resource);
        const Rules::MachineRule &machine = rules.machine(rules.stateIn(code).machine);
        Rules::StateId state = rules.stateOf(code);
        if (!rules.state(state).isStable())
            state = rules.lastOf(code) != Rules::None ? rules.lastOf(code) : machine.rest;
        ResourceSpec spec { .path = world.tree.path(resource),
            .state = {},
            .references = world.references.value(resource),
            .properties = world.properties.value(resource) };
        if (state != machine.rest && rules.state(state).isStable())
            spec.state = rules.state(state).id;
        *scenario.resources += spec;
    }
    return scenario;
}

namespace {

/// Returns a property's value as JSON; null if it is absent.
QString valueText(const QJsonValue &value)
{
    return QString::fromUtf8(jsonOf(value.isUndefined() ? QJsonValue() : value));
}

/// Returns a name derived from an operation's id, with characters that are common in paths.
QString nameFrom(const QString &id)
{
    QString name = id.left(200);
    std::ranges::replace_if(
        name, [](QChar c) { return !c.isLetterOrNumber() && c != u'_' && c != u'.'; }, u'-');
    return name;
}

using ToPath = std::function<QString(const QString &)>;

template<typename Value>
void changeKeys(QMap<QString, Value> *map, const ToPath &to)
{
    QMap<QString, Value> result;
    for (auto it = map->cbegin(); it != map->cend(); ++it)
        result.insert(to(it.key()), it.value());
    *map = result;
}

void changeAll(QStringList *paths, const ToPath &to)
{
    for (QString &path : *paths)
        path = to(path);
}

void changeIn(Request *request, const ToPath &to)
{
    request->path = to(request->path);
    changeAll(&request->references, to);
    changeAll(&request->replaces, to);
    changeKeys(&request->work, to);
    changeKeys(&request->requests, to);
    for (NestedRequest &nested : request->requests)
        changeAll(&nested.references, to);
    for (Request &content : request->contents)
        changeIn(&content, to);
}

class NameTranslator
{
public:
    NameTranslator(const Rules &before, const QList<Renaming> &renamings)
        : m_before(before), m_renamings(renamings)
    { }

    QString of(Name kind, const QString &name) const { return nameAfter(m_renamings, kind, name); }
    /// Translates an operation, outcome or event; these share one namespace.
    QString trigger(const QString &name) const
    {
        for (const Name kind : { Name::Operation, Name::Outcome, Name::Event }) {
            if (const QString to = of(kind, name); to != name)
                return to;
        }
        return name;
    }
    QString state(const QString &name, const QString &resourcePath) const
    {
        const int machine = m_before.machineForType(typePathOf(resourcePath));
        const QString id = machine == Rules::None ? QString() : m_before.machine(machine).id;
        return nameAfter(m_renamings, Name::State, name, id);
    }
    /// Translates a path. If its type has a new parent type, the parent is a sample of that type.
    QString path(const QString &name) const
    {
        return pathAfter(m_before.pack(), m_renamings, name);
    }
    void change(Request *request) const
    {
        for (WorkPlan &plan : request->work) {
            for (QString &outcome : plan.outcomes)
                outcome = trigger(outcome);
        }
        changeKeys(&request->work, [&](const QString &key) {
            const qsizetype cut = key.indexOf(u" /"_s);
            return cut < 0 ? state(key, request->path) : trigger(key.first(cut)) + key.sliced(cut);
        });
        changeKeys(&request->conditions,
            [this](const QString &name) { return of(Name::Condition, name); });
        request->op = trigger(request->op);
        request->outcome = trigger(request->outcome);
        for (Request &content : request->contents)
            change(&content);
    }

private:
    const Rules &m_before;
    const QList<Renaming> &m_renamings;
};

} // namespace

ExpectationChecker::ExpectationChecker(
    const Scenario &scenario, const Controller &controller, Played &played)
    : m_controller(controller), m_played(played)
{
    for (const ScenarioStep &step : scenario.steps) {
        for (const QString &path : step.expectation.etagsChanged + step.expectation.etagsUnchanged)
            m_etags.insert(path, m_controller.etagAt(path));
    }
    m_brokenBefore = violations();
}

QList<Failure> ExpectationChecker::failures(const ScenarioStep &step) const
{
    QList<Failure> failures;
    const auto compare = [&](const QString &what, const QString &expected, const QString &found) {
        if (expected == found)
            return;
        failures.append({ step.at, step.line,
            u"%1: expected %2, found %3"_s.arg(
                what, expected, found.isEmpty() ? u"nothing"_s : found) });
    };
    const Expectation &expected = step.expectation;
    const World &world = m_controller.world();
    const OperationLog &operations = m_controller.operations();
    for (auto it = expected.resources.cbegin(); it != expected.resources.cend(); ++it) {
        const QString found = wordAt(m_controller.rules(), world, it.key()).value_or(QString());
        compare(it.key(), it.value().isEmpty() ? u"absent"_s : it.value(),
            found.isEmpty() ? u"absent"_s : found);
    }
    for (auto it = expected.properties.cbegin(); it != expected.properties.cend(); ++it) {
        const QJsonObject found = world.properties.value(world.tree.find(it.key()));
        for (auto each = it->begin(); each != it->end(); ++each)
            compare(each.key() + u" of "_s + it.key(), valueText(each.value()),
                valueText(property(found, each.key())));
    }
    for (auto it = expected.operations.cbegin(); it != expected.operations.cend(); ++it) {
        const Operation *operation = operations.find(it.key());
        compare(u"operation "_s + it.key(), it.value(),
            statusName(operation ? operation->status : Status::Waiting));
    }
    for (auto it = expected.errors.cbegin(); it != expected.errors.cend(); ++it) {
        const Operation *operation = operations.find(it.key());
        compare(u"error of operation "_s + it.key(), it.value(),
            operation ? operation->errorCode : QString());
    }
    const auto compareEtag = [&](const QString &path, const QString &word) {
        compare(u"etag of "_s + path, word,
            m_controller.etagAt(path) != m_etags.value(path) ? u"changed"_s : u"unchanged"_s);
    };
    for (const QString &path : expected.etagsChanged)
        compareEtag(path, u"changed"_s);
    for (const QString &path : expected.etagsUnchanged)
        compareEtag(path, u"unchanged"_s);
    if (expected.violations)
        compare(
            u"violations"_s, QString::number(*expected.violations), QString::number(violations()));
    return failures;
}

void ExpectationChecker::examine(const ScenarioStep &step)
{
    const QList<Failure> found = failures(step);
    ++(found.isEmpty() ? m_played.passed : m_played.failed);
    m_played.failures += found;
    for (const QString &path : step.expectation.etagsChanged + step.expectation.etagsUnchanged)
        m_etags.insert(path, {}); // adds a path that a server has named meanwhile
    for (auto it = m_etags.begin(); it != m_etags.end(); ++it)
        *it = m_controller.etagAt(it.key());
}

qsizetype ExpectationChecker::violations() const
{
    qsizetype count = -m_brokenBefore;
    for (const Record &record : m_controller.records())
        count += std::ranges::count(record.changes, Change::Kind::Violated, &Change::kind);
    return count;
}

ObservedEtags::ObservedEtags(const QList<ScenarioStep> &steps) : m_steps(steps)
{
    for (const ScenarioStep &step : steps) {
        if (step.seenAt)
            m_observed.insert({ *step.seenAt, step.request.path }, {});
    }
}

bool ObservedEtags::isNeeded(const ScenarioStep &step) const
{
    const auto first = m_observed.lowerBound({ indexOf(step), {} });
    return first != m_observed.cend() && first.key().first == indexOf(step);
}

void ObservedEtags::store(const ScenarioStep &step, const Controller &controller,
    const std::function<QString(const QString &)> &at)
{
    for (auto it = m_observed.begin(); it != m_observed.end(); ++it) {
        if (it.key().first != indexOf(step))
            continue;
        const QString &path = it.key().second;
        *it = controller.etagAt(at ? at(path) : path);
    }
}

Request ObservedEtags::withEtag(const ScenarioStep &step, Request request) const
{
    if (!step.seenAt)
        return request;
    const QString etag = m_observed.value({ *step.seenAt, step.request.path });
    request.ifMatch = etag.isEmpty() ? u"\"none was seen\""_s : etag;
    return request;
}

Scenario scenarioOf(const Simulator &simulator, const QList<Record> &records)
{
    const Rules &rules = simulator.rules();
    Scenario scenario = scenarioOf(rules, simulator.beginning());
    QHash<quint32, QString> ids; // of the operations
    for (const Record &record : records) {
        for (const Change &change : record.changes) {
            if (change.request)
                ids.insert(change.operation, change.request->id);
        }
        const Event &event = record.event;
        const bool isCanceled = event.kind == Event::Kind::Cancel;
        ScenarioStep step;
        if (event.kind == Event::Kind::Submit && event.request) {
            step = submitStep(*event.request);
        } else if (isCanceled || (event.kind == Event::Kind::End && event.outcome != Rules::None)) {
            step.kind = ScenarioStep::Kind::End;
            step.operation =
                ids.value(event.operation, simulator.operations().idOf(event.operation));
            step.outcome = rules.triggerName(isCanceled ? rules.canceled : event.outcome);
        } else {
            continue;
        }
        step.at = event.time;
        scenario.steps += step;
    }
    return scenario;
}

Scenario traceOf(const History &history)
{
    Scenario trace {
        .pack = history.pack, .resources = history.resources, .switches = history.switches
    };
    const auto since = [begin = history.begin()](
                           double ms) { return qint64(std::llround(std::max(ms - begin, 0.0))); };
    for (const RecordedRequest &entry : history.requests) {
        ScenarioStep step = submitStep(entry.request);
        step.at = since(entry.sent);
        step.request.ifMatch.clear(); // etags differ between servers
        step.request.ifNoneMatch.clear();
        trace.steps += step;
    }
    for (const Observation &observation : history.observations) {
        ScenarioStep step { .kind = ScenarioStep::Kind::Expect, .at = since(observation.to) };
        auto &expected =
            observation.isOfResource() ? step.expectation.resources : step.expectation.operations;
        expected.insert(observation.isOfResource() ? observation.path : observation.operation,
            observation.word.value_or(QString()));
        trace.steps += step;
    }
    std::ranges::stable_sort(trace.steps, {}, &ScenarioStep::at);
    return trace;
}

bool hasGeneratedName(const Request &request)
{
    return request.path.endsWith(u"/{%1}"_s.arg(request.id));
}

GeneratedNames generatedNames(const Scenario &scenario, const Tree &tree)
{
    const auto generatesName = [](const ScenarioStep &step) {
        return step.kind == ScenarioStep::Kind::Submit && hasGeneratedName(step.request);
    };
    if (std::ranges::none_of(scenario.steps, generatesName))
        return {};
    QSet<QString> usedPaths;
    for (const ScenarioStep &step : scenario.steps) {
        for (const QString &path : step.paths + QStringList { step.request.path })
            usedPaths.insert(path.toCaseFolded());
    }
    GeneratedNames names;
    for (const ScenarioStep &step : scenario.steps) {
        if (!generatesName(step))
            continue;
        const QString &path = step.request.path;
        const QString collection = named(path.first(path.lastIndexOf(u'/') + 1), names);
        const QString wanted = nameFrom(step.request.id);
        QString name = wanted;
        for (int i = 2; usedPaths.contains((collection + name).toCaseFolded())
             || tree.find(collection + name) != NoResource;
             ++i)
            name = wanted + u'-' + QString::number(i);
        usedPaths.insert((collection + name).toCaseFolded());
        names.insert(step.request.id, name);
    }
    return names;
}

QString named(const QString &path, const GeneratedNames &names)
{
    if (names.isEmpty() || !path.contains(u"/{"_s))
        return path;
    QStringList parts = path.split(u'/');
    for (QString &part : parts) {
        const bool isPlaceholder = part.size() > 2 && part.startsWith(u'{') && part.endsWith(u'}');
        if (isPlaceholder)
            part = names.value(part.sliced(1).chopped(1), part);
    }
    return parts.join(u'/');
}

ScenarioStep withPaths(ScenarioStep step, const ToPath &to)
{
    changeIn(&step.request, to);
    changeAll(&step.paths, to);
    changeKeys(&step.expectation.resources, to);
    changeKeys(&step.expectation.properties, to);
    changeAll(&step.expectation.etagsChanged, to);
    changeAll(&step.expectation.etagsUnchanged, to);
    return step;
}

Scenario named(Scenario scenario, const GeneratedNames &names)
{
    if (names.isEmpty())
        return scenario;
    const auto to = [&](const QString &path) { return named(path, names); };
    for (ScenarioStep &step : scenario.steps)
        step = withPaths(std::move(step), to);
    return scenario;
}

Scenario renamed(Scenario scenario, const Rules &before, const QList<Renaming> &renamings)
{
    const NameTranslator names(before, renamings);
    const auto toPath = [&names](const QString &path) { return names.path(path); };
    if (scenario.resources) {
        for (ResourceSpec &spec : *scenario.resources) {
            spec.state = names.state(spec.state, spec.path);
            spec.path = names.path(spec.path);
            changeAll(&spec.references, toPath);
        }
    }
    for (ScenarioStep &step : scenario.steps) {
        names.change(&step.request);
        for (QString &op : step.ops)
            op = names.trigger(op);
        step.outcome = names.trigger(step.outcome);
        QMap<QString, QString> &words = step.expectation.resources;
        for (auto it = words.begin(); it != words.end(); ++it)
            *it = names.state(*it, it.key());
        for (QString &code : step.expectation.errors)
            code = names.of(Name::Refusal, code);
        step = withPaths(std::move(step), toPath);
    }
    return scenario;
}

} // namespace instar
