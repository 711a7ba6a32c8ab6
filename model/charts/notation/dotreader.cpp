// SPDX-License-Identifier: Apache-2.0
#include "model/charts/chartplan.h"
#include "model/charts/notation/arclabel.h"
#include "model/charts/notation/chartlook.h"
#include "model/charts/notation/diagramfile.h"
#include "model/charts/notation/dot.h"
#include "model/charts/notation/textlines.h"
#include "model/charts/notation/textscanner.h"
#include "model/charts/scxml/scxmldraft.h"
#include "model/formats/reading.h"

#include <QFileInfo>
#include <QSet>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Vertex::Kind;
using DotAttributes = QMap<QString, QString>;

constexpr qsizetype MostDotRemarks = 1000; ///< a hostile file has millions

constexpr qsizetype LongestEntity = 11; ///< letters, with both signs

/// The letters of HTML's entities.
QString withoutEntities(QString text)
{
    static const QMap<QString, QString> words { { u"amp"_s, u"&"_s }, { u"lt"_s, u"<"_s },
        { u"gt"_s, u">"_s }, { u"quot"_s, u"\""_s }, { u"apos"_s, u"'"_s }, { u"nbsp"_s, u" "_s } };
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const qsizetype length =
            text[i] == u'&' ? QStringView(text).mid(i, LongestEntity).indexOf(u';') : -1;
        if (length < 0) {
            plain += text[i];
            continue;
        }
        const qsizetype end = i + length;
        const QString name = text.sliced(i + 1, end - i - 1);
        bool isNumber = false;
        const uint number = name.startsWith(u"#x") ? name.sliced(2).toUInt(&isNumber, 16)
            : name.startsWith(u'#')                ? name.sliced(1).toUInt(&isNumber)
                                                   : 0;
        if (isNumber && number > 0 && number < 0x110000)
            plain += QString::fromUcs4(reinterpret_cast<const char32_t *>(&number), 1);
        else if (words.contains(name))
            plain += words[name];
        else
            plain += text.sliced(i, end - i + 1);
        i = end;
    }
    return plain;
}

/// What is shown of a label in HTML.
QString withoutTags(const QString &html)
{
    QString text;
    for (qsizetype i = 0; i < html.size(); ++i) {
        if (html[i] != u'<') {
            text += html[i];
            continue;
        }
        qsizetype end = html.indexOf(u'>', i);
        if (end < 0)
            end = html.size() - 1;
        const QString tag = html.sliced(i + 1, end - i - 1).trimmed().toLower();
        if (tag.startsWith(u"br") || tag == u"/tr" || tag.startsWith(u"hr"))
            text += u'\n';
        i = end;
    }
    QStringList lines;
    for (const QString &line : withoutEntities(text).split(u'\n')) {
        if (!line.simplified().isEmpty())
            lines += line.simplified();
    }
    return lines.join(u'\n');
}

/// The letters that a string's escapes stand for; `name` for "\N".
QString withoutEscapes(const QString &text, const QString &name)
{
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] != u'\\' || i + 1 == text.size()) {
            plain += text[i];
            continue;
        }
        const QChar letter = text[++i];
        if (letter == u'n' || letter == u'l' || letter == u'r')
            plain += u'\n';
        else if (letter == u'N' || letter == u'G' || letter == u'E' || letter == u'T'
            || letter == u'H')
            plain += letter == u'N' ? name : QString();
        else
            plain += letter;
    }
    while (plain.endsWith(u'\n'))
        plain.chop(1);
    return plain;
}

/// The fields of a record's label, however deep.
QStringList recordFields(const QString &text)
{
    QStringList fields { QString() };
    const qsizetype lastPort = text.lastIndexOf(u'>');
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == u'\\' && i + 1 < text.size()) {
            const bool isPlain = u"{}|<> "_s.contains(text[i + 1]);
            fields.last() += isPlain ? QString(text[i + 1]) : text.sliced(i, 2);
            ++i;
        } else if (text[i] == u'|') {
            fields += QString();
        } else if (text[i] == u'<' && i < lastPort) {
            i = text.indexOf(u'>', i); // a port
        } else if (text[i] != u'{' && text[i] != u'}') {
            fields.last() += text[i];
        }
    }
    return fields;
}

class DotReader
{
public:
    DotReader(const QString &text, const QString &file) : m_text(text), m_scan(m_text), m_file(file)
    { }

    Result<StatechartsRead> read()
    {
        for (skipBlanks(); !m_scan.isAtEnd() && m_error.isEmpty(); skipBlanks())
            readGraph();
        if (!m_error.isEmpty())
            return Error { m_error };
        return m_read;
    }

private:
    struct DotToken
    {
        QString text;
        bool isHtml = false;
        bool isQuoted = false;
    };

    struct Scope
    {
        DotAttributes node, edge;
        int cluster = -1; ///< a vertex
        int number = 0;   ///< of the graph or subgraph
        QList<int> nodes; ///< that are said in it, each once
        QSet<int> known;  ///< the same

        void add(int one)
        {
            if (known.contains(one))
                return;
            known.insert(one);
            nodes += one;
        }
    };

    /// What a subgraph held when it was named last.
    struct Subgraph
    {
        int number = 0;
        QList<int> nodes;
        QSet<int> known;
    };

    struct Node
    {
        DotAttributes attributes;
        bool isCluster = false;
    };

    struct Edge
    {
        int from = -1, to = -1;
        DotAttributes attributes;
        int line = 0;
    };

    void fail(const QString &text)
    {
        if (m_error.isEmpty())
            m_error = u"%1:%2: %3"_s.arg(m_file).arg(m_scan.line()).arg(text);
    }

    void remark(int line, const QString &text, bool isLoss = true)
    {
        if (m.remarks.size() < MostDotRemarks)
            m.remarks.append({ line, text, isLoss });
    }

    void skipBlanks()
    {
        for (;;) {
            m_scan.skipSpaces();
            if (m_scan.peek() == u'#' && m_scan.isAtLineStart())
                m_scan.takeWhile([](QChar letter) { return letter != u'\n'; });
            else if (m_scan.take(u"//"))
                m_scan.takeWhile([](QChar letter) { return letter != u'\n'; });
            else if (m_scan.take(u"/*"))
                m_scan.skipBehind(u"*/");
            else
                return;
        }
    }

    /// A name, number, string or HTML; strings may be joined by "+".
    std::optional<DotToken> takeId()
    {
        skipBlanks();
        const QChar first = m_scan.peek();
        if (first == u'"')
            return takeStrings();
        if (first == u'<')
            return takeHtml();
        const QString word = m_scan
                                 .takeWhile([](QChar letter) {
                                     return letter.isLetterOrNumber() || letter == u'_'
                                         || letter == u'.' || letter.isSurrogate();
                                 })
                                 .toString();
        if (!word.isEmpty())
            return DotToken { word };
        if (first == u'-' && (m_scan.peek(1).isDigit() || m_scan.peek(1) == u'.')) {
            m_scan.skip();
            return DotToken { u'-'
                + m_scan.takeWhile([](QChar letter) { return letter.isDigit() || letter == u'.'; })
                      .toString() };
        }
        return {};
    }

    DotToken takeStrings()
    {
        DotToken token { .isQuoted = true };
        do {
            m_scan.skip();
            const int line = m_scan.line();
            while (!m_scan.isAtEnd() && m_scan.peek() != u'"') {
                if (m_scan.peek() == u'\\' && m_scan.peek(1) == u'"')
                    m_scan.skip();
                else if (m_scan.peek() == u'\\' && m_scan.peek(1) == u'\n') {
                    m_scan.skip(2);
                    continue;
                } else if (m_scan.peek() == u'\\') {
                    token.text += m_scan.peek();
                    m_scan.skip();
                }
                if (m_scan.isAtEnd())
                    break;
                token.text += m_scan.peek();
                m_scan.skip();
            }
            if (m_scan.isAtEnd()) {
                m_error =
                    u"%1:%2: the string that begins here has no end; add a \""_s.arg(m_file).arg(
                        line);
                return token;
            }
            m_scan.skip();
            skipBlanks();
            if (m_scan.peek() != u'+')
                return token;
            m_scan.skip();
            skipBlanks();
        } while (m_scan.peek() == u'"');
        return token;
    }

    DotToken takeHtml()
    {
        const int line = m_scan.line();
        const qsizetype begin = m_scan.at();
        int depth = 0;
        do {
            depth += m_scan.peek() == u'<' ? 1 : m_scan.peek() == u'>' ? -1 : 0;
            m_scan.skip();
        } while (depth > 0 && !m_scan.isAtEnd());
        if (depth > 0)
            m_error = u"%1:%2: the \"<\" that begins here has no \">\""_s.arg(m_file).arg(line);
        return { m_scan.from(begin + 1).chopped(depth > 0 ? 0 : 1).toString(), true };
    }

    bool takeSign(QStringView sign)
    {
        skipBlanks();
        return m_scan.take(sign);
    }

    void readGraph()
    {
        const int line = m_scan.line();
        std::optional<DotToken> word = takeId();
        if (word && word->text.compare(u"strict"_s, Qt::CaseInsensitive) == 0)
            word = takeId();
        const QString kind = word && !word->isQuoted ? word->text.toLower() : QString();
        if (kind == u"graph") {
            fail(
                u"expected a graph with arrows, found one without; write \"digraph\" and \"->\""_s);
            return;
        }
        if (kind != u"digraph") {
            fail(u"expected \"digraph {\", found \"%1\""_s.arg(
                oneLine(word ? word->text.left(60) : m_scan.rest().left(20).toString())));
            return;
        }
        m = {};
        m_nodes.clear();
        m_edges.clear();
        m_byName.clear();
        m_clusters.clear();
        m_subgraphs.clear();
        m_held = 0;
        const std::optional<DotToken> name = takeId();
        m.chart.id = name ? name->text : QString();
        if (m.chart.id.isEmpty())
            m.chart.id = QFileInfo(m_file).completeBaseName();
        if (!takeSign(u"{")) {
            fail(u"expected \"{\" behind \"digraph\""_s);
            return;
        }
        Scope scope;
        readStatements(scope, 0);
        if (m_error.isEmpty() && !takeSign(u"}"))
            fail(u"the graph that begins in line %1 has no \"}\""_s.arg(line));
        if (m_error.isEmpty())
            finish(line);
    }

    void readStatements(Scope &scope, int depth)
    {
        for (skipBlanks(); m_error.isEmpty() && !m_scan.isAtEnd() && m_scan.peek() != u'}';
             skipBlanks()) {
            if (m_scan.peek() == u';' || m_scan.peek() == u',')
                m_scan.skip();
            else
                readStatement(scope, depth);
        }
    }

    void readStatement(Scope &scope, int depth)
    {
        const int line = m_scan.line();
        const qsizetype begin = m_scan.at();
        if (m_scan.peek() == u'{') {
            readChain(scope, readSubgraph(scope, {}, depth), depth, line);
            return;
        }
        const std::optional<DotToken> word = takeId();
        if (!word) {
            if (m_scan.at() == begin)
                fail(u"expected a node, an edge or an attribute, found \"%1\""_s.arg(
                    oneLine(m_scan.rest().left(20).toString())));
            return;
        }
        const QString lower = word->isQuoted ? QString() : word->text.toLower();
        skipBlanks();
        if (lower == u"subgraph") {
            const bool isUnnamed = m_scan.peek() == u'{';
            const std::optional<DotToken> name = isUnnamed ? std::nullopt : takeId();
            readChain(
                scope, readSubgraph(scope, name ? name->text : QString(), depth), depth, line);
            return;
        }
        const bool isDefault = lower == u"graph" || lower == u"node" || lower == u"edge";
        if (isDefault && m_scan.peek() == u'[') {
            const DotAttributes said = takeAttributes();
            if (lower == u"graph")
                setGraph(scope, said);
            else
                (lower == u"node" ? scope.node : scope.edge).insert(said);
            return;
        }
        if (m_scan.peek() == u'=') {
            m_scan.skip();
            const std::optional<DotToken> value = takeId();
            if (!value)
                fail(u"expected a value behind \"%1 =\""_s.arg(oneLine(word->text.left(60))));
            else
                setGraph(scope, { { word->text.toLower(), shownText(*value) } });
            return;
        }
        const int node = mention(scope, word->text, line);
        skipPort();
        readChain(scope, { node }, depth, line);
    }

    void skipPort()
    {
        for (skipBlanks(); m_scan.peek() == u':'; skipBlanks()) {
            m_scan.skip();
            (void)takeId();
        }
    }

    static QString shownText(const DotToken &token)
    {
        return token.isHtml ? withoutTags(token.text) : token.text;
    }

    DotAttributes takeAttributes()
    {
        DotAttributes result;
        for (skipBlanks(); m_scan.peek() == u'['; skipBlanks()) {
            const int line = m_scan.line();
            m_scan.skip();
            for (skipBlanks(); m_error.isEmpty() && m_scan.peek() != u']'; skipBlanks()) {
                if (m_scan.peek() == u',' || m_scan.peek() == u';') {
                    m_scan.skip();
                    continue;
                }
                const std::optional<DotToken> key = m_scan.isAtEnd() ? std::nullopt : takeId();
                if (!key) {
                    fail(u"the \"[\" in line %1 has no \"]\""_s.arg(line));
                    return result;
                }
                const std::optional<DotToken> value =
                    takeSign(u"=") ? takeId() : DotToken { u"true"_s };
                if (!value) {
                    fail(u"expected a value of \"%1\""_s.arg(oneLine(key->text.left(60))));
                    return result;
                }
                const QString name = key->text.toLower();
                result.insert(name, shownText(*value));
                if (value->isHtml)
                    result.insert(u"html "_s + name, u"true"_s);
            }
            m_scan.skip();
        }
        return result;
    }

    /// The nodes of all places that name it, for naming it again goes on with it.
    QList<int> readSubgraph(Scope &around, const QString &name, int depth)
    {
        Scope scope = around;
        const std::pair<int, QString> key { around.number, name };
        const bool isNamed = !name.isEmpty();
        Subgraph held = isNamed ? m_subgraphs.take(key) : Subgraph();
        scope.number = held.number > 0 ? held.number : ++m_numbers;
        scope.nodes = std::exchange(held.nodes, {});
        scope.known = std::exchange(held.known, {});
        const qsizetype before = scope.nodes.size();
        if (!takeSign(u"{")) {
            fail(u"expected \"{\" behind \"subgraph %1\""_s.arg(oneLine(name.left(60))));
            return {};
        }
        if (depth >= DeepestChart) {
            fail(u"expected subgraphs at most %1 deep in each other, found more"_s.arg(
                DeepestChart));
            return {};
        }
        const int line = m_scan.line();
        if (name.startsWith(u"cluster"))
            scope.cluster = cluster(around, name, line);
        readStatements(scope, depth + 1);
        if (m_error.isEmpty() && !takeSign(u"}"))
            fail(u"the subgraph that begins in line %1 has no \"}\""_s.arg(line));
        for (const int node : scope.nodes.mid(before))
            around.add(node);
        m_held += isNamed ? scope.nodes.size() - before : 0;
        if (m_held > MostHeld)
            fail(u"expected at most %1 nodes in subgraphs with names, found more"_s.arg(MostHeld));
        if (isNamed)
            m_subgraphs.insert(key, { scope.number, scope.nodes, scope.known });
        return scope.nodes;
    }

    int addNode(int parent, const QString &name, int line)
    {
        scxml::Draft::DraftVertex draft { .parent = parent, .name = name };
        draft.vertex.line = line;
        m.vertices.append(draft);
        m_nodes.append(Node());
        return int(m.vertices.size()) - 1;
    }

    int cluster(const Scope &around, const QString &name, int line)
    {
        if (const auto known = m_clusters.constFind(name); known != m_clusters.constEnd())
            return *known;
        const int node = addNode(around.cluster, {}, line);
        m_clusters.insert(name, node);
        m_nodes[node].isCluster = true;
        return node;
    }

    bool isCluster(int node) const { return m_nodes[node].isCluster; }

    int mention(Scope &scope, const QString &said, int line)
    {
        const QString name = said.isEmpty() ? u"\"\""_s : said;
        int node = m_byName.value(name, -1);
        if (node < 0) {
            node = addNode(scope.cluster, name, line);
            m_byName.insert(name, node);
            m_nodes[node].attributes = scope.node;
        } else if (scope.cluster >= 0 && m.vertices[node].parent < 0) {
            m.vertices[node].parent = scope.cluster;
        }
        scope.add(node);
        return node;
    }

    void setGraph(const Scope &scope, const DotAttributes &said)
    {
        if (scope.cluster >= 0)
            m_nodes[scope.cluster].attributes.insert(said);
        else if (said.contains(u"label"_s))
            m.chart.title = withoutEntities(withoutEscapes(said[u"label"_s], m.chart.id));
        if (scope.cluster < 0 && said.value(u"rankdir"_s).startsWith(u'L'))
            m.chart.particulars.insert(u"dot.settings"_s, u"rankdir=LR"_s);
    }

    /// Edges from each of some nodes to each of the next, and the attributes behind them.
    void readChain(Scope &scope, QList<int> from, int depth, int line)
    {
        QList<Edge> edges;
        skipBlanks();
        bool isEdge = false;
        while (m_error.isEmpty()
            && (m_scan.rest().startsWith(u"->") || m_scan.rest().startsWith(u"--"))) {
            if (m_scan.peek(1) == u'-') {
                fail(u"expected \"->\" in a digraph, found \"--\""_s);
                return;
            }
            isEdge = true;
            m_scan.skip(2);
            const QList<int> to = readEnd(scope, depth);
            for (const int a : std::as_const(from)) {
                for (const int b : to) {
                    if (m_edges.size() + edges.size() > MostEdges) {
                        fail(u"expected at most %1 edges, found more"_s.arg(MostEdges));
                        return;
                    }
                    edges += Edge { a, b, scope.edge, line };
                }
            }
            from = to;
            skipBlanks();
        }
        const DotAttributes said = takeAttributes();
        for (Edge &edge : edges) {
            edge.attributes.insert(said);
            m_edges += edge;
        }
        if (!isEdge && from.size() == 1 && !isCluster(from.first()))
            m_nodes[from.first()].attributes.insert(said);
    }

    QList<int> readEnd(Scope &scope, int depth)
    {
        skipBlanks();
        const int line = m_scan.line();
        if (m_scan.peek() == u'{')
            return readSubgraph(scope, {}, depth);
        const std::optional<DotToken> word = takeId();
        if (!word) {
            fail(u"expected a node behind \"->\""_s);
            return {};
        }
        if (!word->isQuoted && word->text.compare(u"subgraph"_s, Qt::CaseInsensitive) == 0) {
            skipBlanks();
            const std::optional<DotToken> name = m_scan.peek() == u'{' ? std::nullopt : takeId();
            return readSubgraph(scope, name ? name->text : QString(), depth);
        }
        const int node = mention(scope, word->text, line);
        skipPort();
        return { node };
    }

    // ---- What the graph means

    QString attribute(int node, const QString &key) const
    {
        return m_nodes[node].attributes.value(key);
    }

    bool hasStyle(const DotAttributes &attributes, const QString &word) const
    {
        const QStringList words =
            attributes.value(u"style"_s).toLower().split(u',', Qt::SkipEmptyParts);
        return std::ranges::any_of(
            words, [&](const QString &each) { return each.trimmed() == word; });
    }

    void finish(int line)
    {
        nameClusters();
        findStandIns();
        m_isGone.fill(false, m.vertices.size());
        m_leaving.fill(0, m.vertices.size());
        m_arriving.fill(0, m.vertices.size());
        for (Edge &edge : m_edges)
            settleEnds(edge);
        for (const Edge &edge : std::as_const(m_edges)) {
            ++m_leaving[edge.from];
            ++m_arriving[edge.to];
        }
        for (int i = 0; i < m.vertices.size(); ++i) {
            if (isCluster(i))
                setCluster(i);
            else
                setNode(i);
        }
        setParallel();
        takeNotes();
        for (const Edge &edge : std::as_const(m_edges))
            addArc(edge);
        dropGone();
        Statechart chart;
        StatechartsRead read = m.finished();
        chart = read.charts.first();
        askAtChoices(chart);
        m_read.remarks += read.remarks;
        addDiagram(std::move(chart), line, m_read);
    }

    /// "cluster_door" is called "door", unless a node is.
    void nameClusters()
    {
        for (auto it = m_clusters.cbegin(); it != m_clusters.cend(); ++it) {
            const QStringView behind = QStringView(it.key()).sliced(7);
            const auto begin = std::ranges::find_if_not(
                behind, [](QChar letter) { return letter == u'_' || letter == u' '; });
            QString name = behind.sliced(begin - behind.begin()).toString();
            const int same = m_byName.value(name, -1);
            const bool isStandIn = same >= 0 && isInvisible(same);
            const bool isDigits =
                std::ranges::all_of(name, [](QChar letter) { return letter.isDigit(); });
            const QString label = clusterLabel(*it);
            if (isDigits && !label.isEmpty() && !label.contains(u'\n') && !m_byName.contains(label)
                && !m_taken.contains(label))
                name = label;
            else if (name.isEmpty() || (same >= 0 && !isStandIn) || m_taken.contains(name))
                name = it.key();
            while (m_taken.contains(name) || (m_byName.contains(name) && !isStandIn))
                name += u'_';
            m_taken.insert(name);
            m.vertices[*it].name = name;
        }
        m_taken.clear();
    }

    QString clusterLabel(int node) const
    {
        return withoutEntities(withoutEscapes(attribute(node, u"label"_s), {}));
    }

    bool isInvisible(int node) const { return hasStyle(m_nodes[node].attributes, u"invis"_s); }

    /// An invisible point in a cluster is where edges to the cluster itself end.
    void findStandIns()
    {
        m_standsFor.fill(-1, m.vertices.size());
        for (int i = 0; i < m.vertices.size(); ++i) {
            const int around = m.vertices[i].parent;
            if (!isCluster(i) && around >= 0 && isInvisible(i)
                && attribute(i, u"shape"_s) == u"point")
                m_standsFor[i] = around;
        }
    }

    int clusterNamed(const QString &name) const { return m_clusters.value(name, -1); }

    void settleEnds(Edge &edge)
    {
        if (const int tail = clusterNamed(edge.attributes.value(u"ltail"_s)); tail >= 0)
            edge.from = tail;
        if (const int head = clusterNamed(edge.attributes.value(u"lhead"_s)); head >= 0)
            edge.to = head;
        if (m_standsFor[edge.from] >= 0)
            edge.from = m_standsFor[edge.from];
        if (m_standsFor[edge.to] >= 0)
            edge.to = m_standsFor[edge.to];
        const QString way = edge.attributes.value(u"dir"_s);
        if (way == u"back")
            std::swap(edge.from, edge.to);
        else if (way == u"both")
            remark(edge.line, u"an edge with two heads is read as an arrow to its second node"_s);
    }

    void setCluster(int node)
    {
        Vertex &vertex = m.vertices[node].vertex;
        const QString label = clusterLabel(node);
        setLabel(vertex, label, m.vertices[node].name);
        vertex.look = lookOf(m_nodes[node].attributes);
        if (!isRegion(node))
            return;
        vertex.look = {};
        vertex.label.clear();
        vertex.isNamed = false;
    }

    /// A frame of dashes without a text, as writeDot() has it.
    bool isRegion(int node) const
    {
        return isCluster(node) && m.vertices[node].parent >= 0
            && hasStyle(m_nodes[node].attributes, u"dashed"_s) && clusterLabel(node).isEmpty();
    }

    /// Those in which all are regions.
    void setParallel()
    {
        QHash<int, int> regions, others;
        for (int i = 0; i < m.vertices.size(); ++i) {
            if (m_standsFor[i] < 0)
                ++(isRegion(i) ? regions : others)[m.vertices[i].parent];
        }
        for (auto it = regions.cbegin(); it != regions.cend(); ++it) {
            if (it.key() >= 0 && it.value() > 1 && others.value(it.key()) == 0)
                m.vertices[it.key()].vertex.kind = Kind::Parallel;
        }
    }

    static void setLabel(Vertex &vertex, const QString &text, const QString &name)
    {
        QStringList lines = text.split(u'\n');
        vertex.label = lines.takeFirst().simplified();
        if (vertex.label == name)
            vertex.label.clear();
        for (const QString &line : std::as_const(lines)) {
            if (!line.simplified().isEmpty())
                vertex.description += line.simplified();
        }
    }

    static Look lookOf(const DotAttributes &attributes)
    {
        Look look;
        const QString style = attributes.value(u"style"_s).toLower();
        const QString colour = attributes.value(u"color"_s);
        if (style.contains(u"filled"))
            look.fill = colourOf(attributes.value(u"fillcolor"_s, colour));
        if (!style.contains(u"filled") || attributes.contains(u"fillcolor"_s))
            look.stroke = colourOf(colour);
        look.text = colourOf(attributes.value(u"fontcolor"_s));
        look.isBold = style.contains(u"bold");
        look.dash = style.contains(u"dashed") ? Look::Dash::Dashed
            : style.contains(u"dotted")       ? Look::Dash::Dotted
                                              : Look::Dash::None;
        return look;
    }

    void setNode(int node)
    {
        const DotAttributes &said = m_nodes[node].attributes;
        Vertex &vertex = m.vertices[node].vertex;
        const QString &name = m.vertices[node].name;
        const QString shape = said.value(u"shape"_s, u"ellipse"_s).toLower();
        const QString written = said.value(u"label"_s, u"\\N"_s);
        QStringList fields { written };
        if (shape.contains(u"record") && !said.contains(u"html label"_s))
            fields = recordFields(written);
        for (QString &field : fields)
            field = said.contains(u"html label"_s)
                ? field
                : withoutEntities(withoutEscapes(field.trimmed(), name));
        const QString text = fields.join(u'\n');
        vertex.kind = kindOf(node, shape, text);
        if (vertex.kind == Kind::State)
            setLabel(vertex, text, name);
        else if (const QString beside =
                     withoutEntities(withoutEscapes(said.value(u"xlabel"_s), name));
                 beside != name)
            vertex.label = beside;
        if (vertex.kind == Kind::State)
            vertex.look = lookOf(said);
        const int around = m.vertices[node].parent;
        const QString parent = around < 0 ? QString() : m.vertices[around].name;
        vertex.isNamed = (vertex.kind != Kind::Initial || name != madeUpId(parent, u"initial"))
            && (vertex.kind != Kind::Final || name != madeUpId(parent, u"final"));
    }

    /// As the usual pictures of state machines have it.
    Kind kindOf(int node, const QString &shape, const QString &text) const
    {
        const DotAttributes &said = m_nodes[node].attributes;
        const int in = m_arriving[node], out = m_leaving[node];
        const QString fill = said.value(u"fillcolor"_s, said.value(u"color"_s)).toLower();
        const bool isBlack =
            hasStyle(said, u"filled"_s) && (fill == u"black" || fill == u"#000000");
        const bool isEmpty = text.isEmpty() || shape == u"point";
        const bool isDoubled = shape == u"doublecircle" || said.value(u"peripheries"_s) == u"2";
        if (shape == u"diamond")
            return Kind::Choice;
        if (shape == u"mdiamond")
            return Kind::Initial;
        if ((shape == u"msquare" || isDoubled) && out == 0)
            return Kind::Final;
        if (shape == u"circle" && (text == u"H" || text == u"H*"))
            return text == u"H" ? Kind::ShallowHistory : Kind::DeepHistory;
        const bool isDot = shape == u"point" || (isEmpty && shape == u"circle");
        if (isDot && isBlack + (shape == u"point") > 0)
            return in == 0 ? Kind::Initial : out == 0 ? Kind::Final : Kind::Choice;
        if (isEmpty && (shape == u"none" || shape == u"plaintext" || shape == u"plain") && in == 0)
            return Kind::Initial;
        if (isEmpty && isBlack && (shape == u"box" || shape == u"rect" || shape == u"rectangle"))
            return in > 1 && out <= 1 ? Kind::Join : Kind::Fork;
        const bool isInside = m.vertices[node].parent >= 0;
        if (shape == u"circle" && isInside && said.value(u"width"_s).toDouble() <= 0.25
            && said.contains(u"width"_s) && (isEmpty || text == u"x"))
            return isEmpty ? Kind::Entry : Kind::Exit;
        return Kind::State;
    }

    /// Nodes of the shape of a note are notes of what they are joined to.
    void takeNotes()
    {
        QHash<int, int> about;
        for (const Edge &edge : std::as_const(m_edges)) {
            if (isNote(edge.from) != isNote(edge.to))
                about.insert(isNote(edge.from) ? edge.from : edge.to,
                    isNote(edge.from) ? edge.to : edge.from);
        }
        for (int i = 0; i < m.vertices.size(); ++i) {
            if (!isNote(i))
                continue;
            Note note;
            const Vertex &vertex = m.vertices[i].vertex;
            note.lines = QStringList { vertex.label.isEmpty() ? m.vertices[i].name : vertex.label }
                + vertex.description;
            if (const int of = about.value(i, -1); of >= 0)
                note.of = m.vertices[of].name;
            m.chart.notes.append(note);
            m_isGone[i] = true;
        }
        m_edges.removeIf([this](const Edge &edge) { return isNote(edge.from) || isNote(edge.to); });
    }

    bool isNote(int node) const
    {
        return !isCluster(node) && attribute(node, u"shape"_s).toLower() == u"note";
    }

    void addArc(const Edge &edge)
    {
        if (hasStyle(edge.attributes, u"invis"_s) || isHidden(edge.from) || isHidden(edge.to))
            return;
        if (m.vertices[edge.from].vertex.kind == Kind::Final) {
            remark(edge.line,
                u"nothing leaves the final state \"%1\"; the edge is left out"_s.arg(
                    m.vertices[edge.from].name));
            return;
        }
        scxml::Draft::DraftArc draft { .arc = {}, .from = edge.from };
        draft.arc.to = { m.vertices[edge.to].name };
        draft.arc.line = edge.line;
        const DotAttributes &said = edge.attributes;
        for (const QString &key : { u"label"_s, u"xlabel"_s, u"taillabel"_s, u"headlabel"_s }) {
            const QString written = said.value(key);
            if (written.isEmpty())
                continue;
            setText(draft.arc,
                said.contains(u"html "_s + key)
                    ? written
                    : withoutEntities(withoutEscapes(written, {})).trimmed());
            break;
        }
        draft.arc.look = lookOf(said);
        draft.arc.look.fill.clear();
        m.arcs.append(draft);
    }

    bool isHidden(int node) const { return m_isGone[node] || m_standsFor[node] >= 0; }

    /// Notes, and what only helps the layout.
    void dropGone()
    {
        for (int i = 0; i < m.vertices.size(); ++i) {
            if (m_standsFor[i] >= 0)
                m_isGone[i] = true;
        }
        if (!m_isGone.contains(true))
            return;
        QList<int> moved(m.vertices.size(), -1);
        QList<scxml::Draft::DraftVertex> kept;
        for (int i = 0; i < m.vertices.size(); ++i) {
            if (m_isGone[i])
                continue;
            moved[i] = int(kept.size());
            kept.append(m.vertices[i]);
        }
        for (scxml::Draft::DraftVertex &each : kept)
            each.parent = each.parent < 0 ? -1 : moved[each.parent];
        for (scxml::Draft::DraftArc &each : m.arcs)
            each.from = moved[each.from];
        m.vertices = kept;
    }

    static constexpr qsizetype MostEdges = 1'000'000; ///< {...} -> {...} multiplies
    static constexpr qsizetype MostHeld = 1'000'000;  ///< each level around a node holds it again

    QString m_text;
    TextScanner m_scan;
    QString m_file, m_error;
    scxml::Draft m;
    QList<Node> m_nodes; ///< by vertex
    QList<Edge> m_edges;
    QHash<QString, int> m_byName;
    QMap<QString, int> m_clusters;
    QHash<std::pair<int, QString>, Subgraph> m_subgraphs; ///< by what is around them and their name
    qsizetype m_held = 0;                                 ///< nodes in them
    int m_numbers = 0;                                    ///< of subgraphs
    QSet<QString> m_taken;
    QList<bool> m_isGone;
    QList<int> m_standsFor, m_leaving, m_arriving;
    StatechartsRead m_read;
};

} // namespace

Result<StatechartsRead> readDot(const QByteArray &bytes, const QString &file)
{
    const TextLines text = textLines(bytes);
    Result<StatechartsRead> read = DotReader(text.lines.join(u'\n'), file).read();
    if (!read)
        return Error { read.error() };
    if (read->charts.isEmpty())
        return Error { u"%1: found no graph with nodes; expected \"digraph { a -> b }\""_s.arg(
            file) };
    if (text.firstBad > 0)
        read->remarks.prepend(
            { text.firstBad, u"the text is not UTF-8; letters that are not show as \ufffd"_s });
    setOnOneLine(read->remarks);
    std::ranges::stable_sort(read->remarks, {}, &Remark::line);
    return read;
}

} // namespace instar
