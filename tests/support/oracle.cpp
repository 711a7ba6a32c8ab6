// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oracle.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace oracle {

namespace {

constexpr int retryLimit = 5;
constexpr qint64 retryPause = 1000;

bool isSingleton(const QString &key)
{
    static const QStringList types { u"/loadbalancermanager/"_s, u"/virtualnetworkmanager/"_s,
        u"/virtualswitchmanager/"_s, u"/idnsserver/"_s, u"/auditingsettings/"_s };
    return std::ranges::any_of(types, [&](const QString &type) { return key.startsWith(type); });
}

QString typeOf(const QString &key)
{
    const QStringList parts = key.split(u'/', Qt::SkipEmptyParts);
    QStringList segments;
    for (qsizetype i = 0; i < parts.size(); i += 2)
        segments.append(parts[i]);
    return segments.join(u'/');
}

/// Error code for a DELETE of a referenced resource, by its type.
QString inUseCode(const QString &key)
{
    static const QMap<QString, QString> words {
        { u"logicalnetworks/subnets"_s, u"Subnet"_s },
        { u"virtualnetworks/subnets"_s, u"Subnet"_s },
        { u"logicalnetworks/subnets/ippools"_s, u"IpPool"_s },
        { u"accesscontrollists"_s, u"AccessControlList"_s },
        { u"routetables"_s, u"RouteTable"_s },
        { u"loadbalancers/probes"_s, u"Probe"_s },
        { u"loadbalancers/frontendipconfigurations"_s, u"FrontendIpConfiguration"_s },
        { u"loadbalancers/backendaddresspools"_s, u"BackendAddressPool"_s },
        { u"servers"_s, u"Server"_s },
        { u"virtualservers"_s, u"VirtualServer"_s },
        { u"credentials"_s, u"Credential"_s },
        { u"securitytags"_s, u"SecurityTag"_s },
        { u"serviceinsertions"_s, u"ServiceInsertion"_s },
    };
    const QString word = words.value(typeOf(key));
    return word.isEmpty() ? u"ResourceInUse"_s : u"InUse%1CannotBeDeleted"_s.arg(word);
}

} // namespace

Controller::Controller(Settings settings, const std::vector<Resource> &resources)
    : m_settings(settings), m_resources(resources)
{
    for (Resource &resource : m_resources)
        resource.settled = resource.state;
}

const Resource *Controller::find(const QString &path) const
{
    for (const Resource &resource : m_resources) {
        if (keyOf(resource.path) == keyOf(path))
            return &resource;
    }
    return nullptr;
}

Resource *Controller::find(const QString &path)
{
    return const_cast<Resource *>(std::as_const(*this).find(path));
}

QString Controller::parentOf(const QString &key)
{
    const QStringList parts = key.split(u'/', Qt::SkipEmptyParts);
    return parts.size() <= 2 ? QString() : u'/' + parts.mid(0, parts.size() - 2).join(u'/');
}

/// Place of a running operation relative to a new one's target.
Controller::Place Controller::placeOf(const QString &running, const QString &target) const
{
    if (running == target)
        return Place::Self;
    if (isBelow(target, running))
        return Place::Ancestor;
    if (isBelow(running, target))
        return Place::Descendant;
    const QString rootA = u'/' + running.split(u'/', Qt::SkipEmptyParts).mid(0, 2).join(u'/');
    const QString rootB = u'/' + target.split(u'/', Qt::SkipEmptyParts).mid(0, 2).join(u'/');
    if (rootA != rootB)
        return Place::Elsewhere;
    return parentOf(running) == parentOf(target) ? Place::Sibling : Place::SameTree;
}

/// The conflict matrix as code: rules R1 to R9.
Controller::Verdict Controller::verdict(const Ask &ask, const Operation &running) const
{
    const QString target = keyOf(ask.path);
    const bool topLevel = parentOf(target).isEmpty();
    const bool deletes = ask.op == u"DELETE";
    const bool runningPut = running.ask.op == u"PUT";
    switch (placeOf(keyOf(running.ask.path), target)) {
    case Place::Elsewhere:
        return Verdict::Allow;
    case Place::Self:
        return deletes || runningPut ? Verdict::Cancel : Verdict::Reject;
    case Place::Descendant:
        return topLevel || m_settings.midLevelCancelsSubtree ? Verdict::Cancel : Verdict::Reject;
    case Place::Ancestor:
        return runningPut ? Verdict::Cancel : Verdict::Reject;
    case Place::Sibling:
        return m_settings.siblingsRunConcurrently ? Verdict::Allow : Verdict::Reject;
    case Place::SameTree:
        return Verdict::Reject;
    }
    return Verdict::Allow;
}

/// The table of If-Match and If-None-Match.
bool Controller::preconditionHolds(const Ask &ask) const
{
    const Resource *existing = find(ask.path);
    const auto fits = [&](const Match &match) {
        return existing && (match.kind == Match::Kind::Star || match.etag == existing->etag);
    };
    const auto given = [](const Match &match) {
        return match.kind == Match::Kind::Star || match.kind == Match::Kind::Etag;
    };
    if (given(ask.ifMatch) && !fits(ask.ifMatch))
        return false;
    return !(given(ask.ifNoneMatch) && fits(ask.ifNoneMatch));
}

/// Error code if a PUT's references forbid it, else empty.
QString Controller::referenceProblem(const Ask &ask) const
{
    const Resource *existing = find(ask.path);
    const QStringList references = existing ? existing->references : ask.references;
    for (const QString &reference : references) {
        if (!find(reference))
            return u"InvalidResourceReference"_s;
    }
    for (const QString &reference : references) {
        if (find(reference)->state != u"Succeeded")
            return u"ReferencedResourceNotProvisioned"_s;
    }
    return {};
}

/// Error code if references of others forbid a DELETE, else empty.
QString Controller::inUse(const QString &key) const
{
    for (const Resource &resource : m_resources) {
        const QString from = keyOf(resource.path);
        if (from == key || isBelow(from, key))
            continue;
        for (const QString &reference : resource.references) {
            const QString to = keyOf(reference);
            if (to == key || isBelow(to, key))
                return inUseCode(key);
        }
    }
    return {};
}

int Controller::refused(int index, const QString &code)
{
    m_operations[size_t(index)].status = u"Rejected"_s;
    m_operations[size_t(index)].code = code;
    m_operations[size_t(index)].ended = m_now;
    return index;
}

int Controller::submit(const Ask &ask)
{
    const int index = int(m_operations.size());
    Operation fresh;
    fresh.ask = ask;
    m_operations.push_back(fresh);
    Operation &operation = m_operations.back();
    const QString key = keyOf(ask.path);

    if (!ask.requestId.isEmpty()) {
        if (m_answered.contains(ask.requestId)) {
            operation.replayOf = m_answered[ask.requestId];
            return index;
        }
        m_answered.insert(ask.requestId, index);
    }
    const QString parent = parentOf(key);
    if (!parent.isEmpty() && !find(parent))
        return refused(index, u"NotFound"_s);
    const bool exists = find(ask.path);
    if (ask.op == u"DELETE" && isSingleton(key) && !exists)
        return refused(index, u"OperationNotSupported"_s);
    if (ask.op == u"GET" && !exists)
        return refused(index, u"NotFound"_s);
    if (ask.op == u"GET" || (ask.op == u"DELETE" && !exists)) {
        operation.status = u"Succeeded"_s;
        operation.ended = m_now;
        return index;
    }

    QList<int> canceled;
    for (int other = 0; other < index; ++other) {
        if (m_operations[size_t(other)].status != u"InProgress")
            continue;
        const Verdict said = verdict(ask, m_operations[size_t(other)]);
        if (said == Verdict::Reject)
            operation.inTheWay.append(other);
        else if (said == Verdict::Cancel)
            canceled.append(other);
    }
    if (!operation.inTheWay.isEmpty())
        return refused(index, u"AnotherOperationInProgress"_s);
    if (!preconditionHolds(ask))
        return refused(index, u"PreconditionFailed"_s);
    if (ask.op == u"DELETE" && isSingleton(key))
        return refused(index, u"OperationNotSupported"_s);
    const QString problem = ask.op == u"PUT" ? referenceProblem(ask) : inUse(key);
    if (!problem.isEmpty())
        return refused(index, problem);
    start(index, canceled);
    return index;
}

/// Returns true if a running operation other than `except` affects the resource.
bool Controller::isAnswered(const QString &key, int except) const
{
    for (size_t i = 0; i < m_operations.size(); ++i) {
        const Operation &operation = m_operations[i];
        if (operation.status == u"InProgress" && int(i) != except
            && (operation.own.contains(key) || operation.ancestors.contains(key)
                || operation.followers.contains(key)))
            return true;
    }
    return false;
}

void Controller::settle(const QString &key, const QString &state)
{
    Resource *resource = find(key);
    if (resource)
        resource->state = resource->settled = state;
}

/// Returns a resource to its last settled state, or to Failed if it has none.
void Controller::backToSettled(const QString &key)
{
    const Resource *resource = find(key);
    if (resource)
        settle(key, resource->settled.isEmpty() ? u"Failed"_s : resource->settled);
}

void Controller::start(int index, const QList<int> &canceled)
{
    Operation &operation = m_operations[size_t(index)];
    const QString key = keyOf(operation.ask.path);
    for (int old : canceled) {
        m_operations[size_t(old)].status = u"Canceled"_s;
        m_operations[size_t(old)].code = u"Canceled"_s;
        m_operations[size_t(old)].canceledBy = index;
        m_operations[size_t(old)].ended = m_now;
    }
    if (!find(key)) {
        // The new resource becomes the last child of its parent.
        auto at = m_resources.end();
        const QString parent = parentOf(key);
        if (!parent.isEmpty()) {
            for (auto it = m_resources.begin(); it != m_resources.end(); ++it) {
                if (keyOf(it->path) == parent || isBelow(keyOf(it->path), parent))
                    at = it + 1;
            }
        }
        Resource made;
        made.path = operation.ask.path;
        if (const Resource *above = parent.isEmpty() ? nullptr : find(parent))
            made.path = above->path + operation.ask.path.mid(above->path.size());
        made.references = operation.ask.references;
        m_resources.insert(at, made);
    }

    const bool deletes = operation.ask.op == u"DELETE";
    const int etag = ++m_lastEtag;
    for (Resource &resource : m_resources) {
        const QString other = keyOf(resource.path);
        if (other == key || isBelow(other, key)) {
            resource.state = deletes ? u"Deleting"_s : u"Updating"_s;
            operation.own.append(other);
        } else if (isBelow(key, other)) {
            resource.state = u"Updating"_s;
            operation.ancestors.append(other);
        } else {
            continue;
        }
        resource.etag = etag;
    }
    // Resources that it affects are no longer followers of other operations.
    for (Operation &other : m_operations) {
        other.followers.removeIf([&](const QString &each) {
            return operation.own.contains(each) || operation.ancestors.contains(each);
        });
    }
    operation.status = u"InProgress"_s;
    operation.attempts = 1;
    operation.due = operation.ask.hangs ? -1 : m_now + operation.ask.duration;
    for (int old : canceled)
        leaveOrphans(old, index);
}

/// Settles, or passes on, the orphans of a canceled operation.
void Controller::leaveOrphans(int canceled, int by)
{
    const Operation &old = m_operations[size_t(canceled)];
    for (const QString &key : old.own + old.ancestors + old.followers) {
        if (!find(key) || isAnswered(key, canceled))
            continue;
        switch (m_settings.orphans) {
        case Settings::Orphans::Restore:
            backToSettled(key);
            break;
        case Settings::Orphans::Fail:
            settle(key, u"Failed"_s);
            break;
        case Settings::Orphans::Follow:
            m_operations[size_t(by)].followers.append(key);
            break;
        }
    }
}

qint64 Controller::nextTime() const
{
    qint64 next = -1;
    for (const Operation &operation : m_operations) {
        if (operation.status == u"InProgress" && operation.due >= 0
            && (next < 0 || operation.due < next))
            next = operation.due;
    }
    return next;
}

void Controller::advanceTo(qint64 time)
{
    for (qint64 next = nextTime(); next >= 0 && next <= time; next = nextTime()) {
        m_now = next;
        for (size_t i = 0; i < m_operations.size(); ++i) {
            if (m_operations[i].status == u"InProgress" && m_operations[i].due == next) {
                step(int(i));
                break;
            }
        }
    }
    m_now = std::max(m_now, time);
}

/// Ends an attempt, or the pause before one.
void Controller::step(int index)
{
    Operation &operation = m_operations[size_t(index)];
    if (operation.pausing) {
        operation.pausing = false;
        ++operation.attempts;
        operation.due = m_now + operation.ask.duration;
        return;
    }
    // The n-th attempt has just ended; the first `transientFailures` of them end in a transient
    // failure.
    if (operation.attempts <= operation.ask.transientFailures) {
        if (operation.attempts > retryLimit) {
            finish(index, false);
            return;
        }
        operation.pausing = true;
        operation.due = m_now + retryPause;
        return;
    }
    finish(index, !operation.ask.fails);
}

void Controller::finish(int index, bool good)
{
    Operation &operation = m_operations[size_t(index)];
    operation.status = good ? u"Succeeded"_s : u"Failed"_s;
    operation.code = good ? QString() : u"InternalServerError"_s;
    operation.ended = m_now;
    const QString outcome = operation.status;
    const QString key = keyOf(operation.ask.path);

    if (good && operation.ask.op == u"DELETE") {
        std::erase_if(m_resources, [&](const Resource &resource) {
            return keyOf(resource.path) == key || isBelow(keyOf(resource.path), key);
        });
    }
    const int etag = m_settings.etagOnCompletion ? ++m_lastEtag : 0;
    for (const QString &each : operation.own + operation.ancestors + operation.followers) {
        Resource *resource = find(each);
        if (!resource)
            continue;
        if (etag)
            resource->etag = etag;
        if (each != key && isAnswered(each, index))
            continue; // the last operation decides
        if (operation.ancestors.contains(each) && m_settings.ancestorsRestored)
            backToSettled(each);
        else
            settle(each, outcome);
    }
}

} // namespace oracle
