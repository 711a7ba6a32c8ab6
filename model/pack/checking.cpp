// SPDX-License-Identifier: Apache-2.0
#include "model/pack/checking.h"

#include "model/pack/nearest.h"
#include "model/pack/run.h"

#include <algorithm>

namespace instar {

Checking::Checking(const Pack &p) : pack(p)
{
    outcomes = pack.outcomeNames();
    sourceIds = idsOf(pack.sourceList);
    switchIds = idsOf(pack.switches);
    events = pack.events();
    for (const Machine &machine : pack.machines) {
        for (const Transition &transition : machine.transitions)
            handled.unite(QSet<QString>(transition.on.begin(), transition.on.end()));
    }
}

Diagnostic &Checking::report(
    Diagnostic::Severity severity, const QString &pointer, const QString &rule, const QString &text)
{
    constexpr qsizetype mostDiagnostics = 1000; // a hostile file could cause millions
    if (diagnostics.size() >= mostDiagnostics)
        return m_surplus;
    return diagnostics.emplaceBack(severity, pointer, text, rule);
}

void Checking::unknown(
    const QString &pointer, const QString &kind, const QString &name, const QStringList &known)
{
    unknownWith(Diagnostic::Severity::Error, pointer, u"unknown-"_s + kind.section(u' ', -1),
        u"there is no %1 \"%2\""_s.arg(kind, name), name, known);
}

void Checking::unknownWith(Diagnostic::Severity severity, const QString &pointer,
    const QString &rule, const QString &text, const QString &name, const QStringList &known)
{
    Diagnostic &diagnostic = report(severity, pointer, rule, text + suggestion(name, known));
    diagnostic.unknown = name;
    diagnostic.nearestName = nearest(name, known);
}

bool Checking::isGood(const QString &outcome) const
{
    const auto row = std::ranges::find(pack.outcomes, outcome, &Outcome::id);
    if (row != pack.outcomes.end() && !row->status.isEmpty())
        return row->status == u"Succeeded";
    return outcome == u"succeeded";
}

QList<Setting> Checking::settings(const QList<const Row *> &rows) const
{
    constexpr qsizetype mostSettings = 1024;
    QSet<QString> tested;
    const auto addSwitches = [&](const Row &row) {
        for (auto it = row.when.cbegin(); it != row.when.cend(); ++it)
            tested.insert(it.key());
    };
    for (const Row *row : rows)
        addSwitches(*row);
    for (const NamedCondition &row : pack.conditions)
        addSwitches(row);
    QList<Switch> relevant;
    for (const Switch &row : pack.switches) {
        if (tested.remove(row.id)) // of switches that share a name, only the first
            relevant += row;
    }
    return choicesOf(relevant, mostSettings);
}

bool exists(const Row &row, const Setting &setting)
{
    return std::all_of(row.when.keyValueBegin(), row.when.keyValueEnd(), [&](const auto &entry) {
        return !setting.contains(entry.first) || entry.second.contains(setting.value(entry.first));
    });
}

QString settingText(const Setting &setting)
{
    QStringList texts;
    for (auto it = setting.cbegin(); it != setting.cend(); ++it)
        texts += u"%1 is %2"_s.arg(it.key(), it.value());
    return texts.isEmpty() ? QString() : u", where "_s + texts.join(u" and "_s);
}

} // namespace instar
