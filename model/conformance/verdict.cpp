// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/verdict.h"

#include "model/conformance/contentcheck.h"
#include "model/engine/question.h"
#include "model/engine/scenario.h"

#include <QJsonArray>

#include <cmath>
#include <limits>
#include <map>
#include <ranges>
#include <set>

namespace instar {

namespace {

using Verdict = HistorySearch::Outcome;

// A violated rule is a text such as "rule [source]".

QString stateRule(const Rules &rules, Rules::StateId state)
{
    const Rules::StateRule &rule = rules.state(state);
    const State *row = rules.pack().machine(rules.machine(rule.machine).id)->state(rule.id);
    return row ? rules.pack().ruleText(*row) : rule.id;
}

/// Returns a row from one state code to another, if possible for trigger `preferred`; empty: none.
QString ruleBetween(
    const Rules &rules, Code from, Code to, Rules::TriggerId preferred = Rules::None)
{
    std::vector<Rules::TriggerId> triggers { preferred };
    for (Rules::TriggerId trigger = 0; trigger < rules.triggerCount(); ++trigger)
        triggers.push_back(trigger);
    for (const Rules::TriggerId trigger : triggers) {
        if (trigger == Rules::None)
            continue;
        for (const int index : rules.candidates(rules.stateOf(from), trigger)) {
            for (const Rules::Target &target : rules.transition(index).to) {
                if (rules.stateOf(rules.resolved(from, target)) == rules.stateOf(to))
                    return rules.transitionText(index);
            }
        }
    }
    return {};
}

/// Returns the rule that decides on a request in a world; empty: none.
QString admissionRule(const Rules &rules, const World &world, const Request &request)
{
    const Admission admitted = admission(rules, world, request, {}, 0, true);
    if (!admitted.rule.isEmpty())
        return admitted.rule;
    if (!admitted.cancels.empty())
        return rules.conflictText(admitted.cancels.front().row);
    return rules.transitionText(admitted.transition);
}

/// Returns the row for the answer to an operation that changes nothing; empty: none.
QString answerRule(const Rules &rules, const QString &op)
{
    for (const auto &row : rules.pack().wire.answers) {
        if (rules.applies(row) && row.to.contains(op) && row.at.contains(u"observed"_s))
            return ruleText(rules, row, u"the answer to %1"_s.arg(op));
    }
    return {};
}

Code codeAt(const Rules &rules, const World &world, const QString &path)
{
    return codeOf(rules, world, subjectAt(rules, world, path));
}

/// Returns a history reduced to these lines; other requests get an unknown answer.
History weakened(const History &history, const QSet<int> &lines)
{
    History result = history;
    result.observations.removeIf([&](const Observation &one) { return !lines.contains(one.line); });
    for (RecordedRequest &recorded : result.requests) {
        if (!lines.contains(recorded.line) && recorded.isClosed())
            recorded.answer = RecordedRequest::Answer::Unknown;
    }
    return result;
}

/// Calls `visit` for each event of an order that explains the history. Returns the world after the
/// last event, or std::nullopt if no order explains the history.
std::optional<World> visitExplanation(const History &history, const Rules &rules,
    const Budget &budget, const HistorySearch::Visit &visit)
{
    HistorySearch search(rules, history);
    if (search.run(budget) != Verdict::Conforms)
        return {};
    return search.visitOrder(visit).world;
}

HiddenEvent hiddenEvent(const Rules &rules, const HistorySearch::Moment &moment)
{
    const Event &event = moment.event;
    HiddenEvent hidden { moment.words, moment.after, event.kind };
    if (event.request)
        hidden.operation = event.request->id;
    if (const Running *running = moment.before.find(event.operation)) {
        hidden.operation = running->id;
        if (event.kind == Event::Kind::End)
            hidden.outcome =
                rules.triggerName(event.outcome == Rules::None ? running->planned : event.outcome);
    }
    return hidden;
}

/// A correction must also explain this many answers and observations after the contradiction.
constexpr size_t MostLookedAhead = 500;
constexpr double Forever = 1e300;

/// Answers and observations whose removal makes a history conform. They are numbered as calls:
/// requests first, then observations.
struct CorrectionSet
{
    std::vector<int> calls;
    bool onlyEtags = false; ///< only the etags of the observations are wrong
    int blamed = -1;        ///< the call that is blamed
    RecordedRequest::Answer instead =
        RecordedRequest::Answer::Unknown; ///< corrected answer of the request in the set
    double until = Forever;               ///< ms: until then the corrected history conforms
};

/// Diagnosis of one part of a history that violates.
class Diagnosis
{
public:
    Diagnosis(const History &history, const Rules &rules, const Budget &budget, qint64 *worlds)
        : m_history(history), m_rules(rules), m_budget(budget), m_worlds(*worlds)
    {
        for (int i = 0; i < int(history.requests.size()); ++i) {
            if (history.requests[i].isClosed())
                m_returns.push_back({ history.requests[i].answered, i });
        }
        for (int i = 0; i < int(history.observations.size()); ++i)
            m_returns.push_back({ history.observations[i].to, int(history.requests.size()) + i });
        std::ranges::sort(
            m_returns, {}, [](const Return &one) { return std::pair(one.time, one.call); });
    }

    /// Returns the history until `returned` answers and observations are known, except one call.
    /// A request without an answer by then gets the answer Lost.
    History prefix(size_t returned, std::optional<int> without = {}) const
    {
        History result = m_history;
        result.requests.clear();
        result.observations.clear();
        std::vector<bool> known(size_t(m_history.size()), false);
        for (size_t i = 0; i < returned; ++i)
            known[size_t(m_returns[i].call)] = without != m_returns[i].call;
        const double now = returned == 0 ? 0 : m_returns[returned - 1].time;
        QSet<QString> observedIds, requestedIds; // operations
        for (int i = int(m_history.requests.size()); i < int(m_history.size()); ++i) {
            if (!known[size_t(i)])
                continue;
            result.observations += observation(i);
            observedIds.insert(observation(i).operation);
        }
        for (int i = 0; i < int(m_history.requests.size()); ++i) {
            RecordedRequest request = m_history.requests[i];
            if (without == i
                || (!known[size_t(i)] && request.sent > now
                    && !observedIds.contains(request.request.id)))
                continue;
            if (!known[size_t(i)])
                request.answer = RecordedRequest::Answer::Lost;
            requestedIds.insert(request.request.id);
            result.requests += request;
        }
        result.observations.removeIf([&](const Observation &one) {
            return !one.isOfResource() && !requestedIds.contains(one.operation);
        });
        return result;
    }

    /// Binary search for the first return that cannot be explained, if the history violates.
    size_t firstUnexplained() const
    {
        const auto explains = [this](size_t returned) {
            return outcome(prefix(returned), m_budget) != Verdict::Violates;
        };
        const auto counts = std::views::iota(size_t(1), m_returns.size());
        return *std::ranges::partition_point(counts, explains) - 1;
    }

    /// Returns the lines of a minimal part that violates; it contains the required line (0: none).
    QList<int> minimal(size_t unexplained, int required = 0) const
    {
        const History known = prefix(unexplained + 1);
        auto lines = mapped<QList<int>>(known.requests, &RecordedRequest::line);
        for (const Observation &observed : known.observations)
            lines += observed.line;
        lines = sortedLines(lines);
        int trials = 400;
        const auto stillViolates = [&](const QSet<int> &kept) {
            return --trials >= 0
                && outcome(weakened(known, kept), smallBudget()) == Verdict::Violates;
        };
        // Delta debugging (ddmin): removes ever smaller chunks.
        for (qsizetype chunk = std::max<qsizetype>(1, lines.size() / 2); chunk >= 1; chunk /= 2) {
            for (bool repeats = true; repeats;) {
                repeats = false;
                for (qsizetype at = 0; at < lines.size();) {
                    QList<int> fewer = lines;
                    fewer.remove(at, std::min(chunk, lines.size() - at));
                    if (required > 0)
                        fewer += required;
                    const QSet<int> kept = withRequests(QSet<int>(fewer.begin(), fewer.end()));
                    if (!kept.isEmpty() && kept.size() < lines.size() && stillViolates(kept)) {
                        lines = sortedLines(kept.values());
                        repeats = chunk == 1;
                    } else {
                        at += chunk;
                    }
                }
            }
        }
        return lines;
    }

    /// Chooses which of some contradictory lines are wrong. Of the correction sets that explain
    /// most, prefers one that blames a request which the server accepted against the rules, then
    /// one with the first unexplained call, then the shortest.
    CorrectionSet correction(size_t unexplained, const QList<int> &lines) const
    {
        std::vector<std::vector<CorrectionSet>> suspects;
        for (int call = 0; call < int(m_history.size()); ++call) {
            if (lines.contains(lineOf(call)))
                suspects.push_back(correctionsAt(call));
        }
        std::vector<CorrectionSet> found;
        size_t horizon = std::min(m_returns.size(), unexplained + 1 + MostLookedAhead);
        for (; found.empty() && horizon > unexplained;
             horizon = unexplained + (horizon - unexplained) / 2) {
            const double time = timeUntil(horizon);
            for (const std::vector<CorrectionSet> &sets : suspects) {
                const auto set = std::ranges::find_if(sets,
                    [&](const CorrectionSet &one) { return conforms(correctedUntil(one, time)); });
                if (set != sets.end())
                    found.push_back(*set);
            }
            if (!found.empty() || horizon == unexplained + 1)
                break;
        }
        const double time = timeUntil(horizon);
        const int first = m_returns[unexplained].call;
        if (found.empty())
            found.push_back({ .calls = { first }, .blamed = first });
        for (CorrectionSet &set : found)
            shorten(set, time);
        const auto rank = [&](const CorrectionSet &set) {
            const bool isFirst = std::ranges::find(set.calls, first) != set.calls.end()
                || (!isRequest(first) && !isRequest(set.blamed) && observation(first).snapshot > 0
                    && observation(first).snapshot == observation(set.blamed).snapshot);
            return std::tuple(!isAcceptedUnexpectedly(set.blamed), !isFirst, set.calls.size());
        };
        CorrectionSet best = *std::ranges::min_element(found, {}, rank);
        // Of contradictory resources, blames the one without which the fewest events are needed.
        const auto path = [&](const CorrectionSet &set) {
            return isRequest(set.blamed) ? QString() : observation(set.blamed).path;
        };
        if (const QString own = path(best); !own.isEmpty() && !best.onlyEtags) {
            std::vector<CorrectionSet> rivals { best }; // first, so it wins among equals
            std::ranges::copy_if(found, std::back_inserter(rivals), [&](const CorrectionSet &set) {
                return !path(set).isEmpty() && path(set) != own && !set.onlyEtags;
            });
            std::vector<int> steps; // by rival: events that explain the rest
            for (const CorrectionSet &set : rivals) {
                visitExplanation(correctedUntil(set, timeOf(unexplained)), m_rules, smallBudget(),
                    [&count = steps.emplace_back(0)](const auto &) { ++count; });
            }
            best = rivals[size_t(std::ranges::min_element(steps) - steps.begin())];
        }
        best.until = time;
        return best;
    }

    Violation violationOf(const CorrectionSet &set) const
    {
        History corrected = correctedUntil(set, set.until);
        Violation violation;
        for (const int call : set.calls)
            violation.without += lineOf(call);
        QString row;
        if (isRequest(set.blamed)) {
            const RecordedRequest &recorded = m_history.requests[set.blamed];
            violation.line = recorded.line;
            violation.what = recorded;
            violation.details = detailsOf(recorded);
            row = blame(corrected, recorded);
            corrected.requests.removeIf(
                [&](const RecordedRequest &one) { return one.request.id == recorded.request.id; });
            violation.allowed = allowedAnswers(corrected, recorded);
            // The recorded answer may fit the corrected history, which lacks some observations.
            if (recorded.answer == RecordedRequest::Answer::Refused)
                violation.allowed.removeAll(recorded.code);
            else if (recorded.answer == RecordedRequest::Answer::Accepted)
                violation.allowed.removeAll(u"accepted"_s);
        } else {
            const Observation &observed = observation(set.blamed);
            violation.line = observed.line;
            violation.what = observed;
            violation.details = detailsOf(observed, m_history);
            if (set.onlyEtags) {
                Observation bare = observed;
                bare.etag.clear();
                corrected.observations.removeOne(bare);
            }
            violation.allowed = allowedWords(corrected, observed);
            violation.isEtag = !observed.etag.isEmpty()
                && violation.allowed.contains(observed.word ? *observed.word : QString());
            corrected = Diagnosis(corrected, m_rules, m_budget, &m_worlds).until(observed.to);
            row = blame(corrected, observed, violation.isEtag);
            if (!observed.isOfResource() && observed.word == statusName(Status::Canceled))
                row = cancelRule(observed.operation, row);
        }
        violation.blame(row);
        violation.because = contradictions(corrected, violation);
        return violation;
    }

    /// Returns the violation by a request that was accepted against a conflict row: without the
    /// row, the history conforms up to a time (ms).
    std::optional<Violation> acceptedConflict(double time) const
    {
        const History known = until(time);
        std::optional<Violation> found;
        for (qsizetype i = 0; i < m_rules.pack().conflicts.size() && !found; ++i) {
            Pack pack = m_rules.pack();
            if (pack.conflicts[i].then != Conflict::Then::Reject)
                continue;
            pack.conflicts[i].then = Conflict::Then::Allow;
            pack.conflicts[i].code.clear();
            const Result<Rules> allowing = Rules::make(pack, m_rules.switches());
            if (!allowing)
                continue;
            QList<HiddenEvent> order;
            visitExplanation(known, *allowing, smallBudget(), [&](const auto &moment) {
                order += hiddenEvent(*allowing, moment);
                if (found || !moment.event.request)
                    return;
                const auto asked = std::ranges::find_if(known.requests,
                    [&](const auto &one) { return one.request.id == moment.event.request->id; });
                const Admission admitted = admission(
                    m_rules, moment.before, *moment.event.request, moment.event.answers, 0, true);
                if (asked == known.requests.end()
                    || asked->answer != RecordedRequest::Answer::Accepted
                    || admitted.verdict != Admission::Verdict::Refused
                    || admitted.rule != m_rules.conflictText(int(i)))
                    return;
                found = Violation { .line = asked->line,
                    .what = *asked,
                    .allowed = { admitted.code },
                    .details = detailsOf(*asked) };
                found->blame(admitted.rule);
            });
            if (found)
                found->order = order;
        }
        return found;
    }

    /// Returns how many requests and observations are explained once a set is corrected.
    qsizetype explainedBut(const CorrectionSet &set) const
    {
        if (set.until == Forever)
            return m_history.size() - qsizetype(set.calls.size());
        return std::ranges::count_if(m_returns, [&](const Return &one) {
            return one.time <= set.until && !std::ranges::count(set.calls, one.call);
        });
    }

    /// Adds, for each other line of the minimal part, an event that explains the part without it.
    void addContradictions(size_t unexplained, Violation *violation) const
    {
        const History known = prefix(unexplained + 1);
        const QSet<int> kept(violation->minimal.begin(), violation->minimal.end());
        const auto addWithout = [&](int line, const QString &reason, const QString &details) {
            if (line == violation->line || !kept.contains(line))
                return;
            QSet<int> others = kept;
            others.remove(line);
            QString event; // the last one of an explanation
            visitExplanation(weakened(known, others), m_rules, m_budget,
                [&](const HistorySearch::Moment &moment) { event = moment.words; });
            const Contradiction contradiction { event, reason, details };
            if (!event.isEmpty() && !violation->because.contains(contradiction))
                violation->because += contradiction;
        };
        for (const RecordedRequest &recorded : known.requests)
            addWithout(recorded.line, sentenceOf(recorded), detailsOf(recorded));
        for (const Observation &observed : known.observations)
            addWithout(observed.line, sentenceOf(observed), detailsOf(observed, known));
    }

    History correctedUntil(const CorrectionSet &set, double time) const
    {
        const History corrected = without(set);
        return Diagnosis(corrected, m_rules, m_budget, &m_worlds).until(time);
    }

    double timeOf(size_t unexplained) const { return m_returns[unexplained].time; }

private:
    Verdict outcome(const History &history, const Budget &budget) const
    {
        HistorySearch search(m_rules, history);
        const Verdict result = search.run(budget);
        m_worlds += search.worlds();
        return result;
    }

    struct Return
    {
        double time = 0;
        int call = 0;
    };
    bool isRequest(int call) const { return call < m_history.requests.size(); }
    const Observation &observation(int call) const
    {
        return m_history.observations[call - m_history.requests.size()];
    }
    int lineOf(int call) const
    {
        return isRequest(call) ? m_history.requests[call].line : observation(call).line;
    }
    Budget smallBudget() const
    {
        Budget small = m_budget;
        small.states = std::min<qint64>(small.states, 20'000);
        return small;
    }
    /// Returns the time of the `returned`-th answer or observation; Forever for the last one.
    double timeUntil(size_t returned) const
    {
        return returned < m_returns.size() ? m_returns[returned - 1].time : Forever;
    }
    /// Removes observations, or only their etags, and replaces a request's answer.
    History without(const CorrectionSet &set) const
    {
        History corrected = m_history;
        corrected.observations.clear();
        for (int i = int(m_history.requests.size()); i < int(m_history.size()); ++i) {
            const bool isWrong = std::ranges::find(set.calls, i) != set.calls.end();
            if (isWrong && !set.onlyEtags)
                continue;
            corrected.observations += observation(i);
            if (isWrong)
                corrected.observations.last().etag.clear();
        }
        for (const int call : set.calls) {
            if (!isRequest(call))
                continue;
            corrected.requests[call].answer = set.instead;
            corrected.requests[call].code.clear();
        }
        return corrected;
    }

    /// Returns the history known at a time (ms).
    History until(double time) const
    {
        const auto last = std::ranges::upper_bound(m_returns, time, {}, &Return::time);
        return last == m_returns.end() ? m_history : prefix(size_t(last - m_returns.begin()));
    }

    /// Returns the longest run of equal consecutive observations of one subject around `call`.
    std::vector<int> run(int call, bool ofEtags) const
    {
        const Observation &one = observation(call);
        const Qt::CaseSensitivity names = m_rules.pack().caseSensitivity();
        std::vector<int> all; // in order of time
        for (int i = int(m_history.requests.size()); i < int(m_history.size()); ++i) {
            const Observation &other = observation(i);
            if (other.operation == one.operation && other.path.compare(one.path, names) == 0
                && !(ofEtags && other.etag.isEmpty()))
                all.push_back(i);
        }
        std::ranges::sort(all, {},
            [this](int i) { return std::tuple(observation(i).from, observation(i).to, i); });
        const auto isEqual = [&](int i) {
            return ofEtags ? observation(i).etag == one.etag : observation(i).word == one.word;
        };
        auto begin = std::ranges::find(all, call), end = begin + 1;
        while (begin != all.begin() && isEqual(*(begin - 1)))
            --begin;
        while (end != all.end() && isEqual(*end))
            ++end;
        return { begin, end };
    }

    /// Returns the candidate correction sets for a request or observation, smallest first.
    std::vector<CorrectionSet> correctionsAt(int call) const
    {
        using Answer = RecordedRequest::Answer;
        std::vector<CorrectionSet> sets;
        // Adds a set with the answer of a request, alone or with all observations of its status.
        const auto addAnswers = [&](int request, bool isAlone) {
            const RecordedRequest &recorded = m_history.requests[request];
            std::vector<int> calls { request };
            for (int i = int(m_history.requests.size()); !isAlone && i < int(m_history.size());
                 ++i) {
                if (observation(i).operation == recorded.request.id)
                    calls.push_back(i);
            }
            if (recorded.answer > Answer::Refused || (!isAlone && calls.size() == 1))
                return;
            if (recorded.answer == Answer::Refused)
                sets.push_back({ .calls = calls, .blamed = request, .instead = Answer::Accepted });
            sets.push_back({ .calls = calls, .blamed = request, .instead = Answer::Refused });
        };
        if (isRequest(call)) {
            addAnswers(call, true);
            addAnswers(call, false);
            return sets;
        }
        const Observation &observed = observation(call);
        sets.push_back({ .calls = { call }, .blamed = call });
        for (const bool ofEtags : { true, false }) {
            if (ofEtags && observed.etag.isEmpty())
                continue;
            CorrectionSet set { .calls = run(call, ofEtags), .onlyEtags = ofEtags, .blamed = call };
            if (set.calls.size() > 1)
                sets.push_back(std::move(set));
        }
        for (int i = 0; i < int(m_history.requests.size()); ++i) {
            if (m_history.requests[i].request.id == observed.operation)
                addAnswers(i, false);
        }
        return sets;
    }

    /// Shortens a correction set at both ends by binary search.
    void shorten(CorrectionSet &set, double time) const
    {
        if (isRequest(set.blamed))
            return;
        const auto blamed = [&] { return std::ranges::find(set.calls, set.blamed); };
        const auto dropMost = [&](qsizetype limit, auto shortened) {
            const auto counts = std::views::iota(qsizetype(1), limit + 1);
            set = shortened(*std::ranges::partition_point(counts, [&](qsizetype count) {
                return conforms(correctedUntil(shortened(count), time));
            }) - 1);
        };
        dropMost(blamed() - set.calls.begin(), [&, whole = set](qsizetype count) {
            CorrectionSet shorter = whole;
            shorter.calls.erase(shorter.calls.begin(), shorter.calls.begin() + count);
            return shorter;
        });
        dropMost(set.calls.end() - blamed() - 1, [&, whole = set](qsizetype count) {
            CorrectionSet shorter = whole;
            shorter.calls.erase(shorter.calls.end() - count, shorter.calls.end());
            return shorter;
        });
    }

    /// Returns true if a request was accepted though the rules refuse it in the simplest
    /// explanation of the history before.
    bool isAcceptedUnexpectedly(int call) const
    {
        if (!isRequest(call))
            return false;
        const RecordedRequest &recorded = m_history.requests[call];
        if (recorded.answer != RecordedRequest::Answer::Accepted
            || !recorded.request.ifMatch.isEmpty() || !recorded.request.ifNoneMatch.isEmpty())
            return false;
        const auto own = std::ranges::find(m_returns, call, &Return::call);
        const History before = prefix(size_t(own - m_returns.begin()), call);
        const auto world = visitExplanation(before, m_rules, smallBudget(), [](const auto &) {});
        if (!world)
            return false;
        const Admission admitted = admission(m_rules, *world, recorded.request, {}, 0, true);
        return admitted.unanswered.empty() && admitted.verdict == Admission::Verdict::Refused;
    }

    bool conforms(const History &history) const
    {
        return outcome(history, smallBudget()) == Verdict::Conforms;
    }

    QStringList allowedAnswers(History history, const RecordedRequest &recorded) const
    {
        QStringList allowed;
        history.requests += recorded;
        RecordedRequest &other = history.requests.last();
        other.answer = RecordedRequest::Answer::Accepted;
        if (conforms(history))
            allowed += u"accepted"_s;
        other.began = false;
        if (recorded.began && conforms(history))
            allowed += u"accepted, but done without any work"_s;
        other.answer = RecordedRequest::Answer::Refused;
        QStringList codes = errorCodes(m_rules.pack()).values();
        codes.sort();
        for (const QString &code : std::as_const(codes)) {
            other.code = code;
            if (conforms(history))
                allowed += code;
        }
        return allowed;
    }

    QStringList allowedWords(History history, const Observation &observed) const
    {
        QStringList words;
        if (observed.isOfResource()) {
            const int machine = m_rules.machineForType(typePathOf(observed.path));
            for (int code = 0; code < m_rules.codeCount(); ++code) {
                if (m_rules.stateIn(Code(code)).machine == machine && m_rules.isShown(Code(code)))
                    words += m_rules.shown(Code(code));
            }
            words += QString();
        } else {
            for (const Status status : { Status::Waiting, Status::InProgress, Status::Succeeded,
                     Status::Failed, Status::Canceled, Status::Rejected })
                words += statusName(status);
        }
        words.removeDuplicates();
        QStringList allowed;
        history.observations += observed;
        Observation &other = history.observations.last();
        other.etag.clear();
        for (const QString &word : std::as_const(words)) {
            other.word = word.isNull() ? std::nullopt : std::optional(word);
            if (conforms(history))
                allowed += word;
        }
        return allowed;
    }

    /// Returns the rule that decides on a request when it takes effect in the corrected history, or
    /// at the end of that history if it never takes effect.
    QString blame(const History &corrected, const RecordedRequest &recorded) const
    {
        Request request = recorded.request;
        // The etags are unknown here; assume a match.
        if (!request.ifMatch.isEmpty() && recorded.answer == RecordedRequest::Answer::Refused)
            request.ifMatch = u"*"_s;
        std::optional<QString> row;
        const auto end = visitExplanation(
            corrected, m_rules, m_budget, [&](const HistorySearch::Moment &moment) {
                if (moment.event.request && moment.event.request->id == recorded.request.id)
                    row = admissionRule(m_rules, moment.before, *moment.event.request);
            });
        if (!end)
            return {};
        if (recorded.began
            && admission(m_rules, *end, request, {}, 0, true).verdict
                == Admission::Verdict::Observed)
            return answerRule(m_rules, request.op);
        return row ? *row : admissionRule(m_rules, *end, request);
    }

    QString blame(const History &before, const Observation &observed, bool isEtag) const
    {
        if (isEtag)
            return stampRule(m_rules);
        std::optional<QString> last; // the row that led to the current state
        QString path = observed.path;
        quint32 serial = 0;
        for (const RecordedRequest &recorded : before.requests) {
            if (recorded.request.id == observed.operation)
                path = recorded.request.path;
        }
        if (path.isEmpty())
            return u"operations/%1: the operation was not requested before this observation"_s.arg(
                observed.operation);
        const auto end = visitExplanation(before, m_rules, m_budget, [&](const auto &moment) {
            const Code from = codeAt(m_rules, moment.before, path);
            const Code to = codeAt(m_rules, moment.world, path);
            const Running *running = moment.before.find(moment.event.operation);
            Rules::TriggerId trigger = moment.event.outcome;
            if (moment.event.request)
                trigger = m_rules.trigger(moment.event.request->op);
            else if (trigger == Rules::None && running)
                trigger = running->planned;
            for (const Change &change : moment.record.changes) {
                const bool isOwn =
                    change.request && !change.requirer && change.request->id == observed.operation;
                serial = isOwn ? change.operation : serial;
                if (observed.isOfResource() || change.operation != serial || serial == 0)
                    continue;
                if (change.kind == Change::Kind::Rejected)
                    last = change.rule;
                else if (change.kind == Change::Kind::Canceled && moment.event.request)
                    last = admissionRule(m_rules, moment.before, *moment.event.request);
            }
            if (m_rules.stateOf(from) == m_rules.stateOf(to))
                return;
            if (const QString row = ruleBetween(m_rules, from, to, trigger); !row.isEmpty())
                last = row;
        });
        if (!end)
            return {};
        // By the rules, the end that the server reports is still to come: blames the row for it.
        const bool isSucceeded = observed.word == statusName(Status::Succeeded);
        if (end->find(serial) && (isSucceeded || observed.word == statusName(Status::Failed))) {
            const auto rows = m_rules.candidates(m_rules.stateOf(codeAt(m_rules, *end, path)),
                isSucceeded ? m_rules.succeeded : m_rules.failed);
            if (!rows.empty())
                last = m_rules.transitionText(rows.front());
        }
        return last ? *last : stateRule(m_rules, m_rules.stateOf(codeAt(m_rules, *end, path)));
    }

    QString cancelRule(const QString &operation, const QString &otherwise) const
    {
        const auto recorded = std::ranges::find_if(m_history.requests,
            [&](const RecordedRequest &one) { return one.request.id == operation; });
        if (recorded == m_history.requests.end())
            return otherwise;
        const Rules::TriggerId op = m_rules.trigger(recorded->request.op);
        for (const Rules::ConflictRule &rule : m_rules.conflicts()) {
            if (rule.then == Conflict::Then::Cancel
                && (rule.running.empty() || (op != Rules::None && rule.running[size_t(op)])))
                return m_rules.conflictText(rule.index);
        }
        return otherwise;
    }

    /// Returns the possible next events, each with the observation it would lead to instead.
    QList<Contradiction> contradictions(const History &before, const Violation &violation) const
    {
        HistorySearch search(m_rules, before);
        QList<Contradiction> result;
        if (search.run(m_budget) != Verdict::Conforms)
            return result;
        const auto *observed = std::get_if<Observation>(&violation.what);
        const auto textAfter = [&](const World &world) {
            if (observed && observed->isOfResource())
                return u"%1 would be %2"_s.arg(
                    observed->path, wordAt(m_rules, world, observed->path).value_or(u"absent"_s));
            if (observed)
                return u"%1 would not be %2"_s.arg(
                    observed->operation, observed->word.value_or(QString()));
            const Request &request = std::get<RecordedRequest>(violation.what).request;
            const Admission admitted = admission(m_rules, world, request, {}, 0, true);
            return admitted.verdict == Admission::Verdict::Refused
                ? u"%1 would be answered %2: %3"_s.arg(request.id, admitted.code, admitted.rule)
                : u"%1 would be accepted"_s.arg(request.id);
        };
        for (const HistorySearch::Moment &moment : search.next()) {
            if (!moment.words.isEmpty())
                result += { moment.words, u"after that event, "_s + textAfter(moment.world) };
        }
        return result;
    }

    /// Adds to `lines` the request of each operation whose status is observed in `lines`.
    QSet<int> withRequests(QSet<int> lines) const
    {
        QHash<QString, int> requests;
        for (const RecordedRequest &recorded : m_history.requests)
            requests.insert(recorded.request.id, recorded.line);
        for (const Observation &observed : m_history.observations) {
            if (!observed.isOfResource() && lines.contains(observed.line))
                lines.insert(requests.value(observed.operation));
        }
        return lines;
    }

    const History &m_history;
    const Rules &m_rules;
    Budget m_budget;
    qint64 &m_worlds;
    std::vector<Return> m_returns;
};

} // namespace

History minimalPart(const History &history, const QList<int> &lines)
{
    History part = weakened(history, QSet<int>(lines.begin(), lines.end()));
    double end = 0;
    for (const Observation &observed : std::as_const(part.observations))
        end = std::max(end, observed.to);
    for (const RecordedRequest &recorded : std::as_const(part.requests)) {
        if (lines.contains(recorded.line))
            end = std::max(end, recorded.isClosed() ? recorded.answered : recorded.sent);
    }
    part.requests.removeIf([end](const RecordedRequest &recorded) { return recorded.sent > end; });
    return part;
}

Scenario shortestReplay(const History &history, const HistoryVerdict &verdict)
{
    const QList<HiddenEvent> &order =
        verdict.violation->order.isEmpty() ? verdict.order : verdict.violation->order;
    History part = minimalPart(history, verdict.violation->minimal);
    part.requests.removeIf([&](const RecordedRequest &recorded) { // those that never arrived
        return !recorded.isClosed() && std::ranges::none_of(order, [&](const HiddenEvent &one) {
            return one.kind == Event::Kind::Submit && one.operation == recorded.request.id;
        });
    });
    std::set<double> returns; // times of answers and observations
    for (const Observation &observed : history.observations)
        returns.insert(observed.to);
    for (const RecordedRequest &recorded : history.requests) {
        if (recorded.isClosed())
            returns.insert(recorded.answered);
    }
    Scenario replay = traceOf(part);
    QList<ScenarioStep> steps; // in the order of the explanation, also within a millisecond
    double latest = std::numeric_limits<double>::infinity();
    for (const HiddenEvent &one : order | std::views::reverse) {
        // The event happened before the first answer or observation later than `one.after`.
        const bool isSubmit = one.kind == Event::Kind::Submit;
        const auto next = returns.upper_bound(one.after);
        latest = std::min(latest, isSubmit || next == returns.end() ? one.after : *next);
        const auto isMeant = [&](const Request &request) { return request.id == one.operation; };
        if ((!isSubmit && one.kind != Event::Kind::End)
            || std::ranges::none_of(part.requests, isMeant, &RecordedRequest::request))
            continue;
        ScenarioStep step {
            .kind = ScenarioStep::Kind::End, .operation = one.operation, .outcome = one.outcome
        };
        if (isSubmit) {
            const auto submit = std::ranges::find_if(replay.steps, isMeant, &ScenarioStep::request);
            step = replay.steps.takeAt(submit - replay.steps.begin());
        }
        step.at = std::llround(std::max(latest - part.begin(), 0.0));
        steps.prepend(step);
    }
    replay.steps = steps + replay.steps;
    for (ScenarioStep &step : replay.steps)
        step.request.hang = step.kind == ScenarioStep::Kind::Submit;
    std::ranges::stable_sort(replay.steps, {}, &ScenarioStep::at);
    return replay;
}

Result<HistoryVerdict> verdictOn(const History &history, const Rules &rules, const Budget &budget)
{
    const Loaded loaded = makeWorld(rules, history.resources);
    if (!loaded.problem.isEmpty())
        return Error { u"%1:%2: %3"_s.arg(
            history.file, QString::number(history.headerLine), loaded.problem) };
    HistoryVerdict verdict { .outcome = Verdict::Conforms, .of = history.size() };
    const auto addToOrder = [&](const HistorySearch::Moment &moment) {
        verdict.order += hiddenEvent(rules, moment);
        step(rules, moment.before, moment.event, &verdict.exercised);
    };
    QList<History> parts = partsOf(history, rules);
    std::map<std::pair<double, qsizetype>, size_t>
        broken; // (time, part) -> answer or observation without explanation
    for (qsizetype i = 0; i < parts.size(); ++i) {
        HistorySearch search(rules, parts[i]);
        const Verdict outcome = search.run(budget);
        verdict.worlds += search.worlds();
        if (outcome == Verdict::Conforms) {
            verdict.explained += parts[i].size();
            search.visitOrder(addToOrder);
            continue;
        }
        if (outcome == Verdict::Undecided) {
            verdict.explained += search.explained();
            if (verdict.outcome == Verdict::Conforms) {
                verdict.outcome = outcome;
                verdict.stoppedBy = search.stoppedBy();
            }
            continue;
        }
        if (!parts[i].guessed.isEmpty()) {
            verdict.notJudged += parts[i].guessed;
            verdict.of -= parts[i].size();
            parts[i].requests.clear();
            parts[i].observations.clear();
            continue;
        }
        verdict.outcome = outcome;
        const Diagnosis diagnosis(parts[i], rules, budget, &verdict.worlds);
        const size_t unexplained = diagnosis.firstUnexplained();
        broken.insert({ { diagnosis.timeOf(unexplained), i }, unexplained });
    }
    for (const auto &[place, unexplained] : broken) {
        const Diagnosis diagnosis(parts[place.second], rules, budget, &verdict.worlds);
        if (verdict.violation) { // of an earlier part
            verdict.explained += qsizetype(unexplained);
            visitExplanation(diagnosis.prefix(unexplained), rules, budget, addToOrder);
            continue;
        }
        const QList<int> lines = diagnosis.minimal(unexplained);
        const CorrectionSet correction = diagnosis.correction(unexplained, lines);
        verdict.violation = diagnosis.violationOf(correction);
        verdict.violation->minimal = lines;
        std::optional<Violation> accepted;
        if (std::holds_alternative<Observation>(verdict.violation->what))
            accepted = diagnosis.acceptedConflict(correction.until);
        if (accepted) {
            accepted->without = verdict.violation->without;
            verdict.violation = accepted;
            verdict.violation->minimal = diagnosis.minimal(unexplained, accepted->line);
        }
        diagnosis.addContradictions(unexplained, &*verdict.violation);
        verdict.explained += diagnosis.explainedBut(correction);
        visitExplanation(
            diagnosis.correctedUntil(correction, correction.until), rules, budget, addToOrder);
    }
    for (qsizetype i = 0; !verdict.violation && i < parts.size(); ++i) {
        verdict.violation = contentViolation(parts[i], rules, budget);
        if (verdict.violation) {
            verdict.outcome = Verdict::Violates;
            verdict.explained = verdict.of - 1;
        }
    }
    if (verdict.violation && history.headerLine > 0) // recorded exchanges have none
        verdict.violation->minimal.prepend(history.headerLine);
    if (verdict.outcome == Verdict::Conforms && std::ranges::none_of(parts, &History::isJudgeable))
        verdict.outcome = Verdict::NothingJudged;
    std::ranges::stable_sort(verdict.order, {}, &HiddenEvent::after);
    if (const Limit limit = budget.interruption(); limit != Limit::None && !broken.empty()) {
        // The diagnosis was interrupted, so the rule that it blames is not reliable.
        verdict.stoppedBy = limit;
        verdict.violation.reset();
    }
    return verdict;
}

QList<Event> explanationOf(const History &history, const Rules &rules, const Budget &budget)
{
    QList<Event> events;
    QHash<QString, QString> names; // id -> request id, which the search removes
    for (const RecordedRequest &recorded : history.requests)
        names.insert(recorded.request.id, recorded.request.requestId);
    visitExplanation(history, rules, budget, [&](const HistorySearch::Moment &one) {
        events += one.event;
        if (!one.event.request)
            return;
        const auto named = QSharedPointer<Request>::create(*one.event.request);
        named->requestId = names.value(named->id);
        events.last().request = named;
    });
    return events;
}

ExplainingSwitches switchesThatExplain(
    const History &history, const Pack &pack, const Budget &budget, qsizetype most)
{
    ExplainingSwitches found;
    for (const Switches &switches : choicesOf(pack.switches, most)) {
        found.all = found.all && switches.size() == pack.switches.size();
        const Result<Rules> rules = Rules::make(pack, switches);
        if (!rules || !makeWorld(*rules, history.resources).problem.isEmpty())
            continue;
        QList<History> parts = partsOf(history, *rules);
        const bool isExplained = std::ranges::all_of(parts, [&](History &part) {
            return HistorySearch(*rules, part).run(budget) == Verdict::Conforms
                && !contentViolation(part, *rules, budget);
        });
        if (isExplained)
            found.explaining += switches;
    }
    return found;
}

namespace {

QJsonValue wordJson(const std::optional<QString> &word)
{
    return word ? QJsonValue(*word) : QJsonValue();
}

QJsonObject answerJson(const RecordedRequest &recorded)
{
    switch (recorded.answer) {
    case RecordedRequest::Answer::Accepted:
        return { { recorded.began ? u"began"_s : u"accepted"_s, true } };
    case RecordedRequest::Answer::Refused:
        return { { u"refused"_s, recorded.code } };
    case RecordedRequest::Answer::Lost:
        return { { u"lost"_s, true } };
    case RecordedRequest::Answer::Unknown:
        return { { u"unknown"_s, true } };
    }
    Q_UNREACHABLE();
}

QJsonObject whatJson(const Violation &violation)
{
    if (const auto *recorded = std::get_if<RecordedRequest>(&violation.what))
        return { { u"request"_s, recorded->request.id }, { u"answer"_s, answerJson(*recorded) } };
    const auto &observed = std::get<Observation>(violation.what);
    if (!observed.isOfResource())
        return { { u"operation"_s, observed.operation }, { u"status"_s, wordJson(observed.word) } };
    QJsonObject what { { u"seen"_s, observed.path }, { u"state"_s, wordJson(observed.word) } };
    if (!observed.etag.isEmpty())
        what.insert(u"etag"_s, observed.etag);
    if (!violation.body.isEmpty())
        what.insert(u"body"_s, violation.body);
    return what;
}

} // namespace

void Violation::blame(const QString &ruleText)
{
    const qsizetype at = ruleText.endsWith(u']') ? ruleText.lastIndexOf(" ["_L1) : -1;
    rule = ruleText.first(at < 0 ? ruleText.size() : at);
    source = at < 0 ? QString() : ruleText.sliced(at + 2).chopped(1);
}

QString Violation::ruleText() const
{
    return source.isEmpty() ? rule : u"%1 [%2]"_s.arg(rule, source);
}

QString outcomeName(Verdict outcome)
{
    static const QStringList names { u"conforms"_s, u"violates"_s, u"undecided"_s,
        u"nothing judged"_s };
    return names[qsizetype(outcome)];
}

QString violationText(const Violation &violation)
{
    const QString text =
        std::visit([](const auto &one) { return sentenceOf(one); }, violation.what);
    return violation.body.isEmpty() ? text : u"%1 with %2"_s.arg(text, violation.body);
}

QJsonObject verdictJson(const HistoryVerdict &verdict)
{
    QJsonArray order;
    for (const HiddenEvent &event : verdict.order)
        order.append(QJsonObject { { u"event"_s, event.event }, { u"after"_s, event.after } });
    QJsonObject json { { u"verdict"_s, outcomeName(verdict.outcome) },
        { u"explained"_s, verdict.explained }, { u"of"_s, verdict.of }, { u"order"_s, order },
        { u"worlds"_s, verdict.worlds } };
    if (verdict.stoppedBy != Limit::None) {
        json.insert(u"complete"_s, false);
        json.insert(u"stoppedBy"_s, limitName(verdict.stoppedBy));
    }
    if (!verdict.violation)
        return json;
    const Violation &violation = *verdict.violation;
    const auto lines = [](const QList<int> &numbers) {
        return mapped<QJsonArray>(numbers, [](int line) { return QJsonValue(line); });
    };
    QJsonArray allowed, because;
    for (const QString &word : violation.allowed)
        allowed.append(word.isNull() ? QJsonValue() : QJsonValue(word));
    for (const Contradiction &contradiction : violation.because) {
        QJsonObject row { { u"event"_s, contradiction.event }, { u"not"_s, contradiction.reason } };
        if (!contradiction.details.isEmpty())
            row.insert(u"details"_s, contradiction.details);
        because.append(row);
    }
    json.insert(u"violation"_s,
        QJsonObject { { u"line"_s, violation.line }, { u"what"_s, whatJson(violation) },
            { u"details"_s, violation.details }, { u"allowed"_s, allowed },
            { u"etag"_s, violation.isEtag }, { u"rule"_s, violation.rule },
            { u"source"_s, violation.source }, { u"because"_s, because },
            { u"without"_s, lines(violation.without) } });
    json.insert(u"minimal"_s, lines(violation.minimal));
    return json;
}

QString verdictText(const HistoryVerdict &verdict, const QString &file)
{
    if (verdict.outcome == Verdict::NothingJudged)
        return outcomeName(verdict.outcome) + u'\n';
    QString text = u"%1: %2 of %3 explained, %4 states searched\n"_s.arg(
        outcomeName(verdict.outcome), QString::number(verdict.explained),
        QString::number(verdict.of), QString::number(verdict.worlds));
    if (verdict.stoppedBy != Limit::None)
        text += stoppedText(verdict.stoppedBy) + u'\n';
    if (verdict.violation) {
        const Violation &violation = *verdict.violation;
        QStringList allowed;
        for (const QString &word : violation.allowed)
            allowed += word.isNull() ? u"absent"_s
                : violation.isEtag   ? word + u" with a different etag"_s
                                     : word;
        text += u"%1:%2: %3 (%4)\n"_s.arg(
            file, QString::number(violation.line), violationText(violation), violation.details);
        text += u"  allowed by the rules: %1\n"_s.arg(
            allowed.isEmpty() ? u"nothing"_s : allowed.join(u", "_s));
        if (!violation.rule.isEmpty())
            text += u"  broken rule: %1\n"_s.arg(violation.ruleText());
        for (const Contradiction &contradiction : violation.because)
            text +=
                u"  not explained by %1: %2%3\n"_s.arg(contradiction.event, contradiction.reason,
                    contradiction.details.isEmpty() ? QString()
                                                    : u" (%1)"_s.arg(contradiction.details));
        const auto listed = [](const QList<int> &numbers) {
            const auto lines =
                mapped<QStringList>(numbers, [](int line) { return QString::number(line); });
            return lines.join(u", "_s);
        };
        if (!violation.without.isEmpty() && violation.without != QList { violation.line })
            text += u"  the rules explain all lines except: %1\n"_s.arg(listed(violation.without));
        text += u"  lines that show the violation: %1\n"_s.arg(listed(violation.minimal));
    }
    if (!verdict.order.isEmpty())
        text += verdict.outcome == Verdict::Conforms
            ? u"\nan order of hidden events that explains the history:\n"_s
            : u"\nan order of hidden events that explains all other lines:\n"_s;
    for (const HiddenEvent &event : verdict.order)
        text += u"  after %1 ms  %2\n"_s.arg(event.after).arg(event.event);
    return text;
}

} // namespace instar
