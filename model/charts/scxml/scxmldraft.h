// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/scxml/scxmlwords.h"
#include "model/charts/statecharts.h"

#include <QHash>

namespace instar::scxml {

/// A statechart as it is read, before its names are known: vertices are numbers, and arcs lead to
/// names in the file, which may stand further down.
struct Draft
{
    struct DraftVertex
    {
        Vertex vertex;
        int parent = -1; ///< -1: the chart
        QString name;    ///< in the file; empty: none
        QString ownId;   ///< where the file's name could not be the id
        QString lifted;  ///< the file's name of the composite that it belongs to, though it lies
                         ///< elsewhere
        bool isMade = false; ///< an initial vertex for the attribute "initial"
    };
    struct DraftArc
    {
        Arc arc; ///< `to`: names in the file
        int from = -1;
    };
    Statechart chart;
    QList<DraftVertex> vertices; ///< in document order
    QList<DraftArc> arcs;
    QList<Remark> remarks;

    /// Everything by its id, in preorder; what leads nowhere is left out, with a remark.
    StatechartsRead finished();

private:
    void addInitials();
    void lift();
    void nameAll();
    void sort();
    void resolve();
    int find(const QString &name, int line, const QString &what);
    bool isAround(int vertex, int inner) const;

    QHash<QString, int> m_byName;
    QList<int> m_order; ///< of the vertices, in preorder
    QList<int> m_rank;  ///< of each vertex, in preorder
};

} // namespace instar::scxml
