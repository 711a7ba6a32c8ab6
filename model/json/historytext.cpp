// SPDX-License-Identifier: Apache-2.0
#include "model/json/historytext.h"

#include "model/engine/operation.h"
#include "model/json/output.h"
#include "model/json/packnames.h"
#include "model/json/scenariofile.h"

#include <QJsonDocument>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

class HistoryReader
{
public:
    HistoryReader(const QString &name, const Pack &pack) : m_name(name), m_pack(pack) { }

    Result<History> read(const QByteArray &ndjson);

private:
    void header(Reading &reading);
    void request(Reading &reading);
    void seen(Reading &reading);
    void stood(Reading &reading);
    void answer(Reading &reading, Value value, RecordedRequest *asked);
    ResourceSpec resource(Reading &reading, Value value);
    double time(const Fields &fields, const char *key);
    std::pair<double, double> interval(const Fields &fields, const char *from, const char *to);
    QString path(Reading &reading, Value value);
    QStringList paths(Reading &reading, Value value);
    QJsonObject object(Reading &reading, Value value);
    QString unknownRequest() const;

    QString m_name;
    const Pack &m_pack;
    History m_history;
    int m_line = 0;
    bool m_hasHeader = false;
    QHash<QString, int> m_requests;                       ///< id -> line
    QHash<qint64, std::pair<double, double>> m_snapshots; ///< number -> from, to
    QSet<QString> m_known; ///< operations, and types of paths, that were looked up already
};

QJsonObject HistoryReader::object(Reading &reading, Value value)
{
    if (value && !value.is(Value::Kind::Object))
        reading.expected(u"an object"_s, value);
    return value.json().toObject();
}

/// Looks a type up once: there may be very many lines.
QString HistoryReader::path(Reading &reading, Value value)
{
    const QString path = reading.text(value);
    if (!value.is(Value::Kind::String))
        return path;
    const QString type = u"/"_s + typePathOf(path);
    if (m_known.contains(type) && pathProblem(path).isEmpty())
        return path;
    PackNames(reading, m_pack).checkPath(value, path);
    if (reading.isGood())
        m_known.insert(type);
    return path;
}

QStringList HistoryReader::paths(Reading &reading, Value value)
{
    if (value && !value.is(Value::Kind::Array))
        return { path(reading, value) };
    QStringList result;
    for (const Value item : value.items())
        result += path(reading, item);
    return result;
}

double HistoryReader::time(const Fields &fields, const char *key)
{
    const Value value = fields.value(key, Need::Required);
    const double ms = value ? fields.reading().real(value) : 0;
    if (!(ms >= 0) || ms > double(qint64(1) << 53))
        fields.reading().expected(u"a time in ms, from 0 to 2^53"_s, value);
    return ms;
}

std::pair<double, double> HistoryReader::interval(
    const Fields &fields, const char *from, const char *to)
{
    const double begin = time(fields, from), end = time(fields, to);
    if (end < begin)
        fields.reading().error(fields.value(to),
            u"expected a time that is not before \"%1\""_s.arg(QLatin1String(from)), u"value"_s);
    return { begin, end };
}

ResourceSpec HistoryReader::resource(Reading &reading, Value value)
{
    QList<Extra> ignored;
    const Fields fields(reading, value, { "path", "state", "references", "properties" }, &ignored);
    return { .path = path(reading, fields.value("path", Need::Required)),
        .state = fields.text("state"),
        .references = paths(reading, fields.value("references")),
        .properties = object(reading, fields.value("properties")) };
}

void HistoryReader::header(Reading &reading)
{
    QList<Extra> ignored;
    const Value root = reading.document().root();
    const Fields fields(
        reading, root, { "history", "pack", "switches", "timeless", "resources" }, &ignored);
    if (m_hasHeader)
        reading.error(root, u"expected one header, found another one"_s, u"duplicate-id"_s);
    if (fields.value("history").integer() != 1)
        reading.expected(u"1, the version of the format"_s, fields.value("history"));
    m_hasHeader = true;
    m_history.headerLine = m_line;
    m_history.pack = fields.text("pack");
    const PackNames names(reading, m_pack);
    readById<bool>(reading, fields.value("switches"), [&](const QString &id, Value value) {
        m_history.switches.insert(id, names.switchValue(value, id, value));
        return true;
    });
    m_history.timeless = fields.flag("timeless");
    m_history.resources = readList<ResourceSpec>(
        reading, fields.value("resources"), [&](Value value) { return resource(reading, value); });
}

void HistoryReader::answer(Reading &reading, Value value, RecordedRequest *asked)
{
    QList<Extra> ignored;
    const Fields fields(reading, value,
        { "accepted", "began", "refused", "lost", "unknown", "succeeded", "failed" }, &ignored);
    const auto isSaid = [&](const char *key) {
        if (!fields.has(key))
            return false;
        if (!fields.flag(key))
            reading.expected(u"true"_s, fields.value(key));
        return true;
    };
    using Answer = RecordedRequest::Answer;
    int said = 0;
    for (const auto &[key, meaning] : { std::pair("accepted", Answer::Accepted),
             std::pair("began", Answer::Accepted), std::pair("refused", Answer::Refused),
             std::pair("lost", Answer::Lost), std::pair("unknown", Answer::Unknown) }) {
        const bool isRefused = meaning == Answer::Refused;
        if (isRefused ? !fields.has(key) : !isSaid(key))
            continue;
        ++said;
        asked->answer = meaning;
        if (isRefused)
            asked->code = fields.text(key);
    }
    asked->began = fields.has("began");
    const bool succeeded = isSaid("succeeded");
    const bool failed = fields.has("failed");
    said += int(succeeded) + int(failed);
    // The answer was held back until the work had ended.
    if (succeeded || failed)
        m_history.observations.append({ .line = m_line,
            .operation = asked->request.id,
            .from = asked->sent,
            .to = asked->answered,
            .word = statusName(succeeded ? Status::Succeeded : Status::Failed) });
    if (said != 1)
        reading.expected(
            u"one of accepted, began, refused, lost, unknown, succeeded and failed"_s, value);
}

void HistoryReader::request(Reading &reading)
{
    QList<Extra> ignored;
    const Fields fields(reading, reading.document().root(),
        { "request", "client", "op", "path", "sent", "answered", "answer", "references",
            "properties", "conditions", "ifMatch", "ifNoneMatch", "requestId", "body" },
        &ignored);
    RecordedRequest asked { .line = m_line };
    Request &request = asked.request;
    const Value id = fields.value("request");
    request.id = reading.text(id);
    if (id.is(Value::Kind::String) && request.id.isEmpty())
        reading.error(id, u"expected an id, found an empty string"_s, u"value"_s);
    if (const int before = m_requests.value(request.id, 0))
        reading.error(id,
            u"expected each request's id once, found \"%1\" again (see line %2)"_s.arg(request.id)
                .arg(before),
            u"duplicate-id"_s);
    m_requests.insert(request.id, m_line);
    request.client = fields.text("client");
    request.op = fields.text("op", Need::Required);
    if (fields.value("op").is(Value::Kind::String) && !m_known.contains(request.op)) {
        PackNames(reading, m_pack).checkOperation(fields.value("op"), request.op);
        if (reading.isGood())
            m_known.insert(request.op);
    }
    request.path = path(reading, fields.value("path", Need::Required));
    request.references = paths(reading, fields.value("references"));
    request.properties = object(reading, fields.value("properties"));
    request.body = fields.value("body").raw().toByteArray();
    readById<bool>(reading, fields.value("conditions"), [&](const QString &label, Value holds) {
        request.conditions.insert(label, reading.flag(holds));
        return true;
    });
    request.ifMatch = fields.text("ifMatch");
    request.ifNoneMatch = fields.text("ifNoneMatch");
    request.requestId = fields.text("requestId");
    const Value answer = fields.value("answer", Need::Required);
    asked.sent = asked.answered = time(fields, "sent");
    if (answer && !(answer.is(Value::Kind::Object) && answer.find("lost")))
        asked.answered = interval(fields, "sent", "answered").second;
    if (answer)
        this->answer(reading, answer, &asked);
    m_history.requests.append(std::move(asked));
}

void HistoryReader::seen(Reading &reading)
{
    QList<Extra> ignored;
    const Fields fields(reading, reading.document().root(),
        { "seen", "from", "to", "state", "etag", "properties", "snapshot" }, &ignored);
    Observation observation { .line = m_line, .path = path(reading, fields.value("seen")) };
    std::tie(observation.from, observation.to) = interval(fields, "from", "to");
    const Value state = fields.value("state", Need::Required);
    if (state && !state.is(Value::Kind::Null))
        observation.word = reading.text(state);
    observation.etag = fields.text("etag");
    observation.snapshot = fields.whole("snapshot");
    const auto times = std::pair(observation.from, observation.to);
    if (observation.snapshot > 0 && m_snapshots.value(observation.snapshot, times) != times)
        reading.error(fields.value("snapshot"),
            u"expected the same \"from\" and \"to\" for all of snapshot %1"_s.arg(
                observation.snapshot),
            u"value"_s);
    m_snapshots.insert(observation.snapshot, times);
    observation.properties = object(reading, fields.value("properties"));
    m_history.observations.append(std::move(observation));
}

void HistoryReader::stood(Reading &reading)
{
    QList<Extra> ignored;
    const Fields fields(
        reading, reading.document().root(), { "operation", "from", "to", "status" }, &ignored);
    Observation observation { .line = m_line, .operation = fields.text("operation") };
    std::tie(observation.from, observation.to) = interval(fields, "from", "to");
    QStringList statuses;
    for (const Status status : { Status::Waiting, Status::InProgress, Status::Succeeded,
             Status::Failed, Status::Canceled, Status::Rejected })
        statuses += statusName(status);
    observation.word = fields.text("status", Need::Required);
    if (fields.value("status").is(Value::Kind::String))
        reading.choice(fields.value("status"), statuses);
    m_history.observations.append(std::move(observation));
}

/// Where the history speaks of an operation that nobody asked for: the message; empty: nowhere.
QString HistoryReader::unknownRequest() const
{
    for (const Observation &observation : m_history.observations) {
        if (!observation.isOfResource() && !m_requests.contains(observation.operation))
            return inFile(m_name, observation.line,
                u" /operation: expected the id of a request of this history, found \"%1\"; add the request or leave the line out"_s
                    .arg(observation.operation.left(100)));
        if (observation.isOfResource() && observation.path.isEmpty())
            return inFile(m_name, observation.line, u" /operation: expected an id"_s);
    }
    return {};
}

Result<History> HistoryReader::read(const QByteArray &ndjson)
{
    m_history.file = m_name;
    for (const TextLine &line : linesOf(ndjson)) {
        const Result<JsonText> document = objectIn(line, m_name, u"a JSON object"_s);
        if (!document)
            return Error { document.error() };
        m_line = int(line.number);
        Reading reading(*document);
        const Value root = document->root();
        if (root.find("history"))
            header(reading);
        else if (root.find("request"))
            request(reading);
        else if (root.find("seen"))
            seen(reading);
        else if (root.find("operation"))
            stood(reading);
        else
            reading.expected(
                u"a line of a history: an object with history, request, seen or operation"_s, root);
        if (!reading.isGood())
            return Error { inFile(m_name, line.number, reading.sentence()) };
    }
    if (!m_hasHeader)
        return Error {
            u"%1:1: expected a header such as {\"history\": 1, \"pack\": \"%2\", \"resources\": []}, found none"_s
                .arg(m_name, m_pack.id)
        };
    if (const QString unknown = unknownRequest(); !unknown.isEmpty())
        return Error { unknown };
    return std::move(m_history);
}

Output objectOut(const QJsonObject &object)
{
    return Output::raw(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

QByteArray headerOut(const History &history)
{
    Output header = Output::object();
    header.add(u"history", Output::integer(1));
    addText(&header, "pack", history.pack);
    if (!history.switches.isEmpty()) {
        Output switches = Output::object();
        for (auto it = history.switches.cbegin(); it != history.switches.cend(); ++it)
            switches.add(it.key(), Output::string(*it));
        header.add(u"switches", std::move(switches));
    }
    addFlag(&header, "timeless", history.timeless);
    Output resources = Output::array();
    for (const ResourceSpec &spec : history.resources) {
        Output resource = Output::object();
        resource.add(u"path", Output::string(spec.path));
        addText(&resource, "state", spec.state);
        if (!spec.references.isEmpty())
            resource.add(u"references", Output::strings(spec.references));
        if (!spec.properties.isEmpty())
            resource.add(u"properties", objectOut(spec.properties));
        resources.add(std::move(resource));
    }
    header.add(u"resources", std::move(resources));
    return header.oneLine() + '\n';
}

Output answerOut(const RecordedRequest &asked)
{
    Output answer = Output::object();
    switch (asked.answer) {
    case RecordedRequest::Answer::Accepted:
        answer.add(asked.began ? u"began" : u"accepted", Output::boolean(true));
        break;
    case RecordedRequest::Answer::Refused:
        answer.add(u"refused", Output::string(asked.code));
        break;
    case RecordedRequest::Answer::Lost:
        answer.add(u"lost", Output::boolean(true));
        break;
    case RecordedRequest::Answer::Unknown:
        answer.add(u"unknown", Output::boolean(true));
        break;
    }
    return answer;
}

QByteArray requestOut(const RecordedRequest &asked)
{
    const Request &request = asked.request;
    Output line = Output::object();
    line.add(u"request", Output::string(request.id));
    addText(&line, "client", request.client);
    line.add(u"op", Output::string(request.op));
    line.add(u"path", Output::string(request.path));
    if (!request.references.isEmpty())
        line.add(u"references", Output::strings(request.references));
    if (!request.properties.isEmpty())
        line.add(u"properties", objectOut(request.properties.object()));
    if (!request.conditions.isEmpty()) {
        Output conditions = Output::object();
        for (auto it = request.conditions.cbegin(); it != request.conditions.cend(); ++it)
            conditions.add(it.key(), Output::boolean(*it));
        line.add(u"conditions", std::move(conditions));
    }
    addText(&line, "ifMatch", request.ifMatch);
    addText(&line, "ifNoneMatch", request.ifNoneMatch);
    addText(&line, "requestId", request.requestId);
    if (!request.body.isEmpty())
        line.add(u"body", Output::raw(request.body));
    line.add(u"sent", Output::real(asked.sent));
    if (asked.isClosed())
        line.add(u"answered", Output::real(asked.answered));
    line.add(u"answer", answerOut(asked));
    return line.oneLine() + '\n';
}

QByteArray observationOut(const Observation &observation)
{
    Output line = Output::object();
    line.add(observation.isOfResource() ? u"seen" : u"operation",
        Output::string(observation.isOfResource() ? observation.path : observation.operation));
    line.add(u"from", Output::real(observation.from));
    line.add(u"to", Output::real(observation.to));
    line.add(observation.isOfResource() ? u"state" : u"status",
        observation.word ? Output::string(*observation.word) : Output::raw("null"));
    addText(&line, "etag", observation.etag);
    if (observation.snapshot > 0)
        line.add(u"snapshot", Output::integer(observation.snapshot));
    if (!observation.properties.isEmpty())
        line.add(u"properties", objectOut(observation.properties.object()));
    return line.oneLine() + '\n';
}

} // namespace

bool holdsExchanges(const QByteArray &ndjson)
{
    for (const TextLine &line : linesOf(ndjson)) {
        const Result<JsonText> document = JsonText::parse(line.text, {});
        return document && document->root().find("method") && document->root().find("url");
    }
    return false;
}

Result<QString> packOfHistory(const QByteArray &ndjson, const QString &name)
{
    for (const TextLine &line : linesOf(ndjson)) {
        const Result<JsonText> document = objectIn(line, name, u"a JSON object"_s);
        if (!document)
            return Error { document.error() };
        const Value header = document->root().find("history");
        if (header)
            return document->root().find("pack").string();
    }
    return Error {
        u"%1:1: expected a header such as {\"history\": 1, \"pack\": \"ID\", \"resources\": []}, found none"_s
            .arg(name)
    };
}

Result<History> readHistory(const QByteArray &ndjson, const QString &name, const Pack &pack)
{
    return HistoryReader(name, pack).read(ndjson);
}

QByteArray writeHistory(const History &history)
{
    QByteArray lines = headerOut(history);
    for (const RecordedRequest &asked : history.requests)
        lines += requestOut(asked);
    for (const Observation &observation : history.observations)
        lines += observationOut(observation);
    return lines;
}

} // namespace instar
