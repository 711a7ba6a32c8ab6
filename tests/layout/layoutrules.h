// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

#include <QStringList>

#include <cmath>

namespace instar {

/// A chart in words, for failures.
inline QString chartText(const LayoutInput &input)
{
    QString text = input.direction == LayoutInput::Direction::Down ? QStringLiteral("down\n")
                                                                   : QStringLiteral("right\n");
    for (int i = 0; i < input.nodes.size(); ++i) {
        const LayoutNode &node = input.nodes[i];
        text += QStringLiteral("node %1 kind %2 in %3 size %4x%5 radius %6")
                    .arg(i)
                    .arg(int(node.kind))
                    .arg(node.parent)
                    .arg(node.size.width())
                    .arg(node.size.height())
                    .arg(node.radius);
        if (!node.outline.isEmpty())
            text += QStringLiteral(" outline %1x%2")
                        .arg(node.outline.width())
                        .arg(node.outline.height());
        if (node.shape == Outline::Shape::Diamond)
            text += QStringLiteral(" diamond");
        if (node.isStart)
            text += QStringLiteral(" start");
        if (node.position)
            text += QStringLiteral(" at %1,%2").arg(node.position->x()).arg(node.position->y());
        if (!node.wanted.isEmpty())
            text +=
                QStringLiteral(" wants %1x%2").arg(node.wanted.width()).arg(node.wanted.height());
        text += QLatin1Char('\n');
    }
    for (const LayoutEdge &edge : input.edges)
        text += QStringLiteral("edge %1 -> %2 label %3x%4%5\n")
                    .arg(edge.from)
                    .arg(edge.to)
                    .arg(edge.label.width())
                    .arg(edge.label.height())
                    .arg(edge.isMinor ? QStringLiteral(" minor") : QString());
    for (const LayoutNote &note : input.notes)
        text += QStringLiteral("note of %1 side %2 size %3x%4\n")
                    .arg(note.of)
                    .arg(int(note.side))
                    .arg(note.size.width())
                    .arg(note.size.height());
    return text;
}

/// What must hold for every layout; what does not is said in words.
class LayoutRules
{
public:
    LayoutRules(const LayoutInput &input, const Layout &layout) : m_input(input), m_layout(layout)
    {
        m_isFrame.fill(false, input.nodes.size());
        for (const LayoutNode &node : input.nodes) {
            if (node.parent >= 0)
                m_isFrame[node.parent] = true;
        }
    }

    /// Empty: all of them hold.
    QString broken()
    {
        checkBoxes();
        checkNotes();
        checkEdges();
        checkLabels();
        return m_broken.mid(0, 8).join(QStringLiteral("; "));
    }

private:
    static constexpr double slack = 0.05;

    void say(const QString &text) { m_broken += text; }
    bool isOnBorder(int node) const
    {
        const auto kind = m_input.nodes[node].kind;
        return kind == LayoutNode::Kind::Entry || kind == LayoutNode::Kind::Exit;
    }
    static QRectF shrunk(const QRectF &rect) { return rect.adjusted(slack, slack, -slack, -slack); }
    static QString text(const char *words, qsizetype a, qsizetype b = -1)
    {
        return b < 0 ? QStringLiteral("%1 %2").arg(QLatin1StringView(words)).arg(a)
                     : QStringLiteral("%1 %2, %3").arg(QLatin1StringView(words)).arg(a).arg(b);
    }

    /// It stands by itself: nothing is in it, but on its border.
    bool isBox(int node) const
    {
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            if (m_input.nodes[i].parent == node && !isOnBorder(i))
                return false;
        }
        return true;
    }
    /// Somebody has put it there, or what is in it.
    bool isHeld(int node) const
    {
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            const LayoutNode &row = m_input.nodes[i];
            if (row.position && m_input.contains(node, i) && (isBox(i) || !row.wanted.isEmpty()))
                return true;
        }
        return false;
    }
    /// Both stand where somebody put them, or one lies in something of which that is true and the
    /// other is a frame.
    bool isPersonsAffair(int a, int b) const
    {
        const auto beside = [this](int node, int other) {
            while (m_input.nodes[node].parent >= 0
                && !m_input.contains(m_input.nodes[node].parent, other))
                node = m_input.nodes[node].parent;
            return node;
        };
        const int outerA = beside(a, b), outerB = beside(b, a);
        if (!isHeld(outerA) || !isHeld(outerB))
            return false;
        const auto isFixed = [this](int node) { // an entry or exit keeps to the border of its frame
            return isHeld(node)
                || (isOnBorder(node) && m_input.nodes[node].parent >= 0
                    && isHeld(m_input.nodes[node].parent));
        };
        return (isFixed(a) && isFixed(b)) || m_isFrame[a] || m_isFrame[b];
    }

    void checkBoxes()
    {
        for (int a = 0; a < m_input.nodes.size(); ++a) {
            const QRectF &area = m_layout.areas[a];
            if (!area.isEmpty()
                && !m_layout.bounds.adjusted(-slack, -slack, slack, slack).contains(area))
                say(text("outside the bounds: box", a));
            if (!m_isFrame[a]
                && (std::abs(area.width() - m_input.nodes[a].size.width()) > 0.01
                    || std::abs(area.height() - m_input.nodes[a].size.height()) > 0.01))
                say(text("another size: box", a));
            const int parent = m_input.nodes[a].parent;
            if (parent >= 0 && !area.isEmpty() && !isOnBorder(a)
                && !shrunk(m_layout.areas[parent]).contains(area))
                say(text("not inside its parent: box", a));
            if (parent >= 0 && isOnBorder(a)
                && !m_layout.areas[parent]
                        .adjusted(-slack, -slack, slack, slack)
                        .contains(area.center()))
                say(text("not on its parent's border: box", a));
            for (int b = 0; b < a; ++b) {
                const bool areApart = m_input.contains(a, b) || m_input.contains(b, a)
                    || !area.intersects(shrunk(m_layout.areas[b]))
                    || (isOnBorder(a) && m_input.contains(parent, b))
                    || (isOnBorder(b) && m_input.contains(m_input.nodes[b].parent, a))
                    || isPersonsAffair(a, b);
                if (!areApart)
                    say(text("overlapping boxes", a, b));
            }
        }
    }

    void checkNotes()
    {
        for (int i = 0; i < m_layout.notes.size(); ++i) {
            const QRectF note = shrunk(m_layout.notes[i].rect);
            for (int box = 0; box < m_input.nodes.size(); ++box) {
                const bool isInside = m_isFrame[box] && m_layout.areas[box].contains(note);
                if (note.intersects(m_layout.areas[box]) && !isInside)
                    say(text("note on a box", i, box));
            }
            for (int other = 0; other < i; ++other) {
                if (note.intersects(m_layout.notes[other].rect))
                    say(text("overlapping notes", i, other));
            }
        }
    }

    void checkEnd(int edge, int node, const QPointF &point, const QRectF &dot)
    {
        const double away = node < 0
            ? std::abs(QLineF(dot.center(), point).length() - dot.width() / 2)
            : m_layout.outline(m_input, node).distance(point);
        if (away > 0.6)
            say(text("does not end on the border of its box: edge", edge, node));
    }

    void checkEdges()
    {
        for (int i = 0; i < m_input.edges.size(); ++i) {
            const LayoutRoute &route = m_layout.routes[i];
            if (route.curve.isEmpty() || route.curve.length() < 8) {
                say(text("cannot be seen: edge", i));
                continue;
            }
            for (qsizetype piece = 1; piece < route.curve.pieces.size(); ++piece) {
                if (QLineF(route.curve.pieces[piece - 1].points[3],
                        route.curve.pieces[piece].points[0])
                        .length()
                    > 0.01)
                    say(text("has a hole: edge", i));
            }
            const LayoutEdge &edge = m_input.edges[i];
            if ((edge.from < 0 || edge.to < 0) == route.dot.isNull())
                say(text("has no dot, or one too many: edge", i));
            checkEnd(i, edge.from, route.curve.begin(), route.dot);
            checkEnd(i, edge.to, route.curve.end(), route.dot);
            for (int box = 0; box < m_input.nodes.size(); ++box) {
                if (!m_isFrame[box] && route.dot.intersects(shrunk(m_layout.areas[box])))
                    say(text("dot on a box", i, box));
            }
            // Two edges between the same boxes must not lie on one another.
            for (int other = 0; other < i; ++other) {
                const LayoutEdge &row = m_input.edges[other];
                if (!edge.isTwin(row))
                    continue;
                double apart = 0;
                const Curve &line = m_layout.routes[other].curve;
                for (const double t : { 0.25, 0.5, 0.75 }) {
                    double nearest = 1e9;
                    for (const QPointF &point : line.samples(60))
                        nearest = std::min(nearest, QLineF(point, route.curve.at(t)).length());
                    apart = std::max(apart, nearest);
                }
                if (apart < 1)
                    say(text("lie on one another: edges", i, other));
            }
        }
    }

    void checkLabels()
    {
        for (int i = 0; i < m_input.edges.size(); ++i) {
            const QRectF &label = m_layout.routes[i].label;
            if (m_input.edges[i].label.isEmpty() != label.isEmpty())
                say(text("no label, or one too many: edge", i));
            if (label.isEmpty())
                continue;
            if (!m_layout.bounds.adjusted(-slack, -slack, slack, slack).contains(label))
                say(text("outside the bounds: label", i));
            const QRectF inner = shrunk(label);
            for (int box = 0; box < m_input.nodes.size(); ++box) {
                const bool isInside = m_isFrame[box] && m_layout.areas[box].contains(inner)
                    && (m_input.contains(box, m_input.edges[i].from)
                        || m_input.contains(box, m_input.edges[i].to));
                if (inner.intersects(m_layout.areas[box]) && !isInside)
                    say(text("label on a box", i, box));
            }
            for (int other = 0; other < m_input.edges.size(); ++other) {
                if (other == i)
                    continue;
                const LayoutRoute &there = m_layout.routes[other];
                if (other < i && inner.intersects(there.label))
                    say(text("overlapping labels", i, other));
                if (inner.intersects(there.dot))
                    say(text("label on the dot of another edge", i, other));
                const QPointF tip = there.curve.end();
                if (inner.contains(tip)
                    || inner.contains(tip - unit(tip - there.curve.at(0.99)) * 8))
                    say(text("label on the head of another edge", i, other));
            }
            for (int note = 0; note < m_layout.notes.size(); ++note) {
                if (inner.intersects(m_layout.notes[note].rect))
                    say(text("label on a note", i, note));
            }
        }
    }

    const LayoutInput &m_input;
    const Layout &m_layout;
    QList<bool> m_isFrame;
    QStringList m_broken;
};

} // namespace instar
