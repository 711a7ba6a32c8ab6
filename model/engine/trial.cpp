// SPDX-License-Identifier: Apache-2.0
#include "model/engine/trial.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What a client asked for that has led to this.
QString rootOf(const Tried &tried, const Event &event)
{
    if (event.request)
        return event.request->op;
    const Operation *operation = tried.log.find(event.operation);
    while (operation && !operation->requiredBy.isEmpty())
        operation = tried.log.find(operation->requiredBy);
    return operation ? operation->op : QString();
}

QString firstOf(const World &world, const QList<ResourceSpec> &resources, const QString &type)
{
    for (const ResourceSpec &spec : resources) {
        if (typePathOf(spec.path) == type && world.tree.find(spec.path) != NoResource)
            return spec.path;
    }
    return {};
}

} // namespace

ScenarioStep stepOf(const TrialMove &move, qint64 at)
{
    ScenarioStep step { .at = at };
    switch (move.kind) {
    case TrialMove::Kind::Submit:
        step.request = move.request;
        step.ops = { step.request.op };
        step.paths = { step.request.path };
        break;
    case TrialMove::Kind::End:
        step.kind = ScenarioStep::Kind::End;
        step.operation = move.operation;
        step.outcome = move.outcome;
        break;
    case TrialMove::Kind::Pass:
        step.kind = ScenarioStep::Kind::Expect;
        break;
    }
    return step;
}

Trial::Trial(const Rules &ownRules)
    : rules(ownRules), m_writer(ownRules, WorldKeyWriter::Names::Numbered)
{ }

/// Everything that comes by itself until then.
void Trial::passTo(Tried &tried, qint64 time, Exercised *exercised)
{
    constexpr int most = 1000; // what goes on without time is somebody else's finding
    for (int i = 0; i < most; ++i) {
        const Event next = nextEvent(rules, tried.world);
        if (next.kind == Event::Kind::Wait || next.time > time)
            break;
        happen(tried, next, exercised);
    }
    happen(tried, { .kind = Event::Kind::Wait, .time = time }, exercised);
}

void Trial::happen(Tried &tried, const Event &event, Exercised *exercised)
{
    Stepped stepped = step(rules, std::move(tried.world), event, exercised);
    tried.world = std::move(stepped.world);
    tried.log.apply(rules, stepped.record, tried.world);
    for (const int label : stepped.record.asked) {
        if (!rules.labels()[label].startsWith(Rules::ElapsedLabel))
            asked[rootOf(tried, event)].insert(rules.labels()[label]);
    }
}

void Trial::doMove(Tried &tried, const TrialMove &move, qint64 time, Exercised *exercised)
{
    Event event { .time = time };
    if (move.kind == TrialMove::Kind::Submit) {
        event.kind = Event::Kind::Submit;
        event.request = QSharedPointer<Request>::create(move.request);
    } else if (move.kind == TrialMove::Kind::End) {
        const Operation *operation = tried.log.find(move.operation);
        event.kind = Event::Kind::End;
        event.operation = operation ? operation->serial : 0;
        event.outcome = rules.trigger(move.outcome);
    }
    if (move.kind != TrialMove::Kind::Pass)
        happen(tried, event, exercised);
    passTo(tried, time, exercised);
}

QStringList Trial::endsOf(const Tried &tried, const Running &running) const
{
    QStringList names;
    for (const Rules::TriggerId outcome : choices(rules, tried.world, running.serial))
        names += rules.triggerName(outcome);
    return names;
}

std::optional<qint64> Trial::nextTime(const Tried &tried) const
{
    const Event next = nextEvent(rules, tried.world);
    return next.kind == Event::Kind::Wait ? std::nullopt : std::optional(next.time);
}

void Trial::writeKey(const Tried &tried, qint64 now, QByteArray &out)
{
    m_writer.write(tried.world, out);
    const std::optional<qint64> next = nextTime(tried);
    out += QByteArray::number(next ? *next - now : -1) + '|';
}

QMap<QString, QString> Trial::shown(const Tried &tried) const
{
    QMap<QString, QString> words;
    for (const Resource resource : tried.world.tree.resources()) {
        if (rules.isShown(tried.world.tree.code(resource)))
            words.insert(tried.world.tree.path(resource), shownWord(rules, tried.world, resource));
    }
    return words;
}

QList<TrialMove> waysToAsk(
    const Request &request, const QString &operation, const QStringList &labels)
{
    TrialMove move { .kind = TrialMove::Kind::Submit, .request = request };
    move.request.op = operation;
    move.request.conditions.clear();
    QList<TrialMove> moves { move };
    for (const QString &label : labels) {
        move.request.conditions = { { label, true } };
        moves += move;
    }
    return moves;
}

QList<Request> absentRequests(
    std::span<const Rules *const> all, const World &world, const QList<ResourceSpec> &resources)
{
    QList<Request> absent;
    const auto isKnown = [&](const QString &type) {
        return std::ranges::all_of(
            all, [&](const Rules *rules) { return rules->machineForType(type) != Rules::None; });
    };
    for (const Rules *rules : all) {
        for (const Type &type : rules->pack().types) {
            if (type.path == u"*" || !rules->applies(type) || !isKnown(type.path))
                continue;
            const QString above = type.path.section(u'/', 0, -2);
            const QString parent = above.isEmpty() ? QString() : firstOf(world, resources, above);
            if (!above.isEmpty() && parent.isEmpty())
                continue;
            Request request;
            request.path = parent + u'/' + type.path.section(u'/', -1) + u'/'
                + (type.names.isEmpty() ? u"new"_s : type.names.first());
            const Resource like = world.tree.find(firstOf(world, resources, type.path));
            request.properties = world.properties.value(like);
            request.references = world.references.value(like);
            const bool isThere = std::ranges::any_of(
                absent, [&](const Request &other) { return other.path == request.path; });
            if (!isThere)
                absent += request;
        }
    }
    for (const QStringList &references : std::as_const(world.references)) {
        for (const QString &path : references) {
            if (world.tree.find(path) == NoResource)
                absent += Request { .path = path };
        }
    }
    return absent;
}

QList<ResourceSpec> someOf(const QList<ResourceSpec> &resources, int most)
{
    QSet<QString> kept;
    QHash<QString, int> counts;
    for (const ResourceSpec &spec : resources) {
        const QString parent = spec.path.section(u'/', 0, -3);
        const bool isBelow = parent.isEmpty() || kept.contains(parent)
            || std::ranges::none_of(
                resources, [&](const ResourceSpec &other) { return other.path == parent; });
        const QString kind = parent + u'\n' + typePathOf(spec.path) + u'\n' + spec.state;
        const QString type = typePathOf(spec.path);
        if (isBelow && counts[kind] < most && counts[type] < 2 * most) {
            ++counts[kind];
            ++counts[type];
            kept.insert(spec.path);
        }
    }
    for (const ResourceSpec &spec : resources) {
        if (!kept.contains(spec.path))
            continue;
        for (const QString &path : spec.references)
            kept.insert(path);
    }
    QList<ResourceSpec> some = resources;
    some.removeIf([&](const ResourceSpec &spec) { return !kept.contains(spec.path); });
    return some;
}

} // namespace instar
