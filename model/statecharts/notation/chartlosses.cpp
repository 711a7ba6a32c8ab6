// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/chartlosses.h"

#include "model/json/reading.h"

namespace instar {

namespace {

/// Describes an attribute or element that only SCXML has, for users.
QString wordOf(const QString &key)
{
    if (key.startsWith(u'@'))
        return u"the attribute \"%1\" of SCXML"_s.arg(key.sliced(1));
    return key == u"content" ? u"the content of a transition of SCXML"_s
                             : u'<' + key + u"> of SCXML"_s;
}

QString excerpt(const QString &text)
{
    constexpr qsizetype Most = 40;
    const QString all = oneLine(text.left(10 * Most)).simplified();
    return all.size() <= Most ? all : all.left(Most) + u"..."_s;
}

} // namespace

void ChartLosses::add(const QString &kind, const QString &text, int line)
{
    Loss &loss = m_losses[kind];
    if (loss.times++ == 0)
        loss = { .first = excerpt(text), .line = line, .times = 1 };
}

void ChartLosses::addScxml(const ScxmlExtras &scxmlExtras, int line)
{
    for (auto it = scxmlExtras.cbegin(); it != scxmlExtras.cend(); ++it)
        if (const QString key = it.key().section(u'.', 1); !key.startsWith(u"xmlns:"))
            add(wordOf(key), it.value(), line);
}

void ChartLosses::addScxml(const Statechart &chart)
{
    addScxml(chart.scxmlExtras, 0);
    for (const Vertex &each : chart.vertices)
        addScxml(each.scxmlExtras, each.line);
    for (const Arc &each : chart.arcs)
        addScxml(each.scxmlExtras, each.line);
}

QList<Diagnostic> ChartLosses::diagnostics() const
{
    QList<Diagnostic> result;
    for (auto it = m_losses.cbegin(); it != m_losses.cend(); ++it) {
        const QString more = it->times > 1 ? u" ..."_s : QString();
        const QString quoted =
            it->first.isEmpty() ? QString() : u" (\""_s + it->first + u'"' + more + u')';
        const QString times = it->times > 1 ? u" %1 times"_s.arg(it->times) : QString();
        result.append({ it->line, it.key() + quoted + m_end + times });
    }
    return result;
}

} // namespace instar
