// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace instar {

// What the sources of a pack say, rule by rule, and the scenarios that show it:
// tests/data/rules/PACK.txt. A line is "id | where it is written | the rule in our words |
// scenario, scenario"; empty ones and those with # are for people. Scenarios are named without
// ".scenario.json".

struct StatedRule
{
    QString id, source, text;
    QStringList scenarios;
    int line = 0;
};

/// The rules of a pack, or what is wrong in its file: a line that is none, an id that is there
/// twice.
struct RuleFile
{
    QList<StatedRule> rules;
    QStringList problems;
};
RuleFile ruleFile(const QString &pack);

/// The scenarios of a pack by name: of a built-in one in resources/scenarios, of another in a
/// folder beside its file.
QStringList scenarioNames(const QString &pack);
QString scenarioFile(const QString &pack, const QString &name);

/// Why a scenario does not show anything: it cannot be read, expects nothing, or what it expects
/// does not come true. Empty: it does.
QString problemOf(const QString &scenarioFile);

/// Everything that keeps a pack's rules from being shown: problems of the file, scenarios that are
/// missing or show nothing, and scenarios that no rule names. A line each; empty: all is well.
QString unshownRules(const QString &pack);

} // namespace instar
