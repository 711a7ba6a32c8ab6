// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/diagramlines.h"

using namespace Qt::StringLiterals;

namespace instar {

QString nestedNote(int line)
{
    return u"another note begins in line %1, before this one ends; an \"end note\" may be missing"_s
        .arg(line);
}

qsizetype BlockEnds::next(qsizetype from, const QStringList &ends)
{
    const QString &key = ends.first();
    if (m_missing.contains(key))
        return -1;
    for (qsizetype i = from; i < m_lines.size(); ++i)
        if (ends.contains(m_lines[i].text.simplified().toLower()))
            return i;
    m_missing.insert(key);
    return -1;
}

qsizetype BlockEnds::closingBrace(qsizetype from)
{
    const QString key = u"{"_s;
    if (m_missing.contains(key))
        return -1;
    qsizetype depth = 0;
    for (qsizetype i = from; i < m_lines.size(); ++i) {
        const QString text = m_lines[i].text.trimmed();
        if (text.endsWith(u'{'))
            ++depth;
        else if (text.startsWith(u'}') && --depth == 0)
            return i;
    }
    m_missing.insert(key);
    return -1;
}

} // namespace instar
