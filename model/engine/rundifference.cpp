// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rundifference.h"

#include "model/engine/step.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qint64 Never = std::numeric_limits<qint64>::max();

/// One of two runs, gone through in order of time, with everything that the last time has touched.
class Walk
{
public:
    explicit Walk(const Course &course)
        : m_course(course), m_world(course.beginning), m_operations(course.operations)
    {
        for (const Resource resource : m_world.tree.resources())
            paths += m_world.tree.path(resource);
        for (const Operation &operation : m_operations.all())
            ids += operation.id;
    }

    /// When something happens next.
    qint64 next() const
    {
        return m_moment < m_course.records.size() ? m_course.records[m_moment].event.time : Never;
    }
    /// When what is not known begins.
    qint64 end() const
    {
        const Event event = nextEvent(m_course.rules, m_world);
        return event.kind == Event::Kind::Wait ? Never : event.time;
    }
    qsizetype moment() const { return m_moment; }
    const World &world() const { return m_world; }

    /// Lets everything happen up to a time.
    void go(qint64 time)
    {
        while (next() <= time)
            happen(m_course.records[m_moment++]);
        if (!m_course.rules.hasUntil())
            return;
        for (const auto &running : m_world.running) // one that waits for a condition says so
            ids += running->id;
    }
    void forget()
    {
        paths.clear();
        ids.clear();
        changes.clear();
    }

    QString word(const QString &path) const
    {
        const Resource resource = m_world.tree.find(path);
        const bool isShown =
            resource != NoResource && m_course.rules.isShown(m_world.tree.code(resource));
        return isShown ? shownWord(m_course.rules, m_world, resource) : QString();
    }
    QString fate(const QString &id) const
    {
        const Operation *operation = m_operations.find(id);
        return operation ? fateOf(*operation) : QString();
    }
    /// A change in names that mean the same in the other run.
    QString named(const Change &change) const
    {
        const Rules &rules = m_course.rules;
        const auto state = [&](Rules::StateId id) {
            return id == Rules::None ? QString() : rules.state(id).id;
        };
        return QStringList { QString::number(int(change.kind)), name(change.operation),
            name(change.other), name(change.requirer), change.path, state(change.from),
            state(change.to),
            change.outcome == Rules::None ? QString() : rules.triggerName(change.outcome),
            QString::number(change.moved), QString::number(change.attempts), change.code,
            QString::number(change.http) }
            .join(u'\n');
    }

    QSet<QString> paths, ids;
    std::vector<const Change *> changes;

private:
    void happen(const Record &record)
    {
        touch(record.extent); // what is removed is there before, what is made afterwards
        m_world = step(m_course.rules, std::move(m_world), record.event).world;
        m_operations.apply(m_course.rules, record, m_world);
        touch(record.extent);
        for (const Change &change : record.changes) {
            changes.push_back(&change);
            if (change.kind == Change::Kind::Replayed)
                m_replays[change.other] += change.operation;
            ids += m_operations.idOf(change.operation);
            for (const quint32 replay : m_replays.value(change.operation))
                ids += m_operations.idOf(replay);
        }
    }
    void touch(const Extent &extent)
    {
        const Tree &tree = m_world.tree;
        for (const Tree::Range &run : extent.runs()) {
            const quint32 end =
                tree.hasBranch(run.branch) ? std::min(run.end, tree.branchSize(run.branch)) : 0;
            for (quint32 position = run.begin; position < end; ++position)
                paths += tree.path(tree.at(run.branch, position));
        }
    }
    /// Of an operation, also where nobody gave it an id.
    QString name(quint32 serial) const
    {
        const Operation *operation = m_operations.find(serial);
        return operation ? u"%1 %2 %3"_s.arg(operation->id, operation->op, operation->path)
                         : QString();
    }

    const Course &m_course;
    World m_world;
    OperationLog m_operations;
    QHash<quint32, QList<quint32>> m_replays;
    qsizetype m_moment = 0;
};

/// What is so in two runs, as long as it is not the same.
class Apart
{
public:
    /// Adds a fact where it is otherwise than it was, and not the same.
    void compare(const QString &key, const Fact &fact, QList<Fact> &facts)
    {
        if (fact.first == fact.second) {
            m_known.remove(key);
            return;
        }
        std::pair<QString, QString> &known = m_known[key];
        if (known == std::pair(fact.first, fact.second))
            return;
        known = { fact.first, fact.second };
        facts += fact;
    }

private:
    QHash<QString, std::pair<QString, QString>> m_known;
};

QStringList sortedBoth(const QSet<QString> &first, const QSet<QString> &second)
{
    QStringList both((first + second).values());
    both.sort();
    return both;
}

/// What happened in the one and not in the other.
std::vector<Change> onlyIn(const Walk &one, const Walk &other)
{
    QSet<QString> there;
    for (const Change *change : other.changes)
        there += other.named(*change);
    std::vector<Change> only;
    for (const Change *change : one.changes) {
        if (!there.contains(one.named(*change)))
            only.push_back(*change);
    }
    return only;
}

} // namespace

QList<RunDifference> runDifferences(const Course &first, const Course &second,
    const std::function<bool(qint64 done, qint64 of)> &goesOn)
{
    constexpr int timesBetween = 64;
    Walk a(first), b(second);
    Apart resources, operations;
    QList<RunDifference> differences;
    qint64 time = std::max(first.beginning.now, second.beginning.now);
    for (int times = 1;; ++times) {
        a.go(time);
        b.go(time);
        if (a.next() == Never || b.next() == Never) {
            // A run is known until what is not in its records would happen.
            const qint64 end =
                std::min(a.next() == Never ? a.end() : Never, b.next() == Never ? b.end() : Never);
            if (time >= end)
                return differences;
        }
        RunDifference found { .time = time };
        for (const QString &path : sortedBoth(a.paths, b.paths))
            resources.compare(
                pathKey(a.world(), path), { path, a.word(path), b.word(path) }, found.resources);
        for (const QString &id : sortedBoth(a.ids, b.ids))
            operations.compare(id, { id, a.fate(id), b.fate(id) }, found.operations);
        found.first = onlyIn(a, b);
        found.second = onlyIn(b, a);
        found.more = std::max<qsizetype>(0, found.resources.size() - RunDifference::Most);
        found.resources.resize(found.resources.size() - found.more);
        if (!found.resources.isEmpty() || !found.operations.isEmpty() || !found.first.empty()
            || !found.second.empty())
            differences += found;
        a.forget();
        b.forget();
        time = std::min(a.next(), b.next());
        if (time == Never)
            return differences;
        if (goesOn && times % timesBetween == 0
            && !goesOn(a.moment() + b.moment(), first.records.size() + second.records.size()))
            return differences;
    }
}

} // namespace instar
