// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/textplan.h"
#include "model/charts/plantuml/plantumlnotes.h"
#include "model/charts/plantuml/plantumltext.h"

namespace instar {

/// Writes one diagram.
class PlantUmlWriter
{
public:
    PlantUmlWriter(const Statechart &chart, QList<Remark> &remarks);

    QByteArray text();

private:
    void findBlocks();
    void checkEnds(const OutlineArc &arc, int scope, const QSet<int> &bodies);

    void writeHead();
    void write(const OutlineStep &step);
    void open(const OutlineStep &step);
    void close(int node);
    void separate(int region);
    void connect(int index);

    void declare(int node);
    void describe(int node);
    QString head(int node) const;
    QString decorations(int node) const;
    QString end(int node) const;

    void reportNewForms();
    void reportForeign();
    void report(int line, const QString &text, bool isLoss = false)
    {
        m_remarks.append({ line, text, isLoss });
    }
    void add(const QString &line);

    const Statechart &m_chart;
    QList<Remark> &m_remarks;
    TextPlan m_plan;
    PlantUmlNotes m_notes;
    QList<bool> m_isBlock; ///< states that need a body though there is nothing in it
    QList<int> m_open;     ///< where the text is, from the statechart inwards
    QList<bool> m_isFirst; ///< the first bodies of those
    QStringList m_lines;
};

/// Lets arrows and notes stand as the writer puts them (settleOrder).
void settleForPlantUml(Statechart &chart);

} // namespace instar
