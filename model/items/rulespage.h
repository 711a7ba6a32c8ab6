// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"

namespace instar {

/// Part of a pack's rules as a plain-text table.
struct RulesTable
{
    QString title, note; ///< the note stands below the title; it may be empty
    QStringList heads;
    QList<QStringList> rows; ///< a cell for each head
    bool operator==(const RulesTable &) const = default;

    /// A copy without columns that are empty throughout.
    RulesTable narrowed() const;
};

/// All rules of a pack, to be read: the derived effects and conflicts of operations, then the rows
/// themselves, their switches and sources. Tables without rows are left out.
QList<RulesTable> rulesTables(const Rules &rules);

/// The tables as rich text, without colours.
QString rulesHtml(const QList<RulesTable> &tables);
/// Standalone HTML page for a browser.
QString rulesDocument(const Rules &rules);
/// Plain text for a terminal, with aligned columns.
QString rulesPlain(const Rules &rules);

} // namespace instar
