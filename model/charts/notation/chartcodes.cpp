// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/chartcodes.h"

using namespace Qt::StringLiterals;

namespace instar {

ChartCodes::ChartCodes(
    const ChartForms &forms, Test isCode, Test canBeQuoted, Shown shown, QList<Remark> &remarks)
    : m_forms(forms), m_isCode(isCode), m_codes(forms.tree().size()), m_labels(forms.tree().size())
{
    const ChartTree &tree = forms.tree();
    for (int i = 1; i < tree.size(); ++i) {
        const Vertex *const vertex = tree.node(i).vertex;
        if (!vertex)
            continue;
        m_labels[i] = vertex->label;
        const bool isNamed = forms.form(i) == VertexForm::Named && isCode(vertex->id);
        if (isNamed || forms.form(i) == VertexForm::Bar) {
            m_codes[i] = vertex->id;
            m_taken.insert(vertex->id, 2);
        }
    }
    for (int i = 1; i < tree.size(); ++i)
        if (forms.form(i) == VertexForm::Named && m_codes[i].isEmpty()) {
            if (isQuoted(i, canBeQuoted, shown)) {
                m_codes[i] = u'"' + tree.node(i).vertex->id + u'"';
                m_labels[i].clear();
            } else {
                choose(i, remarks);
            }
        }
}

bool ChartCodes::isQuoted(int node, Test canBeQuoted, Shown shown) const
{
    const Vertex &vertex = *m_forms.tree().node(node).vertex;
    const bool isFree = canBeQuoted && vertex.isNamed && canBeQuoted(vertex.id)
        && m_forms.tree().node(node).children.isEmpty() && !m_forms.isLinked(node);
    if (!isFree || vertex.label == vertex.id)
        return false;
    return shown(vertex.id) == (vertex.label.isEmpty() ? vertex.id : vertex.label);
}

void ChartCodes::choose(int node, QList<Remark> &remarks)
{
    const Vertex &vertex = *m_forms.tree().node(node).vertex;
    m_codes[node] = freeCode(vertex.id);
    const bool isShown = vertex.label.isEmpty();
    if (isShown && vertex.isNamed)
        m_labels[node] = vertex.id;
    remarks.append({ vertex.line,
        u"%1 cannot be called so in the text; it is called %2"_s.arg(vertex.id, m_codes[node]),
        !isShown });
}

QString ChartCodes::freeCode(const QString &like)
{
    QString base;
    for (const QChar letter : like)
        base += letter.isLetterOrNumber() && !letter.isSurrogate() ? letter : QChar(u'_');
    if (base.isEmpty())
        base = u"_"_s;
    constexpr int MostTries = 4; // a word that the notation reserves is none with "_" behind it
    for (int i = 0; i < MostTries && !m_isCode(base); ++i)
        base += u'_';
    QString code = base;
    for (int &number = m_taken[base]; number > 0;) {
        code = base + u'_' + QString::number(number++);
        if (!m_taken.contains(code))
            break;
    }
    m_taken.insert(code, 2);
    return code;
}

} // namespace instar
