// SPDX-License-Identifier: Apache-2.0
#include "model/charts/chartplan.h"
#include "model/charts/notation/chartlook.h"
#include "model/charts/notation/diagramfile.h"
#include "model/charts/notation/textlines.h"
#include "model/charts/notation/textscanner.h"
#include "model/charts/scxml/scxmldraft.h"
#include "model/charts/smcat/smcat.h"

#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Vertex::Kind;

constexpr qsizetype MostSmcatRemarks = 1000; ///< a hostile file has millions

/// What state-machine-cat takes a state for; a junction is a choice here.
struct SmcatType
{
    QString name;
    Kind kind;
};

const QList<SmcatType> &smcatTypes()
{
    static const QList<SmcatType> types { { u"regular"_s, Kind::State },
        { u"initial"_s, Kind::Initial }, { u"final"_s, Kind::Final },
        { u"terminate"_s, Kind::Final }, { u"parallel"_s, Kind::Parallel },
        { u"history"_s, Kind::ShallowHistory }, { u"deephistory"_s, Kind::DeepHistory },
        { u"choice"_s, Kind::Choice }, { u"junction"_s, Kind::Choice }, { u"fork"_s, Kind::Fork },
        { u"join"_s, Kind::Join }, { u"forkjoin"_s, Kind::Fork } };
    return types;
}

QString smcatTypeOf(const QString &name)
{
    if (name.contains(u"initial"))
        return u"initial"_s;
    if (name.contains(u"final"))
        return u"final"_s;
    if (name.contains(u"parallel"))
        return u"parallel"_s;
    if (name.contains(u"history"))
        return name.contains(u"deep") ? u"deephistory"_s : u"history"_s;
    return name.startsWith(u'^') ? u"choice"_s : name.startsWith(u']') ? u"forkjoin"_s : QString();
}

/// "event [condition] / action" as state-machine-cat takes it apart: the first "/" ends the event.
void setSmcatText(Arc &arc, const QString &text)
{
    const qsizetype slash = [&] {
        const qsizetype close = text.indexOf(u']');
        const qsizetype open = text.indexOf(u'['), first = text.indexOf(u'/');
        return open >= 0 && (first < 0 || open < first) && close > open ? text.indexOf(u'/', close)
                                                                        : first;
    }();
    const QString before = slash < 0 ? text : text.left(slash);
    const qsizetype open = before.indexOf(u'['), close = before.indexOf(u']', open + 1);
    const bool asks = open >= 0 && close > open + 1;
    arc.event = (asks ? before.left(open) : before).simplified();
    arc.condition = asks ? before.sliced(open + 1, close - open - 1).simplified() : QString();
    arc.action = slash < 0 ? QString() : text.sliced(slash + 1).simplified();
    if (arc.text() != text)
        arc.label = text;
}

class SmcatReader
{
public:
    explicit SmcatReader(const QString &text) : m_text(text), m_scan(m_text) { }

    StatechartsRead read(const QString &file)
    {
        readInside(-1, 0);
        while (!m_scan.isAtEnd()) {
            remark(u"\"}\" closes nothing"_s);
            m_scan.skip();
            readInside(-1, 0);
        }
        settleForks();
        m.chart.id = QFileInfo(file).completeBaseName();
        StatechartsRead result = m.finished();
        if (result.charts.first().vertices.isEmpty())
            result.charts.clear();
        return result;
    }

private:
    struct Attribute
    {
        QString name, value;
    };

    void remark(const QString &text, bool isLoss = true)
    {
        if (m.remarks.size() < MostSmcatRemarks)
            m.remarks.append({ m_scan.line(), text, isLoss });
    }

    void skipBlanks()
    {
        for (m_scan.skipSpaces(); m_scan.peek() == u'/'; m_scan.skipSpaces()) {
            if (m_scan.take(u"//"))
                m_scan.takeWhile([](QChar letter) { return letter != u'\n'; });
            else if (!m_scan.take(u"/*"))
                return;
            else if (!m_scan.skipBehind(u"*/"))
                remark(u"the comment has no \"*/\"; what follows is left out"_s);
        }
    }

    /// Lines that begin with "#" are notes of what comes next.
    QStringList takeNotes()
    {
        QStringList lines;
        for (skipBlanks(); m_scan.peek() == u'#'; skipBlanks()) {
            m_scan.skip();
            lines +=
                m_scan.takeWhile([](QChar letter) { return letter != u'\n'; }).trimmed().toString();
        }
        return lines;
    }

    void readInside(int around, int depth)
    {
        for (;;) {
            const QStringList notes = takeNotes();
            if (m_scan.isAtEnd() || m_scan.peek() == u'}') {
                if (!notes.isEmpty())
                    addNote(-1, notes);
                return;
            }
            readStatement(around, depth, notes);
        }
    }

    static bool isIdentifier(QChar letter)
    {
        return !u";, \"\t\n\r=-><:{["_s.contains(letter) && letter != u'}';
    }

    /// A name, between quotes or not; null: there is none.
    QString takeName()
    {
        skipBlanks();
        if (m_scan.peek() == u'"')
            return takeQuoted();
        return m_scan.takeWhile(isIdentifier).toString();
    }

    QString takeQuoted()
    {
        m_scan.skip();
        const int line = m_scan.line();
        QString text;
        while (!m_scan.isAtEnd() && m_scan.peek() != u'"') {
            if (m_scan.peek() == u'\\' && m_scan.peek(1) == u'"')
                m_scan.skip();
            text += m_scan.peek();
            m_scan.skip();
        }
        if (m_scan.isAtEnd())
            m.remarks.append({ line, u"the text between quotes has no end"_s });
        m_scan.skip();
        return text.isNull() ? u""_s : text;
    }

    /// What stands behind a colon, up to one of the letters.
    QString takeText(QStringView ends)
    {
        skipBlanks();
        QString text = m_scan.peek() == u'"'
            ? takeQuoted()
            : m_scan.takeWhile([&](QChar letter) { return !ends.contains(letter); }).toString();
        return text.replace(u"\\n"_s, u"\n"_s).trimmed();
    }

    /// Whether it is an arrow, and whether that points to the left.
    std::optional<bool> takeArrow()
    {
        skipBlanks();
        for (const QStringView arrow : { u"->", u"=>>", u"=>", u">>", u":>", u"--", u"==" }) {
            if (m_scan.take(arrow))
                return false;
        }
        for (const QStringView arrow : { u"<-", u"<<=", u"<=", u"<<", u"<:" }) {
            if (m_scan.take(arrow))
                return true;
        }
        return {};
    }

    void readStatement(int around, int depth, const QStringList &notes)
    {
        const int line = m_scan.line();
        const QString name = takeName();
        if (name.isEmpty()) {
            skipStatement();
            return;
        }
        if (const std::optional<bool> isBack = takeArrow()) {
            const QString other = takeName();
            if (other.isEmpty()) {
                skipStatement();
                return;
            }
            readArrow(around, *isBack ? other : name, *isBack ? name : other, notes, line);
            return;
        }
        readState(around, depth, name, notes, line);
    }

    void skipStatement()
    {
        remark(u"not understood and left out: %1"_s.arg(
            m_scan.rest().left(60).toString().simplified()));
        m_scan.takeWhile([](QChar letter) { return !u";,}\n"_s.contains(letter); });
        if (m_scan.peek() != u'}')
            m_scan.skip();
    }

    QList<Attribute> takeAttributes()
    {
        QList<Attribute> result;
        skipBlanks();
        if (m_scan.peek() != u'[')
            return result;
        m_scan.skip();
        for (skipBlanks(); !m_scan.isAtEnd() && m_scan.peek() != u']'; skipBlanks()) {
            Attribute attribute;
            attribute.name = m_scan.takeWhile([](QChar letter) { return letter.isLetter(); })
                                 .toString()
                                 .toLower();
            skipBlanks();
            if (m_scan.peek() == u'=') {
                m_scan.skip();
                skipBlanks();
                attribute.value = m_scan.peek() == u'"'
                    ? takeQuoted()
                    : m_scan
                          .takeWhile([](QChar letter) {
                              return !letter.isSpace() && letter != u']' && letter != u',';
                          })
                          .toString();
            }
            if (attribute.name.isEmpty()) {
                m_scan.skip(); // a comma, or what is none of it
                continue;
            }
            result += attribute;
        }
        m_scan.skip();
        return result;
    }

    int known(const QString &name) const { return m_byName.value(name, -1); }

    int add(int around, const QString &name, int line)
    {
        scxml::Draft::DraftVertex draft { .parent = around, .name = name };
        draft.vertex.line = line;
        setType(draft.vertex, smcatTypeOf(name));
        m_byName.insert(name, int(m.vertices.size()));
        m_isForkJoin.append(name.startsWith(u']'));
        m_isDeclared.append(false);
        m.vertices.append(draft);
        return int(m.vertices.size()) - 1;
    }

    bool setType(Vertex &vertex, const QString &type)
    {
        const auto found = std::ranges::find(smcatTypes(), type, &SmcatType::name);
        if (found != smcatTypes().end())
            vertex.kind = found->kind;
        return found != smcatTypes().end() || type.isEmpty();
    }

    void readState(int around, int depth, const QString &name, const QStringList &notes, int line)
    {
        int state = known(name);
        if (state >= 0 && m_isDeclared[state])
            remark(u"the state \"%1\" is declared once more; both are one"_s.arg(name), false);
        if (state < 0)
            state = add(around, name, line);
        else if (!m_isDeclared[state] && !isInside(around, state))
            m.vertices[state].parent = around; // an arrow has named it before
        m_isDeclared[state] = true;
        setAttributes(state, takeAttributes());
        skipBlanks();
        if (m_scan.take(u":"))
            describe(m.vertices[state].vertex, takeText(u",;{}"));
        if (!notes.isEmpty())
            addNote(state, notes);
        skipBlanks();
        if (m_scan.peek() == u'{')
            readBody(state, depth);
        skipBlanks();
        if (!m_scan.take(u";") && !m_scan.take(u",") && !m_scan.isAtEnd() && m_scan.peek() != u'}')
            skipStatement();
    }

    bool isInside(int vertex, int around) const
    {
        for (int at = vertex; at >= 0; at = m.vertices[at].parent) {
            if (at == around)
                return true;
        }
        return false;
    }

    void readBody(int state, int depth)
    {
        const bool isTooDeep = depth + 1 >= DeepestChart;
        if (isTooDeep)
            remark(
                u"states lie more than %1 deep in each other; those in \"%2\" are read as if they lay beside it"_s
                    .arg(DeepestChart)
                    .arg(m.vertices[state].name));
        m_scan.skip();
        if (isTooDeep)
            return; // its end closes what is around it
        readInside(state, depth + 1);
        if (!m_scan.take(u"}"))
            remark(u"\"%1\" has no \"}\""_s.arg(m.vertices[state].name));
    }

    void setAttributes(int state, const QList<Attribute> &attributes)
    {
        Vertex &vertex = m.vertices[state].vertex;
        for (const Attribute &each : attributes) {
            if (each.name == u"label") {
                vertex.label = QString(each.value).replace(u"\\n"_s, u"\n"_s);
                if (vertex.label == m.vertices[state].name)
                    vertex.label.clear();
            } else if (each.name == u"type") {
                if (!setType(vertex, each.value))
                    remark(u"there is no type \"%1\" of states; it is left out"_s.arg(each.value));
                m_isForkJoin[state] = each.value == u"forkjoin";
                if (each.value == u"terminate")
                    remark(u"\"%1\" is read as a final state"_s.arg(m.vertices[state].name), false);
            } else if (each.name == u"color") {
                vertex.look.stroke = colourOf(each.value);
            } else {
                vertex.particulars.insert(
                    u"smcat."_s + each.name, each.value.isEmpty() ? u"true"_s : each.value);
            }
        }
    }

    static void describe(Vertex &vertex, const QString &text)
    {
        for (const QString &line : text.split(u'\n', Qt::SkipEmptyParts)) {
            QString said = line.simplified();
            for (const QString &word : { u"entry"_s, u"exit"_s }) {
                const QString rest =
                    said.startsWith(word) ? said.sliced(word.size()).trimmed() : QString();
                if (rest.startsWith(u'/'))
                    said = word + u" / "_s + rest.sliced(1).trimmed();
            }
            if (!said.isEmpty())
                vertex.description += said;
        }
    }

    void addNote(int of, const QStringList &lines)
    {
        Note note;
        note.of = of < 0 ? QString() : m.vertices[of].name;
        note.lines = lines;
        m.chart.notes.append(note);
    }

    int mention(int around, const QString &name, int line)
    {
        const int state = known(name);
        return state < 0 ? add(around, name, line) : state;
    }

    void readArrow(
        int around, const QString &from, const QString &to, const QStringList &notes, int line)
    {
        scxml::Draft::DraftArc draft { .arc = {}, .from = mention(around, from, line) };
        mention(around, to, line);
        Arc &arc = draft.arc;
        arc.to = { to };
        arc.line = line;
        arc.note = notes;
        const QList<Attribute> attributes = takeAttributes();
        skipBlanks();
        if (m_scan.take(u":"))
            setSmcatText(arc, takeText(u";{}"));
        for (const Attribute &each : attributes) {
            if (each.name == u"type")
                arc.isInternal = each.value == u"internal";
            else if (each.name == u"color")
                arc.look.stroke = colourOf(each.value);
            else if (each.name == u"width")
                arc.look.isBold = each.value.toDouble() > 1;
            else
                arc.particulars.insert(
                    u"smcat."_s + each.name, each.value.isEmpty() ? u"true"_s : each.value);
        }
        skipBlanks();
        if (!m_scan.take(u";") && !m_scan.isAtEnd() && m_scan.peek() != u'}')
            skipStatement();
        m.arcs.append(draft);
    }

    /// What their arrows make of them.
    void settleForks()
    {
        QList<int> leaving(m.vertices.size()), arriving(m.vertices.size());
        for (const scxml::Draft::DraftArc &each : std::as_const(m.arcs)) {
            ++leaving[each.from];
            ++arriving[known(each.arc.to.first())];
        }
        for (int i = 0; i < m.vertices.size(); ++i) {
            if (!m_isForkJoin[i])
                continue;
            m.vertices[i].vertex.kind = arriving[i] <= 1 && leaving[i] > 1 ? Kind::Fork
                : arriving[i] > 1 && leaving[i] <= 1                       ? Kind::Join
                                                                           : Kind::Choice;
        }
        m.arcs.removeIf([this](const scxml::Draft::DraftArc &each) {
            const bool isLost = m.vertices[each.from].vertex.kind == Kind::Final;
            if (isLost)
                m.remarks.append({ each.arc.line,
                    u"nothing leaves the final state \"%1\"; the arrow is left out"_s.arg(
                        m.vertices[each.from].name) });
            return isLost;
        });
    }

    QString m_text;
    TextScanner m_scan;
    QHash<QString, int> m_byName;
    QList<bool> m_isForkJoin, m_isDeclared; ///< by vertex
    scxml::Draft m;
};

} // namespace

Result<StatechartsRead> readSmcat(const QByteArray &bytes, const QString &file)
{
    const TextLines text = textLines(bytes);
    StatechartsRead read = SmcatReader(text.lines.join(u'\n')).read(file);
    if (read.charts.isEmpty())
        return Error {
            u"%1: found no state machine; expected lines such as \"a => b: event;\""_s.arg(file)
        };
    if (text.firstBad > 0)
        read.remarks.prepend(
            { text.firstBad, u"the text is not UTF-8; letters that are not show as \ufffd"_s });
    setOnOneLine(read.remarks);
    std::ranges::stable_sort(read.remarks, {}, &Remark::line);
    return read;
}

} // namespace instar
