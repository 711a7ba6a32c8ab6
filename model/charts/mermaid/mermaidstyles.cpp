// SPDX-License-Identifier: Apache-2.0
#include "model/charts/mermaid/mermaidstyles.h"

#include "model/charts/notation/chartlook.h"

using namespace Qt::StringLiterals;

namespace instar {

MermaidStyles::MermaidStyles(const Statechart &chart)
{
    const QString settings = chart.particulars.value(u"mermaid.settings"_s);
    for (const QString &line : settings.split(u'\n', Qt::SkipEmptyParts)) {
        const QString text = line.simplified();
        if (!text.startsWith(u"classDef "_s, Qt::CaseInsensitive))
            continue;
        for (const QString &name : text.section(u' ', 1, 1).split(u',', Qt::SkipEmptyParts))
            m_classes[name] += text.section(u' ', 2) + u',';
    }
}

Look MermaidStyles::lookOf(const Particulars &particulars) const
{
    Look look = lookOfCss(m_classes.value(u"default"_s));
    const QString classes = particulars.value(u"mermaid.class"_s);
    for (const QString &name : classes.split(u' ', Qt::SkipEmptyParts))
        look = lookOfCss(m_classes.value(name), look);
    return lookOfCss(particulars.value(u"mermaid.style"_s), look);
}

} // namespace instar
