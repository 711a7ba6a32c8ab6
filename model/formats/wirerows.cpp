// SPDX-License-Identifier: Apache-2.0
#include "model/formats/wirerows.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QStringList &targets()
{
    static const QStringList words { u"any"_s, u"created"_s, u"existing"_s };
    return words; // in the order of WireAnswer::Target
}

QList<WireHeader> readWireHeaders(Reading &reading, Value value)
{
    return readById<WireHeader>(reading, value, [&](const QString &name, Value text) {
        return WireHeader { name, reading.text(text) };
    });
}

WireRequest readRequest(Reading &reading, Value value)
{
    WireRequest row;
    const RowFields fields(reading, value, { "ask", "method", "path", "headers", "body" }, &row);
    row.ask = fields.text("ask", Need::Required);
    row.method = fields.text("method", Need::Required);
    row.path = fields.text("path", Need::Required);
    row.headers = readWireHeaders(reading, fields.value("headers"));
    row.body = fields.text("body");
    if (!row.path.isEmpty() && !row.path.startsWith(u'/') && !row.path.startsWith(u'{'))
        reading.expected(
            u"a path that begins with / or a hole such as {base}"_s, fields.value("path"));
    return row;
}

WireAnswer readAnswer(Reading &reading, Value value)
{
    WireAnswer row;
    const RowFields fields(
        reading, value, { "to", "op", "at", "target", "code", "headers", "body" }, &row);
    row.to = fields.textOrTexts("to");
    row.op = fields.textOrTexts("op");
    row.at = fields.textOrTexts("at");
    if (const Value target = fields.value("target"))
        row.target = WireAnswer::Target(reading.choice(target, targets()));
    const Value code = fields.value("code", Need::Required);
    if (code.isString("{http}")) {
        row.code = 0;
    } else {
        row.code = int(code.integer().value_or(0));
        if (code && (row.code < 100 || row.code > 599))
            reading.expected(u"an HTTP status from 100 to 599, or \"{http}\""_s, code);
    }
    row.headers = readWireHeaders(reading, fields.value("headers"));
    row.body = fields.text("body");
    return row;
}

WireDocument readDocument(Reading &reading, const QString &id, Value value)
{
    WireDocument row;
    row.id = id;
    const RowFields fields(reading, value, { "json" }, &row);
    if (const Value json = fields.value("json", Need::Required))
        row.json = Output::copy(json).oneLine();
    return row;
}

WireFollow readFollow(Reading &reading, Value value)
{
    WireFollow row;
    if (!value)
        return row;
    const RowFields fields(reading, value,
        { "order", "operation", "result", "delay", "running", "succeeded", "failed", "canceled",
            "usualDelay" },
        &row);
    row.order = fields.textOrTexts("order");
    static const QStringList ways { u"operation"_s, u"result"_s, u"resource"_s };
    for (const QString &way : std::as_const(row.order)) {
        if (!ways.contains(way))
            reading.expected(u"operation, result or resource"_s, fields.value("order"));
    }
    row.operationHeaders = fields.textOrTexts("operation");
    row.resultHeaders = fields.textOrTexts("result");
    row.delayHeaders = fields.textOrTexts("delay");
    row.running = fields.textOrTexts("running");
    row.succeeded = fields.textOrTexts("succeeded");
    row.failed = fields.textOrTexts("failed");
    row.canceled = fields.textOrTexts("canceled");
    row.usualDelay = int(qMin<qint64>(fields.whole("usualDelay", row.usualDelay), 86'400));
    return row;
}

void addHeaders(Output *object, const QList<WireHeader> &headers)
{
    Output members = Output::object();
    for (const WireHeader &header : headers)
        members.add(header.name, Output::string(header.text));
    if (!members.isEmpty())
        object->add(u"headers", std::move(members));
}

Output requestOutput(const WireRequest &row)
{
    Output object = Output::object();
    object.add(u"ask", Output::string(row.ask));
    object.add(u"method", Output::string(row.method));
    object.add(u"path", Output::string(row.path));
    addHeaders(&object, row.headers);
    addText(&object, "body", row.body);
    addRow(&object, row);
    return object;
}

Output answerOutput(const WireAnswer &row)
{
    Output object = Output::object();
    addTexts(&object, "to", row.to);
    addTexts(&object, "op", row.op);
    addTexts(&object, "at", row.at);
    if (row.target != WireAnswer::Target::Any)
        object.add(u"target", Output::string(targets()[int(row.target)]));
    object.add(u"code", row.code ? Output::integer(row.code) : Output::string(u"{http}"));
    addHeaders(&object, row.headers);
    addText(&object, "body", row.body);
    addRow(&object, row);
    return object;
}

Output documentOutput(const WireDocument &row)
{
    Output object = Output::object();
    const Result<Document> json = Document::parse(row.json, row.id);
    object.add(u"json", json ? Output::copy(json->root()) : Output::raw(row.json));
    addRow(&object, row);
    return object;
}

Output followOutput(const WireFollow &row)
{
    Output object = Output::object();
    addTexts(&object, "order", row.order);
    addTexts(&object, "operation", row.operationHeaders);
    addTexts(&object, "result", row.resultHeaders);
    addTexts(&object, "delay", row.delayHeaders);
    addTexts(&object, "running", row.running);
    addTexts(&object, "succeeded", row.succeeded);
    addTexts(&object, "failed", row.failed);
    addTexts(&object, "canceled", row.canceled);
    addWhole(&object, "usualDelay", row.usualDelay, WireFollow().usualDelay);
    addRow(&object, row);
    return object;
}

} // namespace

Wire readWire(Reading &reading, Value value)
{
    Wire wire;
    if (!value)
        return wire;
    const RowFields fields(reading, value,
        { "base", "versions", "suffix", "requestId", "echo", "headers", "requests", "answers",
            "documents", "follow" },
        &wire);
    wire.base = fields.text("base");
    wire.versions = fields.textOrTexts("versions");
    wire.suffix = fields.text("suffix");
    wire.requestIdHeader = fields.text("requestId");
    wire.echoHeader = fields.text("echo");
    wire.headers = readWireHeaders(reading, fields.value("headers"));
    wire.requests = readList<WireRequest>(
        reading, fields.value("requests"), [&](Value row) { return readRequest(reading, row); });
    wire.answers = readList<WireAnswer>(
        reading, fields.value("answers"), [&](Value row) { return readAnswer(reading, row); });
    wire.documents = readById<WireDocument>(reading, fields.value("documents"),
        [&](const QString &id, Value row) { return readDocument(reading, id, row); });
    wire.follow = readFollow(reading, fields.value("follow"));
    return wire;
}

Output wireOutput(const Wire &wire)
{
    Output object = Output::object().broken();
    addText(&object, "base", wire.base);
    addTexts(&object, "versions", wire.versions);
    addText(&object, "suffix", wire.suffix);
    addText(&object, "requestId", wire.requestIdHeader);
    addText(&object, "echo", wire.echoHeader);
    addHeaders(&object, wire.headers);
    Output requests = Output::array().broken();
    for (const WireRequest &row : wire.requests)
        requests.add(requestOutput(row));
    if (!requests.isEmpty())
        object.add(u"requests", std::move(requests));
    Output answers = Output::array().broken();
    for (const WireAnswer &row : wire.answers)
        answers.add(answerOutput(row));
    if (!answers.isEmpty())
        object.add(u"answers", std::move(answers));
    Output documents = Output::object().broken();
    for (const WireDocument &row : wire.documents)
        documents.add(row.id, documentOutput(row));
    if (!documents.isEmpty())
        object.add(u"documents", std::move(documents));
    if (wire.follow != WireFollow())
        object.add(u"follow", followOutput(wire.follow));
    addRow(&object, wire);
    return object;
}

} // namespace instar
