// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/policy.h"
#include "model/machine/wire.h"

namespace instar {

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

    const Machine *machine(const QString &id) const;
    const Switch *findSwitch(const QString &id) const;
    const Type *type(const QString &path) const; ///< exact path only, not "*"
    /// "MS-NCNBI 1.3.3.1; ..." for a row's sources.
    QString sourceText(const Row &row) const;
    /// Every operation that a transition of its machines starts or a row declares, declared ones
    /// first.
    QStringList operationNames() const;
};

} // namespace instar
