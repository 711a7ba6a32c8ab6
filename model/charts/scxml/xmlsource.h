// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QXmlStreamReader>

namespace instar {

/// An XML text that is read token by token, and of which parts can be taken as they are written.
/// The text must outlive it.
class XmlSource
{
public:
    using Token = QXmlStreamReader::TokenType;

    explicit XmlSource(const QString &text) : m_text(text), m_xml(text) { }

    Token next();
    /// The token that has been read last.
    const QXmlStreamReader &token() const { return m_xml; }
    int line() const { return int(m_xml.lineNumber()); }

    // Of an element whose start has just been read; they read on to its end.
    QString element();
    QString content(); ///< what is between its tags, without blanks around it
    void skip() { m_xml.skipCurrentElement(); }

    /// The comment that has just been read, with its brackets; empty: it is not to be found.
    QString comment() const;

private:
    qsizetype tagBegin() const;

    const QString &m_text;
    QXmlStreamReader m_xml;
    qint64 m_before = 0; ///< where the token began that has been read last
};

} // namespace instar
