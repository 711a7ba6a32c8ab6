// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/contentcheck.h"

#include "model/pack/rows.h"

#include <QJsonArray>

namespace instar {

namespace {

/// Returns true if the values differ in more than case, numbers as texts, the order of lists, or
/// members added by the server.
bool isOtherValue(const QJsonValue &stored, const QJsonValue &seen)
{
    if (stored.isNull() || stored.isUndefined() || seen.isNull() || seen.isUndefined())
        return false; // the read omits it
    if (stored.isObject() && seen.isObject()) {
        const QJsonObject members = stored.toObject(), shown = seen.toObject();
        return std::ranges::any_of(members.keys(), [&](const QString &member) {
            return isOtherValue(members.value(member), shown.value(member));
        });
    }
    if (stored.isArray() && seen.isArray()) {
        const QJsonArray items = stored.toArray(), shown = seen.toArray();
        return items.size() != shown.size()
            || std::ranges::any_of(items, [&](const QJsonValue &item) {
                   return std::ranges::all_of(
                       shown, [&](const QJsonValue &other) { return isOtherValue(item, other); });
               });
    }
    const auto isWhole = [](const QJsonValue &value) {
        return value.isObject() || value.isArray();
    };
    return isWhole(stored) || isWhole(seen)
        || stored.toVariant().toString().compare(seen.toVariant().toString(), Qt::CaseInsensitive)
        != 0;
}

QString memberText(const QString &member, const QJsonValue &value)
{
    return u"%1 = %2"_s.arg(member, QString::fromUtf8(jsonOf(value)));
}

constexpr QStringView SameEtag = u"Equal etags mean equal content. [RFC 9110, 8.8.3]";
constexpr QStringView LastStored =
    u"A resource shows what the last request stored. [RFC 9110, 9.3.4]";

/// Checker for reads that contradict the writes of a history.
class BodyCheck
{
public:
    BodyCheck(const History &history, const Rules &rules) : m_history(history), m_rules(rules)
    {
        const Pack &pack = rules.pack();
        for (const WireRequest &row : pack.wire.requests) {
            if (row.method == u"PUT" || row.method == u"PATCH")
                m_writingOps.insert(row.ask);
        }
        m_owned = QSet<QString>(pack.wire.owned.begin(), pack.wire.owned.end());
        for (const Machine &machine : pack.machines) {
            for (const Transition &row : machine.transitions) {
                for (const Assignment &one : row.set)
                    m_owned.insert(one.property);
            }
        }
        for (const RecordedRequest &asked : history.requests)
            addWrite(asked, asked.request);
        for (const Observation &seen : history.observations) {
            if (!seen.isOfResource() && seen.word == statusName(Status::Succeeded))
                m_ends[seen.operation] += &seen;
            const auto path = m_paths.find(m_rules.pack().folded(seen.path));
            if (!seen.isOfResource() || path == m_paths.end() || seen.properties.isEmpty())
                continue;
            path->reads += &seen;
            m_answers.insert({ seen.line, m_rules.pack().folded(seen.path) }, seen.properties);
        }
        for (Path &path : m_paths)
            std::ranges::stable_sort(path.reads, {}, &Observation::to);
    }

    std::optional<Violation> violation() const
    {
        std::optional<Violation> first;
        for (const Path &path : m_paths) {
            for (const Observation *read : path.reads) {
                if (first && std::get<Observation>(first->what).to <= read->to)
                    break;
                if (auto violation = violationAt(path, *read))
                    first = std::move(violation); // later reads of the path come after it
            }
        }
        return first;
    }

private:
    struct Write
    {
        const RecordedRequest *asked = nullptr;
        QJsonObject properties;
    };
    struct Path
    {
        std::vector<Write> writes;
        QList<const Observation *> reads; ///< in order of time
    };
    void addWrite(const RecordedRequest &asked, const Request &request)
    {
        if (!m_writingOps.contains(asked.request.op)
            || asked.answer == RecordedRequest::Answer::Refused)
            return;
        if (!request.properties.isEmpty())
            m_paths[m_rules.pack().folded(request.path)].writes.push_back(
                { &asked, request.properties.object() });
        for (const Request &content : request.contents)
            addWrite(asked, content);
    }

    /// Returns the value that a write stores in a member; nothing if it does not mention it.
    std::optional<QJsonValue> valueOf(const Write &write, const QString &member) const
    {
        const auto stored = write.properties.constFind(member);
        if (stored == write.properties.constEnd() || stored->isNull())
            return {};
        return *stored;
    }

    /// Returns an observation that a write had succeeded before a read: of its operation's status,
    /// or its answer at rest; null: none.
    const Observation *settledBy(
        const Path &path, const Write &write, const Observation &read) const
    {
        if (write.asked->answer != RecordedRequest::Answer::Accepted)
            return nullptr;
        for (const Observation *end : m_ends.value(write.asked->request.id)) {
            if (end->to <= read.from)
                return end;
        }
        const auto answer = std::ranges::find_if(path.reads, [&](const Observation *one) {
            return one->line == write.asked->line && one->to <= read.from
                && isAtRest(*one, m_rules);
        });
        return answer == path.reads.end() ? nullptr : *answer;
    }

    /// Returns an earlier read that showed another value under the same etag; null: none.
    const Observation *shownBefore(
        const Path &path, const Observation &read, const QString &member) const
    {
        const auto before = std::ranges::find_if(path.reads, [&](const Observation *one) {
            const QJsonObject shown = one->properties.object();
            return !read.etag.isEmpty() && one->etag == read.etag && one->to <= read.from
                && shown.contains(member)
                && isOtherValue(shown.value(member), read.properties.value(member));
        });
        return before == path.reads.end() ? nullptr : *before;
    }

    /// Returns true if a write only repeats a value that was read before, which is often the
    /// server's.
    bool isEcho(const Path &path, const Write &write, const QString &member) const
    {
        const QJsonValue value = write.properties.value(member);
        const auto known = std::ranges::find_if(m_history.resources, [&](const ResourceSpec &one) {
            return m_rules.pack().folded(one.path)
                == m_rules.pack().folded(write.asked->request.path);
        });
        QJsonValue last = known == m_history.resources.end() ? QJsonValue(QJsonValue::Undefined)
                                                             : known->properties.value(member);
        for (const Observation *read : path.reads) {
            if (read->to <= write.asked->sent && read->properties.object().contains(member))
                last = read->properties.value(member);
        }
        return !last.isUndefined() && !isOtherValue(value, last);
    }

    /// Returns true if another write, which may have come later, explains a read, or if another
    /// request makes the value unknown.
    bool mayExplain(
        const Path &path, const Write &last, const QString &member, const Observation &read) const
    {
        const QJsonValue seen = read.properties.value(member);
        const QString key = m_rules.pack().folded(read.path);
        const auto isOver = [&](const RecordedRequest &asked) {
            return asked.sent >= read.to
                || (asked.isClosed() && asked.answered <= last.asked->sent);
        };
        for (const Write &write : path.writes) {
            const std::optional<QJsonValue> value = valueOf(write, member);
            if (&write != &last && value && !isOver(*write.asked) && !isOtherValue(*value, seen))
                return true;
        }
        return std::ranges::any_of(m_history.requests, [&](const RecordedRequest &asked) {
            const QString target = m_rules.pack().folded(asked.request.path);
            const bool isAbove = key == target || key.startsWith(target + u'/');
            if (&asked == last.asked || asked.answer == RecordedRequest::Answer::Refused || !isAbove
                || isOver(asked))
                return false;
            const bool mentions = std::ranges::any_of(path.writes, [&](const Write &write) {
                return write.asked == &asked && valueOf(write, member);
            });
            return !mentions && (!m_writingOps.contains(asked.request.op) || key == target);
        });
    }

    std::optional<Violation> violationOf(
        const Path &path, const QString &member, const Observation &read) const
    {
        const QJsonValue seen = read.properties.value(member);
        const Observation *before = shownBefore(path, read, member);
        const Write *last = nullptr;
        const Observation *by = nullptr;
        for (const Write &write : path.writes) {
            const std::optional<QJsonValue> value = valueOf(write, member);
            if (!value || isEcho(path, write, member))
                continue;
            if (before && write.asked->answer == RecordedRequest::Answer::Accepted
                && !isOtherValue(*value, before->properties.value(member)))
                return violationOf(member, *value, read, *write.asked, *before, SameEtag);
            const Observation *settled = settledBy(path, write, read);
            if (settled && (!last || write.asked->sent > last->asked->sent)) {
                last = &write;
                by = settled;
            }
        }
        if (!last)
            return {};
        const QJsonValue stored = *valueOf(*last, member);
        // The answer to the write shows the value as changed by the server.
        const QJsonValue answered =
            m_answers.value({ last->asked->line, m_rules.pack().folded(read.path) }).value(member);
        const bool isSet = !answered.isUndefined() && !isOtherValue(answered, seen);
        if (!isOtherValue(stored, seen) || isSet || mayExplain(path, *last, member, read))
            return {};
        return violationOf(member, stored, read, *last->asked, *by, LastStored);
    }

    /// Returns the violation by a read; `evidence` shows that the request had stored the value by
    /// then, or the value under the same etag.
    Violation violationOf(const QString &member, const QJsonValue &stored, const Observation &read,
        const RecordedRequest &asked, const Observation &evidence, QStringView rule) const
    {
        const QString seen = memberText(member, read.properties.value(member));
        const QString other = u"another client that stored %1"_s.arg(seen);
        Violation violation;
        violation.line = read.line;
        violation.what = read;
        violation.allowed = { memberText(member, stored) };
        violation.body = seen;
        violation.details = detailsOf(read, {});
        violation.blame(rule.toString());
        violation.because = { { other, sentenceOf(asked), detailsOf(asked) },
            { other, sentenceOf(evidence), detailsOf(evidence, m_history) } };
        violation.minimal = sortedLines({ asked.line, evidence.line, read.line });
        return violation;
    }

    std::optional<Violation> violationAt(const Path &path, const Observation &read) const
    {
        for (const QString &member : read.properties.object().keys()) {
            if (m_owned.contains(member))
                continue;
            if (auto violation = violationOf(path, member, read))
                return violation;
        }
        return {};
    }

    const History &m_history;
    const Rules &m_rules;
    QSet<QString> m_writingOps, m_owned;
    QHash<QString, Path> m_paths;
    QHash<QString, QList<const Observation *>> m_ends;    ///< request -> observations of success
    QHash<std::pair<int, QString>, Properties> m_answers; ///< (line, path) -> properties shown
};

/// Checker for etags that contradict earlier ones.
class EtagCheck
{
public:
    EtagCheck(const History &history, const Rules &rules) : m_history(history), m_rules(rules)
    {
        for (const Observation &seen : history.observations) {
            if (seen.isOfResource() && !seen.etag.isEmpty() && seen.word && isAtRest(seen, rules))
                m_etags[seen.path].push_back(&seen);
        }
        for (auto &all : m_etags)
            std::ranges::stable_sort(all, {}, &Observation::to);
    }

    std::optional<Violation> violation(const Budget &budget) const
    {
        const bool onlyOperationsChangeEtags = !m_rules.hasTimers() && !m_rules.hasUntil()
            && m_history.guessed.isEmpty()
            && std::ranges::any_of(m_rules.pack().stamps,
                [&](const Stamp &row) { return row.only && m_rules.applies(row); });
        if (!onlyOperationsChangeEtags)
            return {};
        for (const RecordedRequest &asked : m_history.requests) {
            if (asked.answer != RecordedRequest::Answer::Accepted
                || asked.request.ifMatch.isEmpty())
                continue;
            const Observation *before = lastBefore(asked.request.path, asked.sent);
            if (before && matchesNone(asked.request.ifMatch, *before)
                && isQuiet(before->from, asked.answered, &asked)
                && isRefusedWithoutMatch(asked, budget))
                return violationOf(asked, *before);
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
        return first ? std::optional(violationOf(*first, *contradicted)) : std::nullopt;
    }

private:
    /// Returns true if a request had ended, or was refused, by a time (ms).
    bool isOver(const RecordedRequest &asked, double time) const
    {
        return asked.answer == RecordedRequest::Answer::Refused
            || std::ranges::any_of(m_history.observations, [&](const Observation &seen) {
                   return seen.operation == asked.request.id && seen.to <= time && seen.word
                       && *seen.word != statusName(Status::Waiting)
                       && *seen.word != statusName(Status::InProgress);
               });
    }

    /// Returns true if no other request can have changed anything between two times (ms).
    bool isQuiet(double from, double to, const RecordedRequest *except) const
    {
        return std::ranges::all_of(m_history.requests, [&](const RecordedRequest &asked) {
            return &asked == except || asked.sent >= to || isOver(asked, from);
        });
    }

    /// Returns the last observation of a resource's etag at rest that ended by a time (ms); null:
    /// none.
    const Observation *lastBefore(const QString &path, double time) const
    {
        const auto all = m_etags.constFind(path);
        if (all == m_etags.constEnd())
            return nullptr;
        const auto later = std::ranges::upper_bound(*all, time, {}, &Observation::to);
        return later == all->begin() ? nullptr : *std::prev(later);
    }

    /// Returns true if no etag in a header matches an observation.
    bool matchesNone(const QString &header, const Observation &before) const
    {
        const QStringList tags = header.split(u',', Qt::SkipEmptyParts);
        return std::ranges::none_of(tags, [&](const QString &tag) {
            return tag.trimmed() == u"*" || bareEtag(tag) == bareEtag(before.etag);
        });
    }

    /// Returns true if the rules refuse the request when its etag does not match.
    bool isRefusedWithoutMatch(const RecordedRequest &asked, const Budget &budget) const
    {
        History other = m_history;
        for (RecordedRequest &one : other.requests) {
            if (one.request.id == asked.request.id)
                one.request.ifMatch = NoEtag.toString();
        }
        return HistorySearch(m_rules, other).run(budget) == HistorySearch::Outcome::Violates;
    }

    /// Returns the violation by an etag that differs from an observation.
    Violation violationOf(const Observation &seen, const Observation &before) const
    {
        Violation violation = violationAt(seen.line, before);
        violation.what = seen;
        violation.details = detailsOf(seen, m_history);
        violation.allowed = { *seen.word };
        violation.isEtag = true;
        return violation;
    }
    Violation violationOf(const RecordedRequest &asked, const Observation &before) const
    {
        const QString kind = u"precondition"_s;
        Violation violation = violationAt(asked.line, before);
        violation.what = asked;
        violation.details = detailsOf(asked);
        violation.allowed = { builtInRefusal(kind)->code };
        if (const Refusal *refusal = m_rules.refusal(m_rules.refusalNamed(kind))) {
            violation.blame(m_rules.pack().ruleText(*refusal));
            if (!refusal->code.isEmpty())
                violation.allowed = { refusal->code };
        }
        return violation;
    }
    Violation violationAt(int line, const Observation &before) const
    {
        Violation violation;
        violation.line = line;
        violation.because = { { u"a different etag"_s, sentenceOf(before),
            detailsOf(before, m_history) } };
        violation.minimal = sortedLines({ before.line, line });
        violation.blame(stampRule(m_rules));
        return violation;
    }

    const History &m_history;
    const Rules &m_rules;
    /// Observations of etags of resources at rest, by path, in the order of their ends.
    QHash<QString, std::vector<const Observation *>> m_etags;
};

} // namespace

std::optional<Violation> contentViolation(
    const History &history, const Rules &rules, const Budget &budget)
{
    const auto violation = BodyCheck(history, rules).violation();
    return violation ? violation : EtagCheck(history, rules).violation(budget);
}

QString ruleText(const Rules &rules, const Row &row, const QString &otherwise)
{
    const QString text = row.about.isEmpty() ? otherwise : row.about;
    const QString source = rules.pack().sourceText(row);
    return source.isEmpty() ? text : u"%1 [%2]"_s.arg(text, source);
}

QString stampRule(const Rules &rules)
{
    const auto row = std::ranges::find_if(
        rules.pack().stamps, [&](const Stamp &one) { return rules.applies(one); });
    return row == rules.pack().stamps.end()
        ? QString()
        : ruleText(rules, *row, u"the moment at which an operation changes etags"_s);
}

QList<int> sortedLines(QList<int> lines)
{
    std::ranges::sort(lines);
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
}

} // namespace instar
