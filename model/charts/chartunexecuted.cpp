// SPDX-License-Identifier: Apache-2.0
#include "model/charts/chartunexecuted.h"

#include "model/charts/chartevents.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What lies somewhere of which not all is executed.
struct Unexecuted
{
    QStringList elements; ///< "<onentry>"
    bool isPart = false;  ///< its events come
};

bool isExecuted(const QString &xml, Unexecuted &found)
{
    const Executable executable = executableIn(xml);
    found.isPart = found.isPart || !executable.events.isEmpty();
    return executable.isWhole;
}

Unexecuted elementsOf(const Particulars &particulars)
{
    static const QStringList names { u"onentry"_s, u"onexit"_s, u"invoke"_s, u"script"_s,
        u"donedata"_s };
    Unexecuted result;
    for (const QString &name : names) {
        const QString xml = particulars.value(u"scxml."_s + name);
        const bool isHeeded = name == u"onentry" || name == u"onexit";
        if (!xml.isEmpty() && !(isHeeded && isExecuted(xml, result)))
            result.elements += u'<' + name + u'>';
    }
    return result;
}

QString isNot(const Unexecuted &found)
{
    const QString verb = found.elements.size() == 1 ? u"is"_s : u"are"_s;
    return found.isPart
        ? verb + u" executed only as far as events are raised, or sent to the chart itself"_s
        : verb + u" not executed; events raised there do not come"_s;
}

} // namespace

QString arrowWords(const Arc &arc)
{
    const auto quoted = [](const QStringList &names) {
        return u'"' + names.join(u"\", \""_s) + u'"';
    };
    return u"the arrow from %1%2%3"_s.arg(quoted({ arc.from }),
        arc.to.isEmpty() ? QString() : u" to "_s + quoted(arc.to),
        arc.event.isEmpty() ? QString() : u" on "_s + quoted(arc.events()));
}

QList<Remark> unexecuted(const Statechart &chart)
{
    QList<Remark> result;
    if (chart.particulars.contains(u"scxml.datamodel"_s))
        result.append(
            { 1, u"<datamodel> is not heeded; what conditions ask is answered from outside"_s });
    if (const Unexecuted all = elementsOf(chart.particulars); !all.elements.isEmpty())
        result.append(
            { 1, u"%1 of the chart %2"_s.arg(all.elements.join(u" and "_s), isNot(all)) });
    for (const Vertex &vertex : chart.vertices) {
        if (vertex.particulars.contains(u"scxml.datamodel"_s))
            result.append({ vertex.line,
                u"<datamodel> of \"%1\" is not heeded; what conditions ask is answered from outside"_s
                    .arg(vertex.id) });
        if (const Unexecuted all = elementsOf(vertex.particulars); !all.elements.isEmpty())
            result.append({ vertex.line,
                u"%1 of \"%2\" %3"_s.arg(all.elements.join(u" and "_s), vertex.id, isNot(all)) });
    }
    for (const Arc &arc : chart.arcs) {
        Unexecuted inside { .elements = { u"what is in"_s } };
        if (!isExecuted(arc.particulars.value(u"scxml.content"_s), inside))
            result.append({ arc.line, u"what is in %1 %2"_s.arg(arrowWords(arc), isNot(inside)) });
    }
    return result;
}

} // namespace instar
