// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/chartforms.h"

namespace instar {

/// What the vertices of a statechart are called in a text that does not take every id.
class ChartCodes
{
public:
    /// `isCode` says which ids can stand as they are, and `canBeQuoted`, if it is given, which can
    /// stand between quotes where nothing leads to the vertex, and is then `shown` as the label.
    /// Others become similar ones; their vertices show the id as a label, unless they have one,
    /// which is reported.
    using Test = bool (*)(QStringView);
    using Shown = QString (*)(const QString &written);
    ChartCodes(const ChartForms &forms, Test isCode, Test canBeQuoted, Shown shown,
        QList<Remark> &remarks);

    const QString &code(int node) const { return m_codes[node]; } ///< with its quotes
    /// The label to write; empty: none.
    const QString &label(int node) const { return m_labels[node]; }
    /// An id made of letters, digits and "_" that can stand as it is and that nothing else has.
    QString freeCode(const QString &like);

private:
    bool isQuoted(int node, Test canBeQuoted, Shown shown) const;
    void choose(int node, QList<Remark> &remarks);

    const ChartForms &m_forms;
    Test m_isCode;
    QStringList m_codes;
    QStringList m_labels;
    QHash<QString, int> m_taken; ///< code -> the number to try next
};

} // namespace instar
