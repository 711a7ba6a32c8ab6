// SPDX-License-Identifier: Apache-2.0
#include "model/charts/chartevents.h"

#include <QXmlStreamReader>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Attributes = QXmlStreamAttributes;

/// Only attributes of which the event comes at once, to the chart itself.
bool isToItself(const Attributes &attributes)
{
    return std::ranges::all_of(attributes, [](const QXmlStreamAttribute &each) {
        const QStringView name = each.qualifiedName();
        const QStringView value = each.value();
        if (name == u"target")
            return value.isEmpty() || value == u"#_internal";
        if (name == u"type")
            return value.isEmpty() || value == u"scxml"
                || value == u"http://www.w3.org/TR/scxml/#SCXMLEventProcessor";
        if (name == u"delay")
            return std::ranges::none_of(
                value, [](QChar letter) { return u"123456789"_s.contains(letter); });
        return name == u"event" || name == u"id";
    });
}

class ExecutableReader
{
public:
    explicit ExecutableReader(const QString &xml) : m_xml(u"<x>"_s + xml + u"</x>"_s)
    {
        m_xml.setNamespaceProcessing(false); // prefixes are declared further out
    }

    Executable read()
    {
        m_xml.readNextStartElement();
        readInside();
        if (m_xml.hasError())
            return { .isWhole = false };
        return m_result;
    }

private:
    void readInside()
    {
        while (m_xml.readNextStartElement()) {
            const QString name = m_xml.name().toString().section(u':', -1);
            if (name == u"editorinfo") // where Qt Creator draws it
                m_xml.skipCurrentElement();
            else if (name == u"onentry" || name == u"onexit")
                readInside();
            else
                take(name);
        }
    }

    void take(const QString &name)
    {
        const Attributes attributes = m_xml.attributes();
        const QString event = attributes.value(u"event"_s).toString().trimmed();
        const bool isRaise = name == u"raise";
        bool isExecuted =
            !event.isEmpty() && (isRaise || (name == u"send" && isToItself(attributes)));
        while (m_xml.readNextStartElement()) { // data
            isExecuted = false;
            m_xml.skipCurrentElement();
        }
        if (!isExecuted)
            m_result.isWhole = false;
        else if (isRaise || attributes.value(u"target"_s) == u"#_internal")
            m_result.events.raised += event;
        else
            m_result.events.sent += event;
    }

    QXmlStreamReader m_xml;
    Executable m_result;
};

} // namespace

Executable executableIn(const QString &xml)
{
    return xml.isEmpty() ? Executable() : ExecutableReader(xml).read();
}

} // namespace instar
