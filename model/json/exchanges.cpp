// SPDX-License-Identifier: Apache-2.0
#include "model/json/exchanges.h"

#include "model/json/members.h"

#include <algorithm>

namespace instar {

bool isText(const QByteArray &bytes)
{
    return QString::fromUtf8(bytes).toUtf8() == bytes; // fromUtf8() drops a byte order mark
}

QString bodyForDisplay(const QByteArray &body)
{
    if (const Result<JsonText> document = JsonText::parse(body, {}))
        return QString::fromUtf8(Output::copy(document->root()).text().chopped(1));
    const auto isControl = [](char c) {
        return (uchar(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    };
    return isText(body) && std::ranges::none_of(QByteArray(body).replace("\r\n", "\n"), isControl)
        ? QString::fromUtf8(body)
        : u"%1 bytes that are no text"_s.arg(body.size());
}

namespace {

/// Member for the body of a message: a text, or other bytes as {"base64": "..."}.
template<typename Bytes>
struct MessageBody
{
    explicit MessageBody(Bytes &body) : bytes(body) { }
    Bytes &bytes;
};

constexpr const char *PurposeWords[] = { "load", "fire", "poll", "other", "signIn" };

bool isAbsent(const MessageBody<const QByteArray> &body, const MemberSpec &)
{
    return body.bytes.isEmpty();
}

Output memberOutput(const MessageBody<const QByteArray> &body, const MemberSpec &)
{
    return isText(body.bytes)
        ? Output::string(QString::fromUtf8(body.bytes))
        : Output::object(
            { { "base64", Output::string(QString::fromLatin1(body.bytes.toBase64())) } });
}

void readMember(
    JsonReader &reading, Value value, const MessageBody<QByteArray> &body, const MemberSpec &)
{
    if (!value.is(Value::Kind::Object)) {
        body.bytes = reading.text(value).toUtf8();
        return;
    }
    const Fields fields(reading, value, { "base64" });
    const auto decoded = QByteArray::fromBase64Encoding(
        fields.text("base64", Need::Required).toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        reading.expected(u"base64"_s, fields.value("base64"));
    body.bytes = *decoded;
}

} // namespace

static void describe(auto &visit, MaybeConst<Exchange> auto &row)
{
    visit.row("exchange", "an exchange");
    visit("number", row.number, { .always = true });
    visit("purpose", row.purpose, { .always = true, .words = PurposeWords });
    visit("sent", row.sent, {});
    visit("microseconds", row.microseconds, { .most = 999 });
    visit("duration", row.duration, { .absent = -1 });
    visit("wait", row.wait, { .absent = -1 });
    visit("client", row.client, {});
    visit("operation", row.operation, {});
    visit("method", row.method, { .required = true });
    visit("url", row.url, { .required = true });
    visit("requestHeaders", row.requestHeaders, {});
    visit("requestBody", MessageBody { row.requestBody }, {});
    visit("status", row.status, { .most = 9999 });
    visit("reason", row.reason, {});
    visit("responseHeaders", row.responseHeaders, {});
    visit("responseBody", MessageBody { row.responseBody }, {});
    visit("problem", row.problem, {});
    visit("etag", row.etag, {});
    visit("retryAfter", row.retryAfter, {});
    visit.extras({});
}

static Output memberOutput(quint64 number, const MemberSpec &)
{
    return Output::integer(qint64(number));
}

static void readMember(JsonReader &reading, Value value, quint64 &number, const MemberSpec &)
{
    number = quint64(reading.whole(value));
}

static Output memberOutput(const QDateTime &time, const MemberSpec &)
{
    return Output::string(time.toUTC().toString(Qt::ISODateWithMs));
}

static void readMember(JsonReader &reading, Value value, QDateTime &time, const MemberSpec &)
{
    time = QDateTime::fromString(reading.text(value), Qt::ISODateWithMs);
    if (!time.isValid())
        reading.expected(u"a time such as 2026-11-21T08:30:00.000Z"_s, value);
}

static Output memberOutput(const QList<Exchange::Header> &headers, const MemberSpec &)
{
    return Output::array(headers, [](const Exchange::Header &header) {
        return Output::strings({ header.name, header.value });
    });
}

static void readMember(
    JsonReader &reading, Value list, QList<Exchange::Header> &headers, const MemberSpec &)
{
    headers = readList<Exchange::Header>(reading, list, [&](Value item) {
        const QStringList pair = item.size() == 2 ? reading.texts(item) : QStringList();
        if (pair.size() != 2)
            reading.expected(u"a header's name and value"_s, item);
        return Exchange::Header { pair.value(0), pair.value(1) };
    });
}

bool isKeyHeader(const QString &name)
{
    static const QStringList reserved { u"host"_s, u"content-length"_s, u"content-type"_s,
        u"transfer-encoding"_s, u"connection"_s, u"cookie"_s };
    return isHeaderName(name) && !reserved.contains(name.toLower());
}

bool isHeaderName(const QString &name)
{
    return !name.isEmpty() && std::ranges::all_of(name, [](QChar c) {
        return c.unicode() < 0x7f
            && (c.isLetterOrNumber() || QStringView(u"!#$%&'*+-.^_`|~").contains(c));
    });
}

QString headerValue(const QList<Exchange::Header> &headers, QStringView name)
{
    for (const Exchange::Header &header : headers) {
        if (header.name.compare(name, Qt::CaseInsensitive) == 0)
            return header.value;
    }
    return {};
}

QByteArray exchangesNdjson(const QList<Exchange> &exchanges)
{
    return mapped<QByteArray>(
        exchanges, [](const Exchange &exchange) { return rowOutput(exchange).oneLine() + '\n'; });
}

Result<QList<Exchange>> readExchanges(const QByteArray &ndjson, const QString &name)
{
    QList<Exchange> exchanges;
    for (const TextLine &line : linesOf(ndjson)) {
        const Result<JsonText> document = objectIn(line, name, u"an exchange as a JSON object"_s);
        if (!document)
            return Error { document.error() };
        JsonReader reading(*document);
        exchanges += readDescribed<Exchange>(reading, document->root());
        for (const char *key : { "duration", "wait", "retryAfter" }) {
            const Value number = document->root().find(key);
            if (number.number().value_or(0) < 0)
                reading.expected(u"a number that is not negative"_s, number);
        }
        if (!reading.isGood())
            return Error { inFile(name, line.number, reading.sentence()) };
    }
    return exchanges;
}

QString curlCommand(const Exchange &exchange)
{
    const auto quoted = [](QString text) {
        text.remove(QChar(u'\0')); // an argument of a command cannot contain NUL
        return u'\'' + text.replace(u"'"_s, u"'\\''"_s) + u'\'';
    };
    const QString lineBreak = u" \\\n  "_s;
    const QByteArray &body = exchange.requestBody;
    QString command = u"curl --globoff --path-as-is "_s
        + (exchange.method == u"HEAD" ? u"--head"_s : u"-X "_s + quoted(exchange.method))
        + u" --url "_s + quoted(exchange.url);
    for (const Exchange::Header &header : exchange.requestHeaders) {
        if (header.name.compare(u"Content-Length", Qt::CaseInsensitive) == 0
            || header.name.compare(u"Transfer-Encoding", Qt::CaseInsensitive) == 0)
            continue; // curl adds these headers itself
        // For curl, "Name: " removes a header, and "Name;" sends an empty header.
        command += lineBreak + u"-H "_s
            + quoted(header.value.trimmed().isEmpty() ? header.name + u';'
                                                      : header.name + u": "_s + header.value);
    }
    if (body.isEmpty())
        return command;
    if (headerValue(exchange.requestHeaders, u"Content-Type").isEmpty())
        command += lineBreak + u"-H 'Content-Type:'"_s; // suppresses curl's default
    return command + lineBreak
        + (isText(body) && !body.contains('\0') ? u"--data-raw "_s + quoted(QString::fromUtf8(body))
                                                : u"--data-binary @body"_s);
}

void ExchangeLog::check(const Result<bool> &written)
{
    if (!written)
        m_problem = written.error() + u"; choose another file or folder"_s;
}

} // namespace instar
