// SPDX-License-Identifier: Apache-2.0
#include "model/formats/policyrows.h"

#include "model/formats/condition.h"

#include <QJsonDocument>

#include <limits>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QStringList &verdicts()
{
    static const QStringList words { u"cancel"_s, u"reject"_s, u"allow"_s, u"wait"_s };
    return words; // in the order of Conflict::Then
}

const QStringList &places()
{
    static const QStringList words { u"self"_s, u"ancestor"_s, u"descendant"_s, u"sibling"_s,
        u"tree"_s, u"reference"_s, u"referrer"_s, u"unrelated"_s };
    return words;
}

const QStringList &moments()
{
    static const QStringList words { u"start"_s, u"end"_s };
    return words; // in the order of Stamp::At
}

int readHttp(const Fields &fields)
{
    const Value value = fields.value("http");
    const qint64 code = fields.whole("http");
    if (value && code != 0 && (code < 100 || code > 599))
        fields.reading().expected(u"an HTTP status from 100 to 599"_s, value);
    return code >= 100 && code <= 599 ? int(code) : 0;
}

QString switchWord(Reading &reading, Value value)
{
    if (value.is(Value::Kind::Bool))
        return value.boolean() ? u"true"_s : u"false"_s;
    if (value && !value.is(Value::Kind::String))
        reading.expected(u"true, false or one of the switch's values"_s, value);
    return value.string();
}

ReferenceRule readReference(Reading &reading, Value value)
{
    ReferenceRule rule;
    const RowFields fields(reading, value, { "property", "to", "required", "back" }, &rule);
    rule.property = fields.text("property", Need::Required);
    rule.types = fields.textOrTexts("to", Need::Required);
    rule.required = fields.flag("required");
    rule.back = fields.text("back");
    return rule;
}

Output referenceOutput(const ReferenceRule &rule)
{
    Output object = Output::object();
    object.add(u"property", Output::string(rule.property));
    addTexts(&object, "to", rule.types, Need::Required);
    addFlag(&object, "required", rule.required);
    addText(&object, "back", rule.back);
    addRow(&object, rule);
    return object;
}

} // namespace

Source readSource(Reading &reading, const QString &id, Value value)
{
    Source source;
    source.id = id;
    const Fields fields(reading, value, { "document", "section", "about" }, &source.extras);
    source.document = fields.text("document", Need::Required);
    source.section = fields.text("section");
    source.about = fields.text("about");
    return source;
}

Output sourceOutput(const Source &source)
{
    Output object = Output::object();
    object.add(u"document", Output::string(source.document));
    addText(&object, "section", source.section);
    addText(&object, "about", source.about);
    addExtras(&object, source.extras);
    return object;
}

Switch readSwitch(Reading &reading, const QString &id, Value value)
{
    Switch row;
    row.id = id;
    const RowFields fields(reading, value, { "default", "values" }, &row);
    const Value preset = fields.value("default", Need::Required);
    row.defaultValue = switchWord(reading, preset);
    row.values = reading.texts(fields.value("values"));
    if (fields.has("values"))
        return row;
    if (preset.is(Value::Kind::String))
        reading.error(value,
            u"expected the key \"values\": the words of a switch that is not true or false"_s,
            u"missing-key"_s);
    row.values = QStringList { u"false"_s, u"true"_s };
    return row;
}

Output switchOutput(const Switch &row)
{
    Output object = Output::object();
    const bool isWord = row.defaultValue == "true"_L1 || row.defaultValue == "false"_L1;
    object.add(u"default",
        isWord ? Output::boolean(row.defaultValue == "true"_L1) : Output::string(row.defaultValue));
    if (!isWord || !row.isBoolean())
        object.add(u"values", Output::strings(row.values));
    addRow(&object, row);
    return object;
}

Type readType(Reading &reading, const QString &path, Value value)
{
    Type type;
    type.path = path;
    const RowFields fields(reading, value,
        { "machine", "title", "icon", "goal", "names", "codes", "references" }, &type);
    type.machine = fields.text("machine", Need::Required);
    type.title = fields.text("title");
    type.icon = fields.text("icon");
    type.goal = fields.text("goal");
    type.names = fields.textOrTexts("names");
    readById<QString>(reading, fields.value("codes"), [&](const QString &refusal, Value code) {
        return *type.codes.insert(refusal, reading.text(code));
    });
    type.references = readList<ReferenceRule>(reading, fields.value("references"),
        [&](Value rule) { return readReference(reading, rule); });
    return type;
}

Output typeOutput(const Type &type)
{
    Output object = Output::object();
    object.add(u"machine", Output::string(type.machine));
    addText(&object, "title", type.title);
    addText(&object, "icon", type.icon);
    addText(&object, "goal", type.goal);
    if (!type.names.isEmpty())
        object.add(u"names", Output::strings(type.names));
    Output codes = Output::object();
    for (auto it = type.codes.begin(); it != type.codes.end(); ++it)
        codes.add(it.key(), Output::string(it.value()));
    if (!codes.isEmpty())
        object.add(u"codes", std::move(codes));
    Output references = Output::array();
    for (const ReferenceRule &rule : type.references)
        references.add(referenceOutput(rule));
    if (!references.isEmpty())
        object.add(u"references", std::move(references));
    addRow(&object, type);
    return object;
}

OperationKind readOperation(Reading &reading, const QString &id, Value value)
{
    OperationKind operation;
    operation.id = id;
    const RowFields fields(reading, value, { "duration", "merge" }, &operation);
    operation.duration = fields.whole("duration", operation.duration);
    operation.merge = fields.flag("merge");
    return operation;
}

Output operationOutput(const OperationKind &operation)
{
    Output object = Output::object();
    object.add(u"duration", Output::integer(operation.duration));
    addFlag(&object, "merge", operation.merge);
    addRow(&object, operation);
    return object;
}

Outcome readOutcome(Reading &reading, const QString &id, Value value)
{
    Outcome outcome;
    outcome.id = id;
    const RowFields fields(reading, value, { "status", "code", "http", "label" }, &outcome);
    outcome.status = fields.text("status");
    outcome.code = fields.text("code");
    outcome.http = readHttp(fields);
    outcome.label = fields.text("label");
    return outcome;
}

Output outcomeOutput(const Outcome &outcome)
{
    Output object = Output::object();
    addText(&object, "status", outcome.status);
    addText(&object, "code", outcome.code);
    addWhole(&object, "http", outcome.http);
    addText(&object, "label", outcome.label);
    addRow(&object, outcome);
    return object;
}

Conflict readConflict(Reading &reading, Value value)
{
    Conflict conflict;
    const RowFields fields(
        reading, value, { "on", "running", "at", "if", "then", "code" }, &conflict);
    conflict.on = fields.textOrTexts("on");
    conflict.running = fields.textOrTexts("running");
    conflict.at = fields.textOrTexts("at");
    if (const Value at = fields.value("at"); at.is(Value::Kind::String))
        reading.choice(at, places());
    for (const Value place : fields.value("at").items())
        reading.choice(place, places());
    conflict.condition = readCondition(reading, fields.value("if"));
    conflict.then =
        Conflict::Then(reading.choice(fields.value("then", Need::Required), verdicts()));
    conflict.code = fields.text("code");
    return conflict;
}

Output conflictOutput(const Conflict &conflict)
{
    Output object = Output::object();
    addTexts(&object, "on", conflict.on);
    addTexts(&object, "running", conflict.running);
    addTexts(&object, "at", conflict.at);
    addCondition(&object, "if", conflict.condition);
    object.add(u"then", Output::string(verdicts().at(int(conflict.then))));
    addText(&object, "code", conflict.code);
    addRow(&object, conflict);
    return object;
}

Refusal readRefusal(Reading &reading, const QString &id, Value value)
{
    Refusal refusal;
    refusal.id = id;
    const RowFields fields(reading, value, { "code", "detail", "http", "message" }, &refusal);
    refusal.code = fields.text("code");
    refusal.detail = fields.text("detail");
    refusal.http = readHttp(fields);
    refusal.message = fields.text("message");
    return refusal;
}

Output refusalOutput(const Refusal &refusal)
{
    Output object = Output::object();
    addText(&object, "code", refusal.code);
    addWhole(&object, "http", refusal.http);
    addText(&object, "message", refusal.message);
    addText(&object, "detail", refusal.detail);
    addRow(&object, refusal);
    return object;
}

Stamp readStamp(Reading &reading, Value value)
{
    Stamp stamp;
    const RowFields fields(reading, value, { "at" }, &stamp);
    stamp.at = Stamp::At(reading.choice(fields.value("at", Need::Required), moments()));
    return stamp;
}

Output stampOutput(const Stamp &stamp)
{
    Output object = Output::object();
    object.add(u"at", Output::string(moments().at(int(stamp.at))));
    addRow(&object, stamp);
    return object;
}

ResourceSpec readResource(Reading &reading, Value value)
{
    ResourceSpec resource;
    const Fields fields(reading, value, { "path", "state", "references", "properties" });
    resource.path = fields.text("path", Need::Required);
    resource.state = fields.text("state");
    resource.references = fields.textOrTexts("references");
    const Value properties = fields.value("properties");
    if (properties && !properties.is(Value::Kind::Object))
        reading.expected(u"an object of properties"_s, properties);
    else if (properties)
        resource.properties = properties.json().toObject();
    return resource;
}

Output resourceOutput(const ResourceSpec &resource)
{
    Output object = Output::object();
    object.add(u"path", Output::string(resource.path));
    addText(&object, "state", resource.state);
    addTexts(&object, "references", resource.references);
    if (!resource.properties.isEmpty())
        object.add(u"properties",
            Output::raw(QJsonDocument(resource.properties).toJson(QJsonDocument::Compact)));
    return object;
}

} // namespace instar
