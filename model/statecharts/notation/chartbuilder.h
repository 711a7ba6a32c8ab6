// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"

#include <QHash>

#include <array>

namespace instar {

/// Builder of a statechart from lines of text. A name means the same state everywhere, and a new
/// state belongs to the body where it is first named; "[*]" is a dot of the region around it; a
/// separator divides the body around it into regions.
///
/// The result is in preorder: first the dot and the histories, then named vertices in the order of
/// their first mention, then the final dot. Regions are unnamed children (P_region1) of a parallel
/// state P, or, at the top level, of an unnamed one ("regions"). A region that contains only one
/// composite state is replaced by that state.
class ChartBuilder
{
public:
    /// Greatest depth of bodies.
    static constexpr qsizetype Deepest = 200;
    enum class Dot { Initial, ShallowHistory, DeepHistory, Final };

    struct Node
    {
        Vertex vertex; ///< missing ids are generated at the end
        int parent = -1;
        bool isOpened = false;      ///< has a body, perhaps an empty one
        int region = 0;             ///< number among the regions of its parent; 0: is none
        bool isBar = false;         ///< a fork or join, which its arrows decide
        bool isFromOutside = false; ///< a history first mentioned outside its composite, as A[H]
        int order = 0;              ///< among its siblings
        QList<int> children;        ///< including those that have moved away
        QList<int> regions;
        std::array<int, 4> dots { -1, -1, -1, -1 }; ///< by Dot
    };

    ChartBuilder();

    Node &node(int index) { return m_nodes[index]; }
    /// Node of this name; -1: none yet.
    int known(const QString &name) const { return m_byName.value(name, -1); }
    /// Node of this name, created in the current scope if there is none.
    int named(const QString &name, int line);
    /// Dot of the current region.
    int dot(Dot which, int line) { return makeDot(which, scope(), line); }
    /// History of a state, mentioned outside it.
    int historyOf(int composite, Dot which, int line);

    /// Begins the body of a state, up to close(). False: too deep.
    bool open(int state, int line);
    void close() { m_open.removeLast(); }
    /// Reports each body that is still open at the end, in the line `last`.
    void reportOpen(int last, QList<Diagnostic> &remarks) const;
    /// Moves a state without body into the current scope.
    void moveIntoScope(int state);
    bool isInside() const { return m_open.size() > 1; }
    /// Current composite, region or statechart (0).
    int scope() const;
    /// Ends the current region and begins the next one. Returns the new region.
    int beginRegion(int line);
    /// State that was declared or created last; -1: none.
    int latest() const { return m_latest; }
    void setLatest(int index) { m_latest = index; }

    Arc &connect(int from, int to, int line);
    Arc *latestArc() { return m_arcs.isEmpty() ? nullptr : &m_arcs.last().arc; }
    /// `of` -1: a free note.
    void addNote(int of, const Note &note) { m_notes.append({ note, of }); }

    /// Index of a node's vertex in the finished chart.
    int placeOf(int index) const { return m_places[index]; }

    Statechart finished(QList<Diagnostic> &remarks);

private:
    struct BuiltArc
    {
        Arc arc;
        int from = -1;
        int to = -1;
    };
    struct OpenBody
    {
        int node = 0;
        int line = 0; ///< where it was opened
    };
    struct BuiltNote
    {
        Note note;
        int of = -1;
    };

    int add(Vertex::Kind kind, int parent, int line);
    int makeDot(Dot which, int parent, int line);
    void move(int index, int to);
    QList<int> childrenOf(int index) const;
    int regionAround(int index) const;
    /// True if it has children other than unnamed histories, which can be mentioned outside.
    bool hasBody(int index) const;
    void makeRegions(int composite, int line);
    void removeCrossings(QList<Diagnostic> &remarks);
    void dropDots(QList<Diagnostic> &remarks);
    void makeBars();
    void unwrapRegions();
    QList<int> sortedChildren(int index) const;
    QString idOf(int index, int parent);
    void place(int index, Statechart &chart);

    QList<Node> m_nodes;          ///< the first is the statechart
    QHash<QString, int> m_byName; ///< by name; after finished() also by generated ids
    QList<OpenBody> m_open;       ///< from the statechart inwards
    QList<BuiltArc> m_arcs;
    QList<BuiltNote> m_notes;
    QList<int> m_places; ///< node -> its number in the result
    int m_order = 0;
    int m_latest = -1;
};

} // namespace instar
