// SPDX-License-Identifier: Apache-2.0
#include "model/machine/chartunexecuted.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// `<onentry> and <onexit>`, of those that particulars have.
QStringList elements(const Particulars &particulars)
{
    static const QStringList names { u"onentry"_s, u"onexit"_s, u"invoke"_s, u"script"_s,
        u"donedata"_s };
    QStringList result;
    for (const QString &name : names) {
        if (particulars.contains(u"scxml."_s + name))
            result += u'<' + name + u'>';
    }
    return result;
}

QString isNot(qsizetype count)
{
    return (count == 1 ? u"is"_s : u"are"_s) + u" not executed; events raised there do not come"_s;
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
    if (const QStringList all = elements(chart.particulars); !all.isEmpty())
        result.append({ 1, u"%1 of the chart %2"_s.arg(all.join(u" and "_s), isNot(all.size())) });
    for (const Vertex &vertex : chart.vertices) {
        if (vertex.particulars.contains(u"scxml.datamodel"_s))
            result.append({ vertex.line,
                u"<datamodel> of \"%1\" is not heeded; what conditions ask is answered from outside"_s
                    .arg(vertex.id) });
        if (const QStringList all = elements(vertex.particulars); !all.isEmpty())
            result.append({ vertex.line,
                u"%1 of \"%2\" %3"_s.arg(all.join(u" and "_s), vertex.id, isNot(all.size())) });
    }
    for (const Arc &arc : chart.arcs) {
        if (arc.particulars.contains(u"scxml.content"_s))
            result.append({ arc.line, u"what is in %1 %2"_s.arg(arrowWords(arc), isNot(1)) });
    }
    return result;
}

} // namespace instar
