// SPDX-License-Identifier: Apache-2.0
#include "model/engine/treegroups.h"

namespace instar {

namespace {

QString answerOf(const RecordedRequest &entry)
{
    switch (entry.answer) {
    case RecordedRequest::Answer::Accepted:
        return entry.began ? u"was accepted and started work"_s : u"was accepted"_s;
    case RecordedRequest::Answer::Refused:
        return u"was answered "_s + entry.code;
    case RecordedRequest::Answer::Lost:
        return u"got no answer"_s;
    case RecordedRequest::Answer::Unknown:
        return u"was sent"_s;
    }
    Q_UNREACHABLE();
}

} // namespace

double History::begin() const
{
    double begin = 1e300;
    for (const RecordedRequest &entry : requests)
        begin = std::min(begin, entry.sent);
    for (const Observation &observation : observations)
        begin = std::min(begin, observation.from);
    return begin;
}

bool History::isJudgeable() const
{
    return !observations.isEmpty()
        || std::ranges::any_of(requests, [](const RecordedRequest &entry) {
               return entry.answer == RecordedRequest::Answer::Accepted
                   || entry.answer == RecordedRequest::Answer::Refused;
           });
}

bool isAtRest(const Observation &observation, const Rules &rules)
{
    const int machine = rules.machineForType(typePathOf(observation.path));
    return std::ranges::none_of(rules.states(), [&](const Rules::StateRule &state) {
        return state.machine == machine && state.isTransitional()
            && (state.shown == Rules::None || rules.word(state.shown) == observation.word);
    });
}

QString sentenceOf(const RecordedRequest &entry)
{
    return u"%1 %2"_s.arg(entry.request.id, answerOf(entry));
}

QString sentenceOf(const Observation &observation)
{
    const QString subject = observation.isOfResource() ? observation.path : observation.operation;
    const QString etag =
        observation.etag.isEmpty() ? QString() : u" with etag %1"_s.arg(observation.etag);
    return u"%1 was seen %2%3"_s.arg(subject, observation.word.value_or(u"absent"_s), etag);
}

QString detailsOf(const RecordedRequest &entry)
{
    const QString request = u"%1 %2"_s.arg(entry.request.op, entry.request.path);
    const QString sent = u"%1, sent at %2 ms"_s.arg(request, QString::number(entry.sent));
    return entry.isClosed() ? u"%1, answered at %2 ms"_s.arg(sent, QString::number(entry.answered))
                            : sent;
}

QString detailsOf(const Observation &observation, const History &history)
{
    QStringList details;
    const auto entry = std::ranges::find_if(history.requests,
        [&](const RecordedRequest &one) { return one.request.id == observation.operation; });
    if (!observation.isOfResource() && entry != history.requests.end())
        details += u"%1 %2"_s.arg(entry->request.op, entry->request.path);
    if (!observation.shownBy.isEmpty())
        details += observation.shownBy;
    details += u"between %1 and %2 ms"_s.arg(observation.from).arg(observation.to);
    return details.join(u", "_s);
}

QList<History> partsOf(const History &history, const Rules &rules)
{
    TreeGroups treeGroups(rules);
    for (const ResourceSpec &resource : history.resources)
        treeGroups.join(resource);
    for (const RecordedRequest &entry : history.requests)
        treeGroups.join(entry.request);
    for (const Observation &observation : history.observations) {
        if (observation.isOfResource())
            treeGroups.of(observation.path);
    }
    QHash<int, qsizetype> parts; // tree group -> part
    QList<History> result;
    History empty = history;
    empty.resources.clear();
    empty.guessed.clear();
    empty.requests.clear();
    empty.observations.clear();
    const auto part = [&](const QString &path) -> History & {
        const int group = treeGroups.of(path);
        const auto known = parts.constFind(group);
        if (known != parts.constEnd())
            return result[*known];
        parts.insert(group, result.size());
        result.append(empty);
        return result.last();
    };
    QHash<QString, QString> paths; // request -> its path
    for (const RecordedRequest &entry : history.requests) {
        paths.insert(entry.request.id, entry.request.path);
        part(entry.request.path).requests += entry;
    }
    for (const Observation &observation : history.observations)
        part(observation.isOfResource() ? observation.path : paths.value(observation.operation))
            .observations += observation;
    for (const QString &tree : history.guessed) {
        if (parts.contains(treeGroups.of(tree)))
            part(tree).guessed += tree;
    }
    // Resources of tree groups without requests and observations are dropped.
    for (const ResourceSpec &resource : history.resources) {
        if (parts.contains(treeGroups.of(resource.path)))
            part(resource.path).resources += resource;
    }
    return result;
}

} // namespace instar
