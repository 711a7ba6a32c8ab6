// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/result.h"

namespace instar {

// The members of any row as plain values, and back: what forms are made of. A member's value is
// its JSON as a pack's file has it; empty where the file leaves it out.

/// Keys of what is no member: what a row is called, and which of its kinds it is (of a step).
inline constexpr QStringView RowName = u"(name)";
inline constexpr QStringView RowKind = u"(kind)";

struct Field
{
    enum class Kind {
        Name, ///< what the row is called: RowName
        Text,
        Texts, ///< typed with commas between them
        Flag,
        Whole, ///< or one of `words`
        Real,
        Word, ///< one of `words`
        Map,  ///< typed as lines "key: value"
        Json, ///< figures, a position: typed as JSON, a lone text without quotes; a condition: as
              ///< words where it consists of labels
        Row,  ///< a row of its own, or none
        Rows, ///< a list of rows; it has no `json` here
    };
    QString key;
    QString title, help; ///< for people
    QString unit;        ///< of a number: "ms", "s"; empty: none
    QString absent;      ///< what it means that it is left out, as far as the help says so
    Kind kind = Kind::Text;
    QByteArray json;
    QString text;            ///< as it is typed; of rows: how many there are
    Name names = Name::None; ///< what its text, or each of its texts, names
    Name keys = Name::None;  ///< what a map's keys name
    QStringList words;       ///< of a word; of texts: the only ones
    bool isRequired = false;
    bool isList = false;      ///< texts: a list, even of one
    bool isTruth = false;     ///< a text that may be true or false
    bool isCondition = false; ///< or a list of conditions
    bool operator==(const Field &) const = default;
};

/// A row as a form shows it.
struct RowFields
{
    QString kind; ///< "a state"; empty: there is no such row
    QString help;
    QString machine; ///< whose states its names mean
    QString mark;    ///< a key that only says which kind it is, and is true; empty: none
    QList<Field> fields;
    bool operator==(const RowFields &) const = default;
};

RowFields fieldsAt(const Pack &pack, const QString &row);

/// What was typed into a field as JSON; nothing typed is nothing there.
Result<QByteArray> typedJson(const Field &field, const QString &text);

/// The pack with another value of one member. A name is changed wherever it stands. The error says
/// why the value cannot be, or cannot be beside what else the row says. Of two members that stand
/// for each other, the other one goes.
Result<Pack> withField(
    const Pack &pack, const QString &row, const QString &key, const QByteArray &json);

} // namespace instar
