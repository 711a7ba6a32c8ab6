// SPDX-License-Identifier: Apache-2.0
#include "model/json/exchanges.h"

#include "model/json/output.h"
#include "model/json/reading.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

bool isControl(char c)
{
    return (uchar(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

void print(Value value, const QByteArray &indent, QByteArray *out)
{
    const bool isObject = value.is(Value::Kind::Object);
    if (value.size() == 0) {
        if (isObject || value.is(Value::Kind::Array))
            *out += isObject ? "{}" : "[]";
        else
            *out += value.raw();
        return;
    }
    const QByteArray inner = indent + "  ";
    bool isFirst = true;
    const auto begin = [&] {
        *out += isFirst ? "\n" : ",\n";
        *out += inner;
        isFirst = false;
    };
    *out += isObject ? '{' : '[';
    for (const Value item : value.items()) {
        begin();
        print(item, inner, out);
    }
    for (const Member member : value.members()) {
        begin();
        *out += member.key.raw();
        *out += ": ";
        print(member.value, inner, out);
    }
    *out += '\n' + indent + (isObject ? '}' : ']');
}

} // namespace

bool isText(const QByteArray &bytes)
{
    return QString::fromUtf8(bytes).toUtf8() == bytes; // fromUtf8() drops a byte order mark
}

QString prettyJson(const QByteArray &body)
{
    if (const Result<JsonText> document = JsonText::parse(body, {})) {
        QByteArray out;
        print(document->root(), {}, &out);
        return QString::fromUtf8(out);
    }
    return isText(body) && std::ranges::none_of(QByteArray(body).replace("\r\n", "\n"), isControl)
        ? QString::fromUtf8(body)
        : u"%1 bytes that are no text"_s.arg(body.size());
}

namespace {

const QStringList &purposeNames()
{
    static const QStringList names { u"load"_s, u"fire"_s, u"poll"_s, u"other"_s, u"signIn"_s };
    return names;
}

Output headers(const QList<Exchange::Header> &all)
{
    Output list = Output::array();
    for (const Exchange::Header &header : all)
        list.add(Output::strings({ header.name, header.value }));
    return list;
}

Output body(const QByteArray &bytes)
{
    if (isText(bytes))
        return Output::string(QString::fromUtf8(bytes));
    Output encoded = Output::object();
    encoded.add(u"base64", Output::string(QString::fromLatin1(bytes.toBase64())));
    return encoded;
}

QByteArray lineOf(const Exchange &exchange)
{
    Output object = Output::object();
    const auto number = [&](QStringView key, double value) {
        if (value >= 0 && std::isfinite(value))
            object.add(key, Output::real(value));
    };
    object.add(u"number", Output::integer(qint64(exchange.number)));
    object.add(u"purpose", Output::string(purposeNames()[int(exchange.purpose)]));
    addText(&object, "sent", exchange.sent.toUTC().toString(Qt::ISODateWithMs));
    number(u"duration", exchange.duration);
    number(u"wait", exchange.wait);
    addText(&object, "client", exchange.client);
    addText(&object, "operation", exchange.operation);
    addText(&object, "method", exchange.method);
    addText(&object, "url", exchange.url);
    if (!exchange.requestHeaders.isEmpty())
        object.add(u"requestHeaders", headers(exchange.requestHeaders));
    if (!exchange.requestBody.isEmpty())
        object.add(u"requestBody", body(exchange.requestBody));
    if (exchange.status)
        object.add(u"status", Output::integer(exchange.status));
    addText(&object, "reason", exchange.reason);
    if (!exchange.responseHeaders.isEmpty())
        object.add(u"responseHeaders", headers(exchange.responseHeaders));
    if (!exchange.responseBody.isEmpty())
        object.add(u"responseBody", body(exchange.responseBody));
    addText(&object, "problem", exchange.problem);
    addText(&object, "etag", exchange.etag);
    if (exchange.retryAfter)
        number(u"retryAfter", *exchange.retryAfter);
    return object.oneLine() + '\n';
}

double nonNegative(const Fields &fields, const char *key, double absent)
{
    const Value value = fields.value(key);
    if (!value)
        return absent;
    const double number = fields.reading().real(value);
    if (number < 0)
        fields.reading().expected(u"a number that is not negative"_s, value);
    return number;
}

QList<Exchange::Header> readHeaders(JsonReader &reading, Value list)
{
    return readList<Exchange::Header>(reading, list, [&](Value item) {
        const QStringList pair = item.size() == 2 ? reading.texts(item) : QStringList();
        if (pair.size() != 2)
            reading.expected(u"a header's name and value"_s, item);
        return Exchange::Header { pair.value(0), pair.value(1) };
    });
}

QByteArray readBody(JsonReader &reading, Value value)
{
    if (!value.is(Value::Kind::Object))
        return reading.text(value).toUtf8();
    const Fields fields(reading, value, { "base64" });
    const auto decoded = QByteArray::fromBase64Encoding(
        fields.text("base64", Need::Required).toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        reading.expected(u"base64"_s, fields.value("base64"));
    return *decoded;
}

Exchange readExchange(JsonReader &reading)
{
    QList<Extra> unknown;
    const Fields fields(reading, reading.document().root(),
        { "number", "purpose", "sent", "duration", "wait", "client", "operation", "method", "url",
            "requestHeaders", "requestBody", "status", "reason", "responseHeaders", "responseBody",
            "problem", "etag", "retryAfter" },
        &unknown);
    Exchange exchange;
    exchange.number = quint64(fields.whole("number"));
    if (fields.has("purpose"))
        exchange.purpose =
            Exchange::Purpose(reading.choice(fields.value("purpose"), purposeNames()));
    if (fields.has("sent")) {
        exchange.sent = QDateTime::fromString(fields.text("sent"), Qt::ISODateWithMs);
        if (!exchange.sent.isValid())
            reading.expected(u"a time such as 2026-11-21T08:30:00.000Z"_s, fields.value("sent"));
    }
    exchange.duration = nonNegative(fields, "duration", -1);
    exchange.wait = nonNegative(fields, "wait", -1);
    exchange.client = fields.text("client");
    exchange.operation = fields.text("operation");
    exchange.method = fields.text("method", Need::Required);
    exchange.url = fields.text("url", Need::Required);
    exchange.requestHeaders = readHeaders(reading, fields.value("requestHeaders"));
    exchange.requestBody = readBody(reading, fields.value("requestBody"));
    exchange.status = int(std::min<qint64>(fields.whole("status"), 9999));
    exchange.reason = fields.text("reason");
    exchange.responseHeaders = readHeaders(reading, fields.value("responseHeaders"));
    exchange.responseBody = readBody(reading, fields.value("responseBody"));
    exchange.problem = fields.text("problem");
    exchange.etag = fields.text("etag");
    if (fields.has("retryAfter"))
        exchange.retryAfter = nonNegative(fields, "retryAfter", 0);
    return exchange;
}

} // namespace

bool isKeyHeader(const QString &name)
{
    static const QStringList others { u"host"_s, u"content-length"_s, u"content-type"_s,
        u"transfer-encoding"_s, u"connection"_s, u"cookie"_s };
    return !name.isEmpty() && !others.contains(name.toLower())
        && std::ranges::all_of(name, [](QChar c) {
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
    QByteArray lines;
    for (const Exchange &exchange : exchanges)
        lines += lineOf(exchange);
    return lines;
}

Result<QList<Exchange>> readExchanges(const QByteArray &ndjson, const QString &name)
{
    QList<Exchange> exchanges;
    for (const TextLine &line : linesOf(ndjson)) {
        const Result<JsonText> document = objectIn(line, name, u"an exchange as a JSON object"_s);
        if (!document)
            return Error { document.error() };
        JsonReader reading(*document);
        exchanges += readExchange(reading);
        if (!reading.isGood())
            return Error { inFile(name, line.number, reading.sentence()) };
    }
    return exchanges;
}

QString curlCommand(const Exchange &exchange)
{
    const auto quoted = [](QString text) {
        text.remove(QChar(u'\0')); // an argument cannot contain it
        return u'\'' + text.replace(u"'"_s, u"'\\''"_s) + u'\'';
    };
    const QString next = u" \\\n  "_s;
    const QByteArray &body = exchange.requestBody;
    QString command = u"curl --globoff --path-as-is "_s
        + (exchange.method == u"HEAD" ? u"--head"_s : u"-X "_s + quoted(exchange.method))
        + u" --url "_s + quoted(exchange.url);
    for (const Exchange::Header &header : exchange.requestHeaders) {
        if (header.name.compare(u"Content-Length", Qt::CaseInsensitive) == 0
            || header.name.compare(u"Transfer-Encoding", Qt::CaseInsensitive) == 0)
            continue; // curl sends it by itself
        // "Name: " would remove the header; "Name;" sends it empty.
        command += next + u"-H "_s
            + quoted(header.value.trimmed().isEmpty() ? header.name + u';'
                                                      : header.name + u": "_s + header.value);
    }
    if (body.isEmpty())
        return command;
    if (headerValue(exchange.requestHeaders, u"Content-Type").isEmpty())
        command += next + u"-H 'Content-Type:'"_s; // suppresses curl's default
    return command + next
        + (isText(body) && !body.contains('\0') ? u"--data-raw "_s + quoted(QString::fromUtf8(body))
                                                : u"--data-binary @body"_s);
}

HistoryFile::HistoryFile(const QString &name)
{
    check(m_file.begin(name, {}));
}

void HistoryFile::add(const Exchange &exchange)
{
    if (m_problem.isEmpty())
        check(m_file.append(exchangesNdjson({ exchange })));
}

void HistoryFile::finish()
{
    if (m_problem.isEmpty())
        check(m_file.close());
}

void HistoryFile::check(const Result<bool> &written)
{
    if (!written)
        m_problem = written.error() + u"; choose another file or folder"_s;
}

} // namespace instar
