// SPDX-License-Identifier: Apache-2.0
#include "model/charts/scxml/xmlsource.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

XmlSource::Token XmlSource::next()
{
    m_before = m_xml.characterOffset();
    return m_xml.readNext();
}

QString XmlSource::element()
{
    const qsizetype begin = tagBegin();
    for (int depth = 1; depth > 0 && !m_xml.atEnd();) {
        const Token token = m_xml.readNext();
        depth += token == Token::StartElement ? 1 : token == Token::EndElement ? -1 : 0;
    }
    return m_text.sliced(begin, std::max(qsizetype(m_xml.characterOffset()) - begin, qsizetype(0)));
}

QString XmlSource::content()
{
    const qsizetype begin = m_xml.characterOffset();
    const QString xml = element();
    const qsizetype inner = xml.size() - (qsizetype(m_xml.characterOffset()) - begin);
    const qsizetype end = xml.lastIndexOf(u"</");
    return end > inner ? xml.sliced(inner, end - inner).trimmed() : QString();
}

QString XmlSource::comment() const
{
    const qsizetype end = m_xml.characterOffset();
    const qsizetype begin =
        QStringView(m_text).first(std::min(end, m_text.size())).lastIndexOf(u"<!--");
    return begin < 0 ? QString() : m_text.sliced(begin, end - begin);
}

/// The reader may have looked at the bracket already.
qsizetype XmlSource::tagBegin() const
{
    const qsizetype before = std::clamp(qsizetype(m_before), qsizetype(0), m_text.size());
    if (before > 0 && m_text[before - 1] == u'<')
        return before - 1;
    return std::max(m_text.indexOf(u'<', before), qsizetype(0));
}

} // namespace instar
