// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QHash>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr double widestName = 260, widestNote = 230;
constexpr double stateRadius = 11, frameRadius = 14;
constexpr double paperPadding = 10;
constexpr qsizetype mostParallel = 16;   ///< arrows from one vertex to another; more are counted
constexpr qsizetype mostTextLines = 100; ///< of one text
constexpr double titleRoom = 40;         ///< above a chart with a title

double widthOf(const QStringList &lines, const QFont &font)
{
    const QFontMetricsF metrics(font);
    double width = 0;
    for (const QString &line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    return std::ceil(width);
}

double heightOf(const QStringList &lines, const QFont &font)
{
    return std::ceil(QFontMetricsF(font).height() * double(lines.size()));
}

QStringList brokenLines(const QStringList &texts, const QFont &font, double widest)
{
    QStringList lines;
    for (const QString &text : texts) {
        if (lines.size() >= mostTextLines)
            return lines << u"…"_s;
        lines += linesOf(text, font, widest);
    }
    return lines;
}

/// What is measured before anything has a place.
class PictureMaker
{
public:
    PictureMaker(const Statechart &chart, const ChartFonts &fonts, const Budget &budget)
        : m_chart(chart), m_fonts(fonts), m_budget(budget)
    { }

    ChartPicture made()
    {
        m_picture.title = m_chart.title;
        m_input.direction = direction();
        m_input.nodeGap = 40;
        m_input.layerGap = 56;
        m_input.padding = 26;
        for (int i = 0; i < m_chart.vertices.size(); ++i)
            m_index.insert(m_chart.vertices[i].id, i);
        for (const Vertex &vertex : m_chart.vertices) {
            if (const int parent = m_index.value(vertex.parent, -1); parent >= 0)
                m_hasChild.insert(parent);
        }
        for (int i = 0; i < m_chart.vertices.size(); ++i)
            addVertex(i);
        countParallel();
        for (const Arc &arc : m_chart.arcs)
            addArc(arc);
        tellUnwritten();
        for (const Note &note : m_chart.notes)
            addNote(note);
        sizeBoxes();
        place();
        return m_picture;
    }

private:
    bool isDown() const { return m_input.direction == LayoutInput::Direction::Down; }

    /// As the file wishes, where it says so.
    LayoutInput::Direction direction() const
    {
        return m_chart.direction == ChartDirection::Right ? LayoutInput::Direction::Right
                                                          : LayoutInput::Direction::Down;
    }

    void addVertex(int index)
    {
        const Vertex &vertex = m_chart.vertices[index];
        const int parent = m_index.value(vertex.parent, -1);
        const bool isState =
            vertex.kind == Vertex::Kind::State || vertex.kind == Vertex::Kind::Parallel;
        PictureBox box { .kind = vertex.kind,
            .isFrame = isState && m_hasChild.contains(index),
            .look = vertex.look };
        box.isRegion =
            box.isFrame && parent >= 0 && m_chart.vertices[parent].kind == Vertex::Kind::Parallel;
        const QString text = !vertex.label.isEmpty() ? vertex.label
            : vertex.isNamed                         ? vertex.id
                                                     : QString();
        const bool isShown =
            isState || vertex.kind == Vertex::Kind::Entry || vertex.kind == Vertex::Kind::Exit;
        if (isShown && !text.isEmpty())
            box.name = brokenLines(
                text.split(u'\n'), box.isFrame ? m_fonts.title : m_fonts.state, widestName);
        if (isState)
            box.details = brokenLines(vertex.description, m_fonts.detail, widestName * 1.3);
        m_picture.boxes += box;
    }

    void addArc(const Arc &arc)
    {
        const int from = m_index.value(arc.from, -1);
        if (from < 0)
            return;
        const QString text = arc.text();
        if (arc.to.isEmpty()) {
            // What is done without leaving is written into the state, as UML does.
            QStringList &details = m_picture.boxes[from].details;
            if (details.size() >= mostTextLines)
                ++m_unwritten[from];
            else
                details += brokenLines(text.split(u'\n'), m_fonts.detail, widestName * 1.3);
            return;
        }
        bool isFirst = true;
        for (const QString &target : arc.to) {
            const int to = m_index.value(target, -1);
            if (to < 0)
                continue;
            if (m_parallel.value({ from, to }) > mostParallel) {
                addFolded(arc, from, to);
                continue;
            }
            PictureArrow arrow { .look = arc.look };
            if (isFirst && !text.isEmpty())
                arrow.lines = brokenLines(text.split(u'\n'), m_fonts.label, widestLabel);
            if (isFirst)
                arrow.note = brokenLines(arc.note, m_fonts.detail, widestNote);
            isFirst = false;
            LayoutEdge edge { .from = from, .to = to, .label = labelSize(arrow) };
            m_input.edges += edge;
            m_picture.arrows += arrow;
        }
    }

    void countParallel()
    {
        for (const Arc &arc : m_chart.arcs) {
            for (const QString &target : arc.to)
                ++m_parallel[{ m_index.value(arc.from, -1), m_index.value(target, -1) }];
        }
    }

    /// One for all between two vertices: their number, and what is written at the first one.
    void addFolded(const Arc &arc, int from, int to)
    {
        if (m_folded.contains({ from, to }))
            return;
        m_folded.insert({ from, to });
        PictureArrow arrow { .look = arc.look };
        arrow.lines = { QCoreApplication::translate("Chart", "%1 arrows")
                            .arg(QString::number(m_parallel.value({ from, to }))) };
        if (const QString text = arc.text(); !text.isEmpty()) {
            arrow.lines += brokenLines(text.split(u'\n'), m_fonts.label, widestLabel);
            arrow.lines += u"…"_s;
        }
        m_input.edges += LayoutEdge { .from = from, .to = to, .label = labelSize(arrow) };
        m_picture.arrows += arrow;
    }

    void tellUnwritten()
    {
        for (auto it = m_unwritten.cbegin(); it != m_unwritten.cend(); ++it)
            m_picture.boxes[it.key()].details +=
                QCoreApplication::translate("Chart", "… and %1 more").arg(QString::number(*it));
    }

    QSizeF labelSize(const PictureArrow &arrow) const
    {
        if (arrow.lines.isEmpty() && arrow.note.isEmpty())
            return {};
        QSizeF size(
            widthOf(arrow.lines, m_fonts.label) + 10, heightOf(arrow.lines, m_fonts.label) + 2);
        if (!arrow.note.isEmpty()) {
            const QSizeF paper = paperSize(arrow.note);
            size =
                QSizeF(std::max(size.width(), paper.width()), size.height() + paper.height() + 3);
        }
        return size;
    }

    QSizeF paperSize(const QStringList &lines) const
    {
        return { widthOf(lines, m_fonts.detail) + 2 * paperPadding + 8,
            heightOf(lines, m_fonts.detail) + 2 * paperPadding - 4 };
    }

    void addNote(const Note &note)
    {
        PictureNote added { .lines = brokenLines(note.lines, m_fonts.detail, widestNote) };
        using Side = LayoutNote::Side;
        const Side side = note.side == u"left" ? Side::Left
            : note.side == u"right"            ? Side::Right
            : note.side == u"top"              ? Side::Top
            : note.side == u"bottom"           ? Side::Bottom
                                               : Side::Any;
        m_input.notes += LayoutNote {
            .of = m_index.value(note.of, -1), .side = side, .size = paperSize(added.lines)
        };
        m_picture.notes += added;
    }

    void sizeBoxes()
    {
        QList<int> ends(m_picture.boxes.size(), 0);
        for (const LayoutEdge &edge : std::as_const(m_input.edges)) {
            ++ends[edge.from];
            ++ends[edge.to];
        }
        for (int i = 0; i < m_picture.boxes.size(); ++i) {
            const Vertex &vertex = m_chart.vertices[i];
            LayoutNode node = sized(m_picture.boxes[i], ends[i]);
            node.parent = m_index.value(vertex.parent, -1);
            node.isStart = vertex.kind == Vertex::Kind::Initial;
            if (vertex.place)
                node.position = vertex.place->center();
            m_input.nodes += node;
        }
    }

    LayoutNode sized(const PictureBox &box, int ends) const
    {
        LayoutNode node;
        const auto round = [&node](double side) {
            node.size = QSizeF(side, side);
            node.radius = side / 2;
        };
        switch (box.kind) {
        case Vertex::Kind::State:
        case Vertex::Kind::Parallel:
            return sizedState(box, ends);
        case Vertex::Kind::Initial:
            round(18);
            break;
        case Vertex::Kind::Final:
            round(22);
            break;
        case Vertex::Kind::ShallowHistory:
        case Vertex::Kind::DeepHistory:
            round(28);
            break;
        case Vertex::Kind::Choice:
            node.size = QSizeF(28, 28);
            node.shape = Outline::Shape::Diamond;
            break;
        case Vertex::Kind::Fork:
        case Vertex::Kind::Join: {
            const double length = std::max(70.0, 26.0 * ends);
            node.size = isDown() ? QSizeF(length, 6) : QSizeF(6, length);
            node.radius = 2;
            break;
        }
        case Vertex::Kind::Entry:
        case Vertex::Kind::Exit:
            round(14);
            node.outline = node.size;
            node.size.rwidth() += 2 * (widthOf(box.name, m_fonts.quiet) + 6);
            node.kind =
                box.kind == Vertex::Kind::Entry ? LayoutNode::Kind::Entry : LayoutNode::Kind::Exit;
            break;
        }
        return node;
    }

    LayoutNode sizedState(const PictureBox &box, int ends) const
    {
        LayoutNode node;
        const QFont &name = box.isFrame ? m_fonts.title : m_fonts.state;
        double width = std::max(widthOf(box.name, name), widthOf(box.details, m_fonts.detail));
        double height = heightOf(box.name, name) + heightOf(box.details, m_fonts.detail);
        if (box.isFrame) {
            node.kind = box.isRegion ? LayoutNode::Kind::Region : LayoutNode::Kind::Composite;
            node.size = QSizeF(width + 4, height > 0 ? height + 2 : 0);
            node.radius = box.isRegion ? 0 : frameRadius;
            return node;
        }
        height += box.details.isEmpty() ? 20 : box.name.isEmpty() ? 16 : 30;
        width += 32;
        // Its arrows, half of them on either side, need room too.
        const double side = std::min(6.0 * ends, 400.0);
        node.size = QSizeF(std::max({ width, 64.0, isDown() ? side : 0 }),
            std::max({ height, 40.0, isDown() ? 0 : side }));
        node.radius = std::min(stateRadius, node.size.height() / 2);
        return node;
    }

    void place()
    {
        const Layout layout = layoutOf(m_input, m_budget);
        m_picture.bounds = layout.bounds.toAlignedRect();
        m_picture.remark =
            simplifiedText(layout.simplifiedBy, m_picture.boxes.size(), m_picture.arrows.size());
        for (int i = 0; i < m_picture.boxes.size(); ++i) {
            PictureBox &box = m_picture.boxes[i];
            box.area = layout.areas[i];
            box.outline = layout.outline(m_input, i);
            box.title = layout.titles[i];
        }
        for (int i = 0; i < m_picture.arrows.size(); ++i) {
            m_picture.arrows[i].curve = layout.routes[i].curve;
            m_picture.arrows[i].label = layout.routes[i].label;
        }
        for (int i = 0; i < m_picture.notes.size(); ++i) {
            m_picture.notes[i].rect = layout.notes[i].rect;
            m_picture.notes[i].line = layout.notes[i].line;
        }
        separateRegions();
        placeRemark();
        if (m_picture.title.isEmpty())
            return;
        QFont font = m_fonts.title;
        font.setPixelSize(font.pixelSize() + 2);
        m_picture.bounds.adjust(0, -titleRoom, 0, 0);
        m_picture.bounds.setWidth(
            std::max(m_picture.bounds.width(), widthOf({ m_picture.title }, font)));
    }

    void placeRemark()
    {
        if (m_picture.remark.isEmpty())
            return;
        const double height = QFontMetricsF(m_fonts.detail).height();
        m_picture.bounds.adjust(0, -2 * height, 0, 0);
        m_picture.remarkArea = QRectF(m_picture.bounds.topLeft(),
            QSizeF(widthOf({ m_picture.remark }, m_fonts.detail), height));
        m_picture.bounds |= m_picture.remarkArea;
    }

    /// A line between any two neighbouring regions, through the whole of what is around them.
    void separateRegions()
    {
        for (int i = 0; i < m_picture.boxes.size(); ++i) {
            if (m_picture.boxes[i].kind != Vertex::Kind::Parallel || !m_picture.boxes[i].isFrame)
                continue;
            QList<QRectF> regions;
            for (int j = 0; j < m_picture.boxes.size(); ++j) {
                if (m_picture.boxes[j].isRegion && m_input.nodes[j].parent == i)
                    regions += m_picture.boxes[j].area;
            }
            const bool isSideways = isDown();
            std::ranges::sort(regions, {},
                [=](const QRectF &rect) { return isSideways ? rect.left() : rect.top(); });
            const QRectF &around = m_picture.boxes[i].area;
            const double top = around.top() + m_input.nodes[i].size.height() + m_input.padding / 2;
            for (int j = 1; j < regions.size(); ++j) {
                const QRectF &a = regions[j - 1], &b = regions[j];
                const double x = (a.right() + b.left()) / 2, y = (a.bottom() + b.top()) / 2;
                m_picture.separators += isSideways ? QLineF(x, top, x, around.bottom())
                                                   : QLineF(around.left(), y, around.right(), y);
            }
        }
    }

    const Statechart &m_chart;
    const ChartFonts &m_fonts;
    const Budget &m_budget;
    QHash<std::pair<int, int>, qsizetype> m_parallel; ///< arrows between two vertices
    QSet<std::pair<int, int>> m_folded;               ///< ... of which one is drawn
    QHash<int, qsizetype> m_unwritten;                ///< details of a vertex
    QHash<QString, int> m_index;
    QSet<int> m_hasChild;
    LayoutInput m_input;
    ChartPicture m_picture;
};

} // namespace

ChartPicture pictureOf(const Statechart &chart, const ChartFonts &fonts, const Budget &budget)
{
    return PictureMaker(chart, fonts, budget).made();
}

} // namespace instar
