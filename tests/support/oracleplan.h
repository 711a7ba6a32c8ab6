// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <rapidcheck.h>

#include <vector>

namespace instar {

/// Small numbers that encode one request; shrinking a number makes the request simpler.
struct Draft
{
    int op, path, spelling, gap, duration, fails, transients, hang, ifMatch, ifNoneMatch, requestId,
        references;
};

/// A random scenario for the engine and the oracle alike.
struct Plan
{
    std::vector<int> switches;   ///< 5
    std::vector<int> present;    ///< per path of planPaths(): 0 Succeeded, 1 Failed, 2.. absent
    std::vector<int> references; ///< per path: bits
    std::vector<Draft> drafts;
};

/// Generates plans of at most so many operations.
rc::Gen<Plan> anyPlan(int operations);

/// Paths in plans: parents before children, tree after tree.
const QStringList &planPaths();
/// Paths that the resource at a path may reference.
QStringList planReferences(const QString &path);

} // namespace instar
