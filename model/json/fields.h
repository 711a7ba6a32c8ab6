// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/result.h"

namespace instar {

// Conversion of the members of any row to plain values for forms, and back. A member's value is its
// JSON in a pack's file; empty if the file leaves it out.

/// Keys of pseudo-members: a row's own name, and the kind of a step.
inline constexpr QStringView RowName = u"(name)";
inline constexpr QStringView RowKind = u"(kind)";

struct Field
{
    enum class Kind {
        Name, ///< the row's own name: RowName
        Text,
        Texts, ///< typed with commas between them
        Flag,
        Whole, ///< a whole number, or one of `words`
        Real,
        Word, ///< one of `words`
        Map,  ///< typed as lines "key: value"
        Json, ///< figures, a position: typed as JSON, a single text without quotes; a condition:
              ///< typed as words if it consists of labels
        Row,  ///< an optional row
        Rows, ///< a list of rows; it has no `json` here
    };
    QString key;
    QString title, help; ///< for people
    QString unit;        ///< of a number: "ms", "s"; empty: none
    QString absent;      ///< default, as described in the help
    Kind kind = Kind::Text;
    QByteArray json;
    QString text;            ///< editable text; of rows: their number
    Name names = Name::None; ///< kind of name in its text or texts
    Name keys = Name::None;  ///< kind of name in a map's keys
    QStringList words;       ///< allowed words of a Word or of Texts; of a Whole, beside numbers
    bool isRequired = false;
    bool isList = false;      ///< written as an array, even if it has one item
    bool isTruth = false;     ///< a Text of which "true" and "false" become JSON booleans
    bool isCondition = false; ///< a condition or a list of conditions
    bool operator==(const Field &) const = default;
};

/// Row as a form shows it.
struct RowFields
{
    QString kind; ///< "a state"; empty: there is no such row
    QString help;
    QString machine; ///< machine that the row's names of states refer to
    QString mark;    ///< key whose value `true` marks the kind of row; empty: none
    QList<Field> fields;
    bool operator==(const RowFields &) const = default;
};

RowFields fieldsAt(const Pack &pack, const QString &row);

/// Converts a field's editable text to JSON; an empty text gives an absent member.
Result<QByteArray> typedJson(const Field &field, const QString &text);

/// Returns the pack with another value of one member. A row's name is changed in all mentions. The
/// error says why the value is invalid, or invalid beside the row's other members. Of two
/// alternative members, setting one removes the other.
Result<Pack> withField(
    const Pack &pack, const QString &row, const QString &key, const QByteArray &json);

} // namespace instar
