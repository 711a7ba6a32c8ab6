// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/remote/template.h"

#include <QJsonObject>

#include <map>

namespace instar {

/// The references that were found in a body, or which one is wrong.
struct References
{
    QStringList paths;
    QString problem; ///< a refusal's id; empty: all is well
    QString text;    ///< what is wrong, in words
};

/// A step of a dotted place such as "pools[].address".
struct PlaceStep
{
    QString key;
    bool isList = false;
};
using DottedPlace = QList<PlaceStep>;

/// What the documents of one type hold beside plain properties.
struct TypeParts
{
    struct Reference
    {
        const ReferenceRule *rule = nullptr;
        DottedPlace place;
        Place path; ///< in what stands there
    };
    const Type *type = nullptr;
    const Template *resource = nullptr; ///< how its resources are written; null: not at all
    QList<QStringList> wraps;           ///< where documents hold a resource's whole
    QList<Reference> references;
    QStringList children; ///< names of collections
    QStringList back;     ///< of its properties, those that list who refers to it
    QStringList notPlain; ///< of its properties, those that are the document's own, references' or,
                          ///< where they stand there, children's
    /// Whether one of its references may lead to resources of another type.
    bool refersTo(const QString &typePath, Qt::CaseSensitivity names) const;
};

/// What a pack's types say of bodies, read once: where references are and how one is written, and
/// where children are.
class TypeBook
{
public:
    /// The rules must outlive it.
    TypeBook(const Rules &rules, const std::map<QString, Template> &documents);

    /// Null where the pack has no such type.
    const TypeParts *find(const QString &typePath) const;
    /// What the properties of a resource of that type refer to.
    References references(const TypeParts &type, Value properties) const;
    /// The properties with references put into them where the rules say; those that no rule knows
    /// are left out.
    QJsonObject withReferences(
        const QString &typePath, QJsonObject properties, const QStringList &references) const;
    /// The property of a resource that lists who refers to it, for a referrer of a type that points
    /// at it.
    QString back(const QString &referrerType, const QString &referredType) const;
    /// A path as a reference has it, without what stands before it on the wire.
    QString plain(const QString &path) const;

private:
    void tellOthers(const Type &type);
    QString problemOf(Value value, const TypeParts::Reference &reference, QString *path) const;
    bool fits(const ReferenceRule &rule, const QString &typePath) const;

    const Rules &r;
    Qt::CaseSensitivity m_names;
    std::vector<TypeParts> m_types;
};

} // namespace instar
