// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/check.h"
#include "model/pack/names.h"

#include <QSet>

namespace instar {

using Setting = QMap<QString, QString>; ///< switch -> value

/// Context of check(): the pack, its names, and the diagnostics so far.
class Checking
{
public:
    explicit Checking(const Pack &pack);

    const Pack &pack;
    QList<Diagnostic> diagnostics;

    QStringList outcomes; ///< names: the built-in outcomes, then the pack's
    QSet<QString> events; ///< events that the work of some state sends
    QStringList sourceIds, switchIds;
    QSet<QString> handled; ///< triggers of transitions
    QStringList unsourced; ///< pointers to rules without a source

    /// Adds a diagnostic. Returns it, so that the caller can set its other members.
    Diagnostic &report(Diagnostic::Severity severity, const QString &pointer, const QString &rule,
        const QString &text);
    void error(const QString &pointer, const QString &rule, const QString &text)
    {
        report(Diagnostic::Severity::Error, pointer, rule, text);
    }
    void warning(const QString &pointer, const QString &rule, const QString &text)
    {
        report(Diagnostic::Severity::Warning, pointer, rule, text);
    }
    /// Reports an unknown name as an error, and suggests the nearest known one.
    void unknown(
        const QString &pointer, const QString &kind, const QString &name, const QStringList &known);
    /// Reports `text`, followed by "; did you mean ..." for the nearest known name.
    void unknownWith(Diagnostic::Severity severity, const QString &pointer, const QString &rule,
        const QString &text, const QString &name, const QStringList &known);

    bool isOutcome(const QString &trigger) const { return outcomes.contains(trigger); }
    /// True if an operation with this outcome has succeeded.
    bool isGood(const QString &outcome) const;
    /// Returns choicesOf() of the switches that rows test in `when`.
    QList<Setting> settings(const QList<const Row *> &rows) const;
    QList<Setting> settings(const auto &rows) const
    {
        QList<const Row *> all;
        for (const auto &row : rows)
            all += &row;
        return settings(all);
    }

    QSet<QString> usedSources, usedSwitches, usedConditions, usedRefusals;

private:
    Diagnostic m_surplus; ///< not shown; report() returns it when the limit is reached
};

/// Checks the rows of one machine: kinds and nesting of states, events that no transition handles,
/// states that cannot be reached or left, unhandled outcomes of work, transitions that are shadowed
/// or ambiguous, and work that repeats forever.
void checkMachine(Checking &checking, const Machine &machine);

/// True if a row exists under a setting. A switch without a value in the setting hides no row.
bool exists(const Row &row, const Setting &setting);
/// Returns ", where SWITCH is VALUE" for messages; empty if there are no switches.
QString settingText(const Setting &setting);

} // namespace instar
