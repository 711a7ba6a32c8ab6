// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/result.h"

namespace instar {

// A form edits the members of any row as texts. The value of a member is its JSON in the pack's
// file; the value is empty if the file omits the member.

// Keys of fields that are no members: the row's own name, the parent of a type, the kind of a step.
inline constexpr QStringView RowName = u"(name)";
inline constexpr QStringView RowParent = u"(parent)";
inline constexpr QStringView RowKind = u"(kind)";

/// Field of a form: a member of a row, its value and how to edit it.
struct Field
{
    enum class Kind {
        Name, ///< the row's own name; its key is RowName
        Text,
        Texts, ///< edited as one text, separated by commas
        Flag,
        Whole, ///< a whole number, or one of `words`
        Real,
        Word, ///< one of `words`
        Map,  ///< edited as lines of the form "key: value"
        Json, ///< figures, a position or conditions, edited as JSON, where texts need no quotes.
              ///< A single condition is edited as the text of conditionWords(), if it has one
        Row,  ///< one row, which may be absent
        Rows, ///< a list of rows, which other forms edit; `json` is empty
    };
    QString key;
    QString title, help; ///< label and tool tip in the form
    QString unit;        ///< unit of a number, such as "ms"; empty: none
    QString absent;      ///< the default value, in words for the form
    Kind kind = Kind::Text;
    QByteArray json;         ///< the value
    QString text;            ///< the value as it is edited; of Rows: their number
    Name names = Name::None; ///< kind of name in the text or texts
    Name keys = Name::None;  ///< kind of name in the keys of a Map
    QStringList words;       ///< the words that a Word, Texts or a Whole may have
    bool isRequired = false;
    bool isList = false;        ///< the file has a list, even of one item
    bool isBooleanText = false; ///< Text: "true" and "false" are booleans in the file
    bool isCondition = false;   ///< a condition or a list of conditions
    bool operator==(const Field &) const = default;
};

/// Fields of a form for one row.
struct RowFields
{
    QString kind; ///< "a state"; empty: there is no such row
    QString help;
    QString machine; ///< the machine whose states the row names
    QString mark;    ///< key that is true in all rows of this kind (see Described); empty: none
    QList<Field> fields;
    bool operator==(const RowFields &) const = default;
};

/// Returns the fields of the row at the JSON pointer `row`.
RowFields fieldsAt(const Pack &pack, const QString &row);

/// Converts an edited text to the member's JSON, which is empty for an empty text.
Result<QByteArray> typedJson(const Field &field, const QString &text);

/// Returns the pack with a new value of one member; an empty `json` removes the member. A row's new
/// name replaces the old name in all rows that mention the row. Setting a member removes members
/// that exclude it. The error says why the row cannot have the value.
Result<Pack> withField(
    const Pack &pack, const QString &row, const QString &key, const QByteArray &json);

} // namespace instar
