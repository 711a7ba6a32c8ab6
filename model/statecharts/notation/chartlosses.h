// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

namespace instar {

/// Collector of losses, grouped by kind, with the same wording for every notation.
class ChartLosses
{
public:
    /// `end`: " cannot be expressed in Mermaid and is left out".
    explicit ChartLosses(const QString &end) : m_end(end) { }

    /// Adds a loss: `what` is singular, with its article; the beginning of `text` is shown.
    void add(const QString &what, const QString &text, int line);
    /// Adds the parts of a chart that only SCXML can hold.
    void addScxml(const Statechart &chart);

    /// Returns one remark for each kind, with the line of its first loss.
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
