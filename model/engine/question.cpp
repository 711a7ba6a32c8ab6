// SPDX-License-Identifier: Apache-2.0
#include "model/engine/question.h"

#include <QJsonValue>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QJsonObject propertiesOf(const World &world, const Subject &subject)
{
    if (subject.creating)
        return subject.creating->properties;
    return subject.resource == NoResource ? QJsonObject()
                                          : world.properties.value(subject.resource).object();
}

bool answer(const Rules::Question &question, const Subject &subject, const Asking &asking)
{
    if (asking.answers) {
        const auto given = asking.answers->constFind(question.label);
        if (given != asking.answers->constEnd())
            return *given;
    }
    const QString &label = asking.rules.labels()[question.label];
    if (asking.request) {
        const auto given = asking.request->conditions.constFind(label);
        if (given != asking.request->conditions.constEnd())
            return *given;
    }
    const QJsonValue own = property(propertiesOf(asking.world, subject), label);
    if (own.isBool())
        return own.toBool();
    if (asking.asked
        && std::find(asking.asked->begin(), asking.asked->end(), question.label)
            == asking.asked->end())
        asking.asked->push_back(question.label);
    return false;
}

/// Clamps to the integers that JSON numbers hold exactly, so that small sums never overflow.
qint64 bounded(double number)
{
    constexpr auto most = double(qint64(1) << 53);
    return qint64(std::clamp(number, -most, most));
}

/// Returns when the time has elapsed, virtual ms; a property without a number counts as 0.
qint64 elapseOf(const Rules::Question &question, const Subject &subject, const Asking &asking)
{
    const QJsonValue since = property(propertiesOf(asking.world, subject), question.property);
    return bounded(since.toDouble()) + question.ms;
}

bool hasElapsed(const Rules::Question &question, const Subject &subject, const Asking &asking)
{
    if (asking.timeless && !asking.clock)
        return answer(question, subject, asking);
    return asking.clock.value_or(asking.world.now) >= elapseOf(question, subject, asking);
}

void addElapses(const Rules::Question &question, const Subject &subject, const Asking &asking,
    std::vector<qint64> *moments)
{
    if (question.kind == Condition::Kind::Elapsed)
        moments->push_back(elapseOf(question, subject, asking));
    for (const Rules::Question &part : question.parts)
        addElapses(part, subject, asking, moments);
}

bool hasProperty(const Rules::Question &question, const Subject &subject, const Asking &asking)
{
    const QJsonValue value = property(propertiesOf(asking.world, subject), question.property);
    if (question.bound)
        return value.isDouble() && value.toDouble() > double(*question.bound);
    const auto isValue = [&](const QJsonValue &one) {
        if (one.isNull())
            return value.isNull() || value.isUndefined();
        return one.isDouble() ? value.isDouble() && value.toDouble() == one.toDouble()
                              : value == one;
    };
    if (std::ranges::any_of(question.values, isValue))
        return true;
    const bool isText = value.isString() || value.isDouble() || value.isBool();
    return isText && question.names.contains(value.toVariant().toString());
}

QString nameOf(const World &world, const Subject &subject)
{
    return subject.resource == NoResource ? subject.path.section(u'/', -1)
                                          : world.tree.name(subject.resource);
}

bool matches(const Rules::Question &question, const Subject &subject, const Asking &asking)
{
    if (subject.machine != Rules::None)
        return asking.rules.matches(codeOf(asking.rules, asking.world, subject), question.words);
    const auto &machines = asking.rules.machines();
    return std::any_of(machines.begin(), machines.end(), [&](const Rules::MachineRule &machine) {
        return question.words[size_t(asking.rules.state(machine.initial).word)];
    });
}

} // namespace

QJsonValue property(const QJsonObject &properties, const QString &name)
{
    const auto own = properties.constFind(name);
    if (own != properties.constEnd())
        return *own;
    const qsizetype dot = name.indexOf(u'.');
    if (dot < 0 || !properties.contains(QStringView(name).first(dot)))
        return QJsonValue::Undefined; // fast path: most are absent
    QJsonValue value = properties;
    for (const QString &part : name.split(u'.'))
        value = value.toObject()[part];
    return value;
}

std::optional<qint64> numberOf(
    std::span<const Rules::Figure> figures, const Subject &subject, const Asking &asking)
{
    for (const Rules::Figure &figure : figures) {
        if (!holds(figure.condition, subject, asking))
            continue;
        for (const Subject &other : related(figure.of, subject, asking)) {
            const QJsonValue value = property(propertiesOf(asking.world, other), figure.property);
            if (value.isDouble())
                return bounded(value.toDouble() * double(figure.times) + double(figure.add));
        }
    }
    return {};
}

std::optional<qint64> firstMomentOf(
    const Rules::Question &question, const Subject &subject, const Asking &asking, qint64 now)
{
    std::vector<qint64> moments;
    addElapses(question, subject, asking, &moments);
    std::ranges::sort(moments);
    Asking then = asking;
    then.asked = nullptr;
    for (const qint64 moment : moments) {
        then.clock = moment;
        if (moment > now && holds(question, subject, then))
            return moment;
    }
    return {};
}

Subject subjectOf(const Rules &rules, const World &world, Resource resource)
{
    const Code code = world.tree.code(resource);
    return {
        .resource = resource, .path = {}, .machine = rules.state(rules.stateOf(code)).machine
    };
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
    return rules.resting(rules.machines()[size_t(subject.machine)].initial);
}

QString pathOf(const World &world, const Subject &subject)
{
    return subject.resource == NoResource ? subject.path : world.tree.path(subject.resource);
}

QList<Subject> related(
    const Rules::Relation &relation, const Subject &subject, const Asking &asking)
{
    using Kind = Rules::Relation::Kind;
    const Tree &tree = asking.world.tree;
    const Resource self = subject.resource;
    const Resource parent = self == NoResource ? subject.parent : tree.parent(self);
    QList<Subject> result;
    const auto add = [&](Resource resource) {
        result += subjectOf(asking.rules, asking.world, resource);
    };
    if (relation.ofParent) {
        Rules::Relation below = relation;
        below.ofParent = false;
        return parent == NoResource
            ? result
            : related(below, subjectOf(asking.rules, asking.world, parent), asking);
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
        for (const QString &path :
            subject.creating ? subject.creating->references : asking.world.references.value(self))
            result += subjectAt(asking.rules, asking.world, path);
        break;
    case Kind::Referrers: {
        if (asking.world.referrers.isEmpty())
            break;
        const QString key = pathKey(asking.world, pathOf(asking.world, subject));
        const auto inside = [&](Resource resource) {
            return self != NoResource && contains(tree.subtree(self), tree.place(resource));
        };
        const auto addAll = [&](const QList<Resource> &list) {
            for (const Resource resource : list) {
                const bool known = std::ranges::any_of(
                    result, [&](const Subject &s) { return s.resource == resource; });
                if (!known && !inside(resource))
                    add(resource);
            }
        };
        addAll(asking.world.referrers.value(key));
        const QString below = key + u'/';
        for (auto it = asking.world.referrers.lowerBound(below);
             it != asking.world.referrers.constEnd() && it.key().startsWith(below); ++it)
            addAll(*it);
        break;
    }
    case Kind::Dependents:
        return dependents(subject, {}, asking);
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
        result += subjectAt(asking.rules, asking.world,
            pathOf(asking.world, subject) + u'/' + relation.segment + u'/' + relation.name);
        break;
    case Kind::Copy:
        result +=
            subjectAt(asking.rules, asking.world, pathOf(asking.world, subject) + relation.name);
        break;
    case Kind::Path:
        result += subjectAt(asking.rules, asking.world, relation.name);
        break;
    }
    return result;
}

QList<Subject> dependents(
    const Subject &subject, const Rules::Question &through, const Asking &asking)
{
    struct Found
    {
        Subject subject;
        QList<size_t> referrers;
        int distance = 0;
        bool isRing = false; ///< set in the first only: it lies on a cycle
    };
    const Rules::Relation direct { .kind = Rules::Relation::Kind::Referrers };
    std::vector<Found> found { { subject, {} } };
    QHash<Resource, size_t> known { { subject.resource, 0 } };
    std::vector<std::pair<size_t, qsizetype>> open { { 0,
        0 } };                  // (index, number of its referrers followed)
    std::vector<size_t> closed; // depth-first postorder: referrers first, except on cycles
    const auto look = [&](size_t at) {
        for (const Subject &other : related(direct, found[at].subject, asking)) {
            if (!holds(through, other, asking))
                continue;
            found.front().isRing = found.front().isRing || other.resource == subject.resource;
            if (!known.contains(other.resource)) {
                known.insert(other.resource, found.size());
                found.push_back({ other, {} });
            }
            found[at].referrers += known.value(other.resource);
        }
    };
    std::vector<bool> seen { true };
    look(0);
    while (!open.empty()) {
        auto &[at, followed] = open.back();
        if (followed == found[at].referrers.size()) {
            closed.push_back(at);
            open.pop_back();
            continue;
        }
        const size_t next = found[at].referrers[followed++];
        seen.resize(found.size());
        if (!seen[next]) {
            seen[next] = true;
            look(next);
            open.emplace_back(next, 0);
        }
    }

    std::vector<bool> isPast(found.size());
    for (auto at = closed.crbegin(); at != closed.crend(); ++at) {
        isPast[*at] = true;
        for (const size_t next : std::as_const(found[*at].referrers)) {
            if (!isPast[next])
                found[next].distance = std::max(found[next].distance, found[*at].distance + 1);
        }
    }
    const bool isRing = found.front().isRing;
    if (!isRing)
        found.erase(found.begin());
    const Tree &tree = asking.world.tree;
    std::ranges::sort(found, std::less(), [&](const Found &one) {
        const Tree::Place place =
            one.subject.resource == NoResource ? Tree::Place {} : tree.place(one.subject.resource);
        const quint64 rank = one.subject.resource == NoResource ? 0 : tree.rank(place.branch);
        return std::tuple(-one.distance, rank, place.position);
    });
    QList<Subject> result;
    for (const Found &one : found)
        result += one.subject;
    return result;
}

namespace {

/// Returns true if the target of a (direct or indirect) requirer is among the related resources.
bool isRequiredBy(const Rules::Question &question, const Subject &subject, const Asking &asking)
{
    const QList<Subject> all = related(question.relation, subject, asking);
    for (const Running *above = asking.world.find(asking.requirer); above;
         above = asking.world.find(above->requirer)) {
        if (std::ranges::any_of(
                all, [&](const Subject &other) { return other.resource == above->target; }))
            return true;
    }
    return false;
}

} // namespace

bool holds(const Rules::Question &question, const Subject &subject, const Asking &asking)
{
    const auto inner = [&](const Rules::Question &part) { return holds(part, subject, asking); };
    switch (question.kind) {
    case Condition::Kind::Always:
        return true;
    case Condition::Kind::Label:
        return question.parts.empty() ? answer(question, subject, asking)
                                      : inner(question.parts.front());
    case Condition::Kind::All:
        return std::ranges::all_of(question.parts, inner);
    case Condition::Kind::Not:
        return !inner(question.parts.front());
    case Condition::Kind::Last: {
        if (subject.machine == Rules::None)
            return false;
        const Rules::StateId last =
            asking.rules.lastOf(codeOf(asking.rules, asking.world, subject));
        const Rules::StateId never = asking.rules.machines()[size_t(subject.machine)].initial;
        return asking.rules.matches(
            asking.rules.resting(last == Rules::None ? never : last), question.words);
    }
    case Condition::Kind::Id:
        return question.names.contains(nameOf(asking.world, subject));
    case Condition::Kind::Required:
        return asking.requirer && (!question.some || isRequiredBy(question, subject, asking));
    case Condition::Kind::Elapsed:
        return hasElapsed(question, subject, asking);
    case Condition::Kind::Property:
        return hasProperty(question, subject, asking);
    case Condition::Kind::Related:
        break;
    }

    QList<Subject> all = related(question.relation, subject, asking);
    if (question.relation.kind == Rules::Relation::Kind::Named
        || question.match != Condition::Match::In)
        all.removeIf([](const Subject &s) { return s.resource == NoResource; });
    if (question.match != Condition::Match::In)
        return all.isEmpty() == (question.match == Condition::Match::None);
    const auto fits = [&](const Subject &other) { return matches(question, other, asking); };
    return question.some ? std::ranges::any_of(all, fits) : std::ranges::all_of(all, fits);
}

Subject witness(const Rules::Question &question, const Subject &subject, const Asking &asking)
{
    if (question.kind == Condition::Kind::Related) {
        const QList<Subject> all = related(question.relation, subject, asking);
        for (const Subject &other : all) {
            if (question.match != Condition::Match::In
                || matches(question, other, asking) == question.some)
                return other;
        }
    }
    for (const Rules::Question &part : question.parts) {
        const Subject found = witness(part, subject, asking);
        if (found.resource != NoResource || !found.path.isEmpty())
            return found;
    }
    return {};
}

} // namespace instar
