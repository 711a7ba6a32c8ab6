// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statecharts.h"

#include <QHash>

#include <array>

namespace instar {

/// A statechart as texts describe it line by line: a name means the same state everywhere, and a
/// new one lies where it is first said; "[*]" is the dot of the region around it; a separator makes
/// regions of what surrounds it.
///
/// In the result the children of each vertex follow it: first the dot and the histories, then what
/// has a name in the order in which it was first said, then bars and the final dot. Regions are
/// unnamed states (P_region1) of a parallel state P; of the statechart itself, of an unnamed one
/// ("regions"). A region that holds one composite state and nothing else is that state.
class ChartBuilder
{
public:
    /// Composites in each other; more are not opened.
    static constexpr qsizetype Deepest = 200;
    enum class Dot { Initial, ShallowHistory, DeepHistory, Final };

    struct Node
    {
        Vertex vertex; ///< ids are made up at the end
        int parent = -1;
        bool isOpened = false;      ///< has a body, though perhaps an empty one
        int region = 0;             ///< its number among the regions of its parent; 0: is none
        bool isBar = false;         ///< is a fork or a join: its arrows tell
        bool isFromOutside = false; ///< a history that was said outside its composite
        int order = 0;              ///< among those beside it
        QList<int> children;        ///< also those that have moved away
        QList<int> regions;
        std::array<int, 4> dots { -1, -1, -1, -1 }; ///< by Dot
    };

    ChartBuilder();

    Node &node(int index) { return m_nodes[index]; }
    /// The node of this name; -1: none yet.
    int known(const QString &name) const { return m_byName.value(name, -1); }
    /// The same, made where the text is if there is none.
    int named(const QString &name, int line);
    /// In the region where the text is.
    int dot(Dot which, int line);
    /// A history of a state, said outside it.
    int historyOf(int composite, Dot which, int line);

    /// What follows lies in the state, up to close(). False: too deep.
    bool open(int state, int line);
    bool close(); ///< false: nothing is open
    /// Says of each state that is still open at the end, in the line `last`, where it was opened.
    void reportOpen(int last, QList<Remark> &remarks) const;
    /// Lets a state without body lie where the text is.
    void takeIn(int state);
    bool isInside() const { return m_open.size() > 1; }
    /// The composite, region or statechart (0) in which the text is.
    int scope() const;
    /// Ends a region and begins the next one, which it returns.
    int split(int line);
    /// Something lies in it beside unnamed histories, which can be said outside.
    bool hasBody(int index) const;
    /// Are both in the same region, if any?
    bool isBeside(int a, int b) const { return regionAround(a) == regionAround(b); }
    /// The state that was named last in a declaration, or came to be by any line; -1: none.
    int latest() const { return m_latest; }
    void setLatest(int index) { m_latest = index; }

    Arc &connect(int from, int to, int line);
    Arc *latestArc() { return m_arcs.isEmpty() ? nullptr : &m_arcs.last().arc; }
    bool isEmpty() const { return m_nodes.size() == 1; }
    /// `of` -1: a free note, which stays `in` a composite.
    void addNote(int of, int in, const Note &note);

    /// The number of a node's vertex, once it is finished.
    int placeOf(int index) const { return m_places[index]; }

    /// What has no name belongs to its region: arcs of dots, histories and bars do not cross a
    /// region's border.
    enum class Unnamed {
        LedOn,  ///< to the composite of the region, with a remark
        LeftOut ///< with a remark
    };
    Statechart finished(Unnamed crossing, QList<Remark> &remarks);

private:
    struct BuiltArc
    {
        Arc arc;
        int from = -1;
        int to = -1;
    };
    struct BuiltNote
    {
        Note note;
        int of = -1;
        int in = 0;
    };

    int add(Vertex::Kind kind, int parent, int line);
    int makeDot(Dot which, int parent, int line);
    void move(int index, int to);
    QList<int> childrenOf(int index) const;
    int regionAround(int index) const;
    void makeRegions(int composite, int line);
    void refuseCrossings(QList<Remark> &remarks);
    bool isInside(int index, int composite) const;
    int beside(int index, int body) const;
    void settleDots(QList<Remark> &remarks);
    void dropDots(QList<Remark> &remarks);
    void makeBars();
    void melt();
    bool canMelt(int region, int only) const;
    QList<int> sortedChildren(int index) const;
    QString idOf(int index, int parent);
    void place(int index, Statechart &chart);
    void placeArcs(Statechart &chart);
    void placeNotes(Statechart &chart);

    QList<Node> m_nodes;          ///< the first is the statechart
    QHash<QString, int> m_byName; ///< at the end also by made-up ids
    QList<int> m_open;            ///< from the statechart inwards
    QList<int> m_openLines;       ///< where they were opened
    QList<BuiltArc> m_arcs;
    QList<BuiltNote> m_notes;
    QHash<QString, qsizetype> m_tried; ///< made-up ids, with the number to try next
    QList<int> m_places;               ///< node -> its number in the result
    int m_order = 0;
    int m_latest = -1;
};

} // namespace instar
