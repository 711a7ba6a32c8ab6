// SPDX-License-Identifier: Apache-2.0
#include "model/json/scenariofile.h"

#include "model/json/library.h"
#include "model/json/members.h"
#include "model/json/packfile.h"
#include "model/json/packnames.h"
#include "model/pack/nearest.h"

#include <QDir>
#include <QFileInfo>

namespace instar {

/// Returns the kind of a step, by its keys; absent: the value is no step.
static std::optional<ScenarioStep::Kind> kindOf(
    JsonReader &reading, Value value, ScenarioStep::Kind)
{
    if (!value.is(Value::Kind::Object)) {
        reading.expected(u"a step: an object with op and path, with end, or with expect"_s, value);
        return {};
    }
    return value.find("expect") ? ScenarioStep::Kind::Expect
        : value.find("end")     ? ScenarioStep::Kind::End
                                : ScenarioStep::Kind::Submit;
}

template<>
inline constexpr bool members::IsMultiLine<Scenario> = true;

namespace {

/// Visitor that checks the names of a row against the pack; `row` is the JSON of the row.
class NameLookup : public Visitor
{
public:
    /// Names that are checked after the visit, with their values in the file.
    struct ScenarioNames
    {
        QList<std::pair<QString, Value>> operationIds, conditions;
    };
    NameLookup(const PackNames &names, ScenarioNames &scenarioNames, Value row)
        : m_names(names), m_scenarioNames(scenarioNames), m_row(row)
    { }

    void operator()(const char *key, auto &&member, const MemberSpec &spec, const char * = nullptr)
    {
        check(m_row.find(key), member, spec);
    }

private:
    void check(Value value, QString &text, const MemberSpec &spec)
    {
        if (!text.isEmpty() || value.is(Value::Kind::String))
            text = checkName(value, text, spec.names);
    }
    void check(Value value, QStringList &texts, const MemberSpec &spec)
    {
        if (value.is(Value::Kind::String) && !texts.isEmpty())
            check(value, texts.first(), spec);
        qsizetype i = 0;
        for (const Value item : value.items())
            check(item, texts[i++], spec);
    }
    template<typename T>
    void check(Value value, QMap<QString, T> &map, const MemberSpec &spec)
    {
        for (const Member member : value.members()) {
            const QString key = member.key.string();
            checkKey(member.value, key, spec.keys);
            if constexpr (std::is_same_v<T, QString>) {
                if (spec.keys == Name::Path && spec.names == Name::State) {
                    if (member.value.is(Value::Kind::String))
                        m_names.checkState(member.value, key, map[key]);
                    continue;
                }
                if (spec.keys == Name::Switch) {
                    map[key] = m_names.switchValue(member.value, key, member.value);
                    continue;
                }
            }
            check(member.value, map[key], spec);
        }
    }
    template<typename T>
        requires Described<T, NameLookup>
    void check(Value value, T &row, const MemberSpec &)
    {
        NameLookup lookup(m_names, m_scenarioNames, value);
        describe(lookup, row);
    }
    void check(Value list, QList<ScenarioStep> &steps, const MemberSpec &spec)
    {
        qsizetype i = 0;
        for (const Value item : list.items())
            check(item, steps[i++], spec);
    }
    /// Checks the paths of resources; makeWorld() checks their types and states.
    void check(Value list, std::optional<QList<ResourceSpec>> &resources, const MemberSpec &)
    {
        qsizetype i = 0;
        for (const Value item : list.items()) {
            ResourceSpec &resource = (*resources)[i++];
            const Value path = item.find("path");
            const QString problem =
                path.is(Value::Kind::String) ? pathProblem(resource.path) : QString();
            if (!problem.isEmpty())
                m_names.wrong(path, problem, u"path"_s);
            if (!resource.references.isEmpty())
                check(item.find("references"), resource.references, { .names = Name::Path });
        }
    }
    template<typename T>
    void check(Value value, SharedKey<T, bool> &namesOrAny, const MemberSpec &spec)
    {
        if (!namesOrAny.second)
            check(value, namesOrAny.first, spec);
    }
    void check(Value, auto &, const MemberSpec &) { }

    /// Checks a name; returns its canonical form.
    QString checkName(Value where, const QString &name, Name what)
    {
        switch (what) {
        case Name::Operation:
            m_names.checkOperation(where, name);
            break;
        case Name::Path:
            m_names.checkPath(where, name);
            break;
        case Name::Outcome:
            return m_names.outcome(where, name);
        case Name::Result:
            return name == "canceled"_L1 ? name : m_names.outcome(where, name);
        case Name::OperationId:
            m_scenarioNames.operationIds.append({ name, where });
            break;
        default:
            break;
        }
        return name;
    }
    void checkKey(Value where, const QString &key, Name what)
    {
        // Work is named by a state, or by "OPERATION /path".
        const qsizetype space =
            what != Name::Work || m_names.isState(key) ? -1 : key.indexOf(" /"_L1);
        if (space >= 0) {
            m_names.checkOperation(where, key.first(space));
            m_names.checkPath(where, key.sliced(space + 1));
        } else if (what == Name::Work) {
            m_names.checkWork(where, key);
        } else if (what == Name::Condition) {
            m_scenarioNames.conditions.append({ key, where });
        } else {
            checkName(where, key, what);
        }
    }

    const PackNames &m_names;
    ScenarioNames &m_scenarioNames;
    Value m_row;
};

class ScenarioReader
{
public:
    ScenarioReader(JsonReader &reading, const Pack &pack)
        : m_reading(reading), m_pack(pack), m_names(reading, pack)
    { }

    Scenario scenario()
    {
        const Value root = m_reading.document().root();
        auto scenario = readRow<Scenario>(m_reading, root);
        scenario.file = m_reading.document().name();
        NameLookup lookup(m_names, m_scenarioNames, root);
        describe(lookup, scenario);
        scenario.resourceLines.reserve(root.find("resources").size());
        for (const Value item : root.find("resources").items())
            scenario.resourceLines.append(item.line());
        qsizetype i = 0;
        for (const Value item : root.find("steps").items())
            complete(&scenario.steps[i++], item);
        checkIds();
        checkEtagSteps(scenario.steps);
        checkConditions(scenario.switches);
        return scenario;
    }

private:
    /// Sets the members of a step that are not part of its row.
    void complete(ScenarioStep *step, Value value)
    {
        step->line = value.line();
        if (step->kind != ScenarioStep::Kind::Submit || !value.is(Value::Kind::Object))
            return;
        Request &request = step->request;
        for (const Value choice : { value.find("op"), value.find("path") }) {
            if (choice.is(Value::Kind::Array) && choice.size() == 0)
                m_reading.error(choice, u"expected something to choose from, found an empty list"_s,
                    u"value"_s);
        }
        request.op = step->ops.value(0);
        request.path = step->paths.value(0);
        ++m_submissions;
        const Value id = value.find("id");
        if (!id)
            request.id = u"op%1"_s.arg(m_submissions);
        else if (request.id.isEmpty() && id.is(Value::Kind::String))
            m_reading.error(id, u"expected an id, found an empty string"_s, u"value"_s);
        if (m_ids.contains(request.id))
            m_reading.error(id ? id : value,
                u"expected each operation's id once, found \"%1\" again"_s.arg(request.id),
                u"duplicate-id"_s);
        m_ids.insert(request.id);
    }

    /// True for the id of an operation of the scenario, of an operation that another one requires
    /// ("a.1"), or of an operation that a timer starts ("clock.1").
    bool isKnownId(QStringView id, bool hasTimers) const
    {
        static const auto isNumber = [](QStringView part) {
            return !part.isEmpty()
                && std::ranges::all_of(part, [](QChar c) { return c >= u'0' && c <= u'9'; });
        };
        bool isRequired = false;
        while (!m_ids.contains(id.toString())) {
            const qsizetype dot = id.lastIndexOf(u'.');
            if (dot < 0 || !isNumber(id.sliced(dot + 1)))
                return isRequired && hasTimers && id == u"clock";
            id = id.first(dot);
            isRequired = true;
        }
        return true;
    }

    void checkIds()
    {
        const bool hasTimers = std::ranges::any_of(m_pack.machines, [](const Machine &machine) {
            return std::ranges::any_of(machine.states,
                [](const State &s) { return s.timer && !s.timer->operation.isEmpty(); });
        });
        QStringList known = sortedNames(m_ids);
        for (const auto &[id, where] : std::as_const(m_scenarioNames.operationIds)) {
            if (isKnownId(id, hasTimers))
                continue;
            m_reading.error(where,
                u"expected the id of an operation of this scenario, found \"%1\"%2"_s.arg(
                    id, suggestion(id, known)),
                u"unknown-name"_s);
            if (m_reading.diagnostics().size() > 10) // further errors get no suggestion
                known.clear();
        }
    }

    /// Reports each `seenAt` that does not refer to an earlier step.
    void checkEtagSteps(const QList<ScenarioStep> &steps)
    {
        qsizetype i = 0;
        for (const Value item : m_reading.document().root().find("steps").items()) {
            const ScenarioStep &step = steps[i++];
            if (!step.seenAt)
                continue;
            const bool isBefore = *step.seenAt < steps.size()
                && std::pair(steps[*step.seenAt].at, qsizetype(*step.seenAt))
                    < std::pair(step.at, i - 1);
            if (!isBefore)
                m_reading.error(item.find("ifMatch").find("seenAt"),
                    u"expected the number of an earlier step (the first step is 0), found %1"_s.arg(
                        *step.seenAt),
                    u"value"_s);
        }
    }

    /// Reports conditions in requests that no row uses or that the pack itself defines.
    void checkConditions(const Switches &switches)
    {
        if (m_scenarioNames.conditions.isEmpty())
            return;
        const Result<Rules> rules = Rules::make(m_pack, switches);
        if (!rules) // another check reports the error
            return;
        const QStringList open = rules->openLabels();
        std::optional<QStringList> elsewhere; // conditions of rows that the switches turn off
        for (const auto &[label, where] : std::as_const(m_scenarioNames.conditions)) {
            const bool isDefined = std::ranges::any_of(m_pack.conditions,
                [&](const NamedCondition &row) { return row.id == label && rules->applies(row); });
            if (isDefined)
                m_reading.error(where,
                    u"the pack defines when the condition \"%1\" holds, so a request cannot set it; remove the condition"_s
                        .arg(label.left(100)),
                    u"bound-condition"_s);
            if (isDefined || open.contains(label))
                continue;
            if (!elsewhere)
                elsewhere = openLabelsElsewhere(switches);
            if (!elsewhere->contains(label))
                m_names.unknown(where, u"condition"_s, label, open);
        }
    }

    /// Returns the conditions that a request may answer under other values of the switches.
    QStringList openLabelsElsewhere(const Switches &switches) const
    {
        QStringList labels;
        for (const Switches &choice : choicesOf(m_pack.switches)) {
            Switches others = switches;
            others.insert(choice);
            if (const Result<Rules> rules = Rules::make(m_pack, others))
                labels += rules->openLabels();
        }
        return labels;
    }

    JsonReader &m_reading;
    const Pack &m_pack;
    PackNames m_names;
    NameLookup::ScenarioNames m_scenarioNames;
    QSet<QString> m_ids;
    int m_submissions = 0;
};

} // namespace

ScenarioDraft scenarioDraft(const JsonText &document, const Pack &pack)
{
    JsonReader reading(document);
    Scenario scenario = ScenarioReader(reading, pack).scenario();
    return { std::move(scenario), reading.diagnostics(), reading.sentence() };
}

Result<Scenario> readScenario(const JsonText &document, const Pack &pack)
{
    ScenarioDraft draft = scenarioDraft(document, pack);
    if (!draft.error.isEmpty())
        return Error { draft.error };
    return std::move(draft.scenario);
}

QString packReference(const QString &file, const QString &idOrFile)
{
    if (builtInPacks().contains(idOrFile))
        return idOrFile;
    // Resolves symbolic links: ".." after a link starts at the link's target.
    const auto resolved = [](const QFileInfo &info) {
        const QString folder = info.absoluteDir().canonicalPath();
        return folder.isEmpty() ? info.absoluteFilePath() : folder + u'/' + info.fileName();
    };
    const QString relative =
        QFileInfo(resolved(QFileInfo(file))).dir().relativeFilePath(resolved(QFileInfo(idOrFile)));
    return builtInPacks().contains(relative) ? u"./"_s + relative : relative;
}

QByteArray writeScenario(const Scenario &scenario)
{
    Scenario written = scenario;
    for (ScenarioStep &step : written.steps) {
        QByteArray &body = step.request.body;
        if (!JsonText::parse(body, u"body"_s))
            body.clear(); // a scenario can only hold JSON
    }
    return rowOutput(written).text();
}

} // namespace instar
