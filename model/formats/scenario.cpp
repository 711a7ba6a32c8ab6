// SPDX-License-Identifier: Apache-2.0
#include "model/formats/scenario.h"

#include "model/formats/checked.h"
#include "model/formats/packnames.h"
#include "model/machine/nearest.h"

#include <QHash>
#include <QJsonObject>

#include <cstring>
#include <limits>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

class ScenarioReader
{
public:
    ScenarioReader(Reading &reading, const Pack &pack)
        : m_reading(reading), m_pack(pack), m_names(reading, pack)
    { }

    Scenario scenario();

private:
    void readResources(Value list, Scenario *scenario);
    ResourceSpec resource(Value value);
    ScenarioStep step(Value value);
    void submission(Value value, ScenarioStep *step);
    void expectation(Value value, Expectation *expectation);
    Piece piece(Value value);
    Enclosed enclosed(Value value);
    void addId(const QString &id, Value where);
    bool isKnownId(QStringView id, bool clockFires) const;
    void checkIds();
    void checkConditions(const Switches &switches);
    QStringList openLabelsElsewhere(const Switches &switches) const;
    QJsonObject object(Value value);
    QStringList paths(Value value);
    template<typename Read>
    void each(Value object, Read read);
    int lineOf(Value value);

    Reading &m_reading;
    const Pack &m_pack;
    PackNames m_names;
    QSet<QString> m_ids;
    QList<std::pair<QString, Value>> m_asked;   ///< ids that steps speak of
    QList<std::pair<QString, Value>> m_answers; ///< conditions that requests answer
    int m_submissions = 0;
    QHash<QByteArrayView, QString> m_states;
    qsizetype m_offset = 0; ///< up to here lines are counted
    int m_line = 1;
};

/// Of values in file order; so all lines together cost one pass.
int ScenarioReader::lineOf(Value value)
{
    const char *begin = m_reading.document().bytes().constData();
    const qsizetype offset = value.raw().data() - begin;
    if (offset < m_offset)
        return value.position().line;
    const char *at = begin + m_offset;
    while (const void *end = std::memchr(at, '\n', size_t(begin + offset - at))) {
        at = static_cast<const char *>(end) + 1;
        ++m_line;
    }
    m_offset = offset;
    return m_line;
}

template<typename Read>
void ScenarioReader::each(Value object, Read read)
{
    readById<bool>(m_reading, object, [&](const QString &key, Value value) {
        read(key, value);
        return true;
    });
}

QJsonObject ScenarioReader::object(Value value)
{
    if (value && !value.is(Value::Kind::Object))
        m_reading.expected(u"an object"_s, value);
    return value.json().toObject();
}

QStringList ScenarioReader::paths(Value value)
{
    const QStringList paths = m_reading.textOrTexts(value);
    if (value.is(Value::Kind::String))
        m_names.checkPath(value, paths.first());
    qsizetype i = 0;
    for (const Value item : value.items())
        m_names.checkPath(item, paths.at(i++));
    return paths;
}

/// There may be a million: one look at each member, and states shared.
ResourceSpec ScenarioReader::resource(Value value)
{
    ResourceSpec resource;
    if (!value.is(Value::Kind::Object)) {
        m_reading.expected(u"a resource: an object with a path"_s, value);
        return resource;
    }
    unsigned seen = 0;
    bool isPlain = true;
    for (const Member member : value.members()) {
        const unsigned bit = member.key.isString("path") ? 1 : member.key.isString("state") ? 2 : 4;
        isPlain = isPlain && bit < 4 && !(seen & bit) && member.value.is(Value::Kind::String);
        seen |= bit;
        if (bit == 1 && isPlain) {
            resource.path = member.value.string();
        } else if (bit == 2 && isPlain) {
            QString &state = m_states[member.value.raw()];
            if (state.isEmpty())
                state = member.value.string();
            resource.state = state;
        }
    }
    if (!isPlain || !(seen & 1)) {
        QList<Extra> ignored;
        const Fields fields(
            m_reading, value, { "path", "state", "references", "properties" }, &ignored);
        resource.path = fields.text("path", Need::Required);
        resource.state = fields.text("state");
        resource.references = paths(fields.value("references"));
        resource.properties = object(fields.value("properties"));
        if (!fields.value("path").is(Value::Kind::String))
            return resource;
    }
    if (const QString problem = pathProblem(resource.path); !problem.isEmpty())
        m_reading.error(value.find("path"), problem, u"path"_s);
    return resource;
}

void ScenarioReader::readResources(Value list, Scenario *scenario)
{
    if (!list)
        return;
    scenario->resources.emplace().reserve(list.size());
    scenario->resourceLines.reserve(list.size());
    if (!list.is(Value::Kind::Array))
        m_reading.expected(u"a list of resources"_s, list);
    for (const Value item : list.items()) {
        scenario->resources->append(resource(item));
        scenario->resourceLines.append(lineOf(item));
    }
}

Piece ScenarioReader::piece(Value value)
{
    QList<Extra> ignored;
    const Fields fields(
        m_reading, value, { "outcome", "duration", "hang", "properties" }, &ignored);
    Piece piece;
    const Value outcome = fields.value("outcome");
    piece.anyOutcome = outcome.isString("any");
    if (!piece.anyOutcome)
        piece.outcomes = m_reading.textOrTexts(outcome);
    for (QString &name : piece.outcomes)
        name = m_names.outcome(outcome, name);
    if (fields.has("duration"))
        piece.duration = fields.whole("duration");
    if (fields.has("hang"))
        piece.hang = fields.flag("hang");
    const Value says = fields.value("properties");
    if (says.is(Value::Kind::Array)) {
        for (const Value one : says.items())
            piece.properties += object(one);
    } else if (says) {
        piece.properties = { object(says) };
    }
    return piece;
}

Enclosed ScenarioReader::enclosed(Value value)
{
    QList<Extra> ignored;
    const Fields fields(m_reading, value, { "properties", "references", "body" }, &ignored);
    return { object(fields.value("properties")), paths(fields.value("references")),
        fields.value("body").raw().toByteArray() };
}

void ScenarioReader::addId(const QString &id, Value where)
{
    if (m_ids.contains(id))
        m_reading.error(where, u"expected each operation's id once, found \"%1\" again"_s.arg(id),
            u"duplicate-id"_s);
    m_ids.insert(id);
}

void ScenarioReader::submission(Value value, ScenarioStep *step)
{
    QList<Extra> ignored;
    const Fields fields(m_reading, value,
        { "at", "op", "path", "id", "client", "duration", "outcome", "transientFailures", "hang",
            "work", "requests", "properties", "conditions", "ifMatch", "ifNoneMatch", "requestId",
            "body", "references" },
        &ignored);
    Request &request = step->request;
    const Value op = fields.value("op", Need::Required);
    step->ops = m_reading.textOrTexts(op);
    for (const QString &name : step->ops)
        m_names.checkOperation(op, name);
    const Value path = fields.value("path", Need::Required);
    step->paths = paths(path);
    for (const Value choice : { op, path }) {
        if (choice.is(Value::Kind::Array) && choice.size() == 0)
            m_reading.error(
                choice, u"expected something to choose from, found an empty list"_s, u"value"_s);
    }
    request.op = step->ops.value(0);
    request.path = step->paths.value(0);
    ++m_submissions;
    const Value id = fields.value("id");
    request.id = id ? m_reading.text(id) : u"op%1"_s.arg(m_submissions);
    if (request.id.isEmpty() && id.is(Value::Kind::String))
        m_reading.error(id, u"expected an id, found an empty string"_s, u"value"_s);
    addId(request.id, id ? id : value);
    request.client = fields.text("client");
    const Value outcome = fields.value("outcome");
    step->anyOutcome = outcome.isString("any");
    if (outcome && !step->anyOutcome)
        request.outcome = m_names.outcome(outcome, m_reading.text(outcome));
    const qint64 failures = fields.whole("transientFailures");
    if (failures > std::numeric_limits<int>::max())
        m_reading.expected(u"a number of failures below 2^31"_s, fields.value("transientFailures"));
    request.transientFailures = int(qMin<qint64>(failures, std::numeric_limits<int>::max()));
    if (fields.has("duration"))
        request.duration = fields.whole("duration");
    request.hang = fields.flag("hang");
    each(fields.value("work"), [&](const QString &key, Value how) {
        const qsizetype space = m_names.isState(key) ? -1 : key.indexOf(" /"_L1);
        if (space < 0) {
            m_names.checkWork(how, key);
        } else {
            m_names.checkOperation(how, key.first(space));
            m_names.checkPath(how, key.sliced(space + 1));
        }
        request.work.insert(key, piece(how));
    });
    each(fields.value("requests"), [&](const QString &target, Value what) {
        m_names.checkPath(what, target);
        request.requests.insert(target, enclosed(what));
    });
    each(fields.value("conditions"), [&](const QString &label, Value answer) {
        request.conditions.insert(label, m_reading.flag(answer));
        m_answers.append({ label, answer });
    });
    request.properties = object(fields.value("properties"));
    request.references = paths(fields.value("references"));
    request.ifMatch = fields.text("ifMatch");
    request.ifNoneMatch = fields.text("ifNoneMatch");
    request.requestId = fields.text("requestId");
    request.body = fields.value("body").raw().toByteArray();
}

/// Whether an id is that of an operation of the scenario, or of one that another requires ("a.1").
/// What the clock fires is "clock.1".
bool ScenarioReader::isKnownId(QStringView id, bool clockFires) const
{
    static const auto isNumber = [](QStringView part) {
        return !part.isEmpty() && std::all_of(part.begin(), part.end(), [](QChar c) {
            return c >= u'0' && c <= u'9';
        });
    };
    bool isRequired = false;
    while (!m_ids.contains(id.toString())) {
        const qsizetype dot = id.lastIndexOf(u'.');
        if (dot < 0 || !isNumber(id.sliced(dot + 1)))
            return isRequired && clockFires && id == u"clock";
        id = id.first(dot);
        isRequired = true;
    }
    return true;
}

void ScenarioReader::checkIds()
{
    const bool clockFires =
        std::any_of(m_pack.machines.begin(), m_pack.machines.end(), [](const Machine &machine) {
            return std::any_of(machine.states.begin(), machine.states.end(),
                [](const State &s) { return s.timer && !s.timer->operation.isEmpty(); });
        });
    QStringList known = inOrder(m_ids);
    for (const auto &[id, where] : std::as_const(m_asked)) {
        if (isKnownId(id, clockFires))
            continue;
        m_reading.error(where,
            u"expected the id of an operation of this scenario, found \"%1\"%2"_s.arg(
                id, suggestion(id, known)),
            u"unknown-name"_s);
        if (m_reading.findings().size() > 10) // for the rest the list of names is enough
            known.clear();
    }
}

/// A condition that nobody asks for, or whose answer the pack itself gives, would be ignored.
void ScenarioReader::checkConditions(const Switches &switches)
{
    if (m_answers.isEmpty())
        return;
    const Result<Rules> rules = Rules::make(m_pack, switches);
    if (!rules) // which is said elsewhere
        return;
    const QStringList open = rules->openLabels();
    std::optional<QStringList> elsewhere; // what rows that the switches leave out ask for
    for (const auto &[label, where] : std::as_const(m_answers)) {
        const bool isBound = std::any_of(m_pack.conditions.begin(), m_pack.conditions.end(),
            [&](const NamedCondition &row) { return row.id == label && rules->applies(row); });
        if (isBound)
            m_reading.error(where,
                u"the condition \"%1\" is bound: the pack says when it holds, so nobody can answer it; leave it out"_s
                    .arg(label.left(100)),
                u"bound-condition"_s);
        if (isBound || open.contains(label))
            continue;
        if (!elsewhere)
            elsewhere = openLabelsElsewhere(switches);
        if (!elsewhere->contains(label))
            m_names.unknown(where, u"condition"_s, label, open);
    }
}

QStringList ScenarioReader::openLabelsElsewhere(const Switches &switches) const
{
    QStringList labels;
    for (const Switches &choice : choicesOf(m_pack)) {
        Switches others = switches;
        others.insert(choice);
        if (const Result<Rules> rules = Rules::make(m_pack, others))
            labels += rules->openLabels();
    }
    return labels;
}

void ScenarioReader::expectation(Value value, Expectation *expectation)
{
    QList<Extra> ignored;
    const Fields fields(m_reading, value,
        { "resources", "properties", "operations", "errors", "etagsChanged", "etagsUnchanged",
            "violations" },
        &ignored);
    each(fields.value("resources"), [&](const QString &path, Value state) {
        m_names.checkPath(state, path);
        const bool isAbsent = state.is(Value::Kind::Null);
        if (!isAbsent && !state.is(Value::Kind::String))
            m_reading.expected(u"a state, or null for a resource that is not there"_s, state);
        else if (!isAbsent)
            m_names.checkState(state, path, state.string());
        expectation->resources.insert(path, state.string());
    });
    each(fields.value("properties"), [&](const QString &path, Value values) {
        m_names.checkPath(values, path);
        expectation->properties.insert(path, object(values));
    });
    each(fields.value("operations"), [&](const QString &id, Value status) {
        static const QStringList statuses { u"Waiting"_s, u"InProgress"_s, u"Succeeded"_s,
            u"Failed"_s, u"Canceled"_s, u"Rejected"_s };
        m_reading.choice(status, statuses);
        m_asked.append({ id, status });
        expectation->operations.insert(id, status.string());
    });
    each(fields.value("errors"), [&](const QString &id, Value code) {
        m_asked.append({ id, code });
        expectation->errors.insert(id, m_reading.text(code));
    });
    expectation->etagsChanged = paths(fields.value("etagsChanged"));
    expectation->etagsUnchanged = paths(fields.value("etagsUnchanged"));
    if (const Value violations = fields.value("violations"))
        expectation->violations =
            int(qMin<qint64>(m_reading.whole(violations), std::numeric_limits<int>::max()));
}

ScenarioStep ScenarioReader::step(Value value)
{
    ScenarioStep step;
    step.line = lineOf(value);
    step.at = m_reading.whole(value.find("at"));
    QList<Extra> ignored;
    if (value.find("expect")) {
        step.kind = ScenarioStep::Kind::Expect;
        const Fields fields(m_reading, value, { "at", "expect" }, &ignored);
        expectation(fields.value("expect"), &step.expectation);
    } else if (value.find("end")) {
        step.kind = ScenarioStep::Kind::End;
        const Fields fields(m_reading, value, { "at", "end", "outcome" }, &ignored);
        step.operation = fields.text("end");
        m_asked.append({ step.operation, fields.value("end") });
        if (const Value outcome = fields.value("outcome"))
            step.outcome = outcome.string() == u"canceled"
                ? outcome.string()
                : m_names.outcome(outcome, m_reading.text(outcome));
    } else if (value.is(Value::Kind::Object)) {
        submission(value, &step);
    } else {
        m_reading.expected(
            u"a step: an object with op and path, with end, or with expect"_s, value);
    }
    return step;
}

Scenario ScenarioReader::scenario()
{
    Scenario scenario;
    scenario.file = m_reading.document().name();
    const Value root = m_reading.document().root();
    const Fields fields(
        m_reading, root, { "$schema", "pack", "resources", "switches", "steps" }, &scenario.extras);
    scenario.pack = fields.text("pack", Need::Required);
    each(fields.value("switches"), [&](const QString &id, Value value) {
        scenario.switches.insert(id, m_names.switchValue(value, id, value));
    });
    readResources(fields.value("resources"), &scenario);
    scenario.steps = readList<ScenarioStep>(
        m_reading, fields.value("steps"), [this](Value value) { return step(value); });

    checkIds();
    checkConditions(scenario.switches);
    return scenario;
}

} // namespace

ScenarioDraft scenarioDraft(const JsonText &document, const Pack &pack)
{
    Reading reading(document);
    Scenario scenario = ScenarioReader(reading, pack).scenario();
    return { std::move(scenario), reading.findings(), reading.sentence() };
}

Result<Scenario> readScenario(const JsonText &document, const Pack &pack)
{
    ScenarioDraft draft = scenarioDraft(document, pack);
    if (!draft.error.isEmpty())
        return Error { draft.error };
    return std::move(draft.scenario);
}

} // namespace instar
