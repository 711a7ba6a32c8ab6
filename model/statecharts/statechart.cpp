// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/statechart.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

QString Arc::text() const
{
    if (!label.isEmpty())
        return label;
    QStringList parts;
    if (!event.isEmpty())
        parts += events().join(u", "_s);
    if (!condition.isEmpty())
        parts += u'[' + condition + u']';
    if (!action.isEmpty())
        parts += u"/ "_s + action;
    return parts.join(u' ');
}

QStringList Arc::events() const
{
    return event.split(u'\n', Qt::SkipEmptyParts);
}

const Vertex *Statechart::vertex(const QString &wanted) const
{
    const auto found = std::find_if(
        vertices.begin(), vertices.end(), [&](const Vertex &each) { return each.id == wanted; });
    return found == vertices.end() ? nullptr : &*found;
}

QList<const Vertex *> Statechart::inside(const QString &parent) const
{
    QList<const Vertex *> result;
    for (const Vertex &each : vertices)
        if (each.parent == parent)
            result += &each;
    return result;
}

namespace {

QString joined(QChar by, const QString &parent, QStringView word, qsizetype number)
{
    QString id = parent.isEmpty() ? word.toString() : parent + by + word.toString();
    if (number > 1)
        id += by + QString::number(number);
    return id;
}

} // namespace

QString madeUpId(const QString &parent, QStringView word, qsizetype number)
{
    return joined(u'.', parent, word, number);
}

QString madeUpStateId(const QString &parent, QStringView word, qsizetype number)
{
    return joined(u'_', parent, word, number);
}

} // namespace instar
