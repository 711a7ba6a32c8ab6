// SPDX-License-Identifier: Apache-2.0
#include "model/engine/etagcheck.h"

#include "model/engine/judgement.h"
#include "model/engine/linearizer.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString withoutWeakness(const QString &tag)
{
    QString bare = tag.trimmed();
    if (bare.startsWith("W/"_L1))
        bare.remove(0, 2);
    return bare.remove(u'"');
}

class EtagCheck
{
public:
    EtagCheck(const History &history, const Rules &rules) : m_history(history), m_rules(rules) { }
    std::optional<EtagViolation> violation(const Budget &budget) const;

private:
    bool changesOnlySo() const;
    bool isAtRest(const Observation &seen) const;
    bool isOver(const AskedThen &asked, double time) const;
    bool isQuiet(double from, double to, const AskedThen *except) const;
    const Observation *lastBefore(const QString &path, double time) const;
    bool isElse(const QString &header, const Observation &before) const;
    bool violatesWithoutMatch(const AskedThen &asked, const Budget &budget) const;

    const History &m_history;
    const Rules &m_rules;
};

bool EtagCheck::changesOnlySo() const
{
    return !m_rules.hasTimers() && !m_rules.hasUntil() && m_history.guessed.isEmpty()
        && std::ranges::any_of(m_rules.pack().stamps,
            [&](const Stamp &row) { return row.only && m_rules.applies(row); });
}

bool EtagCheck::isAtRest(const Observation &seen) const
{
    const int machine = m_rules.machineForType(typePathOf(seen.path));
    return seen.word && std::ranges::none_of(m_rules.states(), [&](const Rules::StateRule &state) {
        return state.machine == machine && state.isTransitional()
            && (state.shown == Rules::None || m_rules.word(state.shown) == seen.word);
    });
}

/// Whether it is known that a request did nothing any more after a time (ms).
bool EtagCheck::isOver(const AskedThen &asked, double time) const
{
    return asked.answer == AskedThen::Answer::Refused
        || std::ranges::any_of(m_history.observations, [&](const Observation &seen) {
               return seen.operation == asked.request.id && seen.to <= time && seen.word
                   && *seen.word != statusName(Status::Waiting)
                   && *seen.word != statusName(Status::InProgress);
           });
}

bool EtagCheck::isQuiet(double from, double to, const AskedThen *except) const
{
    return std::ranges::all_of(m_history.requests, [&](const AskedThen &asked) {
        return &asked == except || asked.sent >= to || isOver(asked, from);
    });
}

/// The last look at a resource at rest that showed its etag and was over by a time (ms).
const Observation *EtagCheck::lastBefore(const QString &path, double time) const
{
    const Observation *last = nullptr;
    for (const Observation &seen : m_history.observations) {
        if (seen.isOfResource() && seen.path == path && !seen.etag.isEmpty() && seen.to <= time
            && isAtRest(seen) && (!last || seen.to > last->to))
            last = &seen;
    }
    return last;
}

bool EtagCheck::isElse(const QString &header, const Observation &before) const
{
    const QStringList tags = header.split(u',', Qt::SkipEmptyParts);
    return std::ranges::none_of(tags, [&](const QString &tag) {
        return tag.trimmed() == u"*" || withoutWeakness(tag) == withoutWeakness(before.etag);
    });
}

bool EtagCheck::violatesWithoutMatch(const AskedThen &asked, const Budget &budget) const
{
    History other = m_history;
    for (AskedThen &one : other.requests) {
        if (one.request.id == asked.request.id)
            one.request.ifMatch = NoEtag.toString();
    }
    return HistorySearch(m_rules, other).run(budget) == HistorySearch::Outcome::Violates;
}

std::optional<EtagViolation> EtagCheck::violation(const Budget &budget) const
{
    if (!changesOnlySo())
        return {};
    for (const AskedThen &asked : m_history.requests) {
        if (asked.answer != AskedThen::Answer::Accepted || asked.request.ifMatch.isEmpty())
            continue;
        const Observation *before = lastBefore(asked.request.path, asked.sent);
        if (before && isElse(asked.request.ifMatch, *before)
            && isQuiet(before->from, asked.answered, &asked) && violatesWithoutMatch(asked, budget))
            return EtagViolation { *before, asked };
    }
    for (const Observation &seen : m_history.observations) {
        if (!seen.isOfResource() || seen.etag.isEmpty() || !isAtRest(seen))
            continue;
        const Observation *before = lastBefore(seen.path, seen.from);
        if (before && isElse(seen.etag, *before) && isQuiet(before->from, seen.to, nullptr))
            return EtagViolation { *before, seen };
    }
    return {};
}

} // namespace

std::optional<EtagViolation> etagViolation(
    const History &history, const Rules &rules, const Budget &budget)
{
    return EtagCheck(history, rules).violation(budget);
}

} // namespace instar
