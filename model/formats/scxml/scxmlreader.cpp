// SPDX-License-Identifier: Apache-2.0
#include "model/formats/reading.h"
#include "model/formats/scxml/scxml.h"
#include "model/formats/scxml/scxmldraft.h"
#include "model/formats/scxml/xmltext.h"
#include "model/machine/chartplan.h"

#include <QFileInfo>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;

namespace instar {

namespace scxml {

namespace {

using Kind = Vertex::Kind;
using Token = QXmlStreamReader::TokenType;

QStringList words(const QString &text)
{
    return text.simplified().split(u' ', Qt::SkipEmptyParts);
}

QStringList lines(const QString &text)
{
    return text.split(u'\n');
}

constexpr qsizetype MostRemarks = 1000; ///< a hostile file has millions

/// Adds to a text that is kept as it is.
void append(Particulars &particulars, QStringView key, const QString &xml)
{
    QString &text = particulars[key.toString()];
    text += text.isEmpty() ? xml : u'\n' + xml;
}

class Reader
{
public:
    Reader(const QString &text, const QString &file) : m_text(text), m_file(file), m_xml(text) { }

    Result<StatechartsRead> read()
    {
        while (!m_xml.atEnd() && m_error.isEmpty())
            take(next());
        if (m_error.isEmpty() && m_xml.hasError())
            fail(u"expected well-formed XML: %1"_s.arg(oneLine(m_xml.errorString())));
        if (!m_error.isEmpty())
            return Error { m_error };
        return m.finished();
    }

private:
    /// An element that is open.
    struct Frame
    {
        int vertex = -1; ///< -1: the chart
        QString comments;
        QPointF position;       ///< in Qt Creator's scene
        bool isInitial = false; ///< an element "initial"
        bool hasPlace = false;
        int made = -1; ///< the initial vertex of its attribute
    };

    Token next()
    {
        m_before = m_xml.characterOffset();
        return m_xml.readNext();
    }

    int line() const { return int(m_xml.lineNumber()); }
    void fail(const QString &text) { m_error = u"%1:%2: %3"_s.arg(m_file).arg(line()).arg(text); }
    void remark(const QString &text, bool isLoss = true)
    {
        if (m.remarks.size() < MostRemarks)
            m.remarks.append({ line(), text, isLoss });
    }
    Particulars &particulars(const Frame &frame)
    {
        return frame.vertex < 0 ? m.chart.particulars : m.vertices[frame.vertex].vertex.particulars;
    }

    void take(Token token)
    {
        switch (token) {
        case Token::StartElement:
            if (m_open.isEmpty())
                root();
            else
                element();
            break;
        case Token::EndElement:
            end();
            break;
        case Token::Characters:
            if (!m_xml.isWhitespace())
                remark(u"the text \"%1\" is left out"_s.arg(
                    oneLine(m_xml.text().left(60).trimmed().toString())));
            break;
        case Token::Comment:
            comment();
            break;
        case Token::ProcessingInstruction:
            remark(u"the processing instruction is left out"_s);
            break;
        case Token::DTD:
            if (!m_xml.entityDeclarations().isEmpty())
                fail(
                    u"expected a document without entities of its own; write out what they stand for"_s);
            else
                remark(u"the document type is left out"_s);
            break;
        default:
            break;
        }
    }

    /// The file's text from the tag that has just been read to the end of its element.
    QString slice()
    {
        const qsizetype begin = tagBegin();
        for (int depth = 1; depth > 0 && !m_xml.atEnd();) {
            const Token token = m_xml.readNext();
            depth += token == Token::StartElement ? 1 : token == Token::EndElement ? -1 : 0;
        }
        return m_text.sliced(
            begin, std::max(qsizetype(m_xml.characterOffset()) - begin, qsizetype(0)));
    }

    /// The reader may have looked at the bracket already.
    qsizetype tagBegin() const
    {
        const qsizetype before = std::clamp(qsizetype(m_before), qsizetype(0), m_text.size());
        if (before > 0 && m_text[before - 1] == u'<')
            return before - 1;
        return std::max(m_text.indexOf(u'<', before), qsizetype(0));
    }

    void comment()
    {
        const qsizetype end = m_xml.characterOffset();
        const qsizetype begin =
            QStringView(m_text).first(std::min(end, m_text.size())).lastIndexOf(u"<!--");
        if (begin < 0)
            return;
        QString &comments = m_open.isEmpty() ? m_outside : m_open.last().comments;
        comments += (comments.isEmpty() ? QString() : u"\n"_s) + m_text.sliced(begin, end - begin);
        if (m_open.isEmpty() && m_isOver)
            append(m.chart.particulars, After, std::exchange(m_outside, QString()));
    }

    void root()
    {
        const bool isNamed = m_xml.name() == u"scxml"
            && (m_xml.namespaceUri() == Namespace || m_xml.namespaceUri().isEmpty());
        if (!isNamed) {
            fail(
                u"expected an SCXML document, whose element is <scxml xmlns=\"%1\">, found <%2>"_s
                    .arg(Namespace.toString(), oneLine(m_xml.qualifiedName().left(60).toString())));
            return;
        }
        m_namespace = m_xml.namespaceUri().toString();
        if (m_namespace.isEmpty())
            remark(u"the document has no namespace; it is written with that of SCXML"_s, false);
        m_open.append(Frame());
        m.chart.waitsForFinals = own(u"waitsForFinals") == u"true";
        m.chart.title = own(u"title");
        const QString name = attribute(u"name"_s);
        m.chart.id = hasOwn(u"id") ? own(u"id")
            : name.isEmpty()       ? QFileInfo(m_file).completeBaseName()
                                   : name;
        m.chart.particulars = unpacked(own(u"kept"));
        m.chart.hasExpressions = own(u"conditions") != u"names";
        if (!m_outside.isEmpty())
            append(m.chart.particulars, Before, std::exchange(m_outside, QString()));
        keepAttributes(m.chart.particulars, { u"name"_s, u"initial"_s });
        addInitial();
    }

    QString own(QStringView name) const
    {
        return m_xml.attributes().value(OwnNamespace.toString(), name.toString()).toString();
    }
    bool hasOwn(QStringView name) const
    {
        return m_xml.attributes().hasAttribute(OwnNamespace.toString(), name.toString());
    }
    QString attribute(const QString &name) const
    {
        return m_xml.attributes().value(name).toString();
    }

    /// Attributes that mean nothing to us, and prefixes.
    void keepAttributes(Particulars &particulars, const QStringList &known)
    {
        const bool isRoot = m_open.size() == 1 && &particulars == &m.chart.particulars;
        for (const QXmlStreamAttribute &each : m_xml.attributes()) {
            const QString name = each.qualifiedName().toString();
            const bool isUsual = isRoot
                && ((name == u"version" && each.value() == u"1.0")
                    || (name == u"datamodel" && own(u"datamodel") == u"made"));
            if (each.namespaceUri() != OwnNamespace && !known.contains(name) && !isUsual)
                particulars.insert(Attribute.toString() + name, each.value().toString());
        }
        for (const QXmlStreamNamespaceDeclaration &each : m_xml.namespaceDeclarations()) {
            if (!each.prefix().isEmpty() && each.namespaceUri() != OwnNamespace)
                particulars.insert(
                    Prefix.toString() + each.prefix().toString(), each.namespaceUri().toString());
        }
    }

    /// The attribute "initial" of the element, if it has one.
    void addInitial()
    {
        const QStringList to = words(attribute(u"initial"_s));
        if (to.isEmpty())
            return;
        Draft::DraftVertex made { .parent = m_open.last().vertex, .isMade = true };
        made.vertex.kind = Kind::Initial;
        made.vertex.isNamed = false;
        made.vertex.line = line();
        made.vertex.place = placeOf(u"initialPlace");
        m_open.last().made = int(m.vertices.size());
        Draft::DraftArc arc { .from = int(m.vertices.size()) };
        arc.arc.to = to;
        arc.arc.line = line();
        m.vertices.append(made);
        m.arcs.append(arc);
    }

    std::optional<QRectF> placeOf(QStringView name)
    {
        if (!hasOwn(name))
            return {};
        if (const std::optional<QRectF> place = placeIn(own(name)))
            return place;
        remark(u"expected a place of four numbers, found \"%1\"; it is left out"_s.arg(
            oneLine(own(name).left(60))));
        return {};
    }

    void element()
    {
        if (m_xml.namespaceUri() == OwnNamespace) {
            ownElement();
            return;
        }
        if (m_xml.namespaceUri() != m_namespace) {
            keepOther();
            return;
        }
        const QString name = m_xml.name().toString();
        const bool holdsStates = !m_open.last().isInitial;
        if (name == u"transition" && m_open.last().vertex >= 0)
            transition();
        else if (name == u"state" && holdsStates)
            open(kindOf(own(u"kind")));
        else if (name == u"parallel" && holdsStates)
            openParallel();
        else if (name == u"final" && holdsStates)
            open(Kind::Final);
        else if (name == u"history" && holdsStates)
            open(historyKind());
        else if (name == u"initial" && holdsStates)
            openInitial();
        else if (name == u"datamodel" && own(u"made") == u"true")
            slice();
        else if (keptElements().contains(name))
            keep(u"scxml."_s + name);
        else
            keepUnknown();
    }

    void keep(const QString &key)
    {
        QString comments = std::exchange(m_open.last().comments, QString());
        if (!comments.isEmpty())
            comments += u'\n';
        const QString xml = slice();
        append(particulars(m_open.last()), key, comments + xml);
    }

    void keepUnknown()
    {
        remark(u"<%1> is no element that SCXML has here; it is kept as it is"_s.arg(
                   oneLine(m_xml.name().left(60).toString())),
            false);
        keep(Other.toString());
    }

    /// Of another namespace; Qt Creator's says where things are.
    void keepOther()
    {
        const bool isPlace = m_xml.namespaceUri() == QtNamespace && m_xml.name() == u"editorinfo";
        QString comments = std::exchange(m_open.last().comments, QString());
        const QString xml = slice();
        Frame &frame = m_open.last();
        append(particulars(frame), Other, comments.isEmpty() ? xml : comments + u'\n' + xml);
        if (!isPlace)
            return;
        const EditorPlace place = editorPlace(xml, frame.position);
        frame.position = place.position;
        if (frame.vertex >= 0 && !frame.hasPlace && place.rect)
            m.vertices[frame.vertex].vertex.place = place.rect;
        if (frame.made >= 0 && !m.vertices[frame.made].vertex.place)
            m.vertices[frame.made].vertex.place = place.initial;
    }

    void ownElement()
    {
        const QString name = m_xml.name().toString();
        if (name == u"note") {
            Note note { .of = attribute(u"of"_s), .side = attribute(u"side"_s) };
            note.particulars = unpacked(attribute(u"kept"_s));
            note.lines = m_xml.attributes().hasAttribute(u"lines"_s) ? lines(attribute(u"lines"_s))
                                                                     : QStringList();
            m_xml.skipCurrentElement();
            m.chart.notes.append(note);
        } else {
            remark(u"<instar:%1> is unknown; it is left out"_s.arg(oneLine(name.left(60))));
            m_xml.skipCurrentElement();
        }
    }

    Kind historyKind()
    {
        const QString type = attribute(u"type"_s);
        if (type != u"deep" && type != u"shallow" && !type.isEmpty())
            remark(u"expected \"shallow\" or \"deep\", found \"%1\"; it is read as shallow"_s.arg(
                oneLine(type.left(60))));
        return type == u"deep" ? Kind::DeepHistory : Kind::ShallowHistory;
    }

    void open(Kind kind)
    {
        if (m_open.size() > DeepestChart) {
            fail(u"expected states at most %1 deep in each other, found more"_s.arg(DeepestChart));
            return;
        }
        static const QStringList known { u"id"_s, u"initial"_s };
        const bool isHistory = kind == Kind::DeepHistory || kind == Kind::ShallowHistory;
        addVertex(kind, isHistory ? known + QStringList { u"type"_s } : known);
        if (kind != Kind::Parallel && kind != Kind::Final && !isHistory)
            addInitial();
    }

    void openParallel()
    {
        if (m_xml.attributes().hasAttribute(u"initial"_s))
            remark(u"<parallel> has no \"initial\", for all its regions begin; \"%1\" is left out"_s
                       .arg(oneLine(attribute(u"initial"_s).left(60))));
        open(Kind::Parallel);
    }

    void addVertex(Kind kind, const QStringList &known)
    {
        Draft::DraftVertex draft { .parent = m_open.last().vertex,
            .name = attribute(u"id"_s).trimmed(),
            .ownId = own(u"id"),
            .lifted = own(u"in") };
        Vertex &vertex = draft.vertex;
        vertex.kind = kind;
        vertex.line = line();
        vertex.label = own(u"label");
        vertex.isNamed = hasOwn(u"named") ? own(u"named") == u"true" : !draft.name.isEmpty();
        if (hasOwn(u"description"))
            vertex.description = lines(own(u"description"));
        vertex.place = placeOf(u"place");
        vertex.particulars = unpacked(own(u"kept"));
        if (QString comments = std::exchange(m_open.last().comments, QString());
            !comments.isEmpty())
            vertex.particulars.insert(Before.toString(), comments);
        keepAttributes(vertex.particulars, known);
        Frame frame { .vertex = int(m.vertices.size()),
            .position = m_open.last().position,
            .hasPlace = vertex.place.has_value() };
        m.vertices.append(draft);
        m_open.append(frame);
    }

    void openInitial()
    {
        if (m_open.last().made >= 0)
            remark(u"there is an attribute \"initial\" already; it comes first"_s, false);
        addVertex(Kind::Initial, {});
        m_open.last().isInitial = true;
    }

    void transition()
    {
        if (own(u"made") == u"true") { // of a history that had to be written as a state
            slice();
            return;
        }
        Draft::DraftArc draft { .from = m_open.last().vertex };
        const Kind kind = m.vertices[draft.from].vertex.kind;
        Arc &arc = draft.arc;
        arc.line = line();
        arc.event = hasOwn(u"event") ? own(u"event") : words(attribute(u"event"_s)).join(u'\n');
        arc.condition = hasOwn(u"condition") ? own(u"condition") : attribute(u"cond"_s);
        arc.to = words(hasOwn(u"target") ? own(u"target") : attribute(u"target"_s));
        arc.action = own(u"action");
        arc.label = own(u"label");
        arc.isInternal = attribute(u"type"_s) == u"internal";
        if (hasOwn(u"note"))
            arc.note = lines(own(u"note"));
        arc.particulars = unpacked(own(u"kept"));
        if (QString comments = std::exchange(m_open.last().comments, QString());
            !comments.isEmpty())
            arc.particulars.insert(Before.toString(), comments);
        keepAttributes(arc.particulars, { u"event"_s, u"cond"_s, u"target"_s, u"type"_s });
        if (const QString type = attribute(u"type"_s);
            !type.isEmpty() && type != u"internal" && type != u"external")
            remark(u"expected \"internal\" or \"external\", found \"%1\"; it is read as external"_s
                       .arg(oneLine(type.left(60))));
        const qsizetype begin = m_xml.characterOffset();
        const QString xml = slice();
        const qsizetype inner = xml.size() - (qsizetype(m_xml.characterOffset()) - begin);
        const qsizetype end = xml.lastIndexOf(u"</");
        if (const QString content =
                end > inner ? xml.sliced(inner, end - inner).trimmed() : QString();
            !content.isEmpty())
            arc.particulars.insert(Content.toString(), content);
        if (kind == Kind::Final)
            m.remarks.append(
                { arc.line, u"nothing leaves a final state; the transition is left out"_s });
        else
            m.arcs.append(draft);
    }

    void end()
    {
        if (m_open.isEmpty())
            return;
        const Frame frame = m_open.takeLast();
        if (!frame.comments.isEmpty())
            append(particulars(frame), AtEnd, frame.comments);
        m_isOver = m_open.isEmpty();
    }

    const QString &m_text;
    QString m_file;
    QXmlStreamReader m_xml;
    qint64 m_before = 0; ///< where the token began that has been read last
    QList<Frame> m_open;
    QString m_namespace;
    QString m_outside; ///< comments outside the document element
    bool m_isOver = false;
    Draft m;
    QString m_error;
};

} // namespace

} // namespace scxml

Result<StatechartsRead> readScxml(const QByteArray &bytes, const QString &file)
{
    const Result<QString> text = xmlDecoded(bytes, file);
    if (!text)
        return Error { text.error() };
    return scxml::Reader(*text, file).read();
}

} // namespace instar
