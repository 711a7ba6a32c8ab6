// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

namespace instar {

/// Collector of the parts of a chart that a notation cannot express, by kind of loss. Makes one
/// diagnostic per kind, with the same wording for every notation.
class ChartLosses
{
public:
    /// `end` completes each sentence: " cannot be expressed in Mermaid and is left out".
    explicit ChartLosses(const QString &end) : m_end(end) { }

    /// Adds a loss. `kind` begins the sentence: "the direction of an arrow". `text` is the lost
    /// content, of which the sentence quotes 40 characters.
    void add(const QString &kind, const QString &text, int line);
    /// Adds the parts of a chart that only SCXML can hold.
    void addScxml(const Statechart &chart);

    /// Returns one diagnostic for each kind, with the line of its first loss.
    QList<Diagnostic> diagnostics() const;

private:
    struct Loss
    {
        QString first; ///< beginning of the first text lost
        int line = 0;  ///< of the first loss
        int times = 0;
    };

    void addScxml(const ScxmlExtras &scxmlExtras, int line);

    QString m_end;
    QMap<QString, Loss> m_losses; ///< by kind
};

} // namespace instar
