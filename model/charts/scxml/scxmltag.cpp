// SPDX-License-Identifier: Apache-2.0
#include "model/charts/scxml/scxmltag.h"

#include "model/charts/notation/chartlook.h"
#include "model/charts/scxml/scxmlwords.h"

using namespace Qt::StringLiterals;

namespace instar::scxml {

namespace {

QStringList wordsOf(const QString &text)
{
    return text.simplified().split(u' ', Qt::SkipEmptyParts);
}

} // namespace

QString StartTag::attribute(const QString &name) const
{
    return m_xml.attributes().value(name).toString();
}

QStringList StartTag::words(const QString &name) const
{
    return wordsOf(attribute(name));
}

bool StartTag::hasOwn(QStringView name) const
{
    return m_xml.attributes().hasAttribute(OwnNamespace.toString(), name.toString());
}

QString StartTag::own(QStringView name) const
{
    return m_xml.attributes().value(OwnNamespace.toString(), name.toString()).toString();
}

Particulars StartTag::ownKept() const
{
    return unpacked(own(u"kept"));
}

void StartTag::keepOthers(Particulars &particulars, const QStringList &known) const
{
    for (const QXmlStreamAttribute &each : m_xml.attributes()) {
        const QString name = each.qualifiedName().toString();
        if (each.namespaceUri() != OwnNamespace && !known.contains(name))
            particulars.insert(Attribute.toString() + name, each.value().toString());
    }
    for (const QXmlStreamNamespaceDeclaration &each : m_xml.namespaceDeclarations()) {
        if (!each.prefix().isEmpty() && each.namespaceUri() != OwnNamespace)
            particulars.insert(
                Prefix.toString() + each.prefix().toString(), each.namespaceUri().toString());
    }
}

Vertex StartTag::vertex(Vertex::Kind kind) const
{
    Vertex vertex;
    vertex.kind = kind;
    vertex.line = int(m_xml.lineNumber());
    vertex.label = own(u"label");
    const bool hasName = !attribute(u"id"_s).trimmed().isEmpty();
    vertex.isNamed = hasOwn(u"named") ? own(u"named") == u"true" : hasName;
    if (hasOwn(u"description"))
        vertex.description = own(u"description").split(u'\n');
    vertex.look = lookOfCss(own(u"look"));
    vertex.particulars = ownKept();
    return vertex;
}

Arc StartTag::arc() const
{
    Arc arc;
    arc.line = int(m_xml.lineNumber());
    arc.event = hasOwn(u"event") ? own(u"event") : words(u"event"_s).join(u'\n');
    arc.condition = hasOwn(u"condition") ? own(u"condition") : attribute(u"cond"_s);
    arc.to = hasOwn(u"target") ? wordsOf(own(u"target")) : words(u"target"_s);
    arc.action = own(u"action");
    arc.label = own(u"label");
    arc.isInternal = attribute(u"type"_s) == u"internal";
    if (hasOwn(u"note"))
        arc.note = own(u"note").split(u'\n');
    arc.look = lookOfCss(own(u"look"));
    arc.towards = towardsOf(own(u"towards"));
    arc.particulars = ownKept();
    return arc;
}

Note StartTag::note() const
{
    Note note { .of = attribute(u"of"_s), .side = attribute(u"side"_s) };
    note.particulars = unpacked(attribute(u"kept"_s));
    if (has(u"lines"_s))
        note.lines = attribute(u"lines"_s).split(u'\n');
    return note;
}

} // namespace instar::scxml
