// SPDX-License-Identifier: Apache-2.0
#include "model/json/reading.h"
#include "model/pack/nearest.h"
#include "model/statecharts/chartplan.h"
#include "model/statecharts/notation/chartlosses.h"
#include "model/statecharts/notation/notations.h"

#include <QHash>
#include <QLocale>
#include <QSet>
#include <QStringDecoder>
#include <QXmlStreamReader>

#include <algorithm>
#include <utility>

namespace instar {

namespace scxml {

namespace {

using Kind = Vertex::Kind;

constexpr QStringView Namespace = u"http://www.w3.org/2005/07/scxml";
/// Namespace of elements and attributes for facts that SCXML has no form for.
constexpr QStringView OwnNamespace = u"urn:instar:statechart";
constexpr QStringView OwnPrefix = u"instar";

// Keys of ScxmlExtras.
constexpr QStringView Attribute = u"scxml.@";     ///< "scxml.@src": an unparsed attribute
constexpr QStringView Prefix = u"scxml.xmlns:";   ///< namespace of a prefix
constexpr QStringView Content = u"scxml.content"; ///< content of a transition element

/// Kinds that SCXML lacks, by their words in Instar's namespace.
const QMap<QString, Kind> kinds { { u"initial"_s, Kind::Initial },
    { u"history"_s, Kind::ShallowHistory }, { u"deepHistory"_s, Kind::DeepHistory },
    { u"choice"_s, Kind::Choice }, { u"fork"_s, Kind::Fork }, { u"join"_s, Kind::Join },
    { u"entry"_s, Kind::Entry }, { u"exit"_s, Kind::Exit } };

QStringList wordsOf(const QString &text)
{
    return text.simplified().split(u' ', Qt::SkipEmptyParts);
}

std::optional<QRectF> boundsIn(const QString &text)
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

/// Returns the word for a vertex without a name.
QStringView defaultName(Kind kind)
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

/// Vertex before names are resolved: arcs may lead to names that are declared later.
struct DraftVertex
{
    Vertex vertex;
    int parent = -1;          ///< -1: the chart
    QString name;             ///< in the file; empty: none
    QString ownId;            ///< original id, if it is no valid XML name
    bool isGenerated = false; ///< initial vertex for the attribute "initial"
    bool isDropped = false;   ///< see dropInitials()
};

struct DraftArc
{
    Arc arc; ///< `to`: names in the file
    int from = -1;
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
        m_chart.ignoredParts = m_ignored.diagnostics();
        return finished();
    }

private:
    int line() const { return int(m_xml.lineNumber()); }
    void fail(const QString &text)
    {
        m_error = u"%1:%2: %3"_s.arg(m_file, QString::number(line()), text);
    }
    void loss(const QString &text, Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        if (m_remarks.size() < mostDiagnostics)
            m_remarks.append({ line(), text, severity });
    }

    void take(QXmlStreamReader::TokenType token)
    {
        switch (token) {
        case QXmlStreamReader::StartElement:
            if (m_open.isEmpty())
                readRoot();
            else
                readElement();
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
            m_ignored.add(u"a comment"_s, m_xml.text().toString(), line());
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
    /// Returns the lines of an attribute of Instar's namespace.
    QStringList lines(QStringView name) const
    {
        return hasOwn(name) ? own(name).split(u'\n') : QStringList();
    }

    /// Keeps attributes that are not `known`, and the prefixes that unparsed XML may use.
    void keepOthers(ScxmlExtras &scxmlExtras, const QStringList &known) const
    {
        for (const QXmlStreamAttribute &each : m_xml.attributes()) {
            const QString name = each.qualifiedName().toString();
            if (each.namespaceUri().isEmpty() && !known.contains(name))
                scxmlExtras.insert(Attribute.toString() + name, each.value().toString());
        }
        for (const QXmlStreamNamespaceDeclaration &each : m_xml.namespaceDeclarations()) {
            if (!each.prefix().isEmpty() && each.prefix() != OwnPrefix
                && each.namespaceUri() != OwnNamespace)
                scxmlExtras.insert(
                    Prefix.toString() + each.prefix().toString(), each.namespaceUri().toString());
        }
    }

    /// Reads the current element to its end; returns its unparsed XML.
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

    /// Reads the current element to its end; returns its unparsed content, trimmed.
    QString contentText()
    {
        const qsizetype begin = m_xml.characterOffset();
        const QString xml = elementText();
        const qsizetype inner = xml.size() - (qsizetype(m_xml.characterOffset()) - begin);
        const qsizetype end = xml.lastIndexOf(u"</");
        return end > inner ? xml.sliced(inner, end - inner).trimmed() : QString();
    }

    void readRoot()
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
        m_chart.waitsForFinals = own(u"waitsForFinals") == u"true";
        m_chart.title = own(u"title");
        m_chart.id = hasOwn(u"id") ? own(u"id") : attribute(u"name"_s);
        m_chart.direction = own(u"direction") == u"right" ? ChartDirection::Right
            : own(u"direction") == u"down"                ? ChartDirection::Down
                                                          : ChartDirection::Unspecified;
        m_chart.hasExpressions = own(u"conditions") != u"names";
        QStringList known { u"name"_s, u"initial"_s };
        if (attribute(u"version"_s) == u"1.0")
            known += u"version"_s;
        if (own(u"datamodel") == u"made")
            known += u"datamodel"_s;
        keepOthers(m_chart.scxmlExtras, known);
        addInitial();
    }

    /// Adds a vertex for the attribute "initial", if the element has it.
    void addInitial()
    {
        const QStringList to = words(u"initial"_s);
        if (to.isEmpty())
            return;
        m_arcs.append({ .arc = { .to = to, .line = line() }, .from = int(m_vertices.size()) });
        m_vertices.append({ .vertex = { .kind = Kind::Initial,
                                .isNamed = false,
                                .bounds = boundsOf(u"initialPlace"),
                                .line = line() },
            .parent = m_open.last(),
            .isGenerated = true });
    }

    std::optional<QRectF> boundsOf(QStringView name)
    {
        if (!hasOwn(name))
            return {};
        if (const std::optional<QRectF> bounds = boundsIn(own(name)))
            return bounds;
        loss(u"expected a position of four numbers, found \"%1\"; the position is left out"_s.arg(
            oneLine(own(name).left(60))));
        return {};
    }

    void readElement()
    {
        if (m_xml.namespaceUri() == OwnNamespace) {
            readOwnElement();
            return;
        }
        if (m_xml.namespaceUri() != m_namespace) {
            m_ignored.add(u"an element of another namespace"_s, elementText(), line());
            return;
        }
        const QString name = m_xml.name().toString();
        if (name == u"transition" && m_open.last() >= 0)
            readTransition();
        else if (name == u"state")
            open(kinds.value(own(u"kind"), Kind::State));
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
        else if (unparsedScxmlElements().contains(name))
            keep(u"scxml."_s + name);
        else {
            loss(u"the element <%1> is left out: SCXML does not allow it here"_s.arg(
                oneLine(name.left(60))));
            m_xml.skipCurrentElement();
        }
    }

    /// Reads the current element to its end, and keeps its text unparsed.
    void keep(const QString &key)
    {
        const int of = m_open.last();
        QString &text = (of < 0 ? m_chart.scxmlExtras : m_vertices[of].vertex.scxmlExtras)[key];
        text += (text.isEmpty() ? QString() : u"\n"_s) + elementText();
    }

    void readOwnElement()
    {
        const QString name = m_xml.name().toString();
        if (name == u"note")
            m_chart.notes.append({ .of = attribute(u"of"_s),
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
        DraftVertex draft {
            .parent = m_open.last(), .name = attribute(u"id"_s).trimmed(), .ownId = own(u"id")
        };
        Vertex &vertex = draft.vertex;
        vertex.kind = kind;
        vertex.line = line();
        vertex.label = own(u"label");
        vertex.isNamed = hasOwn(u"named") ? own(u"named") == u"true" : !draft.name.isEmpty();
        vertex.description = lines(u"description");
        vertex.style = styleOfCss(own(u"look"));
        vertex.bounds = boundsOf(u"place");
        keepOthers(vertex.scxmlExtras, known);
        m_open.append(int(m_vertices.size()));
        m_vertices.append(draft);
    }

    void readTransition()
    {
        if (own(u"made") == u"true") { // arrow of a history that was written as a state
            elementText();
            return;
        }
        DraftArc draft { .from = m_open.last() };
        const Kind kind = m_vertices[draft.from].vertex.kind;
        Arc &arc = draft.arc;
        arc.line = line();
        arc.event = hasOwn(u"event") ? own(u"event") : words(u"event"_s).join(u'\n');
        arc.condition = hasOwn(u"condition") ? own(u"condition") : attribute(u"cond"_s);
        arc.to = hasOwn(u"target") ? wordsOf(own(u"target")) : words(u"target"_s);
        arc.action = own(u"action");
        arc.label = own(u"label");
        arc.isInternal = attribute(u"type"_s) == u"internal";
        arc.note = lines(u"note");
        arc.style = styleOfCss(own(u"look"));
        arc.towards = towardsOf(own(u"towards"));
        keepOthers(arc.scxmlExtras, { u"event"_s, u"cond"_s, u"target"_s, u"type"_s });
        if (const QString type = attribute(u"type"_s);
            !type.isEmpty() && type != u"internal" && type != u"external")
            loss(
                u"expected \"internal\" or \"external\", found \"%1\"; the transition is read as external"_s
                    .arg(oneLine(type.left(60))));
        if (const QString content = contentText(); !content.isEmpty())
            arc.scxmlExtras.insert(Content.toString(), content);
        if (kind == Kind::Final)
            m_remarks.append({ arc.line,
                u"the transition is left out, because no transition can leave a final state"_s });
        else
            m_arcs.append(draft);
    }

    /// Resolves names; removes arcs to unknown names, with a remark.
    StatechartsRead finished()
    {
        for (int i = 0; i < m_vertices.size(); ++i) {
            DraftVertex &each = m_vertices[i];
            if (each.name.isEmpty())
                continue;
            const auto known = m_byName.constFind(each.name);
            if (known != m_byName.constEnd()) {
                m_remarks.append({ each.vertex.line,
                    u"the id %1 is already used in line %2; this state gets another id, and no arrow leads to this state"_s
                        .arg(quoted(each.name), QString::number(m_vertices[*known].vertex.line)) });
                each.name.clear();
                continue;
            }
            m_byName.insert(each.name, i);
        }
        dropInitials();
        nameAll();
        resolve();
        std::ranges::stable_sort(m_remarks, {}, &Diagnostic::line);
        return { { m_chart }, m_remarks };
    }

    /// Removes the vertex added for an attribute "initial" if the attribute names only unknown
    /// states, or an initial vertex with an element of its own.
    void dropInitials()
    {
        m_arcs.removeIf([this](const DraftArc &each) {
            DraftVertex &from = m_vertices[each.from];
            if (!from.isGenerated)
                return false;
            const int to = each.arc.to.size() == 1 ? m_byName.value(each.arc.to.first(), -1) : -1;
            const bool hasElement = to >= 0 && m_vertices[to].vertex.kind == Kind::Initial
                && m_vertices[to].parent == from.parent;
            const bool isUnknown = std::ranges::none_of(
                each.arc.to, [&](const QString &name) { return m_byName.contains(name); });
            if (isUnknown)
                m_remarks.append({ each.arc.line,
                    u"the initial state %1 does not exist; the first state becomes the initial state"_s
                        .arg(quoted(each.arc.to.join(u' '))) });
            from.isDropped = hasElement || isUnknown;
            return from.isDropped;
        });
    }

    void nameAll()
    {
        QSet<QString> taken;
        for (DraftVertex &each : m_vertices) {
            each.vertex.id =
                each.ownId.isEmpty() || taken.contains(each.ownId) ? each.name : each.ownId;
            if (taken.contains(each.vertex.id))
                each.vertex.id.clear();
            if (!each.vertex.id.isEmpty())
                taken.insert(each.vertex.id);
        }
        QHash<QString, qsizetype> counts;      // generated id without number -> last number
        for (DraftVertex &each : m_vertices) { // parents come before their children
            each.vertex.parent = each.parent < 0 ? QString() : m_vertices[each.parent].vertex.id;
            if (!each.vertex.id.isEmpty() || each.isDropped)
                continue;
            each.vertex.isNamed = false;
            const Kind kind = each.vertex.kind;
            const char *const between = idSeparator(kind);
            const QString first = generatedId(each.vertex.parent, defaultName(kind), between);
            qsizetype &number = counts[first];
            do {
                each.vertex.id = number++ == 0
                    ? first
                    : first + QLatin1StringView(between) + QString::number(number);
            } while (taken.contains(each.vertex.id));
            taken.insert(each.vertex.id);
        }
        for (const DraftVertex &each : std::as_const(m_vertices))
            if (!each.isDropped)
                m_chart.vertices.append(each.vertex);
        for (Note &note : m_chart.notes)
            if (!note.of.isEmpty())
                note.of = idOf(note.of, 0, u"link of a note to it"_s);
    }

    void resolve()
    {
        std::ranges::stable_sort(m_arcs, {}, &DraftArc::from);
        for (DraftArc &each : m_arcs) {
            QStringList to;
            for (const QString &name : std::as_const(each.arc.to)) {
                if (const QString id = idOf(name, each.arc.line, u"transition to it"_s);
                    !id.isEmpty())
                    to += id;
            }
            if (to.isEmpty() && !each.arc.to.isEmpty())
                continue;
            each.arc.to = to;
            each.arc.from = m_vertices[each.from].vertex.id;
            m_chart.arcs.append(each.arc);
        }
    }

    /// Returns the id of the vertex with a name in the file. If there is none, returns an empty
    /// text, and reports the loss of `user`, which refers to the name.
    QString idOf(const QString &name, int line, const QString &user)
    {
        const auto found = m_byName.constFind(name);
        if (found != m_byName.constEnd())
            return m_vertices[*found].vertex.id;
        m_remarks.append(
            { line, u"there is no state %1; the %2 is left out"_s.arg(quoted(name), user) });
        return {};
    }

    const QString &m_file, &m_text;
    QXmlStreamReader m_xml;
    qint64 m_before = 0; ///< offset of the current token
    QList<int> m_open;   ///< vertices of the open elements, outermost first; -1: the chart
    QString m_namespace;
    ChartLosses m_ignored { u" is left out"_s };
    Statechart m_chart;
    QList<DraftVertex> m_vertices; ///< in document order
    QList<DraftArc> m_arcs;
    QList<Diagnostic> m_remarks;
    QHash<QString, int> m_byName; ///< name in the file -> index of its vertex
    QString m_error;
};

/// Converts a text to an SCXML event name: words of letters, digits, "-", "_", ":" between dots.
QString eventName(const QString &event)
{
    QStringList words;
    for (const QString &part : event.simplified().split(u'.', Qt::SkipEmptyParts)) {
        QString word;
        for (const QChar c : part) {
            const bool fits = (c.isLetterOrNumber() && !c.isSurrogate()) || u"-_:"_s.contains(c);
            word += fits || part == u"*" ? c : QChar(u'_');
        }
        words += word;
    }
    return words.isEmpty() && !event.trimmed().isEmpty() ? u"_"_s : words.join(u'.');
}

/// Returns "left top width height", each as the shortest exact decimal number.
QString boundsText(const QRectF &bounds)
{
    QStringList numbers;
    for (const double number : { bounds.x(), bounds.y(), bounds.width(), bounds.height() })
        numbers += QString::number(number, 'g', QLocale::FloatingPointShortest);
    return numbers.join(u' ');
}

/// Converts a text to an XML name without colon (NCName); keeps a valid name.
QString xmlName(const QString &text)
{
    QString result;
    for (const QChar c : text) {
        const bool isLetter = (c.isLetter() && !c.isSurrogate()) || c == u'_';
        const bool isFurther = c.isDigit() || c == u'-' || c == u'.';
        if (result.isEmpty() && isFurther)
            result += u'_';
        result += isLetter || isFurther ? c : QChar(u'_');
    }
    return result.isEmpty() ? u"_"_s : result;
}

/// Index of a statechart: ids, arrows, children. The chart and its plan must outlive the index.
class ChartIndex
{
public:
    ChartIndex(const Statechart &chart, const ChartPlan &plan) : m_chart(chart), m_plan(plan)
    {
        QSet<QString> taken;
        for (const Vertex &each : m_chart.vertices)
            if (xmlName(each.id) == each.id)
                taken.insert(each.id);
        for (int i = 0; i < m_chart.vertices.size(); ++i) {
            const QString &id = m_chart.vertices[i].id, name = xmlName(id);
            m_at.insert(id, i);
            m_names.insert(id, name == id ? id : *taken.insert(freshName(name, taken, "_")));
        }
        for (int i = 0; i < m_chart.arcs.size(); ++i) {
            const Arc &arc = m_chart.arcs[i];
            const bool isKnown = vertex(arc.from)
                && std::ranges::all_of(arc.to, [&](const QString &to) { return vertex(to); });
            if (!isKnown)
                continue;
            m_leaving[arc.from] += i;
            for (const QString &to : arc.to)
                m_arriving[to] += i;
        }
        for (int i = 0; i < m_chart.vertices.size(); ++i)
            m_inside[m_chart.vertices[i].parent] += i;
    }

    const Vertex *vertex(const QString &id) const
    {
        const int at = m_at.value(id, -1);
        return at < 0 ? nullptr : &m_chart.vertices[at];
    }

    /// Returns the id in the file of a vertex.
    QString name(const QString &id) const { return m_names.value(id); }

    QString targetText(const QStringList &ids) const
    {
        const auto names = mapped<QStringList>(ids, [&](const QString &id) { return m_names[id]; });
        return names.join(u' ');
    }

    /// Returns the ids without those that cannot be active together with an earlier one.
    QStringList compatible(const QStringList &ids) const
    {
        QStringList result;
        for (const QString &id : ids) {
            const auto isBeside = [&](const QString &other) {
                return id != other && m_plan.areBeside(m_plan.index[id], m_plan.index[other]);
            };
            if (std::ranges::all_of(result, isBeside))
                result += id;
        }
        return result;
    }

    bool hasFinal(const Vertex &composite) const
    {
        return m_plan.hasFinal(m_plan.index[composite.id]);
    }

    // Indices of children, outgoing and incoming arrows in the chart's lists.
    QList<int> inside(const QString &parent) const { return m_inside.value(parent); }
    QList<int> leaving(const QString &id) const { return m_leaving.value(id); }
    QList<int> arriving(const QString &id) const { return m_arriving.value(id); }

    /// Returns the initial vertex of a composite if the attribute "initial" can express it: it has
    /// one plain arrow into the composite, and no label or style. Returns null otherwise.
    const Vertex *attributeInitial(const QString &parent) const
    {
        const QList<int> inside = m_inside.value(parent);
        const Vertex *first = inside.isEmpty() ? nullptr : &m_chart.vertices[inside.first()];
        const QList<int> leaving = first ? m_leaving.value(first->id) : QList<int>();
        if (leaving.size() != 1 || m_inside.contains(first->id) || m_arriving.contains(first->id))
            return nullptr;
        const Vertex plain { .kind = Kind::Initial,
            .id = generatedId(parent, u"initial"),
            .parent = parent,
            .isNamed = false,
            .bounds = first->bounds };
        const Arc &arc = m_chart.arcs[leaving.first()];
        const bool isInside = std::ranges::all_of(arc.to, [&](const QString &to) {
            return m_plan.isInside(m_plan.index[to], m_plan.index.value(parent, 0));
        });
        const bool isPlain = *first == plain && arc == Arc { .from = plain.id, .to = arc.to }
            && !arc.to.isEmpty() && isInside && compatible(arc.to) == arc.to;
        return isPlain ? first : nullptr;
    }

    /// True for a history of the whole chart: such a history remembers nothing, because no arrow
    /// leaves the chart, and is written as a state with an eventless transition.
    bool isOutermostHistory(const Vertex &of) const
    {
        return isHistory(of.kind) && of.parent.isEmpty();
    }

    /// Returns the default targets of a history without an arrow of its own.
    QStringList defaultTargets(const Vertex &history) const
    {
        return mapped<QStringList>(m_plan.nodes[m_plan.index[history.id]].initial,
            [&](int node) { return m_plan.nodes[node].id; });
    }

private:
    const Statechart &m_chart;
    const ChartPlan &m_plan;
    QHash<QString, int> m_at;
    QHash<QString, QString> m_names; ///< id -> id in the file
    QHash<QString, QList<int>> m_inside, m_leaving, m_arriving;
};

/// Returns "must_be_replaced" for "must be replaced"; never a reserved word of ECMAScript.
QString variableName(const QString &text)
{
    static const QStringList reserved { u"In"_s, u"_event"_s, u"_name"_s, u"_sessionid"_s,
        u"_ioprocessors"_s, u"_x"_s, u"await"_s, u"break"_s, u"case"_s, u"catch"_s, u"class"_s,
        u"const"_s, u"continue"_s, u"debugger"_s, u"default"_s, u"delete"_s, u"do"_s, u"else"_s,
        u"enum"_s, u"export"_s, u"extends"_s, u"finally"_s, u"for"_s, u"function"_s, u"if"_s,
        u"implements"_s, u"import"_s, u"in"_s, u"instanceof"_s, u"interface"_s, u"let"_s, u"new"_s,
        u"null"_s, u"package"_s, u"private"_s, u"protected"_s, u"public"_s, u"return"_s,
        u"static"_s, u"super"_s, u"switch"_s, u"this"_s, u"throw"_s, u"try"_s, u"typeof"_s,
        u"undefined"_s, u"var"_s, u"void"_s, u"while"_s, u"with"_s, u"yield"_s };
    QString result;
    for (const QChar c : text) {
        const bool isAscii = c.unicode() < 128;
        const bool fits =
            isAscii && (c.isLetter() || c == u'_' || (c.isDigit() && !result.isEmpty()));
        result += fits ? c : QChar(u'_');
    }
    return reserved.contains(result) ? u"is_"_s + result : result;
}

bool isXmlCharacter(QChar c)
{
    return c.unicode() >= 0x20 ? c.unicode() < 0xfffe : (c == u'\t' || c == u'\n' || c == u'\r');
}

/// Writer of XML with one tag per line, indented by two spaces per level.
class XmlText
{
public:
    using Attributes = QList<std::pair<QString, QString>>;

    void open(const QString &name, const Attributes &attributes)
    {
        endTag();
        m_text += QString(m_depth++ * 2, u' ') + u'<' + name;
        for (const auto &[key, value] : attributes)
            m_text += u' ' + key + u"=\""_s + escaped(value) + u'"';
        m_isInTag = true;
    }

    void close(const QString &name)
    {
        const bool isEmpty = std::exchange(m_isInTag, false);
        --m_depth;
        m_text += isEmpty ? u"/>\n"_s : QString(m_depth * 2, u' ') + u"</"_s + name + u">\n"_s;
    }

    void empty(const QString &name, const Attributes &attributes)
    {
        open(name, attributes);
        close(name);
    }

    /// Adds unescaped XML.
    void raw(const QString &xml)
    {
        endTag();
        m_text += QString(m_depth * 2, u' ') + xml + u'\n';
    }

    const QString &text() const { return m_text; }
    /// True if a character that XML does not allow was written as U+FFFD.
    bool hasReplaced() const { return m_hasReplaced; }

private:
    void endTag()
    {
        if (std::exchange(m_isInTag, false))
            m_text += u">\n"_s;
    }

    QString escaped(const QString &value)
    {
        QString result;
        result.reserve(value.size());
        for (const QChar c : value) {
            if (c == u'\n' || c == u'\t' || (isXmlCharacter(c) && isSpelledOut(c))) {
                result += u"&#%1;"_s.arg(c.unicode());
            } else if (isXmlCharacter(c)) {
                result += QString(c).toHtmlEscaped();
            } else {
                result += QChar::ReplacementCharacter;
                m_hasReplaced = true;
            }
        }
        return result;
    }

    QString m_text = QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    int m_depth = 0;
    bool m_isInTag = false; ///< the last tag lacks its end, "/>" or ">"
    bool m_hasReplaced = false;
};

/// Events and conditions of a statechart's transitions in SCXML. Conditions that are words become
/// expressions of ECMAScript, in which each name is a variable. The chart and its index must
/// outlive this object.
class Triggers
{
public:
    Triggers(const Statechart &chart, const ChartIndex &index) : m_chart(chart), m_index(index)
    {
        m_needsEcmaScript = std::ranges::any_of(m_chart.vertices, [this](const Vertex &each) {
            return each.kind == Kind::Join && m_index.arriving(each.id).size() > 1;
        });
        if (m_chart.hasExpressions)
            return;
        for (const Arc &arc : m_chart.arcs) {
            const Guard guard = guardOf(arc.condition);
            addVariables(guard);
            if (guard.kind != Guard::Kind::Always && guard.kind != Guard::Kind::In)
                m_needsEcmaScript = true;
        }
    }

    QStringList events(const Vertex &from, const Arc &arc) const
    {
        const bool isState = from.kind == Kind::State || from.kind == Kind::Parallel;
        if (arc.event.isEmpty() && isState && m_chart.waitsForFinals && m_index.hasFinal(from))
            return { u"done.state."_s + m_index.name(from.id) };
        QStringList result;
        static const QString done = u"done.state."_s;
        for (const QString &event : arc.events()) {
            const QString state = event.startsWith(done) ? event.sliced(done.size()) : QString();
            result += eventName(m_index.vertex(state) ? done + m_index.name(state) : event);
        }
        result.removeAll(QString());
        return result;
    }

    /// Returns an arrow's condition; into a join, also that the other arrows' sources are active.
    QString condition(const Vertex &from, const Arc &arc) const
    {
        QString condition = m_chart.hasExpressions ? arc.condition : expression(arc.condition);
        if (!m_chart.hasExpressions && guardOf(arc.condition).kind == Guard::Kind::Else)
            condition = elseCondition(from, arc);
        const QString join =
            arc.to.size() == 1 && m_index.vertex(arc.to.first())->kind == Kind::Join
            ? arc.to.first()
            : QString();
        if (join.isEmpty() || m_index.arriving(join).size() < 2)
            return condition;
        QStringList all; // once all sources are active, one arrow fires for all
        for (const int index : m_index.arriving(join)) {
            if (m_chart.arcs[index].from != from.id)
                all += u"In('%1')"_s.arg(m_index.name(m_chart.arcs[index].from));
        }
        if (!condition.isEmpty())
            all.prepend(u'(' + condition + u')');
        return all.join(u" && "_s);
    }

    /// True if a condition is not just In(state), the only one in SCXML's null data model.
    bool needsEcmaScript() const { return m_needsEcmaScript; }
    const QStringList &variables() const { return m_order; }

private:
    void addVariables(const Guard &guard)
    {
        for (const Guard &part : guard.parts)
            addVariables(part);
        if (guard.kind != Guard::Kind::Name || m_variables.contains(guard.text))
            return;
        const QString name = freshName(variableName(guard.text), m_taken, "_");
        m_taken.insert(name);
        m_variables.insert(guard.text, name);
        m_order += name;
    }

    QString expression(const QString &condition) const
    {
        const Guard guard = guardOf(condition);
        return guard.kind == Guard::Kind::Always || guard.kind == Guard::Kind::Else
            ? QString()
            : expression(guard);
    }

    QString expression(const Guard &guard) const
    {
        const auto joined = [&](QStringView token) {
            QStringList parts;
            for (const Guard &part : guard.parts) {
                const bool isJoined =
                    part.kind == Guard::Kind::All || part.kind == Guard::Kind::Any;
                parts += isJoined ? u'(' + expression(part) + u')' : expression(part);
            }
            return parts.join(token);
        };
        switch (guard.kind) {
        case Guard::Kind::Always:
        case Guard::Kind::Else:
            return u"true"_s;
        case Guard::Kind::Never:
            return u"false"_s;
        case Guard::Kind::Name:
            return m_variables.value(guard.text);
        case Guard::Kind::In:
            return (m_needsEcmaScript ? u"In('%1')"_s : u"In(%1)"_s)
                .arg(m_index.vertex(guard.text) ? m_index.name(guard.text) : guard.text);
        case Guard::Kind::Not:
            return u"!("_s + expression(guard.parts.first()) + u')';
        case Guard::Kind::All:
            return joined(u" && ");
        case Guard::Kind::Any:
            return joined(u" || ");
        }
        return {};
    }

    /// Returns the condition of an "else" arrow: the conditions of all other arrows are false.
    /// Empty for the last arrow, which is evaluated last anyway.
    QString elseCondition(const Vertex &from, const Arc &arc) const
    {
        const QList<int> leaving = m_index.leaving(from.id);
        if (&m_chart.arcs[leaving.last()] == &arc)
            return {};
        QStringList all;
        for (const int index : leaving) {
            const QString condition = expression(m_chart.arcs[index].condition);
            if (&m_chart.arcs[index] != &arc)
                all += condition.isEmpty() ? u"false"_s : u"!("_s + condition + u')';
        }
        return all.join(u" && "_s);
    }

    const Statechart &m_chart;
    const ChartIndex &m_index;
    QHash<QString, QString> m_variables; ///< name -> variable
    QSet<QString> m_taken;
    QStringList m_order; ///< the variables, in order of use
    bool m_needsEcmaScript = false;
};

using Attributes = XmlText::Attributes;

/// Adds an attribute unless its value is empty.
void add(Attributes &attributes, const QString &key, const QString &value)
{
    if (!value.isEmpty())
        attributes.append({ key, value });
}

class Writer
{
public:
    Writer(const Statechart &chart, const ChartPlan &plan)
        : m_chart(chart), m_index(chart, plan), m_triggers(m_chart, m_index)
    { }

    StatechartsWritten written()
    {
        m_remarks += m_chart.ignoredParts;
        writeRoot();
        if (m_xml.hasReplaced())
            loss(0, u"a control character, which XML cannot express, became U+FFFD"_s);
        return { m_xml.text().toUtf8(), m_remarks };
    }

private:
    void loss(int line, const QString &text) { m_remarks.append({ line, text }); }
    void note(int line, const QString &text)
    {
        m_remarks.append({ line, text, Diagnostic::Severity::Note });
    }
    static QString own(QStringView name) { return OwnPrefix.toString() + u':' + name.toString(); }

    void writeRoot()
    {
        Attributes attributes { { u"xmlns"_s, Namespace.toString() },
            { u"xmlns:"_s + OwnPrefix.toString(), OwnNamespace.toString() } };
        const ScxmlExtras &extras = m_chart.scxmlExtras;
        if (!extras.contains(Attribute.toString() + u"version"_s))
            attributes.append({ u"version"_s, u"1.0"_s });
        const QString name = m_chart.id.isEmpty() ? QString() : xmlName(m_chart.id);
        add(attributes, u"name"_s, name);
        add(attributes, own(u"id"), name == m_chart.id ? QString() : m_chart.id);
        addInitial(attributes, {});
        if (m_triggers.needsEcmaScript()
            && !extras.contains(Attribute.toString() + u"datamodel"_s)) {
            attributes.append({ u"datamodel"_s, u"ecmascript"_s });
            attributes.append({ own(u"datamodel"), u"made"_s });
        }
        if (!m_chart.hasExpressions)
            attributes.append({ own(u"conditions"), u"names"_s });
        if (m_chart.waitsForFinals)
            attributes.append({ own(u"waitsForFinals"), u"true"_s });
        add(attributes, own(u"title"), m_chart.title);
        if (m_chart.direction != ChartDirection::Unspecified)
            add(attributes, own(u"direction"),
                m_chart.direction == ChartDirection::Right ? u"right"_s : u"down"_s);
        addExtras(attributes, extras);
        m_xml.open(u"scxml"_s, attributes);
        addVariables();
        writeContents({}, extras);
        for (const Note &note : m_chart.notes)
            addNote(note);
        m_xml.close(u"scxml"_s);
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
        if (m_index.vertex(note.of))
            attributes.append({ u"of"_s, m_index.name(note.of) });
        else if (!note.of.isEmpty())
            loss(0,
                u"a note belongs to \"%1\", which does not exist; the note becomes a free note"_s
                    .arg(note.of));
        add(attributes, u"side"_s, note.side);
        if (!note.lines.isEmpty())
            attributes.append({ u"lines"_s, note.lines.join(u'\n') });
        m_xml.empty(own(u"note"), attributes);
    }

    /// Adds attributes and namespace prefixes that the reader kept unparsed.
    static void addExtras(Attributes &attributes, const ScxmlExtras &scxmlExtras)
    {
        for (auto it = scxmlExtras.cbegin(); it != scxmlExtras.cend(); ++it) {
            if (it.key().startsWith(Attribute))
                attributes.append({ it.key().sliced(Attribute.size()), it.value() });
            else if (it.key().startsWith(Prefix))
                attributes.append({ u"xmlns:"_s + it.key().sliced(Prefix.size()), it.value() });
        }
    }

    void addInitial(Attributes &attributes, const QString &parent)
    {
        if (const Vertex *plain = m_index.attributeInitial(parent)) {
            const Arc &arc = m_chart.arcs[m_index.leaving(plain->id).first()];
            attributes.append({ u"initial"_s, m_index.targetText(arc.to) });
            add(attributes, own(u"initialPlace"),
                plain->bounds ? boundsText(*plain->bounds) : QString());
            return;
        }
        for (const int index : m_index.inside(parent)) {
            const Vertex &child = m_chart.vertices[index];
            if (child.kind == Kind::Initial) {
                attributes.append({ u"initial"_s, m_index.name(child.id) });
                return;
            }
        }
    }

    void writeContents(const QString &id, const ScxmlExtras &extras)
    {
        for (const QString &element : unparsedScxmlElements())
            if (const QString xml = extras.value(u"scxml."_s + element); !xml.isEmpty())
                m_xml.raw(xml);
        writeTransitions(id);
        const Vertex *initial = m_index.attributeInitial(id);
        for (const int index : m_index.inside(id)) {
            if (&m_chart.vertices[index] != initial)
                writeElement(m_chart.vertices[index]);
        }
    }

    QString elementName(const Vertex &vertex) const
    {
        if (vertex.kind == Kind::Parallel)
            return u"parallel"_s;
        if (vertex.kind == Kind::Final)
            return u"final"_s;
        if (isHistory(vertex.kind) && !m_index.isOutermostHistory(vertex))
            return u"history"_s;
        return u"state"_s;
    }

    void writeElement(const Vertex &of)
    {
        const QString name = elementName(of);
        Attributes attributes { { u"id"_s, m_index.name(of.id) } };
        if (name == u"history")
            attributes.append(
                { u"type"_s, of.kind == Kind::DeepHistory ? u"deep"_s : u"shallow"_s });
        if (name == u"state")
            addInitial(attributes, of.id);
        if (name == u"state" && of.kind != Kind::State)
            attributes.append({ own(u"kind"), kinds.key(of.kind) });
        add(attributes, own(u"id"), of.id == m_index.name(of.id) ? QString() : of.id);
        if (!of.isNamed)
            attributes.append({ own(u"named"), u"false"_s });
        add(attributes, own(u"label"), of.label);
        if (!of.description.isEmpty())
            attributes.append({ own(u"description"), of.description.join(u'\n') });
        add(attributes, own(u"look"), cssOf(of.style));
        add(attributes, own(u"place"), of.bounds ? boundsText(*of.bounds) : QString());
        addExtras(attributes, of.scxmlExtras);
        m_xml.open(name, attributes);
        writeContents(of.id, of.scxmlExtras);
        addDefaultTransition(of);
        m_xml.close(name);
    }

    /// Writes the default transition of a history without an arrow of its own.
    void addDefaultTransition(const Vertex &of)
    {
        if (!isHistory(of.kind))
            return;
        if (m_index.isOutermostHistory(of))
            note(of.line,
                u"SCXML has no history of the whole chart; \"%1\" becomes a state with a transition without an event"_s
                    .arg(of.id));
        const QStringList to = m_index.defaultTargets(of);
        if (m_index.leaving(of.id).isEmpty() && !to.isEmpty())
            m_xml.empty(u"transition"_s,
                { { u"target"_s, m_index.targetText(to) }, { own(u"made"), u"true"_s } });
    }

    void writeTransitions(const QString &id)
    {
        const Vertex *from = m_index.vertex(id);
        if (!from || from == m_index.attributeInitial(from->parent))
            return;
        const QList<int> leaving = m_index.leaving(id);
        for (qsizetype i = 0; i < leaving.size(); ++i) {
            const Arc &arc = m_chart.arcs[leaving[i]];
            if (from->kind == Kind::Final)
                loss(arc.line,
                    u"an arrow of the final state \"%1\" is left out: no arrow can leave a final state"_s
                        .arg(id));
            else if (isHistory(from->kind) && i > 0)
                loss(arc.line,
                    u"only one arrow can leave the history \"%1\"; a second arrow is left out"_s
                        .arg(id));
            else {
                const Vertex *to = arc.to.size() == 1 ? m_index.vertex(arc.to.first()) : nullptr;
                if (to && to->kind == Kind::Join && !arc.event.isEmpty()
                    && m_index.arriving(to->id).size() > 1)
                    note(arc.line,
                        u"in other SCXML programs, the join \"%2\" does not wait for the arrow on \"%1\""_s
                            .arg(arc.event, to->id));
                writeTransition(
                    *from, arc, from->kind == Kind::Fork && i == 0 ? leaving : QList<int>());
            }
        }
    }

    /// Writes an arrow. `fork` are all arrows of its fork, which are taken together; else empty.
    void writeTransition(const Vertex &from, const Arc &arc, const QList<int> &fork)
    {
        const bool hasOnlyTarget = isHistory(from.kind); // in SCXML
        Attributes attributes;
        const QStringList events = hasOnlyTarget ? QStringList() : m_triggers.events(from, arc);
        const QString condition = hasOnlyTarget ? QString() : m_triggers.condition(from, arc);
        add(attributes, u"event"_s, events.join(u' '));
        add(attributes, u"cond"_s, condition);
        QStringList to = arc.to;
        for (const int index : fork.mid(1))
            to += m_chart.arcs[index].to;
        to.removeDuplicates();
        if (const QStringList all = std::exchange(to, m_index.compatible(to)); to != all)
            loss(arc.line,
                u"an arrow of \"%1\" leads to \"%2\", which are not in parallel regions; in other SCXML programs the arrow leads to \"%3\""_s
                    .arg(from.id, all.join(u"\" and \""_s), to.join(u"\" and \""_s)));
        add(attributes, u"target"_s, m_index.targetText(to));
        add(attributes, u"type"_s, arc.isInternal ? u"internal"_s : QString());
        if (events.join(u'\n') != arc.event)
            attributes.append({ own(u"event"), arc.event });
        if (condition != arc.condition)
            attributes.append({ own(u"condition"), arc.condition });
        if (to != arc.to)
            attributes.append({ own(u"target"), m_index.targetText(arc.to) });
        add(attributes, own(u"action"), arc.action);
        add(attributes, own(u"label"), arc.label);
        if (!arc.note.isEmpty())
            attributes.append({ own(u"note"), arc.note.join(u'\n') });
        add(attributes, own(u"look"), cssOf(arc.style));
        add(attributes, own(u"towards"), wordOf(arc.towards));
        addExtras(attributes, arc.scxmlExtras);
        m_xml.open(u"transition"_s, attributes);
        if (const QString content = arc.scxmlExtras.value(Content.toString()); !content.isEmpty())
            m_xml.raw(content);
        m_xml.close(u"transition"_s);
    }

    const Statechart &m_chart;
    ChartIndex m_index;
    Triggers m_triggers;
    XmlText m_xml;
    QList<Diagnostic> m_remarks;
};

} // namespace

} // namespace scxml

const QStringList &unparsedScxmlElements()
{
    static const QStringList names { u"datamodel"_s, u"script"_s, u"onentry"_s, u"onexit"_s,
        u"invoke"_s, u"donedata"_s };
    return names;
}

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

StatechartsWritten writeScxml(const QList<Statechart> &charts)
{
    if (charts.isEmpty())
        return { {}, { { 0, u"there is no statechart to write"_s } } };
    const Result<ChartPlan> plan = planAsDrawn(charts.first());
    if (!plan)
        return { {}, { { 0, plan.error() } } };
    StatechartsWritten written = scxml::Writer(charts.first(), *plan).written();
    for (const Statechart &other : charts.mid(1))
        written.remarks.append({ 0,
            u"\"%1\" is left out, because an SCXML file contains only one statechart"_s.arg(
                other.id) });
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
