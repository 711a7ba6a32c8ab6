// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/engine/simulator.h"

namespace instar {

// Helpers that set up a simulator and turn its state into text for comparisons.

/// Ids of the built-in packs and those in tests/data/packs.
QStringList knownPacks();
/// Pack with an id; a missing or broken one ends the test program.
const Pack &packNamed(const QString &id);
Rules rulesOf(const Pack &pack, const Switches &switches = {});
/// All combinations of the values of a pack's switches.
QList<Switches> switchCombinations(const Pack &pack);
World worldOf(const Rules &rules, const QList<ResourceSpec> &resources);

/// Parses resources, one a line or separated by commas: "/a/b", "/a/b Failed", "/a/b Failed -> /c/d
/// /e/f".
QList<ResourceSpec> resourcesFrom(const QString &text);

/// Formats the visible resources in preorder, one a line: "/a/b Updating".
QString shownTree(const Rules &rules, const World &world);
/// State that one resource shows; "absent" if it does not exist or shows as absent.
QString shownAt(const Rules &rules, const World &world, const QString &path);
QString etagAt(const World &world, const QString &path);

/// Describes broken invariants of a world; empty: none. An operation affects every transitional
/// resource; without operations all resources rest; the counts equal a recount.
QString brokenPromise(const Rules &rules, const World &world);

/// Simulator with shorthands for tests.
class Staging
{
public:
    Staging(const Rules &rules, const QList<ResourceSpec> &resources);
    Staging(const QString &pack, const QString &resources, const Switches &switches = {});

    /// Submits an operation; its id is op1, op2, ... unless `request` has one.
    const Operation &ask(Request request);
    const Operation &ask(const QString &op, const QString &path, const Request &rest = {});
    /// Ends an operation's running piece of work; `outcome` is a trigger's name.
    void end(const QString &id, const QString &outcome);
    const Operation &operation(const QString &id) const;
    QString status(const QString &id) const { return statusName(operation(id).status); }
    QString at(const QString &path) const
    {
        return shownAt(simulator.rules(), simulator.world(), path);
    }
    QString etag(const QString &path) const { return etagAt(simulator.world(), path); }
    QString tree() const { return shownTree(simulator.rules(), simulator.world()); }
    /// States of several paths: "Succeeded Updating ...".
    QString states(const QStringList &paths) const;

    Simulator simulator;
};

} // namespace instar
