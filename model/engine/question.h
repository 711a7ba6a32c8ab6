// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

namespace instar {

/// A resource that a question is about: one that is there, or one that is only spoken of.
struct Subject
{
    Resource resource = NoResource;
    QString path;                 ///< only where it is not there
    int machine = Rules::None;    ///< None: of no type that the pack knows
    Resource parent = NoResource; ///< of one that is not there
    const Request *creating =
        nullptr; ///< the request whose properties and references it would have
};

/// Who asks.
struct Asking
{
    const Rules &rules;
    const World &world;
    const Request *request = nullptr;
    const QMap<int, bool> *answers = nullptr; ///< label -> answer, before those of the request
    quint32 requirer = 0; ///< serial of the operation that required the asking one; 0: none did
    std::vector<int> *asked = nullptr; ///< labels that had no answer are put here
    bool timeless = false;             ///< `Elapsed` is answered like an open label
    std::optional<qint64> clock {};    ///< judges `Elapsed` at this virtual time, timeless or not
};

Subject subjectOf(const Rules &rules, const World &world, Resource resource);
/// The resource at a path, or what would be there.
Subject subjectAt(const Rules &rules, const World &world, const QString &path);
Code codeOf(const Rules &rules, const World &world, const Subject &subject);
QString pathOf(const World &world, const Subject &subject);

/// The resources at a relation, in a fixed order. References that are missing are among them, named
/// children not.
QList<Subject> related(
    const Rules::Relation &relation, const Subject &subject, const Asking &asking);

/// What refers to a resource, what refers to that, and so on, each once: the farthest first, by the
/// longest way from it, so that nothing comes before what refers to it; those equally far in
/// preorder. Itself is among them where it is in a ring, within which no order is right. Ways lead
/// only through those for which `through` holds.
QList<Subject> dependents(
    const Subject &subject, const Rules::Question &through, const Asking &asking);

/// A property by its name, or by a dotted path into nested objects.
QJsonValue property(const QJsonObject &properties, const QString &name);

/// What the first of the figures says that is there: at most 2^53 from 0.
std::optional<qint64> numberOf(
    std::span<const Rules::Figure> figures, const Subject &subject, const Asking &asking);

/// The first moment after `now` at which a question holds that does not depend on anything but time
/// to come; nothing: there is none.
std::optional<qint64> firstMomentOf(
    const Rules::Question &question, const Subject &subject, const Asking &asking, qint64 now);

bool holds(const Rules::Question &question, const Subject &subject, const Asking &asking);

/// Of a Related question that holds (or not): the first resource that decided it; an empty subject
/// where none did.
Subject witness(const Rules::Question &question, const Subject &subject, const Asking &asking);

} // namespace instar
