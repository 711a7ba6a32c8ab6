// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/misbehaviour.h"

#include <QCoreApplication>

namespace instar {

namespace {

constexpr qsizetype MostActive = 1000; ///< limit of active faults; a new one replaces the oldest
constexpr qint64 UsualDuration = 1000; ///< ms: duration of a request that names none

QString tr(const char *text)
{
    return QCoreApplication::translate("instar::Misbehaviour", text);
}

} // namespace

const QList<FaultWords> &faults()
{
    static const QList<FaultWords> list {
        { Fault::LostUpdate, u"lostUpdate"_s,
            tr("A change succeeds, but the resource keeps its old content.") },
        { Fault::StuckTransitional, u"stuckTransitional"_s,
            tr("The operation has ended, but the resource still shows a transitional state.") },
        { Fault::WrongFinalState, u"wrongFinalState"_s,
            tr("The operation has succeeded, but the resource rests in a wrong state.") },
        { Fault::PrematureSucceeded, u"prematureSucceeded"_s,
            tr("The operation reports success while its work still runs.") },
        { Fault::ZombieAfterDelete, u"zombieAfterDelete"_s,
            tr("The delete has succeeded, but the resource still exists.") },
        { Fault::SiblingMoved, u"siblingMoved"_s,
            tr("While the operation runs, a sibling of its target shows a transitional state, "
               "too.") },
        { Fault::MissingConflict, u"missingConflict"_s,
            tr("A request that conflicts with a running operation is accepted and succeeds.") },
        { Fault::WrongCanceled, u"wrongCanceled"_s,
            tr("The operation reports that it was canceled, although nothing canceled it.") },
        { Fault::EtagUnchanged, u"etagUnchanged"_s,
            tr("A change succeeds, but the resource keeps its old etag.") },
        { Fault::EtagLate, u"etagLate"_s,
            tr("The resource shows its old etag for one second after the change has ended.") },
    };
    return list;
}

std::optional<Fault> faultNamed(const QString &name)
{
    const auto row = std::ranges::find(faults(), name, &FaultWords::name);
    return row == faults().end() ? std::nullopt : std::optional(row->fault);
}

/// Returns a sibling of the same type that is in a stable state; NoResource: none.
Resource Misbehaviour::siblingAtRest(const World &world, const QString &path) const
{
    const Tree &tree = world.tree;
    const Resource own = tree.find(path);
    const QList<Resource> all =
        tree.collection(path.section(u'/', 0, -2)).value_or(QList<Resource>());
    const auto found = std::ranges::find_if(all,
        [&](Resource one) { return one != own && m_rules.stateIn(tree.code(one)).isStable(); });
    return found == all.end() ? NoResource : *found;
}

/// Returns true if an operation's success removes its target.
bool Misbehaviour::removes(const Admission &admitted) const
{
    const Rules::StateId state = m_rules.stateOf(admitted.entered);
    const auto removesResource = [this](int index) {
        return std::ranges::any_of(
            m_rules.transition(index).to, [this](const Rules::Target &target) {
                return target.kind == Rules::Target::Kind::State
                    && m_rules.state(target.state).kind == State::Kind::Initial;
            });
    };
    return std::ranges::any_of(m_rules.candidates(state, m_rules.succeeded), removesResource);
}

/// Returns the state code of another stable state of the machine, with another status word.
std::optional<Code> Misbehaviour::otherRest(Code code) const
{
    const int machine = m_rules.stateIn(code).machine;
    std::optional<Code> other;
    for (size_t i = 0; i < m_rules.states().size(); ++i) {
        const Rules::StateRule &state = m_rules.states()[i];
        if (state.machine != machine || !state.isStable())
            continue;
        const Code there = m_rules.resting(Rules::StateId(i));
        if (m_rules.isShown(there) && m_rules.shown(there) != m_rules.shown(code))
            other = there; // the last one counts: packs list failure states last
    }
    return other;
}

bool Misbehaviour::isPossible(
    Fault fault, const World &world, const Request &request, const Admission &admitted) const
{
    using Verdict = Admission::Verdict;
    if (fault == Fault::MissingConflict)
        return admitted.verdict == Verdict::Refused && admitted.other != 0;
    const bool startsWork =
        admitted.verdict == Verdict::Accepted && m_rules.stateIn(admitted.entered).isTransitional();
    if (!startsWork)
        return false;
    const bool isRemoval = removes(admitted);
    const bool isThere = admitted.target != NoResource;
    switch (fault) {
    case Fault::LostUpdate:
        return !isRemoval;
    case Fault::WrongFinalState:
        return !isRemoval
            && otherRest(m_rules.resting(m_rules.machine(admitted.machine).rest)).has_value();
    case Fault::ZombieAfterDelete:
        return isRemoval && isThere;
    case Fault::EtagUnchanged:
    case Fault::EtagLate:
        return !isRemoval && isThere;
    case Fault::SiblingMoved:
        return siblingAtRest(world, request.path) != NoResource;
    case Fault::StuckTransitional:
    case Fault::PrematureSucceeded:
    case Fault::WrongCanceled:
        return true;
    case Fault::MissingConflict:
        break;
    }
    return false;
}

void Misbehaviour::begin(
    Fault fault, quint32 serial, const Request &request, const World &before, const World &after)
{
    ActiveFault one { .fault = fault,
        .serial = serial,
        .path = request.path,
        .before = before,
        .began = after.now,
        .duration = request.duration.value_or(UsualDuration) };
    if (const Resource target = after.tree.find(request.path); target != NoResource)
        one.working = after.tree.code(target);
    if (fault == Fault::SiblingMoved)
        one.sibling = siblingAtRest(before, request.path);
    if (m_active.size() >= MostActive)
        m_active.removeFirst();
    m_active += one;
}

void Misbehaviour::follow(const Record &record, const World &after)
{
    using Kind = Change::Kind;
    for (const Change &change : record.changes) {
        if (change.kind != Kind::Closed && change.kind != Kind::Canceled)
            continue;
        for (ActiveFault &one : m_active) {
            if (one.serial != change.operation)
                continue;
            one.over = after.now;
            const Resource target = after.tree.find(one.path);
            one.stamp = target == NoResource ? 0 : after.tree.stamp(target);
        }
        // Work that did not succeed is reported truthfully.
        m_active.removeIf([&](const ActiveFault &one) {
            return one.serial == change.operation
                && (change.kind == Kind::Canceled || change.outcome != m_rules.succeeded);
        });
    }
    m_active.removeIf([&](const ActiveFault &one) {
        const bool falsifiesOperation = one.fault == Fault::MissingConflict
            || one.fault == Fault::PrematureSucceeded || one.fault == Fault::WrongCanceled;
        const bool isPast = one.over
            && (one.fault == Fault::SiblingMoved
                || (one.fault == Fault::EtagLate && *one.over + Lateness <= after.now));
        const bool isReplaced = one.over && !falsifiesOperation && !isUntouched(one, after);
        return isPast || isReplaced;
    });
}

/// Returns true if no other operation has touched the target since the fault's operation ended.
bool Misbehaviour::isUntouched(const ActiveFault &one, const World &world) const
{
    const Resource target = world.tree.find(one.path);
    return (target == NoResource ? 0 : world.tree.stamp(target)) == one.stamp;
}

World Misbehaviour::falsified(const World &world) const
{
    World result = world;
    for (const ActiveFault &one : m_active)
        falsify(one, result);
    return result;
}

void Misbehaviour::falsify(const ActiveFault &one, World &world) const
{
    const Resource target = world.tree.find(one.path);
    const bool isThere = target != NoResource;
    if (one.over && one.fault != Fault::SiblingMoved && !isUntouched(one, world))
        return;
    switch (one.fault) {
    case Fault::LostUpdate:
        if (one.over)
            restore(one, world);
        break;
    case Fault::StuckTransitional:
        if (one.over && isThere)
            world.tree.setCode(target, one.working);
        else if (one.over)
            restore(one, world, one.working);
        break;
    case Fault::WrongFinalState:
        if (const auto other =
                one.over && isThere ? otherRest(world.tree.code(target)) : std::optional<Code>())
            world.tree.setCode(target, *other);
        break;
    case Fault::ZombieAfterDelete:
        if (one.over && !isThere)
            restore(one, world);
        break;
    case Fault::SiblingMoved:
        if (!one.over && isThere && world.tree.exists(one.sibling)
            && m_rules.stateIn(world.tree.code(one.sibling)).isStable())
            world.tree.setCode(one.sibling, world.tree.code(target));
        break;
    case Fault::EtagUnchanged:
    case Fault::EtagLate:
        if (const Resource old = one.before.tree.find(one.path); isThere && old != NoResource
            && (one.fault == Fault::EtagUnchanged || !one.over || world.now < *one.over + Lateness))
            world.etags.insert(target, etag(one.before, old));
        break;
    case Fault::PrematureSucceeded:
    case Fault::MissingConflict:
    case Fault::WrongCanceled:
        break;
    }
}

/// Undoes the operation at its target; `code`, if given, replaces the old state code.
void Misbehaviour::restore(const ActiveFault &one, World &world, std::optional<Code> code)
{
    const World &before = one.before;
    const Resource old = before.tree.find(one.path);
    Resource resource = world.tree.find(one.path);
    if (old == NoResource) {
        if (resource != NoResource)
            world.tree.remove(resource);
        return;
    }
    if (resource == NoResource) {
        const QString above = one.path.section(u'/', 0, -3);
        const Resource parent = above.isEmpty() ? NoResource : world.tree.find(above);
        if (!above.isEmpty() && parent == NoResource)
            return;
        resource = world.tree.create(parent, world.tree.typeAt(typePathOf(one.path)),
            one.path.section(u'/', -1), before.tree.code(old), 0, one.path.section(u'/', -2, -2));
    }
    world.tree.setCode(resource, code.value_or(before.tree.code(old)));
    storeOrRemove(world.etags, resource, etag(before, old));
    storeOrRemove(world.properties, resource, before.properties.value(old));
    storeOrRemove(world.references, resource, before.references.value(old));
    storeOrRemove(world.bodies, resource, before.bodies.value(old));
}

Operation Misbehaviour::falsified(const Operation &operation, const World &world) const
{
    const auto one = std::ranges::find(m_active, operation.serial, &ActiveFault::serial);
    Operation result = operation;
    if (one == m_active.end())
        return result;
    if (one->fault == Fault::PrematureSucceeded && !operation.isOver()) {
        result.status = Status::Succeeded;
        result.ended = world.now;
    } else if (one->fault == Fault::WrongCanceled && operation.status == Status::Succeeded) {
        result.status = Status::Canceled;
    } else if (one->fault == Fault::MissingConflict) {
        const bool isOver = world.now >= one->began + one->duration;
        result = { .serial = operation.serial,
            .id = operation.id,
            .op = operation.op,
            .path = operation.path,
            .client = operation.client,
            .status = isOver ? Status::Succeeded : Status::InProgress,
            .submitted = one->began,
            .started = one->began,
            .attempts = 1 };
        if (isOver)
            result.ended = one->began + one->duration;
    }
    return result;
}

} // namespace instar
