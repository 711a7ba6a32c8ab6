// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/messages.h"
#include "model/remote/template.h"

namespace instar {

/// The type path of a path of /type/name pairs: "racks/servers".
QString typePathOf(const QString &path);

/// Where in a body a pack's references are, and how one is written: the "reference" document and the reference rules of
/// the types.
class ReferencePlaces
{
public:
    ReferencePlaces(const Rules &rules, const Template *document);

    /// What the properties of a resource of that type refer to.
    Messages::References found(const QString &typePath, Value properties) const;
    /// The properties with references put into them where the rules say; those that no rule knows are left out.
    QJsonObject with(const QString &typePath, QJsonObject properties, const QStringList &references) const;
    /// The first keys of dotted places, which hold references and not plain properties.
    QStringList keys(const QString &typePath) const;
    /// The property of a resource that lists who refers to it, for a referrer of a type that points at it.
    QString back(const QString &referrerType, const QString &referredType) const;
    /// A path as a reference has it, without what stands before it on the wire.
    QString plain(const QString &path) const;

private:
    QString read(Value reference, const ReferenceRule &rule, QString *path) const;
    bool fits(const ReferenceRule &rule, const QString &typePath) const;

    const Rules &m_rules;
    const Template *m_document;
};

} // namespace instar
