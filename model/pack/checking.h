// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/check.h"
#include "model/pack/names.h"

#include <QHash>
#include <QSet>

namespace instar {

using Setting = QMap<QString, QString>; ///< switch -> value

/// What the parts of check() share: the pack, the names in it, and what was found.
class Checking
{
public:
    explicit Checking(const Pack &pack);

    const Pack &pack;
    QList<Diagnostic> diagnostics;

    QStringList outcomes; ///< the engine's own and the pack's
    QSet<QString> events; ///< that some work sends
    QStringList refusals; ///< the engine's and the wire's own, and the pack's
    QStringList sourceIds, switchIds;
    QSet<QString> handled; ///< what some transition is on
    QStringList unsourced; ///< pointers to rows that should say where they are written

    void error(const QString &pointer, const QString &rule, const QString &text);
    void warning(const QString &pointer, const QString &rule, const QString &text);
    /// An error that a name is not known, with the one that is probably meant.
    void unknown(
        const QString &pointer, const QString &what, const QString &name, const QStringList &known);
    /// The same with the diagnostic's own text, before "; did you mean ...".
    void misnamed(Diagnostic::Severity severity, const QString &pointer, const QString &rule,
        const QString &text, const QString &name, const QStringList &known);

    /// Sources and switches of a row. Sourced: a rule of the system, which should say where it is
    /// written.
    enum class Kind { Plain, Sourced };
    void row(const QString &pointer, const Row &row, Kind kind = Kind::Plain);

    /// What is wrong with a state: no transition takes these ends of its work.
    void untaken(Diagnostic::Severity severity, const QString &pointer, const QString &rule,
        const QString &text, const QStringList &ends);

    bool isOutcome(const QString &trigger) const { return outcomes.contains(trigger); }
    /// Whether an operation with that outcome so far is well.
    bool isGood(const QString &outcome) const;
    /// What `when` of these rows can tell apart: every choice of the switches that they name.
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
    /// The new diagnostic; null: there are too many.
    Diagnostic *add(Diagnostic::Severity severity, const QString &pointer, const QString &rule,
        const QString &text);
};

/// Reports what is wrong with the rows of one machine: kinds and nesting of states, steps that
/// nobody hears, states that cannot be reached or left, work whose end nothing takes, transitions
/// that can never speak or leave open which of several speaks, and work without end.
void checkMachine(Checking &checking, const Machine &machine);

bool exists(const Row &row, const Setting &setting);
/// ", where SWITCH is VALUE", for messages; empty where there are no switches.
QString settingText(const Setting &setting);

} // namespace instar
