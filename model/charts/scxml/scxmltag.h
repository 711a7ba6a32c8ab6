// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

#include <QXmlStreamReader>

namespace instar::scxml {

/// What the start of an element says that a reader has come to: attributes of SCXML and, in our
/// namespace, what SCXML has no word for.
class StartTag
{
public:
    explicit StartTag(const QXmlStreamReader &xml) : m_xml(xml) { }

    bool has(const QString &name) const { return m_xml.attributes().hasAttribute(name); }
    QString attribute(const QString &name) const;
    QStringList words(const QString &name) const; ///< an attribute that is a list

    bool hasOwn(QStringView name) const;
    QString own(QStringView name) const;
    /// Particulars of other formats.
    Particulars ownKept() const;

    /// Adds attributes that mean nothing to us, but for the known ones, and prefixes.
    void keepOthers(Particulars &particulars, const QStringList &known) const;

    /// Without id, parent and place.
    Vertex vertex(Vertex::Kind kind) const;
    /// Without what it leaves; `to` are names in the file.
    Arc arc() const;
    Note note() const;

private:
    const QXmlStreamReader &m_xml;
};

} // namespace instar::scxml
