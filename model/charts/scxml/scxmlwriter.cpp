// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/chartlook.h"
#include "model/charts/scxml/scxml.h"
#include "model/charts/scxml/scxmlshape.h"
#include "model/charts/scxml/scxmltriggers.h"
#include "model/charts/scxml/scxmlwords.h"
#include "model/charts/scxml/xmltext.h"

#include <QHash>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace scxml {

namespace {

using Kind = Vertex::Kind;
using Attributes = XmlText::Attributes;

class Writer
{
public:
    explicit Writer(const Statechart &chart) : m(chart), m_shape(chart), m_triggers(m, m_shape) { }

    StatechartsWritten written()
    {
        prepare();
        root();
        if (m_xml.hasReplaced())
            remark(0, u"a control character, which XML cannot say, became U+FFFD"_s);
        return { m_xml.text().toUtf8(), m_remarks };
    }

private:
    void remark(int line, const QString &text, bool isLoss = true)
    {
        m_remarks.append({ line, text, isLoss });
    }
    QString own(QStringView name) const { return m_prefix + u':' + name.toString(); }
    void prepare()
    {
        m_prefix = freePrefix(m);
        for (const Arc &lost : m_shape.lostArcs())
            remark(lost.line,
                u"the arrow from \"%1\" leads to or from a state that does not exist; it is left out"_s
                    .arg(lost.from));
        m_remarks += alikeEvents(m);
        for (const Vertex &each : m.vertices)
            m_last.insert(each.parent, &each);
    }

    void root()
    {
        Attributes attributes { { u"xmlns"_s, Namespace.toString() },
            { u"xmlns:"_s + m_prefix, OwnNamespace.toString() } };
        const Particulars &kept = m.particulars;
        if (!kept.contains(Attribute.toString() + u"version"_s))
            attributes.append({ u"version"_s, u"1.0"_s });
        if (!m.id.isEmpty()) {
            const QString name = xmlName(m.id);
            attributes.append({ u"name"_s, name });
            if (name != m.id)
                attributes.append({ own(u"id"), m.id });
        }
        addInitial(attributes, {});
        if (m_triggers.needsEcmaScript() && !kept.contains(Attribute.toString() + u"datamodel"_s)) {
            attributes.append({ u"datamodel"_s, u"ecmascript"_s });
            attributes.append({ own(u"datamodel"), u"made"_s });
        }
        if (!m.hasExpressions)
            attributes.append({ own(u"conditions"), u"names"_s });
        if (m.waitsForFinals)
            attributes.append({ own(u"waitsForFinals"), u"true"_s });
        if (!m.title.isEmpty())
            attributes.append({ own(u"title"), m.title });
        addKept(attributes, kept);
        rawOf(kept, Before);
        m_xml.open(u"scxml"_s, attributes);
        addVariables();
        contents({}, kept, 0);
        for (const Note &note : m.notes)
            addNote(note);
        rawOf(kept, AtEnd);
        m_xml.close(u"scxml"_s);
        rawOf(kept, After);
        if (m_written < m.vertices.size())
            remark(0,
                u"%1 states lie in each other, or too deep; they are left out"_s.arg(
                    m.vertices.size() - m_written));
    }

    void rawOf(const Particulars &kept, QStringView key)
    {
        const QString xml = kept.value(key.toString());
        if (!xml.isEmpty())
            m_xml.raw(xml);
    }

    void addVariables()
    {
        const QStringList variables = m_triggers.variables();
        if (variables.isEmpty())
            return;
        m_xml.open(u"datamodel"_s, { { own(u"made"), u"true"_s } });
        for (const QString &variable : variables)
            m_xml.empty(u"data"_s, { { u"id"_s, variable }, { u"expr"_s, u"false"_s } });
        m_xml.close(u"datamodel"_s);
    }

    void addNote(const Note &note)
    {
        Attributes attributes;
        if (m_shape.vertex(note.of))
            attributes.append({ u"of"_s, m_shape.name(note.of) });
        else if (!note.of.isEmpty())
            remark(0,
                u"a note is at \"%1\", which does not exist; it is kept without a place"_s.arg(
                    note.of));
        if (!note.side.isEmpty())
            attributes.append({ u"side"_s, note.side });
        if (!note.lines.isEmpty())
            attributes.append({ u"lines"_s, note.lines.join(u'\n') });
        if (const QString kept = packed(note.particulars); !kept.isEmpty())
            attributes.append({ u"kept"_s, kept });
        m_xml.empty(own(u"note"), attributes);
    }

    /// Attributes and prefixes as they were read, and what other formats know.
    void addKept(Attributes &attributes, const Particulars &particulars) const
    {
        for (auto it = particulars.cbegin(); it != particulars.cend(); ++it) {
            if (it.key().startsWith(Attribute))
                attributes.append({ it.key().sliced(Attribute.size()), it.value() });
            else if (it.key().startsWith(Prefix))
                attributes.append({ u"xmlns:"_s + it.key().sliced(Prefix.size()), it.value() });
        }
        if (const QString kept = packed(particulars); !kept.isEmpty())
            attributes.append({ own(u"kept"), kept });
    }

    void addInitial(Attributes &attributes, const QString &parent)
    {
        if (const Vertex *plain = m_shape.plainInitial(parent)) {
            attributes.append({ u"initial"_s, m_shape.targetText(m_shape.onlyArc(*plain)->to) });
            const QString &other =
                (parent.isEmpty() ? m.particulars
                                  : m_shape.vertex(parent)->particulars)[Other.toString()];
            if (plain->place
                && editorPlace(other, m_shape.positionOf(parent)).initial != plain->place)
                attributes.append({ own(u"initialPlace"), placeText(*plain->place) });
            return;
        }
        for (const int index : m_shape.inside(parent)) {
            const Vertex &child = m.vertices[index];
            if (child.kind == Kind::Initial && child.parent == parent
                && !m_shape.isElement(child)) {
                attributes.append({ u"initial"_s, m_shape.name(child.id) });
                return;
            }
        }
    }

    void contents(const QString &id, const Particulars &kept, int depth)
    {
        rawOf(kept, Other);
        for (const QString &element : keptElements())
            rawOf(kept, u"scxml."_s + element);
        transitions(id);
        const Vertex *initial = m_shape.plainInitial(id);
        for (const int index : m_shape.inside(id)) {
            if (&m.vertices[index] == initial)
                ++m_written;
            else if (depth < Shape::Deepest)
                element(m.vertices[index], depth + 1);
        }
    }

    QString elementName(const Vertex &of) const
    {
        if (of.kind == Kind::Parallel)
            return u"parallel"_s;
        if (of.kind == Kind::Final)
            return u"final"_s;
        if (isHistory(of.kind) && !m_shape.isOutermostHistory(of))
            return u"history"_s;
        return m_shape.isElement(of) ? u"initial"_s : u"state"_s;
    }

    void element(const Vertex &of, int depth)
    {
        ++m_written;
        const QString name = elementName(of);
        Attributes attributes;
        const bool isUnnamed = name == u"initial";
        if (!isUnnamed)
            attributes.append({ u"id"_s, m_shape.name(of.id) });
        if (name == u"history")
            attributes.append(
                { u"type"_s, of.kind == Kind::DeepHistory ? u"deep"_s : u"shallow"_s });
        if (name == u"state")
            addInitial(attributes, of.id);
        if (name == u"state" && of.kind != Kind::State)
            attributes.append({ own(u"kind"), kindWord(of.kind) });
        if (isUnnamed ? of.id != madeUpId(of.parent, u"initial") : of.id != m_shape.name(of.id))
            attributes.append({ own(u"id"), of.id });
        if (of.isNamed == isUnnamed)
            attributes.append({ own(u"named"), of.isNamed ? u"true"_s : u"false"_s });
        if (m_shape.host(of) != of.parent)
            addPlace(attributes, of);
        if (!of.label.isEmpty())
            attributes.append({ own(u"label"), of.label });
        if (!of.description.isEmpty())
            attributes.append({ own(u"description"), of.description.join(u'\n') });
        addLook(attributes, of.look);
        if (of.place
            && editorPlace(of.particulars.value(Other.toString()), m_shape.positionOf(of.parent))
                    .rect
                != of.place)
            attributes.append({ own(u"place"), placeText(*of.place) });
        addKept(attributes, of.particulars);
        rawOf(of.particulars, Before);
        if (isEmpty(of)) {
            m_xml.empty(name, attributes);
            return;
        }
        m_xml.open(name, attributes);
        contents(of.id, of.particulars, depth);
        leadOn(of);
        rawOf(of.particulars, AtEnd);
        m_xml.close(name);
    }

    void addLook(Attributes &attributes, const Look &look) const
    {
        if (const QString css = cssOf(look); !css.isEmpty())
            attributes.append({ own(u"look"), css });
    }

    /// What SCXML lets only lie elsewhere comes back behind everything else.
    void addPlace(Attributes &attributes, const Vertex &of)
    {
        attributes.append({ own(u"in"), m_shape.name(of.parent) });
        if (m_last.value(of.parent) != &of)
            remark(of.line,
                u"SCXML does not let \"%1\" lie in \"%2\"; it is written outside and will come last there"_s
                    .arg(of.id, of.parent),
                false);
    }

    bool isEmpty(const Vertex &of) const
    {
        const bool hasKept = std::ranges::any_of(of.particulars.keys(), [](const QString &key) {
            return key == Other || key == AtEnd
                || (key.startsWith(u"scxml."_s) && keptElements().contains(key.sliced(6)));
        });
        return !hasKept && !m_shape.hasInside(of.id) && m_shape.leaving(of.id).isEmpty()
            && !isHistory(of.kind);
    }

    void leadOn(const Vertex &of)
    {
        if (!isHistory(of.kind))
            return;
        if (m_shape.isOutermostHistory(of))
            remark(of.line,
                u"SCXML has no history of the whole chart; \"%1\" is a state that leads on at once"_s
                    .arg(of.id),
                false);
        const QStringList to = m_shape.beginningAround(of);
        if (m_shape.leaving(of.id).isEmpty() && !to.isEmpty())
            m_xml.empty(u"transition"_s,
                { { u"target"_s, m_shape.targetText(to) }, { own(u"made"), u"true"_s } });
    }

    void transitions(const QString &id)
    {
        const Vertex *from = m_shape.vertex(id);
        if (!from || from == m_shape.plainInitial(from->parent))
            return;
        const QList<int> leaving = m_shape.leaving(id);
        for (qsizetype i = 0; i < leaving.size(); ++i) {
            const Arc &arc = m.arcs[leaving[i]];
            if (from->kind == Kind::Final)
                remark(arc.line,
                    u"nothing can leave the final state \"%1\"; the arrow is left out"_s.arg(id));
            else if (isHistory(from->kind) && i > 0)
                remark(arc.line,
                    u"only one arrow can leave the history \"%1\"; another one is left out"_s.arg(
                        id));
            else {
                const Vertex *to = arc.to.size() == 1 ? m_shape.vertex(arc.to.first()) : nullptr;
                if (to && to->kind == Kind::Join && !arc.event.isEmpty()
                    && m_shape.arriving(to->id).size() > 1)
                    remark(arc.line,
                        u"other programs do not remember that the arrow on \"%1\" has reached the join \"%2\""_s
                            .arg(arc.event, to->id),
                        false);
                transition(*from, arc, from->kind == Kind::Fork && i == 0 ? leaving : QList<int>());
            }
        }
    }

    /// `fork`: all arrows that are taken together.
    void transition(const Vertex &from, const Arc &arc, const QList<int> &fork)
    {
        const bool isPlain =
            isHistory(from.kind) || m_shape.isElement(from); // then SCXML allows a target only
        Attributes attributes;
        const QStringList events = isPlain ? QStringList() : m_triggers.events(from, arc);
        const QString condition = isPlain ? QString() : m_triggers.condition(from, arc);
        if (!events.isEmpty())
            attributes.append({ u"event"_s, events.join(u' ') });
        if (!condition.isEmpty())
            attributes.append({ u"cond"_s, condition });
        QStringList to = arc.to;
        for (const int index : fork.mid(1))
            to += m.arcs[index].to;
        to.removeDuplicates();
        if (const QStringList all = std::exchange(to, m_shape.together(to)); to != all)
            remark(arc.line,
                u"\"%1\" leads to \"%2\" at once, which lie in no regions beside each other; other programs are led to \"%3\""_s
                    .arg(from.id, all.join(u"\" and \""_s), to.join(u"\" and \""_s)));
        if (!to.isEmpty())
            attributes.append({ u"target"_s, m_shape.targetText(to) });
        if (arc.isInternal)
            attributes.append({ u"type"_s, u"internal"_s });
        if (events.join(u'\n') != arc.event)
            attributes.append({ own(u"event"), arc.event });
        if (condition != arc.condition)
            attributes.append({ own(u"condition"), arc.condition });
        if (to != arc.to)
            attributes.append({ own(u"target"), m_shape.targetText(arc.to) });
        if (!arc.action.isEmpty())
            attributes.append({ own(u"action"), arc.action });
        if (!arc.label.isEmpty())
            attributes.append({ own(u"label"), arc.label });
        if (!arc.note.isEmpty())
            attributes.append({ own(u"note"), arc.note.join(u'\n') });
        addLook(attributes, arc.look);
        if (const QString word = wordOf(arc.towards); !word.isEmpty())
            attributes.append({ own(u"towards"), word });
        addKept(attributes, arc.particulars);
        rawOf(arc.particulars, Before);
        const QString content = arc.particulars.value(Content.toString());
        if (content.isEmpty()) {
            m_xml.empty(u"transition"_s, attributes);
            return;
        }
        m_xml.open(u"transition"_s, attributes);
        m_xml.raw(content);
        m_xml.close(u"transition"_s);
    }

    const Statechart &m;
    QString m_prefix; ///< of our namespace
    Shape m_shape;
    Triggers m_triggers;
    QHash<QString, const Vertex *> m_last; ///< that lies in a vertex
    qsizetype m_written = 0;
    XmlText m_xml;
    QList<Remark> m_remarks;
};

} // namespace

} // namespace scxml

StatechartsWritten writeScxml(const QList<Statechart> &charts)
{
    if (charts.isEmpty())
        return { {}, { { 0, u"there is no statechart to be written"_s } } };
    StatechartsWritten written = scxml::Writer(charts.first()).written();
    for (const Statechart &other : charts.mid(1))
        written.remarks.append(
            { 0, u"SCXML holds one statechart a file; \"%1\" is left out"_s.arg(other.id) });
    return written;
}

QByteArray withOwnNamespace(const QByteArray &text)
{
    const qsizetype root = text.indexOf("<scxml");
    if (root < 0 || !text.contains(" instar:") || text.contains("xmlns:instar"))
        return text;
    return QByteArray(text).insert(
        root + 6, " xmlns:instar=\"" + scxml::OwnNamespace.toUtf8() + '"');
}

} // namespace instar
