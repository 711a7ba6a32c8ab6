// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"

namespace instar {

/// Some of what a pack's rules say, as a table: plain text.
struct RulesTable
{
    QString title, note; ///< the note stands below the title; it may be empty
    QStringList heads;
    QList<QStringList> rows; ///< a cell for each head
    bool operator==(const RulesTable &) const = default;

    /// Without columns that are empty throughout.
    RulesTable narrowed() const;
};

/// Everything that a pack's rules say, to be read: what operations move and do to each other, which
/// is derived from the rows; then the rows themselves, their switches and sources. Tables without
/// rows are left out.
QList<RulesTable> rulesTables(const Rules &rules);

/// The tables as rich text, without colours.
QString rulesHtml(const QList<RulesTable> &tables);
/// A page of its own, for a browser: nothing outside it is needed.
QString rulesDocument(const Rules &rules);
/// For a terminal: columns are aligned.
QString rulesPlain(const Rules &rules);

} // namespace instar
