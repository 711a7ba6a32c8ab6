// SPDX-License-Identifier: Apache-2.0
// Random statecharts run by our interpreter and, as SCXML, by Qt's: after every event both are in
// the same states.

#include "model/statecharts/interpreter.h"
#include "model/statecharts/notation/notations.h"
#include "tests/support/property.h"
#include "tests/support/randomstatechart.h"
#include "tests/support/testclass.h"

#include <QTest>

#ifdef QT_SCXML_LIB
#include <QBuffer>
#include <QScxmlStateMachine>
#endif

using namespace instar;
using namespace Qt::StringLiterals;

class TestInterpreterScxml : public QObject
{
    Q_OBJECT

private slots:
    void agrees();
    void agreesOnNamedConditions();
    void agreesOnOwnEvents_data();
    void agreesOnOwnEvents();
};

#ifdef QT_SCXML_LIB

namespace {

/// Of the names of conditions, those that hold.
using Holding = QSet<QString>;

/// Conditions in place of some: names and questions for states, joined in every way.
QString randomWords(const Statechart &chart, int depth)
{
    switch (*rc::gen::inRange(0, depth > 0 ? 7 : 3)) {
    case 0:
    case 1:
        return QString(QChar(u'p' + *rc::gen::inRange(0, 4)));
    case 2:
        return u"In('%1')"_s.arg(
            chart.vertices[*rc::gen::inRange<qsizetype>(0, chart.vertices.size())].id);
    case 3:
        return u'!' + randomWords(chart, 0);
    case 4:
        return u"!(%1)"_s.arg(randomWords(chart, depth - 1));
    case 5:
        return u"(%1) && %2"_s.arg(randomWords(chart, depth - 1), randomWords(chart, depth - 1));
    default:
        return u"%1 || %2"_s.arg(randomWords(chart, depth - 1), randomWords(chart, depth - 1));
    }
}

Statechart withWords(Statechart chart)
{
    for (Arc &arc : chart.arcs) {
        const Vertex *const from = chart.vertex(arc.from);
        const bool mayAsk =
            from->kind == Vertex::Kind::State || from->kind == Vertex::Kind::Parallel;
        if (mayAsk && *rc::gen::inRange(0, 2) == 0)
            arc.condition = randomWords(chart, 3);
    }
    return chart;
}

/// The variables of the conditions that hold are true from the beginning.
QByteArray telling(QByteArray scxml, const Holding &names)
{
    for (const QString &name : names)
        scxml.replace("<data id=\"" + name.toUtf8() + "\" expr=\"false\"/>",
            "<data id=\"" + name.toUtf8() + "\" expr=\"true\"/>");
    return scxml;
}

/// Qt's machine, which works in the event loop; its leaves, sorted.
class QtRun
{
public:
    explicit QtRun(const QByteArray &scxml)
    {
        QBuffer buffer;
        buffer.setData(scxml);
        buffer.open(QIODevice::ReadOnly);
        m_machine.reset(QScxmlStateMachine::fromData(&buffer, u"test.scxml"_s));
        for (const QScxmlError &error : m_machine->parseErrors())
            errors += error.toString();
        if (!errors.isEmpty())
            return;
        QObject::connect(m_machine.get(), &QScxmlStateMachine::finished, m_machine.get(),
            [this] { isOver = true; });
        m_machine->start();
        settle();
    }

    QStringList leaves()
    {
        QStringList names = m_machine->activeStateNames(true);
        names.sort();
        return names;
    }

    void submit(const QString &event)
    {
        m_machine->submitEvent(event);
        settle();
    }

    QStringList errors;
    bool isOver = false;

private:
    static void settle()
    {
        for (int i = 0; i < 3; ++i)
            QCoreApplication::processEvents();
    }

    std::unique_ptr<QScxmlStateMachine> m_machine;
};

bool holds(const Interpreter &interpreter, const Situation &situation, const Holding &names,
    const Guard &guard)
{
    const auto part = [&](const Guard &each) { return holds(interpreter, situation, names, each); };
    switch (guard.kind) {
    case Guard::Kind::Always:
        return true;
    case Guard::Kind::Name:
        return names.contains(guard.text);
    case Guard::Kind::In:
        return situation.active.contains(interpreter.plan().index.value(guard.text, -1));
    case Guard::Kind::Not:
        return !part(guard.parts.first());
    case Guard::Kind::All:
        return std::ranges::all_of(guard.parts, part);
    case Guard::Kind::Any:
        return std::ranges::any_of(guard.parts, part);
    case Guard::Kind::Never:
    case Guard::Kind::Else:
        break;
    }
    return false;
}

/// Of two arrows in different regions, each out of what the other one leaves, the recommendation
/// takes the one whose region comes first; Qt takes the one that begins further in.
bool isAmbiguous(const Interpreter &interpreter, const Situation &situation, const Holding &names,
    const QString &event)
{
    const ChartPlan &plan = interpreter.plan();
    QList<int> sources;
    for (const int node : situation.active) {
        for (const int index : plan.nodes[node].edges) {
            const ChartPlan::Edge &edge = plan.edges[index];
            const bool fits = std::ranges::any_of(
                edge.events, [&](const QString &each) { return describes(each, event); });
            if (fits && !edge.to.isEmpty() && holds(interpreter, situation, names, edge.guard))
                sources += node;
        }
    }
    for (const int a : sources) {
        for (const int b : sources) {
            if (plan.nodes[a].depth != plan.nodes[b].depth && !plan.isInside(a, b)
                && !plan.isInside(b, a))
                return true;
        }
    }
    return false;
}

QStringList written(const Interpreter &interpreter, const Situation &situation)
{
    QStringList names; // our names of unnamed finals are those that the writer gives them
    for (qsizetype i = 0; i < situation.active.size(); ++i) {
        const ChartPlan::Node &node = interpreter.plan().nodes[situation.active[i]];
        if (i + 1 == situation.active.size() || situation.active[i + 1] >= node.end)
            names += node.id;
    }
    names.sort();
    return names;
}

/// What was met on the way.
struct Tally
{
    int moves = 0, finished = 0, ambiguous = 0;
};

/// One random walk through a chart, in both.
void walk(const Statechart &chart, const Holding &names, Tally &tally)
{
    const StatechartsWritten scxml = writeScxml({ chart });
    RC_ASSERT(scxml.remarks.isEmpty());
    const Result<ChartPlan> plan = planOf(chart);
    RC_ASSERT(bool(plan));
    RC_ASSERT(plan->remarks.isEmpty());
    const Interpreter interpreter(*plan);
    const Answers answers = [&](const QString &name) { return names.contains(name); };
    QtRun qt(telling(scxml.bytes, names));
    RC_LOG() << scxml.bytes.toStdString() << names.values().join(u' ').toStdString();
    RC_LOG() << qt.errors.join(u'\n').toStdString();
    RC_ASSERT(qt.errors.isEmpty());
    Move move = interpreter.begun(answers);
    const auto compare = [&](const QString &event) {
        RC_LOG() << '\n'
                 << event.toStdString() << ": "
                 << written(interpreter, move.to).join(u' ').toStdString() << " | "
                 << qt.leaves().join(u' ').toStdString() << '\n';
        RC_ASSERT(!move.isEndless);
        RC_ASSERT(move.to.isOver == qt.isOver);
        if (!qt.isOver)
            RC_ASSERT(written(interpreter, move.to) == qt.leaves());
    };
    compare(u"begin"_s);
    for (int i = *rc::gen::inRange(0, 20); i > 0 && !move.to.isOver; --i) {
        static const QStringList events { u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s };
        const QString event = events[*rc::gen::inRange(0, 5)];
        if (isAmbiguous(interpreter, move.to, names, event)) {
            ++tally.ambiguous;
            continue;
        }
        move = interpreter.after(move.to, event, answers);
        qt.submit(event);
        tally.moves += move.isTaken;
        tally.finished += move.to.isOver;
        compare(event);
    }
}

void tell(const Tally &tally)
{
    qInfo("%d moves, %d charts came to their end, %d events left out", tally.moves, tally.finished,
        tally.ambiguous);
}

} // namespace

void TestInterpreterScxml::agrees()
{
    Tally tally;
    QVERIFY(holdsFor(5000, 200, [&] { walk(*runnableStatechart(), {}, tally); }));
    tell(tally);
    QVERIFY(tally.moves > 5000);
    QVERIFY(tally.finished > 20);
}

void TestInterpreterScxml::agreesOnNamedConditions()
{
    Tally tally;
    QVERIFY(holdsFor(1000, 200, [&] {
        Holding names;
        for (const QString &name : { u"p"_s, u"q"_s, u"r"_s, u"s"_s }) {
            if (*rc::gen::arbitrary<bool>())
                names += name;
        }
        walk(withWords(*runnableStatechart()), names, tally);
    }));
    tell(tally);
    QVERIFY(tally.moves > 1000);
}

void TestInterpreterScxml::agreesOnOwnEvents_data()
{
    // end: where "go" leads
    const Rows<QByteArray, QByteArray> row("content", "end");
    row("raised on entry",
        "<state id='a'><transition event='go' target='b'/></state>"
        "<state id='b'><onentry><raise event='x'/></onentry><transition event='x' "
        "target='c'/></state>"
        "<state id='c'/>",
        "c");
    row("raised on exit",
        "<state id='a'><onexit><raise event='x'/></onexit>"
        "<transition event='go' target='b'/></state>"
        "<state id='b'><transition event='x' target='c'/></state><state id='c'/>",
        "c");
    row("raised by an arrow without target",
        "<state id='a'><transition event='go'><raise event='x'/>"
        "</transition><transition event='x' target='c'/></state><state id='c'/>",
        "c");
    row("exit, arrow, entry",
        "<state id='a'><onexit><raise event='one'/></onexit>"
        "<transition event='go' target='b'><raise event='two'/></transition></state>"
        "<state id='b'><onentry><raise event='three'/></onentry>"
        "<transition event='three' target='e'/><transition event='two' target='d'/>"
        "<transition event='one' target='c'/></state>"
        "<state id='c'><transition event='two' target='d'/></state>"
        "<state id='d'><transition event='three' target='e'/></state><state id='e'/>",
        "e");
    row("sent is later than raised",
        "<state id='a'><transition event='go' target='b'>"
        "<send event='x'/><raise event='y'/></transition></state>"
        "<state id='b'><transition event='x' target='c'/><transition event='y' target='d'/></state>"
        "<state id='c'/><state id='d'><transition event='x' target='e'/></state><state id='e'/>",
        "e");
    row("outer states are entered first",
        "<state id='a'><transition event='go' target='c'/></state>"
        "<state id='b'><onentry><raise event='x'/></onentry>"
        "<transition event='x' target='d'/><transition event='y' target='e'/>"
        "<state id='c'><onentry><raise event='y'/></onentry></state></state>"
        "<state id='d'/><state id='e'/>",
        "d");
    row("inner states are left first",
        "<state id='b'><onexit><raise event='x'/></onexit>"
        "<state id='a'><onexit><raise event='y'/></onexit><transition event='go' "
        "target='f'/></state>"
        "</state><state id='f'><transition event='x' target='d'/><transition event='y' target='e'/>"
        "</state><state id='d'/><state id='e'/>",
        "e");
    row("between regions",
        "<parallel id='p'><state id='r'><state id='a'>"
        "<transition event='go' target='b'><raise event='x'/></transition></state><state id='b'/>"
        "</state><state id='s'><state id='c'><transition event='x' target='d'/></state>"
        "<state id='d'/></state></parallel>",
        "b d");
    row("when the chart begins",
        "<state id='a'><onentry><send event='x'/></onentry>"
        "<transition event='x' target='b'/></state>"
        "<state id='b'><transition event='go' target='c'/></state><state id='c'/>",
        "c");
}

/// <raise>, and <send> to itself.
void TestInterpreterScxml::agreesOnOwnEvents()
{
    QFETCH(const QByteArray, content);
    QFETCH(const QByteArray, end);
    const QByteArray scxml =
        "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>" + content + "</scxml>";
    const StatechartsRead read = valueOf(readScxml(scxml, u"test"_s));
    const Result<ChartPlan> plan = planOf(read.charts.first());
    QVERIFY(plan && plan->remarks.isEmpty());
    const Interpreter interpreter(*plan);
    const Answers none = [](const QString &) { return false; };
    QtRun theirs(scxml);
    QCOMPARE(theirs.errors, QStringList());
    Move ours = interpreter.begun(none);
    QCOMPARE(interpreter.configuration(ours.to), theirs.leaves());
    theirs.submit(u"go"_s);
    ours = interpreter.after(ours.to, u"go"_s, none);
    QCOMPARE(interpreter.configuration(ours.to), theirs.leaves());
    QCOMPARE(interpreter.configuration(ours.to).join(u' '), QString::fromUtf8(end));
}

#else

void TestInterpreterScxml::agreesOnOwnEvents_data() { }

void TestInterpreterScxml::agreesOnOwnEvents()
{
    QSKIP("qt6-scxml-dev is not installed");
}

void TestInterpreterScxml::agrees()
{
    QSKIP("qt6-scxml-dev is not installed");
}

void TestInterpreterScxml::agreesOnNamedConditions()
{
    QSKIP("qt6-scxml-dev is not installed");
}

#endif

const instar::TestClass<TestInterpreterScxml> registered;
#include "tst_interpreter_scxml.moc"
