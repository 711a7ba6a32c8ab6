// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/engine/simulator.h"

namespace instar {

// Short ways to a running simulator, and from it to text that a test can compare.

/// The ids of every pack that the tests know: built in, and in tests/data/packs.
QStringList knownPacks();
/// A pack by its id; a missing or broken one ends the test program.
const Pack &packNamed(const QString &id);
Rules rulesOf(const Pack &pack, const Switches &switches = {});
/// Every combination of the values of a pack's switches.
QList<Switches> switchCombinations(const Pack &pack);
World worldOf(const Rules &rules, const QList<ResourceSpec> &resources);

/// Resources as short text, one a line or between commas: "/a/b", "/a/b Failed", "/a/b Failed ->
/// /c/d /e/f".
QList<ResourceSpec> resourcesFrom(const QString &text);

/// "/a/b Updating" for each resource that can be seen, in preorder, one a line.
QString shownTree(const Rules &rules, const World &world);
/// The state of one resource; "absent" where it is not there or passes for it.
QString shownAt(const Rules &rules, const World &world, const QString &path);
QString etagAt(const World &world, const QString &path);

/// How many of the world's promises are broken, in words; empty: none. A transitional resource is
/// answered for, when nothing runs every resource rests, and the counts are those of a recount.
QString brokenPromise(const Rules &rules, const World &world);

/// A simulator with the words that tests need.
class Staging
{
public:
    Staging(const Rules &rules, const QList<ResourceSpec> &resources);
    Staging(const QString &pack, const QString &resources, const Switches &switches = {});

    /// Asks for an operation; its id is op1, op2, ... unless `request` names it.
    const Operation &ask(Request request);
    const Operation &ask(const QString &op, const QString &path, const Request &rest = {});
    /// Ends the running piece of work of an operation: a trigger's name.
    void end(const QString &id, const QString &outcome);
    const Operation &operation(const QString &id) const;
    QString status(const QString &id) const { return statusName(operation(id).status); }
    QString at(const QString &path) const
    {
        return shownAt(simulator.rules(), simulator.world(), path);
    }
    QString etag(const QString &path) const { return etagAt(simulator.world(), path); }
    QString tree() const { return shownTree(simulator.rules(), simulator.world()); }
    /// "Succeeded Updating ..." of several paths.
    QString states(const QStringList &paths) const;

    Simulator simulator;
};

} // namespace instar
