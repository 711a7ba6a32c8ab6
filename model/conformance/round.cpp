// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/round.h"

#include <algorithm>
#include <map>

namespace instar {

namespace {

// Sentences without ids and etags, which differ from round to round.

QString kindText(RecordedRequest recorded)
{
    recorded.request.id = u"%1 %2"_s.arg(recorded.request.op, recorded.request.path);
    return sentenceOf(recorded);
}

/// `operation` replaces the id of the observed operation.
QString kindText(Observation observation, const QString &operation)
{
    observation.etag.clear();
    if (!observation.isOfResource())
        observation.operation = operation;
    return sentenceOf(observation);
}

QString kindText(const Violation &violation)
{
    const auto *recorded = std::get_if<RecordedRequest>(&violation.what);
    return recorded ? kindText(*recorded)
                    : kindText(std::get<Observation>(violation.what), u"an operation"_s);
}

} // namespace

QStringList traceLines(const History &history)
{
    std::multimap<double, QString> lines; // by time
    QHash<QString, QString> operations;   // id -> "PUT /a/b"
    for (const RecordedRequest &recorded : history.requests) {
        const Request &request = recorded.request;
        operations.insert(request.id, u"%1 %2"_s.arg(request.op, request.path));
        lines.emplace(recorded.sent, kindText(recorded));
    }
    QHash<QString, std::optional<QString>> words; // last ones, by path or operation
    for (const ResourceSpec &resource : history.resources)
        words.insert(resource.path, resource.state);
    QList<Observation> observations = history.observations;
    std::ranges::stable_sort(observations, {}, &Observation::from);
    for (const Observation &each : std::as_const(observations)) {
        const QString &subject = each.isOfResource() ? each.path : each.operation;
        if (words.contains(subject) && words[subject] == each.word)
            continue;
        words.insert(subject, each.word);
        lines.emplace(each.from, kindText(each, operations.value(each.operation)));
    }
    QStringList result;
    for (const auto &[time, text] : lines)
        result += text;
    return result;
}

void RoundsTally::add(const Round &round)
{
    using SearchOutcome = HistorySearch::Outcome;
    const SearchOutcome outcome =
        round.problem.isEmpty() ? round.verdict.outcome : SearchOutcome::Undecided;
    const QString what = !round.problem.isEmpty() ? round.problem
        : round.verdict.violation                 ? kindText(*round.verdict.violation)
                                                  : QString();
    auto found = std::ranges::find_if(m_all, [&](const RoundGroup &each) {
        return each.ending == round.ending && each.outcome == outcome && each.what == what;
    });
    if (found == m_all.end()) {
        found = m_all.insert(m_all.end(),
            { .ending = round.ending, .outcome = outcome, .what = what, .first = round });
        if (outcome == SearchOutcome::Conforms)
            found->first.exchanges.clear();
    }
    ++found->count;
    if (round.spread)
        found->spreads += *round.spread;
}

QList<RoundGroup> RoundsTally::sorted() const
{
    using SearchOutcome = HistorySearch::Outcome;
    QList<RoundGroup> all = m_all;
    const auto rank = [](SearchOutcome outcome) {
        return outcome == SearchOutcome::Violates ? 0 : outcome == SearchOutcome::Conforms ? 2 : 1;
    };
    std::ranges::stable_sort(all, [&](const RoundGroup &one, const RoundGroup &other) {
        return std::pair(rank(one.outcome), -one.count)
            < std::pair(rank(other.outcome), -other.count);
    });
    return all;
}

} // namespace instar
