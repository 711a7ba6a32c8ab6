// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

namespace instar {

/// Losses, collected by sort and worded alike in every notation.
class ChartLosses
{
public:
    /// `end`: " has no place in Mermaid; it is left out".
    explicit ChartLosses(const QString &end) : m_end(end) { }

    /// `what` in the singular, with its article; of `text` the beginning is shown.
    void add(const QString &what, const QString &text, int line);
    /// What of a chart only SCXML holds.
    void addScxml(const Statechart &chart);

    /// One remark for each sort, with the line of the first loss.
    QList<Diagnostic> diagnostics() const;

private:
    struct Loss
    {
        QString first;
        int line = 0;
        int times = 0;
    };

    void addScxml(const Particulars &particulars, int line);

    QString m_end;
    QMap<QString, Loss> m_found;
};

} // namespace instar
