// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/contentcheck.h"

#include "model/pack/rows.h"

#include <QJsonArray>

namespace instar {

namespace {

/// Returns true if a read value contradicts the stored one: they differ in more than case, numbers
/// written as texts, the order of lists, or members added by the server.
bool isOtherValue(const QJsonValue &stored, const QJsonValue &read)
{
    if (stored.isNull() || stored.isUndefined() || read.isNull() || read.isUndefined())
        return false; // the server may omit a member
    if (stored.isObject() && read.isObject()) {
        const QJsonObject members = stored.toObject(), shown = read.toObject();
        return std::ranges::any_of(members.keys(), [&](const QString &member) {
            return isOtherValue(members.value(member), shown.value(member));
        });
    }
    if (stored.isArray() && read.isArray()) {
        const QJsonArray items = stored.toArray(), shown = read.toArray();
        return items.size() != shown.size()
            || std::ranges::any_of(items, [&](const QJsonValue &item) {
                   return std::ranges::all_of(
                       shown, [&](const QJsonValue &other) { return isOtherValue(item, other); });
               });
    }
    const auto isCompound = [](const QJsonValue &value) {
        return value.isObject() || value.isArray();
    };
    return isCompound(stored) || isCompound(read)
        || stored.toVariant().toString().compare(read.toVariant().toString(), Qt::CaseInsensitive)
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
        for (const RecordedRequest &recorded : history.requests)
            addWrite(recorded, recorded.request);
        for (const Observation &observed : history.observations) {
            if (!observed.isOfResource() && observed.word == statusName(Status::Succeeded))
                m_ends[observed.operation] += &observed;
            const auto path = m_paths.find(m_rules.pack().folded(observed.path));
            if (!observed.isOfResource() || path == m_paths.end() || observed.properties.isEmpty())
                continue;
            path->reads += &observed;
            m_answers.insert(
                { observed.line, m_rules.pack().folded(observed.path) }, observed.properties);
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
                    first = std::move(violation); // ends the loop: later reads end after it
            }
        }
        return first;
    }

private:
    struct Write
    {
        const RecordedRequest *recorded = nullptr;
        QJsonObject properties;
    };
    struct Path // the writes to and reads of one resource
    {
        std::vector<Write> writes;
        QList<const Observation *> reads; ///< in order of time
    };
    void addWrite(const RecordedRequest &recorded, const Request &request)
    {
        if (!m_writingOps.contains(recorded.request.op)
            || recorded.answer == RecordedRequest::Answer::Refused)
            return;
        if (!request.properties.isEmpty())
            m_paths[m_rules.pack().folded(request.path)].writes.push_back(
                { &recorded, request.properties.object() });
        for (const Request &content : request.contents)
            addWrite(recorded, content);
    }

    /// Returns the value that a write stores in a member; nothing if the write does not mention it.
    std::optional<QJsonValue> valueOf(const Write &write, const QString &member) const
    {
        const auto stored = write.properties.constFind(member);
        if (stored == write.properties.constEnd() || stored->isNull())
            return {};
        return *stored;
    }

    /// Returns an observation which proves that a write succeeded before a read: the status of its
    /// operation, or its own answer if that shows the resource at rest; null: there is none.
    const Observation *successBefore(
        const Path &path, const Write &write, const Observation &read) const
    {
        if (write.recorded->answer != RecordedRequest::Answer::Accepted)
            return nullptr;
        for (const Observation *end : m_ends.value(write.recorded->request.id)) {
            if (end->to <= read.from)
                return end;
        }
        const auto answer = std::ranges::find_if(path.reads, [&](const Observation *one) {
            return one->line == write.recorded->line && one->to <= read.from
                && isAtRest(*one, m_rules);
        });
        return answer == path.reads.end() ? nullptr : *answer;
    }

    /// Returns an earlier read that showed another value under the same etag; null: there is none.
    const Observation *shownBefore(
        const Path &path, const Observation &read, const QString &member) const
    {
        const auto before = std::ranges::find_if(path.reads, [&](const Observation *one) {
            const QJsonObject shown = one->properties.object();
            const bool isSameEtag = !read.etag.isEmpty() && one->etag == read.etag;
            return isSameEtag && one->to <= read.from && shown.contains(member)
                && isOtherValue(shown.value(member), read.properties.value(member));
        });
        return before == path.reads.end() ? nullptr : *before;
    }

    /// Returns true if a write repeats a value read before, which the server may have set.
    bool isEcho(const Path &path, const Write &write, const QString &member) const
    {
        const QJsonValue value = write.properties.value(member);
        const auto known = std::ranges::find_if(m_history.resources, [&](const ResourceSpec &one) {
            return m_rules.pack().folded(one.path)
                == m_rules.pack().folded(write.recorded->request.path);
        });
        QJsonValue last = known == m_history.resources.end() ? QJsonValue(QJsonValue::Undefined)
                                                             : known->properties.value(member);
        for (const Observation *read : path.reads) {
            if (read->to <= write.recorded->sent && read->properties.object().contains(member))
                last = read->properties.value(member);
        }
        return !last.isUndefined() && !isOtherValue(value, last);
    }

    /// Returns true if a write that may have come after `last` explains a read, or if another
    /// request makes the value unknown.
    bool mayExplain(
        const Path &path, const Write &last, const QString &member, const Observation &read) const
    {
        const QJsonValue shown = read.properties.value(member);
        const QString key = m_rules.pack().folded(read.path);
        const auto isOver = [&](const RecordedRequest &recorded) {
            return recorded.sent >= read.to
                || (recorded.isClosed() && recorded.answered <= last.recorded->sent);
        };
        for (const Write &write : path.writes) {
            const std::optional<QJsonValue> value = valueOf(write, member);
            if (&write != &last && value && !isOver(*write.recorded)
                && !isOtherValue(*value, shown))
                return true;
        }
        return std::ranges::any_of(m_history.requests, [&](const RecordedRequest &recorded) {
            const QString target = m_rules.pack().folded(recorded.request.path);
            const bool isSameOrAbove = key == target || key.startsWith(target + u'/');
            if (&recorded == last.recorded || recorded.answer == RecordedRequest::Answer::Refused
                || !isSameOrAbove || isOver(recorded))
                return false;
            const bool writesMember = std::ranges::any_of(path.writes, [&](const Write &write) {
                return write.recorded == &recorded && valueOf(write, member);
            });
            const bool isWriteAbove = m_writingOps.contains(recorded.request.op) && key != target;
            return !writesMember && !isWriteAbove;
        });
    }

    std::optional<Violation> violationOf(
        const Path &path, const QString &member, const Observation &read) const
    {
        const QJsonValue shown = read.properties.value(member);
        const Observation *before = shownBefore(path, read, member);
        const Write *last = nullptr;
        const Observation *evidence = nullptr;
        for (const Write &write : path.writes) {
            const std::optional<QJsonValue> value = valueOf(write, member);
            if (!value || isEcho(path, write, member))
                continue;
            if (before && write.recorded->answer == RecordedRequest::Answer::Accepted
                && !isOtherValue(*value, before->properties.value(member)))
                return violationOf(member, *value, read, *write.recorded, *before, SameEtag);
            const Observation *success = successBefore(path, write, read);
            if (success && (!last || write.recorded->sent > last->recorded->sent)) {
                last = &write;
                evidence = success;
            }
        }
        if (!last)
            return {};
        const QJsonValue stored = *valueOf(*last, member);
        // The answer to the write shows the value as changed by the server.
        const QJsonValue answered =
            m_answers.value({ last->recorded->line, m_rules.pack().folded(read.path) })
                .value(member);
        const bool isSet = !answered.isUndefined() && !isOtherValue(answered, shown);
        if (!isOtherValue(stored, shown) || isSet || mayExplain(path, *last, member, read))
            return {};
        return violationOf(member, stored, read, *last->recorded, *evidence, LastStored);
    }

    /// Returns the violation by a read. `evidence`: observation that the request succeeded, or that
    /// the same etag stood for the stored value.
    Violation violationOf(const QString &member, const QJsonValue &stored, const Observation &read,
        const RecordedRequest &recorded, const Observation &evidence, QStringView rule) const
    {
        const QString shown = memberText(member, read.properties.value(member));
        const QString other = u"another client that stored %1"_s.arg(shown);
        Violation violation;
        violation.line = read.line;
        violation.what = read;
        violation.allowed = { memberText(member, stored) };
        violation.body = shown;
        violation.details = detailsOf(read, {});
        violation.blame(rule.toString());
        violation.because = { { other, sentenceOf(recorded), detailsOf(recorded) },
            { other, sentenceOf(evidence), detailsOf(evidence, m_history) } };
        violation.minimal = sortedLines({ recorded.line, evidence.line, read.line });
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
    QSet<QString> m_writingOps; ///< ops sent as PUT or PATCH
    QSet<QString> m_owned;      ///< members that the server may change
    QHash<QString, Path> m_paths;
    QHash<QString, QList<const Observation *>> m_ends;    ///< request -> observations of success
    QHash<std::pair<int, QString>, Properties> m_answers; ///< (line, path) -> properties shown
};

/// Checker for etags that contradict earlier etags.
class EtagCheck
{
public:
    EtagCheck(const History &history, const Rules &rules) : m_history(history), m_rules(rules)
    {
        for (const Observation &observed : history.observations) {
            if (observed.isOfResource() && !observed.etag.isEmpty() && observed.word
                && isAtRest(observed, rules))
                m_etags[observed.path].push_back(&observed);
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
        for (const RecordedRequest &recorded : m_history.requests) {
            if (recorded.answer != RecordedRequest::Answer::Accepted
                || recorded.request.ifMatch.isEmpty())
                continue;
            const Observation *before = lastBefore(recorded.request.path, recorded.sent);
            if (before && matchesNone(recorded.request.ifMatch, *before)
                && hasNoOperation(before->from, recorded.answered, &recorded)
                && isRefusedWithoutMatch(recorded, budget))
                return violationOf(recorded, *before);
        }
        const Observation *first = nullptr, *contradicted = nullptr;
        for (const auto &all : m_etags) {
            for (const Observation *one : all) {
                const Observation *before = lastBefore(one->path, one->from);
                if (before && matchesNone(one->etag, *before) && (!first || one->to < first->to)
                    && hasNoOperation(before->from, one->to, nullptr)) {
                    first = one;
                    contradicted = before;
                }
            }
        }
        return first ? std::optional(violationOf(*first, *contradicted)) : std::nullopt;
    }

private:
    /// Returns true if a request was refused, or its end was observed by a time (ms).
    bool isOver(const RecordedRequest &recorded, double time) const
    {
        return recorded.answer == RecordedRequest::Answer::Refused
            || std::ranges::any_of(m_history.observations, [&](const Observation &observed) {
                   const bool isFinal = observed.word
                       && *observed.word != statusName(Status::Waiting)
                       && *observed.word != statusName(Status::InProgress);
                   return isFinal && observed.operation == recorded.request.id
                       && observed.to <= time;
               });
    }

    /// Returns true if no request but `except` can have changed anything between two times (ms).
    bool hasNoOperation(double from, double to, const RecordedRequest *except) const
    {
        return std::ranges::all_of(m_history.requests, [&](const RecordedRequest &recorded) {
            return &recorded == except || recorded.sent >= to || isOver(recorded, from);
        });
    }

    /// Returns the last etag of a resource at rest that was observed by `time` (ms); null: none.
    const Observation *lastBefore(const QString &path, double time) const
    {
        const auto all = m_etags.constFind(path);
        if (all == m_etags.constEnd())
            return nullptr;
        const auto later = std::ranges::upper_bound(*all, time, {}, &Observation::to);
        return later == all->begin() ? nullptr : *std::prev(later);
    }

    bool matchesNone(const QString &header, const Observation &before) const
    {
        const QStringList tags = header.split(u',', Qt::SkipEmptyParts);
        return std::ranges::none_of(tags, [&](const QString &tag) {
            return tag.trimmed() == u"*" || bareEtag(tag) == bareEtag(before.etag);
        });
    }

    /// Returns true if the history would violate the rules had the request's If-Match not matched.
    bool isRefusedWithoutMatch(const RecordedRequest &recorded, const Budget &budget) const
    {
        History other = m_history;
        for (RecordedRequest &one : other.requests) {
            if (one.request.id == recorded.request.id)
                one.request.ifMatch = NoEtag.toString();
        }
        return HistorySearch(m_rules, other).run(budget) == HistorySearch::Outcome::Violates;
    }

    Violation violationOf(const Observation &observed, const Observation &before) const
    {
        Violation violation = violationAt(observed.line, before);
        violation.what = observed;
        violation.details = detailsOf(observed, m_history);
        violation.allowed = { *observed.word };
        violation.isEtag = true;
        return violation;
    }
    Violation violationOf(const RecordedRequest &recorded, const Observation &before) const
    {
        const QString kind = u"precondition"_s;
        Violation violation = violationAt(recorded.line, before);
        violation.what = recorded;
        violation.details = detailsOf(recorded);
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
