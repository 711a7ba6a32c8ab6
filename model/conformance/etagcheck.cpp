// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/etagcheck.h"

#include "model/conformance/judgement.h"
#include "model/conformance/linearizer.h"

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
    EtagCheck(const History &history, const Rules &rules);
    std::optional<EtagViolation> violation(const Budget &budget) const;

private:
    bool onlyOperationsChangeEtags() const;
    bool isOver(const RecordedRequest &asked, double time) const;
    bool isQuiet(double from, double to, const RecordedRequest *except) const;
    const Observation *lastBefore(const QString &path, double time) const;
    bool matchesNone(const QString &header, const Observation &before) const;
    bool isRefusedWithoutMatch(const RecordedRequest &asked, const Budget &budget) const;

    const History &m_history;
    const Rules &m_rules;
    /// Observations of etags of resources at rest, by path, in the order of their ends.
    QHash<QString, std::vector<const Observation *>> m_etags;
};

EtagCheck::EtagCheck(const History &history, const Rules &rules)
    : m_history(history), m_rules(rules)
{
    for (const Observation &seen : history.observations) {
        if (seen.isOfResource() && !seen.etag.isEmpty() && seen.word && isAtRest(seen, rules))
            m_etags[seen.path].push_back(&seen);
    }
    for (auto &all : m_etags)
        std::ranges::stable_sort(all, {}, &Observation::to);
}

bool EtagCheck::onlyOperationsChangeEtags() const
{
    return !m_rules.hasTimers() && !m_rules.hasUntil() && m_history.guessed.isEmpty()
        && std::ranges::any_of(m_rules.pack().stamps,
            [&](const Stamp &row) { return row.only && m_rules.applies(row); });
}

/// Returns true if a request had ended, or was refused, by a time (ms).
bool EtagCheck::isOver(const RecordedRequest &asked, double time) const
{
    return asked.answer == RecordedRequest::Answer::Refused
        || std::ranges::any_of(m_history.observations, [&](const Observation &seen) {
               return seen.operation == asked.request.id && seen.to <= time && seen.word
                   && *seen.word != statusName(Status::Waiting)
                   && *seen.word != statusName(Status::InProgress);
           });
}

/// Returns true if no other request can have changed anything between two times (ms).
bool EtagCheck::isQuiet(double from, double to, const RecordedRequest *except) const
{
    return std::ranges::all_of(m_history.requests, [&](const RecordedRequest &asked) {
        return &asked == except || asked.sent >= to || isOver(asked, from);
    });
}

/// Returns the last observation of a resource's etag at rest that ended by a time (ms); null: none.
const Observation *EtagCheck::lastBefore(const QString &path, double time) const
{
    const auto all = m_etags.constFind(path);
    if (all == m_etags.constEnd())
        return nullptr;
    const auto later = std::ranges::upper_bound(*all, time, {}, &Observation::to);
    return later == all->begin() ? nullptr : *std::prev(later);
}

/// Returns true if no etag in a header matches an observation.
bool EtagCheck::matchesNone(const QString &header, const Observation &before) const
{
    const QStringList tags = header.split(u',', Qt::SkipEmptyParts);
    return std::ranges::none_of(tags, [&](const QString &tag) {
        return tag.trimmed() == u"*" || withoutWeakness(tag) == withoutWeakness(before.etag);
    });
}

/// Returns true if the rules refuse the request when its etag does not match.
bool EtagCheck::isRefusedWithoutMatch(const RecordedRequest &asked, const Budget &budget) const
{
    History other = m_history;
    for (RecordedRequest &one : other.requests) {
        if (one.request.id == asked.request.id)
            one.request.ifMatch = NoEtag.toString();
    }
    return HistorySearch(m_rules, other).run(budget) == HistorySearch::Outcome::Violates;
}

std::optional<EtagViolation> EtagCheck::violation(const Budget &budget) const
{
    if (!onlyOperationsChangeEtags())
        return {};
    for (const RecordedRequest &asked : m_history.requests) {
        if (asked.answer != RecordedRequest::Answer::Accepted || asked.request.ifMatch.isEmpty())
            continue;
        const Observation *before = lastBefore(asked.request.path, asked.sent);
        if (before && matchesNone(asked.request.ifMatch, *before)
            && isQuiet(before->from, asked.answered, &asked)
            && isRefusedWithoutMatch(asked, budget))
            return EtagViolation { *before, asked };
    }
    const Observation *first = nullptr, *contradicted = nullptr;
    for (const auto &all : m_etags) {
        for (const Observation *seen : all) {
            const Observation *before = lastBefore(seen->path, seen->from);
            if (before && matchesNone(seen->etag, *before) && (!first || seen->to < first->to)
                && isQuiet(before->from, seen->to, nullptr)) {
                first = seen;
                contradicted = before;
            }
        }
    }
    return first ? std::optional(EtagViolation { *contradicted, *first }) : std::nullopt;
}

} // namespace

std::optional<EtagViolation> etagViolation(
    const History &history, const Rules &rules, const Budget &budget)
{
    return EtagCheck(history, rules).violation(budget);
}

} // namespace instar
