// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

#include <algorithm>
#include <functional>

namespace instar {

/// A number from `least` to `most`, both included.
using Dice = std::function<int(int least, int most)>;

/// What a random chart is made of.
struct ChartKind
{
    int leastStates = 1, mostStates = 30;
    bool hasComposites = true;
    bool isWild = true; ///< edges to composites and dots, loops, regions, points on borders, notes
    int labelled = 40;  ///< of a hundred edges
};

/// Mostly a flow from state to state, with other edges across.
class RandomChart
{
public:
    RandomChart(Dice dice, const ChartKind &kind) : m_dice(std::move(dice)), m_kind(kind) { }

    LayoutInput made()
    {
        const int states = m_dice(m_kind.leastStates, m_kind.mostStates);
        m_composites = m_kind.hasComposites ? m_dice(0, std::max(1, states / 10)) : 0;
        if (m_kind.isWild && oneIn(3))
            m_input.direction = LayoutInput::Direction::Right;
        for (int i = 0; i < m_composites; ++i)
            addComposite(i);
        for (int i = 0; i < states; ++i)
            addState();
        const int edges = states * m_dice(10, 17) / 10;
        for (int i = 0; i < edges; ++i)
            addEdge(i, states);
        for (int i = m_kind.isWild ? m_dice(0, 4) : 0; i > 0; --i)
            m_input.notes += LayoutNote { .of = m_dice(-1, int(m_input.nodes.size()) - 1),
                .side = LayoutNote::Side(m_dice(0, 4)),
                .size = QSizeF(m_dice(40, 120), m_dice(20, 70)) };
        fillEmpty();
        return m_input;
    }

private:
    bool oneIn(int cases) { return m_dice(1, cases) == 1; }

    /// A composite with nothing in it is a box like others.
    void fillEmpty()
    {
        for (int i = 0; i < m_composites; ++i) {
            const bool isEmpty = std::ranges::none_of(
                m_input.nodes, [=](const LayoutNode &node) { return node.parent == i; });
            if (isEmpty)
                m_input.nodes[i].size = QSizeF(m_dice(40, 120), 30);
        }
    }

    void addComposite(int index)
    {
        LayoutNode node {
            .kind = LayoutNode::Kind::Composite, .size = QSizeF(m_dice(0, 120), 20), .radius = 12
        };
        if (index > 0 && oneIn(3)) {
            node.parent = m_dice(0, index - 1);
            if (m_kind.isWild && oneIn(2))
                node.kind = LayoutNode::Kind::Region;
        }
        m_input.nodes += node;
    }

    void addState()
    {
        LayoutNode node { .size = QSizeF(m_dice(50, 140), m_dice(24, 50)), .radius = 10 };
        if (m_composites > 0 && !oneIn(3))
            node.parent = m_dice(0, m_composites - 1);
        if (m_kind.isWild && oneIn(8)) { // an initial or final dot, a choice
            node.size = QSizeF(22, 22);
            node.radius = 11;
            node.shape = oneIn(2) ? Outline::Shape::Rounded : Outline::Shape::Diamond;
            node.isStart = oneIn(2);
        } else if (m_kind.isWild && oneIn(15)) { // a name beside the box
            node.outline = QSizeF(20, 20);
        } else if (m_kind.isWild && node.parent >= 0 && oneIn(8)) {
            node.kind = oneIn(2) ? LayoutNode::Kind::Entry : LayoutNode::Kind::Exit;
            node.size = QSizeF(14, 14);
            node.radius = 7;
        }
        m_input.nodes += node;
    }

    void addEdge(int index, int states)
    {
        const bool isFlow = index < states - 1;
        int from = m_composites + (isFlow ? m_dice(0, index) : m_dice(0, states - 1));
        int to = m_composites + (isFlow ? index + 1 : m_dice(0, states - 1));
        if (oneIn(6))
            std::swap(from, to);
        if (m_kind.isWild) {
            if (m_composites > 0 && oneIn(7))
                from = m_dice(0, m_composites - 1);
            if (m_composites > 0 && oneIn(7))
                to = m_dice(0, m_composites - 1);
            if (oneIn(20))
                to = from;
            if (oneIn(20))
                (oneIn(2) ? from : to) = -1;
        }
        if (from == to && (from < 0 || !m_kind.isWild))
            return;
        LayoutEdge edge { .from = from, .to = to, .isMinor = m_kind.isWild && oneIn(5) };
        if (m_kind.isWild && oneIn(8))
            edge.towards = QPoint(m_dice(-1, 1), m_dice(-1, 1));
        if (m_dice(1, 100) <= m_kind.labelled)
            edge.label = QSizeF(m_kind.isWild && oneIn(9) ? 400 : m_dice(20, 90), 18);
        m_input.edges += edge;
        if (m_kind.isWild && oneIn(12))
            m_input.edges += edge; // a twin
    }

    Dice m_dice;
    ChartKind m_kind;
    LayoutInput m_input;
    int m_composites = 0;
};

} // namespace instar
