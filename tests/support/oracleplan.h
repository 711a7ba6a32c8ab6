// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <rapidcheck.h>

#include <vector>

namespace instar {

/// Small numbers from which a scenario is made, so that shrinking a number makes it plainer.
struct Draft
{
    int op, path, spelling, gap, duration, fails, transients, hang, ifMatch, ifNoneMatch, requestId,
        references;
};

/// A random scenario for the engine and the oracle alike.
struct Plan
{
    std::vector<int> switches;   ///< 5
    std::vector<int> present;    ///< per path of the universe: 0 Succeeded, 1 Failed, 2.. absent
    std::vector<int> references; ///< per path: bits
    std::vector<Draft> drafts;
};

/// With at most so many operations.
rc::Gen<Plan> anyPlan(int operations);

/// The paths that plans are about: parents before children, trees one after the other.
const QStringList &planPaths();
/// What the resource at a path may refer to.
QStringList planReferences(const QString &path);

} // namespace instar
