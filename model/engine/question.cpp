// SPDX-License-Identifier: Apache-2.0
#include "model/engine/question.h"

#include <tuple>

namespace instar {

namespace {

QJsonObject propertiesOf(const World &world, const Subject &subject)
{
    if (subject.creating)
        return subject.creating->properties;
    return subject.resource == NoResource ? QJsonObject()
                                          : world.properties.value(subject.resource).object();
}

/// Returns the answer to an open condition: that of the event, the request or a boolean property of
/// the resource. If all lack one, notes that the condition is unanswered and returns false.
bool answer(const Rules::Predicate &condition, const Subject &subject, const Context &context)
{
    if (context.answers) {
        const auto given = context.answers->constFind(condition.label);
        if (given != context.answers->constEnd())
            return *given;
    }
    const QString &label = context.rules.labels()[condition.label];
    if (context.request) {
        const auto given = context.request->conditions.constFind(label);
        if (given != context.request->conditions.constEnd())
            return *given;
    }
    const QJsonValue own = property(propertiesOf(context.world, subject), label);
    if (own.isBool())
        return own.toBool();
    if (context.unanswered
        && std::ranges::find(*context.unanswered, condition.label) == context.unanswered->end())
        context.unanswered->push_back(condition.label);
    return false;
}

/// Clamps a number to the range of exact JSON numbers, so that sums of a few do not overflow.
qint64 bounded(double number)
{
    constexpr auto most = double(MostWhole);
    return qint64(std::clamp(number, -most, most));
}

/// Returns the virtual time (ms) at which an Elapsed condition becomes true: `ms` after the time in
/// its property, which counts as 0 if it is not a number.
qint64 elapsedTimeOf(
    const Rules::Predicate &condition, const Subject &subject, const Context &context)
{
    const QJsonValue since = property(propertiesOf(context.world, subject), condition.property);
    return bounded(since.toDouble()) + condition.ms;
}

/// Adds the virtual times (ms) at which the Elapsed parts of a condition become true.
void addElapsedTimes(const Rules::Predicate &condition, const Subject &subject,
    const Context &context, std::vector<qint64> *moments)
{
    if (condition.kind == Condition::Kind::Elapsed)
        moments->push_back(elapsedTimeOf(condition, subject, context));
    for (const Rules::Predicate &part : condition.parts)
        addElapsedTimes(part, subject, context, moments);
}

bool hasProperty(const Rules::Predicate &condition, const Subject &subject, const Context &context)
{
    const QJsonValue value = property(propertiesOf(context.world, subject), condition.property);
    if (condition.bound)
        return value.isDouble() && value.toDouble() > double(*condition.bound);
    const auto isValue = [&](const QJsonValue &one) {
        if (one.isNull())
            return value.isNull() || value.isUndefined();
        return one.isDouble() ? value.isDouble() && value.toDouble() == one.toDouble()
                              : value == one;
    };
    if (std::ranges::any_of(condition.values, isValue))
        return true;
    const bool isText = value.isString() || value.isDouble() || value.isBool();
    return isText && condition.names.contains(value.toVariant().toString());
}

QString nameOf(const World &world, const Subject &subject)
{
    return subject.resource == NoResource ? subject.path.section(u'/', -1)
                                          : world.tree.name(subject.resource);
}

/// Returns true if a resource shows one of the condition's words. A missing resource of an unknown
/// type counts as one in the initial state of any machine.
bool matches(const Rules::Predicate &condition, const Subject &subject, const Context &context)
{
    if (subject.machine != Rules::None)
        return context.rules.matches(
            codeOf(context.rules, context.world, subject), condition.words);
    return std::ranges::any_of(context.rules.machines(), [&](const Rules::MachineRule &machine) {
        return condition.words[size_t(context.rules.state(machine.initial).word)];
    });
}

/// Returns true if a condition relates to the target of a direct or indirect requirer.
bool isRequiredBy(const Rules::Predicate &condition, const Subject &subject, const Context &context)
{
    const QList<Subject> all = related(condition.relation, subject, context);
    for (const Running *requirer = context.world.find(context.requirer); requirer;
         requirer = context.world.find(requirer->requirer)) {
        if (std::ranges::any_of(
                all, [&](const Subject &other) { return other.resource == requirer->target; }))
            return true;
    }
    return false;
}

} // namespace

QJsonValue property(const QJsonObject &properties, const QString &name)
{
    const auto own = properties.constFind(name);
    if (own != properties.constEnd())
        return *own;
    const qsizetype dot = name.indexOf(u'.');
    if (dot < 0 || !properties.contains(QStringView(name).first(dot)))
        return QJsonValue::Undefined; // fast path, because most properties are absent
    QJsonValue value = properties;
    for (const QString &part : name.split(u'.'))
        value = value.toObject()[part];
    return value;
}

std::optional<qint64> valueIn(
    std::span<const Rules::Figure> figures, const Subject &subject, const Context &context)
{
    for (const Rules::Figure &figure : figures) {
        if (!holds(figure.condition, subject, context))
            continue;
        for (const Subject &other : related(figure.of, subject, context)) {
            const QJsonValue value = property(propertiesOf(context.world, other), figure.property);
            if (value.isDouble())
                return bounded(value.toDouble() * double(figure.times) + double(figure.add));
        }
    }
    return {};
}

std::optional<qint64> firstMomentOf(
    const Rules::Predicate &condition, const Subject &subject, const Context &context, qint64 now)
{
    std::vector<qint64> moments;
    addElapsedTimes(condition, subject, context, &moments);
    std::ranges::sort(moments);
    Context later = context;
    later.unanswered = nullptr;
    for (const qint64 moment : moments) {
        later.clock = moment;
        if (moment > now && holds(condition, subject, later))
            return moment;
    }
    return {};
}

Subject subjectOf(const Rules &rules, const World &world, Resource resource)
{
    const Code code = world.tree.code(resource);
    return { .resource = resource, .machine = rules.stateIn(code).machine };
}

Subject subjectAt(const Rules &rules, const World &world, const QString &path)
{
    const Resource resource = world.tree.find(path);
    if (resource != NoResource)
        return subjectOf(rules, world, resource);
    Subject missing { .path = path, .machine = rules.machineForType(typePathOf(path)) };
    const qsizetype cut = path.lastIndexOf(u'/', path.lastIndexOf(u'/') - 1);
    if (cut > 0)
        missing.parent = world.tree.find(QStringView(path).first(cut));
    return missing;
}

Code codeOf(const Rules &rules, const World &world, const Subject &subject)
{
    if (subject.resource != NoResource)
        return world.tree.code(subject.resource);
    return rules.resting(rules.machine(subject.machine).initial);
}

QString pathOf(const World &world, const Subject &subject)
{
    return subject.resource == NoResource ? subject.path : world.tree.path(subject.resource);
}

QList<Subject> related(
    const Rules::Relation &relation, const Subject &subject, const Context &context)
{
    using Kind = Rules::Relation::Kind;
    const Tree &tree = context.world.tree;
    const Resource self = subject.resource;
    const Resource parent = self == NoResource ? subject.parent : tree.parent(self);
    QList<Subject> result;
    const auto add = [&](Resource resource) {
        result += subjectOf(context.rules, context.world, resource);
    };
    const auto addAt = [&](const QString &path) {
        result += subjectAt(context.rules, context.world, path);
    };
    if (relation.ofParent) {
        Rules::Relation own = relation;
        own.ofParent = false;
        return parent == NoResource
            ? result
            : related(own, subjectOf(context.rules, context.world, parent), context);
    }

    switch (relation.kind) {
    case Kind::Self:
        result += subject;
        break;
    case Kind::Parent:
        if (parent != NoResource)
            add(parent);
        break;
    case Kind::Ancestors:
        for (Resource up = parent; up != NoResource; up = tree.parent(up))
            add(up);
        break;
    case Kind::Children:
        if (self != NoResource)
            std::ranges::for_each(tree.children(self), add);
        break;
    case Kind::Descendants:
        if (self != NoResource) {
            const Tree::Range range = tree.subtree(self);
            for (quint32 position = range.begin + 1; position < range.end; ++position)
                add(tree.at(range.branch, position));
        }
        break;
    case Kind::Siblings:
        for (const Resource other : tree.children(parent)) {
            if (other != self)
                add(other);
        }
        break;
    case Kind::References:
        std::ranges::for_each(
            subject.creating ? subject.creating->references : context.world.references.value(self),
            addAt);
        break;
    case Kind::Referrers: {
        if (context.world.referrers.isEmpty())
            break;
        const QString key = pathKey(context.world, pathOf(context.world, subject));
        const auto isInside = [&](Resource resource) {
            return self != NoResource && contains(tree.subtree(self), tree.place(resource));
        };
        const auto addAll = [&](const QList<Resource> &list) {
            for (const Resource resource : list) {
                const bool isKnown = std::ranges::any_of(
                    result, [&](const Subject &s) { return s.resource == resource; });
                if (!isKnown && !isInside(resource))
                    add(resource);
            }
        };
        addAll(context.world.referrers.value(key));
        const QString below = key + u'/';
        for (auto it = context.world.referrers.lowerBound(below);
             it != context.world.referrers.constEnd() && it.key().startsWith(below); ++it)
            addAll(*it);
        break;
    }
    case Kind::Dependents:
        return dependents(subject, {}, context);
    case Kind::Segment:
        if (self != NoResource) {
            const int type = tree.childType(tree.type(self), relation.segment);
            for (const Resource child : tree.children(self)) {
                if (tree.type(child) == type)
                    add(child);
            }
        }
        break;
    case Kind::Named:
        addAt(pathOf(context.world, subject) + u'/' + relation.segment + u'/' + relation.name);
        break;
    case Kind::Copy:
        addAt(pathOf(context.world, subject) + relation.name);
        break;
    case Kind::Path:
        addAt(relation.name);
        break;
    }
    return result;
}

QList<Subject> dependents(
    const Subject &subject, const Rules::Predicate &through, const Context &context)
{
    struct Found
    {
        Subject subject;
        QList<size_t> referrers;
        int distance = 0;
        bool isOnCycle = false; ///< known only for the first element, the subject itself
    };
    const Rules::Relation direct { .kind = Rules::Relation::Kind::Referrers };
    std::vector<Found> found { { subject, {} } };
    QHash<Resource, size_t> known { { subject.resource, 0 } };
    // Stack of a depth-first search: (index in `found`, number of its referrers visited).
    std::vector<std::pair<size_t, qsizetype>> stack { { 0, 0 } };
    std::vector<size_t> postorder; // referrers first, except on cycles
    const auto findReferrers = [&](size_t at) {
        for (const Subject &other : related(direct, found[at].subject, context)) {
            if (!holds(through, other, context))
                continue;
            found.front().isOnCycle = found.front().isOnCycle || other.resource == subject.resource;
            if (!known.contains(other.resource)) {
                known.insert(other.resource, found.size());
                found.push_back({ other, {} });
            }
            found[at].referrers += known.value(other.resource);
        }
    };
    std::vector<bool> discovered { true };
    findReferrers(0);
    while (!stack.empty()) {
        auto &[at, visited] = stack.back();
        if (visited == found[at].referrers.size()) {
            postorder.push_back(at);
            stack.pop_back();
            continue;
        }
        const size_t next = found[at].referrers[visited++];
        discovered.resize(found.size());
        if (!discovered[next]) {
            discovered[next] = true;
            findReferrers(next);
            stack.emplace_back(next, 0);
        }
    }

    std::vector<bool> isDone(found.size());
    for (auto at = postorder.crbegin(); at != postorder.crend(); ++at) {
        isDone[*at] = true;
        for (const size_t next : std::as_const(found[*at].referrers)) {
            if (!isDone[next])
                found[next].distance = std::max(found[next].distance, found[*at].distance + 1);
        }
    }
    const bool isOnCycle = found.front().isOnCycle;
    if (!isOnCycle)
        found.erase(found.begin());
    const Tree &tree = context.world.tree;
    std::ranges::sort(found, std::less(), [&](const Found &one) {
        const Tree::Place place =
            one.subject.resource == NoResource ? Tree::Place {} : tree.place(one.subject.resource);
        const quint64 rank = one.subject.resource == NoResource ? 0 : tree.rank(place.branch);
        return std::tuple(-one.distance, rank, place.position);
    });
    return mapped<QList<Subject>>(found, &Found::subject);
}

bool holds(const Rules::Predicate &condition, const Subject &subject, const Context &context)
{
    const auto inner = [&](const Rules::Predicate &part) { return holds(part, subject, context); };
    switch (condition.kind) {
    case Condition::Kind::Always:
        return true;
    case Condition::Kind::Label:
        return condition.parts.empty() ? answer(condition, subject, context)
                                       : inner(condition.parts.front());
    case Condition::Kind::All:
        return std::ranges::all_of(condition.parts, inner);
    case Condition::Kind::Not:
        return !inner(condition.parts.front());
    case Condition::Kind::Last: {
        if (subject.machine == Rules::None)
            return false;
        const Rules::StateId last =
            context.rules.lastOf(codeOf(context.rules, context.world, subject));
        const Rules::StateId never = context.rules.machine(subject.machine).initial;
        return context.rules.matches(
            context.rules.resting(last == Rules::None ? never : last), condition.words);
    }
    case Condition::Kind::Id:
        return condition.names.contains(nameOf(context.world, subject));
    case Condition::Kind::Required:
        return context.requirer && (!condition.some || isRequiredBy(condition, subject, context));
    case Condition::Kind::Elapsed:
        if (context.untimed && !context.clock)
            return answer(condition, subject, context);
        return context.clock.value_or(context.world.now)
            >= elapsedTimeOf(condition, subject, context);
    case Condition::Kind::Property:
        return hasProperty(condition, subject, context);
    case Condition::Kind::Related:
        break;
    }

    QList<Subject> all = related(condition.relation, subject, context);
    if (condition.relation.kind == Rules::Relation::Kind::Named
        || condition.match != Condition::Match::In)
        all.removeIf([](const Subject &s) { return s.resource == NoResource; });
    if (condition.match != Condition::Match::In)
        return all.isEmpty() == (condition.match == Condition::Match::None);
    const auto fits = [&](const Subject &other) { return matches(condition, other, context); };
    return condition.some ? std::ranges::any_of(all, fits) : std::ranges::all_of(all, fits);
}

Subject witness(const Rules::Predicate &condition, const Subject &subject, const Context &context)
{
    if (condition.kind == Condition::Kind::Related) {
        const QList<Subject> all = related(condition.relation, subject, context);
        for (const Subject &other : all) {
            if (condition.match != Condition::Match::In
                || matches(condition, other, context) == condition.some)
                return other;
        }
    }
    for (const Rules::Predicate &part : condition.parts) {
        const Subject found = witness(part, subject, context);
        if (found.resource != NoResource || !found.path.isEmpty())
            return found;
    }
    return {};
}

} // namespace instar
