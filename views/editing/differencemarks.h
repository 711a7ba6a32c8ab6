// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/comparison.h"
#include "views/diagram/statechart.h"

#include <QObject>

namespace instar {

/// The colours of what was added, removed, renamed or changed.
const Theme::Tone &toneOf(Difference::Kind kind, const Theme &theme);
/// Beside the colour: "+", "−", "→", "≠".
QString signOf(Difference::Kind kind);
/// Both and some words, where they are about something on a chart.
void paintBadge(QPainter &painter, const QPointF &bottomLeft, Difference::Kind kind,
    const QString &text, const Theme &theme, const QFont &font);
/// A state or an arrow about which two packs differ.
struct DifferenceMark
{
    Difference::Kind kind = Difference::Kind::Changed;
    QString text;                     ///< what of it: "was Updating", "work, label"
    QStringList where;                ///< Difference::where of those that it stands for
    int box = -1;                     ///< of the chart; -1: it is no state, or a ghost
    std::optional<ChartElement> line; ///< of the chart
    QString name; ///< of a ghost, which the chart has not: what is written there
    QRectF ghost; ///< of a state that the chart has not, or the label of such an arrow; else null
    Curve curve;  ///< of an arrow that the chart has not
};

/// What is compared with a document: `side` is the document's.
struct DocumentComparison
{
    PackComparison comparison;
    Side side = Side::Second;
    Pack document; ///< whole: rows that were left out of the comparison are in it
};
/// Where the row of a difference is in the document; empty: it is not there.
QString documentPointer(const DocumentComparison &comparison, const Difference &difference);

/// What the chart of a document's machine has to show of some differences. `ids`: of its boxes'
/// states. States that it has not stand where the other pack has them, or else beside what they
/// are connected with.
QList<DifferenceMark> differenceMarks(const DocumentComparison &comparison, const QString &machine,
    const ChartLayout &layout, const QStringList &ids, const ChartFonts &fonts);

/// Draws differences over a chart, and follows it.
class DifferenceMarks : public QObject
{
    Q_OBJECT
public:
    explicit DifferenceMarks(StatechartView &chart, QObject *parent = nullptr);
    ~DifferenceMarks() override;

    void show(const DocumentComparison &comparison);
    void clear();
    const QList<DifferenceMark> &marks() const { return m_marks; }
    /// Brings what a difference is about into sight; false: the chart shows nothing of it.
    bool reveal(const QString &where);

private:
    void follow();
    void paint(QPainter &painter) const;

    StatechartView &m_chart;
    DocumentComparison m_comparison;
    QList<DifferenceMark> m_marks;
    bool m_isShown = false;
};

} // namespace instar
