// SPDX-License-Identifier: Apache-2.0
// The layout beside that of Graphviz: the same charts, sizes and distances.
#include "tests/layout/randomcharts.h"
#include "tests/support/testclass.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <random>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

constexpr int charts = 200;
constexpr double inch = 72; ///< what dot measures in

QString tableOf(const QSizeF &size)
{
    return u"<<TABLE BORDER=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"%1\" HEIGHT=\"%2\"><TR><TD></TD></TR></TABLE>>"_s
        .arg(size.width())
        .arg(size.height());
}

QString nodesIn(const LayoutInput &input, int parent)
{
    QString text;
    for (int i = 0; i < input.nodes.size(); ++i) {
        const LayoutNode &node = input.nodes[i];
        if (node.parent != parent)
            continue;
        const QString inner = node.isComposite() ? nodesIn(input, i) : QString();
        if (!inner.isEmpty())
            text += u"subgraph cluster_%1 { margin=%2; label=%3;\n%4}\n"_s.arg(i)
                        .arg(input.padding)
                        .arg(tableOf(node.size), inner);
        else
            text += u"n%1 [width=%2 height=%3];\n"_s.arg(i)
                        .arg(node.size.width() / inch)
                        .arg(node.size.height() / inch);
    }
    return text;
}

QString dotOf(const LayoutInput &input)
{
    QString text =
        u"digraph { newrank=true; nodesep=%1; ranksep=%2; node [shape=box fixedsize=true label=\"\"];\n"_s
            .arg(input.nodeGap / inch)
            .arg(input.layerGap / inch);
    text += nodesIn(input, -1);
    for (const LayoutEdge &edge : input.edges) {
        text += u"n%1 -> n%2"_s.arg(edge.from).arg(edge.to);
        text += edge.label.isEmpty() ? u";\n"_s : u" [label=%1];\n"_s.arg(tableOf(edge.label));
    }
    return text + u"}\n"_s;
}

struct Measures
{
    int crossings = 0;
    double length = 0;

    static Measures of(const QList<Curve> &curves)
    {
        Measures sum;
        QList<QList<QPointF>> lines;
        QList<QRectF> extents;
        for (const Curve &curve : curves) {
            const QList<QPointF> line = curve.samples(24 * int(curve.pieces.size()));
            for (qsizetype i = 0; i < lines.size(); ++i) {
                if (extents[i].intersects(bounds(line)))
                    sum.crossings += instar::crossings(line, lines[i]);
            }
            lines += line;
            extents += bounds(line);
            sum.length += curve.length();
        }
        return sum;
    }
    Measures &operator+=(const Measures &other)
    {
        crossings += other.crossings;
        length += other.length;
        return *this;
    }
};

/// "edge tail head count x y ..." of dot's plain output.
QList<Curve> curvesOf(const QByteArray &plain)
{
    QList<Curve> curves;
    for (const QByteArray &line : plain.split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.first() != "edge")
            continue;
        QList<QPointF> points;
        for (int i = 0; i < words[3].toInt(); ++i)
            points += QPointF(words[4 + 2 * i].toDouble(), words[5 + 2 * i].toDouble()) * inch;
        Curve curve;
        for (qsizetype i = 0; i + 3 < points.size(); i += 3)
            curve.pieces += Bezier { { points[i], points[i + 1], points[i + 2], points[i + 3] } };
        curves += curve;
    }
    return curves;
}

} // namespace

class TestLayoutDot : public QObject
{
    Q_OBJECT

private slots:
    void crossingsAndLengths_data() const;
    void crossingsAndLengths();
};

void TestLayoutDot::crossingsAndLengths_data() const
{
    const Rows<bool, int> row("hasComposites", "labelled");
    row("composites and labels", true, 40);
    row("flat, without labels", false, 0);
}

void TestLayoutDot::crossingsAndLengths()
{
    QFETCH(bool, hasComposites);
    QFETCH(int, labelled);
    const QString dot = QStandardPaths::findExecutable(u"dot"_s);
    if (dot.isEmpty())
        QSKIP("dot (package graphviz) is not installed: there is nothing to compare with");
    Measures ours, theirs;
    int compared = 0;
    for (unsigned seed = 1; seed <= charts; ++seed) {
        std::mt19937 random(seed);
        const Dice dice = [&](int least, int most) {
            return least + int(random() % unsigned(most - least + 1));
        };
        const ChartKind kind { .leastStates = 5,
            .mostStates = 60,
            .hasComposites = hasComposites,
            .isWild = false,
            .labelled = labelled };
        const LayoutInput input = RandomChart(dice, kind).made();
        QProcess process;
        process.start(dot, { u"-Tplain"_s });
        process.write(dotOf(input).toUtf8());
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(60'000));
        if (process.exitCode() != 0)
            continue; // it gives up on some charts with clusters
        const QList<Curve> curves = curvesOf(process.readAllStandardOutput());
        QCOMPARE(curves.size(), input.edges.size());
        QList<Curve> own;
        for (const LayoutRoute &route : layoutOf(input).routes)
            own += route.curve;
        ours += Measures::of(own);
        theirs += Measures::of(curves);
        ++compared;
    }
    // Boxes have the same sizes, so that the lengths compare as they are.
    qInfo("%d charts: %d crossings, dot %d (%.3f); length %.0f, dot %.0f (%.3f)", compared,
        ours.crossings, theirs.crossings, double(ours.crossings) / theirs.crossings, ours.length,
        theirs.length, ours.length / theirs.length);
    QVERIFY(compared > charts * 9 / 10);
    QVERIFY(ours.crossings <= 1.1 * theirs.crossings);
    QVERIFY(ours.length <= 1.2 * theirs.length);
}

const instar::TestClass<TestLayoutDot> registered;
#include "tst_layoutdot.moc"
