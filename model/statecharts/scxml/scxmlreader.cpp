// SPDX-License-Identifier: Apache-2.0
#include "model/json/reading.h"
#include "model/statecharts/chartplan.h"
#include "model/statecharts/notation/chartlook.h"
#include "model/statecharts/notation/chartlosses.h"
#include "model/statecharts/notation/notations.h"
#include "model/statecharts/scxml/scxmlwords.h"
#include "model/statecharts/statechart.h"

#include <QHash>
#include <QSet>
#include <QStringDecoder>
#include <QXmlStreamReader>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace scxml {

namespace {

using Kind = Vertex::Kind;

QStringList wordsOf(const QString &text)
{
    return text.simplified().split(u' ', Qt::SkipEmptyParts);
}

std::optional<QRectF> placeIn(const QString &text)
{
    QList<double> numbers;
    for (const QString &part : wordsOf(text)) {
        bool isNumber = false;
        numbers += part.toDouble(&isNumber);
        if (!isNumber || !qIsFinite(numbers.last()))
            return {};
    }
    if (numbers.size() != 4)
        return {};
    return QRectF(numbers[0], numbers[1], numbers[2], numbers[3]);
}

constexpr qsizetype mostDiagnostics = 1000; ///< a hostile file could have millions

/// Word for a vertex without a name.
QStringView usualWord(Kind kind)
{
    return kind == Kind::Initial ? u"initial"
        : kind == Kind::Final    ? u"final"
        : kind == Kind::Parallel ? u"parallel"
        : isHistory(kind)        ? u"history"
                                 : u"state";
}

QString quoted(const QString &name)
{
    return u'"' + oneLine(name.left(100)) + u'"';
}

/// Statechart before names are resolved: vertices are numbers, and arcs lead to
/// names, which may be declared later.
struct Draft
{
    struct DraftVertex
    {
        Vertex vertex;
        int parent = -1;     ///< -1: the chart
        QString name;        ///< in the file; empty: none
        QString ownId;       ///< id, if the file's name could not be it
        bool isMade = false; ///< initial vertex made from the attribute "initial"
        bool isDropped = false;
    };
    struct DraftArc
    {
        Arc arc; ///< `to`: names in the file
        int from = -1;
    };
    Statechart chart;
    QList<DraftVertex> vertices; ///< in document order
    QList<DraftArc> arcs;
    QList<Diagnostic> remarks;

    /// Resolves names; removes arcs to unknown names, with a remark.
    StatechartsRead finished()
    {
        for (int i = 0; i < vertices.size(); ++i) {
            DraftVertex &each = vertices[i];
            if (each.name.isEmpty())
                continue;
            const auto known = m_byName.constFind(each.name);
            if (known != m_byName.constEnd()) {
                remarks.append({ each.vertex.line,
                    u"the id %1 is already used in line %2; this state gets another id, and no arrow leads to this state"_s
                        .arg(quoted(each.name))
                        .arg(vertices[*known].vertex.line) });
                each.name.clear();
                continue;
            }
            m_byName.insert(each.name, i);
        }
        dropInitials();
        nameAll();
        resolve();
        std::ranges::stable_sort(remarks, {}, &Diagnostic::line);
        return { { chart }, remarks };
    }

private:
    /// Removes the initial vertex of an attribute that names an unknown state, or an initial vertex
    /// that was written as a state.
    void dropInitials()
    {
        arcs.removeIf([this](const DraftArc &each) {
            DraftVertex &from = vertices[each.from];
            if (!from.isMade)
                return false;
            const int to = each.arc.to.size() == 1 ? m_byName.value(each.arc.to.first(), -1) : -1;
            const bool isOurs = to >= 0 && vertices[to].vertex.kind == Kind::Initial
                && vertices[to].parent == from.parent;
            const bool isUnknown = std::ranges::none_of(
                each.arc.to, [&](const QString &name) { return m_byName.contains(name); });
            if (isUnknown)
                remarks.append({ each.arc.line,
                    u"the initial state %1 does not exist; the first state is taken"_s.arg(
                        quoted(each.arc.to.join(u' '))) });
            from.isDropped = isOurs || isUnknown;
            return from.isDropped;
        });
    }

    void nameAll()
    {
        QSet<QString> taken;
        for (DraftVertex &each : vertices) {
            each.vertex.id =
                each.ownId.isEmpty() || taken.contains(each.ownId) ? each.name : each.ownId;
            if (taken.contains(each.vertex.id))
                each.vertex.id.clear();
            if (!each.vertex.id.isEmpty())
                taken.insert(each.vertex.id);
        }
        QHash<QString, qsizetype> tried;
        for (DraftVertex &each : vertices) { // parents come before their children
            each.vertex.parent = each.parent < 0 ? QString() : vertices[each.parent].vertex.id;
            if (!each.vertex.id.isEmpty() || each.isDropped)
                continue;
            each.vertex.isNamed = false;
            const Kind kind = each.vertex.kind;
            const char *const between = idSeparator(kind);
            const QString first = madeUpId(each.vertex.parent, usualWord(kind), between);
            qsizetype &number = tried[first];
            do {
                each.vertex.id = number++ == 0
                    ? first
                    : first + QLatin1StringView(between) + QString::number(number);
            } while (taken.contains(each.vertex.id));
            taken.insert(each.vertex.id);
        }
        for (const DraftVertex &each : std::as_const(vertices))
            if (!each.isDropped)
                chart.vertices.append(each.vertex);
        for (Note &note : chart.notes)
            if (!note.of.isEmpty())
                note.of = idOf(note.of, 0, u"end of a note at it"_s);
    }

    void resolve()
    {
        std::ranges::stable_sort(arcs, {}, &DraftArc::from);
        for (DraftArc &each : arcs) {
            QStringList to;
            for (const QString &name : std::as_const(each.arc.to)) {
                if (const QString id = idOf(name, each.arc.line, u"transition to it"_s);
                    !id.isEmpty())
                    to += id;
            }
            if (to.isEmpty() && !each.arc.to.isEmpty())
                continue;
            each.arc.to = to;
            each.arc.from = vertices[each.from].vertex.id;
            chart.arcs.append(each.arc);
        }
    }

    /// Id of the vertex with a name in the file; empty: there is none, which is reported.
    QString idOf(const QString &name, int line, const QString &what)
    {
        const auto found = m_byName.constFind(name);
        if (found != m_byName.constEnd())
            return vertices[*found].vertex.id;
        remarks.append(
            { line, u"there is no state %1; the %2 is left out"_s.arg(quoted(name), what) });
        return {};
    }

    QHash<QString, int> m_byName;
};

class Reader
{
public:
    Reader(const QString &text, const QString &file) : m_file(file), m_text(text), m_xml(text) { }

    Result<StatechartsRead> read()
    {
        while (!m_xml.atEnd() && m_error.isEmpty()) {
            m_before = m_xml.characterOffset();
            take(m_xml.readNext());
        }
        if (m_error.isEmpty() && m_xml.hasError())
            fail(u"expected well-formed XML: %1"_s.arg(oneLine(m_xml.errorString())));
        if (!m_error.isEmpty())
            return Error { m_error };
        m.chart.asides = m_asides.diagnostics();
        return m.finished();
    }

private:
    int line() const { return int(m_xml.lineNumber()); }
    void fail(const QString &text) { m_error = u"%1:%2: %3"_s.arg(m_file).arg(line()).arg(text); }
    void loss(const QString &text, Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        if (m.remarks.size() < mostDiagnostics)
            m.remarks.append({ line(), text, severity });
    }

    void take(QXmlStreamReader::TokenType token)
    {
        switch (token) {
        case QXmlStreamReader::StartElement:
            if (m_open.isEmpty())
                root();
            else
                element();
            break;
        case QXmlStreamReader::EndElement:
            if (!m_open.isEmpty())
                m_open.removeLast();
            break;
        case QXmlStreamReader::Characters:
            if (!m_xml.isWhitespace())
                loss(u"the text \"%1\" is left out"_s.arg(
                    oneLine(m_xml.text().left(60).trimmed().toString())));
            break;
        case QXmlStreamReader::Comment:
            m_asides.add(u"a comment"_s, m_xml.text().toString(), line());
            break;
        case QXmlStreamReader::ProcessingInstruction:
            loss(u"the processing instruction is left out"_s);
            break;
        case QXmlStreamReader::DTD:
            if (!m_xml.entityDeclarations().isEmpty())
                fail(u"expected a document without entities; replace them by their text"_s);
            break;
        default:
            break;
        }
    }

    // Attributes of the current start tag: those of SCXML, and those of Instar's namespace.

    QString attribute(const QString &name) const
    {
        return m_xml.attributes().value(name).toString();
    }
    QStringList words(const QString &name) const { return wordsOf(attribute(name)); }
    bool hasOwn(QStringView name) const
    {
        return m_xml.attributes().hasAttribute(OwnNamespace.toString(), name.toString());
    }
    QString own(QStringView name) const
    {
        return m_xml.attributes().value(OwnNamespace.toString(), name.toString()).toString();
    }
    /// An attribute of Instar's namespace that holds lines.
    QStringList lines(QStringView name) const
    {
        return hasOwn(name) ? own(name).split(u'\n') : QStringList();
    }

    /// Keeps the attributes of SCXML except the known ones, and the prefixes, which executable
    /// content may use.
    void keepOthers(Particulars &particulars, const QStringList &known) const
    {
        for (const QXmlStreamAttribute &each : m_xml.attributes()) {
            const QString name = each.qualifiedName().toString();
            if (each.namespaceUri().isEmpty() && !known.contains(name))
                particulars.insert(Attribute.toString() + name, each.value().toString());
        }
        for (const QXmlStreamNamespaceDeclaration &each : m_xml.namespaceDeclarations()) {
            if (!each.prefix().isEmpty() && each.prefix() != OwnPrefix
                && each.namespaceUri() != OwnNamespace)
                particulars.insert(
                    Prefix.toString() + each.prefix().toString(), each.namespaceUri().toString());
        }
    }

    /// Reads the current element to its end, and returns it unparsed.
    QString elementText()
    {
        // The reader may have consumed the bracket of the tag already.
        const qsizetype before = std::clamp(qsizetype(m_before), qsizetype(0), m_text.size());
        const qsizetype begin = before > 0 && m_text[before - 1] == u'<'
            ? before - 1
            : std::max(m_text.indexOf(u'<', before), qsizetype(0));
        m_xml.skipCurrentElement();
        return m_text.sliced(
            begin, std::max(qsizetype(m_xml.characterOffset()) - begin, qsizetype(0)));
    }

    /// The same for the trimmed text between its tags.
    QString contentText()
    {
        const qsizetype begin = m_xml.characterOffset();
        const QString xml = elementText();
        const qsizetype inner = xml.size() - (qsizetype(m_xml.characterOffset()) - begin);
        const qsizetype end = xml.lastIndexOf(u"</");
        return end > inner ? xml.sliced(inner, end - inner).trimmed() : QString();
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
            loss(u"the document has no namespace; it is saved with the namespace of SCXML"_s,
                Diagnostic::Severity::Note);
        m_open.append(-1);
        m.chart.waitsForFinals = own(u"waitsForFinals") == u"true";
        m.chart.title = own(u"title");
        m.chart.id = hasOwn(u"id") ? own(u"id") : attribute(u"name"_s);
        m.chart.direction = own(u"direction") == u"right" ? ChartDirection::Right
            : own(u"direction") == u"down"                ? ChartDirection::Down
                                                          : ChartDirection::Unsaid;
        m.chart.hasExpressions = own(u"conditions") != u"names";
        QStringList known { u"name"_s, u"initial"_s };
        if (attribute(u"version"_s) == u"1.0")
            known += u"version"_s;
        if (own(u"datamodel") == u"made")
            known += u"datamodel"_s;
        keepOthers(m.chart.particulars, known);
        addInitial();
    }

    /// Adds a vertex for the attribute "initial", if the element has it.
    void addInitial()
    {
        const QStringList to = words(u"initial"_s);
        if (to.isEmpty())
            return;
        Draft::DraftVertex made { .parent = m_open.last(), .isMade = true };
        made.vertex.kind = Kind::Initial;
        made.vertex.isNamed = false;
        made.vertex.line = line();
        made.vertex.place = placeOf(u"initialPlace");
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
        loss(u"expected a position of four numbers, found \"%1\"; the position is left out"_s.arg(
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
            m_asides.add(u"an element of another namespace"_s, elementText(), line());
            return;
        }
        const QString name = m_xml.name().toString();
        if (name == u"transition" && m_open.last() >= 0)
            transition();
        else if (name == u"state")
            open(kinds().value(own(u"kind"), Kind::State));
        else if (name == u"parallel")
            openParallel();
        else if (name == u"final")
            open(Kind::Final);
        else if (name == u"history")
            open(historyKind());
        else if (name == u"initial")
            open(Kind::Initial);
        else if (name == u"datamodel" && own(u"made") == u"true")
            elementText();
        else if (keptElements().contains(name))
            keep(u"scxml."_s + name);
        else {
            loss(u"the element <%1> is left out: SCXML does not allow it here"_s.arg(
                oneLine(name.left(60))));
            m_xml.skipCurrentElement();
        }
    }

    /// Keeps the element unparsed.
    void keep(const QString &key)
    {
        const int of = m_open.last();
        QString &text = (of < 0 ? m.chart.particulars : m.vertices[of].vertex.particulars)[key];
        text += (text.isEmpty() ? QString() : u"\n"_s) + elementText();
    }

    void ownElement()
    {
        const QString name = m_xml.name().toString();
        if (name == u"note")
            m.chart.notes.append({ .of = attribute(u"of"_s),
                .side = attribute(u"side"_s),
                .lines = m_xml.attributes().hasAttribute(u"lines"_s)
                    ? attribute(u"lines"_s).split(u'\n')
                    : QStringList() });
        else
            loss(u"the unknown element <instar:%1> is left out"_s.arg(oneLine(name.left(60))));
        m_xml.skipCurrentElement();
    }

    Kind historyKind()
    {
        const QString type = attribute(u"type"_s);
        if (type != u"deep" && type != u"shallow" && !type.isEmpty())
            loss(u"expected \"shallow\" or \"deep\", found \"%1\"; the history is read as shallow"_s
                     .arg(oneLine(type.left(60))));
        return type == u"deep" ? Kind::DeepHistory : Kind::ShallowHistory;
    }

    void open(Kind kind)
    {
        if (m_open.size() > DeepestChart) {
            fail(u"expected states nested at most %1 deep, found more"_s.arg(DeepestChart));
            return;
        }
        static const QStringList known { u"id"_s, u"initial"_s };
        addVertex(kind, isHistory(kind) ? known + QStringList { u"type"_s } : known);
        if (kind != Kind::Parallel && kind != Kind::Final && !isHistory(kind))
            addInitial();
    }

    void openParallel()
    {
        if (m_xml.attributes().hasAttribute(u"initial"_s))
            loss(
                u"<parallel> has no \"initial\" because all its regions begin; \"%1\" is left out"_s
                    .arg(oneLine(attribute(u"initial"_s).left(60))));
        open(Kind::Parallel);
    }

    void addVertex(Kind kind, const QStringList &known)
    {
        Draft::DraftVertex draft {
            .parent = m_open.last(), .name = attribute(u"id"_s).trimmed(), .ownId = own(u"id")
        };
        Vertex &vertex = draft.vertex;
        vertex.kind = kind;
        vertex.line = line();
        vertex.label = own(u"label");
        vertex.isNamed = hasOwn(u"named") ? own(u"named") == u"true" : !draft.name.isEmpty();
        vertex.description = lines(u"description");
        vertex.look = lookOfCss(own(u"look"));
        vertex.place = placeOf(u"place");
        keepOthers(vertex.particulars, known);
        m_open.append(int(m.vertices.size()));
        m.vertices.append(draft);
    }

    void transition()
    {
        if (own(u"made") == u"true") { // arrow of a history that was written as a state
            elementText();
            return;
        }
        Draft::DraftArc draft { .from = m_open.last() };
        const Kind kind = m.vertices[draft.from].vertex.kind;
        Arc &arc = draft.arc;
        arc.line = line();
        arc.event = hasOwn(u"event") ? own(u"event") : words(u"event"_s).join(u'\n');
        arc.condition = hasOwn(u"condition") ? own(u"condition") : attribute(u"cond"_s);
        arc.to = hasOwn(u"target") ? wordsOf(own(u"target")) : words(u"target"_s);
        arc.action = own(u"action");
        arc.label = own(u"label");
        arc.isInternal = attribute(u"type"_s) == u"internal";
        arc.note = lines(u"note");
        arc.look = lookOfCss(own(u"look"));
        arc.towards = towardsOf(own(u"towards"));
        keepOthers(arc.particulars, { u"event"_s, u"cond"_s, u"target"_s, u"type"_s });
        if (const QString type = attribute(u"type"_s);
            !type.isEmpty() && type != u"internal" && type != u"external")
            loss(
                u"expected \"internal\" or \"external\", found \"%1\"; the transition is read as external"_s
                    .arg(oneLine(type.left(60))));
        if (const QString content = contentText(); !content.isEmpty())
            arc.particulars.insert(Content.toString(), content);
        if (kind == Kind::Final)
            m.remarks.append({ arc.line,
                u"the transition is left out, because no transition can leave a final state"_s });
        else
            m.arcs.append(draft);
    }

    const QString &m_file, &m_text;
    QXmlStreamReader m_xml;
    qint64 m_before = 0; ///< begin of the current token
    QList<int> m_open;   ///< vertices of the open elements, outermost first; -1: the chart
    QString m_namespace;
    ChartLosses m_asides { u" is left out"_s };
    Draft m;
    QString m_error;
};

} // namespace

} // namespace scxml

Result<StatechartsRead> readScxml(const QByteArray &bytes, const QString &file)
{
    QStringDecoder decoder(
        QStringConverter::encodingForData(bytes, u'<').value_or(QStringConverter::Utf8));
    const QString text = decoder(bytes);
    if (decoder.hasError())
        return Error {
            u"%1:1: expected text in %2, found invalid bytes; save the file as UTF-8"_s.arg(
                file, QString::fromLatin1(decoder.name()))
        };
    return scxml::Reader(text, file).read();
}

} // namespace instar
