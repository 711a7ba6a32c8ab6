// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace instar {

// Rules in the sources of a pack, with scenarios that demonstrate them: tests/data/rules/PACK.txt.
// A line is "id | source | the rule in our words | scenario, scenario"; empty lines and those with
// # are comments. Scenarios are named without ".scenario.json".

struct StatedRule
{
    QString id, source, text;
    QStringList scenarios;
    int line = 0;
};

/// Rules of a pack, and errors in their file: invalid lines, duplicate ids.
struct RuleFile
{
    QList<StatedRule> rules;
    QStringList problems;
};
RuleFile ruleFile(const QString &pack);

/// Names of a pack's scenarios: in resources/scenarios for a built-in pack, else in a folder beside
/// its file.
QStringList scenarioNames(const QString &pack);
QString scenarioFile(const QString &pack, const QString &name);

/// Reason why a scenario demonstrates nothing: it cannot be read, has no expectation, or one fails.
/// Empty: it is good.
QString problemOf(const QString &scenarioFile);

/// All problems of a pack's rule file, one a line: errors in it, scenarios that are missing, fail
/// or expect nothing, and scenarios that no rule names. Empty: none.
QString unshownRules(const QString &pack);

} // namespace instar
