// SPDX-License-Identifier: Apache-2.0
#include "model/json/reading.h"

#include "model/pack/nearest.h"

#include <algorithm>

namespace instar {

namespace {

constexpr qsizetype mostDiagnostics = 100; // enough to fix a file; a hostile file has millions

/// Returns "POINTER: TEXT" on one line.
QString pointerAndText(const Diagnostic &diagnostic)
{
    const QString &pointer = diagnostic.pointer;
    return oneLine(pointer.isEmpty() ? diagnostic.text : pointer + u": "_s + diagnostic.text);
}

} // namespace

QString shown(Value value)
{
    if (value.is(Value::Kind::String)) {
        const QString text = visible(value.string().simplified());
        return u"\"%1\""_s.arg(text.size() > 60 ? text.first(57) + u"..."_s : text);
    }
    if (value.is(Value::Kind::Number) && value.raw().size() <= 40)
        return QString::fromLatin1(value.raw());
    return value.kindName();
}

QString described(const QString &file, const Diagnostic &diagnostic)
{
    static const QStringList severities { u"error"_s, u"warning"_s, u"note"_s };
    return u"%1:%2: %3: %4%5"_s.arg(file, QString::number(std::max(diagnostic.line, 1)),
        severities[int(diagnostic.severity)], pointerAndText(diagnostic),
        diagnostic.code.isEmpty() ? QString() : u" [%1]"_s.arg(diagnostic.code));
}

QList<Diagnostic> located(const JsonText &document, QList<Diagnostic> diagnostics)
{
    for (Diagnostic &each : diagnostics) {
        const Position at = document.position(each.pointer);
        each.line = at.line;
        each.column = at.column;
    }
    return diagnostics;
}

QString summary(const QString &file, const QList<Diagnostic> &diagnostics, int unlisted)
{
    if (diagnostics.isEmpty())
        return {};
    const Diagnostic &first = diagnostics.first();
    const qsizetype more = diagnostics.size() - 1 + unlisted;
    return u"%1:%2: %3%4"_s.arg(file, QString::number(std::max(first.line, 1)),
        pointerAndText(first), more > 0 ? u" (and %1 more)"_s.arg(more) : QString());
}

QString inFile(const QString &name, qsizetype line, const QString &message)
{
    // The error of a document without a file name begins with ":1:", its only line.
    const QString ownLine = u":1:"_s;
    return u"%1:%2:%3"_s.arg(name, QString::number(line),
        message.startsWith(ownLine) ? message.mid(ownLine.size()) : message);
}

QList<TextLine> linesOf(const QByteArray &text)
{
    QList<TextLine> lines;
    qsizetype number = 0;
    for (const QByteArray &line : text.split('\n')) {
        ++number;
        if (!line.trimmed().isEmpty())
            lines.append({ number, line });
    }
    return lines;
}

Result<JsonText> objectIn(const TextLine &line, const QString &name, const QString &what)
{
    Result<JsonText> document = JsonText::parse(line.text, {});
    if (!document)
        return Error { inFile(name, line.number, document.error()) };
    if (!document->root().is(Value::Kind::Object))
        return Error { inFile(name, line.number,
            u" expected %1, found %2"_s.arg(what, document->root().kindName())) };
    return document;
}

void JsonReader::error(Value where, const QString &text, const QString &code)
{
    if (m_diagnostics.size() >= mostDiagnostics) {
        ++m_unlisted;
        return;
    }
    const Position at = where.position();
    m_diagnostics.append(
        { Diagnostic::Severity::Error, where.pointer(), text, code, at.line, at.column });
}

void JsonReader::expected(const QString &what, Value where, const QStringList &known)
{
    error(where,
        u"expected %1, found %2%3"_s.arg(what, shown(where), suggestion(where.string(), known)),
        u"value"_s);
}

QString JsonReader::text(Value value)
{
    if (value && !value.is(Value::Kind::String))
        expected(u"a string"_s, value);
    return value.string();
}

QString JsonReader::shared(Value text)
{
    QString &known = m_shared[text.raw()];
    if (known.isNull())
        known = text.string();
    return known;
}

bool JsonReader::flag(Value value)
{
    if (value && !value.is(Value::Kind::Bool))
        expected(u"true or false"_s, value);
    return value.boolean();
}

double JsonReader::real(Value value)
{
    const std::optional<double> number = value.number();
    if (value && !number)
        expected(u"a number"_s, value);
    return number.value_or(0);
}

qint64 JsonReader::whole(Value value, qint64 least)
{
    if (!value)
        return 0;
    const std::optional<qint64> number = value.integer();
    if (number && *number >= least && *number <= MostWhole)
        return *number;
    expected(u"a whole number from %1 to 2^53"_s.arg(least), value);
    return 0;
}

int JsonReader::choice(Value value, const QStringList &words)
{
    const qsizetype found = value.is(Value::Kind::String) ? words.indexOf(value.string()) : -1;
    if (found >= 0 || !value)
        return int(qMax<qsizetype>(found, 0));
    expected(u"\"%1\""_s.arg(words.join(u"\" or \""_s)), value, words);
    return 0;
}

QStringList JsonReader::texts(Value value)
{
    if (value && !value.is(Value::Kind::Array))
        expected(u"a list of strings"_s, value);
    return mapped<QStringList>(value.items(), [this](Value item) { return text(item); });
}

QStringList JsonReader::textOrTexts(Value value)
{
    if (value.is(Value::Kind::String))
        return { text(value) };
    if (value && !value.is(Value::Kind::Array))
        expected(u"a string or a list of strings"_s, value);
    return value.is(Value::Kind::Array) ? texts(value) : QStringList();
}

Fields::Fields(
    JsonReader &reading, Value object, std::span<const char *const> known, QList<Extra> *extras)
    : m_reading(reading), m_object(object)
{
    if (object && !object.is(Value::Kind::Object))
        reading.expected(u"an object"_s, object);
    if (const Value repeated = object.duplicateKey())
        reading.error(repeated,
            u"expected each key once, found \"%1\" again"_s.arg(repeated.string()),
            u"duplicate-key"_s);
    for (const Member member : object.members()) {
        if (std::ranges::any_of(known, [&](const char *key) { return member.key.isString(key); }))
            continue;
        const QString key = member.key.string();
        if (extras && (key.startsWith("x-"_L1) || key == "$schema"_L1)) {
            extras->append({ key, member.value.raw().toByteArray() });
            continue;
        }
        const QStringList names = wordList(known);
        const QString hint = suggestion(key, names);
        reading.error(member.key,
            u"unknown key \"%1\"%2"_s.arg(
                key, hint.isEmpty() ? u"; expected one of: %1"_s.arg(names.join(u", "_s)) : hint),
            u"unknown-key"_s);
    }
}

Value Fields::value(const char *key, Need need) const
{
    if (const Value found = m_object.find(key))
        return found;
    if (need == Need::Required && m_object.is(Value::Kind::Object)) {
        m_reading.error(m_object,
            u"expected the key \"%1\", which is missing"_s.arg(QLatin1StringView(key)),
            u"missing-key"_s);
    }
    return {};
}

qint64 Fields::whole(const char *key, qint64 absent) const
{
    const Value found = value(key);
    return found ? m_reading.whole(found) : absent;
}

} // namespace instar
