// SPDX-License-Identifier: Apache-2.0
#include "model/items/tracks.h"

namespace instar {

namespace {

/// Returns the last point at or before a time.
template<typename Point>
const Point *pointAt(const std::vector<Point> &points, qint64 time)
{
    const auto later = std::ranges::upper_bound(points, time, {}, &Point::at);
    return later == points.begin() ? nullptr : &*std::prev(later);
}

} // namespace

const Tracks::Observed *Tracks::Track::observedAt(qint64 time) const
{
    return pointAt(observed, time);
}

const Tracks::Expected *Tracks::Track::expectedAt(qint64 time) const
{
    return pointAt(expected, time);
}

Tracks::Track &Tracks::track(const QString &path)
{
    Track &track = m_tracks[m_rules.pack().folded(path)];
    if (track.path.isEmpty())
        track.path = path;
    return track;
}

const Tracks::Track *Tracks::find(const QString &path) const
{
    const auto found = m_tracks.find(m_rules.pack().folded(path));
    return found == m_tracks.end() ? nullptr : &found->second;
}

/// Adds a point if the word (shown state name) changed; NoResource: the resource does not exist.
void Tracks::addPoint(Track &track, const World &world, Resource resource, qint64 notBefore)
{
    QString word;
    if (resource != NoResource) {
        track.machine = m_rules.state(m_rules.stateOf(world.tree.code(resource))).machine;
        word = shownWord(m_rules, world, resource);
    }
    const Rules::StateId last =
        resource == NoResource ? Rules::None : m_rules.lastOf(world.tree.code(resource));
    const bool isFirst = track.observed.empty() && world.now > m_begin;
    const bool wasShown = last != Rules::None && m_rules.isShown(m_rules.resting(last));
    if (isFirst && wasShown) { // the resource was at rest until now
        track.observed.push_back({ m_begin, m_rules.shown(m_rules.resting(last)) });
        ++m_points;
    }
    if (!track.observed.empty() && track.observed.back().word == word)
        return;
    if (!track.observed.empty() && track.observed.back().at == world.now) {
        track.observed.back().word = word;
        return;
    }
    const qint64 before = track.observed.empty() ? world.now : track.observed.back().at;
    track.observed.push_back({ world.now, word, std::max(before, std::min(notBefore, world.now)) });
    ++m_points;
}

void Tracks::addObserved(const Record &record, const World &world)
{
    const Tree &tree = world.tree;
    const bool hasHoldings = !record.holdings.empty();
    const qint64 since = record.since < 0 ? world.now : record.since;
    for (const Tree::Range &run : record.dirty.runs()) {
        if (!tree.hasBranch(run.branch))
            continue;
        const quint32 end = std::min(
            std::min(run.end, tree.branchSize(run.branch)), run.begin + quint32(MostOfATree));
        for (quint32 position = run.begin; position < end; ++position) {
            const Resource resource = tree.at(run.branch, position);
            const bool isTransitional =
                m_rules.state(m_rules.stateOf(tree.code(resource))).isTransitional();
            if (!isTransitional && !hasHoldings && m_tracks.empty())
                continue;
            const QString path = tree.path(resource);
            if (isTransitional || hasHoldings || find(path))
                addPoint(track(path), world, resource, since);
        }
    }
    if (std::ranges::any_of(record.treeChanges, std::not_fn(&TreeChange::isCreation))) {
        for (auto &[name, track] : m_tracks) {
            if (tree.find(track.path) == NoResource)
                addPoint(track, world, NoResource, since);
        }
    }
    forgetAtLimit(world.now);
}

void Tracks::addExpected(
    const ConformanceMonitor &monitor, const World &world, const QStringList &trees)
{
    const Tree &tree = world.tree;
    const auto addAt = [&](const QString &path) {
        std::optional<ConformanceMonitor::Allowed> allowed = monitor.allowed(path);
        if (allowed)
            allowed->words.sort();
        if (!find(path)) {
            const QString word = wordAt(m_rules, world, path).value_or(QString());
            if (!allowed || (allowed->all && allowed->words == QStringList { word }))
                return; // the resource is at rest
        }
        Track &own = track(path);
        if (own.observed.empty()) // later points come from records, with their times
            addPoint(own, world, tree.find(path), world.now);
        const bool wasAtRest = own.expected.empty() && own.observed.front().at < world.now;
        if (wasAtRest && allowed) {
            own.expected.push_back(
                { own.observed.front().at, { { { own.observed.front().word } } } });
            ++m_points;
        }
        const bool isNew = own.expected.empty()
            || (own.expected.back().isBroken ? allowed.has_value()
                                             : own.expected.back().allowed != allowed);
        if (isNew) {
            own.expected.push_back({ world.now, allowed });
            ++m_points;
        }
    };
    for (const QString &top : trees) {
        QStringList paths;
        const QString first = m_rules.pack().folded(top);
        for (auto it = m_tracks.lower_bound(first);
             it != m_tracks.end() && it->first.startsWith(first); ++it) {
            if (it->first.size() == first.size() || it->first[first.size()] == u'/')
                paths += it->second.path;
        }
        const Resource root = tree.find(top);
        const Tree::Range all = root == NoResource ? Tree::Range() : tree.subtree(root);
        for (quint32 i = 0; i < std::min(all.size(), quint32(MostOfATree)); ++i) {
            const QString path = tree.path(tree.at(all.branch, all.begin + i));
            if (!find(path))
                paths += path;
        }
        for (const QString &path : std::as_const(paths))
            addAt(path);
    }
    forgetAtLimit(world.now);
}

void Tracks::begin(const LiveViolation &violation, const World &world)
{
    Track &own = track(violation.path);
    if (!own.observed.empty())
        return;
    World before = makeWorld(m_rules, violation.history.resources).world;
    before.now = m_begin;
    addPoint(own, before, before.tree.find(own.path), m_begin);
    own.expected.push_back({ m_begin, { { { own.observed.front().word } } } });
    ++m_points;
    addPoint(own, world, world.tree.find(own.path), world.now);
}

void Tracks::addViolation(
    const QString &path, qint64 at, std::optional<ConformanceMonitor::Allowed> allowed)
{
    std::vector<Expected> &points = track(path).expected;
    const auto isUnknown = [](const Expected &one) { return !one.allowed && !one.isBroken; };
    // Replaces the points between the violation and its detection, and the unknown points after it.
    const auto from = std::ranges::lower_bound(points, at, {}, &Expected::at);
    const auto detected = std::find_if(from, points.end(), isUnknown);
    const auto known =
        detected == points.end() ? from : std::find_if_not(detected, points.end(), isUnknown);
    m_points += 1 - (known - from);
    points.insert(points.erase(from, known), { at, std::move(allowed), true });
}

/// Forgets all tracks if there are more than MostPoints points.
void Tracks::forgetAtLimit(qint64 now)
{
    if (m_points <= MostPoints)
        return;
    m_tracks.clear();
    m_points = 0;
    m_begin = now;
}

} // namespace instar
