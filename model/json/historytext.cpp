// SPDX-License-Identifier: Apache-2.0
#include "model/json/historytext.h"

#include "model/json/members.h"
#include "model/json/packnames.h"

namespace instar {

static void describe(auto &visit, MaybeConst<History> auto &row)
{
    int version = 1;
    visit.row("history", "a header");
    visit("history", version,
        { .required = true,
            .absent = 1,
            .least = 1,
            .most = 1,
            .title = "1, the version of the format" });
    visit("pack", row.pack, {});
    visit("switches", row.switches, { .keys = Name::Switch, .boolean = true });
    visit("timeless", row.untimed, {});
    visit("resources", row.resources, { .always = true });
    visit.extras({});
}

namespace {

/// Answer to a request; exactly one member is set.
struct AnswerRow
{
    bool accepted = false, began = false; ///< began: accepted, and the work started
    std::optional<QString> refused;       ///< error code of the refusal
    bool lost = false;                    ///< no answer came
    bool unknown = false;                 ///< the answer hides if the request took effect
    bool succeeded = false;               ///< the answer came after the work had succeeded
    QByteArray failed; ///< JSON; not empty: the answer came after the work had failed
    bool operator==(const AnswerRow &) const = default;

    bool hasEnded() const { return succeeded || !failed.isEmpty(); }
};

void describe(auto &visit, MaybeConst<AnswerRow> auto &row)
{
    visit.row("historyAnswer", "an answer");
    visit("accepted", row.accepted, {});
    visit("began", row.began, {});
    visit("refused", row.refused, {});
    visit("lost", row.lost, {});
    visit("unknown", row.unknown, {});
    visit("succeeded", row.succeeded, {});
    visit("failed", row.failed, {});
    visit.extras({});
}

struct RequestLine
{
    RecordedRequest recorded;
    std::optional<double> answered;
    AnswerRow answer;
};

void describe(auto &visit, MaybeConst<RequestLine> auto &row)
{
    auto &request = row.recorded.request;
    visit.row("historyRequest", "a request");
    visit("request", request.id, { .required = true });
    visit("client", request.client, {});
    visit("op", request.op, { .required = true });
    visit("path", request.path, { .required = true });
    visit("references", request.references, {});
    visit("properties", request.properties, {});
    visit("conditions", request.conditions, {});
    visit("ifMatch", request.ifMatch, {});
    visit("ifNoneMatch", request.ifNoneMatch, {});
    visit("requestId", request.requestId, {});
    visit("body", request.body, {});
    visit("sent", row.recorded.sent, { .required = true, .unit = "ms" },
        "The time at which the request was sent.");
    visit("answered", row.answered, { .unit = "ms" }, "The time at which the answer arrived.");
    visit("answer", row.answer, { .required = true });
    visit.extras({});
}

void describeTimes(auto &visit, auto &observation)
{
    visit("from", observation.from, { .required = true, .unit = "ms" },
        "The earliest time of the observation.");
    visit("to", observation.to, { .required = true, .unit = "ms" },
        "The latest time of the observation.");
}

struct ResourceLine
{
    Observation observation;
    QString state; ///< empty: the resource is absent
};

void describe(auto &visit, MaybeConst<ResourceLine> auto &row)
{
    visit.row("historySeen", "an observation of a resource");
    visit("seen", row.observation.path, { .required = true });
    describeTimes(visit, row.observation);
    visit("state", row.state,
        { .required = true,
            .nullable = true,
            .title = "a state, or null for a resource that does not exist" });
    visit("etag", row.observation.etag, {});
    visit("snapshot", row.observation.snapshot, {});
    visit("properties", row.observation.properties, {});
    visit.extras({});
}

struct StatusLine
{
    Observation observation;
    QString status;
};

void describe(auto &visit, MaybeConst<StatusLine> auto &row)
{
    static constexpr const char *statuses[] = { "Waiting", "InProgress", "Succeeded", "Failed",
        "Canceled", "Rejected" };
    visit.row("historyStatus", "an observation of an operation");
    visit("operation", row.observation.operation, { .required = true });
    describeTimes(visit, row.observation);
    visit("status", row.status, { .required = true, .words = statuses });
    visit.extras({});
}

Error headerMissing(const QString &name, const QString &pack)
{
    return {
        u"%1:1: expected a header such as {\"history\": 1, \"pack\": \"%2\", \"resources\": []}, found none"_s
            .arg(name, pack)
    };
}

class HistoryReader
{
public:
    HistoryReader(const QString &name, const Pack &pack) : m_name(name), m_pack(pack) { }

    Result<History> read(const QByteArray &ndjson)
    {
        for (const TextLine &line : linesOf(ndjson)) {
            const Result<JsonText> document = objectIn(line, m_name, u"a JSON object"_s);
            if (!document)
                return Error { document.error() };
            m_line = int(line.number);
            JsonReader reading(*document);
            const Value root = document->root();
            if (root.find("history"))
                readHeader(reading, root);
            else if (root.find("request"))
                readRequest(reading, root);
            else if (root.find("seen"))
                readResource(reading, root);
            else if (root.find("operation"))
                readStatus(reading, root);
            else
                reading.expected(
                    u"a line of a history: an object with history, request, seen or operation"_s,
                    root);
            if (!reading.isGood())
                return Error { inFile(m_name, line.number, reading.sentence()) };
        }
        if (!m_hasHeader)
            return headerMissing(m_name, m_pack.id);
        if (const QString unknown = unknownRequest(); !unknown.isEmpty())
            return Error { unknown };
        return std::move(m_history);
    }

private:
    /// Checks a path. Looks up each type only once: a history may have very many lines.
    void checkPath(JsonReader &reading, Value path)
    {
        const QString text = path.string(), type = u"/"_s + typePathOf(text);
        if (!path.is(Value::Kind::String)
            || (m_known.contains(type) && pathProblem(text).isEmpty()))
            return;
        PackNames(reading, m_pack).checkPath(path, text);
        if (reading.isGood())
            m_known.insert(type);
    }

    void checkPaths(JsonReader &reading, Value line)
    {
        checkPath(reading, line.find("path"));
        const Value references = line.find("references");
        checkPath(reading, references);
        for (const Value reference : references.items())
            checkPath(reading, reference);
    }

    static void checkTimes(JsonReader &reading, Value line, const char *from, const char *to)
    {
        for (const char *key : { from, to }) {
            const std::optional<double> ms = line.find(key).number();
            if (ms && (*ms < 0 || *ms > double(MostWhole)))
                reading.expected(u"a time in ms, from 0 to 2^53"_s, line.find(key));
        }
        if (line.find(to).number().value_or(MostWhole) < line.find(from).number().value_or(0))
            reading.error(line.find(to),
                u"expected a time that is not before \"%1\""_s.arg(QLatin1String(from)),
                u"value"_s);
    }

    void readHeader(JsonReader &reading, Value line)
    {
        if (m_hasHeader)
            reading.error(line, u"expected one header, found a second one"_s, u"duplicate-id"_s);
        m_hasHeader = true;
        History header = readDescribed<History>(reading, line);
        header.file = m_name;
        header.headerLine = m_line;
        header.requests = std::move(m_history.requests);
        header.observations = std::move(m_history.observations);
        m_history = std::move(header);
        const PackNames names(reading, m_pack);
        for (const Member each : line.find("switches").members()) {
            if (reading.isGood())
                m_history.switches[each.key.string()] =
                    names.switchValue(each.value, each.key.string(), each.value);
        }
        for (const Value resource : line.find("resources").items())
            checkPaths(reading, resource);
    }

    void readAnswer(JsonReader &reading, Value line, RequestLine *row)
    {
        using Answer = RecordedRequest::Answer;
        const AnswerRow &answer = row->answer;
        RecordedRequest &recorded = row->recorded;
        const int answerCount = answer.accepted + answer.began + answer.refused.has_value()
            + answer.lost + answer.unknown + answer.succeeded + !answer.failed.isEmpty();
        if (answerCount != 1 && line.find("answer"))
            reading.expected(
                u"one of accepted, began, refused, lost, unknown, succeeded and failed"_s,
                line.find("answer"));
        recorded.answer = answer.refused ? Answer::Refused
            : answer.lost                ? Answer::Lost
            : answer.unknown             ? Answer::Unknown
                                         : Answer::Accepted;
        recorded.code = answer.refused.value_or(QString());
        recorded.began = answer.began;
        recorded.answered = answer.lost ? recorded.sent : row->answered.value_or(recorded.sent);
        if (!answer.lost && !row->answered)
            reading.error(
                line, u"expected the key \"answered\", which is missing"_s, u"missing-key"_s);
        // A synchronous answer is an observation, too: the work has ended.
        if (answer.hasEnded())
            m_history.observations.append({ .line = m_line,
                .operation = recorded.request.id,
                .from = recorded.sent,
                .to = recorded.answered,
                .word = statusName(answer.succeeded ? Status::Succeeded : Status::Failed) });
    }

    void readRequest(JsonReader &reading, Value line)
    {
        auto row = readDescribed<RequestLine>(reading, line);
        row.recorded.line = m_line;
        const Request &request = row.recorded.request;
        const Value id = line.find("request");
        if (id.is(Value::Kind::String) && request.id.isEmpty())
            reading.error(id, u"expected an id, found an empty string"_s, u"value"_s);
        if (const int before = m_requests.value(request.id, 0))
            reading.error(id,
                u"expected each request's id once, found \"%1\" again (see line %2)"_s.arg(
                    request.id, QString::number(before)),
                u"duplicate-id"_s);
        m_requests.insert(request.id, m_line);
        const Value op = line.find("op");
        if (op.is(Value::Kind::String) && !m_known.contains(request.op)) {
            PackNames(reading, m_pack).checkOperation(op, request.op);
            if (reading.isGood())
                m_known.insert(request.op);
        }
        checkPaths(reading, line);
        checkTimes(reading, line, "sent", "answered");
        readAnswer(reading, line, &row);
        m_history.requests.append(std::move(row.recorded));
    }

    void readResource(JsonReader &reading, Value line)
    {
        auto row = readDescribed<ResourceLine>(reading, line);
        Observation &observed = row.observation;
        observed.line = m_line;
        if (line.find("state").is(Value::Kind::String))
            observed.word = row.state;
        checkPath(reading, line.find("seen"));
        checkTimes(reading, line, "from", "to");
        const auto times = std::pair(observed.from, observed.to);
        if (observed.snapshot > 0 && m_snapshots.value(observed.snapshot, times) != times)
            reading.error(line.find("snapshot"),
                u"expected the same \"from\" and \"to\" for all of snapshot %1"_s.arg(
                    observed.snapshot),
                u"value"_s);
        m_snapshots.insert(observed.snapshot, times);
        m_history.observations.append(std::move(observed));
    }

    void readStatus(JsonReader &reading, Value line)
    {
        auto row = readDescribed<StatusLine>(reading, line);
        row.observation.line = m_line;
        row.observation.word = row.status;
        checkTimes(reading, line, "from", "to");
        m_history.observations.append(std::move(row.observation));
    }

    /// Returns the error of the first observation of an unknown operation; empty: there is none.
    QString unknownRequest() const
    {
        for (const Observation &observation : m_history.observations) {
            if (!observation.isOfResource() && !m_requests.contains(observation.operation))
                return inFile(m_name, observation.line,
                    u" /operation: expected the id of a request of this history, found \"%1\"; add the request or remove the line"_s
                        .arg(observation.operation.left(100)));
            if (observation.isOfResource() && observation.path.isEmpty())
                return inFile(m_name, observation.line, u" /operation: expected an id"_s);
        }
        return {};
    }

    QString m_name;
    const Pack &m_pack;
    History m_history;
    int m_line = 0;
    bool m_hasHeader = false;
    QHash<QString, int> m_requests;                       ///< id -> line
    QHash<qint64, std::pair<double, double>> m_snapshots; ///< number -> from, to
    QSet<QString> m_known; ///< cache of checked operations and types of paths
};

QByteArray jsonLine(const auto &row)
{
    return rowOutput(row).oneLine() + '\n';
}

RequestLine lineFor(const RecordedRequest &recorded)
{
    using Answer = RecordedRequest::Answer;
    RequestLine line { recorded, {}, {} };
    if (recorded.isClosed())
        line.answered = recorded.answered;
    line.answer.began = recorded.answer == Answer::Accepted && recorded.began;
    line.answer.accepted = recorded.answer == Answer::Accepted && !recorded.began;
    line.answer.lost = recorded.answer == Answer::Lost;
    line.answer.unknown = recorded.answer == Answer::Unknown;
    if (recorded.answer == Answer::Refused)
        line.answer.refused = recorded.code;
    return line;
}

} // namespace

bool holdsExchanges(const QByteArray &ndjson)
{
    const Result<JsonText> first = JsonText::parse(linesOf(ndjson).value(0).text, {});
    return first && first->root().find("method") && first->root().find("url");
}

Result<QString> packOfHistory(const QByteArray &ndjson, const QString &name)
{
    for (const TextLine &line : linesOf(ndjson)) {
        const Result<JsonText> document = objectIn(line, name, u"a JSON object"_s);
        if (!document)
            return Error { document.error() };
        if (document->root().find("history"))
            return document->root().find("pack").string();
    }
    return headerMissing(name, u"ID"_s);
}

Result<History> readHistory(const QByteArray &ndjson, const QString &name, const Pack &pack)
{
    return HistoryReader(name, pack).read(ndjson);
}

QByteArray writeHistory(const History &history)
{
    QByteArray lines = jsonLine(history);
    for (const RecordedRequest &recorded : history.requests)
        lines += jsonLine(lineFor(recorded));
    for (const Observation &observation : history.observations)
        lines += observation.isOfResource()
            ? jsonLine(ResourceLine { observation, observation.word.value_or(QString()) })
            : jsonLine(StatusLine { observation, observation.word.value_or(QString()) });
    return lines;
}

} // namespace instar
