// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/result.h"

namespace instar {

// Conversion of the members of any pack row to form fields, and back. A member's value is its JSON
// text in the pack's file; empty if the file omits the member.

/// Keys of fields that are no members in the file: a row's own name, and the kind of a step.
inline constexpr QStringView RowName = u"(name)";
inline constexpr QStringView RowKind = u"(kind)";

struct Field
{
    enum class Kind {
        Name, ///< the row's own name: RowName
        Text,
        Texts, ///< a list of texts, typed with commas between them
        Flag,
        Whole, ///< a whole number, or one of `words`
        Real,
        Word, ///< one of `words`
        Map,  ///< typed as lines "key: value"
        Json, ///< typed as JSON (a single text without quotes), such as a position; a condition of
              ///< labels is typed as words
        Row,  ///< an optional row
        Rows, ///< a list of rows; `json` is empty
    };
    QString key;
    QString title, help; ///< label and tool tip in the form
    QString unit;        ///< unit of a number, such as "ms"; empty: none
    QString absent;      ///< description of the default value
    Kind kind = Kind::Text;
    QByteArray json;
    QString text;            ///< editable text; for Rows, the number of rows
    Name names = Name::None; ///< kind of name that the text or texts contain
    Name keys = Name::None;  ///< kind of name that the keys of a map are
    QStringList words; ///< allowed words of a Word or Texts, or of a Whole in addition to numbers
    bool isRequired = false;
    bool isList = false;      ///< written as an array, even if it has one item
    bool isTruth = false;     ///< a Text; "true" and "false" in it become JSON booleans
    bool isCondition = false; ///< a condition or a list of conditions
    bool operator==(const Field &) const = default;
};

/// Row as a form shows it.
struct RowFields
{
    QString kind; ///< "a state"; empty: there is no such row
    QString help;
    QString machine; ///< machine whose states the row names
    QString mark;    ///< key that marks the kind of row by the value `true`; empty: none
    QList<Field> fields;
    bool operator==(const RowFields &) const = default;
};

RowFields fieldsAt(const Pack &pack, const QString &row);

/// Converts a field's editable text to JSON; an empty text gives empty JSON: the member is omitted.
Result<QByteArray> typedJson(const Field &field, const QString &text);

/// Returns the pack with a new value of one member. A new row name is also changed in every use.
/// The error says why the value is invalid, alone or together with the row's other members. Setting
/// one of two alternative members removes the other.
Result<Pack> withField(
    const Pack &pack, const QString &row, const QString &key, const QByteArray &json);

} // namespace instar
