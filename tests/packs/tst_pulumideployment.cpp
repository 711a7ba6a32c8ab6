// SPDX-License-Identifier: Apache-2.0
// Resources that depend on one another, over random graphs: what goes first, what goes along, what
// is left out. What is expected is worked out here, on the graph alone.

#include "tests/support/playground.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

class TestPulumiDeployment : public QObject
{
    Q_OBJECT

private slots:
    void deletesInReverseOrder();
    void takesAlongWhatIsReplaced();
    void deletesInBatches();
    void skipsWhatDependsOnAFailure();
    void startsNothingAfterAFailure();
};

namespace {

const QString program = u"/programs/main"_s;

QString path(int node)
{
    return u"/resources/r%1"_s.arg(node);
}

/// Resources that depend on earlier ones.
struct Graph
{
    QList<QList<int>> on; ///< by resource: on which it depends
    QList<bool> unaffected;

    int size() const { return int(on.size()); }
    bool depends(int node, int other) const { return on[node].contains(other); }
    /// On it, or on something that does.
    bool reaches(int node, int other) const
    {
        return node == other
            || std::ranges::any_of(on[node], [&](int next) { return reaches(next, other); });
    }
    QStringList references(int node) const
    {
        QStringList result;
        for (const int other : on[node])
            result += path(other);
        return result;
    }
    QList<ResourceSpec> resources() const
    {
        QList<ResourceSpec> result;
        for (int i = 0; i < size(); ++i) {
            result.append({ .path = path(i), .references = references(i) });
            if (unaffected[i])
                result.last().properties.insert(u"unaffected"_s, true);
        }
        return result;
    }
};

/// Inside a property.
Graph anyGraph(int most)
{
    Graph graph;
    const int count = 1 + below(most);
    for (int i = 0; i < count; ++i) {
        QList<int> on;
        for (int j = 0; j < i; ++j) {
            if (below(3) == 0)
                on += j;
        }
        graph.on += on;
        graph.unaffected += below(5) == 0;
    }
    return graph;
}

const Operation *deletionOf(const Staging &staging, int node)
{
    const PersistentList<Operation> &all = staging.simulator.operations().all();
    const auto found = std::ranges::find_if(all, [&](const Operation &operation) {
        return operation.op == u"delete" && operation.path == path(node);
    });
    return found == all.end() ? nullptr : &*found;
}

/// Every resource is deleted once, and its call begins only when those of all that depend on it
/// have ended.
void dependentsWentFirst(const Staging &staging, const Graph &graph, const QList<int> &deleted)
{
    for (const int node : deleted) {
        const Operation *own = deletionOf(staging, node);
        RC_ASSERT(own && own->ended && own->attempts == 1);
        for (const int other : deleted) {
            if (graph.depends(other, node))
                RC_ASSERT(*deletionOf(staging, other)->ended + 100 <= *own->ended);
        }
    }
    int count = 0;
    for (const Operation &operation : staging.simulator.operations().all())
        count += operation.op == u"delete" && operation.status == Status::Succeeded;
    RC_ASSERT(count == deleted.size());
}

} // namespace

/// A plain delete takes along everything that depends on it, from the far end.
void TestPulumiDeployment::deletesInReverseOrder()
{
    QVERIFY(holdsFor(300, 40, [] {
        const Graph graph = anyGraph(9);
        const int root = below(graph.size());
        Staging staging(rulesOf(packNamed(u"pulumi"_s)), graph.resources());
        staging.ask(u"delete"_s, path(root));
        RC_ASSERT(staging.simulator.runUntilQuiet(1000));
        QList<int> deleted;
        for (int i = 0; i < graph.size(); ++i) {
            const bool goes = graph.reaches(i, root);
            RC_ASSERT(staging.at(path(i)) == (goes ? u"absent"_s : u"managed"_s));
            if (goes)
                deleted += i;
        }
        dependentsWentFirst(staging, graph, deleted);
    }));
}

/// A replacement that deletes first takes along what must be replaced itself, as far as that
/// reaches, or everything.
void TestPulumiDeployment::takesAlongWhatIsReplaced()
{
    QVERIFY(holdsFor(300, 40, [] {
        const Graph graph = anyGraph(9);
        const int root = below(graph.size());
        const bool all = below(2) == 0;
        QSet<int> replaced { root };
        for (int i = root + 1; i < graph.size(); ++i) { // dependents come later
            const bool near = std::ranges::any_of(
                graph.on[i], [&](int other) { return replaced.contains(other); });
            if (near && (all || !graph.unaffected[i]))
                replaced.insert(i);
        }
        Staging staging(rulesOf(packNamed(u"pulumi"_s),
                            { { u"dependents"_s, all ? u"all"_s : u"replaced"_s } }),
            graph.resources());
        staging.ask({ .op = u"manage"_s,
            .path = path(root),
            .conditions = {
                { u"must be replaced"_s, true }, { u"delete after craete"_s, true } } });
        RC_ASSERT(staging.simulator.runUntilQuiet(1000));
        QList<int> deleted;
        for (int i = 0; i < graph.size(); ++i) {
            const bool goes = replaced.contains(i) && i != root;
            RC_ASSERT(staging.at(path(i)) == (goes ? u"pendingReplacement"_s : u"managed"_s));
            if (goes)
                deleted += i;
        }
        dependentsWentFirst(staging, graph, deleted);
        // The farthest first, by the longest way through what is deleted, and each looked at once.
        QList<int> distance(graph.size());
        for (const int node : std::as_const(deleted)) {
            for (const int other : graph.on[node]) {
                if (replaced.contains(other))
                    distance[node] = std::max(distance[node], distance[other] + 1);
            }
        }
        for (const int node : std::as_const(deleted)) {
            for (const int other : std::as_const(deleted))
                RC_ASSERT(distance[node] <= distance[other]
                    || *deletionOf(staging, node)->ended < *deletionOf(staging, other)->ended);
        }
        RC_ASSERT(
            std::ranges::count(staging.simulator.operations().all(), u"compare"_s, &Operation::op)
            == deleted.size());
        // The root's own Delete and Create come after them all.
        qint64 last = 300;
        for (const int node : std::as_const(deleted))
            last = std::max(last, *deletionOf(staging, node)->ended);
        RC_ASSERT(*staging.operation(u"op1"_s).ended == last + 200);
    }));
}

/// What a run has not registered goes after it: batch by batch, whatever each deletion takes.
void TestPulumiDeployment::deletesInBatches()
{
    QVERIFY(holdsFor(200, 40, [] {
        const Graph graph = anyGraph(9);
        QList<int> batch(graph.size(), -1); // -1: registered
        for (int i = 0; i < graph.size(); ++i) {
            // Who depends on something that is not registered cannot be either.
            const bool kept =
                std::ranges::all_of(graph.on[i], [&](int other) { return batch[other] < 0; });
            batch[i] = kept && below(2) == 0 ? -1 : 0;
        }
        for (int i = graph.size() - 1; i >= 0; --i) {
            for (int other = i + 1; batch[i] >= 0 && other < graph.size(); ++other) {
                if (graph.depends(other, i))
                    batch[i] = std::max(batch[i], batch[other] + 1);
            }
        }
        QList<ResourceSpec> resources = graph.resources();
        resources.append({ .path = program, .state = u"exited"_s });
        Staging staging(
            rulesOf(packNamed(u"pulumi"_s), { { u"scope"_s, u"deployment"_s } }), resources);
        staging.ask(u"start"_s, program);
        Request exit { .op = u"exit"_s, .path = program };
        for (int i = 0; i < graph.size(); ++i) {
            if (batch[i] < 0)
                staging.ask(u"manage"_s, path(i));
            exit.work.insert(u"delete "_s + path(i), { .duration = 1 + below(500) });
        }
        RC_ASSERT(staging.simulator.runUntilQuiet(1000));
        staging.ask(exit);
        RC_ASSERT(staging.simulator.runUntilQuiet(1000));
        RC_ASSERT(staging.at(program) == u"exited"_s);
        for (int i = 0; i < graph.size(); ++i) {
            RC_ASSERT(staging.at(path(i)) == (batch[i] < 0 ? u"managed"_s : u"absent"_s));
            for (int other = 0; batch[i] >= 0 && other < graph.size(); ++other) {
                if (batch[other] == batch[i])
                    RC_ASSERT(
                        *deletionOf(staging, other)->started == *deletionOf(staging, i)->started);
                else if (batch[other] > batch[i])
                    RC_ASSERT(
                        *deletionOf(staging, other)->started >= *deletionOf(staging, i)->ended);
            }
        }
    }));
}

/// With continueOnError exactly what depends on a failure is left out, in whatever order the
/// program asks.
void TestPulumiDeployment::skipsWhatDependsOnAFailure()
{
    QVERIFY(holdsFor(300, 40, [] {
        const Graph graph = anyGraph(8);
        const int bad = below(graph.size());
        Staging staging(
            rulesOf(packNamed(u"pulumi"_s),
                { { u"scope"_s, u"deployment"_s }, { u"continueOnError"_s, u"true"_s } }),
            { { .path = program } });
        QList<int> order;
        for (int i = 0; i < graph.size(); ++i)
            order.insert(below(int(order.size()) + 1), i);
        for (const int node : std::as_const(order)) {
            Request request {
                .op = u"manage"_s, .path = path(node), .references = graph.references(node)
            };
            if (node == bad)
                request.outcome = u"failed"_s;
            request.id = path(node);
            staging.ask(request);
        }
        RC_ASSERT(staging.simulator.runUntilQuiet(1000));
        for (int i = 0; i < graph.size(); ++i) {
            const bool isOut = graph.reaches(i, bad);
            RC_ASSERT(staging.at(path(i)) == (isOut ? u"absent"_s : u"managed"_s));
            const QString code = staging.operation(path(i)).errorCode;
            RC_ASSERT(code == (i == bad ? u"ProviderError"_s : isOut ? u"Skipped"_s : QString()));
        }
    }));
}

/// Without it nothing is created whose Create had not begun when a step failed.
void TestPulumiDeployment::startsNothingAfterAFailure()
{
    QVERIFY(holdsFor(300, 40, [] {
        const Graph graph = anyGraph(8);
        const int bad = below(graph.size());
        Staging staging(rulesOf(packNamed(u"pulumi"_s), { { u"scope"_s, u"deployment"_s } }),
            { { .path = program } });
        QList<qint64> asked;
        for (int i = 0; i < graph.size(); ++i) {
            asked += below(4) * 70;
            Request request {
                .op = u"manage"_s, .path = path(i), .references = graph.references(i)
            };
            if (i == bad)
                request.work.insert(u"manage_create"_s, { .outcomes = { u"failed"_s } });
            request.id = path(i);
            staging.simulator.advanceTo(std::max(asked.last(), staging.simulator.world().now));
            staging.ask(request);
        }
        RC_ASSERT(staging.simulator.runUntilQuiet(1000));
        const Operation &failed = staging.operation(path(bad));
        RC_ASSERT(failed.errorCode == u"ProviderError"_s);
        for (int i = 0; i < graph.size(); ++i) {
            const Operation &own = staging.operation(path(i));
            RC_ASSERT(own.isOver());
            if (i == bad)
                continue;
            // A Create takes 100 ms.
            const bool isMade = own.status == Status::Succeeded;
            RC_ASSERT(isMade == (staging.at(path(i)) == u"managed"_s));
            RC_ASSERT(isMade || own.errorCode == u"Skipped"_s);
            if (isMade)
                RC_ASSERT(!graph.reaches(i, bad) && *own.ended - 100 <= *failed.ended);
        }
    }));
}

const instar::TestClass<TestPulumiDeployment> registered;
#include "tst_pulumideployment.moc"
