// SPDX-License-Identifier: Apache-2.0
#include "model/charts/interpreter.h"

#include "model/charts/chartround.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int MostMicrosteps = 1000; ///< that follow each other without an event from outside

void take(ChartRound &round, const QList<int> &ways, Move &move)
{
    round.take(ways);
    move.isTaken = true;
    move.ways += ways;
    move.passed += move.to.active;
}

} // namespace

size_t qHash(const Situation &situation, size_t seed)
{
    return qHashMulti(
        seed, situation.active, situation.queue, situation.isOver, situation.memory.size());
}

bool describes(QStringView descriptor, QStringView event)
{
    if (descriptor == u"*")
        return true;
    if (descriptor.endsWith(u".*"))
        descriptor.chop(2);
    else if (descriptor.endsWith(u'.'))
        descriptor.chop(1);
    return event.startsWith(descriptor)
        && (event.size() == descriptor.size() || event[descriptor.size()] == u'.');
}

/// Ways without events, and the events that the chart sends itself, until there is none left.
Move Interpreter::settled(Move move, const Answers &answers) const
{
    for (int steps = 0; !move.to.isOver; ++steps) {
        ChartRound round(m, move.to, answers);
        QList<int> ways = round.selected(nullptr, m_pace == Pace::AtOnce);
        if (ways.isEmpty()) {
            QStringList &next = move.to.queue.isEmpty() ? move.to.sent : move.to.queue;
            if (next.isEmpty())
                return move;
            const QString event = next.takeFirst();
            ways = round.selected(&event, false);
        }
        if (ways.isEmpty())
            continue;
        if (steps >= MostMicrosteps) {
            move.isEndless = true;
            return move;
        }
        take(round, ways, move);
    }
    move.to.queue.clear();
    move.to.sent.clear();
    return move;
}

Move Interpreter::begun(const Answers &answers) const
{
    Move move;
    if (m.nodes[0].initial.isEmpty())
        return move;
    ChartRound(m, move.to, answers).begin();
    move.isTaken = true;
    move.passed = move.to.active;
    return settled(move, answers);
}

Move Interpreter::after(const Situation &from, const QString &event, const Answers &answers) const
{
    Move move { .to = from };
    if (from.isOver)
        return move;
    ChartRound round(m, move.to, answers);
    const QList<int> ways = round.selected(&event, false);
    if (ways.isEmpty())
        return move;
    take(round, ways, move);
    return settled(move, answers);
}

Move Interpreter::worked(const Situation &from, const Answers &answers) const
{
    Move move { .to = from };
    if (from.isOver)
        return move;
    ChartRound round(m, move.to, answers);
    const QList<int> ways = round.selected(nullptr, true);
    if (ways.isEmpty())
        return move;
    take(round, ways, move);
    return settled(move, answers);
}

QStringList Interpreter::configuration(const Situation &situation) const
{
    QStringList result;
    for (qsizetype i = 0; i < situation.active.size(); ++i) {
        const int node = situation.active[i];
        const bool isLeaf =
            i + 1 == situation.active.size() || situation.active[i + 1] >= m.nodes[node].end;
        if (isLeaf)
            result += m.nodes[node].name;
    }
    result.sort();
    result.removeDuplicates();
    return result;
}

QStringList Interpreter::awaited(const Situation &situation) const
{
    QStringList result;
    for (const int node : situation.active) {
        for (const int way : m.nodes[node].ways)
            result += m.ways[way].events;
    }
    result.removeDuplicates();
    return result;
}

bool Interpreter::works(const Situation &situation) const
{
    return std::ranges::any_of(situation.active, [this](int node) {
        return std::ranges::any_of(
            m.nodes[node].ways, [this](int way) { return m.ways[way].isWork; });
    });
}

} // namespace instar
