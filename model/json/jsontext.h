// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/diagnostic.h"
#include "model/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QJsonValue>
#include <QString>

#include <optional>
#include <type_traits>
#include <vector>

namespace instar {

class JsonText;
struct Member;
template<typename Child>
class Children;

/// Position in a file: line and column from 1, the column in characters.
struct Position
{
    int line = 1;
    int column = 1;
    bool operator==(const Position &) const = default;
};

/// Reference to a value in a JSON document, which must outlive it and must not be moved.
class Value
{
public:
    enum class Kind { Null, Bool, Number, String, Array, Object };

    Value() = default;
    Value(const JsonText *document, quint32 index) : m_document(document), m_index(index) { }

    /// False for an absent value, such as the result of find() for an absent key.
    explicit operator bool() const { return m_document != nullptr; }
    Kind kind() const; ///< Null for an absent value
    bool is(Kind kind) const { return m_document && this->kind() == kind; }

    qsizetype size() const;           ///< members of an object, items of an array, else 0
    Children<Value> items() const;    ///< in file order; empty unless an array
    Children<Member> members() const; ///< in file order, with duplicates; empty unless an object
    /// Returns the value of the first member with a key (UTF-8); absent if there is none.
    Value find(QByteArrayView key) const;
    /// Returns the first key that an earlier member has already; absent if there is none.
    Value duplicateKey() const;

    QString string() const;                   ///< empty unless a string
    bool isString(QByteArrayView utf8) const; ///< a string of exactly that content
    bool boolean() const { return raw() == QByteArrayView("true"); }
    std::optional<double> number() const;  ///< absent: no number, or too large
    std::optional<qint64> integer() const; ///< absent: no whole number, or too large

    /// Returns Qt's value, with the last of equal keys. Undefined: absent, or too large a number.
    QJsonValue json() const;
    QByteArrayView raw() const; ///< the value's bytes in the file
    Position position() const;
    int line() const;        ///< line of the value's begin; cheaper than position()
    QString pointer() const; ///< JSON pointer (RFC 6901); of a key: the pointer to its value
    quint32 index() const { return m_index; }
    QString kindName() const; ///< "a string", "a number", ... for messages

private:
    template<typename Child>
    friend class Children;
    const JsonText *m_document = nullptr;
    quint32 m_index = 0;
};

struct Member
{
    Value key, value;
};

struct Limits
{
    int depth = 512;                     ///< levels of nesting
    qsizetype bytes = 256 * 1024 * 1024; ///< at most 256 MiB
};

/// Parsed JSON text (RFC 8259, strict) that keeps positions, order, duplicate keys and spelling: a
/// tape of eight-byte entries over the bytes, as in simdjson. Values are decoded on demand.
class JsonText
{
public:
    /// Parses the content of the file `name`. Errors read "name:line:column: expected ..., found
    /// ..."; `fault` receives the error as a diagnostic.
    static Result<JsonText> parse(
        QByteArray bytes, QString name, Limits limits = {}, Diagnostic *fault = nullptr);

    Value root() const { return Value(this, 0); }
    /// Returns the value at a JSON pointer; absent if there is none.
    Value at(QStringView pointer) const;
    /// Returns the key or item at a pointer, else the innermost existing key or item around it.
    Value key(QStringView pointer) const;
    Position position(QStringView pointer) const { return key(pointer).position(); }
    /// Returns the pointer to the innermost value at a byte; in a key, to the key's value.
    QString pointerAt(qsizetype offset) const;

    const QString &name() const { return m_name; }
    const QByteArray &bytes() const { return m_bytes; }

private:
    friend class Value;
    template<typename Child>
    friend class Children;
    friend class Parser;

    enum class Mark : quint32 { Null, Bool, Number, String, EscapedString, Array, Object, End };
    /// `extent`: of a scalar its length in bytes, of a container the distance to its End entry, of
    /// an End entry the number of children.
    struct Entry
    {
        quint32 offset;
        quint32 mark : 4;
        quint32 extent : 28;
    };

    bool follow(QStringView pointer, Member *found) const;
    int lineOf(qsizetype offset) const;
    Position position(qsizetype offset) const;
    const Entry &entry(quint32 index) const { return m_tape[index]; }
    quint32 next(quint32 index) const;

    QString m_name;
    QByteArray m_bytes;
    std::vector<Entry> m_tape;
    std::vector<quint32> m_lines; ///< offsets of the lines after the first
};

/// Range of the items of an array (Value) or of the members of an object (Member).
template<typename Child>
class Children
{
    static constexpr bool hasKeys = std::is_same_v<Child, Member>;

public:
    struct Iterator
    {
        const JsonText *document;
        quint32 index;
        Child operator*() const
        {
            if constexpr (hasKeys)
                return { Value(document, index), Value(document, index + 1) };
            else
                return Value(document, index);
        }
        Iterator &operator++()
        {
            index = document->next(index + (hasKeys ? 1 : 0));
            return *this;
        }
        bool operator==(const Iterator &other) const { return index == other.index; }
    };
    /// The range is empty for an absent container.
    explicit Children(Value container)
        : m_begin { container.m_document, container.m_index + 1 }, m_end { m_begin.document, 1 }
    {
        if (m_end.document)
            m_end.index = container.m_index + m_end.document->entry(container.m_index).extent;
    }
    Iterator begin() const { return m_begin; }
    Iterator end() const { return m_end; }

private:
    Iterator m_begin, m_end;
};

/// Returns a text without a UTF-8 byte order mark, with which other programs may begin JSON.
inline QByteArray withoutByteOrderMark(const QByteArray &bytes)
{
    return bytes.startsWith("\xEF\xBB\xBF") ? bytes.sliced(3) : bytes;
}

} // namespace instar
