// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/writtentexts.h"

using namespace Qt::StringLiterals;

namespace instar {

void WrittenTexts::add(ChartBuilder &builder, int state, const QString &written)
{
    builder.node(state).vertex.description += m_notation.shown(written).split(u'\n');
    m_texts[state] += written;
}

void WrittenTexts::keep(ChartBuilder &builder) const
{
    for (auto each = m_texts.cbegin(); each != m_texts.cend(); ++each) {
        Vertex &vertex = builder.node(each.key()).vertex;
        QStringList plain;
        for (const QString &line : std::as_const(vertex.description))
            plain += m_notation.written(line);
        const QString kept = each.value().join(u'\n');
        if (plain != each.value() && !kept.isEmpty())
            vertex.particulars.insert(m_notation.key(u"description"_s), kept);
    }
}

} // namespace instar
