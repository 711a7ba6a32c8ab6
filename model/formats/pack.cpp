// SPDX-License-Identifier: Apache-2.0
#include "model/formats/pack.h"

#include "model/formats/condition.h"
#include "model/formats/machinerows.h"
#include "model/formats/policyrows.h"
#include "model/formats/wirerows.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr QLatin1StringView schemaKey("$schema");

/// Readers of rows with the reading bound, as readById() and readList() want them.
template<typename T>
auto byId(Reading &reading, T (*read)(Reading &, const QString &, Value))
{
    return [&reading, read](const QString &id, Value value) { return read(reading, id, value); };
}

template<typename T>
auto inList(Reading &reading, T (*read)(Reading &, Value))
{
    return [&reading, read](Value value) { return read(reading, value); };
}

Pack read(Reading &reading)
{
    const Value root = reading.document().root();
    Pack pack;
    const RowFields fields(reading, root,
        { "id", "title", "origin", "ignoreCase", "operationUri", "retry", "sources", "switches",
            "types", "operations", "outcomes", "conditions", "machines", "conflicts", "refusals",
            "stamp", "wire", "sample" },
        &pack, { "$schema" });
    if (fields.has("when"))
        reading.error(fields.value("when"),
            u"expected no \"when\": a whole pack cannot be switched off"_s, u"unknown-key"_s);
    pack.id = fields.text("id", Need::Required);
    pack.title = fields.text("title");
    pack.origin = fields.text("origin");
    pack.ignoreCase = fields.flag("ignoreCase");
    pack.operationUri = fields.text("operationUri");
    pack.retry = fields.text("retry");
    pack.sourceList = readById<Source>(reading, fields.value("sources"), byId(reading, readSource));
    pack.switches = readById<Switch>(reading, fields.value("switches"), byId(reading, readSwitch));
    pack.types =
        readById<Type>(reading, fields.value("types", Need::Required), byId(reading, readType));
    pack.operations =
        readById<OperationKind>(reading, fields.value("operations"), byId(reading, readOperation));
    pack.outcomes =
        readById<Outcome>(reading, fields.value("outcomes"), byId(reading, readOutcome));
    pack.conditions = readById<NamedCondition>(
        reading, fields.value("conditions"), byId(reading, readNamedCondition));
    pack.machines = readById<Machine>(
        reading, fields.value("machines", Need::Required), byId(reading, readMachine));
    pack.conflicts =
        readList<Conflict>(reading, fields.value("conflicts"), inList(reading, readConflict));
    pack.refusals =
        readById<Refusal>(reading, fields.value("refusals"), byId(reading, readRefusal));
    pack.stamps = readList<Stamp>(reading, fields.value("stamp"), inList(reading, readStamp));
    pack.wire = readWire(reading, fields.value("wire"));
    if (const Value sample = fields.value("sample")) {
        const Fields inside(reading, sample, { "resources" });
        pack.sample = readList<ResourceSpec>(
            reading, inside.value("resources", Need::Required), inList(reading, readResource));
    }
    return pack;
}

/// Rows under their ids, each on a line of its own; nothing where there are none.
template<typename T, typename Id>
void addById(
    Output *object, QStringView key, const QList<T> &rows, Id id, Output (*output)(const T &))
{
    Output members = Output::object().broken();
    for (const T &row : rows)
        members.add(row.*id, output(row));
    if (!members.isEmpty())
        object->add(key, std::move(members));
}

template<typename T>
void addList(Output *object, QStringView key, const QList<T> &rows, Output (*output)(const T &))
{
    Output items = Output::array().broken();
    for (const T &row : rows)
        items.add(output(row));
    if (!items.isEmpty())
        object->add(key, std::move(items));
}

} // namespace

PackDraft packDraft(const Document &document)
{
    Reading reading(document);
    Pack pack = read(reading);
    return { std::move(pack), reading.findings(), reading.sentence() };
}

Result<Pack> readPack(const Document &document)
{
    PackDraft draft = packDraft(document);
    if (!draft.error.isEmpty())
        return Error { draft.error };
    return std::move(draft.pack);
}

QByteArray writePack(const Pack &pack)
{
    Output object = Output::object();
    Row row = static_cast<const Row &>(pack);
    if (!row.extras.isEmpty() && row.extras.first().key == schemaKey)
        addExtras(&object, { row.extras.takeFirst() });
    object.add(u"id", Output::string(pack.id));
    addText(&object, "title", pack.title);
    addText(&object, "origin", pack.origin);
    addText(&object, "about", std::exchange(row.about, QString()));
    addTexts(&object, "source", std::exchange(row.sources, QStringList()));
    addFlag(&object, "ignoreCase", pack.ignoreCase);
    addText(&object, "operationUri", pack.operationUri);
    addText(&object, "retry", pack.retry);
    addById(&object, u"sources", pack.sourceList, &Source::id, sourceOutput);
    addById(&object, u"switches", pack.switches, &Switch::id, switchOutput);
    Output types = Output::object().broken(); // required keys, so written even where empty
    for (const Type &type : pack.types)
        types.add(type.path, typeOutput(type));
    object.add(u"types", std::move(types));
    addById(&object, u"operations", pack.operations, &OperationKind::id, operationOutput);
    addById(&object, u"outcomes", pack.outcomes, &Outcome::id, outcomeOutput);
    addById(&object, u"conditions", pack.conditions, &NamedCondition::id, namedConditionOutput);
    Output machines = Output::object().broken();
    for (const Machine &machine : pack.machines)
        machines.add(machine.id, machineOutput(machine));
    object.add(u"machines", std::move(machines));
    addList(&object, u"conflicts", pack.conflicts, conflictOutput);
    addById(&object, u"refusals", pack.refusals, &Refusal::id, refusalOutput);
    addList(&object, u"stamp", pack.stamps, stampOutput);
    if (pack.wire != Wire())
        object.add(u"wire", wireOutput(pack.wire));
    if (!pack.sample.isEmpty()) {
        Output sample = Output::object();
        addList(&sample, u"resources", pack.sample, resourceOutput);
        object.add(u"sample", std::move(sample));
    }
    addRow(&object, row);
    return std::move(object).broken().text();
}

} // namespace instar
