// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/round.h"

namespace instar {

namespace {

/// Returns a violation as text, without ids and etags, which differ from round to round.
QString kindText(const Violation &violation)
{
    if (const auto *recorded = std::get_if<RecordedRequest>(&violation.what)) {
        RecordedRequest anonymous = *recorded;
        anonymous.request.id = u"%1 %2"_s.arg(recorded->request.op, recorded->request.path);
        return sentenceOf(anonymous);
    }
    Observation anonymous = std::get<Observation>(violation.what);
    anonymous.etag.clear();
    if (!anonymous.isOfResource())
        anonymous.operation = u"an operation"_s;
    return sentenceOf(anonymous);
}

} // namespace

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
