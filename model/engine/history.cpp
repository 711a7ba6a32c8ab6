// SPDX-License-Identifier: Apache-2.0
#include "model/engine/treegroups.h"

namespace instar {

namespace {

QString answerOf(const RecordedRequest &asked)
{
    switch (asked.answer) {
    case RecordedRequest::Answer::Accepted:
        return asked.began ? u"was accepted and started work"_s : u"was accepted"_s;
    case RecordedRequest::Answer::Refused:
        return u"was answered "_s + asked.code;
    case RecordedRequest::Answer::Lost:
        return u"got no answer"_s;
    case RecordedRequest::Answer::Unknown:
        return u"was sent"_s;
    }
    Q_UNREACHABLE();
}

} // namespace

bool History::isJudgeable() const
{
    return !observations.isEmpty()
        || std::ranges::any_of(requests, [](const RecordedRequest &asked) {
               return asked.answer == RecordedRequest::Answer::Accepted
                   || asked.answer == RecordedRequest::Answer::Refused;
           });
}

bool isAtRest(const Observation &seen, const Rules &rules)
{
    const int machine = rules.machineForType(typePathOf(seen.path));
    return std::ranges::none_of(rules.states(), [&](const Rules::StateRule &state) {
        return state.machine == machine && state.isTransitional()
            && (state.shown == Rules::None || rules.word(state.shown) == seen.word);
    });
}

QString sentenceOf(const RecordedRequest &asked)
{
    return u"%1 %2"_s.arg(asked.request.id, answerOf(asked));
}

QString sentenceOf(const Observation &observation)
{
    const QString what = observation.isOfResource() ? observation.path : observation.operation;
    const QString etag =
        observation.etag.isEmpty() ? QString() : u" with etag %1"_s.arg(observation.etag);
    return u"%1 was seen %2%3"_s.arg(what, observation.word.value_or(u"absent"_s), etag);
}

QString detailsOf(const RecordedRequest &asked)
{
    const QString what = u"%1 %2"_s.arg(asked.request.op, asked.request.path);
    const QString sent = u"%1, sent at %2 ms"_s.arg(what, QString::number(asked.sent));
    return asked.isClosed() ? u"%1, answered at %2 ms"_s.arg(sent, QString::number(asked.answered))
                            : sent;
}

QString detailsOf(const Observation &observation, const History &history)
{
    QStringList details;
    const auto asked = std::ranges::find_if(history.requests,
        [&](const RecordedRequest &one) { return one.request.id == observation.operation; });
    if (!observation.isOfResource() && asked != history.requests.end())
        details += u"%1 %2"_s.arg(asked->request.op, asked->request.path);
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
    for (const RecordedRequest &asked : history.requests)
        treeGroups.join(asked.request);
    for (const Observation &observation : history.observations) {
        if (observation.isOfResource())
            treeGroups.of(observation.path);
    }
    QHash<int, qsizetype> parts; // tree -> part
    QList<History> result;
    History nothing = history;
    nothing.resources.clear();
    nothing.guessed.clear();
    nothing.requests.clear();
    nothing.observations.clear();
    const auto part = [&](const QString &path) -> History & {
        const int tree = treeGroups.of(path);
        const auto known = parts.constFind(tree);
        if (known != parts.constEnd())
            return result[*known];
        parts.insert(tree, result.size());
        result.append(nothing);
        return result.last();
    };
    QHash<QString, QString> paths; // request -> its path
    for (const RecordedRequest &asked : history.requests) {
        paths.insert(asked.request.id, asked.request.path);
        part(asked.request.path).requests += asked;
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
