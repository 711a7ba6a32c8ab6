// SPDX-License-Identifier: Apache-2.0
// Random statecharts run by our interpreter and, as SCXML, by Qt's: after every event both are in
// the same states.

#include "model/formats/scxml.h"
#include "model/machine/interpreter.h"
#include "tests/support/property.h"
#include "tests/support/randomstatechart.h"

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
};

#ifdef QT_SCXML_LIB

namespace {

bool noAnswer(const QString &)
{
    return false;
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
        QObject::connect(m_machine.get(), &QScxmlStateMachine::finished, m_machine.get(), [this] { isOver = true; });
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

bool holds(const Interpreter &interpreter, const Situation &situation, const Guard &guard)
{
    const int state = interpreter.plan().index.value(guard.text, -1);
    return guard.kind == Guard::Kind::Always || (guard.kind == Guard::Kind::In && situation.active.contains(state));
}

/// Of two arrows in different regions, each out of what the other one leaves, the recommendation
/// takes the one whose region comes first; Qt takes the one that begins further in.
bool isAmbiguous(const Interpreter &interpreter, const Situation &situation, const QString &event)
{
    const ChartPlan &plan = interpreter.plan();
    QList<int> sources;
    for (const int node : situation.active) {
        for (const int index : plan.nodes[node].ways) {
            const ChartPlan::Way &way = plan.ways[index];
            const bool fits = std::ranges::any_of(way.events, [&](const QString &each) { return describes(each, event); });
            if (fits && !way.to.isEmpty() && holds(interpreter, situation, way.guard))
                sources += node;
        }
    }
    for (const int a : sources) {
        for (const int b : sources) {
            if (plan.nodes[a].depth != plan.nodes[b].depth && !plan.isInside(a, b) && !plan.isInside(b, a))
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

} // namespace

void TestInterpreterScxml::agrees()
{
    int moves = 0, finished = 0, ambiguous = 0;
    QVERIFY(holdsFor(5000, 200, [&] {
        const Statechart chart = *runnableStatechart();
        const StatechartsWritten scxml = writeScxml({ chart });
        RC_ASSERT(scxml.remarks.isEmpty());
        const Result<ChartPlan> plan = planOf(chart);
        RC_ASSERT(bool(plan));
        RC_ASSERT(plan->remarks.isEmpty());
        const Interpreter interpreter(*plan);
        QtRun qt(scxml.bytes);
        RC_LOG() << scxml.bytes.toStdString();
        RC_LOG() << qt.errors.join(u'\n').toStdString();
        RC_ASSERT(qt.errors.isEmpty());
        Move move = interpreter.begun(noAnswer);
        const auto compare = [&](const QString &event) {
            RC_LOG() << '\n' << event.toStdString() << ": " << written(interpreter, move.to).join(u' ').toStdString() << " | "
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
            if (isAmbiguous(interpreter, move.to, event)) {
                ++ambiguous;
                continue;
            }
            move = interpreter.after(move.to, event, noAnswer);
            qt.submit(event);
            moves += move.isTaken;
            finished += move.to.isOver;
            compare(event);
        }
    }));
    qInfo("%d moves, %d charts came to their end, %d events left out", moves, finished, ambiguous);
    QVERIFY(moves > 5000);
    QVERIFY(finished > 20);
}

#else

void TestInterpreterScxml::agrees()
{
    QSKIP("qt6-scxml-dev is not installed");
}

#endif

QTEST_GUILESS_MAIN(TestInterpreterScxml)
#include "tst_interpreter_scxml.moc"
