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

/// A value as messages show it: short, on one line.
QString shown(Value value);

/// "file:line: error: /pointer: text [code]", without what the diagnostic does not have.
QString described(const QString &file, const Diagnostic &diagnostic);
/// The same; looks up the line of a diagnostic that has only a JSON pointer.
QString described(const JsonText &document, Diagnostic diagnostic);
/// The diagnostics with the lines and columns of their pointers.
QList<Diagnostic> located(const JsonText &document, QList<Diagnostic> diagnostics);
/// The first diagnostic as "file:line: /pointer: text", and how many more there are.
QString summary(const QString &file, const QList<Diagnostic> &diagnostics, int unlisted = 0);

/// Prefixes a message with file and line; for a line that was parsed as an unnamed document.
QString inFile(const QString &name, qsizetype line, const QString &message);

/// A line of a text that is not blank, and its number.
struct TextLine
{
    qsizetype number = 0;
    QByteArray text;
};
QList<TextLine> linesOf(const QByteArray &text);
/// The JSON object in a line of the file `name`; messages say that `what` was expected.
Result<JsonText> objectIn(const TextLine &line, const QString &name, const QString &what);

/// Typed reader of JSON values that collects diagnostics. A getter that finds another type than
/// expected reports that and returns an empty value, so that reading continues.
class JsonReader
{
public:
    explicit JsonReader(const JsonText &document) : m_document(document) { }

    const JsonText &document() const { return m_document; }
    void error(Value where, const QString &text, const QString &rule);
    /// Reports "expected WHAT, found ..." at `where`, and suggests the nearest of `known`.
    void expected(const QString &what, Value where, const QStringList &known = {});
    const QList<Diagnostic> &diagnostics() const { return m_diagnostics; }
    bool isGood() const { return m_diagnostics.isEmpty(); }
    QString sentence() const { return summary(m_document.name(), m_diagnostics, m_unlisted); }

    QString text(Value value);
    QString shared(Value text); ///< text() of a string that occurs often: equal ones share memory
    bool flag(Value value);
    double real(Value value);
    qint64 whole(Value value, qint64 least = 0); ///< an integer from `least` to 2^53
    /// Index of the string in `words`; 0, with a diagnostic, if it is none of them.
    int choice(Value value, const QStringList &words);
    QStringList texts(Value value);       ///< a list of strings
    QStringList textOrTexts(Value value); ///< a string, or a list of strings

private:
    const JsonText &m_document;
    QHash<QByteArrayView, QString> m_shared;
    QList<Diagnostic> m_diagnostics;
    int m_unlisted = 0;
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

    JsonReader &reading() const { return m_reading; }
    /// The member's value. Required: its absence is an error.
    Value value(const char *key, Need need = Need::Optional) const;
    bool has(const char *key) const { return bool(value(key)); }

    QString text(const char *key, Need need = Need::Optional) const;
    bool flag(const char *key) const;
    qint64 whole(const char *key, qint64 absent = 0) const;

private:
    JsonReader &m_reading;
    Value m_object;
};

/// Reads an object whose keys are ids into a list, in file order, by `read(id, value)`.
template<typename T, typename Read>
QList<T> readById(JsonReader &reading, Value object, Read read)
{
    QList<T> rows;
    if (!object)
        return rows;
    if (!object.is(Value::Kind::Object))
        reading.expected(QStringLiteral("an object of names"), object);
    if (const Value twice = object.duplicateKey())
        reading.error(twice,
            QStringLiteral("expected each name once, found \"%1\" again").arg(twice.string()),
            QStringLiteral("duplicate-key"));
    for (const Member member : object.members()) {
        if (member.key.string().isEmpty())
            reading.error(member.key, QStringLiteral("expected a name, found an empty one"),
                QStringLiteral("value"));
        rows.append(read(member.key.string(), member.value));
    }
    return rows;
}

/// Reads a JSON list, in order, by `read(value)`.
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
