// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

namespace instar {

/// Resource that a condition is about, which may not exist.
struct Subject
{
    Resource resource = NoResource;
    QString path {};                   ///< set only if the resource does not exist
    int machine = Rules::None;         ///< None: the pack does not know the resource's type
    Resource parent = NoResource;      ///< set only if the resource does not exist
    const Request *creating = nullptr; ///< request with its future properties and references
};

/// Context for the evaluation of conditions.
struct Context
{
    const Rules &rules;
    const World &world;
    const Request *request = nullptr;
    const QMap<int, bool> *answers = nullptr; ///< label -> answer; overrides the request's answer
    quint32 requirer = 0; ///< serial of the operation that requires this one; 0: none
    std::vector<int> *unanswered = nullptr; ///< receives the labels that had no answer
    bool untimed = false;           ///< `answers`, not the time, decide `Elapsed` conditions
    std::optional<qint64> clock {}; ///< if set, this virtual time decides `Elapsed` conditions
};

Subject subjectOf(const Rules &rules, const World &world, Resource resource);
/// Returns the resource at a path, or the one that could be created there.
Subject subjectAt(const Rules &rules, const World &world, const QString &path);
/// Returns the state code of a resource; of an absent one, the code of its initial state.
Code codeOf(const Rules &rules, const World &world, const Subject &subject);
QString pathOf(const World &world, const Subject &subject);

/// Returns the resources in a relation to the subject, in a fixed order. Relations that give a path
/// (references, names, copies and paths) include resources that do not exist.
QList<Subject> related(
    const Rules::Relation &relation, const Subject &subject, const Context &context);

/// Returns the direct and indirect referrers of a resource, following only those for which
/// `through` holds. Sorted by longest distance, farthest first, so that each comes after its own
/// referrers; at equal distances in preorder. A cycle of references has no such order; a resource
/// on a cycle is its own referrer and is included.
QList<Subject> dependents(
    const Subject &subject, const Rules::Predicate &through, const Context &context);

/// Returns a property by its name, or by a dotted path into nested objects.
QJsonValue property(const QJsonObject &properties, const QString &name);

/// Returns the value of the first figure whose property is numeric, clamped to ±2^53.
std::optional<qint64> valueIn(
    std::span<const Rules::Figure> figures, const Subject &subject, const Context &context);

/// Returns the first time after `now` at which a condition holds if only time passes.
std::optional<qint64> firstMomentOf(
    const Rules::Predicate &condition, const Subject &subject, const Context &context, qint64 now);

bool holds(const Rules::Predicate &condition, const Subject &subject, const Context &context);

/// Returns the first resource that decided a Related condition; an empty subject if none did.
Subject witness(const Rules::Predicate &condition, const Subject &subject, const Context &context);

} // namespace instar
