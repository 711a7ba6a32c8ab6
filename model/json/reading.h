// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/foreigntext.h"
#include "model/json/jsontext.h"
#include "model/pack/diagnostic.h"
#include "model/pack/pack.h"

#include <QHash>

#include <initializer_list>
#include <span>

namespace instar {

/// Returns a short text of a value on one line, for messages.
QString shown(Value value);

/// Returns "file:line: error: /pointer: text [code]"; omits parts that the diagnostic lacks.
QString described(const QString &file, const Diagnostic &diagnostic);
/// Returns the diagnostics, with line and column looked up by their JSON pointers.
QList<Diagnostic> located(const JsonText &document, QList<Diagnostic> diagnostics);
/// Returns the first diagnostic as "file:line: /pointer: text (and N more)". N includes `unlisted`,
/// the number of further diagnostics that were found but not stored.
QString summary(const QString &file, const QList<Diagnostic> &diagnostics, int unlisted = 0);

/// Returns "name:line:message" for an error in a line that was parsed as a separate document.
QString inFile(const QString &name, qsizetype line, const QString &message);

/// Non-blank line of a text, with its number, from 1.
struct TextLine
{
    qsizetype number = 0;
    QByteArray text;
};
QList<TextLine> linesOf(const QByteArray &text);
/// Parses a line of the file `name`. Any value but an object is an error: "expected WHAT".
Result<JsonText> objectIn(const TextLine &line, const QString &name, const QString &what);

/// Typed reader of JSON values that collects diagnostics. A getter that finds a value of the wrong
/// type reports it and returns an empty value, so that reading continues.
class JsonReader
{
public:
    explicit JsonReader(const JsonText &document) : m_document(document) { }

    const JsonText &document() const { return m_document; }
    void error(Value where, const QString &text, const QString &code);
    /// Reports "expected WHAT, found ..." at `where`, and suggests the nearest of `known`.
    void expected(const QString &what, Value where, const QStringList &known = {});
    const QList<Diagnostic> &diagnostics() const { return m_diagnostics; }
    bool isGood() const { return m_diagnostics.isEmpty(); }
    QString sentence() const { return summary(m_document.name(), m_diagnostics, m_unlisted); }

    QString text(Value value);
    QString shared(Value text); ///< text() with a cache, so that equal strings share memory
    bool flag(Value value);
    double real(Value value);
    qint64 whole(Value value, qint64 least = 0); ///< an integer from `least` to 2^53
    /// Returns the index of the string in `words`; reports any other string and returns 0.
    int choice(Value value, const QStringList &words);
    QStringList texts(Value value);       ///< a list of strings
    QStringList textOrTexts(Value value); ///< a string, or a list of strings

private:
    const JsonText &m_document;
    QHash<QByteArrayView, QString> m_shared;
    QList<Diagnostic> m_diagnostics;
    int m_unlisted = 0; ///< number of diagnostics that were found but not stored
};

enum class Need { Optional, Required };

/// Members of an object with a fixed set of keys. Reports unknown and duplicate keys.
class Fields
{
public:
    using Keys = std::initializer_list<const char *>;

    /// "$schema" and keys that begin with "x-" go to `extras`; without `extras` they are unknown.
    Fields(JsonReader &reading, Value object, std::span<const char *const> known,
        QList<Extra> *extras = nullptr);
    Fields(JsonReader &reading, Value object, Keys known, QList<Extra> *extras = nullptr)
        : Fields(reading, object, std::span(known.begin(), known.size()), extras)
    { }

    /// Returns the member's value; reports the absence of a required member.
    Value value(const char *key, Need need = Need::Optional) const;
    bool has(const char *key) const { return bool(value(key)); }

    QString text(const char *key, Need need = Need::Optional) const
    {
        return m_reading.text(value(key, need));
    }
    bool flag(const char *key) const { return m_reading.flag(value(key)); }
    qint64 whole(const char *key, qint64 absent = 0) const;

private:
    JsonReader &m_reading;
    Value m_object;
};

/// Reads an object whose keys are ids into a list, in file order; `read(id, value)` reads one row.
template<typename T, typename Read>
QList<T> readById(JsonReader &reading, Value object, Read read)
{
    QList<T> rows;
    if (!object)
        return rows;
    if (!object.is(Value::Kind::Object))
        reading.expected(QStringLiteral("an object of names"), object);
    if (const Value repeated = object.duplicateKey())
        reading.error(repeated,
            QStringLiteral("expected each name once, found \"%1\" again").arg(repeated.string()),
            QStringLiteral("duplicate-key"));
    for (const Member member : object.members()) {
        if (member.key.string().isEmpty())
            reading.error(member.key, QStringLiteral("expected a name, found an empty one"),
                QStringLiteral("value"));
        rows.append(read(member.key.string(), member.value));
    }
    return rows;
}

/// Reads a JSON list, in order; `read(value)` reads one item.
template<typename T, typename Read>
QList<T> readList(JsonReader &reading, Value list, Read read)
{
    QList<T> rows;
    if (list && !list.is(Value::Kind::Array))
        reading.expected(QStringLiteral("a list"), list);
    else
        rows.reserve(list.size());
    for (const Value item : list.items())
        rows.append(read(item));
    return rows;
}

} // namespace instar
