// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

namespace instar {

/// Losses of a writer, collected by sort and worded alike in every notation.
class ChartLosses
{
public:
    /// `place`: "Mermaid", "a graph".
    explicit ChartLosses(const QString &place) : m_place(place) { }

    /// `what` in the singular, with its article; of `text` the beginning is shown.
    void add(const QString &what, const QString &text, int line, int times = 1);
    /// The particulars of other notations than this one ("mermaid"), but for those which only say
    /// how a text was written, and for the direction of the diagram.
    void addForeign(const Statechart &chart, const QString &notation);

    /// One remark for each sort, with the line of the first loss.
    QList<Diagnostic> diagnostics() const;

private:
    struct Loss
    {
        QString first;
        int line = 0;
        int times = 0;
    };

    void addForeign(const Particulars &particulars, const QString &notation, int line);

    QString m_place;
    QMap<QString, Loss> m_found;
};

} // namespace instar
