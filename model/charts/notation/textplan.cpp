// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/textplan.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

QStringList shownLines(const QStringList &written, const TextNotation &notation)
{
    QStringList shown;
    for (const QString &line : written)
        shown += notation.shown(line).split(u'\n');
    return shown;
}

QStringList keptLines(const QString &kept, const QStringList &shown, const TextNotation &notation)
{
    const QStringList written = kept.split(u'\n');
    const bool isSame = !kept.isEmpty() && shownLines(written, notation) == shown;
    return isSame ? written : QStringList();
}

QStringList noteBlock(const QString &head, const QStringList &written)
{
    if (written.size() == 1 && !written.first().isEmpty())
        return { head + u" : "_s + written.first() };
    return QStringList(head) + written + QStringList(u"end note"_s);
}

TextPlan::TextPlan(const Statechart &chart, const TextNotation &notation, QList<Remark> &remarks)
    : m_notation(notation),
      m_forms(chart, notation.isRich, remarks),
      m_codes(m_forms, notation, remarks)
{
    QList<bool> isDeclared;
    for (int i = 0; i < tree().size(); ++i)
        isDeclared += form(i) == VertexForm::Named;
    for (const TextArc &arc : m_forms.arcs())
        m_arcs.append({ arc.from, arc.to, notation.homeOf(m_forms, arc) });
    const bool isOrdered = chart.particulars.contains(notation.key(u"order"_s));
    m_steps = chartOutline(
        tree(), m_arcs, isDeclared, isOrdered ? OutlineOrder::Kept : OutlineOrder::Tidy);
    for (const OutlineStep &step : std::as_const(m_steps))
        if (step.kind == OutlineStep::Kind::Open)
            m_hasBody.insert(step.index);
}

QStringList TextPlan::texts(int node) const
{
    const Vertex &said = vertex(node);
    QStringList written = keptLines(
        said.particulars.value(m_notation.key(u"description"_s)), said.description, m_notation);
    if (written.isEmpty())
        for (const QString &line : said.description)
            written += m_notation.written(line);
    for (const QString &line : m_forms.textsOf(node))
        written += m_notation.written(line);
    return written;
}

void settleOrder(Statechart &chart, const TextNotation &notation)
{
    const auto arrows = [&] {
        QList<Remark> remarks;
        return arrowsOf(TextPlan(chart, notation, remarks).steps());
    };
    const auto isSettled = [&] {
        const QList<int> order = arrows();
        return order.size() == chart.arcs.size() && std::is_sorted(order.begin(), order.end());
    };
    if (isSettled())
        return;
    const QString key = notation.key(u"order"_s);
    chart.particulars.insert(key, u"as written"_s);
    QList<Arc> arcs;
    for (const int arrow : arrows())
        arcs += chart.arcs[arrow];
    Q_ASSERT(arcs.size() == chart.arcs.size());
    chart.arcs = arcs;
    chart.particulars.remove(key);
    if (!isSettled())
        chart.particulars.insert(key, u"as written"_s);
}

bool isChartDot(const Vertex &vertex)
{
    return vertex.kind == Vertex::Kind::Initial && vertex.parent.isEmpty();
}

QRectF usualPlace(const QPointF &centre, Vertex::Kind kind)
{
    const QSizeF size = kind == Vertex::Kind::Initial ? QSizeF(20, 20) : QSizeF(120, 44);
    return { centre - QPointF(size.width() / 2, size.height() / 2), size };
}

bool canTellPlace(const Vertex &vertex, VertexForm form)
{
    return form == VertexForm::Named || (form == VertexForm::Dot && isChartDot(vertex));
}

} // namespace instar
