// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/textplan.h"

namespace instar {

/// Writes one diagram.
class MermaidWriter
{
public:
    MermaidWriter(const Statechart &chart, QList<Remark> &remarks);

    QByteArray text();

private:
    void writeHead();
    void writeStyles();
    void write(const OutlineStep &step);
    void open(const OutlineStep &step);
    void declare(int node);
    void describe(int node);
    void bringBack(int node, int mentioned);
    void finish(int node);
    void connect(int index);
    void writeDirection(int node);
    enum class Body { None, First, Further };
    QString head(int node, Body body) const;
    QString end(int node) const;
    QStringList noteLines(const Note &note) const;
    void placeNotes();
    void reportLosses();
    void reportForeign();
    void report(int line, const QString &text, bool isLoss = true)
    {
        m_remarks.append({ line, text, isLoss });
    }
    void add(const QString &line);

    const Statechart &m_chart;
    QList<Remark> &m_remarks;
    TextPlan m_plan;
    QHash<int, QStringList> m_notes; ///< lines, by the body that they stand in
    QStringList m_lines;
    int m_depth = 1;
};

/// The lines between "---" that say a title, and the title that such lines say.
QStringList mermaidFrontmatter(const QString &title);
QString mermaidTitle(const QStringList &frontmatter);

/// The lines of a note: one behind a colon, or a block.
QStringList noteForMermaid(const QStringList &shown);

} // namespace instar
