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

/// XML tokenizer that can also return elements unparsed.
/// The text must outlive it.
class XmlSource
{
public:
    using Token = QXmlStreamReader::TokenType;

    explicit XmlSource(const QString &text) : m_text(text), m_xml(text) { }

    Token next()
    {
        m_before = m_xml.characterOffset();
        return m_xml.readNext();
    }

    /// The current token.
    const QXmlStreamReader &token() const { return m_xml; }
    int line() const { return int(m_xml.lineNumber()); }

    // Call these at the start of an element; they read to its end.

    QString element()
    {
        const qsizetype begin = tagBegin();
        m_xml.skipCurrentElement();
        return m_text.sliced(
            begin, std::max(qsizetype(m_xml.characterOffset()) - begin, qsizetype(0)));
    }

    /// The trimmed text between its tags.
    QString content()
    {
        const qsizetype begin = m_xml.characterOffset();
        const QString xml = element();
        const qsizetype inner = xml.size() - (qsizetype(m_xml.characterOffset()) - begin);
        const qsizetype end = xml.lastIndexOf(u"</");
        return end > inner ? xml.sliced(inner, end - inner).trimmed() : QString();
    }

    void skip() { m_xml.skipCurrentElement(); }

private:
    /// Offset of the current tag; the reader may have consumed its bracket already.
    qsizetype tagBegin() const
    {
        const qsizetype before = std::clamp(qsizetype(m_before), qsizetype(0), m_text.size());
        if (before > 0 && m_text[before - 1] == u'<')
            return before - 1;
        return std::max(m_text.indexOf(u'<', before), qsizetype(0));
    }

    const QString &m_text;
    QXmlStreamReader m_xml;
    qint64 m_before = 0; ///< begin of the current token
};

/// Attributes of the current start tag: those of SCXML and those of
/// Instar's namespace.
class StartTag
{
public:
    explicit StartTag(const QXmlStreamReader &xml) : m_xml(xml) { }

    bool has(const QString &name) const { return m_xml.attributes().hasAttribute(name); }

    QString attribute(const QString &name) const
    {
        return m_xml.attributes().value(name).toString();
    }

    /// An attribute that is a list of words.
    QStringList words(const QString &name) const { return wordsOf(attribute(name)); }

    /// An attribute of Instar's namespace that holds lines.
    QStringList lines(QStringView name) const
    {
        return hasOwn(name) ? own(name).split(u'\n') : QStringList();
    }

    bool hasOwn(QStringView name) const
    {
        return m_xml.attributes().hasAttribute(OwnNamespace.toString(), name.toString());
    }

    QString own(QStringView name) const
    {
        return m_xml.attributes().value(OwnNamespace.toString(), name.toString()).toString();
    }

    /// Keeps the attributes of SCXML except the known ones, and the prefixes,
    /// which executable content may use.
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

    /// The vertex without id, parent and place.
    Vertex vertex(Vertex::Kind kind) const
    {
        Vertex vertex { .kind = kind, .label = own(u"label"), .line = int(m_xml.lineNumber()) };
        const bool hasName = !attribute(u"id"_s).trimmed().isEmpty();
        vertex.isNamed = hasOwn(u"named") ? own(u"named") == u"true" : hasName;
        vertex.description = lines(u"description");
        vertex.look = lookOfCss(own(u"look"));
        return vertex;
    }

    /// The arc without its source; `to` are names in the file.
    Arc arc() const
    {
        Arc arc;
        arc.line = int(m_xml.lineNumber());
        arc.event = hasOwn(u"event") ? own(u"event") : words(u"event"_s).join(u'\n');
        arc.condition = hasOwn(u"condition") ? own(u"condition") : attribute(u"cond"_s);
        arc.to = hasOwn(u"target") ? wordsOf(own(u"target")) : words(u"target"_s);
        arc.action = own(u"action");
        arc.label = own(u"label");
        arc.isInternal = attribute(u"type"_s) == u"internal";
        arc.note = lines(u"note");
        arc.look = lookOfCss(own(u"look"));
        arc.towards = towardsOf(own(u"towards"));
        return arc;
    }

    Note note() const
    {
        Note note { .of = attribute(u"of"_s), .side = attribute(u"side"_s) };
        if (has(u"lines"_s))
            note.lines = attribute(u"lines"_s).split(u'\n');
        return note;
    }

private:
    const QXmlStreamReader &m_xml;
};

using Token = XmlSource::Token;

constexpr qsizetype mostDiagnostics = 1000; ///< a hostile file could have millions

/// Appends to an unparsed text.
void append(Particulars &particulars, QStringView key, const QString &xml)
{
    QString &text = particulars[key.toString()];
    text += text.isEmpty() ? xml : u'\n' + xml;
}

QStringView usualWord(Kind kind)
{
    switch (kind) {
    case Kind::Initial:
        return u"initial";
    case Kind::Final:
        return u"final";
    case Kind::Parallel:
        return u"parallel";
    case Kind::ShallowHistory:
    case Kind::DeepHistory:
        return u"history";
    default:
        return u"state";
    }
}

/// True for kinds with completion events.
bool isState(Kind kind)
{
    return kind == Kind::State || kind == Kind::Parallel;
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

    /// Resolves names, in preorder; removes arcs to unknown names, with a remark.
    StatechartsRead finished()
    {
        for (int i = 0; i < vertices.size(); ++i) {
            DraftVertex &each = vertices[i];
            if (each.name.isEmpty())
                continue;
            const auto known = m_byName.constFind(each.name);
            if (known != m_byName.constEnd()) {
                remarks.append({ each.vertex.line,
                    u"the id %1 is also that of line %2; this state gets another id, and no arrow leads to it"_s
                        .arg(quoted(each.name))
                        .arg(vertices[*known].vertex.line) });
                each.name.clear();
                continue;
            }
            m_byName.insert(each.name, i);
        }
        dropInitials();
        sort();
        nameAll();
        resolve();
        std::ranges::stable_sort(remarks, {}, &Diagnostic::line);
        return { { chart }, remarks };
    }

private:
    /// Removes initial vertices of attributes that name one that was written as a
    /// state, or an unknown one.
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
        for (const int index : std::as_const(m_order)) {
            DraftVertex &each = vertices[index];
            each.vertex.parent = each.parent < 0 ? QString() : vertices[each.parent].vertex.id;
            if (!each.vertex.id.isEmpty())
                continue;
            each.vertex.isNamed = false;
            const auto made = isState(each.vertex.kind) ? madeUpStateId : madeUpId;
            qsizetype &number = tried[made(each.vertex.parent, usualWord(each.vertex.kind), 1)];
            do {
                each.vertex.id = made(each.vertex.parent, usualWord(each.vertex.kind), ++number);
            } while (taken.contains(each.vertex.id));
            taken.insert(each.vertex.id);
        }
        for (const int index : std::as_const(m_order))
            chart.vertices.append(vertices[index].vertex);
        for (Note &note : chart.notes) {
            const int of = note.of.isEmpty() ? -1 : find(note.of, 0, u"end of a note at it"_s);
            note.of = of < 0 ? QString() : vertices[of].vertex.id;
        }
    }

    void sort()
    {
        QList<QList<int>> inside(vertices.size() + 1); // by parent + 1
        for (int i = 0; i < vertices.size(); ++i) {
            if (!vertices[i].isDropped)
                inside[vertices[i].parent + 1] += i;
        }
        m_rank.resize(vertices.size());
        QList<int> open;
        const auto push = [&](int parent) {
            const QList<int> &children = inside[parent + 1];
            for (qsizetype i = children.size(); i-- > 0;)
                open += children[i];
        };
        push(-1);
        while (!open.isEmpty()) {
            const int at = open.takeLast();
            m_rank[at] = int(m_order.size());
            m_order += at;
            push(at);
        }
    }

    void resolve()
    {
        std::ranges::stable_sort(
            arcs, {}, [this](const DraftArc &each) { return m_rank[each.from]; });
        for (DraftArc &each : arcs) {
            QStringList to;
            for (const QString &name : std::as_const(each.arc.to)) {
                const int target = find(name, each.arc.line, u"transition to it"_s);
                if (target >= 0)
                    to += vertices[target].vertex.id;
            }
            if (to.isEmpty() && !each.arc.to.isEmpty())
                continue;
            each.arc.to = to;
            each.arc.from = vertices[each.from].vertex.id;
            chart.arcs.append(each.arc);
        }
    }

    int find(const QString &name, int line, const QString &what)
    {
        const auto found = m_byName.constFind(name);
        if (found != m_byName.constEnd())
            return *found;
        remarks.append(
            { line, u"there is no state %1; the %2 is left out"_s.arg(quoted(name), what) });
        return -1;
    }

    QHash<QString, int> m_byName;
    QList<int> m_order; ///< vertices in preorder
    QList<int> m_rank;  ///< vertex -> index in preorder
};

class Reader
{
public:
    Reader(const QString &text, const QString &file)
        : m_file(file), m_source(text), m_xml(m_source.token()), m_tag(m_xml)
    { }

    Result<StatechartsRead> read()
    {
        while (!m_xml.atEnd() && m_error.isEmpty())
            take(m_source.next());
        if (m_error.isEmpty() && m_xml.hasError())
            fail(u"expected well-formed XML: %1"_s.arg(oneLine(m_xml.errorString())));
        if (!m_error.isEmpty())
            return Error { m_error };
        m.chart.asides = m_asides.diagnostics();
        return m.finished();
    }

private:
    /// Open element.
    struct Frame
    {
        int vertex = -1;         ///< -1: the chart
        bool isInitial = false;  ///< an element "initial"
        bool hasInitial = false; ///< has an attribute "initial"
    };

    int line() const { return m_source.line(); }
    void fail(const QString &text) { m_error = u"%1:%2: %3"_s.arg(m_file).arg(line()).arg(text); }
    void loss(const QString &text) { report(text, Diagnostic::Severity::Warning); }
    void note(const QString &text) { report(text, Diagnostic::Severity::Note); }
    void report(const QString &text, Diagnostic::Severity severity)
    {
        if (m.remarks.size() < mostDiagnostics)
            m.remarks.append({ line(), text, severity });
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
                loss(u"the text \"%1\" is left out"_s.arg(
                    oneLine(m_xml.text().left(60).trimmed().toString())));
            break;
        case Token::Comment:
            m_asides.add(u"a comment"_s, m_xml.text().toString(), line());
            break;
        case Token::ProcessingInstruction:
            loss(u"the processing instruction is left out"_s);
            break;
        case Token::DTD:
            if (!m_xml.entityDeclarations().isEmpty())
                fail(u"expected a document without entities; replace them by their text"_s);
            else
                loss(u"the document type is left out"_s);
            break;
        default:
            break;
        }
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
            note(u"the document has no namespace; it is written with that of SCXML"_s);
        m_open.append(Frame());
        m.chart.waitsForFinals = m_tag.own(u"waitsForFinals") == u"true";
        m.chart.title = m_tag.own(u"title");
        m.chart.id = m_tag.hasOwn(u"id") ? m_tag.own(u"id") : m_tag.attribute(u"name"_s);
        m.chart.direction = m_tag.own(u"direction") == u"right" ? ChartDirection::Right
            : m_tag.own(u"direction") == u"down"                ? ChartDirection::Down
                                                                : ChartDirection::Unsaid;
        m.chart.hasExpressions = m_tag.own(u"conditions") != u"names";
        QStringList known { u"name"_s, u"initial"_s };
        if (m_tag.attribute(u"version"_s) == u"1.0")
            known += u"version"_s;
        if (m_tag.own(u"datamodel") == u"made")
            known += u"datamodel"_s;
        m_tag.keepOthers(m.chart.particulars, known);
        addInitial();
    }

    /// Adds a vertex for the attribute "initial", if the element has it.
    void addInitial()
    {
        const QStringList to = m_tag.words(u"initial"_s);
        if (to.isEmpty())
            return;
        Draft::DraftVertex made { .parent = m_open.last().vertex, .isMade = true };
        made.vertex.kind = Kind::Initial;
        made.vertex.isNamed = false;
        made.vertex.line = line();
        made.vertex.place = placeOf(u"initialPlace");
        m_open.last().hasInitial = true;
        Draft::DraftArc arc { .from = int(m.vertices.size()) };
        arc.arc.to = to;
        arc.arc.line = line();
        m.vertices.append(made);
        m.arcs.append(arc);
    }

    std::optional<QRectF> placeOf(QStringView name)
    {
        if (!m_tag.hasOwn(name))
            return {};
        if (const std::optional<QRectF> place = placeIn(m_tag.own(name)))
            return place;
        loss(u"expected a position of four numbers, found \"%1\"; it is left out"_s.arg(
            oneLine(m_tag.own(name).left(60))));
        return {};
    }

    void element()
    {
        if (m_xml.namespaceUri() == OwnNamespace) {
            ownElement();
            return;
        }
        if (m_xml.namespaceUri() != m_namespace) {
            m_asides.add(u"an element of another namespace"_s, m_source.element(), line());
            return;
        }
        const QString name = m_xml.name().toString();
        const bool holdsStates = !m_open.last().isInitial;
        if (name == u"transition" && m_open.last().vertex >= 0)
            transition();
        else if (name == u"state" && holdsStates)
            open(kindOf(m_tag.own(u"kind")));
        else if (name == u"parallel" && holdsStates)
            openParallel();
        else if (name == u"final" && holdsStates)
            open(Kind::Final);
        else if (name == u"history" && holdsStates)
            open(historyKind());
        else if (name == u"initial" && holdsStates)
            openInitial();
        else if (name == u"datamodel" && m_tag.own(u"made") == u"true")
            m_source.element();
        else if (keptElements().contains(name))
            keep(u"scxml."_s + name);
        else
            keepUnknown();
    }

    /// Keeps the element unparsed.
    void keep(const QString &key) { append(particulars(m_open.last()), key, m_source.element()); }

    void keepUnknown()
    {
        loss(u"SCXML has no element <%1> here; it is left out"_s.arg(
            oneLine(m_xml.name().left(60).toString())));
        m_source.skip();
    }

    void ownElement()
    {
        const QString name = m_xml.name().toString();
        if (name == u"note")
            m.chart.notes.append(m_tag.note());
        else
            loss(u"<instar:%1> is unknown; it is left out"_s.arg(oneLine(name.left(60))));
        m_source.skip();
    }

    Kind historyKind()
    {
        const QString type = m_tag.attribute(u"type"_s);
        if (type != u"deep" && type != u"shallow" && !type.isEmpty())
            loss(u"expected \"shallow\" or \"deep\", found \"%1\"; it is read as shallow"_s.arg(
                oneLine(type.left(60))));
        return type == u"deep" ? Kind::DeepHistory : Kind::ShallowHistory;
    }

    void open(Kind kind)
    {
        if (m_open.size() > DeepestChart) {
            fail(u"expected states nested at most %1 deep, found more"_s.arg(DeepestChart));
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
        if (m_tag.has(u"initial"_s))
            loss(
                u"<parallel> has no \"initial\" because all its regions begin; \"%1\" is left out"_s
                    .arg(oneLine(m_tag.attribute(u"initial"_s).left(60))));
        open(Kind::Parallel);
    }

    void addVertex(Kind kind, const QStringList &known)
    {
        Draft::DraftVertex draft { .parent = m_open.last().vertex,
            .name = m_tag.attribute(u"id"_s).trimmed(),
            .ownId = m_tag.own(u"id") };
        Vertex &vertex = draft.vertex;
        vertex = m_tag.vertex(kind);
        vertex.place = placeOf(u"place");
        m_tag.keepOthers(vertex.particulars, known);
        m_open.append(Frame { .vertex = int(m.vertices.size()) });
        m.vertices.append(draft);
    }

    void openInitial()
    {
        if (m_open.last().hasInitial)
            note(u"there is also an attribute \"initial\", which takes precedence"_s);
        addVertex(Kind::Initial, {});
        m_open.last().isInitial = true;
    }

    void transition()
    {
        if (m_tag.own(u"made") == u"true") { // arrow of a history that was written as a state
            m_source.element();
            return;
        }
        Draft::DraftArc draft { .arc = m_tag.arc(), .from = m_open.last().vertex };
        const Kind kind = m.vertices[draft.from].vertex.kind;
        Arc &arc = draft.arc;
        m_tag.keepOthers(arc.particulars, { u"event"_s, u"cond"_s, u"target"_s, u"type"_s });
        if (const QString type = m_tag.attribute(u"type"_s);
            !type.isEmpty() && type != u"internal" && type != u"external")
            loss(u"expected \"internal\" or \"external\", found \"%1\"; it is read as external"_s
                     .arg(oneLine(type.left(60))));
        if (const QString content = m_source.content(); !content.isEmpty())
            arc.particulars.insert(Content.toString(), content);
        if (kind == Kind::Final)
            m.remarks.append(
                { arc.line, u"nothing leaves a final state; the transition is left out"_s });
        else
            m.arcs.append(draft);
    }

    void end()
    {
        if (!m_open.isEmpty())
            m_open.removeLast();
    }

    QString m_file;
    XmlSource m_source;
    const QXmlStreamReader &m_xml;
    StartTag m_tag;
    QList<Frame> m_open;
    QString m_namespace;
    ChartLosses m_asides { u" is left out"_s };
    Draft m;
    QString m_error;
};

} // namespace

} // namespace scxml

Result<StatechartsRead> readScxml(const QByteArray &bytes, const QString &file)
{
    const Result<QString> text = scxml::xmlDecoded(bytes, file);
    if (!text)
        return Error { text.error() };
    return scxml::Reader(*text, file).read();
}

} // namespace instar
