// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/diagnostic.h"
#include "model/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QHash>
#include <QJsonValue>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace instar {

class JsonText;
class Items;
class Members;

/// Where something stands in a file; both count from 1, columns in characters.
struct Position
{
    int line = 1;
    int column = 1;
    bool operator==(const Position &) const = default;
};

/// A place in a JSON document. Light as a pointer; the document must outlive it and stay where it
/// is.
class Value
{
public:
    enum class Kind { Null, Bool, Number, String, Array, Object };

    Value() = default;
    Value(const JsonText *document, quint32 index) : m_document(document), m_index(index) { }

    /// False for a value that is not there, such as find() of an absent key.
    explicit operator bool() const { return m_document != nullptr; }
    Kind kind() const; ///< Null where there is no value
    bool is(Kind kind) const { return m_document && this->kind() == kind; }

    qsizetype size() const;  ///< members of an object, items of an array, else 0
    Items items() const;     ///< in file order; empty unless an array
    Members members() const; ///< in file order, duplicates included; empty unless an object
    /// The first member of that key (UTF-8), if there is one.
    Value find(QByteArrayView key) const;
    /// The first key that an earlier member has already, if there is one.
    Value duplicateKey() const;

    QString string() const;                   ///< empty unless a string
    bool isString(QByteArrayView utf8) const; ///< a string of exactly that content
    bool boolean() const { return raw() == QByteArrayView("true"); }
    std::optional<double> number() const;  ///< none for what is not a number or too large
    std::optional<qint64> integer() const; ///< none for what is not whole or does not fit

    /// The same content as Qt has it; of members with one key the last.
    QJsonValue json() const;
    QByteArrayView raw() const; ///< the bytes of the file
    Position position() const;
    QString pointer() const; ///< as RFC 6901 has it; a key's is its value's
    quint32 index() const { return m_index; }
    /// "a string", "a number", ... for messages.
    QString kindName() const;

private:
    friend class Items;
    friend class Members;
    const JsonText *m_document = nullptr;
    quint32 m_index = 0;
};

struct Member
{
    Value key, value;
};

/// What a parser accepts before it gives up.
struct Limits
{
    int depth = 512;
    qsizetype bytes = 256 * 1024 * 1024; ///< at most 256 MiB
};

/// A JSON text (RFC 8259, strictly) with every byte kept: positions, order, duplicate keys,
/// spelling of numbers. One tape of eight-byte entries over the bytes; nothing is decoded before it
/// is asked for.
class JsonText
{
public:
    /// `name` is what messages call the file. Errors read "name:line:column: expected ..., found
    /// ..."; `fault` gets the same in parts.
    static Result<JsonText> parse(
        QByteArray bytes, QString name, Limits limits = {}, Diagnostic *fault = nullptr);

    Value root() const { return Value(this, 0); }
    Value at(QStringView pointer) const;          ///< as Locator::at()
    Position position(QStringView pointer) const; ///< as Locator::position()
    Position position(qsizetype offset) const;
    /// Pointer to the innermost value around the byte at `offset`; a key leads to its value.
    QString pointerAt(qsizetype offset) const;

    const QString &name() const { return m_name; }
    const QByteArray &bytes() const { return m_bytes; }

private:
    friend class Value;
    friend class Items;
    friend class Members;
    friend class Parser;

    enum class Mark : quint32 { Null, Bool, Number, String, EscapedString, Array, Object, End };
    /// `extent` is a scalar's length in bytes, the distance to a container's end, or, there, the
    /// number of children.
    struct Entry
    {
        quint32 offset;
        quint32 mark : 4;
        quint32 extent : 28;
    };

    const Entry &entry(quint32 index) const { return m_tape[index]; }
    quint32 next(quint32 index) const;

    QString m_name;
    QByteArray m_bytes;
    std::vector<Entry> m_tape;
};

/// The items of an array, for `for`.
class Items
{
public:
    struct Iterator
    {
        const JsonText *document;
        quint32 index;
        Value operator*() const { return Value(document, index); }
        Iterator &operator++();
        bool operator==(const Iterator &other) const { return index == other.index; }
    };
    explicit Items(Value array);
    Iterator begin() const { return m_begin; }
    Iterator end() const { return m_end; }

private:
    Iterator m_begin, m_end;
};

/// The members of an object, for `for`.
class Members
{
public:
    struct Iterator
    {
        const JsonText *document;
        quint32 index;
        Member operator*() const { return { Value(document, index), Value(document, index + 1) }; }
        Iterator &operator++();
        bool operator==(const Iterator &other) const { return index == other.index; }
    };
    explicit Members(Value object);
    Iterator begin() const { return m_begin; }
    Iterator end() const { return m_end; }

private:
    Iterator m_begin, m_end;
};

/// Finds many pointers and lines in one document, each in about the time that its own length
/// takes. The document must outlive it.
class Locator
{
public:
    explicit Locator(const JsonText &document) : m_document(document) { }
    /// The value at a JSON pointer, if there is one.
    Value at(QStringView pointer);
    /// The key or item that the pointer names, or the nearest one around it that is there.
    Value key(QStringView pointer);
    /// Of what key() returns.
    Position position(QStringView pointer);
    /// Line on which a value begins.
    int line(Value value);

private:
    struct Child
    {
        Value key, value; ///< an item is its own key
    };
    using ByKey = QHash<QString, Child>;
    const ByKey &children(Value container);
    bool follow(QStringView pointer, Child *found);
    int lettersBefore(const char *at);

    const JsonText &m_document;
    std::vector<const char *> m_lines; ///< where each begins; empty: not asked for yet
    std::vector<int> m_letters;        ///< before each block of bytes; likewise
    QHash<quint32, ByKey> m_children;
};

} // namespace instar
