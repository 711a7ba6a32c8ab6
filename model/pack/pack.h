// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/policy.h"
#include "model/pack/wire.h"

namespace instar {

/// With what the engine and its server refuse without a row that names it.
const QStringList &knownRefusals();

/// A row without `about` in short: "from Updating on succeeded to Succeeded".
QString inShort(const State &row);
QString inShort(const Transition &row);
QString inShort(const Constraint &row);
QString inShort(const Conflict &row);
QString inShort(const Refusal &row);

/// A lifecycle system as data: machines, types, policy and a sample tree. The value that a document
/// edits.
struct Pack : Row
{
    QString id, title;
    QString origin;          ///< the document it comes from, one line
    bool ignoreCase = false; ///< paths are the same whatever their case
    QString operationUri;    ///< where an operation can be asked about; {id} is its id
    QString retry; ///< the outcome that a request's transient failures count; empty: "retried"
    QList<Source> sourceList; ///< what Row::sources name
    QList<Switch> switches;
    QList<Type> types;
    QList<OperationKind> operations;
    QList<Outcome> outcomes;
    QList<NamedCondition> conditions;
    QList<Machine> machines;
    QList<Conflict> conflicts;
    QList<Refusal> refusals;
    QList<Stamp> stamps;
    Wire wire; ///< how it is spoken over HTTP; may be empty
    QList<ResourceSpec> sample;
    bool operator==(const Pack &) const = default;

    /// How work can end: in the engine's words, then in the pack's.
    QStringList outcomeNames() const;
    const Machine *machine(const QString &id) const;
    const Switch *findSwitch(const QString &id) const;
    const Type *type(const QString &path) const; ///< exact path only, not "*"
    /// "MS-NCNBI 1.3.3.1; ..." for a row's sources.
    QString sourceText(const Row &row) const;
    /// A row's `about`, or the row in short, with its sources.
    QString ruleText(const auto &row) const
    {
        const QString from = sourceText(row),
                      words = row.about.isEmpty() ? inShort(row) : row.about;
        return from.isEmpty() ? words : QStringLiteral("%1 [%2]").arg(words, from);
    }
    /// Every operation that a transition of its machines starts or a row declares, declared ones
    /// first.
    QStringList operationNames() const;
};

void describe(auto &visit, Of<Pack> auto &row)
{
    visit.row(
        "pack", "a pack", "A lifecycle system as data: machines, types, policy and a sample tree.");
    visit.kept("$schema", row.extras, "Where this schema is.");
    visit("id", row.id, { .required = true }, "The pack's short name.");
    visit("title", row.title, {}, "Its name for people.");
    visit("origin", row.origin, {}, "The document that it comes from, on one line.");
    visit("about", row.about, {}, "Why the row is there, in plain words.");
    visit("source", row.sources, { .names = Name::Source },
        "Keys of the pack's sources: where the rule is written.");
    visit("ignoreCase", row.ignoreCase, {}, "Whether paths that differ in case only are the same.");
    visit("operationUri", row.operationUri, {},
        "Where an operation can be asked about; {id} is its id.");
    visit("retry", row.retry, { .names = Name::Outcome, .leftOut = "retried" },
        "The outcome that a request's transient failures count.");
    visit("sources", row.sourceList, { .keys = Name::Source },
        "Documents that rows name as their source.");
    visit("switches", row.switches, { .keys = Name::Switch },
        "Choices where the sources are silent or disagree.");
    visit("types", row.types, { .keys = Name::Type, .required = true },
        "The kinds of resources, by full type path; \"*\" is every other.");
    visit("operations", row.operations, { .keys = Name::Operation },
        "What clients may ask for; one that only a transition names needs no entry.");
    visit("outcomes", row.outcomes, { .keys = Name::Outcome }, "How work can end.");
    visit("conditions", row.conditions, { .keys = Name::Condition }, "What labels ask.");
    visit("machines", row.machines, { .keys = Name::Machine, .required = true },
        "What resources go through.");
    visit("conflicts", row.conflicts, {},
        "What operations do to each other; the first row that fits speaks.");
    visit("refusals", row.refusals, { .keys = Name::Refusal },
        "How refused operations are answered.");
    visit("stamp", row.stamps, { .anyOrder = true }, "When etags change.");
    visit("wire", row.wire, {}, "How the system is spoken over HTTP.");
    visit("sample", row.sample, { .inside = "resources", .anyOrder = true },
        "The tree to begin with; parents may be left out.");
    visit.extras(row.extras);
}

} // namespace instar
