// SPDX-License-Identifier: Apache-2.0
#include "model/charts/scxml/scxmltriggers.h"

#include "model/charts/scxml/scxmlwords.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar::scxml {

using Kind = Vertex::Kind;

Triggers::Triggers(const Statechart &chart, const Shape &shape) : m(chart), m_shape(shape)
{
    if (!m.hasExpressions)
        m_words.gather(m.arcs);
    if (std::ranges::any_of(m.vertices, [this](const Vertex &each) {
            return each.kind == Kind::Join && m_shape.arriving(each.id).size() > 1;
        }))
        m_words.setNeedsEcmaScript();
}

QStringList Triggers::events(const Vertex &from, const Arc &arc) const
{
    if (arc.event.isEmpty() && m.waitsForFinals
        && (from.kind == Kind::State || from.kind == Kind::Parallel) && m_shape.hasFinal(from))
        return { u"done.state."_s + m_shape.name(from.id) };
    QStringList result;
    static const QString done = u"done.state."_s;
    for (const QString &event : arc.events()) {
        const QString state = event.startsWith(done) ? event.sliced(done.size()) : QString();
        result += eventName(m_shape.vertex(state) ? done + m_shape.name(state) : event);
    }
    result.removeAll(QString());
    return result;
}

QString Triggers::condition(const Vertex &from, const Arc &arc) const
{
    QString condition =
        m.hasExpressions ? arc.condition : m_words.expression(arc.condition, m_shape.names());
    if (!m.hasExpressions && guardOf(arc.condition).kind == Guard::Kind::Else)
        condition = otherwise(from, arc);
    const QString join = arc.to.size() == 1 && m_shape.vertex(arc.to.first())->kind == Kind::Join
        ? arc.to.first()
        : QString();
    if (join.isEmpty() || m_shape.arriving(join).size() < 2)
        return condition;
    QStringList all; // the last arrow that arrives takes the others along
    for (const int index : m_shape.arriving(join)) {
        if (m.arcs[index].from != from.id)
            all += u"In('%1')"_s.arg(m_shape.name(m.arcs[index].from));
    }
    if (!condition.isEmpty())
        all.prepend(u'(' + condition + u')');
    return all.join(u" && "_s);
}

/// None of the conditions at the other arrows; nothing where all those come first anyway.
QString Triggers::otherwise(const Vertex &from, const Arc &arc) const
{
    const QList<int> leaving = m_shape.leaving(from.id);
    if (&m.arcs[leaving.last()] == &arc)
        return {};
    QStringList all;
    for (const int index : leaving) {
        const QString condition = m_words.expression(m.arcs[index].condition, m_shape.names());
        if (&m.arcs[index] != &arc)
            all += condition.isEmpty() ? u"false"_s : u"!("_s + condition + u')';
    }
    return all.join(u" && "_s);
}

} // namespace instar::scxml
